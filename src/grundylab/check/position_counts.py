"""The number of positions that fulfil a condition: of a table, or of a whole game if they are finitely many."""

from __future__ import annotations

from grundylab.check.samples import restricted_columns
from grundylab.errors import GrundylabError
from grundylab.games.instance import make_instance
from grundylab.games.model import Ruleset
from grundylab.games.settings import possible_settings
from grundylab.language.syntax import TRUE, Expr
from grundylab.solve.table import Table, unsolved_table

CELLS = 1 << 20  # the most cells, of all settings together, whose positions are counted


def position_count(table: Table, where: Expr) -> int:
    """Return the number of positions of the table that fulfil the condition."""
    if where == TRUE:
        return table.positions
    functions = table.instance.ruleset.functions
    return sum(len(restricted_columns(slab, table.instance, where, functions)[1]) for slab in table.slabs())


def finite_count(ruleset: Ruleset, where: Expr) -> int | None:
    """Return the number of positions that fulfil the condition, of all settings of the parameters together.

    They are finitely many if the game has no bounds and ``where`` leaves finitely many settings. None if they are not
    known to be so, or if there are too many to be counted.
    """
    settings = None if ruleset.bounds or ruleset.free else possible_settings(ruleset, where)
    if settings is None:
        return None
    try:
        instances = [make_instance(ruleset, dict(setting), {}) for setting in settings]
        if sum(instance.cells for instance in instances) > CELLS:
            return None
        return sum(position_count(unsolved_table(instance), where) for instance in instances)
    except GrundylabError:  # the condition has no value somewhere, or calls a function that is not the game's
        return None
