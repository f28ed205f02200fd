"""The condition on positions and parameters whatever the size of a table, and bounds that follow from a condition."""

from __future__ import annotations

from collections.abc import Iterable

from grundylab.games.model import Ruleset
from grundylab.games.settings import ends_within
from grundylab.language.intervals import Bounds, Interval
from grundylab.language.syntax import Expr, conjunction


def space_condition(ruleset: Ruleset) -> Expr:
    """Return the condition that the rules put on a position and the parameters, without the bounds of tables."""
    ranges = (coordinate.within(ruleset.bounds) for coordinate in ruleset.coordinates)
    return conjunction(*ranges, ruleset.where, ruleset.domain)


def bounds_within(condition: Expr, names: Iterable[str]) -> Bounds:
    """Return bounds on the names where the condition is true."""
    return {name: Interval(*ends_within(condition, name)) for name in names}
