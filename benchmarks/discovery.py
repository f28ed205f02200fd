"""Benchmark of discovery: how many formulas of the papers the engines recover.

    python -m benchmarks.discovery [--only RULESET] [--engines search,tree] [--seeds 0,1] [--budget SECONDS]

Every formula that the formula language can express is a problem (``discovery_problems``). Every engine learns from the
training instances, with every seed. The formulas found are verified at all positions of the unseen instances, and MONA
tries to prove them equal to the printed formula. gplearn, which the literature on these games uses, gets as much time
as the other engines took together, at least ``--least`` seconds. A summary and a table are printed and can be written
to a file (``--markdown``), as can every attempt, as JSON (``--json``).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from benchmarks.discovery_problems import Problem, derive, shipped_studies, true_form
from benchmarks.discovery_runs import Outcome, run
from benchmarks.discovery_table import Setting, markdown

from grundylab.discover import ENGINES
from grundylab.errors import GrundylabError
from grundylab.files import write_json, write_text

OWN = ("search", "tree", "runs", "periods", "automata")
BASELINE = "gplearn"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark, print the result and write the files; return the exit status, 2 for wrong arguments."""
    options = _parsed(arguments)
    try:
        return _measured(options)
    except GrundylabError as error:
        print(f"discovery: {error}", file=sys.stderr)
        return 2


def _measured(options: argparse.Namespace) -> int:
    unknown = [name for name in options.engines if name not in ENGINES]
    if unknown:
        raise GrundylabError(f"unknown engine '{unknown[0]}'; engines: {', '.join(ENGINES)}")
    studies = shipped_studies()
    chosen = [s for s in studies.values() if not options.only or s.ruleset.name in options.only]
    if missing := set(options.only) - {study.ruleset.name for study in chosen}:
        raise GrundylabError(f"studies/ has no study of {sorted(missing)[0]}")
    started = time.perf_counter()
    problems, excluded = derive(chosen, true_form)
    baseline = BASELINE if BASELINE in ENGINES and options.baseline else None
    outcomes = []
    for outcome in _outcomes(problems, options, baseline):
        outcomes.append(outcome)
        _say(f"{len(outcomes)} of {len(problems)}: {outcome.problem.name}: {outcome.says}")
    setting = Setting(
        tuple(options.engines), tuple(options.seeds), options.budget, baseline, options.processes,
        time.perf_counter() - started,
    )  # fmt: skip
    text = markdown(outcomes, excluded, setting)
    print(text)
    if options.markdown:
        write_text(Path(options.markdown), text)
    if options.json:
        write_json(
            Path(options.json),
            {
                **setting.record(),
                "problems": [outcome.record() for outcome in outcomes],
                "excluded": [vars(one) for one in excluded],
            },
        )
    return 0


def _outcomes(
    problems: Sequence[Problem], options: argparse.Namespace, baseline: str | None
) -> Iterator[Outcome]:
    """Yield the outcome of each problem, in order; several processes work at a time."""
    task = partial(
        run,
        engines=options.engines,
        seeds=options.seeds,
        budget=options.budget,
        baseline=baseline,
        least=options.least,
    )
    if options.processes == 1:
        yield from map(task, problems)
        return
    with ProcessPoolExecutor(options.processes) as pool:
        yield from pool.map(task, problems)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.discovery", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", type=names, default=[], help="these rulesets only, separated by commas")
    parser.add_argument("--engines", type=names, default=list(OWN), help="default: %(default)s")
    parser.add_argument("--seeds", type=numbers, default=[0, 1, 2, 3, 4], help="default: %(default)s")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one engine and one seed")
    parser.add_argument("--least", type=float, default=3.0, help="least seconds for the baseline")
    parser.add_argument("--no-baseline", dest="baseline", action="store_false", help="without gplearn")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--markdown", help="where to write the table")
    parser.add_argument("--json", help="where to write every attempt")
    return parser.parse_args(arguments)


def names(text: str) -> list[str]:
    """Read names separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def numbers(text: str) -> list[int]:
    """Read whole numbers separated by commas."""
    try:
        return [int(number) for number in names(text)]
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of whole numbers; write 0,1,2") from None


if __name__ == "__main__":
    sys.exit(main())
