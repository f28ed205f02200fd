"""Interval arithmetic: bounds on an expression's value, given bounds on its names.

The bounds are safe, not tight: wherever the expression has a value, the value lies within them. They tell in advance
how large a table must be, whether machine integers are wide enough, and whether there is always a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from grundylab.errors import EvaluationError, WorkError
from grundylab.language import plain, syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import (
    NO_FUNCTIONS,
    Declared,
    Function,
    Functions,
    Tabulated,
    undefined_function_error,
)
from grundylab.language.infinity import INFINITY
from grundylab.language.names import with_plain_names
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import RangeMeter
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr, Kind, free_names

_MAX_PRINTED = 10**18  # larger counts are not printed
MAX_TABLE = 1_000_000  # the most arguments of a recurrence in one table
# Values of this magnitude or more are too large for the machine; sums and differences of two smaller ones fit.
MACHINE_LIMIT = 2**61


@dataclass(frozen=True)
class Interval:
    """The integers from low to high, both included; empty if high < low. An end may be infinite."""

    low: int
    high: int

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> int:
        """The number of integers in the interval."""
        return max(0, self.high - self.low + 1)

    @property
    def magnitude(self) -> int:
        """The greatest absolute value of the two ends."""
        return max(abs(self.low), abs(self.high))

    def hull(self, other: Interval) -> Interval:
        """Return the smallest interval that contains both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


Bounds = Mapping[str, Interval]
NATURAL, ANY = Interval(0, INFINITY), Interval(-INFINITY, INFINITY)


def interval(expr: Expr, bounds: Bounds, functions: Functions = NO_FUNCTIONS) -> Interval:
    """Return bounds on a number, or 0 to 1 for a condition. Raises EvaluationError if no bounds are known."""
    return Bounder(bounds, functions).bound(lower(expr))


def known_bounds(expr: Expr, bounds: Bounds, functions: Functions) -> Interval | None:
    """Return bounds on a number, or 0 to 1 for a condition; None if none are known."""
    return Bounder(bounds, functions).known(lower(expr))


def range_combinations(expr: Expr, bounds: Bounds, functions: Functions) -> int:
    """Return an upper bound on the number of combinations of values of the expression's nested ranges."""
    return max(around for _, _, around in evaluated_parts(lower(expr), Bounder(bounds, functions)))


