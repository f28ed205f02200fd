"""Genetic programming: its settings, and operators that mean the same in gplearn, in Julia, and as formulas."""

import math
import re
import warnings
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.discover.games import PASS, SUBTRACTION, piles
from tests.discover.made import made, whole_problem
from tests.sizes import examples
from tests.solved import tables
from tests.strategies import conditions, numbers

from grundylab.discover import collect, engine_named
from grundylab.discover.engines.gplearn import gplearn_functions, program_formula
from grundylab.discover.genetic import (
    BUILT_IN,
    CONSTANTS,
    CUT,
    OPERATORS,
    FormulaTooLarge,
    genetic_problem,
    shorten_formula,
    solvable_coordinates,
    solved_coordinate,
)
from grundylab.discover.ranking import error_mask
from grundylab.games import parse_target
from grundylab.language import Expr, parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Binary, Call, Int, Name

P = parse_target("p")
FEW = examples(15)
WHOLE = st.integers(-12, 40) | st.integers(-(2**31), 2**31)


@cache
def made_functions():
    with np.errstate(all="ignore"):
        return gplearn_functions()


each_operator = pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)


# -- the problem ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("x == y", ("x", "y")),
        ("x == y // 2", ("x",)),
        ("x % 3 == 0", ()),
        ("x ^ y == 3 and x < 3", ("x", "y")),
        ("x < 0", ()),
    ],
)
def test_a_coordinate_can_be_solved_for_if_the_condition_holds_once_along_it(condition, names):
    assert solvable_coordinates(made(condition, x=range(8), y=range(8))) == names


def test_the_p_positions_of_a_game_with_a_pass_are_solved_for_the_last_pile():
    samples = collect(tables(piles(3, PASS), "p", N=6), P)
    asked = whole_problem(samples)
    assert (asked.solved, asked.zero) == ("z", False)
    assert {str(leaf) for leaf in asked.leaves if isinstance(leaf, Name)} == {"x", "y", "p"}
    there = samples.at(np.flatnonzero(samples.values))
    assert sorted(asked.wanted.tolist()) == sorted(there.columns["z"].tolist())
    assert str(asked.formula(parse("x ^ y"))) == "z == x ^ y"


def test_a_condition_without_a_solved_coordinate__is_asked_for_by_zero_with_both_sides_of_the_same_weight():
    samples = collect(tables(SUBTRACTION, "p", N=40, m=(3, 4)), P)
    asked = whole_problem(samples)
    assert (asked.solved, asked.zero) == (None, True)
    assert set(asked.leaves) == {Name("x"), Name("m"), Int(0), Int(1), Int(2)}
    assert np.array_equal(asked.wanted == 0, samples.values)
    assert asked.weights[asked.wanted == 0].sum() == pytest.approx(asked.weights[asked.wanted == 1].sum())
    assert str(asked.formula(parse("x % (m + 1)"))) == "x % (m + 1) == 0"


@pytest.mark.parametrize("condition", ["x == 0", "x == 1"])
@pytest.mark.parametrize("bound", [1, 4])
def test_a_condition_that_is_the_same_everywhere_is_described_at_once(condition, bound):
    samples = made(condition, x=range(1), y=range(bound))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        asked = whole_problem(samples)
    assert asked.weights.tolist() == [1] * len(asked.features)
    told = engine_named("gplearn")(samples, P, 0, 5.0)
    assert told.notes == ()
    assert any(not error_mask(formula, samples).any() for formula in told.formulas)


@pytest.mark.parametrize(
    ("target", "right"), [("x + y", "x + y"), ("x ^ y == 1", "x ^ 1"), ("x < y", "1 if y <= x else 0")]
)
def test_a_problem_has_each_position_with_its_own_value(target, right):
    """The formula of the right term is right at the rows of the problem, for every kind of target."""
    samples = made(target, x=range(30), y=range(30))
    rows = np.flatnonzero(samples.values if target == "x ^ y == 1" else np.ones(900))[5::3]
    asked = genetic_problem(samples, solved_coordinate(samples), rows)
    names = [str(leaf) for leaf in asked.leaves]
    columns = {name: asked.features[:, place] for place, name in enumerate(names) if not name.isdecimal()}
    assert len(asked.features) == len(rows)
    assert np.array_equal(evaluate_arrays(parse(right), columns), asked.wanted)


@FEW
@given(formula=numbers(("x", "y"), 2, calls=False) | conditions(("x", "y"), 2, calls=False))
def test_an_answer_is_no_worse_for_being_put_into_shorter_and_plainer_words(formula):
    samples = made("x == y", x=range(5), y=range(5))
    before = error_mask(formula, samples)
    answer = shorten_formula(formula, samples)
    after = error_mask(answer, samples)
    assert before is None or (after is not None and not np.any(after & ~before))


def test_an_answer_in_an_engines_words_is_put_into_plain_ones():
    samples = made("x ^ y", x=range(9), y=range(9))
    formula = parse("(-1 % (x ^ y) if x != y else -1) + 1")
    assert str(shorten_formula(formula, samples)) == "x ^ y"


# -- operators -----------------------------------------------------------------------------------------------


def cut(expr: Expr) -> Expr:
    """Return the formula with its products limited to CUT in size, as the programs limit them."""
    whole = rebuild(expr, tuple(map(cut, expr.children)))
    if isinstance(whole, Binary) and whole.op == "*":
        return Call("max", (Int(-CUT), Call("min", (Int(CUT), whole))))
    return whole


