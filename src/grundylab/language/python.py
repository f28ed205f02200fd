"""The Python reader: a formula as a function that runs by itself, to be pasted into a program.

The formula language is written in Python's grammar, so what is printed is the lowered formula (without fractions), and
before it what it calls: the ruleset's functions, and the built-ins that Python has under no name of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.automata.systems import NAMED
from grundylab.errors import FormulaError
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Function, Functions
from grundylab.language.substitution import lower
from grundylab.language.syntax import ACCEPTS, Accepts, Call, Expr, walk

_AUTOMATON = f'''\
def {ACCEPTS}(automaton, *numbers):
    """Whether the automaton accepts the numbers' digits (binary, or those of a recurrence), the lowest first."""
    name, _, states = automaton.rpartition(":")
    factors = {{"": (2,), {", ".join(f'"{name}": {system.recurrence}' for name, system in NAMED.items())}}}.get(name)
    factors = factors or tuple(map(int, name.split(",")))
    units = [1]
    while units[-1] <= max(numbers):
        terms = zip(factors, reversed(units))
        units.append(sum(factor * unit for factor, unit in terms) + (len(units) < len(factors)))
    symbols = [0] * len(units)
    for number in numbers:
        for place in reversed(range(len(units))):
            digit, number = divmod(number, units[place])
            symbols[place] = (factors[0] + bool(name)) * symbols[place] + digit
    states, state = states.split(), 0
    for symbol in symbols if min(numbers) >= 0 else []:
        following = states[state][1:].split(",")[symbol]
        if not following:
            return False
        state = int(following)
    return min(numbers) >= 0 and states[state][0] == "+"
'''


def python_function(name: str, arguments: Sequence[str], about: str, expr: Expr, functions: Functions) -> str:
    """Source of ``def name(arguments)``, with the docstring ``about``, and of what it needs.

    Raises FormulaError for a formula with a function whose values no formula gives.
    """
    used = [each for each in functions.called_by(expr) if isinstance(each, Function)]
    trees = [lower(expr), *(lower(function.body) for function in used)]
    nodes = [node for tree in trees for node in walk(tree)]
    names = {node.name for node in nodes if isinstance(node, Call)}
    if unknown := names - set(BUILTINS) - {function.name for function in used}:
        raise FormulaError(f"{min(unknown)}() is given by a table, and by no formula")
    parts = [_AUTOMATON] if any(isinstance(node, Accepts) for node in nodes) else []
    parts += [
        f"{each} = {BUILTINS[each].python}\n"
        for each in sorted(names & set(BUILTINS))
        if BUILTINS[each].python
    ]
    inner = "".join(map(_definition, used))
    parts += [f'def {name}({", ".join(arguments)}):\n    """{about}"""\n{inner}    return {trees[0]}\n']
    needed = [
        f"import {module}\n"
        for module in ("functools", "math")
        if any(f"{module}." in part for part in parts)
    ]
    return "".join(needed) + "\n" * bool(needed) + "\n".join(parts)


def _definition(function: Function) -> str:
    """Within the function that is asked for, whose arguments are the game's parameters, too."""
    lines = ["@functools.cache"] * function.recursive
    lines += [f"def {function.name}({', '.join(function.arguments)}):"]
    if function.initial:
        (argument,) = function.arguments
        known = dict(function.initial)
        lines += [f"    known = {known}", f"    if {argument} in known:", f"        return known[{argument}]"]
    lines += [f"    return {lower(function.body)}"]
    return "".join(f"    {line}\n" for line in lines) + "\n"
