"""A study: what it asks, each key declared once with how it is read and written; and the part that each stage uses.

That part, as plain data, is in the ``params`` of the stage's rule and is all that the stage gets: so Snakemake sees
every change of what a stage depends on, and a stage cannot use what Snakemake does not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    TypeAdapter,
    ValidationInfo,
)

from grundylab.check.families import Extent, parse_extent
from grundylab.errors import ConfigError, InstanceError, Place
from grundylab.games import (
    Instance,
    Ruleset,
    Target,
    load_ruleset,
    make_instance,
    parse_ruleset,
    parse_target,
)
from grundylab.games.fields import AS_TEXT, ConditionField, TargetField, text_field
from grundylab.games.heaps import is_heap
from grundylab.games.instance import check_domain
from grundylab.games.layers import axes_of, layered
from grundylab.games.model import GRUNDY, Values
from grundylab.games.settings import MOST_ROWS, check_count, combinations
from grundylab.games.statements import THIS
from grundylab.games.yamlfile import Strict, span_of
from grundylab.language import NO_FUNCTIONS, check_names, parse_condition
from grundylab.language.plain import evaluate
from grundylab.pipeline.tables import columns_of_game, game_of
from grundylab.solve.made import Made, digests, made_by

Asked = dict[str, Any]
Ask = Literal["until-found", "all"]
_MOST_VALUES = 1_000  # of a range
EDITED = "it was edited while the workflow ran; run again"

_RULESET = ("name", "version", "ruleset", "files", "given")  # the study's own ruleset
_RULESETS = ("name", "version", "ruleset", "sources", "given")  # with those whose tables its claims look up
USED: Mapping[str, tuple[str, ...]] = {
    "fit": (
        *_RULESET,
        "seed",
        "seeds",
        "values",
        "train",
        "validation",
        "where",
        "each",
        "engines",
        "ask",
        "budget",
    ),
    "verify": (
        *_RULESETS,
        "seed",
        "values",
        "train",
        "validation",
        "test",
        "where",
        "every",
        "engines",
        "judges_claims",
    ),
    "prove": (*_RULESETS, "seed", "test", "prove", "proof_timeout"),
    "coq": (*_RULESETS, "seed"),
    "slab": (*_RULESETS, "seed", "large"),
    "large": (*_RULESETS, "seed", "large", "slabs"),
    "rows": (*_RULESET, "seed", "rows"),
    "catalogue": ("version", "open"),  # and what it is about
    "pictures": (*_RULESET, "values", "train", "validation", "test", "drawn"),
}


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """One value, a list of them, or a range ``2..9``, as a list."""
    values = value if isinstance(value, list) else [value]
    if (span := span_of(value)) is not None:
        if not 1 <= len(span) <= _MOST_VALUES:
            raise ValueError(f"{value} are {len(span):,} values; 1 to {_MOST_VALUES:,} are needed here")
        values = list(span)
    if len(set(map(str, values))) < len(values):
        raise ValueError(f"a value is there twice: {', '.join(map(str, values))}")
    return values


Whole = Annotated[list[int], BeforeValidator(_several, json_schema_input_type=int | str | list[int])]


class RowsAsked(Strict):
    """The rows of a study: every combination of the parameters' values and of those of the fixed coordinates.

    where: a condition on the parameters and the fixed coordinates. length: places of each row that are looked at (of
    one heap with bounded takes, as many as its period needs, and no more than so many).
    """

    fix: dict[str, Whole] = Field(default_factory=dict)
    parameters: dict[str, Whole] = Field(default_factory=dict)
    where: str = "True"
    length: int = Field(default=100_000, gt=0)
    target: str = "p"

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The parameters' values and the fixed coordinates of each row."""
        where = parse_condition(self.where)
        for parameters, fixed in product(combinations(self.parameters), combinations(self.fix)):
            if evaluate(where, {**parameters, **fixed}):
                yield parameters, fixed

    def check(self, ruleset: Ruleset) -> None:
        """Raises InstanceError unless these are rows of the game."""
        for name in self.parameters:
            if name not in ruleset.parameter_names:
                raise InstanceError(f"{ruleset.name} has no parameter '{name}'")
        target = parse_target(self.target)
        check_count(ruleset, self.parameters, self.fix, most=MOST_ROWS)
        names = (*self.parameters, *self.fix)
        check_names(parse_condition(self.where), names, NO_FUNCTIONS, "parameter or fixed coordinate")
        for parameters, fixed in self.rows:
            check_domain(ruleset, parameters)
            if not (target == GRUNDY and not fixed and is_heap(ruleset, parameters)):
                layered(ruleset, parameters, axes_of(ruleset, fixed), target).top(fixed)


# -- what keys are of --------------------------------------------------------------------------------------------------


def plain(instance: Instance) -> Asked:
    """An instance as plain data, without its ruleset."""
    return {"parameters": dict(instance.parameters), "bounds": dict(instance.bounds)}


def _instance(value: Any, info: ValidationInfo) -> Instance:  # noqa: ANN401 - plain data
    """An instance as it is, or as it is read: of the ruleset that is the context."""
    if isinstance(value, Instance):
        return value
    ruleset = info.context
    assert isinstance(ruleset, Ruleset)
    return make_instance(ruleset, **value)


_Instances = tuple[Annotated[Instance, PlainValidator(_instance), PlainSerializer(plain)], ...]


def _source(ruleset: Ruleset) -> str:
    """Return the ruleset's file; of tables made elsewhere the text that stands for one."""
    return ruleset.files[0] if ruleset.files else game_of(ruleset.name, columns_of_game(ruleset))


