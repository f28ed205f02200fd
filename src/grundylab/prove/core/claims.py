"""Statements as claims of a theory: one condition on natural numbers, with functions of Grundy values as symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from grundylab.games.model import ALWAYS, GRUNDY, Ranged, Ruleset
from grundylab.language.names import qualified_name
from grundylab.language.syntax import FALSE, TRUE, Call, Expr, If, Int, Name, compare, conjunction, conjuncts
from grundylab.prove.core.definedness import Definedness, Domain, implied, in_turn
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.sequent import Sequent, Theory, Universal
from grundylab.prove.core.space import plainly_natural, range_conditions
from grundylab.statement import Statement
from grundylab.statement.qualified_names import renamed, with_functions
from grundylab.statement.statement import rules_digest


@dataclass(frozen=True)
class ProofRoot:
    """The root of a tree: a statement's theory and claim.

    own: the function of the values of the statement's game. defined: the condition that the statement has a value,
    and that its numbers are natural.
    definedness: the conditions under which expressions of the theory have one.
    """

    theory: Theory
    claim: Universal
    own: str
    defined: Expr
    definedness: Definedness

    @property
    def meaning(self) -> Sequent:
        """The sequent that the statement has a value, whatever the bounds are that its variables' ranges mention."""
        bounds = (name for name in self.theory.game(self.own).bounds if name in self.defined.free)
        names = (*self.claim.names, *self.theory.parameters, *bounds)
        claim = Universal(self.claim.names, TRUE, self.defined)
        return Sequent(self.theory, claim, (), self.defined, names, founded=False)

    def sequent(self, measure: Expr | None = None, lemmas: tuple[Universal, ...] = ()) -> Sequent:
        """Return the sequent to be proved. measure: the term by which the claim may be assumed at smaller places."""
        theory, claim = self.theory, self.claim
        names = (*claim.names, *theory.parameters)
        if measure is not None and not measure.free <= set(names):
            raise Refused("the measure is a term of the claim's names")
        claim = Universal(claim.names, claim.condition, claim.said, measure)
        return Sequent(theory, claim, conjuncts(claim.condition), claim.said, names, lemmas=lemmas)


def values_name(game: Ruleset) -> str:
    """Return the name of the function of a game's Grundy values: games with the same rules have the same function."""
    return qualified_name("G", rules_digest(game))


def with_values_names(statement: Statement) -> Statement:
    """Return the statement with one name, ``values_name``, for the values of each game, in the order of the names."""
    names = {lookup.name: values_name(statement.game_of(lookup)) for lookup in statement.lookups}
    named = {names[lookup.name]: lookup for lookup in statement.lookups}
    lookups = tuple(replace(named[name], name=name) for name in sorted(named))
    return replace(statement.changed(partial(renamed, names=names)), lookups=lookups)


def root_of(statement: Statement) -> ProofRoot:
    """Return the root of a tree for the statement. Raises Refused for misère play and for printed tables."""
    game = statement.game
    if game.play == "misere" or statement.tables:
        raise Refused("there are no Grundy values, or values in a printed table")
    own, statement = values_name(game), with_values_names(statement)
    games = {lookup.name: statement.game_of(lookup) for lookup in statement.lookups}
    games.setdefault(own, game)
    whole = with_functions(game, *games.values())
    theory = Theory(
        games,
        whole.functions,
        {free.name: free for free in game.free},
        game.parameter_names,
    )
    place = tuple(map(Name, game.coordinate_names))
    ranges = tuple(variable.within(game.bounds) for variable in statement.variables)
    positions = (*range_conditions(game.coordinates, game.bounds), game.where)
    about = (game.domain, *positions, statement.where, *ranges)
    condition = conjunction(*about)
    natural = (*game.coordinate_names, *(variable.name for variable in statement.variables))
    said = _about_value(statement, Call(own, place))
    claim = Universal(natural, theory.plain(condition), theory.plain(said))
    domains: dict[str, Domain] = {name: partial(theory.legal, name) for name in games}
    domains |= {free.name: natural_terms for free in game.free}
    definedness = Definedness(whole.functions, domains)
    numbers = [*game.coordinates, *statement.variables]
    has_value = in_turn([(definedness.in_order(*about), condition), (definedness.of(said), TRUE)])
    meant = conjunction(
        has_value, ranges_meant(statement, definedness, positions), *natural_numbers(game, numbers)
    )
    defined = theory.plain(meant)
    return ProofRoot(theory, claim, own, defined, definedness)


def ranges_meant(statement: Statement, definedness: Definedness, positions: Sequence[Expr]) -> Expr:
    """Return where the variables' ranges have values: at every position they must, whatever the claim's condition is.

    An end that mentions a bound must have a value, too, though it is no part of the claim.
    """
    if not statement.variables:
        return TRUE
    here = conjunction(statement.game.domain, *positions)
    steps = [(definedness.in_order(statement.game.domain, *positions), here)]
    for variable in statement.variables:
        ends = conjunction(*map(definedness.of, variable.ends))
        steps.append((ends, variable.within(statement.game.bounds)))
    return in_turn(steps)


def natural_numbers(game: Ruleset, numbers: Sequence[Ranged]) -> Iterator[Expr]:
    """Yield that each range begins at 0 or above where the numbers before it are in theirs."""
    given = [game.domain]
    for number in numbers:
        if not plainly_natural(number.range.low):
            yield implied(conjunction(*given), compare(">=", number.range.low, Int(0)))
        given.append(number.within(game.bounds))


def natural_terms(terms: Sequence[Expr]) -> Expr:
    """Return the condition that no term is negative."""
    return conjunction(*(compare(">=", term, Int(0)) for term in terms))


def _about_value(statement: Statement, value: Expr) -> Expr:
    """Return what the statement says of a position's value."""
    if statement.target == ALWAYS:
        return statement.formula
    if statement.target == GRUNDY:
        return compare("==", value, statement.formula)
    level = Int(statement.target.value)
    yes, no = compare("==", value, level), compare("!=", value, level)
    if statement.formula in (TRUE, FALSE):
        return yes if statement.formula == TRUE else no
    return If(statement.formula, yes, no)
