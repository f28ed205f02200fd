"""Equations between polynomials that are the same polynomial: true whatever the numbers are, and so left out.

Both sides are made of names and numbers by ``+``, ``-`` and ``*`` alone, and so have a value everywhere; that they are
the same is that their difference, multiplied out, has no term.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.language.linear import Poly, poly
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Compare, Expr, Int, Name, Negate, conjunction, conjuncts, parts
from grundylab.prove.neighbours import always
from grundylab.prove.outcome import Premise


def identities(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` without its terms that are identities; variables of one value have that value."""
    if claim.target != ALWAYS or claim.values or claim.tables:
        return
    single = {v.name: v.range.low for v in claim.variables if v.range.low == v.range.high}
    single = {name: value for name, value in single.items() if isinstance(value, Int)}
    terms = conjuncts(ruleset.functions.expand(claim.formula))
    left = [term for term in terms if not is_identity(substitute(term, single))]
    if len(left) < len(terms):
        yield tuple(always(ruleset, conjunction(claim.where, where), left, claim.variables))


def is_identity(condition: Expr) -> bool:
    """Whether it says of polynomials that are the same that they are."""
    if not isinstance(condition, Compare) or set(condition.ops) != {"=="}:
        return False
    if not all(map(_is_polynomial, condition.terms)):
        return False
    return all(poly(a) - poly(b) == Poly() for a, b in pairwise(condition.terms))


def _is_polynomial(expr: Expr) -> bool:
    return all(
        isinstance(node, Int | Name | Negate) or (isinstance(node, Binary) and node.op in ("+", "-", "*"))
        for node in parts(expr)
    )
