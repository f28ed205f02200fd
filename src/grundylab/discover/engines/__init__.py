"""The engines: each is a module of the engine's name, with a function ``propose``.

A module is imported when its engine is first used, since some take long to import. ENGINES has the order in which they
run: first those that are exact and report the extent of their search, last those that draw at random. Code that several
engines share is in ``discover``.
"""

from __future__ import annotations

import importlib
from typing import cast

from grundylab.discover.base import EngineFunction
from grundylab.errors import GrundylabError

ENGINES = {  # the method of each engine
    "search": "exact symbolic regression: all formulas, shortest first",
    "periods": "periods of sequences and of rows",
    "automata": "minimal automata that read digits",
    "runs": "intervals along one coordinate, with formulas for their ends",
    "tree": "decision tree over short formulas as features (scikit-learn)",
    "transfer": "recurrences: the value from values of smaller positions",
    "deeper": "exact symbolic regression with larger formulas and fewer constants",
    "baseline": "decision tree on the coordinates alone (scikit-learn)",
    "gplearn": "symbolic regression by genetic programming (gplearn)",
    "pysr": "symbolic regression by evolution (PySR)",
}
BASELINES = ("baseline",)  # engines to compare others with; run by name only
FINDERS = tuple(engine for engine in ENGINES if engine not in BASELINES)
SEEDED = ("gplearn", "pysr")
READERS = ("periods", "automata", "runs")  # engines that read rows of positions, or digits
ALL = "all"


def engine_named(name: str) -> EngineFunction:
    """Return the function ``propose`` of the engine with this name. Raise GrundylabError for an unknown name."""
    (module,) = engines_named(name)
    return cast(EngineFunction, importlib.import_module(f"{__name__}.{module}").propose)


def engines_named(name: str) -> tuple[str, ...]:
    """Return the names of all engines but the baselines for ``all``, or else this name alone.

    Raise GrundylabError for an unknown name.
    """
    if name not in (*ENGINES, ALL):
        raise GrundylabError(f"unknown engine '{name}'; engines: {', '.join(ENGINES)}, or {ALL}")
    return FINDERS if name == ALL else (name,)


def uses_seed(name: str) -> bool:
    """Tell whether the result of the engine may depend on the seed. Raise GrundylabError for an unknown name."""
    engines_named(name)
    return name in SEEDED
