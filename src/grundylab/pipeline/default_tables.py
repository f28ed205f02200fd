"""Default tables, targets and rows of a game: small tables to learn from, larger ones to check on.

Tables are chosen by the work that they cause. The tables to check on have more values of each parameter, some of them
unlike the first numbers. In a game without bounds, whose position space ends at parameters, they have larger values of
these parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any

from grundylab.discover.engine_turns import doubled_instances
from grundylab.discover.engines import FINDERS, uses_seed
from grundylab.errors import GrundylabError, InstanceError
from grundylab.games import Instance, Ruleset, Target
from grundylab.games.model import GRUNDY, P_POSITIONS, Ranged, Values
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
from grundylab.pipeline.study import RowsAsked, values_of
from grundylab.solve.reference import check_ranges
from grundylab.solve.solving import is_slow

VALUES = 6  # values of the parameter, if there is only one
HELD_BACK = 2  # values of each parameter from which nothing is learnt
# Further ones, unlike the first numbers: a formula that is right for numbers with one or two binary ones may be wrong
# for others. These are primes, have three ones or more, or are one less or more than a power of two.
TELLING = (13, 15, 17, 28)
CELLS, MOVES = 50_000, 10_000_000  # cells and moves of the tables to check on, for each second
SLOW_MOVES = CELLS / 3  # the same, if no fast solver can solve the tables
AGAIN = 4  # formulas learnt again are checked on tables that cause at most this many times the work
FARTHEST = 1 << 18  # the largest bound of a table
MISERE_SUMS = 12  # the same, to learn from, where moves lead to sums under misère play: all sums are solved
USUAL_ENGINES = tuple(engine for engine in FINDERS if not uses_seed(engine))
SECONDS = 60.0  # the budget of a study by default
LEARNT, FEWEST = (
    64,
    16,
)  # the most settings of the parameters that are learnt from; and of rows, however small the budget
ROW, ROWS = 20_000, 20  # the length of a row, and the number of rows for each setting of the parameters
_MORE = 10  # factor of the number of rows if coordinates that do not grow have many values

Instances = tuple[Instance, ...]


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


def usual_choice(ruleset: Ruleset) -> tuple[Room, int]:
    """Return the room for the tables to learn from, and the number of values of a parameter."""
    values = VALUES if len(ruleset.parameters) == 1 else FEW_VALUES
    room = replace(TO_LOOK_AT, settings=LEARNT)
    return replace(room, largest=MISERE_SUMS) if ruleset.misere_sums else room, values


def usual_tables(ruleset: Ruleset, seconds: float, kind: Values) -> tuple[Instances, Instances]:
    """Return the instances to learn from and those to check on; for the latter there are ``seconds`` in all.

    If no larger ones are possible, both are the same. Raises InstanceError for a family of games, and for parameters
    without admissible values.
    """
    if ruleset.free:
        free = ", ".join(each.name for each in ruleset.free)
        raise InstanceError(
            f"{ruleset.name} is a family of games, one for every {free}: give {free} in a ruleset that extends it"
        )
    check_ranges(ruleset)
    room, values = usual_choice(ruleset)
    first = first_values(ruleset, {}, 1)
    train = () if first is None else tuple(chosen_instances(ruleset, {}, {}, room, values))
    if not train:
        raise InstanceError(
            f"{ruleset.name}: no values of the parameters up to {TRIAL_PARAMETERS.stop - 1} were found that satisfy "
            f"{ruleset.domain}; choose larger ones"
        )
    for moves in (MOVES, SLOW_MOVES):  # fewer, if no fast solver can solve the larger tables
        farthest = 2 * MISERE_SUMS if ruleset.misere_sums else FARTHEST
        room = Room(int(CELLS * seconds), int(moves * seconds), farthest)
        test = _tables_to_check_on(train, room, values)
        if not any(is_slow(instance, kind) for instance in test):
            break
    return train, test


def _tables_to_check_on(train: Instances, room: Room, values: int) -> Instances:
    ruleset = train[0].ruleset
    if not ruleset.bounds:
        return _largest(train, room) or train
    test = tuple(chosen_instances(ruleset, {}, {}, room, values + HELD_BACK, TELLING))
    return max(train, test, key=lambda instances: sum(instance.cells for instance in instances))


def _growth(instances: Instances, room: Room) -> Iterator[Instances]:
    """Yield larger and larger instances within the room."""
    cells = room.cells // (len(instances) if instances[0].bounds else 1)
    while instances := doubled_instances(instances, cells=cells, moves=room.moves / room.cells):
        yield instances


def _largest(train: Instances, room: Room) -> Instances:
    """Return the instances of the last growth within ``room`` in which all that grows is larger than before.

    Empty if there is no room.
    """
    *_, before, last = train, train, *_growth(train, room)
    ends = [
        {name: max(each.constants[name] for each in some) for name in train[0].constants}
        for some in (before, last)
    ]
    reached = {name: end for name, end in ends[0].items() if end < ends[1][name]}
    return tuple(each for each in last if all(each.constants[name] > reached[name] for name in reached))


def beyond(instances: Instances, seconds: float, kind: Values) -> Instances:
    """Return still larger instances than those to check on, if solving them is no slow work; else nothing."""
    room = Room(int(AGAIN * CELLS * seconds), int(AGAIN * MOVES * seconds), FARTHEST)
    *_, last = (), *_growth(instances, room)
    return () if any(is_slow(instance, kind) for instance in last) else last


def usual_rows(
    ruleset: Ruleset, train: tuple[Instance, ...], rows: int = ROWS, settings: int = LEARNT
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
    """Return parts of the positions that may have a formula even if no formula describes all positions.

    Each tuple has the conditions of one or several parts; if several, each position belongs to exactly one of them. In
    a game whose position space ends at parameters, the first ones are about the remainder of such a parameter modulo 2
    or 3. The others are about the coordinates that grow with the table: first a lower bound of their minimum, as a
    single part; then the remainder of their sum modulo 2 or 3.
    """
    ends = [Name(name) for name in ruleset.sizes if name in ruleset.parameter_names]
    names = [Name(each.name) for each in ruleset.coordinates if _grows(ruleset, each)]
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


def _values_of(instance: Instance, name: str) -> list[int]:
    """Return all values of a coordinate that does not grow with the table, or the least value of one that does."""
    side = instance.box[instance.ruleset.coordinate_names.index(name)]
    grows = _grows(
        instance.ruleset, instance.ruleset.coordinates[instance.ruleset.coordinate_names.index(name)]
    )
    return [side.low] if grows else list(range(side.low, side.high + 1))
