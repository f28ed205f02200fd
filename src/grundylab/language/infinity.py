"""Infinity among Python's integers, as an end of an interval: what is derived from a missing bound is missing, too.

A large number in place of it would come to an end: divided by a larger one, it would seem to be less than 1.
"""

from __future__ import annotations

from typing import cast


class _Infinite:
    """Plus or minus infinity; a product with 0 is 0, as for an interval whose ends are the least and the greatest.

    It is no number for Python: a function of integers that is not defined here fails, and returns no wrong bound.
    """

    def __init__(self, sign: int) -> None:
        self._sign = sign

    def __repr__(self) -> str:
        return "∞" if self._sign > 0 else "-∞"

    def __neg__(self) -> int:
        return _signed(-self._sign)

    def __abs__(self) -> int:
        return INFINITY

    def __lt__(self, other: object) -> bool:
        return self._sign < 0 and self is not other

    def __gt__(self, other: object) -> bool:
        return self._sign > 0 and self is not other

    def __le__(self, other: object) -> bool:
        return not self > other

    def __ge__(self, other: object) -> bool:
        return not self < other

    def __add__(self, _: object) -> int:
        return _signed(self._sign)

    __radd__ = __sub__ = __add__

    def __rsub__(self, _: object) -> int:
        return -self

    def __mul__(self, other: int) -> int:
        return _signed(self._sign * ((other > 0) - (other < 0)))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> int:
        return self * other

    def __rfloordiv__(self, other: int) -> int:
        return 0 if other * self >= 0 else -1

    def __rpow__(self, _: int) -> int:
        return INFINITY

    def bit_length(self) -> int:
        """Return the number of binary digits: infinity."""
        return INFINITY


def _signed(sign: int) -> int:
    return (0, INFINITY, _MINUS)[sign]


INFINITY = cast(int, _Infinite(1))
_MINUS = cast(int, _Infinite(-1))


def is_infinite(end: int) -> bool:
    """Tell whether an end of an interval is plus or minus infinity."""
    return isinstance(end, _Infinite)
