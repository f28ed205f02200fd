"""Benchmark of discovery as a user meets it: the problems of ``discovery`` without a region and without an engine.

    python -m benchmarks.unaided [--only RULESET] [--budget SECONDS] [--json FILE]

All engines take turns on the whole tables of a game, once for each of its targets. If no answer is exact at all
positions, the game's first rows are searched, too, as ``grundylab study`` does. A problem is solved if one of the
formulas found is right at every unseen position of the problem's region.
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
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.discovery_problems import Problem, derive, shipped_studies, solved, true_form

from grundylab.check.verification import verify
from grundylab.discover import EngineQuestion, engine_findings, ranked_candidates
from grundylab.files import write_json
from grundylab.findings.catalogue import formula_of
from grundylab.games import Instance
from grundylab.games.model import ALWAYS
from grundylab.language import Expr
from grundylab.language.syntax import TRUE
from grundylab.pipeline.default_tables import usual_rows
from grundylab.pipeline.rows_and_heaps import row_records
from grundylab.solve.table import Table


class Result(NamedTuple):
    """Result for one problem: the first formula that is right in its region, and its engine; None if there is none.

    seconds: processor time for all problems of the game and target.
    """

    problem: str
    printed: str
    formula: str | None
    engine: str | None
    seconds: float


class Told(NamedTuple):
    """A formula that was found, the condition of the positions that it concerns, and the engine that found it."""

    formula: Expr
    where: Expr
    engine: str


def ask(problems: Sequence[Problem], budget: float) -> list[Result]:
    """Run the engines for problems that all concern one target of one game; return a result for each problem."""
    first = problems[0]
    instances = dict.fromkeys(instance for problem in problems for instance in problem.train)
    tables = [solved(instance, first.values) for instance in instances]
    started = time.process_time()
    told = ranked_candidates(engine_findings(tables, EngineQuestion(first.target, 0, budget)))
    own = [Told(c.formula, c.where, c.origin.engine) for c in told if c.exact and not c.values]
    if not any(each.where == TRUE for each in own):
        own += _rows(first, tuple(instances))
    seconds = time.process_time() - started
    return [_result(problem, own, seconds) for problem in problems]


def _rows(problem: Problem, train: tuple[Instance, ...]) -> list[Told]:
    """Return the formulas found for the game's first rows; empty if its usual rows are not of the problem's target."""
    rows = None if problem.ruleset.play == "misere" else usual_rows(problem.ruleset, train)
    if rows is None or rows.target != str(problem.target):
        return []
    with TemporaryDirectory() as folder:
        records = row_records(problem.ruleset, rows, Path(folder), 0)
    found = [formula for record in records if (formula := formula_of(record)) is not None]
    return [Told(each.formula, each.where, each.origin.engine) for each in found]


def _result(problem: Problem, told: Sequence[Told], seconds: float) -> Result:
    tables = [solved(instance, problem.values) for instance in problem.test]
    best = next((each for each in told if _right(each, problem, tables)), None)
    found = (str(best.formula), best.engine) if best else (None, None)
    return Result(problem.name, str(problem.printed), *found, seconds)


def _right(told: Told, problem: Problem, tables: Sequence[Table]) -> bool:
    """Tell whether the formula concerns the whole region of the problem and is right at all its positions."""
    if told.where != TRUE and verify(told.where, ALWAYS, tables, problem.where).status != "holds":
        return False
    return verify(told.formula, problem.target, tables, problem.where).status == "holds"


def games(only: Sequence[str]) -> Iterator[list[Problem]]:
    """Yield lists of problems, one list for each game and target."""
    studies = shipped_studies().values()
    problems, _ = derive([s for s in studies if not only or s.ruleset.name in only], true_form)

    def about(problem: Problem) -> tuple[str, str]:
        return problem.ruleset.name, str(problem.target)

    for _, mine in groupby(sorted(problems, key=about), key=about):
        yield list(mine)


def main() -> int:
    """Print a line for each problem, and the number of those solved."""
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
