"""The states of an automaton that is given by a function: found from the initial state on, and numbered."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

DEAD = -1  # the state from which nothing is accepted; it has no row in a table
_State = TypeVar("_State", bound=Hashable)


def explored(
    start: _State,
    after: Callable[[_State], Iterable[_State | None]],
    check: Callable[[int, _State], None] = lambda count, state: None,
) -> tuple[list[tuple[int, ...]], list[_State]]:
    """Return (rows, states): all states that ``start`` leads to, breadth first, and by state its next states' numbers.

    after: returns the next state for each symbol; None for none, whose number is DEAD. check: called for each state in
    turn with the number of states so far; it raises an error if they are too many.
    """
    numbers, states, rows = {start: 0}, [start], list[tuple[int, ...]]()
    for state in states:  # grows
        check(len(states), state)
        row = []
        for then in after(state):
            if then is None:
                row.append(DEAD)
                continue
            if then not in numbers:
                numbers[then] = len(states)
                states.append(then)
            row.append(numbers[then])
        rows.append(tuple(row))
    return rows, states
