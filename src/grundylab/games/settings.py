"""Choice of instances: all combinations of given values, defaults for values not given, and small trial instances."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, inf, prod
from operator import attrgetter

from grundylab.errors import GrundylabError, InstanceError, WorkError
from grundylab.games.instance import LARGEST, LARGEST_NUMBER, Instance, make_instance
from grundylab.games.model import Ruleset
from grundylab.language import NO_FUNCTIONS, Expr, check_names
from grundylab.language.builtins import BUILTINS
from grundylab.language.linear import AtomPolynomial, atom_polynomial
from grundylab.language.plain import Meter, evaluate
from grundylab.language.syntax import (
    MIRRORED,
    TRUE,
    Compare,
    Logic,
    called_functions,
    conjunction,
    conjuncts,
    free_names,
)

ValueSweep = Mapping[str, Sequence[int]]
MAX_INSTANCES = 1_000_000  # of one sweep; each takes some hundred bytes and almost a millisecond to check
MOST_ROWS = 10_000  # of one sweep; each takes milliseconds to many seconds
_WHERE_STEPS = 1_000_000  # steps to evaluate the sweep's condition once
TRIAL_BOUNDS = (6, 3)  # the second one is for games that take too long with the first
_SEARCH_STEPS = 1_000_000  # steps to evaluate domains in the search for values of parameters
TRIAL_PARAMETERS = range(1001)
_TRIAL_CELLS = 50_000
_SIZES = (
    4,
    6,
    8,
    10,
    12,
    16,
    20,
    *(n << k for k in range(3, 17) for n in (3, 4)),
)  # of bounds, tried in turn
FEW_VALUES = 4  # of a parameter, by default
# of a parameter that bounds the position space: so many that a formula cannot list them; and the most settings then
MANY_VALUES, MANY_SETTINGS = 32, 64
MOST_CHOSEN = 256  # settings of parameters without given values; each setting has a table of its own


@dataclass(frozen=True)
class Room:
    """Limits on the tables that are chosen.

    cells, moves: the most cells and moves of all tables together. largest: the greatest value of a bound. settings: the
    most combinations of the parameters' values; each has tables of its own.
    """

    cells: int
    moves: int
    largest: int  # of the bounds
    settings: int = MOST_CHOSEN


TO_LOOK_AT = Room(30_000, 3_000_000, 256)  # small enough that tables with twice the bounds can be solved, too
Setting = tuple[tuple[str, int], ...]  # each parameter with its value, in the ruleset's order
MOST = 10_000  # the most settings that are listed
_Ends = tuple[float, float]  # integers, or infinite


def instances(
    ruleset: Ruleset, parameters: ValueSweep, bounds: ValueSweep, where: Expr = TRUE
) -> list[Instance]:
    """Return the instances of all combinations of the values, in order, whose parameters fulfil ``where``.

    Raises InstanceError as ``make_instance`` does and for too many combinations, FormulaError if ``where`` mentions
    other names than the parameters.
    """
    check_names(where, tuple(parameters), NO_FUNCTIONS, "parameter")
    NO_FUNCTIONS.check_growth(where)
    check_count(ruleset, parameters, bounds)
    return [
        make_instance(ruleset, fixed, bounded)
        for fixed in combinations(parameters)
        if evaluate(where, fixed, meter=Meter(_WHERE_STEPS))
        for bounded in combinations(bounds)
    ]


def check_count(ruleset: Ruleset, *sweeps: ValueSweep, most: int = MAX_INSTANCES) -> None:
    """Raise InstanceError if there are more than ``most`` combinations of the values."""
    count = prod(len(values) for sweep in sweeps for values in sweep.values())
    if count > most:
        raise InstanceError(
            f"{ruleset.name}: the sweep has {count:,} combinations; at most {most:,} are allowed"
        )


def combinations(sweep: ValueSweep) -> Iterator[dict[str, int]]:
    """Yield every combination of the values as a mapping from names, in the order given."""
    for values in product(*sweep.values()):
        yield dict(zip(sweep, values, strict=True))


_EXAMPLES = {"--position": "x=3,y=5", "--fix": "p=1,x=2", "--bound": "N=24", "--param": "m=4,8,12"}


def parse_sweep(texts: Sequence[str], option: str) -> dict[str, list[int]]:
    """Parse ``["m=4,8", "N=24,K=3"]`` into ``{"m": [4, 8], "N": [24], "K": [3]}``."""
    sweep: dict[str, list[int]] = {}
    for text in texts:
        name = ""
        for item in text.split(","):
            head, equals, value = item.rpartition("=")
            if equals:
                name = head.strip()
                if name in sweep:
                    raise InstanceError(f"{option}: {name} is given twice")
                sweep[name] = []
            if not name:
                example = _EXAMPLES.get(option, "N=24 or m=4,8,12")
                raise InstanceError(f"{option} {text}: write name=value, as in {option} {example}")
            if not value.strip().isdecimal():
                several = f"; write several as in {name}=2,3,4" if ".." in value or "-" in value[1:] else ""
                raise InstanceError(
                    f"{option} {text}: '{value.strip()}' is not a whole number from 0 on{several}"
                )
            most = LARGEST if option == "--position" else LARGEST_NUMBER
            if len(value.strip().lstrip("0")) > len(str(most)) or int(value) > most:
                raise InstanceError(
                    f"{option}: {value.strip()} is too large to be stored; give at most {most:,}"
                )
            if int(value) in sweep[name]:
                raise InstanceError(f"{option} {text}: {int(value)} appears twice")
            sweep[name].append(int(value))
    return sweep


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
    found = (
        make_instance(
            ruleset, parameters or _trial_setting(ruleset, bound), dict.fromkeys(ruleset.bounds, bound)
        )
        for bound in bounds
    )
    return next((instance for instance in found if instance.cells <= _TRIAL_CELLS), None)


def _trial_setting(ruleset: Ruleset, size: int) -> dict[str, int]:
    """Return the first values of the parameters or, of those in ``sizes``, the last of the first ``size`` values.

    They are the first values, too, if the others are not in the domain together.
    """
    few = first_values(ruleset, {}, size) or {}
    first = {name: values[0] for name, values in few.items()}
    grown = first | {name: few[name][-1] for name in ruleset.sizes if name in few}
    return grown if _may_hold([ruleset.domain], grown, ruleset) else first


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
    found: list[Instance] = []
    for size in [size for size in _SIZES if size <= room.largest] if missing else [0]:
        if growing:
            many = first_values(ruleset, parameters, size) or sweep
            wider = sweep | {name: many[name] if values > 1 else many[name][-1:] for name in growing}
            settings = _thin_settings(ruleset, wider, room, parameters, bounds)
        sizes = list(combinations({**bounds, **{name: [size] for name in missing if name not in growing}}))
        larger = [make_instance(ruleset, fixed, bounded) for fixed in settings for bounded in sizes]
        cells, moves = (sum(map(attrgetter(what), larger)) for what in ("cells", "moves"))
        if found and (cells > room.cells or moves > room.moves):
            break
        found = larger
    return found


def _with_further(
    ruleset: Ruleset, sweep: ValueSweep, given: ValueSweep, further: Sequence[int]
) -> dict[str, Sequence[int]]:
    """Return the values, those that are not given followed by the larger ones of ``further`` in their domains."""
    first, found = {name: values[0] for name, values in sweep.items()}, dict(sweep)
    for parameter in ruleset.parameters:
        name = parameter.name
        if name not in given:
            larger = [value for value in further if value > max(sweep[name])]
            inside = (
                value for value in larger if _may_hold([parameter.domain], {**first, name: value}, ruleset)
            )
            found[name] = [*sweep[name], *inside]
    return found


def _thin_settings(
    ruleset: Ruleset, sweep: ValueSweep, room: Room, given: ValueSweep, bounds: ValueSweep
) -> list[dict[str, int]]:
    """Return the settings in the parameters' domains, thinned to what ``room`` allows; the given values stay."""
    few = thin_sweep(sweep, room.settings, given)
    check_count(ruleset, few, bounds)
    settings = list(combinations(few))
    return _in_domain(ruleset, settings) if len(sweep) > len(given) else settings


