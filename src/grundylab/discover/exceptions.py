"""Formulas with finitely many exceptions: wrong at few positions, all of them small, while the table goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.check.verification import FEW, Exceptional, corner
from grundylab.discover.base import Array, Candidate
from grundylab.discover.ranking import errors, exact
from grundylab.discover.sampling import settings
from grundylab.language.syntax import Expr, If, Int, Kind, Not, conjunction, disjunction


def exceptions(formula: Expr, samples: Samples) -> tuple[Exceptional, ...]:
    """Where the formula is wrong, if that is at few positions, the same for all parameters, far from the edge.

    Far: each coordinate that takes values up to 8 or more is within a quarter of its largest. For a condition, it must
    be true somewhere and false somewhere beyond. Empty if the formula is right or has no such exceptions.
    """
    wrong = errors(formula, samples)
    if wrong is None or not 0 < np.count_nonzero(wrong) <= FEW * (settings(samples).max() + 1):
        return ()
    rows = np.flatnonzero(wrong)
    inside = _inside(samples)
    if inside is None or not np.all(inside[rows]):
        return ()
    beyond = samples.values[~inside]
    if beyond.dtype == bool and (beyond.all() or not beyond.any()):
        return ()
    found = {}
    for row in rows:
        position = tuple((name, int(samples.columns[name][row])) for name in samples.coordinates)
        there = np.logical_and.reduce([samples.columns[name] == value for name, value in position])
        truths = set(samples.values[there].tolist())
        if len(truths) > 1:
            return ()
        found[position] = Exceptional(dict(position), int(truths.pop()))
    return tuple(found[position] for position in sorted(found)) if len(found) <= FEW else ()


def _inside(samples: Samples) -> Array | None:
    """Which positions are small in every coordinate that grows; None if none grows."""
    ends = corner({name: int(samples.columns[name].max()) for name in samples.coordinates})
    if not ends:
        return None
    within: Array = np.logical_and.reduce([samples.columns[name] <= end for name, end in ends.items()])
    return within


def overridden(formula: Expr, found: Sequence[Exceptional]) -> Expr:
    """The formula that has the true value at the exceptions, and is asked only elsewhere."""
    if formula.kind is Kind.CONDITION:
        yes = [exception.where for exception in found if exception.truth]
        no = [Not(exception.where) for exception in found if not exception.truth]
        return disjunction(*yes, conjunction(*no, formula))
    for value in sorted({exception.truth for exception in found}, reverse=True):
        here = disjunction(*(exception.where for exception in found if exception.truth == value))
        formula = If(here, Int(value), formula)
    return formula


def mended(candidates: Sequence[Candidate], samples: Samples) -> list[Candidate]:
    """The candidates, and those with exceptions that are smaller than every exact one; exact ones first."""
    best = min((candidate.size for candidate in candidates if candidate.exact), default=None)
    found = list[Candidate]()
    for candidate in candidates:
        if candidate.exact or not candidate.plain or not (known := exceptions(candidate.formula, samples)):
            continue
        formula = overridden(candidate.formula, known)
        if exact(formula, samples) and (best is None or formula.size < best):
            found.append(replace(candidate, formula=formula, correct=len(samples), exceptions=known))
    found.sort(key=lambda candidate: (candidate.size, str(candidate.formula)))
    return [*found, *candidates]
