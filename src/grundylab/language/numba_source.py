"""The compiled reader: writes expressions as Python source, which numba compiles to machine code.

The source is made from syntax trees alone, never from a user's text. Free names that vary (coordinates, choices) become
local variables. Parameters, bounds and the tables of recurrences are read from one tuple ``E``, so that one compiled
module serves a ruleset for all values of its parameters and bounds. ``intervals.fits_machine`` decides beforehand
whether 64 bits are enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from grundylab.automata.digits import DigitAutomaton
from grundylab.language import syntax
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Declared, Function, Functions, Tabulated
from grundylab.language.intervals import (
    MACHINE_LIMIT,
    Bounder,
    Bounds,
    Interval,
    evaluated_parts,
    recurrence_values,
)
from grundylab.language.operators import OPERATORS
from grundylab.language.substitution import lower
from grundylab.language.syntax import Expr, free_names

MACHINE_UNDEFINED = -(2**63)  # marks an argument at which a recurrence has no value


@dataclass
class Emitter:
    """A translator of expressions into source, which collects the helper functions that the source calls.

    A helper computes a quantifier or sum, or a function of the ruleset, or runs an automaton. constants: the names
    whose values are the first entries of ``E``, in this order. tables: the functions whose tables follow in ``E``, with
    two entries each (the values, and the first argument). A local name (of a coordinate, choice, argument or bound
    variable) hides a constant of the same name. automata: those that helpers run; ``arrays`` must precede the helpers.
    """

    functions: Functions
    constants: Sequence[str]
    helpers: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    automata: list[DigitAutomaton] = field(default_factory=list)

    def expression(self, expr: Expr, local: Iterable[str]) -> str:
        """Return the expression's source in Python: a local name x is ``v_x``, and any other is an entry of ``E``."""
        return self._write(lower(expr), frozenset(local))

    def _write(self, expr: Expr, local: frozenset[str]) -> str:
        def write(part: Expr) -> str:
            return self._write(part, local)

        match expr:
            case syntax.Int(value=value):
                return f"({value})"
            case syntax.Bool(value=truth):
                return str(truth)
            case syntax.Name(id=name):
                return f"v_{name}" if name in local else f"E[{self.constants.index(name)}]"
            case syntax.Negate(operand=operand):
                return f"(-{write(operand)})"
            case syntax.Not(operand=operand):
                return f"(not {write(operand)})"
            case syntax.Binary(op=op, left=left, right=right):
                return OPERATORS[op].compiled.format(a=write(left), b=write(right))
            case syntax.Compare(ops=(op,), terms=(left, right)):
                return f"({write(left)} {op} {write(right)})"
            case syntax.Logic(op=op, terms=terms):
                return "(" + f" {op} ".join(map(write, terms)) + ")"
            case syntax.If(condition=condition, then=then, otherwise=otherwise):
                return f"({write(then)} if {write(condition)} else {write(otherwise)})"
            case syntax.Call(name=name, arguments=arguments):
                return self._call(name, [write(argument) for argument in arguments])
            case syntax.Accepts(automaton=automaton, arguments=arguments):
                return f"{self._automaton(automaton)}({', '.join(map(write, arguments))})"
            case syntax.Bounded():
                return self._bounded(expr, local)
        raise TypeError(f"not an expression: {expr!r}")

    def _call(self, name: str, written: list[str]) -> str:
        if name in self.tables:
            place = len(self.constants) + 2 * self.tables.index(name)
            return f"look_up(E[{place}], E[{place + 1}], {written[0]})"
        if name in BUILTINS:
            least = BUILTINS[name].least
            given = ", ".join(written) if least is None else f"from_least({written[0]}, {least})"
            return f"{name}({given})"
        function = self.functions[name]
        assert not isinstance(function, Declared)  # the reference solver solves rulesets with these
        if isinstance(function, Tabulated) or function.recurrence:
            self.tables.append(name)
            return self._call(name, written)
        head = f"f_{name}"
        if not any(helper.startswith(f"def {head}(") for helper in self.helpers):
            body = self.expression(function.body, function.arguments)
            arguments = ", ".join([*(f"v_{argument}" for argument in function.arguments), "E"])
            self.helpers.append(f"def {head}({arguments}):\n    return {body}\n")
        return f"{head}({', '.join([*written, 'E'])})"

    def _automaton(self, automaton: DigitAutomaton) -> str:
        """Return the name of the helper that runs the automaton; a new automaton gets a helper."""
        if automaton in self.automata:
            return f"accepts_{self.automata.index(automaton)}"
        number = len(self.automata)
        self.automata.append(automaton)
        names = [f"n_{place}" for place in range(automaton.arity)]
        if not automaton.system.binary:
            self.helpers.append(_greedy(automaton, number, names))
            return f"accepts_{number}"
        symbol = " + ".join(f"(({name} & 1) << {place})" for place, name in enumerate(reversed(names)))
        lines = [f"def accepts_{number}({', '.join(names)}):"]
        lines += [f"    if min({', '.join(names)}, 0) < 0:", "        return False", "    state = 0"]
        lines += [f"    while state >= 0 and ({' | '.join(names)}) > 0:"]
        lines += [f"        state = rows_{number}[state, {symbol}]"]
        lines += [f"        {name} >>= 1" for name in names]
        lines += [f"    return state >= 0 and accepting_{number}[state] == 1"]
        self.helpers.append("\n".join(lines) + "\n")
        return f"accepts_{number}"

    @property
    def arrays(self) -> list[str]:
        """The source that defines the arrays of each automaton."""
        return [
            f"rows_{number} = np.array({list(map(list, automaton.rows))})\n"
            f"accepting_{number} = np.array({list(map(int, automaton.accepting))})\n"
            f"places_{number} = np.array({automaton.system.places(MACHINE_LIMIT)})\n"
            for number, automaton in enumerate(self.automata)
        ]

    def _bounded(self, expr: syntax.Bounded, local: frozenset[str]) -> str:
        start, stop = self._write(expr.start, local), self._write(expr.stop, local)
        body = self._write(expr.body, local | {expr.variable})
        span = f"    start = {start}\n    stop = {stop}\n    check_span(start, stop)\n"
        loop = f"{span}    for v_{expr.variable} in range(start, stop):\n"
        if expr.quantifier in syntax.TOTALS:
            lines = f"    total = 0\n{loop}        total {syntax.TOTALS[expr.quantifier]}= {body}\n    return total\n"
        else:
            answer = expr.quantifier == "any"
            test = body if answer else f"not {body}"
            lines = f"{loop}        if {test}:\n            return {answer}\n    return {not answer}\n"
        head = f"{expr.quantifier}_{len(self.helpers)}"
        arguments = ", ".join([*(f"v_{name}" for name in sorted(free_names(expr) & local)), "E"])
        self.helpers.append(f"def {head}({arguments}):\n{lines}")
        return f"{head}({arguments})"


