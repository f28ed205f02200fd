"""The prover agrees with the solver about formulas that are true in a small table and about changed ones."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, event, given, note, reject
from hypothesis import strategies as st
from tests.prove.test_random_games import LIMITS
from tests.random_games import games
from tests.random_statements import GRUNDY, ONE, P, check, is_one, mutants, tables
from tests.sizes import examples

from grundylab.discover import discover
from grundylab.errors import RulesetError
from grundylab.games import Ruleset, Target
from grundylab.language.syntax import TRUE
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.prover import prove_claim

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)


def test_formulas_true_of_a_table_and_their_mutants_come_out_as_the_solver_says():
    """Both verdicts must occur; otherwise one of them would not be tested."""
    seen: Counter[str] = Counter()

    @examples(6, 200)
    @given(games(), st.data())
    def agree(game, data):
        ruleset = game.instance().ruleset
        target = data.draw(_targets(ruleset))
        known = list(tables(ruleset, game, target, TRUE))
        assume(any(table.positions > 2 for table in known))
        exact = [
            candidate.formula for candidate in discover(known, target, budget=1.0)[:2] if candidate.exact
        ]
        assume(exact)
        formula = data.draw(st.sampled_from(exact))
        changed = [mutant for mutant in mutants(formula) if is_one(mutant, ruleset, target)]
        for asked_of in [formula, *([data.draw(st.sampled_from(changed))] if changed else [])]:
            note(game.report(f"prove --target '{target}' --formula '{asked_of}'"))
            try:
                proof = prove_claim(ruleset, unpublished_claim(asked_of, target), limits=LIMITS)
            except RulesetError:  # beyond its small table it is no game, and that is what is said
                reject()
            check(proof, ruleset, game)
            seen[proof.status] += 1
            event(f"{'true of the table' if asked_of == formula else 'changed'}: {proof.status}")

    agree()
    assert min(seen["proved"], seen["refuted"]) >= 1, seen


def _targets(ruleset: Ruleset) -> st.SearchStrategy[Target]:
    if ruleset.splits:
        return st.just(GRUNDY)
    return st.just(P) if ruleset.play == "misere" else st.sampled_from([P, P, ONE, GRUNDY])
