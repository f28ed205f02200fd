"""Files of strategies: a study keeps its strategy beside its proofs, for the command ``explain``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grundylab.errors import ConfigError
from grundylab.files import read_record, write_json
from grundylab.findings.catalogue import record_from_json, record_to_json
from grundylab.findings.winning import STATUSES, Winning
from grundylab.games.model import Ruleset

NAME = "how-to-win.json"


def write_strategy(winning: Winning, ruleset: Ruleset, folder: Path) -> None:
    """Write the strategy to the folder of a study's proofs."""
    write_json(folder / NAME, record_to_json(replace(winning, rules=ruleset.hash), brief=True))


def read_strategy(ruleset: Ruleset, results: Path = Path("results")) -> Winning | None:
    """Return the best strategy that was found for these rules; None if no study has kept one."""
    strategies = list[Winning]()
    for file in sorted([*results.glob(f"proofs/*/{NAME}"), *results.glob(f"*/proofs/{NAME}")]):
        try:
            winning = record_from_json(Winning, read_record(file, ConfigError), file)
        except ConfigError:  # of another version
            continue
        if winning.rules == ruleset.hash and winning.moves:
            strategies.append(winning)
    return min(strategies, key=lambda strategy: STATUSES.index(strategy.status), default=None)
