"""A study: each key of the configuration, declared once with its meaning, its form and its validation.

A rule of the workflow lists the keys that it depends on. Its script receives the values of these keys only, as plain
data. So Snakemake sees every change on which a stage depends, and a stage cannot use a key that its rule does not list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import AfterValidator, BeforeValidator, Field, GetCoreSchemaHandler, TypeAdapter, ValidationInfo
from pydantic_core import CoreSchema, core_schema

from grundylab.check.families import FunctionExtent, check_extents, parse_extent
from grundylab.discover import ENGINES
from grundylab.errors import ConfigError, GrundylabError, InstanceError, Place
from grundylab.games import (
    Instance,
    Ruleset,
    Target,
    load_ruleset,
    make_instance,
    parse_target,
)
from grundylab.games.heap_games import is_heap_game
from grundylab.games.instance import LARGEST, check_domain
from grundylab.games.layers import free_coordinates, layered_game
from grundylab.games.model import GRUNDY, P_POSITIONS, Values
from grundylab.games.settings import MOST_ROWS, check_count, combinations, instances
from grundylab.games.statements import THIS
from grundylab.games.yamlfile import Strict, parse_span
from grundylab.language import NO_FUNCTIONS, Expr, check_names, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE
from grundylab.pipeline.outside_tables import Columns, positions_of
from grundylab.pipeline.script_log import EDITED
from grundylab.solve.origin import Origin, file_digests, result_header

T = TypeVar("T")
# share of the budget of a study whose tables are chosen: for one engine and target, and for one proof
ENGINE = 1 / 6
Plain = dict[str, Any]
AskMode = Literal["until-found", "all"]
# The name of each split in the configuration, and its name here: pydantic has a use of its own for `validate`.
SPLITS = {"train": "train", "validate": "validation", "test": "test"}
_MOST_VALUES = 1_000  # the most values of a range


# -- how keys are written, and read ------------------------------------------------------------------------------------


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """Return as a list what is written as one value, a list of values, or a range such as ``2..9``."""
    values = value if isinstance(value, list) else [value]
    if (span := parse_span(value)) is not None:
        if not 1 <= len(span) <= _MOST_VALUES:
            raise ValueError(f"{value} are {len(span):,} values; 1 to {_MOST_VALUES:,} are allowed")
        values = list(span)
    if len(set(map(str, values))) < len(values):
        raise ValueError(f"a value appears twice: {', '.join(map(str, values))}")
    return values


Whole = Annotated[list[int], BeforeValidator(_several, json_schema_input_type=int | str | list[int])]


class InstancesSpec(Strict):
    """A sweep of instances: all combinations of these values for which the parameters fulfil ``where``."""

    bounds: dict[str, Whole] = Field(
        default_factory=dict,
        description="The sizes of the tables: a value for each bound of the ruleset, as in {N: 24}. With a list, or a "
        "range like 2..9, there is a table for each value.",
    )
    parameters: dict[str, Whole] = Field(
        default_factory=dict,
        description="The values of each parameter of the ruleset, as in {m: [4, 8, 12]}.",
    )
    where: str = Field(
        default="True",
        description="A condition on the parameters, as in a < b; values that do not satisfy it are left out.",
    )


class SplitSpec(InstancesSpec):
    """Instances of the ruleset; or tables made elsewhere, Parquet or CSV files with a row for each position."""

    files: list[str] = Field(
        default_factory=list,
        description="Tables from other programs, instead of bounds and parameters (docs/data.md). If one split of a "
        "study has files, every split of it needs files.",
    )
    parameter_columns: list[str] = Field(
        default_factory=list,
        description="The columns of the files that are parameters; by default those that a dataset of grundylab names.",
    )


class RowsAsked(Strict):
    """The rows of a study: all combinations of values of the parameters and of the fixed coordinates."""

    fix: dict[str, Whole] = Field(
        default_factory=dict, description="The values at which coordinates are fixed, as in {p: 1, x: 0..9}."
    )
    parameters: dict[str, Whole] = Field(
        default_factory=dict, description="The values of each parameter, as in {m: [4, 8]}."
    )
    where: str = Field(
        default="True",
        description="A condition on the parameters and fixed coordinates; rows that do not satisfy it are left out.",
    )
    length: int = Field(
        default=100_000,
        gt=0,
        le=LARGEST,
        description="The number of places of each row that are computed. For one heap with bounded takes, growing "
        "tables are computed until one shows the period; a larger number allows larger tables.",
    )
    target: str = Field(
        default="p", description="The target whose values form the row: p, grundy, or grundy == 2."
    )

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The values of the parameters and the values of the fixed coordinates of each row."""
        where = parse_condition(self.where)
        for parameters, fixed in product(combinations(self.parameters), combinations(self.fix)):
            if evaluate(where, {**parameters, **fixed}):
                yield parameters, fixed

    def check(self, ruleset: Ruleset) -> None:
        """Raise InstanceError, or another GrundylabError, unless these are rows of the game."""
        for name in self.parameters:
            if name not in ruleset.parameter_names:
                raise InstanceError(f"{ruleset.name} has no parameter '{name}'")
        target = parse_target(self.target)
        check_count(ruleset, self.parameters, self.fix, most=MOST_ROWS)
        names = (*self.parameters, *self.fix)
        check_names(parse_condition(self.where), names, NO_FUNCTIONS, "parameter or fixed coordinate")
        for parameters, fixed in self.rows:
            check_domain(ruleset, parameters)
            if not (target == GRUNDY and not fixed and is_heap_game(ruleset, parameters)):
                layered_game(ruleset, parameters, free_coordinates(ruleset, fixed), target).top(fixed)


