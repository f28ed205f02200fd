"""The logic reader: an expression as WS1S text for MONA, true exactly where the plain reader says True.

WS1S, the weak monadic second-order theory of one successor, is decidable (Büchi 1960). What it can say of natural
numbers, as the sets of the positions of their binary digits, is addition, order, nim-sum and powers of two, with
quantifiers. An expression outside that, such as a product of two variables, raises OutsideFragment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeGuard

from grundylab.language import syntax
from grundylab.language.lowering import lower
from grundylab.language.sharing import shared
from grundylab.language.syntax import (
    BUILTINS,
    Accepts,
    Bool,
    Bounded,
    Call,
    Compare,
    Expr,
    If,
    Int,
    Not,
)
from grundylab.logic.ws1s.linear import Atom, Linear, Scope, linear
from grundylab.logic.ws1s.numbers import Environment, Numbers, OutsideFragment, Value
from grundylab.logic.ws1s.text import FALSE, TRUE, all_of, any_of, choice, negation

__all__ = ["Logic", "OutsideFragment"]

_MAX_CASES = 8  # pairs of cases that a comparison of two numbers is split into
_SMALL = 8  # size of an expression that may be written twice

_MIRRORED = {"==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class Logic(Numbers):
    """One reader; it collects which predicates of the library are used.

    functions: those of the ruleset. signed: the free names that may be negative; the others are natural numbers.
    The limits of the plain reader (shifts by more than 4096, ranges of more than a million) are not in its
    formulas. The same call always gives the same text.
    """

    def condition(self, expr: Expr) -> str:
        """The formula that is true exactly where the condition has the value True, if it has one there."""
        self.write.restart()
        return self.read_condition(shared(lower(expr)), {})

    def defined(self, expr: Expr) -> str:
        """The formula that is true where the expression has a value; ``true`` if it always has."""
        self.write.restart()
        return self._defined(lower(expr), {})

    def equals(self, name: str, expr: Expr) -> str:
        """That the natural variable ``name`` is the value of the number; false where it has none."""
        self.write.restart()
        expr, wanted = lower(expr), linear(Atom(f"v_{name}"))
        same = self.over(self.value(expr, {}), lambda form: self.write.zero(form - wanted))
        return all_of(self._defined(expr, {}), same)

    def prelude(self) -> str:
        """The definitions of the predicates used so far, with comments."""
        return self.write.prelude()

    # -- conditions --------------------------------------------------------------------------------

    def read_condition(self, expr: Expr, env: Environment) -> str:
        """The formula of a condition whose bound variables stand for the forms in env."""
        match expr:
            case Bool(value=truth):
                return TRUE if truth else FALSE
            case Not(operand=operand):
                return negation(self.read_condition(operand, env))
            case syntax.Logic(op=op, terms=terms):
                connective = all_of if op == "and" else any_of
                return connective(*(self.read_condition(term, env) for term in terms))
            case Compare(links=links):
                return all_of(*(self._compare(op, a, b, env) for op, a, b in links))
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self.read_condition(condition, env)
                a, b = self.read_condition(then, env), self.read_condition(otherwise, env)
                return choice(test, a, b, self.write.fresh("s"))
            case Call(arguments=(argument,)):
                scope = Scope()
                form = self.number(argument, env, scope)
                return scope.around(self.write.is_power_of_two(form))
            case Accepts(automaton=automaton, arguments=arguments):
                scope = Scope()
                atoms = [self.write.digits(self.number(part, env, scope), scope) for part in arguments]
                natural = (negation(atom.sign) for atom in atoms)
                read = self.write.accepts(automaton, [atom.digits for atom in atoms])
                return scope.around(all_of(*natural, read))
            case Bounded(quantifier=quantifier, body=body):
                try:
                    return self._quantified(expr, env, lambda inner: self.read_condition(body, inner))
                except OutsideFragment as error:
                    scope = Scope()
                    inners = self._written_out(expr, env, scope, error)
                    each = [self.read_condition(body, inner) for inner in inners]
                    return scope.around((any_of if quantifier == "any" else all_of)(*each))
        raise TypeError(f"not a condition: {expr!r}")

    def _quantified(self, expr: Bounded, env: Environment, body: Callable[[Environment], str]) -> str:
        """That ``body`` holds for some (any) or each (all) value of the variable in its range."""
        scope = Scope()  # not written: each end is computed where it is compared with
        low, high = self.number(expr.start, env, scope).low, self.number(expr.stop, env, scope).high
        if low is not None and high is not None and high <= low:
            return FALSE if expr.quantifier == "any" else TRUE
        name = self.write.fresh("b")
        variables = [f"2 {name}"]
        if low is None:
            value = bounded = linear(Atom(name, f"{name}s", None, None))
            variables = [f"0 {name}s", *variables]
        else:  # counted from 0, or from the lower end if that is negative
            base = min(low, 0)
            value = linear(Atom(name)) + base
            bounded = linear(Atom(name, FALSE, low - base, None if high is None else high - 1 - base)) + base
        ends = ((">=", expr.start), ("<", expr.stop))
        inside = all_of(*(self._end(op, value, end, env) for op, end in ends))
        truth = body({**env, expr.variable: bounded})
        word, wrong = ("ex", FALSE) if expr.quantifier == "any" else ("all", TRUE)
        if truth == wrong or inside == FALSE:
            return wrong
        truth = all_of(inside, truth) if expr.quantifier == "any" else any_of(negation(inside), truth)
        return f"({': '.join(word + variable for variable in variables)}: {truth})"

    def _end(self, op: str, value: Linear, end: Expr, env: Environment) -> str:
        scope = Scope()
        form = self.number(end, env, scope)
        return scope.around(self._linked(op, value, form))

    def _written_out(
        self, expr: Bounded, env: Environment, scope: Scope, error: OutsideFragment
    ) -> list[Environment]:
        """The environments of each value; if their number is not constant, what was outside before still is."""
        try:
            return self.each(expr, env, scope)
        except OutsideFragment:
            raise error from None

    # -- comparisons -------------------------------------------------------------------------------

    def _compare(self, op: str, left: Expr, right: Expr, env: Environment) -> str:
        if op == "!=":
            return negation(self._compare("==", left, right, env))
        if _is_extreme(right) and not _is_extreme(left):
            left, right, op = right, left, _MIRRORED[op]
        if op != "==" and _is_extreme(left) and right.size <= _SMALL:
            each = [self._compare(op, argument, right, env) for argument in left.children]
            return (all_of if (left.name == "max") == (op in ("<", "<=")) else any_of)(*each)
        a, b = self.value(left, env), self.value(right, env)
        sizes = [len(list(value.leaves)) for value in (a, b)]
        if sizes[0] * sizes[1] > _MAX_CASES:
            a, b = (self.joined(a), b) if sizes[0] > sizes[1] else (a, self.joined(b))
        if b.cases is None:  # its scope then need not be written in each case of the other
            return self.over_values(b, lambda y: self.over_values(a, lambda x: self._compared(op, x, y)))
        return self.over_values(a, lambda x: self.over_values(b, lambda y: self._compared(op, x, y)))

    def _compared(self, op: str, a: Value, b: Value) -> str:
        """The comparison of two values without cases, in whose scopes this is."""
        scope = Scope()
        if op == "==" and (a.nim or b.nim):
            atoms = (*self.atoms(a, scope), *self.atoms(b, scope))
            return scope.around(self.write.nim_zero(atoms))
        left, right = self.form(a, scope), self.form(b, scope)
        return scope.around(self._linked(op, left, right))

    def _linked(self, op: str, left: Linear, right: Linear) -> str:
        match op:
            case "==":
                return self.write.zero(left - right)
            case "<=" | "<":
                left, right = right, left
        return self.write.at_least_zero(left - right - (op in ("<", ">")))

    # -- definedness -------------------------------------------------------------------------------

    def _defined(self, expr: Expr, env: Environment) -> str:
        match expr:
            case syntax.Logic(op=op, terms=terms):
                parts = [
                    (self._defined(term, env), partial(self.read_condition, term, env)) for term in terms
                ]
                return _in_order(parts, op == "and")
            case If(condition=condition, then=then, otherwise=otherwise):
                a, b = self._defined(then, env), self._defined(otherwise, env)
                test = TRUE if a == b else self.read_condition(condition, env)
                return all_of(self._defined(condition, env), choice(test, a, b, self.write.fresh("s")))
            case Compare(ops=(_, _, *_)):  # a chain stops at the first link that is false
                links = [syntax.Compare((op,), (a, b)) for op, a, b in expr.links]
                each = [(self._defined(link, env), partial(self.read_condition, link, env)) for link in links]
                return _in_order(each, True)
            case Bounded(start=start, stop=stop):
                ends = (self._defined(part, env) for part in (start, stop))
                return all_of(*ends, self._defined_throughout(expr, env))
        inside = [self._defined(child, env) for child in expr.children]
        if isinstance(expr, Call) and expr.name not in BUILTINS:
            scope, body, inner = self.call(expr, env)
            inside.append(scope.around(self._defined(body, inner)))
        elif isinstance(expr, Call) and expr.name == "floor_log2":
            inside.append(self._compare(">=", expr.arguments[0], Int(1), env))
        return all_of(*inside)

    def _defined_throughout(self, expr: Bounded, env: Environment) -> str:
        """That the body has a value wherever it is asked for one: any() and all() stop when they are decided."""
        if expr.quantifier == "sum":
            scope = Scope()
            inners = self.each(expr, env, scope)
            return scope.around(all_of(*(self._defined(expr.body, inner) for inner in inners)))

        def goes_on(inner: Environment) -> str:
            truth = self.read_condition(expr.body, inner)
            return negation(truth) if expr.quantifier == "any" else truth

        def reached(inner: Environment) -> str:
            """That the body has a value there, or an earlier value decides."""
            here = self._defined(expr.body, inner)
            if here == TRUE:
                return TRUE
            value = inner[expr.variable]
            decides = self._quantified(
                replace(expr, quantifier="any"),
                env,
                lambda earlier: all_of(
                    self._linked("<", earlier[expr.variable], value),
                    self._defined(expr.body, earlier),
                    negation(goes_on(earlier)),
                ),
            )
            return any_of(here, decides)

        try:
            return self._quantified(replace(expr, quantifier="all"), env, reached)
        except OutsideFragment as error:
            scope = Scope()
            inners = self._written_out(expr, env, scope, error)
            parts = [(self._defined(expr.body, inner), partial(goes_on, inner)) for inner in inners]
            return scope.around(_in_order(parts, True))


def _is_extreme(expr: Expr) -> TypeGuard[Call]:
    return isinstance(expr, Call) and expr.name in ("min", "max")


def _in_order(parts: Sequence[tuple[str, Callable[[], str]]], go_on_if: bool) -> str:
    """That each part is defined whose predecessors all are and have the truth value ``go_on_if``.

    parts: the formula that a part is defined, and a function for the one that it is true.
    """
    formula = TRUE
    for defined, truth in reversed(parts):
        if formula != TRUE:
            stops = truth() if not go_on_if else negation(truth())
            formula = any_of(stops, formula)
        formula = all_of(defined, formula)
    return formula
