"""Engines take turns, and an answer is tried on larger tables before it is reported."""

from dataclasses import replace
from functools import partial
from time import process_time

import pytest
from tests.discover.games import WYTHOFF
from tests.solved import solved_table, tables

from grundylab.check.verification import verify
from grundylab.discover import EngineQuestion, Proposals, engine_findings, engine_turns, ranked_candidates
from grundylab.discover.base import out_of_time
from grundylab.discover.engine_turns import Rung
from grundylab.discover.engines import automata
from grundylab.discover.search_budget import LATE, SearchBudget
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import Int, Name, compare
from grundylab.solve.instance_choice import MOST_CELLS, SWEPT_CELLS, doubled_instances, sweepable_instances

P = parse_target("p")
# Up to three may be taken, and beyond 20 up to four.
CHANGING = """title: t
position: {x: 0..N}
moves:
  - {take: "1..min(x, 3)", from: x}
  - {take: 4..4, from: x, when: x > 20}
"""
TWO = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
FINITE = "title: t\nposition: {x: 0..6}\nmoves: [{take: t, from: x}]\n"


def instance(game, **bounds):
    return make_instance(parse_ruleset(game), {}, bounds)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(29.9979, "30 seconds"), (1.0, "1 second"), (0.00996933, "0.01 seconds"), (-8.59, "0 seconds"), (1200, "1,200 seconds")],
)  # fmt: skip
def test_the_budget_that_ended_a_search_is_a_number_for_people(seconds, words):
    assert out_of_time(seconds) == f"stopped by the budget of {words}: a larger budget may find more"


def test_a_formula_that_is_wrong_in_larger_tables__is_not_told_as_exact():
    small = solved_table(CHANGING, "outcome", N=16)
    (found,) = engine_findings([small], EngineQuestion(P), ["search"])
    first, second = found.learnt
    assert first.instances == ("N=16",)
    largest = max(int(label.removeprefix("N=")) for label in second.instances)
    assert second.positions == 1 + largest > first.positions == 17
    exact = [candidate for candidate in found.candidates if candidate.exact]
    assert exact
    assert all(str(candidate.formula) != "x % 4 == 0" for candidate in exact)
    tried = 1 + max(dict(i.bounds)["N"] for i in found.tried)
    assert {(c.train.total, c.validate.total, c.origin.learnt) for c in exact} == {(17, tried, found.learnt)}


def test_a_formula_that_is_first_wrong_where_a_pile_has_184_stones_is_tried_beyond_that():
    """The smaller pile is n + floor(0.3 n) up to n = 42, and floor(n (sqrt(13) - 1) / 2) at every n."""
    formula = parse("3 * min(x, y) == abs(x - y) + 3 * (abs(x - y) // 10)")
    rung = Rung((solved_table("wythoff-3", "outcome", N=64),), P)
    assert verify(formula, P, rung.tables).status == "holds"
    assert verify(formula, P, rung.next.tables).counterexample.position == {"x": 55, "y": 184}


def test_an_engine__does_not_begin_after_the_time_for_all_of_them_and_that_is_noted():
    table = solved_table(TWO, N=8)
    (first,) = engine_findings(
        [table], EngineQuestion(parse_target("grundy"), within=0.0), ["runs", "search", "tree"]
    )
    assert first.engine == "runs"
    assert "2 more" in first.notes[-1]


def test_several_engines__have_a_part_of_the_time_each():
    assert EngineQuestion.shared(P, 0, 30.0, ["search"]).budget == 30
    several = EngineQuestion.shared(P, 0, 30.0, ["search", "tree", "runs", "periods"])
    assert (several.budget, several.within) == (10, 30)


def test_an_engine_has_its_own_budget_and_no_clock_cuts_what_is_drawn_at_random(monkeypatch):
    """A budget that depends on the clock would ask PySR another question each time, and find no kept answer."""
    budgets = {}

    def asked(name):
        return lambda samples, target, seed, budget: budgets.setdefault(name, budget) and Proposals()

    monkeypatch.setattr(engine_turns, "engine_named", asked)
    engines = ("tree", "gplearn", "pysr")
    question = EngineQuestion.shared(P, 0, 6.0, engines)
    engine_findings([solved_table(TWO, N=4)], replace(question, within=0.5, budgets={"pysr": 7.0}), engines)
    assert budgets["tree"] < 0.5
    assert (budgets["gplearn"], budgets["pysr"]) == (2.0, 7.0)