@dataclass(frozen=True)
class Context:
    """The context in which a study's keys are read: its ruleset, and the engines that it has if it names none."""

    ruleset: Ruleset
    engines: tuple[str, ...] = ()


@dataclass(frozen=True)
class _KeyForm:
    """The form of a key in the file, with the functions that convert its value when it is read and written.

    form: the type of the value in the file. read: a function of this value, the context and the keys read before;
    raises GrundylabError for a mistake. write: the inverse of read.
    """

    form: Any
    read: Callable[[Any, Context, Mapping[str, Any]], Any]
    write: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema that validates the value as ``form`` and then calls ``read``."""

        def read(value: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 - of any form
            try:
                return self.read(value, cast(Context, info.context), info.data or {})
            except GrundylabError as error:
                raise ValueError(error.message) from None

        return core_schema.with_info_after_validator_function(
            read,
            handler.generate_schema(self.form),
            serialization=core_schema.plain_serializer_function_ser_schema(self.write),
        )


def _ruleset(_: object, context: Context, __: object) -> Ruleset:
    return context.ruleset


def _source(ruleset: Ruleset) -> str | dict[str, list[str]]:
    """Return the path of the ruleset's file or, for tables made elsewhere, the names of their columns."""
    columns = {"coordinates": [*ruleset.coordinate_names], "parameters": [*ruleset.parameter_names]}
    return ruleset.files[0] if ruleset.files else columns


def _targets(texts: Sequence[str], context: Context, _: object) -> tuple[Target, ...]:
    targets = tuple(parse_target(text) for text in texts)
    if context.ruleset.play == "misere" and any(target.name != "p" for target in targets):
        raise ConfigError("under misère play only the outcome is solved: targets: [p]")
    return _once(targets)


def _condition(text: str, context: Context, _: object) -> Expr:
    ruleset = context.ruleset
    return ruleset.check_condition(parse_condition(text, ruleset.piles))


def _conditions(texts: Sequence[str], context: Context, earlier: object) -> tuple[Expr, ...]:
    return tuple(_condition(text, context, earlier) for text in texts)


def _instances(sweep: SplitSpec, context: Context, _: object) -> tuple[Instance, ...]:
    """Return the instances of a sweep; empty for a sweep with ``files``, which are read separately."""
    ruleset = context.ruleset
    if sweep.files:
        return ()
    for key, names in (("bounds", ruleset.bounds), ("parameters", ruleset.parameter_names)):
        given: Mapping[str, object] = getattr(sweep, key)
        if missing := [name for name in names if name not in given]:
            raise ConfigError(f"{missing[0]} has no value; add one: {key}: {{{missing[0]}: 8}}")
        if other := [name for name in given if name not in names]:
            have = f"its {key} are {', '.join(names)}" if names else f"it has no {key}"
            raise ConfigError(f"{ruleset.name} has no {key.removesuffix('s')} '{other[0]}'; {have}")
    where = parse_condition(sweep.where)
    if not (chosen := instances(ruleset, sweep.parameters, sweep.bounds, where)):
        raise ConfigError(f"no parameter values satisfy {where}")
    return tuple(chosen)


