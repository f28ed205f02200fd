"""Narrower ranges of choices: a condition such as ``t*t <= n`` leaves only t up to ``isqrt(n)`` to try.

A compiled kernel then visits the square root of the choices, and products of them fit 64 bits in larger tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grundylab.games.instance import Instance
from grundylab.games.model import Move, Range, Ranged
from grundylab.language import Expr
from grundylab.language.functions import always_has_a_value
from grundylab.language.syntax import (
    Binary,
    Call,
    Compare,
    Int,
    Name,
    conjuncts,
    free_names,
)


def narrowed(instance: Instance) -> Instance:
    """Return the instance with narrower ranges of choices, where conditions allow it; its options are the same."""
    moves = tuple(map(_narrowed_move, instance.ruleset.moves))
    return replace(instance, ruleset=replace(instance.ruleset, moves=moves))


def _narrowed_move(move: Move) -> Move:
    """Return the move with the upper ends of its choices lowered to the roots that its first conditions give.

    The conditions are read up to the first that may have no value. So no error of the rules is hidden, and none is
    added.
    """
    choices = {choice.name: choice for choice in move.choices}
    if not all(always_has_a_value(end) for choice in move.choices for end in choice.ends):
        return move
    for condition in conjuncts(move.when):
        if not always_has_a_value(condition):
            break
        for name, end in _roots(condition):
            if name in choices:
                unknown = list(choices)[list(choices).index(name) :]  # the choice itself, and those after it
                if not free_names(end) & set(unknown):
                    low, high = choices[name].ends
                    choices[name] = Ranged(name, Range(low, Call("min", (high, end))))
    return replace(move, choices=tuple(choices.values()))


def _roots(condition: Expr) -> Iterator[tuple[str, Expr]]:
    """Yield (name, end) for each comparison of the condition that says that a power of the name is at most a number.

    The power is a product of 2, 4, 8, … equal names; the end is the root of the number, rounded down.
    """
    if not isinstance(condition, Compare):
        return
    for op, left, right in zip(condition.ops, condition.terms, condition.terms[1:], strict=False):
        if op in (">", ">="):
            op, left, right = op.replace(">", "<"), right, left
        factors = list(_factors(left))
        if op not in ("<", "<=") or not isinstance(factors[0], Name) or len(set(factors)) > 1:
            continue
        count = len(factors)
        if count > 1 and not count & (count - 1):
            end: Expr = Call("max", (right if op == "<=" else Binary("-", right, Int(1)), Int(0)))
            for _ in range(count.bit_length() - 1):
                end = Call("isqrt", (end,))
            yield factors[0].id, end


def _factors(product: Expr) -> Iterator[Expr]:
    if isinstance(product, Binary) and product.op == "*":
        yield from _factors(product.left)
        yield from _factors(product.right)
    else:
        yield product
