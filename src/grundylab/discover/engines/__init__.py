"""The engines: each is the module of its name, with a function ``propose``, and is imported when it is first used.

Some take long to import. In this order they take their turns: first those that are exact and know how much they looked
at, last those that draw by lot. What they share stands in the room around.
"""

from __future__ import annotations

import importlib
from typing import cast

from grundylab.discover.base import Engine
from grundylab.errors import GrundylabError

ENGINES = {  # with the method of each, in a reader's words
    "search": "exact symbolic regression: all formulas, the shortest first",
    "periods": "periods of sequences and of rows",
    "automata": "minimal automata that read digits",
    "runs": "intervals along one coordinate, with formulas for their ends",
    "tree": "decision tree over short formulas as features (scikit-learn)",
    "transfer": "recurrences: the value from values of smaller positions",
    "deeper": "exact symbolic regression with larger formulas and fewer constants",
    "baseline": "decision tree on the bare coordinates (scikit-learn)",
    "gplearn": "symbolic regression by genetic programming (gplearn)",
    "pysr": "symbolic regression by evolution (PySR)",
}
BASELINES = ("baseline",)  # which others are compared with; asked by name only
FINDERS = tuple(engine for engine in ENGINES if engine not in BASELINES)
SEEDED = ("gplearn", "pysr")
READERS = ("periods", "automata", "runs")  # of rows and digits, which a larger table shows more of
ALL = "all"


def engine_named(name: str) -> Engine:
    """The engine; raises GrundylabError for an unknown one."""
    (known,) = engines_named(name)
    return cast(Engine, importlib.import_module(f"{__name__}.{known}").propose)


def engines_named(name: str) -> tuple[str, ...]:
    """Every engine but baselines for ``all``, or the one of that name; raises GrundylabError for an unknown one."""
    if name not in (*ENGINES, ALL):
        raise GrundylabError(f"unknown engine '{name}'; engines: {', '.join(ENGINES)}, or {ALL}")
    return FINDERS if name == ALL else (name,)


def uses_seed(name: str) -> bool:
    """Whether what the engine finds may depend on the seed. Raises GrundylabError for an unknown one."""
    engines_named(name)
    return name in SEEDED
