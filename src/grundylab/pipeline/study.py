"""A study: each key of the configuration declared once, with its meaning, its form and its validation.

A rule of the workflow lists the keys that it depends on, and its script receives these and no others, in a form that
the file could have: so Snakemake sees every change that a stage depends on, and a stage cannot use what Snakemake does
not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, TypeAdapter, ValidationInfo
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
    parse_ruleset,
    parse_target,
)
from grundylab.games.heap_games import is_heap_game
from grundylab.games.instance import check_domain
from grundylab.games.layers import free_coordinates, layered_game
from grundylab.games.model import GRUNDY, P_POSITIONS, Values
from grundylab.games.settings import MOST_ROWS, check_count, combinations, instances
from grundylab.games.statements import THIS
from grundylab.games.yamlfile import Strict, parse_span
from grundylab.language import NO_FUNCTIONS, Expr, check_names, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE
from grundylab.pipeline.outside_tables import columns_of_game, game_of
from grundylab.pipeline.script_log import EDITED
from grundylab.solve.origin import Origin, file_digests, result_header

T = TypeVar("T")
Plain = dict[str, Any]
AskMode = Literal["until-found", "all"]
# What a split is called in the configuration, and here, where pydantic has `validate` for itself.
SPLITS = {"train": "train", "validate": "validation", "test": "test"}
_MOST_VALUES = 1_000  # of a range


# -- how keys are written, and read ------------------------------------------------------------------------------------


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """Return one value, a list of them, or a range ``2..9``, as a list."""
    values = value if isinstance(value, list) else [value]
    if (span := parse_span(value)) is not None:
        if not 1 <= len(span) <= _MOST_VALUES:
            raise ValueError(f"{value} are {len(span):,} values; 1 to {_MOST_VALUES:,} are needed here")
        values = list(span)
    if len(set(map(str, values))) < len(values):
        raise ValueError(f"a value is there twice: {', '.join(map(str, values))}")
    return values


Whole = Annotated[list[int], BeforeValidator(_several, json_schema_input_type=int | str | list[int])]


class InstancesSpec(Strict):
    """A sweep of instances: every combination of the values, as far as the parameters fulfil ``where``."""

    bounds: dict[str, Whole] = Field(
        default_factory=dict,
        description="How large the tables are: a value of each bound of the ruleset, as in {N: 24}; a list or a range "
        "like 2..9 is a table for each.",
    )
    parameters: dict[str, Whole] = Field(
        default_factory=dict,
        description="The values of each parameter of the ruleset, as in {m: [4, 8, 12]}.",
    )
    where: str = Field(
        default="True",
        description="A condition that the parameters' values fulfil, as in a < b; others are left out.",
    )


class SplitSpec(InstancesSpec):
    """Instances of the ruleset; or tables made elsewhere, Parquet or CSV files with a row for each position."""

    files: list[str] = Field(
        default_factory=list,
        description="Tables made elsewhere, instead of bounds and parameters (docs/data.md): then every split of the "
        "study names its files.",
    )
    parameter_columns: list[str] = Field(
        default_factory=list,
        description="Which columns of the files are parameters; by default those that a dataset of grundylab says.",
    )


class RowsAsked(Strict):
    """The rows of a study: every combination of the parameters' values and of those of the fixed coordinates."""

    fix: dict[str, Whole] = Field(
        default_factory=dict, description="The values at which coordinates are fixed, as in {p: 1, x: 0..9}."
    )
    parameters: dict[str, Whole] = Field(
        default_factory=dict, description="The values of each parameter, as in {m: [4, 8]}."
    )
    where: str = Field(
        default="True",
        description="A condition on the parameters and the fixed coordinates; other rows are left out.",
    )
    length: int = Field(
        default=100_000,
        gt=0,
        description="How many places of each row are looked at; of one heap with bounded takes, as many as its period "
        "needs, and no more than so many.",
    )
    target: str = Field(default="p", description="What the row is of: p, grundy, or grundy == 2.")

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The parameters' values and the fixed coordinates of each row."""
        where = parse_condition(self.where)
        for parameters, fixed in product(combinations(self.parameters), combinations(self.fix)):
            if evaluate(where, {**parameters, **fixed}):
                yield parameters, fixed

    def check(self, ruleset: Ruleset) -> None:
        """Raise InstanceError unless these are rows of the game."""
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
    """The context in which a study's keys are read: its ruleset, and the engines if it names none."""

    ruleset: Ruleset
    engines: tuple[str, ...] = ()