def _in_domain(ruleset: Ruleset, settings: Iterable[dict[str, int]]) -> list[dict[str, int]]:
    """Return the settings for which no parameter is known to be outside its domain."""
    return [setting for setting in settings if _may_hold([ruleset.domain], setting, ruleset)]


def thin_sweep(sweep: ValueSweep, most: int, given: Collection[str] = ()) -> dict[str, list[int]]:
    """Return the values with the longest lists shortened at their ends, until there are at most ``most`` combinations.

    given: the names whose lists are not shortened. Of equally long lists the first is shortened, since domains of later
    parameters may depend on it. No list loses its first value, so more combinations than ``most`` may be left.
    """
    counts = {name: len(values) for name, values in sweep.items()}
    longest = [name for name in sweep if name not in given]
    while longest and prod(counts.values()) > most:
        name = max(longest, key=counts.__getitem__)
        if counts[name] == 1:
            break
        counts[name] -= 1
    return {name: [*values[: counts[name]]] for name, values in sweep.items()}


def first_values(
    ruleset: Ruleset, given: ValueSweep, count: int, after: int = -1, step: int = 1
) -> dict[str, Sequence[int]] | None:
    """Return values of each parameter: the given ones, or the first ``count`` in its domain.

    Only the values ``after + step``, ``after + 2 * step`` and so on are looked at, 1001 of them. A domain is evaluated
    with earlier parameters at their first values. None if some parameter has no values, or if the search for them takes
    too long.
    """
    found, first, meter = dict(given), dict[str, int](), Meter(_SEARCH_STEPS)
    tried = [after + step + step * number for number in TRIAL_PARAMETERS]
    for parameter in ruleset.parameters:
        name, inside = parameter.name, list[int]()
        for value in tried if name not in given else ():
            try:
                if evaluate(parameter.domain, {**first, name: value}, ruleset.functions, meter):
                    inside.append(value)
            except WorkError:
                break
            except GrundylabError:
                continue
            if len(inside) == count:
                break
        found.setdefault(name, inside)
        if not found[name]:
            return None
        first[name] = found[name][0]
    return found


