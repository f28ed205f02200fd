"""config.yaml: the studies. Each names a ruleset, the instances to learn from and those to verify on, and targets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import Field

from grundylab.check.families import check_extents, parse_extent
from grundylab.check.linewise import piles_of_lines
from grundylab.discover import ENGINES
from grundylab.discover.asking import larger
from grundylab.errors import ConfigError, GrundylabError, NoSweep, Place, RulesetError
from grundylab.games import Instance, Target, find_ruleset, load_ruleset, parse_ruleset, parse_target
from grundylab.games.lookups import sources_of
from grundylab.games.model import P_POSITIONS, Values
from grundylab.games.settings import instances
from grundylab.games.yamlfile import Document, Items, Keys, Strict, Text, read_document, validate
from grundylab.language import Expr, parse_condition
from grundylab.pipeline.study import Ask, Given, RowsAsked, Study, Whole, values_of
from grundylab.pipeline.tables import columns_of, game_of, read_tables
from grundylab.solve.made import digests
from grundylab.version import __version__

T = TypeVar("T")
Instances = tuple[Instance, ...]
LARGER = 2  # times that the instances to try an answer on are larger ones than those before
# beside the studies' own in results/
_FOLDERS = ("benchmarks", "figures", "logs", "proofs", "report", "surveys", "tables", "timings")


class InstancesSpec(Strict):
    """A sweep of instances: every combination of the values, of those of the parameters that fulfil ``where``."""

    bounds: dict[str, Whole] = Field(default_factory=dict)
    parameters: dict[str, Whole] = Field(default_factory=dict)
    where: str = "True"


class SplitSpec(InstancesSpec):
    """Instances of the ruleset; or tables made elsewhere, Parquet or CSV files with a row a position.

    parameter_columns: which of the files' columns are; by default those that a dataset of grundylab says.
    """

    files: list[str] = Field(default_factory=list)
    parameter_columns: list[str] = Field(default_factory=list)


class LargeSpec(InstancesSpec):
    """Instances too large for tables: formulas are checked there line by line, in so many ``slabs``, a job each."""

    slabs: int = Field(default=1, ge=1, le=1_000)


class StudySpec(Strict):
    """One study; the ruleset is the study's name unless it says otherwise.

    prove: conditions on the parameters under each of which proofs are attempted (``k == 1`` fixes k). every: how far
    each free function of the ruleset is looked at, ``f: 0..10 -> 0..11``; then only claims are judged, and there is
    nothing to learn from. open: why no formula was known, as the paper says it. where: the positions (and parameters)
    that formulas are learnt and judged on; of the others they say nothing. each: whether each
    setting of the parameters is learnt from alone. rows: the rows whose periods are looked for; a study of rows needs
    no instances. engines: for all targets or by target, what takes turns until an answer stands; where none is
    named, those of the whole file do. ask: whether all of them take their turns, whatever the others found. validate:
    the larger instances on which an answer is tried, and from which a wrong one learns again; by default those learnt
    from with larger bounds, below those of ``test``. large: where else what holds is looked at.
    """

    ruleset: str | None = None
    open: str | None = None
    targets: list[str] = Field(default_factory=list)
    where: str = "True"
    train: SplitSpec = Field(default_factory=SplitSpec)
    validation: SplitSpec | None = Field(default=None, alias="validate")
    test: SplitSpec | None = None
    large: LargeSpec | None = None
    rows: RowsAsked | None = None
    every: dict[str, str] = Field(default_factory=dict)
    prove: list[str] = Field(default_factory=lambda: ["True"])
    engines: list[str] | dict[str, list[str]] | None = None
    ask: Ask | None = None
    each: bool = False


class ConfigSpec(Strict):
    """The whole file."""

    seed: int = Field(default=0, ge=0)
    budget: float = Field(default=30, gt=0)
    proof_timeout: float = Field(default=20, gt=0)
    coq: bool = False
    ask: Ask = "until-found"
    seeds: int = Field(default=3, ge=1, le=100)
    engines: list[str] = Field(default_factory=lambda: list(ENGINES), min_length=1)
    studies: dict[str, StudySpec] = Field(min_length=1)


def read_studies(path: Path, folder: str = "rulesets") -> dict[str, Study]:
    """The studies of a configuration file, by name."""
    return make_studies(read_document(path, ConfigError), folder)


def studies_of(config: Mapping[str, Any], files: Sequence[str], only: object = None) -> dict[str, Study]:
    """The studies of a configuration that Snakemake has read (and merged); the last file tells the lines.

    Texts are as the files have them, though Snakemake makes numbers, dates and truth values of some. only: the one
    study to make, by its name as Snakemake reads it; the others' rulesets are not read.
    """
    read = [read_document(Path(file), ConfigError).file for file in files]
    data: Any = dict(config)
    for file in reversed(read):
        data = _as_written(data, file)
    names = [str(name) for name in data.get("studies") or ()]
    asked = next((name for name in names if name == only or _stands_for(name, only)), None)
    if only is not None and asked is None:
        return {}
    return make_studies(Document(data, read[-1] if read else Keys()), only=asked)


def _as_written(value: Any, text: Any) -> Any:  # noqa: ANN401 - YAML
    """The value with the file's text wherever it is what YAML makes of that."""
    if isinstance(value, Mapping) and isinstance(text, Keys):
        keys = {key: next((each for each in text if _stands_for(each, key)), key) for key in value}
        return {keys[key]: _as_written(part, text.get(keys[key])) for key, part in value.items()}
    if isinstance(value, list) and isinstance(text, Items) and len(value) == len(text):
        return [_as_written(*pair) for pair in zip(value, text, strict=True)]
    return text if isinstance(text, Text) and _stands_for(text, value) else value


