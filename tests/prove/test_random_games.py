"""Random formulas about random games are proved or refuted as the solver says at small bounds, and never crash."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st
from tests.random_games import MAX_CELLS, GameFile, games
from tests.sizes import examples
from tests.strategies import conditions, numbers

from grundylab.check.verification import target_values, verify
from grundylab.discover import discover
from grundylab.errors import EvaluationError, FormulaError, InstanceError, RulesetError
from grundylab.games import Claim, Ruleset, Target, make_instance, parse_ruleset, parse_target
from grundylab.language import Expr
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Binary, Call, Compare, Int, Kind, Logic, Name, compare, free_names
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.table import Table

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

LIMITS = Limits(timeout=2, memory=2**30)
PARAMETERS = range(1, 6)  # values of m that are looked at
P, GRUNDY, ONE = map(parse_target, ("p", "grundy", "grundy == 1"))


# -- formulas that are worth a try ---------------------------------------------------------------------


@st.composite
def plausible(draw: st.DrawFn, ruleset: Ruleset, target: Target, wild: bool = True) -> Expr:
    """Draw a formula of a kind that is sometimes true: nim-sums, residues, comparisons; or any formula if ``wild``."""
    names = ruleset.formula_names
    if wild and draw(st.integers(1, 5)) == 5:
        anything = numbers if target.kind is Kind.NUMBER else conditions
        return draw(anything(names, 2, False).filter(lambda formula: is_one(formula, ruleset, target)))
    some = st.lists(st.sampled_from(ruleset.coordinate_names), min_size=1, max_size=3, unique=True)
    operator = draw(st.sampled_from("^^+"))
    number: Expr = Name((chosen := draw(some))[0])
    for name in chosen[1:]:
        number = Binary(operator, number, Name(name))
    if draw(st.booleans()):
        divisor = st.integers(2, 5).map(Int)
        number = Binary(draw(st.sampled_from(["%", "//"])), number, draw(divisor))
    if target.kind is Kind.NUMBER:
        return number
    constants = [*map(Int, range(4)), *map(Name, ruleset.parameter_names)]
    condition: Expr = compare(
        draw(st.sampled_from(["==", "==", "!=", ">="])), number, draw(st.sampled_from(constants))
    )
    if draw(st.integers(1, 4)) == 4:
        condition = Call("is_power_of_two", (Binary("+", number, Int(1)),))
    if draw(st.integers(1, 3)) == 3:
        other = Compare(("<",), (Name(draw(st.sampled_from(names))), Int(draw(st.integers(1, 4)))))
        condition = Logic(draw(st.sampled_from(["and", "or"])), (condition, other))
    return condition


def is_one(formula: Expr, ruleset: Ruleset, target: Target) -> bool:
    """Tell whether this is a formula for the target: a bound variable may have the name of a coordinate."""
    try:
        return bool(ruleset.check_formula(formula, target))
    except FormulaError:
        return False


def targets(ruleset: Ruleset) -> st.SearchStrategy[Target]:
    """Return a strategy for targets; under misère play there are no Grundy numbers."""
    if ruleset.play == "misere":
        return st.just(P)
    return st.sampled_from([P, P, GRUNDY]) if not ruleset.splits else st.just(GRUNDY)


# -- the solver's word -------------------------------------------------------------------------------------


def tables(ruleset: Ruleset, file: GameFile, target: Target, where: Expr) -> Iterator[Table]:
    """Yield small tables for each parameter value that satisfies ``where``, if ``where`` depends on nothing else."""
    for m in PARAMETERS if ruleset.parameters else (0,):
        parameters = dict.fromkeys(ruleset.parameter_names, m)
        if free_names(where) <= set(parameters) and not evaluate(where, parameters, ruleset.functions):
            continue
        instance = make_instance(ruleset, parameters, file.bounds)
        if instance.cells <= MAX_CELLS:
            yield solve(instance, target.values, "reference")


def check(proof: Proof, ruleset: Ruleset, file: GameFile) -> None:
    """Assert that the solver does not contradict the verdict."""
    note(f"{file.text}{proof.target}: {proof.formula} where {proof.where}: {proof}")
    event(proof.status)
    if proof.status == "proved":
        where = proof.where if proof.condition is None else proof.condition
        known = tables(ruleset, file, proof.target, where)
        assert verify(proof.formula, proof.target, known, proof.where).counterexample is None
    elif proof.status == "undecided":
        assert proof.reason
        assert "report" not in proof.reason
    elif proof.counterexample is None:
        assert proof.reason
    else:
        confirm(proof, ruleset)


def confirm(proof: Proof, ruleset: Ruleset) -> None:
    """Assert that the counterexample is a position of the game with the stated value, and the formula's is another."""
    example = proof.counterexample
    assert example is not None
    position = tuple(example.position.values())
    bounds = dict.fromkeys(ruleset.bounds, 2 * max(position) + 2)
    instance = make_instance(ruleset, example.parameters, bounds)
    assume(instance.cells <= 20_000)
    value = np.array([solve(instance, proof.target.values, "reference")[position]])
    assert int(target_values(value, proof.target)[0]) == example.truth
    try:
        found: int | None = int(
            evaluate(proof.formula, {**example.position, **example.parameters}, ruleset.functions)
        )
    except EvaluationError:
        found = None
    assert found == example.found != example.truth


