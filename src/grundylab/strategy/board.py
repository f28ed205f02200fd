"""N-positions of solved tables, and where moves from them lead."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grundylab.check.samples import Samples, restricted_columns
from grundylab.errors import EvaluationError
from grundylab.games.model import Move, Ruleset
from grundylab.games.position_bounds import space_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, Expr
from grundylab.numeric import Array
from grundylab.solve.table import NO_POSITION, Table
from grundylab.strategy.lines import playable

MOST_MOVES = 1 << 22  # moves of positions that are looked at together
BoardColumns = Mapping[str, Array]


@dataclass(frozen=True)
class Board:
    """Positions of one table. columns: for each coordinate and parameter, an int64 array (positions,)."""

    table: Table
    columns: BoardColumns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def ruleset(self) -> Ruleset:
        """The game."""
        return self.table.instance.ruleset

    def at(self, rows: Array) -> Board:
        """Return only these positions. rows: their numbers, or a mask."""
        return Board(self.table, {name: column[rows] for name, column in self.columns.items()})

    def values(self, expr: Expr) -> Array:
        """Return the value of an expression at each position. Raises EvaluationError if it has none somewhere."""
        values = evaluate_arrays(expr, self.columns, self.ruleset.functions)
        return np.broadcast_to(values, (len(self),))

    def true(self, condition: Expr) -> Array:
        """Return the mask of the positions where a condition is true; none if it has no value at one of them."""
        try:
            return self.values(condition).astype(bool)
        except EvaluationError:
            return np.zeros(len(self), dtype=bool)

    def wins(self, move: Move, choices: Sequence[Array]) -> Array:
        """Return the mask of the positions where a move with these choices is legal and leads to a P-position.

        choices: an array (positions,) for each choice of the move. For a pass, there has to be another move, too, which
        is not checked: where play is normal, every N-position has one.
        """
        rows = np.arange(len(self))
        columns = dict(self.columns)

        def keep(mask: Array) -> None:
            nonlocal rows, columns
            rows, columns = rows[mask], {name: column[mask] for name, column in columns.items()}

        for choice, given in zip(move.choices, choices, strict=True):
            value = given[rows]
            low, high = (self._of(end, columns, len(rows)) for end in choice.ends)
            inside = (low <= value) & (value <= high)
            columns[choice.name] = value
            keep(inside)
        if move.when != TRUE:
            keep(self._of(move.when, columns, len(rows)).astype(bool))
        total, box = np.zeros(len(rows), dtype=np.int64), self.table.instance.box
        for part in move.parts:
            inside, places = np.ones(len(rows), dtype=bool), list[Array]()
            for expr, side in zip(part, box, strict=True):
                offset = self._of(expr, columns, len(rows)) - side.low
                inside &= (offset >= 0) & (offset < side.width)
                places.append(np.clip(offset, 0, side.width - 1))
            values = self.table.values[tuple(places)].astype(np.int64)
            # 1 for what is no position, to which no legal move of a correct game leads
            total ^= np.where(inside & (values != NO_POSITION), values, 1)
        winning = np.zeros(len(self), dtype=bool)
        winning[rows[total == 0]] = True
        return winning

    def winning_choices(self, move: Move) -> tuple[Array, Array]:
        """Return all winning choices of a move: (numbers of the positions, array (winning choices, choices))."""
        most = max(1, self.table.instance.choices(move))
        step = max(1, MOST_MOVES // most)
        rows, chosen = [], []
        for start in range(0, len(self), step):
            part = self.at(np.arange(start, min(start + step, len(self))))
            owner, ranged = np.arange(len(part)), dict[str, Array]()  # for each combination of choices so far
            for choice in move.choices:
                columns = {name: column[owner] for name, column in part.columns.items()} | ranged
                low, high = (part._of(end, columns, len(owner)) for end in choice.ends)
                counts = np.maximum(high - low + 1, 0)
                again = np.repeat(np.arange(len(owner)), counts)
                number = np.arange(len(again)) - np.repeat(np.cumsum(counts) - counts, counts) + low[again]
                ranged = {name: value[again] for name, value in ranged.items()} | {choice.name: number}
                owner = owner[again]
            values = list(ranged.values())
            won = part.at(owner).wins(move, values)
            rows.append(owner[won] + start)
            chosen.append(np.stack([*(value[won] for value in values), owner[won]], axis=1)[:, : len(values)])
        if not rows:
            return np.empty(0, dtype=np.int64), np.empty((0, len(move.choices)), dtype=np.int64)
        return np.concatenate(rows), np.concatenate(chosen)

    def _of(self, expr: Expr, columns: BoardColumns, rows: int) -> Array:
        if not rows:
            return np.zeros(0, dtype=np.int64)
        return np.broadcast_to(evaluate_arrays(expr, columns, self.ruleset.functions), (rows,))


@dataclass(frozen=True)
class Boards:
    """N-positions of several tables of one game, numbered through."""

    parts: tuple[Board, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def ruleset(self) -> Ruleset:
        """The game."""
        return self.parts[0].ruleset

    @cached_property
    def samples(self) -> Samples:
        """The positions as samples, with 0 as the value of each."""
        ruleset = self.ruleset
        columns = {
            name: np.concatenate([part.columns[name] for part in self.parts])
            for name in ruleset.formula_names
        }
        values = np.zeros(len(self), dtype=np.int64)
        functions, space = ruleset.rule_functions, space_condition(ruleset)
        return Samples(ruleset.formula_names, columns, values, ruleset.parameter_names, functions, space)

    def at(self, rows: Array) -> Boards:
        """Return only these positions. rows: their numbers, increasing, or a mask."""
        mask = rows if rows.dtype == bool else np.isin(np.arange(len(self)), rows)
        parts = (part.at(mask[begin : begin + len(part)]) for begin, part in self._begins())
        return Boards(tuple(part for part in parts if len(part)))

    def each(self, of_board: Callable[[Board, slice], Array]) -> Array:
        """Return what ``of_board`` says of the positions of each table, as one array. The slice has their numbers."""
        parts = [of_board(part, slice(begin, begin + len(part))) for begin, part in self._begins()]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)

    def winning_choices(self, move: Move) -> tuple[Array, Array]:
        """Return all winning choices of a move: (numbers of the positions, array (winning choices, choices))."""
        of_parts = [(begin, *part.winning_choices(move)) for begin, part in self._begins()]
        return (
            np.concatenate([rows + begin for begin, rows, _ in of_parts]),
            np.concatenate([chosen for *_, chosen in of_parts]),
        )

    def _begins(self) -> Iterator[tuple[int, Board]]:
        begin = 0
        for part in self.parts:
            yield begin, part
            begin += len(part)


def n_positions(tables: Sequence[Table], where: Expr = TRUE) -> Boards:
    """Return the N-positions of the tables that fulfil a condition, without those where the game is over."""
    boards = list[Board]()
    for table in tables:
        ruleset = table.instance.ruleset
        for slab in table.slabs():
            columns, values = restricted_columns(slab, table.instance, where, ruleset.functions)
            board = Board(table, {name: column.astype(np.int64) for name, column in columns.items()})
            board = board.at(values != 0)
            boards.append(board.at(board.true(playable(ruleset))) if ruleset.play == "misere" else board)
    return Boards(tuple(board for board in boards if len(board)))
