"""The rows that a study asks about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from grundylab.errors import InstanceError
from grundylab.games import Ruleset, parse_target
from grundylab.games.combinations import combinations
from grundylab.games.heaps import is_heap
from grundylab.games.instance import check_domain
from grundylab.games.layers import axes_of, layered
from grundylab.games.model import GRUNDY
from grundylab.games.validation import Strict
from grundylab.language import NO_FUNCTIONS, check_names, parse_condition
from grundylab.language.plain import evaluate

_MOST_VALUES = 1_000  # of a range


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    """One value, a list of them, or a range ``2..9``, as a list."""
    values = value if isinstance(value, list) else [value]
    if isinstance(value, str) and (ends := re.fullmatch(r"\s*(\d{1,9})\s*\.\.\s*(\d{1,9})\s*", value)):
        values = list(range(int(ends[1]), int(ends[2]) + 1))
        if not 1 <= len(values) <= _MOST_VALUES:
            raise ValueError(f"{value} are {len(values):,} values; 1 to {_MOST_VALUES:,} are needed here")
    if len(set(map(str, values))) < len(values):
        raise ValueError(f"a value is there twice: {', '.join(map(str, values))}")
    return values


Whole = Annotated[list[int], BeforeValidator(_several)]


class RowsAsked(Strict):
    """The rows of a study: every combination of the parameters' values and of those of the fixed coordinates.

    where: a condition on the parameters and the fixed coordinates. length: places of each row that are looked at (of
    one heap with bounded takes, as many as its period needs).
    """

    fix: dict[str, Whole] = Field(default_factory=dict)
    parameters: dict[str, Whole] = Field(default_factory=dict)
    where: str = "True"
    length: int = Field(default=100_000, gt=0)
    target: str = "p"

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The parameters' values and the fixed coordinates of each row."""
        where = parse_condition(self.where)
        for parameters, fixed in product(combinations(self.parameters), combinations(self.fix)):
            if evaluate(where, {**parameters, **fixed}):
                yield parameters, fixed

    def check(self, ruleset: Ruleset) -> None:
        """Raises InstanceError unless these are rows of the game."""
        for name in self.parameters:
            if name not in ruleset.parameter_names:
                raise InstanceError(f"{ruleset.name} has no parameter '{name}'")
        target = parse_target(self.target)
        names = (*self.parameters, *self.fix)
        check_names(parse_condition(self.where), names, NO_FUNCTIONS, "parameter or fixed coordinate")
        for parameters, fixed in self.rows:
            check_domain(ruleset, parameters)
            if not (target == GRUNDY and not fixed and is_heap(ruleset, parameters)):
                layered(ruleset, parameters, axes_of(ruleset, fixed), target).top(fixed)
