"""Benchmark of PySR beside gplearn, decision trees and exact search, on the same data.

    python -m benchmarks.pysr [--budget SECONDS] [--seeds 0,1,2] [--engines search,tree,gplearn,pysr] [--rounds 1]
                              [--markdown FILE]

An engine that draws at random runs with several seeds, any other once. With the default budget gplearn has its own
setting (1,000 programs, 20 generations), and PySR has 1,000,000 evaluations. Both learn in rounds of counterexamples
or, with --rounds 1, from one sample that has as many positions as the rounds together. A run is a success if its
formula is right at every training position and at every position of larger tables. Seconds are processor time. For
PySR they include its process, but not what Julia compiles before the first question. Cached answers of earlier runs
are not used. If PySR is not available, its cells are ``not measured``, and the reason is printed below the table.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.discovery import names, numbers
from benchmarks.discovery_problems import Problem, shipped_studies
from benchmarks.discovery_runs import Attempt, attempt
from benchmarks.discovery_table import Setting

from grundylab.discover import ENGINES, uses_seed
from grundylab.discover.engines import gplearn, pysr
from grundylab.discover.pysr_worker import unavailable, worker
from grundylab.discover.rounds import ROUNDS
from grundylab.errors import GrundylabError
from grundylab.files import CACHE_VARIABLE, write_text
from grundylab.games import make_instance, parse_target
from grundylab.language.syntax import TRUE

COMPARED = ("search", "tree", "gplearn", "pysr")
# (study, target, bound of the training tables); parameters and unseen tables are as in the study
QUESTIONS = (
    ("nim-2", "p", 16),
    ("nim-2", "grundy", 16),
    ("heaps-1-2", "p", 12),
    ("max-nim-floor", "p", 128),
    ("nim-with-a-pass-from-m", "p", 24),
)
NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Row:
    """One problem, and the attempts of each engine at it; no attempts if the engine is not available."""

    name: str
    attempts: dict[str, tuple[Attempt, ...]]

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the row: the name, and a summary of each engine's attempts."""
        return (self.name, *map(cell, self.attempts.values()))


def cell(attempts: Sequence[Attempt]) -> str:
    """Return a summary of one engine's attempts.

    It has the number of successes, the median seconds, and the smallest formula that holds or the best share.
    """
    if not attempts:
        return NOT_MEASURED
    exact = [one for one in attempts if one.exact]
    seconds = f"{len(exact)}/{len(attempts)}, {median(one.seconds for one in attempts):.1f} s"
    if exact:
        return f"{seconds}, `{min(exact, key=lambda one: (one.size or 0, one.formula or '')).formula}`"
    return f"{seconds}, {100 * max(one.share for one in attempts):.4g} %"


def problems() -> Iterator[Problem]:
    """Yield the problems of QUESTIONS, from the studies in the folder ``studies``."""
    studies = shipped_studies()
    for name, target, bound in QUESTIONS:
        study = studies[name]
        train = tuple(
            make_instance(study.ruleset, dict(each.parameters), {"N": bound}) for each in study.train
        )
        yield Problem(study.ruleset, parse_target(target), TRUE, (), (), train, study.test)


def asked(problem: Problem, engine: str, seeds: Sequence[int], budget: float) -> tuple[Attempt, ...]:
    """Run the engine with each seed, or once if it uses no seed; return nothing if it is not available."""
    if engine == "pysr" and unavailable():
        return ()
    found = []
    for seed in seeds if uses_seed(engine) else seeds[:1]:
        before = worker(os.getpid()).seconds
        one = attempt(problem, engine, seed, budget)
        found.append(replace(one, seconds=one.seconds + worker(os.getpid()).seconds - before))
    return tuple(found)


def markdown(rows: Sequence[Row], setting: Setting) -> str:
    """Return the table as Markdown, with an explanation of its cells."""
    lines = [str(setting), "", f"| data | {' | '.join(setting.engines)} |"]
    lines.append("| --- |" + " --- |" * len(setting.engines))
    lines += [f"| {' | '.join(text.replace('|', chr(92) + '|') for text in row.cells())} |" for row in rows]
    lines += [
        "",
        "Each cell: the number of seeds with which the formula is right at every position of larger, unseen tables; "
        "median processor seconds; the smallest such formula, or the best share of the training positions.",
    ]
    if "pysr" in setting.engines and (reason := unavailable()):
        lines += ["", f"pysr is not measured: {reason}."]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark, print the table and write the file; return the exit status, 2 for wrong arguments."""
    parser = argparse.ArgumentParser(prog="benchmarks.pysr", description=__doc__.partition("\n")[0])
    parser.add_argument("--engines", type=names, default=list(COMPARED), help="default: %(default)s")
    parser.add_argument("--seeds", type=numbers, default=[0, 1, 2, 3, 4], help="default: %(default)s")
    parser.add_argument("--budget", type=float, default=25.0, help="seconds for one engine and one seed")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="of gplearn and PySR; default: %(default)s"
    )
    parser.add_argument("--markdown", help="where to write the table")
    options = parser.parse_args(arguments)
    try:
        if unknown := [name for name in options.engines if name not in ENGINES]:
            raise GrundylabError(f"unknown engine '{unknown[0]}'; engines: {', '.join(ENGINES)}")
        with rounds(options.rounds):
            text = measured(options.engines, options.seeds, options.budget)
        print(text, end="")
        if options.markdown:
            write_text(Path(options.markdown), text)
    except GrundylabError as error:
        print(f"pysr: {error}", file=sys.stderr)
        return 2
    return 0


def measured(engines: Sequence[str], seeds: Sequence[int], budget: float) -> str:
    """Run every engine on every problem, and return the table as Markdown."""
    started, rows = time.perf_counter(), []
    with TemporaryDirectory() as folder, kept_in(folder):
        for problem in problems():
            attempts = {engine: asked(problem, engine, seeds, budget) for engine in engines}
            row = Row(f"{problem.name}, {'; '.join(each.label for each in problem.train)}", attempts)
            print("; ".join(row.cells()), file=sys.stderr, flush=True)
            rows.append(row)
    setting = Setting(tuple(engines), tuple(seeds), budget, None, 1, time.perf_counter() - started)
    return markdown(rows, setting)


@contextmanager
def rounds(number: int) -> Iterator[None]:
    """Let gplearn and PySR learn in so many rounds for a time."""
    before = {module: module.propose for module in (gplearn, pysr)}
    try:
        for module, propose in before.items():
            module.propose = partial(propose, rounds=number)
        yield
    finally:
        for module, propose in before.items():
            module.propose = propose


@contextmanager
def kept_in(folder: str) -> Iterator[None]:
    """Use this folder as the cache for a time, so that no answer of an earlier run is used."""
    before = os.environ.get(CACHE_VARIABLE)
    os.environ[CACHE_VARIABLE] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ[CACHE_VARIABLE]
        else:
            os.environ[CACHE_VARIABLE] = before


if __name__ == "__main__":
    sys.exit(main())
