"""Discovery: formulas that describe a game's data, found by engines that see training positions only."""

from grundylab.check.data_frames import frame_samples
from grundylab.check.samples import Samples, collect
from grundylab.discover.base import EngineFunction, Proposals
from grundylab.discover.decision_trees import Tree
from grundylab.discover.engine_turns import (
    EngineQuestion,
    Findings,
    discover,
    engine_findings,
    ranked_candidates,
    sample_findings,
)
from grundylab.discover.engines import (
    ALL,
    BASELINES,
    ENGINES,
    FINDERS,
    engine_named,
    engines_named,
    uses_seed,
)

__all__ = [
    "ALL",
    "BASELINES",
    "ENGINES",
    "FINDERS",
    "EngineFunction",
    "EngineQuestion",
    "Findings",
    "Proposals",
    "Samples",
    "Tree",
    "collect",
    "discover",
    "engine_findings",
    "engine_named",
    "engines_named",
    "frame_samples",
    "ranked_candidates",
    "sample_findings",
    "uses_seed",
]
