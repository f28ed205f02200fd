"""The logic reader says of every expressible formula what the plain reader says; MONA is asked."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.logic.test_mona import ask
from tests.sizes import examples
from tests.strategies import FUNCTIONS, NAMES, accepted

from grundylab.errors import EvaluationError
from grundylab.language import Expr, parse
from grundylab.language.plain import evaluate
from grundylab.language.syntax import (
    COMPARISONS,
    Binary,
    Bounded,
    Call,
    Compare,
    If,
    Int,
    Kind,
    Name,
    Not,
    negative,
)
from grundylab.language.syntax import Logic as Connective
from grundylab.logic.mona import MISSING, find_mona, run_mona
from grundylab.logic.ws1s.reader import Logic, OutsideFragment

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)

Trees = st.SearchStrategy[Expr]
Values = dict[str, int]

SIGNED = ("d", "e")
ALL = (*NAMES, *SIGNED)
# -- formulas that WS1S can express ------------------------------------------------------------------

constants = st.integers(-4, 12).map(Int)
divisors = st.sampled_from([1, 2, 3, 4, 5, 6, 8, -1, -2, -3]).map(Int)


@cache
def numbers(depth: int, names: tuple[str, ...] = ALL) -> Trees:
    leaves = st.sampled_from(names).map(Name) | constants
    if depth == 0:
        return leaves
    number, condition = numbers(depth - 1, names), conditions(depth - 1, names)
    shift = st.integers(0, 3).map(Int)
    small = st.builds(Binary, st.just("%"), leaves, st.sampled_from([2, 3]).map(Int))
    power = st.builds(lambda n: Call("floor_log2", (n,)), number)
    return st.one_of(
        leaves,
        st.builds(negative, number),
        st.builds(Binary, st.sampled_from("+-"), number, number),
        st.builds(Binary, st.just("*"), number, constants | small),
        st.builds(Binary, st.just("*"), constants, number),
        st.builds(Binary, st.sampled_from("^&|"), number, number),
        st.builds(Binary, st.sampled_from(["//", "%"]), number, divisors),
        st.builds(Binary, st.sampled_from(["<<", ">>"]), number, shift),
        st.builds(Binary, st.just("<<"), constants, power | st.builds(Binary, st.just("+"), power, shift)),
        st.builds(If, condition, number, number),
        st.builds(
            lambda name, parts: Call(name, tuple(parts)),
            st.sampled_from(["min", "max"]),
            st.lists(number, min_size=2, max_size=3),
        ),
        st.builds(lambda n: Call("abs", (n,)), number),
        st.builds(
            lambda name, a, k, b: Call(name, (Binary("-", Binary("/", a, k), b),)),
            st.sampled_from(["floor", "ceil"]),
            number,
            divisors,
            leaves,
        ),
        calls(number),
        sums(depth, names),
    )


@cache
def conditions(depth: int, names: tuple[str, ...] = ALL) -> Trees:
    if depth == 0:
        return compared(numbers(0, names))
    number, condition = numbers(depth - 1, names), conditions(depth - 1, names)
    return st.one_of(
        compared(number),
        compared(number),
        st.builds(Not, condition),
        st.builds(
            Connective, st.sampled_from(["and", "or"]), st.lists(condition, min_size=2, max_size=3).map(tuple)
        ),
        st.builds(If, condition, condition, condition),
        st.builds(lambda n: Call("is_power_of_two", (n,)), number),
        accepted(number),
        quantified(depth, names),
    )


@st.composite
def compared(draw: st.DrawFn, number: Trees) -> Expr:
    ops = draw(st.lists(st.sampled_from(COMPARISONS), min_size=1, max_size=2))
    return Compare(tuple(ops), tuple(draw(number) for _ in range(len(ops) + 1)))


def calls(number: Trees) -> Trees:
    """Functions without recurrence, and a recurrence at a constant."""
    return st.one_of(
        st.builds(lambda n: Call("half", (n,)), number),
        st.builds(lambda a, b: Call("cases", (a, b)), number, number),
        st.builds(lambda a, b: Call("near", (a, b)), number, number),
        st.builds(lambda n: Call("total", (n,)), number),
        st.integers(0, 7).map(lambda n: Call("fib", (Int(n),))),
    )


@st.composite
def sums(draw: st.DrawFn, depth: int, names: tuple[str, ...]) -> Expr:
    start = draw(constants | st.sampled_from(names).map(Name))
    stop = Binary("+", start, Int(draw(st.integers(-1, 3))))
    return Bounded("sum", "k", start, stop, draw(numbers(depth - 1, (*names, "k"))))


@st.composite
def quantified(draw: st.DrawFn, depth: int, names: tuple[str, ...]) -> Expr:
    variable = draw(st.sampled_from(["n", "k", "x"]))
    start = draw(st.integers(-3, 3).map(Int) | numbers(depth - 1, names))
    stop = draw(st.just(Binary("+", start, Int(4))) | numbers(depth - 1, names))
    body = draw(conditions(depth - 1, tuple(dict.fromkeys((*names, variable)))))
    return Bounded(draw(st.sampled_from(["any", "all"])), variable, start, stop, body)


def environments() -> st.SearchStrategy[Values]:
    natural, signed = st.integers(0, 40), st.integers(-40, 40)
    return st.fixed_dictionaries(dict.fromkeys(NAMES, natural) | dict.fromkeys(SIGNED, signed))


def batches(trees: Trees) -> st.SearchStrategy[list[tuple[Expr, Values]]]:
    """Different formulas, with values for their names."""
    pairs = st.tuples(trees, environments())
    return st.lists(pairs, min_size=BATCH, max_size=BATCH, unique_by=lambda pair: str(pair[0]))


@cache
def lazy(depth: int, names: tuple[str, ...] = ("x", "d")) -> Trees:
    """Conditions that often have no value: and, or, if, any, all may or may not ask for one that is missing."""
    power = st.builds(
        lambda name, k: Binary("<<", Int(1), Call("floor_log2", (Binary("-", Name(name), Int(k)),))),
        st.sampled_from(names), st.integers(0, 2),
    )  # fmt: skip
    simple = compared(power | st.sampled_from(names).map(Name) | st.integers(0, 4).map(Int))
    if depth == 0:
        return simple
    part, inner = lazy(depth - 1, names), lazy(depth - 1, (*names, "n"))
    return st.one_of(
        simple,
        st.builds(Connective, st.sampled_from(["and", "or"]), st.tuples(part, part)),
        st.builds(If, part, part, part),
        st.builds(
            lambda q, a, b, body: Bounded(q, "n", Int(a), b, body),
            st.sampled_from(["any", "all"]), st.integers(-2, 3), st.sampled_from([Name("x"), Int(4)]), inner,
        ),
    )  # fmt: skip


# -- asking MONA -------------------------------------------------------------------------------------

BATCH = 12  # formulas that one run of MONA decides


def value_or_none(expr: Expr, values: Values) -> int | None:
    try:
        return evaluate(expr, values, FUNCTIONS)
    except EvaluationError:
        return None


def put_in(logic: Logic, formula: str, values: Values) -> str:
    """The formula where the names have their values: a closed one."""
    for name, value in values.items():
        natural = max(value, -value - 1)
        digits = "{" + ", ".join(str(i) for i in range(natural.bit_length()) if natural >> i & 1) + "}"
        digits = digits.replace("{}", "empty")
        variables = logic.variables(name)
        formula = f"(ex2 {variables[0]}: {variables[0]} = {digits} & {formula})"
        if len(variables) == 2:
            formula = f"(ex0 {variables[1]}: {'' if value < 0 else '~'}{variables[1]} & {formula})"
    return formula


def truths(logic: Logic, closed: list[str]) -> list[bool]:
    """Which of the closed formulas are true, from one run: the only example of r0 <=> …, r1 <=> …"""
    names = [f"r{i}" for i in range(len(closed))]
    links = " &\n".join(f"({name} <=> {formula})" for name, formula in zip(names, closed, strict=True))
    text = f"ws1s;\n{logic.prelude()}\nvar0 {', '.join(names)};\n{links};\n"
    answer = run_mona(text, timeout=60)
    assert answer.status == "mixed", (answer, text)
    assert answer.example is not None
    return [bool(answer.example[name]) for name in names]


def statements(logic: Logic, expr: Expr, values: Values) -> list[tuple[str, bool]]:
    """Closed formulas that say whether the expression has a value there, and which; and whether they are true."""
    value = value_or_none(expr, values)
    found = [(put_in(logic, logic.defined(expr), values), value is not None)]
    if expr.kind is Kind.NUMBER:
        formula, natural = logic.equals("w", expr), max(value or 0, 0)
        for other in {0, 1, natural, natural + 1}:
            found.append((put_in(logic, formula, {**values, "w": other}), value == other))
    elif value is not None:
        found.append((put_in(logic, logic.condition(expr), values), bool(value)))
    return found


@needs_mona
@examples(80)
@given(batches(conditions(2) | lazy(2) | numbers(2)))
def test_formulas_say_what_the_plain_reader_says(batch: list[tuple[Expr, Values]]) -> None:
    logic = Logic(FUNCTIONS, frozenset(SIGNED))
    cases = [(expr, *said) for expr, values in batch for said in statements(logic, expr, values)]
    found = truths(logic, [closed for _, closed, _ in cases])
    wrong = [str(expr) for (expr, _, expected), truth in zip(cases, found, strict=True) if truth != expected]
    assert not wrong, batch


@needs_mona
@pytest.mark.parametrize(
    "text",
    [
        "d <= -3 or x < 5 and d >= -2",
        "(x - 1) // 2 == d",
        "(x - 5) // 3 >= d",
        "(3 - x) // 4 == d",
        "(3 - x) % 4 == d",
        "d // 3 == x - 2 or d // -4 == x",
        "(2*d - x) % 5 == d % 4",
        "x ^ d == d // 3",
        "x & d == d % 4",
        "x | d == -d",
        "d & -2 == -(x | 1)",
        "abs(d) <= max(x, 3)",
        "is_power_of_two(min(8, x, 0)) or is_power_of_two(d)",
        "any(n ^ d == x for n in range(d - 2, x))",
        "d * (x % 3) == x - 2",
    ],
)
def test_formulas_of_a_number_that_may_be_negative_are_right_everywhere(text: str) -> None:
    logic, expr = Logic(signed=frozenset({"d"})), parse(text)
    formula = logic.condition(expr)
    file = f"ws1s;\n{logic.prelude()}\nvar0 s_d;\nvar2 v_d, v_x;\n{formula};\n"
    automaton = run_mona(file, timeout=20, automaton=True).automaton
    assert automaton is not None
    for x, d in product(range(20), range(-20, 20)):
        digits = {"v_x": x, "v_d": max(d, -d - 1), "s_d": int(d < 0)}
        assert automaton.accepts(digits) == evaluate(expr, {"x": x, "d": d}), (x, d)


# -- what cannot be expressed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x == n * k + 1", "n * k: a product of two variables is not expressible"),
        ("(x + 1) * (y - 1) > 0", "(x + 1) * (y - 1): a product of two variables is not expressible"),
        ("x // y == 2", "x // y: a division by a variable is not expressible"),
        ("floor((x + 1)/y) == 2", "(x + 1) // y: a division by a variable is not expressible"),
        ("x % (y + 1) == 2", "x % (y + 1): a remainder of a division by a variable is not expressible"),
        ("x // 0 == 2", "x // 0: a division by zero has no value"),
        ("x % (2 - 2) == 2", "x % (2 - 2): a remainder of a division by zero has no value"),
        ("x << y == 2", "x << y: a shift by a variable is not expressible"),
        ("x >> -1 == 2", "x >> -1: a shift by -1 has no value"),
        ("x << floor_log2(y) == 2", "x << floor_log2(y): a shift by a logarithm is not expressible, but c << floor_log2(n) is"),
        ("floor_log2(x) == 2", "floor_log2(x): a logarithm is not expressible, but c << floor_log2(n) is"),
        ("isqrt(x + 1) == 2", "isqrt(x + 1): a square root is not expressible"),
        ("isqrt(-1) == 2", "isqrt(-1): isqrt(-1): its argument must be at least 0"),
        ("fib(x) == 2", "fib(x): a recurrence is not expressible"),
        ("fib(-1) == 2", "fib(-1): fib(-1) is not defined: it begins at 0"),
        ("walk(7) == 2", "walk(7): a recurrence is not expressible"),
        ("sum(k for k in range(0, x)) == 2", "sum(k for k in range(0, x)): sum() over a varying number of values is not expressible"),
        ("sum(k for k in range(0, 65)) == 2", "sum(k for k in range(0, 65)): sum() over more than 64 values is not written out"),
        ("any(x == n * y for n in range(0, z))", "n * y: a product of two variables is not expressible"),
    ],
)  # fmt: skip
def test_what_is_outside_is_named_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(OutsideFragment) as error:
        Logic(FUNCTIONS).condition(parse(text))
    assert error.value.message == message


@pytest.mark.parametrize(
    "text",
    [
        "any(x == n * y for n in range(2, 40))",
        "all(x != 1 << n for n in range(0, 9))",
        "any(x // (n - y) == 3 for n in range(y + 1, y + 4))",
        "isqrt(26) == x",
        "fib(7) == x",
        "(x % 2) * y == 3",
    ],
)
def test_what_can_be_written_out_is(text: str) -> None:
    assert "v_x" in Logic(FUNCTIONS).condition(parse(text))


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("x ^ y ^ z == 0", "nimsum(v_x, v_y, v_z)"),
        ("x < y + 1", "at_most(v_x, v_y)"),
        ("x - y < z - y", "less(v_x, v_z)"),
        ("x + y - z >= 1", "(ex2 t1: (plus(v_x, v_y, t1) & less(v_z, t1)))"),
        ("2*x == 6", "(v_x = pconst(3))"),
        ("2*x == 7", "false"),
        ("x + y >= 0", "true"),
        ("x + y == 0", "((v_x = empty) & (v_y = empty))"),
        ("x % 4 == y // 2", "(ex2 t1: (((t1 + 1) = (v_y \\ {0})) & ((v_x inter {0,...,1}) = t1)))"),
        ("max(x, y) <= 1", "(at_most(v_x, pconst(1)) & at_most(v_y, pconst(1)))"),
        ("d >= 0", "~s_d"),
        ("d <= -3", "(s_d & at_most(pconst(2), v_d))"),
        ("d == -3", "(s_d & (v_d = pconst(2)))"),
        ("x == 1 << 40", "(v_x = {40})"),
    ],
)
def test_simple_formulas_are_short(text: str, formula: str) -> None:
    assert Logic(signed=frozenset({"d"})).condition(parse(text)) == formula


def test_the_same_call_gives_the_same_text() -> None:
    expr = parse("any(cases(x, n) ^ y == max(x // 3, z) for n in range(x - 2, y))")
    logic = Logic(FUNCTIONS)
    first = logic.condition(expr), logic.defined(expr), logic.equals("w", parse("x // 3 + y"))
    assert first == (logic.condition(expr), logic.defined(expr), logic.equals("w", parse("x // 3 + y")))
    assert first[0] == Logic(FUNCTIONS).condition(expr)


def test_names_do_not_clash_with_words_of_mona() -> None:
    logic = Logic(signed=frozenset({"in"}))
    assert logic.variables("min") == ("v_min",)
    assert logic.variables("in") == ("v_in", "s_in")


@needs_mona
def test_words_of_mona_can_be_names() -> None:
    assert ask("empty + sub >= union and any(ex2 ^ pred == var2 for ex2 in range(0, t1))").status == "mixed"


def test_the_prelude_holds_what_is_used_and_no_more() -> None:
    logic = Logic()
    assert logic.prelude() == ""
    logic.condition(parse("x <= y"))
    assert re.findall(r"pred (\w+)", logic.prelude()) == ["less", "at_most"]
    logic.condition(parse("x ^ y == z"))
    assert re.findall(r"pred (\w+)", logic.prelude()) == ["less", "at_most", "nimsum"]


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("x // 3 + abs(y - x) >= 2", "true"),
        ("1 << floor_log2(x) > y", "(v_x ~= empty)"),
        ("x == 0 or 1 << floor_log2(x) > y", "((v_x = empty) | (v_x ~= empty))"),
        ("(1 << floor_log2(x) if y > 0 else 0) == 2", "(~(v_y ~= empty) | (v_x ~= empty))"),
        ("x << floor_log2(0) == 2", "false"),
    ],
)
def test_where_a_formula_has_a_value_is_said(text: str, formula: str) -> None:
    assert Logic().defined(parse(text)) == formula