def _greedy(automaton: DigitAutomaton, number: int, names: Sequence[str]) -> str:
    """Return the source of the helper for an automaton in a numeration system other than the binary one.

    It finds the digits of its arguments greedily, the highest first, then runs the automaton. names: its arguments.
    """
    base, all_names = automaton.system.base, ", ".join(names)
    lines = [f"def accepts_{number}({all_names}):"]
    lines += [f"    if min({all_names}, 0) < 0:", "        return False", "    top = 0"]
    lines += [f"    while top < len(places_{number}) and places_{number}[top] <= max({all_names}, 0):"]
    lines += ["        top += 1", "    symbols = np.zeros(top, dtype=np.int64)"]
    for name in names:
        lines += [
            "    for place in range(top - 1, -1, -1):",
            f"        digit = {name} // places_{number}[place]",
        ]
        lines += [f"        {name} -= digit * places_{number}[place]"]
        lines += [f"        symbols[place] = {base} * symbols[place] + digit"]
    lines += [
        "    state = 0",
        "    for place in range(top):",
        "        if state < 0:",
        "            return False",
    ]
    lines += [f"        state = rows_{number}[state, symbols[place]]"]
    lines += [f"    return state >= 0 and accepting_{number}[state] == 1"]
    return "\n".join(lines) + "\n"


def table_uses(expr: Expr, bounds: Bounds, functions: Functions) -> Iterator[tuple[str, Interval]]:
    """Yield each call that compiled code looks up in a table: the function's name, and bounds on its argument."""
    for node, bounder, _ in evaluated_parts(lower(functions.expand(expr)), Bounder(bounds, functions)):
        if isinstance(node, syntax.Call) and node.name in functions:
            yield node.name, bounder.bound(node.arguments[0])


def recurrence_table(
    function: Function, span: Interval, bounds: Bounds, functions: Functions
) -> npt.NDArray[np.int64]:
    """Return the recurrence's values at the arguments in the span; MACHINE_UNDEFINED where it has none.

    Values beyond MACHINE_LIMIT or its negative are clamped to these.
    """
    by_argument = recurrence_values(function, span, bounds, functions)
    values = np.full(span.width, MACHINE_UNDEFINED, dtype=np.int64)
    for argument, value in by_argument.items():
        values[argument - span.low] = max(-MACHINE_LIMIT, min(value, MACHINE_LIMIT))
    return values


def machine_table(function: Tabulated) -> npt.NDArray[np.int64]:
    """Return the table of a tabulated function as int64, with MACHINE_UNDEFINED where it has no value."""
    return np.where(function.values == function.hole, MACHINE_UNDEFINED, function.values).astype(np.int64)
