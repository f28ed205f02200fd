"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from grundylab.check.samples import Samples, collect, of_frame
from grundylab.discover.asking import (
    ALL,
    ENGINES,
    Findings,
    Question,
    answers,
    best_first,
    discover,
    engine_named,
    engines_named,
    turns,
    uses_seed,
)
from grundylab.discover.base import Candidate, Engine, Proposals

__all__ = [
    "ALL",
    "ENGINES",
    "Candidate",
    "Engine",
    "Findings",
    "Proposals",
    "Question",
    "Samples",
    "answers",
    "best_first",
    "collect",
    "discover",
    "engine_named",
    "engines_named",
    "of_frame",
    "turns",
    "uses_seed",
]
