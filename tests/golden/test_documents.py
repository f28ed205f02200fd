"""Documents about a run: the account of a study, results.md, papers.md, the page, LaTeX, CSV, lists of formulas."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from tests.findings.made import needs_mona
from tests.golden import catalogues
from tests.golden.conftest import stable
from tests.report import hostile_latex

import grundylab as gl
from grundylab.findings.answers import answers, formula_answers
from grundylab.language import parse
from grundylab.report.account import account
from grundylab.report.csv_tables import catalogue_csv
from grundylab.report.formula_lines import line_of, plain_text
from grundylab.report.latex_document import game_document
from grundylab.report.papers_document import papers_text
from grundylab.report.results_document import results_text
from grundylab.report.summary import run_summary
from grundylab.report.tex import bibtex
from grundylab.report.views import html, latex


def lines(catalogue):
    return plain_text(list(map(line_of, formula_answers(answers(catalogue)))))


@pytest.mark.parametrize("write", [results_text, catalogue_csv, lines, run_summary])
def test_document(write, golden):
    assert stable(write(catalogues.together())) == golden


def test_account(golden):
    told = [account(catalogues.of(name)) for name in catalogues.STUDIES]
    told.append(account(catalogues.of("nothing"), "solving", ["proving: no"]))
    assert "\n".join(told) == golden


def test_papers(golden):
    papers, by_hand = [catalogues.PAPER, catalogues.VERSION], ("which is ", parse("1 == 2"))
    assert papers_text(papers, catalogues.claims(), catalogues.GAMES, lambda _: by_hand) == golden


def test_latex(golden):
    text = hostile_latex.document()
    claims = [
        replace(each, source=replace(each.source, claim="d"))
        for each in catalogues.claims()
        if each.ruleset == "nim"
    ]
    parts = [each for name in catalogues.STUDIES for each in catalogues.of(name).formulas]
    more = game_document(hostile_latex.game(), [*parts, *claims], [hostile_latex.PAPER], whole=False)
    assert stable(text + more + bibtex([hostile_latex.PAPER])) == golden


class MainText(HTMLParser):
    """The text of a page as a reader sees it: a line for each block, formulas as they are read aloud, links in brackets."""

    HIDDEN = ("script", "style", "svg", "math", "head")
    BLOCKS = (
        "p",
        "li",
        "tr",
        "h1",
        "h2",
        "h3",
        "h4",
        "dt",
        "dd",
        "summary",
        "section",
        "div",
        "details",
        "figcaption",
    )

    def __init__(self, page):
        super().__init__()
        self.hidden, self.text = [], ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if tag in self.HIDDEN:
            self.text += f"«{known['alttext']}»" if "alttext" in known and not self.hidden else ""
            self.hidden.append(tag)
        elif tag in self.BLOCKS:
            self.text += "\n"
        elif tag in ("td", "th"):
            self.text += " | "
        elif tag == "a":
            self.text += f"[{known.get('href', '')}]"

    def handle_endtag(self, tag):
        if self.hidden and tag == self.hidden[-1]:
            self.hidden.pop()

    def handle_data(self, data):
        if not self.hidden:
            self.text += data

    def __str__(self):
        words = (" ".join(line.split()) for line in self.text.splitlines())
        return "".join(f"{line}\n" for line in words if line)


@needs_mona
@pytest.mark.parametrize("name", ["index", "list", "from-m", "take", "hostile"])
def test_page(name, project, golden):
    (page,) = (path.read_text() for path in (project / "results" / "report").rglob(f"{name}.html"))
    assert stable(str(MainText(page))) == golden


@needs_mona
def test_notebook(project, tmp_path, monkeypatch, golden):
    """Write the view of each value in a notebook as it is read, and below it what ``print`` shows."""
    monkeypatch.chdir(tmp_path)
    game = gl.load(str(project / "rulesets" / "take.yaml"))
    table = gl.solve(game, N=6)
    verdicts = [gl.verify(game.claim(name), table) for name in ("theorem-2", "theorem-3")]
    proofs = [gl.prove(game, game.claim(name)) for name in ("theorem-2", "theorem-3")]
    found = gl.discover(table, "p", "search", budget=20)
    told = [f"{MainText(html(value))}{value}" for value in (game, table, found, *verdicts, *proofs)]
    told += [latex(value) for value in (gl.parse("x ^ y == 0"), game.claim("theorem-2"))]
    assert stable("\n\n".join(told) + "\n") == golden
