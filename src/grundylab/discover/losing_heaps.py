"""Numeration systems of games in which a limit depends on the last take.

In such a game a position has a heap and a limit, and a heap is *losing* if every first take from it loses, however many
it takes. These heaps, 1 = U(0) < U(1) < …, are the place values of a numeration system: a position is a P-position if
the limit is less than the smallest place value in the sum for the heap (Schwenk, *Take-away games*, Fibonacci Quarterly
8, 1970). From some place on, each is the sum of the last and of an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from grundylab.automata.systems import FIBONACCI, MAX_BEGINS, System
from grundylab.check.samples import Samples

SEEN = 5  # fewest place values that are such a sum


def losing_heap_systems(samples: Samples) -> Iterator[System]:
    """Yield the systems whose place values are losing heaps, for each choice of the heap and of the limit.

    From some place on, each place value must be the sum of the last and of an earlier one.
    """
    if samples.values.dtype != bool or len(samples.variables) != len(samples.coordinates):
        return
    for heap, limit in permutations(samples.variables, 2):
        heaps = samples.columns[heap]
        lost = samples.values & (samples.columns[limit] < heaps)
        # the heaps n for which the positions with all limits from 0 to n - 1 are P
        sizes, counts = np.unique(heaps[lost], return_counts=True)
        places = sizes[counts == sizes].tolist()
        for order in range(2, len(places) - SEEN + 1) if places[:1] == [1] else ():
            sums = [n for n in range(order, len(places)) if places[n] == places[n - 1] + places[n - order]]
            rests = (range(n, len(places)) for n in range(order, len(places)))
            begin = next((rest[0] for rest in rests if sums[-len(rest) :] == [*rest]), None)
            if begin is not None and len(places) - begin >= SEEN and begin <= MAX_BEGINS:
                system = System((1, *(0,) * (order - 2), 1), tuple(places[:begin]))
                yield FIBONACCI if FIBONACCI.first(len(places)) == places else system
                break
