"""Expressions as terms of the development in Coq (``coq/Language.v``), which defines their meaning.

They are printed as they stand where Coq can express them. Functions of the ruleset are expanded, fractions cleared, and
sums and products over few values written out. Code that is proved correct in Coq decides whether a condition is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import count

from grundylab.automata.digits import DEAD, DigitAutomaton
from grundylab.automata.systems import BINARY
from grundylab.language.builtins import BUILTINS
from grundylab.language.counting import count_comparison, count_remainders
from grundylab.language.functions import NO_FUNCTIONS, Functions
from grundylab.language.intervals import NATURAL, Bounder, Interval
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import is_closed
from grundylab.language.substitution import lower, substitute
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
    Kind,
    Logic,
    Name,
    Negate,
    Not,
    by_cases,
    chain,
    compare,
    free_names,
)
from grundylab.logic import fragment as outside
from grundylab.logic.atoms import is_log

_COMPARE = {"==": "{a} == {b}", "!=": "~ ({a} == {b})", "<": "{a} < {b}", "<=": "{a} <= {b}",
            ">": "{b} < {a}", ">=": "{b} <= {a}"}  # fmt: skip


def coq_string(text: str) -> str:
    """Return the text as a string literal of Coq."""
    return f'"{text}"'


class CoqPrinter:
    """A printer of expressions as Coq terms. functions: those of the ruleset.

    Raises OutsideFragment for an expression that cannot be written.
    """

    def __init__(self, functions: Functions = NO_FUNCTIONS) -> None:
        self._functions, self._numbers = functions, count(1)

    def term(self, expr: Expr) -> str:
        """Return the term of a number or condition, without parentheses around it."""
        text = self._write(lower(self._functions.expand(expr)))
        return text[1:-1] if text.startswith("(") and not text.startswith("(Num") else text

    def _write(self, expr: Expr) -> str:
        return self._condition(expr) if expr.kind is Kind.CONDITION else self._number(expr)

    def _number(self, expr: Expr) -> str:
        write = self._number
        match expr:
            case Int(value=value):
                return str(value) if value >= 0 else f"(Num ({value}))"
            case Name(id=name):
                return coq_string(name)
            case Negate(operand=operand):
                return f"(- {write(operand)})"
            case Binary(op=op, left=left, right=right) if template := OPERATORS[op].coq:
                return template.format(a=write(left), b=write(right))
            case Binary(op="*"):
                return self._product(expr)
            case Binary(op="//" | "%"):
                return self._division(expr)
            case Binary(op="<<" | ">>"):
                return self._shift(expr)
            case Binary(op=op):
                raise outside.outside_fragment(expr, f"'{op}' is not written for Coq")
            case If():
                return f"(If {' '.join(map(self._write, expr.children))})"
            case Call():
                return self._call(expr)
            case Bounded(quantifier="nim_sum"):
                raise outside.nim_sum_outside(expr)
            case Bounded(variable=name, start=start, stop=stop, body=body):
                low, high = self._constant(start), self._constant(stop)
                if low is None or high is None:
                    raise outside.varying_sum(expr)
                values = outside.constant_range(expr, high - low)
                return write(chain("+", [Int(0), *(substitute(body, {name: low + k}) for k in values)]))
        raise TypeError(f"not a number: {expr!r}")

    def _constant(self, expr: Expr) -> int | None:
        """Return the value of an expression that depends on no name; None for any other."""
        return outside.constant_value(expr, self._functions) if is_closed(expr, self._functions) else None

    def _ends(self, expr: Expr) -> Interval | None:
        """Return bounds on the expression's value for natural values of all names; None if unknown."""
        return Bounder(dict.fromkeys(free_names(expr), NATURAL), self._functions).known(expr)

    def _product(self, expr: Binary) -> str:
        sides = [(expr.left, expr.right), (expr.right, expr.left)]
        for few, many in sides:
            factor = self._constant(few)
            if factor is not None:
                return f"({_coefficient(factor)} * {self._number(many)})"
        for few, many in sides:
            ends = self._ends(few)
            if ends is not None and ends.width <= outside.MAX_FACTORS:
                values = range(ends.low, ends.high + 1)
                cases = [(compare("==", few, Int(value)), Binary("*", Int(value), many)) for value in values]
                return self._number(by_cases(cases[:-1], cases[-1][1]))
        raise outside.outside_fragment(expr, "a product of two variables is not expressible")

    def _shift(self, expr: Binary) -> str:
        exponent, more = expr.right, 0
        if isinstance(exponent, Binary) and exponent.op == "+" and isinstance(exponent.right, Int):
            more, exponent = exponent.right.value, exponent.left
        factor = self._constant(expr.left)
        if expr.op == "<<" and is_log(exponent) and factor is not None and more >= 0:
            return f"({_coefficient(factor << more)} * (Top {self._number(*exponent.children)}))"
        number, power = (
            self._number(expr.left),
            1 << outside.constant_operand(expr, self._constant(expr.right)),
        )
        return f"({power} * {number})" if expr.op == "<<" else f"({number} / {power})"

    def _division(self, expr: Binary) -> str:
        if remainders := count_remainders(expr):
            cases = [(case, Int(rest)) for rest, case in enumerate(remainders[:-1])]
            return self._number(by_cases(cases, Int(len(remainders) - 1)))
        by = outside.constant_operand(expr, self._constant(expr.right))
        if by < 0:
            raise outside.outside_fragment(expr, "a division by a negative number is not written for Coq")
        return f"({self._number(expr.left)} {'/' if expr.op == '//' else 'mod'} {by})"

    def _call(self, expr: Call) -> str:
        row = BUILTINS.get(expr.name)
        if row is None or not row.coq:
            value = self._constant(expr)
            if value is None:
                outside.root_in_system(expr, BINARY)
                raise outside.call_outside(expr, self._functions)
            return self._number(Int(value))
        head, *rest = map(self._number, expr.arguments)
        one = head if rest else f"({row.coq} {head})"
        return reduce(lambda done, other: f"({row.coq} {done} {other})", rest, one)

    def _condition(self, expr: Expr) -> str:
        write = self._condition
        match expr:
            case Bool(value=value):
                return "true" if value else "false"
            case Not(operand=operand):
                return f"(~ {write(operand)})"
            case Logic(op=op, terms=terms):
                return _balanced(" && " if op == "and" else " || ", [*map(write, terms)])
            case If():
                return f"(Cases {' '.join(map(write, expr.children))})"
            case Compare(ops=(op,), terms=(left, right)):
                meaning = count_comparison(op, left, right)
                if meaning is not None:
                    return write(meaning)
                return f"({_COMPARE[op].format(a=self._number(left), b=self._number(right))})"
            case Accepts(automaton=automaton, arguments=arguments):
                outside.check_binary_automaton(expr, automaton.system)
                return self._accepts(automaton, arguments)
            case Bounded(quantifier=quantifier, variable=name, start=start, stop=stop, body=body):
                if (ends := self._ends(start)) is None or ends.low < 0:
                    raise outside.outside_fragment(
                        expr, "its range may begin below 0, which is not written for Coq"
                    )
                head = "Any" if quantifier == "any" else "All"
                more = isinstance(stop, Binary) and (stop.op, stop.right) == ("+", Int(1))
                last = stop.children[0] if more else Binary("-", stop, Int(1))
                return f"({head} {coq_string(name)} {self._number(start)} {self._number(last)} {write(body)})"
            case Call():
                return self._call(expr)
        raise TypeError(f"not a condition: {expr!r}")

    def _accepts(self, automaton: DigitAutomaton, arguments: Iterable[Expr]) -> str:
        """Return the condition that the automaton accepts the arguments.

        Coq's automata read names only, so any other argument gets a new name: an ``Any`` ranges over its value only.
        """
        named = [(arg.id if isinstance(arg, Name) else f"_{next(self._numbers)}", arg) for arg in arguments]
        # states count from 1, and the number after the last one stands for DEAD
        dead = len(automaton.rows) + 1
        rows = list[str]()
        for row, accepts in zip(automaton.rows, automaton.accepting, strict=True):
            targets = "; ".join(str(dead if target == DEAD else target + 1) for target in row)
            rows.append(f"([{targets}]%positive, {str(bool(accepts)).lower()})")
        table = f"automaton {automaton.arity} [{'; '.join(rows)}]"
        text = f"(Accepts ({table}) [{'; '.join(coq_string(name) for name, _ in named)}])"
        for name, argument in reversed(named):
            if not isinstance(argument, Name):
                value = self._number(argument)
                text = f"(Any {coq_string(name)} {value} {value} {text})"
        return text


def _balanced(op: str, terms: Sequence[str]) -> str:
    """Join the terms by the operator as a balanced tree, because its automata stay small."""
    if len(terms) > 4:
        half = len(terms) // 2
        terms = [_balanced(op, terms[:half]), _balanced(op, terms[half:])]
    return f"({op.join(terms)})" if len(terms) > 1 else terms[0]


def _coefficient(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"
