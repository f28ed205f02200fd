"""The compiled kernel gives the reference's table, or refuses a ruleset if the reference does."""

import math
import sys

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.papers.small import NAMES, trial
from tests.papers.small import ruleset as shipped
from tests.random_games import instances
from tests.sizes import examples, night, thinned

from grundylab.errors import RulesetError
from grundylab.files import CACHE_VARIABLE
from grundylab.games import make_instance, parse_ruleset
from grundylab.solve import kernels, runtime, solve
from grundylab.solve.codegen import order_of_play
from grundylab.solve.environment import evaluated_expressions, exceeds_machine
from grundylab.solve.reference import solve_reference

GAMES = [name for name in NAMES if not shipped(name).free]  # a family is not solved


@pytest.fixture
def interpreted(monkeypatch):
    """Let Python itself run the generated source, which saves seconds of compiling for each ruleset."""

    def load(source):
        # nothing else: what the module calls may have to be compiled for numbers of other sorts
        with monkeypatch.context() as patch:
            patch.setattr(numba.config, "DISABLE_JIT", 1)
            return kernels_load(source)

    # tables of a few cells are laid out as large ones are
    monkeypatch.setattr(kernels, "_LINE", 2)
    monkeypatch.setattr(kernels, "_LONG", 4)
    kernels_load = kernels.load_module
    monkeypatch.setattr(kernels, "load_module", load)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("kernel_"):
            del sys.modules[name]


def kinds(instance):
    return ("outcome",) if instance.ruleset.play == "misere" else ("grundy", "outcome")


def outcome_of(instance, kind, method):
    """Return the table's values, or the message of the refusal."""
    try:
        return solve(instance, kind, method).values.tolist()
    except RulesetError as error:
        return str(error)


def assert_same(instance):
    for kind in kinds(instance):
        expected = outcome_of(instance, kind, "reference")
        found = outcome_of(instance, kind, "kernel")
        # which faulty move is met first depends on the order of solving: a refusal is a refusal
        if isinstance(expected, str):
            assert isinstance(found, str), expected
        else:
            assert found == expected


@settings(examples(8, 800), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instance=instances(legal=False))
def test_the_generated_kernel_gives_the_references_table_on_random_rulesets(interpreted, instance):
    assert_same(instance)


@given(st.lists(st.integers(1, 300), min_size=1, max_size=5))
def test_long_strides_are_odd_numbers_of_cache_lines_and_rows_do_not_overlap(shape):
    strides = kernels.padded_strides(tuple(shape))
    assert strides[-1] == 1
    for width, stride, outer in zip(shape[1:], strides[1:], strides[:-1], strict=True):
        packed = width * stride
        assert packed <= outer < packed + 32
        assert outer == packed if packed < 256 else outer % 32 == 16


def test_a_cell_of_a_table_with_gaps_is_known_by_its_position():
    instance = make_instance(shipped("heaps-1-2-3"), {}, {"N": 60})
    run = kernels._Run(instance, "grundy", evaluated_expressions(instance))
    _, _, strides = run._box
    assert sorted(strides) == [1, 61, 1904]  # the largest is no product of widths
    for position in ((0, 0, 0), (60, 0, 0), (3, 21, 5), (0, 0, 20)):
        cell = int(np.dot(position, strides))
        assert run.position(cell) == position
        run._values[cell] = 7
        assert run.table()[position] == 7


