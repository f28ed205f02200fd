"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from grundylab.discover.base import Candidate, Engine, Samples
from grundylab.discover.ranking import rank
from grundylab.discover.samples import collect
from grundylab.discover.search import propose as _search
from grundylab.discover.tree import propose as _tree
from grundylab.errors import GrundylabError
from grundylab.rulesets.model import Target
from grundylab.solve.table import Table

ENGINES: Mapping[str, Engine] = MappingProxyType({"search": _search, "tree": _tree})

__all__ = ["ENGINES", "Candidate", "Engine", "Samples", "collect", "discover"]


def discover(
    tables: Sequence[Table], target: Target, engine: str = "search", seed: int = 0, budget: float = 30.0
) -> list[Candidate]:
    """Candidates for the target, best first: exact on all training positions, then smallest, then by text.

    Partial candidates are kept with their share. budget: seconds after which an engine stops early (a safety
    stop: within it, the result depends on the seed only). Raises GrundylabError for an unknown engine.
    """
    if engine not in ENGINES:
        raise GrundylabError(f"unknown engine '{engine}'; engines: {', '.join(ENGINES)}")
    samples = collect(tables, target)
    return rank(ENGINES[engine](samples, target, seed, budget), samples, target, engine, seed)
