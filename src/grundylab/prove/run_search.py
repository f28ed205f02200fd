"""The search for evidence about runs of P-positions: reasons for the inequalities that the kernel demands.

A run is an interval of P-positions of a pile (``kernel/runs/run_ends.py``). A fact is an expression that is plainly not
negative; a reason writes an inequality as a sum of products of facts.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction

from grundylab.errors import GrundylabError
from grundylab.games.model import P_POSITIONS
from grundylab.language.syntax import Call, Expr, Int, Name, chain
from grundylab.prove.kernel.evidence import NonnegativityProof, Runs
from grundylab.prove.kernel.evidence import Product as Written
from grundylab.prove.kernel.runs.polys import Monomial, Poly, Value, constant_polynomial_in_runs, single_atom
from grundylab.prove.kernel.runs.run_ends import (
    Facts,
    NotIntervals,
    RunObligations,
    game_and_formula,
    run_obligations,
)
from grundylab.statement import Statement

ProductTerm = tuple[Fraction, tuple[Poly, ...]]  # a coefficient, and facts that it multiplies


def runs_evidence(statement: Statement) -> Runs | None:
    """Return evidence from runs that the formula describes the P-positions for all sizes; None if none is found."""
    if statement.target != P_POSITIONS or not statement.plain:
        return None
    try:
        needed = run_obligations(*game_and_formula(statement))
        natural = ((what, _reason(needed, what, expr)) for what, expr in needed.natural.items())
        return Runs(natural=tuple(natural))
    except GrundylabError:  # a game or formula of another kind
        return None


def _reason(needed: RunObligations, what: str, expr: Expr) -> NonnegativityProof:
    """Return the reason why the expression is never negative: directly, or by induction on the number of the run.

    what: the name of the inequality, for the message. Raises NotIntervals if no reason is found.
    """
    form = needed.reader.form(expr)
    search = _Search(needed.facts)
    if form.each == Poly() and (products := search.products(form.plain)) is not None:
        return NonnegativityProof(whole=_expression_texts(products))
    found = [search.products(part) for part in needed.base_and_step(expr)]
    if found[0] is None or found[1] is None:
        part = needed.base_and_step(expr)[0 if found[0] is None else 1]
        raise NotIntervals(f"'{what}': nothing shows that {text(part)} is at least 0")
    return NonnegativityProof(base=_expression_texts(found[0]), step=_expression_texts(found[1]))


def _expression_texts(products: list[ProductTerm]) -> tuple[Written, ...]:
    return tuple((str(coefficient), tuple(map(_expression, factors))) for coefficient, factors in products)


def _expression(poly: Poly) -> Expr:
    """Return a polynomial with integer coefficients as an expression: first terms with +, then terms with -."""
    terms = sorted(poly.terms, key=lambda term: (not term[0], _product(term[0])))
    added = [_term(monomial, c) for monomial, c in terms if c > 0]
    taken = [_term(monomial, -c) for monomial, c in terms if c < 0]
    return chain("-", [chain("+", added) if added else Int(0), *taken])


def _term(monomial: Monomial, coefficient: Fraction) -> Expr:
    if coefficient.denominator > 1:
        raise NotIntervals("a fact has a fraction in it")
    atoms = sorted(monomial, key=lambda each: _product(frozenset({each})))
    factors = [_atom(atom) for atom, power in atoms for _ in range(power)]
    number = Int(int(coefficient))
    return chain("*", [*([] if coefficient == 1 and factors else [number]), *factors])


def _atom(atom: str | Value) -> Expr:
    return Name(atom) if isinstance(atom, str) else Call(atom.function, (_expression(atom.argument),))


@dataclass(frozen=True)
class _Search:
    facts: Facts

    def products(self, poly: Poly) -> list[ProductTerm] | None:
        """Return the polynomial as a sum of products of facts: each (coefficient, factors); None if none is found."""
        plain: dict[Monomial, Fraction] = defaultdict(Fraction)
        valued: dict[tuple[Monomial, str], dict[Value, Fraction]] = defaultdict(dict)
        for monomial, coefficient in self.facts.shifted(poly).terms:
            values = [(atom, power) for atom, power in monomial if isinstance(atom, Value)]
            if not values:
                plain[monomial] += coefficient
                continue
            (value, power), *more = values
            if more or power > 1:
                return None
            valued[monomial - {(value, 1)}, value.function][value] = coefficient
        found: list[ProductTerm] = []
        for (cofactor, _), coefficients in sorted(valued.items(), key=lambda item: _order(item[0])):
            left = self._paired(cofactor, coefficients, found)
            if left is None:
                return None
            for value, coefficient in left:
                least = constant_polynomial_in_runs(self.facts.growths[value.function].least)
                found.append(
                    (coefficient, (*self._factors(cofactor), self._back(single_atom(value)) - least))
                )
                plain[cofactor] += coefficient * (least.number or 0)
        if any(coefficient < 0 for coefficient in plain.values()):
            return None
        for monomial, coefficient in sorted(plain.items(), key=lambda item: _order((item[0], ""))):
            if coefficient:
                found.append((coefficient, self._factors(monomial)))
        return found

    def _paired(
        self, cofactor: Monomial, coefficients: dict[Value, Fraction], found: list[ProductTerm]
    ) -> list[tuple[Value, Fraction]] | None:
        """Pair each value of a function that is subtracted with greater ones that are added: the differences are facts.

        coefficients: those of the values, negative for subtracted ones. cofactor: a further factor of all of them. The
        products of cofactor and difference are appended to ``found``. Returns the added values that are left, with
        their coefficients; None if a subtracted value finds no greater one.
        """
        values = sorted(coefficients, key=lambda value: text(value.argument))
        added = {value: coefficients[value] for value in values if coefficients[value] > 0}
        for value in values:
            missing = -coefficients[value]
            for other in added:
                fact = self._back(single_atom(other) - single_atom(value))
                part = min(missing, added[other])
                if part > 0 and self.facts.holds(fact):
                    found.append((part, (*self._factors(cofactor), fact)))
                    missing -= part
                    added[other] -= part
            if missing > 0:
                return None
        return [(value, left) for value, left in added.items() if left]

    def _factors(self, monomial: Monomial) -> tuple[Poly, ...]:
        names = sorted((atom, power) for atom, power in monomial if isinstance(atom, str))
        return tuple(self._back(single_atom(atom)) for atom, power in names for _ in range(power))

    def _back(self, shifted: Poly) -> Poly:
        """Return the polynomial with each name replaced by its difference from its least value."""
        return shifted.put({key: single_atom(key) - low for key, low in self.facts.lows.items()})


def _order(key: tuple[Monomial, str]) -> tuple[str, str]:
    return text(Poly(frozenset({(key[0], Fraction(1))}))), key[1]


def text(poly: Poly) -> str:
    """Return the polynomial as text for messages."""
    terms = sorted(
        ((_product(monomial), c) for monomial, c in poly.terms), key=lambda term: (not term[0], term[0])
    )
    whole = ""
    for product, coefficient in sorted(terms, key=lambda term: term[1] < 0):
        size = abs(coefficient)
        parts = [*([str(size)] if size != 1 or not product else []), *([product] if product else [])]
        sign = ("-" if coefficient < 0 else "") if not whole else " - " if coefficient < 0 else " + "
        whole += sign + "*".join(parts)
    return whole or "0"


def _product(monomial: Monomial) -> str:
    parts = [
        atom if isinstance(atom, str) else f"{atom.function}({text(atom.argument)})"
        for atom, power in monomial
        for _ in range(power)
    ]
    return "*".join(sorted(parts))
