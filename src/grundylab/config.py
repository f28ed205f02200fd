"""config.yaml: the studies. Each names a ruleset, the instances to learn from and those to verify on, and targets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from grundylab.discovery import ENGINES
from grundylab.errors import ConfigError, GrundylabError, Place
from grundylab.families import Extent, check_extents, parse_extent
from grundylab.formula import Expr, parse_condition
from grundylab.formula.syntax import TRUE
from grundylab.rowstage import RowsAsked
from grundylab.rulesets import Instance, Ruleset, Target, load_ruleset, parse_target
from grundylab.rulesets.model import Values
from grundylab.rulesets.statements import THIS
from grundylab.study import instances
from grundylab.validation import Strict, validate
from grundylab.yamlfile import Document, read_document


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """One value, a list of them, or a range ``2..9``, as a list."""
    values = value if isinstance(value, list) else [value]
    if isinstance(value, str) and (ends := re.fullmatch(r"\s*(\d{1,9})\s*\.\.\s*(\d{1,9})\s*", value)):
        values = list(range(int(ends[1]), int(ends[2]) + 1))
        if not 1 <= len(values) <= _MOST_VALUES:
            raise ValueError(f"{value} are {len(values):,} values; 1 to {_MOST_VALUES:,} are needed here")
    if len(set(map(str, values))) < len(values):
        raise ValueError(f"a value is there twice: {', '.join(map(str, values))}")
    return values


_MOST_VALUES = 1_000  # of a range
_FOLDERS = ("benchmarks", "logs", "proofs", "report", "timings")  # beside the studies' own in results/
Whole = Annotated[list[int], BeforeValidator(_several)]


class InstancesSpec(Strict):
    """A sweep of instances: every combination of the values, of those of the parameters that fulfil ``where``."""

    bounds: dict[str, Whole] = Field(default_factory=dict)
    parameters: dict[str, Whole] = Field(default_factory=dict)
    where: str = "True"


class RowsSpec(Strict):
    """Rows of the game: every combination of the values of the fixed coordinates, ``length`` places each.

    where: a condition on the parameters and the fixed coordinates.
    """

    fix: dict[str, Whole] = Field(default_factory=dict)
    parameters: dict[str, Whole] = Field(default_factory=dict)
    where: str = "True"
    length: int = Field(default=100_000, gt=0)
    target: str = "p"


class StudySpec(Strict):
    """One study; the ruleset is the study's name unless it says otherwise.

    prove: conditions on the parameters under each of which proofs are attempted (``k == 1`` fixes k). every: how far
    each free function of the ruleset is looked at, ``f: 0..10 -> 0..11``; then only claims are judged, and there is
    nothing to learn from. open: why no formula was known, as the paper says it. where: the positions (and parameters)
    that formulas are learnt and judged on; of the others they say nothing. each: whether each
    setting of the parameters is learnt from alone. rows: the rows whose periods are looked for; a study of rows needs
    no instances.
    """

    ruleset: str | None = None
    open: str | None = None
    targets: list[str] = Field(default_factory=list)
    where: str = "True"
    train: InstancesSpec = Field(default_factory=InstancesSpec)
    test: InstancesSpec | None = None
    rows: RowsSpec | None = None
    every: dict[str, str] = Field(default_factory=dict)
    prove: list[str] = Field(default_factory=lambda: ["True"])
    engines: list[str] | None = None
    each: bool = False


class ConfigSpec(Strict):
    """The whole file."""

    seed: int = Field(default=0, ge=0)
    budget: float = Field(default=30, gt=0)
    proof_timeout: float = Field(default=20, gt=0)
    engines: list[str] = Field(min_length=1)
    studies: dict[str, StudySpec] = Field(min_length=1)


@dataclass(frozen=True)
class Study:
    """A study with its ruleset read and its instances made."""

    name: str
    ruleset: Ruleset
    targets: tuple[Target, ...]
    engines: tuple[str, ...]
    train: tuple[Instance, ...]
    test: tuple[Instance, ...]
    prove: tuple[Expr, ...]
    seed: int
    budget: float
    proof_timeout: float
    open: str | None = None
    where: Expr = TRUE
    every: tuple[tuple[str, Extent], ...] = ()
    rows: RowsAsked | None = None
    each: bool = False
    judges_claims: bool = True  # of the studies of one ruleset only the first does

    @property
    def datasets(self) -> tuple[Instance, ...]:
        """The instances that are solved and kept: none of a family of games, which is solved game by game."""
        return () if self.every else (*self.train, *self.test)

    @property
    def values(self) -> Values:
        """What must be solved for, so that every target and claim can be looked at."""
        wanted = {target.values for target in self.targets}
        wanted |= {claim.target.values for claim in self.ruleset.claims}
        if any(of == THIS for claim in self.ruleset.claims for _, of in claim.values):
            wanted.add("grundy")
        return "grundy" if "grundy" in wanted else "outcome"

    @property
    def files(self) -> list[str]:
        """The ruleset's files: its own and those it extends."""
        return list(self.ruleset.files)


