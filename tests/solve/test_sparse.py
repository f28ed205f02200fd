"""P-positions computed alone agree with the whole table, in memory and in a file."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from grundylab.errors import DatasetError
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve, solving
from grundylab.solve.dataset import (
    read_dataset,
    read_metadata,
    read_p_positions,
    write_dataset,
    write_p_positions,
)
from grundylab.solve.solving import solve_p_positions

PASS = """
title: t
piles: 3
parameters: {m: m >= 1}
position: {x: 0..N}
moves: [{take: t, from: x}]
pass: {when: x + ... >= m}
"""


def nim(bound=9, m=4):
    return make_instance(parse_ruleset(PASS, "pass"), {"m": m}, {"N": bound})


def rows(found):
    return [tuple(map(int, row)) for slab in found.slabs(5) for row in zip(*slab, strict=True)]


def test_a_file_of_p_positions_has_these_rows_and_says_so(tmp_path):
    found = solve_p_positions(nim())
    path = tmp_path / "p.parquet"
    write_p_positions(found, path)
    file = pq.ParquetFile(path)
    names = ["x", "y", "z", "p"]
    assert file.schema_arrow.names == [*names, "m", "N", "grundy", "outcome"]
    assert [tuple(row.values()) for row in file.read(names).to_pylist()] == rows(found)
    said = read_metadata(path)
    assert (said["values"], said["positions"], said["rows"]) == ("p", 2000, len(found))
    assert np.array_equal(read_p_positions(path, nim()).cells, found.cells)


def test_a_file_of_p_positions_is_a_dataset_of_outcomes_but_not_of_grundy_numbers(tmp_path):
    path = tmp_path / "p.parquet"
    write_p_positions(solve_p_positions(nim()), path)
    assert np.array_equal(read_dataset(path, nim(), "outcome").values, solve(nim(), "outcome").values)
    with pytest.raises(DatasetError, match=r"made for another values \(p, not grundy\)"):
        read_dataset(path, nim(), "grundy")
    with pytest.raises(DatasetError, match="made for another parameters"):
        read_dataset(path, nim(m=5), "outcome")
    write_dataset(solve(nim(), "outcome"), path)
    with pytest.raises(DatasetError, match=r"made for another values \(outcome, not p\)"):
        read_p_positions(path, nim())


@pytest.mark.parametrize("damage", ["row", "order", "bit", "half"])
def test_a_damaged_file_of_p_positions_is_refused(tmp_path, damage):
    path = tmp_path / "p.parquet"
    found = solve_p_positions(nim())
    if damage in ("row", "order"):
        cells = found.cells[:-1] if damage == "row" else found.cells[::-1]
        write_p_positions(solving.PPositions(found.instance, cells, found.positions), path)
        kept = path.read_bytes().replace(f'"rows": {len(cells)}'.encode(), f'"rows": {len(found)}'.encode())
        path.write_bytes(kept)
    else:
        write_p_positions(found, path)
        whole = path.read_bytes()
        path.write_bytes(
            whole[: len(whole) // 2] if damage == "half" else whole[:40] + bytes([whole[40] ^ 1]) + whole[41:]
        )
    with pytest.raises(DatasetError, match="solve again"):
        read_dataset(path, nim(), "outcome")
