"""The HTML pages of a catalogue: one folder with pages, styles, scripts, data and proofs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from grundylab.findings.answers import answers, formula_answers, news, tallies
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.papers import FOLDER as PAPERS
from grundylab.findings.papers import load_papers
from grundylab.findings.provenance import check_unchanged
from grundylab.findings.rows import Row
from grundylab.findings.wording import (
    is_new,
    number_with_noun,
    proved_counts_text,
    row_text,
    status_rank,
)
from grundylab.games import Ruleset, Target, load_ruleset
from grundylab.games.load import FOLDER as RULESETS
from grundylab.language import Expr
from grundylab.records.finding import Finding
from grundylab.records.proofs import STATUSES, Status
from grundylab.records.relation import ClaimRelation
from grundylab.report.engine_standings import engine_pictures, questions, standings
from grundylab.report.grid import TableWindow
from grundylab.report.output_folder import write_folder
from grundylab.report.site.front_page import asked_text, data_files, study_cards
from grundylab.report.site.headlines import corrections, headlines, one_for_each_game
from grundylab.report.site.links_and_drawings import (
    MEANINGS,
    anchor,
    automata,
    parameter_automaton,
    place,
)
from grundylab.report.site.proof_archives import pack_proofs
from grundylab.report.site.ruleset_pages import SiteData, ruleset_page
from grundylab.report.templates import PagePicture, environment
from grundylab.report.typeset import Typesetter

COLUMNS = {"verdict": "Verdict", "text": "Statement", "ruleset": "Ruleset", "by": "By", "size": "Size"}
_FEW = 3  # the most refuted claims at the top of a ruleset's page
_HEADLINES = 3  # the most headlines of each kind that are shown; further ones are folded
_LISTED = 160  # the list typesets a statement of at most so many characters, and shows the beginning of a longer one


def write_site(
    data: Catalogue,
    project_root: Path,
    out_dir: Path,
    windows: Mapping[str, Sequence[TableWindow]] | None = None,
    loaded: Mapping[str, Ruleset] | None = None,
    results: Path | None = None,
    datasets: Path | None = None,
) -> None:
    """Write the HTML pages of a catalogue into a folder that needs no other files; an existing folder is replaced.

    project_root: the project's folder, with ``rulesets/``, maybe ``papers/``, and the proofs that the catalogue names.
    windows: the tables to draw, by ruleset. loaded: rulesets, by name, that are in memory and need not be read.
    results: the folder of the studies' results, where the pictures of decision trees are. datasets: the folder of the
    datasets, to which the first page links. Raises GrundylabError at a file that cannot be read, and for a ruleset that
    has changed since the catalogue was made.
    """
    names = dict.fromkeys(study.ruleset for study in data.studies)  # in the order of the configuration
    results_shown: list[Finding | Row] = [*data.statements, *data.rows]
    names |= dict.fromkeys(result.ruleset for result in results_shown)
    in_memory = loaded or {}
    rulesets = {name: in_memory.get(name) or load_ruleset(name, project_root / RULESETS) for name in names}
    papers = load_papers(project_root / PAPERS) if any((project_root / PAPERS).glob("*.yaml")) else ()
    for name, ruleset in rulesets.items():
        findings = [result for result in results_shown if result.ruleset == name]
        check_unchanged(data, findings, ruleset, "the catalogue")
    proofs, archives = pack_proofs(data, project_root)
    typeset = {name: Typesetter(ruleset) for name, ruleset in rulesets.items()}
    known_answers = answers(data)
    formulas = formula_answers(known_answers)
    asked = questions(data.league, data.runs)
    site = SiteData(data, known_answers, rulesets.keys(), papers, windows or {}, asked)
    pages = [ruleset_page(typeset[name], site) for name in rulesets]
    content: dict[str, str | bytes] = {**assets(), **archives}
    trees, plots = _trees(data, results) if results else {}, engine_pictures(data)
    figures = [figure for page in pages for figure in page.figures]
    content |= {shown.path: shown.content for shown in (*trees.values(), *plots.values(), *figures)}
    templates = page_templates(data.version, data.made_line, typeset)
    templates.globals |= {
        "proofs": proofs,
        "claims": {(claim.ruleset, claim.source.claim): claim for claim in data.claims},
        "compared": _comparisons(formulas),
        "papers": {name: title for name, title in site.titles.items() if name in _papers_of(data.claims)},
        "hashes": {name: own for study in data.studies for name, own in study.rulesets.items()},
        "trees": trees,
        "drawn": plots,
    }
    for page in pages:
        name = page.ruleset.name
        scripts = {f"data/{name}.pictures.js": page.pictures.script, f"games/{name}.js": page.explorer.script}
        content |= {path: script for path, script in scripts.items() if script}
        content[f"rulesets/{name}.html"] = templates.get_template("ruleset.html.j2").render(
            page=page, root="../", few=_FEW
        )
    complete = [formula for formula in formulas if formula.status != "partial"]
    listed: list[Finding | Row] = [*complete, *data.claims, *data.rows]
    cards = study_cards(data, pages, known_answers)
    content["index.html"] = templates.get_template("index.html.j2").render(
        root="",
        titles={page.ruleset.name: page.ruleset.title for page in pages},
        asked=asked_text(cards),
        cards=cards,
        on_cards={anchor(right[0]): card for card in cards for right in card.answers.values() if right},
        others=[page for page in pages if page.ruleset.name not in {card.study.ruleset for card in cards}],
        tally=_tally(len(pages), complete, data.claims, tallies(data)),
        heads=headlines(news(data, known_answers), data.claims),
        standings=standings(data.league),
        questions=site.questions,
        files=data_files(data.studies, datasets, out_dir),
        first=_HEADLINES,
        meanings=MEANINGS,
    )
    content["list.html"] = templates.get_template("list.html.j2").render(
        root="",
        pages=pages,
        records=sorted(listed, key=_list_order),
        finders=sorted({engine for record in listed for engine in record.engines}),
        partial=len(formulas) - len(complete),
        statuses=[status for status in STATUSES if status != "partial"],
        columns=COLUMNS,
    )
    write_folder(out_dir, content)


def _tally(
    games: int,
    formulas: Sequence[Finding],
    claims: Sequence[Finding],
    counts: Mapping[str, Mapping[Status, int]],
) -> str:
    """Return the numbers of games, formulas, engines, claims and theorems in words.

    formulas: those that are not right at only some positions. counts: the numbers of formulas, claims and rows by
    status.
    """
    words = [number_with_noun(games, "game"), number_with_noun(len(formulas), "formula")]
    if formulas:
        engines = {name for formula in formulas for name in formula.engines}
        words[-1] += f" from {number_with_noun(len(engines), 'engine')}"
    if papers := _papers_of(claims):
        count = sum(bool(claim.source.published) for claim in claims)
        words.append(f"{number_with_noun(count, 'claim')} of {number_with_noun(len(papers), 'paper')}")
    if proved := sum(statuses.get("proved", 0) for statuses in counts.values()):
        findings = [finding for finding in (*formulas, *claims) if finding.status == "proved"]
        words.append(f"{proved:,} proved ({proved_counts_text(findings)})")
    return ", ".join(words)


def _comparisons(
    formulas: Iterable[Finding],
) -> dict[tuple[str, str], list[tuple[Finding, ClaimRelation]]]:
    """Return, by ruleset and claim, the formulas that were compared with the claim, each with its relation."""
    compared: dict[tuple[str, str], list[tuple[Finding, ClaimRelation]]] = {}
    for formula in formulas:
        for related in formula.relation.to if formula.relation else ():
            compared.setdefault((formula.ruleset, related.claim), []).append((formula, related))
    return compared


def _papers_of(claims: Iterable[Finding]) -> set[str]:
    """Return the names of the papers that make these claims."""
    return {claim.source.published for claim in claims} - {""}


def _trees(data: Catalogue, results: Path) -> dict[tuple[str, Target], PagePicture]:
    """Return, by study and target, the pictures of decision trees that are in the studies' results."""
    pictures = {}
    for study in data.studies:
        for target in study.targets:
            file = results / study.study / "trees" / target.slug / "tree.svg"
            if file.is_file():
                words = file.with_suffix(".txt").read_text(encoding="utf-8")
                path = f"trees/{study.study}-{target.slug}.svg"
                pictures[study.study, target] = PagePicture(path, file.read_bytes(), words)
    return pictures


