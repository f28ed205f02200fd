"""The NumPy reader: the value of an expression at many positions at once, equal to the plain reader's.

Machine integers never overflow: every intermediate array carries bounds on its values, and where the next
operation could leave 64 bits it is done on Python's integers instead. ``and``, ``or`` and ``if`` are lazy, as
in the plain reader: a division by zero counts only at positions where its value is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from grundylab.formula import plain
from grundylab.formula.distinct import Known, along_a_run, by_values, sorts_of, spread
from grundylab.formula.functions import NO_FUNCTIONS, Declared, Functions, Tabulated, unknown
from grundylab.formula.lowering import lower
from grundylab.formula.syntax import (
    Accepts,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Logic,
    Name,
    Negate,
    Not,
    called,
    free_names,
)

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]
Columns = Mapping[str, Array | int]

_LOW, _HIGH = -(2**63), 2**63 - 1
_ONCE = np.ones((), dtype=np.int64)
_CALL = 4_000  # elements that an operation of NumPy goes through in the time that it takes to call it


def evaluate_arrays(expr: Expr, columns: Columns, functions: Functions = NO_FUNCTIONS) -> Array:
    """The values (bool for a condition, else int64, or object where 64 bits are too few).

    columns: integer arrays of shapes that broadcast together, or single integers. The result has their common
    shape. Raises EvaluationError where the plain reader would at any of the positions.
    """
    shape = np.broadcast_shapes(*(np.shape(column) for column in columns.values()))
    names = {name: _number(np.asarray(column)) for name, column in columns.items()}
    live = np.ones(shape, dtype=bool)
    value = _Reader(shape, functions).read(lower(expr), names, live)
    array = value.array if isinstance(value, _Number) else value
    if array.dtype == object:
        array = _narrowed(array)
    return np.broadcast_to(array, shape)


@dataclass(frozen=True)
class _Number:
    """Integers (int64 or object) that all lie in low..high."""

    array: Array
    low: int
    high: int

    def __post_init__(self) -> None:
        if not isinstance(self.array, np.ndarray):  # NumPy makes scalars of 0-d results
            object.__setattr__(self, "array", np.asarray(self.array))


def _number(array: Array) -> _Number:
    if array.dtype.kind not in "biuO":
        raise TypeError(f"columns hold integers, not {array.dtype}")
    if array.dtype == np.uint64:
        array = _narrowed(array.astype(object))
    if array.dtype != object:
        array = array.astype(np.int64, copy=False)
    if array.size == 0:
        return _Number(array, 0, 0)
    return _Number(array, int(array.min()), int(array.max()))


def _narrowed(array: Array) -> Array:
    if array.size and not _fits(array.min(), array.max()):
        return array
    return array.astype(np.int64)


def _fits(low: int, high: int) -> bool:
    return low >= _LOW and high <= _HIGH


def _constant(value: int) -> _Number:
    return _Number(np.asarray(value, dtype=np.int64 if _fits(value, value) else object), value, value)


class _Reader:
    def __init__(
        self,
        shape: tuple[int, ...],
        functions: Functions,
        known: Known | None = None,
        around: Array = _ONCE,
    ) -> None:
        """around: how many values the ranges have together in which this is evaluated, at each position."""
        self._shape = shape
        self._functions = functions
        self._known = known or Known()
        self._around = around

    def read(self, expr: Expr, names: Mapping[str, _Number], live: Mask) -> _Number | Mask:
        match expr:
            case Bool() | Compare() | Not() | Logic():
                return self.condition(expr, names, live)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self.condition(condition, names, live)
                if not np.any(live & test):
                    return self.read(otherwise, names, live)
                if not np.any(live & ~test):
                    return self.read(then, names, live)
                a = self.read(then, names, live & test)
                b = self.read(otherwise, names, live & ~test)
                if isinstance(a, _Number) and isinstance(b, _Number):
                    # object where one branch is: np.where would make floats of mixed kinds
                    left, right = _same_type(a, b)
                    return _Number(np.where(test, left, right), min(a.low, b.low), max(a.high, b.high))
                return np.where(test, _mask(a), _mask(b))
            case Call(name="is_power_of_two", arguments=(argument,)):
                n = self.number(argument, names, live).array
                positive = np.maximum(n, 1)
                return np.broadcast_to(
                    np.asarray((n > 0) & (positive & (positive - 1) == 0), bool), self._shape
                )
            case Accepts(automaton=automaton, arguments=arguments):
                numbers = [self.number(argument, names, live).array for argument in arguments]
                return automaton.contains_each([np.broadcast_to(column, self._shape) for column in numbers])
            case Bounded(quantifier="any" | "all"):
                return _mask(self._once(expr, names, live))
            case _:
                return self.number(expr, names, live)

    def condition(self, expr: Expr, names: Mapping[str, _Number], live: Mask) -> Mask:
        match expr:
            case Bool(value=truth):
                return np.full(self._shape, truth)
            case Not(operand=operand):
                return ~self.condition(operand, names, live)
            case Compare():
                left, needed = self.number(expr.terms[0], names, live), live
                for op, term in zip(expr.ops, expr.terms[1:], strict=True):
                    right = self.number(term, names, needed)
                    needed, left = needed & _compare(op, left, right), right
                return needed
            case Logic(op=op, terms=terms):
                needed = live
                for term in terms:
                    holds = self.condition(term, names, needed)
                    needed = needed & (holds if op == "and" else ~holds)
                # what is still needed after the last term is where all were true (and) or false (or)
                return needed if op == "and" else live & ~needed
            case _:
                return _mask(self.read(expr, names, live))

    def number(self, expr: Expr, names: Mapping[str, _Number], live: Mask) -> _Number:
        match expr:
            case Int(value=value):
                return _constant(value)
            case Name(id=name):
                return names[name]
            case Negate(operand=operand):
                return _subtract(_constant(0), self.number(operand, names, live))
            case Binary(op=op, left=left, right=right):
                return self._binary(op, self.number(left, names, live), self.number(right, names, live), live)
            case Call(name=name, arguments=arguments):
                return self._call(name, [self.number(part, names, live) for part in arguments], names, live)
            case Bounded():
                found = self._once(expr, names, live)
                assert isinstance(found, _Number)
                return found
            case _:
                found = self.read(expr, names, live)
                assert isinstance(found, _Number)
                return found

    def _binary(self, op: str, a: _Number, b: _Number, live: Mask) -> _Number:
        match op:
            case "+":
                return _combine(np.add, a, b, a.low + b.low, a.high + b.high)
            case "-":
                return _subtract(a, b)
            case "*":
                corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return _combine(np.multiply, a, b, min(corners), max(corners))
            case "//" | "%":
                b = self._safe(b, b.array == 0, 1, live, a, plain.divide if op == "//" else plain.modulo)
                if op == "//":
                    most = max(abs(a.low), abs(a.high))
                    return _combine(np.floor_divide, a, b, -most - 1, most)
                most = max(abs(b.low), abs(b.high))
                return _combine(np.remainder, a, b, -most, most)
            case "<<" | ">>":
                bad = (b.array < 0) | (b.array > plain.MAX_SHIFT)
                function = plain.shift_left if op == "<<" else plain.shift_right
                b = self._safe(b, bad, 0, live, a, function)
                if op == "<<":
                    high = max(b.high, 0) if b.high < 64 else int(np.max(b.array, initial=0))
                    return _combine(
                        np.left_shift, a, b, min(a.low, a.low << high), max(a.high, a.high << high)
                    )
                if a.array.dtype != object:  # a 64-bit machine shifts by at most 63
                    b = _Number(np.minimum(b.array, 63), min(b.low, 63), min(b.high, 63))
                return _combine(np.right_shift, a, b, min(a.low, -1), max(a.high, 0))
            case _:
                bitwise = {"&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor}[op]
                bits = max(value.bit_length() for value in (a.low, a.high, b.low, b.high))
                low = -(2**bits) if min(a.low, b.low) < 0 else 0
                return _combine(bitwise, a, b, low, 2**bits - 1)

    def _safe(
        self,
        b: _Number,
        bad: Array,
        instead: int,
        live: Mask,
        a: _Number | None,
        function: Callable[..., int],
    ) -> _Number:
        """b with a harmless value where it is bad; raises what the plain reader would if one is needed."""
        bad = np.broadcast_to(bad, self._shape) if np.ndim(bad) else bad
        if not np.any(bad):
            return b
        wrong = np.broadcast_to(bad & live, self._shape)
        if np.any(wrong):
            at = np.unravel_index(int(np.argmax(wrong)), self._shape)
            arguments = [x for x in (a, b) if x is not None]
            function(*[int(np.broadcast_to(x.array, self._shape)[at]) for x in arguments])
        return _number(np.where(bad, instead, b.array))

    def _call(self, name: str, arguments: list[_Number], names: Mapping[str, _Number], live: Mask) -> _Number:
        if name in ("min", "max"):
            pick, bound = (np.minimum, min) if name == "min" else (np.maximum, max)
            return reduce(
                lambda a, b: _combine(pick, a, b, bound(a.low, b.low), bound(a.high, b.high)), arguments
            )
        first = arguments[0]
        if name == "abs":
            negative = _subtract(_constant(0), first)
            return _combine(np.maximum, first, negative, 0, max(abs(first.low), abs(first.high)))
        if name in ("floor_log2", "isqrt"):
            root_or_log = plain.floor_log2 if name == "floor_log2" else plain.square_root
            least = 1 if name == "floor_log2" else 0
            n = self._safe(first, first.array < least, least, live, None, root_or_log)
            return _number(_narrowed(by_values(root_or_log, n.array)))
        function = self._functions[name]
        if isinstance(function, Declared):
            raise unknown(function)
        if isinstance(function, Tabulated):
            return self._looked_up(function, arguments, live)
        inner = {key: names[key] for key in self._functions.parameters if key in names}
        if function.recursive or function.initial:
            return self._tabulated(name, arguments[0], inner, live)
        inner.update(zip(function.arguments, arguments, strict=True))
        if name not in self._known.bodies:
            self._known.bodies[name] = lower(function.body)
        return self.number(self._known.bodies[name], inner, live)

    def _looked_up(self, function: Tabulated, arguments: list[_Number], live: Mask) -> _Number:
        """The table's values where they are needed."""
        columns = tuple(np.broadcast_to(argument.array, self._shape)[live] for argument in arguments)
        found = function.at_once(columns)
        if found is None:  # where it has none, this raises what the plain reader does
            rows = zip(*(column.tolist() for column in columns), strict=True)
            found = np.array([function(*row) for row in rows], dtype=np.int64)
        result = np.zeros(self._shape, dtype=np.int64)
        result[live] = found
        return _number(result)

    def _tabulated(self, name: str, argument: _Number, inner: Mapping[str, _Number], live: Mask) -> _Number:
        """A recurrence, evaluated once for each distinct argument (and parameters) that is needed."""
        variable = self._functions[name].arguments[0]
        keys = [variable, *inner]
        columns = [np.broadcast_to(x.array, self._shape)[live] for x in (argument, *inner.values())]
        if name not in self._known.recurrences:
            call = Call(name, (Name(variable),))
            self._known.recurrences[name] = plain.compile_plain(call, self._functions), {}
        value, known = self._known.recurrences[name]
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        wanted = [row for row in dict.fromkeys(rows) if row not in known]
        known.update(along_a_run(name, tuple(inner), wanted, self._functions))
        for row in wanted:
            if row not in known:
                known[row] = value(dict(zip(keys, row, strict=True)))
        result = np.zeros(self._shape, dtype=object)
        result[live] = [known[row] for row in rows]
        return _number(_narrowed(result))

    def _once(self, expr: Bounded, names: Mapping[str, _Number], live: Mask) -> _Number | Mask:
        """What is bounded, evaluated once for all positions that differ in nothing it depends on."""
        needed = free_names(expr) | (set(self._functions.parameters) if called(expr) else set())
        varying = {name: value for name, value in names.items() if value.array.size > 1}
        known = {name: value for name, value in varying.items() if name in needed}
        columns = [np.broadcast_to(value.array, self._shape)[live] for value in known.values()]
        alike = sorts_of(columns) if 0 < len(columns) < len(varying) else None
        if alike is None:
            return (
                self._sum(expr, names, live)
                if expr.quantifier == "sum"
                else self._quantified(expr, names, live)
            )
        first, place = alike
        there = {name: value for name, value in names.items() if name in needed}
        for (name, value), column in zip(known.items(), columns, strict=True):
            there[name] = replace(value, array=column[first])
        reader = _Reader(first.shape, self._functions, self._known, self._most_around(first, place, live))
        found = reader.read(expr, there, np.ones(first.shape, dtype=bool))
        if isinstance(found, _Number):
            return _Number(spread(found.array, place, live), min(found.low, 0), max(found.high, 0))
        return spread(found, place, live)

    def _most_around(self, first: Array, place: Array, live: Mask) -> Array:
        """``around`` for the sorts of positions, each the most of its own."""
        if not self._around.ndim:
            return self._around
        most = np.ones(first.shape, dtype=np.int64)
        np.maximum.at(most, place, np.broadcast_to(self._around, self._shape)[live])
        return most

    def _counts(self, expr: Bounded, names: Mapping[str, _Number], live: Mask) -> tuple[_Number, Array]:
        """Where the bound variable begins at each position, and how many values it has there."""
        start, stop = self.number(expr.start, names, live), self.number(expr.stop, names, live)
        count = np.where(live, np.broadcast_to(_subtract(stop, start).array, self._shape), 0)
        plain.check_span(expr.variable, 0, int(np.max(count, initial=0)))
        count = np.maximum(count, 0).astype(np.int64)
        if self._around.ndim or self._around > 1:  # the ranges around it
            worst = np.unravel_index(int(np.argmax(count * self._around)), self._shape)
            around = int(np.broadcast_to(self._around, self._shape)[worst])
            plain.check_span(expr.variable, 0, int(count[worst]), around)
        return start, count

    def _span(
        self, expr: Bounded, start: _Number, count: Array, live: Mask
    ) -> Iterator[tuple[_Number, Mask]]:
        """The first, second, … value of the bound variable at each position, and which live ones have it."""
        for number in range(int(np.max(count, initial=0))):
            value = _combine(np.add, start, _constant(number), start.low + number, start.high + number)
            yield value, live & (number < count)

    def _quantified(self, expr: Bounded, names: Mapping[str, _Number], live: Mask) -> Mask:
        looking = np.array(live)  # a copy, in one piece: positions that no value has decided yet
        start, count = self._counts(expr, names, live)
        around = np.broadcast_to(self._around * np.maximum(count, 1), self._shape).reshape(-1)
        for value, has_it in self._span(expr, start, count, live):
            here = looking & has_it
            if not looking.any():
                break
            rows = np.flatnonzero(here)
            if rows.size:
                truth = self._at(rows, expr.body, {**names, expr.variable: value}, around[rows])
                decided = truth if expr.quantifier == "any" else ~truth
                looking.reshape(-1)[rows[decided]] = False
        return live & ~looking if expr.quantifier == "any" else looking

    def _at(self, rows: Array, expr: Expr, names: Mapping[str, _Number], around: Array) -> Mask:
        """A condition at some positions only (by number), so that a long search costs no more than those still open."""
        self._known.work.spend((rows.size + _CALL) * expr.size)
        few = {
            name: value
            if value.array.ndim == 0
            else _Number(np.broadcast_to(value.array, self._shape).reshape(-1)[rows], value.low, value.high)
            for name, value in names.items()
        }
        inner = _Reader(rows.shape, self._functions, self._known, around)
        return inner.condition(expr, few, np.ones(rows.shape, dtype=bool))

    def _sum(self, expr: Bounded, names: Mapping[str, _Number], live: Mask) -> _Number:
        total = _constant(0)
        start, count = self._counts(expr, names, live)
        around = self._around * np.maximum(count, 1)
        inner = _Reader(self._shape, self._functions, self._known, around)
        for value, here in self._span(expr, start, count, live):
            self._known.work.spend((live.size + _CALL) * expr.body.size)
            term = inner.number(expr.body, {**names, expr.variable: value}, here)
            masked = _number(np.where(here, term.array, 0 * term.array))
            total = _combine(np.add, total, masked, total.low + masked.low, total.high + masked.high)
        return total


