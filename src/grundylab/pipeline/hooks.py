"""Hooks of the workflow: checks before a run, and messages at its beginning and its end."""

from __future__ import annotations

import difflib
import logging
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from snakemake_interface_logger_plugins.common import LogEvent

from grundylab.discover import uses_seed
from grundylab.errors import ConfigError
from grundylab.findings.catalogue import read_catalogue
from grundylab.findings.survey_rows import status_counts_of_table
from grundylab.findings.wording import number_with_noun
from grundylab.games.yamlfile import read_document
from grundylab.pipeline.study import Study
from grundylab.report.summary import run_summary

# CPU seconds, measured on the studies of config.yaml: JOB for any job; PROVE and VERIFY in addition for these two
# stages. SHARE is the share of its budget that an engine uses on average, since an engine that is right stops early.
JOB, PROVE, VERIFY, SHARE = 1.3, 4.0, 2.0, 0.4
TABLES = ("catalogue.parquet", "candidates.parquet", "engines.parquet", "strategies.parquet")
_ROUTINE = (LogEvent.JOB_STARTED, LogEvent.JOB_FINISHED, LogEvent.RESOURCES_INFO, LogEvent.RUN_INFO)
_PAGE = re.compile(r"report/index\.html|page/index\.html")


def is_news(record: logging.LogRecord) -> bool:
    """Tell whether a line of Snakemake's says more than that it chooses or starts jobs, or that a job has ended."""
    return record.msg != "Select jobs to execute..." and getattr(record, "event", None) not in _ROUTINE


def check_form(file: str) -> None:
    """End the run with one line that names the place if the file is not YAML; Snakemake names no line."""
    try:
        read_document(Path(file), ConfigError)
    except ConfigError as error:
        sys.exit(f"grundylab: {error}")


def check_targets(targets: Iterable[str], results: str, studies: Collection[str]) -> None:
    """Raise ConfigError if a target of the run is a file of a study that does not exist."""
    for target in targets:
        name = re.match(rf"{re.escape(results)}/([^/]+)/(?:report/index\.html|\w+\.json|trees)\Z", target)
        if name and name[1] not in studies:
            close = difflib.get_close_matches(name[1], studies, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"there are {', '.join(studies)}"
            raise ConfigError(f"there is no study '{name[1]}'; {hint}")


def plan(studies: Mapping[str, Study], jobs: Iterable[Any], cores: int | None) -> str:
    """Return the message at the beginning of a run: its studies, targets and engines, and the approximate time.

    jobs: Snakemake's objects, with their rule and wildcards. cores: their number; None on a cluster.
    """
    asked: dict[str, Study] = {}
    fitted: dict[str, Study] = {}
    seconds = 0.0
    for job in jobs:
        rule, study = job.rule.name, studies.get(getattr(job.wildcards, "study", ""))
        seconds += JOB + {"prove": PROVE, "verify": VERIFY}.get(rule, 0)
        if study is not None:
            asked[study.name] = study
        if study is not None and rule == "fit":
            fitted[study.name] = study
            budgets = [
                (study.seeds if uses_seed(engine) else 1) * study.budgets.get(engine, study.budget)
                for engines in study.engines.values()
                for engine in (engines if study.ask == "all" else engines[:2])
            ]
            seconds += SHARE * sum(budgets)
    words = (
        [f"{len(asked)} studies" if len(asked) != 1 else f"the study {next(iter(asked))}"] if asked else []
    )
    if targets := sum(len(study.targets) for study in fitted.values()):
        named = {engine for s in fitted.values() for engines in s.engines.values() for engine in engines}
        words.append(f"{number_with_noun(targets, 'target')} for {number_with_noun(len(named), 'engine')}")
    minutes = max(1, round(seconds / 60 / (cores or 1)))
    words.append(f"about {number_with_noun(minutes, 'minute')} on {number_with_noun(cores or 1, 'core')}")
    return f"\n{', '.join(words)}\n"


def summary(results: str, targets: Iterable[str]) -> str:
    """Return the message at the end of a run: its findings, the table of engines, and where the results are.

    targets: the targets of the run. If some are pages of studies or surveys, the message is about these; otherwise it
    is about the page of all studies.
    """
    pages = [Path(target) for target in targets if _PAGE.search(target)]
    lines = []
    for page in pages or [Path(results) / "report" / "index.html"]:
        folder = page.parent.parent
        records, table = folder / "catalogue.json", folder / "survey.parquet"
        # after a run with --touch these files may be empty
        if records.is_file() and records.stat().st_size:
            lines.append(f"\n{run_summary(read_catalogue(records))}\n")
            lines.append(f"The tables: {', '.join(str(folder / name) for name in TABLES)}")
            if (notes := folder / "new-results.md").is_file():
                lines.append(f"The notes: {notes}")
        elif table.is_file() and table.stat().st_size:
            lines.append(f"\n{folder.name}: {status_counts_of_table(table)}\nThe table: {table.resolve()}")
        if page.is_file():
            lines.append(f"The page: {page.resolve().as_uri()}")
    return "\n".join(lines)