class Given(Strict):
    """The files of a study whose tables were made elsewhere, by split."""

    train: list[str]
    validation: list[str]
    test: list[str]


class Study(BaseModel):
    """A study, or what a stage is asked of one: that has the keys that are ``USED`` there, and no others.

    given: the files of tables made elsewhere, of which there are no rules.

    files, sources: the ruleset's own files and those that it extends, and all that the verdicts depend on
    (``games.lookups.sources_of``), each with its SHA-256. values: what must be solved for, so that every target and
    claim can be looked at. train: the instances that are learnt from; validation: the larger ones on which an answer is
    tried, and from which a wrong one learns again; test: those that no engine sees. engines: what looks for each
    target, one after another; ask: until an answer stands, or all of them; seeds: how many seeds an engine that draws
    at random is asked with. large: the instances on which what holds is looked at line by line, in so many slabs.
    where: the positions that formulas are learnt and judged on. every: how far each free function of a family of games
    is looked at. prove: the conditions under each of which proofs are attempted. drawn: the settings of the parameters
    whose rows are drawn, and what is drawn of them. budget: seconds for one engine on one target; proof_timeout: for
    one run of MONA. coq: whether Coq checks the proofs, too. judges_claims: of the studies of one ruleset only the
    first does.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    version: str
    ruleset: Annotated[Ruleset, text_field(Ruleset, load_ruleset), PlainSerializer(_source)]
    files: dict[str, str]
    sources: dict[str, str]
    given: Given | None
    open: str | None
    targets: tuple[TargetField, ...]
    values: Values
    engines: dict[TargetField, tuple[str, ...]]
    ask: Ask
    train: _Instances
    validation: _Instances
    test: _Instances
    large: _Instances
    slabs: int
    where: ConditionField
    each: bool
    every: dict[str, Annotated[Extent, text_field(Extent, parse_extent), AS_TEXT]]
    prove: tuple[ConditionField, ...]
    rows: RowsAsked | None
    drawn: tuple[Values, list[dict[str, int]]]
    seed: int
    seeds: int
    budget: float
    proof_timeout: float
    coq: bool
    judges_claims: bool

    @classmethod
    def of(cls, asked: Mapping[str, Any]) -> Study:
        """What a stage is asked. Raises ConfigError if the rulesets are not those that the run has begun with."""
        source = asked["ruleset"]
        ruleset = parse_ruleset(source, asked["name"]) if "\n" in source else load_ruleset(source)
        study = cls.model_construct(
            **{
                key: TypeAdapter(cls.model_fields[key].rebuild_annotation()).validate_python(
                    value, context=ruleset
                )
                for key, value in {**asked, "ruleset": ruleset}.items()
            }
        )
        for file, digest in digests(study.made_from).items():
            if digest != study.made_from[file]:
                raise ConfigError(EDITED, Place(file))
        return study

    def asked_of(self, stage: str) -> Asked:
        """What a stage is asked, as plain data."""
        asked = self.model_dump(mode="json", include=set(USED[stage]))
        return {**asked, "about": self.about} if stage == "catalogue" else asked

    def asked_to_solve(self, instances: Sequence[Instance], values: Values) -> Asked:
        """What the solve stage is asked: all that a dataset depends on, so no change of a title or a claim."""
        known = self.model_dump(mode="json", include={"version", "ruleset"})
        return {
            **known,
            "values": values,
            "hash": self.ruleset.hash,
            "instances": list(map(plain, instances)),
        }

    @property
    def rungs(self) -> tuple[tuple[int, ...], ...]:
        """The places, among ``train`` and then ``validation``, of what is learnt from first, then, and so on.

        Each rung has the instances of validation of the same bounds, the smallest first, and of the settings of the
        parameters that are not among them those of the rung before.
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
    def datasets(self) -> tuple[Instance, ...]:
        """The instances whose tables are kept, each once; none of a family, and of tables made elsewhere."""
        if self.every or self.given:
            return ()
        return tuple(dict.fromkeys((*self.train, *self.validation, *self.test)))

    @property
    def made_from(self) -> dict[str, str]:
        """The rulesets' files that the stage depends on, with their digests."""
        return self.sources if "sources" in self.model_fields_set else self.files

    @property
    def made(self) -> Made:
        """The header of a result: by what it was made."""
        return made_by(self.made_from, self.seed, self.version)

    @property
    def parts(self) -> list[str]:
        """The files, in the study's folder, of what each slab of the large instances says."""
        count = self.slabs if self.large else 0
        return [f"slabs/{number}-of-{count}.json" for number in range(1, count + 1)]

    @property
    def about(self) -> Asked:
        """What the study asks, for those who read its results."""
        told = self.model_dump(mode="json", include={"where", "targets", "engines", "ask", "each"})
        return {
            **told,
            "ruleset": self.ruleset.name,
            "title": self.ruleset.title,
            "training": [instance.label for instance in self.train],
            "validation": [instance.label for instance in self.validation],
            "test": [instance.label for instance in self.test],
            "settings": [dict(setting) for setting in dict.fromkeys(i.parameters for i in self.train)],
        }


# -- what a study needs for what it asks -------------------------------------------------------------------------------


def values_of(ruleset: Ruleset, targets: Sequence[Target]) -> Values:
    """What must be solved for, so that every target and claim can be looked at."""
    wanted = {target.values for target in targets}
    wanted |= {claim.target.values for claim in ruleset.claims}
    if any(of == THIS for claim in ruleset.claims for _, of in claim.values):
        wanted.add("grundy")
    return "grundy" if "grundy" in wanted else "outcome"
