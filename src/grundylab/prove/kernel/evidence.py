"""Evidence of each kind: the part of a proof that is not worked out anew. It can be written to a file, and read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator

from grundylab.errors import FormulaError
from grundylab.games.model import Target, parse_target
from grundylab.language import parse
from grundylab.language.parser import MAX_TEXT
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import TRUE, Call, Expr, If, Logic, conjunction, disjunction

_QUALIFIED, _WRITTEN = re.compile(r"\b_([0-9a-f]{16})_(\w+)"), re.compile(r"(\w+)__([0-9a-f]{16})")
MOST_PREMISES, DEEPEST = 2_000, 40  # premises of one rule; depth of premises within premises


def _expression_text(expr: Expr) -> Any:  # noqa: ANN401 - what JSON has
    """Return the text, with unique names that the parser takes; an expression too long to be parsed in its parts."""
    text = _QUALIFIED.sub(r"\2__\1", str(expr))
    if len(text) <= MAX_TEXT or not isinstance(expr, If | Logic):
        return text
    return {expr.op if isinstance(expr, Logic) else "if": [*map(_expression_text, expr.children)]}


def _parse_expression(value: Any) -> Expr:  # noqa: ANN401 - what JSON has
    if isinstance(value, Expr):
        return value
    try:
        return _expression(value)
    except FormulaError as error:
        raise ValueError(error.message) from None


def _expression(value: Any) -> Expr:  # noqa: ANN401 - what JSON has
    if isinstance(value, str):
        return rewrite(parse(value), _with_unique_name)
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError("an expression is a text")
    ((op, terms),) = value.items()
    if not isinstance(terms, list | tuple):
        raise ValueError(f"'{op}' is of a list of expressions")
    parts = [_expression(term) for term in terms]
    if op == "if" and len(parts) == 3:
        return If(*parts)
    if op not in ("and", "or"):
        raise ValueError(f"there is no expression '{op}'")
    return conjunction(*parts) if op == "and" else disjunction(*parts)


def _with_unique_name(node: Expr) -> Expr:
    if isinstance(node, Call) and (form := _WRITTEN.fullmatch(node.name)):
        return Call(f"_{form[2]}_{form[1]}", node.arguments)
    return node


def _target(value: Any) -> Target:  # noqa: ANN401 - what JSON has
    if isinstance(value, Target):
        return value
    try:
        return parse_target(str(value))
    except FormulaError as error:
        raise ValueError(error.message) from None


def _name(value: str) -> str:
    """Return a function's unique name, from the name in the file or unchanged."""
    form = _WRITTEN.fullmatch(value)
    return f"_{form[2]}_{form[1]}" if form else value


