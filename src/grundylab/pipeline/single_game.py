"""A study of a single game in one process, without any settings: all that grundylab can derive from the rules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from grundylab.findings.catalogue import Catalogue
from grundylab.games import Ruleset
from grundylab.games.lookups import ruleset_files
from grundylab.pipeline.default_tables import SECONDS, USUAL_ENGINES, usual_keys, usual_targets
from grundylab.pipeline.steps import Clock, Steps, StudyState
from grundylab.pipeline.study import ENGINE, Study, values_of
from grundylab.records.finding import SplitName
from grundylab.report.account import account
from grundylab.solve import solve
from grundylab.solve.memory import check_memory
from grundylab.solve.origin import file_digests
from grundylab.solve.table import Table
from grundylab.version import __version__

PROOFS = Path("results") / "proofs"


@dataclass(frozen=True)
class Account:
    """The results for a game: as a text, and as the catalogue that a run of the workflow would write."""

    text: str
    catalogue: Catalogue

    def __repr__(self) -> str:
        """Return the text, so that a notebook shows it."""
        return self.text


def study(game: Ruleset | str, budget: float = SECONDS, folder: str | Path = PROOFS) -> Account:
    """Return everything that grundylab can derive about a game, without any settings; see ``steps_of``.

    game: a ruleset, or its name, its path or its YAML text. budget: approximate seconds. folder: where proofs are
    written, in a folder with the game's name. Raises GrundylabError for a family of games.
    """
    from grundylab.api import load  # imported here, since a command that passes a ruleset does not need it

    asked = default_study(game if isinstance(game, Ruleset) else load(game), budget)
    state = steps_of(asked, Path(folder) / asked.name).after(StudyState(asked))
    return Account(account(state.catalogue, failed=state.failed), state.catalogue)


def default_study(ruleset: Ruleset, budget: float = SECONDS) -> Study:
    """Return the study of a game with default settings, chosen for a budget in seconds.

    It is that of a configuration with the game's name alone. Raises GrundylabError for a family of games.
    """
    targets = usual_targets(ruleset)
    return Study.model_construct(
        **usual_keys(ruleset, budget, targets),
        name=ruleset.name,
        version=__version__,
        ruleset=ruleset,
        files=file_digests(ruleset.files),
        sources=file_digests(ruleset_files(ruleset)),
        targets=targets,
        values=values_of(ruleset, targets),
        engines=dict.fromkeys(targets, USUAL_ENGINES),
        budget=budget * ENGINE,
        proof_timeout=budget * ENGINE,
    )


def steps_of(asked: Study, folder: Path) -> Steps:
    """Return the steps of a study whose tables are solved when they are needed. folder: where proofs are written."""

    def read(split: SplitName) -> list[Table]:
        instances = asked.instances(split)
        for instance in instances:
            check_memory(instance)
        return [solve(instance, asked.values) for instance in instances]

    return Steps(asked, read, folder, Clock(asked.seconds))
