"""The search for a condition on parameters that is true exactly where a given automaton accepts their values.

The automaton accepts the parameter values for which an induction succeeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from grundylab.automata.dfa import Dfa
from grundylab.check.samples import Samples
from grundylab.games.model import Ruleset
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Binary,
    Call,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
)
from grundylab.prove.ground_truth import parameters_within
from grundylab.prove.outcome import Rewording

_VALUES = {1: 256, 2: 24, 3: 9}  # how many values of each parameter are tried, by the number of parameters
_MANY = 4096  # values of a single parameter that are tried if the first ones do not suffice
_PERIODS = range(1, 33)
_FEW = 8  # the most exceptions listed one by one
_SECONDS = 5.0


def read_condition(
    automaton: Dfa, ruleset: Ruleset, equal: Callable[[Expr], bool], words: Rewording | None = None
) -> Expr | None:
    """Return the first condition found, roughly the simplest, that agrees with the automaton in the parameters' domain.

    None if none is found. equal: decides exactly whether a condition agrees with the automaton, so the result is not a
    guess. words: a function that proposes conditions, as in ``Limits``.
    """
    count = _VALUES.get(len(ruleset.parameters), 5)
    for most in (count, _MANY) if len(ruleset.parameters) == 1 else (count,):
        inside = list(parameters_within(ruleset, TRUE, range(most)))
        rows = np.array([list(values.values()) for values in inside], dtype=np.int64)
        rows = rows.reshape(len(inside), len(ruleset.parameters))
        truths = np.array([automaton.contains(values) for values in inside], dtype=bool)
        for condition in _proposals(ruleset.parameter_names, rows, truths, words):
            if equal(condition):
                return condition
    return None


def _proposals(
    names: tuple[str, ...], rows: np.ndarray, truths: np.ndarray, words: Rewording | None
) -> Iterator[Expr]:
    """Yield conditions that are true exactly at the rows whose ``truths`` are True, roughly the smallest first.

    rows: combinations of values, with a column for each of ``names``. words: as in ``read_condition``.
    """
    if truths.all() or not truths.any():
        yield from (TRUE, FALSE) if truths.all() else (FALSE,)
        return
    if len(names) == 1:
        name, values = names[0], rows[:, 0]
        for base in _bases(Name(name), values, truths):
            wrong = values[truths != evaluate_arrays(base, {name: values})]
            if not len(wrong) or wrong[-1] <= values[-1] // 4:  # exceptions are for small values
                table = dict(zip(values.tolist(), truths.tolist(), strict=True))
                conditions = _with_exceptions(Name(name), base, table, wrong.tolist())
                yield from sorted(conditions, key=lambda expr: expr.size)
                break
    samples = Samples(names, {name: rows[:, place] for place, name in enumerate(names)}, truths)
    for proposal in words(samples, _SECONDS) if words else ():
        if np.array_equal(evaluate_arrays(proposal, samples.columns), truths):
            yield proposal


def _bases(here: Name, values: np.ndarray, truths: np.ndarray) -> Iterator[Expr]:
    """Yield conditions by residue classes, then by powers of two, that may be true with few exceptions."""
    for period in _PERIODS:
        kept = [bool(truths[values % period == residue][-1:].any()) for residue in range(period)]
        rest = Binary("%", here, Int(period))
        if all(kept) or not any(kept):
            yield TRUE if all(kept) else FALSE
        elif kept.count(False) == 1:
            yield compare("!=", rest, Int(kept.index(False)))
        else:
            yield disjunction(
                *(compare("==", rest, Int(residue)) for residue in range(period) if kept[residue])
            )
    for shift in (0, 1, -1, 2, -2):
        shifted = Binary("+" if shift > 0 else "-", here, Int(abs(shift))) if shift else here
        yield Call("is_power_of_two", (shifted,))


def _with_exceptions(here: Name, base: Expr, table: dict[int, bool], wrong: list[int]) -> Iterator[Expr]:
    """Yield conditions with the truth values ``table``: the condition ``base``, and a list of exceptions.

    Some use the base only from some value on, and list the smaller values. here: the name that the conditions are
    about. known: the truth by value. wrong: the values at which the base differs from ``table``.
    """
    for start in (0, *(value + 1 for value in wrong)):
        more, less = _equations(here, {value: table[value] for value in wrong if value >= start})
        if len(more) + len(less) > _FEW:
            continue
        if start == 0:
            yield conjunction(disjunction(base, *more), *less)
            continue
        so, not_so = _equations(here, {value: truth for value, truth in table.items() if value < start})
        if len(so) <= _FEW:
            yield disjunction(conjunction(base, compare(">=", here, Int(start)), *less), *more, *so)
        if len(not_so) <= _FEW:
            yield conjunction(disjunction(base, compare("<", here, Int(start)), *more), *less, *not_so)


def _equations(here: Expr, table: dict[int, bool]) -> tuple[list[Expr], list[Expr]]:
    """Return equations for the values that are True in ``table``, and inequations for the others."""
    return (
        [compare("==", here, Int(value)) for value, truth in table.items() if truth],
        [compare("!=", here, Int(value)) for value, truth in table.items() if not truth],
    )
