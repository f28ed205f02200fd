"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from grundylab.check.samples import Samples, collect, of_frame
from grundylab.discover.asking import Findings, Question, answers, best_first, discover, turns
from grundylab.discover.base import Candidate, Engine, Proposals
from grundylab.discover.engines import ALL, ENGINES, engine_named, engines_named, uses_seed

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
