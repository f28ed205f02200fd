"""What is linear in a move, read as numbers and written in one way: ``-t + x`` is ``x - t``.

Which way a game is solved is read off its moves, and must not depend on how they are spelled. So moves are put so where
they are read from a file, and where parameters become numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from grundylab.language.syntax import Binary, Expr, Int, Name, Negate

Affine = Mapping[str, int]  # a multiple of each name, and of 1 under ONE; no multiple is 0
ONE = ""


def affine(expr: Expr) -> Affine | None:
    """The expression as a sum of multiples of names and a number; None if it is not written as one."""
    return _affine(expr, {})


def _affine(expr: Expr, done: dict[int, Affine | None]) -> Affine | None:
    if id(expr) not in done:
        done[id(expr)] = _sum(expr, done)
    return done[id(expr)]


def _sum(expr: Expr, done: dict[int, Affine | None]) -> Affine | None:
    match expr:
        case Int(value=value):
            return {ONE: value} if value else {}
        case Name(id=name):
            return {name: 1}
        case Negate(operand=operand):
            return _combined({}, _affine(operand, done), -1)
        case Binary(op="+" | "-" as op, left=left, right=right):
            return _combined(_affine(left, done), _affine(right, done), 1 if op == "+" else -1)
        case Binary(op="*", left=left, right=right):
            a, b = _affine(left, done), _affine(right, done)
            if a is None or b is None or not (a.keys() <= {ONE} or b.keys() <= {ONE}):
                return None
            factor, form = (a, b) if a.keys() <= {ONE} else (b, a)
            return _combined({}, form, factor.get(ONE, 0))
    return None


def _combined(left: Affine | None, right: Affine | None, factor: int) -> Affine | None:
    """left + factor * right."""
    if left is None or right is None:
        return None
    total = {name: left.get(name, 0) + factor * right.get(name, 0) for name in (*left, *right)}
    return {name: value for name, value in total.items() if value}


def plainly(expr: Expr) -> Expr:
    """A number, a name, a name and a number, or the difference of two names as one would write it; others as they
    are."""
    form = affine(expr)
    if form is None:
        return expr
    offset = form.get(ONE, 0)
    names = sorted((name for name in form if name != ONE), key=lambda name: -form[name])
    match [form[name] for name in names]:
        case []:
            return Int(offset)
        case [1] if offset == 0:
            return Name(names[0])
        case [1]:
            return Binary("+" if offset > 0 else "-", Name(names[0]), Int(abs(offset)))
        case [1, -1] if offset == 0:
            return Binary("-", Name(names[0]), Name(names[1]))
    return expr