@settings(examples(6, 600), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(instance=instances("guards", legal=False))
def test_guards_taken_apart_allow_the_same_moves(interpreted, instance):
    assert_same(instance)


@pytest.mark.parametrize("name", thinned(((name,) for name in GAMES), 4))
def test_the_generated_kernel_gives_the_references_table_on_shipped_rulesets(interpreted, name):
    assert_same(trial(name))


# a pass and a choice bounded by others; a recurrence. Splitting is compiled for the record of values below.
COMPILED = ["chocolate-log-pass", "turn-limit-fibonacci"]


@pytest.mark.parametrize("name", GAMES if night() else COMPILED)
def test_the_compiled_kernel_gives_the_references_table_on_shipped_rulesets(name):
    assert_same(trial(name))


@examples(2, 40)
@given(instance=instances(legal=False))
def test_the_compiled_kernel_gives_the_references_table_on_random_rulesets(instance):
    assert_same(instance)


@pytest.mark.parametrize(("name", "bound"), [("laskers-nim", 150), ("max-nim-ceil-pass", 300)])
def test_grundy_numbers_and_their_nim_sums_may_grow_past_the_kernels_first_record(name, bound):
    instance = make_instance(shipped(name), {}, {"N": bound})
    assert solve_reference(instance, "grundy").values.max() >= 128
    assert_same(instance)


POSITION = "title: t\nposition: {x: 0..N}\nmoves: "
# each coordinate is raised by a move, so that the box's own order, a guess, meets unsolved options
TURNING = """
title: t
position: {x: 0..N, y: 0..N - x}
measure: 3*x + 2*y
moves:
  - {to: {x: x - 1, y: y + 1}, when: x >= 1}
  - {to: {x: x + 1, y: y - 2}, when: y >= 2}
"""


def test_kernel__solves_by_the_measure_where_no_order_of_play_is_known(interpreted, monkeypatch):
    by_measure, runs = kernels._Run.by_measure, []
    monkeypatch.setattr(kernels._Run, "by_measure", lambda run: runs.append(run) or by_measure(run))
    assert_same(make_instance(parse_ruleset(TURNING, "turning"), {}, {"N": 7}))
    assert len(runs) == 2  # Grundy numbers and outcomes


@pytest.mark.parametrize("measure", ["x * x", "x * (x - 3)"])  # the second is below 0 at x = 1
def test_kernel__computes_a_measure_that_is_no_sum_of_multiples(interpreted, measure):
    assert_same(
        make_instance(parse_ruleset(f"{POSITION}[{{take: t, from: x}}]\nmeasure: {measure}"), {}, {"N": 6})
    )


EXCHANGES = """
title: t
position: {x: 0..N, y: 0..N - x}
where: WHERE
measure: x + 2*y
moves:
  - {to: {x: x - 1}, when: x >= 1}
  - {for: {t: 1..y}, to: {y: y - t, x: x + t}}
  - {for: {t: 2..y}, to: {y: y - t}}
"""


@pytest.mark.parametrize(("where", "refused"), [("True", False), ("x + y != 3", True), ("y < 3", False)])
def test_a_game_that_raises_a_coordinate_is_solved_row_by_row(monkeypatch, where, refused):
    instance = make_instance(parse_ruleset(EXCHANGES.replace("WHERE", where), "rows"), {}, {"N": 7})
    assert_same(instance)
    monkeypatch.setattr(kernels._Run, "by_measure", None)  # not needed
    assert isinstance(outcome_of(instance, "grundy", "kernel"), str) == refused


def test_rows_with_gaps_are_solved(interpreted):
    text = EXCHANGES.replace("WHERE", '"(x + y) % 2 == 0"').replace(
        "x - 1}, when: x >= 1", "x - 2}, when: x >= 2"
    )
    instance = make_instance(
        parse_ruleset(text.replace("t: 2..y", 't: "2..min(2, y)"'), "gaps"), {}, {"N": 8}
    )
    assert isinstance(outcome_of(instance, "grundy", "reference"), list)
    assert_same(instance)


ASKED = (
    "title: t\nposition: {x: 0..N, y: 0..N}\nmoves: [{for: {w: 0..x - 1}, when: WHEN, to: {x: w, y: TO}}]\n"
)


@pytest.mark.parametrize(
    ("when", "to"),
    [("True", "min(y, isqrt(w))"), ("w != 3", "min(y, 9 // abs(w - 3))"), ("isqrt(w) % 2 == 0", "y")],
)
def test_what_depends_on_one_choice_is_asked_only_where_it_has_a_value(interpreted, when, to):
    instance = make_instance(
        parse_ruleset(ASKED.replace("WHEN", f'"{when}"').replace("TO", f'"{to}"'), "t"), {}, {"N": 9}
    )
    assert isinstance(outcome_of(instance, "grundy", "reference"), list)
    assert_same(instance)


def test_a_limit_past_64_bits_is_cut_where_that_changes_nothing():
    text = """
title: t
position: {n: 0..N, k: 1..K+N-n}
measure: n
functions: {fib(k): {recurrence: fib(k-1) + fib(k-2), initial: {1: 1, 2: 2}}}
moves: [{for: {t: "1..min(n, fib(k))"}, to: {n: n - t, k: k + 1}}]
"""
    instance = make_instance(parse_ruleset(text, "fib"), {}, {"N": 12, "K": 120})
    assert exceeds_machine(instance, evaluated_expressions(instance)) is None
    assert_same(instance)


def test_a_ruleset_that_needs_more_than_64_bits_goes_to_the_reference():
    text = """
title: t
position: {n: 0..N}
functions: {fib(k): {recurrence: fib(k-1) + fib(k-2), initial: {0: 1, 1: 1}}}
moves: [{for: {t: 1..n}, when: "fib(10 * n) % 7 != t", to: {n: n - t}}]
"""
    instance = make_instance(parse_ruleset(text, "wide"), {}, {"N": 20})
    assert exceeds_machine(instance, evaluated_expressions(instance)) is not None
    assert np.array_equal(solve(instance, "grundy").values, solve(instance, "grundy", "reference").values)


def test_kernels_are_kept_on_disk_and_not_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N}\nmoves: [{take: 1..3, from: x, when: t <= x}]", "kept"
    )
    instance = make_instance(ruleset, {}, {"N": 9})
    solve(instance, "grundy", "kernel")
    (source,) = tmp_path.glob("kernel_*.py")
    machine_code = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")}
    assert machine_code
    del sys.modules[source.stem]  # as in another process
    solve(instance, "grundy", "kernel")
    kernel = sys.modules[source.stem]
    assert sum(kernel.solve.stats.cache_hits.values()) == 1
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nbc")} == machine_code


