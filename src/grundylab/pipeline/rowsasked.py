"""The rows that a study asks about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from grundylab.errors import InstanceError
from grundylab.games import Ruleset, Target, parse_target
from grundylab.games.combinations import Sweep, combinations
from grundylab.games.heaps import is_heap
from grundylab.games.layers import axes_of, layered
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.games.specialise import check_domain
from grundylab.language import NO_FUNCTIONS, Expr, check_names, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE


@dataclass(frozen=True)
class RowsAsked:
    """The rows of a study: every combination of the parameters' values and of those of the fixed coordinates.

    length: places of each row that are looked at (of one heap with bounded takes, as many as its period needs).
    """

    fix: Mapping[str, Sequence[int]]
    parameters: Sweep
    length: int
    target: Target = P_POSITIONS
    where: Expr = TRUE

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The parameters' values and the fixed coordinates of each row."""
        for parameters, fixed in product(combinations(self.parameters), combinations(self.fix)):
            if evaluate(self.where, {**parameters, **fixed}):
                yield parameters, fixed

    def check(self, ruleset: Ruleset) -> None:
        """Raises InstanceError unless these are rows of the game."""
        for name in self.parameters:
            if name not in ruleset.parameter_names:
                raise InstanceError(f"{ruleset.name} has no parameter '{name}'")
        check_names(self.where, (*self.parameters, *self.fix), NO_FUNCTIONS, "parameter or fixed coordinate")
        for parameters, fixed in self.rows:
            check_domain(ruleset, parameters)
            if not (self.target == GRUNDY and not fixed and is_heap(ruleset, parameters)):
                layered(ruleset, parameters, axes_of(ruleset, fixed), self.target).top(fixed)


def rows_asked(asked: Mapping[str, Any]) -> RowsAsked:
    """The rows that the plain data describe."""
    target, where = parse_target(asked["target"]), parse_condition(asked["where"])
    return RowsAsked(asked["fix"], asked["parameters"], asked["length"], target, where)
