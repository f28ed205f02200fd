"""Conditions for the moves of a strategy: what the rules and the formula for P-positions say, as plain as possible.

A condition is first that the move is legal, if the move then always wins; else also that the formula is true of the
position that is left. It is made smaller as far as the positions allow. If it is still long, the engine ``search`` is
asked for a plainer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.cost import cost
from grundylab.discover.engines.search import propose
from grundylab.discover.plainness import plainness
from grundylab.discover.ranking import is_exact, rank
from grundylab.discover.rewriting import reduce_while_exact, simplify, tidy
from grundylab.games.model import A_CONDITION
from grundylab.language.linear import atom_polynomial
from grundylab.language.substitution import lower, rewrite
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Compare,
    Expr,
    If,
    Int,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    negate,
)
from grundylab.numeric import Array
from grundylab.strategy.board import Boards
from grundylab.strategy.lines import Aim, Line, legal, wins

SEARCHED = 500  # positions from which the engine learns a condition
BUDGET = 0.3  # seconds of work for one condition
SEARCHES = 4  # conditions for which the engine is asked
FEW = 3  # names, up to which the engine is asked about a condition that is known, but long
SHORT, LONG = 7, 10  # nodes of a condition that need not be made plainer, or for which the engine is asked
LONGEST = 40  # nodes of a condition that is made smaller in every way
LESS = 3  # nodes that a condition about fewer positions has to save
_PLAIN = frozenset({"min", "max", "abs", "floor", "ceil"})  # functions that any condition may call


@dataclass(frozen=True)
class TriedMove:
    """A move with formulas for its choices. won: the mask of the sample where it is legal and wins."""

    number: int
    choices: tuple[Expr, ...]
    won: Array

    @cached_property
    def paid(self) -> int:
        """The cost of the formulas."""
        return sum(map(cost, self.choices))


class ConditionFinder:
    """A finder of conditions for the moves of a strategy, with a budget for all of them."""

    def __init__(self, boards: Boards, aim: Aim | None) -> None:
        self._ruleset, self._samples, self._aim = boards.ruleset, boards.samples, aim
        self._searches = SEARCHES
        self._few = len(self._samples.variables) <= FEW  # else a short condition is seldom found
        self._calls = _PLAIN.union(*(expr.calls for expr in self._ruleset.expressions))
        self._calls |= aim.formula.calls if aim else frozenset()

    def of(self, option: TriedMove, rest: Array, lines: Sequence[Line]) -> Expr | None:
        """Return the plainest condition that is true where the option wins; None if none is found.

        rest: the mask of positions where no earlier line's condition is true. It may be true at others, too, if it is
        then plainer. lines: the lines so far.
        """
        if option.won.all():
            return TRUE
        everywhere = replace(self._samples, values=option.won)
        left = everywhere.at(rest)
        condition = (
            self._legal(option, everywhere) or self._legal(option, left) or self._ruled(option, everywhere)
        )
        if self._searches and (condition is None or condition.size > (LONG if self._few else LONGEST)):
            learnt = self._learnt(everywhere)
            condition = min((c for c in (condition, learnt) if c is not None), key=plainness, default=None)
        if option.won[rest].all():
            longest = max((line.when.size for line in lines), default=0)
            again = option.number in {line.number for line in lines}
            return TRUE if again or condition is None or condition.size > longest else condition
        if condition is not None and condition.size > SHORT:
            narrow = _reduced(condition, left)
            condition = narrow if narrow.size <= condition.size - LESS else condition
        return condition if condition is not None or not self._searches else self._learnt(left)

    def wins_if_legal(self, option: TriedMove) -> bool:
        """Tell whether the option wins wherever its move is legal."""
        return is_exact(self._of_rules(option), replace(self._samples, values=option.won))

    def _of_rules(self, option: TriedMove) -> Expr:
        return legal(self._ruleset.moves[option.number], option.choices)

    def _legal(self, option: TriedMove, samples: Samples) -> Expr | None:
        """Return the condition that the move is legal, if it is right at these samples."""
        said = self._of_rules(option)
        return _reduced(said, samples) if is_exact(said, samples) else None

    def _ruled(self, option: TriedMove, samples: Samples) -> Expr | None:
        """Return the condition that the rules and the formula for P-positions give; None if they do not."""
        aim, line = self._aim, Line(option.number, TRUE, option.choices)
        if aim is None or not is_exact(said := wins(line, aim, self._ruleset), samples):
            return None
        spread = simplify(rewrite(lower(said), _without_choice))
        return _reduced(spread if is_exact(spread, samples) else said, samples)

    def _learnt(self, samples: Samples) -> Expr | None:
        """Return a condition that is right at all samples; None if the engine finds none, or only with odd functions.

        The engine might say that n % 7 is a prime number where n % 7 <= 3 is meant.
        """
        if samples.values.all():
            return TRUE
        if not samples.values.any():
            return None
        self._searches -= 1
        few = samples.at(sampling.draw_rows(samples, SEARCHED))
        proposals = propose(few, A_CONDITION, 0, BUDGET)
        ranked = rank(proposals.formulas, samples, A_CONDITION, "search", 0)
        return next((c.formula for c in ranked if c.exact and c.formula.calls <= self._calls), None)


def _reduced(condition: Expr, samples: Samples) -> Expr:
    """Return the condition made smaller as far as the samples allow; of a long one, only terms are left out."""
    terms = list(conjuncts(condition))
    for term in sorted(terms, key=lambda node: -node.size):
        others = conjunction(*(other for other in terms if other is not term))
        if len(terms) > 1 and is_exact(others, samples):
            terms = [other for other in terms if other is not term]
    reduced = simplify(conjunction(*terms))
    if reduced.size <= LONGEST:
        reduced = reduce_while_exact(reduced, lambda formula: is_exact(formula, samples))
    return tidy(rewrite(reduced, _without_summand), samples.names)


def _without_summand(node: Expr) -> Expr:
    """Return ``(a + b) % 2 == 1`` for ``(a + b - 1) % 2 == 0``, and so on; any other node unchanged."""
    match node:
        case Compare(
            ops=("==" | "!=" as op,),
            terms=(Binary(op="%", left=Binary(op="+" | "-") as whole, right=Int(value=by)), Int(value=rest)),
        ):
            polynomial = atom_polynomial(whole)
            summand = dict(polynomial.terms).get((), 0)
            if summand and by > 0:
                shorter = (polynomial - summand).expression()
                return compare(op, Binary("%", shorter, Int(by)), Int((rest - summand) % by))
    return node


def _without_choice(node: Expr) -> Expr:
    """Return a comparison with a conditional number as one of two conditions; any other node unchanged."""
    match node:
        case Compare(ops=(op,), terms=(left, If(condition=test, then=a, otherwise=b))):
            one, other = compare(op, left, a), compare(op, left, b)
        case Compare(ops=(op,), terms=(If(condition=test, then=a, otherwise=b), right)):
            one, other = compare(op, a, right), compare(op, b, right)
        case _:
            return node
    if one == other:
        return one
    same = list[Expr]()
    for side in (one, other):
        equal = isinstance(side, Compare) and side.ops == ("==",) and side.terms[0] == side.terms[1]
        same.append(TRUE if equal else side)
    return conjunction(disjunction(negate(test), same[0]), disjunction(test, same[1]))
