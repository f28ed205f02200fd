"""The problems of ``discovery`` as a user meets them: no region is given, and no engine is named.

    python -m benchmarks.unaided [--only RULESET] [--budget SECONDS] [--json FILE]

All engines take turns on the whole tables of a game, once for each of its targets, as ``grundylab discover`` does it. A
problem is solved if one of the formulas that are told is right at every unseen position of the problem's region.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from benchmarks.discovery import ROOT
from benchmarks.discovery_problems import Problem, derive, solved, true_form

from grundylab.check.verification import verify
from grundylab.discover import Candidate, Question, answers, best_first
from grundylab.files import write_json
from grundylab.pipeline.config import read_studies


class Result(NamedTuple):
    """Of one problem: the first formula told that is right in its region, by which engine, and seconds for the game."""

    problem: str
    printed: str
    formula: str | None
    engine: str | None
    seconds: float


def ask(problems: Sequence[Problem], budget: float) -> list[Result]:
    """Of problems about one target of one game."""
    first = problems[0]
    instances = dict.fromkeys(instance for problem in problems for instance in problem.train)
    tables = [solved(instance, first.values) for instance in instances]
    started = time.process_time()
    told = best_first(answers(tables, Question(first.target, 0, budget)))
    seconds = time.process_time() - started
    plain = [candidate for candidate in told if candidate.plain]
    return [_result(problem, plain, seconds) for problem in problems]


def _result(problem: Problem, told: Sequence[Candidate], seconds: float) -> Result:
    tables = [solved(instance, problem.values) for instance in problem.test]
    right = (c for c in told if verify(c.formula, problem.target, tables, problem.where).status == "holds")
    best = next(right, None)
    found = (str(best.formula), best.engine) if best else (None, None)
    return Result(problem.name, str(problem.printed), *found, seconds)


def games(only: Sequence[str]) -> Iterator[list[Problem]]:
    """The problems, those of one game and target together."""
    studies = read_studies(ROOT / "config.yaml", str(ROOT / "rulesets")).values()
    problems, _ = derive([s for s in studies if not only or s.ruleset.name in only], true_form)

    def about(problem: Problem) -> tuple[str, str]:
        return problem.ruleset.name, str(problem.target)

    for _, mine in groupby(sorted(problems, key=about), key=about):
        yield list(mine)


def main() -> int:
    """Print a line for each problem, and how many are solved."""
    parser = argparse.ArgumentParser(prog="benchmarks.unaided", description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", default=[], help="this ruleset only")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one engine")
    parser.add_argument("--processes", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--json", help="where to write the results")
    asked = parser.parse_args()
    results: list[Result] = []
    with ProcessPoolExecutor(asked.processes) as pool:
        for found in pool.map(partial(ask, budget=asked.budget), games(asked.only)):
            results += found
            for each in found:
                said = f"{each.formula}  ({each.engine})" if each.formula else "-"
                print(f"{each.seconds:6.1f}  {each.problem}  printed {each.printed}: {said}", flush=True)
    print(f"{sum(each.formula is not None for each in results)} of {len(results)} solved")
    if asked.json:
        write_json(Path(asked.json), {"problems": [each._asdict() for each in results]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
