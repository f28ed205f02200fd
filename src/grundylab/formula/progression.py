"""The progression reader: the value of an expression along an arithmetic progression, for all its terms at once.

Where each name is ``start + step*k``, the value for k = 0, 1, 2, … often is such a progression again, or a condition
is true for all k or for none. That is found exactly, by rules that each hold for every k; where no rule applies,
``NotLinear`` says so, and nothing is guessed. It is what a proof about infinitely many positions of one residue needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grundylab.formula import plain
from grundylab.formula.functions import NO_FUNCTIONS, Function, Functions
from grundylab.formula.lowering import lower
from grundylab.formula.syntax import (
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
    rebuild,
)


@dataclass(frozen=True)
class Progression:
    """``start + step*k`` for k = 0, 1, 2, …"""

    start: int
    step: int = 0

    def __add__(self, other: Progression) -> Progression:
        return Progression(self.start + other.start, self.step + other.step)

    def __sub__(self, other: Progression) -> Progression:
        return self + other * -1

    def __mul__(self, factor: int) -> Progression:
        return Progression(factor * self.start, factor * self.step)

    def at(self, k: int) -> int:
        """The term of that number, from 0 on."""
        return self.start + self.step * k


class NotLinear(Exception):
    """The value is no progression, or no rule here shows that it is one."""


Progressions = Mapping[str, Progression]


def number_along(expr: Expr, values: Progressions, functions: Functions = NO_FUNCTIONS) -> Progression:
    """The values of a NUMBER. Raises NotLinear, and EvaluationError where it has no value."""
    return _Reader(functions).number(lower(expr), values)


def condition_along(expr: Expr, values: Progressions, functions: Functions = NO_FUNCTIONS) -> bool:
    """Whether a CONDITION is true for all k, or false for all. Raises NotLinear, and EvaluationError."""
    return _Reader(functions).condition(lower(expr), values)


class _Reader:
    def __init__(self, functions: Functions) -> None:
        self._functions = functions

    def condition(self, expr: Expr, values: Progressions) -> bool:
        match expr:
            case Bool(value=truth):
                return truth
            case Not(operand=operand):
                return not self.condition(operand, values)
            case Logic(op="and", terms=terms):
                return all(self.condition(term, values) for term in terms)
            case Logic(terms=terms):
                return any(self.condition(term, values) for term in terms)
            case Compare():
                return self._compare(expr, values)
            case If(condition=test, then=then, otherwise=otherwise):
                return self.condition(then if self.condition(test, values) else otherwise, values)
            case Bounded(quantifier=quantifier):
                found = (self.condition(expr.body, inner) for inner in self._span(expr, values))
                return any(found) if quantifier == "any" else all(found)
            case _:
                return bool(self._constant(expr, values))

    def _compare(self, expr: Compare, values: Progressions) -> bool:
        left = self.number(expr.terms[0], values)
        for op, term in zip(expr.ops, expr.terms[1:], strict=True):
            right = self.number(term, values)
            if not _related(op, left - right):
                return False
            left = right
        return True

    def number(self, expr: Expr, values: Progressions) -> Progression:
        match expr:
            case Int(value=value):
                return Progression(value)
            case Name(id=name):
                return values[name]
            case Negate(operand=operand):
                return self.number(operand, values) * -1
            case Binary(op=op, left=left, right=right):
                return _binary(op, self.number(left, values), self.number(right, values))
            case If(condition=test, then=then, otherwise=otherwise):
                return self.number(then if self.condition(test, values) else otherwise, values)
            case Call(name=name, arguments=arguments):
                return self._call(expr, name, [self.number(part, values) for part in arguments], values)
            case Bounded():
                total = Progression(0)
                for inner in self._span(expr, values):
                    total += self.number(expr.body, inner)
                return total
        raise TypeError(f"not a number: {expr!r}")

    def _span(self, expr: Bounded, values: Progressions) -> list[Progressions]:
        """The names with each value of the bound variable, of which there must be as many for all k."""
        start, stop = self.number(expr.start, values), self.number(expr.stop, values)
        if start.step != stop.step:
            raise NotLinear
        count = len(plain.check_span(expr.variable, start.start, stop.start))
        return [{**values, expr.variable: start + Progression(number)} for number in range(count)]

    def _call(self, expr: Call, name: str, given: list[Progression], values: Progressions) -> Progression:
        match name:
            case "min" | "max":
                best = given[0]
                for other in given[1:]:
                    best = other if _no_more_than_zero(other - best) == (name == "min") else best
                return best
            case "abs":
                return given[0] * (-1 if _no_more_than_zero(given[0]) else 1)
        function = next((f for f in self._functions if f.name == name), None)
        if not isinstance(function, Function) or function.recursive or function.initial:
            return Progression(self._constant(expr, values))
        inner = {key: values[key] for key in self._functions.parameters if key in values}
        inner |= dict(zip(function.arguments, given, strict=True))
        return self.number(lower(function.body), inner)

    def _constant(self, expr: Expr, values: Progressions) -> int:
        """The value of a call whose arguments do not depend on k."""
        given = [self.number(child, values) for child in expr.children]
        if any(argument.step for argument in given):
            raise NotLinear
        called = rebuild(expr, tuple(Int(argument.start) for argument in given))
        fixed = {name: value.start for name, value in values.items() if value.step == 0}
        if not set(self._functions.parameters) <= set(fixed):
            raise NotLinear
        return plain.evaluate(called, fixed, self._functions)


def _related(op: str, difference: Progression) -> bool:
    """Whether ``difference op 0``, if that is the same for all k."""
    a, b = difference.start, difference.step
    match op:
        case "==" | "!=":
            equal = a == 0
            if b != 0 and (equal or (-a % b == 0 and -a // b >= 0)):
                raise NotLinear  # equal for one k only
            return equal == (op == "==")
        case "<":
            if a < 0 and b <= 0:
                return True
            if a >= 0 and b >= 0:
                return False
            raise NotLinear
        case ">=":
            return not _related("<", difference)
        case ">":
            return _related("<", difference * -1)
        case _:
            return not _related("<", difference * -1)


def _no_more_than_zero(difference: Progression) -> bool:
    """True if it is at most 0 for all k, False if it is at least 0 for all k."""
    a, b = difference.start, difference.step
    if a <= 0 and b <= 0:
        return True
    if a >= 0 and b >= 0:
        return False
    raise NotLinear


def _binary(op: str, a: Progression, b: Progression) -> Progression:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*" if b.step == 0:
            return a * b.start
        case "*" if a.step == 0:
            return b * a.start
        case "&" | "|" | "^":
            return _bitwise(op, a, b)
        case "<<" if b.step == 0:
            return a * plain.shift_left(1, b.start)
        case ">>" if b.step == 0:
            return _binary("//", a, Progression(plain.shift_left(1, b.start)))
        case "//" if b.step == 0 and (b.start == 0 or a.step % b.start == 0):
            return Progression(plain.divide(a.start, b.start), a.step // b.start)
        case "%" if b.step == 0 and (b.start == 0 or a.step % b.start == 0):
            return Progression(plain.modulo(a.start, b.start))
    raise NotLinear


def _bitwise(op: str, a: Progression, b: Progression) -> Progression:
    """Below the lowest digit of a step nothing changes with k; above, one side must be 0 or both the same."""
    both = a.step | b.step
    if both == 0:
        return Progression(plain.evaluate(Binary(op, Int(a.start), Int(b.start)), {}))
    digits = (both & -both).bit_length() - 1
    mask = (1 << digits) - 1
    upper = [Progression(x.start >> digits, x.step >> digits) for x in (a, b)]
    nothing = Progression(0)
    if nothing in upper:
        other = upper[1] if upper[0] == nothing else upper[0]
        top = nothing if op == "&" else other
    elif upper[0] == upper[1]:
        top = nothing if op == "^" else upper[0]
    else:
        raise NotLinear
    low = plain.evaluate(Binary(op, Int(a.start & mask), Int(b.start & mask)), {})
    return top * (1 << digits) + Progression(low)
