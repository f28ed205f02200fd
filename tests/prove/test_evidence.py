"""Evidence for hypotheses: the tables by which the prover rejects false ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_games import instances
from tests.sizes import examples

from grundylab.games import make_instance, parse_ruleset
from grundylab.language.syntax import TRUE
from grundylab.prove import ground_truth as evidence
from grundylab.prove.ground_truth import ground_truth

NIM = parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]", "nim")


@examples(30, 1200)
@given(instances(), st.integers(0, 5_000), st.integers(3, 60))
def test_a_table_for_the_prover_is_the_largest_before_the_first_with_too_many_moves(instance, most, longest):
    """The prover finds the size by halving; this test tries each size in turn."""
    ruleset, parameters = instance.ruleset, dict(instance.parameters)
    best = None
    for size in range(2, longest):
        larger = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, size))
        if larger.moves > most:
            break
        best = larger
        if not ruleset.bounds:
            break
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evidence, "LONGEST", longest)
        assert evidence.largest_instance(ruleset, parameters, most) == best


def test_the_tables_without_values_are_of_the_same_positions():
    for values, solved in zip(ground_truth(NIM, TRUE, None), ground_truth(NIM, TRUE, "grundy"), strict=True):
        assert values.instance == solved.instance
        assert ((values.values >= 0) == (solved.values >= 0)).all()
        assert solved.values.any()
        assert not values.values.any()
