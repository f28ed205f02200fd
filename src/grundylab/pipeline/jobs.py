"""The workflow's jobs, one function a rule: which of a job's files are what to its stage."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass
from io import TextIOBase
from pathlib import Path
from typing import Any, TextIO

from grundylab.catalogue.papers import load_papers
from grundylab.check.slabs import Slab
from grundylab.errors import GrundylabError
from grundylab.files import said
from grundylab.games import parse_target
from grundylab.pipeline.stages import (
    catalogue_stage,
    discover_stage,
    large_stage,
    prove_stage,
    rows_stage,
    slab_stage,
    verify_stage,
)
from grundylab.pipeline.study import Study
from grundylab.pipeline.windows import study_windows
from grundylab.report.files import write_game_figures, write_paper_figures
from grundylab.report.site import write_site
from grundylab.report.tables import write_tables

BAD_INPUT = 2
DATA = Path("data")


@dataclass(frozen=True)
class Job:
    """What Snakemake says of a job: its rule, named files (or lists of them), and what it is asked."""

    rule: str
    wildcards: Mapping[str, str]
    input: Mapping[str, Any]
    output: Mapping[str, str]
    params: Mapping[str, Any]
    log: str

    @property
    def study(self) -> Study:
        """What is asked of the study that the job is about."""
        return Study.of(self.params["asked"])

    @property
    def studies(self) -> list[Study]:
        """What is asked of all studies."""
        return [Study.of(asked) for asked in self.params["asked"].values()]


def run(described: Mapping[str, Any]) -> int:
    """Do the job; the result is its exit status. All that is said goes to the job's log."""
    job = Job(**described)
    try:
        log = open(job.log, "w", encoding="utf-8", buffering=1)  # noqa: SIM115 - its end may fail, too
    except OSError as problem:
        return _refused(_system(problem))
    with redirect_stderr(_Lossy(log)):
        try:
            STAGES[job.rule](job)
        except GrundylabError as error:
            return _refused(str(error))
        except OSError as problem:
            return _refused(_system(problem))
        except MemoryError:
            return _refused("out of memory; choose smaller bounds")
        except Exception:
            traceback.print_exc()
            raise
    return 0


class _Lossy(TextIOBase):
    """A job's log. What does not get into it, as on a full disk, goes to standard error: a log stops no job."""

    def __init__(self, log: TextIO) -> None:
        self._log = log

    def write(self, text: str) -> int:
        try:
            self._log.write(text)
            self._log.flush()
        except OSError:
            with suppress(OSError, AttributeError):
                sys.__stderr__.write(text)  # type: ignore[union-attr]
        return len(text)


def _system(problem: OSError) -> str:
    return f"{problem.filename}: {said(problem)}" if problem.filename else said(problem)


def _refused(reason: str) -> int:
    print(f"grundylab: {reason}", file=sys.stderr)
    return BAD_INPUT


def _discover(job: Job) -> None:
    target = parse_target(job.wildcards["target"])
    discover_stage(job.study, target, job.input["datasets"], job.output["candidates"])


def _verify(job: Job) -> None:
    files, made = job.input, job.output
    verify_stage(job.study, files["candidates"], files["datasets"], made["verdicts"], made["timings"])


def _prove(job: Job) -> None:
    prove_stage(job.study, job.input["verdicts"], job.output["proofs"], job.output["timings"])


def _slab(job: Job) -> None:
    slab = Slab(*map(int, job.wildcards["slab"].split("-of-")))
    slab_stage(job.study, job.input["verdicts"], slab, job.output["part"])


def _large(job: Job) -> None:
    large_stage(job.study, job.input["parts"], job.input["proofs"], job.output["large"])


def _rows(job: Job) -> None:
    rows_stage(job.study, job.output["rows"], job.output["timings"])


def _catalogue(job: Job) -> None:
    files = job.input
    folder = str(Path(job.output["records"]).parent)
    catalogue_stage(
        job.params["asked"], files["verdicts"], files["proofs"], folder, files["rows"], files["large"]
    )


def _report(job: Job) -> None:
    windows = study_windows(job.studies, DATA)
    write_site(Path(job.input["records"]), Path(), Path(job.output["page"]).parent, windows)


def _figures(job: Job) -> None:
    studies = job.studies
    papers = load_papers() if job.input["papers"] else ()
    write_game_figures(study_windows(studies, DATA), papers, Path(job.output["games"]))
    rulesets = {study.ruleset.name: study.ruleset for study in studies}
    write_paper_figures(papers, rulesets, Path(job.output["papers"]))


def _tables(job: Job) -> None:
    write_tables(read_catalogue(job.input["records"]), Path(job.output["formulas_csv"]).parent)


STAGES: Mapping[str, Callable[[Job], None]] = {
    "discover": _discover,
    "verify": _verify,
    "prove": _prove,
    "slab": _slab,
    "large": _large,
    "rows": _rows,
    "catalogue": _catalogue,
    "report": _report,
    "figures": _figures,
    "tables": _tables,
}
