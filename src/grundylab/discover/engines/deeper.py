"""The engine ``deeper``: the enumeration that ``search`` begins with, on and on as far as the work goes.

All formulas up to a cost are looked at that ``search`` has no time for, with small constants inside only. It comes when
the quicker engines have found nothing.
"""

from __future__ import annotations

from grundylab.check.samples import Samples
from grundylab.discover import complete
from grundylab.discover.base import BUDGET_SHARE, Proposals, out_of_time
from grundylab.discover.rewriting import tidy
from grundylab.discover.work import Work
from grundylab.games.model import Target


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """The simplest exact formulas, if there are any within reach."""
    work = Work(BUDGET_SHARE * budget_seconds)
    formulas = dict.fromkeys(tidy(formula, samples.names) for formula in complete.deeper(samples, work))
    return Proposals(tuple(formulas), (out_of_time(budget_seconds),) * work.over)
