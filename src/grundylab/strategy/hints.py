"""Terms that a formula for P-positions suggests for the choice of a move.

They are the formula solved for a coordinate that the move changes, its parts, and its parts as functions: of
``(abs(x - y) + isqrt(5 * abs(x - y) * abs(x - y))) // 2`` also ``(y + isqrt(5 * y * y)) // 2``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from grundylab.discover.rewriting import simplify, tidy
from grundylab.games.model import Move
from grundylab.language.builtins import BUILTINS
from grundylab.language.linear import atom_polynomial
from grundylab.language.numeration import square_of_system
from grundylab.language.operators import OPERATORS
from grundylab.language.parser import parse
from grundylab.language.substitution import replace_part, substitute
from grundylab.language.syntax import (
    Accepts,
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Kind,
    Name,
    chain,
    distinct_parts,
    free_names,
)
from grundylab.strategy.lines import Aim

PARTS = 12  # parts of the formula that are suggested
LARGEST = 30  # nodes of a part
SOLVED, APPLIED = 2, 2  # costs of terms that are no parts of the formula
_NEW = "_new"  # stands for the new value of a coordinate, or for an argument


def hints(aim: Aim, move: Move, choice: str, names: Sequence[str]) -> dict[Expr, int]:
    """Return terms for the choice of a move, each with its cost. names: coordinates, then parameters."""
    terms = dict[Expr, int]()
    coordinates = names[: len(move.parts[0])] if move.parts else ()
    changed = [
        name
        for part in move.parts
        for name, new in zip(coordinates, part, strict=True)
        if choice in free_names(new)
    ]
    for condition in distinct_parts(aim.lost):
        for term in _terms_for(condition, changed):
            terms.setdefault(tidy(simplify(term), names), SOLVED)
    parts = [node for node in distinct_parts(aim.lost) if _is_part(node)]
    for part in sorted(parts, key=lambda node: node.size)[:PARTS]:
        terms.setdefault(part, 1)
        for name in coordinates:
            for applied in _applied(part, Name(name)):
                terms.setdefault(tidy(simplify(applied), names), APPLIED)
    # multiples, rounded down, of the irrational number whose numeration system an automaton reads: for Fibonacci digits
    # the golden ratio times a coordinate, and times the difference of two
    numbers: list[Expr] = [*map(Name, coordinates)]
    numbers += [Call("abs", (Binary("-", a, b),)) for a, b in combinations(map(Name, coordinates), 2)]
    for part in distinct_parts(aim.lost):
        square = square_of_system(part.automaton.system) if isinstance(part, Accepts) else None
        if square is not None:
            for number in numbers:
                root = Call("isqrt", (chain("*", [Int(square), number, number]),))
                terms.setdefault(root, APPLIED)
                terms.setdefault(Binary("//", Binary("+", number, root), Int(2)), APPLIED)
    return terms


def _is_part(expr: Expr) -> bool:
    return (
        expr.kind is Kind.NUMBER and not isinstance(expr, Name | Int | Bounded) and 1 < expr.size <= LARGEST
    )


def _applied(part: Expr, argument: Name) -> Iterator[Expr]:
    """Yield the part with another argument, if it is a function of a single number that is no name."""
    for inner in distinct_parts(part):
        if inner is not part and _is_part(inner) and free_names(inner):
            function = replace_part(part, inner, Name(_NEW))
            if free_names(function) == {_NEW} and function.size > 1:
                yield substitute(function, {_NEW: argument})


def _terms_for(condition: Expr, changed: Sequence[str]) -> Iterator[Expr]:
    """Yield terms that make a condition true in place of a coordinate that changes; names in them mean old values.

    A number by cases gives an equation for each case. A condition of the language such as ``is_power_of_two`` is
    fulfilled by the greatest number, up to the old one, that fulfils it. Last comes what is to be taken from a
    coordinate to make a remainder right: ``(x - (y ^ z)) % 4``.
    """
    equations = list[tuple[Expr, Expr]]()
    match condition:
        case Compare(ops=("==",), terms=(left, right)):
            equations += [(left, case) for case in _cases(right)]
            equations += [(right, case) for case in _cases(left)]
        case Call(name=called, arguments=(number,)) if called in BUILTINS and BUILTINS[called].below:
            equations.append((number, substitute(parse(BUILTINS[called].below), {"n": number})))
    for left, right in equations:
        for name in changed:
            yield from solved(left, right, name)
    match condition:
        case Compare(ops=("==",), terms=(Binary(op="%", left=number, right=by), rest)):
            for name in changed:
                yield from (
                    Binary("%", Binary("-", Name(name), term), by) for term in solved(number, rest, name)
                )


def _cases(number: Expr) -> Iterator[Expr]:
    if isinstance(number, If):
        yield from _cases(number.then)
        yield from _cases(number.otherwise)
    else:
        yield number


def solved(left: Expr, right: Expr, name: str) -> Iterator[Expr]:
    """Yield terms that make ``left == right`` true in place of the name in ``left``."""
    if name in free_names(left):
        yield from _inverse(substitute(left, {name: Name(_NEW)}), right, _NEW)


def _inverse(here: Expr, value: Expr, name: str) -> Iterator[Expr]:
    """Yield terms that make ``here == value`` true in place of a name that only ``here`` has."""
    match here:
        case Name(id=own) if own == name:
            yield atom_polynomial(value).expression()
        case Binary(op=op, left=left, right=right) if OPERATORS[op].inverse:
            values = {"a": left, "b": right, "c": value}
            sides = ((left, right), (right, left))
            for (side, other), formula in zip(sides, OPERATORS[op].inverse, strict=True):
                if name in free_names(side) and name not in free_names(other):
                    yield from _inverse(side, substitute(parse(formula), values), name)