def grown_instances(instances: Sequence[Instance]) -> tuple[Instance, ...]:
    """Return the instances of one ruleset with doubled bounds; for a game without bounds, with larger parameters.

    Each parameter with several values gets as many again, the next ones in its domain. If that makes more than
    MOST_CHOSEN settings, only the smaller half of its values is kept, and the others are about twice as large as the
    greatest. If all its values have the same remainder by some number, the new ones have it, too. Empty if nothing
    grows: if each parameter that bounds the position space (``Ruleset.sizes``) has a single value, or if all tables
    together would not be larger. Raises InstanceError if the ruleset does not allow such bounds.
    """
    if not instances or instances[0].bounds:
        return tuple(
            make_instance(
                each.ruleset, dict(each.parameters), {name: 2 * value for name, value in each.bounds}
            )
            for each in instances
        )
    ruleset, settings = instances[0].ruleset, [dict(instance.parameters) for instance in instances]
    values = {name: sorted({each[name] for each in settings}) for name in ruleset.parameter_names}
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
        found = first_values(ruleset, others, len(its_values) - many * len(kept), after, step)
        grown[name] = [*kept, *found[name]] if found else its_values
    larger = tuple(make_instance(ruleset, each, {}) for each in _in_domain(ruleset, combinations(grown)))
    return larger if sum(each.cells for each in larger) > sum(each.cells for each in instances) else ()


def possible_settings(ruleset: Ruleset, where: Expr) -> frozenset[Setting] | None:
    """Return all settings of the parameters in their domains for which ``where`` may be true.

    Only the terms of ``where`` that mention no coordinate and look no value up are evaluated. So the condition may be
    false for a setting that is returned, but it is false for every setting that is not. None if there are too many
    settings.
    """
    names = ruleset.parameter_names
    conditions = [
        term
        for term in conjuncts(conjunction(ruleset.domain, where))
        if free_names(term) <= set(names)
        and all(called in BUILTINS or called in ruleset.functions for called in called_functions(term))
    ]
    spans, count = [], 1
    for name in names:
        low, high = ends_within(conjunction(*conditions), name)
        if -inf in (low, high) or inf in (low, high) or (count := count * max(0, int(high - low + 1))) > MOST:
            return None
        spans.append(range(int(low), int(high) + 1))
    every = (tuple(zip(names, values, strict=True)) for values in product(*spans))
    return frozenset(setting for setting in every if _may_hold(conditions, dict(setting), ruleset))


def _may_hold(conditions: Iterable[Expr], values: dict[str, int], ruleset: Ruleset) -> bool:
    """Tell whether no condition is false for these values; a condition that has no value is ignored."""
    for condition in conditions:
        try:
            if not evaluate(condition, values, ruleset.functions):
                return False
        except GrundylabError:
            continue
    return True


def ends_within(condition: Expr, name: str) -> _Ends:
    """Return (low, high), between which the name lies where the condition is true.

    An end is infinite if the form of the condition shows no finite one.
    """
    match condition:
        case Logic(terms=terms):
            ends = [ends_within(term, name) for term in terms]
        case Compare():
            ends = [
                _end(op, atom_polynomial(left) - atom_polynomial(right), name)
                for op, left, right in condition.links
            ]
        case _:
            return -inf, inf
    lows, highs = zip(*ends, strict=True)
    if isinstance(condition, Logic) and condition.op == "or":
        return min(lows), max(highs)
    return max(lows), min(highs)


def _end(op: str, form: AtomPolynomial, name: str) -> _Ends:
    """Return what ``ends_within`` returns for the condition ``form op 0``, where op is a comparison sign."""
    sides = form.split(name) or (AtomPolynomial(), AtomPolynomial())
    factor, rest = (side.number for side in sides)
    if factor not in (1, -1) or rest is None:
        return -inf, inf
    end = -factor * rest
    ends = {"<": (-inf, end - 1), "<=": (-inf, end), "==": (end, end), ">=": (end, inf), ">": (end + 1, inf)}
    return ends.get(op if factor == 1 else MIRRORED[op], (-inf, inf))
