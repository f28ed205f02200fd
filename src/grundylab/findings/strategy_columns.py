"""The table of strategies: a row for each of their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from grundylab.findings.winning import Winning, WinningMove
from grundylab.language import Expr

if TYPE_CHECKING:
    import pandas as pd

StrategyCell = Callable[
    [Winning, int, WinningMove], Any
]  # of a strategy, with the number of a line and the line
# by name: the meaning, and a function that returns the cell
COLUMNS: Mapping[str, tuple[str, StrategyCell]] = {
    "study": ("the study that found it", lambda one, _, __: one.study),
    "ruleset": ("the game", lambda one, _, __: one.ruleset),
    "status": ("`proved`, `holds` or `partial`, of the whole strategy", lambda one, _, __: one.status),
    "where": ("the condition on positions and parameters under which the strategy applies",
              lambda one, _, __: str(one.where)),
    "line": ("the number of the line, from 1; the first line whose condition is true counts",
             lambda _, number, __: number),
    "move": ("the name of the move", lambda _, __, line: line.move),
    "number": ("the index of the move in the rules, from 0", lambda _, __, line: line.number),
    "when": ("the condition of the line", lambda _, __, line: str(line.when)),
    "choices": ("a formula for each choice of the move, as in `t = x - y`; empty for a move without choices",
                lambda _, __, line: _equations(line.choices)),
    "left": ("the coordinates that change, with their values after the move; empty for a move to a sum",
             lambda _, __, line: _equations(line.left)),
    "formula": ("the formula for P-positions, or for Grundy numbers, at which the moves aim; empty if none is known",
                lambda one, _, __: "" if one.formula is None else str(one.formula)),
    "right": ("the number of N-positions of the test tables at which the strategy names a winning move",
              lambda one, _, __: one.test.right),
    "checked": ("the number of N-positions of the test tables", lambda one, _, __: one.test.checked),
    "procedures": ("the procedures that prove it",
                   lambda one, _, __: "; ".join(one.procedures if one.status == "proved" else ())),
    "proof": ("the path of the proof; empty if it is not proved",
              lambda one, _, __: (one.proof.proof if one.proof else None) or ""),
}  # fmt: skip


def strategies_frame(strategies: Iterable[Winning]) -> pd.DataFrame:
    """Return a data frame with the columns ``COLUMNS`` and a row for each line of each strategy."""
    import pandas as pd

    rows = [
        [cell(one, number, line) for _, cell in COLUMNS.values()]
        for one in strategies
        for number, line in enumerate(one.moves, start=1)
    ]
    numbers = ("line", "number", "right", "checked")
    types = {name: "int64" if name in numbers else "str" for name in COLUMNS}
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(types)


def _equations(values: Mapping[str, Expr]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