def _extents(written: Mapping[str, str], context: Context, _: object) -> dict[str, FunctionExtent]:
    extents = {name: parse_extent(text) for name, text in written.items()}
    check_extents(context.ruleset, extents)
    return extents


def _engines(
    written: Sequence[str] | Mapping[str, Sequence[str]] | None, context: Context, earlier: Mapping[str, Any]
) -> dict[Target, tuple[str, ...]]:
    """Return the engines of each target, in the order in which they are asked."""
    by_target = written if isinstance(written, Mapping) else {}
    _once([parse_target(text) for text in by_target])
    named = {parse_target(text): known_engines(engines) for text, engines in by_target.items()}
    targets: Sequence[Target] = earlier.get("targets", tuple(named))
    if unknown := [target for target in named if target not in targets]:
        raise ConfigError(f"{unknown[0]} is not one of the study's targets: {', '.join(map(str, targets))}")
    usual = known_engines(written) if isinstance(written, list) else context.engines
    return {target: named.get(target, usual) for target in targets}


def _rows(rows: RowsAsked | None, context: Context, _: object) -> RowsAsked | None:
    if rows is not None:
        rows.check(context.ruleset)
        if not any(True for _ in rows.rows):
            raise ConfigError(f"no rows satisfy {rows.where}")
    return rows


def _once(values: Iterable[T]) -> tuple[T, ...]:
    """Return the values as a tuple. Raises ValueError if one occurs twice."""
    distinct: dict[T, None] = {}
    for value in values:
        if value in distinct:
            raise ValueError(f"{value} appears twice")
        distinct[value] = None
    return tuple(distinct)


def known_engines(engines: Sequence[str]) -> tuple[str, ...]:
    """Return the engines in the order in which they are asked.

    Raises ValueError if there is none, or if one is unknown or named twice.
    """
    if not engines:
        raise ValueError(f"at least one engine is needed: {', '.join(ENGINES)}")
    for engine in engines:
        if engine not in ENGINES:
            raise ValueError(f"unknown engine '{engine}'; engines: {', '.join(ENGINES)}")
    return tuple(engine for engine in ENGINES if engine in _once(engines))


def _sweeps(chosen: Iterable[Instance]) -> list[Plain]:
    """Return instances as plain data: a sweep for each, which contains only this instance."""
    return [{"parameters": dict(one.parameters), "bounds": dict(one.bounds)} for one in chosen]


def _texts(values: Iterable[object]) -> list[str]:
    return list(map(str, values))


_Instances = Annotated[tuple[Instance, ...], _KeyForm(SplitSpec, _instances, _sweeps)]


Budget = Annotated[
    float,
    Field(
        gt=0,
        allow_inf_nan=False,
        description="Approximate CPU seconds for one engine and seed on one target.",
    ),
]
ProofTimeout = Annotated[
    float, Field(gt=0, description="Seconds for one run of MONA, or of grundylab's own automata.")
]


# -- the keys ----------------------------------------------------------------------------------------------------------


class Settings(Strict):
    """Keys of the whole file that a single study may set differently."""

    seed: int = Field(default=0, ge=0, description="The first seed of the random engines.")
    seeds: int = Field(
        default=3,
        ge=1,
        le=100,
        description="The number of seeds with which each random engine runs.",
    )
    budget: Budget = 10
    budgets: dict[Annotated[str, AfterValidator(lambda name: known_engines([name])[0])], Budget] = Field(
        default_factory=dict,
        description="Budgets for individual engines, as in {pysr: 25}. Most engines end long before their "
        "budget; random engines use it up if they find nothing.",
    )
    proof_timeout: ProofTimeout = 20
    coq: bool = Field(
        default=False,
        description="Whether Coq also checks the proofs (docs/coq.md), which takes as long as the rest of the run.",
    )
    ask: AskMode = Field(
        default="until-found",
        description="until-found: engines run in the order of docs/engines.md until one finds an answer that "
        "is right in all tables of train and validate. all: every engine runs, for comparison.",
    )


