"""The logic reader agrees with the plain reader about every expressible formula; MONA decides its sentences."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.golden import refused
from tests.logic.test_mona import ask
from tests.sizes import examples
from tests.strategies import FUNCTIONS, NAMES, accepted

from grundylab.errors import EvaluationError
from grundylab.language import Expr, parse
from grundylab.language.builtins import BUILTINS
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
    compare,
    negative,
)
from grundylab.language.syntax import Logic as Connective
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.mona import MISSING, find_mona, run_mona
from grundylab.logic.reader import AutomataReader
from grundylab.logic.sentence import Membership, Sentence, Zero, all_of, exists, subsentences, variable_form
from grundylab.logic.ws1s import LIBRARY, ws1s_formula
from grundylab.logic.ws1s_automata import automaton_predicate

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
        st.builds(Binary, st.just("%"), counts(number) | counted_sums(number), st.integers(1, 4).map(Int)),
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
        st.builds(compare, st.sampled_from(COMPARISONS), counts(number), constants),
        st.builds(compare, st.sampled_from(COMPARISONS), constants, counts(number)),
        accepted(number),
        quantified(depth, names),
    )


@st.composite
def compared(draw: st.DrawFn, number: Trees) -> Expr:
    ops = draw(st.lists(st.sampled_from(COMPARISONS), min_size=1, max_size=2))
    return Compare(tuple(ops), tuple(draw(number) for _ in range(len(ops) + 1)))


def counts(number: Trees) -> Trees:
    """Return a strategy for counts of digits: their remainders and comparisons with constants can be expressed."""
    names = [name for name, row in BUILTINS.items() if row.digits]
    built = st.builds(lambda name, n: Call(name, (n,)), st.sampled_from(names), number)
    return built.filter(
        lambda call: bool(call.free)
    )  # of a number that has no value it is said that it has none


def counted_sums(number: Trees) -> Trees:
    """Return a strategy for sums with a count of digits: their remainders can be expressed."""
    scaled = st.builds(Binary, st.just("*"), constants, counts(number))
    return st.builds(Binary, st.sampled_from("+-"), counts(number) | scaled, counts(number) | number)


def calls(number: Trees) -> Trees:
    """Return a strategy for calls of functions without recurrence, and of a recurrence at a constant."""
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
    """Return a strategy for lists of different formulas, with values for their names."""
    pairs = st.tuples(trees, environments())
    return st.lists(pairs, min_size=BATCH, max_size=BATCH, unique_by=lambda pair: str(pair[0]))


@cache
def lazy(depth: int, names: tuple[str, ...] = ("x", "d")) -> Trees:
    """Return a strategy for conditions that often have no value, since parts of them may have none."""
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


def put_in(logic: Lowering, sentence: Sentence, values: Values) -> Sentence:
    """Return the sentence in which the names are bound to these values, so that it is closed."""
    for name, value in values.items():
        variable = logic.variable(name)
        sentence = exists([variable], all_of(Zero(variable_form(variable) - value), sentence))
    return sentence


def truths(closed: list[Sentence]) -> list[bool]:
    """Return which of the closed sentences are true, by one run of MONA.

    MONA gives the only example that satisfies r0 <=> …, r1 <=> …, and so on.
    """
    inside = [part for sentence in closed for part in subsentences(sentence)]
    found = dict.fromkeys(part.automaton for part in inside if isinstance(part, Membership))
    automata = {automaton: f"accepts{number}" for number, automaton in enumerate(found)}
    names = [f"r{i}" for i in range(len(closed))]
    links = " &\n".join(
        f"({name} <=> {ws1s_formula(said, automata)})" for name, said in zip(names, closed, strict=True)
    )
    predicates = "\n".join(automaton_predicate(name, automaton) for automaton, name in automata.items())
    script = f"ws1s;\n{LIBRARY}\n{predicates}\nvar0 {', '.join(names)};\n{links};\n"
    answer = run_mona(script, timeout=60)
    assert answer.status == "mixed", (answer, script)
    _, example = answer.output.split("A satisfying example")
    rows = dict(re.findall(r"^(r\d+) +([01])", example, re.M))
    return [rows[name] == "1" for name in names]


def statements(logic: Lowering, expr: Expr, values: Values) -> list[tuple[Sentence, bool]]:
    """Return closed sentences about the expression's value, each with whether it is true.

    The first says that the expression has a value there; the others say which value it has.
    """
    value = value_or_none(expr, values)
    found = [(put_in(logic, logic.defined(expr), values), value is not None)]
    if expr.kind is Kind.NUMBER:
        said, near = logic.equals("w", expr), max(value or 0, 0)
        for other in {0, 1, near, near + 1}:
            found.append((put_in(logic, said, {**values, "w": other}), value == other))
    elif value is not None:
        found.append((put_in(logic, logic.condition(expr), values), bool(value)))
    return found


@needs_mona
@examples(10, 1600)
@given(batches(conditions(2) | lazy(2) | numbers(2)))
def test_formulas_say_what_the_plain_reader_says(batch: list[tuple[Expr, Values]]) -> None:
    logic = Lowering(FUNCTIONS, frozenset(SIGNED))
    cases = [(expr, *said) for expr, values in batch for said in statements(logic, expr, values)]
    found = truths([closed for _, closed, _ in cases])
    wrong = [str(expr) for (expr, _, expected), truth in zip(cases, found, strict=True) if truth != expected]
    assert not wrong, batch


@needs_mona
@pytest.mark.parametrize(
    "formula",
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
def test_formulas_of_a_number_that_may_be_negative_are_right_everywhere(formula: str) -> None:
    logic, expr = Lowering(signed=frozenset({"d"})), parse(formula)
    said = logic.condition(expr)
    points = [{"x": x, "d": d} for x, d in product(range(12), range(-8, 9))]
    found = truths([put_in(logic, said, point) for point in points])
    assert found == [bool(evaluate(expr, point)) for point in points]


# -- what cannot be expressed ------------------------------------------------------------------------


@pytest.mark.parametrize("text", refused.OUTSIDE)
def test_what_is_outside__has_the_same_reason_for_both_readers(text: str) -> None:
    reasons = set()
    for read in (Lowering(FUNCTIONS).condition, AutomataReader(FUNCTIONS).true):
        with pytest.raises(OutsideFragment) as error:
            read(parse(text))
        reasons.add(error.value.message)
    assert len(reasons) == 1


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
@pytest.mark.parametrize("read", [Lowering(FUNCTIONS).condition, AutomataReader(FUNCTIONS).true])
def test_what_can_be_written_out_is(read, text: str) -> None:
    read(parse(text))


@pytest.mark.parametrize(
    ("formula", "script"),
    [
        ("x ^ y ^ z == 0", "(ex2 v__1: (nimsum(v_x, v_y, v__1) & (ex2 v__2: (nimsum(v__1, v_z, v__2) & (v__2 = empty)))))"),
        ("x < y + 1", "at_most(v_x, v_y)"),
        ("x - y < z - y", "less(v_x, v_z)"),
        ("x + y - z >= 1", "(ex2 t1: plus(v_x, v_y, t1) & less(v_z, t1))"),
        ("x + y >= 0", "true"),
        ("x + y == 0", "(v_x = empty & v_y = empty)"),
        ("d == -3", "(ex2 t1, t2: difference(s_d, v_d, t1, t2) & plus(t1, pconst(3), t2))"),
        ("x == 1 << 40", "(v_x = {40})"),
    ],
)  # fmt: skip
def test_simple_formulas_are_short(formula: str, script: str) -> None:
    assert ws1s_formula(Lowering(signed=frozenset({"d"})).condition(parse(formula)), {}) == script


def test_another_reader_gives_the_same_text() -> None:
    expr = parse("any(cases(x, n) ^ y == max(x // 3, z) for n in range(x - 2, y))")
    first, second = (ws1s_formula(Lowering(FUNCTIONS).condition(expr), {}) for _ in range(2))
    assert first == second


@needs_mona
def test_words_of_mona_can_be_names() -> None:
    assert ask("empty + sub >= union and any(ex2 ^ pred == var2 for ex2 in range(0, t1))").status == "mixed"


@pytest.mark.parametrize(
    ("formula", "script"),
    [
        ("x // 3 + abs(y - x) >= 2", "true"),
        ("1 << floor_log2(x) > y", "less(empty, v_x)"),
        ("(1 << floor_log2(x) if y > 0 else 0) == 2", "(~less(empty, v_y) | less(empty, v_x))"),
        ("x << floor_log2(0) == 2", "false"),
    ],
)
def test_where_a_formula_has_a_value_is_said(formula: str, script: str) -> None:
    assert ws1s_formula(Lowering().defined(parse(formula)), {}) == script