def _list_order(record: Finding | Row) -> tuple[Any, ...]:
    """Return the sort key of the list: by verdict, then new results first, then formulas first, then by ruleset."""
    return (status_rank(record.status), not is_new(record), record.kind != "formula", record.ruleset)


def page_templates(
    version: str, made: str, typeset: Mapping[str, Typesetter] = MappingProxyType({})
) -> Environment:
    """Return the environment for the templates of pages.

    version: grundylab's version. made: the provenance line. typeset: a typesetter for each ruleset, by name.
    """
    templates = environment("html")
    templates.filters |= {
        "anchor": anchor,
        "stated": lambda record: typeset[record.ruleset].statement(record),
        "corrected": lambda record: typeset[record.ruleset].correction(record),
        "listed": partial(_list_statement, typeset),
        "place": lambda record: place(record, typeset[record.ruleset].ruleset),
        "automata": automata,
        "parameter_automaton": parameter_automaton,
        "corrections": corrections,
        "games": one_for_each_game,
        "shortened": _shorten,
    }
    templates.globals |= {"version": version, "made": made}
    return templates


def _shorten(formula: Expr | str) -> str:
    text = str(formula)
    return text if len(text) <= _LISTED else f"{text[:_LISTED]}…"


def _list_statement(typeset: Mapping[str, Typesetter], record: Finding | Row) -> Markup:
    """Return a statement typeset, or the beginning of its text as code if it is long."""
    text = record.text if isinstance(record, Finding) else row_text(record)
    if len(text) > _LISTED:
        return Markup("<code>{}</code>").format(_shorten(text))
    return typeset[record.ruleset].statement(record) if isinstance(record, Finding) else escape(text)


def assets() -> dict[str, str]:
    """Return the package's styles and scripts, by their paths in the page's folder."""
    folder = files("grundylab.report") / "assets"
    return {
        f"assets/{asset.name}": asset.read_text(encoding="utf-8")
        for asset in sorted(folder.iterdir(), key=lambda asset: asset.name)
        if asset.name.endswith((".css", ".js"))
    }
