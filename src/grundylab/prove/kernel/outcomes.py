"""The rules of outcomes: P- and N-positions by their definition.

*unfolding*: for a statement that mentions Grundy values G only in ``G(t) == 0``, that is, t is a P-position. Suppose
that the statement is wrong at a position v. If v is a P-position, then no option of v is a P-position, nor is any
position of which v is an option. If v is an N-position, then some option s of v is a P-position, and no option of s is
a P-position, nor is any position of which s is an option. So in either case each ``G(t) == 0`` lies between two
conditions without G: it implies one, and follows from the other. The statement is proved if it cannot be wrong for any
truth values between these bounds. No formula for the values is needed, and no induction.

*options*: let S be a set of positions. If the P-positions are those in S, then no option of a position in S is in S,
and every other position has an option in S.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grundylab.games.listing import options_condition
from grundylab.games.model import ALWAYS, P_POSITIONS, OptionCondition
from grundylab.language.substitution import lower, with_children
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Logic,
    Not,
    conjunction,
    conjuncts,
    disjunction,
)
from grundylab.prove.core.definedness import implied, negation
from grundylab.prove.kernel.calls import Calls, check_values_beside
from grundylab.prove.kernel.evidence import Options, Unfolding
from grundylab.prove.kernel.moves import (
    OptionPlace,
    adjacent,
    always_statement,
    equal,
    for_every,
    is_position,
    own_place,
    steps,
)
from grundylab.prove.kernel.playable import ENDS, family_ends
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition


@dataclass(frozen=True)
class Outcome:
    """A position, and whether it is a P-position. A position one move before or after a P-position is an N-position."""

    place: OptionPlace
    is_p: bool


class _Unfolding:
    def __init__(self, statement: Statement) -> None:
        self._statement, self._game = statement, statement.game
        self._here = own_place(statement.game)
        self._calls = calls = Calls([each.name for each in statement.lookups])
        self._terms = [lower(term) for term in conjuncts(statement.where)]
        self._where = conjunction(*filter(calls.is_plain, self._terms))
        self._supposed = conjunction(*(term for term in self._terms if not calls.is_plain(term)))
        self._formula = lower(statement.formula)

    def premises(self) -> Iterator[Statement]:
        asked, variables = Logic("and", (TRUE, *self._terms, self._formula)), self._statement.variables
        parameters, _ = split_condition(self._where, self._game)
        whole = implied(conjunction(*self._terms), self._formula)
        check_values_beside(whole, self._statement)
        yield from family_ends(self._game)
        yield from always_statement(
            self._game, parameters, [self._calls.meant(asked, self._exists)], variables
        )
        yield from always_statement(self._game, self._where, self._parts(), variables)

    def _parts(self) -> Iterator[Expr]:
        """Yield conditions that together imply the statement.

        The first is about P-positions. Then there is one for each move, about N-positions with an option by this move
        that is a P-position: every N-position has such an option by some move.
        """
        wrong = conjunction(self._supposed, negation(self._formula))
        yield negation(self._bounded(wrong, (Outcome(self._here, True),), most=True))
        if self._statement.target != ALWAYS:
            wrong = conjunction(self._supposed, self._formula)
        for choices, when, option in steps(self._game, self._here, (self._formula, *self._terms)):
            known = Outcome(self._here, False), Outcome(option, True)
            bad = self._bounded(wrong, known, most=True)
            yield for_every(choices, implied(when, negation(bad)))

    def _exists(self, call: Call) -> Expr:
        return TRUE if call.arguments == self._here else is_position(self._game, call.arguments)

    def _bounded(self, expr: Expr, known: Sequence[Outcome], most: bool) -> Expr:
        """Return a condition without G: one that ``expr`` implies if ``most`` is true, else one that implies ``expr``.

        Raises Refused if ``expr`` uses G in another way than ``G(t) == 0``.
        """
        if self._calls.is_plain(expr):
            return expr
        match expr:
            case Not(operand=operand):
                return negation(self._bounded(operand, known, not most))
            case Logic(op=op, terms=terms):
                found = conjunction if op == "and" else disjunction
                return found(*(self._bounded(term, known, most) for term in terms))
            case If(condition=test, then=then, otherwise=otherwise):
                cases = (test, then), (negation(test), otherwise)
                return disjunction(
                    *(conjunction(*(self._bounded(e, known, most) for e in case)) for case in cases)
                )
            case Bounded(start=start, stop=stop, body=body) if all(map(self._calls.is_plain, (start, stop))):
                return with_children(expr, (start, stop, self._bounded(body, known, most)))
            case Compare(
                ops=(op,), terms=(Call() as call, Int(value=0)) | (Int(value=0), Call() as call)
            ) if op in (
                "==",
                "!=",
            ):
                if not all(map(self._calls.is_plain, call.arguments)):
                    raise Refused("a looked-up position depends on a looked-up value")
                if op == "==":
                    return self._is_p(call.arguments, known, most)
                return negation(self._is_p(call.arguments, known, not most))
        raise Refused("looked-up values occur in another form than G(t) == 0")

    def _is_p(self, place: OptionPlace, known: Sequence[Outcome], most: bool) -> Expr:
        """Return a bound, given the outcomes ``known``, for the condition that ``place`` is a P-position.

        That condition implies the bound if ``most`` is true; otherwise the bound implies the condition.
        """
        for one in known:
            if one.place == place:
                return TRUE if one.is_p else FALSE
        positive = [one.place for one in known if one.is_p]
        if not most:
            return disjunction(*(equal(place, p) for p in positive))
        negative = [equal(place, one.place) for one in known if not one.is_p]
        return negation(disjunction(*negative, *(adjacent(self._game, place, p) for p in positive)))


def _levels_of_p(statement: Statement) -> bool:
    target = statement.target
    return not (target.name == "grundy" or (target.name == "level" and target.value))


UNFOLDING = Rule(
    "P-positions by their definition",
    Unfolding,
    (
        SideCondition(
            "no other game is looked up", lambda s, *_: all(each.game is None for each in s.lookups)
        ),
        SideCondition("play is normal", lambda s, *_: s.game.play == "normal"),
        SideCondition("outcomes are claimed, or a condition", lambda s, *_: _levels_of_p(s)),
        ENDS,
    ),
    lambda statement, evidence: tuple(_Unfolding(statement).premises()),
)

# -- options ----------------------------------------------------------------------------------------------------------


def _of_p_positions(statement: Statement, evidence: Options) -> Statement:
    """Return the premise that the P-positions are those in S.

    If every option is claimed to fulfil the evidence's condition, the statement's condition must be S, and the
    evidence's the complement of S; if some option is, the other way round. Raises Refused if this is not so.
    """
    expand = statement.game.functions.expand
    assumed, about = split_condition(statement.where, statement.game)
    here, there = (_membership(expand(e)) for e in (about, evidence.condition))
    inside, outside = (here, there) if evidence.quantifier == "every" else (there, here)
    if outside != Not(inside):
        raise Refused("the conditions on the position and on its options are not a set and its complement")
    return Statement(statement.game, P_POSITIONS, inside, assumed)


def _membership(condition: Expr) -> Expr:
    """Return the condition as one of membership in a set or in its complement.

    An equation between 0 or 1 and a function that is 1 on the set and 0 elsewhere becomes the condition of the set.
    """
    match condition:
        case Compare(("==",), (If(inside, Int(value=1), Int(value=0)), Int(value=0 | 1 as value))):
            return inside if value == 1 else Not(inside)
    return condition


def _is_of_options(statement: Statement, evidence: Options) -> bool:
    said = options_condition(OptionCondition(evidence.quantifier, evidence.condition), statement.game)
    return statement.formula == said


OPTIONS = Rule(
    "options of P- and N-positions",
    Options,
    (
        SideCondition("a condition is claimed", lambda s, *_: s.target == ALWAYS),
        SideCondition("play is normal", lambda s, *_: s.game.play == "normal"),
        SideCondition("the formula says it of the options", lambda s, e, _: _is_of_options(s, e)),
    ),
    lambda statement, evidence: (_of_p_positions(statement, evidence),),
)
