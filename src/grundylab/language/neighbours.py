"""Neighbours of an expression, which are equal to it but for one part; and steps from one to a cheaper one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Expr

Path = tuple[int, ...]  # of a part: the index of the child to take at each step from the root


def with_part(expr: Expr, path: Path, part: Expr) -> Expr:
    """Return the expression with the part at ``path`` replaced."""
    if not path:
        return part
    children = list(expr.children)
    children[path[0]] = with_part(children[path[0]], path[1:], part)
    return rebuild(expr, tuple(children))


def neighbours(expr: Expr, changes: Callable[[Expr], Iterable[Expr]]) -> Iterator[Expr]:
    """Yield the expression with one part changed. changes: returns what may stand in place of a part."""
    yield from changes(expr)
    for number, child in enumerate(expr.children):
        for other in neighbours(child, changes):
            yield with_part(expr, (number,), other)


def cheapest(
    expr: Expr,
    ways: Callable[[Expr], Iterable[Expr]],
    fits: Callable[[Expr], bool],
    cost: Callable[[Expr], Any],
) -> Expr:
    """Return the expression that steps to cheaper ones lead to, each to the cheapest that fits, until none does.

    ways: returns the expressions to which a step may lead. cost: returns numbers that can be compared.
    """
    while True:
        here, forms = cost(expr), {str(form): form for form in ways(expr)}
        costs = sorted((price, text) for text, form in forms.items() if (price := cost(form)) < here)
        better = next((forms[text] for _, text in costs if fits(forms[text])), None)
        if better is None:
            return expr
        expr = better