class Bounder:
    """A calculator of bounds on expressions without fractions, under fixed bounds on their names.

    Each part of an expression is bounded once, however often it is shared. Parts are identified by their memory
    addresses, so the expressions must outlive this object.
    """

    def __init__(
        self, bounds: Bounds, functions: Functions, calls: dict[tuple[object, ...], Interval] | None = None
    ) -> None:
        self.bounds = bounds
        self._functions = functions
        self._done: dict[int, Interval] = {}
        self._calls = {} if calls is None else calls  # bounds on calls, by function, arguments and parameters

    def bound(self, expr: Expr) -> Interval:
        """Return bounds on the expression. Raises EvaluationError if none are known."""
        if id(expr) not in self._done:
            self._done[id(expr)] = self._bound(expr)
        return self._done[id(expr)]

    def known(self, expr: Expr) -> Interval | None:
        """Return bounds on the expression; None if none are known."""
        try:
            return self.bound(expr) if free_names(expr) <= self.bounds.keys() else None
        except EvaluationError:
            return None

    def within(self, expr: syntax.Bounded, low: int, high: int) -> Bounder:
        """Return a bounder for the body of a quantifier or sum, whose variable is from low to high - 1."""
        return Bounder({**self.bounds, expr.variable: Interval(low, high - 1)}, self._functions, self._calls)

    def _bound(self, expr: Expr) -> Interval:
        match expr:
            case syntax.Int(value=value):
                return Interval(value, value)
            case syntax.Name(id=name):
                return self.bounds[name]
            case syntax.Negate(operand=operand):
                inner = self.bound(operand)
                return Interval(-inner.high, -inner.low)
            case syntax.Binary(op=op, left=left, right=right):
                return operation_bounds(op, self.bound(left), self.bound(right))
            case syntax.If(condition=condition, then=then, otherwise=otherwise):
                self.bound(condition)
                return self.bound(then).hull(self.bound(otherwise))
            case syntax.Call(name=name, arguments=arguments):
                return self._call(name, [self.bound(argument) for argument in arguments])
            case syntax.Bounded(quantifier, _, start, stop, body):
                low, high = self.bound(start).low, self.bound(stop).high
                if high <= low:
                    return Interval(0, int(quantifier == "all"))
                inner = self.within(expr, low, high).bound(body)
                if quantifier not in syntax.TOTALS:
                    return Interval(0, 1)
                if quantifier == "nim_sum":
                    return operation_bounds("^", inner, inner).hull(Interval(0, 0))
                count = min(high - low, plain.MAX_RANGE)
                return Interval(min(0, count * inner.low), max(0, count * inner.high))
            case _:
                for child in expr.children:
                    self.bound(child)
                assert expr.kind is Kind.CONDITION
                return Interval(0, 1)

    def _call(self, name: str, arguments: list[Interval]) -> Interval:
        if name in BUILTINS:
            return Interval(*BUILTINS[name].between([a.low for a in arguments], [a.high for a in arguments]))
        first = arguments[0]
        function = self._functions[name]
        if isinstance(function, Declared):
            raise undefined_function_error(function)
        if isinstance(function, Tabulated):
            taken = function.values[function.values != function.hole]
            return Interval(int(taken.min(initial=0)), int(taken.max(initial=0)))
        if function.recurrence:
            values = recurrence_values(function, first, self.bounds, self._functions).values()
            return Interval(min(values, default=0), max(values, default=0))
        inner = {key: self.bounds[key] for key in self._functions.parameters if key in self.bounds}
        inner.update(zip(function.arguments, arguments, strict=True))
        call = (name, *inner.items())
        if call not in self._calls:
            bounder = Bounder(inner, self._functions, self._calls)
            self._calls[call] = bounder.bound(lower(function.body))
        return self._calls[call]


def evaluated_parts(expr: Expr, bounder: Bounder, around: int = 1) -> Iterator[tuple[Expr, Bounder, int]]:
    """Yield (part, bounder, count) for each part that may be evaluated.

    The yielded bounder knows bounds on all names that occur in the part, bound variables included. count: how many
    combinations of values the ranges around the part have; outside all ranges of ``expr`` it is ``around``. Parts come
    in order of evaluation, except that a quantifier or sum comes before its body. A shared part comes once for each
    range that contains it. Raises EvaluationError if no bounds on the ends of a range are known.
    """
    return _new_parts(expr, bounder, around, set())


def _new_parts(
    expr: Expr, bounder: Bounder, around: int, done: set[int]
) -> Iterator[tuple[Expr, Bounder, int]]:
    if id(expr) in done:
        return
    done.add(id(expr))
    for child in parts_outside_range(expr):
        yield from _new_parts(child, bounder, around, done)
    yield expr, bounder, around
    if isinstance(expr, syntax.Bounded):
        low, high = bounder.bound(expr.start).low, bounder.bound(expr.stop).high
        if low < high:
            yield from evaluated_parts(expr.body, bounder.within(expr, low, high), around * (high - low))


def parts_outside_range(expr: Expr) -> tuple[Expr, ...]:
    """Return the children of the node, without the body if it is a quantifier or sum."""
    return (expr.start, expr.stop) if isinstance(expr, syntax.Bounded) else expr.children


def recurrence_values(
    function: Function, arguments: Interval, bounds: Bounds, functions: Functions
) -> Mapping[int, int]:
    """Return a recurrence's value at each of the arguments where it is defined.

    Raises EvaluationError if there are too many arguments, or if the bounds leave a parameter more than one value.
    """
    if arguments.width > MAX_TABLE:
        count = f"{arguments.width:,}" if arguments.width < _MAX_PRINTED else "too many"
        raise EvaluationError(f"{with_plain_names(function.name)}() would be needed at {count} arguments")
    fixed = []
    for key in functions.parameters:
        if key not in bounds or bounds[key].width != 1:
            raise EvaluationError(f"{with_plain_names(function.name)}() is known only for fixed parameters")
        fixed.append((key, bounds[key].low))
    return cached_recurrence_values(function, arguments, tuple(fixed), functions)


