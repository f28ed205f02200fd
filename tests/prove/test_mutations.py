"""A proof proves this formula and no other: after one change of a theorem it is refuted.

A mutant has one constant changed by one, or one comparison or operator replaced. A mutant that differs from the theorem
in a large table must be refuted, by a counterexample that a solved table confirms; the others must not be.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from tests.papers.small import ruleset
from tests.prove.test_theorems import NAMED, known_of
from tests.random_statements import mutants
from tests.sizes import thinned

from grundylab.check.verification import Counterexample, target_values
from grundylab.errors import EvaluationError
from grundylab.games import Claim, Instance, Rules, make_instance, parent_of
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.language.syntax import conjunction
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Proof
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.table import Table

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

MOST = 3  # mutants tried of each theorem; make test-long tries all,
MOST_OF_A_LIST = 9  # but of each of the Atlas's lists so many
TRIED, TRIED_LONG = 105, 696  # in all
# Bounds of the tables that tell mutants from theorems, by the number of coordinates but the pass.
BOUNDS = {1: 300, 2: 60, 3: 40, 4: 10}
PARAMETERS = {
    "nim-with-a-pass-from-m": ({"m": 4}, {"m": 8}, {"m": 20}),
    "turn-limit-linear": ({"m": 1}, {"m": 2}, {"m": 3}),
}
# With every k, and for every h, a game is proved by way of others: of these the mutants are tried where k is given.
BY_WAY = ("chocolate-half", "chocolate-monotone-1")
CASES = [case for case in NAMED if case[0] not in BY_WAY]
CASES += [("chocolate-half", "theorem-3", fixed) for fixed in ("k == 1", "k == 2")]


Case = tuple[str, str, str]


def sample(case: Case, most: int | None = MOST) -> list[Expr]:
    """Return the mutants to try: ``most`` of them, evenly spread, or all; the same ones each time."""
    formula = claimed(*case).formula
    every = [mutant for mutant in dict.fromkeys(mutants(formula)) if mutant != formula]
    count = len(every) if most is None else min(most, len(every))
    return [every[round(place)] for place in np.linspace(0, len(every) - 1, count)]


def sample_long(case: Case) -> list[Expr]:
    """Return all mutants, but fewer for the Atlas's lists, where one takes a second."""
    return sample(case, MOST_OF_A_LIST if case[1].startswith("list-") else None)


@cache
def claimed(name: str, claim_id: str, fixed: str) -> Claim:
    claim = ruleset(name).claim(claim_id)
    return Claim(claim.id, claim.target, claim.formula, conjunction(claim.where, parse_condition(fixed)))


@cache
def tables(name: str, fixed: str) -> list[Table]:
    game = ruleset(name)
    bound = BOUNDS[len([c for c in game.coordinate_names if c != "p"])]
    settings = PARAMETERS.get(name, (fixed_values(parse_condition(fixed), game.parameter_names),))
    if name == "two-stones-ceil":
        settings = ({"a": 1, "b": 2},)
    instances = [make_instance(game, values, dict.fromkeys(game.bounds, bound)) for values in settings]
    return [solve(instance, "grundy") for instance in instances]


@cache
def columns(name: str, claim_id: str, fixed: str) -> dict[str, np.ndarray]:
    """Return the coordinates and parameters, as arrays, at all positions of the tables that the claim is about."""
    claim, game, found = claimed(name, claim_id, fixed), ruleset(name), []
    for table in tables(name, fixed):
        for slab in table.slabs():
            values = [np.full(len(slab), value) for _, value in table.instance.parameters]
            rows = dict(zip(game.formula_names, (*slab.coordinates, *values), strict=True))
            kept = evaluate_arrays(claim.where, rows, game.functions)
            found.append({key: column[kept] for key, column in rows.items()})
    return {key: np.concatenate([part[key] for part in found]) for key in game.formula_names}


def differs(mutant: Expr, case: Case) -> bool:
    """Tell whether the mutant has another value than the theorem, or no value, at some position."""
    rows, functions = columns(*case), ruleset(case[0]).functions
    try:
        found = evaluate_arrays(mutant, rows, functions)
    except EvaluationError:
        return True
    return not np.array_equal(found, evaluate_arrays(claimed(*case).formula, rows, functions))


@cache
def instance(name: str, parameters: tuple[tuple[str, int], ...], bound: int) -> Instance:
    return make_instance(ruleset(name), dict(parameters), dict.fromkeys(ruleset(name).bounds, bound))


@cache
def solved(name: str, parameters: tuple[tuple[str, int], ...], bound: int) -> Table:
    made = instance(name, parameters, bound)
    return solve(made, "grundy", "reference" if made.cells <= 6_000 else "auto")


def confirmed(example: Counterexample, mutant: Expr, case: Case) -> bool:
    """Tell whether the counterexample is one: the claim is about its position, and both its values are right."""
    claim, game, name = claimed(*case), ruleset(case[0]), case[0]
    position, parameters = tuple(example.position.values()), tuple(example.parameters.items())
    bounds = (6, 12, 24, 48, 96, 192, 384)
    bound = next(size for size in bounds if Rules(instance(name, parameters, size)).legal(position))
    value = np.array([solved(name, parameters, bound)[position]])
    true = int(target_values(value, claim.target)[0])
    values = {**example.position, **example.parameters}
    try:
        found: int | None = int(evaluate(mutant, values, game.functions))
    except EvaluationError:
        found = None
    about = evaluate(claim.where, values, game.functions)
    return bool(about) and (true, found) == (example.truth, example.found) and true != found


def attempt(mutant: Expr, case: Case) -> Proof:
    claim, game = claimed(*case), ruleset(case[0])
    mutated, parent = unpublished_claim(mutant, claim.target), parent_of(game)
    return prove_claim(game, mutated, claim.where, parent=parent, context=known_of(case[0]))


def assert_refuted_if_different(tried: list[Expr], case: Case) -> None:
    for mutant in tried:
        proof = attempt(mutant, case)
        if differs(mutant, case):
            assert proof.status == "refuted", (str(mutant), proof.reason)
            assert proof.counterexample is not None, (str(mutant), proof.reason)
            assert confirmed(proof.counterexample, mutant, case), str(mutant)
        else:
            assert proof.status == "proved" or (proof.status == "undecided" and proof.reason), str(mutant)


@pytest.mark.parametrize("case", thinned(((case,) for case in CASES), 2))
def test_every_mutant_that_differs_is_refuted_and_no_other(case: Case) -> None:
    assert_refuted_if_different(sample(case), case)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_so_is_every_mutant_there_is(case: Case) -> None:
    assert_refuted_if_different(sample_long(case), case)


def test_as_many_mutants_as_said_are_tried() -> None:
    assert all(sample(case) for case in CASES)
    assert sum(len(sample(case)) for case in CASES) == TRIED
    assert sum(len(sample_long(case)) for case in CASES) == TRIED_LONG
