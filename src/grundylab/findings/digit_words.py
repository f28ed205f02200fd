"""Automata in words: a property of the digits that exactly the accepted numbers have.

A *feature* is the value that a small machine has computed after it has read a number's digits, the lowest first; an
example is the number of zeros modulo 2. An automaton depends on a feature alone if it never accepts one number and
rejects another with the same value. The pairs of states that both machines reach together decide this for numbers of
every size, so that the words are as exact as the automaton.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from grundylab.automata.dfa import AutomataBudget, TooLarge, intersection, natural_tuples
from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import System
from grundylab.language.syntax import Accepts, Binary, Expr, Int
from grundylab.logic.atoms import digit_automaton_dfa, linear_relation

MOST_STATES = 12  # the most states of an automaton that is put into words
MOST_PAIRS = 9  # the most pairs of digits that are listed
MODULI = (2, 3)  # numbers and sums of digits are taken modulo these
_CELLS = 1_000_000
_NUMBER = "{}"  # stands in the words in place of the number


@dataclass(frozen=True)
class _Feature:
    """A feature of a positive number's digits, as the module explains it, and its words.

    start: the feature's value before the lowest digit is read. step: returns the feature's next value, from its value
    and the digit that is read. words: says in words that the feature's value is one of those in the first argument, if
    all possible values are those in the second; None if there are no such words. zero: returns whether these words are
    true of 0, which has no digits; None if readers may disagree about that, so that 0 has to be mentioned.
    """

    start: Any
    step: Callable[[Any, int], Any]
    words: Callable[[Collection[Any], Collection[Any]], str | None]
    zero: Callable[[Collection[Any]], bool | None] = lambda _: False


def digits_in_words(formula: Expr) -> tuple[str | Expr, ...] | None:
    """Return in words what an automaton accepts: ``in base 3 the digits of n are 0 and 1``; None without words."""
    if not isinstance(formula, Accepts) or formula.automaton.states > MOST_STATES:
        return None
    automaton, arguments = formula.automaton, formula.arguments
    if len(arguments) == 2:
        # a single state, with few pairs of digits that two numbers may have at the same place
        base, (row, *more) = automaton.system.base, automaton.rows
        pairs = [divmod(symbol, base) for symbol, target in enumerate(row) if target != DEAD]
        if not more and (automaton.system.binary or automaton.system.plain) and len(pairs) <= MOST_PAIRS:
            *others, last = (f"{first} and {second}" for first, second in pairs)
            listed = f"{', '.join(others)}{', or ' * bool(others)}{last}"
            words = f"the digits of {{}} and {{}} at each place are {listed}"
            return f"in {_digits(automaton.system)} ", *_filled(words, *arguments)
        for place, other in (arguments, arguments[::-1]) if automaton.system.base == 2 else ():
            if automaton == _lower(automaton.system, swapped=place != arguments[0]):
                return f"in {_digits(automaton.system)} ", *_filled(_LOWER, other, place)
    for shift in (0, -1, 1) if len(arguments) == 1 else ():
        moved = _moved(automaton, shift)
        feature = moved and _features_text(moved)
        if feature:
            number = Binary("-" if shift < 0 else "+", arguments[0], Int(1)) if shift else arguments[0]
            return f"in {_digits(automaton.system)} ", *_filled(feature, *[number] * feature.count(_NUMBER))
    return None


_LOWER = "every digit 1 of {} is lower than every digit 1 of {}"


@lru_cache(maxsize=64)
def _lower(system: System, swapped: bool) -> DigitAutomaton:
    """Return the automaton of the pairs with _LOWER of the second and the first number, or ``swapped``."""
    rows = ((0, 1, 0, DEAD), (1, 1, DEAD, DEAD)) if swapped else ((0, 0, 1, DEAD), (1, DEAD, 1, DEAD))
    return DigitAutomaton(rows, (True, True), system)


def _digits(system: System) -> str:
    return "base 2" if system.binary else str(system) if system.plain else system.words


def _filled(words: str, *numbers: Expr) -> Iterator[str | Expr]:
    first, *rest = words.split(_NUMBER)
    yield first
    for number, part in zip(numbers, rest, strict=True):
        yield number
        yield part


@lru_cache(maxsize=64)
def _moved(automaton: DigitAutomaton, by: int) -> DigitAutomaton | None:
    """Return the automaton that accepts n + by for all accepted n; None if some n + by < 0, or if it is too large."""
    if by == 0 or (by < 0 and (0,) in automaton):
        return None if by else automaton
    try:
        work = AutomataBudget(_CELLS, automaton.system)
        pairs = intersection(
            [digit_automaton_dfa(["n"], automaton, work), linear_relation({"n": 1, "m": -1}, by, "==", work)],
            work,
        )
        return natural_tuples(pairs.without("n"))
    except TooLarge:
        return None


@lru_cache(maxsize=64)
def _features_text(automaton: DigitAutomaton) -> str | None:
    """Return in words what numbers the automaton accepts, by one feature or by two; None if none describes them."""
    features = list(_features(automaton))
    for feature in (*features, *(_conjunction(one, other) for one, other in combinations(features, 2))):
        values = _values(automaton, feature)
        if values is None:
            continue
        meant = [value for value, accepted in values.items() if accepted]
        words = feature.words(meant, values) if 0 < len(meant) < len(values) else None
        if words is not None:
            accepted = (0,) in automaton
            if feature.zero(meant) is accepted:
                return words
            return f"{words}, {'or' if accepted else 'and'} {_NUMBER} is {'not ' * (not accepted)}0"
    return None


def _values(automaton: DigitAutomaton, feature: _Feature) -> dict[Any, bool] | None:
    """Return, for each value of the feature, whether the automaton accepts the positive numbers with that value.

    None if there is a value such that the automaton accepts some numbers with that value and rejects others.
    """
    accepted_by_value: dict[Any, bool] = {}
    waiting = [(0, 0, feature.start)]
    seen = set(waiting)
    for state, place, value in waiting:  # the list grows in this loop
        for digit, valid in enumerate(automaton.system.valid[place]):
            if valid == DEAD:
                continue
            after = DEAD if state == DEAD else automaton.rows[state][digit]
            then = feature.step(value, digit)
            accepted = after != DEAD and automaton.accepting[after]
            if digit and accepted_by_value.setdefault(then, accepted) != accepted:
                return None
            if (reached := (after, valid, then)) not in seen:
                seen.add(reached)
                waiting.append(reached)
    return accepted_by_value


def _conjunction(one: _Feature, other: _Feature) -> _Feature:
    """Return the feature whose values are the pairs of the values of two features.

    It has words for a set of pairs that are all combinations of some values of ``one`` with some values of ``other``.
    """

    def words(meant: Collection[Any], every: Collection[Any]) -> str | None:
        firsts, seconds = {value for value, _ in meant}, {value for _, value in meant}
        if any(((a in firsts and b in seconds) != ((a, b) in meant)) for a, b in every):
            return None
        parts = one.words(firsts, {a for a, _ in every}), other.words(seconds, {b for _, b in every})
        return None if None in parts else " and ".join(map(str, parts))

    return _Feature(
        (one.start, other.start),
        lambda at, digit: (one.step(at[0], digit), other.step(at[1], digit)),
        words,
        lambda _: None,
    )


# -- the features, and their words -----------------------------------------------------------------------------


def _features(automaton: DigitAutomaton) -> Iterator[_Feature]:
    """Yield the features to be tried, beginning with those whose words are the simplest."""
    digits = range(automaton.system.base)
    used = [digit for digit in digits if any(row[digit] != DEAD for row in automaton.rows)]
    for kept in (used, [digit for digit in used if digit]):
        yield _Feature(True, partial(_among, kept), partial(_only, kept), partial(_has_zero, kept))
    for modulus in MODULI:
        yield _Feature((0, False), partial(_zeros, modulus), partial(_ending, modulus), lambda _: None)
    yield _Feature(0, lambda at, digit: at or digit, partial(_one_of, "the lowest digit of {} other than 0"))
    yield _Feature(0, lambda _, digit: digit, partial(_one_of, "the highest digit of {}"))
    for modulus in MODULI:
        length = dict.fromkeys(digits, 1)
        yield _Feature(
            0,
            partial(_added, length, modulus),
            partial(_number_of, "the number of digits of {}", modulus),
            lambda _: None,
        )
        counts = [("the sum of the digits of {}", dict(enumerate(digits)))] * (len(digits) > 2)
        counts += [(f"the number of digits {digit} of {{}}", {digit: 1}) for digit in digits[1:]]
        for what, weights in counts:
            added, counted = partial(_added, weights, modulus), partial(_number_of, what, modulus)
            yield _Feature(0, added, counted, lambda meant: 0 in meant)


def _among(kept: Sequence[int], at: bool, digit: int) -> bool:
    return at and digit in kept


def _has_zero(kept: Sequence[int], _: Collection[Any]) -> bool:
    return 0 in kept


def _only(kept: Sequence[int], meant: Collection[Any], _: Collection[Any]) -> str | None:
    if set(meant) != {True} or not kept:
        return None
    return f"the digits of {{}} are {'all ' * (len(kept) == 1)}{_enumeration(kept, 'and')}"


def _zeros(modulus: int, at: tuple[int, bool], digit: int) -> tuple[int, bool]:
    count, ended = at
    return (count, True) if digit or ended else ((count + 1) % modulus, False)


def _ending(modulus: int, meant: Collection[Any], every: Collection[Any]) -> str | None:
    counts = {count for count, _ in meant}
    if modulus == 2 and len(counts) == 1:
        return f"{{}} ends in an {('even', 'odd')[min(counts)]} number of zeros"
    return _number_of("the number of zeros at the end of {}", modulus, counts, {count for count, _ in every})


def _added(weights: dict[int, int], modulus: int, at: int, digit: int) -> int:
    return (at + weights.get(digit, 0)) % modulus


def _number_of(what: str, modulus: int, meant: Collection[Any], every: Collection[Any]) -> str | None:
    if len(meant) in (0, len(every)):
        return None
    if modulus == 2:
        return f"{what} is {('even', 'odd')[min(meant)]}"
    return f"{what} is {_enumeration(sorted(meant), 'or')} modulo {modulus}"


def _one_of(what: str, meant: Collection[Any], every: Collection[Any]) -> str | None:
    return f"{what} is {_enumeration(sorted(meant), 'or')}" if 0 < len(meant) < len(every) else None


def _enumeration(numbers: Sequence[int], word: str) -> str:
    """Return sorted numbers as text, with ``word`` before the last; four or more consecutive ones as ``2 to 5``."""
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    *others, last = map(str, numbers)
    return f"{', '.join(others)} {word} {last}" if others else last
