"""Lines of positions where a move leads to the same place of another line, or to an interval of one.

The positions that differ in one coordinate only, the axis, form a line. If a move leaves the axis alone, and its
choices do not ask about it, then it leads from each place of a line to the same place of another line: a *level*
edge, perhaps only at some places. If a move takes from the axis, it leads to an interval of one line (this one or
another): a *window*. So moves are looked at once for a whole line; and level edges that lines share (``shared``) once
for all of these: what was found along them is kept for each family.
"""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np
import numpy.typing as npt

from grundylab.solve.sweeps.bits import WORD, bit, lowest

Array = npt.NDArray[Any]
Edges = tuple[Array, Array, Array]
Families = tuple[Array, Array, Array, Array, Array]
_FULL = np.uint64(2**64 - 1)


@nb.njit(cache=True, nogil=True)
def legal(lines: Array, shared: Families, masks: Array, inside: Array, valid: Array, able: Array) -> bool:
    """Whether all edges of a move that lines share lead from positions to positions; ``able`` is set where there are
    any.

    lines: int64, in order. shared: (of, stops, starts, targets, masks), as in ``shared.Family``. masks: bool (masks,
    places). inside: bool (edges,), whether it leads into the box. valid, able: bool (lines, places).
    """
    of, stops, starts, targets, numbers = shared
    places = valid.shape[1]
    reached = starts.copy()
    fine = np.ones((len(starts), places), dtype=np.bool_)
    some = np.zeros((len(starts), places), dtype=np.bool_)
    for line in lines:
        family = of[line]
        if family < 0:
            continue
        for edge in range(reached[family], stops[line]):
            mask = numbers[edge]
            for place in range(places):
                there = mask < 0 or masks[mask, place]
                some[family, place] |= there
                fine[family, place] &= not there or (inside[edge] and valid[targets[edge], place])
        reached[family] = max(reached[family], stops[line])
        bad = False
        for place in range(places):
            able[line, place] |= valid[line, place] and some[family, place]
            bad |= valid[line, place] and not fine[family, place]
        if bad:
            return False
    return True


@nb.njit(cache=True, nogil=True)
def enclosed(windows: Edges, inside: Array, spans: Edges, valid: Array, some: Array, able: Array) -> bool:
    """Whether all windows of a move lead from positions to positions; ``able`` is set where there are any, and
    ``some``, bool (windows,), for those that are anywhere.

    windows: (lines, targets, numbers), int64. inside: bool, whether each one's target is in the box. spans: of each
    number (ends, there, sound), as of ``edges.Builder``. valid, able: bool (lines, places).
    """
    (lines, targets, numbers), (ends, there, sound) = windows, spans
    places = valid.shape[1]
    gap = np.empty(places, dtype=np.int64)  # the last place up to each one where the target has no position
    for number, line in enumerate(lines):
        last, target, span = -1, targets[number], numbers[number]
        for place in range(places):
            last = last if inside[number] and valid[target, place] else place
            gap[place] = last
        for place in range(places):
            if valid[line, place] and there[span, place]:
                if not sound[span, place] or gap[ends[span, 1, place]] >= ends[span, 0, place]:
                    return False
                able[line, place] = some[number] = True
    return True


@nb.njit(cache=True, nogil=True)
def outcomes(
    order: Array, levels: Edges, windows: Edges, shared: Families, masks: Array, spans: Array, won: Array
) -> None:
    """Fill in ``won``: bool (lines, places), whether each position is an N-position.

    order: int64, the lines with positions, each after all that edges lead to from it. levels: (starts, targets,
    masks), where the edges of line i are those from starts[i] to starts[i + 1] - 1, and a mask is the number of one
    in ``masks`` or -1. windows: (starts, targets, spans). shared: (of, stops, starts, targets, masks), as in
    ``shared.Family``, but the first two int64 (moves, lines). masks: bool (masks, places). spans: int32 (spans, 2,
    places): from place a to the places from spans[s, 0, a] to spans[s, 1, a]. won: at the beginning, where there is
    no move and yet the player to move has won.
    """
    level_starts, level_to, level_mask = levels
    window_starts, window_to, window_span = windows
    family_of, stops, starts, shared_to, shared_mask = shared
    places = won.shape[1]
    # how many P-positions each line has before each place
    before = np.zeros((len(won), places + 1), dtype=np.int32)
    reached = starts.copy()
    kept = np.zeros((len(starts), places), dtype=np.bool_)
    for line in order:
        here = won[line]
        for move in range(len(family_of)):
            family = family_of[move, line]
            if family < 0:
                continue
            for edge in range(reached[family], stops[move, line]):
                _join(kept[family], won[shared_to[edge]], masks, shared_mask[edge])
            reached[family] = max(reached[family], stops[move, line])
            for place in range(places):
                here[place] |= kept[family, place]
        for edge in range(level_starts[line], level_starts[line + 1]):
            _join(here, won[level_to[edge]], masks, level_mask[edge])
        for place in range(places):
            for edge in range(window_starts[line], window_starts[line + 1]):
                low, high = spans[window_span[edge], 0, place], spans[window_span[edge], 1, place]
                count = before[window_to[edge]]
                if low <= high and count[high + 1] > count[low]:
                    here[place] = True
            before[line, place + 1] = before[line, place] + (not here[place])


