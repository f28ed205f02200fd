"""Automata over tuples of numbers as predicates of MONA, and connectives that join and simplify its formulas.

A number is one or more sets of places, one set for each bit of a digit: a place is in the set if the digit there has
the bit. So a number takes one set in the binary system, and in others as many as their greatest digit has bits.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import System


def mona_comment(text: str) -> str:
    """Return the text as lines of comment, wrapped, because MONA cannot read very long lines."""
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, 100))


TRUE, FALSE = "true", "false"


def digit_sets(system: System, prefix: str, name: str) -> list[str]:
    """Return the names of the sets of one number, that of the lowest bit first."""
    more = range(1, (system.base - 1).bit_length())
    return [f"{prefix}_{name}", *(f"{prefix}{bit}_{name}" for bit in more)]


def automaton_predicate(name: str, automaton: DigitAutomaton) -> str:
    """Return MONA's definition of a predicate that holds for the sets of numbers that the automaton accepts.

    In it, the sets s0, s1, … say which state the automaton is in at each place, by the bits of the state's number. It
    is in state 0 at place 0, and at each further place in the state that the digits at the place before lead to. From
    the place e on, all digits of all numbers are 0, and the state at e accepts.
    """
    sets = [digit_sets(automaton.system, "n", str(number)) for number in range(automaton.arity)]
    numbers = [part for number in sets for part in number]
    bits = [f"s{bit}" for bit in range((len(automaton.rows) - 1).bit_length())]
    run = text_conjunction(*_steps(automaton, [part for number in reversed(sets) for part in number], bits))
    step = f"(all1 p, q: (p < e & q = p + 1) => {run})" if bits else f"(all1 p: p < e => {run})"
    rest = f"(all1 p: p >= e => {text_conjunction(*(f'(p notin {number})' for number in numbers))})"
    last = text_disjunction(
        *(_is(bits, state, "e") for state, accepts in enumerate(automaton.accepting) if accepts)
    )
    body = text_conjunction(_is(bits, 0, "0"), rest, step, last)
    if bits:
        body = f"(ex2 {', '.join(bits)}: {body})"
    lines = [mona_comment(f"an automaton of {automaton.states} states: {automaton}")]
    lines.append(f"pred {name}({', '.join(f'var2 {number}' for number in numbers)}) =")
    return "\n".join([*lines, f"    (ex1 e: {body});\n"])


def _steps(automaton: DigitAutomaton, numbers: Sequence[str], bits: Sequence[str]) -> Iterable[str]:
    """Yield a formula for each target state: if the state and the digits at place p lead to it, it is the state at q.

    For DEAD, the formula says that nothing leads to it. numbers: the sets, those of the last number first, because its
    digit is a symbol's lowest. bits: the sets of the state.
    """
    inputs: dict[int, set[int]] = {}
    # the automaton's symbols by code; a code has the bits of all sets at a place, the last number's lowest
    base, codes = automaton.system.base, dict[int, int]()
    width = (base - 1).bit_length()
    for symbol in range(base**automaton.arity):
        digits = [symbol // base**place % base for place in range(automaton.arity)]
        codes[sum(digit << width * place for place, digit in enumerate(digits))] = symbol
    for state, row in enumerate(automaton.rows):
        for code in range(1 << len(numbers)):
            target = row[codes[code]] if code in codes else DEAD
            inputs.setdefault(target, set()).add(state | code << len(bits))
    tracks = [*bits, *numbers]
    for target, words in sorted(inputs.items()):
        leads = _among(frozenset(words), tracks)
        yield (
            text_negation(leads)
            if target == DEAD
            else text_disjunction(text_negation(leads), _is(bits, target, "q"))
        )


def _is(bits: Sequence[str], state: int, place: str) -> str:
    """Return the formula that the automaton is in this state at the place. bits: the sets of the state."""
    return text_conjunction(*(_digit(place, bit, state >> number & 1) for number, bit in enumerate(bits)))


def _digit(place: str, track: str, digit: int) -> str:
    return f"({place} {'in' if digit else 'notin'} {track})"


def _among(words: frozenset[int], tracks: Sequence[str]) -> str:
    """Return the formula that the sets, at place p, have the bits of one of the words.

    A word is an integer; its lowest bit tells whether p is in the first of the sets (``tracks``), and so on.
    """
    if not words or len(words) == 1 << len(tracks):
        return TRUE if words else FALSE
    first, *others = tracks
    zero = _among(frozenset(word >> 1 for word in words if not word & 1), others)
    one = _among(frozenset(word >> 1 for word in words if word & 1), others)
    if zero == one:
        return zero
    return text_disjunction(
        text_conjunction(_digit("p", first, 0), zero), text_conjunction(_digit("p", first, 1), one)
    )


# -- connectives of text -----------------------------------------------------------------------------------


def text_conjunction(*parts: str) -> str:
    """Return the conjunction of formulas, simplified, in parentheses if it has parts."""
    return _connect(parts, "&", TRUE, FALSE)


def text_disjunction(*parts: str) -> str:
    """Return the disjunction of formulas, simplified, in parentheses if it has parts."""
    return _connect(parts, "|", FALSE, TRUE)


def _connect(parts: tuple[str, ...], sign: str, neutral: str, absorbing: str) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != neutral]
    if absorbing in kept:
        return absorbing
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return f"({f' {sign} '.join(kept)})"


def text_negation(part: str) -> str:
    """Return the negation of a formula."""
    return {TRUE: FALSE, FALSE: TRUE}.get(part, f"~{part}")
