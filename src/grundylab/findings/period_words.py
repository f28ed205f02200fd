"""Formulas of one number in words: the least period of their values, and the number from which on it holds.

A formula is eventually periodic if its number occurs only in remainders by constants and in comparisons with constants.
Beyond the largest of these constants the comparisons do not change, and the values repeat with the least common
multiple of the divisors. So finitely many values determine both numbers, and the words are as exact as the formula.
"""

from __future__ import annotations

from functools import lru_cache
from math import lcm

from grundylab.errors import GrundylabError
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Accepts, Binary, Bounded, Call, Compare, Expr, Int, Name

_MOST = 5_000  # the most values that are computed
READ_AT_ONCE = 20  # nodes of a formula that is plainer than any words


@lru_cache(maxsize=256)
def period_in_words(formula: Expr) -> str | None:
    """Return ``period 12 from 71 on``; None for a short formula, and for one that is not seen to be periodic.

    Both numbers are the least ones of the formula's values at 0, 1, 2, …
    """
    if formula.size <= READ_AT_ONCE or len(formula.free) != 1:
        return None
    bounds = _start_and_multiple(formula)
    if bounds is None or sum(bounds) > _MOST:
        return None
    (start, multiple), (name,) = bounds, formula.free
    try:
        values = [evaluate(formula, {name: number}) for number in range(start + multiple)]
    except GrundylabError:  # it has no value somewhere
        return None
    cycle = values[start:]
    period = next(
        length
        for length in range(1, multiple + 1)
        if multiple % length == 0 and cycle == cycle[length:] + cycle[:length]
    )
    while start and values[start - 1] == cycle[(period - 1) % multiple]:
        start, cycle = start - 1, [values[start - 1], *cycle[:-1]]
    return None if period == 1 else period_text(start, period)


def period_text(preperiod: int, period: int) -> str:
    """Return ``period 12 from 71 on``, or ``period 12`` without a preperiod."""
    return f"period {period:,}" + (f" from {preperiod:,} on" if preperiod else "")


def _start_and_multiple(expr: Expr) -> tuple[int, int] | None:
    """Return a number from which on the expression's values repeat, and a multiple of their period; None if unknown."""
    match expr:
        case Binary("%", Name(), Int(divisor)) if divisor > 0:
            return 0, divisor
        case Compare(terms=terms) if all(isinstance(term, Name | Int) for term in terms):
            return max((term.value + 1 for term in terms if isinstance(term, Int)), default=0), 1
        case Name() | Call() | Accepts() | Bounded():
            return None
    parts = [_start_and_multiple(child) for child in expr.children]
    periods = [part for part in parts if part is not None]
    if len(periods) < len(parts):
        return None
    return max((start for start, _ in periods), default=0), lcm(*(multiple for _, multiple in periods))