def meant(operator, arguments) -> int:
    return evaluate(cut(operator.tree), dict(zip("abc", arguments, strict=False)))


@each_operator
@FEW
@given(st.data())
def test_an_operator_means_the_same_on_arrays_and_in_julia(operator, data):
    rows = data.draw(st.lists(st.tuples(*[WHOLE] * operator.arity), min_size=1, max_size=5))
    with np.errstate(all="ignore"):
        found = operator.on_arrays(*np.array(rows, dtype=np.float64).T)
    assert found.tolist() == [meant(operator, row) for row in rows]
    if operator.name not in BUILT_IN:
        in_it = [in_julia(operator, map(float, row)) for row in rows]
        assert in_it == found.tolist()
        assert all(isinstance(value, float) for value in in_it)


@each_operator
@FEW
@given(st.data())
def test_a_value_of_an_operator__is_no_larger_than_its_arguments_together_but_for_products(operator, data):
    arguments = data.draw(st.tuples(*[WHOLE] * operator.arity))
    if operator.name != "times":
        assert abs(meant(operator, arguments)) <= max(1, sum(map(abs, arguments)))


@given(st.integers(0, 2**32 - 1))
def test_a_program_is_the_formula_that_it_is_translated_to(seed):
    """The programs are random ones of gplearn, on random columns."""
    from gplearn._program import _Program

    random = np.random.RandomState(seed)
    leaves = (Name("x"), Name("y"), Name("m"), *map(Int, CONSTANTS))
    program = _Program(
        function_set=made_functions(), arities={}, init_depth=(2, 5), init_method="half and half", metric=None,
        n_features=len(leaves), const_range=None, p_point_replace=0, parsimony_coefficient=0, random_state=random,
    )  # fmt: skip
    try:
        formula = cut(program_formula(program.program, leaves))
    except FormulaTooLarge:
        assume(False)
    columns = random.randint(-3, 30, (8, 3))
    table = np.hstack([columns, np.tile(CONSTANTS, (8, 1))])
    with np.errstate(all="ignore"):
        values = program.execute(table.astype(np.float64))
    for value, row in zip(values.tolist(), columns.tolist(), strict=True):
        assert value == evaluate(formula, dict(zip("xym", row, strict=True))), str(formula)


@pytest.mark.parametrize("depth", [12, 30, 1000])
def test_a_program_whose_formula_is_too_large_is_refused_at_once(depth):
    """Each remainder mentions its divisor twice: the formula would have more than 2**depth nodes."""
    remainder = next(function for function in made_functions() if function.name == "remainder")
    with pytest.raises(FormulaTooLarge):
        program_formula([*[remainder, 0] * depth, 1], (Name("x"), Name("y")))


# -- Julia ---------------------------------------------------------------------------------------------------


def in_julia(operator, arguments) -> float:
    """Return the value of an operator's definition in Julia, with ``&&`` and ``?:`` translated to Python."""
    head, body = operator.julia.split(" = ", 1)
    names = "abc"[: operator.arity]
    assert head == f"{operator.name}({', '.join(names)})"
    tokens = iter(re.findall(r"\w+|&&|!=|\S|\s", body))

    def group() -> str:
        parts = [""]
        for token in tokens:
            match token:
                case "(":
                    parts[-1] += f"({group()})"
                case ")":
                    break
                case "?" | ":":
                    parts.append("")
                case _:
                    parts[-1] += "and" if token == "&&" else token
        return parts[0] if len(parts) == 1 else "{1} if {0} else {2}".format(*parts)

    return eval(group(), dict(zip(names, arguments, strict=True)) | FUNCTIONS)  # noqa: S307


def whole(value):
    assert float(value).is_integer(), "Julia throws here"
    return int(value)


FUNCTIONS = {
    "NaN": math.nan, "Int64": whole, "isinteger": lambda a: float(a).is_integer(), "oftype": lambda a, b: float(b),
    "fld": lambda a, b: a // b, "mod": lambda a, b: a % b, "xor": lambda a, b: a ^ b,
    "clamp": lambda a, low, high: min(max(a, low), high),
}  # fmt: skip
each_inline = pytest.mark.parametrize(
    "operator", [o for o in OPERATORS if o.name not in BUILT_IN], ids=lambda operator: operator.name
)


@each_inline
@FEW
@given(st.data())
def test_an_operator_in_julia_is_nan_for_what_is_no_whole_number(operator, data):
    arguments = data.draw(st.lists(st.floats(-100, 100), min_size=operator.arity, max_size=operator.arity))
    odd = data.draw(st.sampled_from([0.5, math.nan, math.inf, -math.inf, 2.0**53, -1e300]))
    arguments[data.draw(st.integers(0, operator.arity - 1))] = odd
    assert math.isnan(in_julia(operator, arguments))


JULIAS = ["xor", "div", "mod", "rem", "min", "max", "less", "greater", "cond", "plus", "sub", "mult", "rest"]


@each_inline
def test_the_name_of_an_operator_is_free_in_julia_and_sympy(operator):
    sympy = pytest.importorskip("sympy")
    assert re.fullmatch(r"[a-z]+", operator.name)
    assert operator.name not in JULIAS
    assert not hasattr(sympy, operator.name)
