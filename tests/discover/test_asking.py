"""Engines take turns, and an answer is tried on larger tables before it is told."""

from grundylab.discover import Question, answers, best_first
from grundylab.discover.asking import CELLS, doubled
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.language import parse_condition
from grundylab.solve import solve

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


def test_what_is_wrong_in_larger_tables_is_not_told_as_exact():
    small = solve(instance(CHANGING, N=16), "outcome")
    (found,) = answers([small], Question(P), ["search"])
    assert [i.label for i in found.training] != ["N=16"]
    exact = [candidate for candidate in found.candidates if candidate.exact]
    assert exact
    assert all(str(candidate.formula) != "x % 4 == 0" for candidate in exact)
    assert all(candidate.total == 1 + max(dict(i.bounds)["N"] for i in found.tried) for candidate in exact)


def test_nothing_as_large_as_what_is_kept_for_verification_is_learnt_from():
    small = solve(instance(CHANGING, N=16), "outcome")
    (found,) = answers([small], Question(P), ["search"], below={"N": 32})
    assert ([i.label for i in found.training], found.tried) == (["N=16"], ())
    assert str(found.candidates[0].formula) == "x % 4 == 0"


def test_engines_take_turns_until_an_answer_stands():
    table = solve(instance(TWO, N=8), "grundy")
    in_turn = answers([table], Question(P), ["runs", "search", "tree"])
    assert [found.engine for found in in_turn] == ["runs"]
    grundy = answers([table], Question(parse_target("grundy")), ["runs", "search", "tree"])
    assert [found.engine for found in grundy] == ["runs", "search"]
    best = best_first(grundy)[0]
    assert (str(best.formula), best.engine, best.exact) == ("x ^ y", "search", True)


def test_a_formula_that_several_engines_find_is_told_once():
    table = solve(instance(TWO, N=8), "outcome")
    each = [*answers([table], Question(P), ["search"]), *answers([table], Question(P), ["tree"])]
    formulas = [candidate.formula for candidate in best_first(each)]
    assert len(formulas) == len(set(formulas)) < sum(len(found.candidates) for found in each)


def test_a_region_is_learnt_from_and_tried_alone():
    table = solve(instance(TWO, N=8), "outcome")
    (found,) = answers([table], Question(P), ["search"], where=parse_condition("x >= 3"))
    assert (found.candidates[0].total, [i.label for i in found.tried]) == (126 * 129, ["N=128"])


def test_tables_grow_as_long_as_they_are_not_too_large():
    grown = instance(TWO, N=8)
    while larger := doubled([grown]):
        (grown,) = larger
        assert grown.cells <= CELLS
    assert dict(grown.bounds)["N"] == 256
    assert doubled([instance(FINITE)]) == ()
