"""Expressions lowered to sentences: true exactly where the plain reader says True.

What can be said of natural numbers is addition, order, the digitwise operations and powers of two, with quantifiers
(Büchi 1960). An expression outside that, such as a product of two variables, raises OutsideFragment. The limits of
the plain reader (shifts by more than 4096, ranges of more than a million) are not in the sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import count
from typing import NoReturn

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.language import plain, syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.closed import closed_value, is_closed
from grundylab.language.counting import compared, remainders
from grundylab.language.functions import NO_FUNCTIONS, Function, Functions
from grundylab.language.intervals import Bounder, Interval
from grundylab.language.lowering import lower
from grundylab.language.parser import parse
from grundylab.language.sharing import shared
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    Accepts,
    Binary,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Name,
    Negate,
    free_names,
)
from grundylab.logic.sentence import (
    FALSE,
    TRUE,
    Digitwise,
    Linear,
    Member,
    Power,
    Sentence,
    Truth,
    Variable,
    all_of,
    any_of,
    choice,
    exists,
    natural,
    negation,
    this,
    zero,
)

MAX_TERMS = 64  # values of a bound variable that are written out one by one
MAX_FACTORS = 16  # values of a factor that a product is split into
_FAR = 1 << 128  # beyond all that a bound is known of
_LEAST = -(1 << 64)  # no new variable is counted from a lower end than this
_ANY, _NATURAL = Interval(-_FAR, _FAR), Interval(0, _FAR)


class OutsideFragment(GrundylabError):
    """A subterm that a sentence cannot express; the message names it and says why."""


def outside(expr: Expr, why: str) -> NoReturn:
    """Raise OutsideFragment for the subterm."""
    raise OutsideFragment(f"{expr}: {why}")


@dataclass(frozen=True)
class Number:
    """A linear form, with the variables in it that are new, and what each of them is: there is always exactly one."""

    form: Linear
    given: tuple[tuple[Variable, Sentence], ...] = ()

    def within(self, sentence: Sentence) -> Sentence:
        """The sentence about the form, for the values that the new variables have."""
        if isinstance(sentence, Truth):
            return sentence
        for variable, meaning in reversed(self.given):
            sentence = exists((variable,), all_of(meaning, sentence))
        return sentence

    def joined(self, form: Linear, *others: Number) -> Number:
        """Another form of the new variables of all."""
        given = dict(given for number in (self, *others) for given in number.given)
        return Number(form, tuple(given.items()))


@dataclass(frozen=True)
class _Scope:
    """What the names stand for, within which bounds their values are, and the numbers read before."""

    forms: Mapping[str, Linear]
    bounder: Bounder
    read: dict[int, tuple[Expr, Number]] = field(default_factory=dict)

    def ends(self, expr: Expr) -> Interval:
        try:
            return self.bounder.bound(expr)
        except EvaluationError:
            return _ANY


class Lowering:
    """Lowers expressions of one script; no two variables that it invents have one name.

    functions: those of the ruleset. signed: the free names that may be negative; the others are natural numbers.
    """

    def __init__(self, functions: Functions = NO_FUNCTIONS, signed: frozenset[str] = frozenset()) -> None:
        self._functions, self._signed, self._numbers = functions, signed, count(1)

    def variable(self, name: str) -> Variable:
        """The variable of a name."""
        return Variable(name, name in self._signed)

    def condition(self, expr: Expr) -> Sentence:
        """That the condition is true, where it has a value."""
        inner = self._inner(expr)
        return self._condition(inner, self._scope(inner))

    def defined(self, expr: Expr) -> Sentence:
        """That the expression has a value."""
        inner = self._inner(expr)
        return self._defined(inner, self._scope(inner))

    def equals(self, name: str, expr: Expr) -> Sentence:
        """That the expression has a value, which is that of the variable with the name."""
        inner = self._inner(expr)
        scope = self._scope(inner)
        number = self._number(inner, scope)
        same = number.within(zero(number.form - this(self.variable(name))))
        return all_of(self._defined(inner, scope), same)

    def _inner(self, expr: Expr) -> Expr:
        """Without definitions and fractions; equal parts are one object, so that each is read once."""
        return shared(lower(self._functions.expand(expr)))

    def _scope(self, expr: Expr) -> _Scope:
        names = free_names(expr)
        ends = {name: _ANY if name in self._signed else _NATURAL for name in names}
        return _Scope({name: this(self.variable(name)) for name in names}, Bounder(ends, self._functions))

    def _new(self, signed: bool = False) -> Variable:
        return Variable(f"_{next(self._numbers)}", signed)

    # -- conditions -----------------------------------------------------------------------------------------

    def _condition(self, expr: Expr, scope: _Scope) -> Sentence:
        match expr:
            case Bool(value=value):
                return Truth(value)
            case syntax.Not(operand=operand):
                return negation(self._condition(operand, scope))
            case syntax.Logic(op=op, terms=terms):
                return (all_of if op == "and" else any_of)(*(self._condition(term, scope) for term in terms))
            case If():
                return choice(*(self._condition(part, scope) for part in expr.children))
            case Compare(links=links):
                return all_of(*(self._link(op, a, b, scope) for op, a, b in links))
            case Call(arguments=(argument,)):
                variable, number = self._variable(argument, scope)
                return number.within(all_of(natural(this(variable)), Power(variable)))
            case Accepts(automaton=automaton, arguments=arguments):
                found = [self._variable(argument, scope) for argument in arguments]
                each = (natural(this(variable)) for variable, _ in found)
                sentence = all_of(*each, Member(automaton, tuple(variable for variable, _ in found)))
                for _, number in reversed(found):
                    sentence = number.within(sentence)
                return sentence
            case Bounded(quantifier=quantifier, body=body):
                try:
                    return self._quantified(expr, scope, lambda inner: self._condition(body, inner))
                except OutsideFragment as error:
                    start, inners = self._written_out(expr, scope, error)
                    each = (self._condition(body, inner) for inner in inners)
                    return start.within((any_of if quantifier == "any" else all_of)(*each))
        raise TypeError(f"not a condition: {expr!r}")

    def _link(self, op: str, left: Expr, right: Expr, scope: _Scope) -> Sentence:
        known = compared(op, left, right)
        if known is not None:
            return self._condition(known, scope)
        if op in (">", ">="):
            left, right = right, left
        a, b = self._number(left, scope), self._number(right, scope)
        if op in ("==", "!="):
            said = zero(a.form - b.form)
        else:
            said = natural(b.form - a.form - (op in ("<", ">")))
        return a.joined(a.form, b).within(negation(said) if op == "!=" else said)

    def _quantified(self, expr: Bounded, scope: _Scope, body: Callable[[_Scope], Sentence]) -> Sentence:
        """That ``body`` is so for some (any) or each (all) value of the variable in its range."""
        low, high = scope.ends(expr.start).low, scope.ends(expr.stop).high
        if high <= low:
            return Truth(expr.quantifier == "all")
        variable, form = self._counted(Interval(low, high - 1))
        inner = _Scope({**scope.forms, expr.variable: form}, scope.bounder.within(expr, low, high))
        start, stop = self._number(expr.start, scope), self._number(expr.stop, scope)
        inside = all_of(start.within(natural(form - start.form)), stop.within(natural(stop.form - form - 1)))
        said = body(inner)
        if expr.quantifier == "any":
            return exists((variable,), all_of(inside, said))
        return negation(exists((variable,), all_of(inside, negation(said))))

    def _written_out(
        self, expr: Bounded, scope: _Scope, error: OutsideFragment
    ) -> tuple[Number, list[_Scope]]:
        """The lower end, and the scopes of each value; if their number is not constant, the error is raised."""
        start, stop = self._number(expr.start, scope), self._number(expr.stop, scope)
        length = stop.form - start.form
        if length.terms:
            raise error
        if length.constant > MAX_TERMS:
            outside(expr, f"{expr.quantifier}() over more than {MAX_TERMS} values is not written out")
        ends = scope.ends(expr.start)
        inners = [
            _Scope(
                {**scope.forms, expr.variable: start.form + number},
                scope.bounder.within(expr, ends.low + number, ends.high + number + 1),
            )
            for number in range(length.constant)
        ]
        return start.joined(start.form, stop), inners

    # -- definedness ----------------------------------------------------------------------------------------

    def _defined(self, expr: Expr, scope: _Scope) -> Sentence:
        match expr:
            case syntax.Logic(op=op, terms=terms):
                return self._in_order(terms, op == "and", scope)
            case If(condition=condition, then=then, otherwise=otherwise):
                a, b = self._defined(then, scope), self._defined(otherwise, scope)
                test = TRUE if a == b else self._condition(condition, scope)
                return all_of(self._defined(condition, scope), choice(test, a, b))
            case Compare(ops=(_, _, *_)):  # a chain stops at the first link that is false
                return self._in_order([Compare((op,), (a, b)) for op, a, b in expr.links], True, scope)
            case Bounded(start=start, stop=stop):
                ends = (self._defined(part, scope) for part in (start, stop))
                return all_of(*ends, self._defined_throughout(expr, scope))
            case Call(name=name, arguments=(argument,)) if (
                row := BUILTINS.get(name)
            ) and row.least is not None:
                number = self._number(argument, scope)
                return all_of(self._defined(argument, scope), number.within(natural(number.form - row.least)))
        return all_of(*(self._defined(child, scope) for child in expr.children))

    def _in_order(self, terms: Sequence[Expr], go_on_if: bool, scope: _Scope) -> Sentence:
        """That each term has a value before which all have the truth value ``go_on_if``."""
        return _in_order(
            [(self._defined(term, scope), partial(self._condition, term, scope)) for term in terms], go_on_if
        )

    def _defined_throughout(self, expr: Bounded, scope: _Scope) -> Sentence:
        """That the body has a value wherever it is asked for one: any() and all() stop when they are decided."""
        if expr.quantifier == "sum":
            start, inners = self._written_out(expr, scope, OutsideFragment(_varying(expr)))
            return start.within(all_of(*(self._defined(expr.body, inner) for inner in inners)))

        def goes_on(inner: _Scope) -> Sentence:
            truth = self._condition(expr.body, inner)
            return negation(truth) if expr.quantifier == "any" else truth

        def reached(inner: _Scope) -> Sentence:
            """That the body has a value there, or an earlier value decides."""
            here = self._defined(expr.body, inner)
            if here == TRUE:
                return TRUE

            def decides(earlier: _Scope) -> Sentence:
                before = natural(inner.forms[expr.variable] - earlier.forms[expr.variable] - 1)
                return all_of(before, self._defined(expr.body, earlier), negation(goes_on(earlier)))

            return any_of(here, self._quantified(replace(expr, quantifier="any"), scope, decides))

        try:
            return self._quantified(replace(expr, quantifier="all"), scope, reached)
        except OutsideFragment as error:
            start, inners = self._written_out(expr, scope, error)
            parts = [(self._defined(expr.body, inner), partial(goes_on, inner)) for inner in inners]
            return start.within(_in_order(parts, True))

    # -- numbers --------------------------------------------------------------------------------------------

    def _number(self, expr: Expr, scope: _Scope) -> Number:
        """The number in the scope; the same variables for the same subterm."""
        if id(expr) not in scope.read:
            scope.read[id(expr)] = expr, self._newly_read(expr, scope)
        return scope.read[id(expr)][1]

    def _newly_read(self, expr: Expr, scope: _Scope) -> Number:
        match expr:
            case Int(value=value):
                return Number(Linear((), value))
            case Name(id=name):
                return Number(scope.forms[name])
            case Negate(operand=operand):
                inner = self._number(operand, scope)
                return inner.joined(-inner.form)
            case Binary(op="+" | "-" as op, left=left, right=right):
                a, b = self._number(left, scope), self._number(right, scope)
                return a.joined(a.form + b.form if op == "+" else a.form - b.form, b)
            case Binary(op="*"):
                return self._product(expr, scope)
            case Binary(op="//" | "%"):
                return self._divided(expr, scope)
            case Binary(op="<<" | ">>"):
                return self._shifted(expr, scope)
            case Binary():
                return self._digitwise(expr, scope)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self._condition(condition, scope)
                cases = [(test, self._number(then, scope)), (negation(test), self._number(otherwise, scope))]
                return self._cases(scope.ends(expr), cases)
            case Call():
                return self._called(expr, scope)
            case Bounded(body=body):
                start, inners = self._written_out(expr, scope, OutsideFragment(_varying(expr)))
                numbers = [self._alone(self._number(body, inner), inner.ends(body)) for inner in inners]
                total = start.joined(sum((number.form for number in numbers), start=Linear()), *numbers)
                return self._alone(total, scope.ends(expr))
        raise TypeError(f"not a number: {expr!r}")

    def _counted(self, ends: Interval) -> tuple[Variable, Linear]:
        """A new variable and a number between the ends: a natural one is counted from the end that is known."""
        if ends.low >= _LEAST:
            variable = self._new()
            return variable, this(variable) + min(ends.low, 0)
        variable = self._new(signed=ends.high > -_LEAST)
        return variable, this(variable) if variable.signed else -this(variable) + max(ends.high, 0)

    def _introduced(self, ends: Interval, meaning: Callable[[Linear], Sentence]) -> Number:
        """The number that the meaning is true of."""
        variable, form = self._counted(ends)
        return Number(form, ((variable, meaning(form)),))

    def _alone(self, number: Number, ends: Interval) -> Number:
        """As one new variable, whose meaning has the others in it: what is said of it is said without them."""
        if len(number.given) < 2:
            return number
        return self._introduced(ends, lambda form: number.within(zero(number.form - form)))

    def _cases(self, ends: Interval, cases: Sequence[tuple[Sentence, Number]]) -> Number:
        """The number whose condition is true; one is."""
        return self._introduced(
            ends,
            lambda form: any_of(
                *(all_of(test, number.within(zero(number.form - form))) for test, number in cases)
            ),
        )

    def _product(self, expr: Binary, scope: _Scope) -> Number:
        sides = [(expr.left, expr.right), (expr.right, expr.left)]
        for few, many in sides:
            factor = self._number(few, scope)
            if not factor.form.terms:
                number = self._number(many, scope)
                return factor.joined(number.form * factor.form.constant, number)
        for few, many in sides:
            ends = scope.ends(few)
            if ends.width <= MAX_FACTORS:
                factor, number = self._number(few, scope), self._number(many, scope)
                cases = [
                    (zero(factor.form - value), Number(number.form * value))
                    for value in range(ends.low, ends.high + 1)
                ]
                found = self._cases(scope.ends(expr), cases)
                return factor.joined(found.form, number, found)
        outside(expr, "a product of two variables is not expressible")

    def _divided(self, expr: Binary, scope: _Scope) -> Number:
        known = remainders(expr)
        if known is not None:
            rests = [
                (self._condition(case, scope), Number(Linear((), rest))) for rest, case in enumerate(known)
            ]
            return self._cases(Interval(0, len(rests) - 1), rests)
        what = "division" if expr.op == "//" else "remainder of a division"
        number, divisor = self._number(expr.left, scope), self._number(expr.right, scope).form
        if divisor.terms:
            outside(expr, f"a {what} by a variable is not expressible")
        if divisor.constant == 0:
            outside(expr, f"a {what} by zero has no value")
        by, ends = abs(divisor.constant), scope.ends(expr.left)
        if divisor.constant < 0:  # a // -d = -a // d, and a % -d = -(-a % d)
            number, ends = number.joined(-number.form), Interval(-ends.high, -ends.low)
        if not number.form.terms:
            value = number.form.constant
            return Number(
                Linear((), value // by if expr.op == "//" else value % by * (divisor.constant // by))
            )
        if expr.op == "//":
            return self._quotient(number, by, ends)
        # -x leaves the same remainder as (by - 1)*x
        terms = tuple((variable, factor % by) for variable, factor in number.form.terms if factor % by)
        reduced = Linear(terms, number.form.constant % by)
        rest, whole = self._new(), self._new(signed=any(variable.signed for variable, _ in terms))
        same = zero(reduced - this(whole) * by - this(rest))
        meaning = all_of(natural(-this(rest) + (by - 1)), exists((whole,), same))
        return number.joined(this(rest) * (divisor.constant // by), Number(this(rest), ((rest, meaning),)))

    def _quotient(self, number: Number, by: int, ends: Interval) -> Number:
        if by == 1:
            return number
        rest = self._new()

        def divides(form: Linear) -> Sentence:
            same = zero(number.form - form * by - this(rest))
            return exists((rest,), all_of(natural(-this(rest) + (by - 1)), same))

        low, high = (end if abs(end) > -_LEAST else end // by for end in (ends.low, ends.high))
        found = self._introduced(Interval(low, high), divides)
        return number.joined(found.form, found)

    def _shifted(self, expr: Binary, scope: _Scope) -> Number:
        number, exponent, extra = self._number(expr.left, scope), expr.right, 0
        if isinstance(exponent, Binary) and exponent.op == "+" and isinstance(exponent.right, Int):
            extra, exponent = exponent.right.value, exponent.left
        if isinstance(exponent, Call) and exponent.name == "floor_log2":
            if expr.op == "<<" and not number.form.terms and extra >= 0:
                return self._highest_power(exponent.arguments[0], number.form.constant << extra, scope)
            if not is_closed(exponent, self._functions):
                outside(expr, "a shift by a logarithm is not expressible, but c << floor_log2(n) is")
        shift = self._number(expr.right, scope).form
        if shift.terms:
            outside(expr, "a shift by a variable is not expressible")
        if not 0 <= shift.constant <= plain.MAX_SHIFT:
            outside(expr, f"a shift by {shift.constant} has no value")
        power = 1 << shift.constant
        if expr.op == "<<":
            return number.joined(number.form * power)
        return self._quotient(number, power, scope.ends(expr.left))

    def _highest_power(self, expr: Expr, times: int, scope: _Scope) -> Number:
        """times * the highest power of two that is no more than the number."""
        number, power = self._number(expr, scope), self._new()
        meaning = all_of(
            Power(power), natural(number.form - this(power)), natural(this(power) * 2 - number.form - 1)
        )
        return number.joined(this(power) * times, Number(this(power), ((power, meaning),)))

    def _digitwise(self, expr: Binary, scope: _Scope) -> Number:
        (a, left), (b, right) = self._variable(expr.left, scope), self._variable(expr.right, scope)
        result = self._new(signed=scope.ends(expr).low < 0)
        found = Number(this(result), ((result, Digitwise(expr.op, a, b, result)),))
        return left.joined(found.form, right, found)

    def _variable(self, expr: Expr, scope: _Scope) -> tuple[Variable, Number]:
        """The number as one variable, so that its digits can be spoken of."""
        number = self._number(expr, scope)
        if number.form.single is not None:
            return number.form.single, number
        variable = self._new(signed=scope.ends(expr).low < 0)
        found = Number(this(variable), ((variable, zero(number.form - this(variable))),))
        return variable, number.joined(found.form, found)

    def _called(self, expr: Call, scope: _Scope) -> Number:
        if is_closed(expr, self._functions):
            try:
                return Number(Linear((), closed_value(expr, self._functions)))
            except EvaluationError as error:
                outside(expr, error.message)
        row = BUILTINS.get(expr.name)
        if row and row.expansion:
            return self._number(_expanded(row.expansion, expr.arguments), scope)
        for argument in expr.arguments:  # what is outside in it is told first
            self._number(argument, scope)
        if row:
            outside(expr, row.unspoken or "it is not expressible")
        function = self._functions[expr.name]
        if isinstance(function, Function):
            outside(expr, "a recurrence is not expressible")
        outside(expr, f"it is {function.what}")


def _expanded(meaning: str, arguments: Sequence[Expr]) -> Expr:
    """What a built-in function means, of two or more arguments from left to right."""
    expansion = parse(meaning)
    if len(arguments) == 1:
        return substitute(expansion, {"a": arguments[0]})
    return reduce(lambda a, b: substitute(expansion, {"a": a, "b": b}), arguments)


def _varying(expr: Bounded) -> str:
    return f"{expr}: sum() over a varying number of values is not expressible"


def _in_order(parts: Sequence[tuple[Sentence, Callable[[], Sentence]]], go_on_if: bool) -> Sentence:
    """That each part is defined whose predecessors all are and have the truth value ``go_on_if``.

    parts: that a part is defined, and a function for that it is true.
    """
    sentence: Sentence = TRUE
    for defined, truth in reversed(parts):
        if sentence != TRUE:
            stops = truth() if not go_on_if else negation(truth())
            sentence = any_of(stops, sentence)
        sentence = all_of(defined, sentence)
    return sentence


__all__ = ["FALSE", "Lowering", "OutsideFragment"]