class Keys(Settings):
    """One study. Without any key, {}, it has the tables and targets that `grundylab study` chooses."""

    ruleset: Annotated[Ruleset, _KeyForm(str | None, _ruleset, _source)] = Field(
        default=None,
        validate_default=True,
        description="The ruleset: its name in rulesets/ or its path; by default the ruleset with the study's name.",
    )
    targets: Annotated[tuple[Target, ...], _KeyForm(list[str], _targets, _texts)] = Field(
        default=(),
        description="The targets of the formulas: p (which positions are P-positions), grundy (the Grundy number), "
        "grundy == 2 (where it is 2). By default p and grundy; under misère play p. With any target, winning moves are "
        "looked for, too.",
    )
    engines: Annotated[
        dict[Target, tuple[str, ...]],
        _KeyForm(
            list[str] | dict[str, list[str]] | None,
            _engines,
            lambda by_target: {str(target): list(engines) for target, engines in by_target.items()},
        ),
    ] = Field(
        default=None,
        validate_default=True,
        description="The engines that search for formulas: a list for all targets, or a list for each, as in {grundy: "
        "[tree]}. Other targets have the engines of the whole file.",
    )
    train: _Instances = Field(default=(), description="The tables that engines learn from.")
    validation: _Instances = Field(
        default=(),
        alias="validate",
        description="Larger tables on which an answer is tested; if it is wrong there, engines train again "
        "on these. By default those of train with larger bounds, below those of test.",
    )
    test: _Instances = Field(
        default=(),
        description="The tables on which formulas, and the claims of the ruleset, are verified. No engine sees them, "
        "and none may be part of a table that engines see.",
    )
    where: Annotated[Expr, _KeyForm(str, _condition, str)] = Field(
        default=TRUE,
        description="A condition on the positions that formulas describe, as in p == 1 and x <= y. All "
        "others are ignored in training and tests.",
    )
    each: bool = Field(
        default=False,
        description="Whether engines train on each parameter setting alone, with a formula for each.",
    )
    prove: Annotated[tuple[Expr, ...], _KeyForm(list[str], _conditions, _texts)] = Field(
        default=(TRUE,),
        description="Conditions on the parameters; proofs are attempted under each of them. A condition such as k == 1 "
        "fixes a parameter that the decision procedures cannot treat as a variable.",
    )
    rows: Annotated[
        RowsAsked | None, _KeyForm(RowsAsked | None, _rows, lambda rows: rows and rows.model_dump())
    ] = Field(default=None, description="Rows of positions whose periods are to be found and proved.")
    every: Annotated[
        dict[str, FunctionExtent],
        _KeyForm(
            dict[str, str], _extents, lambda extents: {name: str(extent) for name, extent in extents.items()}
        ),
    ] = Field(
        default_factory=dict,
        description='For a family of games: the arguments and values of each free function, as in {f: "0..9 -> 0..8"}. '
        "Every function with these arguments and values gives a game, and the claims are judged in all these games.",
    )
    open: str | None = Field(
        default=None,
        description="Why no formula was known before, according to the paper. Formulas found are then listed as new.",
    )


