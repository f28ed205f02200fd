"""An automaton turned round: one that reads the other end of its words first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Before = Sequence[Sequence[Sequence[int]]]  # for each symbol and state the states that lead there


def turned(
    before: Before, accepted: Iterable[int], check: Callable[[int, int], None], dead: int | None = None
) -> tuple[list[list[int]], list[bool]]:
    """Each state's next states by symbol, and whether it accepts; the first state is 0, as in the one that is turned.

    The states are sets of those from which what was read leads to one that is accepted. Where each state of the given
    automaton can be reached it is minimal: different sets are told apart by what comes (Brzozowski, *Canonical regular
    expressions and minimal state graphs for definite events*, 1962). check: told before each state how many there are,
    and of how many it is; it raises where they are too many. dead: what leads to no state, if the empty set is none.
    """
    start = frozenset(accepted)
    numbers, waiting, rows = {start: 0}, [start], list[list[int]]()
    if dead is not None:
        numbers[frozenset()] = dead
    for states in waiting:  # which grows
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
