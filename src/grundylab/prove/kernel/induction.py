"""The rule of induction on the measure; automata decide each of its parts.

The evidence is a hypothesis: formulas for the Grundy values, or for some level sets. The parts say that by these
formulas no option of a position has the position's value, and each smaller value is the value of an option. So by
induction on the measure the formulas give the true values (Siegel, Combinatorial Game Theory, Section IV.1). The
hypothesis itself is not trusted.
"""

from __future__ import annotations

from grundylab.games.model import ALWAYS, Ruleset, Target
from grundylab.games.specialise import fixed_values, specialise, with_variables
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, Kind, conjunction, conjuncts
from grundylab.prove.kernel.evidence import Induction
from grundylab.prove.kernel.induction_automata import INDUCTION, SAID
from grundylab.prove.kernel.question import Hypothesis, Question
from grundylab.prove.kernel.session import Session
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


def question_of(statement: Statement, evidence: Induction) -> tuple[Ruleset, Question]:
    """Return the game and the question for automata that the statement and the evidence make.

    In the game, numbers stand for the fixed parameters, and the statement's variables are further coordinates. Raises
    Refused for evidence that does not fit the statement, FormulaError for an expression that is not about the game.
    """
    if statement.lookups or statement.tables:
        raise Refused("automata cannot look values up")
    rest = conjunction(*_without(statement.where, evidence.condition))
    fixed = fixed_values(rest, statement.game.parameter_names)
    game = with_variables(statement.game, statement.variables) if statement.variables else statement.game
    game = specialise(game, fixed)

    def put(expr: Expr) -> Expr:
        return substitute(expr, fixed)

    def put_condition(expr: Expr) -> Expr:
        if expr.kind is not Kind.CONDITION:
            raise Refused(f"'{expr}' is no condition; the evidence needs one there")
        return game.check_condition(put(expr))

    grundy = None if evidence.grundy is None else game.check_condition(put(evidence.grundy))
    if grundy is not None and grundy.kind is not Kind.NUMBER:
        raise Refused(f"'{grundy}' is no number; the hypothesis needs a formula for Grundy values")
    levels = tuple(map(put_condition, evidence.levels))
    hypothesis = Hypothesis(put_condition(evidence.region), grundy, levels)
    condition = put_condition(evidence.condition)
    if not condition.free <= set(game.parameter_names):
        raise Refused(f"the condition {condition} mentions more than the parameters")
    formula = game.check_condition(put(statement.formula))
    return game, Question(formula, statement.target, put(rest), hypothesis, condition, evidence.exactly)


def _question(statement: Statement, evidence: Induction, session: Session) -> tuple[Ruleset, Question]:
    """Return the result of ``question_of``, which the session keeps for all side conditions."""
    return session.kept(("question", statement.key, evidence), lambda: question_of(statement, evidence))


def _without(where: Expr, condition: Expr) -> list[Expr]:
    """Return the terms of ``where`` that ``condition`` lacks; raise Refused if ``condition`` has a term of its own."""
    terms, left_out = conjuncts(where), conjuncts(condition) if condition != TRUE else ()
    if not set(left_out) <= set(terms):
        raise Refused("the evidence's condition is no part of the statement's")
    return [term for term in terms if term not in left_out]


def _part(part: str) -> SideCondition:
    def holds(statement: Statement, evidence: Induction, session: Session) -> bool:
        if part not in parts_of(statement.target):
            return True
        game, question = _question(statement, evidence, session)
        assumed, _ = split_condition(question.where, game)
        return session.decider(game, question).holds(part, assumed, question.condition)

    return SideCondition(part, holds)


def parts_of(target: Target) -> tuple[str, ...]:
    """Return the parts of the induction that a statement with this target needs.

    A condition claimed of every position (target ``true``) does not depend on the moves, so two parts suffice.
    """
    return SAID if target == ALWAYS else INDUCTION


def _exactly(statement: Statement, evidence: Induction, session: Session) -> bool:
    """Tell whether, for each parameter setting outside the evidence's condition, the statement is false somewhere.

    Nothing is checked, and the answer is True, if the evidence's flag ``exactly`` is not set. For a target other than
    ``true`` the hypothesis must be the statement's own formula alone. Otherwise the first position where the induction
    fails could be one where only the rest of the hypothesis is false.
    """
    if not evidence.exactly:
        return True
    game, question = _question(statement, evidence, session)
    assumed, about = split_condition(question.where, game)
    found = question.hypothesis
    alone = found.region == TRUE and question.formula in (found.grundy, *found.levels[:1]) and about == TRUE
    if statement.target != ALWAYS and not (alone and len(found.levels) <= 1):
        return False
    parts = parts_of(statement.target)
    return session.decider(game, question).good_exactly(parts, question.condition, assumed)


RULE = Rule(
    "induction on the measure",
    Induction,
    (
        *map(_part, INDUCTION),
        SideCondition("it is false for all other parameters, if that is stated", _exactly),
    ),
    no_premises,
)