# -- the tests ---------------------------------------------------------------------------------------------


@given(games(), st.data())
@examples(6, 480)
def test_a_random_formula_comes_out_as_the_solver_says(file: GameFile, data: st.DataObject) -> None:
    ruleset = parse_ruleset(file.text, "random")
    target = data.draw(targets(ruleset))
    for formula in data.draw(st.lists(plausible(ruleset, target), min_size=2, max_size=4)):
        check(prove_claim(ruleset, unpublished_claim(formula, target), limits=LIMITS), ruleset, file)


@given(games(), st.data())
@examples(3, 240)
def test_a_claim_about_some_positions_with_others_beside_it_comes_out_as_the_solver_says(
    file: GameFile, data: st.DataObject
) -> None:
    """Add claims that a small table suggests, or false ones."""
    ruleset = parse_ruleset(file.text, "random")
    assume(ruleset.play == "normal" and not ruleset.splits)
    target = data.draw(st.sampled_from([P, P, GRUNDY, ONE]))
    tame, formulas = plausible(ruleset, P, wild=False), plausible(ruleset, target)
    known = list(tables(ruleset, file, P, TRUE))
    assume(any(table.positions for table in known))
    found = [candidate.formula for candidate in discover(known, P, budget=0.2)[:1]]
    if target == P and found:
        formulas |= st.sampled_from(found)
    helpers = [Claim(f"found-{number}", P, formula) for number, formula in enumerate(found)]
    helpers += [Claim("random", P, data.draw(tame), data.draw(tame))]
    claim, where = unpublished_claim(data.draw(formulas), target), data.draw(tame)
    proof = prove_claim(ruleset, claim, where, helpers=helpers, limits=LIMITS)
    check(proof, ruleset, file)


@given(games(), st.data())
@examples(4, 320)
def test_the_parameters_found_are_those_of_the_solver(file: GameFile, data: st.DataObject) -> None:
    ruleset = parse_ruleset(file.text, "random")
    assume(ruleset.parameters)
    target = data.draw(targets(ruleset))
    formula = data.draw(plausible(ruleset, target))
    found = prove_claim(ruleset, unpublished_claim(formula, target), question=True, limits=LIMITS)
    check(found, ruleset, file)
    if found.condition is None:
        return
    for m in PARAMETERS:
        single = prove_claim(
            ruleset, unpublished_claim(formula, target), compare("==", Name("m"), Int(m)), limits=LIMITS
        )
        note(f"m == {m}: {single}")
        if single.status != "undecided":
            assert (single.status == "proved") == evaluate(found.condition, {"m": m}, ruleset.functions)


@given(games())
@examples(2, 160)
def test_what_is_discovered_is_proved_or_refuted_as_the_solver_says(file: GameFile) -> None:
    ruleset = parse_ruleset(file.text, "random")
    target = GRUNDY if ruleset.splits else P
    known = list(tables(ruleset, file, target, TRUE))
    assume(known and any(table.positions for table in known))
    for candidate in discover(known, target, budget=0.2)[:2]:
        check(
            prove_claim(ruleset, unpublished_claim(candidate.formula, target), limits=LIMITS), ruleset, file
        )


@given(games(legal=False), st.data())
@examples(6, 480)
def test_nothing_is_proved_of_a_game_with_a_faulty_move(file: GameFile, data: st.DataObject) -> None:
    ruleset = parse_ruleset(file.text, "random")
    target = data.draw(targets(ruleset))
    formula = data.draw(plausible(ruleset, target))
    try:
        proof = prove_claim(ruleset, unpublished_claim(formula, target), limits=LIMITS)
    except (RulesetError, InstanceError):
        event("refused")
        return
    check(proof, ruleset, file)
