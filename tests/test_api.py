"""The five lines of a notebook: the results equal those of the functions below, and views say nothing untrue."""

import inspect
import re
from base64 import b64decode
from html.parser import HTMLParser

import pytest
from hypothesis import given
from tests.findings.made import proposed
from tests.random_games import instances
from tests.sizes import examples
from tests.strategy.referee import failures

import grundylab as gl
from grundylab.check import verification
from grundylab.cli.main import main
from grundylab.discover import EngineQuestion, engine_findings
from grundylab.errors import FormulaError, InstanceError
from grundylab.language.syntax import TRUE
from grundylab.logic.mona import find_mona
from grundylab.report.drawing import PictureOptions, picture
from grundylab.report.grid import slice_table
from grundylab.report.views import html, latex
from grundylab.solve import solve

HOSTILE = "<script>alert('1 & 2')</script>"
GAME = f"""\
title: {HOSTILE!r}
parameters: {{m: m >= 1}}
piles: 2
position: {{x: 0..N}}
moves: [{{take: '1..min(m, x)', from: x}}]
pass: {{when: x + ... >= 2}}
claims:
  - {{id: used, at: '<b>', target: p, where: p == 0, formula: (x % (m + 1)) ^ (y % (m + 1)) == 0}}
  - {{id: wrong, target: p, formula: x == y}}
"""


@pytest.fixture(scope="module")
def game():
    return gl.load(GAME)


@pytest.fixture(scope="module")
def table(game):
    return gl.solve(game, m=2, N=8)


def test_load_takes_a_name_a_path_and_a_text(tmp_path, game):
    (tmp_path / "a.yaml").write_text(GAME)
    assert gl.load("a", tmp_path).hash == gl.load(tmp_path / "a.yaml").hash == game.hash


def test_solve_takes_numbers_by_name_or_an_instance(game, table):
    instance = gl.make_instance(game, {"m": 2}, {"N": 8})
    assert gl.solve(instance).values.tolist() == table.values.tolist()
    assert table.values.tolist() == solve(instance).values.tolist()
    assert gl.solve(game, "outcome", m=2, N=8).kind == "outcome"
    assert (
        gl.solve(
            gl.load("title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nplay: misere\n"), N=3
        ).kind
        == "outcome"
    )


@pytest.mark.parametrize(("numbers", "name"), [({"N": 8}, "m=…"), ({"m": 2, "N": 8, "K": 1}, "'K'")])
def test_a_number_too_few_or_too_many_is_named(game, numbers, name):
    with pytest.raises(InstanceError) as error:
        gl.solve(game, **numbers)
    assert name in str(error.value)


def test_a_ruleset_is_printed_in_the_words_of_check(tmp_path, capsys, game):
    (tmp_path / "ruleset.yaml").write_text(GAME)
    assert main(["check", str(tmp_path / "ruleset.yaml")]) == 0
    checked = capsys.readouterr().out
    assert checked.startswith(f"{game}\n")
    assert f"{game}".splitlines()[1] == "  position    x in 0..N, y in 0..N, p in 0..1"


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: gl.explain(game, {"x": 1}, {"m": 1}),
        lambda game: gl.solve(gl.load("misere-nim"), "grundy", N=3),
    ],
)
def test_python_is_given_no_advice_about_options_of_the_command_line(game, ask):
    with pytest.raises(InstanceError) as error:
        ask(game)
    assert "--" not in str(error.value)


def test_discover_is_what_the_engines_say(table):
    found = gl.discover(table, "grundy == 1", "tree", budget=9)  # the first call imports scikit-learn
    (same,) = engine_findings(
        [table], EngineQuestion.shared(gl.parse_target("grundy == 1"), 0, 9, ["tree"]), ["tree"]
    )
    assert [*found, same.candidates[-1]] == list(
        same.candidates
    )  # without the constant, which is a reference
    assert (str(same.candidates[-1].formula), found.notes) == ("False", same.notes)
    best = gl.discover([table], "p", "runs", where="p == 0")[0]
    assert (best.exact, best.validate.total, str(best.where)) == (True, 129 * 129, "p == 0")
    assert gl.verify(best, table).status == "holds"


def test_the_target_win_gives_a_strategy_beside_the_formulas():
    nim = gl.load("nim-2")
    found = gl.discover(gl.solve(nim, N=12), "win", "search", budget=2)
    assert str(found[0].formula) == "x == y"
    assert (found.winning.status, found.winning.test.wrong) == ("holds", 0)
    assert not failures(found.winning.lines, gl.make_instance(nim, {}, {"N": 30}))
    assert gl.discover(gl.solve(nim, N=12), "p", "search", budget=2).winning is None


def test_without_a_formula_a_strategy_is_learnt_from_the_positions_alone():
    found = gl.discover(gl.solve(gl.load("wythoff"), N=12), "win", "baseline", budget=1, where="x == y")
    assert not any(candidate.exact for candidate in found) or found.winning.status == "holds"
    assert str(found.winning.where) == "x == y"


