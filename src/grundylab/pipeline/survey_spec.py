"""A survey's file, as its keys say it: a ruleset with slots, and what is asked of each game."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from grundylab.discover import FINDERS, uses_seed
from grundylab.games.schema import Number, RulesetSpec
from grundylab.games.yamlfile import Strict, span_of
from grundylab.pipeline.study import Budget, InstancesSpec, ProofTimeout, RowsAsked

MAX_SLOTS = 8
MAX_VALUES = 1_000  # listed ones of a slot


class GrammarSpec(Strict):
    """The expressions up to a size: ``{size: 3, of: [x, y, 1], with: [+, min]}``."""

    size: Annotated[Number, Field(ge=1, le=12)] = Field(
        description="How many parts and signs an expression has at most."
    )
    of: list[str] = Field(min_length=1, max_length=MAX_VALUES, description="The parts, each counted as one.")
    with_: list[str] = Field(
        alias="with",
        min_length=1,
        max_length=MAX_VALUES,
        description="The signs that join them: operators, comparisons, and, or, not, built-in functions.",
    )
    kind: str = Field(default="number", description="What is wanted of them: number or condition.")

    @model_validator(mode="after")
    def _a_kind(self) -> GrammarSpec:
        if self.kind not in ("number", "condition"):
            raise ValueError(f"'kind:' is number or condition, not '{self.kind}'")
        return self


def _values(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """A range of numbers, or a single text, as a list."""
    if (span := span_of(value)) is not None:
        if not 1 <= len(span) <= MAX_VALUES:
            raise ValueError(f"{value} are {len(span):,} values; 1 to {MAX_VALUES:,} are needed here")
        return list(map(str, span))
    return [value] if isinstance(value, str) else value


Listed = Annotated[
    list[str],
    Field(min_length=1, max_length=MAX_VALUES),
    BeforeValidator(_values, json_schema_input_type=str | list[str]),
]
SlotSpec = Annotated[
    Annotated[Listed, Tag("listed")] | Annotated[GrammarSpec, Tag("grammar")],
    Discriminator(lambda value: "grammar" if isinstance(value, dict) else "listed"),
]


class DiscoverySpec(Strict):
    """What is looked for where no claim is left of a game."""

    target: str = Field(default="p", description="What a formula is looked for: p, or grundy, as in a claim.")
    test: InstancesSpec = Field(
        description="Larger tables, on which what is found is checked before it goes to the prover: nothing as large "
        "is learnt from."
    )
    budget: Budget = 2
    engines: list[str] = Field(
        default=[engine for engine in FINDERS if not uses_seed(engine)],
        description="The engines, which take turns until an answer stands: all that do not draw by lot, if not said.",
    )


class SurveySpec(RulesetSpec):
    """A whole survey file: a ruleset with slots."""

    slots: dict[str, SlotSpec] = Field(
        min_length=1,
        max_length=MAX_SLOTS,
        description="Names that stand for something else in each game, with what they may stand for: a list, in which "
        "earlier slots may be named, a range of numbers, or the expressions up to a size. The name of a parameter "
        "fixes it.",
    )
    small: InstancesSpec | None = Field(
        default=None,
        description="The tables that are solved first of each game: what they refute for all of their parameters is "
        "not asked further.",
    )
    rows: RowsAsked | None = Field(
        default=None, description="The rows of each game whose periods are looked for."
    )
    discover: DiscoverySpec | None = Field(
        default=None, description="What is looked for in games of which no claim is left."
    )
    proof_timeout: ProofTimeout = 20
    games_a_job: int = Field(default=50, ge=1, description="How many games one job of the workflow looks at.")

    @model_validator(mode="after")
    def _asks(self) -> SurveySpec:
        if not self.claims and self.rows is None and self.discover is None:
            raise ValueError(
                "a survey asks something of each game: 'claims:', 'rows:' for periods, or 'discover:' for formulas"
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
                    f"discover.test: {name} is at most {max(values)}, and {learnt[name]} in small:, from which is "
                    "learnt: what is found is checked on larger tables"
                )
        return self
