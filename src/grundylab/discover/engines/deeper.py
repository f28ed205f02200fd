"""The engine ``deeper``: the enumeration with which ``search`` begins, continued to costlier formulas.

Constants inside the formulas are small. The enumeration ends at the first cost at which a formula is exact, or when the
budget is used up; so this engine runs after the quicker ones.
"""

from __future__ import annotations

from grundylab.check.samples import Samples
from grundylab.discover import complete
from grundylab.discover.base import BUDGET_SHARE, Proposals, out_of_time
from grundylab.discover.rewriting import tidy
from grundylab.discover.search_budget import SearchBudget
from grundylab.games.model import Target


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the plainest of the cheapest exact formulas, if there are any, with a note on the number of others."""
    work = SearchBudget(BUDGET_SHARE * budget_seconds)
    formulas = list(
        dict.fromkeys(tidy(formula, samples.names) for formula in complete.deeper_formulas(samples, work))
    )
    notes = (out_of_time(budget_seconds),) * work.over
    if len(formulas) > 1:
        notes += (f"{len(formulas) - 1} more formulas of no higher cost agree with it on these positions",)
    return Proposals(tuple(formulas[:1]), notes)
