"""The contract of all engines, on small tables of every kind.

A run is one engine on one table. It was given the rows of its tables and no others, and no clock. Its formulas can be
written and read again, its counts are counted once more by the plain evaluator, and its work is within its budget. All
this is the same in another process, in another order, with other hashes and another clock.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.discover.games import CHOCOLATE, PASS, SPLIT_OR_TAKE, SUBTRACTION, WYTHOFF, one_pile, piles
from tests.discover.made import made
from tests.solved import tables

import grundylab as gl
from grundylab.check.data_frames import frame_samples
from grundylab.check.samples import Samples
from grundylab.discover import (
    ENGINES,
    EngineQuestion,
    Findings,
    Proposals,
    collect,
    engine_findings,
    engine_named,
    engine_turns,
    search_budget,
    uses_seed,
)
from grundylab.discover.base import ended_by_budget
from grundylab.discover.engines import gplearn, pysr
from grundylab.discover.search_budget import LATE, SECONDS_A_CELL, SearchBudget
from grundylab.games import Instance, Ruleset, make_instance, parse_target
from grundylab.games.model import Target
from grundylab.games.rules import Rules
from grundylab.language import NO_FUNCTIONS, Functions, parse
from grundylab.language.functions import Tabulated
from grundylab.language.plain import compile_plain
from grundylab.language.syntax import free_names
from grundylab.records.finding import Finding
from grundylab.solve.reference import solve_reference

ROOT = Path(__file__).parents[2]
BUDGET, SEED = 0.1, 3  # seconds, counted as work
TOP, ROWS = 2**63 - 1, range(30)
DAY = 86_400  # seconds by which the clock jumps whenever it is read; 0 in the other process


NOBODY_MOVES = 'title: t\nposition: {x: 0..N}\nmoves: [{when: "x < 0", to: {x: x - 1}}]\nplay: misere\n'
A_FUNCTION = SUBTRACTION.replace("min(x, m)", "min(x, f(m))") + "functions: {f(n): 2 * n}\n"
GAMES = {  # (text, target, bound and parameters)
    "one heap": (one_pile("1..min(x, 3)"), "p", {"N": 16}),
    "two heaps": (piles(2), "grundy", {"N": 6}),
    "three heaps with a pass": (piles(3, PASS), "p", {"N": 2}),
    "one heap with a pass": (piles(1, PASS, "1..ceil(x/2)"), "grundy", {"N": 12}),
    "misère play": (piles(2, "play: misere\n"), "p", {"N": 6}),
    "one Grundy number": (WYTHOFF, "grundy == 1", {"N": 6}),
    "a position space with holes": (CHOCOLATE, "p", {"N": 3}),
    "a sum of heaps": (SPLIT_OR_TAKE, "grundy", {"N": 16}),
    "a parameter and a function": (A_FUNCTION, "grundy", {"N": 16, "m": (1, 2, 4)}),
    "no P-positions": (NOBODY_MOVES, "p", {"N": 6}),
}


def grid(value: Callable[..., np.ndarray]) -> pd.DataFrame:
    """Return the table of a function v of two columns."""
    x, y = np.indices((9, 9)).reshape(2, -1)
    return pd.DataFrame({"x": x, "y": y, "v": value(x, y)})


def edge(number: int) -> int:
    """Return numbers at both ends of what 64 bits hold, in turn."""
    return TOP - number if number % 2 else number - TOP - 1


TABLES = {
    "a column of values": grid(lambda x, y: (x + 2 * y) % 6),
    "a column of truth values": grid(lambda x, y: x >= 2 * y),
    "one value everywhere": grid(lambda x, y: 0 * x + 7),
    "a column that never varies": grid(lambda x, y: y == 3).assign(x=5)[:9],
    "one row": grid(lambda x, y: x)[:1],
    "two rows of truth values": grid(lambda x, y: y == 1)[:2],
    "negative numbers": grid(lambda x, y: x - y).assign(x=lambda frame: -frame.x),
    "numbers far apart": grid(lambda x, y: (x + 2 * y) % 6).assign(x=lambda frame: frame.x * 10**12),
    "values far apart": grid(lambda x, y: np.minimum(x, y) * 10**12),
    "no small terms": pd.DataFrame(
        {"x": range(2**31, 2**31 + 60), "v": [i * i % 101 < 30 for i in range(60)]}
    ),
    # one column each has numbers from the edge of 64 bits, where differences and sums overflow
    "columns at the edge": pd.DataFrame(
        {"x": [TOP - i for i in ROWS], "y": [TOP - 2 * i for i in ROWS], "v": [i % 3 for i in ROWS]}
    ),
    "a column at both edges": pd.DataFrame(
        {"x": map(edge, ROWS), "y": [-i for i in ROWS], "v": [i % 2 == 0 for i in ROWS]}
    ),
    "values at both edges": pd.DataFrame({"x": ROWS, "y": [-i for i in ROWS], "v": map(edge, ROWS)}),
}
# The equations of runs of PySR on other tables: each round has those of some run.
RECORDED = [
    json.loads(line)["equations"]
    for line in (Path(__file__).parent / "pysr" / "recorded-rounds.jsonl").read_text().splitlines()
]
CASES = [*product(ENGINES, [*GAMES, *TABLES])]
AGAIN = CASES[::2]  # every second table, and for the next engine the others


def recorded_answer(problem: object, arguments: Mapping[str, int]) -> pysr.KeptAnswer:
    """Return equations in place of PySR's, which depend on the seed of the round."""
    return pysr.KeptAnswer(RECORDED[arguments["random_state"] % len(RECORDED)], {"PySR": "recorded"})


