"""Between which bounds an expression's value lies, given bounds on its names.

The bounds are safe, not tight: the value at any point where it is defined lies inside. They tell how large a
table must be and whether machine integers are wide enough before either is relied upon.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from grundylab.errors import EvaluationError, WorkError
from grundylab.formula import plain
from grundylab.formula.evaluation import RangeMeter
from grundylab.formula.functions import NO_FUNCTIONS, Declared, Function, Functions, Tabulated, unknown
from grundylab.formula.lowering import lower
from grundylab.formula.syntax import (
    Binary,
    Bounded,
    Call,
    Expr,
    If,
    Int,
    Kind,
    Name,
    Negate,
)

MAX_TABLE = 1_000_000  # arguments of a recurrence that are looked at one by one


@dataclass(frozen=True)
class Interval:
    """The integers low..high, both ends included; empty where high < low."""

    low: int
    high: int

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> int:
        """How many integers it holds."""
        return max(0, self.high - self.low + 1)

    @property
    def magnitude(self) -> int:
        """The greatest absolute value in it."""
        return max(abs(self.low), abs(self.high))

    def hull(self, other: Interval) -> Interval:
        """The least interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


Bounds = Mapping[str, Interval]


def interval(expr: Expr, bounds: Bounds, functions: Functions = NO_FUNCTIONS) -> Interval:
    """Bounds on a NUMBER; a CONDITION is 0..1. Raises EvaluationError where no bounds are known."""
    return _Bounder(functions).bound(lower(expr), bounds)


def tried(expr: Expr, bounds: Bounds, functions: Functions) -> int:
    """At most so many values the ranges of the expression that lie within one another have together."""
    if not isinstance(expr, Bounded):
        return max((tried(child, bounds, functions) for child in expr.children), default=1)
    low, high = interval(expr.start, bounds, functions).low, interval(expr.stop, bounds, functions).high
    ends = max(tried(expr.start, bounds, functions), tried(expr.stop, bounds, functions))
    if high <= low:
        return ends
    inner = {**bounds, expr.variable: Interval(low, high - 1)}
    return max(ends, (high - low) * tried(expr.body, inner, functions))


class _Bounder:
    def __init__(self, functions: Functions) -> None:
        self._functions = functions

    def bound(self, expr: Expr, bounds: Bounds) -> Interval:
        match expr:
            case Int(value=value):
                return Interval(value, value)
            case Name(id=name):
                return bounds[name]
            case Negate(operand=operand):
                inner = self.bound(operand, bounds)
                return Interval(-inner.high, -inner.low)
            case Binary(op=op, left=left, right=right):
                return _binary(op, self.bound(left, bounds), self.bound(right, bounds))
            case If(condition=condition, then=then, otherwise=otherwise):
                self.bound(condition, bounds)
                return self.bound(then, bounds).hull(self.bound(otherwise, bounds))
            case Call(name=name, arguments=arguments):
                return self._call(name, [self.bound(argument, bounds) for argument in arguments], bounds)
            case Bounded(quantifier, variable, start, stop, body):
                low, high = self.bound(start, bounds).low, self.bound(stop, bounds).high
                if high <= low:
                    return Interval(0, int(quantifier == "all"))
                inner = self.bound(body, {**bounds, variable: Interval(low, high - 1)})
                if quantifier != "sum":
                    return Interval(0, 1)
                count = min(high - low, plain.MAX_RANGE)
                return Interval(min(0, count * inner.low), max(0, count * inner.high))
            case _:
                for child in expr.children:
                    self.bound(child, bounds)
                assert expr.kind is Kind.CONDITION
                return Interval(0, 1)

    def _call(self, name: str, arguments: list[Interval], bounds: Bounds) -> Interval:
        first = arguments[0]
        match name:
            case "min":
                return Interval(min(a.low for a in arguments), min(a.high for a in arguments))
            case "max":
                return Interval(max(a.low for a in arguments), max(a.high for a in arguments))
            case "abs":
                least = 0 if 0 in first else min(abs(first.low), abs(first.high))
                return Interval(least, first.magnitude)
            case "is_power_of_two":
                return Interval(0, 1)
            case "floor_log2":
                return Interval(max(first.low, 1).bit_length() - 1, max(first.high, 1).bit_length() - 1)
            case "isqrt":
                return Interval(plain.square_root(max(first.low, 0)), plain.square_root(max(first.high, 0)))
        function = self._functions[name]
        if isinstance(function, Declared):
            raise unknown(function)
        if isinstance(function, Tabulated):
            taken = function.values[function.values != function.hole]
            return Interval(int(taken.min(initial=0)), int(taken.max(initial=0)))
        if function.recursive or function.initial:
            values = tabulate(function, first, bounds, self._functions).values()
            return Interval(min(values, default=0), max(values, default=0))
        inner = {key: bounds[key] for key in self._functions.parameters if key in bounds}
        inner.update(zip(function.arguments, arguments, strict=True))
        return self.bound(lower(function.body), inner)


def tabulate(
    function: Function, arguments: Interval, bounds: Bounds, functions: Functions
) -> Mapping[int, int]:
    """A recurrence's values at those of the arguments where it is defined; the parameters must be fixed."""
    if arguments.width > MAX_TABLE:
        raise EvaluationError(f"{function.name}() would be needed at {arguments.width:,} arguments")
    fixed = tuple((key, bounds[key]) for key in functions.parameters if key in bounds)
    if any(value.width != 1 for _, value in fixed):
        raise EvaluationError(f"{function.name}() is known only for fixed parameters")
    return tabulated(function, arguments, tuple((key, value.low) for key, value in fixed), functions)


@lru_cache(maxsize=4)  # all that solve one instance ask for the same few tables
def tabulated(
    function: Function, arguments: Interval, parameters: tuple[tuple[str, int], ...], functions: Functions
) -> Mapping[int, int]:
    """As ``tabulate``, for these values of the parameters: kept for those who ask again."""
    variable = function.arguments[0]
    value = plain.compile_plain(Call(function.name, (Name(variable),)), functions, RangeMeter(WorkError))
    table, known = {}, dict(parameters)
    for argument in range(arguments.low, arguments.high + 1):
        known[variable] = argument
        try:
            table[argument] = value(known)
        except EvaluationError:
            continue  # outside its domain; a formula that needs it there is an error where it is evaluated
    return MappingProxyType(table)


def _binary(op: str, a: Interval, b: Interval) -> Interval:
    match op:
        case "+":
            return Interval(a.low + b.low, a.high + b.high)
        case "-":
            return Interval(a.low - b.high, a.high - b.low)
        case "*":
            corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return Interval(min(corners), max(corners))
        case "//":
            if 0 < b.low <= b.high:  # of a range without numbers the ends may be any
                corners = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
                return Interval(min(corners), max(corners))
            return Interval(-a.magnitude - 1, a.magnitude)
        case "%":
            if b.low > 0:
                return a if a.low >= 0 and a.high < b.low else Interval(0, b.high - 1)
            return Interval(-b.magnitude, b.magnitude)
        case "<<":
            shift = min(max(b.high, 0), plain.MAX_SHIFT)
            return Interval(min(a.low, a.low << shift), max(a.high, a.high << shift))
        case ">>":
            return Interval(min(a.low, -1) if a.low < 0 else 0, max(a.high, 0))
        case _:
            bits = max(value.bit_length() for value in (a.low, a.high, b.low, b.high))
            if min(a.low, b.low) >= 0:
                high = min(a.high, b.high) if op == "&" else 2**bits - 1
                return Interval(0, high)
            return Interval(-(2**bits), 2**bits - 1)
