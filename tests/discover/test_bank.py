"""A bank's terms, conditions and pairs of terms: the fast search over many at once agrees with its definition."""

from functools import partial

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.discover.made import made

from grundylab.check.samples import Samples
from grundylab.discover.bank import Bank, GivenTerms
from grundylab.discover.closing_terms import two_term_numbers
from grundylab.discover.comparisons import MODULI, equations, one_term_conditions
from grundylab.discover.cost import cost
from grundylab.discover.divide import Pool
from grundylab.discover.extra_terms import combined_terms, function_calls, monomial_sums
from grundylab.discover.fingerprints import scrambled, truth_prints, unseen, with_seen
from grundylab.discover.search_budget import UNLIMITED
from grundylab.errors import EvaluationError
from grundylab.games import parse_ruleset
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import compile_plain
from grundylab.language.syntax import Call, Name, compare

grid = partial(made, parameters=("m",), x=range(6), y=range(6), z=range(6), m=(2, 5))


def test_terms_have_the_values_of_their_trees_and_differ():
    samples = grid("x ^ y ^ z == m")
    bank = Bank(samples, range(5), combined_terms(samples))
    bank.fill(UNLIMITED, 2_000)
    assert len(bank) == 2_000
    assert (np.diff(bank.costs) >= 0).all()
    assert len(np.unique(bank.values, axis=0)) == len(bank)
    for terms in (bank, monomial_sums(samples, UNLIMITED), function_calls(samples, UNLIMITED)):
        for number in range(0, len(terms.values), 3):
            tree = terms.expr(number)
            assert (evaluate_arrays(tree, samples.columns) == terms.values[number]).all(), str(tree)
            assert terms is bank or cost(tree) == terms.costs[number], str(tree)


def test_the_bank_that_is_filled_begins_with_the_bank_that_is_grown():
    samples = grid("x ^ y ^ z == m")
    grown, filled = Bank(samples), Bank(samples)
    while grown.most < 3:
        assert grown.grow(UNLIMITED, 100_000)
    filled.fill(UNLIMITED, len(grown) + 10)
    assert np.array_equal(filled.values[: len(grown)], grown.values)


def test_conditions_to_split_by_hold_where_their_trees_do_and_none_is_another_or_its_opposite():
    samples = grid("x ^ y ^ z == m")
    bank = Bank(samples, range(5), combined_terms(samples))
    bank.fill(UNLIMITED, 500)
    pool = Pool(bank, samples.values)
    splits, leaves = pool.guards(300), pool.leaves(300)
    for number, row in enumerate(splits.rows):
        assert (evaluate_arrays(splits.tree(number), samples.columns) == row).all()
    for number, row in enumerate(leaves.rows):  # of these the rows say where they are not the target
        wrong = evaluate_arrays(leaves.tree(number), samples.columns) != samples.values
        assert (wrong == (row > 0)).all()
    assert len(np.unique(splits.rows ^ splits.rows[:, :1], axis=0)) == len(splits.rows)


def given_terms(values: np.ndarray, costs: np.ndarray) -> GivenTerms:
    """Return terms with these values and costs and arbitrary names."""
    return GivenTerms(values, costs, lambda number: Name(f"t{number}"))


FUNCTIONS = parse_ruleset(
    "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
    "functions:\n  f(k): {recurrence: f(k - 1) + f(k - 2), initial: {1: 1, 2: 2}}\n"
    "  h(z): z // (z - m)\n  g(z): floor_log2(z + m)\n",
    "game",
).functions


