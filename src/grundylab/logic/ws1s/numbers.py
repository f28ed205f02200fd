"""Numbers of the formula language as linear forms over sets of binary digits; the half of the logic reader
that conditions are built on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NoReturn

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.language import plain
from grundylab.language.functions import NO_FUNCTIONS, Function, Functions
from grundylab.language.lowering import lower
from grundylab.language.syntax import (
    BUILTINS,
    Binary,
    Bounded,
    Call,
    Expr,
    If,
    Int,
    Name,
    Negate,
    called,
    free_names,
    walk,
)
from grundylab.logic.ws1s.arithmetic import Arithmetic
from grundylab.logic.ws1s.linear import Atom, End, Linear, Scope, greatest, least, linear
from grundylab.logic.ws1s.text import FALSE, TRUE, choice

MAX_TERMS = 64  # values of a bound variable that are written out one by one

Environment = Mapping[str, Linear]


class OutsideFragment(GrundylabError):
    """A subterm that WS1S cannot express; the message names it and says why."""


def outside(expr: Expr, why: str) -> NoReturn:
    """Raise OutsideFragment for the subterm."""
    raise OutsideFragment(f"{expr}: {why}")


@dataclass(frozen=True)
class Value:
    """What a number is, within a scope: a linear form, a nim-sum, or one of two values by a condition.

    known: tighter bounds on it than those of its cases.
    """

    scope: Scope
    form: Linear | None = None
    nim: tuple[Atom, ...] = ()
    cases: tuple[str, Value, Value] | None = None
    known: tuple[End, End] | None = None

    @property
    def leaves(self) -> Iterator[Value]:
        """The values of its cases."""
        if self.cases is None:
            yield self
        else:
            yield from self.cases[1].leaves
            yield from self.cases[2].leaves

    @property
    def ends(self) -> tuple[End, End]:
        """Bounds on it from below and above."""
        if self.known is not None:
            return self.known
        forms = [leaf.form for leaf in self.leaves]
        natural = [not any(atom.signed for atom in leaf.nim) for leaf in self.leaves]
        lows = [form.low if form else 0 if sure else None for form, sure in zip(forms, natural, strict=True)]
        return least(lows), greatest([form.high if form else None for form in forms])


class Numbers(ABC):
    """Reads numbers.

    functions: those of the ruleset. signed: the free names that may be negative; the others are natural numbers.
    """

    def __init__(self, functions: Functions = NO_FUNCTIONS, signed: frozenset[str] = frozenset()) -> None:
        self.functions = functions
        self.signed = signed
        self.write = Arithmetic()

    @abstractmethod
    def read_condition(self, expr: Expr, env: Environment) -> str:
        """The formula of a condition whose bound variables stand for the forms in env."""

    def variables(self, name: str) -> tuple[str, ...]:
        """The MONA variables of a free name: (set,), or (set, truth value of the sign) if it is signed."""
        return (f"v_{name}", f"s_{name}") if name in self.signed else (f"v_{name}",)

    def number(self, expr: Expr, env: Environment, scope: Scope) -> Linear:
        """The number as a linear form of atoms that the scope defines."""
        value = self.joined(self.value(expr, env))
        scope.extend(value.scope)
        return self.form(value, scope)

    def form(self, value: Value, scope: Scope) -> Linear:
        """A value without cases, in whose scope this is, as a linear form."""
        return self.write.nim_sum(value.nim, scope) if value.form is None else value.form

    def atoms(self, value: Value, scope: Scope) -> tuple[Atom, ...]:
        """The same as a nim-sum."""
        return value.nim if value.form is None else (self.write.digits(value.form, scope),)

    def joined(self, value: Value) -> Value:
        """A value without cases: if there are any, a new variable that is equal to it in each."""
        if value.cases is None:
            return value
        low, high = value.ends
        scope = Scope()
        return Value(
            scope,
            self.write.introduce(
                scope, low, high, lambda new: self.over(value, lambda form: self.write.zero(form - new))
            ),
        )

    def over(self, value: Value, leaf: Callable[[Linear], str]) -> str:
        """The formula that ``leaf`` makes of the value, case by case."""

        def formed(case: Value) -> str:
            scope = Scope()
            form = self.form(case, scope)
            return scope.around(leaf(form))

        return self.over_values(value, formed)

    def over_values(self, value: Value, leaf: Callable[[Value], str]) -> str:
        """The same, for a ``leaf`` that takes the values without cases."""
        if value.cases is None:
            return value.scope.around(leaf(value))
        condition, then, otherwise = value.cases
        a, b = self.over_values(then, leaf), self.over_values(otherwise, leaf)
        return value.scope.around(choice(condition, a, b, self.write.fresh("s")))

    # -- by kind of expression ---------------------------------------------------------------------

    def value(self, expr: Expr, env: Environment) -> Value:
        """The number, with its cases if it is defined by some."""
        scope = Scope()
        match expr:
            case If(condition=condition, then=then, otherwise=otherwise):
                parts = self.value(then, env), self.value(otherwise, env)
                return Value(scope, cases=(self.read_condition(condition, env), *parts))
            case Call(name=name) if name not in BUILTINS:
                return self._called(expr, env)
            case Call(name="min" | "max" as name, arguments=arguments):
                return self._extreme(name, [self.number(part, env, scope) for part in arguments], scope)
            case Binary(op="^", left=left, right=right):
                atoms: list[Atom] = []
                for part in (left, right):
                    value = self.joined(self.value(part, env))
                    scope.extend(value.scope)
                    atoms += self.atoms(value, scope)
                return Value(scope, nim=tuple(atoms))
            case _:
                return Value(scope, self._form(expr, env, scope))

    def _form(self, expr: Expr, env: Environment, scope: Scope) -> Linear:
        match expr:
            case Int(value=value):
                return Linear((), value)
            case Name(id=name):
                return env[name] if name in env else self._free(name)
            case Negate(operand=operand):
                return -self.number(operand, env, scope)
            case Binary(op="<<" | ">>", left=left, right=right):
                return self._shifted(expr, self.number(left, env, scope), right, env, scope)
            case Binary(left=left, right=right):
                return self._binary(
                    expr, self.number(left, env, scope), self.number(right, env, scope), scope
                )
            case Call(arguments=arguments):
                return self._built_in(expr, [self.number(part, env, scope) for part in arguments], scope)
            case Bounded():
                inners = self.each(expr, env, scope)
                return sum((self.number(expr.body, inner, scope) for inner in inners), start=Linear())
        raise TypeError(f"not a number: {expr!r}")

    def _extreme(self, name: str, forms: list[Linear], scope: Scope) -> Value:
        """``min`` or ``max``, which is one of two."""
        *others, b = forms
        a = others[0]
        if len(others) > 1:
            first = self.joined(self._extreme(name, others, Scope()))
            scope.extend(first.scope)
            a = self.form(first, scope)
        small, large = (a, b) if name == "min" else (b, a)
        test = self.write.at_least_zero(large - small)  # then it is a
        if test in (TRUE, FALSE):
            return Value(scope, a if test == TRUE else b)
        if name == "min":
            ends = (
                least([a.low, b.low]),
                least([end for end in (a.high, b.high) if end is not None] or [None]),
            )
        else:
            ends = (
                greatest([end for end in (a.low, b.low) if end is not None] or [None]),
                greatest([a.high, b.high]),
            )
        return Value(scope, cases=(test, Value(Scope(), a), Value(Scope(), b)), known=ends)

    def _free(self, name: str) -> Linear:
        if name in self.signed:
            digits, sign = self.variables(name)
            return linear(Atom(digits, sign, None, None))
        return linear(Atom(f"v_{name}"))

    def _binary(self, expr: Binary, a: Linear, b: Linear, scope: Scope) -> Linear:
        match expr.op:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                product = self.write.product(a, b, scope)
                return product or outside(expr, "a product of two variables is not expressible")
            case "//" | "%":
                what = "division" if expr.op == "//" else "remainder of a division"
                if b.terms:
                    outside(expr, f"a {what} by a variable is not expressible")
                if b.constant == 0:
                    outside(expr, f"a {what} by zero has no value")
                sign = 1 if b.constant > 0 else -1  # a // -d = -a // d, and a % -d = -(-a % d)
                if expr.op == "//":
                    return self.write.quotient(a * sign, abs(b.constant), scope)
                return self.write.remainder(a * sign, abs(b.constant), scope) * sign
            case _:
                first, second = (self.write.digits(form, scope) for form in (a, b))
                return linear(self.write.bitwise(expr.op, first, second, scope))

    def _shifted(self, expr: Binary, a: Linear, right: Expr, env: Environment, scope: Scope) -> Linear:
        exponent, extra = right, 0
        if isinstance(right, Binary) and right.op == "+" and isinstance(right.right, Int):
            exponent, extra = right.left, right.right.value
        if isinstance(exponent, Call) and exponent.name == "floor_log2":
            argument = self.number(exponent.arguments[0], env, scope)
            if argument.high is not None and argument.high < 1:
                return Linear()  # it has no value
            if expr.op == "<<" and not a.terms and extra >= 0:
                return self.write.highest_power(argument, scope) * (a.constant << extra)
            if argument.terms:
                outside(expr, "a shift by a logarithm is not expressible, but c << floor_log2(n) is")
        shift = self.number(right, env, scope)
        if shift.terms:
            outside(expr, "a shift by a variable is not expressible")
        if not 0 <= shift.constant <= plain.MAX_SHIFT:
            outside(expr, f"a shift by {shift.constant} has no value")
        power = 1 << shift.constant
        return a * power if expr.op == "<<" else self.write.quotient(a, power, scope)

    def _built_in(self, expr: Call, arguments: list[Linear], scope: Scope) -> Linear:
        if expr.name == "abs":
            return self.write.absolute(arguments[0], scope)
        if not arguments[0].terms:
            function = plain.floor_log2 if expr.name == "floor_log2" else plain.square_root
            try:
                return Linear((), function(arguments[0].constant))
            except EvaluationError as error:
                outside(expr, error.message)
        if expr.name == "isqrt":
            outside(expr, "a square root is not expressible")
        outside(expr, "a logarithm is not expressible, but c << floor_log2(n) is")

    def _called(self, expr: Call, env: Environment) -> Value:
        scope, body, inner = self.call(expr, env)
        value = self.value(body, inner)
        return replace(value, scope=scope.extend(value.scope))

    def call(self, expr: Call, env: Environment) -> tuple[Scope, Expr, Environment]:
        """A call of a ruleset's function: its body, and what the names in it stand for, within a scope."""
        function = self.functions[expr.name]
        if not isinstance(function, Function):
            outside(expr, f"it is {function.what}")
        inner = {name: env[name] for name in self.functions.parameters if name in env}
        scope = Scope()
        arguments = [self.number(part, env, scope) for part in expr.arguments]
        if function.recursive or function.initial:
            return scope, Int(self._recurrence(expr, arguments[0], inner)), {}
        body = lower(function.body)
        names = [node.id for node in walk(body) if isinstance(node, Name)]
        for name, form in zip(function.arguments, arguments, strict=True):
            if len(form.terms) > 1 and form.low is not None and form.low >= 0 and names.count(name) > 1:
                form = linear(self.write.digits(form, scope))
            inner[name] = form
        return scope, body, inner

    def _recurrence(self, expr: Call, argument: Linear, env: Environment) -> int:
        """The value of a recurrence at a constant, if it does not depend on parameters that vary."""
        function = self.functions[expr.name]
        assert isinstance(function, Function)
        parameters = {name: env[name].constant for name in env if not env[name].terms}
        varying = set(self.functions.parameters) - set(parameters)
        alone = called(function.body) <= {function.name} and not varying & free_names(function.body)
        if argument.terms or (varying and not alone):
            outside(expr, "a recurrence is not expressible")
        try:
            variable = function.arguments[0]
            values = {**dict.fromkeys(varying, 0), **parameters, variable: argument.constant}
            return plain.evaluate(Call(expr.name, (Name(variable),)), values, self.functions)
        except EvaluationError as error:
            outside(expr, error.message)

    def each(self, expr: Bounded, env: Environment, scope: Scope) -> list[Environment]:
        """The environments of a quantifier's body for each value of its variable, if their number is constant."""
        start, stop = self.number(expr.start, env, scope), self.number(expr.stop, env, scope)
        length = stop - start
        if length.terms:
            outside(expr, f"{expr.quantifier}() over a varying number of values is not expressible")
        if length.constant > MAX_TERMS:
            outside(expr, f"{expr.quantifier}() over more than {MAX_TERMS} values is not written out")
        return [{**env, expr.variable: start + number} for number in range(length.constant)]