NAMES_AND_LIMITS = {
    "a choice named like a bound": POSITION + "[{for: {N: 1..x}, when: N <= 2, to: {x: x - N}}]",
    "a take named like a bound": POSITION + "[{take: N, from: x}]",
    "a bound variable named like a bound": POSITION
    + '[{for: {t: 1..x}, when: "any(t == N * N for N in range(1, 10))", to: {x: x - t}}]',
    "an argument named like a bound": POSITION + "[{take: 1..h(x), from: x}]\nfunctions: {h(N): N // 2}",
    "a chain that stops before a division by zero": POSITION
    + "[{take: 1..x, from: x, when: 3 <= x <= 12 // (x - 1)}]",
    "a chain of two values past 64 bits": POSITION
    + "[{for: {t: 1..x}, when: t < f(70 + x) < g(70 + x), to: {x: x - t}}]\n"
    "functions:\n  f(k): {recurrence: 2 * f(k-1), initial: {0: 1}}\n  g(k): {recurrence: 3 * g(k-1), initial: {0: 1}}",
    "a range too long": POSITION
    + '[{take: 1..x, from: x, when: "sum(1 << 40 for n in range(0, 2000000)) > 0"}]',
    "a negative measure": POSITION + "[{take: t, from: x}]\nmeasure: x - 2",
    "a recurrence that grows without end": POSITION
    + "[{take: 1..x, from: x, when: t <= f(x + 30)}]\nfunctions: {f(k): {recurrence: f(k-1) * f(k-1), initial: {0: 2}}}",
}


@pytest.mark.parametrize("text", NAMES_AND_LIMITS.values(), ids=NAMES_AND_LIMITS.keys())
def test_names_and_limits_mean_the_same_to_kernel_and_reference(interpreted, text):
    instance = make_instance(parse_ruleset(text, "limits"), {}, {"N": 8})
    expected = outcome_of(instance, "grundy", "reference")
    assert outcome_of(instance, "grundy", "auto") == expected


