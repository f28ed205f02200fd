"""Exact formulas from two terms, found by hashing: one comparison, or one sum or nim-sum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.fingerprints import LARGEST, fingerprints, weights
from grundylab.discover.rewriting import simplify
from grundylab.discover.scatter import scattered
from grundylab.discover.terms import Terms
from grundylab.language import Expr
from grundylab.language.syntax import Binary, Call, compare

LOOKED_UP = 10_000  # of the cheapest terms sums and nim-sums of two are looked up
POSITIONS = 400  # by their values at so many positions; all are checked for what is found
COMPARED = 800  # of the cheapest terms every two are compared by < and <=
SCREENED = 48  # first at so many positions
GROUP = 40  # of the terms that agree where the target holds every two are tried,
FIRST = 4  # and so many with all others
CHUNK = 20_000  # pairs that are screened at once
KEPT = 6


def equations(terms: Terms, target: Array) -> list[Expr]:
    """Conditions ``t == u`` that are the target on the whole sample, smallest first."""
    if not target.any() or target.all():
        return []
    holds, fails = terms.values[:, target], terms.values[:, ~target]
    prints = fingerprints(holds, weights(holds.shape[1]))
    order = np.lexsort((terms.sizes, prints))
    starts = np.flatnonzero(np.concatenate([[True], prints[order][1:] != prints[order][:-1]]))
    groups = [order[a:b] for a, b in zip(starts, [*starts[1:], len(order)], strict=True) if b - a > 1]
    if not groups:
        return []
    one, other = (np.concatenate(side) for side in zip(*map(_pairs, groups), strict=True))
    differ = _differ(fails, one, other)
    one, other = _first_of_each(one[differ], other[differ])
    same = (holds[one] == holds[other]).all(axis=1)
    one, other = one[same], other[same]
    smallest = np.lexsort((other, one, terms.sizes[one] + terms.sizes[other]))[:KEPT]
    return [compare("==", terms.expr(int(one[n])), terms.expr(int(other[n]))) for n in smallest]


def _pairs(group: Array) -> tuple[Array, Array]:
    """Pairs of a group: those of the smallest ones, and of a few with all others."""
    number, with_ = np.triu_indices(len(group[:GROUP]), 1)
    more = np.arange(GROUP, len(group))
    few = np.repeat(np.arange(FIRST), len(more))
    with_ = np.concatenate([with_, np.tile(more, FIRST if len(more) else 0)])
    number = np.concatenate([number, few])
    order = np.lexsort((with_, number))
    return group[number[order]], group[with_[order]]


def _differ(fails: Array, one: Array, other: Array) -> Array:
    """Which pairs of terms differ at all of these positions; a few are looked at first."""
    found = np.ones(len(one), dtype=bool)
    for start in range(0, len(one), CHUNK):
        part = slice(start, start + CHUNK)
        found[part] = (fails[one[part], :SCREENED] != fails[other[part], :SCREENED]).all(axis=1)
    if fails.shape[1] > SCREENED:
        for pair in np.flatnonzero(found):
            found[pair] = (fails[one[pair]] != fails[other[pair]]).all()
    return found


def _first_of_each(one: Array, other: Array) -> tuple[Array, Array]:
    """Of each first term no more than the first few pairs, which stand together."""
    begins = np.concatenate([[True], one[1:] != one[:-1]]) if len(one) else np.ones(0, dtype=bool)
    numbers = np.arange(len(one))
    kept = numbers - np.maximum.accumulate(np.where(begins, numbers, 0)) < KEPT
    return one[kept], other[kept]


def inequalities(terms: Terms, target: Array) -> list[Expr]:
    """Conditions ``t < u`` and ``t <= u`` of cheap terms that are the target on the sample, smallest first."""
    values = terms.values[:COMPARED]
    some = np.sort(scattered(np.arange(len(target)))[:SCREENED])
    few, wanted = np.ascontiguousarray(values[:, some]), target[some]
    found: list[tuple[int, int, int, str]] = []
    for i, row in enumerate(few):
        for op, truth in (("<", row < few), ("<=", row <= few)):
            for j in np.flatnonzero((truth == wanted).all(axis=1)):
                whole = values[i] < values[j] if op == "<" else values[i] <= values[j]
                if (whole == target).all():
                    found.append((int(terms.sizes[i] + terms.sizes[j]), i, int(j), op))
    return [compare(op, terms.expr(i), terms.expr(j)) for _, i, j, op in sorted(found)[:KEPT]]


def combinations(terms: Terms, target: Array) -> list[Expr]:
    """Numbers ``t ^ u``, ``t + u``, ``t - u``, ``min`` and ``max`` that are the target on the sample."""
    wanted, values = target.astype(np.int32), terms.values[:LOOKED_UP]
    some = np.sort(scattered(np.arange(len(wanted)))[:POSITIONS])
    by = weights(len(some))
    part, sought_part = np.ascontiguousarray(values[:, some]), wanted[some]
    prints = fingerprints(part, by)
    order = np.argsort(prints, kind="stable")
    found: list[tuple[int, int, int, str]] = []
    for op, other in (("^", part ^ sought_part), ("+", sought_part - part), ("-", sought_part + part)):
        fits = np.flatnonzero(np.abs(other).max(axis=1, initial=0) <= LARGEST)
        sought = fingerprints(other[fits], by)
        match = order[np.minimum(np.searchsorted(prints[order], sought), len(order) - 1)]
        for i, j in zip(fits[prints[match] == sought], match[prints[match] == sought], strict=True):
            if (_value(op, values[i], values[j]) == wanted).all():
                found.append((int(terms.sizes[i] + terms.sizes[j]), int(i), int(j), op))
    trees = [_combined(op, terms.expr(i), terms.expr(j)) for _, i, j, op in sorted(found)[: 3 * KEPT]]
    return list(dict.fromkeys([*trees, *_extremes(terms, wanted)]))


def _value(op: str, term: Array, other: Array) -> Array:
    if op == "^":
        return np.bitwise_xor(term, other)
    return np.add(term, other) if op == "+" else np.subtract(other, term)


def _combined(op: str, term: Expr, other: Expr) -> Expr:
    """``t op u``; for a difference the target plus t was looked up, so t is what is taken away."""
    return Binary("-", other, term) if op == "-" else Binary(op, term, other)


def _extremes(terms: Terms, wanted: Array) -> Iterator[Expr]:
    for name, beyond in (("min", terms.values >= wanted), ("max", terms.values <= wanted)):
        fitting = np.flatnonzero(beyond.all(axis=1))[:400]
        equal = terms.values[fitting] == wanted
        for number, i in enumerate(fitting[:100]):
            rest = np.flatnonzero((equal | equal[number]).all(axis=1))
            if len(rest):
                yield simplify(Call(name, (terms.expr(int(i)), terms.expr(int(fitting[rest[0]])))))
                break
