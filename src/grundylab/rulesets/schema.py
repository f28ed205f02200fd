"""The form of a ruleset file: which keys there are, which text each takes. Meaning comes in ``elaborate``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from grundylab.validation import Strict


class SourceSpec(Strict):
    """Where the game or claim is printed."""

    paper: str
    at: str = ""


class CaseSpec(Strict):
    """One case of a function: ``{when: z > 0, value: z - 1}`` or ``{otherwise: 0}``."""

    when: str | None = None
    value: str | None = None
    otherwise: str | None = None

    @model_validator(mode="after")
    def _one_form(self) -> CaseSpec:
        if (self.otherwise is None) == (self.when is None) or (self.when is None) != (self.value is None):
            raise ValueError("a case is {when: CONDITION, value: NUMBER} or {otherwise: NUMBER}")
        return self


class FunctionSpec(Strict):
    """A function: one of expression, cases, recurrence (with initial values)."""

    expression: str | None = None
    cases: list[CaseSpec] | None = None
    recurrence: str | None = None
    initial: dict[int, int] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_form(self) -> FunctionSpec:
        forms = [form for form in (self.expression, self.cases, self.recurrence) if form is not None]
        if len(forms) != 1 or self.cases == []:
            raise ValueError("a function is an expression, or 'cases:', or 'recurrence:' with 'initial:'")
        if self.initial and self.recurrence is None:
            raise ValueError("'initial:' goes with 'recurrence:'")
        return self


def _function(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return {"expression": value} if isinstance(value, str) else value


def _parts(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return [value] if isinstance(value, dict) else value


class MoveSpec(Strict):
    """A move: the short form ``{take: t, from: x}``, or choices ``for``, guard ``when``, and ``to``."""

    name: str | None = None
    take: str | None = None
    from_: str | None = Field(default=None, alias="from")
    for_: dict[str, str] = Field(default_factory=dict, alias="for")
    when: str | None = None
    to: Annotated[list[dict[str, str]], BeforeValidator(_parts)] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_form(self) -> MoveSpec:
        if (self.take is None) != (self.from_ is None):
            raise ValueError("'take:' and 'from:' go together, as in {take: t, from: x}")
        if (self.take is None) == (not self.to):
            raise ValueError("a move has either 'take:' and 'from:', or 'to:' (with 'for:' and 'when:')")
        if self.take is not None and self.for_:
            raise ValueError("'for:' goes with 'to:', not with 'take:'")
        return self


class PassSpec(Strict):
    """The one-time pass and the condition under which it may be made."""

    when: str = "True"


class ClaimSpec(Strict):
    """A published formula, as printed."""

    id: str
    at: str = ""
    where: str = "True"
    target: str
    formula: str
    note: str = ""


class RulesetSpec(Strict):
    """A whole ruleset file."""

    title: str
    source: SourceSpec | None = None
    description: str = ""
    extends: str | None = None
    parameters: dict[str, str] = Field(default_factory=dict)
    piles: int | None = Field(default=None, ge=1, le=6)
    position: dict[str, str]
    where: str = "True"
    functions: dict[str, Annotated[FunctionSpec, BeforeValidator(_function)]] = Field(default_factory=dict)
    moves: list[MoveSpec]
    pass_: PassSpec | None = Field(default=None, alias="pass")
    play: Literal["normal", "misere"] = "normal"
    measure: str | None = None
    claims: list[ClaimSpec] = Field(default_factory=list)
