"""The progression reader: evaluates an expression along an arithmetic progression, at all its terms at once.

Let the value of each name be ``start + step*k + side*l`` for k, l = 0, 1, 2, … Then the value of a number often is such
a progression again, and a condition often is true for all k and l, or for none. This is decided exactly, by rules that
hold for all k and l. Where no rule applies, ``NotLinear`` is raised. Nothing is guessed, because proofs about
infinitely many positions rest on the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd

from grundylab.language import plain, syntax
from grundylab.language.functions import NO_FUNCTIONS, Function, Functions
from grundylab.language.operators import OPERATORS, divide, modulo, shift_left
from grundylab.language.substitution import lower, rebuild
from grundylab.language.syntax import Expr


@dataclass(frozen=True)
class Progression:
    """An arithmetic progression in two indices: ``start + step*k + side*l`` for all natural numbers k and l."""

    start: int
    step: int = 0
    side: int = 0

    def __add__(self, other: Progression) -> Progression:
        return Progression(self.start + other.start, self.step + other.step, self.side + other.side)

    def __sub__(self, other: Progression) -> Progression:
        return self + other * -1

    def __mul__(self, factor: int) -> Progression:
        return Progression(factor * self.start, factor * self.step, factor * self.side)

    @property
    def constant(self) -> bool:
        """True if all terms are equal."""
        return self.step == self.side == 0

    def at(self, k: int, other: int = 0) -> int:
        """Return the term with the indices k and l, which is called ``other`` here."""
        return self.start + self.step * k + self.side * other


class NotLinear(Exception):
    """The error for a value that is no progression, or that no rule here shows to be one."""


Progressions = Mapping[str, Progression]


def number_reader(
    expr: Expr, functions: Functions = NO_FUNCTIONS, meter: plain.Meter | None = None
) -> Callable[[Progressions], Progression]:
    """Return a function that takes the names' progressions and returns the progression of a number.

    It raises NotLinear if no rule applies, and EvaluationError where there is no value. meter: the steps that all calls
    of the function together may take; unlimited by default.
    """
    reader, lowered = _Reader(functions, meter), lower(expr)
    return lambda values: reader.number(lowered, values)


def condition_reader(
    expr: Expr, functions: Functions = NO_FUNCTIONS, meter: plain.Meter | None = None
) -> Callable[[Progressions], bool]:
    """Return a function that takes the names' progressions and returns a condition's truth value for all terms.

    It raises NotLinear if the truth value varies or no rule applies, and EvaluationError where there is no value.
    meter: as for ``number_reader``.
    """
    reader, lowered = _Reader(functions, meter), lower(expr)
    return lambda values: reader.condition(lowered, values)


class _Reader:
    def __init__(self, functions: Functions, meter: plain.Meter | None) -> None:
        self._functions = functions
        self._meter = meter

    def condition(self, expr: Expr, values: Progressions) -> bool:
        if self._meter is not None:
            self._meter.spend(1)
        match expr:
            case syntax.Bool(value=truth):
                return truth
            case syntax.Not(operand=operand):
                return not self.condition(operand, values)
            case syntax.Logic(op="and", terms=terms):
                return all(self.condition(term, values) for term in terms)
            case syntax.Logic(terms=terms):
                return any(self.condition(term, values) for term in terms)
            case syntax.Compare(ops=(op,), terms=(left, right)):
                return _related(op, self.number(left, values) - self.number(right, values))
            case syntax.If(condition=test, then=then, otherwise=otherwise):
                return self.condition(then if self.condition(test, values) else otherwise, values)
            case syntax.Bounded(quantifier=quantifier):
                truths = (self.condition(expr.body, inner) for inner in self._span(expr, values))
                return any(truths) if quantifier == "any" else all(truths)
            case _:
                return bool(self._constant(expr, values))

    def number(self, expr: Expr, values: Progressions) -> Progression:
        if self._meter is not None:
            self._meter.spend(1)
        match expr:
            case syntax.Int(value=value):
                return Progression(value)
            case syntax.Name(id=name):
                return values[name]
            case syntax.Negate(operand=operand):
                return self.number(operand, values) * -1
            case syntax.Binary(op=op, left=left, right=right):
                return _binary(op, self.number(left, values), self.number(right, values))
            case syntax.If(condition=test, then=then, otherwise=otherwise):
                return self.number(then if self.condition(test, values) else otherwise, values)
            case syntax.Call(name=name, arguments=arguments):
                return self._call(expr, name, [self.number(part, values) for part in arguments], values)
            case syntax.Bounded():
                total = Progression(0)
                for inner in self._span(expr, values):
                    total = _binary(syntax.TOTALS[expr.quantifier], total, self.number(expr.body, inner))
                return total
        raise TypeError(f"not a number: {expr!r}")

    def _span(self, expr: syntax.Bounded, values: Progressions) -> list[Progressions]:
        """Return, for each value of the bound variable, the progressions of all names with that of the variable added.

        Raises NotLinear if the number of values depends on k or l.
        """
        start, stop = self.number(expr.start, values), self.number(expr.stop, values)
        if not (stop - start).constant:
            raise NotLinear
        count = len(plain.checked_range(expr.variable, start.start, stop.start))
        return [{**values, expr.variable: start + Progression(number)} for number in range(count)]

    def _call(
        self, expr: syntax.Call, name: str, given: list[Progression], values: Progressions
    ) -> Progression:
        match name:
            case "min" | "max":
                best = given[0]
                for other in given[1:]:
                    best = other if _no_more_than_zero(other - best) == (name == "min") else best
                return best
            case "abs":
                return given[0] * (-1 if _no_more_than_zero(given[0]) else 1)
        function = next((f for f in self._functions if f.name == name), None)
        if not isinstance(function, Function) or function.recurrence:
            return Progression(self._constant(expr, values))
        inner = {key: values[key] for key in self._functions.parameters if key in values}
        inner |= dict(zip(function.arguments, given, strict=True))
        return self.number(lower(function.body), inner)

    def _constant(self, expr: Expr, values: Progressions) -> int:
        """Return the value of an expression with constant children. Raises NotLinear if a child or parameter varies."""
        given = [self.number(child, values) for child in expr.children]
        if not all(argument.constant for argument in given):
            raise NotLinear
        called = rebuild(expr, tuple(syntax.Int(argument.start) for argument in given))
        fixed = {name: value.start for name, value in values.items() if value.constant}
        if not set(self._functions.parameters) <= set(fixed):
            raise NotLinear
        return plain.evaluate(called, fixed, self._functions)


def _related(op: str, difference: Progression) -> bool:
    """Return True if ``difference op 0`` holds for all terms, False if for none; else raise NotLinear."""
    match op:
        case "==" | "!=":
            start, steps = difference.start, gcd(difference.step, difference.side)
            signs = {number > 0 for number in (difference.step, difference.side) if number}
            never = start % steps != 0 if steps else start != 0
            never = never or (start != 0 and signs == {start > 0})
            if steps and not never:
                raise NotLinear
            return never == (op == "!=")
        case "<":
            return not _no_less_than(difference, 0)
        case ">=":
            return _no_less_than(difference, 0)
        case ">":
            return _no_less_than(difference, 1)
        case _:
            return not _no_less_than(difference, 1)


def _no_less_than(difference: Progression, bound: int) -> bool:
    """Return True if all terms are at least the bound, False if all are less; else raise NotLinear."""
    above, steps = difference.start >= bound, (difference.step, difference.side)
    if all(step >= 0 for step in steps) if above else all(step <= 0 for step in steps):
        return above
    raise NotLinear


def _no_more_than_zero(difference: Progression) -> bool:
    """Return True if all terms are at most 0, False if all are at least 0; else raise NotLinear."""
    numbers = (difference.start, difference.step, difference.side)
    if all(number <= 0 for number in numbers):
        return True
    if all(number >= 0 for number in numbers):
        return False
    raise NotLinear


def _binary(op: str, a: Progression, b: Progression) -> Progression:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*" if b.constant:
            return a * b.start
        case "*" if a.constant:
            return b * a.start
        case "<<" if b.constant:
            return a * shift_left(1, b.start)
        case ">>" if b.constant:
            return _binary("//", a, Progression(shift_left(1, b.start)))
        case "//" if _divides(b, a):
            return Progression(divide(a.start, b.start), a.step // b.start, a.side // b.start)
        case "%" if _divides(b, a):
            return Progression(modulo(a.start, b.start))
    if OPERATORS[op].digits:
        return _digitwise(OPERATORS[op].value, a, b)
    raise NotLinear


def _divides(b: Progression, a: Progression) -> bool:
    """Tell whether b is constant and divides both steps of a.

    The answer is true for b = 0, too: the division itself then raises the error.
    """
    return b.constant and (b.start == 0 or a.step % b.start == a.side % b.start == 0)


def _digitwise(value: Callable[[int, int], int], a: Progression, b: Progression) -> Progression:
    """Return the values of an operation on digits.

    Let 2**d be the largest power of two that divides all steps. Then the lowest d binary digits are the same in all
    terms. In the higher digits one operand must be 0, or both must be equal; else NotLinear is raised.
    """
    steps = a.step | b.step | a.side | b.side
    if steps == 0:
        return Progression(value(a.start, b.start))
    digits = (steps & -steps).bit_length() - 1
    mask = (1 << digits) - 1
    upper = [Progression(x.start >> digits, x.step >> digits, x.side >> digits) for x in (a, b)]
    nothing = Progression(0)
    if upper[0] == nothing:
        top = upper[1] * value(0, 1)
    elif upper[1] == nothing:
        top = upper[0] * value(1, 0)
    elif upper[0] == upper[1]:
        top = upper[0] * value(1, 1)
    else:
        raise NotLinear
    return top * (1 << digits) + Progression(value(a.start & mask, b.start & mask))
