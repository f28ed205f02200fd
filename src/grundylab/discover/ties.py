"""Formulas that the positions cannot tell apart: the same size, exact on all of them, but different elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Array
from grundylab.discover.fingerprints import scattered, scrambled
from grundylab.discover.rewriting import plainness
from grundylab.errors import EvaluationError
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Compare, Int, walk

CONSTANTS = range(9)  # that are put in the place of others
TOGETHER = 2  # constants of one comparison that are changed at once
BEYOND = 400  # positions beyond the known ones, at which formulas are told apart
MOST = 12  # ties listed


def ties(exact: Iterable[Expr], fits: Callable[[Expr], bool], samples: Samples) -> list[Expr]:
    """The exact formulas, plainest first, one for each behaviour on and beyond the positions.

    Those of the least size come with what differs from them in the constants of one comparison only, if it fits.
    """
    ordered = sorted(exact, key=plainness)
    least = [formula for formula in ordered if formula.size == ordered[0].size]
    rivals = {rival for formula in least for rival in _other_constants(formula) if fits(rival)}
    found: dict[object, Expr] = {}
    columns = _beyond(samples)
    for formula in (*sorted({*least, *rivals}, key=plainness), *ordered[len(least) :]):
        found.setdefault(_behaviour(formula, columns, samples), formula)
    first = [formula for formula in found.values() if formula.size == ordered[0].size]
    return first[:MOST] + [formula for formula in found.values() if formula.size > ordered[0].size]


def _other_constants(expr: Expr) -> Iterator[Expr]:
    """The expression with other constants in one of its comparisons, or with another one elsewhere."""
    match expr:
        case Int(value=value):
            yield from (Int(other) for other in CONSTANTS if other != value)
        case Compare() if sum(isinstance(node, Int) for node in walk(expr)) == TOGETHER:
            yield from (_with_constants(expr, iter(pair)) for pair in product(CONSTANTS, repeat=TOGETHER))
        case _:
            children = expr.children
            for index, child in enumerate(children):
                for other in _other_constants(child):
                    yield rebuild(expr, (*children[:index], other, *children[index + 1 :]))


def _with_constants(expr: Expr, constants: Iterator[int]) -> Expr:
    if isinstance(expr, Int):
        return Int(next(constants))
    return rebuild(expr, tuple(_with_constants(child, constants) for child in expr.children))


def _beyond(samples: Samples) -> dict[str, Array]:
    """Columns of some positions about twice as large, and of parameters; what is 0 or 1 only stays so."""
    rows = scattered(np.arange(len(samples)))[:BEYOND]
    columns = {}
    for number, name in enumerate(samples.names):
        column = samples.columns[name]
        bits = (scrambled(rows + number * len(samples)) & np.uint64(1)).astype(np.int64)
        columns[name] = column[rows] if column.max() <= 1 else 2 * column[rows] + bits
    return columns


def _behaviour(formula: Expr, columns: dict[str, Array], samples: Samples) -> object:
    """What formulas have in common that are equal there too; one without a value is unlike all others."""
    try:
        return tuple(evaluate_arrays(formula, columns, samples.functions).tolist())
    except EvaluationError:
        return str(formula)
