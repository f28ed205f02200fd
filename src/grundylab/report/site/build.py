"""The HTML pages of a catalogue: one folder with pages, styles, scripts, data and proofs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from grundylab.findings.answers import answers, news, tallies
from grundylab.findings.answers import formula_answers as found_of
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.papers import FOLDER as PAPERS
from grundylab.findings.papers import Paper, load_papers
from grundylab.findings.provenance import check_unchanged
from grundylab.findings.rows import Row
from grundylab.findings.wording import (
    number_with_noun,
    proved_counts_text,
    status_rank,
)
from grundylab.games import Ruleset, Target, load_ruleset
from grundylab.games.load import FOLDER as RULESETS
from grundylab.language import Expr
from grundylab.records.finding import Finding
from grundylab.records.proofs import STATUSES, ProofRecord, Status
from grundylab.report.engine_standings import SvgPicture, engine_pictures, questions, standings
from grundylab.report.grid import TableWindow
from grundylab.report.output_folder import write_folder
from grundylab.report.site.entries import (
    Entry,
    claim_entries,
    formula_entries,
    headlines,
    row_entries,
)
from grundylab.report.site.front_page import asked_text, data_files, study_cards
from grundylab.report.site.presenter import MEANINGS
from grundylab.report.site.proof_archives import pack_proofs
from grundylab.report.site.ruleset_pages import RulesetPage, SiteData, ruleset_page
from grundylab.report.templates import environment
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
    rulesets, papers = _rulesets(data, project_root, loaded or {}), _papers(project_root)
    results_shown: list[Finding | Row] = [*data.statements, *data.rows]
    for name, ruleset in rulesets.items():
        findings = [result for result in results_shown if result.ruleset == name]
        check_unchanged(data, findings, ruleset, "the catalogue")
    proofs, archives = pack_proofs(_proof_paths(data), project_root)
    typeset = {name: Typesetter(ruleset) for name, ruleset in rulesets.items()}
    known_answers = answers(data)
    formulas, claims = formula_entries(found_of(known_answers), typeset), claim_entries(data.claims, typeset)
    entries: list[Entry] = [*formulas, *claims, *row_entries(data.rows)]
    site = SiteData(
        data,
        known_answers,
        rulesets.keys(),
        papers,
        proofs,
        windows or {},
        questions(data.league, data.runs),
    )
    pages = [
        ruleset_page(typeset[name], [e for e in entries if e.record.ruleset == name], site)
        for name in rulesets
    ]
    content: dict[str, str | bytes] = {**assets(), **archives}
    trees, plots = _trees(data, results) if results else {}, engine_pictures(data)
    content |= {f"trees/{picture.name}": picture.svg for picture in trees.values()}
    content |= {f"engines/{picture.name}": picture.svg for picture in plots.values()}
    templates = page_templates(data.version, data.made_line)
    hashes = {name: own for study in data.studies for name, own in study.rulesets.items()}
    templates.globals |= {"proofs": bool(proofs), "hashes": hashes, "trees": trees, "drawn": plots}
    for page in pages:
        name = page.ruleset.name
        scripts = {f"data/{name}.pictures.js": page.pictures.script, f"games/{name}.js": page.explorer.script}
        content |= {path: script for path, script in scripts.items() if script}
        content |= {figure.path: figure.picture for figure in page.figures}
        content[f"rulesets/{name}.html"] = templates.get_template("ruleset.html.j2").render(
            page=page, root="../", few=_FEW
        )
    listed = [entry for entry in entries if entry.record.status != "partial"]
    cards = study_cards(data, pages, formulas, known_answers)
    templates.globals |= {
        "titles": {page.ruleset.name: page.ruleset.title for page in pages},
        "about": {page.ruleset.name: page.about for page in pages},
        "papers": {name: title for name, title in site.titles.items() if name in {e.paper for e in entries}},
    }
    content["index.html"] = templates.get_template("index.html.j2").render(
        root="",
        asked=asked_text(cards),
        cards=cards,
        on_cards={answer.entry.id: card for card in cards for answer in card.answers if answer.entry},
        others=[page for page in pages if page.ruleset.name not in {card.study.ruleset for card in cards}],
        tally=_tally(pages, listed, tallies(data)),
        heads=headlines(news(data, known_answers), formulas, claims),
        standings=standings(data.league),
        questions=site.questions,
        files=data_files(data.studies, datasets, out_dir),
        first=_HEADLINES,
        meanings=MEANINGS,
    )
    content["list.html"] = templates.get_template("list.html.j2").render(
        root="",
        pages=pages,
        entries=sorted(listed, key=_list_order),
        finders=sorted({engine for entry in listed for engine in entry.found_by}),
        partial=len(entries) - len(listed),
        statuses=[status for status in STATUSES if status != "partial"],
        columns=COLUMNS,
    )
    write_folder(out_dir, content)


def _tally(
    pages: Sequence[RulesetPage], shown: Sequence[Entry], counts: Mapping[str, Mapping[Status, int]]
) -> str:
    """Return the numbers of games, formulas, engines, claims and theorems in words.

    Formulas that are right at only some positions do not count. shown: the entries without these. counts: the
    numbers of formulas, claims and rows by status.
    """
    formulas = [entry for entry in shown if entry.kind == "formula"]
    paper_claims = [entry for entry in shown if entry.kind == "claim" and entry.paper]
    formula_count = sum(number for status, number in counts["formulas"].items() if status != "partial")
    words = [number_with_noun(len(pages), "game"), number_with_noun(formula_count, "formula")]
    if formulas:
        words[-1] += (
            f" from {number_with_noun(len({name for e in formulas for name in e.found_by}), 'engine')}"
        )
    if paper_claims:
        words.append(
            f"{number_with_noun(len(paper_claims), 'claim')} of "
            f"{number_with_noun(len({e.paper for e in paper_claims}), 'paper')}"
        )
    if proved := sum(statuses.get("proved", 0) for statuses in counts.values()):
        records = [entry.record for entry in shown if isinstance(entry.record, Finding)]
        proved_words = proved_counts_text([record for record in records if record.status == "proved"])
        words.append(f"{proved:,} proved ({proved_words})")
    return ", ".join(words)


def _trees(data: Catalogue, results: Path) -> dict[tuple[str, Target], SvgPicture]:
    """Return, by study and target, the pictures of decision trees that are in the studies' results."""
    pictures = {}
    for study in data.studies:
        for target in study.targets:
            file = results / study.study / "trees" / target.slug / "tree.svg"
            if file.is_file():
                words = file.with_suffix(".txt").read_text(encoding="utf-8")
                pictures[study.study, target] = SvgPicture(
                    f"{study.study}-{target.slug}.svg", file.read_bytes(), words
                )
    return pictures


