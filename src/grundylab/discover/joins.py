"""Exact formulas from two terms, found by hashing: one equation, or one sum or nim-sum, for a whole sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grundylab.discover.base import Array
from grundylab.discover.rewriting import simplify
from grundylab.discover.terms import Terms, fingerprints, random_weights
from grundylab.formula import Expr
from grundylab.formula.syntax import Binary, Call, compare

GROUP = 40  # terms tried of those that agree where the target holds
KEPT = 6


def equations(terms: Terms, target: Array, rng: np.random.Generator) -> list[Expr]:
    """Conditions ``t == u`` that are the target on the whole sample, smallest first."""
    if not target.any() or target.all():
        return []
    holds, fails = terms.values[:, target], terms.values[:, ~target]
    prints = fingerprints(holds, random_weights(holds.shape[1], rng))
    order = np.lexsort((terms.sizes, prints))
    starts = np.flatnonzero(np.concatenate([[True], prints[order][1:] != prints[order][:-1]]))
    found: list[tuple[int, int, int]] = []
    for start, stop in zip(starts, [*starts[1:], len(order)], strict=True):
        if stop - start > 1:
            group = order[start : min(stop, start + GROUP)]
            found += _different(group, terms.sizes, holds, fails)
    return [compare("==", terms.expr(i), terms.expr(j)) for _, i, j in sorted(found)[:KEPT]]


def _different(group: Array, sizes: Array, holds: Array, fails: Array) -> Iterator[tuple[int, int, int]]:
    """Pairs of a group that differ wherever the target fails."""
    for number, i in enumerate(group[:-1]):
        others = group[number + 1 :]
        for j in others[(fails[others] != fails[i]).all(axis=1)]:
            if (holds[i] == holds[j]).all():
                yield int(sizes[i] + sizes[j]), int(i), int(j)


def combinations(terms: Terms, target: Array, rng: np.random.Generator) -> list[Expr]:
    """Numbers ``t ^ u``, ``t + u``, ``t - u``, ``min`` and ``max`` equal to the target on the whole sample."""
    wanted = target.astype(np.int32)
    weights = random_weights(len(wanted), rng)
    prints = fingerprints(terms.values, weights)
    order = np.argsort(prints, kind="stable")
    found: list[tuple[int, int, int, str]] = []
    for op, other in (("^", terms.values ^ wanted), ("+", wanted - terms.values), ("-", wanted + terms.values)):
        other = np.clip(other, -(1 << 15), 1 << 15)  # an entry that is cut agrees with no term
        sought = fingerprints(other, weights)
        place = np.minimum(np.searchsorted(prints[order], sought), len(order) - 1)
        match = order[place]
        for i in np.flatnonzero(prints[match] == sought):
            if (other[i] == terms.values[match[i]]).all():
                found.append((int(terms.sizes[i] + terms.sizes[match[i]]), int(i), int(match[i]), op))
    trees = [_combined(op, terms.expr(i), terms.expr(j)) for _, i, j, op in sorted(found)[: 3 * KEPT]]
    return list(dict.fromkeys([*trees, *_extremes(terms, wanted)]))


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
