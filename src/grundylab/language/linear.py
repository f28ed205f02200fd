"""Linear inequalities between polynomials, and the linear dependence of an expression on one name.

A polynomial here has integer coefficients and is in *atoms*: names, and opaque numbers such as ``x % 3``. A condition
is split into inequalities ``polynomial >= 0``, from which floors, minima and the like are removed where the inequality
remains equivalent, and the conditions that are no such inequality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from grundylab.language.functions import Functions
from grundylab.language.intervals import Bounder, Bounds
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Call,
    Compare,
    Expr,
    Int,
    Name,
    Negate,
    chain,
    conjuncts,
    free_names,
    negative,
)

Monomial = tuple[Expr, ...]


@dataclass(frozen=True)
class Poly:
    """A polynomial ``sum(coefficient * product of atoms)`` without coefficients 0; equal ones have equal terms.

    Made by ``poly`` and ``constant``.

    Made by ``poly`` and ``constant``.
    """

    terms: tuple[tuple[Monomial, int], ...] = ()

    def __add__(self, other: Poly) -> Poly:
        return _collected([*self.terms, *other.terms])

    def __sub__(self, other: Poly) -> Poly:
        return self + other * constant(-1)

    def __mul__(self, other: Poly) -> Poly:
        return _collected([(a + b, c * d) for (a, c), (b, d) in product(self.terms, other.terms)])

    @property
    def names(self) -> frozenset[str]:
        """The names that its value depends on."""
        return frozenset(name for monomial, _ in self.terms for atom in monomial for name in free_names(atom))

    @property
    def number(self) -> int | None:
        """The value of a constant polynomial; None for any other."""
        if not self.terms:
            return 0
        return self.terms[0][1] if len(self.terms) == 1 and not self.terms[0][0] else None

    def split(self, name: str) -> tuple[Poly, Poly] | None:
        """Return (a, b) without the name such that the polynomial is a * name + b; None if there are none."""
        slope: list[tuple[Monomial, int]] = []
        rest: list[tuple[Monomial, int]] = []
        for monomial, coefficient in self.terms:
            others = tuple(atom for atom in monomial if atom != Name(name))
            if len(monomial) - len(others) > 1 or any(name in free_names(atom) for atom in others):
                return None
            (rest if len(others) == len(monomial) else slope).append((others, coefficient))
        return _collected(slope), _collected(rest)

    def expression(self) -> Expr:
        """Return the polynomial as an expression in the usual order: positive terms, negative terms, the constant."""
        number = dict(self.terms).get((), 0)
        added = [_product(monomial, factor) for monomial, factor in self.terms if monomial and factor > 0]
        taken = [_product(monomial, -factor) for monomial, factor in self.terms if monomial and factor < 0]
        if not added and (number or not taken):
            added, number = [Int(number)], 0
        first = chain("+", added) if added else negative(taken.pop(0))
        total = chain("-", [first, *taken])
        return Binary("+" if number > 0 else "-", total, Int(abs(number))) if number else total


def _product(monomial: Monomial, factor: int) -> Expr:
    return chain("*", monomial if factor == 1 else (Int(factor), *monomial))


def constant(value: int) -> Poly:
    """Return the constant polynomial."""
    return _collected([((), value)])


def poly(expr: Expr) -> Poly:
    """Return a NUMBER without fractions as a polynomial; a part that is no sum, difference or product is an atom."""
    return _poly(expr, {})


def _poly(expr: Expr, done: dict[int, Poly]) -> Poly:
    """Return as ``poly`` does. done: the polynomials of the parts read so far, by the parts' identity."""
    if id(expr) not in done:
        match expr:
            case Int(value=value):
                found = constant(value)
            case Negate(operand=operand):
                found = _poly(operand, done) * constant(-1)
            case Binary(op="+" | "-" | "*" as op, left=left, right=right):
                combine = {"+": Poly.__add__, "-": Poly.__sub__, "*": Poly.__mul__}[op]
                found = combine(_poly(left, done), _poly(right, done))
            case _:
                found = Poly((((expr,), 1),))
        done[id(expr)] = found
    return done[id(expr)]


def _collected(terms: list[tuple[Monomial, int]]) -> Poly:
    total: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        monomial = tuple(sorted(monomial, key=str))
        total[monomial] = total.get(monomial, 0) + coefficient
    kept = [(monomial, coefficient) for monomial, coefficient in total.items() if coefficient]
    return Poly(tuple(sorted(kept, key=lambda term: tuple(map(str, term[0])))))


