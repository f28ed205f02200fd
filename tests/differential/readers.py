"""One formula for all readers: plain values, arrays, compiled source, intervals, progressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from types import ModuleType

import numpy as np
from tests.strategies import FUNCTIONS, PARAMETER

from grundylab.automata.dfa import AutomataBudget, TooLarge
from grundylab.errors import EvaluationError
from grundylab.language import Expr, Kind, parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import Interval, fits_machine, interval
from grundylab.language.numba_source import Emitter, recurrence_table, table_uses
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Int, compare
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.reader import AutomataReader
from grundylab.solve.codegen import module_text

WORK = 3_000_000  # cells of automata
Values = dict[str, int]
Loader = Callable[[str], ModuleType]


def plain(expr: Expr, values: Values) -> int | None:
    """Return the formula's value as a number, or None if it has none."""
    try:
        return int(evaluate(expr, values, FUNCTIONS))
    except EvaluationError:
        return None


def compiled(exprs: Sequence[Expr], rows: Sequence[Values], load: Loader) -> list[list[int | None] | None]:
    """Return each formula's values at the rows, computed by compiled code; all rows have the same value of m.

    None stands for a formula whose values may not fit in 64 bits.
    """
    names = tuple(name for name in rows[0] if name != PARAMETER)
    known = {
        name: Interval(min(row[name] for row in rows), max(row[name] for row in rows)) for name in rows[0]
    }
    able = [fits_machine(expr, known, FUNCTIONS) for expr in exprs]
    emitter = Emitter(FUNCTIONS, (PARAMETER,))
    arguments = ", ".join(["E", *(f"v_{name}" for name in names)])
    lines = [
        f"@njit\ndef formula_{number}({arguments}):\n    return {emitter.expression(expr, names)}\n"
        for number, expr in enumerate(exprs)
        if able[number]
    ]
    module = load(module_text("for a test", emitter, lines))
    environment: list[object] = [rows[0][PARAMETER]]
    written = [expr for expr, does in zip(exprs, able, strict=True) if does]
    uses = [use for expr in written for use in table_uses(expr, known, FUNCTIONS)]
    for table in emitter.tables:
        spans = [span for name, span in uses if name == table] or [Interval(0, 0)]
        span = reduce(Interval.hull, spans)
        environment += [recurrence_table(FUNCTIONS[table], span, known, FUNCTIONS), span.low]
    return [
        [_called(module, number, tuple(environment), [row[name] for name in names]) for row in rows] if does else None
        for number, does in enumerate(able)
    ]  # fmt: skip


def _called(
    module: ModuleType, number: int, environment: tuple[object, ...], values: list[int]
) -> int | None:
    try:
        return int(getattr(module, f"formula_{number}")(environment, *values))
    except (ZeroDivisionError, ValueError):
        return None


def arrays(expr: Expr, rows: Sequence[Values]) -> list[int] | None:
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    try:
        return [int(value) for value in evaluate_arrays(expr, columns, FUNCTIONS)]
    except EvaluationError:
        return None


def automata_agree(expr: Expr, row: Values) -> bool:
    """Tell whether the automata of a formula agree with the plain reader at this row.

    True also if the automata would be too large.
    """
    value, number = plain(expr, row), expr.kind is Kind.NUMBER
    asked = compare("==", expr, Int(value or 0)) if number else expr
    try:
        truth = AutomataReader(FUNCTIONS, AutomataBudget(WORK)).truth(asked)
    except TooLarge:
        return True
    except OutsideFragment:  # a part without names that has no value
        return value is None
    wanted = (False, False) if value is None else (True, False) if number or value else (False, True)
    return (truth.true.contains(row), truth.false.contains(row)) == wanted


def assert_agree(exprs: Sequence[Expr], rows: Sequence[Values], load: Loader) -> int:
    """Assert that all readers agree about all formulas; return how many formulas were compiled."""
    found = compiled(exprs, rows, load)
    for expr, by_machine in zip(exprs, found, strict=True):
        values = [plain(expr, row) for row in rows]
        assert parse(str(expr)) == expr, expr
        if by_machine is not None:
            assert by_machine == values, f"compiled: {expr}"
        good = [row for row, value in zip(rows, values, strict=True) if value is not None]
        if good:
            assert arrays(expr, good) == [value for value in values if value is not None], f"arrays: {expr}"
        if len(good) < len(rows):
            assert arrays(expr, rows) is None, f"arrays have a value where there is none: {expr}"
        for row, value in zip(rows, values, strict=True):
            if value is not None:
                point = {
                    name: Interval(number, number + 2 * (name != PARAMETER)) for name, number in row.items()
                }
                assert value in interval(expr, point, FUNCTIONS), f"interval: {expr} at {row}"
    return sum(by_machine is not None for by_machine in found)
