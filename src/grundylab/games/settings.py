"""Values of parameters and bounds: combinations of given ones, the first ones in the domains, and all possible ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from grundylab.errors import GrundylabError, InstanceError, WorkError
from grundylab.games.instance import LARGEST, LARGEST_NUMBER, Instance, make_instance
from grundylab.games.model import Ruleset
from grundylab.language import NO_FUNCTIONS, Expr, check_names
from grundylab.language.builtins import BUILTINS
from grundylab.language.infinity import INFINITY, is_infinite
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
_SEARCH_STEPS = 1_000_000  # steps to evaluate domains in the search for values of parameters
TRIAL_PARAMETERS = range(1001)
FEW_VALUES = 4  # of a parameter, by default
MOST_CHOSEN = 256  # settings of parameters without given values; each setting has a table of its own
Setting = tuple[tuple[str, int], ...]  # each parameter with its value, in the ruleset's order
MOST = 10_000  # the most settings that are listed
_Ends = tuple[int, int]  # either may be infinite


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


def in_domain(ruleset: Ruleset, settings: Iterable[dict[str, int]]) -> list[dict[str, int]]:
    """Return the settings for which no parameter is known to be outside its domain."""
    return [setting for setting in settings if may_hold([ruleset.domain], setting, ruleset)]


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
    values, first, meter = dict(given), dict[str, int](), Meter(_SEARCH_STEPS)
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
        values.setdefault(name, inside)
        if not values[name]:
            return None
        first[name] = values[name][0]
    return values


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
        endless = is_infinite(low) or is_infinite(high)
        if endless or (count := count * max(0, high - low + 1)) > MOST:
            return None
        spans.append(range(low, high + 1))
    every = (tuple(zip(names, values, strict=True)) for values in product(*spans))
    return frozenset(setting for setting in every if may_hold(conditions, dict(setting), ruleset))


def may_hold(conditions: Iterable[Expr], values: dict[str, int], ruleset: Ruleset) -> bool:
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
            ends = list[_Ends]()
            for op, left, right in condition.links:
                form = atom_polynomial(left) - atom_polynomial(right)
                sides = form.split(name) or (AtomPolynomial(), AtomPolynomial())
                factor, rest = (side.number for side in sides)
                by_sign: dict[str, _Ends] = {}
                if factor in (1, -1) and rest is not None:
                    end = -factor * rest
                    by_sign = {"<": (-INFINITY, end - 1), "<=": (-INFINITY, end), "==": (end, end)}
                    by_sign |= {">=": (end, INFINITY), ">": (end + 1, INFINITY)}
                ends.append(by_sign.get(MIRRORED[op] if factor == -1 else op, (-INFINITY, INFINITY)))
        case _:
            return -INFINITY, INFINITY
    lows, highs = zip(*ends, strict=True)
    if isinstance(condition, Logic) and condition.op == "or":
        return min(lows), max(highs)
    return max(lows), min(highs)
