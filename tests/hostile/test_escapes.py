"""Ruleset texts with signs of HTML, SVG, scripts or LaTeX appear literally in every output."""

import csv
import json
from dataclasses import replace

import pytest
from tests.catalogue.made import catalogue, formula

from grundylab.games import make_instance, parse_ruleset
from grundylab.language.javascript import javascript_literal
from grundylab.report.csv_tables import catalogue_csv, write_tables
from grundylab.report.drawing import PictureOptions, picture
from grundylab.report.grid import slice_table, whole_window
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

    drawn = picture([replace(grid, title=WORDS)], "svg", PictureOptions(), about=WORDS).decode()
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
    record = formula(ruleset=odd, engine=odd, latex=odd, checked=-1)
    write_tables(catalogue(formulas=[record]), tmp_path)
    (tmp_path / "catalogue.csv").write_text(catalogue_csv(catalogue(formulas=[record])), newline="")
    for name in ("formulas.csv", "catalogue.csv"):
        with (tmp_path / name).open(newline="") as file:
            heads, cells = csv.reader(file)
        assert f"'{odd}" in cells
        assert not [cell for cell in cells if cell[:1] in {*"=+@\t"} or cell == odd]
        assert "-1" in cells, "numbers stay as they are"
        assert len(heads) == len(cells)
