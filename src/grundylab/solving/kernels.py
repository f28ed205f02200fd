"""The compiled solver for any ruleset of the language: generate its kernel, compile once, keep it on disk."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from grundylab.errors import EvaluationError, GrundylabError, RulesetError
from grundylab.formula.compiled import fits_machine, recurrence_table, table_uses
from grundylab.formula.functions import Function
from grundylab.formula.intervals import Interval, interval
from grundylab.formula.syntax import Expr
from grundylab.rulesets.instance import Instance, Position, Rules
from grundylab.rulesets.model import Ruleset, Values
from grundylab.solving import codegen, runtime
from grundylab.solving.reference import checked_options, in_order
from grundylab.solving.table import Table

CACHE_VARIABLE = "GRUNDYLAB_CACHE"
_STEPS = 1 << 16  # cells solved in one call of the kernel
_SEEN = 64  # the first length of the kernel's record of values seen: a power of two


@dataclass(frozen=True)
class Kernel:
    """A ruleset's compiled module, and the recurrences whose tables it takes."""

    module: ModuleType
    tables: tuple[str, ...]


def cache_folder() -> Path:
    """Where kernels are kept: $GRUNDYLAB_CACHE, or the user's cache folder; a temporary one if neither is writable."""
    base = os.environ.get(CACHE_VARIABLE)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(base) if base else home / "grundylab"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="grundylab-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="grundylab-"))


def load_kernel(ruleset: Ruleset) -> Kernel:
    """The ruleset's kernel."""
    source, tables = codegen.kernel_source(ruleset)
    return Kernel(load_module(source), tables)


def load_module(source: str) -> ModuleType:
    """The module of this source. numba keeps the machine code beside it, so later processes only load it."""
    # numba does not see that what a module calls has changed, so that is part of its name
    called = Path(runtime.__file__).read_bytes()
    name = "kernel_" + hashlib.sha256(source.encode() + called).hexdigest()[:24]
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != source:
        _write_once(path, source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # numba finds the functions of a cached module by its name
    spec.loader.exec_module(module)
    return module


def _write_once(path: Path, text: str) -> None:
    """Write a whole file or none. numba's index goes by the file's time, so an equal file is left alone."""
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, suffix=".tmp", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    os.replace(file.name, path)


def solve_kernel(instance: Instance, kind: Values) -> Table:
    """As ``solve_reference``, compiled. Raises the same errors for the same faulty moves."""
    ruleset = instance.ruleset
    kernel = load_kernel(ruleset)
    module: Any = kernel.module
    environment = _environment(instance, kernel)
    lows = np.array([side.low for side in instance.box], dtype=np.int64)
    widths = np.array(instance.shape, dtype=np.int64)
    values = np.empty(instance.cells, dtype=np.int32)
    misere = ruleset.play == "misere"
    grundy = not misere and (kind == "grundy" or ruleset.splits)
    status = np.array([0, codegen.OK, _SEEN], dtype=np.int64)

    def run(order: Any) -> None:  # noqa: ANN401 - an int64 array
        for start in range(0, instance.cells, _STEPS):  # between two calls Ctrl-C is heard
            stop = min(start + _STEPS, instance.cells)
            module.solve(values, order, start, stop, environment, lows, widths, grundy, misere, status)
            if status[1] != codegen.OK:
                return

    try:
        module.mark(values, environment, lows, widths)
        order = np.empty(0, dtype=np.int64)
        run(order)
        if status[1] == codegen.NOT_SOLVED_YET:  # the cells' own order does not do: go by the measure
            status[:] = 0, codegen.OK, _SEEN
            module.mark(values, environment, lows, widths)
            measure = np.empty(instance.cells, dtype=np.int64)
            module.measures(values, measure, environment, lows, widths)
            run(np.argsort(measure, kind="stable"))
    except (ZeroDivisionError, ValueError):
        raise _explained(instance, int(status[0])) from None
    if status[1] != codegen.OK:
        raise _explained(instance, int(status[0]))
    table = values.reshape(instance.shape)
    if grundy and kind == "outcome":
        np.minimum(table, 1, out=table)
    return Table(instance, kind, table)


def needs_more_than_machine(instance: Instance) -> str | None:
    """The expression of the ruleset whose values might not fit 64 bits in this instance, or None."""
    for expr, known in _expressions(instance):
        if not fits_machine(expr, known, instance.ruleset.functions):
            return str(expr)
    return None


def _expressions(instance: Instance) -> list[tuple[Expr, dict[str, Interval]]]:
    """Every expression that the kernel evaluates, with bounds on the names in it."""
    ruleset = instance.ruleset
    known = {name: Interval(value, value) for name, value in instance.constants.items()}
    known |= dict(zip(ruleset.coordinate_names, instance.box, strict=True))
    found = [(end, known) for c in ruleset.coordinates for end in (c.range.low, c.range.high)]
    found += [(ruleset.where, known), (ruleset.measure, known)]
    for move in ruleset.moves:
        inner = dict(known)
        for choice in move.choices:
            found += [(choice.range.low, inner), (choice.range.high, inner)]
            inner = {**inner, choice.name: _span(choice.range.low, choice.range.high, inner, ruleset)}
        found += [(move.when, inner), *((value, inner) for part in move.parts for value in part)]
    return found


def _span(low: Expr, high: Expr, known: dict[str, Interval], ruleset: Ruleset) -> Interval:
    return Interval(
        interval(low, known, ruleset.functions).low, interval(high, known, ruleset.functions).high
    )


def _environment(instance: Instance, kernel: Kernel) -> tuple[Any, ...]:
    """The tuple ``E``: parameters and bounds, then values and first argument of each recurrence's table."""
    ruleset = instance.ruleset
    values: list[Any] = [instance.constants[name] for name in codegen.constants(ruleset)]
    spans: dict[str, Interval] = {}
    for expr, known in _expressions(instance):
        for use in table_uses([expr], ruleset.functions):
            span = interval(use.argument, known, ruleset.functions)
            before = spans.get(use.function.name)
            spans[use.function.name] = before.hull(span) if before else span
    fixed = {name: Interval(value, value) for name, value in instance.parameters}
    for name in kernel.tables:
        span = spans[name]
        function = ruleset.functions[name]
        assert isinstance(function, Function)  # others are left to the reference
        values += [recurrence_table(function, span, fixed, ruleset.functions), span.low]
    return tuple(values)


def _explained(instance: Instance, cell: int) -> GrundylabError:
    """The error that the definition gives at the position where the kernel stopped, or wherever it gives one."""
    offsets = np.unravel_index(cell, instance.shape)
    stopped: Position = tuple(int(o) + side.low for o, side in zip(offsets, instance.box, strict=True))
    rules = Rules(instance)
    try:
        if rules.legal(stopped):
            checked_options(rules, stopped)
    except RulesetError as error:
        return error
    except EvaluationError:
        pass  # in a range or 'where', which in_order reports
    try:
        for position in in_order(rules):
            checked_options(rules, position)
    except RulesetError as error:
        return error
    raise AssertionError(f"the kernel stopped at {stopped} for a reason that the definition does not see")
