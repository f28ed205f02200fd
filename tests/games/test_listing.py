"""Printed sets of positions: the condition without indices is true of exactly the positions that the set lists."""

from itertools import product

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from grundylab.games.listing import listed_condition, read_listing
from grundylab.language import parse
from grundylab.language.plain import compile_plain

SIZE = 14  # positions looked at: (x, y) with both below
INDEX = 40  # the largest index whose entry may be that small, for the factors below


def listed(text, indices, entries, where):
    """Return the listed positions by the definition, with every index up to INDEX."""
    values = [compile_plain(entry) for entry in entries]
    fits = compile_plain(where)
    found = set()
    for chosen in product(range(INDEX), repeat=len(indices)):
        environment = dict(zip(indices, chosen, strict=True))
        if fits(environment):
            found.add(tuple(value(environment) for value in values))
    return {(x, y) for x, y in found if 0 <= x < SIZE and 0 <= y < SIZE}


def positions(texts):
    condition = compile_plain(listed_condition(read_listing(texts, ("x", "y")), ("x", "y")))
    return {(x, y) for x in range(SIZE) for y in range(SIZE) if condition({"x": x, "y": y})}


@st.composite
def families(draw):
    """Draw the text of a set ``a*i + b, c*i + d`` with one or two indices and a condition on them.

    An index may stand as a power of two.
    """
    indices = draw(st.sampled_from([("i",), ("i", "j")]))
    entries = []
    for _ in range(2):
        parts = [str(draw(st.integers(-3, 6)))]
        for index in indices:
            factor = draw(st.integers(-2, 3))
            unknown = f"(1 << {index})" if draw(st.integers(1, 4)) == 4 else index
            parts.append(f"{factor}*{unknown}")
        entries.append(" + ".join(parts))
    where = " and ".join(
        f"{draw(st.integers(0, 2))} <= {index} <= {draw(st.integers(3, 5))}" for index in indices
    )
    return f"{entries[0]}, {entries[1]} for {where}"


@given(st.lists(families(), min_size=1, max_size=2))
def test_a_position_fulfils_the_condition_just_if_some_indices_give_it(texts):
    note(texts)
    expected = set()
    for text in texts:
        (member,) = read_listing([text], ("x", "y")).members
        expected |= listed(text, member.indices, member.entries, member.where)
    assert positions(texts) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2, 3"], {(2, 3)}),
        (["4*k + 1, 4*k + 4 for k >= 1"], {(5, 8), (9, 12)}),
        (["k, k for k >= 10", "0, 1"], {(0, 1), *((k, k) for k in range(10, 14))}),
        (["2*i - 2, (1 << n) - i for n >= 0 and 1 <= i <= 1 << n"],
         {(2 * i - 2, 2**n - i) for n in range(6) for i in range(1, 2**n + 1)
          if 2 * i - 2 < SIZE and 2**n - i < SIZE}),
        (["(1 << n) - 1, 0 for n >= 0"], {(0, 0), (1, 0), (3, 0), (7, 0)}),
        (["(1 << n) - 1, 0 for n >= 2"], {(3, 0), (7, 0)}),
        (["n*n, n for 0 <= n <= y"], {(0, 0), (1, 1), (4, 2), (9, 3)}),
        (["x, x + 1"], {(x, x + 1) for x in range(SIZE - 1)}),
    ],
)  # fmt: skip
def test_sets_as_papers_print_them(texts, expected):
    assert positions(texts) == expected


@pytest.mark.parametrize(
    ("text", "entries", "where"),
    [
        ("sum(i for i in range(0, 4)), 2", ("sum(i for i in range(0, 4))", "2"), "True"),
        ("k, sum(i for i in range(0, 4)) + k for k >= 2", ("k", "sum(i for i in range(0, 4)) + k"), "k >= 2"),
        ("k, 1 for any(k == i*i for i in range(0, 3))", ("k", "1"), "any(k == i*i for i in range(0, 3))"),
        ("before, for1 for for1 == 2", ("before", "for1"), "for1 == 2"),
        ("forks, 2 for\tforks >= 1", ("forks", "2"), "forks >= 1"),
        ("(k), (2)for(k >= 1)", ("k", "2"), "k >= 1"),
        ("h(k, 1), 2\nfor k >= 1", ("h(k, 1)", "2"), "k >= 1"),
    ],
)
def test_a_listing_is_divided_at_the_word_for_alone_and_in_no_parentheses(text, entries, where):
    (member,) = read_listing([text], ("x", "y")).members
    assert member.entries == tuple(map(parse, entries))
    assert member.where == parse(where)
