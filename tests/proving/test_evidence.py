"""What refutes a formula without a table: a position and its options, of which it cannot be right."""

import pytest

from grundylab.formula import parse
from grundylab.proving.evidence import clash
from grundylab.rulesets import parse_ruleset

NIM = parse_ruleset("title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]", "nim")


@pytest.mark.parametrize(
    ("formula", "position", "words"),
    [
        ("x == y or x == 9", (9, 3), "it says P both of (x=9, y=3) and of its option (x=3, y=3)"),
        ("x == y and x != 7", (7, 7), "it says N of (x=7, y=7) and of every option of it"),
        ("x == y", (5, 3), None),
        ("x == y", (4, 4), None),
    ],
)
def test_a_formula_that_contradicts_itself_is_named_with_both_positions(formula, position, words):
    assert clash(NIM, parse(formula), {}, position) == words
