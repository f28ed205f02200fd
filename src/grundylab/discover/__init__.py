"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from grundylab.check.samples import Samples, collect, of_frame
from grundylab.discover.base import Candidate, Engine, Proposals
from grundylab.discover.conditions import conditioned
from grundylab.discover.exceptions import mended
from grundylab.discover.ranking import rank
from grundylab.errors import GrundylabError
from grundylab.games.model import Target
from grundylab.language.syntax import TRUE, Expr, Int, Name, compare, conjunction
from grundylab.solve.table import Table

# Each engine is the module of its name; it is imported when it is first used, since some take long to.
ENGINES = ("search", "tree", "automata", "runs", "periods", "transfer", "gplearn", "pysr")
SEEDED = ("transfer", "gplearn", "pysr")
NOTHING = "no formula of its kind was found"

__all__ = [
    "ENGINES",
    "Candidate",
    "Engine",
    "Findings",
    "Proposals",
    "Samples",
    "collect",
    "discover",
    "engine_named",
    "explore",
    "learnt",
    "of_frame",
    "uses_seed",
]


@dataclass(frozen=True)
class Findings:
    """What one engine found for one target: candidates, best first, and its notes."""

    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...]


def engine_named(name: str) -> Engine:
    """The engine; raises GrundylabError for an unknown one."""
    if name not in ENGINES:
        raise GrundylabError(f"unknown engine '{name}'; engines: {', '.join(ENGINES)}")
    return cast(Engine, importlib.import_module(f"grundylab.discover.{name}").propose)


def uses_seed(name: str) -> bool:
    """Whether what the engine finds may depend on the seed. Raises GrundylabError for an unknown one."""
    engine_named(name)
    return name in SEEDED


def discover(
    tables: Sequence[Table],
    target: Target,
    engine: str = "search",
    seed: int = 0,
    budget: float = 30.0,
    where: Expr = TRUE,
) -> list[Candidate]:
    """The candidates of ``explore``, without the engine's notes."""
    return list(explore(tables, target, engine, seed, budget, where).candidates)


def explore(
    tables: Sequence[Table],
    target: Target,
    engine: str = "search",
    seed: int = 0,
    budget: float = 30.0,
    where: Expr = TRUE,
    each: bool = False,
) -> Findings:
    """Candidates for the target, best first: exact on all training positions, then smallest, then by text.

    After the exact ones come those that are exact under a condition on the parameters. Partial candidates are kept with
    their share. budget: seconds after which an engine stops early; ``search`` and ``tree`` count work instead, so that
    they stop at the same step on every machine. where: the positions that are learnt from. each: each setting of the
    parameters is learnt from alone, and what is found is about it only. Raises GrundylabError for an unknown engine, or
    if there is no such position.
    """
    if each:
        return _explore_each(
            tables, partial(explore, target=target, engine=engine, seed=seed, budget=budget, where=where)
        )
    return learnt(collect(tables, target, where), target, engine, seed, budget)


def learnt(
    samples: Samples, target: Target, engine: str = "search", seed: int = 0, budget: float = 30.0
) -> Findings:
    """What ``explore`` says of the tables that these samples are of."""
    proposals = engine_named(engine)(samples, target, seed, budget)
    ranked = rank((*proposals.formulas, *proposals.parts), samples, target, engine, seed)
    candidates = tuple(conditioned(mended(ranked, samples), samples))
    notes = proposals.notes
    if not candidates and not notes:
        notes = (NOTHING,)
    return Findings(candidates, notes)


def _explore_each(tables: Sequence[Table], look: Callable[[Sequence[Table]], Findings]) -> Findings:
    """What is found of the tables of each setting of the parameters."""
    settings: dict[tuple[tuple[str, int], ...], list[Table]] = {}
    for table in tables:
        settings.setdefault(table.instance.parameters, []).append(table)
    candidates: list[Candidate] = []
    notes: list[str] = []
    for setting, its_tables in settings.items():
        found = look(its_tables)
        fixed = [compare("==", Name(name), Int(value)) for name, value in setting]
        candidates += [replace(c, where=conjunction(*fixed, c.where)) for c in found.candidates]
        label = ", ".join(f"{name}={value}" for name, value in setting)
        notes += [f"{label}: {note}" if label else note for note in found.notes]
    return Findings(tuple(candidates), tuple(notes))
