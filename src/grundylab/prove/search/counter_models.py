"""Counter-models: numbers for names and terms, and the values of expressions in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.language.plain import Evaluator, compile_plain
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, called_functions, distinct_parts
from grundylab.prove.core.closing import number_name, with_these_numbers

CounterModel = Mapping[Expr, int]  # a condition has the number 0 if it is false
NO_VALUE = Binary("//", Int(1), Int(0))  # in place of an unknown value: evaluation ends where it needs it


def value_in(expr: Expr, at: CounterModel) -> int | bool | None:
    """Return the expression's value in a model; None if it needs a name or a value of a position without a number."""
    names, needed, value = _compiled(expr, tuple([term for term in _terms(expr) if term in at]))
    try:
        return value(dict(zip(names, map(at.__getitem__, needed), strict=True)))
    except (GrundylabError, KeyError):
        return None


@lru_cache(maxsize=100_000)
def _terms(expr: Expr) -> tuple[Expr, ...]:
    """Return the parts of an expression that may have a number in a model, without names."""
    return tuple(dict.fromkeys(part for part in distinct_parts(expr) if not isinstance(part, Name | Int)))


@lru_cache(maxsize=100_000)
def _compiled(expr: Expr, terms: tuple[Expr, ...]) -> tuple[tuple[str, ...], tuple[Expr, ...], Evaluator]:
    """Return how to evaluate the expression if these terms have numbers: names, what each of them is, and the value."""
    numbers = {term: number_name(index) for index, term in enumerate(terms)}
    (plain,) = with_these_numbers([expr], numbers)
    unknown = called_functions(plain)
    rest = rewrite(plain, lambda node: NO_VALUE if isinstance(node, Call) and node.name in unknown else node)
    free = sorted(plain.free - {*numbers.values()})
    return (*numbers.values(), *free), (*terms, *map(Name, free)), compile_plain(rest)
