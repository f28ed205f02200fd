"""Ranges within ranges, and numbers of very many digits: every reader limits how many values and how much work it takes.

Where that is too much, a formula is undecided, a solver ends in one line before or while it works, and nothing is compiled.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grundylab.check.verification import verify
from grundylab.cli.commands import check
from grundylab.errors import InstanceError, LimitError, RulesetError, WorkError
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.language import arrays, parse, plain
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import NO_FUNCTIONS, Function, Functions
from grundylab.language.intervals import Interval, fits_machine, recurrence_values
from grundylab.language.plain import evaluate
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.environment import check_work, evaluated_expressions
from grundylab.solve.reference import solve_reference
from grundylab.solve.solving import solve_p_positions

NIM = parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n")
_ENDS = st.sampled_from(["x", "y", "3", "x + y", "5 - x", "9"])


@st.composite
def nested(draw, names=("i", "j", "k")):
    """Draw a formula of nested ranges in x and y."""
    name, *others = names
    body = f"x + {name}"
    if others and draw(st.booleans()):
        body = draw(nested(tuple(others)))
    kind, stop = draw(st.sampled_from(["sum", "any", "all"])), draw(_ENDS)
    test = body if kind == "sum" else f"{body} {draw(st.sampled_from(['==', '<', '!=']))} {draw(_ENDS)}"
    value = f"{kind}({test} for {name} in range(0, {stop}))"
    return value if kind == "sum" else f"(1 if {value} else 0)"


@settings(max_examples=120)
@given(nested(), st.integers(5, 60))
def test_the_readers_agree_on_what_is_too_much(text, most):
    expr, positions = parse(text), [(x, y) for x in range(4) for y in range(4)]
    x, y = (np.array(column) for column in zip(*positions, strict=True))

    def one(at):
        try:
            return int(evaluate(expr, dict(zip("xy", at, strict=True))))
        except LimitError:
            return None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plain, "MAX_TRIED", most)
        expected = [one(at) for at in positions]
        try:
            found = evaluate_arrays(expr, {"x": x, "y": y}).tolist()
        except LimitError:
            assert None in expected
        else:
            assert list(map(int, found)) == expected


def test_a_value_that_is_kept_is_found_once_wherever_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(plain, "MAX_TRIED", 100)
    body = parse("f(n - 1) + sum(i for i in range(0, 50))")
    functions = Functions((Function("f", ("n",), body, ((0, 0),)),))
    assert evaluate(parse("sum(f(k) for k in range(0, 60))"), {}, functions) == 1225 * 59 * 30


def test_ranges_within_ranges_are_not_compiled_if_they_could_be_too_many():
    known = {"x": Interval(0, 5_000)}
    twice = "any(any(i == j for j in range(0, {0})) for i in range(0, {0}))"
    assert fits_machine(parse(twice.format("3000")), known, NO_FUNCTIONS)
    assert not fits_machine(parse(twice.format("x")), known, NO_FUNCTIONS)


@pytest.mark.parametrize(
    "quantifier", ["sum(i + x - x for i in range(0, 1000)) == 1", "all(i + x >= x for i in range(0, 1000))"]
)
def test_an_evaluation_that_takes_too_much_is_undecided(monkeypatch, quantifier):
    monkeypatch.setattr(arrays, "MAX_WORK", 20_000)
    table = solve_reference(make_instance(NIM, {}, {"N": 5}), "outcome")
    found = verify(parse(quantifier), parse_target("p"), [table])
    assert (found.status, found.checked) == ("undecided", 0)
    assert "exceeded 20,000 steps" in found.reason


def test_so_is_one_position_by_position(monkeypatch):
    monkeypatch.setattr("grundylab.check.verification._STEPS", 10_000)
    table = solve_reference(make_instance(NIM, {}, {"N": 5}), "outcome")
    found = verify(parse("sum(i for i in range(0, 1000)) // x == y"), parse_target("p"), [table])
    assert found.status == "undecided"


@pytest.mark.skipif(find_mona() is None, reason=MISSING)
def test_what_cannot_be_evaluated_is_no_contradiction_between_mona_and_the_solver(monkeypatch):
    monkeypatch.setattr(plain, "MAX_TRIED", 100)
    formula = parse("any(all(i ^ j != x + y + 9 for j in range(0, 30)) for i in range(0, 30))")
    found = prove_claim(NIM, unpublished_claim(formula, parse_target("p")), question=True, limits=Limits(20))
    assert found.status == "undecided"


@pytest.mark.parametrize(
    "text",
    [
        "any(i == 0 for i in range(x, 1000001))",
        "sum(sum(j + x for j in range(0, i + 1)) for i in range(0, 1000))",
    ],
)
def test_too_many_values_are_not_tried_by_any_reader(monkeypatch, text):
    monkeypatch.setattr(plain, "MAX_TRIED", 900_000 if "sum" in text else 10**9)
    expr = parse(text.replace("i + 1", "1000"))
    with pytest.raises(LimitError, match="are tried"):
        evaluate(expr, {"x": 0})
    with pytest.raises(LimitError, match="are tried"):
        evaluate_arrays(expr, {"x": np.arange(3)})


# -- rulesets ----------------------------------------------------------------------------------------------------------

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
    with pytest.raises(InstanceError, match="1,000,000,000,000"):
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
