"""The condition of a statement, divided by what it is on."""

from __future__ import annotations

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Expr, conjunction, conjuncts, free_names


def split_where(where: Expr, game: Ruleset) -> tuple[Expr, Expr]:
    """Return ``where`` as (condition on the parameters alone, condition that mentions coordinates)."""
    terms, coordinates = conjuncts(where), set(game.coordinate_names)
    about = [term for term in terms if free_names(term) & coordinates]
    assumed = [term for term in terms if not free_names(term) & coordinates and not plainly_true(term)]
    return conjunction(*assumed), conjunction(*about)


def plainly_true(term: Expr) -> bool:
    """Return whether it mentions nothing, and is true."""
    if free_names(term):
        return False
    try:
        return bool(evaluate(term, {}))
    except (GrundylabError, KeyError):
        return False
