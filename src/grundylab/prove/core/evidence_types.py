"""Evidence of the core: for each of its rules a type that holds what the rule does not work out for itself.

Evidence can be stored in files; its expressions are stored as texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, PlainValidator

from grundylab.errors import FormulaError
from grundylab.games.model import Target, parse_target
from grundylab.language.parser import MAX_TEXT, parse_stored
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import TRUE, Call, Expr, If, Logic, conjunction, disjunction

_QUALIFIED, _WRITTEN = re.compile(r"\b_([0-9a-f]{64})_(\w+)"), re.compile(r"(\w+)__([0-9a-f]{64})")

DEEPEST = 250  # operators within operators: for each, what reads an expression calls itself


def _expression_text(expr: Expr) -> Any:  # noqa: ANN401 - what JSON has
    """Return the expression as text, or, if that is too long for the parser, as a mapping of its operator to its parts.

    A function's unique name is written in a form that the parser accepts.
    """
    text = _QUALIFIED.sub(r"\2__\1", str(expr))
    if len(text) <= MAX_TEXT or not isinstance(expr, If | Logic):
        return text
    return {expr.op if isinstance(expr, Logic) else "if": [*map(_expression_text, expr.children)]}


def _parse_expression(value: Any) -> Expr:  # noqa: ANN401 - what JSON has
    if isinstance(value, Expr):
        return value
    try:
        expr = _expression(value)
    except FormulaError as error:
        raise ValueError(error.message) from None
    if expr.depth > DEEPEST:
        raise ValueError(f"an expression is nested more than {DEEPEST} deep")
    return expr


def _expression(value: Any) -> Expr:  # noqa: ANN401 - what JSON has
    if isinstance(value, str):
        return rewrite(parse_stored(value, generated=True), _with_unique_name)
    if not isinstance(value, Mapping) or len(value) != 1:
        raise ValueError("an expression is a text, or a mapping with one operator")
    ((op, terms),) = value.items()
    if not isinstance(terms, list | tuple):
        raise ValueError(f"'{op}' needs a list of expressions")
    parts = [_expression(term) for term in terms]
    if op == "if" and len(parts) == 3:
        return If(*parts)
    if op not in ("and", "or"):
        raise ValueError(
            f"'{op}' is no operator of expressions, or has the wrong number of them: use and, or, if"
        )
    return conjunction(*parts) if op == "and" else disjunction(*parts)


def _with_unique_name(node: Expr) -> Expr:
    return Call(_name(node.name), node.arguments) if isinstance(node, Call) else node


def _target(value: Any) -> Target:  # noqa: ANN401 - what JSON has
    if isinstance(value, Target):
        return value
    try:
        return parse_target(str(value))
    except FormulaError as error:
        raise ValueError(error.message) from None


def _name(value: str) -> str:
    """Return a function's unique name, read from its form in a file; any other name is returned unchanged."""
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


class EvidenceModel(BaseModel):
    """A part of evidence: immutable, and without fields that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class Solution(EvidenceModel):
    """The formulas of a solution: Grundy values, or level sets, at all positions of a region.

    levels: for each Grundy value 0, 1, … the condition that a position has it; empty if ``grundy`` is given. Under
    misère play the only level is the set of the P-positions. grundy: a formula for the Grundy values. condition: terms
    of the statement's condition that mention parameters alone, and that automata apply last. exactly: whether to prove
    also that, without these terms, the statement is false for all parameters that do not fulfil them.
    """

    region: FormulaText = TRUE
    levels: tuple[FormulaText, ...] = ()
    grundy: FormulaText | None = None
    condition: FormulaText = TRUE
    exactly: bool = False
