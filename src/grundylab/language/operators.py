"""The infix operators: a table with a row for each, which holds all that reading, evaluation, proofs and printing need.

A new operator is a new row, if its sign is one of Python's. The row's ``value``, a function on Python's integers, is
the definition; the tests compare the rest of the row with it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

import numpy as np

from grundylab.errors import EvaluationError, LimitError, number_text
from grundylab.language.boxes import MINUS, PLUS, Box, sign
from grundylab.language.infinity import is_infinite
from grundylab.numeric import Array

MAX_SHIFT = 4096  # bits
MAX_PRODUCT = 1 << 18  # bits of any product and any shift: half a millisecond
SUM_BINDS, UNARY_BINDS = 9, 11  # how tightly a sum and a minus sign bind

Extremes = tuple[int, int]


@dataclass(frozen=True)
class RightOperands:
    """The right operands for which an operation has a value.

    contains: whether a number is one of them; of an array, at each place. covers: whether all numbers from ``low`` to
    ``high`` are. instead: one of them, to be put in place of others.
    """

    contains: Callable[[Any], Any]
    covers: Callable[[int, int], bool]
    instead: int


@dataclass(frozen=True)
class Digits:
    """An operation, for provers, whose digits depend on both operands' digits at the same place alone; 0 of two zeros.

    name: of the automaton that Walnut gets. mona: the formula that the set {result} is made of {left} and {right}.
    mona_digit: the digit of the result, as a formula about those of {left} and {right}.
    """

    name: str
    mona: str
    mona_digit: str


def _lowered(*_: object) -> NoReturn:
    raise AssertionError("'/' is lowered to '//' before evaluation")


@dataclass(frozen=True)
class InfixOperator:
    """An operator on two integers a and b: a row of the table.

    meaning: the value in words, for docs/formulas.md. binds: how tightly the operator binds, as in Python. value: the
    function on Python's integers. compiled: the source for numba, on 64-bit integers. fractions: whether the operands
    may be fractions; they are cleared before evaluation.

    For bounds and speed. bounds: given the ends of the operands' intervals, returns ends of all values. array: the
    function on NumPy arrays; without it, ``value`` is one. domain: the right operands with a value; all if None. grows:
    whether a value may be far longer than the operands, so that it counts as work. commutes: whether order and grouping
    make no difference. neutral: the right operand that changes nothing.

    For proofs. digits: for an operation digit by digit, what provers need. by_constant: whether automata read it only
    if the right operand is constant, or, if it commutes, either operand. noun: what messages call an operation. coq:
    the term of Coq, where it is the same whatever the operands are.

    For other uses. javascript: the source on BigInt, if it is not the same as ``compiled``. sign: the sign in a row of
    operands, for an operator that is written so in LaTeX. cost: for a reader. confused: the operators that people
    confuse with this one; empty for one that they confuse with all others of which this is empty, too. inverse: where
    c is the value, formulas for a and for b, each of which mentions the other one and c.
    """

    meaning: str
    binds: int
    value: Callable[[Any, Any], Any] = _lowered
    bounds: Callable[[Extremes, Extremes], Extremes] = _lowered
    compiled: str = ""
    fractions: bool = False
    array: Callable[[Any, Any], Any] | None = None
    domain: RightOperands | None = None
    grows: bool = False
    commutes: bool = False
    neutral: int | None = None
    digits: Digits | None = None
    by_constant: bool = False
    noun: str = "operation"
    coq: str = ""
    javascript: str = ""
    sign: Box | None = None
    cost: int = 1
    confused: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()

    def at_once(self, a: Array, b: Array) -> Array:
        """Return the values at many operands, all of which must have one. Machine integers may overflow."""
        return np.asarray((self.array or self.value)(a, b))


# -- values: each raises an error where it has none ------------------------------------------------------------


def multiply(a: int, b: int) -> int:
    """Return ``a * b``. Raises LimitError if the product has too many digits."""
    if a.bit_length() + b.bit_length() > MAX_PRODUCT:
        raise LimitError(f"a product of more than {MAX_PRODUCT:,} binary digits")
    return a * b


def divide(a: int, b: int) -> int:
    """Return ``a // b``. Raises EvaluationError if b is 0."""
    if b == 0:
        raise EvaluationError(f"division by zero: {number_text(a)} // 0")
    return a // b


def modulo(a: int, b: int) -> int:
    """Return ``a % b``. Raises EvaluationError if b is 0."""
    if b == 0:
        raise EvaluationError(f"division by zero: {number_text(a)} % 0")
    return a % b


def shift_left(a: int, b: int) -> int:
    """Return ``a << b``. Raises EvaluationError if b is negative, LimitError if b or the result is too large."""
    if a.bit_length() + _shift(b) > MAX_PRODUCT:
        raise LimitError(f"a shift that gives more than {MAX_PRODUCT:,} binary digits")
    return a << b


def shift_right(a: int, b: int) -> int:
    """Return ``a >> b``. Raises EvaluationError if b is negative, LimitError if b is too large."""
    return a >> _shift(b)


def _shift(b: int) -> int:
    if b < 0:
        raise EvaluationError(f"a shift by {number_text(b)}, which is negative")
    if b > MAX_SHIFT:
        raise LimitError(f"a shift by {number_text(b, ',')}; at most {MAX_SHIFT:,} is done")
    return b


# -- bounds ----------------------------------------------------------------------------------------------------


def _corners(value: Callable[[int, int], int], a: Extremes, b: Extremes) -> Extremes:
    corners = [value(x, y) for x in a for y in b]
    return min(corners), max(corners)


def _product_at_ends(a: int, b: int) -> int:
    return a * b if is_infinite(a) or is_infinite(b) else multiply(a, b)


