"""Candidates for evidence: the kernel's rules that may prove a statement, with the choices that each rule needs.

A candidate has no proofs of its premises yet: the kernel derives the premises, and the prover looks for their proofs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

from grundylab.games import parent_of
from grundylab.games.model import GRUNDY, P_POSITIONS, OptionCondition, Ruleset
from grundylab.language.functions import Function
from grundylab.language.names import with_plain_names
from grundylab.language.syntax import Binary, Int, distinct_parts
from grundylab.prove.core.evidence import Between, Evidence, Options, Property, PropertyInstance
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game, renamed

MOST_RESIDUES = 1_000  # the largest modulus by whose residues the moves are bounded


def candidates(statement: Statement, printed: object = None) -> Iterator[Evidence]:
    """Yield evidence without proofs of the premises, in the order in which it is to be tried.

    printed: the claim's printed form; only a statement about options (OptionCondition) is used.
    """
    yield from _instance(statement)
    if isinstance(printed, OptionCondition):
        yield Options(quantifier=printed.quantifier, condition=printed.condition)
    yield from _between(statement)


def _instance(statement: Statement) -> Iterator[Evidence]:
    """Yield evidence that the game is an instance of the nearest family that it extends, if it extends one.

    A family is a ruleset with free functions, which the game defines.
    """
    game = statement.game
    above: Ruleset | None = game
    while above is not None and not above.free:
        above = parent_of(above)
    if (
        above is None or above is game or game.free or not game.moves
    ):  # without moves no property can be proved from it
        return
    above = qualified_game(above)
    defined = [f for f in game.functions if isinstance(f, Function)]
    own = {
        with_plain_names(f.name): f.name for f in reversed(defined)
    }  # its own functions come before inherited ones
    names = {free.name: own.get(with_plain_names(free.name), free.name) for free in above.free}
    properties = (
        Property(function=names[f.name], arguments=f.arguments, condition=renamed(f.condition, names))
        for f in above.free
    )
    yield PropertyInstance(properties=tuple(properties))


def _between(statement: Statement) -> Iterator[Evidence]:
    """Yield the least common multiple of all constant divisors in the formula, as the modulus of residues."""
    divisors = [
        node.right.value
        for node in distinct_parts(statement.formula)
        if isinstance(node, Binary)
        and node.op in ("%", "//")
        and isinstance(node.right, Int)
        and node.right.value
    ]
    if (
        statement.target in (P_POSITIONS, GRUNDY)
        and divisors
        and (modulus := lcm(*divisors)) <= MOST_RESIDUES
    ):
        yield Between(modulus=modulus)
