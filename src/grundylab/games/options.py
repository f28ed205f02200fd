"""That every or some option of a position fulfils a condition, as a condition on the position itself."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.errors import FormulaError
from grundylab.games.model import Move, OfOptions, Ranged, Ruleset
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Bounded, Expr, Int, Not, Quantifier, conjunction, disjunction


def condition_of(printed: OfOptions, ruleset: Ruleset) -> Expr:
    """The condition written out: a bounded quantifier for each choice of each move."""
    if ruleset.splits:
        raise FormulaError("moves that split lead to sums: their options are no positions")
    if printed.quantifier == "every":
        return Not(_some(Not(printed.condition), ruleset, ruleset.moves))
    return _some(printed.condition, ruleset, ruleset.moves)


def movable(ruleset: Ruleset) -> Expr:
    """That some move is possible; a pass is where another move is."""
    return disjunction(
        *(quantified("any", move.choices, move.when) for move in ruleset.moves if not move.a_pass)
    )


def _some(condition: Expr, ruleset: Ruleset, moves: Sequence[Move]) -> Expr:
    return disjunction(*(_after(move, condition, ruleset) for move in moves))


def _after(move: Move, condition: Expr, ruleset: Ruleset) -> Expr:
    """That the move can be made to where the condition is true."""
    (part,) = move.parts
    there = substitute(condition, dict(zip(ruleset.coordinate_names, part, strict=True)))
    inner = quantified("any", move.choices, conjunction(move.when, there))
    if move.a_pass:  # only where there is something else to do
        inner = conjunction(move.when, movable(ruleset), inner)
    return inner


def quantified(quantifier: Quantifier, over: Sequence[Ranged], inner: Expr) -> Expr:
    """That the condition is true for any, or for all, of the numbers."""
    for each in reversed(over):
        stop = Binary("+", each.range.high, Int(1))
        inner = Bounded(quantifier, each.name, each.range.low, stop, inner)
    return inner
