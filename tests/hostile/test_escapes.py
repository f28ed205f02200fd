"""Texts and names with signs of HTML, SVG, scripts, Markdown, LaTeX or MONA appear literally in every output."""

import csv
import json
from dataclasses import replace

import pytest
from tests.findings.made import catalogue, formula, study

from grundylab.cli.main import main
from grundylab.games import make_instance, parse_ruleset
from grundylab.language.javascript import javascript_literal
from grundylab.report.csv_tables import catalogue_csv
from grundylab.report.drawing import PictureOptions, picture
from grundylab.report.grid import slice_table, whole_window
from grundylab.report.markdown import code, text
from grundylab.report.results_document import results_text
from grundylab.report.site.table_pictures import pictures
from grundylab.report.tex import escape
from grundylab.solve.reference import solve_reference

WORDS = "</script><img src=x onerror=alert(1)>\" ' & <!-- ]]> \\input{/etc/passwd}"


@pytest.fixture
def game():
    return parse_ruleset(
        f"title: {json.dumps(WORDS)}\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\n", "g.yaml"
    )


def test_svg(game):
    table = solve_reference(make_instance(game, {}, {"N": 3}), "outcome")
    grid = slice_table(table, {})

    drawn = picture(replace(grid, title=WORDS), "svg", PictureOptions(), about=WORDS).decode()
    assert "<img" not in drawn
    assert "</script" not in drawn
    assert "\" ' & <" not in drawn


def test_scripts():
    written = javascript_literal({"title": WORDS, "other": "\u2028"})
    assert json.loads(written) == {"title": WORDS, "other": "\u2028"}
    assert not set("<>&\u2028") & set(written)


def test_latex():
    written = escape(WORDS + "$^_~#%{}")
    assert "\\input" not in written
    for special in "$#%_&":
        assert written.count(special) == written.count(f"\\{special}")


def test_pictures(game):
    named = replace(game, name='"><img src=x>')  # of no file, but what if it were
    window = whole_window(solve_reference(make_instance(named, {}, {"N": 3}), "outcome"))
    assert "<img src=x" not in pictures(named, [window])[0].html


@pytest.mark.parametrize("odd", ["=1+1", "+x", "-x + y", "@f", "\tx"])
def test_no_spreadsheet_calculates_a_cell(tmp_path, odd):
    record = formula(ruleset=odd, engine=odd, checked=-1)
    (tmp_path / "catalogue.csv").write_text(catalogue_csv(catalogue(formulas=[record])), newline="")
    with (tmp_path / "catalogue.csv").open(newline="") as file:
        heads, cells = csv.reader(file)
    assert f"'{odd}" in cells
    assert not [cell for cell in cells if cell[:1] in {*"=+@\t"} or cell == odd]
    assert "-1" in cells, "numbers stay as they are"
    assert len(heads) == len(cells)


def test_backticks_leave_no_html_outside_of_code():
    assert text("```<b>`") == r"\`\`\`\<b>\`"
    assert text("a ` b") == r"a \` b"
    assert text("`x < y | z`") == r"`x < y \| z`"
    assert code("a ` <b>") == "`` a ` <b> ``"
    assert code("x < y") == "`x < y`"


def test_links_and_pictures_are_not_made_of_words():
    assert text("![a](http://b) [c]") == r"!\[a](http://b) \[c]"


def test_names_in_the_results_end_no_code():
    odd = "a` <b> `"
    asked = study(odd, ruleset=odd, open="open")
    shown = results_text(catalogue([asked], [formula("new", study=odd, ruleset=odd)]))
    assert shown.count("`` a` <b> ` ``") == 2  # ruleset and study


FUNCTIONS = """
title: functions whose names end in words of the language, of Python, and of MONA
position: {x: 0..N}
functions:
  h_%s(z): {any: "z == 0 or h_%s(z - 1) <= h_%s(z)"}
moves: [{take: t, from: x}]
claims: [{id: c, condition: "h_%s(x) <= h_%s(x + 1)"}]
"""


@pytest.mark.parametrize("word", ["True", "in", "max", "range", "all2", "3d", "ws1s", "A"])
def test_of_a_function_with_an_odd_name_a_statement_is_proved_and_certified(
    tmp_path, monkeypatch, capsys, word
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.yaml").write_text(FUNCTIONS.replace("%s", word))
    assert main(["prove", "words.yaml", "--claim", "c", "--out", "proof.json"]) == 0
    assert main(["certify", "words.yaml", "proof.json"]) == 0
    assert f"proved: h_{word}(x) <= h_{word}(x + 1)" in capsys.readouterr().out