def test_recurrences_may_be_asked_for_within_a_range_and_within_one_that_is_empty(interpreted):
    ruleset = parse_ruleset(
        POSITION + '[{take: 1..x, from: x, when: "sum(f(h(k)) for k in range(0, t)) % 3 != 1 and '
        'all(f(n) > 9 for n in range(7, 5))"}]\n'
        "functions: {h(k): floor(k/2), f(k): {recurrence: f(k-1) + f(k-2), initial: {0: 0, 1: 1}}}",
        "ranges",
    )
    instance = make_instance(ruleset, {}, {"N": 12})
    assert np.array_equal(
        solve(instance, "grundy", "kernel").values, solve(instance, "grundy", "reference").values
    )


def test_a_choice_that_is_never_there_may_divide():
    ruleset = parse_ruleset(
        "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves:\n"
        "  - {for: {t: 1..m - 1}, when: x // t > 2, to: {x: x - t}}\n  - {take: t, from: x}",
        "never",
    )
    assert_same(make_instance(ruleset, {"m": 1}, {"N": 5}))


def test_a_move_that_an_automaton_allows_is_compiled():
    # twice, and of numbers that may be negative
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N, y: 0..N}\nmoves:\n"
        "  - {for: {t: 1..x}, when: 'accepts(\"-0,0,1,0 +1,,1,1\", t, y - 3)', to: {x: x - t}}\n"
        '  - {for: {t: 1..y}, when: \'accepts("-0,0,1,0 +1,,1,1", t, x) or accepts("-0,1 +1,", t)\', '
        "to: {y: y - t}}\n",
        "automaton",
    )
    assert_same(make_instance(ruleset, {}, {"N": 12}))


# -- what kernels call, and the order in which they go through positions ------------------------------------


@given(root=st.integers(0, math.isqrt(2**63 - 1)), more=st.integers(-1, 1), n=st.integers(0, 2**63 - 1))
def test_the_compiled_square_root_is_exact_up_to_64_bits(root, more, n):
    for value in (n, min(max(root * root + more, 0), 2**63 - 1)):
        assert runtime.BUILT_IN["isqrt"](value) == math.isqrt(value)


@given(
    first=st.integers(-20, 20),
    last=st.integers(-20, 20),
    factor=st.integers(-5, 5),
    room=st.integers(-60, 60),
)
def test_a_range_is_cut_to_the_values_with_small_multiples(first, last, factor, room):
    low, high = runtime.at_most(first, last, factor, room)
    assert list(range(low, high + 1)) == [n for n in range(first, last + 1) if factor * n <= room]


def order(position, *moves, more=""):
    names = position.split(", ")
    ranges = ", ".join(name if ":" in name else f"{name}: 0..N" for name in names)
    text = f"title: t\nposition: {{{ranges}}}\nmoves:\n" + "".join(f"  - {move}\n" for move in moves)
    return order_of_play(parse_ruleset(text + more, "t"))


def test_the_coordinates_own_order_is_kept_where_it_is_one_of_play():
    assert order("x, y", "{take: t, from: x}", '{for: {w: 0..y-1}, to: {y: w, x: "min(x, w)"}}') == (0, 1)
    assert order("x, y", "{take: t, from: x}", "{to: {y: y - 1, x: 0}, when: y >= 1}") == (0, 1)


def test_what_a_move_raises_comes_after_what_it_lowers():
    assert order(
        "x, y, z", "{take: t, from: x}", "{to: {y: y - 1, x: x + 1}}", "{to: {z: z - 1, y: y + 1}}"
    ) == (
        2,
        1,
        0,
    )


def test_order_of_play__is_found_where_nothing_is_known_of_a_choice():
    # a recurrence at more arguments than are looked at
    assert order(
        "x, y", "{for: {t: f(x)..x}, to: {x: x - t}, when: t >= 1}", "{to: {y: y - 1, x: x + 1}, when: y >= 1}",
        more="functions: {f(n): {recurrence: f(n - 1) + 1, initial: {0: 1}}}\n",
    ) == (0, 1)  # fmt: skip


def test_a_short_coordinate_is_not_the_innermost_loop():
    moves = ("{take: t, from: x}", "{to: {y: y - 1, x: x + 1}}", "{take: t, from: q}")
    assert order("x, y, q: 0..1", *moves) == (2, 1, 0)
