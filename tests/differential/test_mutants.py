"""The differential tests find a fault in any single reader: with any one entry of the table wrong, they fail."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from tests.differential import readers
from tests.differential.ways import uncompiled
from tests.logic.test_logic import needs_mona, statements, truths

from grundylab.language import parse
from grundylab.language.builtins import BUILTINS, BuiltIn, Reading
from grundylab.language.folding import fold_constants
from grundylab.language.operators import OPERATORS, UNARY_BINDS, InfixOperator
from grundylab.language.substitution import with_sorted_operands
from grundylab.language.syntax import COMPARISONS, Binary, Call, Expr, Int, Name, compare, negative, walk
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.reader import AutomataReader
from grundylab.solve import runtime

LIKELY = settings(max_examples=200, phases=[Phase.generate], database=None, derandomize=True)
NUMBERS = st.integers(1, 70)
Values = dict[str, int]


def cases(name: str) -> st.SearchStrategy[tuple[Expr, Values]]:
    """Return a strategy for expressions with the function or operator, and for values of their names."""
    return operations(name) if name in OPERATORS else calls(name)


def operations(op: str) -> st.SearchStrategy[tuple[Expr, Values]]:
    """Return a strategy for operations with operands of both signs, and for values of their names."""
    parts = st.sampled_from("xym").map(Name)
    constants = st.integers(-2, 6).map(Int)
    lefts = parts | constants | st.builds(Binary, st.sampled_from("+-"), parts, constants)
    tree: st.SearchStrategy[Expr] = st.builds(Binary, st.just(op), lefts, lefts)
    tree |= tree.map(negative)
    return st.tuples(
        tree, st.fixed_dictionaries({"x": NUMBERS, "y": st.integers(0, 9), "m": st.integers(0, 9)})
    )


def calls(name: str) -> st.SearchStrategy[tuple[Expr, Values]]:
    """Return a strategy for expressions with the function, and for values at which they have a value."""
    row = BUILTINS[name]
    arguments = [Binary("-", Name("x"), Name("y"))] if row.single else [Name("x"), Name("y")]
    call: st.SearchStrategy[Expr] = st.just(Call(name, tuple(arguments)))
    if not row.condition:
        call |= call.flatmap(lambda n: st.integers(1, 5).map(lambda by: Binary("%", n, Int(by))))
        call |= st.builds(compare, st.sampled_from(COMPARISONS), call, st.integers(0, 7).map(Int))
    values = st.tuples(NUMBERS, st.integers(0, 70)).map(lambda n: {"x": sum(n), "y": n[1], "m": 3})
    return st.tuples(call, values)


def differ(name: str, agree: Callable[[Expr, Values], Any], tried: settings = LIKELY) -> bool:
    """Tell whether some random formula with the function has two different readings."""

    def wrong(case: tuple[Expr, Values]) -> bool:
        try:
            return agree(*case) is False
        except AssertionError:
            return True

    try:
        find(cases(name), wrong, settings=tried)
    except NoSuchExample:
        return False
    return True


def readers_agree(expr: Expr, row: Values) -> None:
    readers.assert_agree([expr], [row], uncompiled)


def sentences_agree(expr: Expr, row: Values) -> bool:
    said = statements(Lowering(), expr, row)
    return truths([sentence for sentence, _ in said]) == [truth for _, truth in said]


def with_one_more(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose result is greater by one, or, for a truth value, negated."""

    def wrong(*arguments: Any) -> Any:
        value = function(*arguments)
        other = value ^ True if np.asarray(value).dtype == bool else value + 1
        return bool(other) if isinstance(value, bool) else other

    return wrong


def another_count(reading: Reading) -> Reading:
    """Return the reading with each counter starting one higher."""
    phase, *counters = reading.start
    return Reading((phase, *(counter + 1 for counter in counters)), reading.step)


# of each field: what is wrong in the changed row, and what must see it
FAULTS: dict[str, tuple[Callable[[BuiltIn], dict[str, Any]], Callable[[Expr, Values], Any]]] = {
    "value": (lambda row: {"value": with_one_more(row.value)}, readers_agree),
    "array": (lambda row: {"array": with_one_more(row.array)}, readers_agree),
    "bounds": (lambda row: {"bounds": lambda low, high: (high + 1, high + 1)}, readers_agree),
    "rises": (lambda row: {"rises": False, "bounds": lambda low, high: (high + 1, high + 1)}, readers_agree),
    "digits": (lambda row: {"digits": another_count(row.digits)}, readers.automata_agree),
    "expansion": (
        lambda row: {"expansion": row.expansion.replace(" if", " + 1 if", 1) + " + 1"},
        sentences_agree,
    ),
}
MADE_OF_NUMBERS = {name: row for name, row in BUILTINS.items() if not row.rounds}


@pytest.mark.parametrize("name", MADE_OF_NUMBERS)
def test_rows_as_they_are_are_read_in_one_way(name):
    row, few = BUILTINS[name], settings(LIKELY, max_examples=50)
    assert not differ(name, readers_agree, few)
    if row.digits or not row.unspoken:
        assert not differ(name, readers.automata_agree, few)


