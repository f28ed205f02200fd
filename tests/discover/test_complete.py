"""The search is complete: its smallest formula is the smallest there is, and if it finds none, none exists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover.made import made
from tests.sizes import examples

from grundylab.check.samples import Samples
from grundylab.discover.bank import BINARY, NARY, UNARY, operator_term
from grundylab.discover.comparisons import PREDICATES, usual_predicates
from grundylab.discover.complete import smallest_formulas
from grundylab.discover.cost import cost, sign_cost
from grundylab.discover.plainness import is_plain
from grundylab.discover.search_budget import SearchBudget
from grundylab.errors import EvaluationError
from grundylab.language import Expr, parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import COMPARISONS, Call, Int, Name, compare, negative

SIDE = 7
XY = partial(made, x=range(SIDE), y=range(SIDE))
FEW = (0, 1, 2, 3)  # constants of the formulas that are listed one by one


@cache
def terms(total: int) -> tuple[Expr, ...]:
    """Return every term of this cost, made with these constants by the grammar alone."""
    if total <= 1:
        return () if total < 1 else (Name("x"), Name("y"), *map(Int, FEW))
    found = [negative(part) for part in terms(total - 1)]
    found += [Call(name, (part,)) for name in UNARY for part in terms(total - sign_cost(name))]
    for op in (*BINARY, *NARY):
        for left in range(1, total - sign_cost(op)):
            found += [
                operator_term(op, a, b) for a, b in product(terms(left), terms(total - sign_cost(op) - left))
            ]
    return tuple(dict.fromkeys(tree for tree in found if cost(tree) == total))


def conditions(total: int) -> Iterator[Expr]:
    yield from (Call(name, (part,)) for name in PREDICATES for part in terms(total - sign_cost(name)))
    for left in range(1, total - 1):
        for a, b in product(terms(left), terms(total - 1 - left)):
            yield from (compare(op, a, b) for op in COMPARISONS)


def behaviour(tree: Expr, samples: Samples) -> bytes | None:
    try:
        values = evaluate_arrays(tree, samples.columns)
    except EvaluationError:
        return None
    if values.dtype == object:
        return None
    return np.broadcast_to(values, len(samples)).astype(np.int64).tobytes()


@cache
def least_costs(kind: str) -> dict[bytes, int]:
    """Return, for each behaviour on the square, the least cost of a formula that has it."""
    samples, found = XY("x" if kind == "numbers" else "x == y"), {}
    for total in range(1, 6):
        for tree in terms(total) if kind == "numbers" else conditions(total):
            if (key := behaviour(tree, samples)) is not None:
                found.setdefault(key, total)
    return found


@pytest.mark.parametrize("kind", ["numbers", "conditions"])
@examples(12, 400)
@given(data=st.data())
def test_the_formula_found__costs_no_more_than_the_cheapest_of_all(kind, data):
    known = least_costs(kind)
    key = data.draw(st.sampled_from(sorted(known, key=lambda key: (known[key], key))))
    values = np.frombuffer(key, dtype=np.int64)
    samples = XY("x")
    values = values.astype(bool) if kind == "conditions" else values
    found = smallest_formulas(Samples(samples.names, samples.columns, values), SearchBudget(30.0))
    assert found.formulas, known[key]
    assert cost(found.formulas[0]) <= known[key], found.formulas[0]
    for tree in found.formulas:
        assert behaviour(tree, samples) == key


SMALL = [
    "x >= 11", "x == 12", "x + y >= 20", "x + y == 30", "x >> y", "(x + y) % 11 == 0", "x % 5 == y % 7",
    "(x % 5) ^ (y % 7)", "(x + 1) // (y + 1)", "x < y or x == 9", "min(x, 9)", "popcount(x ^ y)",
]  # fmt: skip


@pytest.mark.parametrize("formula", SMALL)
def test_small_formulas_are_found_and_are_the_smallest(formula):
    tree = parse(formula)
    samples = made(formula, x=range(40), y=range(40))
    found = smallest_formulas(samples, SearchBudget(30.0))
    assert found.formulas
    assert cost(found.formulas[0]) <= cost(tree)
    assert found.proved


def test_conditionals_are_found_though_not_all_are_looked_at():
    found = smallest_formulas(made("x ^ y if x > 20 else y", x=range(40), y=range(40)), SearchBudget(30.0))
    assert found.formulas[0].size == 8
    assert found.searched.cost == 7


def test_predicates_that_proofs_cannot_express_are_for_one_pile():
    one, several = made("x == 2", x=range(9)), made("x == y", x=range(9), y=range(9))
    of_a_family = made("x == k", ("k",), x=range(9), k=range(3))
    assert set(usual_predicates(one)) - set(usual_predicates(several)) == {"is_prime"}
    assert usual_predicates(of_a_family) == usual_predicates(one)


def test_a_plain_formula_that_costs_little_more__is_beside_the_cheapest():
    short, plain = parse("(x | y) % 2 == 0"), parse("x % 2 == 0 and y % 2 == 0")
    found = smallest_formulas(made(str(short), x=range(24), y=range(24)), SearchBudget(8)).formulas
    assert plain in found
    assert cost(found[0]) == cost(short) < cost(plain)
    assert not is_plain(short)
