"""The engine ``transfer``: values with a pass as a function of values without it, but only if they are one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover.games import piles
from tests.findings.made import proposed
from tests.random_games import instances
from tests.sizes import examples
from tests.solved import solved_table

from grundylab.discover import EngineQuestion, collect, engine_findings, engine_named
from grundylab.discover.engines.transfer import conflict, smallest_cases
from grundylab.discover.ranking import MOST_EXACT, rank
from grundylab.errors import GrundylabError
from grundylab.findings.verdicts import verified_formulas
from grundylab.games import parse_ruleset, parse_target
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.logic.mona import find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.prover import prove_claim
from grundylab.records.finding import distinct
from grundylab.solve import solve

GRUNDY = parse_target("grundy")
BUDGET = 300  # seconds, of which none of these searches needs a tenth: a busy machine must not cut them short
PASS = "pass: {}\n"
HALF = "1..ceil(x/2)"


def table(game, bound, **parameters):
    return solved_table(game, N=bound, **parameters)


def found(game, bound):
    return EngineQuestion(GRUNDY, 0, BUDGET).about("transfer", collect([table(game, bound)], GRUNDY))


def verdicts(game, candidates, bound):
    found = verified_formulas(parse_ruleset(game), candidates, {"test": [table(game, bound)]})
    return [(str(record.where), str(record.formula), record.status) for record in distinct(found)]


def said(formula, where, game, bound):
    """Tell whether this formula of the looked-up value g is exact under this condition."""
    solved = table(game, bound)
    samples = collect([solved], GRUNDY)
    proposal = proposed(formula, GRUNDY, "transfer", 0, 0, where=where, values={"G": "this"})
    (candidate,) = rank([proposal], samples, GRUNDY, "transfer", 0)
    return candidate.exact


def test_theorem_3_comes_out_and_holds_on_a_larger_table():
    game = piles(1, PASS, HALF)
    findings = found(game, 60)
    *closed, whole, apart = verdicts(game, findings.candidates, 1000)
    assert {(where, status, "G" in formula) for where, formula, status in closed} == {
        ("True", "holds", False)
    }
    assert (whole[0], whole[2]) == ("p == 1", "holds")
    assert (apart[0], apart[2]) == ("p == 1 and x >= 1", "holds")
    # (ii) to (v), as printed
    assert said("1 if G(x, 0) == 0 else 0 if G(x, 0) == 2 else G(x, 0) + (-1 if G(x, 0) % 2 == 0 else 1)",
                "p == 1 and x >= 1", game, 1000)  # fmt: skip
    (note,) = findings.notes
    for part in ("p == 1", "G(x, 0)", "(x=0, p=1) and (x=2, p=1)", "0 and 1"):
        assert part in note


@pytest.mark.parametrize(
    ("count", "bound", "larger"), [(2, 8, 60), pytest.param(3, 6, 20, marks=pytest.mark.long)]
)
def test_theorem_4_comes_out_and_holds_on_a_larger_table(count, bound, larger):
    game = piles(count, PASS, HALF)
    *_, (where, formula, status) = verdicts(game, found(game, bound).candidates, larger)
    assert (formula, status) == (f"G({', '.join('xyz'[:count])}, 0) ^ 1", "holds")
    some = parse_condition(where)
    names = parse_ruleset(game).coordinate_names
    for x, y in ((0, 0), (0, 5), (5, 0), (1, 1), (5, 7)):
        at = dict.fromkeys(names, 0) | {"x": x, "y": y, "p": 1}
        assert evaluate(some, at) == (x > 0 and y > 0)


def test_the_formula_of_the_lower_values__is_put_in():
    game = piles(1, PASS)
    *every, looked_up = found(game, 16).candidates
    closed = every[0]
    assert (closed.values, str(closed.where), closed.train.total) == ({}, "True", 34)
    assert (looked_up.values, str(looked_up.where), looked_up.train.total) == ({"G": "this"}, "p == 1", 17)
    if find_mona():
        assert prove_claim(parse_ruleset(game), unpublished_claim(closed.formula, GRUNDY)).status == "proved"


def test_the_note_that_there_is_no_function__has_the_smallest_two_positions():
    findings = found(piles(2, PASS), 12)
    assert findings.candidates == ()
    places, conditions = findings.notes
    for part in ("p == 1", "G(x, y, 0)", "(x=0, y=0, p=1) and (x=1, y=1, p=1)", "0 and 1"):
        assert part in places
    assert "x, y" in conditions


@pytest.mark.parametrize(
    ("game", "target", "reason"),
    [(piles(2, PASS), "p", "target"), (piles(2), "grundy", "2 to 4 consecutive values")],
)
def test_transfer__says_what_it_is_not_for(game, target, reason):
    solved = [table(game, 8)]
    wanted = parse_target(target)
    findings = EngineQuestion(wanted).about("transfer", collect(solved, wanted))
    (note,) = findings.notes
    assert (findings.candidates, reason in note) == ((), True)


def test_a_pass_twice_is_looked_up_one_lower():
    game = (
        piles(1, takes=HALF)
        .replace("position: {x: 0..N}", "position: {x: 0..N, q: 0..2}")
        .replace("piles: 1\n", "")
    )
    game = game.replace("]\n", ", {when: q > 0 and x > 0, to: {q: q - 1}}]\n")
    candidates = [each for each in found(game, 60).candidates if not each.is_reference]
    assert candidates
    assert all("G(x, q - 1)" in str(candidate.formula) for candidate in candidates)
    assert {str(candidate.where).split(" and ")[0] for candidate in candidates} == {"q > 0"}


def test_a_lookup_is_in_the_table_with_the_same_parameters():
    game = piles(1, "parameters: {a: a >= 1}\n" + PASS, "1..floor(a*x/(a + 1))")
    samples = collect([table(game, 12, a=1), table(game, 20, a=3)], GRUNDY)
    values = {"G": "this"}

    def ranked(formula, where="True"):
        return rank(
            [proposed(formula, GRUNDY, "transfer", 0, 0, where=where, values=values)],
            samples,
            GRUNDY,
            "transfer",
            0,
        )

    (same,) = ranked("G(x, p)")
    assert (same.train.right, same.train.total) == (2 * 13 + 2 * 21, 2 * 13 + 2 * 21)
    (part,) = ranked("G(x, 0)", "p == 0")
    assert (part.exact, part.train.total) == (True, 13 + 21)
    assert ranked("G(x + 1, p)") == []  # it leaves the table
    assert ranked("G(x - 1, p)") == []
    assert ranked("H(x, p)") == []


def test_each_setting_of_the_parameters_is_learnt_from_alone():
    game = piles(1, "parameters: {m: m >= 1}\n", "1..min(x, m)")
    tables, larger = ([table(game, bound, m=m) for m in (1, 2)] for bound in (20, 400))
    (findings,) = engine_findings(tables, EngineQuestion(GRUNDY), ["search"], each=True)
    fixed = {str(candidate.where).split(" and ")[0] for candidate in findings.candidates}
    assert fixed == {"m == 1", "m == 2"}
    assert {note.split(":")[0] for note in findings.notes} == {"m=1", "m=2"}
    judged = verified_formulas(parse_ruleset(game), findings.candidates, {"test": larger})
    assert {(record.status, record.test.checked > 0) for record in judged} == {("holds", True)}


@examples(5, 480)
@given(instances())
def test_a_function_stated_of_a_random_game__is_true(instance):
    if instance.ruleset.play != "normal":
        return
    solved = solve(instance, "grundy")
    try:
        samples = collect([solved], GRUNDY)
    except GrundylabError:  # no positions
        return
    proposals = engine_named("transfer")(samples, GRUNDY, 0, 0.5)
    ranked = rank(proposals.parts, samples, GRUNDY, "transfer", 0)
    for candidate in ranked:
        assert candidate.exact
        (record,) = verified_formulas(instance.ruleset, [candidate], {"test": [solved]})
        assert record.status == "holds"
    assert len(ranked) >= min(len(proposals.parts), MOST_EXACT)  # more if one is put into plainer words


@given(st.lists(st.integers(0, 9), min_size=8, max_size=30))
def test_a_conflict_is_one_and_is_missed_only_where_there_is_none(numbers):
    g = np.array(numbers)
    values = (g * 2) % 7
    assert conflict(g, values) is None
    values[7] += 1
    pair = conflict(g, values)
    if np.count_nonzero(g == g[7]) == 1:
        assert pair is None
    else:
        first, second = pair
        assert g[first] == g[second]
        assert values[first] != values[second]


def test_cases_are_of_all_positions_once_and_functions_in_each():
    game = piles(3, PASS, HALF)
    samples = collect([table(game, 6)], GRUNDY, parse_condition("p == 1"))
    without = collect([table(game, 6)], GRUNDY, parse_condition("p == 0"))
    ways = smallest_cases(samples, without.values)
    assert ways
    for cases in ways:
        assert sum(case.mask.astype(int) for case in cases).tolist() == [1] * len(samples)
        for case in cases:
            assert conflict(without.values[case.mask], samples.values[case.mask]) is None
