"""The tables that are shown as pictures on the page of a study."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grundylab.games import Instance, make_instance
from grundylab.games.model import Values
from grundylab.pipeline.study import SPLITS, Study
from grundylab.report.grid import LINE, TableWindow, shrink_to_page, whole_window
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_name, read_dataset


def study_windows(studies: Iterable[Study], folder: Path | None) -> dict[str, tuple[TableWindow, ...]]:
    """Return, by ruleset, the largest table of each setting of its parameters, cut to what a picture can show.

    A family of games has no picture. If a game with one coordinate has rows but no tables, the beginning of each row is
    solved. folder: that of the datasets; None if the tables are to be solved here. Raises DatasetError for a dataset
    that is missing or damaged.
    """
    studies = tuple(study for study in studies if study.given is None)
    largest: dict[tuple[str, Any], tuple[Instance, Values, Path]] = {}
    for study in studies:
        for split in SPLITS:
            for instance in study.datasets(split):
                key = (study.ruleset.name, instance.parameters)
                before = largest.get(key)
                mine = (study.values == "grundy", instance.cells)
                if before is None or mine > (before[1] == "grundy", before[0].cells):
                    place = Path(study.name) / split / dataset_name(instance)
                    largest[key] = (instance, study.values, place)
    with_tables = {name for name, _ in largest}
    windows_of: dict[str, list[TableWindow]] = {}
    for study in studies:
        if study.ruleset.name not in with_tables:
            kind, settings = study.drawn
            bounds = dict.fromkeys(study.ruleset.bounds, LINE // 2)
            for parameters in settings:
                table = solve(make_instance(study.ruleset, parameters, bounds), kind)
                windows_of.setdefault(study.ruleset.name, []).append(whole_window(table))
    for (ruleset, _), (instance, kind, place) in sorted(largest.items(), key=lambda item: item[0]):
        table = solve(instance, kind) if folder is None else read_dataset(folder / place, instance, kind)
        if table.positions:
            windows_of.setdefault(ruleset, []).append(whole_window(table))
    return {ruleset: shrink_to_page(windows) for ruleset, windows in windows_of.items()}
