"""LaTeX that compiles whatever a title contains, and that claims no more than is known."""

import re
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.findings.made import paper, statement
from tests.random_games import instances
from tests.report.hostile_latex import PAPER, RECORDS, document, drawn, game
from tests.sizes import examples

from grundylab.errors import InstanceError
from grundylab.games import make_instance
from grundylab.report.grid import slice_table
from grundylab.report.latex_document import SliceFigure, game_document
from grundylab.report.tex import comment, escape
from grundylab.solve import solve


def balanced(text):
    """Tell whether braces and environments open and close in pairs, outside comments."""
    text = re.sub(r"(?m)(?<!\\)%.*$", "", text)
    depth = 0
    for sign in re.findall(r"(?<!\\)(?:\\\\)*([{}])", text):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    stack = []
    for word, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if word == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    return depth == 0 and not stack and text.count("$") % 2 == text.count(r"\$") % 2


@given(st.text(max_size=60))
def test_text_is_escaped_to_ascii_that_prints(text):
    found = escape(text)
    assert found.isascii()
    assert balanced(found)
    bare = re.sub(r"\\(?:[{}$&#%_]|[a-zA-Z]+(?:\{\})?|[`'^~=.\"]\{|S\{\})", "", found).replace(r"$\cdot$", "")
    assert not set(bare) & set("&#%_~"), found
    assert "\n" not in comment(text)
    assert comment(text).isascii()


def test_a_hostile_title_is_printed_and_not_obeyed():
    text = document()
    assert balanced(text)
    assert r"\textbackslash{}input\{/etc/passwd\}" in text
    assert r"\input" not in text.replace(r"\textbackslash{}input", "")
    assert r"\L{}\'{o}d\'{z} \texttt{U+4E2D}" in text


def test_statement__is_a_theorem_only_if_it_is_proved():
    kinds = re.findall(r"\\begin\{(theorem|proposition|conjecture|remark)\}", document())
    assert kinds == ["theorem", "theorem", "conjecture", "proposition", "remark", "conjecture"]


def test_only_what_is_cited_is_in_the_bibliography():
    other = paper("other", "Other", ("A",), "Key2", [statement("x", "y")])
    text = game_document(game(), RECORDS, [PAPER, other])
    assert r"\bibitem{Key1}" in text
    assert "Key2" not in text


def test_a_fragment_has_no_document_around_it():
    text = game_document(game(), RECORDS, [PAPER], whole=False)
    assert not re.search(r"\\documentclass|\\begin\{document\}|\\bibitem", text)
    assert balanced(text)


def test_the_table_is_the_slice():
    ruleset = game("Two piles")
    grid = drawn(ruleset, m=2).grid
    text = game_document(ruleset, [], [], drawn(ruleset, m=2))
    rows = re.findall(r"(?m)^(\d+(?: & \d+)+) \\\\$", text)
    assert [list(map(int, row.split(" & ")))[1:] for row in rows] == grid.values.tolist()


def test_a_table_without_room_is_refused():
    ruleset = game("Two piles")
    table = solve(make_instance(ruleset, {"m": 2}, {"N": 30}))
    with pytest.raises(InstanceError, match="31 by 31"):
        game_document(ruleset, [], [], SliceFigure(slice_table(table, {"p": 1}), {}))


@examples(25)
@given(instances(legal=False))
def test_every_game_has_a_definition_that_is_balanced(instance):
    assert balanced(game_document(instance.ruleset, [], []))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_it_compiles(tmp_path):
    (tmp_path / "game.tex").write_text(document())
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "game.tex"]
    for _ in range(2):
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, errors="replace"
        )
        assert done.returncode == 0, done.stdout[-2000:]
    assert "undefined" not in done.stdout
