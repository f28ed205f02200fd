"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from grundylab.check.frames import of_frame
from grundylab.check.samples import Samples, collect
from grundylab.discover.asking import Findings, Question, answers, best_first, discover, turns
from grundylab.discover.base import Candidate, Engine, Proposals
from grundylab.discover.engines import (
    ALL,
    BASELINES,
    ENGINES,
    FINDERS,
    engine_named,
    engines_named,
    uses_seed,
)
from grundylab.discover.trees import Tree

__all__ = [
    "ALL",
    "BASELINES",
    "ENGINES",
    "FINDERS",
    "Candidate",
    "Engine",
    "Findings",
    "Proposals",
    "Question",
    "Samples",
    "Tree",
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
