"""The elementary automata: linear equations and inequalities, remainders, digits, powers of two.

An automaton reads the digits of several numbers in parallel, the lowest first. Each of these numbers is called a
*track*, and has a name. A letter is one digit of each track. Sums in numeration systems other than the binary one are
in ``automata/sums.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grundylab.automata import sums
from grundylab.automata.dfa import MAX_CELLS, AutomataBudget, Dfa, TooLarge, letter_count, minimal_dfa, union
from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.errors import number_text
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Bounded, Call, Expr, Name, free_names, walk


def linear_relation(coefficients: Mapping[str, int], offset: int, relation: str, work: AutomataBudget) -> Dfa:
    """Return the automaton of the tuples where offset + the sum of coefficient * track is == 0, or <= 0.

    relation: ``==`` or ``<=``. The states are the carries that the remaining digits must compensate.
    """
    if not work.system.binary:
        return sums.linear_in_recurrence(coefficients, offset, relation, work)
    used = {track: c for track, c in coefficients.items() if c}
    _check_states(sum(map(abs, used.values())))
    if relation == "==":
        return _stepping(used, (offset, 1), _halve, lambda left, _: left == 0, work)
    return _stepping(used, (offset, 1), _halve_up, lambda left, _: left <= 0, work)


def congruence_relation(
    coefficients: Mapping[str, int], offset: int, modulus: int, work: AutomataBudget
) -> Dfa:
    """Return the automaton of the tuples where offset + the sum of coefficient * track is a multiple of the modulus."""
    if not work.system.binary:  # the sum is modulus * k or -modulus * k for some natural k
        multiples = (
            linear_relation({**coefficients, _TIMES: by}, offset, "==", work) for by in (modulus, -modulus)
        )
        return union((equal.without(_TIMES) for equal in multiples), work)
    used = {track: c for track, c in coefficients.items() if c % modulus}
    _check_states(modulus if used else 0)
    return _stepping(used, (offset % modulus, modulus), _halve_modulo, lambda left, m: left % m == 0, work)


def _check_states(states: int) -> None:
    """Raise TooLarge if this many states are too many for an automaton. A coefficient of n takes about n states."""
    if states > MOST_STATES:
        about = number_text(states, ",")
        raise TooLarge(f"it takes an automaton of about {about} states; at most {MOST_STATES:,} are made")


MOST_STATES = MAX_CELLS // 2  # states are constructed one by one, in some seconds
_TIMES = "=k"  # a track: no name of a ruleset begins with '='
_State = tuple[int, int]
_PLAIN = 20  # one cell of a table made here takes as long as this many in the compiled loops


def _halve(total: int, _: int) -> _State | None:
    return None if total & 1 else (total // 2, 1)


def _halve_up(total: int, _: int) -> _State | None:
    return -(-total // 2), 1


def _halve_modulo(total: int, modulus: int) -> _State | None:
    if modulus & 1:
        return (total if total % 2 == 0 else total + modulus) // 2 % modulus, modulus
    return None if total & 1 else (total // 2 % (modulus // 2), modulus // 2)


def _stepping(
    coefficients: Mapping[str, int],
    start: _State,
    halve: Callable[[int, int], _State | None],
    accepts: Callable[[int, int], bool],
    work: AutomataBudget,
) -> Dfa:
    """Return the automaton with states (rest, modulus), beginning with ``start``.

    On a letter, the coefficients of the tracks with digit 1 are added to the rest. Then ``halve``, which takes the sum
    and the modulus, returns the next state; in the state None nothing is accepted. A letter that repeats for ever has
    the weight -1 (two's complement): its coefficients are subtracted, and ``accepts`` takes the result and the modulus.
    """
    tracks = tuple(sorted(coefficients))
    added = [
        sum(coefficients[track] for index, track in enumerate(tracks) if letter >> index & 1)
        for letter in range(letter_count(tracks))
    ]
    numbers: dict[_State | None, int] = {start: 0}
    waiting: list[_State | None] = [start]
    after, sign = [], []
    for state in waiting:  # the list grows in this loop
        if (cells := len(numbers) * len(added)) > MAX_CELLS:  # a coefficient of n takes about n states
            work.spend(cells)  # raises
        work.spend(_PLAIN * len(added))
        row = []
        for add in added:
            then = None if state is None else halve(state[0] + add, state[1])
            if then not in numbers:
                numbers[then] = len(numbers)
                waiting.append(then)
            row.append(numbers[then])
        after.append(row)
        sign.append([state is not None and accepts(state[0] - add, state[1]) for add in added])
    return minimal_dfa(tracks, np.array(after, dtype=np.int32), np.array(sign), work)


def digitwise(tracks: Sequence[str], truth: Callable[[Sequence[int]], bool], work: AutomataBudget) -> Dfa:
    """Return the automaton of the tuples whose digits satisfy ``truth`` at every place.

    tracks: distinct names. truth: takes a digit of each track, in their order.
    """
    order = tuple(sorted(tracks))
    good = np.array(
        [truth([letter >> order.index(t) & 1 for t in tracks]) for letter in range(letter_count(order))]
    )
    after = np.array([np.where(good, 0, 1), np.ones(len(good))], dtype=np.int32)
    return minimal_dfa(order, after, np.array([good, np.zeros(len(good), dtype=bool)]), work)


def power_of_two(track: str, work: AutomataBudget) -> Dfa:
    """Return the automaton of 1, 2, 4, … on the track. States: no digit 1 so far, one, more."""
    after = np.array([[0, 1], [1, 2], [2, 2]], dtype=np.int32)
    return minimal_dfa((track,), after, np.array([[False, False], [True, False], [False, False]]), work)


def digit_automaton_dfa(tracks: Sequence[str], automaton: DigitAutomaton, work: AutomataBudget) -> Dfa:
    """Return a ``DigitAutomaton`` as a ``Dfa`` of the same tuples of natural numbers.

    tracks: the names of the tuple's numbers, in their order there. All states of ``automaton`` must be reachable.
    """
    order, rows, base = tuple(sorted(tracks)), automaton.rows, work.system.base
    dead, width = len(rows), letter_count(order, base)
    symbols = [
        sum(
            letter // base ** order.index(track) % base * base ** (len(tracks) - 1 - index)
            for index, track in enumerate(tracks)
        )
        for letter in range(width)
    ]
    more = [(dead,) * width] if any(DEAD in row for row in rows) else []
    full = np.array([*rows, *more], dtype=np.int32)
    full[full == DEAD] = dead
    sign = np.zeros(full.shape, dtype=bool)
    sign[:dead, 0] = automaton.accepting  # only the letter 0 for ever accepts: no number is negative
    return minimal_dfa(order, full[:, symbols], sign, work)


@dataclass(frozen=True)
class LinearForm:
    """A linear form, offset + the sum of coefficient * track, for the value of a term.

    needs: the tracks of some subterms; the term has a value only where all of these have one.
    """

    coefficients: tuple[tuple[str, int], ...] = ()
    offset: int = 0
    needs: frozenset[str] = frozenset()

    @property
    def constant(self) -> int | None:
        """The value of a constant form with no needs; None for any other."""
        return None if self.coefficients or self.needs else self.offset

    @property
    def is_natural(self) -> bool:
        """True if offset and coefficients are not negative: then the form is natural where all its tracks are."""
        return self.offset >= 0 and all(coefficient > 0 for _, coefficient in self.coefficients)

    def plus(self, other: LinearForm, times: int = 1) -> LinearForm:
        """Return self + times * other."""
        sums = dict(self.coefficients)
        for track, coefficient in other.coefficients:
            sums[track] = sums.get(track, 0) + times * coefficient
        kept = tuple(sorted((track, c) for track, c in sums.items() if c))
        return LinearForm(kept, self.offset + times * other.offset, self.needs | other.needs)

    def scaled(self, by: int) -> LinearForm:
        """Return by * self."""
        return LinearForm((), 0, self.needs).plus(self, by)


@dataclass(frozen=True)
class TruthAutomata:
    """The automata of the tuples where a condition is true, and where it is false.

    total: whether every tuple is in one of them.
    """

    true: Dfa
    false: Dfa
    total: bool = True


def truth_automata(true: Dfa, false: Dfa) -> TruthAutomata:
    """Return the two automata of a condition, and find out whether it has a value everywhere."""
    return TruthAutomata(true, false, (~(true | false)).is_empty)


def is_log(expr: Expr) -> bool:
    """Tell whether the expression is ``floor_log2(…)``."""
    return isinstance(expr, Call) and expr.name == "floor_log2"


def fresh_variable(expr: Bounded) -> Bounded:
    """Return the quantifier or sum with its bound variable renamed to a name that occurs nowhere else in it."""
    taken = free_names(expr) | {node.variable for node in walk(expr.body) if isinstance(node, Bounded)}
    name = next(new for k in range(len(taken) + 1) if (new := f"{expr.variable}~{k}") not in taken)
    body = substitute(expr.body, {expr.variable: Name(name)})
    return Bounded(expr.quantifier, name, expr.start, expr.stop, body)
