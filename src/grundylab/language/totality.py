"""Whether an expression surely has a value, so that it may be asked for too early, or in vain."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Functions
from grundylab.language.intervals import Bounder, Bounds, Interval, placed
from grundylab.language.lowering import lower
from grundylab.language.plain import MAX_RANGE, MAX_SHIFT, MAX_TRIED
from grundylab.language.syntax import Binary, Bounded, Call, Expr

_ANYTHING: Mapping[str, Interval] = MappingProxyType({})


def is_total(expr: Expr, functions: Functions, known: Bounds = _ANYTHING) -> bool:
    """Whether it has a value wherever the names lie within the bounds that are known of them.

    It may have one without that being seen: no recurrence, and no function known by its values only, is looked into.
    """
    parts = placed(lower(functions.expand(expr)), Bounder(known, functions))
    return all(around <= MAX_TRIED and _is_total(part, bounder, functions) for part, bounder, around in parts)


def _is_total(expr: Expr, bounder: Bounder, functions: Functions) -> bool:
    """If its children are, but for the body of a range: so what is known of their values is of all of them."""
    match expr:
        case Binary(op="//" | "%", right=divisor):
            side = bounder.known(divisor)
            return side is not None and 0 not in side
        case Binary(op="<<" | ">>", right=shift):
            side = bounder.known(shift)
            return side is not None and side.low >= 0 and side.high <= MAX_SHIFT
        case Call(name=name, arguments=(argument, *_)) if name in BUILTINS:
            least = BUILTINS[name].least
            side = None if least is None else bounder.known(argument)
            return least is None or (side is not None and side.low >= least)
        case Bounded(start=start, stop=stop):
            low, high = bounder.known(start), bounder.known(stop)
            return low is not None and high is not None and high.high - low.low <= MAX_RANGE
    return not (isinstance(expr, Call) and expr.name in functions)
