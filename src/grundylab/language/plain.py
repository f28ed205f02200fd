"""The plain reader: evaluates an expression on Python's own integers, at one position at a time.

It defines the meaning of a formula. The other ways to evaluate one must agree with it: NumPy's arrays (``arrays.py``),
compiled code (``numba_source.py``), JavaScript (``javascript.py``) and progressions (``progression.py``).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn

from grundylab.errors import EvaluationError, GrundylabError, LimitError, WorkError, number_text
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS, checked_function
from grundylab.language.functions import (
    NO_FUNCTIONS,
    Declared,
    Function,
    Functions,
    Tabulated,
    undefined_function_error,
)
from grundylab.language.names import with_plain_names
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr, free_names

MAX_RANGE = 1_000_000  # values of a bound variable
MAX_TRIED = 10_000_000  # combinations of values of nested ranges: some seconds at one position
MAX_BITS = 1 << 16  # of a recurrence's value, or of a product where steps are counted
RANGE_STEPS = 10**9  # steps in ranges, for one table of values: some minutes
MAX_RECURRENCE = 1_000_000  # cached values of a recurrence
MAX_WAITING = 100_000  # arguments of a recurrence, each waiting for the next one's value: half a second
MAX_KEPT = 600_000_000  # bits of all cached values: 75 MB

Environment = Mapping[str, int]
Evaluator = Callable[[Environment], int]


class Meter:
    """A budget of evaluation steps, for searches that must end by themselves.

    One evaluation of an operator or a number is a step; so is every 64 bits of a large product. error: the exception to
    raise when the budget is exceeded.
    """

    def __init__(self, steps: int, error: type[GrundylabError] = WorkError) -> None:
        self._steps = self._left = steps
        self._error = error

    def spend(self, steps: int) -> None:
        """Deduct the steps. Raises the meter's error if too few are left."""
        self._left -= steps
        if self._left < 0:
            raise self._error(f"evaluation exceeded {self._steps:,} steps; reduce the ranges")

    def product(self, value: int) -> int:
        """Return the value of a product or shift, and deduct its steps. Raises LimitError if it is too large."""
        bits = value.bit_length()
        if bits > MAX_BITS:
            raise LimitError(f"a number of more than {MAX_BITS:,} binary digits")
        self.spend(bits // 64)
        return value


class RangeMeter(Meter):
    """A meter that counts only the steps within ranges, so that all other evaluation runs at full speed."""

    def __init__(self, error: type[GrundylabError], steps: int | None = None) -> None:
        super().__init__(RANGE_STEPS if steps is None else steps, error)


def evaluate(
    expr: Expr, values: Environment, functions: Functions = NO_FUNCTIONS, meter: Meter | None = None
) -> int:
    """Return the expression's value (a bool for a condition). values: one for each free name.

    Raises EvaluationError if there is no value, as in a division by zero.
    """
    return compile_plain(expr, functions, meter)(values)


def compile_plain(expr: Expr, functions: Functions = NO_FUNCTIONS, meter: Meter | None = None) -> Evaluator:
    """Return a Python function from the names' values to the expression's value, for many evaluations.

    meter: the budget of all calls of the function together, by default unlimited; it raises its error when used up.
    """
    lowered = lower(expr)
    value = _Compiler(functions, meter).compile(lowered)
    if meter is None or isinstance(meter, RangeMeter):
        return value
    spend, size = meter.spend, lowered.size

    def metered(env: Environment) -> int:
        spend(size)
        return value(env)

    return metered


def checked_range(variable: str, start: int, stop: int, around: int = 1) -> range:
    """Return ``range(start, stop)``. Raises LimitError if its length, or the length times ``around``, is too large.

    variable: its name, for the message. around: how many combinations of values the enclosing ranges have.
    """
    if stop - start > MAX_RANGE:
        raise LimitError(
            f"{variable} has {number_text(stop - start, ',')} values; at most {MAX_RANGE:,} are tried"
        )
    together = (stop - start) * around
    if together > MAX_TRIED:
        raise LimitError(
            f"{variable} and the enclosing ranges have {number_text(together, ',')} values; at most {MAX_TRIED:,} are "
            "tried"
        )
    return range(start, stop)


COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class _Compiler:
    def __init__(self, functions: Functions, meter: Meter | None = None) -> None:
        self._functions = functions
        self._meter = None if isinstance(meter, RangeMeter) else meter
        self._in_ranges = meter
        self._evaluators: dict[str, Evaluator] = {}
        self._around = 1  # how many combinations of values the ranges being evaluated have

    def compile(self, expr: Expr) -> Evaluator:
        match expr:
            case syntax.Int(value=value) | syntax.Bool(value=value):
                return lambda env: value
            case syntax.Name(id=name):
                return operator.itemgetter(name)  # faster than a function of Python's
            case syntax.Negate(operand=operand):
                inner = self.compile(operand)
                return lambda env: -inner(env)
            case syntax.Not(operand=operand):
                inner = self.compile(operand)
                return lambda env: not inner(env)
            case syntax.Binary(op=op, left=left, right=right):
                row = OPERATORS[op]
                joined = self._binary(row.value, left, right)
                if self._meter is None or not row.grows:
                    return joined
                product = self._meter.product
                return lambda env: product(joined(env))
            case syntax.Compare(ops=(op,), terms=(left, right)):
                return self._binary(COMPARE[op], left, right)
            case syntax.Logic(op=op, terms=terms):
                return _connected([self.compile(term) for term in terms], op == "and")
            case syntax.If(condition=condition, then=then, otherwise=otherwise):
                test, a, b = self.compile(condition), self.compile(then), self.compile(otherwise)
                return lambda env: a(env) if test(env) else b(env)
            case syntax.Call(name=name, arguments=arguments):
                return self._call(name, [self.compile(argument) for argument in arguments])
            case syntax.Accepts(automaton=automaton, arguments=arguments):
                numbers = [self.compile(argument) for argument in arguments]
                return lambda env: [number(env) for number in numbers] in automaton
            case syntax.Bounded():
                return self._bounded(expr)
        raise TypeError(f"not an expression: {expr!r}")

    def _binary(self, combine: Callable[[int, int], int], left: Expr, right: Expr) -> Evaluator:
        a, b = self.compile(left), self.compile(right)
        match left, right:  # each of the first four is frequent, and saves calls
            case syntax.Name(id=name), syntax.Int(value=constant):
                return lambda env: combine(env[name], constant)
            case _, syntax.Int(value=constant):
                return lambda env: combine(a(env), constant)
            case syntax.Name(id=name), syntax.Name(id=other):
                return lambda env: combine(env[name], env[other])
            case syntax.Name(id=name), _:
                return lambda env: combine(env[name], b(env))
        return lambda env: combine(a(env), b(env))

    def _bounded(self, expr: syntax.Bounded) -> Evaluator:
        start, stop, body = self.compile(expr.start), self.compile(expr.stop), self.compile(expr.body)
        variable = expr.variable
        totals: dict[str, Callable[[Iterable[int]], int]] = {"any": any, "all": all, "sum": sum}
        totals["nim_sum"] = lambda numbers: reduce(operator.xor, numbers, 0)
        total, meter, size = totals[expr.quantifier], self._in_ranges, 1 + expr.body.size

        def bounded(env: Environment) -> int:
            inner, around = dict(env), self._around

            def at(value: int) -> int:
                if meter is not None:
                    meter.spend(size)
                inner[variable] = value
                return body(inner)

            span = checked_range(variable, start(env), stop(env), around)
            self._around = around * max(len(span), 1)
            try:
                return total(at(value) for value in span)
            finally:
                self._around = around

        return bounded

    def _call(self, name: str, arguments: list[Evaluator]) -> Evaluator:
        if name in BUILTINS:
            function = checked_function(name)
            if len(arguments) == 1:
                only = arguments[0]
                return lambda env: function(only(env))
            return lambda env: function(*[argument(env) for argument in arguments])
        definition = self._functions[name]
        if isinstance(definition, Declared):
            raise undefined_function_error(definition)
        if isinstance(definition, Tabulated):
            return lambda env: definition(*[argument(env) for argument in arguments])
        given = list(zip(definition.arguments, arguments, strict=True))
        meter, size = self._meter, definition.body.size
        globals_, called = self._functions.parameters, self._evaluators
        self._define(definition)

        def call(env: Environment) -> int:
            if meter is not None:
                meter.spend(size)
            inner = {}
            for key in globals_:
                inner[key] = env[key]
            for key, argument in given:
                inner[key] = argument(env)
            return called[name](inner)

        return call

    def _define(self, function: Function) -> None:
        """Store the function's evaluator in ``self._evaluators``, once; calls, also recursive ones, find it there."""
        if function.name in self._evaluators:
            return
        self._evaluators[function.name] = _undefined  # recursive calls look it up only when run
        body = self.compile(lower(function.body))

        def outside_ranges(env: Environment) -> int:
            # a recurrence computes each of its values once, however many values the ranges around the call have
            around, self._around = self._around, 1
            try:
                return body(env)
            finally:
                self._around = around

        evaluator: Evaluator = body
        if function.recurrence:
            parameters = self._functions.parameters
            evaluator = recurrence_evaluator(function, parameters, outside_ranges, self._meter)
        self._evaluators[function.name] = evaluator


def _connected(parts: Sequence[Evaluator], every: bool) -> Evaluator:
    """Return an evaluator that tells whether all parts are true, or any of them; it stops where that is known."""

    def connected(env: Environment) -> bool:
        for part in parts:
            if bool(part(env)) is not every:
                return not every
        return every

    return connected


def _undefined(env: Environment) -> NoReturn:
    raise AssertionError("a recurrence was evaluated while it was being defined")


def recurrence_evaluator(
    function: Function, parameters: tuple[str, ...], body: Evaluator, meter: Meter | None = None
) -> Evaluator:
    """Return the evaluator of a recurrence, with one table of values for each setting of the parameters.

    parameters: their names. body: the evaluator of the function's body, in which a recursive call must call the
    evaluator that is returned here. meter: the budget for evaluations of the body.
    """
    name, argument, initial = with_plain_names(function.name), function.arguments[0], dict(function.initial)
    first = function.initial[0][0] if initial else None
    tables: dict[tuple[int, ...], dict[int, int | EvaluationError]] = {}  # values or errors
    kept, running = 0, False  # the bits of all values in tables; whether a table is being filled

    def value(env: Environment) -> int:
        nonlocal running
        setting = tuple([env[parameter] for parameter in parameters]) if parameters else ()
        values = tables.get(setting)
        if values is None:
            values = tables[setting] = dict(initial)
        wanted = env[argument]
        if wanted not in values:
            if running:
                raise _Missing(wanted)
            check_domain(wanted)
            running = True
            try:
                fill(wanted, values, dict(env))
            finally:
                running = False
        result = values[wanted]
        if isinstance(result, EvaluationError):
            raise result.with_traceback(None)
        return result

    def check_domain(at: int) -> None:
        if first is not None and at < first:
            raise EvaluationError(f"{name}({number_text(at)}) is not defined: it begins at {first}")

    def fill(wanted: int, values: dict[int, int | EvaluationError], inner: dict[str, int]) -> None:
        waiting = {wanted: None}  # in order: each argument needs the next one's value
        try:
            while waiting:
                step(wanted, values, inner, waiting)
        except EvaluationError as error:  # the error is cached, so that it is not computed again
            values.update(dict.fromkeys(waiting, error))

    def step(
        wanted: int,
        values: dict[int, int | EvaluationError],
        inner: dict[str, int],
        waiting: dict[int, None],
    ) -> None:
        """Compute the value at the last of the ``waiting`` arguments and move it to ``values``.

        If that value needs the value at an argument that is not known, append that argument to ``waiting`` instead.
        """
        nonlocal kept
        if meter is not None:
            meter.spend(function.body.size)
        at = inner[argument] = next(reversed(waiting))
        try:
            result = body(inner)
        except _Missing as missing:
            (needed,) = missing.args
            check_domain(needed)
            if needed in waiting:
                raise EvaluationError(f"{name}({number_text(needed)}) is defined by itself") from None
            if len(waiting) >= MAX_WAITING:
                raise LimitError(
                    f"{name}({number_text(wanted)}) needs more than {MAX_WAITING:,} values at once"
                ) from None
            if len(values) + len(waiting) > MAX_RECURRENCE or abs(needed) > abs(wanted) + MAX_RECURRENCE:
                raise LimitError(
                    f"{name}({number_text(wanted)}) needs more than {MAX_RECURRENCE:,} values"
                ) from None
            waiting[needed] = None
            return
        bits = result.bit_length()
        if bits > MAX_BITS:
            raise LimitError(f"{name}({number_text(at)}) has more than {MAX_BITS:,} binary digits")
        kept += bits
        if kept > MAX_KEPT:
            raise LimitError(
                f"{name}({number_text(wanted)}) needs values of more than {MAX_KEPT:,} digits in all"
            )
        values[at] = result
        del waiting[at]

    return value


class _Missing(Exception):
    """A signal for control flow: a recurrence needs its value at another argument first."""


def mentioned_names(expr: Expr, functions: Functions) -> frozenset[str]:
    """Return the names that the value depends on, including parameters in the bodies of the functions called."""
    names = set(free_names(expr))
    for function in functions.called_by(expr):
        if isinstance(function, Function):
            names |= free_names(function.body) - set(function.arguments)
    return frozenset(names)


def is_closed(expr: Expr, functions: Functions) -> bool:
    """Tell whether the expression depends on no name, and every function that it calls has a definition."""
    defined = all(isinstance(function, Function) for function in functions.called_by(expr))
    return defined and not mentioned_names(expr, functions)


def closed_value(expr: Expr, functions: Functions) -> int:
    """Return the value of an expression that is closed (``is_closed``). Raises EvaluationError if it has none."""
    unused = dict.fromkeys(functions.parameters, 0)
    return evaluate(expr, unused, functions)
