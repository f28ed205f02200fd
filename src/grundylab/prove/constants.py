"""The numbers that a claim's condition gives coordinates, put in where the claim has these coordinates.

Of ``m * k`` where ``k == 2`` nothing but a multiple of m is left. Only for a condition that is claimed to be true: of
a game's values at one k the others may be needed.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.games.specialise import fixed_by
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr, conjunction, conjuncts, equalities
from grundylab.prove.hypothesis import split_where
from grundylab.prove.neighbours import always, implied
from grundylab.prove.outcome import Premise


def at_constants(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The claim under ``where`` with the constants put in, if there are any."""
    about = conjunction(claim.where, where)
    known = fixed_by(about, ruleset.coordinate_names)
    if claim.target != ALWAYS or not claim.plain or not known:
        return

    def put(expr: Expr) -> Expr:
        return ruleset.functions.expand(substitute(expr, known))

    assumed, asked = split_where(about, ruleset)
    fixing = conjuncts(equalities(known.items()))
    others = [put(term) for term in conjuncts(asked) if term not in fixing]
    # where the coordinates are these, and there alone, it says what the claim says
    said = implied(conjunction(*fixing, *others), put(claim.formula))
    yield tuple(always(ruleset, assumed, [said]))