@dataclass(frozen=True)
class _KeyForm:
    """The form of a key in the file, with the functions that read it and write it again.

    read: a function of the value, the context and the keys before it. A mistake is a GrundylabError.
    """

    form: Any
    read: Callable[[Any, Context, Mapping[str, Any]], Any]
    write: Callable[[Any], Any]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the form, with the reading after it."""

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


def _source(ruleset: Ruleset) -> str:
    """Return the ruleset's file or, for tables made elsewhere, the text that stands for one."""
    return ruleset.files[0] if ruleset.files else game_of(ruleset.name, columns_of_game(ruleset))


def _targets(texts: Sequence[str], context: Context, _: object) -> tuple[Target, ...]:
    targets = tuple(parse_target(text) for text in texts)
    if context.ruleset.play == "misere" and any(target.name != "p" for target in targets):
        raise ConfigError("under misère play only the outcome is solved: targets: [p]")
    return _once(targets)


def _condition(text: str, context: Context, _: object) -> Expr:
    ruleset = context.ruleset
    return ruleset.check_condition(parse_condition(text, ruleset.piles))


def _conditions(texts: Sequence[str], context: Context, known: object) -> tuple[Expr, ...]:
    return tuple(_condition(text, context, known) for text in texts)


def _instances(sweep: SplitSpec, context: Context, _: object) -> tuple[Instance, ...]:
    """Return the instances of a sweep; none for files, which are read separately."""
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
    if not (found := instances(ruleset, sweep.parameters, sweep.bounds, where)):
        raise ConfigError(f"none of the parameters' values fulfil {where}")
    return tuple(found)


def _extents(written: Mapping[str, str], context: Context, _: object) -> dict[str, FunctionExtent]:
    extents = {name: parse_extent(text) for name, text in written.items()}
    check_extents(context.ruleset, extents)
    return extents


def _engines(
    written: Sequence[str] | Mapping[str, Sequence[str]] | None, context: Context, known: Mapping[str, Any]
) -> dict[Target, tuple[str, ...]]:
    """Return the engines of each target, in the order of their turns."""
    by_target = written if isinstance(written, Mapping) else {}
    _once([parse_target(text) for text in by_target])
    named = {parse_target(text): known_engines(engines) for text, engines in by_target.items()}
    targets: Sequence[Target] = known.get("targets", tuple(named))
    if unknown := [target for target in named if target not in targets]:
        raise ConfigError(f"{unknown[0]} is none of the study's targets: {', '.join(map(str, targets))}")
    usual = known_engines(written) if isinstance(written, list) else context.engines
    return {target: named.get(target, usual) for target in targets}


def _rows(rows: RowsAsked | None, context: Context, _: object) -> RowsAsked | None:
    if rows is not None:
        rows.check(context.ruleset)
        if not any(True for _ in rows.rows):
            raise ConfigError(f"none of the rows fulfil {rows.where}")
    return rows


def _once(values: Iterable[T]) -> tuple[T, ...]:
    """Return the values. Raises ConfigError if one occurs twice."""
    found: dict[T, None] = {}
    for value in values:
        if value in found:
            raise ConfigError(f"{value} is there twice")
        found[value] = None
    return tuple(found)


def known_engines(engines: Sequence[str]) -> tuple[str, ...]:
    """Return the engines in turn order. Raises ConfigError if there is none, or one is unknown or repeated."""
    if not engines:
        raise ConfigError(f"at least one engine is needed: {', '.join(ENGINES)}")
    for engine in engines:
        if engine not in ENGINES:
            raise ConfigError(f"unknown engine '{engine}'; engines: {', '.join(ENGINES)}")
    return tuple(engine for engine in ENGINES if engine in _once(engines))


def instance_data(instance: Instance) -> Plain:
    """Return an instance as a sweep of its own."""
    return {"parameters": dict(instance.parameters), "bounds": dict(instance.bounds)}


def _texts(values: Iterable[object]) -> list[str]:
    return list(map(str, values))


_Instances = Annotated[
    tuple[Instance, ...], _KeyForm(SplitSpec, _instances, lambda found: list(map(instance_data, found)))
]


Budget = Annotated[
    float,
    Field(
        gt=0, allow_inf_nan=False, description="CPU seconds, about, for one engine and seed on one target."
    ),
]
ProofTimeout = Annotated[
    float, Field(gt=0, description="Seconds for one run of MONA, or of grundylab's own automata.")
]


# -- the keys ----------------------------------------------------------------------------------------------------------


