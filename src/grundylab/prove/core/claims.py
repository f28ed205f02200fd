"""Statements as claims of a theory: one condition on natural numbers, with functions of Grundy values as symbols."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.model import ALWAYS, GRUNDY
from grundylab.language.names import qualified_name
from grundylab.language.syntax import Call, Expr, If, Int, Name, compare, conjunction
from grundylab.prove.core.core_theorem import Refused
from grundylab.prove.core.sequent import Claimed, Sequent, Theory
from grundylab.statement import Statement
from grundylab.statement.qualified_names import with_functions
from grundylab.statement.statement import rules_digest


@dataclass(frozen=True)
class Root:
    """The root of a tree: a statement's theory and claim. own: the function of the values of the statement's game."""

    theory: Theory
    claim: Claimed
    own: str

    def sequent(self, measure: Expr | None = None, lemmas: tuple[Claimed, ...] = ()) -> Sequent:
        """Return the sequent to be proved. measure: the term by which the claim may be assumed at smaller places."""
        theory, claim = self.theory, self.claim
        claim = Claimed(claim.names, claim.condition, claim.said, measure)
        names = (*claim.names, *theory.parameters)
        return Sequent(theory, claim, (claim.condition,), claim.said, names, lemmas=lemmas)


def root_of(statement: Statement) -> Root:
    """Return the root of a tree for the statement. Raises Refused for misère play and for printed tables."""
    game = statement.game
    if game.play == "misere" or statement.tables:
        raise Refused("there are no Grundy values, or values in a printed table")
    own = next(
        (each.name for each in statement.lookups if each.game is None),
        qualified_name("G", rules_digest(game)),
    )
    games = {each.name: statement.game_of(each) for each in statement.lookups}
    games.setdefault(own, game)
    whole = with_functions(game, *games.values())
    theory = Theory(
        games,
        whole.functions,
        {free.name: free for free in game.free},
        game.parameter_names,
    )
    place = tuple(map(Name, game.coordinate_names))
    ranges = (variable.within(game.bounds) for variable in statement.variables)
    condition = conjunction(theory.legal(own, place), theory.plain(conjunction(statement.where, *ranges)))
    names = (*game.coordinate_names, *(variable.name for variable in statement.variables))
    said = _said(statement, Call(own, place))
    return Root(theory, Claimed(names, condition, theory.plain(said)), own)


def _said(statement: Statement, value: Expr) -> Expr:
    """Return what the statement says of a position's value."""
    if statement.target == ALWAYS:
        return statement.formula
    if statement.target == GRUNDY:
        return compare("==", value, statement.formula)
    level = Int(statement.target.value)
    return If(statement.formula, compare("==", value, level), compare("!=", value, level))
