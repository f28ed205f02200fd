"""The compiled inner loops of the operations on automata.

Tables are those of ``Dfa``: next is an integer array (states, letters), sign a bool array of the same shape.
"""

from __future__ import annotations

from typing import Any

import numba as nb
import numpy as np

from grundylab.numeric import Array

_MIX = np.uint64(0x9E3779B97F4A7C15)  # any odd number will do: keys with equal hashes are compared
_SHIFT = np.uint64(29)
_ROOM = 2  # least ratio of places to keys in a hash table


@nb.njit(cache=True, nogil=True)
def _mixed(number: Any) -> Any:  # noqa: ANN401 - a 64-bit number
    number = (number ^ (number >> _SHIFT)) * _MIX
    return number ^ (number >> _SHIFT)


@nb.njit(cache=True, nogil=True)
def _place(keys: Array, key: int) -> Any:  # noqa: ANN401 - a 64-bit number
    """Return the index of the key in a hash table, or else the free index for it; ``keys`` is -1 at free indices."""
    last = len(keys) - 1
    at = np.int64(_mixed(np.uint64(key)) & np.uint64(last))
    while keys[at] != key and keys[at] != -1:
        at = (at + 1) & last
    return at


@nb.njit(cache=True, nogil=True)
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
    """Return the tables (next, sign) of the product of automata a and b; its states are pairs reachable from (0, 0).

    left, right: for each letter of the product, the corresponding letter of a, and of b. truth: the boolean operation:
    bit 2*v + u is the product's answer where a answers u and b answers v (0 or 1). most: the greatest number of pairs;
    if there are more, the tables are empty.
    """
    width, wide = len(left), np.int64(len(next_b))
    room = 64
    after, sign = np.empty((room, width), np.int32), np.empty((room, width), np.bool_)
    pairs = np.empty(room, np.int64)
    keys, numbers = np.full(_ROOM * room, -1, np.int64), np.empty(_ROOM * room, np.int32)
    pairs[0], count = 0, 1
    at = _place(keys, 0)
    keys[at], numbers[at] = 0, 0
    state = 0
    while state < count:
        state_a, state_b = pairs[state] // wide, pairs[state] % wide
        for letter in range(width):
            u, v = left[letter], right[letter]
            sign[state, letter] = (truth >> (2 * sign_b[state_b, v] + sign_a[state_a, u])) & 1
            pair = next_a[state_a, u] * wide + next_b[state_b, v]
            at = _place(keys, pair)
            if keys[at] == -1:
                if count == most:
                    return np.empty((0, width), np.int32), np.empty((0, width), np.bool_)
                if count == room:
                    room *= 2
                    after, sign = _longer(after, room), _longer(sign, room)
                    longer = np.empty(room, np.int64)
                    longer[:count] = pairs
                    pairs = longer
                    keys, numbers = np.full(_ROOM * room, -1, np.int64), np.empty(_ROOM * room, np.int32)
                    for number in range(count):
                        at = _place(keys, pairs[number])
                        keys[at], numbers[at] = pairs[number], number
                    at = _place(keys, pair)
                pairs[count] = pair
                keys[at], numbers[at] = pair, count
                count += 1
            after[state, letter] = numbers[at]
        state += 1
    return after[:count].copy(), sign[:count].copy()


@nb.njit(cache=True, nogil=True)
def _longer(table: Array, room: int) -> Array:
    new = np.empty((room, table.shape[1]), table.dtype)
    new[: len(table)] = table
    return new


