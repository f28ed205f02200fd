"""Words of a ruleset that mean something to HTML, SVG, scripts or LaTeX are shown, and do nothing, in every output."""

import json
from dataclasses import replace

import pytest
from markupsafe import escape as html

from grundylab.exports.tex import escape
from grundylab.formula.javascript import quoted
from grundylab.report.grid import slice_table
from grundylab.report.svg import grid_svg
from grundylab.report.tables import write_tables
from grundylab.rulesets import make_instance, parse_ruleset
from grundylab.solving.reference import solve_reference

WORDS = "</script><img src=x onerror=alert(1)>\" ' & <!-- ]]> \\input{/etc/passwd}"


@pytest.fixture
def game():
    return parse_ruleset(
        f"title: {json.dumps(WORDS)}\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\n", "g.yaml"
    )


def test_svg(game):
    table = solve_reference(make_instance(game, {}, {"N": 3}), "outcome")
    grid = slice_table(table, {})

    drawn = grid_svg(replace(grid, title=WORDS), standalone=True)
    assert "<img" not in drawn
    assert "</script" not in drawn
    assert "\" ' &" not in drawn


def test_scripts():
    written = quoted({"title": WORDS, "other": "\u2028"})
    assert json.loads(written) == {"title": WORDS, "other": "\u2028"}
    assert not set("<>&\u2028") & set(written)


def test_tables(tmp_path):
    record = {
        "ruleset": "g",
        "title": WORDS,
        "target": "p",
        "status": "holds",
        "formula": WORDS,
        "where": "True",
        "engine": WORDS,
        "checked": 1,
        "note": WORDS,
    }
    write_tables({"formulas": [record], "claims": [], "rows": []}, tmp_path)
    text = (tmp_path / "formulas.html").read_text()
    assert "<img" not in text
    assert str(html(WORDS))[:20] in text


def test_latex():
    written = escape(WORDS + "$^_~#%{}")
    assert "\\input" not in written
    for special in "$#%_&":
        assert written.count(special) == written.count(f"\\{special}")
