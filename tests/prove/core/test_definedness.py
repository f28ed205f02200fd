"""The condition that an expression has a value, compared with the plain reader, which raises where it has none."""

import pytest
from hypothesis import assume, example, given, note
from tests.sizes import examples
from tests.strategies import FUNCTIONS, Trees, environments, formulas

from grundylab.errors import EvaluationError, LimitError
from grundylab.language import Expr, Function, Functions, parse
from grundylab.language.names import fresh_bound_name
from grundylab.language.plain import evaluate
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Binary, Int, Name, compare
from grundylab.prove.core.definedness import Definedness, UnknownDomain, total

Values = dict[str, int]
FORMULAS: Trees = formulas()


def has_a_value(expr: Expr, values: Values) -> bool:
    """Tell whether the plain reader evaluates the expression; skip the example where only a limit stops it."""
    try:
        evaluate(expr, values, FUNCTIONS)
    except LimitError:
        assume(False)
    except EvaluationError:
        return False
    return True


def evaluated(expr: Expr, values: Values) -> int:
    """Return the value; skip the example where a limit stops the evaluation, and fail where there is no value."""
    try:
        return evaluate(expr, values, FUNCTIONS)
    except LimitError:
        assume(False)
        raise


@given(FORMULAS, environments())
@example(
    parse("floor(x / (y / z)) > 1 or any(1 // (n - y) == 3 for n in range(x, z))"),
    {"x": 1, "y": 2, "z": 3, "m": 0},
)
@example(parse("any(x > 3 for x in range(x, 7 // x))"), {"x": 2, "y": 0, "z": 0, "m": 0})
@examples(400, 20_000)
def test_the_condition_is_true_exactly_where_the_plain_reader_finds_a_value(
    expr: Expr, values: Values
) -> None:
    defined = Definedness(FUNCTIONS).of(expr)
    note(str(defined))
    assert evaluated(defined, values) == has_a_value(expr, values)


@given(FORMULAS, environments())
@examples(300, 20_000)
def test_by_the_conventions_everything_has_a_value_and_no_value_changes(expr: Expr, values: Values) -> None:
    found = evaluated(total(expr, FUNCTIONS), values)
    if has_a_value(expr, values):
        assert found == evaluate(expr, values, FUNCTIONS)


@pytest.mark.parametrize(
    ("text", "values", "value"),
    [
        ("x // y", (7, 0), 0), ("x % y", (7, 0), 7), ("x << y", (7, -1), 0), ("x >> y", (7, -1), 0),
        ("floor(x / y)", (7, 0), 0), ("isqrt(x)", (-1, 0), 0), ("floor_log2(x)", (0, 0), 0),
        ("popcount(x)", (-1, 0), 0), ("valuation2(x)", (0, 0), 0), ("prime_factors(x)", (0, 0), 0),
        ("fib(x)", (-1, 0), 0), ("patched(x)", (1, 0), 0),
    ],
)  # fmt: skip
def test_each_convention_is_as_written(text: str, values: tuple[int, int], value: int) -> None:
    names = {"x": values[0], "y": values[1], "m": 0}
    assert not evaluate(Definedness(FUNCTIONS).of(parse(text)), names, FUNCTIONS)
    assert evaluate(total(parse(text), FUNCTIONS), names, FUNCTIONS) == value


def test_a_product_with_0_and_an_argument_that_is_not_used_need_values_too() -> None:
    first = Functions((Function("first", ("a", "b"), parse("a")),))
    for text in ("0 * (1 // x) == 0", "first(3, 1 // x) == 3", "1 // x == 1 or True"):
        assert Definedness(first).of(parse(text)) == parse("x != 0"), text


def test_a_later_condition_needs_a_value_only_where_it_is_reached() -> None:
    defined = Definedness(Functions()).of
    assert defined(parse("x != 0 and y // x == 1")) == TRUE
    assert defined(parse("y // x == 1 and x != 0")) == parse("x != 0")
    assert defined(parse("y % x == 0 and y // x > 1")) == parse("x != 0")


def test_what_follows_a_literal_needs_a_value_where_the_literal_does_not_decide() -> None:
    defined = Definedness(Functions()).of
    assert defined(parse("False or y // x == 1")) == parse("x != 0")
    assert defined(parse("True and y // x == 1")) == parse("x != 0")
    assert defined(parse("True or y // x == 1")) == defined(parse("False and y // x == 1")) == TRUE


def test_a_square_is_natural_and_nothing_else_is_taken_for_one() -> None:
    defined = Definedness(Functions()).of
    for text in ("x * x", "5 * (x - y) * (x - y)", "x * y * y * x", "0 * x * x"):
        assert defined(parse(f"isqrt({text}) == y")) == TRUE, text
    for text in ("x * y", "-5 * x * x", "x * x * x", "x * x - 1"):
        assert defined(parse(f"isqrt({text}) == y")) == parse(f"{text} >= 0"), text


def test_definedness__of_a_range_takes_no_generated_name_that_the_range_mentions() -> None:
    generated = fresh_bound_name("n", ())
    text = "any(1 // (n - 2) == 5 or n == y for n in range(0, 4))"
    defined = Definedness(Functions()).of(substitute(parse(text), {"y": Name(generated)}))
    assert [y for y in range(5) if evaluate(defined, {generated: y})] == [0, 1]


def test_a_recurrence_rests_on_earlier_values() -> None:
    def descends(text: str, at: int, *initial: tuple[int, int]) -> bool:
        functions = Functions((function := Function("f", ("n",), parse(text), initial),))
        return bool(evaluate(Definedness(functions).recurrence(function), {"n": at}, functions))

    assert all(descends("f(n - 1) + f(n - 2)", at, (0, 0), (1, 1)) for at in range(9))
    assert not descends("f(n - 1) + f(n - 2)", 1, (0, 0))
    assert not descends("f(n // 2) + 1", 0)  # f(0) would be f(0) + 1
    assert descends("f(n // 2) + 1", 1)
    assert not descends("f(n + 1)", 3)
    assert not descends("1 // (n - 3)", 3)
    assert descends("f(n) if n < 0 else 1", 0)


def test_a_function_without_a_domain_is_refused_and_one_with_a_domain_is_asked() -> None:
    call = parse("h(x - 1) == 2")
    functions = Functions()

    def natural(arguments: object) -> Expr:
        (argument,) = arguments  # type: ignore[misc, attr-defined]
        return compare(">=", argument, Int(0))

    assert Definedness(functions, {"h": natural}).of(call) == compare(
        ">=", Binary("-", Name("x"), Int(1)), Int(0)
    )
    with pytest.raises(UnknownDomain):
        Definedness(functions).of(call)
