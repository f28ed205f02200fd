"""Default targets, tables and rows of a game, and parts of its positions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from grundylab.discover.engines import FINDERS, uses_seed
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset, Target
from grundylab.games.model import GRUNDY, P_POSITIONS, Ranged
from grundylab.games.settings import thin_sweep
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, chain, compare, free_names
from grundylab.pipeline.study import RowsAsked, values_of
from grundylab.solve.instance_choice import LEARNT, Instances, usual_tables

USUAL_ENGINES = tuple(engine for engine in FINDERS if not uses_seed(engine))
SECONDS = 60.0  # the budget of a study by default
FEWEST = 16  # settings of the parameters that have rows, however small the budget
ROW, ROWS = 20_000, 20  # the length of a row, and the number of rows for each setting of the parameters
_MORE = 10  # factor of the number of rows if coordinates that do not grow have many values


def usual_targets(ruleset: Ruleset) -> tuple[Target, ...]:
    """Return the default targets: P-positions and, under normal play, Grundy numbers."""
    return (P_POSITIONS,) if ruleset.play == "misere" else (P_POSITIONS, GRUNDY)


def usual_keys(ruleset: Ruleset, seconds: float, targets: Sequence[Target]) -> dict[str, Any]:
    """Return the default tables and rows of a study with these targets, by key; ``seconds`` is its whole budget."""
    train, test = usual_tables(ruleset, seconds, values_of(ruleset, targets))
    share = min(1, seconds / SECONDS)
    rows = (
        None
        if ruleset.play == "misere"
        else usual_rows(ruleset, train, max(2, round(ROWS * share)), max(FEWEST, round(LEARNT * share)))
    )
    return {"train": train, "test": test, "rows": rows, "chosen": True}


def usual_rows(
    ruleset: Ruleset, train: Instances, rows: int = ROWS, settings: int = LEARNT
) -> RowsAsked | None:
    """Return the rows whose periods are searched for; None for a game without rows.

    A game with one coordinate has one row, its Grundy numbers. In other games the rows consist of P-positions with all
    but the last two piles fixed at small values. rows: the approximate number of rows for each setting of the
    parameters. settings: the largest number of settings.
    """
    names, target, fix = ruleset.coordinate_names, P_POSITIONS, dict[str, list[int]]()
    if len(names) == 1:
        target = GRUNDY
    else:
        piles = [coordinate.name for coordinate in ruleset.coordinates if _grows(ruleset, coordinate)]
        for name, side in zip(names, train[0].box, strict=True):
            if name not in piles[-2:]:
                fix[name] = [side.low] if name in piles else list(range(side.low, side.high + 1))
        small = max(1, round((rows / prod(map(len, fix.values()))) ** (1 / max(1, len(piles) - 2))))
        fix |= {name: list(range(small)) for name in piles[:-2]}
    fix = thin_sweep(fix, _MORE * rows)
    values = {name: sorted({dict(i.parameters)[name] for i in train}) for name in ruleset.parameter_names}
    asked = RowsAsked(fix=fix, parameters=thin_sweep(values, settings), length=ROW, target=str(target))
    try:
        asked.check(ruleset)
    except GrundylabError:
        return None
    return asked


def usual_parts(ruleset: Ruleset) -> list[tuple[Expr, ...]]:
    """Return parts of the positions that may have a formula even if no formula describes all positions.

    Each tuple has the conditions of one or several parts; if several, each position belongs to exactly one of them. In
    a game whose position space ends at parameters, the first ones are about the remainder of such a parameter modulo 2
    or 3. The others are about the coordinates that grow with the table: first a lower bound of their minimum, as a
    single part; then the remainder of their sum modulo 2 or 3.
    """
    ends = [Name(name) for name in ruleset.sizes if name in ruleset.parameter_names]
    names = [Name(coordinate.name) for coordinate in ruleset.coordinates if _grows(ruleset, coordinate)]
    if not names:
        return []
    total = chain("+", names)
    several = len(names) > 1
    least, divisors = ((1, 2), (2,)) if several else ((), (2, 3))
    return [
        *(_remainders(end, by) for end in ends for by in (2, 3)),
        *((compare(">=", Call("min", tuple(names)), Int(low)),) for low in least),
        *(_remainders(total, by) for by in divisors),
    ]


def _remainders(number: Expr, by: int) -> tuple[Expr, ...]:
    """Return a condition for each remainder of the number modulo ``by``."""
    return tuple(compare("==", Binary("%", number, Int(by)), Int(rest)) for rest in range(by))


def _grows(ruleset: Ruleset, coordinate: Ranged) -> bool:
    """Tell whether the range of the coordinate grows with the table (see ``Ruleset.sizes``)."""
    return any(free_names(end) & set(ruleset.sizes) for end in coordinate.ends)