def test_work_that_is_not_counted_is_ended_by_the_clock():
    work = SearchBudget(0.01)
    part = work.part(1 / 2)
    started = process_time()
    while process_time() < started + LATE * 0.01:
        pass
    assert work.over
    assert part.over


def test_engines_take_turns_until_an_answer_stands():
    table = solved_table(TWO, N=8)
    in_turn = engine_findings([table], EngineQuestion(P), ["runs", "search", "tree"])
    assert [found.engine for found in in_turn] == ["runs"]
    grundy = engine_findings([table], EngineQuestion(parse_target("grundy")), ["runs", "search", "tree"])
    assert [found.engine for found in grundy] == ["runs", "search"]
    best = ranked_candidates(grundy)[0]
    assert (str(best.formula), best.origin.engine, best.exact) == ("x ^ y", "search", True)


def test_a_formula_that_several_engines_find_is_told_once():
    table = solved_table(TWO, "outcome", N=8)
    each = [
        *engine_findings([table], EngineQuestion(P), ["search"]),
        *engine_findings([table], EngineQuestion(P), ["tree"]),
    ]
    formulas = [candidate.formula for candidate in ranked_candidates(each)]
    assert len(formulas) == len(set(formulas)) < sum(len(found.candidates) for found in each)


def test_a_region_is_learnt_from_and_tried_alone():
    table = solved_table(TWO, "outcome", N=8)
    (found,) = engine_findings([table], EngineQuestion(P), ["search"], where=parse_condition("x >= 3"))
    best = found.candidates[0]
    assert (best.train.total, best.validate.total) == (6 * 9, 254 * 257)
    assert [i.label for i in found.tried] == ["N=256"]


def test_tables_grow_as_long_as_they_are_not_too_large():
    grown = instance(TWO, N=8)
    while larger := doubled_instances([grown]):
        (grown,) = larger
        assert grown.cells <= MOST_CELLS
    assert dict(grown.bounds)["N"] == 256
    assert doubled_instances([instance(FINITE)]) == ()


RACE = "title: t\nparameters: {k: k >= 0}\nposition: {n: 0..k}\nmeasure: k - n\nmoves: [{when: n < k, to: {n: %s}}]\n"


def test_an_answer_where_the_space_ends_at_a_parameter__is_tried_at_larger_values():
    learnt = tables(RACE % "n + 1", "p", k=range(4))
    (found,) = engine_findings(learnt, EngineQuestion(P), ["search"])
    assert found.learnt[0].instances == ("k=0", "k=1", "k=2", "k=3")
    assert {f"k={k}" for k in range(64)} <= {instance.label for instance in found.tried}
    assert found.candidates[0].exact
    kept = engine_findings(learnt, EngineQuestion(P), ["search"], below={"k": 9})
    assert [instance.label for instance in kept[0].tried] == [f"k={k}" for k in range(8)]
    (alone,) = engine_findings(learnt[3:], EngineQuestion(P), ["search"])
    assert alone.tried == ()  # a formula for k = 3 is wanted, and need not be right for other games


def test_tables_for_an_answer_that_still_changes__grow_without_a_look_at_each_move():
    game = instance(WYTHOFF, N=192)
    assert doubled_instances([game]) == ()
    (larger,) = sweepable_instances([game], "outcome")
    assert larger.label == "N=384"
    (largest,) = sweepable_instances([larger], "outcome")
    assert sweepable_instances([largest], "outcome") == ()
    assert largest.cells <= SWEPT_CELLS
    assert sweepable_instances([game], "outcome", {"N": 384}) == ()


@pytest.mark.parametrize(("changes", "largest"), [(0, 320), (1, 320), (2, 640), (9, 640)])
def test_an_engine_whose_answer_still_changes__is_asked_further_and_another_is_not(
    changes, largest, monkeypatch
):
    """Use an engine that is wrong in every table, and that reports a few times that its formula still changes."""
    asked = []

    def engine(samples, target, seed, budget, left=changes):
        asked.append((int(samples.columns["x"].max()), left))
        return Proposals(
            (compare("==", Name("x"), Int(7)),), further=partial(engine, left=left - 1) if left else None
        )

    monkeypatch.setattr(automata, "propose", engine)
    (found,) = engine_findings([solved_table(WYTHOFF, "outcome", N=40)], EngineQuestion(P), ["automata"])
    assert asked[-1][0] == largest
    assert [left for _, left in asked[:2]] == ([changes, changes - 1] if changes else [0, 0])
    assert not found.exact