def test_verify_takes_formulas_candidates_and_claims(game, table):
    text = "(x % 3) ^ (y % 3) == 0"
    holds = gl.verify(text, "p", table, where="p == 0")
    assert holds == verification.verify(
        gl.parse(text), gl.parse_target("p"), [table], gl.parse_condition("p == 0")
    )
    assert gl.verify(game.claim("used"), table).status == "holds"
    assert gl.verify(game.claim("wrong"), [table]).status == "refuted"
    candidate = proposed(text, "p", "search", 1, 1, where="p == 0")
    assert gl.verify(candidate, table).status == "holds"
    assert gl.verify(candidate, table, where="x == 1").checked == 9
    assert gl.verify("x ^ ... == 0", "p", table).status == "refuted"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("x == y", "p"), "target and tables"),
        (("x == y", "p", []), "no table"),
        (("x == q", "p", "table"), "parameter 'q'"),
        (("x ^ y", "p", "table"), "needs a condition"),
        (("claim", "p", "table"), "own target"),
    ],
)
def test_what_verify_cannot_take_is_said(game, table, arguments, line):
    known = {"table": table, "claim": game.claim("used")}
    with pytest.raises(FormulaError, match=re.escape(line)):
        gl.verify(*(known.get(a, a) if isinstance(a, str) else a for a in arguments))


@pytest.mark.skipif(find_mona() is None, reason="needs MONA")
def test_prove_takes_formulas_candidates_and_claims(game):
    where = "m == 2 and p == 0"
    assert gl.prove(game, "(x % 3) ^ (y % 3) == 0", "p", where).status == "proved"
    assert gl.prove(game, gl.parse("x == y"), gl.parse_target("p")).status == "refuted"
    assert gl.prove(game, game.claim("wrong")).status == "refuted"
    with pytest.raises(FormulaError, match="its own target"):
        gl.prove(game, game.claim("wrong"), "p")


@pytest.mark.skipif(find_mona() is None, reason="needs MONA")
def test_of_a_candidate_it_is_asked_for_which_parameters_it_is_true(game):
    text = "(x % 3) ^ (y % 3) == 0"
    candidate = proposed(text, "p", "search", 1, 1, where="p == 0")
    proof = gl.prove(game, candidate)
    assert (proof.status, str(proof.where)) == ("proved", "p == 0 and m == 2")
    assert gl.prove(game, candidate, where="m == 1", question=False).status == "refuted"


def test_every_public_name_is_typed():
    for name in gl.__all__:
        thing = getattr(gl, name)
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            unsaid = [p for p in signature.parameters.values() if p.annotation is inspect.Parameter.empty]
            assert not unsaid, name
            assert signature.return_annotation is not inspect.Signature.empty, name


# -- views --------------------------------------------------------------------------------------------------------


class Checked(HTMLParser):
    """A parser that asserts that tags open and close in pairs, and records the tags."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_every_value_has_a_view_without_the_titles_markup(game, table):
    found = gl.discover(table, "p", "tree", budget=1)
    values = [game, table, found, *found[:1], gl.verify("x == y", "p", table)]
    values.append(gl.Proof("undecided", gl.parse("x == y"), gl.parse_target("p"), TRUE, reason="<i>no</i>"))
    for value in values:
        text = value._repr_html_()
        assert text == html(value)
        assert not {"script", "i"} & {*Checked(text).seen}
    assert "1 &amp; 2" in html(game)
    assert "&lt;b&gt;" in html(game)


def test_a_table_shows_the_slice_that_it_says(table):
    text = html(table)
    drawn = b64decode(re.search(r'src="data:image/png;base64,([^"]*)"', text)[1])
    look = PictureOptions(dpi=110, title=False, numbered=25)
    assert drawn == picture(slice_table(table, {"p": 1}), "png", look)
    assert "p = 1" in text


def test_formulas_and_claims_are_typeset(game):
    assert gl.parse("x ^ y == 0")._repr_latex_() == r"$\displaystyle x \oplus y = 0$"
    assert r"p = 0 \implies" in latex(game.claim("used"))
    with pytest.raises(TypeError):
        html(3)
    with pytest.raises(TypeError):
        latex(3)


@examples(20)
@given(instances())
def test_every_game_and_table_has_a_view(instance):
    Checked(html(instance.ruleset))
    Checked(html(gl.solve(instance)))


DOLLARS = """\
title: "Pay $3 or $5 & take <b>half</b> \\\\(x\\\\)"
position: {x_a: 0..N}
moves:
  - {name: "pay $3", take: 3, from: x_a}
  - {name: "pay $5", take: 5, from: x_a}
claims: [{id: price, at: "p. $7", target: p, formula: x_a % 8 < 3}]
"""


class Typeset(HTMLParser):
    """A parser that separates the text that MathJax reads from the text that it ignores."""

    def __init__(self, text):
        super().__init__()
        self.ignored, self.seen, self.left = 0, "", ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.ignored += self.ignored > 0 or "mathjax_ignore" in (dict(attrs).get("class") or "")

    def handle_endtag(self, tag):
        self.ignored -= self.ignored > 0

    def handle_data(self, data):
        if self.ignored:
            self.left += data
        else:
            self.seen += data


def test_a_dollar_in_a_text_is_no_edge_of_a_formula():
    game = gl.load(DOLLARS)
    typeset = Typeset(html(game))
    formulas = typeset.seen.split("$")[1::2]
    assert typeset.left.count("$") == 5
    assert typeset.left.count("\\") == 2
    assert typeset.seen.count("$") == 2 * len(formulas)
    assert all("pay" not in formula for formula in formulas)
    reason = gl.Proof("undecided", gl.parse("x_a"), gl.parse_target("grundy"), TRUE, reason="costs $4 or $5")
    assert Typeset(html(reason)).left == "$$"
    noted = gl.Candidates([], ["it is $1", "\\[x\\]"])
    assert Typeset(html(noted)).left == "$\\\\"