@pytest.mark.parametrize(
    ("field", "name"),
    [
        pytest.param(field, name, marks=needs_mona if field == "expansion" else ())
        for field in FAULTS
        for name, row in MADE_OF_NUMBERS.items()
        if getattr(row, field)
    ],
)
def test_a_fault_in_a_row_is_seen(field, name, monkeypatch):
    change, agree = FAULTS[field]
    monkeypatch.setitem(BUILTINS, name, replace(BUILTINS[name], **change(BUILTINS[name])))
    assert differ(name, agree)


@pytest.mark.parametrize("name", [name for name, row in MADE_OF_NUMBERS.items() if row.machine])
def test_another_value_in_compiled_code_is_seen(name, monkeypatch):
    monkeypatch.setitem(runtime.BUILT_IN, name, with_one_more(BUILTINS[name].machine))
    assert differ(name, readers_agree)


# -- operators -------------------------------------------------------------------------------------------------


def rewriting_agrees(expr: Expr, row: Values) -> bool:
    """Tell whether the expression keeps its value with constants folded, and with its operands in another order."""
    value = readers.plain(expr, row)
    return value is None or all(
        readers.plain(form, row) == value for form in (fold_constants(expr), with_sorted_operands(expr))
    )


def automata_read(expr: Expr, row: Values) -> bool:
    """Tell whether automata agree with the plain reader, or refuse the expression where the table says so."""
    node = next(part for part in walk(expr) if isinstance(part, Binary) and part.op in OPERATORS)
    said, free = OPERATORS[node.op], (node.left.free, node.right.free)
    if not said.by_constant or not (all(free) if said.commutes else free[1]):
        return readers.automata_agree(expr, row)
    try:
        AutomataReader().truth(compare("==", expr, Int(0)))
    except OutsideFragment:
        return True
    return False


# of each field: what is wrong in the changed row, and what must see it
FAULTS_OF_OPERATORS: dict[
    str, tuple[Callable[[InfixOperator], dict[str, Any]], Callable[[Expr, Values], Any]]
] = {
    "value": (lambda row: {"value": with_one_more(row.value)}, readers_agree),
    "array": (lambda row: {"array": with_one_more(row.array)}, readers_agree),
    "bounds": (lambda row: {"bounds": lambda a, b: (row.bounds(a, b)[1] + 1,) * 2}, readers_agree),
    "compiled": (lambda row: {"compiled": "({a} - {b} + 1)"}, readers_agree),
    "binds": (lambda row: {"binds": UNARY_BINDS + 1}, readers_agree),
    "domain": (lambda row: {"domain": None}, readers_agree),
    "by_constant": (lambda row: {"by_constant": not row.by_constant}, automata_read),
    "neutral": (lambda row: {"neutral": row.neutral + 1}, rewriting_agrees),
    "digits": (
        lambda row: {"digits": replace(row.digits, mona="nimsum({result}, {left}, {left})")},
        sentences_agree,
    ),
}
MADE_OF_INTEGERS = [op for op in OPERATORS if op != "/"]


@pytest.mark.parametrize("op", MADE_OF_INTEGERS)
def test_operators_as_they_are_are_read_in_one_way(op):
    for agree in (readers_agree, automata_read, rewriting_agrees):
        assert not differ(op, agree, settings(LIKELY, max_examples=50))


@pytest.mark.parametrize(
    ("field", "op"),
    [
        pytest.param(field, op, marks=needs_mona if field == "digits" else ())
        for field in FAULTS_OF_OPERATORS
        for op in MADE_OF_INTEGERS
        if getattr(OPERATORS[op], field) is not None
    ],
)
def test_a_fault_in_a_row_of_an_operator_is_seen(field, op, monkeypatch):
    change, agree = FAULTS_OF_OPERATORS[field]
    monkeypatch.setitem(OPERATORS, op, replace(OPERATORS[op], **change(OPERATORS[op])))
    with np.errstate(all="ignore"):
        assert differ(op, agree)


@pytest.mark.parametrize("op", [op for op in MADE_OF_INTEGERS if OPERATORS[op].domain])
def test_a_domain_is_where_there_is_a_value(op):
    row = OPERATORS[op]
    values = {
        b: readers.plain(parse(f"x {op} y"), {"x": 5, "y": b}) is not None
        for b in (*range(-4, 5), 4096, 4097)
    }
    assert values == {b: bool(row.domain.contains(b)) for b in values}
    assert row.domain.contains(row.domain.instead)
    for low, high in itertools.combinations(range(-4, 5), 2):
        assert row.domain.covers(low, high) == all(values[b] for b in range(low, high + 1))
    assert row.domain.covers(4000, 4097) == values[4097]


@pytest.mark.parametrize("op", MADE_OF_INTEGERS)
def test_only_operators_that_grow_give_far_longer_numbers(op):
    row, few = OPERATORS[op], range(1, 40)
    longer = any(row.value(a, b).bit_length() > max(a, b).bit_length() + 1 for a in few for b in few)
    assert row.grows == longer


@pytest.mark.parametrize("op", [op for op in MADE_OF_INTEGERS if not OPERATORS[op].commutes])
def test_it_is_seen_that_an_order_makes_a_difference(op, monkeypatch):
    monkeypatch.setitem(OPERATORS, op, replace(OPERATORS[op], commutes=True))
    assert differ(op, rewriting_agrees)
