"""Automata that read tuples of numbers, low digit first, in two's complement or in another numeration system.

The numbers are integers in two's complement, and natural numbers in any other system.

Each component of a tuple is a track of the automaton, with a name. In two's complement an integer is written as its
binary digits followed by infinitely many copies of its sign (0 for a natural number, 1 for a negative one). A letter
holds one digit of each track: written in base b, the letter's number has the digit of track i at place i. An automaton
is total and deterministic, and begins in state 0. For each state and letter it records whether it accepts if this
letter is repeated for ever. So negative numbers are no special case for sums, order, remainders and the digitwise
operations. (After Wolper & Boigelot, *On the construction of automata from linear arithmetic constraints*, 2000, with
the digits in the opposite order.)

In another system some words are not the digits of any number. An automaton's answer on such a word has no meaning, so
``~``, ``&``, ``|`` and ``^`` work as in two's complement. Operations that ask whether a number exists (``without``,
``is_empty``, ``is_full``, ``example``) exclude such words first.

All results are exact and deterministic. Work is counted in cells of transition tables; beyond a limit it raises
TooLarge.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from types import ModuleType

import numpy as np

from grundylab.automata import small_loops
from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.exploring import DEAD
from grundylab.automata.systems import BINARY, System, aligned_digits, symbol_digits
from grundylab.errors import GrundylabError
from grundylab.numeric import Array

MAX_TRACKS, MAX_LETTERS = 12, 1 << 13  # of one automaton: enough for three numbers in base 20
MAX_CELLS = 1 << 22  # of one table
REMEMBERED = 500  # results that are remembered
PLAIN = 500_000  # cells, at 0.3 µs or more each; with fewer, plain loops end before numba has started


class TooLarge(GrundylabError):
    """An error: a computation needs larger automata than its limit allows."""


@dataclass
class AutomataBudget:
    """The numeration system of the automata for a question, and their budget of table cells.

    given: the whole budget. left: the cells that may still be made. made: the cells made so far, also for earlier
    questions. Questions after each other often combine the same sets, so some results are remembered; their cells are
    deducted again, so that no answer depends on what is remembered.
    """

    given: int = 1 << 62
    system: System = BINARY
    left: int = field(init=False)
    made: int = 0
    remembered: dict[Hashable, tuple[Dfa, int]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.left = self.given
        if self.system.begins:
            raise TooLarge(f"no automaton is known that adds {self.system.words}")

    def give(self, cells: int) -> None:
        """Set the budget, and what is left of it, to this number of cells."""
        self.given = self.left = cells

    def spend(self, cells: int) -> None:
        """Deduct the cells of a table; raise TooLarge if they are too many for one table or for what is left."""
        self.deduct(cells)
        if cells > MAX_CELLS:
            raise TooLarge(f"it takes an automaton of {cells:,} cells; at most {MAX_CELLS:,} are allowed")

    def deduct(self, cells: int) -> None:
        """Deduct the cells of several tables; raise TooLarge if they are too many for what is left."""
        self.left -= cells
        self.made += cells
        if self.left < 0:
            raise TooLarge(f"it takes automata of more than {self.given:,} cells, the limit for a question")

    def once(self, key: Hashable, make: Callable[[], Dfa]) -> Dfa:
        """Return the set that ``make`` makes, or what it made for this key before."""
        if key in self.remembered:
            result, cells = self.remembered.pop(key)
            self.deduct(cells)
        else:
            before = self.made
            result = make()
            cells = self.made - before
        self.remembered[key] = result, cells  # now the latest
        if len(self.remembered) > REMEMBERED:
            del self.remembered[next(iter(self.remembered))]
        return result

    @property
    def loops(self) -> ModuleType:
        """The module of the inner loops: the compiled one if numba is loaded already or the work is long enough."""
        if self.made < PLAIN and "numba" not in sys.modules:
            return small_loops
        from grundylab.automata import loops

        return loops


@dataclass(frozen=True, eq=False)
class Dfa:
    """A set of tuples of numbers, as a minimal automaton.

    tracks: the names of the tuples' components, sorted. next: an integer array of shape (states, letters), with
    base**len(tracks) letters: the state after a letter. sign: a boolean array of this shape: whether the automaton
    accepts if the letter is repeated for ever from that state.
    """

    tracks: tuple[str, ...]
    next: Array
    sign: Array
    work: AutomataBudget = field(repr=False)

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.next)

    @property
    def system(self) -> System:
        """The numeration system."""
        return self.work.system

    @property
    def is_empty(self) -> bool:
        """True if no tuple is in the set."""
        return not bool(self.valid().sign.any())

    @property
    def is_full(self) -> bool:
        """True if every tuple is in the set."""
        return bool(self.sign.all()) if self.system.binary else (~self).is_empty

    def valid(self, tracks: Iterable[str] | None = None) -> Dfa:
        """Return the set without words that are not the digits of a number. tracks: those to check, by default all."""
        if self.system.binary:
            return self
        checks = (valid_words(track, self.work) for track in (self.tracks if tracks is None else tracks))
        return reduce(Dfa.__and__, checks, self)

    def contains(self, values: Mapping[str, int]) -> bool:
        """Tell whether the tuple is in the set. values: the numbers by track; other names are ignored."""
        numbers = [values[track] for track in self.tracks]
        if not self.system.binary and min(numbers, default=0) < 0:
            return False
        state, base = 0, self.system.base
        *read, last = (
            reduce(lambda letter, digit: base * letter + digit, reversed(digits), 0)
            for digits in _digits_and_ends(self.system, numbers)
        )
        for letter in read:
            state = int(self.next[state, letter])
        return bool(self.sign[state, last])

    def example(self) -> dict[str, int] | None:
        """Return a tuple of the set with the fewest digits, by track; None if the set is empty."""
        came: dict[int, tuple[int, int]] = {}
        waiting, among = [0], self.valid()
        for state in waiting:  # grows
            if among.sign[state].any():
                break
            for letter, target in enumerate(among.next[state].tolist()):
                if target and target not in came:
                    came[target] = (state, letter)
                    waiting.append(target)
        else:
            return None
        last, letters = int(np.flatnonzero(among.sign[state])[0]), list[int]()
        while state:
            state, letter = came[state]
            letters.insert(0, letter)
        numbers, base = {}, self.system.base
        for index, track in enumerate(among.tracks):
            number = self.system.number([letter // base**index % base for letter in letters])
            numbers[track] = number - ((last >> index & 1) << len(letters) if self.system.binary else 0)
        return numbers

    def __invert__(self) -> Dfa:
        return self.work.once(self, lambda: Dfa(self.tracks, self.next, ~self.sign, self.work))

    def __and__(self, other: Dfa) -> Dfa:
        return self.work.once((self, other), lambda: _product(self, other, _AND))

    def __or__(self, other: Dfa) -> Dfa:
        return _product(self, other, _OR)

    def __xor__(self, other: Dfa) -> Dfa:
        return _product(self, other, _XOR)

    def renamed(self, names: Mapping[str, str]) -> Dfa:
        """Return the set with its tracks renamed, by old name; raise ValueError if two names become equal."""
        new = tuple(names.get(track, track) for track in self.tracks)
        if len(set(new)) < len(new):
            raise ValueError("two tracks would have one name")
        order = tuple(sorted(new))
        letters = _letters(self.system.base, new, order)
        return Dfa(order, self.next[:, letters], self.sign[:, letters], self.work)

    def restriction(self, values: Mapping[str, int]) -> Dfa:
        """Return the tuples of the other tracks that these numbers, by track, complete to tuples of the set."""
        base, at = self.system.base, {name: values[name] for name in self.tracks if name in values}
        kept = tuple(name for name in self.tracks if name not in at)
        if not self.system.binary and min(at.values(), default=0) < 0:
            return constant_dfa(False, self.work)
        weights = {name: base ** self.tracks.index(name) for name in self.tracks}
        free = np.zeros(base ** len(kept), dtype=np.int64)  # letters with digits 0 on the given tracks
        for place, name in enumerate(kept):
            free += np.array(symbol_digits(base, len(kept), place)) * weights[name]
        *read, last = (
            free + sum(digit * weights[name] for name, digit in zip(at, digits, strict=True))
            for digits in _digits_and_ends(self.system, [*at.values()])
        )
        levels = [np.zeros(1, dtype=np.int64)]  # the states after each number of digits
        for letters in read:
            levels.append(np.unique(self.next[levels[-1]][:, letters]))
        while len(more := np.union1d(levels[-1], self.next[levels[-1]][:, last])) > len(levels[-1]):
            levels[-1] = more
        begin, every = np.cumsum([0, *map(len, levels)]), np.arange(len(free))
        self.work.spend(int(begin[-1]) * len(free))
        after = [begin[-2] + np.searchsorted(levels[-1], self.next[levels[-1]][:, last])]
        signs = [self.sign[levels[-1]][:, last]]
        for place in reversed(range(len(read))):
            target = np.searchsorted(levels[place + 1], self.next[levels[place]][:, read[place]])
            after.insert(0, begin[place + 1] + target)
            signs.insert(0, signs[0][target, every])
        return minimal_dfa(kept, np.concatenate(after).astype(np.int32), np.concatenate(signs), self.work)

    def without(self, track: str) -> Dfa:
        """Return the projection along the track: the tuples that some number on it completes to a tuple of the set.

        The projection has the other tracks only. A set without the track is returned unchanged.
        """
        return self.work.once((self, track), lambda: self._without(track)) if track in self.tracks else self

    def _without(self, track: str) -> Dfa:
        kept, base = tuple(name for name in self.tracks if name != track), self.system.base
        of = self.valid([track])
        if track not in of.tracks:  # now the track makes no difference
            return of.without(track)
        columns = [_letters(base, of.tracks, kept, track, digit) for digit in range(base)]
        tables = [of.next[:, letters] for letters in columns]
        sign = np.logical_or.reduce([of.sign[:, letters] for letters in columns])
        every = np.arange(len(columns[0]))
        while True:  # the number on the track may have more digits than the others
            more = np.logical_or.reduce([sign, *(sign[table, every] for table in tables)])
            if np.array_equal(more, sign):
                break
            sign = more
        if not self.system.binary:
            # every number ends in zeros: other letters' signs must not distinguish states
            sign[:, 1:] = False
        # the subset construction makes the nondeterministic automaton deterministic
        states, width = sign.shape
        cells = width * (1 + states // 16)  # of each set
        most = min(MAX_CELLS // width, max(self.work.left, 0) // cells) + 1
        after, signs = self.work.loops.subsets(*_flat(np.stack(tables), sign), most)
        if not len(after):
            self.work.spend(cells * most)  # raises
            raise TooLarge(f"it takes an automaton of more than {MAX_CELLS:,} cells")
        self.work.deduct(len(after) * cells)
        return minimal_dfa(kept, after, signs, self.work)


def _digits_and_ends(system: System, numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the digits of the numbers at each place from the lowest up, then those that all higher places have."""
    if not system.binary:
        yield from aligned_digits(system, numbers)
        yield [0] * len(numbers)
        return
    for place in range(max((number.bit_length() for number in numbers), default=0)):
        yield [number >> place & 1 for number in numbers]
    yield [int(number < 0) for number in numbers]