def _stands_for(text: str, value: object) -> bool:
    """Whether YAML, or Snakemake for what follows ``--config``, may make the value of the text."""
    if isinstance(value, str):
        return text == value
    for read in (yaml.safe_load, int, float):
        with suppress(yaml.YAMLError, ValueError):
            found = read(text)
            if type(found) is type(value) and found == value:
                return True
    return False


def spec_of(document: Document) -> ConfigSpec:
    """The file's keys, without a look at what they name. Raises ConfigError at the line of the first fault."""
    return validate(ConfigSpec, document, ConfigError)


def make_studies(document: Document, folder: str = "rulesets", only: str | None = None) -> dict[str, Study]:
    """The studies that the document describes. Raises ConfigError at the line of the first fault."""
    spec = spec_of(document)
    files = _files(spec, document, folder)
    homes: dict[Path | None, str] = {}
    for name, study in spec.studies.items():
        if study.test is not None and files[name] is not None:
            homes.setdefault(files[name], name)
    return {
        name: _Reader(name, study, spec, document, folder).study(homes.get(files[name]) == name)
        for name, study in spec.studies.items()
        if only in (None, name)
    }


def _files(spec: ConfigSpec, document: Document, folder: str) -> dict[str, Path | None]:
    """Return the file of each study's ruleset, None where there is none.

    Raises ConfigError for two rulesets of one name.
    """
    found: dict[str, Path | None] = {}
    named: dict[str, Path] = {}
    for name, study in spec.studies.items():
        if study.train.files:  # of tables made elsewhere, which have no ruleset
            found[name] = None
            continue
        try:
            file = find_ruleset(study.ruleset or name, folder).resolve()
        except RulesetError:  # which is told where the study is read
            found[name] = None
            continue
        found[name] = file
        if (other := named.setdefault(file.stem, file)) != file:
            raise ConfigError(
                f"{other} and {file} are two rulesets of one name, and the results of one would be taken for the "
                "other's; rename one",
                document.place(("studies", name, "ruleset")),
            )
    return found


