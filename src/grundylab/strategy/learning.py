"""Strategies learnt from tables: formulas for choices that together win at every N-position, each with its condition.

Formulas are taken one by one, always the one that wins at the most positions where none taken before does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grundylab.discover import sampling
from grundylab.errors import EvaluationError
from grundylab.games.model import Ruleset
from grundylab.language.substitution import rewrite
from grundylab.language.syntax import MIRRORED, Compare, Expr, Int, Name, compare
from grundylab.numeric import Array
from grundylab.strategy.board import Board, Boards
from grundylab.strategy.choices import FIRST, choice_formulas
from grundylab.strategy.line_conditions import ConditionFinder, TriedMove
from grundylab.strategy.lines import Aim, Line

SAMPLE = 2_000  # positions from which choices and conditions are learnt
WORK = 6.0  # seconds of work for all banks of terms
ROUNDS = 3  # of conditions, each with more positions where the strategy was wrong
MOST_TRIED = 3_000  # choices of formulas that are compared with the positions, for all moves together
MOST_LINES = 24
WEIGHTS = (0.0, 0.5, 1.0, 2.0)  # how much the cost of formulas counts, against the positions where they win
LINE = 4  # the cost of a line besides its formulas


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
        for choices in choice_formulas(few, number, aim, seconds)[: MOST_TRIED // len(moves)]
        if (option := _option(few, number, choices)) is not None
    ]
    if not options:
        return ()
    # those that together win wherever one does: few, and with short formulas
    covers = [_greedy(options, weight) for weight in WEIGHTS]
    reach = [int(np.count_nonzero(np.any([option.won for option in cover], axis=0))) for cover in covers]
    whole = [cover for cover, count in zip(covers, reach, strict=True) if count == max(reach)]
    taken = min(whole, key=lambda cover: sum(option.paid + LINE for option in cover))
    lines: tuple[Line, ...] = ()
    for _ in range(ROUNDS):
        lines = _with_conditions(few, taken, aim)
        wrong = ~right(boards, lines)
        if not wrong.any():
            break
        more = sampling.with_counterexamples(rows, wrong, boards.samples, SAMPLE // 10)
        if len(more) == len(rows):
            break
        rows = more
        few = boards.at(rows)
        taken = [option for t in taken if (option := _option(few, t.number, t.choices)) is not None]
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
                    if not isinstance(left, Int) and left not in [*map(Name, changed)]:
                        return compare(MIRRORED[op], Name(name), left)
            return node

        return replace(line, when=rewrite(line.when, first))

    return tuple(map(one, lines))


def right(boards: Boards, lines: Sequence[Line]) -> Array:
    """Return the mask of the positions where the first line whose condition is true wins."""
    winning = np.zeros(len(boards), dtype=bool)
    waiting = np.arange(len(boards))
    for line in lines:
        left = boards.at(waiting)
        here = left.each(lambda board, _: board.true(line.when))  # noqa: B023 - called at once
        if here.any():
            winning[waiting[here]] = won(left.at(here), line.number, line.choices)
        waiting = waiting[~here]
        if not len(waiting):
            break
    return winning


def sample_first(boards: Boards) -> tuple[Boards, Boards]:
    """Return a sample of the positions, and all of them.

    Most strategies that are wrong somewhere are wrong in the sample, and some formulas, such as sums, take seconds at
    the positions of a large table.
    """
    return boards.at(sampling.draw_rows(boards.samples, SAMPLE)), boards


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


def _option(boards: Boards, number: int, choices: tuple[Expr, ...]) -> TriedMove | None:
    winning = won(boards, number, choices)
    return TriedMove(number, choices, winning) if winning.any() else None


def _greedy(options: Sequence[TriedMove], weight: float) -> list[TriedMove]:
    """Return options taken one by one, the one with the most new positions for its cost first.

    weight: how much the cost counts. Of these, options that the others make superfluous are left out.
    """
    taken = list[TriedMove]()
    rest = np.any([option.won for option in options], axis=0)
    while rest.any() and len(taken) < MOST_LINES:
        best = max(
            options,
            key=lambda o: (np.count_nonzero(o.won & rest) / (LINE + o.paid) ** weight, -o.paid),
        )
        taken.append(best)
        rest = rest & ~best.won
    for one in sorted(taken, key=lambda option: -option.paid):
        others = [other.won for other in taken if other is not one]
        if others and not (one.won & ~np.any(others, axis=0)).any():
            taken.remove(one)
    return sorted(taken, key=lambda option: (option.number, -np.count_nonzero(option.won)))


def _with_conditions(boards: Boards, taken: Sequence[TriedMove], aim: Aim | None) -> tuple[Line, ...]:
    """Return the lines with their conditions. Moves that win wherever they are legal come first."""
    lines = list[Line]()
    rest = np.ones(len(boards), dtype=bool)
    conditions = ConditionFinder(boards, aim)
    for option in sorted(taken, key=lambda tried: not conditions.wins_if_legal(tried)):
        if not (rest & option.won).any():
            continue
        when = conditions.of(option, rest, lines)
        if when is not None:
            lines.append(Line(option.number, when, option.choices))
            rest = rest & ~boards.each(lambda board, _: board.true(when))  # noqa: B023 - called at once
    return tuple(lines)
