"""The training tables, and larger ones of the same games: what is found in the first is tried in the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from types import MappingProxyType

from grundylab.check.samples import Samples, collect
from grundylab.errors import GrundylabError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.language.syntax import TRUE
from grundylab.solve import solve
from grundylab.solve.table import Table

CELLS = 1 << 18  # of a larger table
CHEAP = 1 << 15  # of one that is larger than it need be
MOVES = 1 << 9  # for each cell allowed
NONE: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True)
class Rung:
    """Tables of one ruleset, the positions of them that are learnt from, and the rung above.

    below: bounds that larger tables must not reach, since tables that large are kept for verification.
    """

    tables: tuple[Table, ...]
    target: Target
    where: Expr = TRUE
    below: Mapping[str, int] = field(default_factory=lambda: NONE)

    @cached_property
    def samples(self) -> Samples:
        """Raises GrundylabError if there are none."""
        return collect(self.tables, self.target, self.where)

    @property
    def instances(self) -> tuple[Instance, ...]:
        """What the tables are of."""
        return tuple(table.instance for table in self.tables)

    @cached_property
    def next(self) -> Rung | None:
        """The same with all bounds doubled, and again as long as that is cheap.

        None where a table would be too large, or a larger one is no game.
        """
        kind = self.tables[0].kind
        try:
            larger = doubled(self.instances, self.below)
            while further := doubled(larger, self.below, CHEAP):
                larger = further
            tables = tuple(solve(instance, kind) for instance in larger)
            return Rung(tables, self.target, self.where, self.below) if tables else None
        except GrundylabError:
            return None  # the game may be one for these bounds only


def doubled(
    instances: Sequence[Instance], below: Mapping[str, int] = NONE, cells: int = CELLS
) -> tuple[Instance, ...]:
    """The instances with bounds twice as large; none if a table had more cells, or a bound were not ``below``.

    Raises InstanceError if the ruleset does not allow it.
    """
    larger = tuple(_doubled(instance) for instance in instances)
    if any(instance.cells > cells or instance.moves > cells * MOVES for instance in larger):
        return ()
    if any(value >= below.get(name, inf) for instance in larger for name, value in instance.bounds):
        return ()
    return larger if larger and all(instance.bounds for instance in larger) else ()


def _doubled(instance: Instance) -> Instance:
    bounds = {name: 2 * value for name, value in instance.bounds}
    return make_instance(instance.ruleset, dict(instance.parameters), bounds)
