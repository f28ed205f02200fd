"""One module a command: ``run(options)`` does the work and returns what to print; and what several of them ask."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grundylab.errors import FormulaError, InstanceError
from grundylab.files import write_text
from grundylab.games.instance import Instance
from grundylab.games.instances import instances, parse_sweep
from grundylab.games.model import Ruleset

if TYPE_CHECKING:
    from grundylab.catalogue.files import Catalogue
    from grundylab.catalogue.papers import Paper


_EXIT = {"refuted": 1, "undecided": 3}


@dataclass(frozen=True)
class Result:
    """status and record: the JSON object; text: the same for people."""

    status: str
    text: str
    record: Mapping[str, Any]

    @property
    def exit_status(self) -> int:
        """0 unless it is refuted or undecided."""
        return _EXIT.get(self.status, 0)


def written(options: argparse.Namespace, text: str, record: Mapping[str, Any]) -> Result:
    """A document's text, or that it was written to ``--out``."""
    if options.out:
        write_text(Path(options.out), text)
        text = f"written to {options.out}"
    return Result("ok", text, {**record, "file": options.out})


def catalogue_in(results: str) -> Catalogue:
    """The catalogue of a folder of results; ConfigError if there is none yet, or it is none of this version."""
    from grundylab.catalogue.files import read_catalogue  # for which other commands need not wait

    return read_catalogue(Path(results) / "catalogue.json")


def asked_papers(names: Sequence[str]) -> tuple[Paper, ...]:
    """The records of the papers of these names; of all if there are none."""
    from grundylab.catalogue.papers import load_papers

    papers = load_papers()
    known = [paper.name for paper in papers]
    for name in names:
        if name not in known:
            raise FormulaError(f"there is no record of a paper '{name}'; papers: {', '.join(known)}")
    return tuple(paper for paper in papers if not names or paper.name in names)


def asked_instances(ruleset: Ruleset, options: argparse.Namespace) -> list[Instance]:
    """The instances that ``--param`` and ``--bound`` name."""
    return instances(ruleset, parse_sweep(options.param, "--param"), parse_sweep(options.bound, "--bound"))


def one_each(texts: Sequence[str], option: str) -> dict[str, int]:
    """What an option such as ``--fix`` says, which takes one value for each name."""
    found = parse_sweep(texts, option)
    for name, values in found.items():
        if len(values) != 1:
            raise InstanceError(f"{option}: {name} takes one value")
    return {name: values[0] for name, values in found.items()}
