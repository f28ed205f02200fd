"""What genetic programming is asked: samples as problems of regression, and its answers as formulas.

A number is regressed as it is. A condition is regressed in two ways. If it holds at most once along a coordinate, as
in Sasaki et al. 2023 for the P-positions of games with a pass, that coordinate is the number to find where the
condition holds. Otherwise a term is looked for that is 0 exactly where the condition holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.base import Array
from grundylab.discover.operators import CONSTANTS
from grundylab.discover.ranking import exact
from grundylab.discover.rewriting import reduced
from grundylab.discover.tidy import spelled
from grundylab.language import Expr
from grundylab.language.syntax import Int, Name, compare


@dataclass(frozen=True)
class Problem:
    """Find a term that has the wanted value at as many rows as possible.

    features: int64 (rows, features); leaves: what each feature stands for. wanted: int64 (rows,). zero: it only
    matters whether the term is 0: wanted is 0 where it must be and 1 where it must not. weights: float (rows,), 1 on
    average. solved: the coordinate that the term describes, if it is one.
    """

    features: Array
    leaves: tuple[Expr, ...]
    wanted: Array
    weights: Array
    zero: bool = False
    solved: str | None = None

    def formula(self, term: Expr) -> Expr:
        """What the term says about the target."""
        if self.solved is not None:
            return compare("==", Name(self.solved), term)
        return compare("==", term, Int(0)) if self.zero else term


def solvable(samples: Samples) -> tuple[str, ...]:
    """The coordinates along which the condition holds at most once, wherever the other names are."""
    rows = np.stack([samples.columns[name][samples.values] for name in samples.names], axis=1)
    if not len(rows):
        return ()
    found = []
    for name in samples.variables:
        others = np.delete(rows, samples.names.index(name), axis=1)
        if name not in samples.parameters and len(np.unique(others, axis=0)) == len(rows):
            found.append(name)
    return tuple(found)


def problem(samples: Samples, size: int, rng: np.random.Generator) -> Problem:
    """The problem for the target, on a sample of about ``size`` positions.

    Of several coordinates that can be solved for it is the last: the others see the same positions.
    """
    if samples.values.dtype == bool and (coordinates := solvable(samples)):
        there = samples.at(np.flatnonzero(samples.values))
        chosen = np.sort(rng.permutation(len(there))[:size])
        return _problem(there.at(chosen), coordinates[-1])
    return _problem(samples.at(sampling.draw(samples, size)), None)


def _problem(samples: Samples, solved: str | None) -> Problem:
    names = [name for name in samples.variables if name != solved]
    columns = [samples.columns[name] for name in names]
    columns += [np.full(len(samples), constant) for constant in CONSTANTS]
    features = np.stack(columns, axis=1).astype(np.int64)
    leaves = (*map(Name, names), *map(Int, CONSTANTS))
    if solved is not None:
        return Problem(features, leaves, samples.columns[solved], np.ones(len(samples)), solved=solved)
    if samples.values.dtype != bool:
        return Problem(features, leaves, samples.values, np.ones(len(samples)))
    share = np.mean(samples.values)
    weights = np.ones(len(samples))
    if 0 < share < 1:
        weights = np.where(samples.values, 0.5 / share, 0.5 / (1 - share))
    return Problem(features, leaves, (~samples.values).astype(np.int64), weights, zero=True)


def answers(formulas: Iterable[Expr], samples: Samples) -> Iterator[Expr]:
    """The formulas made shorter: by rules, and, if they are exact on all samples, by what the data allow."""
    fits = partial(exact, samples=samples)
    for formula in dict.fromkeys(formulas):
        plain = spelled(formula, samples.names)
        yield spelled(reduced(plain, fits), samples.names) if fits(plain) else plain
