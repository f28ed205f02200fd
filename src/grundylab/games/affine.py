"""What is linear in a move, read as numbers and written in one way: ``-t + x`` is ``x - t``.

Which way a game is solved is read off its moves, and must not depend on how they are spelled. So moves are put so where
they are read from a file, and where parameters become numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from grundylab.language.linear import poly
from grundylab.language.syntax import Binary, Expr, Int, Name, Negate, parts

Affine = Mapping[str, int]  # a multiple of each name, and of 1 under ONE; no multiple is 0
ONE = ""


def affine(expr: Expr) -> Affine | None:
    """The expression as a sum of multiples of names and a number; None if it is not written as one."""
    if not all(isinstance(part, Int | Name | Negate) or _linear(part) for part in parts(expr)):
        return None  # not even 0 times something that may have no value
    found = {}
    for monomial, coefficient in poly(expr).terms:
        match monomial:
            case ():
                found[ONE] = coefficient
            case (Name(id=name),):
                found[name] = coefficient
            case _:
                return None
    return found


def _linear(part: Expr) -> bool:
    return isinstance(part, Binary) and part.op in ("+", "-", "*")


def plainly(expr: Expr) -> Expr:
    """A number, a name, a name and a number, or the difference of two names as one would write it; others as they
    are."""
    form = affine(expr)
    if form is None:
        return expr
    factors = sorted(form[name] for name in form if name != ONE)
    short = factors in ([], [1]) or (factors == [-1, 1] and ONE not in form)
    return poly(expr).expression() if short else expr
