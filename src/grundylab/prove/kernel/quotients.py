"""Quotients by a divisor that varies: calls that mark them, and facts about the numbers that later replace them.

For natural A and divisors m, n >= 1: A // m // n = A // (m * n), so quotients of quotients can be written with the
power of two first; A // m <= A; and A <= B implies A // m <= B // m. That the numbers are natural and the divisors at
least 1 is proved together with the claim (``has_value``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import prod

from grundylab.language.linear import atom_polynomial, constant_polynomial
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, compare, conjunction, operands
from grundylab.prove.core.definedness import implied
from grundylab.prove.kernel.theorem import Refused

QUOTIENT = "_quotient"


def mark_quotients(expr: Expr) -> Expr:
    """Return a lowered expression with a call of ``QUOTIENT`` in place of each quotient whose divisor varies."""
    return rewrite(expr, _mark)


def _mark(node: Expr) -> Expr:
    """Return the call that marks the node if it is a quotient by a divisor that varies; otherwise the node unchanged.

    The call's arguments are the dividend, the divisor, and the exponents in the divisor, which must be natural.
    """
    if not isinstance(node, Binary) or node.op != "//":
        return node
    number, factors, exponents = node.left, operands(node.right, "*"), list[Expr]()
    while True:  # a quotient of a quotient is a quotient by the product
        match number:
            case Call(name=name, arguments=(inner, divisor, *more)) if name == QUOTIENT:
                number, factors, exponents = inner, [*operands(divisor, "*"), *factors], [*more, *exponents]
            case Binary(op="//", left=inner, right=Int() as divisor):
                number, factors = inner, [divisor, *factors]
            case _:
                break
    powers = [each.right for each in factors if isinstance(each, Binary) and _is_power(each)]
    others = [each for each in factors if not _is_power(each) and not isinstance(each, Int)]
    fixed = prod(each.value for each in factors if isinstance(each, Int))
    if not powers and not others:
        return node
    if any(isinstance(each, Int) and each.value < 1 for each in factors):
        raise Refused("a constant divisor is not positive")
    return _divided(number, powers, fixed, others, [*exponents, *powers])


def _divided(number: Expr, powers: list[Expr], fixed: int, others: list[Expr], exponents: list[Expr]) -> Expr:
    """Return ``number`` divided by a power of two, then by an odd constant, and then by the other divisors.

    powers: the exponents of 2 in the divisor. fixed: its constant factor. others: its other factors. exponents: the
    last arguments of each call (``_mark``).
    """
    twos = (fixed & -fixed).bit_length() - 1
    if powers:
        total = sum(map(atom_polynomial, powers), constant_polynomial(twos)).expression()
        number = Call(QUOTIENT, (number, Binary("<<", Int(1), total), *exponents))
    elif twos:
        number = Binary("//", number, Int(1 << twos))
    if fixed >> twos > 1:
        number = Binary("//", number, Int(fixed >> twos))
    for other in sorted(others, key=str):
        number = Call(QUOTIENT, (number, other, *exponents))
    return number


def has_value(call: Call) -> Expr:
    """Return the condition that the dividend and the exponents are natural, and the divisor at least 1."""
    number, divisor, *exponents = call.arguments
    asked = [compare(">=", each, Int(0)) for each in dict.fromkeys((number, *exponents))]
    return conjunction(*asked, *([] if _is_power(divisor) else [compare(">=", divisor, Int(1))]))


def _is_power(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.op == "<<" and expr.left == Int(1)


def quotient_facts(found: Mapping[tuple[object, ...], Name]) -> Iterator[Expr]:
    """Yield facts about the numbers that replace quotients; they remain true if 0 replaces a quotient without a value.

    found: the number for each (dividend, divisor).
    """
    pairs = [(a, m, d) for (a, m), d in found.items() if isinstance(a, Expr) and isinstance(m, Expr)]
    for a, _, d in pairs:
        yield implied(compare(">=", a, Int(0)), compare("<=", d, a))
    for (a, m, d), (b, n, e) in combinations(pairs, 2):
        if m == n:
            yield implied(compare("<=", a, b), compare("<=", d, e))
            yield implied(compare("<=", b, a), compare("<=", e, d))
