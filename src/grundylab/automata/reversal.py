"""The reversal of an automaton: it accepts the same words, read from the other end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Predecessors = Sequence[Sequence[Sequence[int]]]  # for each symbol and state, its predecessors


def reversed_automaton(
    before: Predecessors, accepted: Iterable[int], check: Callable[[int, int], None], dead: int | None = None
) -> tuple[list[list[int]], list[bool]]:
    """Return the reversal of an automaton: the next states of each state, and whether each state accepts.

    State 0 is initial in both automata. A state of the reversal is a set of states of the automaton: those from which
    the word read so far, in the automaton's direction, leads to an accepting state. If all states of the automaton are
    reachable, its reversal is minimal (Brzozowski, *Canonical regular expressions and minimal state graphs for definite
    events*, 1962).

    before: the predecessors of each state, by symbol. accepted: the accepting states. check: a function that is called
    for each new state with the number of states so far and the size of its set; it raises an error if they are too
    large. dead: the number that stands for the empty set; by default the empty set is a state like others.
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