class Study(Keys):
    """A study of a ruleset, or the part of a study that a stage receives.

    files: the ruleset's file and those that it extends, each with its SHA-256. sources: all files on which the verdicts
    depend (``games.lookups.ruleset_files``), likewise. given: for tables made elsewhere, the files of each split.
    values: what is computed, "outcome" or "grundy", so that every target and claim can be judged. judges_claims: False
    if another study of the same ruleset judges its claims. chosen: whether grundylab chose the tables; the study then
    has further steps, and a budget for all of them. notes: what readers of the results must know.
    """

    name: str
    version: str
    files: dict[str, str]
    sources: dict[str, str]
    given: dict[str, list[str]] | None = None
    values: Values
    judges_claims: bool = True
    chosen: bool = False
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, part: Mapping[str, Any]) -> Study:
        """Return the study, or the part of it, that a stage receives as plain data; see ``part``.

        Raises ConfigError if a ruleset was edited since the run began.
        """
        source = part["ruleset"]
        named = isinstance(source, str)
        ruleset = load_ruleset(source) if named else positions_of(part["name"], Columns(**source))
        if part.get("hash", ruleset.hash) != ruleset.hash:
            raise ConfigError(EDITED, Place(source))
        context, read = Context(ruleset), Plain(ruleset=ruleset)
        for key, value in part.items():
            if key in ("hash", "ruleset"):
                continue
            name = SPLITS.get(key, key)
            if key in SPLITS:
                read[name] = tuple(make_instance(ruleset, **sizes) for sizes in value)
            else:
                kind = TypeAdapter(cls.model_fields[name].rebuild_annotation())
                read[name] = kind.validate_python(value, context=context)
        study = cls.model_construct(_fields_set=set(read), **read)
        for name in set(cls.model_fields) - set(read):  # no default for a key that the stage does not receive
            study.__dict__.pop(name, None)
        for file, digest in file_digests(study.made_from).items():
            if digest != study.made_from[file]:
                raise ConfigError(EDITED, Place(file))
        return study

    def part(self, keys: Iterable[str]) -> Plain:
        """Return the values of these keys as plain data; ``about``, ``hash`` and ``rules`` count as keys, too.

        hash: the digest of the game's rules, which its title, its claims and remarks in the file do not change. rules:
        the same or, for tables made elsewhere, the digests of their files.
        """
        wanted = {SPLITS.get(key, key) for key in keys}
        part: Plain = self.model_dump(mode="json", by_alias=True, include=wanted)
        if "about" in wanted:
            part["about"] = self.about
        if "rules" in wanted and self.given:
            return part | {"files": self.files}
        return part | ({"hash": self.ruleset.hash} if {"hash", "rules"} & wanted else {})

    def instances(self, split: str) -> tuple[Instance, ...]:
        """Return the instances of ``train``, ``validate`` or ``test``."""
        split_instances: tuple[Instance, ...] = getattr(self, SPLITS[split])
        return split_instances

    def datasets(self, split: str) -> tuple[Instance, ...]:
        """Return the instances of ``train``, ``validate`` or ``test`` whose tables are written as datasets.

        Empty for a family of games, and for tables made elsewhere.
        """
        return () if self.ruleset.free or self.given else self.instances(split)

    @property
    def seconds(self) -> float:
        """The budget for all steps of a study whose tables were chosen, in seconds of processor time."""
        return self.budget / ENGINE

    @property
    def drawn(self) -> tuple[Values, list[dict[str, int]]]:
        """The kind of values to compute for pictures of rows, and the rows' parameter settings."""
        if self.rows is None or len(self.ruleset.coordinates) != 1:
            return P_POSITIONS.values, []
        return parse_target(self.rows.target).values, [parameters for parameters, _ in self.rows.rows]

    @property
    def rungs(self) -> tuple[tuple[int, ...], ...]:
        """The instances of each rung, as indices into ``train`` followed by ``validation``.

        A rung is a set of instances that engines learn from together. The first consists of those of ``train``. Each
        further one has the instances of ``validation`` with the same bounds, the smallest bounds first; for other
        parameter settings it keeps the instance of the rung before.
        """
        seen = (*self.train, *self.validation)
        rung = {seen[place].parameters: place for place in range(len(self.train))}
        rungs = [tuple(range(len(self.train)))]
        by_bounds: dict[object, list[int]] = {}
        for place in range(len(self.train), len(seen)):
            # tables made elsewhere have no bounds of their own, and form one rung
            by_bounds.setdefault(None if self.given else seen[place].bounds, []).append(place)
        for places in sorted(by_bounds.values(), key=lambda tables: max(seen[t].cells for t in tables)):
            rung |= {seen[place].parameters: place for place in places}
            rungs.append(tuple(rung.values()))
        return tuple(rungs)

    @property
    def made_from(self) -> dict[str, str]:
        """The rulesets' files on which the stage depends, with their digests; none if it depends on the rules alone."""
        names = [name for name in ("sources", "files") if name in self.model_fields_set]
        digests: dict[str, str] = getattr(self, names[0]) if names else {}
        return digests

    @property
    def made(self) -> Origin:
        """The provenance that is written into the header of a result; see ``made_from``."""
        rules = dict.fromkeys(self.ruleset.files[:1], self.ruleset.hash)
        return result_header(self.made_from or rules, self.seed, self.version)

    @property
    def about(self) -> Plain:
        """The settings of the study as plain data, for its results."""
        return {
            **self.model_dump(mode="json", include={"where", "targets", "engines", "ask", "each", "notes"}),
            "ruleset": self.ruleset.name,
            "title": self.ruleset.title,
            "training": [instance.label for instance in self.train],
            "validation": [instance.label for instance in self.validation],
            "test": [instance.label for instance in self.test],
            "settings": [dict(setting) for setting in dict.fromkeys(i.parameters for i in self.train)],
        }


# -- what a study needs for what it asks -------------------------------------------------------------------------------


def values_of(ruleset: Ruleset, targets: Sequence[Target]) -> Values:
    """Return what has to be computed, "outcome" or "grundy", to judge every target and claim."""
    wanted = {target.values for target in targets}
    wanted |= {claim.target.values for claim in ruleset.claims}
    if any(of == THIS for claim in ruleset.claims for _, of in claim.values):
        wanted.add("grundy")
    return "grundy" if "grundy" in wanted else "outcome"
