"""Instances by the sweep: every combination of the parameter values and bounds that someone asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from grundylab.errors import InstanceError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import Ruleset
from grundylab.language import NO_FUNCTIONS, Expr, check_names
from grundylab.language.plain import Meter, evaluate
from grundylab.language.syntax import TRUE

Sweep = Mapping[str, Sequence[int]]
MAX_INSTANCES = 1_000_000  # of one sweep; each takes some hundred bytes, and most of a millisecond to check
_WHERE_STEPS = 1_000_000  # of evaluating the sweep's condition once


def instances(ruleset: Ruleset, parameters: Sweep, bounds: Sweep, where: Expr = TRUE) -> list[Instance]:
    """Every combination, in the order given, of those of the parameters that fulfil ``where``.

    Raises InstanceError as ``make_instance`` does, FormulaError if the condition is about something else.
    """
    check_names(where, tuple(parameters), NO_FUNCTIONS, "parameter")
    NO_FUNCTIONS.check_growth(where)
    count = prod(map(len, (*parameters.values(), *bounds.values())))
    if count > MAX_INSTANCES:
        raise InstanceError(
            f"{ruleset.name}: the sweep has {count:,} combinations; at most {MAX_INSTANCES:,} are looked at"
        )
    return [
        make_instance(ruleset, fixed, bounded)
        for fixed in combinations(parameters)
        if evaluate(where, fixed, meter=Meter(_WHERE_STEPS))
        for bounded in combinations(bounds)
    ]


def combinations(sweep: Sweep) -> Iterator[dict[str, int]]:
    """Every combination of the values, in the order given."""
    for values in product(*sweep.values()):
        yield dict(zip(sweep, values, strict=True))


def parse_sweep(texts: Sequence[str], option: str) -> dict[str, list[int]]:
    """``["m=4,8", "N=24,K=3"]`` as ``{"m": [4, 8], "N": [24], "K": [3]}``."""
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
                raise InstanceError(
                    f"{option} {text}: write name=value, as in {option} N=24 or {option} m=4,8,12"
                )
            if not value.strip().isdecimal() or len(value.strip()) > 18:
                raise InstanceError(f"{option} {text}: '{value.strip()}' is not a whole number from 0 on")
            if int(value) in sweep[name]:
                raise InstanceError(f"{option} {text}: {int(value)} is there twice")
            sweep[name].append(int(value))
    return sweep
