"""Strategies learnt from tables: formulas for choices that together win at every N-position, each with its condition.

Formulas are taken one by one, always the one that wins at the most positions where none taken before does. Then each
gets its condition: a plain one that the engine ``search`` finds or, where that is not right, what the rules and the
formula for P-positions say of the move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.cost import cost
from grundylab.discover.engines.search import propose
from grundylab.discover.plainness import plainness
from grundylab.discover.ranking import is_exact, rank
from grundylab.discover.rewriting import reduce_while_exact, simplify, tidy
from grundylab.errors import EvaluationError
from grundylab.games.model import A_CONDITION, Ruleset
from grundylab.language.linear import atom_polynomial, constant_polynomial
from grundylab.language.substitution import lower, rewrite
from grundylab.language.syntax import (
    MIRRORED,
    TRUE,
    Binary,
    Compare,
    Expr,
    If,
    Int,
    Name,
    compare,
    conjunction,
    conjuncts,
    disjunction,
    negate,
)
from grundylab.numeric import Array
from grundylab.strategy.board import Board, Boards
from grundylab.strategy.choices import FIRST, choice_formulas
from grundylab.strategy.lines import Aim, Line, legal, wins

SAMPLE = 2_000  # positions from which choices and conditions are learnt
WORK = 6.0  # seconds of work for all banks of terms
ROUNDS = 3  # of conditions, each with more positions where the strategy was wrong
SEARCHED = 500  # positions from which the engine learns a condition
BUDGET = 0.3  # seconds of work for one condition
MOST_LINES = 24
WEIGHTS = (0.0, 0.5, 1.0, 2.0)  # how much the cost of formulas counts, against the positions where they win
LINE = 3  # the cost of a line besides its formulas
SHORT, LONG = 7, 10  # nodes of a condition that need not be made plainer, or for which the engine is asked
LONGEST = 40  # nodes of a condition that is made smaller in every way
FEW = 3  # names, up to which the engine is asked about a condition that is known, but long
SEARCHES = 4  # conditions for which the engine is asked
_PLAIN = frozenset({"min", "max", "abs", "floor", "ceil"})  # functions that any condition may call
LESS = 3  # nodes that a condition about fewer positions has to save


@dataclass(frozen=True)
class _Option:
    """A move with formulas for its choices. won: the mask of the sample where it is legal and wins."""

    number: int
    choices: tuple[Expr, ...]
    won: Array

    @property
    def paid(self) -> int:
        """The cost of the formulas."""
        return sum(map(cost, self.choices))


def learn(boards: Boards, aim: Aim | None) -> tuple[Line, ...]:
    """Return the lines of a strategy for these N-positions; none if no formula wins anywhere.

    aim: the formula for P-positions, if there is one.
    """
    rows = sampling.draw_rows(boards.samples, SAMPLE)
    few = boards.at(rows)
    moves = boards.ruleset.moves
    seconds = WORK / max(1, sum(FIRST ** (len(move.choices) - 1) for move in moves if move.choices))
    options = [
        option
        for number in range(len(moves))
        for choices in choice_formulas(few, number, aim, seconds)
        if (option := _option(few, number, choices)) is not None
    ]
    taken = _cover(options)
    lines: tuple[Line, ...] = ()
    for _ in range(ROUNDS if taken else 0):
        lines = _with_conditions(few, taken, aim)
        wrong = ~right(boards, lines)
        if not wrong.any():
            break
        more = sampling.with_counterexamples(rows, wrong, boards.samples, SAMPLE // 10)
        if len(more) == len(rows):
            break
        rows = more
        few = boards.at(rows)
        taken = [found for each in taken if (found := _option(few, each.number, each.choices)) is not None]
    return lines


def with_readable_conditions(lines: Sequence[Line], ruleset: Ruleset) -> tuple[Line, ...]:
    """Return the lines with conditions that begin with what the move changes: ``x > y ^ z``, not ``y ^ z < x``."""
    names = ruleset.coordinate_names

    def one(line: Line) -> Line:
        move = ruleset.moves[line.number]
        changed = {name for part in range(len(move.parts)) for name in move.changes(names, part)}

        def first(node: Expr) -> Expr:
            match node:
                case Compare(ops=(op,), terms=(left, Name(id=name))) if name in changed:
                    if not isinstance(left, Int) and left not in [Name(each) for each in changed]:
                        return compare(MIRRORED[op], Name(name), left)
            return node

        return replace(line, when=rewrite(line.when, first))

    return tuple(map(one, lines))


def right(boards: Boards, lines: Sequence[Line]) -> Array:
    """Return the mask of the positions where the first line whose condition is true wins."""
    found = np.zeros(len(boards), dtype=bool)
    waiting = np.arange(len(boards))
    for line in lines:
        left = boards.at(waiting)
        here = left.each(lambda board, _: board.true(line.when))  # noqa: B023 - called at once
        found[waiting[here]] = won(left.at(here), line.number, line.choices)
        waiting = waiting[~here]
        if not len(waiting):
            break
    return found


def won(boards: Boards, number: int, choices: Sequence[Expr]) -> Array:
    """Return the mask of the positions where a move with these choices is legal and leads to a P-position.

    A formula without a value somewhere in a table wins nowhere in it.
    """
    move = boards.ruleset.moves[number]

    def found(board: Board, _: slice) -> Array:
        try:
            return board.wins(move, [board.values(choice) for choice in choices])
        except EvaluationError:
            return np.zeros(len(board), dtype=bool)

    return boards.each(found)


def _option(boards: Boards, number: int, choices: tuple[Expr, ...]) -> _Option | None:
    found = won(boards, number, choices)
    return _Option(number, choices, found) if found.any() else None


def _cover(options: Sequence[_Option]) -> list[_Option]:
    """Return options that together win wherever one of them does: few, and with short formulas."""
    if not options:
        return []
    covers = [_greedy(options, weight) for weight in WEIGHTS]
    reach = [int(np.count_nonzero(np.any([each.won for each in cover], axis=0))) for cover in covers]
    whole = [cover for cover, count in zip(covers, reach, strict=True) if count == max(reach)]
    return min(whole, key=lambda cover: sum(each.paid + LINE for each in cover))


def _greedy(options: Sequence[_Option], weight: float) -> list[_Option]:
    """Return options taken one by one, the one with the most new positions for its cost first.

    weight: how much the cost counts. Of these, options that the others make superfluous are left out.
    """
    taken = list[_Option]()
    rest = np.any([each.won for each in options], axis=0)
    while rest.any() and len(taken) < MOST_LINES:
        best = max(
            options,
            key=lambda each: (np.count_nonzero(each.won & rest) / (LINE + each.paid) ** weight, -each.paid),
        )
        taken.append(best)
        rest = rest & ~best.won
    for each in sorted(taken, key=lambda each: -each.paid):
        others = [other.won for other in taken if other is not each]
        if others and not (each.won & ~np.any(others, axis=0)).any():
            taken.remove(each)
    return sorted(taken, key=lambda each: (each.number, -np.count_nonzero(each.won)))


def _with_conditions(boards: Boards, taken: Sequence[_Option], aim: Aim | None) -> tuple[Line, ...]:
    """Return the lines with their conditions. Moves that win wherever they are legal come first."""
    lines = list[Line]()
    rest = np.ones(len(boards), dtype=bool)
    conditions = _Conditions(boards, aim)
    for option in sorted(taken, key=lambda each: not conditions.wins_if_legal(each)):
        if not (rest & option.won).any():
            continue
        when = conditions.of(option, rest, lines)
        if when is not None:
            lines.append(Line(option.number, when, option.choices))
            rest = rest & ~boards.each(lambda board, _: board.true(when))  # noqa: B023 - called at once
    return tuple(lines)


class _Conditions:
    """A finder of conditions for the moves of a strategy, with a budget for all of them."""

    def __init__(self, boards: Boards, aim: Aim | None) -> None:
        self._ruleset, self._samples, self._aim = boards.ruleset, boards.samples, aim
        self._searches = SEARCHES
        self._few = len(self._samples.variables) <= FEW  # else a short condition is seldom found
        self._calls = _PLAIN.union(*(each.calls for each in self._ruleset.expressions))
        self._calls |= aim.formula.calls if aim else frozenset()

    def of(self, option: _Option, rest: Array, lines: Sequence[Line]) -> Expr | None:
        """Return the plainest condition that is true where the option wins; None if none is found.

        rest: the mask of positions where no earlier line's condition is true. It may be true at others, too, if it is
        then plainer. lines: the lines so far.
        """
        if option.won.all():
            return TRUE
        everywhere = replace(self._samples, values=option.won)
        there = everywhere.at(rest)
        found = (
            self._legal(option, everywhere) or self._legal(option, there) or self._ruled(option, everywhere)
        )
        if self._searches and (found is None or found.size > (LONG if self._few else LONGEST)):
            learnt = self._learnt(everywhere)
            found = min((each for each in (found, learnt) if each is not None), key=plainness, default=None)
        if option.won[rest].all():
            longest = max((line.when.size for line in lines), default=0)
            again = option.number in {line.number for line in lines}
            return TRUE if again or found is None or found.size > longest else found
        if found is not None and found.size > SHORT:
            narrow = _reduced(found, there)
            found = narrow if narrow.size <= found.size - LESS else found
        return found if found is not None or not self._searches else self._learnt(there)

    def wins_if_legal(self, option: _Option) -> bool:
        """Tell whether the option wins wherever its move is legal."""
        return is_exact(self._of_rules(option), replace(self._samples, values=option.won))

    def _of_rules(self, option: _Option) -> Expr:
        return legal(self._ruleset.moves[option.number], option.choices)

    def _legal(self, option: _Option, samples: Samples) -> Expr | None:
        """Return the condition that the move is legal, if it is right at these samples."""
        said = self._of_rules(option)
        return _reduced(said, samples) if is_exact(said, samples) else None

    def _ruled(self, option: _Option, samples: Samples) -> Expr | None:
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
        return next(
            (each.formula for each in ranked if each.exact and each.formula.calls <= self._calls), None
        )


def _reduced(condition: Expr, samples: Samples) -> Expr:
    """Return the condition made smaller as far as the samples allow; of a long one, only terms are left out."""
    terms = list(conjuncts(condition))
    for term in sorted(terms, key=lambda each: -each.size):
        others = conjunction(*(each for each in terms if each is not term))
        if len(terms) > 1 and is_exact(others, samples):
            terms = [each for each in terms if each is not term]
    found = simplify(conjunction(*terms))
    if found.size <= LONGEST:
        found = reduce_while_exact(found, lambda each: is_exact(each, samples))
    return tidy(rewrite(found, _without_summand), samples.names)


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
                shorter = (polynomial - constant_polynomial(summand)).expression()
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
    same = [TRUE if _is_identity(each) else each for each in (one, other)]
    return conjunction(disjunction(negate(test), same[0]), disjunction(test, same[1]))


def _is_identity(condition: Expr) -> bool:
    return (
        isinstance(condition, Compare)
        and condition.ops == ("==",)
        and condition.terms[0] == condition.terms[1]
    )