def _magnitude(ends: Extremes) -> int:
    return max(map(abs, ends))


def _quotient_bounds(a: Extremes, b: Extremes) -> Extremes:
    if 0 < b[0] <= b[1]:  # an empty interval may have any ends
        return _corners(operator.floordiv, a, b)
    return -_magnitude(a) - 1, _magnitude(a)


def _remainder_bounds(a: Extremes, b: Extremes) -> Extremes:
    if b[0] > 0:
        return a if a[0] >= 0 and a[1] < b[0] else (0, b[1] - 1)
    if b[1] < 0:
        return b[0] + 1, 0
    return -_magnitude(b), _magnitude(b)


def _shifted_bounds(a: Extremes, b: Extremes) -> Extremes:
    shift = min(max(b[1], 0), MAX_SHIFT)
    low, high = (end if is_infinite(end) else shift_left(end, shift) for end in a)
    return min(a[0], low), max(a[1], high)


def _digit_bounds(a: Extremes, b: Extremes) -> Extremes:
    """Return bounds on any operation, digit by digit, that makes a digit 0 of two digits 0."""
    bits = max(end.bit_length() for end in (*a, *b))
    return (0 if min(a[0], b[0]) >= 0 else -(2**bits)), 2**bits - 1


def _common_bounds(a: Extremes, b: Extremes) -> Extremes:
    return (0, min(a[1], b[1])) if min(a[0], b[0]) >= 0 else _digit_bounds(a, b)


# -- the table -------------------------------------------------------------------------------------------------

_NONZERO = RightOperands(lambda b: b != 0, lambda low, high: low > 0 or high < 0, instead=1)
_SHIFTS = RightOperands(
    lambda b: (b >= 0) & (b <= MAX_SHIFT), lambda low, high: low >= 0 and high <= MAX_SHIFT, instead=0
)

# fmt: off
OPERATORS: dict[str, InfixOperator] = {
    "+": InfixOperator(
        "the sum", SUM_BINDS, operator.add, lambda a, b: (a[0] + b[0], a[1] + b[1]), "({a} + {b})", fractions=True,
        commutes=True, neutral=0, coq="({a} + {b})", sign=PLUS, inverse=("c - b", "c - a"),
    ),
    "-": InfixOperator(
        "the difference", SUM_BINDS, operator.sub, lambda a, b: (a[0] - b[1], a[1] - b[0]), "({a} - {b})",
        fractions=True, neutral=0, coq="({a} - {b})", sign=MINUS, inverse=("c + b", "a - c"),
    ),
    "*": InfixOperator(
        "the product", 10, multiply, partial(_corners, _product_at_ends), "({a} * {b})", fractions=True,
        array=operator.mul, grows=True, commutes=True, neutral=1, by_constant=True, javascript="R.multiply({a}, {b})",
    ),
    "/": InfixOperator(
        "the exact quotient, allowed only inside floor or ceil", 10, fractions=True, domain=_NONZERO,
    ),
    "//": InfixOperator(
        "the quotient, rounded down", 10, divide, _quotient_bounds, "({a} // {b})",
        array=operator.floordiv, domain=_NONZERO, noun="division", neutral=1, by_constant=True,
        javascript="R.divide({a}, {b})",
    ),
    "%": InfixOperator(
        "the remainder of that division", 10, modulo, _remainder_bounds, "({a} % {b})",
        array=operator.mod, domain=_NONZERO, noun="remainder of a division", by_constant=True,
        javascript="R.modulo({a}, {b})", sign=sign(r"\bmod", "mod"),
    ),
    "&": InfixOperator(
        "the number whose binary digits are 1 where both have a 1", 7, operator.and_, _common_bounds, "({a} & {b})",
        commutes=True, coq="(Digits And {a} {b})", sign=sign(r"\mathbin{\&}", "&"), cost=2,
        digits=Digits("bitand", "({result} = ({left} inter {right}))", "({left} & {right})"),
    ),
    "|": InfixOperator(
        "the number whose binary digits are 1 where at least one has a 1", 5, operator.or_, _digit_bounds,
        "({a} | {b})", commutes=True, neutral=0, coq="(Digits Or {a} {b})", sign=sign(r"\mathbin{|}", "|"), cost=2,
        digits=Digits("bitor", "({result} = ({left} union {right}))", "({left} | {right})"),
    ),
    "^": InfixOperator(
        "the nim-sum: the number whose binary digits are 1 where exactly one has a 1", 6, operator.xor, _digit_bounds,
        "({a} ^ {b})", commutes=True, neutral=0, coq="({a} ^ {b})", sign=sign(r"\oplus", "⊕"),
        digits=Digits("nimsum", "nimsum({left}, {right}, {result})", "~({left} <=> {right})"),
        inverse=("c ^ b", "c ^ a"),
    ),
    "<<": InfixOperator(
        "x << n is x times the nth power of two", 8, shift_left, _shifted_bounds, "({a} << shift({b}))",
        array=operator.lshift, domain=_SHIFTS, noun="shift", grows=True, neutral=0, by_constant=True,
        javascript="R.shiftLeft({a}, {b})", cost=2, confused=(">>", "*"),
    ),
    ">>": InfixOperator(
        "x >> n is x divided by the nth power of two, rounded down", 8, shift_right,
        lambda a, _: (min(a[0], -1) if a[0] < 0 else 0, max(a[1], 0)), "({a} >> shift({b}))",
        array=operator.rshift, domain=_SHIFTS, noun="shift", neutral=0, by_constant=True,
        javascript="R.shiftRight({a}, {b})", cost=2, confused=("<<", "//"),
    ),
}
# fmt: on
