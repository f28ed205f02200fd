"""Conditions of statements, split into a part on the parameters and a part on the positions."""

from __future__ import annotations

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Declared
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Expr, called_functions, conjunction, conjuncts, free_names


def split_condition(where: Expr, game: Ruleset) -> tuple[Expr, Expr]:
    """Split ``where`` into the condition on the parameters alone and the condition on everything else.

    The second has every term with a coordinate, or with a function whose values the game does not define (a free
    function or a look-up).
    """
    terms = [term for term in conjuncts(where) if not is_plainly_true(term)]
    assumed = list[Expr]()
    for term in terms:
        given = all(name in game.functions for name in called_functions(term) - BUILTINS.keys())
        declared = any(isinstance(function, Declared) for function in game.functions.called_by(term))
        if given and not declared and not free_names(term) & set(game.coordinate_names):
            assumed.append(term)
    return conjunction(*assumed), conjunction(*(term for term in terms if term not in assumed))


def is_plainly_true(term: Expr) -> bool:
    """Tell whether the term has no free name and evaluates to true; False if it has no value."""
    if free_names(term):
        return False
    try:
        return bool(evaluate(term, {}))
    except (GrundylabError, KeyError):
        return False
