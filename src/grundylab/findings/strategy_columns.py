"""The table of strategies: a row for each of their lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from grundylab.findings.winning import Winning, WinningMove
from grundylab.language import Expr

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Mapping[str, str] = {
    "study": "the study that found it",
    "ruleset": "the game",
    "status": "`proved`, `holds` or `partial`, of the whole strategy",
    "where": "the condition on positions and parameters under which the strategy applies",
    "line": "the number of the line, from 1; the first line whose condition is true counts",
    "move": "the name of the move",
    "number": "the index of the move in the rules, from 0",
    "when": "the condition of the line",
    "choices": "a formula for each choice of the move, as in `t = x - y`; empty for a move without choices",
    "left": "the coordinates that change, with their values after the move; empty for a move to a sum",
    "formula": "the formula for P-positions, or for Grundy numbers, at which the moves aim; empty if none is known",
    "right": "the number of N-positions of the test tables at which the strategy names a winning move",
    "checked": "the number of N-positions of the test tables",
    "procedures": "the procedures that prove it",
    "proof": "the path of the proof; empty if it is not proved",
}


def strategies_frame(strategies: Iterable[Winning]) -> pd.DataFrame:
    """Return a data frame with the columns ``COLUMNS`` and a row for each line of each strategy."""
    import pandas as pd

    rows = [
        _row(winning, place, m) for winning in strategies for place, m in enumerate(winning.moves, start=1)
    ]
    numbers = ("line", "number", "right", "checked")
    types = {name: "int64" if name in numbers else "str" for name in COLUMNS}
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(types)


def _row(winning: Winning, place: int, move: WinningMove) -> dict[str, Any]:
    proof = winning.proof.proof if winning.proof else None
    return {
        "study": winning.study,
        "ruleset": winning.ruleset,
        "status": winning.status,
        "where": str(winning.where),
        "line": place,
        "move": move.move,
        "number": move.number,
        "when": str(move.when),
        "choices": _equations(move.choices),
        "left": _equations(move.left),
        "formula": "" if winning.formula is None else str(winning.formula),
        "right": winning.test.right,
        "checked": winning.test.checked,
        "procedures": "; ".join(winning.procedures if winning.status == "proved" else ()),
        "proof": proof or "",
    }


def _equations(values: Mapping[str, Expr]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())
