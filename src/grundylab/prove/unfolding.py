"""What a claim says of other positions' outcomes, unfolded once: what a P-position and an N-position are.

A claim may speak of positions t by ``G(t) == 0``: that t is a P-position. Suppose that it is wrong somewhere. If the
position there is a P-position, no option of it is one, nor any position of which it is an option. If it is an
N-position, some option s of it is a P-position, and no position is one that a move leads to from s, or that leads
to s. So each ``G(t) == 0`` lies between two conditions without G, and the claim is proved where it cannot be wrong
between them, in either case. Nothing is asked of the values, and no induction is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.games.statements import THIS
from grundylab.language.substitution import lower, over
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
from grundylab.prove.hypothesis import split_where
from grundylab.prove.lookups import Lookups, NotSaid
from grundylab.prove.neighbours import (
    Place,
    adjacent,
    always,
    equal,
    for_every,
    here,
    implied,
    is_position,
    negation,
    steps,
)
from grundylab.prove.outcome import Premise


def unfolded(ruleset: Ruleset, claim: Claim, where: Expr) -> Iterator[tuple[Premise, ...]]:
    """The plain statements from which the claim under ``where`` follows; none if it speaks of values otherwise."""
    this = all(of == THIS for _, of in claim.values)
    if not claim.values or not this or claim.tables or ruleset.splits or ruleset.play == "misere":
        return
    if claim.target.name == "grundy" or (claim.target.name == "level" and claim.target.value):
        return
    yield tuple(_Unfolding(ruleset, claim, where).premises())


@dataclass(frozen=True)
class Known:
    """One position, of which it is known whether it is a P-position; then its neighbours are none, if it is."""

    place: Place
    is_p: bool


class _Unfolding:
    def __init__(self, ruleset: Ruleset, claim: Claim, where: Expr) -> None:
        self._ruleset, self._claim, self._here = ruleset, claim, here(ruleset)
        self._lookups = lookups = Lookups([name for name, _ in claim.values])
        self._terms = [lower(term) for term in conjuncts(conjunction(claim.where, where))]
        self._where = conjunction(*filter(lookups.is_plain, self._terms))
        self._supposed = conjunction(*(term for term in self._terms if not lookups.is_plain(term)))
        self._formula = lower(claim.formula)

    def premises(self) -> Iterator[Premise]:
        whole, variables = Logic("and", (TRUE, *self._terms, self._formula)), self._claim.variables
        parameters, _ = split_where(self._where, self._ruleset)
        yield from always(self._ruleset, parameters, [self._lookups.meant(whole, self._exists)], variables)
        yield from always(self._ruleset, self._where, self._parts(), variables)

    def _parts(self) -> Iterator[Expr]:
        """That it is not wrong at a P-position, nor at an N-position, whichever option is a P-position."""
        wrong = conjunction(self._supposed, negation(self._formula))
        yield negation(self._bounded(wrong, (Known(self._here, True),), most=True))
        if self._claim.target != ALWAYS:
            wrong = conjunction(self._supposed, self._formula)
        for choices, when, option in steps(self._ruleset, self._here):
            known = Known(self._here, False), Known(option, True)
            bad = self._bounded(wrong, known, most=True)
            yield for_every(choices, implied(when, negation(bad)))

    def _exists(self, call: Call) -> Expr:
        return TRUE if call.arguments == self._here else is_position(self._ruleset, call.arguments)

    def _bounded(self, expr: Expr, known: Sequence[Known], most: bool) -> Expr:
        """A condition without G that is true wherever this one may be (most), or only where it is (not most)."""
        if self._lookups.is_plain(expr):
            return expr
        match expr:
            case Not(operand=operand):
                return negation(self._bounded(operand, known, not most))
            case Logic(op=op, terms=terms):
                found = (self._bounded(term, known, most) for term in terms)
                return conjunction(*found) if op == "and" else disjunction(*found)
            case If(condition=test, then=then, otherwise=otherwise):
                cases = (test, then), (negation(test), otherwise)
                return disjunction(
                    *(conjunction(*(self._bounded(e, known, most) for e in case)) for case in cases)
                )
            case Bounded(start=start, stop=stop, body=body) if all(
                map(self._lookups.is_plain, (start, stop))
            ):
                return over(expr, (start, stop, self._bounded(body, known, most)))
            case Compare(
                ops=(op,), terms=(Call() as call, Int(value=0)) | (Int(value=0), Call() as call)
            ) if op in (
                "==",
                "!=",
            ):
                if not all(map(self._lookups.is_plain, call.arguments)):
                    raise NotSaid
                if op == "==":
                    return self._is_p(call.arguments, known, most)
                return negation(self._is_p(call.arguments, known, not most))
        raise NotSaid

    def _is_p(self, place: Place, known: Sequence[Known], most: bool) -> Expr:
        """What lies on one side of it that this is a P-position, by those that are known."""
        for one in known:
            if one.place == place:
                return TRUE if one.is_p else FALSE
        positive = [one.place for one in known if one.is_p]
        if not most:
            return disjunction(*(equal(place, p) for p in positive))
        negative = [equal(place, one.place) for one in known if not one.is_p]
        return negation(disjunction(*negative, *(adjacent(self._ruleset, place, p) for p in positive)))
