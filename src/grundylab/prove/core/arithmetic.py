"""The table of arithmetic: true statements about integers that automata cannot read, such as bounds of a remainder.

Every row is true for all integers in place of its arguments, by the conventions that make every operation total:
x // 0 is 0, x % 0 is x, and a shift by a negative number is 0. Coq has proved each row (``coq/Arithmetic.v``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from grundylab.language.parser import parse_condition
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr


@dataclass(frozen=True)
class ArithmeticRow:
    """A statement about all integers in place of its arguments."""

    arguments: tuple[str, ...]
    said: Expr


_TEXTS = {
    "remainder": ("x k", "k < 1 or 0 <= x % k < k"),
    "remainder-small": ("x k", "x < 0 or k < 1 or x % k <= x"),
    "remainder-below": ("x k", "x < 0 or x >= k or x % k == x"),
    "remainder-back": (
        "x t k",
        "t < 0 or t > k or k < 1 or (x - t) % k == (x % k - t if t <= x % k else x % k - t + k)",
    ),
    "remainder-same": ("x k", "k < 1 or (x - k) % k == x % k"),
    "quotient-digits": ("x y q", "not is_power_of_two(q) or x ^ y < 0 or x ^ y >= q or x // q == y // q"),
    "quotient-digits-differ": ("x y q", "not is_power_of_two(q) or 0 <= x ^ y < q or x // q != y // q"),
    "quotient": ("x k", "x < 0 or k < 1 or 0 <= x // k <= x"),
    "quotient-monotone": ("x y k", "k < 1 or x > y or x // k <= y // k"),
    "quotient-divisor": ("x k l", "x < 0 or k < 1 or k > l or x // l <= x // k"),
    "quotient-zero": ("x k", "x < 0 or k < 1 or (x // k == 0 if x < k else x // k >= 1)"),
    "quotient-back": ("x t k", "t < 0 or t > k or k < 1 or x // k - 1 <= (x - t) // k <= x // k"),
    "quotient-next": ("x n", "n < 0 or x // (1 << (n + 1)) == x // (1 << n) // 2"),
    "quotient-half": (
        "x y k i",
        "k < 1 or x // (1 << i) != y // (1 << i)"
        " or x // (2 * k) // (1 << (i - 1)) == y // (2 * k) // (1 << (i - 1))",
    ),
    "quotient-twice": ("x k l", "x < 0 or k < 1 or l < 1 or x // k // l == x // (k * l)"),
    "division": ("x k", "k < 1 or x == k * (x // k) + x % k"),
    "product-natural": ("x y", "x < 0 or y < 0 or x * y >= 0"),
    "product-square": ("x", "x <= x * x"),
    "product-monotone": ("x y z", "x < 0 or y > z or x * y <= x * z"),
    "power-next": ("n", "n < 0 or 1 << (n + 1) == 2 * (1 << n)"),
    "power-back": ("n", "n < 1 or 1 << n == 2 * (1 << (n - 1))"),
    "power": ("n", "n < 0 or is_power_of_two(1 << n)"),
    "power-above": ("n", "n < 0 or n < 1 << n"),
    "log": ("n", "floor_log2(n) >= 0"),
    "log-above": ("n", "n < 1 or floor_log2(n) < 1 << floor_log2(n)"),
    "log-power": ("n", "n < 1 or 1 << floor_log2(n) <= n and n < 2 * (1 << floor_log2(n))"),
    "prime": ("p d", "d < 2 or not is_prime(p) or p == d or p % d != 0"),
    "divisor": ("n t d", "t < 1 or d < 1 or n % t != 0 or t % d != 0 or n % d == 0"),
    "power-monotone": ("m n", "m < 0 or m > n or 1 << m <= 1 << n"),
}


ROWS: Mapping[str, ArithmeticRow] = MappingProxyType(
    {
        name: ArithmeticRow(tuple(arguments.split()), lower(parse_condition(text)))
        for name, (arguments, text) in _TEXTS.items()
    }
)
