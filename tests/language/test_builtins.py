"""The table of built-in functions: each row's readings agree, and a new row is all that a new function needs."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.errors import LimitError
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.builtins import BUILTINS, checked_function
from grundylab.language.counting import MAX_COUNT, count_comparison, count_remainders
from grundylab.language.infinity import INFINITY
from grundylab.language.plain import evaluate
from grundylab.language.syntax import COMPARISONS, Accepts, Binary, Call, Int, Name
from grundylab.solve.runtime import BUILT_IN

NUMBERS = st.integers(0, 300) | st.integers(0, 2**61) | st.integers(0, 61).map(lambda k: (1 << k) - 1)
OF_ONE = [name for name, row in BUILTINS.items() if row.single and not row.rounds]
COUNTS = [name for name, row in BUILTINS.items() if row.digits]
FORMULAS = Path(__file__).parents[2] / "docs/formulas.md"


@pytest.mark.parametrize("name", OF_ONE)
@examples(40, 5_000)
@given(n=NUMBERS, further=NUMBERS)
def test_what_a_row_says_beside_its_value_is_so_of_its_value(name, n, further):
    row = BUILTINS[name]
    n, further = (max(number, row.least or 0) for number in (n, further))
    value, other = checked_function(name)(n), checked_function(name)(further)
    if row.machine is not None:
        assert BUILT_IN[name](n) == value
    if row.array is not None:
        assert row.array(np.array([n, further])).tolist() == [value, other]
    if row.rises:
        assert (value <= other) if n <= further else (other <= value)
    for ends in ((min(n, further), max(n, further)), (min(n, further), INFINITY), (-INFINITY, INFINITY)):
        low, high = row.between(*([end] for end in ends))
        assert low <= min(value, other) <= max(value, other) <= high


def test_primes_and_prime_factors_are_those_of_trial_division():
    factors = dict.fromkeys(range(1, 3_000), 0)
    for n in factors:
        rest = n
        for p in range(2, n + 1):
            while rest % p == 0:
                rest, factors[n] = rest // p, factors[n] + 1
    assert [checked_function("prime_factors")(n) for n in factors] == list(factors.values())
    assert [checked_function("is_prime")(n) for n in factors] == [count == 1 for count in factors.values()]


@pytest.mark.parametrize(
    ("n", "count"),
    [
        (2**61 - 1, 1),
        (3_215_031_751, 3),  # a strong pseudoprime to 2, 3, 5 and 7
        (1_000_003**3, 3),
        (1_048_583 * 1_048_589, 2),  # primes beyond the sieve
        (2**62, 62),
        ((2**31 - 1) ** 2, 2),
    ],
)
def test_large_numbers_are_factored(n, count):
    assert checked_function("prime_factors")(n) == count
    assert checked_function("is_prime")(n) == (count == 1)


def test_numbers_that_are_too_large_are_not_factored_unless_nobody_asks():
    for text in ("prime_factors(n)", "is_prime(n)"):
        with pytest.raises(LimitError, match=f"at most {2**63 - 1}"):
            evaluate(parse(text), {"n": 2**63})
        number = text.replace("is_prime(n)", "(1 if is_prime(n) else 0)")
        guarded = parse(f"{number} if n < 100 else 7")
        assert evaluate_arrays(guarded, {"n": np.array([7, 2**70], dtype=object)}).tolist() == [1, 7]
        assert evaluate_arrays(guarded, {"n": np.array(7)}) == 1


@pytest.mark.parametrize("name", ["min", "max"])
@examples(40, 5_000)
@given(points=st.lists(st.tuples(st.integers(), st.integers()), min_size=2, max_size=2))
def test_bounds_of_several_arguments_hold_their_values(name, points):
    lows, highs = ([pick(column) for column in zip(*points, strict=True)] for pick in (min, max))
    low, high = BUILTINS[name].between(lows, highs)
    assert all(low <= BUILTINS[name].value(*point) <= high for point in points)


def test_a_nim_product_is_the_mex_that_defines_it():
    """Siegel, Combinatorial Game Theory, VIII.4: (a' * b) ^ (a * b') ^ (a' * b') are excluded for a' < a, b' < b."""
    side = 20
    table = np.zeros((side, side), dtype=np.int64)
    for a, b in np.ndindex(side, side):
        excluded = {table[u, b] ^ table[a, v] ^ table[u, v] for u in range(a) for v in range(b)}
        table[a, b] = next(number for number in itertools.count() if number not in excluded)
    assert [
        [checked_function("nim_product")(a, b) for b in range(side)] for a in range(side)
    ] == table.tolist()


@examples(40, 5_000)
@given(a=NUMBERS, b=NUMBERS, c=NUMBERS)
def test_nim_products_are_those_of_a_field_in_every_reading(a, b, c):
    row = BUILTINS["nim_product"]
    value = checked_function("nim_product")
    assert value(a, b) == value(b, a)
    assert value(value(a, b), c) == value(a, value(b, c))
    assert value(a, b ^ c) == value(a, b) ^ value(a, c)
    assert value(a, -1 - b) == 0
    assert a == 0 or b == 0 or value(a, b) != 0
    low, high = row.between([0, 0], [a, b])
    assert low <= value(a, b) <= high
    assert row.array is not None
    if max(a, b, c) < 2**32:
        assert row.array(np.array([a, b, -1]), np.array([b, c, c])).tolist() == [value(a, b), value(b, c), 0]
        assert BUILT_IN["nim_product"](a, b) == value(a, b)
    with pytest.raises(LimitError, match=f"at most {2**64 - 1}"):
        value(a, 2**64)


@pytest.mark.parametrize("name", [name for name, row in BUILTINS.items() if row.expansion])
@examples(40, 5_000)
@given(a=st.integers(), b=st.integers())
def test_an_expansion_is_the_value(name, a, b):
    row = BUILTINS[name]
    assert row.expansion is not None
    given = (a, b) if row.several else (a,)
    assert evaluate(parse(row.expansion), {"a": a, "b": b}) == row.value(*given)


@pytest.mark.parametrize("name", COUNTS)
@examples(15, 5_000)
@given(n=NUMBERS, number=st.integers(-2, 9) | st.integers(60, MAX_COUNT), by=st.integers(1, 9))
def test_automata_count_as_the_value_says(name, n, number, by):
    row, call = BUILTINS[name], Call(name, (Name("n"),))
    n = max(n, row.least or 0)
    value = row.value(n)
    for op, (left, right) in itertools.product(COMPARISONS, [(call, Int(number)), (Int(number), call)]):
        said = count_comparison(op, left, right)
        assert said is not None
        sides = (value, number) if left == call else (number, value)
        truth = evaluate(parse(f"a {op} b"), dict(zip("ab", sides, strict=True)))
        assert evaluate(said, {"n": n}) == truth
    cases = count_remainders(Binary("%", call, Int(by)))
    assert cases is not None
    assert [evaluate(case, {"n": n}) for case in cases] == [value % by == rest for rest in range(by)]


def test_no_automaton_is_made_for_what_is_far():
    call = Call("popcount", (Name("n"),))
    assert count_comparison("<", call, Int(MAX_COUNT + 1)) is None
    assert count_remainders(Binary("%", call, Int(MAX_COUNT + 1))) is None
    assert count_comparison("<", Call("isqrt", (Name("n"),)), Int(3)) is None
    (small,) = {part for part in [count_comparison(">=", call, Int(2))] if isinstance(part, Accepts)}
    assert small.automaton.states == 3


def test_the_language_s_page_names_every_row():
    text = FORMULAS.read_text()
    assert [name for name in BUILTINS if name not in text] == []


@pytest.mark.parametrize("name", [name for name, row in BUILTINS.items() if row.least is not None])
def test_arrays_have_no_value_where_integers_have_none(name):
    least = BUILTINS[name].least
    assert least is not None
    expr = Call(name, (Name("n"),))
    assert evaluate_arrays(expr, {"n": np.array([least])}).tolist() == [BUILTINS[name].value(least)]
    with pytest.raises(Exception, match=f"at least {least}"):
        evaluate_arrays(expr, {"n": np.array([least, least - 1])})


# A row that is not in the language: made before anything else is imported, as it would be in its module.
NEW_ROW = """
import json
from grundylab.language import builtins
builtins.BUILTINS["ones_run"] = builtins.BuiltIn(
    lambda n: (~n & n + 1).bit_length() - 1,
    "(n) => BigInt((~n & n + 1n).toString(2).length - 1)",
    "how many ones n ends with",
    least=0,
    bounds=lambda low, high: (0, high.bit_length()),
    machine=lambda n: 0 if n & 1 == 0 else 1 if n & 2 == 0 else 2 if n & 4 == 0 else 3,
    digits=builtins.Reading((0, 0), lambda at, digit: at if at[0] else (0, at[1] + 1) if digit else (1, at[1])),
)
import numpy as np
import grundylab as gl
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.intervals import Interval, interval
from grundylab.language.javascript import Script
from grundylab.language.layout import to_latex
from grundylab.language.functions import NO_FUNCTIONS
from grundylab.language.plain import evaluate
from grundylab.logic.reader import AutomataReader
from grundylab.logic.lowering import Lowering
from grundylab.solve.runtime import BUILT_IN
call, script = gl.parse("ones_run(x)"), Script(NO_FUNCTIONS)
even = gl.parse("ones_run(x) % 2 == 0")
print(json.dumps({
    "plain": evaluate(call, {"x": 11}),
    "arrays": evaluate_arrays(call, {"x": np.array([0, 1, 3])}).tolist(),
    "bounds": interval(call, {"x": Interval(0, 9)}).high,
    "numba": BUILT_IN["ones_run"](7),
    "javascript": [script.expression(call), *script.definitions],
    "latex": to_latex(call),
    "direct": [AutomataReader().true(even).contains({"x": n}) for n in range(8)],
    "sentence": type(Lowering().condition(even)).__name__,
}))
"""


def test_a_new_row_is_a_function_for_every_reader(tmp_path):
    script = tmp_path / "new_row.py"  # a file, since numba keeps what it compiles beside it
    script.write_text(NEW_ROW)
    answer = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    said = json.loads(answer.stdout)
    assert said["plain"] == 2
    assert said["arrays"] == [0, 1, 2]
    assert said["bounds"] == 4
    assert said["numba"] == 3
    assert said["javascript"][0] == "b_ones_run(v_x)"
    assert said["javascript"][1].startswith('const b_ones_run = R.within(0n, null, "ones_run", (n) =>')
    assert said["latex"] == r"\operatorname{ones\_run}(x)"
    assert said["direct"] == [n in (0, 2, 3, 4, 6) for n in range(8)]
    assert said["sentence"] == "Exists"
