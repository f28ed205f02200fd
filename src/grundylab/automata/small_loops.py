"""The functions of ``loops`` in plain Python: about eight times slower, but without the time that numba takes to start.

Tables are those of ``Dfa``: next is an int32 array (states, letters), sign a bool array of the same shape.
"""

from __future__ import annotations

import numpy as np

from grundylab.numeric import Array


def product(
    next_a: Array,
    sign_a: Array,
    left: Array,
    next_b: Array,
    sign_b: Array,
    right: Array,
    truth: int,
    most: int,
) -> tuple[Array, Array]:
    """Return the product's tables, as ``loops.product`` does."""
    rows_a, rows_b, width = next_a[:, left].tolist(), next_b[:, right].tolist(), len(left)
    pairs, numbers, after = [(0, 0)], {(0, 0): 0}, []
    for state_a, state_b in pairs:  # grows
        row = []
        for pair in zip(rows_a[state_a], rows_b[state_b], strict=True):
            number = numbers.get(pair)
            if number is None:
                if len(pairs) == most:
                    return np.empty((0, width), np.int32), np.empty((0, width), np.bool_)
                number = numbers[pair] = len(pairs)
                pairs.append(pair)
            row.append(number)
        after.append(row)
    of_a, of_b = np.array(pairs).T
    both = 2 * sign_b[of_b][:, right] + sign_a[of_a][:, left].astype(np.int8)
    return np.array(after, np.int32), (truth >> both & 1).astype(np.bool_)


def groups_by_row(rows: Array) -> tuple[Array, Array]:
    """Group equal rows of a table, as ``loops.groups_by_row`` does."""
    width = rows.shape[1] * rows.itemsize
    raw, numbers = rows.tobytes(), dict[bytes, int]()
    first, group = list[int](), list[int]()
    for state in range(len(rows)):
        key = raw[state * width : (state + 1) * width]
        number = numbers.setdefault(key, len(numbers))
        if number == len(first):
            first.append(state)
        group.append(number)
    return np.array(first, np.int64), np.array(group, np.int64)


def refined(group: Array, after: Array) -> tuple[Array, Array]:
    """Refine the groups of states, as ``loops.refined`` does."""
    return groups_by_row(np.hstack([group[:, None], group[after]]))


def subsets(tables: Array, sign: Array, most: int) -> tuple[Array, Array]:
    """Make a nondeterministic automaton deterministic, as ``loops.subsets`` does."""
    _, states, width = tables.shape
    bits = [1 << state for state in range(states)]
    reached = [
        [sum(bits[to] for to in {*column}) for column in row] for row in np.moveaxis(tables, 0, -1).tolist()
    ]
    accepting = sign.tolist()
    sets, numbers, after, signs = [1], {1: 0}, [], []
    for members in sets:  # grows
        inside = [state for state in range(states) if members >> state & 1]
        row = []
        for letter in range(width):
            to = 0
            for state in inside:
                to |= reached[state][letter]
            number = numbers.get(to)
            if number is None:
                if len(sets) == most:
                    return np.empty((0, width), np.int32), np.empty((0, width), np.bool_)
                number = numbers[to] = len(sets)
                sets.append(to)
            row.append(number)
        after.append(row)
        signs.append([any(accepting[state][letter] for state in inside) for letter in range(width)])
    return np.array(after, np.int32), np.array(signs, np.bool_)
