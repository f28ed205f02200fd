"""The reversal of an automaton, which reads its words from the other end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Predecessors = Sequence[Sequence[Sequence[int]]]  # for each symbol and state, its predecessors


def reversed_automaton(
    before: Predecessors, accepted: Iterable[int], check: Callable[[int, int], None], dead: int | None = None
) -> tuple[list[list[int]], list[bool]]:
    """Return the reversed automaton: the next states of each state, and whether it accepts; state 0 is initial.

    The states are the sets of states from which the word read so far leads to an accepting state; the initial state of
    the given automaton is 0. If all its states are reachable the result is minimal: different sets differ in what they
    accept (Brzozowski, *Canonical regular expressions and minimal state graphs for definite events*, 1962). check: a
    function called for each state with the number of states so far and the size of the set; it raises if they are too
    many. dead: the number of the empty set, if that is not a state.
    """
    start = frozenset(accepted)
    numbers, waiting, rows = {start: 0}, [start], list[list[int]]()
    if dead is not None:
        numbers[frozenset()] = dead
    for states in waiting:  # grows
        check(len(waiting), len(states))
        row = []
        for leading in before:
            then = frozenset(state for after in states for state in leading[after])
            if then not in numbers:
                numbers[then] = len(waiting)
                waiting.append(then)
            row.append(numbers[then])
        rows.append(row)
    return rows, [0 in states for states in waiting]
