"""Tables that many tests read: each is solved once in a session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path

from grundylab.games import load_ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.model import Values
from grundylab.solve import solve
from grundylab.solve.table import Table

ROOT = Path(__file__).parents[1]


def solved_table(game: str, kind: Values = "grundy", **constants: int) -> Table:
    """Return the table of a game for these parameters and bounds. game: a ruleset's text, or a shipped one's name."""
    return _solved(game, kind, *constants.items())


def tables(game: str, target: str, **constants: int | Sequence[int]) -> list[Table]:
    """Return the tables with the values of a target, one for each choice of parameters and bounds."""
    several = [[value] if isinstance(value, int) else value for value in constants.values()]
    kind = parse_target(target).values
    return [_solved(game, kind, *zip(constants, each, strict=True)) for each in product(*several)]


@cache
def _solved(game: str, kind: Values, *constants: tuple[str, int]) -> Table:
    ruleset = parse_ruleset(game) if ":" in game else load_ruleset(game, ROOT / "rulesets")
    given = dict(constants)
    bounds = {name: given.pop(name) for name in ruleset.bounds}
    return solve(make_instance(ruleset, given, bounds), kind)
