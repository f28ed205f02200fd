"""A row in the form in which papers print it: single positions, and families of positions that repeat for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.patterns import one_of, plus, residues
from grundylab.discover.rewriting import plainness
from grundylab.games.layers import Layer, Layered
from grundylab.games.model import PASS_COORDINATE
from grundylab.language.syntax import (
    TRUE,
    Binary,
    Compare,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
)
from grundylab.solve.periodicity import find_period
from grundylab.solve.rows import Row

INDEX = "k"
OUTSIDE = -(2**30)  # in place of n - m for a position that is not listed


@dataclass(frozen=True)
class Pattern:
    """Pairs (m, n): ``singles``, and (period*k + a, period*k + b) for each family (a, b) and all k >= start."""

    singles: tuple[tuple[int, int], ...]
    families: tuple[tuple[int, int], ...]
    period: int
    start: int

    @property
    def first(self) -> int:
        """The least m of a family."""
        return self.period * self.start + self.families[0][0]


def find_pattern(row: Row, ascending_from: int | None = None) -> Pattern | None:
    """The pattern of the row's pairs (m, r(m)), of those with ``ascending_from <= m <= r(m)`` if that is given."""
    places = np.arange(len(row), dtype=np.int64)
    listed = np.ones(len(row), dtype=np.bool_)
    if ascending_from is not None:
        listed = (places >= ascending_from) & (row >= places)
    return pattern_of(0, np.where(listed, row - places, OUTSIDE))


def pattern_of(least: int, offsets: Array) -> Pattern | None:
    """The pattern of the pairs (least + i, least + i + offsets[i]), but for those OUTSIDE.

    It begins as early as these allow. None if no period was seen through twice, or if nothing repeats.
    """
    period = find_period(offsets)
    if period is None or period.saltus != 0:
        return None
    there = np.flatnonzero(offsets != OUTSIDE)
    families = there[there >= period.preperiod]
    if not len(families):
        return None
    first, p = int(families[0]), period.period
    start = (least + first) // p
    repeating = families[families < first + p].tolist()
    pairs = {i: (least + i, least + i + int(offsets[i])) for i in there[there < first + p].tolist()}
    return Pattern(
        tuple(pairs[i] for i in pairs if i < first),
        tuple((m - p * start, n - p * start) for m, n in map(pairs.__getitem__, repeating)),
        p,
        start,
    )


def mirrored(row: Row) -> bool:
    """Whether (n, m) is in the row with (m, n), as far as it goes."""
    inside = row[row < len(row)]
    return bool(np.all(row[inside] == np.flatnonzero(row < len(row))))


def listing_texts(game: Layered, layer: Layer, pattern: Pattern) -> list[str]:
    """The positions of the row, all coordinates but the pass: each single one and each family as in print."""
    names = [name for name in game.game.coordinate_names if name != PASS_COORDINATE]

    def entries(m: Expr, n: Expr) -> str:
        values: dict[str, Expr] = {name: Int(v) for name, v in zip(game.names, layer, strict=False)}
        values |= dict(zip(game.axes, (m, n), strict=True))
        return ", ".join(str(values[name]) for name in names)

    k = Name(INDEX)
    later = compare(">=", k, Int(pattern.start))
    multiple = k if pattern.period == 1 else Binary("*", Int(pattern.period), k)
    families = [f"{entries(plus(multiple, a), plus(multiple, b))} for {later}" for a, b in pattern.families]
    return [*(entries(Int(m), Int(n)) for m, n in pattern.singles), *families]


def about(game: Layered, layer: Layer, ascending: bool) -> Expr:
    """Which positions the row is: the fixed coordinates, and (if ascending) the piles in ascending order."""
    fixed = [compare("==", Name(name), Int(v)) for name, v in zip(game.names, layer, strict=False)]
    fixed.sort(key=lambda part: str(part.terms[0]) != PASS_COORDINATE)
    if not ascending:
        return conjunction(*fixed)
    piles = ordered_piles(game)
    return conjunction(*fixed, Compare(("<=",) * (len(piles) - 1), tuple(map(Name, piles))))


def ordered_piles(game: Layered) -> tuple[str, ...]:
    """The piles that ascend in a listing: all if the axes are the last two, else the axes alone."""
    piles = game.game.piles
    return piles if piles[-2:] == game.axes else game.axes


def condition(axes: Sequence[str], pattern: Pattern) -> Expr:
    """That the axes are a pair of the pattern, by differences and remainders: shorter than one part for each family."""
    m, n = map(Name, axes)
    singles: dict[int, list[int]] = {}
    for a, b in pattern.singles:
        singles.setdefault(b - a, []).append(a)
    repeating: dict[int, list[int]] = {}
    for a, b in pattern.families:
        repeating.setdefault(b - a, []).append(a % pattern.period)
    parts = [
        min(
            conjunction(compare("==", n, plus(m, d)), one_of(m, places)),
            disjunction(
                *(conjunction(compare("==", m, Int(a)), compare("==", n, Int(a + d))) for a in places)
            ),
            key=plainness,
        )
        for d, places in sorted(singles.items())
    ]
    late = compare(">=", m, Int(pattern.first)) if pattern.first else TRUE
    families = [
        conjunction(compare("==", n, plus(m, d)), residues(m, pattern.period, sorted(rest)))
        for d, rest in sorted(repeating.items())
    ]
    return disjunction(*parts, conjunction(late, disjunction(*families)))
