"""The operators mean the same to gplearn, to Julia, and as formulas over whole numbers."""

import math
import re
from functools import partial

import numpy as np
import pytest
from gplearn._program import _Program
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grundylab.discover.gplearn import functions, translated
from grundylab.discover.operators import BUILT_IN, CONSTANTS, CUT, OPERATORS, TooLarge
from grundylab.language import Expr
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Binary, Call, Int, Name

WHOLE = st.integers(-12, 40) | st.integers(-(2**31), 2**31)
with np.errstate(all="ignore"):
    MADE = functions()
each_operator = pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)


def meant(operator, arguments) -> int:
    return evaluate(operator.tree, dict(zip("abc", arguments, strict=False)))


def cut(expr: Expr) -> Expr:
    """The formula with its products cut, as programs do."""
    whole = rebuild(expr, tuple(map(cut, expr.children)))
    if isinstance(whole, Binary) and whole.op == "*":
        return Call("max", (Int(-CUT), Call("min", (Int(CUT), whole))))
    return whole


@each_operator
@settings(max_examples=40)
@given(st.data())
def test_an_operator_on_arrays_is_what_it_means(operator, data):
    rows = data.draw(st.lists(st.tuples(*[WHOLE] * operator.arity), min_size=1, max_size=5))
    with np.errstate(all="ignore"):
        found = operator.on_arrays(*np.array(rows, dtype=np.float64).T)
    for value, row in zip(found.tolist(), rows, strict=True):
        assert value == evaluate(cut(operator.tree), dict(zip("abc", row, strict=False)))


@each_operator
@settings(max_examples=40)
@given(st.data())
def test_no_value_is_larger_than_the_arguments_together_but_for_products(operator, data):
    arguments = data.draw(st.tuples(*[WHOLE] * operator.arity))
    if operator.name != "times":
        assert abs(meant(operator, arguments)) <= max(1, sum(map(abs, arguments)))


@settings(max_examples=300)
@given(st.integers(0, 2**32 - 1))
def test_a_program_is_the_formula_that_it_is_translated_to(seed):
    """Programs as gplearn makes them at random, on random columns."""
    random = np.random.RandomState(seed)
    leaves = (Name("x"), Name("y"), Name("m"), *map(Int, CONSTANTS))
    program = _Program(
        function_set=MADE, arities={}, init_depth=(2, 5), init_method="half and half", metric=None,
        n_features=len(leaves), const_range=None, p_point_replace=0, parsimony_coefficient=0, random_state=random,
    )  # fmt: skip
    try:
        formula = cut(translated(program.program, leaves))
    except TooLarge:
        assume(False)
    columns = random.randint(-3, 30, (8, 3))
    table = np.hstack([columns, np.tile(CONSTANTS, (8, 1))])
    with np.errstate(all="ignore"):
        values = program.execute(table.astype(np.float64))
    for value, row in zip(values.tolist(), columns.tolist(), strict=True):
        assert value == evaluate(formula, dict(zip("xym", row, strict=True))), str(formula)


@pytest.mark.parametrize("depth", [8, 30, 1000])
def test_a_program_whose_formula_is_too_large_is_refused_at_once(depth):
    """Each remainder mentions its divisor twice: the formula would have more than 2**depth nodes."""
    remainder = next(function for function in MADE if function.name == "remainder")
    with pytest.raises(TooLarge):
        translated([*[remainder, 0] * depth, 1], (Name("x"), Name("y")))


# -- Julia ---------------------------------------------------------------------------------------------------


