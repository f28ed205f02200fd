"""Sweeps of games of one heap in which a move takes a bounded number of tokens and may split the rest: octal games.

The moves from every heap of some size on are read from their text (``games/heap_games.py``); smaller heaps are solved
by the definition. Two heaps have the nim-sum of their values, and the set of nim-sums that occur is found in one of
two ways; the choice is made anew each time that the heaps have doubled:

- bit by bit of the values, for 64 pairs of heaps at once: does some pair have a given nim-sum (``heaploops``)?
- by the *sparse space*. A mask divides the values into those with an even number of bits in common with it, and those
  with an odd number, which are called common. The nim-sum of two common values is not common, whatever the mask. So the
  pairs in which at least one heap has a value that is not common decide for every common value whether it is a nim-sum.
  With the right mask few heaps have a value that is not common; then these pairs are few, and the other values are
  tested as before, where the answer is nearly always found soon. (E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning
  Ways, chapter 4, "Sparse Space Spells Speed"; A. Gangolli and T. Plambeck, A note on periodicity in some octal games,
  International Journal of Game Theory 18, 1989.) Any mask gives the same numbers.
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
from grundylab.games.model import Ruleset, Values
from grundylab.games.rules import Rules
from grundylab.games.specialise import specialise
from grundylab.games.takes import measure_weights
from grundylab.language.intervals import is_total
from grundylab.numeric import Array
from grundylab.solve.reference import checked_options, mex
from grundylab.solve.table import Table

_STARTS = (8, 64, 512, 2048)  # sizes from which the moves may have their shape
_FIRST = 1024  # size at which the common values are determined for the first time
_STEPS = 1 << 14  # heaps solved in one call: Ctrl-C takes effect between two calls
_WORD = 64


@dataclass(frozen=True)
class HeapSweep:
    """The sweep of an instance with one heap. shape: of the moves from heaps of ``start`` tokens and more."""

    instance: Instance
    shape: MoveShape
    start: int


def heap_for(instance: Instance, kind: Values) -> HeapSweep:
    """Return the sweep of the instance. Raises NoSweep if there is none."""
    game = specialise(instance.ruleset, dict(instance.parameters))
    try:
        heap, (side,) = heap_coordinate(game), instance.box
        shape, start = _shape(game)
    except NotBounded as error:
        raise NoSweep(error.message) from None
    if (measure_weights(game.measure, (heap,)) or {}).get(heap, 0) < 1:
        raise NoSweep(f"{instance}: its measure is no multiple of {heap}")
    for expr in (each for move in game.moves for each in move.expressions):
        if not is_total(expr, game.functions):
            raise NoSweep(f"{instance}: '{expr}' may have no value")
    return HeapSweep(instance, shape, shape.applies_from(start, side.low))


def _shape(game: Ruleset) -> tuple[MoveShape, int]:
    """Return the shape of the moves from all heaps of some size on, and that size. Raises NotBounded."""
    for start in _STARTS[:-1]:
        try:
            return move_shape(game, start, 1), start
        except NotBounded:
            pass
    return move_shape(game, _STARTS[-1], 1), _STARTS[-1]


def solve_heap(instance: Instance, kind: Values) -> Table:
    """Solve as ``solve_reference`` does. Raises NoSweep if the instance is not solved by this sweep."""
    heap = heap_for(instance, kind)
    (side,) = instance.box
    values = np.zeros(side.high + 1, dtype=np.int32)
    begun = min(heap.start, side.high + 1)
    _define(heap, values, begun)
    _extend(heap.shape, values, side.low, begun)
    found = values[side.low :]
    return Table(instance, kind, np.minimum(found, 1) if kind == "outcome" else found)


def _define(heap: HeapSweep, values: Array, stop: int) -> None:
    """Fill in the values of the heaps below ``stop``, by the definition."""
    rules = Rules(heap.instance)
    for size in range(heap.instance.box[0].low, stop):
        options = checked_options(rules, (size,))
        values[size] = mex(reduce(xor, (int(values[part]) for (part,) in parts), 0) for parts in options)


# -- larger heaps -------------------------------------------------------------------------------------------------


def _extend(shape: MoveShape, values: Array, low: int, size: int) -> None:
    """Fill in the values from heaps of this size on."""
    from grundylab.solve.sweeps.heaploops import SPARSE, extend  # numba takes a second to import

    splits = sorted(shape.splits)
    takes, constants = _int64(sorted(shape.takes)), _int64(sorted(shape.constants))
    taken, smallest = _int64([taken for taken, _ in splits]), _int64([least for _, least in splits])
    bits = 3
    while size < len(values):
        state, until = _state(values, low, size, bits), min(len(values), max(2 * size, _FIRST))
        stamps = np.full(len(state.common), -1, dtype=np.int64)
        while size < until:
            stop = min(until, size + _STEPS)
            size, state.count = extend(
                values, size, stop, state.way, takes, constants, taken, smallest,
                state.common, state.rare, state.count, state.planes, state.mirrored, stamps,
            )  # fmt: skip
            if size < stop:  # no room for another rare heap, or for a value
                bits = state.bits + (state.way != SPARSE or state.count < len(state.rare))
                break


def _int64(numbers: Sequence[int]) -> Array:
    return np.array(numbers, dtype=np.int64)


@dataclass
class _State:
    """The values so far and the method for the next ones. All but the planes is as in ``extend``.

    planes: uint64 (words, bits), for each bit the heaps in whose values it is set; mirrored: the same with the largest
    heap first, and a word more.
    """

    way: int
    common: Array
    rare: Array
    planes: Array
    mirrored: Array
    count: int = 0

    @property
    def bits(self) -> int:
        """The number of bits of a value for which there is room."""
        return int(self.planes.shape[1])


def _state(values: Array, low: int, size: int, bits: int) -> _State:
    """Return the state for the values below the size, with at least ``bits`` bits and the fewest rare heaps."""
    from grundylab.solve.sweeps.heaploops import ALL_PAIRS, BITS, SPARSE

    known = values[low:size]
    bits = max(bits, int(known.max(initial=0)).bit_length())
    padded = np.zeros(_WORD * -(-len(values) // _WORD), dtype=np.int32)
    padded[low:size] = known
    planes = np.stack([_packed(padded >> bit & 1) for bit in range(bits)], axis=1)
    mirrored = np.stack([_packed(padded[::-1] >> bit & 1) for bit in range(bits)], axis=1)
    mirrored = np.concatenate([mirrored, np.zeros((1, bits), dtype=np.uint64)])
    common = _common(np.bincount(known, minlength=1 << bits))
    rare = low + np.flatnonzero(~common[known])
    way = _fastest_way(size, bits, float(known.mean()) if len(known) else 0, len(rare))
    common = {ALL_PAIRS: np.ones_like(common), BITS: np.zeros_like(common), SPARSE: common}[way]
    room = np.zeros(2 * len(rare) + _FIRST if way == SPARSE else 0, dtype=np.int64)
    room[: len(rare)] = rare[: len(room)]
    return _State(way, common, room, planes, mirrored, len(rare) if way == SPARSE else 0)


def _fastest_way(size: int, bits: int, mean: float, rare: int) -> int:
    """Return the method with about the fewest steps for a heap of the size. mean: of the values of smaller heaps."""
    from grundylab.solve.sweeps.heaploops import ALL_PAIRS, BITS, SPARSE

    word = 3 * bits  # steps for a word of pairs
    testing = mean * word * (1 + (1 << bits) / _WORD)  # for each lesser value until a pair with it is found
    costs = {
        ALL_PAIRS: size / 2,
        BITS: testing + word * size / (2 * _WORD),
        SPARSE: testing / 2 + rare,
    }
    return min(costs, key=lambda way: costs[way])


def _packed(bits: Array) -> Array:
    """Pack bits, given as numbers, into 64-bit words."""
    return np.packbits(bits.astype(np.uint8), bitorder="little").view(np.uint64)


def _common(counts: Array) -> Array:
    """Tell for each value whether it is common, by the mask for which the other values occur least often.

    counts: int64 (2**bits,), the number of times that each value occurs. With (-1)**(bits in common) as signs, the
    Walsh-Hadamard transform is the sum for every mask.
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