# -- a run -----------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """An engine's formulas for one table, its questions and proposals, and its work in seconds."""

    found: Findings
    given: list[Samples] = field(default_factory=list)
    proposed: list[Proposals] = field(default_factory=list)
    work: float = 0.0


@cache
def run(engine: str, name: str, seed: int) -> Run:
    """Run an engine on the tables of this name, with a clock that jumps, and with none that ends a late search."""
    done, spend = Run(None), SearchBudget.spend

    def ask(samples: Samples, *more: Any) -> Proposals:
        proposals = engine_named(engine)(samples, *more)
        done.given.append(samples)
        done.proposed.append(proposals)
        return proposals

    def counted(budget: SearchBudget, cells: float) -> None:
        done.work += cells * SECONDS_A_CELL * (budget._around is None)
        spend(budget, cells)

    now, drawn = count(0, DAY), np.random.get_state()[1].tobytes()
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("error")
        patch.setattr(engine_turns, "engine_named", lambda name: ask)
        patch.setattr(SearchBudget, "spend", counted)
        patch.setattr(search_budget, "process_time", lambda: 0.0)
        patch.setattr(gplearn, "POPULATION", 50)
        patch.setattr(pysr, "_answer", recorded_answer)
        for clock in ("time", "process_time", "monotonic", "perf_counter"):
            patch.setattr(time, clock, lambda: next(now))
        if name in GAMES:
            game, target, sizes = GAMES[name]
            question, below = EngineQuestion(parse_target(target), seed, BUDGET), {"N": 2 * sizes["N"] + 1}
            (done.found,) = engine_findings(tables(game, target, **sizes), question, [engine], below=below)
        else:
            samples, target = frame_samples(TABLES[name], "v")
            done.found = EngineQuestion(target, seed, BUDGET).about(engine, samples)
    assert np.random.get_state()[1].tobytes() == drawn, "NumPy's global generator was used"
    return done


def answer(engine: str, name: str, seed: int) -> str:
    """Return all that is proposed and found as text, without the seed and the seconds."""
    done = run(engine, name, seed)
    proposed = [replace(proposals, further=None) for proposals in done.proposed]
    equations = [(each.origin.equation, each.origin.exceptions) for each in done.found.candidates]
    return repr((proposed, replace(done.found, seed=0, seconds=0.0), equations))


# -- the rows, once more -----------------------------------------------------------------------------------------

Row = dict[str, int]  # names and values, with the target's value under the name v


def rows_of_tables(instances: Iterable[Instance], target: Target) -> Iterator[Row]:
    """Yield the rows of the tables, as the definition solves them."""
    for instance in instances:
        table = solve_reference(instance, target.values)
        for position in Rules(instance).positions():
            value = table[position]
            wanted = {"p": value == 0, "grundy": value}.get(str(target), value == 1)
            names = dict(zip(instance.ruleset.coordinate_names, position, strict=True))
            yield {**names, **dict(instance.parameters), "v": int(wanted)}


def rows_of_frame(frame: pd.DataFrame) -> list[Row]:
    return [
        {name: int(value) for name, value in row.items()} for row in frame.astype(object).to_dict("records")
    ]


def rows_of_samples(samples: Samples) -> list[Row]:
    return rows_of_frame(pd.DataFrame({**samples.columns, "v": samples.values}))


def in_order(rows: Iterable[Row]) -> list[list[tuple[str, int]]]:
    return sorted(sorted(row.items()) for row in rows)


