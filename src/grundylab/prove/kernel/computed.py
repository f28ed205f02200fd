"""The rule of computing: a statement about finitely many positions, with finitely many values of all variables.

Automata decide that every position with the statement's condition is in a table of some size; there the statement is
evaluated, with the values of positions computed. So nothing is left to be proved.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from grundylab.prove.kernel.calls import Calls
from grundylab.prove.kernel.evidence import Computed
from grundylab.prove.kernel.induction_automata import true_everywhere
from grundylab.prove.kernel.session import Session
from grundylab.prove.kernel.theorem import Refused, Rule, SideCondition, no_premises
from grundylab.solve import solve
from grundylab.solve.table import NO_POSITION, Table, TableSlab, target_values, unsolved_table
from grundylab.statement import Lookup, Statement

SIZES = (4, 8, 16, 32, 64, 128)  # values of the bounds, all equal
SCALES = (1, 2, 4)  # values of the bounds of other games' tables
MOVES = 20_000_000  # moves of a table that is computed
MOST_SETTINGS = 32  # values of the parameters


class Wrong(Refused):
    """A statement that is wrong at a position of a table that has every position that it is about."""

    def __init__(self, table: Table) -> None:
        super().__init__("it is wrong at one of finitely many positions")
        self.table = table


def positions(statement: Statement, session: Session) -> int:
    """Return the number of positions that the statement is about, at all of which it is true.

    Raises Refused if they are not known to be finitely many, or are too large; Wrong if it is wrong at one.
    """
    return session.kept(("computed", statement.key), lambda: _positions(statement, session))


def _positions(statement: Statement, session: Session) -> int:
    found = possible_settings(statement.game, statement.where)
    if statement.game.free or not found or len(found) > MOST_SETTINGS:
        raise Refused(f"there are not 1 to {MOST_SETTINGS} games that it is about")
    total = 0
    for setting in sorted(found):
        covers = partial(_covers, statement, setting, cells=session.cells)
        # most statements are about infinitely many positions, which the largest table shows
        sizes = filter(covers, SIZES) if covers(SIZES[-1]) else ()
        counts = (_right(statement, setting, size, session) for size in sizes)
        count = next((count for count in counts if count is not None), None)
        if count is None:
            raise Refused("no table of every position that it is about can be computed")
        total += count
    return total


def _covers(statement: Statement, setting: Setting, size: int, cells: int) -> bool:
    """Return whether every position that fulfils the condition is in the table of this size."""
    game = statement.game
    calls = Calls([*(each.name for each in statement.lookups), *(table.name for table in statement.tables)])
    plain = filter(calls.is_plain, conjuncts(statement.where))
    inside = (substitute(c.inside, dict.fromkeys(game.bounds, size)) for c in game.coordinates)
    return (
        true_everywhere(game, conjunction(*inside), conjunction(*plain, equalities(setting)), cells) is True
    )


def _right(statement: Statement, setting: Setting, size: int, session: Session) -> int | None:
    """Return the number of positions of a table that it is about, if it is right at all; None without such a table.

    Raises Wrong where it is wrong.
    """
    try:
        instance = make_instance(statement.game, dict(setting), dict.fromkeys(statement.game.bounds, size))
        if instance.moves > MOVES:
            return None
        still = statement.target == ALWAYS and not statement.lookups
        table = unsolved_table(instance) if still else solve(instance, statement.target.values)
        functions = functions_at(statement, table, session)
        counts = [_right_in(statement, instance, slab, functions) for slab in table.slabs()]
    except GrundylabError:  # there is no such table, or a look-up is outside it
        return None
    if None in counts:
        raise Wrong(table)
    return sum(filter(None, counts))


def _right_in(statement: Statement, instance: Instance, slab: TableSlab, functions: Functions) -> int | None:
    """Return the number of positions at which it is right; None if it is wrong at one."""
    names = (*statement.game.coordinate_names, *dict(instance.parameters))
    numbers = [*slab.coordinates, *(np.full(len(slab), value) for _, value in instance.parameters)]
    columns = dict(zip(names, numbers, strict=True))
    wanted = target_values(slab.values, statement.target)
    known = {name: Int(value) for name, value in instance.constants.items()}
    ranges = [v.mapped(partial(substitute, values=known)) for v in statement.variables]
    formula = quantify("all", ranges, statement.formula)
    try:
        inside = evaluate_arrays(statement.where, columns, functions)
        there = {name: column[inside] for name, column in columns.items()}
        right = evaluate_arrays(formula, there, functions) == wanted[inside]
    except EvaluationError:  # somewhere there is no value
        where, says = (compile_plain(expr, functions) for expr in (statement.where, formula))
        rows = [{name: int(column[n]) for name, column in columns.items()} for n in range(len(slab))]
        about = [n for n, row in enumerate(rows) if where(row)]
        right = np.array([int(says(rows[n])) == wanted[n] for n in about], dtype=bool)
    return len(right) if np.all(right) else None


def functions_at(statement: Statement, table: Table, session: Session) -> Functions:
    """Return the functions that the statement may call, with the values of positions that it looks up."""
    values = [_values(lookup, table, session) for lookup in statement.lookups]
    return statement.game.functions.given(*statement.tables, *values)


def _values(lookup: Lookup, table: Table, session: Session) -> Tabulated:
    """Return the Grundy numbers of a game with the table's parameters; its bounds are larger if it is another game."""
    if lookup.game is None:
        values = table if table.kind == "grundy" else _solved(table.instance, session)
    else:
        instance = next(_instances(lookup, table.instance), None)
        if instance is None:
            raise Refused(f"no table of {lookup.game.name} is small enough to be computed")
        values = _solved(instance, session)
    lows = tuple(side.low for side in values.instance.box)
    names, what = values.instance.ruleset.coordinate_names, f"the Grundy numbers of {values.instance}"
    return Tabulated(lookup.name, names, values.values, lows, what, NO_POSITION)


def _solved(instance: Instance, session: Session) -> Table:
    """Return the Grundy numbers of an instance, which several statements may look up."""
    of = instance.ruleset.hash, instance.parameters, instance.bounds
    return session.kept(("values", *of), lambda: solve(instance, "grundy"))


def _instances(lookup: Lookup, like: Instance) -> Iterator[Instance]:
    """Yield instances of another game with the values of the parameters and bounds that it has, the largest first."""
    assert lookup.game is not None
    given = like.constants
    size = max(dict(like.bounds).values(), default=SIZES[-1])
    for scale in reversed(SCALES):
        found = make_instance(
            lookup.game,
            {name: given[name] for name in lookup.game.parameter_names if name in given},
            {name: scale * given.get(name, size) for name in lookup.game.bounds},
        )
        if found.moves <= MOVES:
            yield found


def _finitely_many_values(statement: Statement, *_: object) -> bool:
    """Return whether no range of a variable depends on the size of a table."""
    ends = (end for variable in statement.variables for end in variable.ends)
    return not any(free_names(end) & set(statement.game.bounds) for end in ends)


def _right_everywhere(statement: Statement, _: Computed, session: Session) -> bool:
    return positions(statement, session) >= 0


RULE = Rule(
    "every position computed",
    Computed,
    (
        SideCondition("there are finitely many values of every variable", _finitely_many_values),
        SideCondition("it is right at all of finitely many positions", _right_everywhere),
    ),
    no_premises,
)
