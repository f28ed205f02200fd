"""Formulas for arithmetic-periodic sequences, sets and rows: the periodic part by remainders, exceptions one by one.

A row of positions can also be listed as papers do: single positions, and families that repeat for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from grundylab.discover.plainness import reading_effort
from grundylab.discover.polynomials import add_constant
from grundylab.games.layers import LayeredGame, LayerValues
from grundylab.language.plain import evaluate
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Binary,
    Compare,
    Expr,
    If,
    Int,
    Name,
    by_cases,
    compare,
    conjunction,
    disjunction,
)
from grundylab.numeric import Array
from grundylab.solve.periodicity import Period, find_period
from grundylab.solve.row_solver import TableRow

INDEX = "k"  # variable of the families in a listing
OUTSIDE = -(2**30)  # in place of the offset n - m, where m has no pair (m, n)


def number_formula(name: str, start: int, values: Sequence[int], period: Period) -> Expr:
    """Return a formula in the variable ``name`` for a sequence of numbers; the first term is its value at ``start``.

    It is right for all terms before the period begins, and for the later ones as far as they have this period.
    """
    first = start + period.preperiod
    base = _repeating(name, first, values[period.preperiod :][: period.period], period)
    exceptions: dict[int, list[int]] = {}
    for x, value in zip(range(start, first), values, strict=False):
        turns, place = divmod(x - first, period.period)
        if value != values[period.preperiod + place] + turns * period.saltus:
            exceptions.setdefault(value, []).append(x)
    cases = [(equals_one_of(Name(name), places), Int(value)) for value, places in sorted(exceptions.items())]
    forms = [by_cases(cases, base)]
    if exceptions:  # numbers that rise one by one make a single case
        at = dict(zip(range(start, first), values, strict=False))
        low, high = (end(map(end, exceptions.values())) for end in (min, max))
        if high - low > 1 and all(at[x] - x == at[low] - low for x in range(low, high + 1)):
            run = runs_condition(Name(name), range(low, high + 1), 0, None)
            forms.append(If(run, add_constant(Name(name), at[low] - low), base))
    return min(forms, key=reading_effort)


def _repeating(name: str, first: int, values: Sequence[int], period: Period) -> Expr:
    """Return a formula that is linear in the variable on each residue class and has these values from ``first`` on."""
    x, p, s = Name(name), period.period, period.saltus
    # each value is the linear term plus an offset, which depends on the remainder
    if s % p == 0:
        multiple = s // p
        linear = None if not multiple else x if multiple == 1 else Binary("*", Int(multiple), x)
        offsets = {(first + i) % p: value - multiple * (first + i) for i, value in enumerate(values)}
    else:
        quotient = Binary("//", x, Int(p))
        linear = quotient if s == 1 else Binary("*", Int(s), quotient)
        offsets = {(first + i) % p: value - s * ((first + i) // p) for i, value in enumerate(values)}
    groups: dict[int, list[int]] = {}
    for r, offset in sorted(offsets.items()):
        groups.setdefault(offset, []).append(r)
    cases = {offset: residues(x, p, rest) for offset, rest in sorted(groups.items())}
    last = max(cases, key=lambda offset: (cases[offset].size, str(cases[offset])))
    totals = {offset: Int(offset) if linear is None else add_constant(linear, offset) for offset in cases}
    forms = [by_cases([(cases[o], totals[o]) for o in cases if o != last], totals[last])]
    remainder = Binary("%", x, Int(p))
    rests = [remainder]
    for a in range(2, p):
        rests += [Binary("%", x if p % a == 0 else remainder, Int(a)), Binary("//", remainder, Int(a))]
    for term in rests:
        constant = offsets[0] - evaluate(term, {name: 0})
        if all(offset == evaluate(term, {name: r}) + constant for r, offset in offsets.items()):
            forms.append(add_constant(term if linear is None else Binary("+", linear, term), constant))
    return min(forms, key=reading_effort)


def set_formula(name: str, start: int, members: Sequence[bool], period: Period) -> Expr:
    """Return the plainest of the ``set_formulas``."""
    return min(set_formulas(name, start, members, period), key=reading_effort)


def set_formulas(name: str, start: int, members: Sequence[bool], period: Period) -> list[Expr]:
    """Return conditions on the variable ``name`` for the set of all x for which ``members[x - start]`` is true.

    Each is right before the period begins, and afterwards as far as the set has this period.
    """
    x, p, first = Name(name), period.period, start + period.preperiod
    window = members[period.preperiod :][:p]
    base = residues(x, p, sorted((first + i) % p for i, member in enumerate(window) if member))
    before = [
        (place, member, window[(place - first) % p])
        for place, member in zip(range(start, first), members, strict=False)
    ]
    missing = [place for place, member, repeated in before if repeated and not member]
    extra = [place for place, member, repeated in before if member and not repeated]
    kept = conjunction(*(compare("!=", x, Int(place)) for place in missing), base)
    forms = [disjunction(equals_one_of(x, extra), kept)]
    if missing:
        early = [place for place, member, _ in before if member]
        forms.append(disjunction(equals_one_of(x, early), conjunction(compare(">=", x, Int(first)), base)))
    return forms


def residues(x: Expr, modulus: int, rest: Sequence[int]) -> Expr:
    """Return the condition that x modulo ``modulus`` is one of the remainders ``rest``, which are sorted."""
    if not rest:
        return FALSE
    divisors = (d for d in range(1, modulus + 1) if modulus % d == 0)
    # adding p to the remainders gives the same set of remainders
    p = next(d for d in divisors if {(r + d) % modulus for r in rest} == {*rest})
    rest = [r for r in rest if r < p]
    if len(rest) == p:
        return TRUE
    return runs_condition(Binary("%", x, Int(p)), rest, 0, p - 1)


def equals_one_of(x: Expr, places: Sequence[int]) -> Expr:
    """Return the condition that x is one of the places, which are sorted and not negative."""
    return runs_condition(x, places, 0, None)


def runs_condition(x: Expr, places: Sequence[int], least: int, most: int | None) -> Expr:
    """Return the condition that x is one of the places; three or more consecutive ones make one comparison.

    least, most: bounds that x never exceeds; None for no bound.
    """
    parts: list[Expr] = []
    for _, group in groupby(enumerate(places), lambda numbered: numbered[1] - numbered[0]):
        run = [place for _, place in group]
        low, high = run[0], run[-1]
        if low == least and high > low:
            parts.append(compare("<=", x, Int(high)))
        elif high == most and high > low:
            parts.append(compare(">=", x, Int(low)))
        elif len(run) > 2:
            parts.append(Compare(("<=", "<="), (Int(low), x, Int(high))))
        else:
            parts.extend(compare("==", x, Int(place)) for place in run)
    forms = [disjunction(*parts)]
    others = {*range(least, least if most is None else most + 1)}.difference(places)
    if len(others) == 1:
        forms.append(compare("!=", x, Int(*others)))
    return min(forms, key=reading_effort)


# -- rows ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """A set of pairs: those in ``singles``, and (period*k + a, period*k + b) for each family (a, b), all k >= start."""

    singles: tuple[tuple[int, int], ...]
    families: tuple[tuple[int, int], ...]
    period: int
    start: int

    @property
    def first(self) -> int:
        """The least first element of a pair that belongs to a family."""
        return self.period * self.start + self.families[0][0]


def find_pattern(row: TableRow, ascending_from: int | None = None) -> Pattern | None:
    """Return the pattern of the pairs (m, row[m]) for all m, or None, as ``pattern_of`` does.

    ascending_from: if given, only the pairs with ``ascending_from <= m <= row[m]`` are included.
    """
    places = np.arange(len(row), dtype=np.int64)
    listed = np.ones(len(row), dtype=np.bool_)
    if ascending_from is not None:
        listed = (places >= ascending_from) & (row >= places)
    return pattern_of(0, np.where(listed, row - places, OUTSIDE))


def pattern_of(least: int, offsets: Array) -> Pattern | None:
    """Return the pattern of the pairs (least + i, least + i + offsets[i]) for all i whose offset is not OUTSIDE.

    The families begin as early as possible. None if no period occurs twice in full, or if no pair repeats.
    """
    period = find_period(offsets)
    if period is None or period.saltus != 0:
        return None
    places = np.flatnonzero(offsets != OUTSIDE)
    families = places[places >= period.preperiod]
    if not len(families):
        return None
    first, p = int(families[0]), period.period
    start = (least + first) // p
    repeating = families[families < first + p].tolist()
    pairs = {i: (least + i, least + i + int(offsets[i])) for i in places[places < first + p].tolist()}
    return Pattern(
        tuple(pairs[i] for i in pairs if i < first),
        tuple((m - p * start, n - p * start) for m, n in map(pairs.__getitem__, repeating)),
        p,
        start,
    )


def is_symmetric(row: TableRow) -> bool:
    """Tell whether ``row[m] == n`` implies ``row[n] == m`` for all m and n inside the row."""
    inside = row[row < len(row)]
    return bool(np.all(row[inside] == np.flatnonzero(row < len(row))))


def listing_texts(game: LayeredGame, layer: LayerValues, pattern: Pattern) -> list[str]:
    """Return the positions of a row as texts, one for each single position and one for each family.

    A position is printed as its coordinates without the pass. layer: the values of the coordinates that are fixed.
    """
    names = game.game.own_coordinates

    def entries(m: Expr, n: Expr) -> str:
        values: dict[str, Expr] = {name: Int(v) for name, v in zip(game.names, layer, strict=False)}
        values |= dict(zip(game.axes, (m, n), strict=True))
        return ", ".join(str(values[name]) for name in names)

    k = Name(INDEX)
    later = compare(">=", k, Int(pattern.start))
    multiple = k if pattern.period == 1 else Binary("*", Int(pattern.period), k)
    families = [
        f"{entries(add_constant(multiple, a), add_constant(multiple, b))} for {later}"
        for a, b in pattern.families
    ]
    return [*(entries(Int(m), Int(n)) for m, n in pattern.singles), *families]


def row_condition(game: LayeredGame, layer: LayerValues, ascending: bool) -> Expr:
    """Return the condition that a position's fixed coordinates have the layer's values, so that it is in the row.

    ascending: add the condition that the piles are in ascending order.
    """
    fixed = [compare("==", Name(name), Int(v)) for name, v in zip(game.names, layer, strict=False)]
    fixed.sort(key=lambda part: str(part.terms[0]) != game.game.pass_flag)
    if not ascending:
        return conjunction(*fixed)
    piles = ordered_piles(game)
    return conjunction(*fixed, Compare(("<=",) * (len(piles) - 1), tuple(map(Name, piles))))


def ordered_piles(game: LayeredGame) -> tuple[str, ...]:
    """Return the piles that are in ascending order in a listing: all if the axes are the last two, else the axes."""
    piles = game.game.piles
    return piles if piles[-2:] == game.axes else game.axes


def pattern_condition(axes: Sequence[str], pattern: Pattern) -> Expr:
    """Return the condition that the two axes form a pair of the pattern, written with differences and remainders."""
    m, n = map(Name, axes)
    singles: dict[int, list[int]] = {}
    for a, b in pattern.singles:
        singles.setdefault(b - a, []).append(a)
    repeating: dict[int, list[int]] = {}
    for a, b in pattern.families:
        repeating.setdefault(b - a, []).append(a % pattern.period)
    parts = [
        min(
            conjunction(compare("==", n, add_constant(m, d)), equals_one_of(m, places)),
            disjunction(
                *(conjunction(compare("==", m, Int(a)), compare("==", n, Int(a + d))) for a in places)
            ),
            key=reading_effort,
        )
        for d, places in sorted(singles.items())
    ]
    late = compare(">=", m, Int(pattern.first)) if pattern.first else TRUE
    families = [
        conjunction(compare("==", n, add_constant(m, d)), residues(m, pattern.period, sorted(rest)))
        for d, rest in sorted(repeating.items())
    ]
    return disjunction(*parts, conjunction(late, disjunction(*families)))
