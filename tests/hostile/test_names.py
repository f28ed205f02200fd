"""Names of files, and Markdown's signs: an odd name is refused before it is used, and a cell stays one cell."""

import pytest
from tests.catalogue.made import catalogue, formula, study

from grundylab.cli.main import main
from grundylab.logic.mona import MISSING, find_mona
from grundylab.report.markdown import code, text
from grundylab.report.results_document import results_text

NIM = "title: Nim\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"


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


WORDS = """
title: functions whose names end in words of the language, of Python, and of MONA
position: {x: 0..N}
functions:
  h_%s(z): {any: "z == 0 or h_%s(z - 1) <= h_%s(z)"}
moves: [{take: t, from: x}]
claims: [{id: c, condition: "h_%s(x) <= h_%s(x + 1)"}]
"""


@pytest.mark.skipif(find_mona() is None, reason=MISSING)
@pytest.mark.parametrize("word", ["True", "in", "max", "range", "all2", "3d", "ws1s", "A"])
def test_of_a_function_with_an_odd_name_both_procedures_can_read_what_is_proved(
    tmp_path, monkeypatch, capsys, word
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.yaml").write_text(WORDS.replace("%s", word))
    assert main(["prove", "words.yaml", "--claim", "c"]) == 0
    assert "by two independent procedures" in capsys.readouterr().out
