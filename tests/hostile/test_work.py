"""Conditions of a ruleset whose ranges are short enough at each position, and too long for all: solving ends in one line."""

import pytest

from grundylab.errors import InstanceError, RulesetError, WorkError
from grundylab.games import make_instance, parse_ruleset
from grundylab.language import parse, plain
from grundylab.language.functions import Function, Functions
from grundylab.language.intervals import Interval, tabulate
from grundylab.solve import solve
from grundylab.solve.environment import check_work, written_in
from grundylab.solve.solving import solve_p_positions

FAR = "all(all({0} + i + j >= 0 for j in range(0, 3000)) for i in range(0, 3000))"  # 9 million


def game(condition, where="True"):
    return parse_ruleset(
        "title: t\nposition: {x: 0..N, y: 0..N}\n"
        f"where: {where}\nmoves: [{{take: t, from: x, when: '{condition}'}}, {{take: t, from: y}}]\n"
    )


@pytest.mark.parametrize("method", ["auto", "sweep", "kernel"])
@pytest.mark.parametrize("place", ["when", "where"])
def test_ranges_at_too_many_positions_are_refused_before_any_work(method, place):
    long = FAR.format("x + y")
    ruleset = game(long) if place == "when" else game("True", f"'{long}'")
    instance = make_instance(ruleset, {}, {"N": 1000})
    with pytest.raises(InstanceError, match="at most 1,000,000,000,000 are tried"):
        solve(instance, "outcome", method)


def test_so_are_they_where_the_p_positions_alone_are_asked_for():
    instance = make_instance(game(FAR.format("x + y")), {}, {"N": 1000})
    with pytest.raises(InstanceError, match="are tried"):
        solve_p_positions(instance)


def test_ranges_that_depend_on_one_coordinate_count_once_for_each_of_its_values():
    condition = "any(x == 2*i for i in range(0, 2000))"
    instance = make_instance(game(condition), {}, {"N": 400_000})  # 3·10^14 values at all positions
    check_work(instance)
    with pytest.raises(InstanceError, match="are tried"):
        check_work(instance, written_in(instance))


def test_the_definition_stops_where_its_ranges_take_too_many_steps(monkeypatch):
    monkeypatch.setattr(plain, "RANGE_STEPS", 10_000)
    few = make_instance(game("all(x + i >= 0 for i in range(0, 20))"), {}, {"N": 3})
    assert solve(few, "outcome", "reference").positions == 16
    many = make_instance(game("all(x + i >= 0 for i in range(0, 1000))"), {}, {"N": 3})
    with pytest.raises(RulesetError, match="takes more than 10,000 steps"):
        solve(many, "outcome", "reference")


def test_so_does_a_table_of_a_recurrence(monkeypatch):
    monkeypatch.setattr(plain, "RANGE_STEPS", 10_000)
    function = Function("f", ("n",), parse("f(n - 1) + sum(i for i in range(0, 500))"), ((0, 0),))
    with pytest.raises(WorkError, match="takes more than"):
        tabulate(function, Interval(0, 90), {}, Functions((function,)))
