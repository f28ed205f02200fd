"""Choice of instances: trial tables, tables to learn from and to check on, and larger and larger ones.

What users give is kept (``games/settings.py`` reads it); here the rest is chosen, by the work that the tables cause.
The tables to check on have more values of each parameter, some of them unlike the first numbers. In a game without
bounds, whose position space ends at parameters, larger tables have larger values of these parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import gcd, inf
from types import MappingProxyType

from grundylab.errors import EvaluationError, GrundylabError, InstanceError, NoSweep, WorkError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import Ruleset, Values
from grundylab.games.settings import (
    FEW_VALUES,
    MOST_CHOSEN,
    TRIAL_PARAMETERS,
    ValueSweep,
    check_count,
    combinations,
    first_values,
    in_domain,
    instances,
    may_hold,
    thin_sweep,
)
from grundylab.language.plain import Meter
from grundylab.solve.environment import evaluation_steps
from grundylab.solve.reference import solve_reference
from grundylab.solve.solving import is_slow
from grundylab.solve.sweeps import sweep_for

Instances = tuple[Instance, ...]
NONE: Mapping[str, int] = MappingProxyType({})

TRIAL_BOUNDS = (6, 3)  # the second one is for games that take too long with the first
_TRIAL_CELLS = 50_000
_ENDLESS, _FIRST = 10**9, 1_000_000  # values of ranges, too many to try; steps of a short attempt

# of bounds, tried in turn
_SIZES = (4, 6, 8, 10, 12, 16, 20, *(n << k for k in range(3, 17) for n in (3, 4)))
# of a parameter that bounds the position space: so many that a formula cannot list them; and the most settings then
MANY_VALUES, MANY_SETTINGS = 32, 64

MOST_CELLS = 1 << 18  # most cells of each larger table
MOVES_A_CELL = 1 << 9  # the most in a larger table
SWEPT_CELLS = 1 << 20  # most cells of a table that a sweep solves, for an answer that still changes
CHEAP = 1 << 15  # most cells of a table enlarged beyond need
CHEAP_SWEPT = 1 << 17  # most cells of such a table that a sweep solves without visiting every move
QUICK = 2 * 10**9  # moves for which a kernel computes the outcomes in about a second
LARGER = 2  # how many larger sets of instances are chosen for validation

VALUES = 6  # values of the parameter, if there is only one
LEARNT = 64  # the most settings of the parameters that are learnt from
HELD_BACK = 2  # values of each parameter from which nothing is learnt
# Further ones, unlike the first numbers: a formula that is right for numbers with one or two binary ones may be wrong
# for others. These are primes, have three ones or more, or are one less or more than a power of two.
TELLING = (13, 15, 17, 28)
CELLS_A_SECOND, MOVES_A_SECOND = 50_000, 10_000_000  # of the tables to check on
SLOW_MOVES_A_SECOND = CELLS_A_SECOND / 3  # the same, if no fast solver can solve the tables
AGAIN = 4  # formulas learnt again are checked on tables that cause at most this many times the work
FARTHEST = 1 << 18  # the largest bound of a table
MISERE_SUMS = 12  # the same, to learn from, where moves lead to sums under misère play: all sums are solved


@dataclass(frozen=True)
class Room:
    """Limits on the tables that are chosen.

    cells: the most cells of all tables together. moves: the most steps of their moves together, as
    ``evaluation_steps`` counts them. largest: the greatest value of a bound. settings: the most combinations of the
    parameters' values; each has tables of its own.
    """

    cells: int
    moves: int
    largest: int  # of the bounds
    settings: int = MOST_CHOSEN

    def holds(self, chosen: Sequence[Instance]) -> bool:
        """Tell whether the instances together have no more cells, and take no more steps, than the room has."""
        return sum(i.cells for i in chosen) <= self.cells and sum(map(evaluation_steps, chosen)) <= self.moves


TO_LOOK_AT = Room(30_000, 3_000_000, 256)  # small enough that tables with twice the bounds can be solved, too


# -- trial tables --------------------------------------------------------------------------------------------------


def trial_instance(
    ruleset: Ruleset, bounds: Sequence[int] = TRIAL_BOUNDS, parameters: Mapping[str, int] | None = None
) -> Instance | None:
    """Return a small instance whose parameters have the values ``parameters`` or the first ones in their domains.

    bounds: what every bound may be; the first with few enough cells is taken. If the game has no bounds, a parameter
    that bounds the position space gets one of its first values, as many as that. None if no values are found, if every
    instance has too many cells, or if the rules leave a function open.
    """
    if ruleset.free or first_values(ruleset, {}, 1) is None:
        return None
    for bound in bounds:
        setting = parameters
        if not setting:
            few = first_values(ruleset, {}, bound) or {}
            first = {name: values[0] for name, values in few.items()}
            grown = first | {name: few[name][-1] for name in ruleset.sizes if name in few}
            setting = grown if in_domain(ruleset, [grown]) else first
        instance = make_instance(ruleset, setting, dict.fromkeys(ruleset.bounds, bound))
        if instance.cells <= _TRIAL_CELLS:
            return instance
    return None


def check_ranges(ruleset: Ruleset) -> None:
    """Raise an error if the ranges of the moves are too long even in a small table.

    The error is an InstanceError, or the RulesetError of a faulty move if a short attempt to solve that table meets
    one. Ranges without known bounds, and rulesets without a small table, are accepted.
    """
    small = trial_instance(ruleset, TRIAL_BOUNDS[-1:])
    try:
        values = 0 if small is None else small.cells * sum(map(small.choices, ruleset.moves))
    except EvaluationError:
        return
    if small is None or values <= _ENDLESS:
        return
    with suppress(WorkError):
        solve_reference(small, "outcome", Meter(_FIRST))
    raise InstanceError(
        f"{ruleset.name}: the ranges of its moves have {values:,} values even at {small.label}; end each range "
        "where its moves end, as in 1..x"
    )


# -- what is not given ---------------------------------------------------------------------------------------------


def chosen_instances(
    ruleset: Ruleset,
    parameters: ValueSweep,
    bounds: ValueSweep,
    room: Room = TO_LOOK_AT,
    values: int = FEW_VALUES,
    further: Sequence[int] = (),
) -> list[Instance]:
    """Return the instances with the given values, and with chosen values where none are given.

    A parameter without values gets the first ``values`` numbers in its domain, or fewer if ``room`` does not allow so
    many combinations of parameters. All bounds without values get the same value, the largest that ``room`` allows. If
    the game has no bounds, each parameter that bounds the position space gets the first numbers in its domain, as many
    as ``room`` allows and at most MANY_VALUES; if ``values`` is 1, it gets only the last of them. Otherwise the larger
    ones of ``further`` in the domain follow.
    """
    sweep = first_values(ruleset, parameters, values)
    if sweep and further:
        sweep = _with_further(ruleset, sweep, parameters, further)
    missing = [name for name in ruleset.sizes if name not in bounds and name not in parameters]
    if sweep is None or ruleset.free or not (missing or len(sweep) > len(parameters)):
        return instances(ruleset, parameters, bounds)
    growing = [name for name in missing if name in sweep]
    if growing:
        room = replace(
            room, largest=min(room.largest, MANY_VALUES), settings=min(room.settings, MANY_SETTINGS)
        )
    settings = _thin_settings(ruleset, sweep, room, parameters, bounds)
    chosen: list[Instance] = []
    for size in [size for size in _SIZES if size <= room.largest] if missing else [0]:
        if growing:
            many = first_values(ruleset, parameters, size) or sweep
            wider = sweep | {name: many[name] if values > 1 else many[name][-1:] for name in growing}
            settings = _thin_settings(ruleset, wider, room, parameters, bounds)
        sizes = list(combinations({**bounds, **{name: [size] for name in missing if name not in growing}}))
        larger = [make_instance(ruleset, fixed, bounded) for fixed in settings for bounded in sizes]
        if chosen and not room.holds(larger):
            break
        chosen = larger
    return chosen


def _with_further(
    ruleset: Ruleset, sweep: ValueSweep, given: ValueSweep, further: Sequence[int]
) -> dict[str, Sequence[int]]:
    """Return the values, those that are not given followed by the larger ones of ``further`` in their domains."""
    first, wider = {name: values[0] for name, values in sweep.items()}, dict(sweep)
    for parameter in ruleset.parameters:
        name = parameter.name
        if name not in given:
            larger = [value for value in further if value > max(sweep[name])]
            inside = (
                value for value in larger if may_hold([parameter.domain], {**first, name: value}, ruleset)
            )
            wider[name] = [*sweep[name], *inside]
    return wider


def _thin_settings(
    ruleset: Ruleset, sweep: ValueSweep, room: Room, given: ValueSweep, bounds: ValueSweep
) -> list[dict[str, int]]:
    """Return the settings in the parameters' domains, thinned to what ``room`` allows; the given values stay."""
    few = thin_sweep(sweep, room.settings, given)
    check_count(ruleset, few, bounds)
    settings = list(combinations(few))
    return in_domain(ruleset, settings) if len(sweep) > len(given) else settings


