"""Terms that automata cannot read, such as a remainder by a variable or a Grundy value."""

from __future__ import annotations

from functools import lru_cache

from grundylab.language.syntax import Binary, Bounded, Call, Expr, Int, Kind
from grundylab.prove.core.closing import exponent_of_power

READABLE = {"min", "max", "abs", "is_power_of_two"}


@lru_cache(maxsize=100_000)
def opaque_terms(expr: Expr) -> tuple[Expr, ...]:
    """Return the outermost terms that automata cannot read, in which no bound variable of the expression occurs."""
    terms = dict[Expr, None]()
    _collect(expr, terms)
    return tuple(terms)


def _collect(expr: Expr, terms: dict[Expr, None]) -> bool:
    """Add the unreadable terms of the expression; return False if it is one itself."""
    if isinstance(expr, Bounded):
        inner = dict[Expr, None]()
        for child in expr.children:
            _collect(child, inner)
        if any(expr.variable in term.free for term in inner) or expr.kind is Kind.NUMBER:
            terms[expr] = None
            return False
        terms.update(inner)
        return True
    if not is_read_with_its_parts(expr):
        terms[expr] = None
        return False
    log = exponent_of_power(expr)
    for child in expr.children if log is None else log.arguments:
        _collect(child, terms)
    return True


def is_read_with_its_parts(expr: Expr) -> bool:
    """Tell whether automata can read the expression if they can read its parts."""
    match expr:
        case Binary(op="//" | "%", right=right):
            return isinstance(right, Int) and right.value != 0
        case Binary(op="<<" | ">>", right=right):
            return isinstance(right, Int) or exponent_of_power(expr) is not None
        case Binary(op="*", left=left, right=right):
            return not (left.free and right.free)
        case Call(name=name):
            return name in READABLE
    return True
