"""The Parquet file of winning moves has each move that wins at each N-position, and no other."""

import pandas as pd
import pytest
from tests.solved import solved_table
from tests.strategy.referee import winning_options

from grundylab.strategy import winning_moves
from grundylab.strategy.winning_moves import write_winning_moves


def written(tables, path):
    write_winning_moves(tables[0].instance.ruleset, tables, path, {})
    return pd.read_parquet(path)


@pytest.mark.parametrize(
    ("game", "sizes"),
    [("nim-2", {"N": 6}), ("misere-nim", {"N": 4}), ("laskers-nim", {"N": 20}), ("moore-nim-4-2", {"N": 2})],
)
def test_each_row_is_a_move_that_wins(game, sizes, tmp_path):
    kind = "outcome" if game == "misere-nim" else "grundy"
    table = solved_table(game, kind, **sizes)
    frame = written([table], tmp_path / "moves.parquet")
    names = list(table.instance.ruleset.coordinate_names)
    found = {
        (tuple(row[name] for name in names), row["number"]): row["winning"]
        for row in frame.to_dict("records")
    }
    said = {}
    for position, wins in winning_options(table.instance):
        for number, _ in wins:
            said[position, number] = said.get((position, number), 0) + 1
    assert found == said


def test_the_first_choice_and_the_parameters_stand_in_the_row(tmp_path):
    tables = [solved_table("subtraction-1-to-m", m=m, N=9) for m in (2, 3)]
    frame = written(tables, tmp_path / "moves.parquet")
    assert list(frame.columns) == ["x", "m", "N", "move", "number", "winning", "least"]
    assert [list(least) for least in frame["least"]] == [
        [x % (m + 1)] for x, m in zip(frame.x, frame.m, strict=True)
    ]


def test_nothing_is_written_of_a_table_with_too_many_moves(tmp_path, monkeypatch):
    monkeypatch.setattr(winning_moves, "MOST", 10)
    assert written([solved_table("nim-2", N=6)], tmp_path / "moves.parquet").empty
