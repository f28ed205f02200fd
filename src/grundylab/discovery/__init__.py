"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import cast

from grundylab.discovery.base import BUDGET_SHARE, Candidate, Engine, Samples
from grundylab.discovery.exceptions import mended
from grundylab.discovery.ranking import rank
from grundylab.discovery.samples import collect
from grundylab.discovery.settings import conditioned
from grundylab.errors import GrundylabError
from grundylab.formula.syntax import TRUE, Expr
from grundylab.rulesets.model import Target
from grundylab.solving.table import Table

# Each engine is the module of its name; it is imported when it is first used, since some take long to.
ENGINES = ("search", "tree", "automata", "runs", "periods")

__all__ = [
    "ENGINES",
    "Candidate",
    "Engine",
    "Samples",
    "collect",
    "discover",
    "engine_named",
    "stopped_early",
]


def engine_named(name: str) -> Engine:
    """The engine; raises GrundylabError for an unknown one."""
    if name not in ENGINES:
        raise GrundylabError(f"unknown engine '{name}'; engines: {', '.join(ENGINES)}")
    return cast(Engine, importlib.import_module(f"grundylab.discovery.{name}").propose)


def stopped_early(seconds: float, budget: float) -> bool:
    """Whether a search of this many seconds was ended by its budget: a larger one may find more."""
    return seconds >= BUDGET_SHARE * budget


def discover(
    tables: Sequence[Table],
    target: Target,
    engine: str = "search",
    seed: int = 0,
    budget: float = 30.0,
    where: Expr = TRUE,
) -> list[Candidate]:
    """Candidates for the target, best first: exact on all training positions, then smallest, then by text.

    After the exact ones come those that are exact under a condition on the parameters. Partial candidates are kept with
    their share. budget: seconds after which an engine stops early (a safety
    stop: within it, the result depends on the seed only). where: the positions that are learnt from. Raises
    GrundylabError for an unknown engine, or if there is no such position.
    """
    propose = engine_named(engine)
    samples = collect(tables, target, where)
    candidates = rank(propose(samples, target, seed, budget), samples, target, engine, seed)
    return conditioned(mended(candidates, samples), samples, engine_named("search"))