class _Reader:
    """One study of the file; every fault is a ConfigError at its key."""

    def __init__(
        self, name: str, spec: StudySpec, config: ConfigSpec, document: Document, folder: str
    ) -> None:
        self._name, self._spec, self._config, self._document = name, spec, config, document
        if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name) or name in _FOLDERS:
            taken = f"; {', '.join(_FOLDERS)} are folders of the results" if name in _FOLDERS else ""
            message = f"'{name}' cannot name a study: use letters, digits, '-' and '_'{taken}"
            raise ConfigError(message, self._place())
        self._given = self._files()
        if self._given is not None:
            return
        try:
            self._ruleset = load_ruleset(spec.ruleset or name, folder)
        except GrundylabError as error:
            if error.place.line is None:  # no such ruleset: the fault is here, not in the ruleset
                raise ConfigError(error.message, self._place("ruleset")) from None
            raise

    def _files(self) -> Given | None:
        """Return the files of a study of tables made elsewhere, whose game is then made of their columns.

        Raises ConfigError where files and instances are mixed, or a key asks for rules.
        """
        spec = self._spec
        splits = {"train": spec.train, "validate": spec.validation, "test": spec.test}
        files = {key: split.files for key, split in splits.items() if split is not None and split.files}
        if not files:
            return None
        for key, split in splits.items():
            if key not in files and split not in (None, SplitSpec()):
                raise ConfigError(
                    "another split names files, so this one must: files: [...]", self._place(key)
                )
            if split is not None and (split.bounds or split.parameters or split.where != "True"):
                raise ConfigError(
                    "files have all their rows: no bounds, parameters or where", self._place(key)
                )
        if missing := [key for key in ("train", "test") if key not in files]:
            raise ConfigError(
                "tables made elsewhere are named here, too: files: [...]", self._place(missing[0])
            )
        ruled = {"ruleset": spec.ruleset, "large": spec.large, "rows": spec.rows, "every": spec.every or None}
        for key, value in ruled.items():
            if value is not None:
                raise ConfigError("tables made elsewhere have no rules", self._place(key))
        fixed = [name for split in splits.values() if split is not None for name in split.parameter_columns]
        every = [name for each in files.values() for name in each]
        if again := [name for place, name in enumerate(every) if name in every[:place]]:
            raise ConfigError(f"{again[0]} is named twice; no table is in two splits", self._place())
        with self._of_files("train"):
            columns = columns_of(
                [name for each in files.values() for name in each], list(dict.fromkeys(fixed))
            )
            self._ruleset = parse_ruleset(game_of(self._name, columns), self._name)
        return Given(train=files["train"], validation=files.get("validate", []), test=files["test"])

    def _split(self, key: str, split: SplitSpec | None, files: Sequence[str], values: Values) -> Instances:
        """Return the instances of a split: those of its sweep, or of the tables in its files."""
        if self._given is None:
            return self._instances(key, split)
        with self._of_files(key):
            return (
                tuple(table.instance for table in read_tables(self._ruleset, files, values)) if files else ()
            )

    def study(self, judges_claims: bool) -> Study:
        """The study."""
        spec, config, ruleset = self._spec, self._config, self._ruleset
        targets = self._targets()
        self._check_keys()
        values, given = values_of(ruleset, targets), self._given
        test = self._split("test", spec.test, given.test if given else (), values)
        learns = not ruleset.free and spec.test
        train = self._split("train", spec.train if learns else None, given.train if given else (), values)
        with self._at("every"):
            extents = {name: parse_extent(text) for name, text in spec.every.items()}
            check_extents(ruleset, extents)
            if extents and not judges_claims:
                raise GrundylabError(
                    f"another study judges the claims of {ruleset.name}, and nothing else is done"
                )
        (where,) = self._conditions("where", [spec.where])
        files = (*given.train, *given.validation, *given.test) if given else ()
        return Study(
            name=self._name,
            version=__version__,
            ruleset=ruleset,
            files=digests(files or ruleset.files),
            sources=digests(files or sources_of(ruleset)),
            given=given,
            open=spec.open,
            targets=targets,
            values=values,
            engines=self._engines(targets),
            ask=spec.ask or config.ask,
            train=train,
            validation=self._validation(train, test, values),
            test=test,
            large=self._large(targets, test),
            slabs=spec.large.slabs if spec.large else 1,
            where=where,
            each=spec.each,
            every=extents,
            prove=() if given else self._conditions("prove", spec.prove),
            rows=self._rows(),
            drawn=self._drawn(),
            seed=config.seed,
            seeds=config.seeds,
            budget=config.budget,
            proof_timeout=config.proof_timeout,
            coq=config.coq,
            judges_claims=judges_claims,
        )

    def _place(self, *path: str) -> Place:
        return self._document.place(("studies", self._name, *path))

    @contextmanager
    def _at(self, key: str) -> Iterator[None]:
        """Errors get the place of the key."""
        try:
            yield
        except GrundylabError as error:
            raise ConfigError(error.message, self._place(key)) from None

    @contextmanager
    def _of_files(self, key: str) -> Iterator[None]:
        """Give errors the place of the key, beside that of the table that they are about."""
        try:
            yield
        except GrundylabError as error:
            raise ConfigError(str(error), self._place(key)) from None

    def _targets(self) -> tuple[Target, ...]:
        with self._at("targets"):
            targets = tuple(parse_target(text) for text in self._spec.targets)
        if self._ruleset.play == "misere" and any(target.name != "p" for target in targets):
            message = "under misère play only the outcome is solved: targets: [p]"
            raise ConfigError(message, self._place("targets"))
        with self._at("targets"):
            return _once(targets)

    def _check_keys(self) -> None:
        """That the keys go together."""
        spec, free = self._spec, bool(self._ruleset.free)
        if free and (spec.targets or spec.train != SplitSpec() or spec.where != "True" or spec.large):
            message = (
                "of a family of games only claims are judged: no 'targets:', 'train:', 'where:' or 'large:'"
            )
            raise ConfigError(message, self._place())
        learns = spec.train != SplitSpec() or spec.engines or spec.targets
        if spec.test is None and (spec.rows is None or learns):
            raise ConfigError("the key 'test' is missing", self._place())
        if not free and not spec.targets and spec.test is not None:
            raise ConfigError("the study has no 'targets:', as in targets: [p]", self._place("targets"))

    def _engines(self, targets: Sequence[Target]) -> dict[Target, tuple[str, ...]]:
        """The engines of each target, in the order of their turns."""
        given = self._spec.engines
        with self._at("engines"):
            by_target = given if isinstance(given, dict) else {}
            _once([parse_target(text) for text in by_target])
            named = {parse_target(text): known_engines(engines) for text, engines in by_target.items()}
            if unknown := [target for target in named if target not in targets]:
                known = ", ".join(map(str, targets))
                raise GrundylabError(f"{unknown[0]} is none of the study's targets: {known}")
            if isinstance(given, list):
                named = dict.fromkeys(targets, known_engines(given))
            usual = known_engines(self._config.engines)
        return {target: named.get(target, usual) for target in targets}

    def _instances(self, key: str, sweep: InstancesSpec | None) -> tuple[Instance, ...]:
        if sweep is None:
            return ()
        with self._at(key):
            where = parse_condition(sweep.where)
            found = tuple(instances(self._ruleset, sweep.parameters, sweep.bounds, where))
            if not found:
                raise GrundylabError(f"none of the parameters' values fulfil {where}")
            return found

    def _validation(
        self, train: Sequence[Instance], test: Sequence[Instance], values: Values
    ) -> tuple[Instance, ...]:
        """Return those of ``validate:``, or larger ones than those learnt from.

        Raises ConfigError where an instance is among those that no engine may see.
        """
        if self._given is not None:
            return self._split("validate", self._spec.validation, self._given.validation, values)
        found = self._instances("validate", self._spec.validation)
        hidden = {instance.label for instance in test}
        for key, seen in (("train", train), ("validate", found)):
            if again := [instance.label for instance in seen if instance.label in hidden]:
                raise ConfigError(
                    f"{again[0]} is among the test instances, which no engine may see", self._place(key)
                )
            if inside := [each.label for each in test if any(_within(each, other) for other in seen)]:
                raise ConfigError(
                    f"the test instance {inside[0]} is a part of what engines see here; choose smaller bounds",
                    self._place(key),
                )
        if self._spec.validation is not None or not train:
            return found
        rung: tuple[Instance, ...] = tuple(train)
        with suppress(GrundylabError):  # the game may be one for these bounds only
            for _ in range(LARGER):
                rung = larger(rung, values, least_bounds(test))
                found += rung
        return found

    def _large(self, targets: Sequence[Target], test: Sequence[Instance]) -> tuple[Instance, ...]:
        """Those of ``large:``, where there must be something that can be looked at line by line."""
        found, tested = self._instances("large", self._spec.large), {instance.label for instance in test}
        with self._at("large"):
            if found and not test:
                raise GrundylabError("what holds at the test instances is looked at here, and there are none")
            if again := [instance.label for instance in found if instance.label in tested]:
                raise GrundylabError(f"{again[0]} is among the test instances")
            claims = [claim for claim in self._ruleset.claims if claim.plain]
            if found and P_POSITIONS not in (*targets, *(claim.target for claim in claims)):
                raise GrundylabError("line by line only formulas for P-positions are checked: targets: [p]")
            for instance in found:
                try:
                    piles_of_lines(instance)
                except NoSweep as error:
                    raise GrundylabError(f"nothing is checked line by line there: {error.message}") from None
        return found

    def _conditions(self, key: str, texts: Sequence[str]) -> tuple[Expr, ...]:
        ruleset = self._ruleset
        with self._at(key):
            return tuple(ruleset.check_condition(parse_condition(text, ruleset.piles)) for text in texts)

    def _rows(self) -> RowsAsked | None:
        rows = self._spec.rows
        if rows is not None:
            with self._at("rows"):
                rows.check(self._ruleset)
                if not any(True for _ in rows.rows):
                    raise GrundylabError(f"none of the rows fulfil {rows.where}")
        return rows

    def _drawn(self) -> tuple[Values, list[dict[str, int]]]:
        """Which rows are drawn: those of games of one coordinate."""
        rows = self._spec.rows
        if rows is None or len(self._ruleset.coordinates) != 1:
            return P_POSITIONS.values, []
        return parse_target(rows.target).values, [parameters for parameters, _ in rows.rows]


