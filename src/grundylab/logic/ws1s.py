"""Sentences as WS1S text for MONA: integers as sets of binary digits, with a truth value for the sign of a signed one.

A natural number is the finite set of the positions of its binary digits. A signed integer is the set of its digits
where the sign is false, and else the set of those of -n - 1 (two's complement). Linear forms are compared with the
negative terms on the other side, so that ``x + y - z >= m - 1`` needs natural numbers only: ``x + y + 1 >= m + z``.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.logic.sentence import (
    All,
    Any,
    Digitwise,
    Exists,
    Linear,
    Member,
    Natural,
    Not,
    Power,
    Sentence,
    Truth,
    Use,
    Variable,
    Zero,
    parts_of,
    used,
)

Automata = Mapping[DigitAutomaton, str]  # what the predicate of each is called


def written(sentence: Sentence, title: str) -> str:
    """A whole MONA script, with the definitions that the sentence uses."""
    known = used([sentence])
    inside = (part for each in (*(d.sentence for d in known), sentence) for part in parts_of(each))
    found = dict.fromkeys(part.automaton for part in inside if isinstance(part, Member))
    names = {automaton: f"accepts{number}" for number, automaton in enumerate(found)}
    defined = [
        f"{comment(each.says)}\npred {each.name}({_formal(each.parameters)}) =\n  {text(each.sentence, names)};\n"
        for each in known
    ]
    automata = [predicate(name, automaton) for automaton, name in names.items()]
    heading = [*map(comment, title.splitlines()), "ws1s;", ""]
    return "\n".join([*heading, LIBRARY, *automata, *defined, f"{text(sentence, names)};", ""])


def text(sentence: Sentence, automata: Automata) -> str:
    """The sentence as a closed formula: a name, a call, a negation, or in parentheses."""
    match sentence:
        case Truth(value=value):
            return "true" if value else "false"
        case Zero(form=form):
            return _zero(form)
        case Natural(form=form):
            return _natural(form)
        case Digitwise():
            return _digitwise(sentence)
        case Power(variable=variable):
            return _positive(variable, f"power_of_two({_set(variable)})")
        case Member(automaton=automaton, variables=variables):
            return f"{automata[automaton]}({', '.join(map(_set, variables))})"
        case Not(sentence=inner):
            return f"~{text(inner, automata)}"
        case All(parts=parts):
            return f"({' & '.join(text(part, automata) for part in parts)})"
        case Any(parts=parts):
            return f"({' | '.join(text(part, automata) for part in parts)})"
        case Exists(variables=variables, sentence=inner):
            signs = [f"ex0 {', '.join(map(_sign, signed))}: " for signed in [_signed(variables)] if signed]
            return f"({''.join(signs)}ex2 {', '.join(map(_set, variables))}: {text(inner, automata)})"
        case Use(definition=definition, arguments=arguments):
            each = (part for variable in arguments for part in _parts(variable))
            return f"{definition.name}({', '.join(each) or '{}'})"
    raise TypeError(f"not a sentence: {sentence!r}")


# -- variables ---------------------------------------------------------------------------------------------


def _set(variable: Variable) -> str:
    return f"v_{variable.name}"


def _sign(variable: Variable) -> str:
    return f"s_{variable.name}"


def _signed(variables: Iterable[Variable]) -> list[Variable]:
    return [variable for variable in variables if variable.signed]


def _parts(variable: Variable) -> list[str]:
    return [_sign(variable), _set(variable)] if variable.signed else [_set(variable)]


def _formal(variables: Iterable[Variable]) -> str:
    """The parameters of a predicate, which needs one at least: the dummy is for games without parameters."""
    each = (
        f"var{0 if part.startswith('s_') else 2} {part}"
        for variable in variables
        for part in _parts(variable)
    )
    return ", ".join(each) or "var2 v_"


def _positive(variable: Variable, formula: str) -> str:
    return f"(~{_sign(variable)} & {formula})" if variable.signed else formula


# -- digits ------------------------------------------------------------------------------------------------

_SETS = {"&": "({0} = ({1} inter {2}))", "|": "({0} = ({1} union {2}))", "^": "nimsum({1}, {2}, {0})"}
_DIGITS = {"&": "({0} & {1})", "|": "({0} | {1})", "^": "~({0} <=> {1})"}


def _digitwise(said: Digitwise) -> str:
    variables = (said.result, said.left, said.right)
    if not any(variable.signed for variable in variables):
        return _SETS[said.op].format(*map(_set, variables))
    result, left, right = (
        f"~(p in {_set(v)} <=> {_sign(v)})" if v.signed else f"(p in {_set(v)})" for v in variables
    )
    digits = f"(all1 p: {result} <=> {_DIGITS[said.op].format(left, right)})"
    signs = [_sign(v) if v.signed else "false" for v in variables]
    return f"(({signs[0]} <=> {_DIGITS[said.op].format(*signs[1:])}) & {digits})"


# -- linear forms ------------------------------------------------------------------------------------------


class _Sums:
    """The new sets of one comparison of linear forms, and what each of them is."""

    def __init__(self) -> None:
        self._sets: list[tuple[str, str]] = []
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"t{self._count}"

    def bind(self, names: str, meaning: str) -> None:
        self._sets.append((names, meaning))

    def sides(self, form: Linear) -> tuple[list[str], list[str]]:
        """Sets that the form is the sum of, less the sum of the second ones."""
        sides: tuple[list[str], list[str]] = [], []
        for variable, factor in form.terms:
            if not variable.signed:
                sides[factor < 0].extend(_multiples(_set(variable), abs(factor)))
                continue
            more, less = self.new(), self.new()
            self.bind(f"{more}, {less}", f"difference({_sign(variable)}, {_set(variable)}, {more}, {less})")
            sides[factor < 0].extend(_multiples(more, abs(factor)))
            sides[factor > 0].extend(_multiples(less, abs(factor)))
        if form.constant:
            sides[form.constant < 0].append(constant(abs(form.constant)))
        return sides

    def total(self, summands: list[str]) -> str:
        return reduce(self._plus, summands) if summands else "empty"

    def _plus(self, a: str, b: str) -> str:
        name = self.new()
        self.bind(name, f"plus({a}, {b}, {name})")
        return name

    def around(self, formula: str) -> str:
        for names, meaning in reversed(self._sets):
            formula = f"(ex2 {names}: {meaning} & {formula})"
        return formula


def _zero(form: Linear) -> str:
    sums = _Sums()
    left, right = sums.sides(form)
    if len(left) < len(right):
        left, right = right, left
    if not right:
        return sums.around(f"({' & '.join(f'{summand} = empty' for summand in left)})")
    total = sums.total(right)
    if len(left) == 1:
        return sums.around(f"({left[0]} = {total})")
    return sums.around(f"plus({sums.total(left[:-1])}, {left[-1]}, {total})")


def _natural(form: Linear) -> str:
    strict = form.constant < 0  # a >= b + 1 is b < a
    sums = _Sums()
    left, right = sums.sides(form + 1 if strict else form)
    relation = "less" if strict else "at_most"
    return sums.around(f"{relation}({sums.total(right)}, {sums.total(left)})")


def _multiples(digits: str, factor: int) -> list[str]:
    """Sets that add up to factor * digits: the set shifted to where the factor has a digit 1."""
    shifts = [shift for shift in range(factor.bit_length()) if factor >> shift & 1]
    return [digits if shift == 0 else f"({digits} + {shift})" for shift in shifts]


_MACHINE = 2**31  # MONA reads larger constants in pconst(n) modulo 2**32

LIBRARY = """\
# a + b = c; k holds the positions that a carry comes into
pred plus(var2 a, b, c) =
    ex2 k: 0 notin k & (all1 p:
    (p + 1 in k <=> (p in a & p in b | p in a & p in k | p in b & p in k)) &
    (p in c <=> (p in a <=> (p in b <=> p in k))));

# a < b: at the highest position where they differ, b has the digit 1
pred less(var2 a, b) =
    ex1 p: p notin a & p in b & (all1 q: q > p => (q in a <=> q in b));

# a <= b
pred at_most(var2 a, b) =
    ~less(b, a);

# a ^ b = c, digit by digit without carry
pred nimsum(var2 a, b, c) =
    all1 p: p in c <=> ~(p in a <=> p in b);

# a is 1, 2, 4, 8, …: it has one digit 1
pred power_of_two(var2 a) =
    ex1 p: a = {p};

# the integer with digits a and sign s (which is a, or -a - 1 if s) is b - c, one of them 0
pred difference(var0 s, var2 a, b, c) =
    (~s & b = a & c = empty) | (s & b = empty & plus(a, {0}, c));
"""


def constant(value: int) -> str:
    """The set of the binary digits of a natural number."""
    if value == 0:
        return "empty"
    if value < _MACHINE:
        return f"pconst({value})"
    return f"{{{', '.join(str(i) for i in range(value.bit_length()) if value >> i & 1)}}}"


def comment(text: str) -> str:
    """Comment lines: MONA cannot read very long ones."""
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, 100))


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
