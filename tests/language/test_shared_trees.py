"""Trees whose parts are all used twice are small in memory but huge as text: passes over them are fast, or refuse."""

import pickle

import pytest

from grundylab.errors import FormulaError
from grundylab.language import Function, Functions, check_names, parse
from grundylab.language.functions import NO_FUNCTIONS
from grundylab.language.intervals import Interval, interval, is_total, range_combinations
from grundylab.language.parser import check_calls
from grundylab.language.substitution import lower
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    If,
    Int,
    Kind,
    Logic,
    Name,
    Negate,
    called_functions,
    compare,
    distinct_parts,
    free_names,
    walk,
)

LEVELS = 40
X = Name("x")
HUGE = "written out it has more than 1,000,000 operators and numbers"


def doubled(step, start=X):
    """Return the expression after LEVELS applications of ``step``."""
    expr = start
    for _ in range(LEVELS):
        expr = step(expr)
    return expr


def ranged(expr):
    return Bounded("sum", "n", Int(0), Binary("&", expr, Int(1)), Binary("+", Name("n"), expr))


NUMBERS = {
    "sums": doubled(lambda e: Binary("+", e, e)),
    "cases": doubled(lambda e: If(compare("<", e, Int(3)), e, Negate(e))),
    "remainders": doubled(lambda e: Binary("%", e, Binary("+", Binary("&", e, Int(7)), Int(1)))),
    "minima": doubled(lambda e: Call("min", (e, e))),
    "floors": doubled(lambda e: Call("floor", (Binary("+", e, Binary("*", e, Int(2))),))),
}


@pytest.mark.parametrize("expr", NUMBERS.values(), ids=NUMBERS)
def test_a_shared_number_is_looked_at_once_a_part(expr):
    assert expr.kind is Kind.NUMBER
    assert free_names(expr) == {"x"}
    assert not called_functions(expr)
    assert len(list(distinct_parts(expr))) <= 8 * LEVELS + 1
    assert NO_FUNCTIONS.expand(expr).size == expr.size
    assert is_total(expr, NO_FUNCTIONS, {"x": Interval(0, 9)})
    assert interval(expr, {"x": Interval(0, 9)}).width
    assert range_combinations(expr, {"x": Interval(0, 9)}, NO_FUNCTIONS) == 1
    check_names(expr, ("x",))
    check_calls(expr, {})


@pytest.mark.parametrize("expr", NUMBERS.values(), ids=NUMBERS)
def test_what_would_need_all_of_a_shared_tree_refuses(expr):
    for asked in (lambda: str(expr), lambda: list(walk(expr))):
        with pytest.raises(FormulaError, match=HUGE):
            asked()
    with pytest.raises(FormulaError, match="50,000 operators"):
        NO_FUNCTIONS.check_growth(expr)


def test_conditions_and_ranges_are_looked_at_once_a_part():
    condition = doubled(lambda e: Logic("and", (e, e)), compare("<", X, Int(3)))
    assert condition.kind is Kind.CONDITION
    assert is_total(condition, NO_FUNCTIONS)
    expr = X
    for _ in range(8):  # each is in its own range and in the range of the next
        expr = ranged(expr)
    assert free_names(expr) == {"x"}
    assert lower(expr) == expr
    assert interval(expr, {"x": Interval(0, 3)}).low == 0


def test_shared_fractions_are_refused_before_they_are_written_out():
    half = doubled(lambda e: Binary("+", Binary("/", e, Int(2)), Binary("/", e, Int(3))))
    assert half.kind is Kind.RATIO
    with pytest.raises(FormulaError, match="more than 50,000"):
        lower(Call("floor", (half,)))


def chain(length):
    """Return ``length`` functions: f0(n) = n + 1, and each later one is twice the function before it."""
    first = Function("f0", ("n",), Binary("+", Name("n"), Int(1)))
    others = [
        Function(f"f{k}", ("n",), Binary("+", call, call))
        for k in range(1, length)
        for call in [Call(f"f{k - 1}", (Name("n"),))]
    ]
    return Functions((first, *others))


def test_a_chain_of_functions_is_bounded_once_a_function_and_not_written_out():
    functions, last = chain(LEVELS), Call(f"f{LEVELS - 1}", (X,))
    assert interval(last, {"x": Interval(0, 1)}, functions) == Interval(2 ** (LEVELS - 1), 2**LEVELS)
    with pytest.raises(FormulaError, match="more than 50,000"):
        functions.expand(last)
    assert chain(3).expand(Call("f2", (X,))).size == 15


def test_a_chain_of_functions_with_other_names_in_the_calls_is_bounded_once_a_function():
    functions = Functions(
        (
            Function("g0", ("a", "b"), Binary("-", Name("a"), Name("b"))),
            *(
                Function(f"g{k}", ("b", "a"), Binary("*", Call(f"g{k - 1}", (Name("a"), Name("b"))), Call(f"g{k - 1}", (Name("b"), Name("a")))))
                for k in range(1, 25)
            ),
        )
    )  # fmt: skip
    found = interval(Call("g24", (X, X)), {"x": Interval(0, 1)}, functions)
    assert found == Interval(-1, 1)


def test_a_pickled_tree_leaves_its_hash_behind_which_is_another_in_another_process():
    tree = parse("x ^ y == max(z, 1)")
    hash(tree)
    copied = pickle.loads(pickle.dumps(tree))
    assert "_hash" in vars(tree)
    assert "_hash" not in vars(copied)
    assert copied == tree
    assert hash(copied) == hash(tree)  # in one process
