"""What is to be proved: a formula, and the condition under which it is claimed, taken apart."""

from __future__ import annotations

from grundylab.errors import GrundylabError
from grundylab.games.model import Claim, Ruleset, Target
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts, free_names

ASKED = "what is asked"  # in place of the id of a statement that is no published claim: no id has spaces


def asked(formula: Expr, target: Target, where: Expr = TRUE) -> Claim:
    """A statement that is no published claim: of the positions and parameters that fulfil ``where``."""
    return Claim(ASKED, target, formula, where)


def split_where(where: Expr, game: Ruleset) -> tuple[Expr, Expr]:
    """``where`` as (condition on the parameters alone, condition that mentions coordinates)."""
    terms, coordinates = conjuncts(where), set(game.coordinate_names)
    about = [term for term in terms if free_names(term) & coordinates]
    assumed = [term for term in terms if not free_names(term) & coordinates and not plainly_true(term)]
    return conjunction(*assumed), conjunction(*about)


def plainly_true(term: Expr) -> bool:
    """Whether it mentions nothing, and is true."""
    if free_names(term):
        return False
    try:
        return bool(evaluate(term, {}))
    except (GrundylabError, KeyError):
        return False