@nb.njit(cache=True, nogil=True, inline="always")
def _join(here: Array, there: Array, masks: Array, mask: int) -> None:
    """Set the places from where the edge leads to a P-position."""
    if mask < 0:
        for place in range(len(here)):
            here[place] |= not there[place]
    else:
        for place in range(len(here)):
            here[place] |= masks[mask, place] and not there[place]


@nb.njit(cache=True, nogil=True)
def grundy_numbers(
    order: Array,
    levels: Edges,
    windows: Edges,
    shared: Families,
    masks: Array,
    spans: Array,
    sliding: Array,
    words: int,
    found: Array,
) -> bool:
    """Fill in ``found``: int32 (lines, places), the Grundy numbers; the rest as for ``outcomes``. False if some value
    needs more than so many words of bits.

    sliding: bool (spans,), whether each ends right before the place and never begins at a smaller one than the last;
    then a window of the line itself never holds a value twice (as in ``values``).
    """
    level_starts, level_to, level_mask = levels
    window_starts, window_to, window_span = windows
    places = found.shape[1]
    most = 1
    for line in order:
        most = max(most, window_starts[line + 1] - window_starts[line])
    reached = shared[2].copy()
    kept = np.zeros((len(reached), places * words), dtype=np.uint64)
    seen = np.zeros(places * words, dtype=np.uint64)
    along = np.zeros((most, words), dtype=np.uint64)  # the values in the last windows of the line itself
    for line in order:
        seen[:] = 0
        _mark_shared(line, shared, reached, kept, found, masks, words, seen)
        for edge in range(level_starts[line], level_starts[line + 1]):
            _mark(seen, found[level_to[edge]], masks, level_mask[edge], words)
        along[:] = 0
        first, last = window_starts[line], window_starts[line + 1]
        for place in range(places):
            here = place * words
            for edge in range(first, last):
                there, span = found[window_to[edge]], window_span[edge]
                low = spans[span, 0, place]
                if sliding[span] and window_to[edge] == line:
                    if place > 0:
                        _slide(along[edge - first], there, spans[span, 0, place - 1], low, place)
                else:
                    for to in range(low, spans[span, 1, place] + 1):
                        seen[here + (there[to] >> 6)] |= bit(there[to])
            value = -1
            for word in range(words):
                taken = seen[here + word]
                for number in range(last - first):
                    taken |= along[number, word]
                if taken != _FULL:
                    value = word * WORD + lowest(~taken)
                    break
            if value < 0:
                return False
            found[line, place] = value
    return True


@nb.njit(cache=True, nogil=True)
def _mark_shared(
    line: int,
    shared: Families,
    reached: Array,
    kept: Array,
    found: Array,
    masks: Array,
    words: int,
    seen: Array,
) -> None:
    """Set the bits of ``seen`` for what the line's shared edges lead to, and keep them for the other lines.

    reached: int64 (families,), up to where each one's edges are in ``kept``, uint64 (families, places * words).
    """
    family_of, stops, _, targets, numbers = shared
    for move in range(len(family_of)):
        family = family_of[move, line]
        if family < 0:
            continue
        rows = kept[family]
        for edge in range(reached[family], stops[move, line]):
            _mark(rows, found[targets[edge]], masks, numbers[edge], words)
        reached[family] = max(reached[family], stops[move, line])
        for word in range(len(seen)):
            seen[word] |= rows[word]


@nb.njit(cache=True, nogil=True, inline="always")
def _mark(rows: Array, there: Array, masks: Array, mask: int, words: int) -> None:
    """Set the bits of the values that the edge leads to, place by place."""
    for place in range(len(there)):
        if mask < 0 or masks[mask, place]:
            rows[place * words + (there[place] >> 6)] |= bit(there[place])


@nb.njit(cache=True, nogil=True, inline="always")
def _slide(row: Array, found: Array, before: int, low: int, place: int) -> None:
    """From the values in before..place - 2 to those in low..place - 1."""
    row[found[place - 1] >> 6] |= bit(found[place - 1])
    for gone in range(before, low):
        row[found[gone] >> 6] &= ~bit(found[gone])
