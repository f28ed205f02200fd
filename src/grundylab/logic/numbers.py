"""The lowering of numbers to linear forms in variables; new variables come with sentences that define them.

An expression that sentences cannot express, such as a product of two variables, raises OutsideFragment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count

from grundylab.automata.systems import BINARY, System
from grundylab.errors import EvaluationError
from grundylab.language.builtins import BUILTINS
from grundylab.language.counting import count_remainders
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.intervals import ANY, NATURAL, Bounder, Interval
from grundylab.language.parser import parse
from grundylab.language.plain import is_closed
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Bounded, Call, Compare, Expr, If, Int, Name, Negate, free_names
from grundylab.logic import fragment as outside
from grundylab.logic.sentence import (
    Digitwise,
    Linear,
    Power,
    Sentence,
    TruthValue,
    Variable,
    all_of,
    any_of,
    exists,
    form_is_natural,
    form_is_zero,
    negation,
    variable_form,
)

MAX_BITS = 4_200  # binary digits of a constant or factor
_LEAST = -(1 << 64)  # a new variable counts from the lower end of its interval only if that is at least this


@dataclass(frozen=True)
class NumberForm:
    """A number as a linear form. given: the new variables in it, each with the sentence that defines the variable."""

    form: Linear
    given: tuple[tuple[Variable, Sentence], ...] = ()

    def within(self, sentence: Sentence) -> Sentence:
        """Return the sentence, which is about the form, with the new variables bound by quantifiers and defined."""
        if isinstance(sentence, TruthValue):
            return sentence
        for variable, meaning in reversed(self.given):
            sentence = exists((variable,), all_of(meaning, sentence))
        return sentence

    def joined(self, form: Linear, *others: NumberForm) -> NumberForm:
        """Return the number ``form``, with the new variables of this number and of the others."""
        given = dict(given for number in (self, *others) for given in number.given)
        return NumberForm(form, tuple(given.items()))


@dataclass(frozen=True)
class NumberScope:
    """The meaning of names: their linear forms and bounds. read: the numbers lowered so far, by expression id."""

    forms: Mapping[str, Linear]
    bounder: Bounder
    read: dict[int, tuple[Expr, NumberForm]] = field(default_factory=dict)

    def ends(self, expr: Expr) -> Interval:
        """Return bounds on the expression's value; ANY if none are known."""
        try:
            return self.bounder.bound(expr)
        except EvaluationError:
            return ANY


