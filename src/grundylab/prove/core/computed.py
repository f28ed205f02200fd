"""The rule of computing: a statement about finitely many positions, with finitely many values of each variable.

Automata decide that every position that fulfils the statement's condition lies in a table of some size. The values in
this table are computed, and the statement is evaluated at each position. So the rule needs no premise.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.listing import quantify
from grundylab.games.model import ALWAYS
from grundylab.games.settings import Setting, possible_settings
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import Functions, Tabulated
from grundylab.language.plain import compile_plain
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Int, conjunction, conjuncts, equalities, free_names
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.core.evidence import Computed
from grundylab.prove.core.solution import Core
from grundylab.prove.core.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.solve import solve
from grundylab.solve.table import NO_POSITION, Table, TableSlab, target_values, unsolved_table
from grundylab.statement import Statement

SIZES = (4, 8, 16, 32, 64, 128)  # sizes of tables: each bound of the game has this value
SCALES = (1, 2, 4)  # tables of looked-up games have so many times the bounds
MOVES = 20_000_000  # the most moves of a table that is computed
MOST_SETTINGS = 32  # the most combinations of parameter values


class Wrong(Refused):
    """The error that a statement is false at a position of ``table``, which holds every position that it is about."""

    def __init__(self, table: Table) -> None:
        super().__init__("the statement is false at one of the finitely many positions that it is about")
        self.table = table


def positions(statement: Statement, core: Core) -> int:
    """Return the number of positions that the statement is about, after checking that it is true at all of them.

    Raises Refused if the positions are not known to be finitely many, or fit in no table that can be computed. Raises
    Wrong if the statement is false at one of them.
    """
    return core.kept(("computed", statement), lambda: _positions(statement, core))


def _positions(statement: Statement, core: Core) -> int:
    settings = possible_settings(statement.game, statement.where)
    if statement.game.free or not settings or len(settings) > MOST_SETTINGS:
        raise Refused(
            f"the game is a family, or its parameters do not have 1 to {MOST_SETTINGS} combinations of values"
        )
    counts = list[int]()
    for setting in sorted(settings):
        covers = partial(_covers, statement, setting, cells=core.cells)
        # most statements are about infinitely many positions: then the largest table fails, and no other is tried
        sizes = filter(covers, SIZES) if covers(SIZES[-1]) else ()
        tried = (_right(statement, setting, size, core) for size in sizes)
        count = next((count for count in tried if count is not None), None)
        if count is None:
            raise Refused("no table that can be computed holds every position that the statement is about")
        counts.append(count)
    claimed = (table for table in statement.tables if table.name in statement.formula.calls)
    entries = sum(int(np.count_nonzero(table.values != table.hole)) for table in claimed)
    if min(counts) < entries:
        raise Refused("an entry of the printed table is at a place that is no position, or is left out")
    return sum(counts)


def _covers(statement: Statement, setting: Setting, size: int, cells: int) -> bool:
    """Tell whether automata show that the table of this size holds every position that fulfils the condition."""
    game = statement.game
    values = {lookup.name for lookup in statement.lookups} | {table.name for table in statement.tables}
    plain = (term for term in conjuncts(statement.where) if not term.calls & values)
    inside = (substitute(c.inside, dict.fromkeys(game.bounds, size)) for c in game.coordinates)
    return (
        true_everywhere(game, conjunction(*inside), conjunction(*plain, equalities(setting)), cells) is True
    )


def _right(statement: Statement, setting: Setting, size: int, core: Core) -> int | None:
    """Check the statement at the table's positions that fulfil its conditions; return their number.

    Return None if the table has too many moves, or if a value that is needed lies outside the tables. Raises Wrong if
    the statement is false at a position of the table.
    """
    try:
        instance = make_instance(statement.game, dict(setting), dict.fromkeys(statement.game.bounds, size))
        if instance.moves > MOVES:
            return None
        still = statement.target == ALWAYS and not statement.lookups
        table = unsolved_table(instance) if still else solve(instance, statement.target.values)
        functions = functions_at(statement, table, core)
        counts = [_right_in(statement, instance, slab, functions) for slab in table.slabs()]
    except GrundylabError:  # the table cannot be made, or a look-up lies outside it
        return None
    if None in counts:
        raise Wrong(table)
    return sum(filter(None, counts))


def _right_in(statement: Statement, instance: Instance, slab: TableSlab, functions: Functions) -> int | None:
    """Return how many positions of a part of the table the statement is about; None if it is false at one of them."""
    names = (*statement.game.coordinate_names, *dict(instance.parameters))
    numbers = [*slab.coordinates, *(np.full(len(slab), value) for _, value in instance.parameters)]
    columns = dict(zip(names, numbers, strict=True))
    wanted = target_values(slab.values, statement.target)
    constants = {name: Int(value) for name, value in instance.constants.items()}
    ranges = [v.mapped(partial(substitute, values=constants)) for v in statement.variables]
    formula = quantify("all", ranges, statement.formula)
    try:
        inside = evaluate_arrays(statement.where, columns, functions)
        selected = {name: column[inside] for name, column in columns.items()}
        right = evaluate_arrays(formula, selected, functions) == wanted[inside]
    except EvaluationError:  # somewhere a part has no value: evaluate position by position
        where, says = (compile_plain(expr, functions) for expr in (statement.where, formula))
        rows = [{name: int(column[n]) for name, column in columns.items()} for n in range(len(slab))]
        about = [n for n, row in enumerate(rows) if where(row)]
        right = np.array([int(says(rows[n])) == wanted[n] for n in about], dtype=bool)
    return len(right) if np.all(right) else None


def functions_at(statement: Statement, table: Table, core: Core) -> Functions:
    """Return the functions that the statement may call: the game's own, its tables, and computed look-ups.

    Look-ups have the Grundy values for the parameters of ``table``. The values of the statement's own game have the
    bounds of ``table``. Those of another game have the largest multiple of these bounds with few enough moves; raises
    Refused if there is none.
    """
    given, looked_up = table.instance.constants, list[Tabulated]()
    size = max(dict(table.instance.bounds).values(), default=SIZES[-1])
    for lookup in statement.lookups:
        instance, game = table.instance, lookup.game
        if game is not None:
            setting = {name: given[name] for name in game.parameter_names if name in given}
            for scale in reversed(SCALES):
                bounds = {name: scale * given.get(name, size) for name in game.bounds}
                instance = make_instance(game, setting, bounds)
                if instance.moves <= MOVES:
                    break
            else:
                raise Refused(f"every table of {game.name} has too many moves to be computed")
        values = table
        if game is not None or table.kind != "grundy":  # the core keeps it, as several statements may need it
            of = instance.ruleset.hash, instance.parameters, instance.bounds
            values = core.kept(("values", *of), partial(solve, instance, "grundy"))
        lows = tuple(side.low for side in values.instance.box)
        names, what = values.instance.ruleset.coordinate_names, f"the Grundy numbers of {values.instance}"
        looked_up.append(Tabulated(lookup.name, names, values.values, lows, what, NO_POSITION))
    return statement.game.functions.given(*statement.tables, *looked_up)


def _finitely_many_values(statement: Statement, *_: object) -> bool:
    """Tell whether no variable's range mentions a bound, that is, depends on the size of a table."""
    ends = (end for variable in statement.variables for end in variable.ends)
    return not any(free_names(end) & set(statement.game.bounds) for end in ends)


RULE = Rule(
    "every position computed",
    Computed,
    (
        SideCondition("there are finitely many values of every variable", _finitely_many_values),
        SideCondition(
            "it is right at all of finitely many positions", lambda s, _, core: positions(s, core) >= 0
        ),
    ),
    no_premises,
)