FormulaText = Annotated[Expr, PlainValidator(_parse_expression), PlainSerializer(_expression_text)]
TargetText = Annotated[Target, PlainValidator(_target), PlainSerializer(str)]
Called = Annotated[
    str,
    Field(max_length=200),
    PlainValidator(lambda value: _name(str(value))),
    PlainSerializer(lambda name: _QUALIFIED.sub(r"\2__\1", name)),
]
NaturalNumber = Annotated[int, Field(ge=0, le=10**9, strict=True)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Evidence(_Model):
    """Evidence of some kind. premises: of each statement that the rule asks for, in that order."""

    premises: tuple[AnyEvidence, ...] = Field(default=(), max_length=MOST_PREMISES)

    @property
    def kind(self) -> str:
        """The name of its rule."""
        return str(getattr(self, "rule", ""))


class Induction(Evidence):
    """The hypothesis of an induction on the measure: values at all positions of a region.

    levels: for each level set 0, 1, … the condition that a position is in it; empty with ``grundy``, a formula for
    the numbers. condition: the part of the statement's condition that is looked at last; exactly: it is also proved
    that the statement, without that part, is false for all other parameters.
    """

    rule: Literal["induction"] = "induction"
    region: FormulaText = TRUE
    levels: tuple[FormulaText, ...] = ()
    grundy: FormulaText | None = None
    condition: FormulaText = TRUE
    exactly: bool = False


class Computed(Evidence):
    """No choice: every position is computed."""

    rule: Literal["computed"] = "computed"


class Cases(Evidence):
    """No choice: there is a premise for each value of the parameters."""

    rule: Literal["cases"] = "cases"


class Property(_Model):
    """A property of a function of the game: ``condition``, a formula in the names ``arguments``."""

    function: Called
    arguments: tuple[str, ...]
    condition: FormulaText


class PropertyInstance(Evidence):
    """The properties of the game's functions from which alone the statement follows."""

    rule: Literal["instance"] = "instance"
    properties: tuple[Property, ...]


class Fact(_Model):
    """A formula for the values of a looked-up game, at positions where a condition is true."""

    lookup: Called
    target: TargetText
    formula: FormulaText
    where: FormulaText = TRUE


class Abstraction(Evidence):
    """The kind of terms that become numbers, and the facts about them that are used.

    monotone: that the functions are non-decreasing; within: the condition of being a position. For looked-up values:
    mex: 0 uses none of its facts; 2 also uses that no value is more than the measure, and values after moves without
    a choice; known: formulas; new: values that the formulas look up become numbers, too, where they have none yet.
    """

    rule: Literal["abstraction"] = "abstraction"
    terms: Literal["values", "quotients", "lookups", "others"]
    monotone: bool = False
    within: bool = True
    mex: Annotated[int, Field(ge=0, le=2, strict=True)] = 1
    known: tuple[Fact, ...] = Field(default=(), max_length=40)
    new: bool = True


class Constants(Evidence):
    """No choice: coordinates that the condition fixes are replaced by their values."""

    rule: Literal["constants"] = "constants"


class Identities(Evidence):
    """No choice: identities of polynomials are left out."""

    rule: Literal["identities"] = "identities"


class Powers(Evidence):
    """The variable that is an exponent."""

    rule: Literal["powers"] = "powers"
    variable: str


class Equal(Evidence):
    """The proved formula to which the statement's is equal."""

    rule: Literal["equal"] = "equal"
    formula: FormulaText


class KnownValues(_Model):
    """A formula for the values of a looked-up game: of the target, where the condition is true."""

    target: TargetText
    formula: FormulaText
    where: FormulaText = TRUE


class Substitution(Evidence):
    """A look-up, and the formulas that replace its values: one for the numbers, or one for each level."""

    rule: Literal["substitution"] = "substitution"
    lookup: Called
    known: tuple[KnownValues, ...]


class Unfolding(Evidence):
    """No choice: P- and N-positions are replaced by their definition."""

    rule: Literal["unfolding"] = "unfolding"


class Options(Evidence):
    """The condition on options that, by the formula, all options fulfil, or some option does."""

    rule: Literal["options"] = "options"
    quantifier: Literal["every", "some"]
    condition: FormulaText


class Images(Evidence):
    """The terms of the condition that are left out, so that no move leaves the region."""

    rule: Literal["images"] = "images"
    open: tuple[FormulaText, ...] = ()


class WindowEvidence(Evidence):
    """The coordinate that is the pile."""

    rule: Literal["window"] = "window"
    pile: str


class Family(Evidence):
    """The formula for the Grundy numbers, in a region, by which the statement is proved for every function."""

    rule: Literal["family"] = "family"
    region: FormulaText
    value: FormulaText


class Descent(Evidence):
    """A measure, and smaller places, where the condition is assumed: the value of each name there."""

    rule: Literal["descent"] = "descent"
    measure: FormulaText
    smaller: tuple[tuple[tuple[str, FormulaText], ...], ...] = Field(max_length=8)


class Layer(_Model):
    """A recurrence of the state of a layer of rows: at ``first`` and at ``first + period`` it is the same."""

    layer: tuple[NaturalNumber, ...]
    first: NaturalNumber
    period: NaturalNumber
    gap: Annotated[int, Field(strict=True)]
    beyond: tuple[Annotated[int, Field(strict=True)], ...] = ()


class Rows(Evidence):
    """The recurrences of a row and of those below it.

    The statement may be a formula, or be that the row has a ``period``: (preperiod, period), of a row of the
    ``target``.
    """

    rule: Literal["rows"] = "rows"
    axes: tuple[str, ...]
    target: TargetText
    layers: tuple[Layer, ...] = Field(max_length=20_000)
    period: tuple[NaturalNumber, NaturalNumber] | None = None


class HeapEvidence(Evidence):
    """G(n + period) = G(n) for all n >= first, since it is so for first <= n < until.

    The statement may be a formula, or this itself.
    """

    rule: Literal["heap"] = "heap"
    first: NaturalNumber
    period: NaturalNumber
    until: NaturalNumber


# a positive coefficient, and facts
Product = tuple[Annotated[str, Field(pattern=r"^\d{1,40}(/\d{1,40})?$")], tuple[FormulaText, ...]]


class NonnegativityProof(_Model):
    """A reason why a number is not negative: it is a sum of products of facts, or its first value and growth are."""

    whole: tuple[Product, ...] | None = Field(default=None, max_length=1_000)
    base: tuple[Product, ...] | None = Field(default=None, max_length=1_000)
    step: tuple[Product, ...] | None = Field(default=None, max_length=1_000)


class Runs(Evidence):
    """A reason for each number that must not be negative."""

    rule: Literal["runs"] = "runs"
    natural: tuple[tuple[str, NonnegativityProof], ...] = Field(max_length=100)


AnyEvidence = Annotated[
    Induction | Computed | Cases | PropertyInstance | Abstraction | Constants | Identities | Powers | Equal
    | Substitution | Unfolding | Options | Images | WindowEvidence | Family | Descent | Rows | HeapEvidence | Runs,
    Field(discriminator="rule"),
]  # fmt: skip