@lru_cache(maxsize=4096)
def _letters(
    base: int, have: tuple[str, ...], want: tuple[str, ...], track: str = "", digit: int = 0
) -> Array:
    """Return, for each letter of the tracks ``want``, the letter of the tracks ``have`` with the same digits.

    track: a track that is only in ``have``; the returned letters have the digit ``digit`` there.
    """
    letters = np.zeros(base ** len(want), dtype=np.int64)
    for index, name in enumerate(have):
        digits = digit if name == track else np.array(symbol_digits(base, len(want), want.index(name)))
        letters += digits * base**index
    letters.setflags(write=False)
    return letters


_AND, _OR, _XOR = 0b1000, 0b1110, 0b0110  # truth tables, for ``loops.product``


def _product(a: Dfa, b: Dfa, truth: int) -> Dfa:
    tracks = tuple(sorted({*a.tracks, *b.tracks}))
    width, base = letter_count(tracks, a.system.base), a.system.base
    left, right = _letters(base, a.tracks, tracks), _letters(base, b.tracks, tracks)
    cells = min(MAX_CELLS, a.work.left)
    if cells < width:
        a.work.spend(width)  # raises
    most = cells // width
    table, sign = a.work.loops.product(
        *_flat(a.next, a.sign), left, *_flat(b.next, b.sign), right, truth, most
    )
    # an empty table means that the product was larger: then this raises
    a.work.spend(table.size or cells + 1)
    return minimal_dfa(tracks, table, sign, a.work)


