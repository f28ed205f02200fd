"""The plainest of the formulas that are proved equal to a given one wherever the rules allow a position.

A formula may become larger, if it is then read with less effort. Most changes are equal by the rule that makes them;
others are guesses, which automata must prove.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.case_forms import by_relations, in_cases
from grundylab.discover.plainness import reading_effort
from grundylab.discover.rewriting import normal_form
from grundylab.errors import EvaluationError
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import known_bounds
from grundylab.language.neighbours import cheapest, neighbours
from grundylab.language.plainer_forms import GUESSES, PLAINER, other_forms
from grundylab.language.syntax import Accepts, Bounded, distinct_parts
from grundylab.language.within_bounds import simplify_within
from grundylab.logic.equality import equal_everywhere

POSITIONS = 300  # at which a guess is tried before automata are asked
WORK, PROOFS = 6_000, 12  # nodes of the forms that are tried for one formula; questions to automata


def plainest_form(formula: Expr, samples: Samples) -> Expr:
    """Return the plainest formula that is found to be equal to this one in the whole space.

    A formula with an automaton is returned unchanged. samples: positions, with the names, functions and space of the
    rules; the formula must have a value at each.
    """
    for node in distinct_parts(formula):  # what is known of a name is not known of a bound variable
        if isinstance(node, Accepts) or (isinstance(node, Bounded) and node.variable in samples.names):
            return formula
    some, work, proofs = samples.at(sampling.draw_rows(samples, POSITIONS)), WORK, PROOFS
    wanted = evaluate_arrays(formula, some.columns, samples.functions)
    sure = set[Expr]()  # forms that are equal by rule

    def forms(whole: Expr) -> Iterator[Expr]:
        nonlocal work
        for form, by_rule in _changes(whole, samples):
            if work <= 0:
                return
            work -= form.size
            form = normal_form(form, samples.names)
            if by_rule:
                sure.add(form)
            yield form

    def is_equal(form: Expr) -> bool:
        nonlocal proofs
        if form in sure or not proofs:
            return form in sure
        try:
            if not np.array_equal(evaluate_arrays(form, some.columns, samples.functions), wanted):
                return False
        except EvaluationError:
            return False
        proofs -= 1
        return equal_everywhere(formula, form, samples.bounds, samples.space, samples.functions)

    return cheapest(formula, forms, is_equal, _effort)


def _changes(formula: Expr, samples: Samples) -> Iterator[tuple[Expr, bool]]:
    """Yield the formula with one part changed, each with whether it is equal by rule."""
    bounds, functions = samples.bounds, samples.functions

    ends = partial(known_bounds, bounds=bounds, functions=functions)

    def by_rows(whole: Expr) -> Iterator[Expr]:
        return neighbours(whole, lambda part: other_forms(part, ends, PLAINER))

    yield simplify_within(formula, bounds, functions), True
    for other in by_rows(formula):
        yield other, True
        yield from ((again, True) for again in by_rows(other))  # one step alone may be no plainer
    for by_rule in (True, False):
        cases = partial(in_cases, ends=ends, all_read=by_rule)
        yield from ((other, by_rule) for other in neighbours(formula, cases))
    yield from ((other, True) for other in neighbours(formula, lambda part: by_relations(part, ends)))
    yield from (
        (other, False) for other in neighbours(formula, lambda part: other_forms(part, ends, GUESSES))
    )


def _effort(expr: Expr) -> tuple[Any, ...]:
    """Return the effort of reading; equal for formulas that differ in the order of their parts alone."""
    total, unequal, plainness = reading_effort(expr)
    return total, unequal, plainness[:-1]
