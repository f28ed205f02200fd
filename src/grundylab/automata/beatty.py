"""Beatty sequences floor(n a) of a quadratic irrational a, as automata in the digits of U(n) = t U(n-1) + U(n-2).

For a positive integer t let a = (2 - t + sqrt(t * t + 4)) / 2, so that 1/a + 1/(a + t) = 1. The numbers A(n) =
floor(n a) and B(n) = A(n) + t n for n >= 1 are then all positive integers, each once (Beatty 1926). Fraenkel (*How to
beat your Wythoff games' opponent on three fronts*, 1982) also gives their digits: those of A(n) end in an even number
of zeros, and those of B(n) are the same with a further zero. The automaton is built from this description. Let A'(n)
be the number that the automaton pairs with n. To prove that A' = A without the description, the code checks that

  - for each n there is exactly one number A'(n), and A'(n) < A'(n + 1), and A'(0) = 0;
  - every positive integer is of the form A'(n) or A'(n) + t n with n >= 1, and none has both forms.

So for n >= 1, A'(n) is the least positive integer that is neither A'(k) nor A'(k) + t k for any k with 1 <= k < n:
the later numbers are all larger. A has the same property, so A' = A by induction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd, isqrt

import numpy as np

from grundylab.automata.dfa import AutomataBudget, Dfa, intersection, minimal_dfa, natural_tuples, valid_words
from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.sums import linear_in_recurrence
from grundylab.automata.systems import System
from grundylab.errors import GrundylabError

_CELLS = 200_000_000  # budget of table cells for one system


@dataclass(frozen=True)
class RootMultiple:
    """The integers in sqrt(c) = times * a + plus, so that floor(n sqrt(c)) = floor(times n a) + plus n.

    Here c is a given integer, and a is the irrational of the numeration system (see the module).
    """

    times: int
    plus: int


def root_multiple(square: int, system: System) -> RootMultiple | None:
    """Return the integers in sqrt(square) = times * a + plus, for the system's irrational a; None if there are none.

    None also for systems other than those of U(n) = t U(n-1) + U(n-2). With d = t * t + 4 and k = sqrt(square * d), the
    root is k sqrt(d) / d, which is (2 k a + k (t - 2)) / d.
    """
    if len(system.recurrence) != 2 or system.recurrence[1] != 1:
        return None
    t = system.recurrence[0]
    d = t * t + 4
    k = isqrt(square * d)
    if k * k != square * d or gcd(2 * k, k * (t - 2)) % d:
        return None
    return RootMultiple(2 * k // d, k * (t - 2) // d)


@lru_cache(maxsize=16)
def beatty_automaton(system: System) -> DigitAutomaton:
    """Return the automaton of the pairs (n, floor(n a)), for the irrational a of the system (see the module).

    The system is that of U(n) = t U(n-1) + U(n-2). Raises TooLarge if t is too large.
    """
    t, work = system.recurrence[0], AutomataBudget(_CELLS, system)
    further = linear_in_recurrence({"b": 1, "a": -1, "n": -t}, 0, "==", work)
    pairs = intersection([_digit_pairs(work), further], work).without("b")
    if not _is_right(pairs, t, work):
        raise GrundylabError(
            f"the automaton of a Beatty sequence in {system.words} is wrong; please report this"
        )
    return natural_tuples(pairs.renamed({"a": "n'"}))


def _digit_pairs(work: AutomataBudget) -> Dfa:
    """Return the pairs (a, b) where a is 0 or ends in an even number of zeros, and b has a's digits and a further zero.

    A state is a pair: the digit of a that was read last (0 at first); and the parity of the number of digits read if
    all of them were 0, else 2. One more state, the last, accepts nothing.
    """
    base = work.system.base
    states = [(digit, zeros) for digit in range(base) for zeros in range(3)]
    after = np.full((len(states) + 1, base * base), len(states), dtype=np.int32)
    sign = np.zeros(after.shape, dtype=bool)
    for number, (last, zeros) in enumerate(states):
        sign[number, 0] = last == 0
        for digit in range(base):
            if digit == 0 or zeros != 1:
                then = zeros if zeros == 2 else 2 if digit else 1 - zeros
                after[number, digit + base * last] = states.index((digit, then))
    return intersection(
        [minimal_dfa(("a", "b"), after, sign, work), valid_words("a", work), valid_words("b", work)], work
    )


def _is_right(pairs: Dfa, t: int, work: AutomataBudget) -> bool:
    """Tell whether the pairs (n, a) have the properties that the module's docstring lists, where a is A'(n)."""
    first = linear_in_recurrence({"n": -1}, 1, "<=", work)  # n >= 1
    later = pairs.renamed({"a": "b", "n": "m"})
    same, following = (
        later.renamed({"m": "n"}),
        intersection([later, linear_in_recurrence({"m": 1, "n": -1}, -1, "==", work)], work),
    )
    positive = (pairs & first).without("n")
    further = intersection(
        [pairs, first, linear_in_recurrence({"b": 1, "a": -1, "n": -t}, 0, "==", work)], work
    )
    others = further.without("a").without("n").renamed({"b": "a"})
    return (
        pairs.without("a").is_full
        and intersection([pairs, same, linear_in_recurrence({"a": 1, "b": -1}, 1, "<=", work)], work).is_empty
        and intersection(
            [pairs, following.without("m"), linear_in_recurrence({"b": 1, "a": -1}, 0, "<=", work)], work
        ).is_empty
        and pairs.contains({"a": 0, "n": 0})
        and (positive ^ others ^ linear_in_recurrence({"a": -1}, 1, "<=", work)).is_empty
        and (positive & others).is_empty
    )
