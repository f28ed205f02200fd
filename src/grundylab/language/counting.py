"""Conditions on counts of binary digits as automata: ``popcount(n) < 3`` and ``popcount(n) % 4 == 1``, for example."""

from __future__ import annotations

from functools import lru_cache

from grundylab.automata.digits import DigitAutomaton
from grundylab.automata.exploring import explored
from grundylab.language.builtins import BUILTINS, CounterState, Reading
from grundylab.language.syntax import (
    MIRRORED,
    TRUE,
    Accepts,
    Binary,
    Call,
    Expr,
    Int,
    Not,
    conjunction,
)

MAX_COUNT = 64  # greatest constant that a count is compared with or divided by


def count_comparison(op: str, left: Expr, right: Expr) -> Expr | None:
    """Return a condition by automata that is equivalent to the comparison ``left op right``.

    One side must be a call that counts digits, and the other a small constant; for any other comparison, return None.
    The condition is correct only where the count has a value.
    """
    if isinstance(left, Int):
        op, left, right = MIRRORED[op], right, left
    if not (isinstance(left, Call) and _reading(left.name) and isinstance(right, Int)):
        return None
    number = right.value
    if abs(number) > MAX_COUNT:
        return None
    at_least = _at_least(left, number)
    more = _at_least(left, number + 1)
    equal = conjunction(at_least, Not(more))
    return {
        ">=": at_least, ">": more, "<": Not(at_least), "<=": Not(more), "==": equal, "!=": Not(equal),
    }[op]  # fmt: skip


def count_remainders(expr: Binary) -> list[Expr] | None:
    """Return c conditions by automata for an expression ``count % c``: that its value is 0, 1, …, c - 1, in this order.

    Return None unless ``count`` is a call that counts digits, and c a constant from 1 to MAX_COUNT.
    """
    match expr:
        case Binary(op="%", left=Call(name=name, arguments=arguments), right=Int(value=by)):
            if (reading := _reading(name)) and 1 <= by <= MAX_COUNT:
                return [Accepts(_automaton(reading, number, by), arguments) for number in range(by)]
    return None


def _reading(name: str) -> Reading | None:
    return BUILTINS[name].digits if name in BUILTINS else None


def _at_least(call: Call, number: int) -> Expr:
    reading = BUILTINS[call.name].digits
    assert reading is not None
    return TRUE if number <= 0 else Accepts(_automaton(reading, number), call.arguments)


@lru_cache
def _automaton(reading: Reading, number: int, by: int = 0) -> DigitAutomaton:
    """Return the automaton that accepts the numbers whose count is at least ``number``.

    If ``by`` is not 0, it accepts those whose count has the remainder ``number`` modulo ``by``. reading: the machine
    that computes the count.
    """

    def kept(counter: int) -> int:
        """Return one of finitely many numbers that stand for the counter, so that there are finitely many states."""
        return counter % by if by else min(counter, number)

    def known(state: CounterState) -> CounterState:
        return (state[0], *map(kept, state[1:]))

    rows, states = explored(
        known(reading.start), lambda state: [known(reading.step(state, digit)) for digit in (0, 1)]
    )
    settled = list(range(len(rows)))  # the state in which each state ends when only zeros follow
    for _ in rows:
        settled = [rows[end][0] for end in settled]
    accepting = tuple(states[end][0] == 1 and states[end][1] == number for end in settled)
    return DigitAutomaton(tuple(rows), accepting)
