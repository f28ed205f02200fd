"""An automaton over binary digits as a WS1S predicate: that it has a run, digit place by digit place, that accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.logic.ws1s.text import comment

TRUE, FALSE = "true", "false"


def predicate(name: str, automaton: DigitAutomaton) -> str:
    """The definition of the predicate ``name`` of as many sets as the automaton reads numbers.

    The binary digits of the state's number at each place are those of the sets s0, s1, …: state 0 at place 0, then
    the one that the digits at the place before lead to, up to a place e from which on no number has a digit 1.
    """
    numbers = [f"n{number}" for number in range(automaton.arity)]
    bits = [f"s{bit}" for bit in range((len(automaton.rows) - 1).bit_length())]
    run = all_of(*_steps(automaton, numbers, bits))
    step = f"(all1 p, q: (p < e & q = p + 1) => {run})" if bits else f"(all1 p: p < e => {run})"
    rest = f"(all1 p: p >= e => {all_of(*(f'(p notin {number})' for number in numbers))})"
    last = any_of(*(_is(bits, state, "e") for state, accepts in enumerate(automaton.accepting) if accepts))
    body = all_of(_is(bits, 0, "0"), rest, step, last)
    if bits:
        body = f"(ex2 {', '.join(bits)}: {body})"
    lines = [comment(f"an automaton of {automaton.states} states: {automaton}")]
    lines.append(f"pred {name}({', '.join(f'var2 {number}' for number in numbers)}) =")
    return "\n".join([*lines, f"    (ex1 e: {body});\n"])


def _steps(automaton: DigitAutomaton, numbers: Sequence[str], bits: Sequence[str]) -> Iterable[str]:
    """For each state that can follow: that it is the state at q if the state and the digits at p lead to it."""
    inputs: dict[int, set[int]] = {}
    for state, row in enumerate(automaton.rows):
        for symbol, target in enumerate(row):
            inputs.setdefault(target, set()).add(state | symbol << len(bits))
    tracks = [*bits, *reversed(numbers)]  # a symbol's lowest digit is the last number's
    for target, words in sorted(inputs.items()):
        leads = _among(frozenset(words), tracks)
        yield negation(leads) if target == DEAD else any_of(negation(leads), _is(bits, target, "q"))


def _is(bits: Sequence[str], state: int, place: str) -> str:
    """That the state at the place is this."""
    return all_of(*(_digit(place, bit, state >> number & 1) for number, bit in enumerate(bits)))


def _digit(place: str, track: str, digit: int) -> str:
    return f"({place} {'in' if digit else 'notin'} {track})"


def _among(words: frozenset[int], tracks: Sequence[str]) -> str:
    """That the digits at p in the tracks are those of one of the words (the first track's are the lowest)."""
    if not words or len(words) == 1 << len(tracks):
        return TRUE if words else FALSE
    first, *others = tracks
    zero = _among(frozenset(word >> 1 for word in words if not word & 1), others)
    one = _among(frozenset(word >> 1 for word in words if word & 1), others)
    if zero == one:
        return zero
    return any_of(all_of(_digit("p", first, 0), zero), all_of(_digit("p", first, 1), one))


# -- connectives, of text ----------------------------------------------------------------------------------


def all_of(*parts: str) -> str:
    """The conjunction."""
    return _connected(parts, "&", TRUE, FALSE)


def any_of(*parts: str) -> str:
    """The disjunction."""
    return _connected(parts, "|", FALSE, TRUE)


def _connected(parts: tuple[str, ...], sign: str, neutral: str, absorbing: str) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != neutral]
    if absorbing in kept:
        return absorbing
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return f"({f' {sign} '.join(kept)})"


def negation(part: str) -> str:
    """Not the formula."""
    return {TRUE: FALSE, FALSE: TRUE}.get(part, f"~{part}")