def slope(expr: Expr, name: str) -> tuple[Expr, Expr] | None:
    """Return (factor, rest), without the name, such that the NUMBER is factor * name + rest; None if there are none."""
    parts = poly(expr).split(name)
    return parts and (parts[0].expression(), substitute(expr, {name: Int(0)}))


@dataclass(frozen=True)
class Reader:
    """A reader of conditions, with bounds on all names in them."""

    known: Bounds
    functions: Functions

    def conditions(self, expr: Expr) -> tuple[tuple[Poly, ...], tuple[Expr, ...]]:
        """Split a condition into polynomials >= 0 and other conditions, which together are equivalent to it."""
        polys: list[Poly] = []
        others: list[Expr] = []
        for part in conjuncts(lower(self.functions.expand(expr))):
            if isinstance(part, Compare) and "!=" not in part.ops:
                for op, left, right in part.links:
                    polys += self._link(op, poly(right) - poly(left))
            elif part != TRUE:
                others.append(part)
        return tuple(polys), tuple(others)

    def _link(self, op: str, more: Poly) -> list[Poly]:
        """Return one comparison as inequalities. more: the right side minus the left."""
        less = more * constant(-1)
        sides = {
            "<=": [more],
            "<": [more - constant(1)],
            ">=": [less],
            ">": [less - constant(1)],
            "==": [more, less],
        }[op]
        return [plain for side in sides for plain in self.plain(side)]

    def plain(self, inequality: Poly) -> list[Poly]:
        """Return equivalent inequalities, without floors, minima, maxima and absolute values where possible."""
        for monomial, coefficient in inequality.terms:
            if len(monomial) != 1 or sum(monomial[0] in other for other, _ in inequality.terms) > 1:
                continue
            atom = Poly(((monomial, coefficient),))
            rest = inequality - atom
            match monomial[0]:
                case Binary(op="//", left=top, right=bottom) if abs(coefficient) == 1 <= self._least(bottom):
                    if coefficient == 1:  # floor(n/k) >= -r exactly if n >= -k*r
                        return self.plain(poly(top) + poly(bottom) * rest)
                    return self.plain(poly(bottom) * (rest + constant(1)) - poly(top) - constant(1))
                case Call(name=name, arguments=several) if name == ("min" if coefficient > 0 else "max"):
                    sides = [rest + poly(argument) * constant(coefficient) for argument in several]
                    return [plain for side in sides for plain in self.plain(side)]
                case Call(name="abs", arguments=(inner,)) if coefficient < 0:
                    sides = [rest + poly(inner) * constant(sign * coefficient) for sign in (1, -1)]
                    return [plain for side in sides for plain in self.plain(side)]
        return [inequality]

    def _least(self, expr: Expr) -> float:
        found = Bounder(self.known, self.functions).known(lower(expr))
        return -float("inf") if found is None else found.low

    def least(self, asked: Poly) -> float:
        """Return a lower bound on the polynomial."""
        return sum(self._least(Poly((term,)).expression()) for term in asked.terms)

    def follows(self, goal: Poly, given: tuple[Poly, ...]) -> bool:
        """Tell whether the goal is certainly at least 0 wherever all the given polynomials are."""
        return all(self._follows(part, given) for part in self.plain(goal)) or any(
            self.follows(less, given) for less in self._below(goal)
        )

    def _below(self, goal: Poly) -> Iterator[Poly]:
        """Yield polynomials that never exceed the goal: a minimum or maximum is replaced by one of its arguments."""
        for monomial, coefficient in goal.terms:
            match monomial:
                case (Call(name=name) as call,) if name == ("min" if coefficient < 0 else "max"):
                    for argument in call.arguments:
                        yield goal + (poly(argument) - poly(call)) * constant(coefficient)

    def _follows(self, goal: Poly, given: tuple[Poly, ...]) -> bool:
        if self.least(goal) >= 0:
            return True
        above = goal + constant(1)  # integers: goal >= 0 if above > 0; each one + 1 is > 0
        for one in given:
            for factor in {1, *(abs(coefficient) for _, coefficient in one.terms)}:
                if self.least(above * constant(factor) - one - constant(1)) >= 0:
                    return True
        return False
