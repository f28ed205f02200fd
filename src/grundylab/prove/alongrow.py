"""The truth along one row of a game in layers, for a statement that is about just that row.

A row costs little more than its length (``solve/rows.py``), so it goes further than any table with that row in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grundylab.errors import GrundylabError
from grundylab.games.instance import Position
from grundylab.games.layers import layered
from grundylab.games.model import ALWAYS, Claim, Ruleset
from grundylab.games.specialise import fixed_by
from grundylab.language.substitution import substitute
from grundylab.solve.rows import Row, solve_rows


@dataclass(frozen=True)
class AlongRow:
    """The row of a statement's target, as far as it was computed.

    names: the coordinates. fixed: those that make the row. axes: the others; of one the values are its Grundy numbers,
    of two those of the second at which the target is true.
    """

    names: tuple[str, ...]
    fixed: Mapping[str, int]
    axes: tuple[str, ...]
    values: Row

    def truth(self, position: Position) -> int | None:
        """What the statement must say there; None beyond the end."""
        at = dict(zip(self.names, position, strict=True))
        place = at[self.axes[0]]
        if place >= len(self.values):
            return None
        value = int(self.values[place])
        return value if len(self.axes) == 1 else int(at[self.axes[1]] == value)

    def some(self, count: int) -> Iterator[tuple[Position, int]]:
        """About so many positions, from the beginning to the end, and what the statement must say there; with two axes
        those of the row, and next to it."""
        step = max(1, len(self.values) // count)
        for place in sorted({*range(min(count, len(self.values))), *range(0, len(self.values), step)}):
            value = int(self.values[place])
            for second, truth in ((value, 1), (value + 1, 0)) if len(self.axes) == 2 else ((value, value),):
                at = {**self.fixed, **dict(zip(self.axes, (place, second), strict=False))}
                yield tuple(at[name] for name in self.names), truth


def along_row(ruleset: Ruleset, claim: Claim, parameters: Mapping[str, int], length: int) -> AlongRow | None:
    """The first ``length`` places of the row that the claim is about; None if it is about no single row."""
    fixed = fixed_by(substitute(claim.where, parameters), ruleset.coordinate_names)
    axes = tuple(name for name in ruleset.coordinate_names if name not in fixed)
    if claim.target == ALWAYS or len(axes) != (1 if claim.target.name == "grundy" else 2):
        return None
    try:
        game = layered(ruleset, parameters, axes, claim.target)
        layer = game.top(fixed)
        values = solve_rows(game, layer, length)[layer]
    except GrundylabError:
        return None
    return AlongRow(ruleset.coordinate_names, fixed, axes, values)
