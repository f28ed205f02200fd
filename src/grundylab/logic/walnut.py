"""Formulas as predicates of Walnut (Mousavi, *Automatic theorem proving in Walnut*, 2016), in base 2.

Walnut decides the first-order theory of the natural numbers with addition and the sets that automata read in binary
digits. So a number here is a sum of multiples of variables, and what else it is made of is a new variable with a
condition on it: a nim-sum by an automaton that this module defines, a quotient by its remainder. What may be negative
may be compared, by moving it to the other side, and divided, but cannot be a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from types import MappingProxyType

from grundylab.language import Functions, syntax
from grundylab.language.lowering import lower
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Name,
    Not,
    negative,
)
from grundylab.logic.ws1s.linear import Atom, Linear, linear
from grundylab.logic.ws1s.numbers import MAX_TERMS
from grundylab.logic.ws1s.reader import Logic, OutsideFragment
from grundylab.logic.ws1s.text import connected

TRUE, FALSE = "0=0", "0=1"
# Automata that the predicates call: Walnut's ``reg``, most significant digit first.
LIBRARY = {
    "nimsum": 'reg nimsum msd_2 msd_2 msd_2 "([0,0,0]|[0,1,1]|[1,0,1]|[1,1,0])*":',
    "bitand": 'reg bitand msd_2 msd_2 msd_2 "([0,0,0]|[0,1,0]|[1,0,0]|[1,1,1])*":',
    "bitor": 'reg bitor msd_2 msd_2 msd_2 "([0,0,0]|[0,1,1]|[1,0,1]|[1,1,1])*":',
    "power2": 'reg power2 msd_2 "0*10*":',
}
_BITWISE = {"^": "nimsum", "&": "bitand", "|": "bitor"}


@dataclass(frozen=True)
class Value:
    """A number where ``guard`` holds: the form, for the values of new ``variables`` that fulfil the conditions."""

    form: Linear
    variables: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    def within(self, formula: str) -> str:
        """The formula about the form, with its variables bound; they exist and are unique."""
        inner = all_of(*self.conditions, formula)
        return f"(E {','.join(self.variables)} {inner})" if self.variables else inner


def this(variable: str) -> Linear:
    """The variable itself, a natural number."""
    return linear(Atom(variable))


def natural(form: Linear) -> bool:
    """Whether it is plainly never negative."""
    return form.low is not None and form.low >= 0


def text(form: Linear) -> str:
    """A form that is plainly natural."""
    parts = [atom.digits if factor == 1 else f"{factor}*{atom.digits}" for atom, factor in form.terms]
    return "+".join([*parts, *([str(form.constant)] if form.constant or not parts else [])])


def variable_of(name: str) -> str:
    """The variable of a coordinate, parameter or choice: in Walnut no name begins with A or E."""
    return f"v{name}"


def all_of(*parts: str) -> str:
    """The conjunction."""
    return connected(parts, "&", TRUE, FALSE)


def any_of(*parts: str) -> str:
    """The disjunction."""
    return connected(parts, "|", FALSE, TRUE)


def negation(part: str) -> str:
    """Not the formula."""
    return {TRUE: FALSE, FALSE: TRUE}.get(part, f"~({part})")


@dataclass
class Walnut:
    """Reads expressions over natural numbers; it collects which automata of the library are called.

    functions: those of the ruleset, which are written out. Raises OutsideFragment for what it cannot say.
    """

    functions: Functions
    used: set[str] = field(default_factory=set)
    _count: int = 0

    def condition(self, expr: Expr, names: Mapping[str, str] = MappingProxyType({})) -> str:
        """The predicate that is true exactly where the condition is; it must have a value everywhere.

        names: the variables of names that have others than ``variable_of``.
        """
        return self._condition(self._checked(expr), names)

    def equals(self, variable: str, expr: Expr, names: Mapping[str, str] = MappingProxyType({})) -> str:
        """That the variable (of Walnut's) is the value of the number."""
        value = this(variable)
        return self._over([self._checked(expr)], names, lambda forms: _comparison("==", value, forms[0]))

    def _checked(self, expr: Expr) -> Expr:
        """Without calls and fractions, and with a value everywhere."""
        expanded = self.functions.expand(expr)
        if Logic(self.functions).defined(expanded) != "true":
            raise OutsideFragment(f"{expr}: it may have no value at some positions")
        return lower(expanded)

    @property
    def library(self) -> list[str]:
        """The definitions of what is called."""
        return [text for name, text in LIBRARY.items() if name in self.used]

    def _fresh(self) -> str:
        self._count += 1
        return f"n{self._count}"

    # -- conditions -------------------------------------------------------------------------------

    def _condition(self, expr: Expr, names: Mapping[str, str]) -> str:
        match expr:
            case Bool(value=truth):
                return TRUE if truth else FALSE
            case Not(operand=operand):
                return negation(self._condition(operand, names))
            case syntax.Logic(op=op, terms=terms):
                connect = all_of if op == "and" else any_of
                return connect(*(self._condition(term, names) for term in terms))
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self._condition(condition, names)
                yes, no = self._condition(then, names), self._condition(otherwise, names)
                return any_of(all_of(test, yes), all_of(negation(test), no))
            case Compare(links=links):
                return all_of(*(self._compared(op, a, b, names) for op, a, b in links))
            case Call(name="is_power_of_two", arguments=(argument,)):
                return self._over([argument], names, lambda forms: self._is_power(forms[0]))
            case Bounded(quantifier=quantifier):
                try:
                    return self._quantified(expr, names)
                except OutsideFragment as error:
                    each = (self._condition(body, names) for body in self._written_out(expr, names, error))
                    return (any_of if quantifier == "any" else all_of)(*each)
        raise OutsideFragment(f"{expr}: an automaton of another kind is not written for Walnut")

    def _is_power(self, form: Linear) -> str:
        value = self._variable(form)
        return value.within(self._calls("power2", text(value.form)))

    def _calls(self, name: str, *arguments: str) -> str:
        self.used.add(name)
        return f"${name}({','.join(arguments)})"

    def _compared(self, op: str, left: Expr, right: Expr, names: Mapping[str, str]) -> str:
        return self._over([left, right], names, lambda forms: _comparison(op, *forms))

    def _over(self, exprs: list[Expr], names: Mapping[str, str], said: Callable[[list[Linear]], str]) -> str:
        """What is said of the numbers' forms, in whichever case each of them is."""
        return any_of(
            *(
                all_of(*guards, bound.within(said(forms)))
                for guards, bound, forms in self._together(exprs, names)
            )
        )

    def _together(
        self, exprs: list[Expr], names: Mapping[str, str]
    ) -> Iterator[tuple[list[str], Value, list[Linear]]]:
        """The numbers' forms in each case of all: its guards, and the new variables of all with their conditions."""
        for case in product(*(list(self._cases(expr, names)) for expr in exprs)):
            values = [value for _, value in case]
            yield [guard for guard, _ in case], _joined(values), [value.form for value in values]

    def _quantified(self, expr: Bounded, names: Mapping[str, str]) -> str:
        variable = self._fresh()
        inner = {**names, expr.variable: variable}
        value = this(variable)
        # the ends are outside the variable's scope: what they mention of that name is another
        above = self._over([expr.start], names, lambda forms: _comparison("<=", forms[0], value))
        below = self._over([expr.stop], names, lambda forms: _comparison("<", value, forms[0]))
        if not all(natural(start.form) for _, start in self._cases(expr.start, names)):
            raise OutsideFragment(f"{expr}: {expr.variable} may be negative")
        body = self._condition(expr.body, inner)
        if expr.quantifier == "any":
            return f"(E {variable} {all_of(above, below, body)})"
        return f"(A {variable} ({all_of(above, below)} => {body}))"

    def _written_out(self, expr: Bounded, names: Mapping[str, str], error: OutsideFragment) -> list[Expr]:
        """The body at each value, if their number is constant; if not, what was outside before still is."""
        ends = [list(self._cases(end, names)) for end in (expr.start, expr.stop)]
        lengths = [b.form - a.form for (_, a), (_, b) in product(*ends)]
        if len(lengths) != 1 or lengths[0].terms or lengths[0].constant > MAX_TERMS:
            raise error
        values = (Binary("+", expr.start, Int(number)) for number in range(lengths[0].constant))
        return [substitute(expr.body, {expr.variable: value}) for value in values]

    # -- numbers ----------------------------------------------------------------------------------

    def _cases(self, expr: Expr, names: Mapping[str, str]) -> Iterator[tuple[str, Value]]:
        """The number as one of several values, each where its guard holds; exactly one guard does."""
        match expr:
            case Int(value=number):
                yield TRUE, Value(Linear((), number))
            case Name(id=name):
                yield TRUE, Value(this(names.get(name, variable_of(name))))
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self._condition(condition, names)
                yield from self._guarded(test, self._cases(then, names))
                yield from self._guarded(negation(test), self._cases(otherwise, names))
            case Call(name="min" | "max" as name, arguments=(a, *more)):
                b = more[0] if len(more) == 1 else Call(name, tuple(more))
                first = self._compared("<=" if name == "min" else ">=", a, b, names)
                yield from self._guarded(first, self._cases(a, names))
                yield from self._guarded(negation(first), self._cases(b, names))
            case Call(name="abs", arguments=(argument,)):
                natural = self._compared(">=", argument, Int(0), names)
                yield from self._guarded(natural, self._cases(argument, names))
                yield from self._guarded(negation(natural), self._cases(negative(argument), names))
            case syntax.Negate(operand=operand):
                yield from self._mapped([operand], names, lambda forms: Value(-forms[0]))
            case Binary(left=left, right=right):
                yield from self._mapped([left, right], names, lambda forms: self._binary(expr, *forms))
            case Bounded():
                error = OutsideFragment(f"{expr}: a sum of a varying number of values is not expressible")
                total: Expr = Int(0)
                for body in self._written_out(expr, names, error):
                    total = Binary("+", total, body)
                yield from self._cases(total, names)
            case _:
                raise OutsideFragment(f"{expr}: not written for Walnut")

    def _guarded(self, guard: str, cases: Iterator[tuple[str, Value]]) -> Iterator[tuple[str, Value]]:
        for own, value in cases:
            yield all_of(guard, own), value

    def _mapped(
        self, exprs: list[Expr], names: Mapping[str, str], made: Callable[[list[Linear]], Value]
    ) -> Iterator[tuple[str, Value]]:
        for guards, bound, forms in self._together(exprs, names):
            new = made(forms)
            variables, conditions = (*bound.variables, *new.variables), (*bound.conditions, *new.conditions)
            yield all_of(*guards), Value(new.form, variables, conditions)

    def _binary(self, expr: Binary, a: Linear, b: Linear) -> Value:
        match expr.op:
            case "+":
                return Value(a + b)
            case "-":
                return Value(a - b)
            case "*":
                if a.terms and b.terms:
                    raise OutsideFragment(f"{expr}: a product of two variables is not expressible")
                return Value(b * a.constant if not a.terms else a * b.constant)
            case "<<" | ">>":
                if b.terms or not 0 <= b.constant <= 64:
                    raise OutsideFragment(f"{expr}: a shift by a variable is not written for Walnut")
                power = 1 << b.constant
                return Value(a * power) if expr.op == "<<" else self._quotient(a, power)
            case "//" | "%":
                if b.terms or b.constant < 1:
                    raise OutsideFragment(f"{expr}: a division by a variable is not expressible")
                return self._quotient(a, b.constant) if expr.op == "//" else self._remainder(a, b.constant)
        first, second = self._variable(a), self._variable(b)
        result = self._fresh()
        said = self._calls(_BITWISE[expr.op], text(first.form), text(second.form), result)
        bound = _joined([first, second])
        return Value(this(result), (*bound.variables, result), (*bound.conditions, said))

    def _quotient(self, form: Linear, divisor: int) -> Value:
        if not form.terms:
            return Value(Linear((), form.constant // divisor))
        if natural(-form):  # floor(-a/d) = -floor((a + d - 1)/d)
            quotient, _ = self._divided(-form + (divisor - 1), divisor)
            return replace(quotient, form=-quotient.form)
        lifted, less = _lifted(form, divisor)
        quotient, _ = self._divided(lifted, divisor)
        return replace(quotient, form=quotient.form - less)

    def _remainder(self, form: Linear, divisor: int) -> Value:
        if not form.terms:
            return Value(Linear((), form.constant % divisor))
        return self._divided(_lifted(form, divisor)[0], divisor)[1]

    def _divided(self, form: Linear, divisor: int) -> tuple[Value, Value]:
        """The quotient and the remainder of a natural form."""
        names = self._fresh(), self._fresh()
        quotient, remainder = map(this, names)
        conditions = f"{text(form)}={text(quotient * divisor + remainder)}", f"{names[1]}<{divisor}"
        return Value(quotient, names, conditions), Value(remainder, names, conditions)

    def _variable(self, form: Linear) -> Value:
        """The form as a single variable or constant, so that an automaton may read its digits."""
        if not natural(form):
            raise OutsideFragment("the digits of a number that may be negative are not written for Walnut")
        if not form.terms or form.single():
            return Value(form)
        name = self._fresh()
        return Value(this(name), (name,), (f"{name}={text(form)}",))


def _lifted(form: Linear, divisor: int) -> tuple[Linear, Linear]:
    """A natural form that leaves the same remainder, and by how much its quotient is larger."""
    constant = max(-(form.constant // divisor), 0)
    less = Linear(tuple((atom, -factor) for atom, factor in form.terms if factor < 0), constant)
    return form + less * divisor, less


def _joined(values: list[Value]) -> Value:
    """The variables of all with their conditions."""
    variables = tuple(dict.fromkeys(name for value in values for name in value.variables))
    return Value(Linear(), variables, tuple(dict.fromkeys(c for value in values for c in value.conditions)))


def _comparison(op: str, left: Linear, right: Linear) -> str:
    """The comparison with all that is subtracted moved to the other side."""
    difference = left - right
    more = Linear(tuple((n, f) for n, f in difference.terms if f > 0), max(difference.constant, 0))
    less = Linear(tuple((n, -f) for n, f in difference.terms if f < 0), max(-difference.constant, 0))
    if not more.terms and not less.terms:
        a, b = more.constant, less.constant
        truth = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
        return TRUE if truth else FALSE
    return f"{text(more)}{'=' if op == '==' else op}{text(less)}"
