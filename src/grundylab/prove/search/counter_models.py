"""Counter-models: numbers for names and terms, and the values of expressions in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from grundylab.errors import GrundylabError
from grundylab.language.plain import Evaluator, compile_plain
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import Binary, Call, Expr, Int, called_functions, distinct_parts
from grundylab.prove.core.closing import number_name, with_these_numbers

CounterModel = Mapping[str, int]
NO_VALUE = Binary("//", Int(1), Int(0))  # in place of an unknown value: evaluation ends where it needs it


def value_in(expr: Expr, at: CounterModel, terms: tuple[Expr, ...]) -> int | bool | None:
    """Return the expression's value in a model; None if it needs a term that has no number there."""
    free, value = _compiled(expr, _numbered(expr, terms))
    if not free <= at.keys():
        return None
    try:
        return value(at)
    except (GrundylabError, KeyError):
        return None


@lru_cache(maxsize=100_000)
def _numbered(expr: Expr, terms: tuple[Expr, ...]) -> tuple[tuple[Expr, str], ...]:
    """Return the terms that occur in the expression, each with the name of its number."""
    parts = _parts(expr)
    return tuple((term, number_name(index)) for index, term in enumerate(terms) if term in parts)


@lru_cache(maxsize=100_000)
def _parts(expr: Expr) -> frozenset[Expr]:
    return frozenset(distinct_parts(expr))


@lru_cache(maxsize=100_000)
def _compiled(expr: Expr, numbered: tuple[tuple[Expr, str], ...]) -> tuple[frozenset[str], Evaluator]:
    (plain,) = with_these_numbers([expr], dict(numbered))
    unknown = called_functions(plain)
    rest = rewrite(plain, lambda node: NO_VALUE if isinstance(node, Call) and node.name in unknown else node)
    return plain.free, compile_plain(rest)
