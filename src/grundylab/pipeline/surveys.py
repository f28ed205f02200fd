"""A survey: a ruleset with slots, and all the games that its file describes, each made when it is asked for.

A slot is a name that stands for something else in each game: for one of listed expressions, or of those up to a size
over given parts; one with the name of a parameter fixes that. A game is read as if what stands for a slot had been
written there in parentheses. The claims of the file are what is asked of each game.
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

from grundylab.catalogue.surveys import slots_text
from grundylab.check.judging import check_lookups
from grundylab.errors import ConfigError, FormulaError, GrundylabError, InstanceError, Place, RulesetError
from grundylab.games import Instance, Ruleset, Target, parse_target
from grundylab.games.elaborate import PILE_NAMES, elaborate
from grundylab.games.load import FOLDER as RULESETS
from grundylab.games.load import check_stem, extended, find_file, parse_ruleset, reload_ruleset
from grundylab.games.schema import ClaimSpec, RulesetSpec
from grundylab.games.scope import Scope
from grundylab.games.settings import Room, chosen, instances
from grundylab.games.slots import enumerated
from grundylab.games.specialise import specialise
from grundylab.games.statements import THIS
from grundylab.games.yamlfile import Document, read_document, validate
from grundylab.language import Expr, Kind, parse_condition
from grundylab.language.folding import folded
from grundylab.language.syntax import Int
from grundylab.pipeline.job import EDITED
from grundylab.pipeline.study import InstancesSpec, Plain, known_engines
from grundylab.pipeline.survey_spec import DiscoverySpec, GrammarSpec, SurveySpec
from grundylab.solve.made import digests
from grundylab.version import __version__

FOLDER = "surveys"
MAX_GAMES = 1_000_000
SMALL = Room(3_000, 100_000, 32)  # of the tables of one game, if the file does not say which
CHECKED = 200  # values of slots that are tried before anything is done
# Keys of what is said in words, or names something, and is no expression; and keys below which names stand.
_WORDS = {
    "title", "source", "description", "meanings", "name", "from", "id", "at", "note", "paper", "target", "values",
    "play",
}  # fmt: skip
_NAMES = {"parameters", "position", "functions", "for", "to", "rows", "columns"}
_OWN = {*SurveySpec.model_fields} - {*RulesetSpec.model_fields}  # of a survey


@dataclass(frozen=True)
class Game:
    """A game of a survey. slots: what stands for each, as its file has it; filled: with the slots in that, too."""

    number: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
    ruleset: Ruleset

    @property
    def bare(self) -> Ruleset:
        """The rules, without what is asked of them: that is no help in a proof of something else."""
        return replace(self.ruleset, claims=())


class NoGame(GrundylabError):
    """There is no game with these values: a parameter would be outside its domain."""


@dataclass(frozen=True)
class Survey:
    """A survey file, read.

    files: it, the rulesets that it extends, and those that its claims look up, with what these extend.
    """

    name: str
    spec: SurveySpec
    document: Document
    files: tuple[str, ...]

    @property
    def texts(self) -> dict[str, str]:
        """The claims as the file has them."""
        return {claim.id: _text(claim) for claim in self.spec.claims}

    @cached_property
    def fixed(self) -> tuple[str, ...]:
        """The parameters that are slots."""
        return tuple(name for name in self.spec.slots if name in self.spec.parameters)

    @cached_property
    def choices(self) -> Mapping[str, Sequence[str | Expr]]:
        """What each slot may stand for: texts, or trees that were made."""
        return {name: self._choices(name, spec) for name, spec in self.spec.slots.items()}

    @property
    def count(self) -> int:
        """How many games there are, each combination of the slots' values counted."""
        return prod(map(len, self.choices.values()))

    @property
    def jobs(self) -> int:
        """In how many jobs the workflow looks at them."""
        return -(-self.count // self.spec.games_a_job)

    def part(self, job: int) -> range:
        """The numbers of the games that one of the jobs looks at."""
        each = self.spec.games_a_job
        return range(job * each, min((job + 1) * each, self.count))

    def game(self, number: int) -> Game:
        """Return one of the games, by its number from 0 on. Raises NoGame, or RulesetError at the line of a fault."""
        texts, trees = self._fillings(number)
        filled = {name: _shown(tree) for name, tree in trees.items()}
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
            ruleset = specialise(ruleset, {name: _whole(trees[name]) for name in self.fixed})
        except InstanceError as error:
            raise NoGame(error.message) from None
        return Game(number, self.slots_of(number), filled, ruleset)

    def ruleset_text(self, game: Game) -> str:
        """Return the game as YAML, which every command takes: the survey's file with its slots filled.

        Raises GrundylabError if what is read from it would be another game.
        """
        texts, _ = self._fillings(game.number)
        data = yaml.safe_dump(self._data(texts), sort_keys=False, allow_unicode=True, width=110)
        text = f"# Game {game.number} of the survey {self.name}: {slots_text(game.filled)}\n{data}"
        if parse_ruleset(text, self.name).hash != game.ruleset.hash:
            raise GrundylabError(
                f"{self.name}: its game {game.number} cannot be written as a file of its own"
            )
        return text

    def slots_of(self, number: int) -> dict[str, str]:
        """What stands for each slot in a game, as the file has it."""
        return {name: str(self.choices[name][index]) for name, index in self._picked(number).items()}

    def instances(self, game: Game) -> list[Instance]:
        """The small ones whose tables are solved first."""
        small = self.spec.small
        return chosen(game.ruleset, {}, {}, SMALL) if small is None else self._sweep(game, small, "small")

    def larger(self, game: Game) -> list[Instance]:
        """Those on which what is discovered is checked. Raises ConfigError where nothing is to be discovered."""
        return self._sweep(game, self.discovery.test, "discover", "test")

    @property
    def discovery(self) -> DiscoverySpec:
        """What is looked for. Raises ConfigError where nothing is."""
        if self.spec.discover is None:
            raise ConfigError(f"{self.name} does not say 'discover:'")
        return self.spec.discover

    @cached_property
    def sought(self) -> Target:
        """What a formula is looked for."""
        with self._scope.at("discover", "target"):
            return parse_target(self.discovery.target)

    @cached_property
    def engines(self) -> tuple[str, ...]:
        """Those that look for it, in the order of their turns."""
        with self._scope.at("discover", "engines"):
            return known_engines(self.discovery.engines)

    def check(self) -> None:
        """Raise at the line of the first fault in a game of each value of a slot, with the first of the others."""
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
            if self.spec.discover is not None and self.sought and self.engines:
                self.larger(game)

    def _sweep(self, game: Game, spec: InstancesSpec, *key: str) -> list[Instance]:
        with self._scope.at(*key):
            return instances(game.ruleset, spec.parameters, spec.bounds, parse_condition(spec.where))

    # -- slots ------------------------------------------------------------------------------------------------

    @cached_property
    def _scope(self) -> Scope:
        return Scope(self.document, PILE_NAMES[: self.spec.piles or 0])

    def _choices(self, name: str, spec: list[str] | GrammarSpec) -> Sequence[str | Expr]:
        with self._scope.at("slots", name):
            heads = [head.partition("(")[0].strip() for head in self.spec.functions]
            self._scope.new_name(name, (*self.spec.position, *self._scope.piles, *heads), "slot")
            if isinstance(spec, list):
                return spec
            parts = [self._scope.parsed(text) for text in spec.of]
            made = enumerated(
                parts, spec.with_, spec.size, Kind.NUMBER if spec.kind == "number" else Kind.CONDITION
            )
            if not made:
                raise FormulaError(f"no {spec.kind} of size {spec.size} is made of these parts and signs")
            return made

    def _picked(self, number: int) -> dict[str, int]:
        """Which value each slot has, the last slot's changing fastest."""
        found = {}
        for name, values in reversed([*self.choices.items()]):
            number, found[name] = divmod(number, len(values))
        return {name: found[name] for name in self.choices}

    def _fillings(self, number: int) -> tuple[dict[str, str], dict[str, Expr]]:
        """Return what is written for each slot in a game, in which those before it may be named; and that as trees."""
        texts: dict[str, str] = {}
        trees: dict[str, Expr] = {}
        for name, index in self._picked(number).items():
            with self._scope.at("slots", name, index):
                value = str(self.choices[name][index])
                self._scope.parsed(value)  # a fault is told of the text as it stands in the file
                text = _put(value, texts)
                trees[name] = self._scope.parsed(text)
                if name in self.fixed and not isinstance(trees[name], Int):
                    raise FormulaError(
                        f"'{name}' is a parameter, and its values are numbers, not '{trees[name]}'"
                    )
            texts[name] = text if re.fullmatch(r"\w+", text) else f"({text})"
        return texts, trees

    def _data(self, texts: Mapping[str, str]) -> dict[str, Any]:
        """Return the keys of the ruleset with these texts in the place of names; parameters that are among them go."""
        data = {key: value for key, value in self.document.data.items() if key not in _OWN}
        if "parameters" in data:
            data["parameters"] = {n: text for n, text in data["parameters"].items() if n not in texts}
        return dict(_filled("", {key: value for key, value in data.items() if value != {}}, texts))


def _filled(key: str, value: Any, texts: Mapping[str, str]) -> Any:  # noqa: ANN401 - raw YAML
    """Return the value of a key as plain lists and mappings, with the texts in every expression."""
    texts = {} if key in _WORDS else texts
    if isinstance(value, dict):
        return {
            str(inner): _filled(key if key in _NAMES else inner, each, texts) for inner, each in value.items()
        }
    if isinstance(value, list):
        return [_filled(key, each, texts) for each in value]
    return _put(str(value), texts)


def _put(text: str, texts: Mapping[str, str]) -> str:
    """Return the text with these in the place of names."""
    return re.sub(r"[^\W\d]\w*", lambda found: texts.get(found[0], found[0]), text)


def _shown(tree: Expr) -> str:
    """Its text, without constants that do nothing; but what was made, and is a number, as it was made."""
    short = folded(tree)
    return str(tree if isinstance(short, Int) else short)


def _whole(tree: Expr) -> int:
    assert isinstance(tree, Int)
    return tree.value


def load_survey(name_or_path: str | Path, folder: str | Path = FOLDER) -> Survey:
    """The survey of a file, or of a name in ``folder`` or among those that come with grundylab.

    Raises RulesetError with file and line, also where a ruleset that it looks up is not there.
    """
    path = find_file(name_or_path, Path(folder), FOLDER, "survey")
    check_stem(path, "survey")
    document, above = extended(read_document(path, RulesetError), RULESETS)
    spec = validate(SurveySpec, document, RulesetError)
    files = dict.fromkeys((str(path), *map(str, above), *_lookup_files(spec, document)))
    survey = Survey(path.stem, spec, document, tuple(files))
    if survey.count > MAX_GAMES:
        place = document.place(("slots",))
        raise RulesetError(f"these are {survey.count:,} games; at most {MAX_GAMES:,} are surveyed", place)
    return survey


def _lookup_files(spec: SurveySpec, document: Document) -> Iterator[str]:
    """Yield the files of the rulesets that the claims look up.

    Raises RulesetError at the line that names one that is not there.
    """
    for number, claim in enumerate(spec.claims):
        for name, of in claim.values.items():
            if of == THIS:
                continue
            try:
                yield from reload_ruleset(of, RULESETS).files
            except RulesetError as error:
                if error.place.line is not None:  # it is there, and what is wrong is in it
                    raise
                place = document.place(("claims", number, "values", name))
                raise RulesetError(error.message, place) from None


def _text(claim: ClaimSpec) -> str:
    said = claim.formula or "; ".join(claim.positions or ()) or claim.condition or claim.kind
    return f"{claim.target}: {said}" if claim.target else said


# -- for the workflow --------------------------------------------------------------------------------------------------


def part_of(survey: Survey) -> Plain:
    """Return what every stage is given, as plain data."""
    return {"survey": survey.files[0], "files": digests(survey.files), "version": __version__}


def survey_of(part: Plain) -> Survey:
    """Return the survey of a stage. Raises ConfigError if it is not the one that the run has begun with."""
    survey = load_survey(part["survey"])
    for file, digest in digests(survey.files).items():
        if part["files"].get(file) != digest:
            raise ConfigError(EDITED, Place(file))
    return survey


@dataclass(frozen=True)
class Places:
    """The places of a survey's files."""

    folder: Path
    jobs: int

    @property
    def tables(self) -> list[str]:
        """The games of each job as their small tables leave them."""
        return [str(self.folder / "tables" / f"{job}.json") for job in range(self.jobs)]

    @property
    def proofs(self) -> list[str]:
        """The games that each job proves; the proofs' files are in a folder beside."""
        return [str(self.folder / "proofs" / f"{job}.json") for job in range(self.jobs)]

    @property
    def table(self) -> str:
        """The rows."""
        return str(self.folder / "survey.parquet")

    @property
    def page(self) -> str:
        """The page."""
        return str(self.folder / "page" / "index.html")