def _flat(after: Array, sign: Array) -> tuple[Array, Array]:
    """Return the tables as contiguous arrays of fixed types, so that each compiled loop is compiled once."""
    return np.ascontiguousarray(after, dtype=np.int32), np.ascontiguousarray(sign, dtype=np.bool_)


def letter_count(tracks: Sequence[str], base: int = 2) -> int:
    """Return the number of letters of an automaton with these tracks; raise TooLarge if there are too many tracks."""
    most = MAX_TRACKS
    letters: int = base ** len(tracks)
    while base**most > MAX_LETTERS:
        most -= 1
    if len(tracks) > most:
        raise TooLarge(
            f"it takes an automaton that reads {len(tracks)} numbers at once; at most {most} are allowed"
        )
    return letters


def minimal_dfa(tracks: tuple[str, ...], after: Array, sign: Array, work: AutomataBudget) -> Dfa:
    """Return the minimal automaton of a set, by Moore's refinement; every state of the tables must be reachable."""
    letter_count(tracks, work.system.base)
    after, sign = _flat(after, sign)
    if len(after) == 1:
        return _trimmed(tracks, after, sign, work)
    first, group = work.loops.groups_by_row(sign)
    while True:
        work.spend(after.size)
        finer, regroup = work.loops.refined(group, after)
        if len(finer) == len(first):
            break
        first, group = finer, regroup
    return _trimmed(tracks, group[after[first]].astype(np.int32), sign[first], work)


