"""Edges that lines share, so that they are gone through once for all of them.

Say a move goes from a line to those with a number w in a range (``w`` stones left, a cut at ``w``), and neither where
it goes nor its condition depends on the line's coordinate i in another way than by the range. Lines that differ in i
only are a *family*. If the range of each begins at the same number, and ends nowhere earlier than that of the line
before, then the edges of a line are those of the line before and some more: whoever goes along the family needs to look
at these only. Along chocolate bars and piles it is one edge for each line.

What is kept for a family is right at every place where the line has a position: all of its edges lead to positions from
there (``levels.legal``), and lines are gone through in order, so these are solved. At other places nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.games.model import Move
from grundylab.language.substitution import replaced
from grundylab.language.syntax import TRUE, Binary, Expr, Name, free_names
from grundylab.solve.space import spread
from grundylab.solve.sweeps.edges import MOST_EDGES, MOST_MASKED, Builder
from grundylab.solve.sweeps.plans import Level

Array = npt.NDArray[Any]
_LEFT = "what is left"  # no name of a ruleset
_WORTH = 2  # so many times the edges that are looked at


@dataclass(frozen=True)
class Growing:
    """A move whose choices are the numbers ``name`` from ``low`` to ``high``, of which only ``high`` may depend on
    the coordinate ``along``.

    when, part: as the move's.
    """

    along: str
    name: str
    low: Expr
    high: Expr
    when: Expr
    part: tuple[Expr, ...]


@dataclass(frozen=True)
class Family:
    """The edges of one move, family by family. All arrays int64.

    of: (lines,), each line's family, or -1 if it has no edges. stops: (lines,), one more than its last edge.
    starts: (families,), the family's first edge. targets, masks: (edges,), as in ``levels``.
    """

    of: Array
    stops: Array
    starts: Array
    targets: Array
    masks: Array

    def most(self, numbers: Array) -> Array:
        """int64 (lines,): the greatest of the numbers (lines,), at least 0, of the lines that edges lead to, or -1."""
        edges = np.arange(len(self.targets))
        family = np.searchsorted(self.starts, edges, side="right") - 1
        scale = int(numbers.max(initial=0)) + 1  # families apart, so that one running maximum does for all
        running = np.maximum.accumulate(family * scale + numbers[self.targets])
        found = np.full(len(self.of), -1, dtype=np.int64)
        some = np.flatnonzero(self.of >= 0)
        some = some[self.stops[some] > self.starts[self.of[some]]]
        found[some] = running[self.stops[some] - 1] - self.of[some] * scale
        return found


def growing(move: Move, outer: tuple[str, ...]) -> Iterator[Growing]:
    """The ways to see the move so; outer: the coordinates that tell lines apart."""
    if len(move.choices) != 1 or move.a_pass:
        return
    (choice,), (part,) = move.choices, move.parts
    low, high = choice.ends
    exprs = (move.when, *part)
    for name in outer:
        if not any(name in free_names(expr) for expr in (low, *exprs)):
            yield Growing(name, choice.name, low, high, move.when, part)
        taken = Binary("-", Name(name), Name(choice.name))
        when, *left = (replaced(expr, taken, Name(_LEFT)) for expr in exprs)
        names = frozenset().union(*map(free_names, (when, *left)))
        if not {name, choice.name} & names:
            first, last = (Binary("-", Name(name), end) for end in (high, low))
            yield Growing(name, _LEFT, first, last, when, tuple(left))


def family_of(level: Level, builder: Builder, able: Array) -> Family | None:
    """The move's edges, and ``able``, (lines, places), set where it exists; None if they are not worth sharing.

    Raises NoSweep where the move may leave the space.
    """
    found = (_numbered(grown, level, builder) for grown in growing(level.move, builder.outer))
    family = next(filter(None, found), None)
    if family is None:
        return None
    from grundylab.solve.sweeps.levels import legal

    shared, inside = family
    masks = builder.masks[-1] if level.masked else np.zeros((0, builder.places), dtype=bool)
    numbers = np.arange(len(shared.targets)) if level.masked else shared.masks
    lines = np.flatnonzero(builder.valid.any(axis=1))
    edges = (shared.of, shared.stops, shared.starts, shared.targets, numbers)
    builder.check(legal(lines, edges, masks, inside, builder.valid, able), level.move)
    return shared


@dataclass(frozen=True)
class _Ranges:
    """The choices of each line that has any, family by family. All arrays int64.

    lines, of, low, high: (lines,), the line, its family, and its choices' ends. ends: (families,), one more than the
    place of the family's last line, whose choices are those of the whole family.
    """

    lines: Array
    of: Array
    low: Array
    high: Array
    ends: Array


def _ranges(grown: Growing, builder: Builder) -> _Ranges | None:
    """None if they do not grow along the families."""
    lines = np.flatnonzero(builder.valid.any(axis=1))
    known = {name: column[lines] for name, column in builder.columns.items()}
    low, high = (np.broadcast_to(builder.value(end, known), lines.shape) for end in (grown.low, grown.high))
    some = low <= high
    lines, low, high = lines[some], low[some], high[some]
    number = builder.outer.index(grown.along)
    stride = int(np.prod(builder.widths[number + 1 :], dtype=np.int64))
    keys = lines - (builder.columns[grown.along][lines] - builder.lows[number]) * stride
    order = np.argsort(keys, kind="stable")  # within a family as the coordinate grows
    lines, low, high, keys = lines[order], low[order], high[order], keys[order]
    heads, sizes = np.unique(keys, return_counts=True)
    family = np.repeat(np.arange(len(heads)), sizes)
    same = family[1:] == family[:-1]
    if np.any(same & ((low[1:] != low[:-1]) | (high[1:] < high[:-1]))):
        return None
    return _Ranges(lines, family, low, high, np.cumsum(sizes))


def _numbered(grown: Growing, level: Level, builder: Builder) -> tuple[Family, Array] | None:
    """The edges, and whether each leads into the box, if the ranges are as they should be."""
    ranges = _ranges(grown, builder)
    if ranges is None or not len(ranges.lines):
        return None
    lines, last = ranges.lines, ranges.ends - 1
    counts = ranges.high[last] - ranges.low[last] + 1
    if counts.sum() > MOST_EDGES or (ranges.high - ranges.low + 1).sum() < _WORTH * counts.sum():
        return None
    if level.masked and counts.sum() * builder.places > MOST_MASKED:
        return None
    first = np.cumsum(counts) - counts
    stops = first[ranges.of] + ranges.high - ranges.low + 1
    owner, choice = spread(ranges.low[last], counts)
    columns = {name: column[lines[last]][owner] for name, column in builder.columns.items()}
    columns = {**columns, grown.name: choice}
    if grown.when != TRUE and not level.masked:
        kept = np.broadcast_to(builder.value(grown.when, columns), owner.shape)
        before = np.concatenate([[0], np.cumsum(kept)])  # of the edges kept
        first, stops = before[first], before[stops]
        columns = {name: column[kept] for name, column in columns.items()}
        owner = owner[kept]
    targets, inside = builder.targets(grown.part, columns, len(owner))
    of, stop = np.full(builder.lines, -1, dtype=np.int64), np.zeros(builder.lines, dtype=np.int64)
    of[lines], stop[lines] = ranges.of, stops
    masks = np.full(len(owner), -1, dtype=np.int64)
    shared = Family(of, stop, first, targets, masks)
    if np.any(shared.most(np.arange(builder.lines)) >= np.arange(builder.lines)):
        return None  # lines are gone through in order, each after all that it leads to
    if level.masked:
        masks[:] = np.arange(len(owner)) + sum(map(len, builder.masks))
        builder.masks.append(builder.holds(grown.when, columns, len(owner)))
    return shared, inside
