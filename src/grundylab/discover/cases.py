"""Where one number is a function of another: on all positions, or by cases of few simple conditions.

The target is a function of a number g on some positions if no two of them have the same g and different targets. Of the
conditions that tell such positions apart the smallest are found, up to two of them, and the cases they make.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.rewriting import negate, relation
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, Binary, Call, Int, Name, chain, compare

CONSTANTS = (0, 1, 2, 3)
MODULI = (2, 3, 4)
SCREENED = 20_000  # positions that conditions are first tried on
FIRST = 60  # conditions that a second one is looked for beside
MOST = 6  # ways of telling cases apart that are kept


@dataclass(frozen=True)
class Tests:
    """Conditions on positions, the smallest first. rows: bool (conditions, positions)."""

    trees: tuple[Expr, ...]
    rows: Array


@dataclass(frozen=True)
class Case:
    """Positions (as a mask) on which the target is a function of g, and the condition that sets them apart.

    The condition is asked after those of the cases before; it is True in the last case.
    """

    mask: Array
    condition: Expr


Cases = tuple[Case, ...]  # in the order in which they are asked


def is_function(g: Array, values: Array) -> bool:
    """Whether equal g have equal values."""
    return conflict(g, values) is None


def conflict(g: Array, values: Array) -> tuple[int, int] | None:
    """The first two rows (by the later one) with equal g and different values."""
    _, first, which = np.unique(g, return_index=True, return_inverse=True)
    earlier = first[which.reshape(-1)]
    wrong = np.flatnonzero(values != values[earlier])
    return (int(earlier[wrong[0]]), int(wrong[0])) if len(wrong) else None


def cases_of(samples: Samples, g: Array) -> list[Cases]:
    """The smallest ways to tell cases apart in each of which the target is a function of g; at most two conditions.

    One case, if it is a function throughout; none, if no two of the conditions that are tried are enough.
    """
    everywhere = np.ones(len(samples), dtype=bool)
    if is_function(g, samples.values):
        return [(Case(everywhere, TRUE),)]
    found: list[Cases] = []
    bank = tests(samples)
    screen = np.unique(np.linspace(0, len(samples) - 1, min(SCREENED, len(samples))).astype(np.int64))
    seen = _Seen(bank.rows[:, screen], g[screen], samples.values[screen])
    for chosen in seen.lists():
        made = _made(bank, chosen)
        if all(is_function(g[case.mask], samples.values[case.mask]) for case in made):
            found.append(made)
        if len(found) == MOST:
            break
    return found


def _made(bank: Tests, chosen: tuple[tuple[int, bool], ...]) -> Cases:
    """The cases of the conditions (number, and whether it is where the condition holds that is set apart)."""
    left = np.ones(bank.rows.shape[1], dtype=bool)
    parts = []
    for index, holds in chosen:
        here = bank.rows[index] == holds
        tree = bank.trees[index]
        parts.append(Case(left & here, tree if holds else negate(tree)))
        left = left & ~here
    return (*parts, Case(left, TRUE))


class _Seen:
    """On which sides of which conditions the target is a function of g."""

    def __init__(self, rows: Array, g: Array, values: Array) -> None:
        pairs, which = np.unique(np.stack([g, values], axis=1), axis=0, return_inverse=True)
        order = np.argsort(which.reshape(-1), kind="stable")
        self._rows = rows[:, order]
        self._starts = np.searchsorted(which.reshape(-1)[order], np.arange(len(pairs)))
        self._groups = np.searchsorted(pairs[:, 0], np.unique(pairs[:, 0]))

    def lists(self) -> Iterator[tuple[tuple[int, bool], ...]]:
        """One condition; or else two, the first of which sets a case apart."""
        everywhere = np.ones(self._rows.shape[1], dtype=bool)
        yes, no = self._pure(everywhere)
        single = np.flatnonzero(yes & no)
        yield from (((int(index), True),) for index in single)
        if len(single):
            return
        for index in np.flatnonzero(yes ^ no)[:FIRST]:
            holds = bool(yes[index])
            rest = self._rows[index] != holds
            both = np.logical_and(*self._pure(rest))
            yield from (
                ((int(index), holds), (int(other), True)) for other in np.flatnonzero(both) if other != index
            )

    def _pure(self, among: Array) -> tuple[Array, Array]:
        """For each condition whether the target is a function of g where it holds, and where not."""
        return self._functional(self._rows & among), self._functional(~self._rows & among)

    def _functional(self, rows: Array) -> Array:
        if not rows.shape[1]:
            return np.zeros(len(rows), dtype=bool)
        met = np.logical_or.reduceat(rows, self._starts, axis=1)
        several = np.add.reduceat(met, self._groups, axis=1, dtype=np.int64)
        return np.asarray((several.max(axis=1) <= 1) & met.any(axis=1))


def tests(samples: Samples) -> Tests:
    """Conditions on the coordinates and parameters, one of each behaviour, the smallest first."""
    trees = sorted(dict.fromkeys(_conditions(samples)), key=lambda tree: (tree.size, str(tree)))
    rows = np.stack([evaluate_arrays(tree, samples.columns) for tree in trees]) if trees else None
    if rows is None:
        return Tests((), np.empty((0, len(samples)), dtype=bool))
    packed = np.packbits(rows ^ rows[:, :1], axis=1)  # a condition splits as its opposite does
    _, first = np.unique(packed, axis=0, return_index=True)
    varied = [int(i) for i in sorted(first) if packed[i].any()]
    return Tests(tuple(trees[i] for i in varied), rows[varied])


def _conditions(samples: Samples) -> Iterator[Expr]:
    for term in _numbers(samples):
        for constant in CONSTANTS:
            yield relation("==", term, constant)
            yield relation("<", term, constant)
        for modulus in MODULI:
            for rest in range(modulus):
                yield compare("==", Binary("%", term, Int(modulus)), Int(rest))


def _numbers(samples: Samples) -> Iterator[Expr]:
    """Coordinates, parameters, what is symmetric in the coordinates, and differences."""
    coordinates = [Name(name) for name in samples.variables if name not in samples.parameters]
    parameters = [Name(name) for name in samples.variables if name in samples.parameters]
    yield from (*coordinates, *parameters)
    yield from (Binary("-", a, b) for a, b in combinations((*coordinates, *parameters), 2))
    if len(coordinates) > 1:
        total, largest = chain("+", coordinates), Call("max", tuple(coordinates))
        yield from (total, largest, Call("min", tuple(coordinates)), chain("^", coordinates))
        yield Binary("-", total, largest)
        yield from (Binary("-", total, parameter) for parameter in parameters)
