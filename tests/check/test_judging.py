"""Claims are judged in tables of few enough moves, and a lookup fits the ruleset that it names."""

import pytest

from grundylab.check import judging
from grundylab.errors import RulesetError
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import solve

PILE = parse_ruleset("""title: t
position: {x: 0..N}
moves: [{take: t, from: x}]
claims:
  - {id: options, every-option: x >= 0}
  - {id: values, target: grundy, formula: x}
  - {id: fits, target: grundy, formula: G(x), values: {G: this}}
  - {id: unfit, target: grundy, formula: "G(x, x)", values: {G: this}}
""")


def pile(size):
    return make_instance(PILE, {}, {"N": size})


@pytest.mark.parametrize(
    ("most", "size"), [(pile(8).moves, 8), (pile(8).moves - 1, 4), (pile(4).moves, 4), (0, 1)]
)
def test_a_claim_about_options_is_judged_in_a_table_with_few_enough_moves(monkeypatch, most, size):
    monkeypatch.setattr(judging, "_MOVES", most)
    given = [solve(pile(8))]
    (table,) = judging.claim_tables(PILE.claim("options"), given)
    assert (table.instance, table is given[0]) == (pile(size), size == 8)
    assert judging.claim_tables(PILE.claim("values"), given) is given


def test_memory_is_looked_at_before_anything_is_solved_and_progress_is_told_in_cells(monkeypatch):
    done = []
    monkeypatch.setattr(judging, "check_memory", lambda instance: done.append(("memory", instance.cells)))
    judging.judge_instances(
        PILE.claim("values"), [pile(8), pile(4)], lambda cells: done.append(("told", cells))
    )
    assert done == [("memory", 9), ("memory", 5), ("told", 9), ("told", 5)]


def test_a_lookup_has_an_argument_for_each_coordinate():
    judging.check_lookups(PILE.claim("fits"), pile(8))
    with pytest.raises(RulesetError, match=r"G\(x, x\)"):
        judging.check_lookups(PILE.claim("unfit"), pile(8))


def test_a_table_of_outcomes_does_not_answer_a_lookup_of_grundy_numbers():
    for kind in "grundy", "outcome":
        functions = judging.claim_functions(PILE.claim("fits"), solve(pile(8), kind))
        assert functions["G"](8) == 8
