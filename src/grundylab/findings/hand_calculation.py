"""Explanations of counterexamples, by numbers that a reader can check with pencil and paper.

If the claim gives values of the game, the explanation shows the values of the position's options, from which the value
of the position follows. If the claim is a condition, it shows the part that is false, with both sides evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from grundylab.check.judging import claim_functions
from grundylab.check.verification import Counterexample
from grundylab.errors import GrundylabError
from grundylab.findings.false_parts import false_parts
from grundylab.findings.wording import Words
from grundylab.games import Claim, Instance, Ruleset
from grundylab.games.model import ALWAYS, OptionCondition, Ranged
from grundylab.games.rules import Rules
from grundylab.language import Functions
from grundylab.language.functions import Tabulated
from grundylab.language.plain import evaluate
from grundylab.solve.explaining import explain, instance_containing
from grundylab.solve.reference import position_text, solve_reference

_WIDER = 5  # how often the bounds are doubled in search of values that make a claim false
_Environment = dict[str, int]


def hand_calculation(ruleset: Ruleset, claim: Claim, example: Counterexample) -> Words:
    """Return in words why the claim is wrong at the counterexample; empty if it takes too much work to say."""
    arguments = {free.name: free.arguments for free in ruleset.free}
    try:
        chosen = [
            Tabulated(name, arguments[name], np.array(f.values).reshape(f.shape), f.lows, name)
            for name, f in example.functions.items()
        ]
        game = replace(ruleset, functions=ruleset.functions.given(*chosen), free=()) if chosen else ruleset
        if claim.target != ALWAYS:
            explanation = explain(game, example.position, example.parameters)
            if claim.target.name == "p" or explanation.kind == "outcome" or not explanation.options:
                return (explanation.why,)
            values = ", ".join(map(str, sorted({option.value for option in explanation.options})))
            return (f"its options have the Grundy numbers {values}, so that its own is {explanation.value}",)
        position = tuple(example.position[name] for name in game.coordinate_names)
        instance = instance_containing(game, example.parameters, position)
        printed = claim.printed
        if not isinstance(printed, OptionCondition):
            return _by_a_condition(instance, claim, example)
        names, functions, rules = game.coordinate_names, instance.ruleset.functions, Rules(instance)
        options = sorted({part for _, parts in rules.options(position) for part in parts})
        wrong = [
            position_text(names, option)
            for option in options
            if not evaluate(printed.condition, rules.environment(option), functions)
        ]
        if printed.quantifier == "every":
            return (f"its option {wrong[0]} does not satisfy it",) if wrong else ()
        return (f"none of its options {', '.join(wrong)} satisfies it",)
    except GrundylabError:
        return ()


def _by_a_condition(instance: Instance, claim: Claim, example: Counterexample) -> Words:
    for _ in range(_WIDER):
        functions = instance.ruleset.functions.given(*claim.tables)
        if claim.values:
            functions = claim_functions(claim, solve_reference(instance, "grundy"))
        environment = {**instance.constants, **example.position}
        for values in _choices(claim.variables, environment, functions):
            if not evaluate(claim.formula, values, functions):
                chosen = ", ".join(f"{v.name} = {values[v.name]}" for v in claim.variables)
                false = false_parts(claim.formula, values, functions)
                first: Words = (f"with {chosen}: ",) if chosen else ()
                return (*first, *chain(*false[:1]), *(w for words in false[1:] for w in ("; ", *words)))
        instance = replace(instance, bounds=tuple((name, 2 * end + 1) for name, end in instance.bounds))
    return ()


def _choices(
    variables: tuple[Ranged, ...], environment: _Environment, functions: Functions
) -> Iterator[_Environment]:
    """Yield the environment with values of the variables added, for each choice of values, the smallest first."""
    if not variables:
        yield environment
        return
    low, high = (evaluate(end, environment, functions) for end in variables[0].ends)
    for value in range(low, high + 1):
        yield from _choices(variables[1:], {**environment, variables[0].name: value}, functions)
