"""Random formulas about random games are proved or refuted as the solver says at small bounds, and never crash."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, event, given, note, reject
from hypothesis import strategies as st
from tests.random_games import GameFile, games
from tests.random_statements import GRUNDY, ONE, PARAMETERS, P, check, plausible, tables, targets
from tests.sizes import examples

from grundylab.discover import discover
from grundylab.errors import InstanceError, RulesetError
from grundylab.games import Claim, Ruleset, parse_ruleset
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Expr, Int, Name, compare
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import prove_claim

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

LIMITS = Limits(timeout=2, memory=2**30)


def outcome(ruleset: Ruleset, claim: Claim, where: Expr = TRUE, **more: Any) -> Proof:
    """Return the proof; reject a game in which a move leaves the space beyond its small table."""
    try:
        return prove_claim(ruleset, claim, where, limits=LIMITS, **more)
    except RulesetError:
        reject()


@given(games(), st.data())
@examples(6, 480)
def test_a_random_formula_comes_out_as_the_solver_says(file: GameFile, data: st.DataObject) -> None:
    ruleset = parse_ruleset(file.text, "random")
    target = data.draw(targets(ruleset))
    for formula in data.draw(st.lists(plausible(ruleset, target), min_size=2, max_size=4)):
        check(outcome(ruleset, unpublished_claim(formula, target)), ruleset, file)


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
    proof = outcome(ruleset, claim, where, helpers=helpers)
    check(proof, ruleset, file)


@given(games(), st.data())
@examples(4, 320)
def test_the_parameters_found_are_those_of_the_solver(file: GameFile, data: st.DataObject) -> None:
    ruleset = parse_ruleset(file.text, "random")
    assume(ruleset.parameters)
    target = data.draw(targets(ruleset))
    formula = data.draw(plausible(ruleset, target))
    found = outcome(ruleset, unpublished_claim(formula, target), question=True)
    check(found, ruleset, file)
    if found.condition is None:
        return
    for m in PARAMETERS:
        single = outcome(ruleset, unpublished_claim(formula, target), compare("==", Name("m"), Int(m)))
        note(f"m == {m}: {single}")
        if single.status != "undecided":
            assert (single.status == "proved") == evaluate(found.condition, {"m": m}, ruleset.functions)


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
