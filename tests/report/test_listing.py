"""The catalogue's formulas as lines: whole and unambiguous for programs, no wider than the terminal for people."""

import re

from hypothesis import given
from hypothesis import strategies as st
from tests.findings.made import formula, proof

from grundylab.report.formula_lines import COLUMNS, FormulaLine, line_of, plain_text, table_text

RECORD = formula(
    where="p == 0",
    instances={"m=4,N=9": 9, "m=8,N=9": 9},
)
PROOF, OTHERS = proof(where="m % 4 == 0"), proof(where="True")
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60)
LINES = st.lists(st.builds(FormulaLine, *([TEXT] * len(COLUMNS))), min_size=1, max_size=5)


@given(LINES)
def test_for_programs_it_is_a_line_each_with_six_fields(lines):
    text = plain_text([line._replace(formula=f"{line.formula}\t\n{line.formula}") for line in lines])
    assert [len(line.split("\t")) for line in text.split("\n")] == [len(COLUMNS)] * len(lines)
    for given_line, line in zip(lines, text.split("\n"), strict=True):
        assert line.split("\t")[1] == " ".join(given_line.target.split())


ASCII = st.text("abcxyz01 +^()[]=/", min_size=1, max_size=80).map(lambda text: f"a{text}")


@given(
    st.lists(st.builds(FormulaLine, *([ASCII] * len(COLUMNS))), min_size=1, max_size=4), st.integers(60, 160)
)
def test_for_people_no_line_is_wider_than_the_terminal_and_nothing_is_lost(lines, width):
    text = re.sub("\x1b\\[[0-9;]*m", "", table_text(lines, width, cut=False))
    assert all(len(line) <= width for line in text.splitlines())
    shown = sorted(re.sub(r"\s|─", "", text))
    for line in lines:
        for field in line:
            assert all(shown.count(letter) >= field.count(letter) for letter in set(field) - {" "})


def test_a_long_formula_is_cut_with_a_sign_unless_asked_not_to_be():
    line = line_of(RECORD)._replace(formula="x + " * 400 + "y")
    for width in (80, 120):
        assert "…" in table_text([line], width)
        assert "…" not in table_text([line], width, cut=False)
        assert table_text([line], width, cut=False).count("+") == 400
