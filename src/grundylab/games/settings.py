"""Which values of the parameters a condition leaves, where these are finitely many and can be listed."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, product
from math import prod

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language.plain import evaluate
from grundylab.language.syntax import (
    MIRRORED,
    Compare,
    Expr,
    Int,
    Logic,
    Name,
    Negate,
    conjunction,
    free_names,
)

Setting = tuple[tuple[str, int], ...]  # each parameter with its value, in the ruleset's order
MOST = 10_000  # settings that are gone through one by one

_Ends = tuple[int | None, int | None]


def settings(ruleset: Ruleset, where: Expr) -> frozenset[Setting] | None:
    """All settings of the parameters in their domains of which ``where`` may be true; None if they are too many.

    Of ``where`` only what it says of the parameters alone counts, so a setting more may be listed, and none is missing.
    """
    names = ruleset.parameter_names
    condition = conjunction(*(parameter.domain for parameter in ruleset.parameters), where)
    terms = condition.terms if isinstance(condition, Logic) and condition.op == "and" else (condition,)
    asked = [term for term in terms if free_names(term) <= set(names)]
    spans = []
    for name in names:
        low, high = _ends(conjunction(*asked), name)
        if low is None or high is None:
            return None
        spans.append(range(low, high + 1))
    if prod(len(span) for span in spans) > MOST:
        return None
    every = (tuple(zip(names, values, strict=True)) for values in product(*spans))
    return frozenset(setting for setting in every if _may(asked, dict(setting), ruleset))


def _may(asked: Iterable[Expr], values: dict[str, int], ruleset: Ruleset) -> bool:
    """Whether no condition says that these are not meant."""
    for condition in asked:
        try:
            if not evaluate(condition, values, ruleset.functions):
                return False
        except GrundylabError:
            continue
    return True


def _ends(condition: Expr, name: str) -> _Ends:
    """Between which values the condition holds the name; None for an end that is not plain from it."""
    match condition:
        case Logic(op="and", terms=terms):
            found = [_ends(term, name) for term in terms]
            lows, highs = ([end for end in ends if end is not None] for ends in zip(*found, strict=True))
            return max(lows, default=None), min(highs, default=None)
        case Logic(op="or", terms=terms):
            low, high = zip(*(_ends(term, name) for term in terms), strict=True)
            return (None if None in low else min(low), None if None in high else max(high))
        case Compare(ops=ops, terms=terms):
            return _chain(ops, terms, name)
    return None, None


def _chain(ops: tuple[str, ...], terms: tuple[Expr, ...], name: str) -> _Ends:
    low: int | None = None
    high: int | None = None
    for op, (left, right) in zip(ops, pairwise(terms), strict=True):
        if right == Name(name):
            op, left, right = MIRRORED[op], right, left
        end = _number(right)
        if left != Name(name) or end is None:
            continue
        if op in ("<", "<=", "=="):
            most = end - (op == "<")
            high = most if high is None else min(high, most)
        if op in (">", ">=", "=="):
            least = end + (op == ">")
            low = least if low is None else max(low, least)
    return low, high


def _number(expr: Expr) -> int | None:
    match expr:
        case Int(value=value):
            return value
        case Negate(operand=Int(value=value)):
            return -value
    return None