def _subtract(a: _Number, b: _Number) -> _Number:
    return _combine(np.subtract, a, b, a.low - b.high, a.high - b.low)


def _combine(
    operation: Callable[[Array, Array], Array], a: _Number, b: _Number, low: int, high: int
) -> _Number:
    """operation(a, b), of which the result is known to lie in low..high."""
    if _fits(low, high):
        if a.array.dtype == object or b.array.dtype == object:
            a, b = _number(_narrowed(a.array)), _number(_narrowed(b.array))
        if a.array.dtype != object and b.array.dtype != object:
            # of two arrays without dimensions NumPy makes a bare scalar, whose later sums would wrap
            return _Number(np.asarray(operation(a.array, b.array)), low, high)
    return _number(np.asarray(operation(a.array.astype(object), b.array.astype(object)), dtype=object))


def _same_type(a: _Number, b: _Number) -> tuple[Array, Array]:
    if a.array.dtype == b.array.dtype:
        return a.array, b.array
    return a.array.astype(object), b.array.astype(object)


def _compare(op: str, a: _Number, b: _Number) -> Mask:
    tests: dict[str, Callable[[Array, Array], Any]] = {
        "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
        ">": np.greater, ">=": np.greater_equal,
    }  # fmt: skip
    return np.asarray(tests[op](*_same_type(a, b)), dtype=bool)


def _mask(value: _Number | Mask) -> Mask:
    assert not isinstance(value, _Number)
    return value