class NumberReader:
    """A translator of the numbers of one script for a prover; all variables that it creates have different names.

    functions: those of the ruleset. signed: the free names that may be negative; the others are natural numbers.
    system: the numeration system of the sentences.
    """

    def __init__(
        self,
        functions: Functions = NO_FUNCTIONS,
        signed: frozenset[str] = frozenset(),
        system: System = BINARY,
    ) -> None:
        self._functions, self._signed, self._numbers, self._system = functions, signed, count(1), system

    def variable(self, name: str) -> Variable:
        """Return the variable that stands for a name."""
        return Variable(name, name in self._signed)

    def _new(self, signed: bool = False) -> Variable:
        return Variable(f"_{next(self._numbers)}", signed)

    def scope(self, expr: Expr) -> NumberScope:
        """Return the scope in which each free name of the expression stands for the variable of the same name."""
        names = free_names(expr)
        ends = {name: ANY if name in self._signed else NATURAL for name in names}
        return NumberScope(
            {name: variable_form(self.variable(name)) for name in names}, Bounder(ends, self._functions)
        )

    def condition_in(self, expr: Expr, scope: NumberScope) -> Sentence:
        """Return the sentence that the condition is true. Subclasses implement it."""
        raise NotImplementedError

    def number(self, expr: Expr, scope: NumberScope) -> NumberForm:
        """Return a lowered expression as a number; the same subterm always has the same new variables in a scope."""
        if id(expr) not in scope.read:
            form = self._read_number(expr, scope)
            integers = (form.form.constant, *(factor for _, factor in form.form.terms))
            if any(abs(number) >> MAX_BITS for number in integers):
                raise outside.outside_fragment(
                    expr, f"numbers of more than {MAX_BITS:,} binary digits are not written down"
                )
            scope.read[id(expr)] = expr, form
        return scope.read[id(expr)][1]

    def _read_number(self, expr: Expr, scope: NumberScope) -> NumberForm:
        if isinstance(expr, Call | If) and is_closed(expr, self._functions):
            return NumberForm(Linear((), outside.constant_value(expr, self._functions)))
        match expr:
            case Int(value=value):
                return NumberForm(Linear((), value))
            case Name(id=name):
                return NumberForm(scope.forms[name])
            case Negate(operand=operand):
                inner = self.number(operand, scope)
                return inner.joined(-inner.form)
            case Binary(op="+" | "-" as op, left=left, right=right):
                a, b = self.number(left, scope), self.number(right, scope)
                return a.joined(a.form + b.form if op == "+" else a.form - b.form, b)
            case Binary(op="*"):
                return self._product(expr, scope)
            case Binary(op="//" | "%"):
                return self._division(expr, scope)
            case Binary(op="<<" | ">>"):
                return self._shift(expr, scope)
            case Binary():
                return self._digitwise(expr, scope)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self.condition_in(condition, scope)
                cases = [(test, self.number(then, scope)), (negation(test), self.number(otherwise, scope))]
                return self._cases(scope.ends(expr), cases)
            case Call():
                return self._call(expr, scope)
            case Bounded(quantifier="nim_sum"):
                raise outside.nim_sum_outside(expr)
            case Bounded(body=body):
                start, inners = self.written_out(expr, scope, outside.varying_sum(expr))
                numbers = [
                    self._as_one_variable(self.number(body, inner), inner.ends(body)) for inner in inners
                ]
                total = start.joined(sum((number.form for number in numbers), start=Linear()), *numbers)
                return self._as_one_variable(total, scope.ends(expr))
        raise TypeError(f"not a number: {expr!r}")

    def counted(self, ends: Interval) -> tuple[Variable, Linear]:
        """Return a new variable, and a form in it that can have every value in the interval.

        If an end of the interval is known, the variable is natural and counts from it, or from 0; else it is signed.
        """
        if ends.low >= _LEAST:
            variable = self._new()
            return variable, variable_form(variable) + min(ends.low, 0)
        variable = self._new(signed=ends.high > -_LEAST)
        return variable, variable_form(variable) if variable.signed else -variable_form(variable) + max(
            ends.high, 0
        )

    def _defined_number(self, ends: Interval, meaning: Callable[[Linear], Sentence]) -> NumberForm:
        """Return a new number in the interval. meaning: takes its form, and returns the sentence that defines it."""
        variable, form = self.counted(ends)
        return NumberForm(form, ((variable, meaning(form)),))

    def _as_one_variable(self, number: NumberForm, ends: Interval) -> NumberForm:
        """Return the number as one new variable, so that its uses need not repeat the definitions of several."""
        if len(number.given) < 2:
            return number
        return self._defined_number(ends, lambda form: number.within(form_is_zero(number.form - form)))

    def _cases(self, ends: Interval, cases: Sequence[tuple[Sentence, NumberForm]]) -> NumberForm:
        """Return a new number, equal to that number of ``cases`` whose condition is true; exactly one must be true."""
        return self._defined_number(
            ends,
            lambda form: any_of(
                *(all_of(test, number.within(form_is_zero(number.form - form))) for test, number in cases)
            ),
        )

    def _product(self, expr: Binary, scope: NumberScope) -> NumberForm:
        sides = [(expr.left, expr.right), (expr.right, expr.left)]
        for few, many in sides:
            factor = self.number(few, scope)
            if not factor.form.terms:
                number = self.number(many, scope)
                return factor.joined(number.form * factor.form.constant, number)
        for few, many in sides:
            ends = scope.ends(few)
            if ends.width <= outside.MAX_FACTORS:
                factor, number = self.number(few, scope), self.number(many, scope)
                cases = [
                    (form_is_zero(factor.form - value), NumberForm(number.form * value))
                    for value in range(ends.low, ends.high + 1)
                ]
                product = self._cases(scope.ends(expr), cases)
                return factor.joined(product.form, number, product)
        raise outside.outside_fragment(expr, "a product of two variables is not expressible")

    def _division(self, expr: Binary, scope: NumberScope) -> NumberForm:
        remainders = count_remainders(expr)
        if remainders is not None:
            rests = [
                (self.condition_in(case, scope), NumberForm(Linear((), rest)))
                for rest, case in enumerate(remainders)
            ]
            return self._cases(Interval(0, len(rests) - 1), rests)
        number, right = self.number(expr.left, scope), self.number(expr.right, scope).form
        divisor = outside.constant_operand(expr, right.value)
        by, ends = abs(divisor), scope.ends(expr.left)
        if divisor < 0:  # a // -d = -a // d, and a % -d = -(-a % d)
            number, ends = number.joined(-number.form), Interval(-ends.high, -ends.low)
        if not number.form.terms:
            value = number.form.constant
            return NumberForm(Linear((), value // by if expr.op == "//" else value % by * (divisor // by)))
        if expr.op == "//":
            return self._quotient(number, by, ends)
        # -x leaves the same remainder as (by - 1)*x
        terms = tuple((variable, factor % by) for variable, factor in number.form.terms if factor % by)
        reduced = Linear(terms, number.form.constant % by)
        rest, whole = self._new(), self._new(signed=any(variable.signed for variable, _ in terms))
        same = form_is_zero(reduced - variable_form(whole) * by - variable_form(rest))
        meaning = all_of(form_is_natural(-variable_form(rest) + (by - 1)), exists((whole,), same))
        return number.joined(
            variable_form(rest) * (divisor // by), NumberForm(variable_form(rest), ((rest, meaning),))
        )

    def _quotient(self, number: NumberForm, by: int, ends: Interval) -> NumberForm:
        if by == 1:
            return number
        rest = self._new()

        def divides(form: Linear) -> Sentence:
            same = form_is_zero(number.form - form * by - variable_form(rest))
            return exists((rest,), all_of(form_is_natural(-variable_form(rest) + (by - 1)), same))

        low, high = (end if abs(end) > -_LEAST else end // by for end in (ends.low, ends.high))
        quotient = self._defined_number(Interval(low, high), divides)
        return number.joined(quotient.form, quotient)

    def _shift(self, expr: Binary, scope: NumberScope) -> NumberForm:
        number, exponent, extra = self.number(expr.left, scope), expr.right, 0
        if isinstance(exponent, Binary) and exponent.op == "+" and isinstance(exponent.right, Int):
            extra, exponent = exponent.right.value, exponent.left
        if isinstance(exponent, Call) and exponent.name == "floor_log2":
            if expr.op == "<<" and not number.form.terms and extra >= 0:
                outside.check_binary_system(exponent.arguments[0], "floor_log2()", self._system)
                # the greatest power of two that is at most the logarithm's argument
                argument, greatest = self.number(exponent.arguments[0], scope), self._new()
                meaning = all_of(
                    Power(greatest),
                    form_is_natural(argument.form - variable_form(greatest)),
                    form_is_natural(variable_form(greatest) * 2 - argument.form - 1),
                )
                form = variable_form(greatest)
                times = number.form.constant << extra
                return argument.joined(form * times, NumberForm(form, ((greatest, meaning),)))
            if not is_closed(exponent, self._functions):
                raise outside.outside_fragment(
                    expr, "a shift by a logarithm is not expressible, but c << floor_log2(n) is"
                )
        power = 1 << outside.constant_operand(expr, self.number(expr.right, scope).form.value)
        if expr.op == "<<":
            return number.joined(number.form * power)
        return self._quotient(number, power, scope.ends(expr.left))

    def _digitwise(self, expr: Binary, scope: NumberScope) -> NumberForm:
        outside.check_digitwise(expr, self._system)
        (a, left), (b, right) = self.as_variable(expr.left, scope), self.as_variable(expr.right, scope)
        result = self._new(signed=scope.ends(expr).low < 0)
        digitwise = NumberForm(variable_form(result), ((result, Digitwise(expr.op, a, b, result)),))
        return left.joined(digitwise.form, right, digitwise)

    def as_variable(self, expr: Expr, scope: NumberScope) -> tuple[Variable, NumberForm]:
        """Return a variable that equals the number, for operations on its digits.

        The second result holds the definitions of this variable and of all others that it needs.
        """
        number = self.number(expr, scope)
        if number.form.single is not None:
            return number.form.single, number
        variable = self._new(signed=scope.ends(expr).low < 0)
        form = NumberForm(
            variable_form(variable), ((variable, form_is_zero(number.form - variable_form(variable))),)
        )
        return variable, number.joined(form.form, form)

    def _call(self, expr: Call, scope: NumberScope) -> NumberForm:
        row = BUILTINS.get(expr.name)
        if row and row.expansion:
            # a conditional with the same value, of which both branches must have a value, whichever is taken; with more
            # than two arguments, it compares a call on all but the last with the last
            *others, last = expr.arguments
            first = others[0] if len(others) == 1 else Call(expr.name, tuple(others)) if others else last
            expansion = substitute(parse(str(row.expansion)), {"a": first, "b": last})
            condition, then, otherwise = expansion.children
            assert isinstance(condition, Compare)
            compared, test = self.related(*next(condition.links), scope)
            a, b = self.number(then, scope), self.number(otherwise, scope)
            cases = [(test, NumberForm(a.form)), (negation(test), NumberForm(b.form))]
            value = self._cases(scope.ends(expr), cases)
            return compared.joined(value.form, a, b, value)
        outside.refuse_root(expr, self._system)
        for argument in expr.arguments:  # an argument outside the fragment is reported first
            self.number(argument, scope)
        raise outside.call_outside(expr, self._functions)

    def related(self, op: str, left: Expr, right: Expr, scope: NumberScope) -> tuple[NumberForm, Sentence]:
        """Return (holder, sentence) for the comparison of ``left`` and ``right`` by ``op``.

        The sentence may have new variables, which ``holder`` defines: the comparison is ``holder.within(sentence)``.
        """
        if op in (">", ">="):
            left, right = right, left
        a, b = self.number(left, scope), self.number(right, scope)
        if op in ("==", "!="):
            said = form_is_zero(a.form - b.form)
        else:
            said = form_is_natural(b.form - a.form - (op in ("<", ">")))
        return a.joined(a.form, b), negation(said) if op == "!=" else said

    def written_out(
        self, expr: Bounded, scope: NumberScope, error: outside.OutsideFragment
    ) -> tuple[NumberForm, list[NumberScope]]:
        """Return the range's lower end, and for each value of the bound variable the scope where it has this value.

        Raises ``error`` if the number of values is not constant.
        """
        start, stop = self.number(expr.start, scope), self.number(expr.stop, scope)
        length = stop.form - start.form
        if length.terms:
            raise error
        ends = scope.ends(expr.start)
        inners = [
            NumberScope(
                {**scope.forms, expr.variable: start.form + number},
                scope.bounder.within(expr, ends.low + number, ends.high + number + 1),
            )
            for number in outside.constant_range(expr, length.constant)
        ]
        return start.joined(start.form, stop), inners
