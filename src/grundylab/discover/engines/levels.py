"""The engine ``levels``: of a number with few values, where it has each of them, as ``search`` finds conditions.

The answers are put together by cases: 0 where the first holds, 1 where the second does, and so on.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import BUDGET_SHARE, Proposals, out_of_time
from grundylab.discover.engines import search
from grundylab.discover.ranking import exact
from grundylab.discover.rewriting import tidy
from grundylab.discover.work import Work
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import Int, by_cases

LEVELS = 8  # different values, at most


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """The number by cases, if a condition is found for all values but the largest."""
    values = np.unique(samples.values).tolist()
    if samples.values.dtype == bool or not 1 < len(values) <= LEVELS:
        return Proposals()
    work, cases, rest = Work(BUDGET_SHARE * budget_seconds), list[tuple[Expr, Expr]](), samples
    for value in values[:-1]:
        level = replace(rest, values=rest.values == value)
        formulas, _ = search.found(level, work)  # a part for each would do no good: all are needed
        formula = next((formula for formula in formulas if exact(formula, level)), None)
        if formula is None:
            notes = (out_of_time(budget_seconds),) * work.over
            return Proposals((), (*notes, f"where it is {value} no condition says"))
        cases.append((formula, Int(value)))
        rest = rest.at(~level.values)
    return Proposals((tidy(by_cases(cases, Int(values[-1])), samples.names),))