class Julia:
    """The bit of Julia that operators are written in, by precedence: ``?:``, ``&&``, comparisons, sums, products.

    Each method reads a part of the text and gives a function without arguments, so that only what is asked for is
    computed.
    """

    def __init__(self, text: str, names: dict[str, float]) -> None:
        self.tokens = re.findall(r"\w+|&&|!=|[-+*<>?:(),]", text)
        assert "".join(self.tokens) == text.replace(" ", "")
        self.names = {**names, "NaN": math.nan}
        self.value = self.conditional()
        assert not self.tokens

    def next(self, *wanted: str) -> str | None:
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else None

    def conditional(self):
        test = self.links(("&&",), lambda: self.links(("<", ">", "!="), self.total))
        if not self.next("?"):
            return test
        one = self.conditional()
        assert self.next(":")
        other = self.conditional()
        return lambda: one() if test() else other()

    def total(self):
        return self.links(("+", "-"), lambda: self.links(("*",), self.atom))

    def links(self, signs, part):
        left = part()
        while sign := self.next(*signs):
            left = partial(BINARY[sign], left, part())
        return left

    def atom(self):
        if self.next("-"):
            operand = self.atom()
            return lambda: -operand()
        if self.next("("):
            found = self.conditional()
            assert self.next(")")
            return found
        token = self.tokens.pop(0)
        if not self.next("("):
            number = int(token) if token.isdecimal() else self.names[token]
            return lambda: number
        arguments = [self.conditional()]
        while self.next(","):
            arguments.append(self.conditional())
        assert self.next(")")
        return lambda: FUNCTIONS[token](*(argument() for argument in arguments))


def whole(value):
    assert float(value).is_integer(), "Julia throws here"
    return int(value)


BINARY = {
    "&&": lambda a, b: a() and b(), "<": lambda a, b: a() < b(), ">": lambda a, b: a() > b(),
    "!=": lambda a, b: a() != b(), "+": lambda a, b: a() + b(), "-": lambda a, b: a() - b(),
    "*": lambda a, b: a() * b(),
}  # fmt: skip
FUNCTIONS = {
    "Int64": whole, "abs": abs, "isinteger": lambda a: float(a).is_integer(), "oftype": lambda a, b: float(b),
    "fld": lambda a, b: a // b, "mod": lambda a, b: a % b, "xor": lambda a, b: a ^ b,
    "clamp": lambda a, low, high: min(max(a, low), high),
}  # fmt: skip


inline = [operator for operator in OPERATORS if operator.name not in BUILT_IN]
each_inline = pytest.mark.parametrize("operator", inline, ids=lambda operator: operator.name)


def in_julia(operator, arguments) -> float:
    head, body = operator.julia.split(" = ", 1)
    names = "abc"[: operator.arity]
    assert head == f"{operator.name}({', '.join(names)})"
    return Julia(body, dict(zip(names, arguments, strict=True))).value()


@each_inline
@settings(max_examples=40)
@given(st.data())
def test_an_operator_in_julia_is_what_it_means(operator, data):
    arguments = data.draw(st.tuples(*[WHOLE] * operator.arity))
    expected = evaluate(cut(operator.tree), dict(zip("abc", arguments, strict=False)))
    found = in_julia(operator, [float(argument) for argument in arguments])
    assert isinstance(found, float)
    assert found == expected


@each_inline
@settings(max_examples=40)
@given(st.data())
def test_an_operator_in_julia_is_nan_for_what_is_no_whole_number(operator, data):
    arguments = data.draw(st.lists(st.floats(-100, 100), min_size=operator.arity, max_size=operator.arity))
    odd = data.draw(st.sampled_from([0.5, math.nan, math.inf, -math.inf, 2.0**53, -1e300]))
    arguments[data.draw(st.integers(0, operator.arity - 1))] = odd
    assert math.isnan(in_julia(operator, arguments))


@each_inline
def test_the_name_of_an_operator_is_free_in_julia_and_sympy(operator):
    sympy = pytest.importorskip("sympy")
    exported = [
        "xor",
        "div",
        "mod",
        "rem",
        "min",
        "max",
        "less",
        "greater",
        "cond",
        "plus",
        "sub",
        "mult",
        "rest",
    ]
    assert re.fullmatch(r"[a-z]+", operator.name)
    assert operator.name not in exported
    assert not hasattr(sympy, operator.name)
