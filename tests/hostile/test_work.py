"""Conditions whose ranges are short at each position but too long over all positions: solving ends in one line."""

import numpy as np
import pytest

from grundylab.cli.commands import check
from grundylab.errors import InstanceError, LimitError, RulesetError, WorkError
from grundylab.games import make_instance, parse_ruleset
from grundylab.language import arrays, parse, plain
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import Function, Functions
from grundylab.language.intervals import Interval, recurrence_values
from grundylab.solve import solve
from grundylab.solve.environment import check_work, evaluated_expressions
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
        check_work(instance, evaluated_expressions(instance))


def test_the_definition_stops_where_its_ranges_take_too_many_steps(monkeypatch):
    monkeypatch.setattr(plain, "RANGE_STEPS", 10_000)
    few = make_instance(game("all(x + i >= 0 for i in range(0, 20))"), {}, {"N": 3})
    assert solve(few, "outcome", "reference").positions == 16
    many = make_instance(game("all(x + i >= 0 for i in range(0, 1000))"), {}, {"N": 3})
    with pytest.raises(RulesetError, match="exceeded 10,000 steps"):
        solve(many, "outcome", "reference")


def test_so_does_a_table_of_a_recurrence(monkeypatch):
    monkeypatch.setattr(plain, "RANGE_STEPS", 10_000)
    function = Function("f", ("n",), parse("f(n - 1) + sum(i for i in range(0, 500))"), ((0, 0),))
    with pytest.raises(WorkError, match="exceeded"):
        recurrence_values(function, Interval(0, 90), {}, Functions((function,)))


POWERS = """
title: t
functions: {f(n): {recurrence: f(n - 1)*f(n - 1), initial: {0: 2}}, s(n): n*n*n*n*n*n*n*n*n}
position: {x: 0..N}
moves: [{take: "1..min(x, %s)", from: x}]
"""


@pytest.mark.parametrize("bound", ["s(f(x))", "(f(x) << 4096" + " << 4096" * 56 + ")"])
def test_where_no_bounds_are_known_for_size_the_definition_solves(bound):
    instance = make_instance(parse_ruleset(POWERS % bound, "t"), {}, {"N": 15})
    with pytest.raises(
        RulesetError, match=r"t \(N=15\): at the position \(x=15\): a (product|shift) .* 262,144"
    ):
        solve(instance, "outcome")
    with pytest.raises(
        InstanceError, match=r"t \(N=15\): a (product|shift) .* 262,144 .*; choose smaller bounds"
    ):
        solve(instance, "outcome", "kernel")


def test_arrays_of_numbers_of_very_many_digits_count_for_their_digits(monkeypatch):
    monkeypatch.setattr(arrays, "MAX_WORK", 100_000)
    known = {"x": np.arange(1_000)}
    assert evaluate_arrays(parse("x * x"), known)[9] == 81
    with pytest.raises(LimitError, match="exceeded 100,000 steps"):
        evaluate_arrays(parse("((1 << 4000) + x) * ((1 << 4000) + x) % 7"), known)


def test_a_trial_that_takes_too_many_steps_is_none(monkeypatch):
    monkeypatch.setattr(check, "_TRIAL_STEPS", 1_000)
    assert check.try_moves(game("True", "all(i + x >= x for i in range(0, 1000))")) == check.Trial()
