"""Linear forms in moves, measures and ranges: a standard form, and growth with a bound.

The method by which a game is solved is chosen from its moves, and must not depend on how they are written. So ``-t +
x`` becomes ``x - t`` when moves are read from a file, and again when parameters are replaced by numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from grundylab.games.model import Move, Ranged, coordinate_sum
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import NO_FUNCTIONS
from grundylab.language.intervals import is_total
from grundylab.language.linear import AtomPolynomial, atom_polynomial
from grundylab.language.syntax import (
    Binary,
    Call,
    Expr,
    Int,
    Name,
    Negate,
    chain,
    distinct_parts,
    free_names,
    walk,
)

Affine = Mapping[str, int]  # a multiple of each name, and of 1 under ONE; no multiple is 0
ONE = ""


def affine_form(expr: Expr) -> Affine | None:
    """Return the expression as a sum of multiples of names and a constant; None if it does not have that form."""
    polynomial = _polynomial(expr)
    if polynomial is None:
        return None
    coefficients = {}
    for monomial, coefficient in polynomial.terms:
        match monomial:
            case ():
                coefficients[ONE] = coefficient
            case (Name(id=name),):
                coefficients[name] = coefficient
            case _:
                return None
    return coefficients


def is_sum_of_products(expr: Expr) -> bool:
    """Tell whether the expression is a polynomial without minus signs that is not linear, as ``x * x + 2 * y`` is."""
    polynomial = _polynomial(expr)
    return (
        polynomial is not None
        and all(coefficient > 0 for _, coefficient in polynomial.terms)
        and any(len(monomial) > 1 for monomial, _ in polynomial.terms)
    )


def _polynomial(expr: Expr) -> AtomPolynomial | None:
    """Return the expression as a polynomial in names; None if it has another form."""
    inner = [part for part in distinct_parts(expr) if not isinstance(part, Int | Name | Negate)]
    if not all(isinstance(part, Binary) and part.op in ("+", "-", "*") for part in inner):
        return None  # 0 * part is excluded, too: the part may have no value
    return atom_polynomial(expr)


def standard_form(expr: Expr) -> Expr:
    """Return the standard form of a constant, a name with or without a constant added, or a difference of two names.

    Other expressions are returned unchanged.
    """
    form = affine_form(expr)
    if form is None:
        return expr
    factors = sorted(form[name] for name in form if name != ONE)
    short = factors in ([], [1]) or (factors == [-1, 1] and ONE not in form)
    return atom_polynomial(expr).expression() if short else expr


def measure_weights(measure: Expr, names: tuple[str, ...]) -> dict[str, int] | None:
    """Return the factor of each coordinate in a measure such as ``2*x + y``; None if the measure has another form.

    names: the coordinates. A coordinate that the measure does not mention is left out of the result.
    """
    form = affine_form(measure)
    return dict(form) if form and form.keys() <= set(names) else None


def lowers_sum(move: Move, names: tuple[str, ...]) -> bool:
    """Tell whether the form of the move shows that it lowers the sum of the coordinates. names: the coordinates."""
    here = atom_polynomial(coordinate_sum(names))
    parts = (atom_polynomial(chain("+", part)) for part in move.parts)
    return move.a_pass or all(_is_negative(after - here, move.choices) for after in parts)


def _is_negative(change: AtomPolynomial, choices: Sequence[Ranged]) -> bool:
    """Tell whether the number is negative, whatever is chosen: each choice is put at the end that makes it largest."""
    if not choices:
        return change.number is not None and change.number < 0
    *others, last = choices
    slope, rest = change.split(last.name) or (change, change)
    if slope.number is None:
        return False
    rises = slope.number > 0
    end, cut = (last.range.high, "min") if rises else (last.range.low, "max")
    ends = end.arguments if isinstance(end, Call) and end.name == cut else (end,)
    return any(_is_negative(rest + slope * atom_polynomial(extreme), others) for extreme in ends)


def grows_with_bounds(high: Expr, bounds: Collection[str]) -> bool:
    """Tell whether the form shows that a number always has a value and grows without limit with each bound in it."""
    match high:
        case Name(id=name):
            return name in bounds
        case Binary(op="+", left=left, right=right):
            return all(grows_with_bounds(part, bounds) or _without(part, bounds) for part in (left, right))
        case Binary(op="-", left=left, right=right):
            return grows_with_bounds(left, bounds) and _without(right, bounds)
        case Binary(op="*", left=Int(value=value), right=right):
            return value > 0 and grows_with_bounds(right, bounds)
        case Binary(op="//" | "/", left=left, right=Int(value=value)):
            return value > 0 and grows_with_bounds(left, bounds)
        case Call(name="floor" | "ceil", arguments=(argument,)):
            return grows_with_bounds(argument, bounds)
        case Call(name="min", arguments=arguments):
            return all(grows_with_bounds(argument, bounds) for argument in arguments)
    return False


def _without(part: Expr, bounds: Collection[str]) -> bool:
    """Tell whether the part mentions no bound and surely has a value; a call of a ruleset's function may have none."""
    own = any(isinstance(node, Call) and node.name not in BUILTINS for node in walk(part))
    return not own and is_total(part, NO_FUNCTIONS) and not free_names(part) & set(bounds)
