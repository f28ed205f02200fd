"""Surveys: a ruleset with slots describes many games, each of which is built when it is needed.

A slot is a name with a different value in each game. Its values are a list of expressions, or all expressions up to
a size made of certain parts. A slot with the name of a parameter fixes that parameter. A game is read as if the value
of each slot stood in its place in parentheses. The claims of the file are the questions about each game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any

import yaml

from grundylab.check.judging import check_lookups
from grundylab.errors import ConfigError, FormulaError, GrundylabError, InstanceError, Place, RulesetError
from grundylab.findings.survey_rows import slots_text
from grundylab.games import Instance, Ruleset, parse_target
from grundylab.games.elaborate import PILE_NAMES, elaborate
from grundylab.games.load import FOLDER as RULESETS
from grundylab.games.load import check_stem, find_file, merge_extended, parse_ruleset, reload_ruleset
from grundylab.games.schema import RulesetSpec
from grundylab.games.scope import Scope
from grundylab.games.settings import instances
from grundylab.games.slots import enumerate_expressions
from grundylab.games.specialise import specialise
from grundylab.games.statements import THIS
from grundylab.games.yamlfile import Document, read_document, validate
from grundylab.language import Expr, Kind, parse_condition
from grundylab.language.folding import fold_constants
from grundylab.language.syntax import Int
from grundylab.pipeline.script_log import EDITED
from grundylab.pipeline.study import InstancesSpec, Plain, Study, values_of
from grundylab.pipeline.survey_spec import SurveySpec
from grundylab.solve.instance_choice import Room, chosen_instances, validation_instances
from grundylab.solve.origin import file_digests
from grundylab.version import __version__

FOLDER = "surveys"
MAX_GAMES = 1_000_000
SMALL = Room(3_000, 100_000, 32)  # limits of the small tables of a game, unless the file has ``small:``
CHECKED = 200  # the most games that are read before the survey begins, to find mistakes
# Keys whose values are words or names, not expressions; and keys whose value is a mapping by names.
_WORDS = {
    "title", "source", "description", "name", "from", "id", "at", "note", "paper", "target", "values", "play",
}  # fmt: skip
_NAMES = {"parameters", "position", "functions", "for", "to", "rows", "columns"}
_OWN = {*SurveySpec.model_fields} - {*RulesetSpec.model_fields}  # keys that only a survey has


@dataclass(frozen=True)
class Game:
    """A game of a survey.

    slots: the value of each slot as written in the file. filled: the same, with the slots that a value names replaced
    by their values.
    """

    number: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
    ruleset: Ruleset


class NoGame(GrundylabError):
    """Error for slot values that do not make a game, since a parameter would be outside its domain."""


@dataclass(frozen=True)
class Survey:
    """A survey as read from its file.

    files: the file itself, the rulesets that it extends, the rulesets whose values its claims look up, and those that
    these extend in turn.
    """

    name: str
    spec: SurveySpec
    document: Document
    files: tuple[str, ...]

    @property
    def texts(self) -> dict[str, str]:
        """The text of each claim as written in the file, by the claim's id."""
        texts = {}
        for claim in self.spec.claims:
            text = claim.formula or "; ".join(claim.positions or ()) or claim.condition or claim.kind
            texts[claim.id] = f"{claim.target}: {text}" if claim.target else text
        return texts

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        """The names of the slots that are parameters."""
        return tuple(name for name in self.spec.slots if name in self.spec.parameters)

    @cached_property
    def choices(self) -> Mapping[str, Sequence[str | Expr]]:
        """The possible values of each slot: texts of the file, or generated expressions."""
        choices: dict[str, Sequence[str | Expr]] = {}
        heads = [head.partition("(")[0].strip() for head in self.spec.functions]
        for name, spec in self.spec.slots.items():
            with self._scope.at("slots", name):
                self._scope.new_name(name, (*self.spec.position, *self._scope.piles, *heads), "slot")
                if isinstance(spec, list):
                    choices[name] = spec
                    continue
                parts = [self._scope.parsed(text) for text in spec.of]
                kind = Kind.NUMBER if spec.kind == "number" else Kind.CONDITION
                choices[name] = enumerate_expressions(parts, spec.with_, spec.size, kind)
                if not choices[name]:
                    raise FormulaError(
                        f"no {spec.kind} of size {spec.size} can be made from these parts and signs"
                    )
        return choices

    @property
    def count(self) -> int:
        """The number of combinations of the slots' values, including those that make no game."""
        return prod(map(len, self.choices.values()))

    @property
    def jobs(self) -> int:
        """The number of jobs into which the workflow divides the games."""
        return -(-self.count // self.spec.games_a_job)

    def part(self, job: int) -> range:
        """Return the numbers of the games that belong to a job. job: its number, from 0."""
        games_a_job = self.spec.games_a_job
        return range(job * games_a_job, min((job + 1) * games_a_job, self.count))

    def game(self, number: int) -> Game:
        """Return the game with this number, from 0. Raises NoGame, or RulesetError at the line of a mistake."""
        texts, trees = self._fillings(number)
        short = {name: fold_constants(tree) for name, tree in trees.items()}
        # an expression whose value is one number keeps its form, such as 2 * 3; x + 0 becomes x
        filled = {name: str(trees[name] if isinstance(one, Int) else one) for name, one in short.items()}
        label = f"{self.name}-{number}"
        data = self._data({name: text for name, text in texts.items() if name not in self.fixed})
        document = Document(data, self.document.file)
        try:
            spec = validate(RulesetSpec, document, RulesetError)
            ruleset = elaborate(spec, document, label, self.files[:1], RULESETS)
        except RulesetError as error:
            message = f"{error.message} (in the game with {slots_text(filled)})"
            raise RulesetError(message, error.place) from None
        try:
            numbers = dict[str, int]()
            for name in self.fixed:
                tree = trees[name]
                assert isinstance(tree, Int)  # see _fillings
                numbers[name] = tree.value
            ruleset = specialise(ruleset, numbers)
        except InstanceError as error:
            raise NoGame(error.message) from None
        return Game(number, self.slots_of(number), filled, ruleset)

    def ruleset_text(self, game: Game) -> str:
        """Return the game as the YAML text of a ruleset: the survey's file with the slots replaced by their values.

        Raises GrundylabError if this text, when read, would give another game.
        """
        texts, _ = self._fillings(game.number)
        data = yaml.safe_dump(self._data(texts), sort_keys=False, allow_unicode=True, width=110)
        text = f"# Game {game.number} of the survey {self.name}: {slots_text(game.filled)}\n{data}"
        if parse_ruleset(text, self.name).hash != game.ruleset.hash:
            raise GrundylabError(f"{self.name}: game {game.number} cannot be written as a separate file")
        return text

    def slots_of(self, number: int) -> dict[str, str]:
        """Return the value of each slot in the game with this number, as written in the file."""
        return {name: str(self.choices[name][index]) for name, index in self._indices(number).items()}

    def instances(self, game: Game) -> list[Instance]:
        """Return the small instances of a game, which are solved before the prover is asked."""
        small = self.spec.small
        return (
            chosen_instances(game.ruleset, {}, {}, SMALL)
            if small is None
            else self._sweep(game, small, "small")
        )

    def study(self, game: Game) -> Study:
        """Return the study of a game, of which its claims are the questions, checked on its small tables."""
        rows = self.spec.rows
        return Study.model_construct(
            name=game.ruleset.name,
            version=__version__,
            ruleset=game.ruleset,
            files={},
            sources={},
            engines={},
            values=values_of(game.ruleset, (parse_target(rows.target),) if rows else ()),
            test=tuple(self.instances(game)),
            rows=rows,
            proof_timeout=self.spec.proof_timeout,
        )

    def discovery_study(self, game: Game) -> Study:
        """Return the study of a game in which formulas are sought, learnt from its small tables.

        Raises ConfigError without ``discover:``.
        """
        study, asked = self.study(game), self.spec.discover
        if asked is None:
            raise ConfigError(f"{self.name} has no 'discover:'")
        train, test = study.test, tuple(self._sweep(game, asked.test, "discover", "test"))
        about = {"ruleset": replace(game.ruleset, claims=()), "engines": {asked.target: asked.engines}}
        validation = validation_instances(train, test, asked.target.values)
        tables = {"train": train, "validation": validation, "test": test}
        more = {"values": asked.target.values, "budget": asked.budget}
        return study.model_copy(update=about | tables | more)

    def check(self) -> None:
        """Raise GrundylabError, at its line, for the first mistake in some of the games.

        For each value of each slot one game is read, in which the other slots have their first value.
        """
        numbers, step = {0}, self.count
        for values in self.choices.values():
            step //= len(values)
            numbers |= {place * step for place in range(min(len(values), CHECKED))}
        for number in sorted(numbers)[:CHECKED]:
            try:
                game = self.game(number)
            except NoGame:
                continue
            for instance in self.instances(game):
                for claim in game.ruleset.claims:
                    check_lookups(claim, instance)
            if self.spec.discover is not None:
                self.discovery_study(game)

    def _sweep(self, game: Game, spec: InstancesSpec, *key: str) -> list[Instance]:
        with self._scope.at(*key):
            return instances(game.ruleset, spec.parameters, spec.bounds, parse_condition(spec.where))

    # -- slots ------------------------------------------------------------------------------------------------

    @cached_property
    def _scope(self) -> Scope:
        return Scope(self.document, PILE_NAMES[: self.spec.piles or 0])

    def _indices(self, number: int) -> dict[str, int]:
        """Return the index of each slot's value in the game with this number; that of the last slot varies fastest."""
        indices = {}
        for name, values in reversed([*self.choices.items()]):
            number, indices[name] = divmod(number, len(values))
        return {name: indices[name] for name in self.choices}

    def _fillings(self, number: int) -> tuple[dict[str, str], dict[str, Expr]]:
        """Return the value of each slot in the game with this number, as text and as an expression.

        Earlier slots that a value names are replaced by their values.
        """
        texts: dict[str, str] = {}
        trees: dict[str, Expr] = {}
        for name, index in self._indices(number).items():
            with self._scope.at("slots", name, index):
                value = str(self.choices[name][index])
                self._scope.parsed(value)  # parsed alone first, so that an error quotes the text of the file
                text = _substituted(value, texts)
                trees[name] = self._scope.parsed(text)
                if name in self.fixed and not isinstance(trees[name], Int):
                    raise FormulaError(
                        f"'{name}' is a parameter: its values are numbers, not '{trees[name]}'"
                    )
            texts[name] = text if re.fullmatch(r"\w+", text) else f"({text})"
        return texts, trees

    def _data(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the keys of the game's ruleset, with each name in ``texts`` replaced by its text.

        Parameters with such a name are left out.
        """
        data = {key: value for key, value in self.document.data.items() if key not in _OWN}
        if "parameters" in data:
            data["parameters"] = {n: text for n, text in data["parameters"].items() if n not in texts}
        return dict(_filled("", {key: value for key, value in data.items() if value != {}}, texts))


def _filled(key: str, value: Any, texts: Mapping[str, str]) -> Any:  # noqa: ANN401 - raw YAML
    """Return the YAML value of ``key``; in its expressions, each name in ``texts`` is replaced by its text there."""
    texts = {} if key in _WORDS else texts
    if isinstance(value, dict):
        return {
            str(inner): _filled(key if key in _NAMES else inner, part, texts) for inner, part in value.items()
        }
    if isinstance(value, list):
        return [_filled(key, part, texts) for part in value]
    return _substituted(str(value), texts)


def _substituted(text: str, texts: Mapping[str, str]) -> str:
    """Return the text with each name that is a key of ``texts`` replaced by its value there."""
    return re.sub(r"[^\W\d]\w*", lambda word: texts.get(word[0], word[0]), text)


def load_survey(name_or_path: str | Path) -> Survey:
    """Return the survey with this name or path.

    A name is looked up in the folder ``surveys``, then among the surveys of grundylab. Raises RulesetError with
    file and line for a mistake in it, or for a missing ruleset that it looks up.
    """
    path = find_file(name_or_path, Path(FOLDER), FOLDER, "survey")
    check_stem(path, "survey")
    document, above = merge_extended(read_document(path, RulesetError), RULESETS)
    spec = validate(SurveySpec, document, RulesetError)
    files = dict.fromkeys((str(path), *map(str, above), *_lookup_files(spec, document)))
    survey = Survey(path.stem, spec, document, tuple(files))
    if survey.count > MAX_GAMES:
        place = document.place(("slots",))
        raise RulesetError(f"these are {survey.count:,} games; at most {MAX_GAMES:,} are allowed", place)
    return survey


def _lookup_files(spec: SurveySpec, document: Document) -> Iterator[str]:
    """Yield the files of the rulesets that the claims look up.

    Raises RulesetError, at the line that names the ruleset, if there is no such ruleset.
    """
    for number, claim in enumerate(spec.claims):
        for name, of in claim.values.items():
            if of == THIS:
                continue
            try:
                yield from reload_ruleset(of, RULESETS).files
            except RulesetError as error:
                if error.place.line is not None:  # the ruleset exists, and the mistake is in its file
                    raise
                place = document.place(("claims", number, "values", name))
                raise RulesetError(error.message, place) from None


# -- for the workflow --------------------------------------------------------------------------------------------------


def part_of(survey: Survey) -> Plain:
    """Return what every stage of the survey receives, as plain data: the path, the files' digests, the version."""
    return {"survey": survey.files[0], "files": file_digests(survey.files), "version": __version__}


def survey_of(part: Plain) -> Survey:
    """Return the survey that a stage received. Raises ConfigError if a file was edited since the run began."""
    survey = load_survey(part["survey"])
    for file, digest in file_digests(survey.files).items():
        if part["files"].get(file) != digest:
            raise ConfigError(EDITED, Place(file))
    return survey


@dataclass(frozen=True)
class SurveyPaths:
    """The paths of the files that a survey writes below ``folder``."""

    folder: Path
    jobs: int

    @property
    def tables(self) -> list[str]:
        """The file of each job that solves small tables: its games, with what the tables decide."""
        return [str(self.folder / "tables" / f"{job}.json") for job in range(self.jobs)]

    @property
    def proofs(self) -> list[str]:
        """The file of each job that asks the prover; the proofs are in the folder of the same name without suffix."""
        return [str(self.folder / "proofs" / f"{job}.json") for job in range(self.jobs)]

    @property
    def table(self) -> str:
        """The Parquet file of the survey's rows."""
        return str(self.folder / "survey.parquet")

    @property
    def page(self) -> str:
        """The HTML file of the survey's page."""
        return str(self.folder / "page" / "index.html")
