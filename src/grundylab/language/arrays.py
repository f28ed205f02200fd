"""The NumPy reader: evaluates an expression at many positions at once, with the values of the plain reader.

Machine integers never overflow: every intermediate array carries bounds on its values, and an operation whose result
could leave 64 bits is done on Python's integers instead. ``and``, ``or`` and ``if`` are lazy, as in the plain reader: a
division by zero matters only at positions where its value is needed. The mask of these positions is called ``live``;
at the others a result may be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import takewhile
from math import isqrt
from typing import Literal

import numpy as np

from grundylab.errors import EvaluationError, LimitError
from grundylab.language import plain, syntax
from grundylab.language.builtins import BUILTINS, checked_function
from grundylab.language.functions import (
    NO_FUNCTIONS,
    Declared,
    Function,
    Functions,
    Tabulated,
    undefined_function_error,
)
from grundylab.language.integer_arrays import (
    Integers,
    Mask,
    apply_by_value,
    binary,
    combine,
    compare_arrays,
    constant_array,
    equal_row_groups,
    in_64_bits,
    integers,
    same_type,
    spread_groups,
)
from grundylab.language.intervals import MAX_TABLE, Interval, recurrence_values
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr, Kind, called_functions, free_names
from grundylab.numeric import Array

ColumnValues = Mapping[str, Array | int]

_ONCE = np.ones((), dtype=np.int64)
_CALL = 4_000  # elements that NumPy processes in the time that one call takes
_BLOCK = 32_000  # the most elements of a range that are evaluated at once
_SHARED = 64  # fewer values of a recurrence are not worth a shared table
MAX_WORK = 20_000_000_000  # array elements that one evaluation may compute in ranges: half a minute


def evaluate_arrays(expr: Expr, columns: ColumnValues, functions: Functions = NO_FUNCTIONS) -> Array:
    """Return the expression's value at each position (bool for a condition, else int64, or object beyond 64 bits).

    columns: an integer array or a single integer for each free name; their shapes broadcast together, and the result
    has their common shape. Raises EvaluationError if the expression has no value at one of the positions.
    """
    shape = np.broadcast_shapes(*(np.shape(column) for column in columns.values()))
    names = {name: integers(_scalar_if_single(np.asarray(column))) for name, column in columns.items()}
    live = np.ones(shape, dtype=bool)
    array = _Reader(shape, functions).read(lower(expr), names, live).array
    if array.dtype == object:
        array = in_64_bits(array)
    return np.broadcast_to(array, shape)


def _scalar_if_single(column: Array) -> Array:
    """Return an array of one element without its dimensions, and any other array unchanged."""
    return column.reshape(()) if column.size == 1 else column


@dataclass(frozen=True)
class _Memo:
    """The memory of one evaluation: the values of recurrences computed so far, and the budget of work that is left.

    recurrences: by the function's name, its evaluator, and a mapping from (argument, *parameters) to the known values.
    """

    recurrences: dict[str, tuple[plain.Evaluator, dict[tuple[int, ...], int]]] = field(default_factory=dict)
    work: plain.Meter = field(default_factory=lambda: plain.Meter(MAX_WORK, LimitError))


class _Reader:
    def __init__(
        self,
        shape: tuple[int, ...],
        functions: Functions,
        memo: _Memo | None = None,
        around: Array = _ONCE,
    ) -> None:
        """Set up a reader for positions of this shape.

        memo: the memory of the evaluation that this reader continues; by default a new one. around: for each position,
        how many combinations of values the enclosing ranges have.
        """
        self._shape = shape
        self._functions = functions
        self._memo = memo or _Memo()
        self._around = around

    def read(self, expr: Expr, names: Mapping[str, Integers], live: Mask) -> Integers:
        match expr:
            case syntax.Int(value=value):
                return constant_array(value)
            case syntax.Bool(value=truth):
                return _truth(np.full(self._shape, truth))
            case syntax.Name(id=name):
                return names[name]
            case syntax.Negate(operand=operand):
                return binary("-", constant_array(0), self.read(operand, names, live))
            case syntax.Not(operand=operand):
                return _truth(~self.read(operand, names, live).array)
            case syntax.Binary(op=op, left=left, right=right):
                return self._binary(op, self.read(left, names, live), self.read(right, names, live), live)
            case syntax.Compare(ops=(op,), terms=(left, right)):
                return _truth(compare_arrays(op, self.read(left, names, live), self.read(right, names, live)))
            case syntax.Logic(op=op, terms=terms):
                needed = live
                for term in terms:
                    holds = self.read(term, names, needed).array
                    needed = needed & (holds if op == "and" else ~holds)
                # after the last term, needed is where all terms were true (and) or all were false (or)
                return _truth(needed if op == "and" else live & ~needed)
            case syntax.If(condition=condition, then=then, otherwise=otherwise):
                test = self.read(condition, names, live).array
                if not np.any(live & test):
                    return self.read(otherwise, names, live)
                if not np.any(live & ~test):
                    return self.read(then, names, live)
                a = self.read(then, names, live & test)
                b = self.read(otherwise, names, live & ~test)
                # both int64, or both object
                return Integers(np.where(test, *same_type(a, b)), a.bounds.hull(b.bounds))
            case syntax.Call(name=name, arguments=arguments):
                called = self._call(name, [self.read(part, names, live) for part in arguments], names, live)
                if expr.kind is not Kind.CONDITION:
                    return called
                return _truth(np.broadcast_to(called.array.astype(bool), self._shape))
            case syntax.Accepts(automaton=automaton, arguments=arguments):
                columns = [self.read(argument, names, live).array for argument in arguments]
                return _truth(
                    automaton.contains_each([np.broadcast_to(column, self._shape) for column in columns])
                )
            case syntax.Bounded():
                return self._bounded(expr, names, live)
        raise TypeError(f"not an expression: {expr!r}")

    def _binary(self, op: str, a: Integers, b: Integers, live: Mask) -> Integers:
        row = OPERATORS[op]
        if row.domain is not None and not row.domain.covers(b.bounds.low, b.bounds.high):
            bad = ~np.asarray(row.domain.contains(b.array), dtype=bool)
            b = self._safe(b, bad, row.domain.instead, live, a, row.value)
        if op in ("<<", ">>") and b.bounds.high > 63:  # a 64-bit machine shifts by at most 63
            narrow = op == ">>" and a.array.dtype != object
            b = integers(np.minimum(b.array, 63) if narrow else b.array)
        result = binary(op, a, b)
        if result.array.dtype == object:
            words = result.bounds.magnitude.bit_length() // 64
            self._memo.work.spend(result.array.size * words * isqrt(words))  # about the cost of a product
        return result

    def _safe(
        self,
        b: Integers,
        bad: Array,
        instead: int,
        live: Mask,
        a: Integers | None,
        function: Callable[..., int],
    ) -> Integers:
        """Return the operand b with the value ``instead`` at the positions in the mask ``bad``.

        There the operation is undefined. If its result is needed at one of them, ``function``, the plain reader's
        operation, is called with the operands at that position and raises the error. a: the left operand, if any.
        """
        bad = np.broadcast_to(bad, self._shape) if np.ndim(bad) else bad
        if not np.any(bad):
            return b
        wrong = np.broadcast_to(bad & live, self._shape)
        if np.any(wrong):
            at = np.unravel_index(int(np.argmax(wrong)), self._shape)
            arguments = [x for x in (a, b) if x is not None]
            function(*[int(np.broadcast_to(x.array, self._shape)[at]) for x in arguments])
        return integers(np.where(bad, instead, b.array))

    def _call(
        self, name: str, arguments: list[Integers], names: Mapping[str, Integers], live: Mask
    ) -> Integers:
        if name in BUILTINS:
            return self._built_in(name, arguments, live)
        function = self._functions[name]
        if isinstance(function, Declared):
            raise undefined_function_error(function)
        if isinstance(function, Tabulated):
            columns = tuple(np.broadcast_to(argument.array, self._shape)[live] for argument in arguments)
            values = function.at_once(columns)
            if values is None:
                # a value is missing: the call for its arguments raises the plain reader's error
                rows = zip(*(column.tolist() for column in columns), strict=True)
                values = np.array([function(*row) for row in rows], dtype=np.int64)
            if np.size(values) == live.size:
                return integers(values.reshape(self._shape))
            result = np.zeros(self._shape, dtype=np.int64)
            result[live] = values
            return integers(result)
        inner = {key: names[key] for key in self._functions.parameters if key in names}
        if function.recurrence:
            return self._recurrence_values(name, arguments[0], inner, live)
        inner.update(zip(function.arguments, arguments, strict=True))
        return self.read(lower(function.body), inner, live)

    def _built_in(self, name: str, arguments: list[Integers], live: Mask) -> Integers:
        row, least, most = BUILTINS[name], BUILTINS[name].least, BUILTINS[name].most
        check = checked_function(name)
        if least is not None:
            arguments = [self._safe(a, a.array < least, least, live, None, check) for a in arguments]
        if most is not None:
            arguments = [self._safe(a, a.array > most, most, live, None, check) for a in arguments]
        array, first = row.array, arguments[0]
        if array is None:
            return integers(apply_by_value(row.value, first.array))

        def between(*given: Integers) -> Interval:
            return Interval(
                *row.between([one.bounds.low for one in given], [one.bounds.high for one in given])
            )

        if row.single:
            return combine(lambda a, _: array(a), first, first, between(first))
        return reduce(lambda a, b: combine(array, a, b, between(a, b)), arguments)

    def _recurrence_values(
        self, name: str, argument: Integers, inner: Mapping[str, Integers], live: Mask
    ) -> Integers:
        """Evaluate a recurrence once for each distinct combination of argument and parameters that is needed.

        The values at consecutive arguments, neither few nor many, are taken from a table that evaluations share.
        """
        function = self._functions[name]
        assert isinstance(function, Function)
        variable = function.arguments[0]
        keys = [variable, *inner]
        columns = [np.broadcast_to(x.array, self._shape)[live] for x in (argument, *inner.values())]
        if name not in self._memo.recurrences:
            call = syntax.Call(name, (syntax.Name(variable),))
            self._memo.recurrences[name] = plain.compile_plain(call, self._functions), {}
        value, values = self._memo.recurrences[name]
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        wanted = [row for row in dict.fromkeys(rows) if row not in values]
        if _SHARED <= len(wanted) <= MAX_TABLE and len({row[1:] for row in wanted}) == 1:
            given, run = wanted[0][1:], Interval(min(wanted)[0], max(wanted)[0])
            if run.width == len(wanted):
                bounds = {key: Interval(fixed, fixed) for key, fixed in zip(inner, given, strict=True)}
                table = recurrence_values(function, run, bounds, self._functions)
                values.update({(n, *given): number for n, number in table.items()})
        for row in wanted:
            if row not in values:
                values[row] = value(dict(zip(keys, row, strict=True)))
        result = np.zeros(self._shape, dtype=object)
        result[live] = [values[row] for row in rows]
        return integers(in_64_bits(result))

    def _bounded(self, expr: syntax.Bounded, names: Mapping[str, Integers], live: Mask) -> Integers:
        """Evaluate a quantifier or sum, once for all positions that agree in every name on which it depends."""
        needed = free_names(expr) | (set(self._functions.parameters) if called_functions(expr) else set())
        varying = {name: value for name, value in names.items() if value.array.size > 1}
        shared = {name: value for name, value in varying.items() if name in needed}
        columns = [np.broadcast_to(value.array, self._shape)[live] for value in shared.values()]
        alike = equal_row_groups(columns) if 0 < len(columns) < len(varying) else None
        if alike is None:
            return (
                self._total(expr, names, live)
                if expr.quantifier in syntax.TOTALS
                else _truth(self._quantified(expr, names, live))
            )
        first, place = alike
        inner = {n: replace(v, array=_scalar_if_single(v.array)) for n, v in names.items() if n in needed}
        for (name, value), column in zip(shared.items(), columns, strict=True):
            inner[name] = replace(value, array=column[first])
        around = self._around
        if around.ndim:  # the largest value in each group
            around = np.ones(first.shape, dtype=np.int64)
            np.maximum.at(around, place, np.broadcast_to(self._around, self._shape)[live])
        reader = _Reader(first.shape, self._functions, self._memo, around)
        result = reader.read(expr, inner, np.ones(first.shape, dtype=bool))
        return Integers(spread_groups(result.array, place, live), result.bounds.hull(Interval(0, 0)))

    def _counts(
        self, expr: syntax.Bounded, names: Mapping[str, Integers], live: Mask
    ) -> tuple[Integers, Array]:
        """Return the bound variable's first value at each position, and the number of its values there.

        The number is 0 where no value is needed. Raises LimitError if a range is too long.
        """
        start, stop = self.read(expr.start, names, live), self.read(expr.stop, names, live)
        count = np.where(live, np.broadcast_to(binary("-", stop, start).array, self._shape), 0)
        plain.checked_range(expr.variable, 0, int(np.max(count, initial=0)))
        count = np.maximum(count, 0).astype(np.int64)
        if self._around.ndim or self._around > 1:  # enclosing ranges
            worst = np.unravel_index(int(np.argmax(count * self._around)), self._shape)
            around = int(np.broadcast_to(self._around, self._shape)[worst])
            plain.checked_range(expr.variable, 0, int(count[worst]), around)
        return start, count

    def _quantified(self, expr: syntax.Bounded, names: Mapping[str, Integers], live: Mask) -> Mask:
        looking = np.array(live)  # the positions not decided yet; a contiguous copy, changed through a view
        start, count = self._counts(expr, names, live)
        before, expr = self._split_condition(expr)
        if before is not None:  # where this part decides, no value of the variable is tried
            around = np.broadcast_to(self._around * np.maximum(count, 1), self._shape)
            within = _Reader(self._shape, self._functions, self._memo, around)
            holds = within.read(before, names, live & (count > 0)).array
            count = np.where(holds if expr.quantifier == "any" else ~holds, count, 0)
        most, first, width = int(np.max(count, initial=0)), 0, 1
        careful = False
        while first < most:
            rows = np.flatnonzero(looking & (first < count))
            if not rows.size:
                break
            width = 1 if careful else min(2 * width, most - first, max(1, _BLOCK // rows.size))
            try:
                truth, here = self._some_values(rows, expr, names, start, count, range(first, first + width))
            except EvaluationError:
                # perhaps only at a value after the deciding one, where none is needed: go on value by value
                if width == 1:
                    raise
                careful = True
                continue
            decided = (here & (truth if expr.quantifier == "any" else ~truth)).any(axis=0)
            looking.reshape(-1)[rows[decided]] = False
            first += width
        return live & ~looking if expr.quantifier == "any" else looking

    def _split_condition(self, expr: syntax.Bounded) -> tuple[Expr | None, syntax.Bounded]:
        """Split off the leading part of the body that does not depend on the variable.

        Returns this part, or None if there is none, and the expression without it. In ``all(n < 3 or f(k) < n for k in
        ...)`` the part is ``n < 3``: where it is true, no k is tried.
        """
        op: Literal["and", "or"] = "and" if expr.quantifier == "any" else "or"
        terms = _operands_in_order(expr.body, op)
        alone = list(takewhile(lambda term: expr.variable not in free_names(term), terms[:-1]))
        if not alone or expr.variable in self._functions.parameters:
            return None, expr
        first, rest = (
            several[0] if len(several) == 1 else syntax.Logic(op, tuple(several))
            for several in (alone, terms[len(alone) :])
        )
        return first, replace(expr, body=rest)

    def _some_values(
        self,
        rows: Array,
        expr: syntax.Bounded,
        names: Mapping[str, Integers],
        start: Integers,
        count: Array,
        numbers: range,
    ) -> tuple[Array, Mask]:
        """Evaluate the body at some positions, for some values of the variable.

        rows: the flat indices of the positions. numbers: the variable takes the values start + n for these n. Return
        the body's values, and a mask that is true where start + n is in the range. Both have a row for each n and a
        column for each position. A search passes only the positions that it has not decided yet.
        """
        shape = (len(numbers), rows.size)
        self._memo.work.spend((rows.size * len(numbers) + _CALL) * expr.body.size)
        few = {**names, expr.variable: start}
        for name, value in few.items():
            if value.array.ndim:  # a single value stays single
                few[name] = replace(value, array=np.broadcast_to(value.array, self._shape).reshape(-1)[rows])
        few[expr.variable] = binary("+", few[expr.variable], integers(np.asarray(numbers)[:, None]))
        counts = np.broadcast_to(count, self._shape).reshape(-1)[rows]
        around = np.broadcast_to(self._around, self._shape).reshape(-1)[rows] * np.maximum(counts, 1)
        here = np.asarray(numbers)[:, None] < counts
        inner = _Reader(shape, self._functions, self._memo, np.broadcast_to(around, shape))
        return np.broadcast_to(inner.read(expr.body, few, here).array, shape), here

    def _total(self, expr: syntax.Bounded, names: Mapping[str, Integers], live: Mask) -> Integers:
        total, op = constant_array(0), syntax.TOTALS[expr.quantifier]
        add = np.add if op == "+" else np.bitwise_xor
        start, count = self._counts(expr, names, live)
        rows = np.flatnonzero(count)
        most, width = int(np.max(count, initial=0)), max(1, _BLOCK // max(rows.size, 1))
        for first in range(0, most, width):
            numbers = range(first, min(first + width, most))
            term, here = self._some_values(rows, expr, names, start, count, numbers)
            masked = integers(np.where(here, term, 0 * term))
            fits = len(numbers) * masked.bounds.magnitude < 2**63
            added = integers(np.asarray(add.reduce(masked.array, axis=0, dtype=None if fits else object)))
            total = binary(op, total, added)
        whole = spread_groups(total.array, np.arange(rows.size), count > 0)
        return Integers(whole, total.bounds.hull(Interval(0, 0)))


def _operands_in_order(expr: Expr, op: str) -> list[Expr]:
    """Return the operands of nested connectives ``op``, which is ``and`` or ``or``, in order of evaluation.

    With the op ``and``, ``not (a or b)`` has the operands ``not a`` and ``not b``, and vice versa. Any other expression
    is its only operand.
    """
    match expr:
        case syntax.Logic(op=joining, terms=terms) if joining == op:
            return [one for term in terms for one in _operands_in_order(term, op)]
        case syntax.Not(operand=syntax.Logic(op=joining, terms=terms)) if joining != op:
            return [one for term in terms for one in _operands_in_order(syntax.Not(term), op)]
        case syntax.Not(operand=syntax.Not(operand=inner)):
            return _operands_in_order(inner, op)
    return [expr]


def _truth(mask: Mask) -> Integers:
    return Integers(mask, Interval(0, 1))
