"""The lowering of conditions to sentences of logic, which are true exactly where the condition is.

Sentences express addition, order, the digitwise operations and powers of two of integers, with quantifiers (Büchi
1960). They do not express the limits of evaluation (no shifts by more than 4096, no ranges of more than a million
values), so they are also true or false beyond these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial

from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.counting import count_comparison
from grundylab.language.intervals import Interval
from grundylab.language.substitution import lower
from grundylab.language.syntax import Accepts, Bool, Bounded, Call, Compare, Expr, If, Kind
from grundylab.logic import fragment as outside
from grundylab.logic.fragment import OutsideFragment, varying_sum
from grundylab.logic.numbers import NumberReader, NumberScope
from grundylab.logic.sentence import (
    TRUE,
    ConditionAtom,
    Conjunction,
    Definition,
    DefinitionUse,
    Disjunction,
    Exists,
    Membership,
    Negation,
    Power,
    Sentence,
    TruthValue,
    all_of,
    any_of,
    choice,
    exists,
    form_is_natural,
    form_is_zero,
    negation,
    variable_form,
)


class Lowering(NumberReader):
    """A translator of expressions into sentences, for one script of a prover."""

    @cached_property
    def _definitions(self) -> dict[int, tuple[Definition, Definition]]:
        """The definitions that were lowered, by the ``id`` of the original, which is kept beside the result."""
        return {}

    def condition(self, expr: Expr) -> Sentence:
        """Return the sentence that the condition is true. It is correct only where the condition has a value."""
        inner = self._inner(expr)
        return self.condition_in(inner, self.scope(inner))

    def sentence(self, sentence: Sentence) -> Sentence:
        """Return the sentence with its atoms, which are conditions of the formula language, lowered."""
        match sentence:
            case ConditionAtom(condition=condition):
                return self.condition(condition)
            case Negation(sentence=inner):
                return negation(self.sentence(inner))
            case Conjunction(parts=parts):
                return all_of(*map(self.sentence, parts))
            case Disjunction(parts=parts):
                return any_of(*map(self.sentence, parts))
            case Exists(variables=variables, sentence=inner):
                return exists(variables, self.sentence(inner))
            case DefinitionUse(definition=definition, arguments=arguments):
                if id(definition) not in self._definitions:
                    lowered = replace(definition, sentence=self.sentence(definition.sentence))
                    self._definitions[id(definition)] = definition, lowered
                return DefinitionUse(self._definitions[id(definition)][1], arguments)
        return sentence

    def defined(self, expr: Expr) -> Sentence:
        """Return the sentence that the expression has a value."""
        inner = self._inner(expr)
        return self._defined(inner, self.scope(inner))

    def equals(self, name: str, expr: Expr) -> Sentence:
        """Return the sentence that the expression has a value, and that the variable ``name`` is equal to it."""
        inner = self._inner(expr)
        scope = self.scope(inner)
        number = self.number(inner, scope)
        same = number.within(form_is_zero(number.form - variable_form(self.variable(name))))
        return all_of(self._defined(inner, scope), same)

    def _inner(self, expr: Expr) -> Expr:
        """Return the expression without fractions, and with all functions expanded except recurrences."""
        return lower(self._functions.expand(expr))

    # -- conditions -----------------------------------------------------------------------------------------

    def condition_in(self, expr: Expr, scope: NumberScope) -> Sentence:
        """Return the sentence that a lowered condition is true. It is correct only where the condition has a value.

        scope: what the names in the condition stand for.
        """
        match expr:
            case Bool(value=value):
                return TruthValue(value)
            case syntax.Not(operand=operand):
                return negation(self.condition_in(operand, scope))
            case syntax.Logic(op=op, terms=terms):
                return (all_of if op == "and" else any_of)(
                    *(self.condition_in(term, scope) for term in terms)
                )
            case If():
                return choice(*(self.condition_in(part, scope) for part in expr.children))
            case Compare(links=links):
                return all_of(*(self._link(op, a, b, scope) for op, a, b in links))
            case Call(name="is_power_of_two", arguments=(argument,)):
                outside.check_binary_system(expr, "is_power_of_two()", self._system)
                variable, number = self.as_variable(argument, scope)
                return number.within(all_of(form_is_natural(variable_form(variable)), Power(variable)))
            case Call():
                raise outside.call_outside(expr, self._functions)
            case Accepts(automaton=automaton, arguments=arguments):
                outside.check_same_system(expr, automaton.system, self._system)
                numbers = [self.as_variable(argument, scope) for argument in arguments]
                natural = (form_is_natural(variable_form(variable)) for variable, _ in numbers)
                sentence = all_of(*natural, Membership(automaton, tuple(variable for variable, _ in numbers)))
                for _, number in reversed(numbers):
                    sentence = number.within(sentence)
                return sentence
            case Bounded(quantifier=quantifier, body=body):
                try:
                    return self._quantified(expr, scope, lambda inner: self.condition_in(body, inner))
                except OutsideFragment as error:
                    start, inners = self.written_out(expr, scope, error)
                    each = (self.condition_in(body, inner) for inner in inners)
                    return start.within((any_of if quantifier == "any" else all_of)(*each))
        raise TypeError(f"not a condition: {expr!r}")

    def _link(self, op: str, left: Expr, right: Expr, scope: NumberScope) -> Sentence:
        meaning = count_comparison(op, left, right)
        if meaning is not None:
            return self.condition_in(meaning, scope)
        number, said = self.related(op, left, right, scope)
        return number.within(said)

    def _quantified(
        self, expr: Bounded, scope: NumberScope, body: Callable[[NumberScope], Sentence]
    ) -> Sentence:
        """Return the sentence that ``body`` holds for some (any) or each (all) value of the variable in its range.

        body: returns its sentence for a scope in which the variable has a meaning.
        """
        low, high = scope.ends(expr.start).low, scope.ends(expr.stop).high
        if high <= low:
            return TruthValue(expr.quantifier == "all")
        variable, form = self.counted(Interval(low, high - 1))
        inner = NumberScope({**scope.forms, expr.variable: form}, scope.bounder.within(expr, low, high))
        start, stop = self.number(expr.start, scope), self.number(expr.stop, scope)
        inside = all_of(
            start.within(form_is_natural(form - start.form)),
            stop.within(form_is_natural(stop.form - form - 1)),
        )
        said = body(inner)
        if expr.quantifier == "any":
            return exists((variable,), all_of(inside, said))
        return negation(exists((variable,), all_of(inside, negation(said))))

    # -- definedness ----------------------------------------------------------------------------------------

    def _defined(self, expr: Expr, scope: NumberScope) -> Sentence:
        match expr:
            case syntax.Logic(op=op, terms=terms):
                return self._in_order(terms, op == "and", scope)
            case If(condition=condition, then=then, otherwise=otherwise):
                a, b = self._defined(then, scope), self._defined(otherwise, scope)
                test = TRUE if a == b else self.condition_in(condition, scope)
                return all_of(self._defined(condition, scope), choice(test, a, b))
            case Compare(ops=(_, _, *_)):  # a chain stops at the first link that is false
                return self._in_order([Compare((op,), (a, b)) for op, a, b in expr.links], True, scope)
            case Bounded(start=start, stop=stop):
                ends = (self._defined(part, scope) for part in (start, stop))
                return all_of(*ends, self._defined_throughout(expr, scope))
            case Call(name=name, arguments=(argument,)) if (
                row := BUILTINS.get(name)
            ) and row.least is not None:
                outside.refuse_root(expr, self._system)
                number = self.number(argument, scope)
                return all_of(
                    self._defined(argument, scope), number.within(form_is_natural(number.form - row.least))
                )
        return all_of(*(self._defined(child, scope) for child in expr.children))

    def _in_order(self, terms: Sequence[Expr], go_on_if: bool, scope: NumberScope) -> Sentence:
        """Return the sentence that all terms that are evaluated have a value, as the function ``_in_order`` does."""
        return _in_order(
            [(self._defined(term, scope), partial(self.condition_in, term, scope)) for term in terms],
            go_on_if,
        )

    def _defined_throughout(self, expr: Bounded, scope: NumberScope) -> Sentence:
        """Return the sentence that the body has a value wherever it is evaluated.

        Evaluation of any() and all() stops at the first value of the variable that decides the result.
        """
        if expr.kind is Kind.NUMBER:
            start, inners = self.written_out(expr, scope, varying_sum(expr))
            return start.within(all_of(*(self._defined(expr.body, inner) for inner in inners)))

        def goes_on(inner: NumberScope) -> Sentence:
            truth = self.condition_in(expr.body, inner)
            return negation(truth) if expr.quantifier == "any" else truth

        def reached(inner: NumberScope) -> Sentence:
            """Return the sentence that the body has a value here, or that an earlier value of the variable decides."""
            here = self._defined(expr.body, inner)
            if here == TRUE:
                return TRUE

            def decides(earlier: NumberScope) -> Sentence:
                before = form_is_natural(inner.forms[expr.variable] - earlier.forms[expr.variable] - 1)
                return all_of(before, self._defined(expr.body, earlier), negation(goes_on(earlier)))

            return any_of(here, self._quantified(replace(expr, quantifier="any"), scope, decides))

        try:
            return self._quantified(replace(expr, quantifier="all"), scope, reached)
        except OutsideFragment as error:
            start, inners = self.written_out(expr, scope, error)
            parts = [(self._defined(expr.body, inner), partial(goes_on, inner)) for inner in inners]
            return start.within(_in_order(parts, True))


def _in_order(parts: Sequence[tuple[Sentence, Callable[[], Sentence]]], go_on_if: bool) -> Sentence:
    """Return the sentence that all parts that are evaluated have a value.

    Evaluation goes from left to right and stops at the first part whose truth value is not ``go_on_if``. parts: for
    each part the sentence that it has a value, and a function that returns the sentence that it is true.
    """
    sentence: Sentence = TRUE
    for defined, truth in reversed(parts):
        if sentence != TRUE:
            stops = truth() if not go_on_if else negation(truth())
            sentence = any_of(stops, sentence)
        sentence = all_of(defined, sentence)
    return sentence
