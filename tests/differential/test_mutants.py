"""The differential tests find a fault in any single reader: with any one entry of the table wrong, they fail."""

from __future__ import annotations

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

from grundylab.language.builtins import BUILTINS, BuiltIn, Reading
from grundylab.language.syntax import COMPARISONS, Binary, Call, Expr, Int, Name, compare
from grundylab.logic.lowering import Lowering
from grundylab.solve import runtime

LIKELY = settings(max_examples=200, phases=[Phase.generate], database=None, derandomize=True)
NUMBERS = st.integers(1, 70)
Values = dict[str, int]


def cases(name: str) -> st.SearchStrategy[tuple[Expr, Values]]:
    """Return a strategy for expressions with the function, and for values at which they have a value."""
    row = BUILTINS[name]
    arguments = [Name("x"), Name("y")] if row.several else [Binary("-", Name("x"), Name("y"))]
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
