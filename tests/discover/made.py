"""Samples made from a formula, at all positions of a box, and the problem of genetic programming that they are."""

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.genetic import GeneticProblem, genetic_problem, solved_coordinate
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays


def made(formula: str, parameters: tuple[str, ...] = (), **ranges) -> Samples:
    """Return samples with the formula's values. ranges: the range of each name, in this order."""
    axes = np.meshgrid(*ranges.values(), indexing="ij")
    columns = {name: axis.reshape(-1) for name, axis in zip(ranges, axes, strict=True)}
    return Samples(tuple(ranges), columns, evaluate_arrays(parse(formula), columns), parameters)


def whole_problem(samples: Samples) -> GeneticProblem:
    """Return the problem on all rows that it may have."""
    solved = solved_coordinate(samples)
    rows = np.flatnonzero(samples.values if solved else np.ones(len(samples)))
    return genetic_problem(samples, solved, rows)
