"""Sweeps of games of one heap in which a move takes a bounded number of tokens and may split the rest: octal games.

The moves from all heaps from some size on are read from the rules (``games/heap_games.py``); smaller heaps are solved
by the definition. To find the value of a heap, the sweep needs the set of the nim-sums of two heaps that a move leaves.
It finds this set in one of three ways, and chooses anew each time that the number of heaps has doubled:

- by trying all pairs of heaps;
- bit by bit of the values, for 64 pairs at once: does some pair have a given nim-sum (``heaploops``)?
- by the *sparse space*. A mask divides the values in two: *common* values have an odd number of bits in common with the
  mask, the others an even number. The nim-sum of two common values is not common, whatever the mask. So whether a
  common value is a nim-sum is decided by the pairs in which at least one heap has a value that is not common. With the
  right mask there are few such heaps, and so few such pairs. The other values are tested bit by bit, where the answer
  is nearly always found soon. (E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways, chapter 4, "Sparse Space
  Spells Speed"; A. Gangolli and T. Plambeck, A note on periodicity in some octal games, International Journal of Game
  Theory 18, 1989.) Any mask gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

import numpy as np

from grundylab.errors import NoSweep
from grundylab.games.heap_games import MoveShape, NotBounded, heap_coordinate, move_shape
from grundylab.games.instance import Instance
from grundylab.games.linear_moves import measure_weights
from grundylab.games.model import Values
from grundylab.games.rules import Rules
from grundylab.games.specialise import specialise
from grundylab.language.intervals import is_total
from grundylab.numeric import Array
from grundylab.solve.reference import checked_options, mex
from grundylab.solve.table import Table

_STARTS = (8, 64, 512, 2048)  # sizes, tried in turn, from which the moves may all have one shape
_FIRST = 1024  # size at which the common values are determined anew for the first time
_STEPS = 1 << 14  # heaps solved in one call: Ctrl-C takes effect between two calls
_WORD = 64


@dataclass(frozen=True)
class HeapSweep:
    """The sweep of an instance with one heap. shape: the moves from heaps of at least ``start`` tokens."""

    instance: Instance
    shape: MoveShape
    start: int


def heap_for(instance: Instance, kind: Values) -> HeapSweep:
    """Return the sweep of the instance. Raises NoSweep if it is not recognised as a game of one heap."""
    game = specialise(instance.ruleset, dict(instance.parameters))
    reason = ""
    for start in _STARTS:
        try:
            heap, shape = heap_coordinate(game), move_shape(game, start, 1)
            break
        except NotBounded as error:
            reason = error.message
    else:
        raise NoSweep(reason)
    (side,) = instance.box
    if (measure_weights(game.measure, (heap,)) or {}).get(heap, 0) < 1:
        raise NoSweep(f"{instance}: its measure is not a multiple of {heap}")
    for expr in (expression for move in game.moves for expression in move.expressions):
        if not is_total(expr, game.functions):
            raise NoSweep(f"{instance}: '{expr}' may have no value")
    return HeapSweep(instance, shape, shape.applies_from(start, side.low))


def solve_heap(instance: Instance, kind: Values) -> Table:
    """Return the table that ``solve_reference`` returns.

    Raises NoSweep if this sweep does not apply to the instance.
    """
    heap = heap_for(instance, kind)
    (side,) = instance.box
    values = np.zeros(side.high + 1, dtype=np.int32)
    begun = min(heap.start, side.high + 1)
    rules = Rules(instance)
    for size in range(side.low, begun):
        options = checked_options(rules, (size,))
        values[size] = mex(reduce(xor, (int(values[part]) for (part,) in parts), 0) for parts in options)
    from grundylab.solve.sweeps.heaploops import SPARSE, extend  # numba takes a second to import

    splits, size, bits = sorted(heap.shape.splits), begun, 3
    takes, constants = _int64(sorted(heap.shape.takes)), _int64(sorted(heap.shape.constants))
    taken, smallest = _int64([taken for taken, _ in splits]), _int64([least for _, least in splits])
    while size < len(values):
        state, until = _state(values, side.low, size, bits), min(len(values), max(2 * size, _FIRST))
        stamps = np.full(len(state.common), -1, dtype=np.int64)
        while size < until:
            stop = min(until, size + _STEPS)
            size, state.count = extend(
                values, size, stop, state.way, takes, constants, taken, smallest,
                state.common, state.rare, state.count, state.planes, state.mirrored, stamps,
            )  # fmt: skip
            if size < stop:  # there was no room for another rare heap or for a value
                bits = state.bits + (state.way != SPARSE or state.count < len(state.rare))
                break
    heap_values = values[side.low :]
    return Table(instance, kind, np.minimum(heap_values, 1) if kind == "outcome" else heap_values)


# -- larger heaps -------------------------------------------------------------------------------------------------


def _int64(numbers: Sequence[int]) -> Array:
    return np.array(numbers, dtype=np.int64)


@dataclass
class _State:
    """The method for the next heaps, and what it has collected about the heaps so far.

    planes: uint64 (words, bits). Column b is the set of the heaps whose values have the bit b, as a row of bits in
    64-bit words. mirrored: the same sets, but with the largest heap first, and one more word of zeros. way: the method,
    the argument ``way_on`` of ``extend``. common, rare, count: arguments of ``extend``.
    """

    way: int
    common: Array
    rare: Array
    planes: Array
    mirrored: Array
    count: int = 0

    @property
    def bits(self) -> int:
        """The number of bits of a value for which the planes have room."""
        return int(self.planes.shape[1])


def _state(values: Array, low: int, size: int, bits: int) -> _State:
    """Return the state after the heaps below ``size``, whose values are known.

    Its mask is the one for which the fewest of these heaps are rare, that is, have a value that is not common. low: the
    least size of a heap. bits: the planes get room for at least so many bits.
    """
    from grundylab.solve.sweeps.heaploops import ALL_PAIRS, BITS, SPARSE

    values_below = values[low:size]
    bits = max(bits, int(values_below.max(initial=0)).bit_length())
    padded = np.zeros(_WORD * -(-len(values) // _WORD), dtype=np.int32)
    padded[low:size] = values_below
    planes = np.stack([_packed(padded >> bit & 1) for bit in range(bits)], axis=1)
    mirrored = np.stack([_packed(padded[::-1] >> bit & 1) for bit in range(bits)], axis=1)
    mirrored = np.concatenate([mirrored, np.zeros((1, bits), dtype=np.uint64)])
    common = _common(np.bincount(values_below, minlength=1 << bits))
    rare = low + np.flatnonzero(~common[values_below])
    way = _fastest_way(size, bits, float(values_below.mean()) if len(values_below) else 0, len(rare))
    common = {ALL_PAIRS: np.ones_like(common), BITS: np.zeros_like(common), SPARSE: common}[way]
    room = np.zeros(2 * len(rare) + _FIRST if way == SPARSE else 0, dtype=np.int64)
    room[: len(rare)] = rare[: len(room)]
    return _State(way, common, room, planes, mirrored, len(rare) if way == SPARSE else 0)


def _fastest_way(size: int, bits: int, mean: float, rare: int) -> int:
    """Return the method that takes about the fewest steps for a heap of this size.

    mean: the mean value of smaller heaps. rare: the number of heaps whose values are not common.
    """
    from grundylab.solve.sweeps.heaploops import ALL_PAIRS, BITS, SPARSE

    word = 3 * bits  # steps for a word of pairs
    testing = mean * word * (1 + (1 << bits) / _WORD)  # for each smaller value until a pair with it is found
    costs = {
        ALL_PAIRS: size / 2,
        BITS: testing + word * size / (2 * _WORD),
        SPARSE: testing / 2 + rare,
    }
    return min(costs, key=lambda way: costs[way])


def _packed(bits: Array) -> Array:
    """Return bits that are given as numbers 0 and 1, packed into 64-bit words."""
    return np.packbits(bits.astype(np.uint8), bitorder="little").view(np.uint64)


def _common(counts: Array) -> Array:
    """Tell for each value whether it is common.

    Of all masks, the one is used for which values that are not common occur least often.
    counts: int64 (2**bits,), the number of times that each value occurs. The Walsh-Hadamard transform gives, for every
    mask, the sum of the counts with the sign (-1)**(number of bits in common with the mask).
    """
    sums = counts.copy()
    half = 1
    while half < len(sums):
        pairs = sums.reshape(-1, 2, half)
        sums = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).reshape(-1)
        half *= 2
    mask = int(np.argmin(sums))
    odd = np.arange(len(counts)) & mask
    for shift in (16, 8, 4, 2, 1):
        odd ^= odd >> shift
    return (odd & 1).astype(np.bool_)
