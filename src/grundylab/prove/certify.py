"""Finding certificates for theorems about runs: why each inequality that ``intervals`` asks for is true."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grundylab.games.model import P_POSITIONS, Ruleset, Target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language import Expr
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, conjuncts
from grundylab.prove.intervals import Facts, NotIntervals, Obligations, check, obligations
from grundylab.prove.outcome import CertificateError
from grundylab.prove.polys import Monomial, NoForm, Poly, Value, constant, single
from grundylab.prove.space import NotProvable

Certificate = dict[str, Any]
Product = tuple[Fraction, tuple[Poly, ...]]  # a coefficient and facts


def certify(ruleset: Ruleset, formula: Expr) -> Certificate:
    """A certificate that the formula describes the P-positions for all sizes, checked; as JSON can hold it.

    Raises NotIntervals or NoForm, which say what is missing.
    """
    needed = obligations(ruleset, formula)
    certificate: Certificate = {
        "statement": f"p: {formula}",
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "method": "runs of P-positions, by induction on the pile: see grundylab.prove.intervals",
        "facts": {
            "least": {key: text(low) for key, low in needed.facts.lows.items()},
            "functions": {
                key: {"from": found.first, "least": found.least, "rises from": found.rises}
                for key, found in sorted(needed.facts.growths.items())
            },
        },
        "zero": {what: str(expr) for what, expr in needed.zero.items()},
        "natural": {what: _shown(needed, what, expr) for what, expr in needed.natural.items()},
    }
    check(ruleset, formula, certificate)
    return certificate


def certificate_text(ruleset: Ruleset, formula: Expr, target: Target, where: Expr) -> str | None:
    """A checked certificate as JSON, or None if there is none for the formula under ``where``.

    where: that nothing is asked, or that parameters have certain values.
    """
    names = ruleset.parameter_names
    fixed = fixed_by(where, names)
    if target != P_POSITIONS or len(fixed) < sum(term != TRUE for term in conjuncts(where)):
        return None
    try:
        certificate = certify(specialise(ruleset, fixed), substitute(formula, fixed))
    except (CertificateError, NotIntervals, NoForm, NotProvable):
        return None
    return json.dumps({**certificate, "where": str(where)}, indent=1) + "\n"


def _shown(needed: Obligations, what: str, expr: Expr) -> dict[str, Any]:
    """The expression, and why it is never negative: as it stands, or by induction on the run's number."""
    form = needed.reader.form(expr)
    search = _Search(needed.facts)
    if form.each == Poly() and (products := search.products(form.plain)) is not None:
        return {"says": str(expr), "whole": _written(products)}
    found = [search.products(part) for part in needed.base_and_step(expr)]
    if found[0] is None or found[1] is None:
        part = needed.base_and_step(expr)[0 if found[0] is None else 1]
        raise NotIntervals(f"'{what}': nothing shows that {text(part)} is at least 0")
    return {"says": str(expr), "base": _written(found[0]), "step": _written(found[1])}


def _written(products: list[Product]) -> list[list[Any]]:
    return [[str(coefficient), [text(factor) for factor in factors]] for coefficient, factors in products]


@dataclass(frozen=True)
class _Search:
    facts: Facts

    def products(self, poly: Poly) -> list[Product] | None:
        """The polynomial as a sum of products of facts, if it plainly is one."""
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
        found: list[Product] = []
        for (cofactor, _), coefficients in sorted(valued.items(), key=lambda item: _order(item[0])):
            left = self._paired(cofactor, coefficients, found)
            if left is None:
                return None
            for value, coefficient in left:
                least = constant(self.facts.growths[value.function].least)
                found.append((coefficient, (*self._factors(cofactor), self._back(single(value)) - least)))
                plain[cofactor] += coefficient * (least.number or 0)
        if any(coefficient < 0 for coefficient in plain.values()):
            return None
        for monomial, coefficient in sorted(plain.items(), key=lambda item: _order((item[0], ""))):
            if coefficient:
                found.append((coefficient, self._factors(monomial)))
        return found

    def _paired(
        self, cofactor: Monomial, coefficients: dict[Value, Fraction], found: list[Product]
    ) -> list[tuple[Value, Fraction]] | None:
        """Each value that is subtracted with greater ones that are added; what is left of those."""
        values = sorted(coefficients, key=lambda value: text(value.argument))
        added = {value: coefficients[value] for value in values if coefficients[value] > 0}
        for value in values:
            missing = -coefficients[value]
            for other in added:
                fact = self._back(single(other) - single(value))
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
        return tuple(self._back(single(atom)) for atom, power in names for _ in range(power))

    def _back(self, shifted: Poly) -> Poly:
        """The names again, instead of how much they are above their least values."""
        return shifted.put({key: single(key) - low for key, low in self.facts.lows.items()})


def _order(key: tuple[Monomial, str]) -> tuple[str, str]:
    return text(Poly(frozenset({(key[0], Fraction(1))}))), key[1]


def text(poly: Poly) -> str:
    """The polynomial in the formula language (a fraction as it is printed)."""
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
