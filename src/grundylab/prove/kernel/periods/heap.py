"""The rule of heaps: Grundy numbers of one heap that are periodic for ever.

Theorem (Guy & Smith, *The G-values of various games*, Proc. Cambridge Philos. Soc. 52, 1956, for octal games, where
h = 2). Let every move from a heap of n >= u take at most t tokens and leave at most h heaps (``games/heap_games.py``),
the same numbers whenever n has the same remainder by p; and let G(n + p) = G(n) for all n with a <= n < u, where
u >= h*a + (h - 1)*p + t. Then G(n + p) = G(n) for all n >= a.

Proof for h = 2, by induction on n >= u: let G(m + p) = G(m) be known for a <= m < n. An option of n + p by a move
that takes s tokens is a pair of heaps b <= c (one heap: b = 0) with b + c = n + p - s >= 2a + 2p, so that c - p >= a;
and c - p < n, as s or b is at least 1. So G(c) = G(c - p), and the pair b, c - p has the same value. It is an option
of n: which pairs are left depends on the smaller heap only, if the larger is at least ``plain_from``, and c - p >= a
is that, a being asked to be so large. Conversely a pair b <= c that is an option of n has b + c >= 2a + p, so
a <= c < n and G(c) = G(c + p), and b, c + p is an option of n + p. A move to a heap of constant size is one of both.
So n and n + p have options of the same values. For h = 1 the one heap is n - s >= a. QED.

Then a formula is right at all sizes if it is right below some number, and from there on is, on each class of
remainders by p, constant with the right value: the progression reader decides that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grundylab.games.heap_games import MoveShape, NotBounded, heap_coordinate, move_shape
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import ALWAYS, GRUNDY, Ruleset, Target
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.progression import Progression, number_along
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr
from grundylab.prove.kernel.evidence import HeapEvidence
from grundylab.prove.kernel.periods.row_formula import FormulaReader, settle
from grundylab.prove.kernel.periods.row_period import row_period
from grundylab.prove.kernel.playable import check_playable
from grundylab.prove.kernel.question import level_of
from grundylab.prove.kernel.session import Session
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.solve import solve
from grundylab.solve.reference import solve_reference
from grundylab.statement import Statement

SLOW = 50_000  # moves, of which the definition itself takes about a second
MOST_MOVES = 10_000_000_000  # moves that are tried one by one: some five seconds
MOST_HEAPS = 1_000_000  # tokens of the largest heap
MOST_REMAINDERS = 10_000  # remainders whose moves are read one by one: some ten seconds


@dataclass(frozen=True)
class ProvedSequence:
    """G(least), G(least + 1), … of a heap: ``values`` as far as they go, and then for ever with the period."""

    heap: str
    least: int
    first: int
    period: int
    values: tuple[int, ...]

    def __call__(self, n: int) -> int:
        """Return G(n), for any n >= least."""
        if n >= self.first:
            n = self.first + (n - self.first) % self.period
        return self.values[n - self.least]


def needed(game: Ruleset, first: int, period: int, until: int) -> int:
    """Return up to where the theorem needs the period, if the moves have their shape from ``until`` on.

    It is at least one more than ``until`` if a split depends on the larger heap. Raises NotBounded for other moves.
    """
    shapes = _shapes(game, until, period)
    most, heaps = max(shape.most for shape in shapes), max(shape.heaps for shape in shapes)
    if max(shape.plain_from for shape in shapes) > first:
        return until + 1
    return heaps * first + (heaps - 1) * period + most


def _shapes(game: Ruleset, until: int, period: int) -> list[MoveShape]:
    """Return the shapes of all moves from heaps of ``until`` and more: one for all, or one for each remainder."""
    try:
        return [move_shape(game, until, 1)]
    except NotBounded:
        if period > MOST_REMAINDERS:
            raise
        return [move_shape(game, until + rest, period) for rest in range(period)]


def check_heap(game: Ruleset, evidence: HeapEvidence) -> ProvedSequence:
    """Return the Grundy numbers of a game without parameters, proved.

    Raises Refused if the period does not follow, NotBounded for a game of another kind.
    """
    first, period, until = evidence.first, evidence.period, evidence.until
    if max(first, period, until + period) > MOST_HEAPS:
        raise Refused(
            f"it takes heaps of {max(first, period, until + period):,} tokens; at most {MOST_HEAPS:,} are gone through"
        )
    heap, least = heap_coordinate(game), _least(game)
    check_playable(game)
    if first < least or period < 1:
        raise Refused("the period must be at least 1, and begin where the heaps do or later")
    if needed(game, first, period, until) > until:
        raise Refused(f"the period must be seen further than {until}")
    values = _values(game, until + period)
    for n in range(first, until):
        if values[n + period - least] != values[n - least]:
            raise Refused(f"the Grundy numbers of {n} and {n + period} differ")
    return ProvedSequence(heap, least, first, period, tuple(values[: first + period - least]))


def _least(game: Ruleset) -> int:
    return int(number_along(game.coordinates[0].range.low, {}).start)


def _values(game: Ruleset, count: int) -> Sequence[int]:
    """Return the Grundy numbers of all heaps below ``count``: by the definition, or by the solver if they are many."""
    instance = _instance(game, count)
    if instance.moves <= SLOW:
        table = solve_reference(instance, "grundy")
    else:  # a sweep, where there is one, need not go through all moves
        table = solve(instance, "grundy", "auto" if instance.moves <= MOST_MOVES else "sweep")
    return [int(value) for value in table.values]


def _instance(game: Ruleset, count: int) -> Instance:
    """Return an instance with all heaps below ``count``, and possibly larger ones."""
    size = count
    while True:  # the bound of the table need not be the size of the largest heap
        instance = make_instance(game, {}, dict.fromkeys(game.bounds, size))
        if instance.box[0].high >= count - 1:
            return instance
        size *= 2


def proved_heap(game: Ruleset, evidence: HeapEvidence, session: Session) -> ProvedSequence:
    """Return the sequence of ``check_heap``, which a session checks only once."""
    return session.kept(("heap", game.hash, evidence), lambda: check_heap(game, evidence))


def _follows(statement: Statement, evidence: HeapEvidence, session: Session) -> bool:
    """Return whether the statement follows from the period; raise Refused with the reason if not."""
    parameters = fixed_values(statement.where, statement.game.parameter_names)
    if set(parameters) != set(statement.game.parameter_names):
        raise Refused("a heap is one of a game whose parameters all have a value")
    game = specialise(statement.game, parameters)
    sequence = proved_heap(game, evidence, session)
    if statement.lookups:
        wanted = heap_period(statement.game, statement.where, sequence)
        if statement != wanted:
            raise Refused("the statement is not that the numbers have the period")
        return True
    if not statement.plain or statement.target == ALWAYS:
        raise Refused("a period says nothing of what is not a formula of the numbers")
    formula = game.check_formula(substitute(statement.formula, parameters), statement.target)
    where = game.check_condition(substitute(statement.where, parameters))
    _check_formula(game, sequence, statement.target, formula, where)
    return True


def heap_period(game: Ruleset, where: Expr, sequence: ProvedSequence) -> Statement:
    """Return the statement that the numbers have the period from ``first`` on."""
    return row_period(game, where, (sequence.heap,), GRUNDY, (sequence.first, sequence.period), saltus=0)


def _check_formula(
    game: Ruleset, sequence: ProvedSequence, target: Target, formula: Expr, where: Expr
) -> None:
    """Check that the formula describes the target for every size that fulfils ``where``."""
    reader = FormulaReader(formula, where, game.functions)

    def truth(n: int) -> Progression:
        value = sequence(n)
        return Progression(value if target == GRUNDY else int(value == level_of(target)))

    def count(turn: int) -> int:
        settled = sequence.first + turn * sequence.period
        return reader.along(sequence.heap, sequence.least, settled, sequence.period, truth)

    settle(where, count)


RULE = Rule(
    "a period of a heap",
    HeapEvidence,
    (
        SideCondition(
            "the numbers have the period as far as it must be seen, and the statement follows", _follows
        ),
    ),
    no_premises,
)
