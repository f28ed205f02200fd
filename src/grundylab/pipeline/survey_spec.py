"""The keys of a survey's file: a ruleset with slots, and the questions about each game."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator

from grundylab.discover import FINDERS, uses_seed
from grundylab.games.fields import TargetField
from grundylab.games.schema import PlainNumber, RulesetSpec
from grundylab.games.yamlfile import Strict, parse_span
from grundylab.pipeline.study import Budget, InstancesSpec, ProofTimeout, RowsAsked, known_engines

MAX_SLOTS = 8
MAX_VALUES = 1_000  # the most values of a slot, unless they are generated


class GrammarSpec(Strict):
    """The expressions up to a size: ``{size: 3, of: [x, y, 1], with: [+, min]}``."""

    size: Annotated[PlainNumber, Field(ge=1, le=12)] = Field(
        description="The largest size of an expression: the number of its parts and signs."
    )
    of: list[str] = Field(min_length=1, max_length=MAX_VALUES, description="The parts, each counted as one.")
    with_: list[str] = Field(
        alias="with",
        min_length=1,
        max_length=MAX_VALUES,
        description="The signs that join them: operators, comparisons, and, or, not, built-in functions.",
    )
    kind: str = Field(default="number", description="The kind of the expressions: number or condition.")

    @model_validator(mode="after")
    def _a_kind(self) -> GrammarSpec:
        if self.kind not in ("number", "condition"):
            raise ValueError(f"'kind:' is number or condition, not '{self.kind}'")
        return self


def _values(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """Return as a list what is written as a range of numbers or as a single text."""
    if (span := parse_span(value)) is not None:
        if not 1 <= len(span) <= MAX_VALUES:
            raise ValueError(f"{value} has {len(span):,} values; 1 to {MAX_VALUES:,} are allowed here")
        return list(map(str, span))
    return [value] if isinstance(value, str) else value


SlotValues = Annotated[
    list[str],
    Field(min_length=1, max_length=MAX_VALUES),
    BeforeValidator(_values, json_schema_input_type=str | list[str]),
]
SlotSpec = Annotated[
    Annotated[SlotValues, Tag("listed")] | Annotated[GrammarSpec, Tag("grammar")],
    Discriminator(lambda value: "grammar" if isinstance(value, dict) else "listed"),
]


class DiscoverySpec(Strict):
    """The search for formulas in a game whose claims are all refuted."""

    target: TargetField = Field(
        default="p",
        validate_default=True,
        description="The target of the formulas: p, or grundy, as in a claim.",
    )
    test: InstancesSpec = Field(
        description="Larger tables, on which a formula is tested before the prover runs; engines train on "
        "smaller ones."
    )
    budget: Budget = 2
    engines: Annotated[tuple[str, ...], AfterValidator(known_engines)] = Field(
        default=tuple(engine for engine in FINDERS if not uses_seed(engine)),
        description="The engines, run in turn until one finds an answer; by default all that are not random.",
    )


class SurveySpec(RulesetSpec):
    """The keys of a survey's file: those of a ruleset, and more."""

    slots: dict[str, SlotSpec] = Field(
        min_length=1,
        max_length=MAX_SLOTS,
        description="Names with a different value in each game, and their possible values: a list, in which earlier "
        "slots may be named, a range of numbers, or the expressions up to a size. A slot with the name of a parameter "
        "fixes it.",
    )
    small: InstancesSpec | None = Field(
        default=None,
        description="The tables of each game that are solved first. The prover skips claims that they refute "
        "for every parameter setting.",
    )
    rows: RowsAsked | None = Field(
        default=None, description="The rows of each game whose periods are searched for."
    )
    discover: DiscoverySpec | None = Field(
        default=None, description="The search for formulas in games whose claims are all refuted."
    )
    proof_timeout: ProofTimeout = 20
    games_a_job: int = Field(default=50, ge=1, description="The number of games of one job of the workflow.")

    @model_validator(mode="after")
    def _asks(self) -> SurveySpec:
        if not self.claims and self.rows is None and self.discover is None:
            raise ValueError(
                "a survey needs a question: 'claims:', 'rows:' for periods, or 'discover:' for formulas"
            )
        return self

    @model_validator(mode="after")
    def _tests_beyond(self) -> SurveySpec:
        if self.small is None or self.discover is None:
            return self
        learnt = {name: max(values) for name, values in self.small.bounds.items() if values}
        for name, values in self.discover.test.bounds.items():
            if name in learnt and values and max(values) <= learnt[name]:
                raise ValueError(
                    f"discover.test: {name} is at most {max(values)}, and {learnt[name]} in small:; give a larger one, "
                    "since formulas learnt from small: are checked here"
                )
        return self
