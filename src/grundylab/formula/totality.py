"""Whether an expression surely has a value, so that it may be asked for too early, or in vain."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grundylab.errors import EvaluationError
from grundylab.formula.functions import Functions
from grundylab.formula.intervals import Bounds, Interval, interval, tried
from grundylab.formula.lowering import lower
from grundylab.formula.plain import MAX_RANGE, MAX_SHIFT, MAX_TRIED
from grundylab.formula.syntax import Binary, Bounded, Call, Expr, free_names

_ANYTHING: Mapping[str, Interval] = MappingProxyType({})


def is_total(expr: Expr, functions: Functions, known: Bounds = _ANYTHING) -> bool:
    """Whether it has a value wherever the names lie within the bounds that are known of them.

    It may have one without that being seen: no recurrence, and no function known by its values only, is looked into.
    """
    expanded = lower(functions.expand(expr))
    return _total(expanded, known, functions) and tried(expanded, known, functions) <= MAX_TRIED


def _total(expr: Expr, known: Bounds, functions: Functions) -> bool:
    if isinstance(expr, Bounded):
        return _bounded(expr, known, functions)
    if not all(_total(child, known, functions) for child in expr.children):
        return False
    match expr:
        case Binary(op="//" | "%", right=divisor):
            side = _interval(divisor, known, functions)
            return side is not None and 0 not in side
        case Binary(op="<<" | ">>", right=shift):
            side = _interval(shift, known, functions)
            return side is not None and side.low >= 0 and side.high <= MAX_SHIFT
        case Call(name="isqrt" | "floor_log2" as name, arguments=(argument,)):
            side = _interval(argument, known, functions)
            return side is not None and side.low >= (name == "floor_log2")
    return not (isinstance(expr, Call) and expr.name in functions)


def _bounded(expr: Bounded, known: Bounds, functions: Functions) -> bool:
    if not all(_total(end, known, functions) for end in (expr.start, expr.stop)):
        return False
    start, stop = _interval(expr.start, known, functions), _interval(expr.stop, known, functions)
    if start is None or stop is None or stop.high - start.low > MAX_RANGE:
        return False
    inner = {**known, expr.variable: Interval(start.low, max(start.low, stop.high - 1))}
    return _total(expr.body, inner, functions)


def _interval(expr: Expr, known: Bounds, functions: Functions) -> Interval | None:
    """Bounds on the value of a total expression; None if there are none."""
    if not free_names(expr) <= known.keys():
        return None
    try:
        return interval(expr, known, functions)
    except EvaluationError:
        return None