def counts_of(candidate: Finding, rows: Sequence[Row], functions: Functions) -> tuple[int, int]:
    """Return at how many rows the candidate is right, and how many it concerns, by the plain evaluator."""
    for name in candidate.values:
        functions = functions.given(rows_as_function(name, rows))
    where, formula = compile_plain(candidate.where, functions), compile_plain(candidate.formula, functions)
    right = [int(formula(row)) == row["v"] for row in rows if where(row)]
    return sum(right), len(right)


def rows_as_function(name: str, rows: Sequence[Row]) -> Tabulated:
    """Return the function that looks a value up in these rows, whose numbers begin at 0."""
    names = tuple(each for each in rows[0] if each != "v")
    values = np.full([max(row[each] for row in rows) + 1 for each in names], -1)
    for row in rows:
        values[tuple(row[each] for each in names)] = row["v"]
    return Tabulated(name, names, values, (0,) * len(names), "the rows")


def instance_of(ruleset: Ruleset, label: str) -> Instance:
    """Return the instance with this label, such as ``m=2,N=8``."""
    values = {name: int(number) for name, number in re.findall(r"(\w+)=(\d+)", label)}
    parameters = {name: values.pop(name) for name in ruleset.parameter_names}
    return make_instance(ruleset, parameters, values)


# -- the contract ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("engine", "name"), CASES)
def test_an_engine__sees_the_given_rows_alone_within_its_budget_and_is_counted_rightly(engine, name):
    done = run(engine, name, SEED)
    found, functions, tried = done.found, NO_FUNCTIONS, []
    if name in GAMES:
        game, target, sizes = GAMES[name]
        given = [table.instance for table in tables(game, target, **sizes)]
        learnt = [[instance_of(given[0].ruleset, label) for label in each.instances] for each in found.learnt]
        assert learnt[0] == given
        assert all(dict(each.bounds)["N"] <= 2 * sizes["N"] for some in learnt for each in some)
        functions = given[0].ruleset.functions
        seen = [[*rows_of_tables(some, found.target)] for some in learnt]
        tried = [*rows_of_tables(found.tried, found.target)]
    else:
        seen = [rows_of_frame(TABLES[name])]
    for samples, rows in zip(done.given, seen, strict=True):
        assert in_order(rows_of_samples(samples)) == in_order(rows)
    for proposals, samples in zip(done.proposed, done.given, strict=True):
        for formula in (*proposals.formulas, *(part.formula for part in proposals.parts)):
            assert (formula.kind, parse(str(formula))) == (found.target.kind, formula)
            assert free_names(formula) <= set(samples.names)
    for candidate in found.candidates:
        assert parse(str(candidate.formula)) == candidate.formula
        assert parse(str(candidate.where)) == candidate.where
        assert counts_of(candidate, seen[0], functions) == (candidate.train.right, candidate.train.total)
        beyond = (candidate.validate.right, candidate.validate.total)
        assert (counts_of(candidate, tried, functions) if tried else (0, 0)) == beyond
        if name in TABLES:
            assert gl.verify(candidate, TABLES[name]).wrong == candidate.train.wrong
    assert done.work <= LATE * BUDGET * len(done.given)  # the last step of a search may exceed it
    if uses_seed(engine):
        most = {"gplearn": gplearn.GENERATIONS, "pysr": BUDGET * pysr.EVALUATIONS_PER_SECOND}[engine]
        assert 0 < found.work.amount <= most * len(done.given)


@pytest.fixture(scope="module")
def elsewhere() -> dict[str, str]:
    """The answers of another process, in the opposite order; engines that do not draw at random have another seed."""
    code = (
        "import json\nfrom tests.discover import test_engine_contract as t\nt.DAY = 0\n"
        "cases = [(engine, name, t.SEED + (not t.uses_seed(engine))) for engine, name in reversed(t.AGAIN)]\n"
        "print(json.dumps({f'{case[0]}, {case[1]}': t.answer(*case) for case in cases}))"
    )
    known = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=known, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(("engine", "name"), AGAIN)
def test_the_answer_of_an_engine__depends_on_the_rows_and_the_seed_alone(engine, name, elsewhere):
    assert answer(engine, name, SEED) == elsewhere[f"{engine}, {name}"]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine__without_a_budget_ends_and_says_so(engine, monkeypatch):
    monkeypatch.setattr(pysr, "_answer", recorded_answer)
    samples, target = made("x * x % 7 == isqrt(y + 3)", x=range(30), y=range(30)), "p"
    if engine == "transfer":
        target, game = "grundy", piles(1, PASS, "1..ceil(x/2)")
        samples = collect(tables(game, target, N=40), parse_target(target))
    *_, note = engine_named(engine)(samples, parse_target(target), SEED, 0.0).notes
    assert ended_by_budget(note) or note.startswith("not enough time to tell whether it is automatic")
