"""The compiled solver for any ruleset of the language. Its kernel is generated, compiled once and kept on disk."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from dataclasses import dataclass
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from grundylab.errors import EvaluationError, GrundylabError, RulesetError
from grundylab.files import atomic_file, cache_folder
from grundylab.games.instance import Instance, Position
from grundylab.games.model import Values
from grundylab.games.rules import Rules
from grundylab.solve import codegen, runtime
from grundylab.solve.environment import EvaluatedExpressions, check_work, kernel_environment
from grundylab.solve.narrowing import narrowed
from grundylab.solve.reference import checked_options, measures_in_order
from grundylab.solve.table import NO_POSITION, Table

_STEPS = 1 << 16  # cells solved in one call of the kernel
_LINE = 16  # values in a line of the processor's cache
_LONG = 16 * _LINE  # cells; a stride from this length on may be padded by up to two lines
_SEEN = 64  # the initial room for values of options in a kernel: a power of two


@dataclass(frozen=True)
class CompiledKernel:
    """A compiled kernel for one instance.

    module: the ruleset's functions. order: the numbers of the coordinates in the order of play. environment: the
    argument ``E`` of the functions, with the data of the instance.
    """

    module: ModuleType
    order: tuple[int, ...]
    environment: tuple[Any, ...]


def load_kernel(
    instance: Instance, written: EvaluatedExpressions, by_measure: bool = False
) -> CompiledKernel:
    """Return the kernel of the ruleset, for the instance.

    written: what ``evaluated_expressions`` returns for the instance. by_measure: the kernel solves in the order of the
    measure. Raises InstanceError if ranges would try too many values.
    """
    check_work(instance, written)
    source = codegen.kernel_source(instance.ruleset, by_measure)
    environment = kernel_environment(instance, source.tables, written)
    return CompiledKernel(load_module(source.text), source.order, environment)


def load_module(source: str) -> ModuleType:
    """Return the module with this source. numba keeps its machine code, so that later processes only load it."""
    # numba does not notice a change in the library that a module calls, so its digest is part of the name
    library = Path(runtime.__file__).read_bytes()
    name = "kernel_" + hashlib.sha256(source.encode() + library).hexdigest()[:24]
    if name in sys.modules:
        return sys.modules[name]
    path = cache_folder() / f"{name}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != source:
        # an equal file is never replaced, because numba's index depends on the file's time
        with atomic_file(path) as temporary:
            temporary.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # numba finds the functions of a cached module by its name
    spec.loader.exec_module(module)
    return module


def padded_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of cells between neighbours along each axis; the last axis varies fastest.

    Moves read cells along every axis. If a stride is a multiple of a large power of two, all these cells lie in the
    same few sets of the processor's caches (shapes like 128 × 128 × 128 are the worst). So every stride is made an odd
    number of cache lines if it is so long that the padding takes little memory.
    """
    strides = [1]
    for width in reversed(shape[1:]):
        stride = width * strides[0]
        if stride >= _LONG:
            lines = -(-stride // _LINE)
            stride = _LINE * (lines + 1 - lines % 2)
        strides.insert(0, stride)
    return tuple(strides)


def solve_kernel(instance: Instance, kind: Values, written: EvaluatedExpressions) -> Table:
    """Return the table that ``solve_reference`` returns, by compiled code. Raises the same errors for faulty moves.

    written: what ``evaluated_expressions`` returns for the instance with narrowed ranges; all values must be known to
    fit 64 bits.
    """
    run = _Run(narrowed(instance), kind, written)
    status = run.in_order_of_play()
    if status[1] != codegen.OK:
        fault = _fault_at(instance, run.position(int(status[0])))
        if fault is not None:
            raise fault
        status = run.by_measure()  # an option was met before it was solved
    if status[1] != codegen.OK:
        raise _definition_error(instance, run.position(int(status[0])))
    table = run.table()
    if kind == "outcome" and run.grundy:
        np.minimum(table, 1, out=table)
    return Table(instance, kind, table)


class _Run:
    """The solution of one instance: its arrays, and the calls of the kernel's functions with them.

    A status is an array (cell, code, size): the cell where the kernel stopped, OK or FAILED, and the number below which
    the kernel has room for values. grundy: whether Grundy numbers are computed.
    """

    def __init__(self, instance: Instance, kind: Values, written: EvaluatedExpressions) -> None:
        ruleset = instance.ruleset
        self.grundy = ruleset.play != "misere" and (kind == "grundy" or ruleset.splits)
        self._instance = instance
        self._written = written
        self._kernel = load_kernel(instance, written)
        self._order = self._kernel.order
        self._shape = tuple(instance.shape[place] for place in self._order)
        self._lows = np.array([side.low for side in instance.box], dtype=np.int64)
        self._lay_out(padded_strides(self._shape))

    def _lay_out(self, steps: tuple[int, ...]) -> None:
        """Allocate the array of values, with NO_POSITION in every cell.

        steps: the distance between neighbours along each axis, in the order of play.
        """
        self._steps = steps
        strides = np.array(steps, dtype=np.int64)[np.argsort(self._order)]
        self._box = (self._lows, self._lows + np.array(self._instance.shape, dtype=np.int64) - 1, strides)
        self._values = np.full(self._shape[0] * steps[0], NO_POSITION, dtype=np.int32)

    def table(self) -> Any:  # noqa: ANN401 - an int32 array
        """Return the values over the instance's box (int32), as a view with the axes in the instance's order."""
        width = self._values.itemsize
        laid: Any = np.ndarray(
            self._shape, np.int32, self._values, strides=tuple(width * step for step in self._steps)
        )
        return laid.transpose(np.argsort(self._order))

    def position(self, cell: int) -> Position:
        """Return the coordinates of the position in this cell."""
        digits = {}
        for place, step in zip(self._order, self._steps, strict=True):
            digits[place], cell = divmod(cell, step)
        return tuple(int(digits[place] + low) for place, low in enumerate(self._lows))

    def in_order_of_play(self) -> Any:  # noqa: ANN401 - an int64 array
        """Solve the positions in the order of play and return the status."""
        kernel, module = self._kernel, cast(Any, self._kernel.module)
        if self._instance.cells == 0:
            return self._status()
        cells = self._instance.cells // self._shape[0]  # for each value of the first coordinate of the order
        low = int(self._lows[self._order[0]])
        side = range(low, low + self._shape[0], max(1, _STEPS // cells))
        if hasattr(module, "solve"):
            return self._calls(kernel, module.solve, (), side)
        starts = np.full(self._instance.cells // self._shape[-1], 2**31, dtype=np.int64)
        stops = np.zeros_like(starts)
        numbers = [prod(self._shape[number + 1 : -1]) for number in range(len(self._shape))]
        rows = np.array(numbers, dtype=np.int64)[np.argsort(self._order)]
        self._call(module.extents, self._values, starts, stops, rows, kernel.environment, *self._box)
        return self._calls(kernel, module.solve_rows, (starts, stops, rows), side)

    def by_measure(self) -> Any:  # noqa: ANN401 - an int64 array
        """Solve the positions again, in the order of their measure, and return the status."""
        kernel = load_kernel(self._instance, self._written, by_measure=True)
        module = cast(Any, kernel.module)
        self._lay_out(tuple(prod(self._shape[number + 1 :]) for number in range(len(self._shape))))
        measure = np.zeros(self._instance.cells, dtype=np.int64)
        self._call(module.measures, self._values, measure, kernel.environment, *self._box)
        order = np.argsort(measure, kind="stable")
        return self._calls(kernel, module.solve_sorted, (order,), range(0, len(order), _STEPS))

    def _calls(self, kernel: CompiledKernel, solve: Any, arrays: tuple[Any, ...], side: range) -> Any:  # noqa: ANN401
        """Call ``solve`` for consecutive parts of ``side``, of ``side.step`` numbers each, and return the status.

        Between two calls an interruption by Ctrl-C takes effect.
        """
        status = self._status()
        given = (kernel.environment, *self._box, self.grundy, status)
        for begin in side:
            end = min(begin + side.step, side.stop)
            self._call(solve, self._values, *arrays, begin, end, *given, status=status)
            if status[1] != codegen.OK:
                break
        return status

    def _call(self, work: Any, *arguments: Any, status: Any = (0,)) -> Any:  # noqa: ANN401
        """Call a function of the kernel; if an expression has no value, raise the error that the definition raises."""
        try:
            return work(*arguments)
        except (ZeroDivisionError, ValueError):
            pass  # not raised from here, so that the error keeps its own cause
        raise _definition_error(self._instance, self.position(int(status[0])))

    def _status(self) -> Any:  # noqa: ANN401 - an int64 array
        return np.array([0, codegen.OK, _SEEN], dtype=np.int64)


def _fault_at(instance: Instance, position: Position) -> RulesetError | None:
    """Return the error that the definition raises at the position, or None if it raises none there."""
    rules = Rules(instance)
    try:
        if rules.legal(position):
            checked_options(rules, position)
    except RulesetError as error:
        return error
    except EvaluationError:
        pass  # the fault is in a range or in 'where'; measures_in_order reports it
    return None


def _definition_error(instance: Instance, stopped: Position) -> GrundylabError:
    """Return the error that the definition raises where the kernel stopped, or else at the first faulty position."""
    fault = _fault_at(instance, stopped)
    if fault is not None:
        return fault
    rules = Rules(instance)
    try:
        for position in measures_in_order(rules):
            checked_options(rules, position)
    except RulesetError as error:
        return error
    raise AssertionError(f"the kernel stopped at {stopped} for a reason that the definition does not see")
