"""What is written of any game is read back: tables, outcomes from Grundy numbers, and P-positions alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given
from tests.differential.ways import interpreted, kinds
from tests.random_games import instances
from tests.sizes import examples

from grundylab.solve.dataset import read_dataset, read_p_positions, write_dataset, write_p_positions
from grundylab.solve.reference import solve_reference
from grundylab.solve.solving import solve_p_positions


@examples(10)
@given(instances())
def test_what_is_written_is_read_back(instance):
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds(instance):
            table, path = solve_reference(instance, kind), Path(folder) / f"{kind}.parquet"
            write_dataset(table, path)
            again = read_dataset(path, instance, kind)
            assert again.values.dtype == table.values.dtype
            assert np.array_equal(again.values, table.values)
            if kind == "grundy":
                outcomes = read_dataset(path, instance, "outcome").values
                assert np.array_equal(outcomes, solve_reference(instance, "outcome").values)


@examples(10)
@given(instances())
def test_p_positions_written_alone_are_the_table(instance):
    if instance.ruleset.splits:
        return
    with interpreted():
        found = solve_p_positions(instance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.parquet"
        write_p_positions(found, path)
        again = read_p_positions(path, instance)
        assert np.array_equal(again.cells, found.cells)
        assert again.positions == found.positions
        expected = solve_reference(instance, "outcome").values
        assert np.array_equal(read_dataset(path, instance, "outcome").values, expected)
