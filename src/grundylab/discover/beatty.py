"""Sequences floor(n*s) of the multiples of a quadratic irrational s, as in Wythoff's game (Beatty 1926)."""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt, sqrt

from grundylab.discover.base import Array
from grundylab.language import Expr
from grundylab.language.syntax import Binary, Call, Int

LEAST = 8  # terms that may tell something
SLACK = 1e-9


def beatty(n: Expr, values: Array) -> Expr | None:
    """``(p*n + isqrt(d*n*n)) // q`` if it has the values at n = 0, 1, …, for the least q + d + abs(p); else None.

    There are about 3/pi^2 L^2 sequences floor(n*s) of L terms with s between two neighbouring whole numbers (as many
    as fractions with denominators up to L). Where as many forms were tried, one that fits says nothing.
    """
    terms = values.tolist()
    length = len(terms)
    if length < LEAST or terms[0] != 0 or min(terms) < 0:
        return None
    low = max(terms[i] / i for i in range(1, length)) - SLACK
    high = min((terms[i] + 1) / i for i in range(1, length)) + SLACK
    if low > high:
        return None
    tried = 0
    for p, d, q in _forms():
        slope = (p + sqrt(d)) / q
        if int(slope) != terms[1]:
            continue
        tried += 1
        if tried > 0.3 * length * length:
            return None
        if low <= slope <= high and all((p * i + isqrt(d * i * i)) // q == terms[i] for i in range(length)):
            return _formula(n, p, d, q)
    return None


def _forms() -> Iterator[tuple[int, int, int]]:
    """All (p, d, q) with a positive (p + sqrt(d))/q, which is irrational, by q + d + abs(p)."""
    weight = 3
    while True:
        for q in range(1, weight - 1):
            for d in range(2, weight - q + 1):
                p = weight - q - d
                if isqrt(d) ** 2 != d:
                    for signed in (p, -p) if p else (0,):
                        if signed + sqrt(d) > 0:
                            yield signed, d, q
        weight += 1


def _formula(n: Expr, p: int, d: int, q: int) -> Expr:
    root: Expr = Call("isqrt", (Binary("*", Binary("*", Int(d), n), n),))
    if p:
        multiple = n if abs(p) == 1 else Binary("*", Int(abs(p)), n)
        root = Binary("+", multiple, root) if p > 0 else Binary("-", root, multiple)
    return root if q == 1 else Binary("//", root, Int(q))