# -- larger and larger ones ----------------------------------------------------------------------------------------


def grown_instances(smaller: Sequence[Instance]) -> Instances:
    """Return the instances of one ruleset with doubled bounds; for a game without bounds, with larger parameters.

    Each parameter with several values gets as many again, the next ones in its domain. If that makes more than
    MOST_CHOSEN settings, only the smaller half of its values is kept, and the others are about twice as large as the
    greatest. If all its values have the same remainder by some number, the new ones have it, too. Empty if nothing
    grows: if each parameter that bounds the position space (``Ruleset.sizes``) has a single value, or if all tables
    together would not be larger. Raises InstanceError if the ruleset does not allow such bounds.
    """
    if not smaller or smaller[0].bounds:
        return tuple(
            make_instance(i.ruleset, dict(i.parameters), {name: 2 * end for name, end in i.bounds})
            for i in smaller
        )
    ruleset, settings = smaller[0].ruleset, [dict(instance.parameters) for instance in smaller]
    values = {name: sorted({setting[name] for setting in settings}) for name in ruleset.parameter_names}
    growing = [name for name in values if len(values[name]) > 1]
    if not {*growing} & {*ruleset.sizes}:
        return ()
    many = len(settings) << len(growing) > MOST_CHOSEN
    grown: dict[str, Sequence[int]] = dict(values)
    for name in growing:
        *_, greatest = its_values = values[name]
        step = gcd(*(greatest - value for value in its_values))
        after = greatest + many * greatest // step * step
        kept = its_values[: len(its_values) // 2] if many else its_values
        others = {other: values[other] for other in values if other != name}
        next_values = first_values(ruleset, others, len(its_values) - many * len(kept), after, step)
        grown[name] = [*kept, *next_values[name]] if next_values else its_values
    larger = tuple(make_instance(ruleset, setting, {}) for setting in in_domain(ruleset, combinations(grown)))
    return larger if sum(i.cells for i in larger) > sum(i.cells for i in smaller) else ()


def doubled_instances(
    smaller: Sequence[Instance],
    below: Mapping[str, int] = NONE,
    cells: int = MOST_CELLS,
    moves: float = MOVES_A_CELL,
) -> Instances:
    """Return the instances with doubled bounds or, for a game without bounds, with more values (``grown_instances``).

    Empty if a table would have more than ``cells`` cells or take more than ``cells * moves`` steps (in a game without
    bounds: all tables together), if a bound or parameter would reach ``below``, or if nothing grows. Raises
    InstanceError if the ruleset does not allow such bounds.
    """
    larger = grown_instances(smaller)
    work = [(instance.cells, evaluation_steps(instance)) for instance in larger]
    if larger and not larger[0].bounds:
        work = [(sum(its_cells for its_cells, _ in work), sum(its_moves for _, its_moves in work))]
    if any(its_cells > cells or its_moves > cells * moves for its_cells, its_moves in work):
        return ()
    if any(value >= below.get(name, inf) for i in larger for name, value in i.constants.items()):
        return ()
    return larger


def sweepable_instances(
    smaller: Sequence[Instance], kind: Values, below: Mapping[str, int] = NONE, cells: int = SWEPT_CELLS
) -> Instances:
    """Return the instances with doubled bounds, whatever their number of moves.

    Empty if one would have more than ``cells`` cells, or if a bound would reach ``below``. Raises NoSweep if one is
    too slow to solve move by move and no sweep is known for it.
    """
    larger = doubled_instances(smaller, below, cells, inf)
    for instance in larger:
        if kind == "grundy" or instance.moves > QUICK or is_slow(instance, kind):
            sweep_for(instance, kind)
    return larger


def larger_instances(smaller: Sequence[Instance], kind: Values, below: Mapping[str, int] = NONE) -> Instances:
    """Return the instances of ``doubled_instances``, repeatedly as long as the tables are cheap to solve.

    They are doubled at least once; the last doubling may make tables that are cheap only by a sweep, which solves a
    table without visiting every move. below: bounds and parameters that must not be reached. Empty if a table would
    be too large. Raises GrundylabError if the ruleset does not allow such bounds.
    """
    larger = doubled_instances(smaller, below)
    while further := doubled_instances(larger, below, CHEAP):
        larger = further
    try:
        return sweepable_instances(larger, kind, below, CHEAP_SWEPT) or larger
    except NoSweep:
        return larger


def validation_instances(train: Instances, test: Instances, values: Values) -> Instances:
    """Return instances for validation: larger than those of ``train``, and smaller than those of ``test``."""
    least = {
        name: min(instance.constants[name] for instance in test)
        for name in (test[0].ruleset.sizes if test else ())
    }
    chosen: Instances = ()
    with suppress(GrundylabError):  # the rules may not define a game for larger bounds
        for _ in range(LARGER):
            before, train = train, larger_instances(train, values, least)
            chosen += tuple(instance for instance in train if instance not in before)
    return chosen


# -- the tables of a study -----------------------------------------------------------------------------------------


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
        free = ", ".join(function.name for function in ruleset.free)
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
    # fewer moves, if no fast solver can solve the larger tables
    for moves in (MOVES_A_SECOND, SLOW_MOVES_A_SECOND):
        farthest = 2 * MISERE_SUMS if ruleset.misere_sums else FARTHEST
        room = Room(int(CELLS_A_SECOND * seconds), int(moves * seconds), farthest)
        if ruleset.bounds:
            more = tuple(chosen_instances(ruleset, {}, {}, room, values + HELD_BACK, TELLING))
            test = max(train, more, key=lambda tables: sum(instance.cells for instance in tables))
        else:
            test = _largest(train, room) or train
        if not any(is_slow(instance, kind) for instance in test):
            break
    return train, test


def _growth(smaller: Instances, room: Room) -> Iterator[Instances]:
    """Yield larger and larger instances within the room."""
    cells = room.cells // (len(smaller) if smaller[0].bounds else 1)
    while smaller := doubled_instances(smaller, cells=cells, moves=room.moves / room.cells):
        yield smaller


def _largest(train: Instances, room: Room) -> Instances:
    """Return the instances of the last growth within ``room`` in which all that grows is larger than before.

    Empty if there is no room.
    """
    *_, before, last = train, train, *_growth(train, room)
    ends = [
        {name: max(instance.constants[name] for instance in some) for name in train[0].constants}
        for some in (before, last)
    ]
    reached = {name: end for name, end in ends[0].items() if end < ends[1][name]}
    return tuple(i for i in last if all(i.constants[name] > reached[name] for name in reached))


def instances_beyond(test: Instances, seconds: float, kind: Values) -> Instances:
    """Return still larger instances than those to check on, if solving them is no slow work; else nothing."""
    room = Room(int(AGAIN * CELLS_A_SECOND * seconds), int(AGAIN * MOVES_A_SECOND * seconds), FARTHEST)
    *_, last = (), *_growth(test, room)
    return () if any(is_slow(instance, kind) for instance in last) else last