class Settings(Strict):
    """Keys of the whole file that a study may have for itself."""

    seed: int = Field(default=0, ge=0, description="The first seed of whatever draws at random.")
    seeds: int = Field(
        default=3, ge=1, le=100, description="With how many seeds an engine that draws at random is asked."
    )
    budget: Budget = 10
    proof_timeout: ProofTimeout = 20
    coq: bool = Field(
        default=False,
        description="Whether Coq checks the proofs, too (docs/coq.md); it takes as long as all else.",
    )
    ask: AskMode = Field(
        default="until-found",
        description="until-found: the engines of a target take turns, in the order of docs/engines.md, until one has "
        "an answer that is right at all it was learnt from and tried on. all: each is asked, for the table of engines.",
    )


class Keys(Settings):
    """One study. With none of them, {}, tables and targets are chosen as `grundylab study` does."""

    ruleset: Annotated[Ruleset, _KeyForm(str | None, _ruleset, _source)] = Field(
        default=None,
        validate_default=True,
        description="The ruleset, by its name in rulesets/ or by its file; by default that of the study's name.",
    )
    targets: Annotated[tuple[Target, ...], _KeyForm(list[str], _targets, _texts)] = Field(
        default=(),
        description="What formulas are looked for: p (which positions are P-positions), grundy (the Grundy number), "
        "grundy == 2 (where it is 2). By default p and grundy; under misère play p.",
    )
    engines: Annotated[
        dict[Target, tuple[str, ...]],
        _KeyForm(
            list[str] | dict[str, list[str]] | None,
            _engines,
            lambda found: {str(target): list(engines) for target, engines in found.items()},
        ),
    ] = Field(
        default=None,
        validate_default=True,
        description="Which engines look for a formula: for all targets, or by target, as in {grundy: [tree]}; of a "
        "target that is not named, those of the whole file.",
    )
    train: _Instances = Field(default=(), description="The tables that engines learn from.")
    validation: _Instances = Field(
        default=(),
        alias="validate",
        description="The larger tables on which an answer is tried, and from which a wrong one is learnt again. By "
        "default those of train with larger bounds, below those of test.",
    )
    test: _Instances = Field(
        default=(),
        description="The tables that no engine sees: on them formulas, and the claims of the ruleset, are verified. "
        "None may be a part of a table that engines see.",
    )
    where: Annotated[Expr, _KeyForm(str, _condition, str)] = Field(
        default=TRUE,
        description="The positions that formulas are learnt and judged on, as in p == 1 and x <= y; of others they say "
        "nothing.",
    )
    each: bool = Field(
        default=False,
        description="Whether each setting of the parameters is learnt from alone: a formula for each, not one for all.",
    )
    prove: Annotated[tuple[Expr, ...], _KeyForm(list[str], _conditions, _texts)] = Field(
        default=(TRUE,),
        description="Conditions on the parameters; under each of them proofs are attempted. k == 1 fixes k, for what "
        "the decision procedure cannot leave free.",
    )
    rows: Annotated[
        RowsAsked | None, _KeyForm(RowsAsked | None, _rows, lambda rows: rows and rows.model_dump())
    ] = Field(default=None, description="Rows of positions whose periods are looked for, and proved.")
    every: Annotated[
        dict[str, FunctionExtent],
        _KeyForm(
            dict[str, str], _extents, lambda found: {name: str(extent) for name, extent in found.items()}
        ),
    ] = Field(
        default_factory=dict,
        description='Of a family of games, how far each of its free functions is looked at, as in {f: "0..9 -> 0..8"}: '
        "every function of these arguments and values is a game, and the claims are judged in all of them.",
    )
    open: str | None = Field(
        default=None,
        description="Why no formula was known before, in the words of the paper: what is found is listed as new.",
    )


