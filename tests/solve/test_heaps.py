"""Games of one heap: for random codes, each way of sweeping and all in turn give the reference's table."""

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from tests.sizes import examples

from grundylab.errors import NoSweep, RulesetError
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.solve import solve
from grundylab.solve.reference import solve_reference
from grundylab.solve.sweeps import describe_sweep, sweep_for
from grundylab.solve.sweeps import heap_sweep as heaps
from grundylab.solve.sweeps.heap_sweep import HeapSweep, heap_for, solve_heap
from grundylab.solve.sweeps.heaploops import ALL_PAIRS, BITS, SPARSE

LONG = 140  # tokens: three words of 64 heaps


def coded(digits, least=0, more=""):
    """Return the game of an octal code, with its digits for 0, 1, 2, … tokens. least: the smallest heap."""
    moves = []
    for taken, digit in enumerate(digits):
        if digit & 1:
            moves.append(f"{{name: all {taken}, when: x == {taken}, to: {{x: 0}}}}")
        if digit & 2:
            moves.append(f"{{name: one {taken}, when: x >= {taken + max(1, least)}, to: {{x: x - {taken}}}}}")
        if digit & 4:
            ends = f"{max(1, least)}..x - {taken + max(1, least)}"
            moves.append(f"{{name: two {taken}, for: {{s: {ends}}}, to: [{{x: s}}, {{x: x - {taken} - s}}]}}")
    text = f"title: t\nposition: {{x: {least}..N}}\nmoves: [{', '.join(moves)}]\n{more}"
    return parse_ruleset(text, "t")


@st.composite
def codes(draw):
    first = draw(st.sampled_from([0, 4]))
    digits = (first, *draw(st.lists(st.integers(0, 7), min_size=1, max_size=4)))
    return digits if any(digits) else (0, 6)


def swept(game, bound=LONG):
    instance = make_instance(game, {}, {"N": bound})
    return solve_heap(instance, "grundy").values, solve_reference(instance, "grundy").values


