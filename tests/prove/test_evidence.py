"""What refutes a formula without a table: a position and its options, of which it cannot be right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.random_games import instances
from tests.sizes import examples

from grundylab.games import make_instance, parse_ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse
from grundylab.language.plain import Meter
from grundylab.language.syntax import TRUE
from grundylab.prove import evidence
from grundylab.prove.evidence import ground_truth
from grundylab.prove.hypothesis import asked
from grundylab.prove.local import around
from grundylab.prove.outcome import Look

NIM = parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]", "nim")


@pytest.mark.parametrize(
    ("formula", "position", "words"),
    [
        ("x == y or x == 9", (9, 3), "it says the same of (x=9, y=3) and of an option of it"),
        ("x == y and x != 7", (7, 7), "what it says of (x=7, y=7) is not what it says of its options"),
        ("x == y", (5, 3), None),
        ("x == y", (4, 4), None),
    ],
)
def test_a_formula_that_contradicts_itself_is_refuted_by_one_position_and_its_options(
    formula, position, words
):
    judge = around(NIM, asked(parse(formula), P_POSITIONS), {}, max(position), Meter(10_000))
    assert judge.at(position, {}) == Look(1, max(position), contradiction=words)


@examples(30, 1200)
@given(instances(), st.integers(0, 5_000), st.integers(3, 60))
def test_a_table_for_the_prover_is_the_largest_before_the_first_with_too_many_moves(instance, most, longest):
    """Found by halving; here by trying each size in turn."""
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
        assert evidence._largest(ruleset, parameters, most) == best


def test_the_tables_without_values_are_of_the_same_positions():
    for values, solved in zip(ground_truth(NIM, TRUE, None), ground_truth(NIM, TRUE, "grundy"), strict=True):
        assert values.instance == solved.instance
        assert ((values.values >= 0) == (solved.values >= 0)).all()
        assert solved.values.any()
        assert not values.values.any()
