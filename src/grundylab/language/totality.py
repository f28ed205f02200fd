"""Whether an expression surely has a value, so that it may be asked for too early, or in vain."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grundylab.errors import EvaluationError
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Functions
from grundylab.language.intervals import Bounder, Bounds, Interval, tried
from grundylab.language.lowering import lower
from grundylab.language.plain import MAX_RANGE, MAX_SHIFT, MAX_TRIED
from grundylab.language.syntax import Binary, Bounded, Call, Expr, free_names

_ANYTHING: Mapping[str, Interval] = MappingProxyType({})


def is_total(expr: Expr, functions: Functions, known: Bounds = _ANYTHING) -> bool:
    """Whether it has a value wherever the names lie within the bounds that are known of them.

    It may have one without that being seen: no recurrence, and no function known by its values only, is looked into.
    """
    expanded = lower(functions.expand(expr))
    looked = _total(expanded, Bounder(known, functions), functions, set())
    return looked and tried(expanded, known, functions) <= MAX_TRIED


def _total(expr: Expr, bounder: Bounder, functions: Functions, done: set[int]) -> bool:
    """done: the parts that are total, by identity, where these bounds are known."""
    if id(expr) in done:
        return True
    inside = _bounded if isinstance(expr, Bounded) else _plain
    if not inside(expr, bounder, functions, done):
        return False
    done.add(id(expr))
    return True


def _plain(expr: Expr, bounder: Bounder, functions: Functions, done: set[int]) -> bool:
    if not all(_total(child, bounder, functions, done) for child in expr.children):
        return False
    match expr:
        case Binary(op="//" | "%", right=divisor):
            side = _interval(divisor, bounder)
            return side is not None and 0 not in side
        case Binary(op="<<" | ">>", right=shift):
            side = _interval(shift, bounder)
            return side is not None and side.low >= 0 and side.high <= MAX_SHIFT
        case Call(name=name, arguments=(argument, *_)) if name in BUILTINS:
            least = BUILTINS[name].least
            side = None if least is None else _interval(argument, bounder)
            return least is None or (side is not None and side.low >= least)
    return not (isinstance(expr, Call) and expr.name in functions)


def _bounded(expr: Expr, bounder: Bounder, functions: Functions, done: set[int]) -> bool:
    assert isinstance(expr, Bounded)
    if not all(_total(end, bounder, functions, done) for end in (expr.start, expr.stop)):
        return False
    start, stop = _interval(expr.start, bounder), _interval(expr.stop, bounder)
    if start is None or stop is None or stop.high - start.low > MAX_RANGE:
        return False
    inner = bounder.within(expr, start.low, max(start.low + 1, stop.high))
    return _total(expr.body, inner, functions, set())


def _interval(expr: Expr, bounder: Bounder) -> Interval | None:
    """Bounds on the value of a total expression; None if there are none."""
    if not free_names(expr) <= bounder.bounds.keys():
        return None
    try:
        return bounder.bound(expr)
    except EvaluationError:
        return None
