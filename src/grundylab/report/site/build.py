"""The page from a catalogue: one folder of HTML, styles, scripts, data and proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from grundylab.catalogue.answers import answers, tallies
from grundylab.catalogue.answers import formulas as found
from grundylab.catalogue.attempts import ProofRecord
from grundylab.catalogue.candidates import league_text
from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.papers import FOLDER as PAPERS
from grundylab.catalogue.papers import Paper, load_papers
from grundylab.catalogue.provenance import check_unchanged
from grundylab.catalogue.records import STATUSES, Finding, Row, Status
from grundylab.catalogue.words import (
    by,
    checked,
    counted,
    counterexample_words,
    machine_checked,
    many,
    numbers,
    percent,
    rank,
)
from grundylab.games import Ruleset, load_ruleset
from grundylab.games.instance import few
from grundylab.games.load import FOLDER as RULESETS
from grundylab.language import Expr
from grundylab.report.folder import write_folder
from grundylab.report.grid import Window
from grundylab.report.site.entries import (
    AnyEntry,
    Headline,
    claim_entries,
    formula_entries,
    headlines,
    row_entries,
)
from grundylab.report.site.pages import Known, RulesetPage, ruleset_page
from grundylab.report.site.proofs import packed
from grundylab.report.site.typeset import Typesetter
from grundylab.report.site.verdicts import MEANINGS
from grundylab.report.templates import environment

COLUMNS = {"verdict": "Verdict", "text": "Statement", "ruleset": "Ruleset", "by": "By", "size": "Size"}
_FEW = 3  # refuted claims that a ruleset's page shows on top
_HEADLINES = 6  # of each kind; the others are folded
_OPEN = 12  # games of which the cards are seen at once
_LISTED = 160  # characters of a statement that the list shows typeset; of a longer one only the beginning


def write_site(
    data: Catalogue,
    project_root: Path,
    out_dir: Path,
    windows: Mapping[str, Sequence[Window]] | None = None,
    loaded: Mapping[str, Ruleset] | None = None,
) -> None:
    """Write the page of a catalogue as a folder that needs nothing else; what was in the folder goes.

    project_root: the project's folder, with ``rulesets/``, ``papers/`` if there are any, and the proofs that the
    catalogue names. windows: by ruleset, the tables that are drawn. loaded: rulesets that need not be read. Raises
    GrundylabError with the place of what cannot be read, or is a ruleset that the catalogue is not about.
    """
    rulesets, papers = _rulesets(data, project_root, loaded or {}), _papers(project_root)
    results: list[Finding | Row] = [*data.findings, *data.rows]
    for name, ruleset in rulesets.items():
        about = [result for result in results if result.ruleset == name]
        check_unchanged(data, about, ruleset, "the catalogue")
    proofs, archives = packed(_named(data), project_root)
    typeset = {name: Typesetter(ruleset) for name, ruleset in rulesets.items()}
    known_answers = answers(data)
    formulas, claims = formula_entries(found(known_answers), typeset), claim_entries(data.claims, typeset)
    entries: list[AnyEntry] = [*formulas, *claims, *row_entries(data.rows)]
    known = Known(data, known_answers, rulesets.keys(), papers, proofs, windows or {})
    pages = [
        ruleset_page(typeset[name], [e for e in entries if e.record.ruleset == name], known)
        for name in rulesets
    ]
    content: dict[str, str | bytes] = {**assets(), **archives}
    templates = page_templates(data.version, data.made_line)
    hashes = {name: own for study in data.studies for name, own in study.made.rulesets.items()}
    templates.globals |= {"proofs": bool(proofs), "hashes": hashes}
    for page in pages:
        name = page.ruleset.name
        scripts = {f"data/{name}.pictures.js": page.pictures.script, f"games/{name}.js": page.explorer.script}
        content |= {path: script for path, script in scripts.items() if script}
        content[f"rulesets/{name}.html"] = templates.get_template("ruleset.html.j2").render(
            page=page, root="../", few=_FEW
        )
    content["index.html"] = _render_index(templates, pages, entries, known, headlines(formulas, claims))
    write_folder(out_dir, content)


def _render_index(
    templates: Environment,
    pages: Sequence[RulesetPage],
    entries: Sequence[AnyEntry],
    known: Known,
    heads: Mapping[str, Sequence[Headline]],
) -> str:
    cited = {entry.paper for entry in entries}
    listed = [entry for entry in entries if entry.record.status != "partial"]
    return templates.get_template("index.html.j2").render(
        root="",
        rulesets=[
            {"name": p.ruleset.name, "title": p.ruleset.title, "counts": p.counts, "proved": p.proved}
            for p in pages
        ],
        about={page.ruleset.name: page.about for page in pages},
        entries=sorted(listed, key=_first),
        engines=sorted({engine for entry in listed for engine in entry.found_by}),
        tally=_tally(pages, listed, tallies(known.data)),
        partial=len(entries) - len(listed),
        papers={name: title for name, title in known.titles.items() if name in cited},
        heads=heads,
        proved=counted(_findings(head.entry for head in heads["proved"])),
        league=list(league_text(known.data.league)),
        first=_HEADLINES,
        open=_OPEN,
        statuses=[status for status in STATUSES if status != "partial"],
        columns=COLUMNS,
        meanings=MEANINGS,
    )


def _tally(
    pages: Sequence[RulesetPage], listed: Sequence[AnyEntry], known: Mapping[str, Mapping[Status, int]]
) -> str:
    """How much there is, in words; partial descriptions are no formulas, and not counted."""
    formulas = [entry for entry in listed if entry.kind == "formula"]
    printed = [entry for entry in listed if entry.kind == "claim" and entry.paper]
    found = sum(number for status, number in known["formulas"].items() if status != "partial")
    counts = [(len(pages), "ruleset"), (found, "formula")]
    words = [many(*count) for count in counts]
    if formulas:
        words[-1] += f" from {many(len({name for e in formulas for name in e.found_by}), 'engine')}"
    if printed:
        words.append(f"{many(len(printed), 'claim')} of {many(len({e.paper for e in printed}), 'paper')}")
    if proved := sum(statuses.get("proved", 0) for statuses in known.values()):
        each = counted(_findings(entry for entry in listed if entry.record.status == "proved"))
        words.append(f"{proved:,} proved ({each})")
    return ", ".join(words)


def _findings(entries: Iterable[AnyEntry]) -> list[Finding]:
    return [entry.record for entry in entries if isinstance(entry.record, Finding)]


def _first(entry: AnyEntry) -> tuple[Any, ...]:
    """What a reader should see first."""
    return (rank(entry.record.status), not entry.new, entry.kind != "formula", entry.record.ruleset)


def page_templates(version: str, made: str) -> Environment:
    """The templates of a page that says by what it was made."""
    filters: dict[str, Callable[..., Any]] = {
        "percent": percent, "count": lambda number: f"{number:,}", "listed": _listed, "checked": checked,
        "counterexample": counterexample_words, "few": few, "by": by, "numbers": numbers, "shortened": _shortened,
        "machine_checked": machine_checked,
    }  # fmt: skip
    found = environment("report/site/templates", filters=filters)
    found.globals |= {"version": version, "made": made}
    return found


def _shortened(formula: Expr | str) -> str:
    text = str(formula)
    return text if len(text) <= _LISTED else f"{text[:_LISTED]}…"


def _listed(entry: AnyEntry) -> Markup:
    """The statement as the list shows it."""
    if len(entry.text) <= _LISTED:
        return entry.stated
    return Markup("<code>{}</code>").format(_shortened(entry.text))


def assets() -> dict[str, str]:
    """Styles and scripts, which are files of the package."""
    folder = files("grundylab.report") / "assets"
    return {
        f"assets/{asset.name}": asset.read_text(encoding="utf-8")
        for asset in sorted(folder.iterdir(), key=lambda asset: asset.name)
        if asset.name.endswith((".css", ".js"))
    }


def _rulesets(data: Catalogue, root: Path, loaded: Mapping[str, Ruleset]) -> dict[str, Ruleset]:
    names = {study.ruleset for study in data.studies}
    names |= {finding.ruleset for finding in data.findings} | {row.ruleset for row in data.rows}
    return {name: loaded.get(name) or load_ruleset(name, root / RULESETS) for name in sorted(names)}


def _papers(root: Path) -> tuple[Paper, ...]:
    """The records of the papers, if there are any."""
    folder = root / PAPERS
    return load_papers(folder) if any(folder.glob("*.yaml")) else ()


def _named(data: Catalogue) -> Iterator[str]:
    """The paths of the proofs that the catalogue names."""
    corrections = [claim.correction for claim in data.claims if claim.correction]
    proofs = [proof for record in (*data.findings, *corrections) for proof in record.proved]
    known: list[ProofRecord | Row] = [*proofs, *data.rows]
    named = [each.proof for each in known]
    named += [each.machine_checked.file for each in known if each.machine_checked]
    yield from filter(None, named)