@lru_cache(maxsize=4)  # all solvers of a game with the same parameters use the same few tables
def cached_recurrence_values(
    function: Function, arguments: Interval, parameters: tuple[tuple[str, int], ...], functions: Functions
) -> Mapping[int, int]:
    """Return a recurrence's values as ``recurrence_values`` does. parameters: their names and values."""
    variable = function.arguments[0]
    value = plain.compile_plain(
        syntax.Call(function.name, (syntax.Name(variable),)), functions, RangeMeter(WorkError)
    )
    table, environment = {}, dict(parameters)
    for argument in range(arguments.low, arguments.high + 1):
        environment[variable] = argument
        try:
            table[argument] = value(environment)
        except EvaluationError:
            continue  # no value here; a formula that needs it fails when it is evaluated
    return MappingProxyType(table)


def operation_bounds(op: str, a: Interval, b: Interval) -> Interval:
    """Return bounds on ``a op b`` where it has a value. Raises LimitError if they have too many digits."""
    return Interval(*OPERATORS[op].bounds((a.low, a.high), (b.low, b.high)))


# -- consequences of bounds --------------------------------------------------------------------------------


def is_total(expr: Expr, functions: Functions, known: Bounds = MappingProxyType({})) -> bool:
    """Tell whether the expression certainly has a value wherever its names lie within the known bounds.

    False means only that this is unknown: it is the answer for any call of a recurrence, or of a function without a
    definition. A shift or range beyond the limits of evaluation counts as without a value.
    """
    parts = evaluated_parts(lower(functions.expand(expr)), Bounder(known, functions))
    for part, bounder, around in parts:
        if around > plain.MAX_TRIED:
            return False
        match part:
            case syntax.Binary(op=op, right=right) if domain := OPERATORS[op].domain:
                side = bounder.known(right)
                if side is None or not domain.covers(side.low, side.high):
                    return False
            case syntax.Call(name=name, arguments=(argument, *_)) if name in BUILTINS:
                least = BUILTINS[name].least
                side = None if least is None else bounder.known(argument)
                if least is not None and (side is None or side.low < least):
                    return False
            case syntax.Bounded(start=start, stop=stop):
                low, high = bounder.known(start), bounder.known(stop)
                if low is None or high is None or high.high - low.low > plain.MAX_RANGE:
                    return False
            case syntax.Call(name=name) if name in functions:
                return False
    return True


def fits_machine(expr: Expr, bounds: Bounds, functions: Functions) -> bool:
    """Tell whether every part is below MACHINE_LIMIT, and no ranges have more than MAX_TRIED combinations of values.

    bounds: of the names. A recurrence's value may exceed the limit if it is only compared with a value below the limit,
    or is an argument of ``min`` beside such a value. Clamped to MACHINE_LIMIT, it gives the same result there.
    """
    expanded, bounder = lower(functions.expand(expr)), Bounder(bounds, functions)
    if _large(expanded, bounder, functions):
        return False
    for part, inner, around in evaluated_parts(expanded, bounder):
        if isinstance(part, syntax.Compare):  # a value that may be clamped is compared only with a small one
            fits = all(_small(left, inner) or _small(right, inner) for _, left, right in part.links)
        elif isinstance(part, syntax.Call) and part.name == "min":
            fits = any(_small(child, inner) for child in part.children)
        else:  # a recurrence's value may be large: the part that uses it decides
            recurrence = isinstance(part, syntax.Call) and part.name in functions
            children = parts_outside_range(part)
            fits = not any(_large(child, inner, functions) for child in children)
            fits = fits and (recurrence or _small(part, inner))
        if around > plain.MAX_TRIED or not fits:
            return False
    return True


def _large(expr: Expr, bounder: Bounder, functions: Functions) -> bool:
    """Tell whether the node is a value of a recurrence that may have to be clamped."""
    return isinstance(expr, syntax.Call) and expr.name in functions and not _small(expr, bounder)


def _small(expr: Expr, bounder: Bounder) -> bool:
    bounds = bounder.known(expr)
    return bounds is not None and bounds.magnitude < MACHINE_LIMIT
