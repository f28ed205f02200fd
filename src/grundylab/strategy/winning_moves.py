"""The winning moves of tables, as Parquet: one row for each N-position and each move that wins there.

The columns are the coordinates (int32), the parameters and bounds (int64), ``move`` (the move's name), ``number``
(int32, its index in the rules), ``winning`` (int32, how many of its choices win) and ``least`` (a list of int32, the
first of these in lexicographic order; empty for a move without choices). Rows are ordered by position.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from grundylab.files import atomic_file
from grundylab.games.model import Ruleset
from grundylab.solve.table import Table
from grundylab.strategy.board import Board, n_positions

MOST = 20_000_000  # moves of all positions of a table together; of a table with more, no rows are written


def write_winning_moves(
    ruleset: Ruleset, tables: Sequence[Table], path: Path, made: Mapping[str, Any]
) -> None:
    """Write the winning moves of the tables of a ruleset, with their provenance ``made`` in the metadata."""
    schema = pa.schema(
        [
            *((name, pa.int32()) for name in ruleset.coordinate_names),
            *((name, pa.int64()) for name in (*ruleset.parameter_names, *ruleset.bounds)),
            ("move", pa.dictionary(pa.int32(), pa.string())),
            ("number", pa.int32()),
            ("winning", pa.int32()),
            ("least", pa.list_(pa.int32())),
        ]
    )
    with (
        atomic_file(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        for table in tables:
            if table.instance.moves <= MOST and not (ruleset.splits and table.kind == "outcome"):
                for board in n_positions([table]).parts:
                    writer.write_table(pa.Table.from_pydict(_rows(board), schema))
        writer.add_key_value_metadata({"grundylab": json.dumps(dict(made))})


def _rows(board: Board) -> dict[str, Any]:
    """Return the columns for the positions of one board."""
    ruleset, instance = board.ruleset, board.table.instance
    moves = []  # for each: the positions where it wins, how many choices win there, and the first of them
    for move in ruleset.moves:
        where, chosen = board.winning_choices(move)
        winning, first, counts = np.unique(where, return_index=True, return_counts=True)
        moves.append((winning, counts, chosen[first].tolist()))
    rows = np.concatenate([rows for rows, *_ in moves])
    order = np.argsort(rows, kind="stable")
    numbers = np.concatenate([np.full(len(rows_of[0]), number) for number, rows_of in enumerate(moves)])
    least = [choices for *_, chosen in moves for choices in chosen]
    columns: dict[str, Any] = {name: board.columns[name][rows][order] for name in ruleset.coordinate_names}
    columns |= {name: np.full(len(rows), value) for name, value in instance.constants.items()}
    columns["move"] = [ruleset.moves[number].name for number in numbers[order]]
    columns["number"] = numbers[order]
    columns["winning"] = np.concatenate([counts for _, counts, _ in moves])[order]
    columns["least"] = [least[place] for place in order]
    return columns
