"""From the automaton of the good parameter values to a condition in the formula language that is equal to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from grundylab.discover import engine_named
from grundylab.discover.base import Samples
from grundylab.errors import GrundylabError
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.plain import evaluate
from grundylab.formula.syntax import (
    FALSE,
    TRUE,
    Binary,
    Expr,
    Int,
    Name,
    compare,
    conjunction,
    disjunction,
)
from grundylab.prove.automaton import Automaton
from grundylab.rulesets.model import P_POSITIONS, Ruleset

_VALUES = {1: 256, 2: 24, 3: 9}  # of each parameter, by the number of parameters
_PERIODS = range(1, 33)
_SECONDS = 5.0


def read_condition(automaton: Automaton, ruleset: Ruleset, equal: Callable[[Expr], bool]) -> Expr | None:
    """The simplest condition found that is equal to the automaton wherever the parameters are in their domain.

    equal: decides exactly whether a condition is; so what is returned is not a guess. None if none was found.
    """
    names = ruleset.parameter_names
    count = _VALUES.get(len(names), 5)
    rows, truths = [], []
    domain = conjunction(*(parameter.domain for parameter in ruleset.parameters))
    for values in product(range(count), repeat=len(names)):
        env = dict(zip(names, values, strict=True))
        try:
            inside = evaluate(domain, env, ruleset.functions)
        except GrundylabError:
            inside = False
        if inside:
            rows.append(values)
            truths.append(automaton.accepts({f"v_{name}": value for name, value in env.items()}))
    for condition in _proposals(names, np.array(rows, dtype=np.int64), np.array(truths, dtype=bool)):
        if equal(condition):
            return condition
    return None


def _proposals(names: tuple[str, ...], rows: np.ndarray, truths: np.ndarray) -> Iterator[Expr]:
    """Conditions that agree with the rows, smallest first as far as one can tell."""
    if truths.all() or not truths.any():
        yield TRUE if truths.all() else FALSE
        return
    if len(names) == 1:
        yield from _periodic(names[0], rows[:, 0], truths)
    samples = Samples(names, {name: rows[:, place] for place, name in enumerate(names)}, truths)
    for proposal in engine_named("search")(samples, P_POSITIONS, 0, _SECONDS):
        if np.array_equal(evaluate_arrays(proposal, samples.columns), truths):
            yield proposal


def _periodic(name: str, values: np.ndarray, truths: np.ndarray) -> Iterator[Expr]:
    """Residue classes from some value on, with finitely many exceptions below."""
    here = Name(name)
    for period in _PERIODS:
        kept = np.array([_last(truths[values % period == residue]) for residue in range(period)])
        wrong = values[truths != kept[values % period]]
        if len(wrong) > 8 or (len(wrong) and wrong[-1] > values[-1] // 4):
            continue
        condition = _residues(here, kept)
        for exception in wrong:
            is_it = compare("==", here, Int(int(exception)))
            if truths[values == exception][0]:
                condition = disjunction(condition, is_it)
            else:
                condition = conjunction(condition, compare("!=", here, Int(int(exception))))
        yield condition
        if len(wrong):
            yield conjunction(_residues(here, kept), compare(">", here, Int(int(wrong[-1]))))
        return


def _last(truths: np.ndarray) -> bool:
    return bool(len(truths) and truths[-1])


def _residues(here: Name, kept: np.ndarray) -> Expr:
    if kept.all() or not kept.any():
        return TRUE if kept.all() else FALSE
    rest = Binary("%", here, Int(len(kept)))
    among = [int(r) for r in np.flatnonzero(kept)]
    missing = [int(r) for r in np.flatnonzero(~kept)]
    if len(missing) == 1:
        return compare("!=", rest, Int(missing[0]))
    return disjunction(*(compare("==", rest, Int(residue)) for residue in among))
