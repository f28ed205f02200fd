"""PySR's benchmark: all engines learn from the same data, and PySR's cells say so if there is no Julia."""

from dataclasses import replace
from functools import partial

import pytest
from benchmarks.discovery_runs import Attempt
from benchmarks.pysr import cell, main, problems
from tests.discover.made import made

from benchmarks import pysr
from grundylab.discover.engines import gplearn
from grundylab.games import parse_target

FOUND = Attempt("pysr", 0, 2.0, "holds", "x == y", 3, 1.0)


@pytest.fixture
def one_question(monkeypatch, tmp_path):
    """Reduce the benchmark to its first question, and keep tables in the test's own folder."""
    first = next(problems())
    monkeypatch.setattr(pysr, "problems", lambda: iter([replace(first, test=first.train)]))
    monkeypatch.chdir(tmp_path)


def test_where_there_is_no_julia_its_cells_say_so_with_the_reason(one_question, monkeypatch, capsys):
    monkeypatch.setattr(pysr, "unavailable", lambda: "there is none")
    assert main(["--engines", "tree,pysr", "--seeds", "0,1", "--budget", "2"]) == 0
    text = capsys.readouterr().out
    (row,) = [line for line in text.splitlines() if line.startswith("| nim-2: p, N=16 |")]
    assert row.split(" | ")[1].startswith("1/1, ")  # no seed changes what it finds
    assert row.endswith(" | not measured |")
    assert ": there is none." in text


def test_without_rounds_gplearn_has_one_sample_of_as_many_positions(monkeypatch):
    given = []

    def fit(problem, seed, evolution):
        given.append(len(problem.wanted))
        return evolution(problem, seed)

    samples = made("x * x % 7 == y % 5", x=range(60), y=range(60))
    generations = gplearn._Evolution.__call__
    monkeypatch.setattr(gplearn, "POPULATION", 20)
    monkeypatch.setattr(
        gplearn._Evolution, "__call__", lambda own, *asked: fit(*asked, partial(generations, own))
    )
    with pysr.rounds(1):
        told = gplearn.propose(samples, parse_target("p"), 0, 0.3)
    assert (len(given), given[0] > 500) == (2, True)  # the second time the budget is used up
    gplearn.propose(samples, parse_target("p"), 0, 0.3)
    assert given[2] <= 200
    assert told.notes


def test_an_unknown_engine_is_one_line(capsys):
    assert main(["--engines", "magic"]) == 2
    assert capsys.readouterr().err.startswith("pysr: unknown engine 'magic'")


@pytest.mark.parametrize(
    ("attempts", "text"),
    [
        ((), "not measured"),
        ((FOUND, replace(FOUND, seconds=4.0, verdict="refuted")), "1/2, 3.0 s, `x == y`"),
        ((replace(FOUND, verdict="partial", share=0.5),), "0/1, 2.0 s, 50 %"),
    ],
)
def test_a_cell_sums_up_what_the_seeds_found(attempts, text):
    assert cell(attempts) == text


def test_the_questions_are_learnt_from_smaller_tables_than_they_are_judged_on():
    for problem in problems():
        assert max(i.cells for i in problem.train) < min(i.cells for i in problem.test)
