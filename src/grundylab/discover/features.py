"""The bank of exact integer features that trees split by. To add a sort of feature, add it to ``_trees``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.errors import EvaluationError
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import Binary, Call, Int, Name, called, chain

SUBSETS_OF = 6  # coordinates of which all subsets are taken; of more only pairs and the whole


@dataclass(frozen=True)
class Features:
    """trees: numbers, or conditions that count as 0 and 1. values: int64 (positions, features)."""

    trees: tuple[Expr, ...]
    values: Array

    def of(self, samples: Samples) -> Array:
        """The same features of other positions."""
        return _values(self.trees, samples)


def features(samples: Samples) -> Features:
    """The features of the samples, one of each behaviour, the simplest first."""
    trees = tuple(tree for tree in dict.fromkeys(_trees(samples)) if _has_values(tree, samples))
    values = _values(trees, samples)
    binary = (values.min(axis=0) >= 0) & (values.max(axis=0) <= 1)
    compared = np.where(binary, values ^ values[0], values)  # a condition splits as its opposite does
    _, first = np.unique(compared, axis=1, return_index=True)
    varied = [
        i for i in sorted(first) if values[:, i].min(initial=0) != values[:, i].max(initial=0) or i == 0
    ]
    return Features(tuple(trees[i] for i in varied), values[:, varied])


def _values(trees: Iterable[Expr], samples: Samples) -> Array:
    return np.stack(
        [evaluate_arrays(tree, samples.columns, samples.functions).astype(np.int64) for tree in trees], axis=1
    )


def _has_values(tree: Expr, samples: Samples) -> bool:
    """Whether it can be evaluated at all positions; only calls of the ruleset's functions may not be."""
    if not called(tree):
        return True
    try:
        values = evaluate_arrays(tree, samples.columns, samples.functions)
    except EvaluationError:
        return False
    return values.dtype != object


def _trees(samples: Samples) -> Iterator[Expr]:
    coordinates = [Name(name) for name in samples.variables if name not in samples.parameters]
    parameters = [Name(name) for name in samples.variables if name in samples.parameters]
    subsets = _subsets(coordinates)
    sums = [chain("+", subset) for subset in subsets]
    yield from coordinates
    yield from parameters
    for subset in subsets:
        yield chain("^", subset)
    yield from sums
    for a, b in combinations(coordinates, 2):
        yield from (Binary("-", a, b), Call("min", (a, b)), Call("max", (a, b)))
    for modulus in (2, 3, 4):
        for term in (*coordinates, *parameters, *sums):
            yield Binary("%", term, Int(modulus))
    for term in (*coordinates, *sums, *_weighted(coordinates)):
        for shift in (0, 1, 2):
            yield Call("is_power_of_two", (Binary("+", term, Int(shift)) if shift else term,))
    for parameter in parameters:
        for term in (*coordinates, *sums):
            yield Binary("-", term, parameter)
            if samples.columns[parameter.id].min() >= 0:
                yield Binary("%", term, Binary("+", parameter, Int(1)))
    for function in samples.functions:
        if len(function.arguments) == 1:
            for coordinate in coordinates:
                value = Call(function.name, (coordinate,))
                yield value
                yield from (Binary("-", other, value) for other in coordinates if other != coordinate)


def _subsets(coordinates: list[Name]) -> list[tuple[Name, ...]]:
    """All with at least two members, the smallest first."""
    count = len(coordinates)
    counts = range(2, count + 1) if count <= SUBSETS_OF else (2, count)
    return [subset for size in counts for subset in combinations(coordinates, size)]


def _weighted(coordinates: list[Name]) -> Iterator[Expr]:
    """``x + 2 * y``."""
    for a, b in permutations(coordinates, 2):
        yield Binary("+", a, Binary("*", Int(2), b))