@given(
    st.lists(st.tuples(st.integers(-9, 30), st.integers(-3, 12), st.integers(1, 4)), min_size=1, max_size=12)
)
def test_terms_of_a_rulesets_function_are_those_that_have_a_value_everywhere(rows):
    """One function is a recurrence without values below its start, one lacks a value at one place for each m."""
    x, y, m = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    samples = Samples(("x", "y", "m"), {"x": x, "y": y, "m": m}, x > y, ("m",), FUNCTIONS)
    bank = Bank(samples, range(3))
    assert bank.grow(UNLIMITED, 10_000)
    seen = set()
    for made_terms in bank.made(4, UNLIMITED):
        if made_terms.op not in ("f", "g", "h"):
            continue
        seen.add(made_terms.op)
        for number, argument in enumerate(made_terms.left):
            value = compile_plain(Call(made_terms.op, (Name("a"),)), FUNCTIONS)
            try:
                wanted = [
                    value({"a": int(a), "m": int(parameter)})
                    for a, parameter in zip(bank.values[argument], m, strict=True)
                ]
            except EvaluationError:
                wanted = None
            assert made_terms.defined[number] == (wanted is not None)
            if wanted is not None:
                assert made_terms.values[number].tolist() == wanted
    assert seen or len(set(rows)) == 1


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(3, 90), st.sampled_from([2, 3, 50]))
def test_equations_are_all_pairs_that_are_equal_just_where_the_target_holds(seed, count, places, values):
    chance = np.random.default_rng(seed)
    terms = chance.integers(0, values, size=(count, places)).astype(np.int32)
    target = chance.random(places) < 0.2
    terms[:, target] = terms[chance.integers(0, 2, size=count)][:, target]
    costs = chance.integers(1, 5, size=count)
    by_cost = sorted(range(count), key=lambda i: (costs[i], i))
    pairs = sorted(
        (costs[i] + costs[j], i, j)
        for number, i in enumerate(by_cost)
        for j in by_cost[number + 1 :]
        if 0 < target.sum() < places and ((terms[i] == terms[j]) == target).all()
    )
    found = equations(given_terms(terms.astype(np.int64), costs), target, UNLIMITED)
    assert [each.tree() for each in found] == [
        compare("==", Name(f"t{i}"), Name(f"t{j}")) for _, i, j in pairs
    ]
    assert [each.cost for each in found] == [cost + 1 for cost, _, _ in pairs]


@given(st.integers(0, 2**32 - 1), st.integers(2, 90), st.sampled_from([3, 7, 40]))
def test_conditions_on_one_term__are_all_found(seed, places, values):
    """Compare with a search through all thresholds and remainders, one after another."""
    chance = np.random.default_rng(seed)
    row = chance.integers(-values, values, size=places)
    by = int(chance.integers(2, 7))
    target = (row <= 1, row >= 0, row == row[0], row % by == 1)[int(chance.integers(4))]
    if target.all() or not target.any():
        return
    true = {
        f"t0 {op} {value}"
        for op, compared in (("<=", np.less_equal), (">=", np.greater_equal), ("==", np.equal))
        for value in set(row[target].tolist())
        if (compared(row, value) == target).all()
    }
    inside = np.ptp(row[target])
    true |= {
        f"t0 % {by} == {row[target][0] % by}"
        for by in MODULI
        if inside and ((row % by == row[target][0] % by) == target).all()
    }
    terms = given_terms(row[None].astype(np.int64), np.array([1]))
    found = {str(each.tree()) for each in one_term_conditions(terms, target, UNLIMITED)}
    assert {text for text in found if "(" not in text} == true


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(3, 90))
def test_numbers_of_two_terms_are_found(seed, count, places):
    chance = np.random.default_rng(seed)
    terms = chance.integers(-9, 9, size=(count, places)).astype(np.int64)
    i, j = chance.integers(0, count, size=2)
    for op, target in (("+", terms[i] + terms[j]), ("-", terms[i] - terms[j]), ("^", terms[i] ^ terms[j])):
        found = two_term_numbers(given_terms(terms, np.ones(count, dtype=int)), target, UNLIMITED)
        trees = {str(each.tree()) for each in found}
        assert {f"t{i} {op} t{j}", *({f"t{j} {op} t{i}"} if op != "-" else ())} & trees


@given(st.lists(st.lists(st.booleans(), min_size=11, max_size=11), min_size=1, max_size=8))
def test_rows_of_truth_values_have_the_same_number_just_if_they_are_the_same(rows):
    marks = truth_prints(np.array(rows))
    assert [[a == b for b in marks] for a in marks] == [[a == b for b in rows] for a in rows]


@given(st.lists(st.integers(0, 2**40), unique=True, min_size=1))
@settings(max_examples=50, deadline=None)
def test_different_numbers_are_scrambled_differently_and_alone_as_together(numbers):
    together = scrambled(np.array(numbers))
    assert len(set(together.tolist())) == len(numbers)
    assert [int(scrambled(np.array([number]))[0]) for number in numbers] == together.tolist()


@given(st.lists(st.lists(st.integers(-9, 9), max_size=12), max_size=6))
def test_a_value_that_was_seen_before__is_known_however_often_it_comes(blocks):
    known, seen = np.empty(0, dtype=np.int64), set()
    for block in blocks:
        fresh = unseen(np.array(block, dtype=np.int64), known)
        assert list(fresh) == [
            n for n, value in enumerate(block) if value not in seen and value not in block[:n]
        ]
        known, seen = with_seen(known, np.array(block, dtype=np.int64)[fresh]), seen | set(block)
        assert list(known) == sorted(seen)
