"""Default tables, targets and rows of a game: small tables to learn from, larger ones to check on.

They are chosen by the work that they take. Two further values of each parameter are kept for the tables to check on.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from grundylab.errors import GrundylabError, InstanceError
from grundylab.games import Instance, Ruleset, Target
from grundylab.games.model import GRUNDY, P_POSITIONS, Ranged
from grundylab.games.settings import (
    FEW_VALUES,
    TO_LOOK_AT,
    TRIAL_PARAMETERS,
    Room,
    chosen_instances,
    first_values,
    thin_sweep,
)
from grundylab.language.syntax import Binary, Call, Expr, Int, Name, chain, compare, free_names
from grundylab.pipeline.study import RowsAsked
from grundylab.solve.reference import check_ranges

VALUES = 6  # of a parameter, if there is one only
HELD_BACK = 2  # values of a parameter that nothing is learnt from
CELLS, MOVES = 50_000, 10_000_000  # of the tables to check on, for each second
FARTHEST = 1 << 18
LEARNT = 64  # settings of the parameters, at most, that are learnt from
ROW, ROWS = 20_000, 20  # places of a row, and rows for each setting of the parameters
_MORE = 10  # times as many where coordinates that do not grow have many values

Instances = tuple[Instance, ...]


def usual_targets(ruleset: Ruleset) -> tuple[Target, ...]:
    """Return the targets that are defined for every game of this kind."""
    return (P_POSITIONS,) if ruleset.play == "misere" else (P_POSITIONS, GRUNDY)


def usual_tables(ruleset: Ruleset, seconds: float) -> tuple[Instances, Instances]:
    """Return the tables to learn from and those to check on, which take about ``seconds`` to solve.

    If no larger ones are possible, the tables to check on are those learnt from. Raises InstanceError for a family of
    games, and for parameters without admissible values.
    """
    if ruleset.free:
        free = ", ".join(each.name for each in ruleset.free)
        raise InstanceError(
            f"{ruleset.name} is a family of games, one for every {free}: give {free} in a ruleset that extends it"
        )
    check_ranges(ruleset)
    values = VALUES if len(ruleset.parameters) == 1 else FEW_VALUES
    first = first_values(ruleset, {}, 1)
    train = (
        ()
        if first is None
        else tuple(chosen_instances(ruleset, {}, {}, replace(TO_LOOK_AT, settings=LEARNT), values))
    )
    if not train:
        raise InstanceError(
            f"{ruleset.name}: no values of the parameters up to {TRIAL_PARAMETERS.stop - 1} were found that fulfil "
            f"{ruleset.domain}, and the tables are chosen from these; name larger ones yourself"
        )
    room = Room(int(CELLS * seconds), int(MOVES * seconds), FARTHEST)
    test = tuple(chosen_instances(ruleset, {}, {}, room, values + HELD_BACK))
    return train, max(train, test, key=lambda instances: sum(instance.cells for instance in instances))


def usual_rows(
    ruleset: Ruleset, train: tuple[Instance, ...], rows: int = ROWS, settings: int = LEARNT
) -> RowsAsked | None:
    """Return the rows whose periods are searched for; None for a game without rows.

    For a single pile they are its Grundy numbers; for more coordinates the P-positions with the first ones fixed at
    small values. rows: the approximate number for each setting of the parameters. settings: the largest number of
    these.
    """
    names, target, fix = ruleset.coordinate_names, P_POSITIONS, dict[str, list[int]]()
    if len(names) == 1:
        target = GRUNDY
    else:
        piles = [each.name for each in ruleset.coordinates if _grows(ruleset, each)]
        fix = {name: _values_of(train[0], name) for name in names if name not in piles[-2:]}
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
    """Return conditions under which positions may have a formula although all together have none.

    Exactly one of the conditions in a tuple of several holds at each position. They are about the coordinates that grow
    with the table: the remainder of their sum by 2 or 3, or a lower bound of their minimum.
    """
    names = [Name(each.name) for each in ruleset.coordinates if _grows(ruleset, each)]
    if not names:
        return []
    total = chain("+", names)
    several = len(names) > 1
    least, divisors = ((1, 2), (2,)) if several else ((), (2, 3))
    return [
        *(
            tuple(compare("==", Binary("%", total, Int(by)), Int(rest)) for rest in range(by))
            for by in divisors
        ),
        *((compare(">=", Call("min", tuple(names)), Int(low)),) for low in least),
    ]


def _grows(ruleset: Ruleset, coordinate: Ranged) -> bool:
    """Tell whether the range of the coordinate depends on a bound."""
    return any(free_names(end) & set(ruleset.bounds) for end in coordinate.ends)


def _values_of(instance: Instance, name: str) -> list[int]:
    """Return the values of a coordinate that does not grow with the table; the least one of another."""
    side = instance.box[instance.ruleset.coordinate_names.index(name)]
    grows = _grows(
        instance.ruleset, instance.ruleset.coordinates[instance.ruleset.coordinate_names.index(name)]
    )
    return [side.low] if grows else list(range(side.low, side.high + 1))
