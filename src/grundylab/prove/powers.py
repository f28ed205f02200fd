"""A claim about powers of two with exponents that vary, said of the powers themselves: ``1 << n`` becomes q.

It is the same for all q that are powers of two as for all n, if n stands in nothing but ``1 << (n - c)`` with numbers
c. And quotients by one power are the same exactly if the numbers differ in lower digits alone:
``x // (1 << n) == y // (1 << n)`` where ``0 <= x ^ y < (1 << n)``.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.games.model import ALWAYS, Claim, Range, Ranged, Ruleset
from grundylab.language import names
from grundylab.language.linear import poly
from grundylab.language.substitution import lower, rewritten
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    free_names,
    parts,
)
from grundylab.prove.hypothesis import split_where
from grundylab.prove.neighbours import always, implied, negation
from grundylab.prove.outcome import Premise


def of_powers(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` for all powers instead of all exponents, if a variable of it is nothing but one."""
    if claim.target != ALWAYS or claim.values or claim.tables or not ruleset.bounds:
        return
    assumed, about = split_where(conjunction(claim.where, where), ruleset)
    said = rewritten(lower(ruleset.functions.expand(implied(about, claim.formula))), digits_compared)
    for variable in claim.variables:
        changed = _said_of_power(said, variable, claim, ruleset)
        if changed is not None:
            of_power, power = changed
            variables = tuple(power if v == variable else v for v in claim.variables)
            yield tuple(always(ruleset, assumed, [of_power], variables))


def _said_of_power(
    said: Expr, exponent: Ranged, claim: Claim, ruleset: Ruleset
) -> tuple[Expr, Ranged] | None:
    """The condition with a power in place of the exponent, and that power; None if the exponent is more than that."""
    least = exponent.range.low
    if not isinstance(least, Int):
        return None
    taken = {*ruleset.formula_names, *ruleset.bounds, *(v.name for v in claim.variables)}
    bound = {node.variable for node in parts(said) if isinstance(node, Bounded)}
    power = names.written("q", taken | bound | {function.name for function in ruleset.functions})
    changed = of_power(said, exponent.name, least.value, power)
    ends = (end for other in claim.variables for end in other.ends if other != exponent)
    if changed is None or any(exponent.name in free_names(end) for end in ends):
        return None
    of_it, smallest, _ = changed
    is_power = Call("is_power_of_two", (Name(power),))
    inside = conjunction(is_power, compare(">=", Name(power), Int(smallest)))
    return implied(inside, of_it), Ranged(power, Range(Int(0), Name(ruleset.bounds[0])))


def of_power(said: Expr, exponent: str, least: int, power: str) -> tuple[Expr, int, int] | None:
    """What is said of all exponents n from ``least`` on, said of the powers ``1 << (n - c)``; the least of them, and c.

    None if n stands in anything but ``1 << (n - b)`` with numbers b, none above ``least``.
    """
    backs = [back for node in parts(said) if (back := _back(node, exponent)) is not None]
    if not backs or least < max(backs):
        return None
    most = max(backs)

    def change(node: Expr) -> Expr:
        back = _back(node, exponent)
        return node if back is None else Binary("*", Int(1 << (most - back)), Name(power))

    changed = rewritten(said, change)
    bound = {node.variable for node in parts(said) if isinstance(node, Bounded)}
    if exponent in free_names(changed) or bound & {exponent, power}:
        return None
    return changed, 1 << (least - most), most


def _back(node: Expr, exponent: str) -> int | None:
    """The c of ``1 << (exponent - c)``, if it is that."""
    if not isinstance(node, Binary) or node.op != "<<" or node.left != Int(1):
        return None
    rest = (poly(Name(exponent)) - poly(node.right)).number
    return rest if rest is not None and rest >= 0 else None


def digits_compared(node: Expr) -> Expr:
    """That two quotients by one power of two are the same, said of the digits of the numbers."""
    match node:
        case Compare(ops=("==" | "!=" as op,), terms=(Binary("//", x, d), Binary("//", y, e))) if d == e:
            if isinstance(d, Binary) and d.op == "<<" and d.left == Int(1):
                differ = Binary("^", x, y)
                same = conjunction(compare("<=", Int(0), differ), compare("<", differ, d))
                return same if op == "==" else negation(same)
    return node
