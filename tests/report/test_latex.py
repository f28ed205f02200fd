"""LaTeX that compiles whatever a title contains, and that claims no more than is known."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.catalogue.made import claim, formula, paper, proof, related, statement
from tests.random_games import instances
from tests.sizes import examples

from grundylab.catalogue.papers import Publication
from grundylab.catalogue.records import InstanceCheck
from grundylab.check.verification import Counterexample
from grundylab.errors import InstanceError
from grundylab.games import make_instance, parse_ruleset
from grundylab.report.grid import slice_table
from grundylab.report.latex_document import SliceFigure, game_document
from grundylab.report.tex import bibtex, comment, escape
from grundylab.solve import solve

HOSTILE = r"50% of #1 & $x_1^2$ {braces} \input{/etc/passwd} ~ <a|b> “q” Łódź 中 ]] \end{definition}"
GAME = """\
title: '{title}'
source: {{paper: a-paper, at: "Definition [1] & {{2}}"}}
parameters: {{m: m >= 1}}
piles: 2
position: {{x: 0..N}}
moves: [{{take: '1..min(m, x)', from: x}}]
pass: {{}}
functions: {{big_f(a): a % (m + 1)}}
claims:
  - {{id: c, at: "Theorem 1 [a_b]", target: p, where: p == 0, formula: "(x % (m + 1)) ^ (y % (m + 1)) == 0"}}
  - {{id: d, at: Lemma 2, target: p, formula: x == y}}
  - {{id: e, at: Lemma 3, target: p, values: {{G: this}}, formula: "G(x, y, p) == 0 and big_f(x) >= 0"}}
"""
PAPER = paper(
    "a-paper", "On $_1 & 'games'", ("A. Müller", "B_C"), "Key1", [statement("x", "y")],
    published=Publication(journal="J. & K.", volume=1, year=2020, number="#2", doi="10.1/a_b"),
)  # fmt: skip
COMMON = {
    "ruleset": "game",
    "latex": "",
    "instances": (InstanceCheck(instance="m=2,N=9", checked=1234, holds=True),),
}
CLAIM = {**COMMON, "paper": "a-paper"}
PROOF = proof(where="m % 2 == 0", exactly=True, proof="results/a_b/x_%.mona")
EXAMPLE = Counterexample({"x": 1, "y": 1, "p": 1}, {"m": 1}, 3, 0, 1)
SAYS = {"relation": "rediscovers", "claim": "d", "by": "tables"}
RECORDS = [
    formula(**COMMON, proofs=(PROOF,), relation=related(SAYS, {"relation": "differs", "claim": "c", "by": "proof"})),
    formula(**COMMON, formula="x ^ y == 0 and accepts('+1,0,, +2,,1,0 +2,,,', x, y)"),
    claim(**CLAIM, claim="c", at="Theorem 1 [a_b]", where="p == 0", formula="(x % (m + 1)) ^ (y % (m + 1)) == 0"),
    claim(**CLAIM, claim="d", at="Lemma 2", counterexample=EXAMPLE),
    claim(**{**COMMON, "paper": None}, claim="e", at="", checked=0, reason="50 % done_",
          formula="G(x, y, p) == 0 and big_f(x) >= 0"),
]  # fmt: skip


def game(title=HOSTILE):
    return parse_ruleset(GAME.format(title=title.replace("'", "''")), "game")


def drawn(ruleset, **parameters):
    table = solve(make_instance(ruleset, parameters, {"N": 9}))
    return SliceFigure(slice_table(table, {"p": 1}), parameters)


def document():
    return game_document(game(), RECORDS, [PAPER], drawn(game(), m=2))


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


def test_each_statement_says_what_is_known_of_it():
    text = document()
    blocks = re.findall(
        r"\\begin\{(theorem|proposition|conjecture|remark)\}(.*?)\\end\{\1\}(.*?)(?=\n%|\\begin\{the|\Z)",
        text,
        re.S,
    )
    assert [kind for kind, _, _ in blocks] == ["theorem", "conjecture", "proposition", "remark", "conjecture"]
    proved, found, claim, refuted, undecided = blocks
    assert r"If $m \equiv 0 \pmod{2}$, and for no other parameters, then at all positions" in proved[1]
    assert r"\begin{proof}" in proved[2]
    assert r"x\_\%.mona" in proved[2]
    assert "It is proved by two independent procedures (automata in two's complement; MONA)." in proved[2]
    assert r"It rediscovers {\cite[{Lemma 2}]{Key1}} at all positions that were compared." in proved[2]
    assert "Theorem 1" not in proved[2]
    assert r"all 1\,234 positions that were checked (m=2,N=9), and is not proved here" in found[2]
    assert "automaton" in found[1]
    assert r"{\cite[{Theorem 1 {[}a\_b{]}}]{Key1}}" in claim[1]
    assert "It is not true that" in refuted[1]
    assert "(x=1, y=1, p=1) with m=1: an N-position, the formula says P" in refuted[2]
    assert r"not decided: 50 \% done\_." in undecided[2]
    assert "gives the Grundy numbers of this game" in undecided[1]
    assert r"\operatorname{big\_f}(a) = a \bmod (m + 1)" in text.replace("\n", " ")


@pytest.mark.parametrize(
    ("own", "proofs", "said"),
    [
        (
            "True",
            [("m == 1", "m == 1"), ("m == 2", "m == 2")],
            r"If $m = 1$ or $m = 2$, then at all positions",
        ),
        ("True", [("m >= 5", "True")], r"If $m \ge 5$, then at all positions"),
        ("p == 0", [("m == 1", "m == 1 and p == 0")], r"If $m = 1$, then at all positions"),
        ("p == 0", [("True", "p == 0")], "At all positions,"),
    ],
)
def test_a_theorem_is_stated_for_what_is_proved(own, proofs, said):
    record = formula(**COMMON, where=own, proofs=tuple(proof(under, where) for under, where in proofs))
    assert said in game_document(game(), [record], [PAPER])


def test_a_relation_that_is_proved_for_some_parameters_only_says_so():
    relation = related({**SAYS, "by": "proof", "where": "m == 2"})
    text = game_document(game(), [replace(RECORDS[0], relation=relation)], [PAPER])
    assert r"It rediscovers {\cite[{Lemma 2}]{Key1}} if $m = 2$." in text


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
    with pytest.raises(InstanceError, match="does not fit on a page"):
        game_document(ruleset, [], [], SliceFigure(slice_table(table, {"p": 1}), {}))


@examples(25)
@given(instances(legal=False))
def test_every_game_has_a_definition_that_is_balanced(instance):
    assert balanced(game_document(instance.ruleset, [], []))


def test_bibtex_is_ascii_with_every_field_that_is_known():
    assert bibtex([PAPER]) == (
        "@article{Key1,\n"
        '  author = {A. M\\"{u}ller and B\\_C},\n'
        "  title = {{On \\$\\_1 \\& 'games'}},\n"
        "  journal = {J. \\& K.},\n"
        "  year = {2020},\n"
        "  volume = {1},\n"
        "  number = {\\#2},\n"
        "  doi = {10.1/a\\_b},\n"
        "}\n"
    )


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
