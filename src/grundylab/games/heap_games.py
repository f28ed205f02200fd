"""Games of one heap in which a move takes a bounded number of tokens and may split the rest into two heaps.

Octal games and subtraction games with finite sets are of this kind. Whether a game is of this kind is read from its
moves. They are read at once for all heaps whose sizes form an arithmetic progression, such as all sizes from 10 on. A
game that is not recognised is refused, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from grundylab.errors import EvaluationError, InstanceError
from grundylab.games.linear_moves import grows_with_bounds
from grundylab.games.model import Move, Ruleset
from grundylab.games.specialise import specialise
from grundylab.language.intervals import is_total
from grundylab.language.linear import AtomPolynomial, InequalityReader, atom_polynomial
from grundylab.language.progression import NotLinear, Progression, condition_reader, number_reader
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Compare, Expr, Int, Name, compare, conjunction, free_names

MOST_CHOICES = 1_000


class NotBounded(InstanceError):
    """The error that a game is not played with one heap and bounded takes, or is not recognised as such a game."""


@dataclass(frozen=True)
class MoveShape:
    """The moves that are possible from every heap whose size is in a given arithmetic progression.

    takes: the numbers of tokens that a move takes when it leaves one heap. constants: the sizes to which a move leads
    from every heap. splits: a pair (t, s) stands for the moves that take t tokens and leave two heaps, both of at least
    s tokens. Every such pair of heaps can be reached whose larger heap has at least ``plain_from`` tokens.
    """

    takes: frozenset[int]
    splits: frozenset[tuple[int, int]]
    constants: frozenset[int]
    plain_from: int

    @property
    def most(self) -> int:
        """The largest number of tokens that a move takes, apart from moves to a constant size."""
        return max((*self.takes, *(taken for taken, _ in self.splits)), default=0)

    @property
    def heaps(self) -> int:
        """The largest number of heaps that a move leaves: 1 or 2."""
        return 2 if self.splits else 1

    def applies_from(self, start: int, least: int) -> int:
        """Return the size from which on every heap has exactly these moves.

        start: the first size for which the moves were read. least: the least size of a heap. From the returned size on,
        every take leaves a heap of at least ``least`` tokens, and the larger of two heaps has at least ``plain_from``.
        """
        splits = (taken + 2 * max(smallest, self.plain_from) for taken, smallest in self.splits)
        return max(start, least + self.most, *splits, *(size + 1 for size in self.constants))


def heap_coordinate(game: Ruleset) -> str:
    """Return the coordinate of the heap.

    Raises NotBounded unless the game is of normal play, has no open parameter, and has one heap, of unbounded size.
    """
    if game.parameters:
        raise NotBounded(f"{game.name}: the parameter {game.parameters[0].name} has no value")
    if game.free or len(game.coordinates) != 1 or game.where != TRUE or game.play != "normal":
        raise NotBounded(f"{game.name} is not a game of normal play with one heap")
    (heap,) = game.coordinates
    high = free_names(heap.range.high)
    growing = high and high <= set(game.bounds) and grows_with_bounds(heap.range.high, game.bounds)
    if not isinstance(heap.range.low, Int) or not growing:
        raise NotBounded(
            f"{game.name}: {heap.name} does not have every value from some number on: {heap.range}"
        )
    return heap.name


@lru_cache(maxsize=1_000)  # a search for periods asks for the same sizes again
def move_shape(game: Ruleset, start: int, step: int) -> MoveShape:
    """Return the moves from heaps of the sizes start, start + step, start + 2*step, ….

    Raises NotBounded if the moves are not recognised.
    """
    reader = _Reader(game, heap_coordinate(game), Progression(start, step))
    for move in game.moves:
        reader.read(move)
    return MoveShape(
        frozenset(reader.takes), frozenset(reader.splits), frozenset(reader.constants), reader.plain_from
    )


class _Reader:
    """A reader of the moves from heaps with sizes in a progression. It collects the parts of a ``MoveShape``."""

    def __init__(self, game: Ruleset, heap: str, sizes: Progression) -> None:
        self._game, self._heap, self._sizes = game, heap, sizes
        self.takes, self.splits, self.constants = set[int](), set[tuple[int, int]](), set[int]()
        self.plain_from = 0
        low = game.coordinates[0].range.low
        assert isinstance(low, Int)
        self._least = low.value

    def read(self, move: Move) -> None:
        """Add the effects of the move to ``takes``, ``splits``, ``constants`` and ``plain_from``."""
        if move.a_pass or len(move.parts) > 2:
            raise self._not(move, "splits a heap into more than two")
        for chosen, free in self._assignments(move, 0, {}, None):
            parts = [substitute(part[0], chosen) for part in move.parts]
            when = substitute(move.when, chosen)
            if free is not None:
                self._split(move, parts, when, *free)
            elif self._condition(when, move):
                if len(parts) > 1:
                    raise self._not(move, "splits off heaps of a fixed size")
                # a move that leaves one heap: a take, or a move to a constant size
                after = self._number(parts[0], move)
                taken = self._sizes - after
                if after.step == 0 and after.start >= self._least:
                    self.constants.add(after.start)
                elif taken.step == 0 and taken.start >= 1:
                    self.takes.add(taken.start)
                else:
                    raise self._not(move, f"the heap becomes {parts[0]}")

    def _assignments(
        self, move: Move, depth: int, chosen: dict[str, Expr], free: tuple[str, Expr, Expr] | None
    ) -> Iterator[tuple[dict[str, Expr], tuple[str, Expr, Expr] | None]]:
        """Yield each assignment of the choices with few values, and the one choice whose range grows with the heap.

        The latter is given as (name, least value, greatest value), or None if there is no such choice.
        """
        if depth == len(move.choices):
            yield chosen, free
            return
        choice = move.choices[depth]
        low, high = substitute(choice.range.low, chosen), substitute(choice.range.high, chosen)
        if free is not None and free[0] in free_names(low) | free_names(high):
            raise self._not(move, f"{choice.name} depends on {free[0]}")
        first, last = self._number(low, move), self._progression(high)
        if last is not None and first.step == last.step == 0:
            if last.start - first.start > MOST_CHOICES:
                raise self._not(move, f"{choice.name} has more than {MOST_CHOICES:,} values")
            for value in range(first.start, last.start + 1):
                yield from self._assignments(move, depth + 1, {**chosen, choice.name: Int(value)}, free)
        elif free is None:
            yield from self._assignments(move, depth + 1, chosen, (choice.name, low, high))
        else:
            raise self._not(move, f"both {free[0]} and {choice.name} grow with the heap")

    def _split(self, move: Move, parts: list[Expr], when: Expr, name: str, low: Expr, high: Expr) -> None:
        """Record a move that splits the heap in two, by the choice ``name`` with every value from ``low`` to ``high``.

        Both heaps must be linear in the size and in the choice.
        """
        if len(parts) != 2:
            raise self._not(move, f"takes any number of tokens: the range of {name} grows with the heap")
        one, other = sorted(self._linear(atom_polynomial(part), name, move) for part in parts)
        if (one[:2], other[:2]) != ((0, 1), (1, -1)):
            raise self._not(move, f"the heaps become {parts[0]} and {parts[1]}")
        begin = self._number(low, move)
        if not begin.constant:
            raise self._not(move, f"{name} begins at {low}")
        condition = conjunction(Compare(("<=", "<="), (Int(begin.start), Name(name), high)), when)
        if not all(is_total(expr, self._game.functions) for expr in (*parts, condition)):
            raise self._not(move, f"it may have no value where {condition}")
        limits = self._limits(move, name, condition)
        if limits is None:
            return
        taken = -(one[2] + other[2])
        first = one[2] - limits[0, 1]
        second = other[2] - limits[1, -1] if (1, -1) in limits else first
        if (1, -2) not in limits:
            smallest, plain_from = min(first, second), max(first, second)
        else:  # the first heap exceeds the second by at most ``excess``: all pairs if that is at least 0
            excess = limits[1, -2] + one[2] - other[2]
            if excess < 0:
                raise self._not(move, f"not every pair of heaps is possible: {name} is at most {high}")
            smallest, plain_from = first, max(first + excess, second)
        if smallest < max(self._least, int(taken == 0)) or taken < 0:
            raise self._not(move, "the heaps may be too small or too large")
        self.splits.add((taken, smallest))
        self.plain_from = max(self.plain_from, plain_from)

    def _limits(self, move: Move, name: str, condition: Expr) -> dict[tuple[int, int], int] | None:
        """Return the limits that a condition sets to the choice ``name``; None if it allows no value.

        An entry (s, b): c of the result stands for the inequality s*x + b*a + c >= 0, where x is the size of the heap
        and a the value of the choice. The entry (0, 1): c means a >= -c. There are one or both of (1, -1): c, which
        means a <= x + c, and (1, -2): c, which means 2*a <= x + c. Raises NotBounded for limits of another form.
        """
        try:
            polys, others = InequalityReader({}, self._game.functions).conditions(condition)
        except KeyError:
            raise self._not(move, f"the condition {condition}") from None
        about = [form for form in polys if name in form.names]
        others += tuple(compare(">=", form.expression(), Int(0)) for form in polys if form not in about)
        if not all(self._condition(term, move) for term in others):
            return None
        least: dict[tuple[int, int], int] = {}
        for size, part, constant in (self._linear(form, name, move) for form in about):
            least[size, part] = min(constant, least.get((size, part), constant))
        if least.keys() not in ({(0, 1), (1, -1)}, {(0, 1), (1, -2)}, {(0, 1), (1, -1), (1, -2)}):
            raise self._not(move, f"the condition {condition}")
        return least

    def _linear(self, form: AtomPolynomial, name: str, move: Move) -> tuple[int, int, int]:
        """Return the integers (a, b, c) with form = a * heap + b * choice + c. Raises NotBounded if there are none."""
        factors = dict(form.terms)
        size, part = (factors.pop((Name(one),), 0) for one in (self._heap, name))
        constant = factors.pop((), 0)
        if factors:
            raise self._not(move, f"the term {form.expression()}")
        return size, part, constant

    def _number(self, expr: Expr, move: Move) -> Progression:
        number = self._progression(expr)
        if number is None:
            raise self._not(move, f"the term {expr}")
        return number

    def _progression(self, expr: Expr) -> Progression | None:
        """Return a number for all sizes as a progression; None if it forms none, as for ``x // 2``."""
        try:
            return number_reader(expr, self._game.functions)({self._heap: self._sizes})
        except (NotLinear, KeyError, EvaluationError):
            return None

    def _condition(self, when: Expr, move: Move) -> bool:
        """Return True if the condition is true for all sizes, False if false for all; else raise NotBounded."""
        try:
            return condition_reader(when, self._game.functions)({self._heap: self._sizes})
        except (NotLinear, KeyError, EvaluationError):
            raise self._not(move, f"the condition {when}") from None

    def _not(self, move: Move, why: str) -> NotBounded:
        return NotBounded(f"{self._game.name}: the move '{move.name}' is not a bounded take: {why}")


def is_heap_game(ruleset: Ruleset, parameters: Mapping[str, int]) -> bool:
    """Tell whether the game with these parameters is one of a single heap of unbounded size."""
    try:
        heap_coordinate(specialise(ruleset, parameters))
    except NotBounded:
        return False
    return True