@nb.njit(cache=True, nogil=True)
def groups_by_row(rows: Array) -> tuple[Array, Array]:
    """Group equal rows of a table; return the index of each group's first row, in order, and the group of each row."""
    states, width = rows.shape
    room = 2
    while room < _ROOM * states:
        room *= 2
    heads = np.full(room, -1, np.int64)  # groups by hashes of their rows; -1 where free
    first, group = np.empty(states, np.int64), np.empty(states, np.int64)
    count = 0
    for state in range(states):
        mix = np.uint64(0)
        for letter in range(width):
            mix = _mixed(mix ^ np.uint64(rows[state, letter]))
        at = np.int64(mix & np.uint64(room - 1))
        while heads[at] >= 0:
            head = first[heads[at]]
            same = True
            for letter in range(width):
                if rows[head, letter] != rows[state, letter]:
                    same = False
                    break
            if same:
                break
            at = (at + 1) & (room - 1)
        if heads[at] < 0:
            heads[at] = count
            first[count] = state
            count += 1
        group[state] = heads[at]
    return first[:count].copy(), group


@nb.njit(cache=True, nogil=True)
def refined(group: Array, after: Array) -> tuple[Array, Array]:
    """Split each group in which two states are led by one letter to different groups.

    Returns the first state of each new group, and the new group of each state. group: the old group of each state.
    after: the next state of each state by letter.
    """
    states, width = after.shape
    rows = np.empty((states, width + 1), np.int64)
    for state in range(states):
        rows[state, 0] = group[state]
        for letter in range(width):
            rows[state, letter + 1] = group[after[state, letter]]
    return groups_by_row(rows)


@nb.njit(cache=True, nogil=True)
def subsets(tables: Array, sign: Array, most: int) -> tuple[Array, Array]:
    """Return the tables (next, sign) of a nondeterministic automaton made deterministic; its states are sets of states.

    tables: an array (number, states, letters): a letter leads from a state to one state in each table. sign: whether
    the automaton may accept if a letter is repeated for ever from a state. most: the greatest number of sets; if there
    are more, the tables are empty.
    """
    number, states, width = tables.shape
    words = (states + 63) // 64  # a set is a row of bits
    room = 64
    after, signs = np.empty((room, width), np.int32), np.zeros((room, width), np.bool_)
    sets, heads = np.zeros((room, words), np.uint64), np.full(_ROOM * room, -1, np.int64)
    members, to = np.empty(states, np.int64), np.empty(words, np.uint64)
    sets[0, 0] = np.uint64(1)
    heads[_free_or_equal(sets, sets[0], heads)] = 0
    count, state = 1, 0
    while state < count:
        size = 0
        for member in range(states):
            if (sets[state, member // 64] >> np.uint64(member % 64)) & np.uint64(1):
                members[size] = member
                size += 1
        for letter in range(width):
            to[:] = np.uint64(0)
            accepts = False
            for index in range(size):
                member = members[index]
                accepts = accepts or sign[member, letter]
                for table in range(number):
                    target = tables[table, member, letter]
                    to[target // 64] |= np.uint64(1) << np.uint64(target % 64)
            signs[state, letter] = accepts
            at = _free_or_equal(sets, to, heads)
            if heads[at] < 0:
                if count == most:
                    return np.empty((0, width), np.int32), np.empty((0, width), np.bool_)
                if count == room:
                    room *= 2
                    after, signs = _longer(after, room), _longer(signs, room)
                    sets, heads = _longer(sets, room), np.full(_ROOM * room, -1, np.int64)
                    for old in range(count):
                        heads[_free_or_equal(sets, sets[old], heads)] = old
                    at = _free_or_equal(sets, to, heads)
                sets[count] = to
                heads[at] = count
                count += 1
            after[state, letter] = heads[at]
        state += 1
    return after[:count].copy(), signs[:count].copy()


@nb.njit(cache=True, nogil=True)
def _free_or_equal(rows: Array, row: Array, heads: Array) -> Any:  # noqa: ANN401 - an index
    """Return the index in a hash table of the equal row, or else a free one; ``heads`` has numbers of rows, or -1."""
    mix = np.uint64(0)
    for word in row:
        mix = _mixed(mix ^ word)
    last = len(heads) - 1
    at = np.int64(mix & np.uint64(last))
    while heads[at] >= 0:
        if np.array_equal(rows[heads[at]], row):
            break
        at = (at + 1) & last
    return at
