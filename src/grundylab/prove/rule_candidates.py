"""Candidates for evidence: the kernel's rules that may prove a statement, with the choices that each rule needs.

A candidate has no proofs of its premises yet: the kernel derives the premises, and the prover looks for their proofs.
"""

from __future__ import annotations

from collections.abc import Iterator

from grundylab.games import parent_of
from grundylab.games.model import Ruleset
from grundylab.language.functions import Function
from grundylab.language.names import with_plain_names
from grundylab.prove.core.evidence import Evidence, Induction, Property, PropertyInstance
from grundylab.prove.search.unreadable_terms import opaque_terms
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game, renamed


def candidates(statement: Statement) -> Iterator[Evidence]:
    """Yield evidence without proofs of the premises, in the order in which it is to be tried.

    First, that the game is an instance of the nearest family that it extends: a ruleset with free functions, which the
    game defines. Then, that premises say that the formula solves the game, if automata cannot read when a move can be
    made.
    """
    game = statement.game
    above: Ruleset | None = game
    while above is not None and not above.free:
        above = parent_of(above)
    # without moves no property can be proved from it
    if above is not None and above is not game and not game.free and game.moves:
        above = qualified_game(above)
        defined = [f for f in game.functions if isinstance(f, Function)]
        # its own functions come before inherited ones
        own = {with_plain_names(f.name): f.name for f in reversed(defined)}
        names = {free.name: own.get(with_plain_names(free.name), free.name) for free in above.free}
        properties = (
            Property(function=names[f.name], arguments=f.arguments, condition=renamed(f.condition, names))
            for f in above.free
        )
        yield PropertyInstance(properties=tuple(properties))
    if any(opaque_terms(game.functions.expand(move.when)) for move in game.moves):
        yield Induction(by_premises=True)
