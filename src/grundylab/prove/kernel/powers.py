"""Powers of two in place of their exponents, and quotients by a power of two compared by binary digits.

A claim about all n that uses n only in the form ``1 << (n - c)``, with constants c, is a claim about all powers of two.
Two quotients by the same power are equal exactly if the numbers differ only in lower binary digits:
``x // (1 << n) == y // (1 << n)`` means ``0 <= x ^ y < (1 << n)``.
"""

from __future__ import annotations

from grundylab.language.linear import atom_polynomial
from grundylab.language.operators import MAX_SHIFT
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Compare,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    distinct_parts,
    free_names,
)
from grundylab.prove.core.definedness import negation


def for_powers(said: Expr, exponent: str, least: int, power: str) -> tuple[Expr, int, int] | None:
    """Return a claim about exponents n >= least as (claim about powers q = ``1 << (n - c)``, least power, c).

    c is the largest constant b for which ``1 << (n - b)`` occurs in the claim. power: the name for q. None if n occurs
    in any other form or not at all, or if c is above ``least``.
    """
    backs = [back for node in distinct_parts(said) if (back := _back(node, exponent)) is not None]
    if not backs or least < max(backs) or least > MAX_SHIFT:
        return None
    most = max(backs)

    def change(node: Expr) -> Expr:
        back = _back(node, exponent)
        return node if back is None else Binary("*", Int(1 << (most - back)), Name(power))

    changed = rewrite(said, change)
    bound = {node.variable for node in distinct_parts(said) if isinstance(node, Bounded)}
    if exponent in free_names(changed) or bound & {exponent, power}:
        return None
    return changed, 1 << (least - most), most


def _back(node: Expr, exponent: str) -> int | None:
    """Return c if the node is ``1 << (exponent - c)`` with a constant c >= 0; None otherwise."""
    if not isinstance(node, Binary) or node.op != "<<" or node.left != Int(1):
        return None
    rest = (atom_polynomial(Name(exponent)) - atom_polynomial(node.right)).number
    return rest if rest is not None and rest >= 0 else None


def digits_compared(node: Expr) -> Expr:
    """Return an equation of two quotients by the same power of two as a condition on the binary digits of the numbers.

    The negation of such an equation is changed in the same way; any other node is returned unchanged.
    """
    match node:
        case Compare(ops=("==" | "!=" as op,), terms=(Binary("//", x, d), Binary("//", y, e))) if d == e:
            if isinstance(d, Binary) and d.op == "<<" and d.left == Int(1):
                differ = Binary("^", x, y)
                valued = compare(">=", d, Int(1))  # evaluated first: without a value of d there is none
                same = conjunction(valued, compare("<=", Int(0), differ), compare("<", differ, d))
                return same if op == "==" else negation(same)
    return node
