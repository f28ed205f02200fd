"""The search for a formula without automata that is equal to a formula with automata, as the prover decides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.errors import EvaluationError
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.games.specialise import fixed_values
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.numeration import numeration_system
from grundylab.language.substitution import replace_part
from grundylab.language.syntax import TRUE, Accepts, Expr, Kind, conjunction, distinct_parts
from grundylab.prove.comparing import equal_values_condition
from grundylab.prove.core.space import NotProvable, position_space
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits, Proof, Rewording
from grundylab.prove.prover import prove_claim

CELLS = 60_000  # the most positions that proposals are tested at
SECONDS = 10.0  # for proposals
LONGER = 2  # proposals are smaller than this many times an automaton in other digits


def has_automaton(formula: Expr) -> bool:
    """Tell whether the formula contains an automaton."""
    return any(isinstance(node, Accepts) for node in distinct_parts(formula))


def with_other_words(ruleset: Ruleset, proof: Proof, limits: Limits) -> Proof:
    """Return the proof with an equal formula without automata as its ``reading``, if one is found.

    A proof without a theorem, or whose formula has no automaton, is returned unchanged. limits: ``limits.words``
    proposes formulas; without it, the proof is unchanged.
    """
    if proof.status != "proved" or not has_automaton(proof.formula) or limits.words is None:
        return proof
    where = proof.where if proof.condition is None else conjunction(proof.where, proof.condition)
    return replace(proof, reading=in_other_words(ruleset, proof.formula, limits.words, where, limits))


def in_other_words(
    ruleset: Ruleset, formula: Expr, words: Rewording, where: Expr = TRUE, limits: Limits | None = None
) -> Expr | None:
    """Return a formula without automata that is proved equal to the formula; None if none is found.

    The two are equal at all positions, of every size, and for all parameters that fulfil ``where``. The result is
    smaller than the formula; if the automaton reads digits other than binary ones, it may be larger, since it is easier
    to read. In a numeric formula each automaton is replaced, or the result is None. words: proposes conditions.
    """
    if formula.kind is Kind.NUMBER:
        for part in [node for node in distinct_parts(formula) if isinstance(node, Accepts)]:
            said = in_other_words(ruleset, part, words, where, limits)
            if said is None:
                return None
            formula = replace_part(formula, part, said)
        return formula
    if not formula.free <= set(ruleset.formula_names):  # it depends on a bound variable
        return None
    samples = _positions(ruleset, formula, where)
    if samples is None or not len(samples):
        return None
    most = formula.size if numeration_system([formula]).binary else LONGER * formula.size
    still = replace(ruleset, moves=(), claims=())  # moves and claims make no difference here
    for proposal in words(samples, SECONDS):
        if proposal.size >= most or not np.array_equal(
            evaluate_arrays(proposal, samples.columns), samples.values
        ):
            continue
        equal = unpublished_claim(equal_values_condition(proposal, formula), ALWAYS)
        if prove_claim(still, equal, where, limits=limits).status == "proved":
            return proposal
    return None


def _positions(ruleset: Ruleset, formula: Expr, where: Expr) -> Samples | None:
    """Return small positions and parameters with the formula's values there; None if it has no value at one of them."""
    fixed = fixed_values(where, ruleset.parameter_names)
    free = [name for name in ruleset.formula_names if name not in fixed]
    side = int(CELLS ** (1 / max(len(free), 1)))
    ranges = [
        range(fixed[name], fixed[name] + 1) if name in fixed else range(side)
        for name in ruleset.formula_names
    ]
    axes = np.meshgrid(*ranges, indexing="ij")
    columns = {name: axis.reshape(-1) for name, axis in zip(ruleset.formula_names, axes, strict=True)}
    try:
        inside = conjunction(position_space(ruleset), ruleset.domain, where)
        kept = evaluate_arrays(inside, columns, ruleset.functions)
        columns = {name: column[kept] for name, column in columns.items()}
        values = evaluate_arrays(formula, columns, ruleset.functions)
    except (EvaluationError, NotProvable):
        return None
    return Samples(ruleset.formula_names, columns, values, ruleset.parameter_names)