def _within(small: Instance, large: Instance) -> bool:
    """Tell whether the positions of one instance are among those of another, as far as bounds say."""
    bounds = dict(large.bounds)
    same = small.parameters == large.parameters
    return same and all(value <= bounds[name] for name, value in small.bounds)


def least_bounds(instances: Sequence[Instance]) -> dict[str, int]:
    """The least of each bound."""
    found: dict[str, int] = {}
    for instance in instances:
        found |= {name: min(value, found.get(name, value)) for name, value in instance.bounds}
    return found


def known_engines(engines: Sequence[str]) -> tuple[str, ...]:
    """The names as they take their turns; raises GrundylabError if there is none, or one unknown or there twice."""
    if not engines:
        raise GrundylabError(f"at least one engine is needed: {', '.join(ENGINES)}")
    for engine in engines:
        if engine not in ENGINES:
            raise GrundylabError(f"unknown engine '{engine}'; engines: {', '.join(ENGINES)}")
    return tuple(engine for engine in ENGINES if engine in _once(engines))


def _once(values: Sequence[T]) -> tuple[T, ...]:
    """The values; raises GrundylabError if one is there twice."""
    for place, value in enumerate(values):
        if value in values[:place]:
            raise GrundylabError(f"{value} is there twice")
    return tuple(values)