def read_studies(path: Path, folder: str = "rulesets") -> dict[str, Study]:
    """The studies of a configuration file, by name."""
    return make_studies(read_document(path, ConfigError), folder)


def studies_of(config: Mapping[str, Any], files: Sequence[str], only: str | None = None) -> dict[str, Study]:
    """The studies of a configuration that Snakemake has read (and merged); the last file tells the lines.

    only: the one study to make; the others' rulesets are not read.
    """
    places = read_document(Path(files[-1]), ConfigError).places if files else {}
    return make_studies(Document(dict(config), places), only=only)


def make_studies(document: Document, folder: str = "rulesets", only: str | None = None) -> dict[str, Study]:
    """The studies that the document describes. Raises ConfigError at the line of the first fault."""
    spec = validate(ConfigSpec, document, ConfigError)
    homes: dict[str, str] = {}
    for name, study in spec.studies.items():
        if study.test is not None:
            homes.setdefault(study.ruleset or name, name)
    return {
        name: replace(
            _study(name, study, spec, document, folder),
            judges_claims=homes.get(study.ruleset or name) == name,
        )
        for name, study in spec.studies.items()
        if only in (None, name)
    }


def _study(name: str, spec: StudySpec, config: ConfigSpec, document: Document, folder: str) -> Study:
    def place(*path: str) -> Place:
        return document.place(("studies", name, *path))

    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name) or name in _FOLDERS:
        taken = f"; {', '.join(_FOLDERS)} are folders of the results" if name in _FOLDERS else ""
        raise ConfigError(f"'{name}' cannot name a study: use letters, digits, '-' and '_'{taken}", place())
    try:
        ruleset = load_ruleset(spec.ruleset or name, folder)
    except GrundylabError as error:
        if error.place.line is None:  # no such ruleset: the fault is here, not in the ruleset
            raise ConfigError(error.message, place("ruleset")) from None
        raise
    engines = tuple(spec.engines or config.engines) if spec.test else ()
    for engine in engines:
        if engine not in ENGINES:
            raise ConfigError(f"unknown engine '{engine}'; engines: {', '.join(ENGINES)}", place("engines"))
    try:
        targets = tuple(parse_target(text) for text in spec.targets)
    except GrundylabError as error:
        raise ConfigError(error.message, place("targets")) from None
    if ruleset.play == "misere" and any(target.name != "p" for target in targets):
        raise ConfigError("under misère play only the outcome is solved: targets: [p]", place("targets"))
    if ruleset.free and (spec.targets or spec.train != InstancesSpec() or spec.where != "True"):
        raise ConfigError(
            "of a family of games only claims are judged: no 'targets:', no 'train:', no 'where:'", place()
        )
    if spec.test is None and (
        spec.rows is None or spec.train != InstancesSpec() or spec.engines or spec.targets
    ):
        raise ConfigError("the key 'test' is missing", place())
    if not ruleset.free and not spec.targets and spec.test is not None:
        raise ConfigError("the study has no 'targets:', as in targets: [p]", place("targets"))
    try:
        extents = {name: parse_extent(text) for name, text in spec.every.items()}
        check_extents(ruleset, extents)
    except GrundylabError as error:
        raise ConfigError(error.message, place("every")) from None
    rows = None
    if spec.rows is not None:
        try:
            target = parse_target(spec.rows.target)
            condition = parse_condition(spec.rows.where)
            rows = RowsAsked(spec.rows.fix, spec.rows.parameters, spec.rows.length, target, condition)
            rows.check(ruleset)
        except GrundylabError as error:
            raise ConfigError(error.message, place("rows")) from None
    made: dict[str, tuple[Instance, ...]] = {"train": (), "test": ()}
    for key, sweep in (("train", spec.train), ("test", spec.test)):
        if sweep is None or (key == "train" and (ruleset.free or spec.test is None)):
            continue
        try:
            made[key] = tuple(
                instances(ruleset, sweep.parameters, sweep.bounds, parse_condition(sweep.where))
            )
        except GrundylabError as error:
            raise ConfigError(error.message, place(key)) from None
    conditions = {}
    for key, texts in (("where", [spec.where]), ("prove", spec.prove)):
        try:
            conditions[key] = tuple(
                ruleset.check_condition(parse_condition(text, ruleset.piles)) for text in texts
            )
        except GrundylabError as error:
            raise ConfigError(error.message, place(key)) from None
    return Study(
        name=name,
        ruleset=ruleset,
        targets=targets,
        engines=engines,
        train=made["train"],
        test=made["test"],
        prove=conditions["prove"],
        seed=config.seed,
        budget=config.budget,
        proof_timeout=config.proof_timeout,
        open=spec.open,
        where=conditions["where"][0],
        every=tuple(extents.items()),
        rows=rows,
        each=spec.each,
    )