class Study(Keys):
    """A study of a ruleset, or the part of one that a stage receives.

    files, sources: the ruleset's own files with those that it extends, and all files that the verdicts depend on
    (``games.lookups.sources_of``), each with its SHA-256. given: the files of tables made elsewhere, by split; they
    have no rules. values: the values to solve for, so that every target and claim can be judged. judges_claims: true
    for the first of the studies of one ruleset only.
    """

    name: str
    version: str
    files: dict[str, str]
    sources: dict[str, str]
    given: dict[str, list[str]] | None = None
    values: Values
    judges_claims: bool = True

    @classmethod
    def of(cls, part: Mapping[str, Any]) -> Study:
        """Return the part of a study that a stage receives.

        Raises ConfigError if the rulesets are not those with which the run began.
        """
        source = part["ruleset"]
        ruleset = parse_ruleset(source, part["name"]) if "\n" in source else load_ruleset(source)
        context, read = Context(ruleset), Plain()
        for key, value in part.items():
            name = SPLITS.get(key, key)
            if key in SPLITS:
                read[name] = tuple(make_instance(ruleset, **each) for each in value)
            else:
                kind = TypeAdapter(cls.model_fields[name].rebuild_annotation())
                read[name] = kind.validate_python(value, context=context)
        study = cls.model_construct(_fields_set=set(read), **read)
        for name in set(cls.model_fields) - set(read):  # no default stands for what the stage was not given
            study.__dict__.pop(name, None)
        for file, digest in file_digests(study.made_from).items():
            if digest != study.made_from[file]:
                raise ConfigError(EDITED, Place(file))
        return study

    def part(self, keys: Iterable[str]) -> Plain:
        """Return these keys as plain data: keys of the file, of the study, and ``about`` and ``hash``."""
        wanted = {SPLITS.get(key, key) for key in keys}
        found: Plain = self.model_dump(mode="json", by_alias=True, include=wanted)
        if "about" in wanted:
            found["about"] = self.about
        return found | ({"hash": self.ruleset.hash} if "hash" in wanted else {})

    def instances(self, split: str) -> tuple[Instance, ...]:
        """Return the instances of ``train``, ``validate`` or ``test``."""
        found: tuple[Instance, ...] = getattr(self, SPLITS[split])
        return found

    def datasets(self, split: str) -> tuple[Instance, ...]:
        """Return the instances of ``train``, ``validate`` or ``test`` whose tables are kept.

        There are none of a family of games, and of tables made elsewhere.
        """
        return () if self.ruleset.free or self.given else self.instances(split)

    @property
    def drawn(self) -> tuple[Values, list[dict[str, int]]]:
        """The values and the parameter settings of the rows that are drawn; none unless the game has one coordinate."""
        if self.rows is None or len(self.ruleset.coordinates) != 1:
            return P_POSITIONS.values, []
        return parse_target(self.rows.target).values, [parameters for parameters, _ in self.rows.rows]

    @property
    def rungs(self) -> tuple[tuple[int, ...], ...]:
        """The indices, in ``train`` followed by ``validation``, of the instances that are learnt from at each rung.

        Each rung has the instances of validation with the same bounds, the smallest first; for settings of the
        parameters without such an instance it keeps the one of the rung before.
        """
        seen = (*self.train, *self.validation)
        rung = {seen[place].parameters: place for place in range(len(self.train))}
        found = [tuple(range(len(self.train)))]
        by_bounds: dict[object, list[int]] = {}
        for place in range(len(self.train), len(seen)):
            # of tables made elsewhere the bound is only how far each reaches
            by_bounds.setdefault(None if self.given else seen[place].bounds, []).append(place)
        for places in sorted(by_bounds.values(), key=lambda each: max(seen[place].cells for place in each)):
            rung |= {seen[place].parameters: place for place in places}
            found.append(tuple(rung.values()))
        return tuple(found)

    @property
    def made_from(self) -> dict[str, str]:
        """The rulesets' files that the stage depends on, with their digests."""
        return self.sources if "sources" in self.model_fields_set else self.files

    @property
    def made(self) -> Origin:
        """The provenance for the header of a result."""
        return result_header(self.made_from, self.seed, self.version)

    @property
    def about(self) -> Plain:
        """The settings of the study, for the readers of its results."""
        return {
            **self.model_dump(mode="json", include={"where", "targets", "engines", "ask", "each"}),
            "ruleset": self.ruleset.name,
            "title": self.ruleset.title,
            "training": [instance.label for instance in self.train],
            "validation": [instance.label for instance in self.validation],
            "test": [instance.label for instance in self.test],
            "settings": [dict(setting) for setting in dict.fromkeys(i.parameters for i in self.train)],
        }


# -- what a study needs for what it asks -------------------------------------------------------------------------------


def values_of(ruleset: Ruleset, targets: Sequence[Target]) -> Values:
    """Return the values to solve for, so that every target and claim can be judged."""
    wanted = {target.values for target in targets}
    wanted |= {claim.target.values for claim in ruleset.claims}
    if any(of == THIS for claim in ruleset.claims for _, of in claim.values):
        wanted.add("grundy")
    return "grundy" if "grundy" in wanted else "outcome"
