"""The automata of formulas accept exactly the right numbers, compared with the plain reader number by number."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.sizes import examples
from tests.strategies import FUNCTIONS, NAMES, automata, conditions

from grundylab.automata.dfa import AutomataBudget, TooLarge, projection
from grundylab.errors import EvaluationError, LimitError
from grundylab.language import Expr, parse
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Accepts, Name
from grundylab.logic.atoms import congruence_relation, linear_relation
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.reader import AutomataReader

INTEGERS = st.integers(-40, 200) | st.sampled_from([2**20, 2**31 - 1, -(2**31), 2**40 + 5])
POINTS = st.lists(st.tuples(*[INTEGERS] * len(NAMES)), min_size=20, max_size=20)

READ = [
    "x ^ y ^ z == 0", "x - y > 3", "(x - y)//3 == z", "(x + y) % 6 == 2", "(x - 5) % 4 == (y & 3)", "x//-3 == y",
    "min(x, y) + max(x, z) == abs(x - z)", "x | y == z + 1", "-x//3 < y", "(x if y > 2 else y - 7) ^ z == 3",
    "is_power_of_two(x - y)", "any(n*3 == x - y for n in range(0, z + 1))", "all(x != 2*n for n in range(y, z))",
    "x % -4 == z", "floor((x + 1)/2) == ceil(y/3)", "x ^ x == y", "(x ^ (y - 1)) & z == x >> 1", "5*x == 3*y + 1",
    "(1 << floor_log2(x)) > y", "x > 0 and (1 << floor_log2(x)) <= y", "y > 3 or (3 << floor_log2(y)) == x",
    "not (x < y < (1 << floor_log2(z)))", "(0 if x < 1 else 1 << floor_log2(x)) == y", "min(x, 1 << floor_log2(y)) == z",
    "any(all(x + n != 3*k for k in range(n, y)) for n in range(0, z))", "half(x) == y", "near(y, z) == x % 2",
]  # fmt: skip


def told(reader: AutomataReader, expr: Expr, env: dict[str, int]) -> bool | None:
    truth = reader.truth(expr)
    assert not (truth.true & truth.false).example()
    return True if truth.true.contains(env) else False if truth.false.contains(env) else None


def meant(expr: Expr, env: dict[str, int]) -> bool | None:
    try:
        return bool(evaluate(expr, env, FUNCTIONS))
    except LimitError:
        raise
    except EvaluationError:
        return None


@pytest.mark.parametrize("text", READ)
def test_a_formula_of_each_kind_is_read_as_it_is_meant(text: str) -> None:
    expr, reader = parse(text), AutomataReader(FUNCTIONS)
    truth = reader.truth(expr)
    for values in itertools.product(range(-6, 14), repeat=3):
        env = {**dict(zip("xyz", values, strict=True)), "m": 3}
        found = True if truth.true.contains(env) else False if truth.false.contains(env) else None
        assert found == meant(expr, env), env
        assert truth.total <= (found is not None), env


@given(conditions(NAMES, 2), POINTS)
@examples(50, 1200)
def test_random_formulas_are_read_as_they_are_meant(expr: Expr, points: list[tuple[int, ...]]) -> None:
    reader = AutomataReader(FUNCTIONS, AutomataBudget(3_000_000))
    try:
        reader.truth(expr)
    except (OutsideFragment, TooLarge) as error:
        event(type(error).__name__)
        return
    event("read")
    for point in points:
        env = dict(zip(NAMES, point, strict=True))
        try:
            want = meant(expr, env)
        except LimitError:
            continue
        assert told(reader, expr, env) == want, env


@given(automata(2), POINTS)
@examples(20)
def test_automata_in_formulas_are_read_as_they_are_meant(automaton, points) -> None:
    expr = Accepts(automaton, (Name("x"), Name("y")))
    for point in points:
        env = dict(zip(NAMES, point, strict=True))
        assert told(AutomataReader(), expr, env) == meant(expr, env)


SMALL = st.integers(-5, 5)


@given(st.tuples(SMALL, SMALL, SMALL), st.integers(-20, 20), st.integers(1, 12))
def test_equations_and_remainders_are_what_they_say(factors, offset, modulus) -> None:
    coefficients = dict(zip("xyz", factors, strict=True))
    work = AutomataBudget()
    equal, at_most = (linear_relation(coefficients, offset, relation, work) for relation in ("==", "<="))
    divides = congruence_relation(coefficients, offset, modulus, work)
    for values in itertools.product(range(-4, 5), repeat=3):
        env = dict(zip("xyz", values, strict=True))
        total = offset + sum(c * v for c, v in zip(factors, values, strict=True))
        assert equal.contains(env) == (total == 0)
        assert at_most.contains(env) == (total <= 0)
        assert divides.contains(env) == (total % modulus == 0)


@given(st.tuples(SMALL, SMALL, SMALL), st.integers(-20, 20))
def test_an_example_is_in_the_set_and_an_empty_set_has_none(factors, offset) -> None:
    coefficients, work = dict(zip("xyz", factors, strict=True)), AutomataBudget()
    zero = linear_relation(coefficients, offset, "==", work)
    some = projection("z", [zero, ~linear_relation({"z": 1}, 0, "<=", work)], work)
    example = some.example()
    assert (example is None) == some.is_empty
    if example is not None:
        x, y = example.get("x", 0), example.get("y", 0)
        left = factors[0] * x + factors[1] * y + offset
        assert any(left + factors[2] * z == 0 for z in range(1, 400))


def test_too_much_work_is_said_to_be() -> None:
    with pytest.raises(TooLarge):
        AutomataReader(FUNCTIONS, AutomataBudget(1000)).truth(parse("(x ^ 12345) // 77 == y % 91"))
