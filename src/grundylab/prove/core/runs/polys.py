"""A normal form of expressions made of polynomials, values of functions, and sums: equal forms have equal values.

A polynomial here has rational coefficients. Its atoms are names, and values ``f(argument)`` of functions that are not
written out; the argument is a polynomial in names. Two polynomials with the same terms are equal wherever the functions
have values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Bounded, Call, Expr, Int, Name, Negate, free_names
from grundylab.prove.core.theorem import Refused


class NoForm(Refused):
    """The error that an expression has no normal form; the message names the part without one."""


@dataclass(frozen=True)
class Value:
    """The value of a function whose argument is a polynomial."""

    function: str
    argument: Poly


Atom = str | Value
Monomial = frozenset[tuple[Atom, int]]  # (atom, power)
ONE: Monomial = frozenset()


@dataclass(frozen=True)
class Poly:
    """A polynomial: the sum of coefficient * monomial over its terms; no coefficient is 0."""

    terms: frozenset[tuple[Monomial, Fraction]] = frozenset()

    def __add__(self, other: Poly) -> Poly:
        return _collected([*self.terms, *other.terms])

    def __sub__(self, other: Poly) -> Poly:
        return self + other * constant_polynomial_in_runs(-1)

    def __mul__(self, other: Poly) -> Poly:
        pairs = product(self.terms, other.terms)
        return _collected(
            (frozenset((Counter(dict(a)) + Counter(dict(b))).items()), c * d) for (a, c), (b, d) in pairs
        )

    def put(self, values: Mapping[str, Poly]) -> Poly:
        """Return the polynomial with ``values`` in place of names, also inside the arguments of functions."""
        total = Poly()
        for monomial, coefficient in self.terms:
            part = constant_polynomial_in_runs(coefficient)
            for atom, power in monomial:
                if isinstance(atom, str):
                    value = values.get(atom, single_atom(atom))
                else:
                    value = single_atom(Value(atom.function, atom.argument.put(values)))
                for _ in range(power):
                    part = part * value
            total = total + part
        return total

    @property
    def names(self) -> frozenset[str]:
        """The names in the polynomial, also those inside arguments of functions."""
        names: set[str] = set()
        for atom in self.atoms:
            names |= {atom} if isinstance(atom, str) else atom.argument.names
        return frozenset(names)

    @property
    def atoms(self) -> frozenset[Atom]:
        """The atoms in the polynomial."""
        return frozenset(atom for monomial, _ in self.terms for atom, _ in monomial)

    @property
    def number(self) -> Fraction | None:
        """The value of the polynomial if it is a constant; None otherwise."""
        coefficients = dict(self.terms)
        return coefficients.get(ONE, Fraction(0)) if set(coefficients) <= {ONE} else None


@dataclass(frozen=True)
class Form:
    """The normal form ``plain + sum(summand for INDEX in range(0, upper))``; ``PolynomialReader`` names ``upper``.

    asked: every function value in the expression, also those that cancel out: the expression has a value only where
    all of these have one.
    """

    plain: Poly
    summand: Poly = Poly()
    asked: frozenset[Value] = frozenset()

    def plus(self, other: Form, times: int) -> Form:
        """Return self + times * other."""
        factor, asked = constant_polynomial_in_runs(times), self.asked | other.asked
        return Form(self.plain + other.plain * factor, self.summand + other.summand * factor, asked)


LONGEST = 100  # the most terms of a sum that are written out
INDEX = "#"  # the variable of a sum; a sum inside it has ##, and so on: no ruleset has such a name


def constant_polynomial_in_runs(value: int | Fraction) -> Poly:
    """Return the constant polynomial with this value."""
    return Poly(frozenset({(ONE, Fraction(value))})) if value else Poly()


def single_atom(atom: Atom) -> Poly:
    """Return the polynomial that is one name, or one value of a function."""
    return Poly(frozenset({(frozenset({(atom, 1)}), Fraction(1))}))


def _collected(terms: Iterable[tuple[Monomial, Fraction]]) -> Poly:
    total: dict[Monomial, Fraction] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return Poly(frozenset((m, c) for m, c in total.items() if c))


@dataclass(frozen=True)
class PolynomialReader:
    """A reader of expressions as normal forms, in which sums end at the name ``upper`` (never negative).

    A function whose definition has a form is written out; the values of other functions become atoms.
    """

    functions: Functions
    upper: str

    def poly(self, expr: Expr) -> Poly:
        """Return the polynomial that equals the expression; raise NoForm if it has no normal form or has a sum."""
        return self._without_sum(expr).plain

    def _without_sum(self, expr: Expr) -> Form:
        form = self.form(expr)
        if form.summand != Poly():
            raise NoForm(f"'{expr}' has a sum in it")
        return form

    def form(self, expr: Expr) -> Form:
        """Return the normal form of an expression; raise NoForm if there is none."""
        match expr:
            case Int(value=value):
                return Form(constant_polynomial_in_runs(value))
            case Name(id=identifier):
                return Form(single_atom(identifier))
            case Negate(operand=operand):
                return Form(Poly()).plus(self.form(operand), -1)
            case Binary(op="+" | "-" as op, left=left, right=right):
                return self.form(left).plus(self.form(right), 1 if op == "+" else -1)
            case Binary(op="*", left=left, right=right):
                return self._product(expr, self.form(left), self.form(right))
            case Binary(op="//", left=left, right=Int(value=value)) if value > 0:
                numerator = self._without_sum(left)
                return Form(self._quotient(expr, numerator.plain, value), asked=numerator.asked)
            case Call(name=function, arguments=(argument,)) if (
                function in BUILTINS and BUILTINS[function].rises
            ):
                return self._unknown(function, argument)
            case Call(name=function, arguments=(argument,)) if function in self.functions:
                return self._value(function, argument)
            case Bounded(quantifier="sum"):
                return self._sum(expr)
        raise NoForm(f"'{expr}' is no polynomial, function value or sum")

    def _product(self, expr: Expr, left: Form, right: Form) -> Form:
        plain, asked = left.plain * right.plain, left.asked | right.asked
        if left.summand == right.summand == Poly():
            return Form(plain, asked=asked)
        number, other = (left, right) if left.summand == Poly() else (right, left)
        if number.summand != Poly() or number.plain.number is None:
            raise NoForm(f"'{expr}' multiplies a sum")
        return Form(plain, other.summand * number.plain, asked)

    def _quotient(self, expr: Expr, numerator: Poly, denominator: int) -> Poly:
        """Return numerator / denominator; raise NoForm unless that is an integer for all integers in place of names."""
        names = sorted(numerator.names)
        if any(isinstance(atom, Value) for atom in numerator.atoms):
            raise NoForm(f"'{expr}' divides a function's value")
        degree = max((sum(power for _, power in m) for m, _ in numerator.terms), default=0)
        # a polynomial with integer values on a grid of degree + 1 points a name has integer values everywhere
        for point in product(range(degree + 1), repeat=len(names)):
            if (
                evaluate_polynomial(numerator, dict(zip(names, point, strict=True))) / denominator
            ).denominator > 1:
                raise NoForm(f"'{expr}' is not an exact division")
        return numerator * constant_polynomial_in_runs(Fraction(1, denominator))

    def _value(self, function: str, argument: Expr) -> Form:
        definition = self.functions[function]
        if isinstance(definition, Function) and not definition.recurrence:
            try:
                # an argument is evaluated even if the body does not use it
                inner = self._without_sum(argument)
                body = self._without_sum(substitute(definition.body, {definition.arguments[0]: argument}))
                return Form(body.plain, asked=body.asked | inner.asked)
            except NoForm:
                pass
        return self._unknown(function, argument)

    def _unknown(self, function: str, argument: Expr) -> Form:
        inner = self._without_sum(argument)
        if any(isinstance(atom, Value) for atom in inner.plain.atoms):
            raise NoForm(f"'{function}({argument})' is a function's value at a function's value")
        value = Value(function, inner.plain)
        return Form(single_atom(value), asked=inner.asked | {value})

    def _sum(self, expr: Bounded) -> Form:
        """Return the normal form of a sum; raise NoForm if it does not begin at 0 or has no form.

        A sum to ``upper + c`` becomes a sum to ``upper`` and c more terms. A sum to a constant becomes its terms.
        """
        end = self._without_sum(expr.stop)
        stop, asked = end.plain, end.asked
        more, fixed = (stop - single_atom(self.upper)).number, stop.number
        count = more if fixed is None else fixed
        if expr.start != Int(0) or count is None or not 0 <= count <= LONGEST:
            raise NoForm(f"'{expr}' does not run from 0 to {self.upper}")
        index = INDEX
        while index in free_names(expr.body):  # the index of an enclosing sum
            index += INDEX
        body = self._without_sum(substitute(expr.body, {expr.variable: Name(index)}))
        term = body.plain
        if self.upper in term.names:
            raise NoForm(f"the terms of '{expr}' change with {self.upper}")
        first = single_atom(self.upper) if fixed is None else Poly()
        rest = Poly()
        for number in range(int(count)):
            place = {index: first + constant_polynomial_in_runs(number)}
            rest = rest + term.put(place)
            asked |= {Value(value.function, value.argument.put(place)) for value in body.asked}
        if fixed is not None:
            return Form(rest, asked=asked)
        if index != INDEX:
            raise NoForm(f"'{expr}' is a sum within another that does not end at a number")
        return Form(rest, term, asked | body.asked)


def evaluate_polynomial(poly: Poly, values: Mapping[str, int]) -> Fraction:
    """Return the value of a polynomial whose atoms are all names. values: the value of each name."""
    total = Fraction(0)
    for monomial, coefficient in poly.terms:
        total += coefficient * prod(
            values[atom] ** power for atom, power in monomial if isinstance(atom, str)
        )
    return total
