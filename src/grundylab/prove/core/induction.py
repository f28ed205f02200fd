"""The rule of induction on the measure: formulas for the values solve the game (``core/solution.py``).

Automata decide this, or premises state it, which other rules prove: so automata need not read when a move can be made,
such as if a number is prime. The premises are conditions on positions: that the rules make a game, and that the claim's
own formula fulfils at every position what determines the values there. If a position of least measure had another
value than the formula gives, its options would have the values that the formula gives them; and of these the premises
say that they make the value of the position the one that the formula gives.

The conditions do not depend on how play ends, so the premises are about the same game under normal play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from grundylab.games.listing import move_condition, quantify
from grundylab.games.model import ALWAYS, GRUNDY, P_POSITIONS, Move, Ruleset
from grundylab.language import names
from grundylab.language.syntax import (
    TRUE,
    Bounded,
    Expr,
    Int,
    Logic,
    Name,
    Not,
    chain,
    compare,
    conjunction,
    disjunction,
)
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.game import MEANING
from grundylab.prove.core.sequent import at_place
from grundylab.prove.core.solution import INDUCTION, Core
from grundylab.prove.core.space import SUMS, range_conditions
from grundylab.prove.core.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def _part(part: str) -> SideCondition:
    def holds(statement: Statement, evidence: Induction, core: Core) -> bool:
        if not evidence.by_premises:
            core.check_solution(statement, evidence, part)
        return True

    return SideCondition(part, holds)


def premises(statement: Statement, evidence: Induction) -> tuple[Statement, ...]:
    """Return the premises: none if automata decide; else that the rules make a game, which the formula solves.

    Raises Refused if the claim is not about all positions, or is of another kind.
    """
    if not evidence.by_premises:
        return ()
    if evidence != Induction(by_premises=True, premises=evidence.premises):
        raise Refused("premises are about the claim's own formula, for all parameters that it is claimed for")
    if statement.target not in (P_POSITIONS, GRUNDY) or not statement.plain:
        raise Refused("P-positions or Grundy numbers are needed, by a formula that looks no values up")
    if split_condition(statement.where, statement.game)[1] != TRUE:
        raise Refused("the formula must be claimed of all positions")
    if statement.game.splits and statement.target == P_POSITIONS:
        raise Refused(SUMS)
    solves = _solves_values if statement.target == GRUNDY else _solves_outcomes
    game = statement.game
    positions = conjunction(*range_conditions(game.coordinates, game.bounds), game.where)

    def leads_elsewhere(move: Move) -> Expr:
        lower = (compare("<", at_place(game.measure, game, part), game.measure) for part in move.parts)
        return Not(conjunction(*(at_place(positions, game, part) for part in move.parts), *lower))

    natural = compare(">=", game.measure, Int(0))
    founded = Logic("and", (natural, Not(some_option(game, leads_elsewhere))))
    still = replace(game, play="normal")
    conditions = (founded, *solves(game, statement.formula))
    return tuple(Statement(still, ALWAYS, said, statement.where) for said in conditions)


def some_option(game: Ruleset, says: Callable[[Move], Expr]) -> Expr:
    """Return the condition that some move is possible, of whose choices ``says`` is true.

    Nothing is left out beside a literal truth value, since it may have no value.
    """

    def possible(move: Move) -> Expr:
        made = quantify("any", move.choices, Logic("and", (move.when, says(move))))
        return Logic("and", (move_condition(game), made)) if move.a_pass else made

    return disjunction(*map(possible, game.moves))


def _solves_outcomes(game: Ruleset, formula: Expr) -> Iterator[Expr]:
    """Yield that no option of a P-position is one, and that some option of any other is; by the formula.

    Under misère play, who cannot move has won.
    """
    option = some_option(game, lambda move: at_place(formula, game, move.parts[0]))
    wins: tuple[Expr, ...] = (formula, option)
    if game.play == "misere":
        wins = (*wins, Not(move_condition(game)))
        yield Logic("or", (Not(formula), move_condition(game)))
    yield Logic("or", (Not(formula), Not(option)))
    yield Logic("or", wins)


def _solves_values(game: Ruleset, formula: Expr) -> Iterator[Expr]:
    """Yield that no option has the value of its position, and that each smaller number is an option's value."""

    def reaches(value: Expr) -> Expr:
        def says(move: Move) -> Expr:
            parts = [at_place(formula, game, part) for part in move.parts]
            return compare("==", chain("^", parts) if parts else Int(0), value)

        return some_option(game, says)

    yield Logic("and", (compare(">=", formula, Int(0)), Not(reaches(formula))))
    yield Bounded("all", names.VALUE, Int(0), formula, reaches(Name(names.VALUE)))


RULE = Rule(
    "induction on the measure",
    Induction,
    (
        *map(_part, (*INDUCTION, MEANING)),
        SideCondition(
            "it is false for all other parameters, if that is stated",
            lambda s, e, core: core.check_exactly(s, e),
        ),
    ),
    premises,
)
