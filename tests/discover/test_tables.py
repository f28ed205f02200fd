"""The user's own tables: a column as a formula of the other columns, from pandas and from a CSV file."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from tests.discover.made import made

import grundylab as gl
from grundylab.cli.main import main
from grundylab.language import parse


def frame(formula: str) -> pd.DataFrame:
    samples = made(formula, x=range(40), y=range(40))
    return pd.DataFrame({**samples.columns, "v": samples.values})


@pytest.mark.parametrize("formula", ["x >= 11", "(x + y) % 11 == 0", "(x + 2 * y) % 6"])
def test_a_column_is_told_as_the_smallest_formula_of_the_others(formula):
    (best, *_) = found = gl.discover(frame(formula), "v")
    assert best.exact
    assert best.size <= parse(formula).size
    assert "no simpler one" in found.notes[0]


@pytest.mark.parametrize(
    ("formula", "is_found"), [("x ^ y == (0 if x + y < 9 else 1)", True), ("x * x * x * y % 97 < 40", False)]
)
def test_beside_a_formula_the_note_says_that_none_shorter_was_found_and_never_that_none_was(
    formula, is_found
):
    found = gl.discover(frame(formula), "v", engine="search", budget=6)
    assert found[0].exact == is_found
    assert ("shorter" in found.notes[0], "none was" in found.notes[0]) == (is_found, not is_found)


def test_rows_that_are_not_asked_for__are_not_learnt_from():
    table = frame("x + y").assign(v=lambda t: np.where(t.x < 20, t.v, 0))
    (best, *_) = gl.discover(table, "v", where="x < 20")
    assert (str(best.formula), str(best.where)) == ("x + y", "x < 20")


FAR = 10**12  # between two numbers of a column: no table has a cell for each number between


def test_a_formula_of_large_numbers_is_found():
    table = frame("x + y").assign(v=lambda t: (t.x + t.y) * FAR)
    assert [str(c.formula) for c in gl.discover(table, "v")][:1] == [f"{FAR} * (x + y)"]


def test_a_csv_file_is_learnt_from_its_last_column_being_what_is_looked_for(tmp_path, capsys):
    path = tmp_path / "own.csv"
    frame("x % 5 == y % 7").to_csv(path, index=False)
    assert main(["discover", str(path)]) == 0
    assert "exact  size   7  x % 5 == y % 7" in capsys.readouterr().out
