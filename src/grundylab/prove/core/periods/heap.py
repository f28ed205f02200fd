"""The rule of heaps: the Grundy values G(n) of one heap of n tokens are periodic for ever.

Theorem (Guy & Smith, *The G-values of various games*, Proc. Cambridge Philos. Soc. 52, 1956, for octal games, where
h = 2). Let every move from a heap of n >= u tokens take at most t tokens and leave at most h heaps
(``games/heap_games.py``), where the moves are the same for all n with the same remainder by p. Let G(n + p) = G(n) for
all n with a <= n < u, where u >= h*a + (h - 1)*p + t. Then G(n + p) = G(n) for all n >= a.

Proof for h = 2, by induction on n >= u: let G(m + p) = G(m) be known for a <= m < n. An option of n + p by a move that
takes s tokens is a pair of heaps b <= c (for one heap, b = 0) with b + c = n + p - s >= 2a + 2p. So c - p >= a; and
c - p < n, as s or b is at least 1. So G(c) = G(c - p), and the pair b, c - p has the same value as b, c. The pair
b, c - p is an option of n: which pairs a move may leave depends only on the smaller heap if the larger is at least
``plain_from``; and c - p >= a >= ``plain_from``, as ``needed`` ensures. Conversely, a pair b <= c that is an option of
n has b + c >= 2a + p. So a <= c < n and G(c) = G(c + p), and b, c + p is an option of n + p. A move to a heap of
constant size is a move of both n and n + p. So the options of n and n + p have the same values. For h = 1 the one heap
is n - s >= a. QED.

A formula is therefore right at all sizes if it is right below some number and, from there on, constant with the right
value on each class of remainders by p. The progression reader (``language/progression.py``) decides that.
"""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.heap_games import NotBounded, heap_coordinate, move_shape
from grundylab.games.instance import make_instance
from grundylab.games.model import ALWAYS, GRUNDY, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.progression import Progression, number_reader
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr
from grundylab.prove.core.evidence import HeapEvidence
from grundylab.prove.core.periods.row_formula import FormulaReader, settle
from grundylab.prove.core.periods.row_period import row_period
from grundylab.prove.core.playable import check_playable
from grundylab.prove.core.solution import Core, level_of
from grundylab.prove.core.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.solve import solve
from grundylab.solve.reference import solve_reference
from grundylab.statement import Statement

SLOW = 50_000  # moves: up to so many, values are computed by the definition itself, in about a second
MOST_MOVES = 10_000_000_000  # the most moves that are tried one by one: some five seconds
MOST_HEAPS = 1_000_000  # the most tokens of a heap
MOST_REMAINDERS = 10_000  # the most remainders whose moves are read one by one: some ten seconds


@dataclass(frozen=True)
class ProvedSequence:
    """The proved Grundy values G(least), G(least + 1), … of one heap, for ever.

    heap: the name of the coordinate. values: G(n) for
    least <= n < first + period. first: the size from which the values repeat: G(n + period) == G(n) for n >= first.
    """

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
    """Return the u of the theorem, for a = first and p = period: up to there the period must be checked.

    until: a number of tokens from which on the moves have regular shapes (``MoveShape``). Return ``until + 1`` if
    ``first`` is so small that, for a heap of that size, a split depends on the larger heap. Raises NotBounded for moves
    of other kinds.
    """
    try:
        shapes = [move_shape(game, until, 1)]
    except NotBounded:  # one for each remainder by the period
        if period > MOST_REMAINDERS:
            raise
        shapes = [move_shape(game, until + rest, period) for rest in range(period)]
    most, heaps = max(shape.most for shape in shapes), max(shape.heaps for shape in shapes)
    if max(shape.plain_from for shape in shapes) > first:
        return until + 1
    return heaps * first + (heaps - 1) * period + most


def check_heap(game: Ruleset, evidence: HeapEvidence) -> ProvedSequence:
    """Return the proved Grundy values of a heap game without parameters.

    Raises Refused if the evidence does not prove its period, NotBounded for a game of another kind.
    """
    first, period, until = evidence.first, evidence.period, evidence.until
    if max(first, period, until + period) > MOST_HEAPS:
        raise Refused(
            f"it takes heaps of {max(first, period, until + period):,} tokens; at most {MOST_HEAPS:,} are allowed"
        )
    heap, least = heap_coordinate(game), int(number_reader(game.coordinates[0].range.low)({}).start)
    check_playable(game)
    if first < least or period < 1:
        raise Refused("the period must be at least 1, and must not begin before the smallest heap")
    if needed(game, first, period, until) > until:
        raise Refused(f"the period must be checked further than {until}")
    count = size = until + period
    while True:  # the largest heap may be smaller than the bound of the table
        instance = make_instance(game, {}, dict.fromkeys(game.bounds, size))
        if instance.box[0].high >= count - 1:
            break
        size *= 2
    if instance.moves <= SLOW:
        table = solve_reference(instance, "grundy")
    else:  # the solver's sweep, for games that have one, need not try all moves
        table = solve(instance, "grundy", "auto" if instance.moves <= MOST_MOVES else "sweep")
    values = [int(value) for value in table.values]
    for n in range(first, until):
        if values[n + period - least] != values[n - least]:
            raise Refused(f"the Grundy values of {n} and {n + period} differ")
    return ProvedSequence(heap, least, first, period, tuple(values[: first + period - least]))


def proved_heap(game: Ruleset, evidence: HeapEvidence, core: Core) -> ProvedSequence:
    """Return the result of ``check_heap``, which the core keeps."""
    return core.kept(("heap", game.hash, evidence), lambda: check_heap(game, evidence))


def _follows(statement: Statement, evidence: HeapEvidence, core: Core) -> bool:
    """Return True if the statement follows from the period; otherwise raise Refused with the reason."""
    parameters = fixed_values(statement.where, statement.game.parameter_names)
    if set(parameters) != set(statement.game.parameter_names):
        raise Refused("the statement's condition must give every parameter a value")
    game = specialise(statement.game, parameters)
    sequence = proved_heap(game, evidence, core)
    if statement.lookups:
        wanted = heap_period(statement.game, statement.where, sequence)
        if statement != wanted:
            raise Refused("the statement does not claim that the Grundy values have the period")
        return True
    if not statement.plain or statement.target == ALWAYS:
        raise Refused("a period proves only a formula for Grundy values or P-positions, without variables")
    formula = game.check_formula(substitute(statement.formula, parameters), statement.target)
    where = game.check_condition(substitute(statement.where, parameters))
    reader = FormulaReader(formula, where, game.functions)

    def truth(n: int) -> Progression:
        value = sequence(n)
        return Progression(value if statement.target == GRUNDY else int(value == level_of(statement.target)))

    def count(turn: int) -> int:
        settled = sequence.first + turn * sequence.period
        return reader.along(sequence.heap, sequence.least, settled, sequence.period, truth)

    settle(where, count)  # the formula describes the target for every size that fulfils the condition
    return True


def heap_period(game: Ruleset, where: Expr, sequence: ProvedSequence) -> Statement:
    """Return the statement that the heap's Grundy values have the proved period from ``first`` on."""
    return row_period(game, where, (sequence.heap,), GRUNDY, (sequence.first, sequence.period), saltus=0)


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
