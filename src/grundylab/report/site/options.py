"""The options of a counterexample's position with their values, by the definition, so that a reader can check it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import xor

from grundylab.catalogue.records import Judged
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset
from grundylab.games.instance import make_instance
from grundylab.games.rules import Rules
from grundylab.solve.explaining import by_definition, sum_text
from grundylab.solve.reference import mex

MOST_MOVES = 6_000  # that are gone through for one counterexample
SHOWN = 12
_MISERE = "under misère play this is an N-position"


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
    position = tuple(example.position[name] for name in ruleset.coordinate_names)
    try:
        rules = Rules(make_instance(ruleset, example.parameters, bounds))
        values = by_definition(rules, position, MOST_MOVES)
    except GrundylabError:
        return None
    if values is None:
        return None
    grundy = record.target.values == "grundy"
    found = []
    for number, parts in rules.options(position):
        value = reduce(xor, (values[part] for part in parts), 0)
        said = str(value) if grundy else "P" if value == 0 else "N"
        found.append(Option(ruleset.moves[number].name, sum_text(ruleset, parts), said, value == 0))
    found = sorted(dict.fromkeys(found), key=lambda option: not option.losing)
    return Options(tuple(found[:SHOWN]), max(0, len(found) - SHOWN), _so(ruleset, found, grundy))


def _so(ruleset: Ruleset, options: Sequence[Option], grundy: bool) -> str:
    if grundy:
        return f"the least number that is not among them is {mex(int(option.value) for option in options)}"
    if not options:
        return f"so {_MISERE if ruleset.play == 'misere' else 'this is a P-position'}"
    if any(option.losing for option in options):
        return "one of them is a P-position, so this is an N-position"
    return "none of them is a P-position, so this is one"