def _list_order(entry: Entry) -> tuple[Any, ...]:
    """Return the sort key of the list: by verdict, then new results first, then formulas first, then by ruleset."""
    return (status_rank(entry.record.status), not entry.new, entry.kind != "formula", entry.record.ruleset)


def page_templates(version: str, made: str) -> Environment:
    """Return the environment for the templates of pages. version: grundylab's version. made: the provenance line."""
    templates = environment("html")
    templates.filters |= {"listed": _list_statement, "shortened": _shorten}
    templates.globals |= {"version": version, "made": made}
    return templates


def _shorten(formula: Expr | str) -> str:
    text = str(formula)
    return text if len(text) <= _LISTED else f"{text[:_LISTED]}…"


def _list_statement(entry: Entry) -> Markup:
    """Return an entry's statement typeset, or the beginning of its text as code if it is long."""
    if len(entry.text) <= _LISTED:
        return entry.stated
    return Markup("<code>{}</code>").format(_shorten(entry.text))


def assets() -> dict[str, str]:
    """Return the package's styles and scripts, by their paths in the page's folder."""
    folder = files("grundylab.report") / "assets"
    return {
        f"assets/{asset.name}": asset.read_text(encoding="utf-8")
        for asset in sorted(folder.iterdir(), key=lambda asset: asset.name)
        if asset.name.endswith((".css", ".js"))
    }


def _rulesets(data: Catalogue, root: Path, loaded: Mapping[str, Ruleset]) -> dict[str, Ruleset]:
    names = dict.fromkeys(study.ruleset for study in data.studies)  # in the order of the configuration
    names |= dict.fromkeys(finding.ruleset for finding in data.statements)
    names |= dict.fromkeys(row.ruleset for row in data.rows)
    return {name: loaded.get(name) or load_ruleset(name, root / RULESETS) for name in names}


def _papers(root: Path) -> tuple[Paper, ...]:
    """Return the records of the papers in the project's folder; empty if it has none."""
    folder = root / PAPERS
    return load_papers(folder) if any(folder.glob("*.yaml")) else ()


def _proof_paths(data: Catalogue) -> Iterator[str]:
    """Yield the paths of all files of proofs, and of proofs checked by machine, that the catalogue names."""
    corrections = [claim.correction for claim in data.claims if claim.correction]
    proofs = [proof for record in (*data.statements, *corrections) for proof in record.proved]
    results: list[ProofRecord | Row] = [*proofs, *data.rows]
    paths = [proof.proof for proof in results]
    paths += [proof.machine_checked.file for proof in results if proof.machine_checked]
    yield from filter(None, paths)
