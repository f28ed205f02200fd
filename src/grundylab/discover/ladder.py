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
MOVES = 1 << 27
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
        """The same with all bounds doubled; None where a table would be too large, or a larger one is no game."""
        kind = self.tables[0].kind
        try:
            tables = tuple(solve(instance, kind) for instance in doubled(self.instances, self.below))
            return Rung(tables, self.target, self.where, self.below) if tables else None
        except GrundylabError:
            return None  # the game may be one for these bounds only


def doubled(instances: Sequence[Instance], below: Mapping[str, int] = NONE) -> tuple[Instance, ...]:
    """The instances with bounds twice as large; none if a table would be too large, or a bound not ``below``.

    Raises InstanceError if the ruleset does not allow it.
    """
    larger = tuple(_doubled(instance) for instance in instances)
    if any(instance.cells > CELLS or instance.moves > MOVES for instance in larger):
        return ()
    if any(value >= below.get(name, inf) for instance in larger for name, value in instance.bounds):
        return ()
    return larger if all(instance.bounds for instance in larger) else ()


def _doubled(instance: Instance) -> Instance:
    bounds = {name: 2 * value for name, value in instance.bounds}
    return make_instance(instance.ruleset, dict(instance.parameters), bounds)
