"""Quotients by a number that varies: a number in place of each, of which a few things are known.

For numbers from 0 on and divisors from 1 on: A // m // n is A // (m * n), so that quotients of quotients are written
with the power of two first; A // m is at most A; and of two quotients by one divisor the one of the larger number is
not smaller, so that equal numbers have equal quotients. That all divisors are at least 1 is a part of what is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import prod

from grundylab.games.model import ALWAYS, Claim, Range, Ranged, Ruleset
from grundylab.language import names
from grundylab.language.linear import constant, poly
from grundylab.language.substitution import lower, rewritten
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Bounded,
    Call,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    operands,
    parts,
)
from grundylab.prove.fresh import of_all_numbers
from grundylab.prove.hypothesis import split_where
from grundylab.prove.lookups import Lookups, NotSaid
from grundylab.prove.neighbours import here, implied, is_position
from grundylab.prove.opening import Opening, asks_at_bound, names_of
from grundylab.prove.outcome import Premise
from grundylab.prove.shorter import shorter

_QUOTIENT = "_quotient"


def of_quotients(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` with numbers in place of quotients by what varies, if there are any."""
    if claim.target != ALWAYS or claim.values or claim.tables or not ruleset.bounds:
        return
    assumed, about = split_where(conjunction(claim.where, where), ruleset)
    expand = ruleset.functions.expand
    said = _marked(expand(implied(about, claim.formula)))
    if Lookups([_QUOTIENT]).is_plain(said):
        return
    clauses = Opening(ruleset, claim.variables, [_QUOTIENT]).clauses(said)
    space = _marked(expand(is_position(ruleset, here(ruleset))))
    for supposed in dict.fromkeys(
        (TRUE, space)
    ):  # without what is asked of positions there is less to be read
        found = list[Premise]()
        for variables, clause in clauses:
            numbers = _Numbers(ruleset, [*claim.variables, *variables], clause)
            meant = Lookups([_QUOTIENT]).meant(clause, _asked)
            condition, inside = numbers.put(conjunction(meant, clause)), numbers.put(supposed)
            condition = shorter(implied(conjunction(inside, *numbers.known()), condition))
            found += of_all_numbers(ruleset, assumed, condition, numbers.variables)
        yield tuple(dict.fromkeys(found))


def _marked(expr: Expr) -> Expr:
    """With a call in place of each quotient by what varies."""
    return rewritten(lower(expr), _mark)


def _mark(node: Expr) -> Expr:
    """A call has the number, the divisor, and the exponents from which that comes: each must be 0 or above."""
    if not isinstance(node, Binary) or node.op != "//":
        return node
    number, factors, exponents = node.left, operands(node.right, "*"), list[Expr]()
    while True:  # a quotient of a quotient is one by both
        match number:
            case Call(name=name, arguments=(inner, divisor, *more)) if name == _QUOTIENT:
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
        raise NotSaid
    return _divided(number, powers, fixed, others, [*exponents, *powers])


def _divided(number: Expr, powers: list[Expr], fixed: int, others: list[Expr], exponents: list[Expr]) -> Expr:
    """The number by the power of two, then by the odd number, and then by what else there is."""
    twos = (fixed & -fixed).bit_length() - 1
    if powers:
        total = sum(map(poly, powers), constant(twos)).expression()
        number = Call(_QUOTIENT, (number, Binary("<<", Int(1), total), *exponents))
    elif twos:
        number = Binary("//", number, Int(1 << twos))
    if fixed >> twos > 1:
        number = Binary("//", number, Int(fixed >> twos))
    for other in sorted(others, key=str):
        number = Call(_QUOTIENT, (number, other, *exponents))
    return number


def _asked(call: Call) -> Expr:
    """That the number is 0 or above and the divisor, which is a power of two or one factor, at least 1."""
    number, divisor, *exponents = call.arguments
    asked = [compare(">=", each, Int(0)) for each in dict.fromkeys((number, *exponents))]
    return conjunction(*asked, *([] if _is_power(divisor) else [compare(">=", divisor, Int(1))]))


def _is_power(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.op == "<<" and expr.left == Int(1)


class _Numbers:
    """Numbers in place of quotients, and what is known of them."""

    def __init__(self, ruleset: Ruleset, variables: list[Ranged], said: Expr) -> None:
        self.variables = list(variables)
        bound = {node.variable for node in parts(said) if isinstance(node, Bounded)}
        self._taken = {*names_of(ruleset), *bound, *(variable.name for variable in variables)}
        self._most = Name(ruleset.bounds[0])
        self._found: dict[tuple[Expr, Expr], Name] = {}

    def put(self, expr: Expr) -> Expr:
        """The expression with numbers. Raises NotSaid where a quotient is of what is bound."""
        if asks_at_bound(expr, [_QUOTIENT]):
            raise NotSaid
        return rewritten(expr, self._number)

    def _number(self, node: Expr) -> Expr:
        if not isinstance(node, Call) or node.name != _QUOTIENT:
            return node
        number, divisor = shorter(node.arguments[0]), shorter(node.arguments[1])
        if (number, divisor) not in self._found:
            name = names.written("d", self._taken)
            self._taken.add(name)
            self.variables.append(Ranged(name, Range(Int(0), self._most)))
            self._found[number, divisor] = Name(name)
        return self._found[number, divisor]

    def known(self) -> Iterator[Expr]:
        """What is true of the quotients, and of 0 in place of those that are of no number from 0 on."""
        for (number, _), quotient in self._found.items():
            yield implied(compare(">=", number, Int(0)), compare("<=", quotient, number))
        for ((a, divisor), d), ((b, other), e) in combinations(self._found.items(), 2):
            if divisor == other:
                yield implied(compare("<=", a, b), compare("<=", d, e))
                yield implied(compare("<=", b, a), compare("<=", e, d))