@pytest.fixture(scope="module", autouse=True)
def often():
    """Make the solver choose its way again at small sizes, and limit its memory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heaps, "_FIRST", 8)
        patch.setattr(heaps, "_STEPS", 50)
        yield


@settings(examples(8, 400), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(digits=codes(), ways=st.lists(st.sampled_from([ALL_PAIRS, BITS, SPARSE]), min_size=1, max_size=5))
def test_a_random_code_has_the_references_numbers_by_any_of_the_ways_in_any_order(digits, ways):
    given_ways = iter(ways * LONG)
    chosen = []

    def choose(*_):
        chosen.append(next(given_ways))
        return chosen[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heaps, "_fastest_way", choose)
        found, expected = swept(coded(digits))
    assert np.array_equal(found, expected), (digits, chosen)
    event(f"{len(set(chosen))} ways")


@pytest.mark.parametrize("digits", [(0, 7, 7), (0, 0, 6), (0, 0, 0, 6), (0, 6), (4, 0, 7, 1), (0, 1, 6, 1)])
def test_a_code_with_few_or_many_rare_values_has_the_references_numbers(digits):
    found, expected = swept(coded(digits), 200)
    assert np.array_equal(found, expected)


def test_the_ways_are_all_taken_where_they_are_the_shortest():
    assert heaps._fastest_way(10**6, 4, 4.0, 20) == SPARSE  # Kayles
    assert heaps._fastest_way(10**6, 4, 4.0, 400_000) == BITS
    assert heaps._fastest_way(50_000, 11, 300.0, 20_000) == ALL_PAIRS  # 0.06


def test_a_heap_that_is_never_empty_and_moves_to_one_size_are_swept():
    game = coded((0, 2, 6), least=1)
    found, expected = swept(game)
    assert np.array_equal(found, expected)
    text = (
        "title: t\nposition: {x: 0..N}\nmoves: [{when: x >= 5, to: {x: 3}},"
        " {for: {s: 2..x - 4}, to: [{x: s}, {x: x - s - 1}]}, {take: '1..min(x, 2)', from: x}]\n"
    )
    found, expected = swept(parse_ruleset(text, "t"))
    assert np.array_equal(found, expected)


def test_kayles_of_its_file_is_swept_and_has_its_period_far_out():
    kayles = load_ruleset("kayles")
    instance = make_instance(kayles, {}, {"N": 100_000})
    assert isinstance(sweep_for(instance, "grundy"), HeapSweep)
    assert describe_sweep(instance, "grundy").startswith("the nim-sums")
    values = solve(instance).values
    assert np.array_equal(values[71 + 12 :], values[71:-12])
    assert values[70 + 12] != values[70]
    small = make_instance(kayles, {}, {"N": 150})
    assert np.array_equal(values[:151], solve_reference(small, "grundy").values)


def test_0_161_and_0_36_differ_first_at_519():
    octal = load_ruleset("octal")
    one, other = (
        solve(make_instance(octal, dict(zip("abc", digits, strict=True)), {"N": 600})).values
        for digits in ((1, 6, 1), (3, 6, 0))
    )
    assert np.flatnonzero(one != other)[0] == 519


REFUSED = {
    "several coordinates": ("position: {x: 0..N, y: 0..1}", "{take: '1..min(x, 2)', from: x}", "not a game of normal play with one heap"),
    "measure": ("position: {x: 0..N}\nmeasure: x * x", "{take: '1..min(x, 2)', from: x}", "its measure is not a multiple of x"),
    "no value": ("position: {x: 0..N}", "{when: 'x >= 3 or 6 // x == 1', to: {x: 0}}", "'x >= 3 or 6 // x == 1' may have no value"),
    "any number": ("position: {x: 0..N}", "{take: t, from: x}", "takes any number of tokens: the range of t grows with the heap"),
    "unequal heaps": ("position: {x: 0..N}", "{name: a, for: {s: 1..x-1}, when: 2*s < x, to: [{x: s}, {x: x - s}]}", "not every pair of heaps is possible"),
}  # fmt: skip


@pytest.mark.parametrize(("space", "move", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_game_of_one_heap_is_refused_with_the_reason(space, move, words):
    game = parse_ruleset(f"title: t\n{space}\nmoves: [{move}]\n", "t")
    with pytest.raises(NoSweep) as refused:
        heap_for(make_instance(game, {}, {"N": 9}), "grundy")
    assert words in refused.value.message


def test_a_faulty_move_of_a_small_heap_is_told_as_by_the_definition():
    game = parse_ruleset(
        "title: t\nposition: {x: 0..N}\nmoves: [{name: a, when: x == 3, to: {x: 5}}, {take: '1..min(x, 2)', from: x}]", "t"
    )  # fmt: skip
    instance = make_instance(game, {}, {"N": 20})
    with pytest.raises(RulesetError) as expected:
        solve_reference(instance, "grundy")
    with pytest.raises(RulesetError) as found:
        solve_heap(instance, "grundy")
    assert found.value.message == expected.value.message


@pytest.mark.parametrize(
    "most", ["(1 // 0 if x > 900 else 2)", "(2 if x <= 900 else f(-1))", "(2 if x <= 900 else 1 << 9999)"]
)
def test_what_has_no_value_at_heaps_beyond_the_table_is_no_fault(most):
    game = parse_ruleset(
        "title: t\nfunctions: {f(n): {recurrence: f(n - 1), initial: {0: 1}}}\n"
        f"position: {{x: 0..N}}\nmoves: [{{take: '1..min(x, {most})', from: x}}]",
        "t",
    )
    instance = make_instance(game, {}, {"N": 800})
    with pytest.raises(NoSweep):
        heap_for(instance, "grundy")
    assert np.array_equal(solve(instance, "grundy").values, solve_reference(instance, "grundy").values)
