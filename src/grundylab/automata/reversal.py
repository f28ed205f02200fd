"""The reversal of an automaton: it accepts the same words, read from the other end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from grundylab.automata.exploring import DEAD, explored


def reversed_automaton(
    rows: Sequence[Sequence[int]],
    accepted: Iterable[int],
    check: Callable[[int, int], None],
    dead: bool = False,
) -> tuple[list[tuple[int, ...]], list[bool]]:
    """Return the reversal of an automaton: the next states of each state, and whether each state accepts.

    State 0 is initial in both automata. A state of the reversal is a set of states of the automaton: those from which
    the word read so far, in the automaton's direction, leads to an accepting state. If all states of the automaton are
    reachable, its reversal is minimal (Brzozowski, *Canonical regular expressions and minimal state graphs for definite
    events*, 1962).

    rows: the next states of each state, by symbol, or DEAD. accepted: the accepting states. check: a function that is
    called for each new state with the number of states so far and the size of its set; it raises an error if they are
    too large. dead: whether DEAD stands for the empty set; by default the empty set is a state like others.
    """
    before: list[list[list[int]]] = [[[] for _ in rows] for _ in rows[0]]
    for state, row in enumerate(rows):
        for of_symbol, target in zip(before, row, strict=True):
            if target != DEAD:
                of_symbol[target].append(state)

    def leading(states: frozenset[int]) -> Iterator[frozenset[int] | None]:
        for of_symbol in before:
            then = frozenset(state for after in states for state in of_symbol[after])
            yield then if then or not dead else None

    reversed_rows, sets = explored(
        frozenset(accepted), leading, lambda count, states: check(count, len(states))
    )
    return reversed_rows, [0 in states for states in sets]
