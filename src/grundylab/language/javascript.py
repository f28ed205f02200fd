"""The JavaScript reader: writes expressions as JavaScript on BigInt, for a browser, with the plain reader's values.

The source is made from syntax trees alone, never from a user's text. The name ``x`` becomes the variable ``v_x``, a
function ``h`` the constant ``f_h``, a built-in function ``h`` the constant ``b_h``. Operations on which JavaScript and
the formula language differ are left to the runtime ``R`` (``report/assets/rules.js``). Where an expression has
no value, the runtime throws an ``R.NoValue`` with the message of the plain reader's error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from grundylab.automata.digits import DigitAutomaton
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Declared, Function, Functions, undefined_function_error
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr

_COMPARE = {"==": "===", "!=": "!=="}
_LOGIC = {"and": " && ", "or": " || "}
# '<' and '>' are escaped so that no text can end the enclosing script
_ESCAPED = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def javascript_literal(data: object) -> str:
    """Return data that JSON can hold as a JavaScript literal, in ASCII, safe also between ``<script>`` tags."""
    return json.dumps(data, ensure_ascii=True).translate(_ESCAPED)


def javascript_variable(name: str) -> str:
    """Return the JavaScript variable that stands for a name."""
    return f"v_{name}"


def bigint_literal(value: int) -> str:
    """Return a BigInt literal, in parentheses if negative."""
    return f"{value}n" if value >= 0 else f"({value}n)"


@dataclass
class Script:
    """A translator of expressions that collects the functions and automata they need, for ``definitions``."""

    functions: Functions
    automata: list[DigitAutomaton] = field(default_factory=list)
    _bodies: dict[str, str] = field(default_factory=dict)
    _built_in: list[str] = field(default_factory=list)

    def expression(self, expr: Expr) -> str:
        """Return the expression's source, whose value is a BigInt, or a boolean for a condition.

        The free name ``x`` is ``v_x`` there. Raises EvaluationError for a function that is only declared.
        """
        return self._write(lower(expr))

    @property
    def definitions(self) -> list[str]:
        """The statements to put before the expressions; the parameters' variables must be in scope there."""
        lines = [
            f"const a_{number} = "
            + javascript_literal(
                {
                    "rows": automaton.rows,
                    "accepting": automaton.accepting,
                    "arity": automaton.arity,
                    "recurrence": automaton.system.recurrence,
                    "begins": automaton.system.begins,
                }
            )
            + ";"
            for number, automaton in enumerate(self.automata)
        ]
        lines += [f"const b_{name} = {_built_in(name)};" for name in self._built_in]
        names = [function.name for function in self.functions if function.name in self._bodies]
        return lines + [f"const f_{name} = {self._bodies[name]};" for name in names]

    def _write(self, expr: Expr) -> str:
        write = self._write
        match expr:
            case syntax.Int(value=value):
                return bigint_literal(value)
            case syntax.Bool(value=truth):
                return "true" if truth else "false"
            case syntax.Name(id=name):
                return javascript_variable(name)
            case syntax.Negate(operand=operand):
                return f"(-{write(operand)})"
            case syntax.Not(operand=operand):
                return f"(!{write(operand)})"
            case syntax.Binary(op=op, left=left, right=right):
                row = OPERATORS[op]
                return (row.javascript or row.compiled).format(a=write(left), b=write(right))
            case syntax.Compare(ops=(op,), terms=(left, right)):
                return f"({write(left)} {_COMPARE.get(op, op)} {write(right)})"
            case syntax.Logic(op=connective, terms=terms):
                return "(" + _LOGIC[connective].join(map(write, terms)) + ")"
            case syntax.If(condition=condition, then=then, otherwise=otherwise):
                return f"({write(condition)} ? {write(then)} : {write(otherwise)})"
            case syntax.Call(name=name, arguments=arguments):
                return f"{self._callee(name)}({', '.join(map(write, arguments))})"
            case syntax.Accepts(automaton=automaton, arguments=arguments):
                if automaton not in self.automata:
                    self.automata.append(automaton)
                number = self.automata.index(automaton)
                return f"R.accepts(a_{number}, [{', '.join(map(write, arguments))}])"
            case syntax.Bounded(quantifier, bound, start, stop, body):
                span = f"{javascript_literal(bound)}, {write(start)}, {write(stop)}"
                return f"R.{quantifier}({span}, ({javascript_variable(bound)}) => {write(body)})"
        raise TypeError(f"not an expression: {expr!r}")

    def _callee(self, name: str) -> str:
        if name in BUILTINS:
            if name not in self._built_in:
                self._built_in.append(name)
            return f"b_{name}"
        if name in self._bodies:
            return f"f_{name}"
        self._bodies[name] = ""  # an entry for a recurrence's calls of itself to find
        function = self.functions[name]
        if isinstance(function, Declared):
            raise undefined_function_error(function)
        if not isinstance(function, Function):
            raise TypeError(f"{name}() is given by a table of values, and rules of games use no tables")
        arguments = ", ".join(map(javascript_variable, function.arguments))
        written = f"({arguments}) => {self.expression(function.body)}"
        if function.recursive or function.initial:
            pairs = (f"[{bigint_literal(n)}, {bigint_literal(value)}]" for n, value in function.initial)
            written = f"R.recurrence({javascript_literal(name)}, [{', '.join(pairs)}], {written})"
        self._bodies[name] = written
        return f"f_{name}"


def _built_in(name: str) -> str:
    row = BUILTINS[name]
    if row.least is None and row.most is None:
        return row.javascript
    least, most = ("null" if end is None else bigint_literal(end) for end in (row.least, row.most))
    return f"R.within({least}, {most}, {javascript_literal(name)}, {row.javascript})"
