"""The options of a counterexample's position with their values, by the definition, so that a reader can check it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

from grundylab.catalogue.records import Judged
from grundylab.errors import GrundylabError
from grundylab.games import Instance, Ruleset
from grundylab.games.instance import Position, Rules, make_instance
from grundylab.solve.reference import mex

MOST_MOVES = 6_000  # that are gone through for one counterexample
SHOWN = 12


@dataclass(frozen=True)
class Option:
    """A move by name, and what it leads to: positions (of which it is the sum) and ``value`` as the reader sees it."""

    move: str
    to: str
    value: str
    losing: bool


@dataclass(frozen=True)
class Options:
    """The options, those to P-positions first; ``more``: how many are left out; ``so``: what follows from all."""

    shown: tuple[Option, ...]
    more: int
    so: str


def options_at(ruleset: Ruleset, record: Judged) -> Options | None:
    """The options at the counterexample of a record; None where there is no one game, or it is too far to go."""
    example = record.counterexample
    label = next((check.instance for check in record.instances if check.holds is False), None)
    if example is None or label is None:
        return None
    if ruleset.free or not set(ruleset.coordinate_names) <= set(example.position):
        return None
    bounds = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", label) if name in ruleset.bounds}
    try:
        instance = make_instance(ruleset, example.parameters, bounds)
        values = _Values(instance, record.target.startswith("grundy"))
        position = tuple(example.position[name] for name in ruleset.coordinate_names)
        found = [values.option(number, parts) for number, parts in values.rules.options(position)]
    except (GrundylabError, _TooFar, RecursionError):
        return None
    found = sorted(dict.fromkeys(found), key=lambda option: not option.losing)
    return Options(tuple(found[:SHOWN]), max(0, len(found) - SHOWN), _so(ruleset, found, values.grundy))


def _so(ruleset: Ruleset, options: Sequence[Option], grundy: bool) -> str:
    if grundy:
        return f"the least number that is not among them is {mex(int(option.value) for option in options)}"
    if any(option.losing for option in options):
        return "one of them is a P-position, so this is an N-position"
    if not options and ruleset.play == "misere":
        return "there is none, so under misère play this is an N-position"
    return "none of them is a P-position, so this is one"


class _TooFar(Exception):
    """There are more positions below than are gone through."""


class _Values:
    """The Grundy numbers (under misère play: 0 for P, 1 for N) of the positions below one."""

    def __init__(self, instance: Instance, grundy: bool) -> None:
        self.rules = Rules(instance)
        self._ruleset, self.grundy = instance.ruleset, grundy
        self._known: dict[Position, int] = {}
        self._left = MOST_MOVES

    def option(self, number: int, parts: tuple[Position, ...]) -> Option:
        """A move with what it leads to."""
        value = reduce(xor, map(self._value, parts), 0)
        names = self._ruleset.coordinate_names
        places = " + ".join(
            "(" + ", ".join(f"{n}={v}" for n, v in zip(names, part, strict=True)) + ")" for part in parts
        )
        said = str(value) if self.grundy else "P" if value == 0 else "N"
        return Option(self._ruleset.moves[number].name, places, said, value == 0)

    def _value(self, position: Position) -> int:
        if position not in self._known:
            below = []
            for _, parts in self.rules.options(position):
                self._left -= 1
                if self._left < 0:
                    raise _TooFar
                below.append(reduce(xor, map(self._value, parts), 0))
            if self._ruleset.play == "misere":
                self._known[position] = int(not below or 0 in below)
            else:
                self._known[position] = mex(below)
        return self._known[position]
