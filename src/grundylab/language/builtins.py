"""The built-in functions: a table with a row for each, which holds all that evaluation, proofs and printing need of it.

A new function is a new row. The row's ``value``, a function on Python's integers, is the definition; the tests compare
the rest of the row with it. A row with ``digits`` can be used in proofs as far as automata allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from grundylab.errors import EvaluationError, LimitError, number_text
from grundylab.language import boxes, nim_products
from grundylab.language.boxes import Box, application, fenced, identifier, letters, root, row, sign, subscript
from grundylab.language.infinity import is_infinite
from grundylab.numeric import Array

CounterState = tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """A machine that computes a function by counting, while it reads the binary digits of n from the lowest on.

    A state is a phase, 0 or 1, then the count, and possibly further counters. Any number of zeros may follow the
    highest digit. After all digits, the count is the function's value if the phase is 1; in phase 0 there is no value.
    start: the initial state. step: returns the next state, given a state and a digit; it may copy and exchange the
    counters and add 1 to them, but must not depend on their values.
    """

    start: CounterState
    step: Callable[[CounterState, int], CounterState]


@dataclass(frozen=True)
class BuiltIn:
    """A function of integers: a row of the table.

    value: the function on Python's integers. javascript: the same as a JavaScript function on BigInt. meaning: the
    value in words, for docs/formulas.md; the argument is n. arguments: the least and the greatest number of arguments;
    None as the greatest means any number, in any order. least: the least argument with a value; None if all integers
    have one, as they must for a function of several arguments. most: the greatest argument for which the value is
    computed; a larger one raises LimitError. condition: whether the value is a truth value. rounds: whether the
    argument may be a fraction; such a call is lowered to ``//`` before evaluation.

    For bounds and speed. rises: whether the function is monotone: a smaller argument never has a larger value. bounds:
    for any other function, returns bounds on the values for arguments between two numbers. array: on NumPy arrays;
    without it, values are computed one by one. machine: the function on 64-bit integers, for numba; without it, numba
    supports the Python function of the same name.

    For proofs. expansion: a conditional expression that has the function's value; its arguments are called a and b.
    digits: the machine by which automata compute the value. unspoken: the reason given where logic
    cannot express a call. coq: the name in ``coq/Language.v``, where the function takes one argument or two.

    For other uses. below: for a condition, the greatest number up to n that fulfils it, as a formula of n. opposite:
    the function that people confuse with this one. typeset: returns a call's box; it takes the boxes of the arguments,
    and the box of the first argument with the parentheses that a factor needs. sign: the sign between the arguments,
    for a function that is written as an operator in LaTeX.
    """

    value: Callable[..., int]
    javascript: str
    meaning: str
    arguments: tuple[int, int | None] = (1, 1)
    least: int | None = None
    most: int | None = None
    condition: bool = False
    rounds: bool = False
    rises: bool = False
    bounds: Callable[[int, int], tuple[int, int]] | None = None
    array: Callable[..., Array] | None = None
    machine: Callable[..., int] | None = None
    expansion: str | None = None
    digits: Reading | None = None
    unspoken: str = ""
    below: str = ""
    opposite: str | None = None
    typeset: Callable[[Sequence[Box], Box], Box] | None = None
    sign: Box | None = None
    coq: str = ""

    @property
    def several(self) -> bool:
        """True if the function takes any number of arguments, in any order."""
        return self.arguments[1] is None

    @property
    def single(self) -> bool:
        """True if the function takes one argument."""
        return self.arguments == (1, 1)

    def between(self, lows: Sequence[int], highs: Sequence[int]) -> tuple[int, int]:
        """Return bounds (least, greatest) on the values for arguments within these bounds."""
        if self.condition:
            return 0, 1
        if self.least is not None:
            lows, highs = [max(lows[0], self.least)], [max(highs[0], self.least)]
        if self.rises:
            return self._extreme(lows), self._extreme(highs)
        assert self.bounds is not None
        return self.bounds(min(lows), max(highs))

    def _extreme(self, ends: Sequence[int]) -> int:
        """Return the value of a function that rises, at ends of intervals; infinity at infinity."""
        return ends[0] if self.single and is_infinite(ends[0]) else self.value(*ends)


def checked_function(name: str) -> Callable[..., int]:
    """Return the built-in function on Python's integers, with a check of its arguments.

    The function raises EvaluationError where it has no value, and LimitError for an argument above the row's ``most``.
    """
    row = BUILTINS[name]
    value, least, most = row.value, row.least, row.most
    if least is None and most is None:
        return value

    def function(*arguments: int) -> int:
        for n in arguments:
            if most is not None and n > most:
                raise LimitError(f"{name}({number_text(n)}): its argument must be at most {most}")
            if least is not None and n < least:
                raise EvaluationError(f"{name}({number_text(n)}): its argument must be at least {least}")
        return value(*arguments)

    return function


# -- values on 64 bits, as numba compiles them -------------------------------------------------------------


def _log2(n: int) -> int:
    k = 0
    while n > 1:
        n >>= 1
        k += 1
    return k


def _root(n: int) -> int:
    if n == 0:
        return 0
    k = int(math.sqrt(n))  # off by one at most, for n of 64 bits
    if k > n // k:
        return k - 1
    return k + 1 if k + 1 <= n // (k + 1) else k


def _is_power(n: int) -> bool:
    return n > 0 and n & (n - 1) == 0


def _ones(n: int) -> int:
    count = 0
    while n > 0:
        n &= n - 1
        count += 1
    return count


def _zeros(n: int) -> int:
    count = 0
    while n & 1 == 0:
        n >>= 1
        count += 1
    return count


# The smallest composite number that is a strong pseudoprime to all of these is 318665857834031151167461 (Sorenson and
# Webster, *Strong pseudoprimes to twelve prime bases*, 2017).
_WITNESSES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_FACTORED = 2**63 - 1  # the greatest number whose prime factors are computed
_SIEVED = 1 << 20  # primes below this are found by a sieve


def _times(a: int, b: int, modulus: int) -> int:
    """Return ``a * b % modulus`` for numbers of at most 62 bits; by doubling, where the product might overflow."""
    if modulus < 1 << 31:
        return a * b % modulus
    product = 0
    while b > 0:
        if b & 1:
            product = (product + a) % modulus
        a = (a + a) % modulus
        b >>= 1
    return product


def _is_prime_of_machine(n: int) -> bool:
    if n < 2:
        return False
    for p in _WITNESSES:
        if n % p == 0:
            return n == p
    odd, halvings = n - 1, 0
    while odd & 1 == 0:
        odd >>= 1
        halvings += 1
    for p in _WITNESSES:
        power, exponent, square = 1, odd, p
        while exponent > 0:
            if exponent & 1:
                power = _times(power, square, n)
            square = _times(square, square, n)
            exponent >>= 1
        left = halvings
        while power not in (1, n - 1) and left > 1:
            power = _times(power, power, n)
            left -= 1
            if power == 1:
                return False
        if power not in (1, n - 1):
            return False
    return True


def _prime_factors_of_machine(n: int) -> int:
    count, p = 0, 2
    while p * p * p <= n:
        while n % p == 0:
            n //= p
            count += 1
        p += 1
    if n == 1:
        return count
    return count + 1 if _is_prime_of_machine(n) else count + 2  # no factor up to n's cube root


def _is_prime(n: int) -> bool:
    if n < _SIEVED:
        return n > 1 and bool(_sieve()[n])
    if any(n % p == 0 for p in _WITNESSES):
        return False
    halvings = (n - 1 & 1 - n).bit_length() - 1
    for p in _WITNESSES:
        power = pow(p, n - 1 >> halvings, n)
        if power != 1 and not any(pow(power, 1 << k, n) == n - 1 for k in range(halvings)):
            return False
    return True


def _prime_factors(n: int) -> int:
    count, p = 0, 2
    while p * p * p <= n:
        while n % p == 0:
            n, count = n // p, count + 1
        p += 1
    return count + (0 if n == 1 else 1 if _is_prime(n) else 2)


@cache
def _sieve() -> Array:
    """Return an array that tells for each number below _SIEVED whether it is prime."""
    is_prime = np.ones(_SIEVED, dtype=bool)
    is_prime[:2] = False
    for p in range(2, math.isqrt(_SIEVED) + 1):
        if is_prime[p]:
            is_prime[p * p :: p] = False
    return is_prime


def _primes_among(values: Array) -> Array:
    flat = values.reshape(-1)
    small, large = (flat >= 0) & (flat < _SIEVED), flat >= _SIEVED
    are_prime = _sieve()[np.where(small, flat, 0).astype(np.int64)]
    others, place = np.unique(flat[large], return_inverse=True)
    are_prime[large] = np.array([_is_prime(int(n)) for n in others], dtype=bool)[place]
    return np.asarray(are_prime.reshape(values.shape))


# -- the table ---------------------------------------------------------------------------------------------


def _fence(fence: boxes.Fence) -> Callable[[Sequence[Box], Box], Box]:
    return lambda arguments, _: fenced(fence, arguments[0])


def _applied(head: Box) -> Callable[[Sequence[Box], Box], Box]:
    return lambda arguments, _: application(head, arguments)


_ROOT = """(n) => {
  if (n < 2n) return n;
  let root = 1n << BigInt((n.toString(2).length >> 1) + 1); // not less than the root: Newton's steps go down to it
  for (;;) {
    const next = (root + n / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}"""

# JavaScript that gives the number of prime factors of a positive n.
_COUNTED = """((n) => {
  let count = 0;
  for (let p = 2n; p * p <= n; p++) for (; n % p === 0n; n /= p) count++;
  return count + Number(n > 1n);
})"""

BUILTINS: dict[str, BuiltIn] = {
    "min": BuiltIn(
        min,
        "(...values) => values.reduce((a, b) => (b < a ? b : a))",
        "the least of two or more numbers",
        arguments=(2, None),
        rises=True,
        array=np.minimum,
        expansion="a if a <= b else b",
        opposite="max",
        typeset=_applied(identifier(r"\min", "min")),
        coq="Min",
    ),
    "max": BuiltIn(
        max,
        "(...values) => values.reduce((a, b) => (b > a ? b : a))",
        "the greatest of two or more numbers",
        arguments=(2, None),
        rises=True,
        array=np.maximum,
        expansion="a if a >= b else b",
        opposite="min",
        typeset=_applied(identifier(r"\max", "max")),
        coq="Max",
    ),
    "abs": BuiltIn(
        abs,
        "(n) => (n < 0n ? -n : n)",
        "n without its sign",
        bounds=lambda low, high: (max(low, -high, 0), max(-low, high)),
        array=np.abs,
        expansion="a if a >= 0 else -a",
        typeset=_fence("abs"),
        coq="Abs",
    ),
    "floor": BuiltIn(
        int,
        "",
        "a fraction rounded down, as in floor(x/2)",
        rounds=True,
        opposite="ceil",
        typeset=_fence("floor"),
    ),
    "ceil": BuiltIn(
        int,
        "",
        "a fraction rounded up, as in ceil(x/2)",
        rounds=True,
        opposite="floor",
        typeset=_fence("ceil"),
    ),
    "is_power_of_two": BuiltIn(
        _is_power,
        "(n) => n > 0n && (n & (n - 1n)) === 0n",
        "whether n is one of 1, 2, 4, 8, …",
        condition=True,
        array=lambda n: (n > 0) & (np.maximum(n, 1) & (np.maximum(n, 1) - 1) == 0),
        machine=_is_power,
        below="1 << floor_log2(n)",
        coq="PowerOfTwo",
    ),
    "is_prime": BuiltIn(
        _is_prime,
        f"(n) => n > 1n && {_COUNTED}(n) === 1",
        "whether n is a prime number; computed for n below 2^63",
        condition=True,
        most=_FACTORED,
        array=_primes_among,
        machine=_is_prime_of_machine,
        unspoken="which numbers are prime is not expressible",
        typeset=lambda arguments, _: application(letters("prime", function=True), arguments),
    ),
    "prime_factors": BuiltIn(
        _prime_factors,
        f"(n) => BigInt({_COUNTED}(n))",
        "the number of prime factors of n, with multiplicity; computed for n below 2^63",
        least=1,
        most=_FACTORED,
        bounds=lambda _, high: (0, high.bit_length() - 1),
        machine=_prime_factors_of_machine,
        unspoken="a number of prime factors is not expressible",
        typeset=_applied(identifier(r"\Omega", "Ω")),
    ),
    "floor_log2": BuiltIn(
        lambda n: n.bit_length() - 1,
        "(n) => BigInt(n.toString(2).length - 1)",
        "the exponent of the greatest power of two that is at most n",
        least=1,
        rises=True,
        machine=_log2,
        digits=Reading(
            (0, 0, 0), lambda at, digit: (1, at[2], at[2] + 1) if digit else (at[0], at[1], at[2] + 1)
        ),
        unspoken="a logarithm is not expressible, but c << floor_log2(n) is",
        typeset=lambda _, factor: fenced("floor", row(boxes.LOG2, factor)),
    ),
    "isqrt": BuiltIn(
        math.isqrt,
        _ROOT,
        "the greatest whole number whose square is at most n",
        least=0,
        rises=True,
        machine=_root,
        unspoken="a square root is not expressible, but isqrt(5*n*n) and the like are",
        typeset=lambda arguments, _: fenced("floor", root(arguments[0])),
    ),
    "popcount": BuiltIn(
        int.bit_count,
        "(n) => BigInt(n.toString(2).replaceAll('0', '').length)",
        "the number of binary digits of n that are 1",
        least=0,
        bounds=lambda _, high: (0, high.bit_length()),
        machine=_ones,
        digits=Reading((1, 0), lambda at, digit: (1, at[1] + digit)),
        unspoken="a number of digits is not expressible, but comparing it or its remainder with a number is",
        typeset=_applied(subscript(letters("s", function=True), "2")),
    ),
    "valuation2": BuiltIn(
        lambda n: (n & -n).bit_length() - 1,
        "(n) => BigInt(n.toString(2).length - n.toString(2).lastIndexOf('1') - 1)",
        "how often n can be halved before it is odd",
        least=1,
        bounds=lambda low, high: (0, high.bit_length() - 1),
        machine=_zeros,
        digits=Reading((0, 0), lambda at, digit: (1, at[1]) if digit or at[0] else (0, at[1] + 1)),
        unspoken="an exponent is not expressible, but comparing it or its remainder with a number is",
        typeset=_applied(subscript(identifier(r"\nu", "ν"), "2")),
    ),
    "nim_product": BuiltIn(
        nim_products.nim_product,
        """function product(a, b) {
  if (a <= 1n || b <= 1n) return a < 0n || b < 0n ? 0n : a * b;
  let half = 1n;
  while ((a > b ? a : b) >> (2n * half)) half *= 2n;
  const below = (1n << half) - 1n;
  const high = product(a >> half, b >> half), low = product(a & below, b & below);
  const whole = product((a >> half) ^ (a & below), (b >> half) ^ (b & below));
  return ((whole ^ low) << half) | (low ^ product(high, 1n << (half - 1n)));
}""",
        "the nim product, the multiplication that goes with the nim-sum; 0 if a number is negative",
        arguments=(2, 2),
        most=nim_products.MOST,
        bounds=lambda _, high: (0, nim_products.greatest_product(high)),
        array=nim_products.nim_products,
        machine=nim_products.machine_nim_product,
        unspoken="a nim product is not expressible",
        sign=sign(r"\otimes", "⊗"),
    ),
}