def _trimmed(tracks: tuple[str, ...], after: Array, sign: Array, work: AutomataBudget) -> Dfa:
    """Return the automaton without the tracks whose digits make no difference."""
    base = work.system.base
    for index, track in enumerate(tracks):
        by_digit = (len(after), -1, base, base**index)  # the track's digit as an axis of its own
        rows, signs = after.reshape(by_digit), sign.reshape(by_digit)
        if (rows[:, :, 1:] == rows[:, :, :1]).all() and (signs[:, :, 1:] == signs[:, :, :1]).all():
            kept, width = tuple(name for name in tracks if name != track), after.shape[1] // base
            first = rows[:, :, 0].reshape(-1, width), signs[:, :, 0].reshape(-1, width)
            return _trimmed(kept, *first, work)
    return Dfa(tracks, after, sign, work)


def natural_tuples(of: Dfa) -> DigitAutomaton:
    """Return the set's tuples of natural numbers, with components in the order of the tracks, as a DigitAutomaton."""
    # the first track's digit is the lowest of a letter (here) and the highest of a symbol (DigitAutomaton)
    count, base = len(of.tracks), of.system.base
    letters = [
        sum(symbol_digits(base, count, count - 1 - index)[symbol] * base**index for index in range(count))
        for symbol in range(base**count)
    ]
    rows = tuple(map(tuple, of.next[:, letters].tolist()))
    return DigitAutomaton(rows, tuple(of.sign[:, 0].tolist()), of.system)


def valid_words(track: str, work: AutomataBudget) -> Dfa:
    """Return the set of words on a track that are a number's digits and then zeros; in two's complement, all words."""
    if work.system.binary:
        return constant_dfa(True, work)
    rows = np.array(work.system.valid, dtype=np.int32)
    dead = len(rows)
    after = np.vstack([np.where(rows == DEAD, dead, rows), np.full((1, rows.shape[1]), dead)])
    sign = np.zeros(after.shape, dtype=bool)
    sign[:dead, 0] = True
    return minimal_dfa((track,), after, sign, work)


# -- combinations of sets --------------------------------------------------------------------------------------


def constant_dfa(value: bool, work: AutomataBudget) -> Dfa:
    """Return the set of all tuples (True) or the empty set (False), without tracks."""
    return Dfa((), np.zeros((1, 1), dtype=np.int32), np.array([[value]]), work)


def intersection(parts: Iterable[Dfa], work: AutomataBudget) -> Dfa:
    """Return the intersection of the sets, beginning with the smallest."""
    return reduce(Dfa.__and__, sorted(parts, key=lambda part: part.next.size), constant_dfa(True, work))


def union(parts: Iterable[Dfa], work: AutomataBudget) -> Dfa:
    """Return the union of the sets, beginning with the smallest."""
    return reduce(Dfa.__or__, sorted(parts, key=lambda part: part.next.size), constant_dfa(False, work))


def projection(tracks: Iterable[str], parts: Iterable[Dfa], work: AutomataBudget) -> Dfa:
    """Return the intersection of the sets, projected along the tracks; the cheapest track is eliminated first."""
    left, hidden = list(parts), sorted(set(tracks))
    while hidden:
        sizes = {track: elimination_cost([part for part in left if track in part.tracks]) for track in hidden}
        track = min(hidden, key=lambda name: (sizes[name], name))
        hidden.remove(track)
        about = [part for part in left if track in part.tracks]
        left = [part for part in left if track not in part.tracks]
        if about:
            left.append(intersection(about, work).without(track))
    return intersection(left, work)


def elimination_cost(parts: Sequence[Dfa]) -> int:
    """Return the most cells that the intersection of the sets can have."""
    tracks = {track for part in parts for track in part.tracks}
    width: int = (parts[0].system.base if parts else 2) ** len(tracks)
    return reduce(lambda size, part: size * part.states, parts, width)
