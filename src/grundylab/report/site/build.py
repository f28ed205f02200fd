"""The page from a catalogue: one folder of HTML, styles, scripts, data and proofs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grundylab.errors import ConfigError
from grundylab.files import read_json
from grundylab.papers import FOLDER as PAPERS
from grundylab.papers import Paper, load_papers
from grundylab.records import percent
from grundylab.report.site.about import About
from grundylab.report.site.entries import STATUSES, Entry, claim_entries, formula_entries, row_entries
from grundylab.report.site.evidence import MEANINGS
from grundylab.report.site.explorer import explorer
from grundylab.report.site.folder import write_folder
from grundylab.report.site.headlines import headlines
from grundylab.report.site.part import Part
from grundylab.report.site.pictures import pictures
from grundylab.report.site.typeset import Typesetter
from grundylab.report.site.words import Rules, rules_in_words
from grundylab.report.window import Window
from grundylab.rulesets import Ruleset, load_ruleset
from grundylab.rulesets.load import FOLDER as RULESETS

Record = dict[str, Any]
COLUMNS = {"verdict": "Verdict", "text": "Statement", "ruleset": "Ruleset", "by": "By", "size": "Size"}
_TARGETS = {"p": "P-positions", "grundy": "Grundy numbers"}
_LIBRARIES = ("assets/rules.js", "assets/pictures-shapes.js")  # what other scripts need
_LISTED = 300  # characters of a statement that the list shows typeset; of a longer one only the beginning


@dataclass(frozen=True)
class Titled:
    """A part of a ruleset's page with its heading."""

    id: str
    title: str
    part: Part


@dataclass(frozen=True)
class Group:
    """Entries under one heading; ``partial``: those that describe only a part of the positions."""

    id: str
    title: str
    about: str
    entries: Sequence[Entry]
    partial: Sequence[Entry] = ()


@dataclass(frozen=True)
class Source:
    """A file of a ruleset."""

    name: str
    text: str


@dataclass(frozen=True)
class RulesetPage:
    """What stands on a ruleset's page."""

    ruleset: Ruleset
    rules: Rules
    source: str
    yaml: Sequence[Source]
    parts: Sequence[Titled]
    groups: Sequence[Group]
    rows: Sequence[Entry]
    engines: Sequence[Record]
    counts: Mapping[str, int]
    about: About


def write_site(
    catalogue: Path, project_root: Path, out_dir: Path, windows: Mapping[str, Sequence[Window]] | None = None
) -> None:
    """Write the page of a catalogue.json as a folder that needs nothing else; what was in the folder goes.

    project_root: the project's folder, with ``rulesets/``, ``papers/`` if there are any, and the proofs that the
    catalogue names. windows: by ruleset, the tables that are drawn. Raises GrundylabError with the place of what cannot
    be read.
    """
    data = read_json(catalogue, ConfigError)
    rulesets = _rulesets(data, project_root)
    records = _papers(project_root)
    papers = {paper.name: _cited(paper) for paper in records}
    parts = {
        name: _parts(ruleset, (windows or {}).get(name, ()), records) for name, ruleset in rulesets.items()
    }
    typeset = {name: Typesetter(ruleset) for name, ruleset in rulesets.items()}
    formulas, claims = formula_entries(data["formulas"], typeset), claim_entries(data["claims"], typeset)
    rows = row_entries(data["rows"])
    proofs = _proofs(data, project_root)
    pages = [
        _page(ruleset, [e for e in (*formulas, *claims, *rows) if e.ruleset == name], data, typeset[name], papers,
              {path: place for path, (place, _) in proofs.items()}, parts[name])
        for name, ruleset in rulesets.items()
    ]  # fmt: skip
    content: dict[str, str | bytes] = dict(_assets())
    content |= dict(proofs.values())
    for page in pages:
        for part in page.parts:
            content |= part.part.files
    environment = _environment(data["version"])
    for page in pages:
        links = {
            "styles": [name for name in content if name.endswith(".css")],
            "scripts": _scripts(content, page),
        }
        text = environment.get_template("ruleset.html.j2").render(page=page, root="../", **links)
        content[f"rulesets/{page.ruleset.name}.html"] = text
    content["index.html"] = environment.get_template("index.html.j2").render(
        root="",
        styles=["assets/page.css"],
        scripts=["assets/page.js"],
        rulesets=[{"name": p.ruleset.name, "title": p.ruleset.title, "counts": p.counts} for p in pages],
        about={page.ruleset.name: page.about for page in pages},
        entries=sorted([*formulas, *claims, *rows], key=_first),
        engines=sorted({engine for entry in (*formulas, *rows) for engine in entry.found_by}),
        papers={name: paper for name, paper in papers.items() if any(c.paper == name for c in claims)},
        heads=headlines(formulas, claims),
        first=6,
        statuses=STATUSES,
        columns=COLUMNS,
        meanings=MEANINGS,
    )
    write_folder(out_dir, content)


def _first(entry: Entry) -> tuple[Any, ...]:
    """What a reader should see first."""
    return (STATUSES.index(entry.status), not entry.new, entry.kind != "formula", entry.ruleset)


def _environment(version: str) -> Environment:
    environment = Environment(
        loader=PackageLoader("grundylab", "report/site/templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    environment.filters["percent"] = percent
    environment.filters["count"] = lambda number: f"{number:,}"
    environment.filters["listed"] = _listed
    environment.globals |= {"version": version}
    return environment


def _scripts(content: Iterable[str], page: RulesetPage) -> list[str]:
    """The scripts of a ruleset's page in the order in which they run: the game's data before what shows them."""
    parts = [titled.part for titled in page.parts]
    mine = [path for part in parts for path in part.files if path.endswith(".js") and path not in part.html]
    assets = [path for path in content if path.startswith("assets/") and path.endswith(".js")]
    first = [path for path in assets if path in _LIBRARIES]
    return [*first, *mine, *(path for path in assets if path not in (*first, "assets/theme.js"))]


def _listed(entry: Entry) -> Markup:
    """The statement as the list shows it."""
    if entry.status != "partial" and len(entry.text) <= _LISTED:
        return entry.stated
    short = entry.text if len(entry.text) <= _LISTED else f"{entry.text[:_LISTED]}…"
    return Markup("<code>{}</code>").format(short)


def _assets() -> dict[str, str]:
    """Styles and scripts, which are files of the package."""
    folder = files("grundylab.report") / "assets"
    return {
        f"assets/{asset.name}": asset.read_text(encoding="utf-8")
        for asset in sorted(folder.iterdir(), key=lambda asset: asset.name)
        if asset.name.endswith((".css", ".js"))
    }


def _rulesets(data: Record, root: Path) -> dict[str, Ruleset]:
    records = (*data["studies"], *data["formulas"], *data["claims"], *data["rows"])
    return {
        name: load_ruleset(name, root / RULESETS)
        for name in sorted({record["ruleset"] for record in records})
    }


def _papers(root: Path) -> tuple[Paper, ...]:
    """The records of the papers, if there are any."""
    folder = root / PAPERS
    return load_papers(folder) if any(folder.glob("*.yaml")) else ()


def _cited(paper: Paper) -> str:
    version = " (arXiv version)" if paper.version_of else ""
    return f"{paper.title}{version}"


def _proofs(data: Record, root: Path) -> dict[str, tuple[str, bytes]]:
    """The proofs named by path in the catalogue: where each goes in the folder, and its text."""
    proofs = [proof for record in (*data["formulas"], *data["claims"]) for proof in record["proofs"]]
    named = [proof["proof"] for proof in proofs if proof["status"] == "proved"]
    named += [record.get("proof") for record in data["rows"]]
    named += [(record["correction"] or {}).get("proof") for record in data["claims"]]
    found = {}
    for path in sorted({path for path in named if path}):
        file = root / path
        if file.is_file():
            study = file.parent.parent.name
            # browsers show text, and offer to save what they do not know
            name = file.name if file.suffix == ".json" else f"{file.name}.txt"
            found[path] = (f"proofs/{study}/{name}".replace("=", "-"), file.read_bytes())
    return found


def _page(
    ruleset: Ruleset, entries: Sequence[Entry], data: Record, typeset: Typesetter, papers: Mapping[str, str],
    proofs: Mapping[str, str], parts: Sequence[Titled],
) -> RulesetPage:  # fmt: skip
    claims = [entry for entry in entries if entry.kind == "claim"]
    counts = Counter(entry.status for entry in entries)
    studies = {study["study"] for study in data["studies"] if study["ruleset"] == ruleset.name}
    return RulesetPage(
        ruleset=ruleset,
        rules=rules_in_words(ruleset),
        source=_source(ruleset, papers),
        yaml=[Source(Path(file).name, Path(file).read_text(encoding="utf-8")) for file in ruleset.files],
        parts=parts,
        groups=_groups(entries, papers),
        rows=[entry for entry in entries if entry.kind == "row"],
        engines=[record for record in data["engines"] if record["study"] in studies and record["notes"]],
        counts={status: counts[status] for status in STATUSES if status in counts},
        about=About(typeset, papers, proofs, {c.record["claim"]: c.id for c in claims}, _compared(entries)),
    )


def _parts(ruleset: Ruleset, windows: Sequence[Window], papers: Sequence[Paper]) -> list[Titled]:
    """What is seen of the game and played with; what there is nothing of is left out."""
    made = [
        Titled("pictures", "Pictures", pictures(ruleset, windows, papers)),
        Titled("explorer", "Explore and play", explorer(ruleset)),
    ]
    return [titled for titled in made if titled.part.html]


def _source(ruleset: Ruleset, papers: Mapping[str, str]) -> str:
    if ruleset.source is None:
        return ""
    return ", ".join((papers.get(ruleset.source.paper, ruleset.source.paper), *ruleset.source.at))


def _compared(entries: Iterable[Entry]) -> dict[str, list[tuple[Entry, Record]]]:
    """By claim, the formulas that were compared with it, and how they are related."""
    found: dict[str, list[tuple[Entry, Record]]] = {}
    for entry in entries:
        if entry.kind == "formula" and (relation := entry.record.get("relation")):
            for each in relation["to"]:
                found.setdefault(each["claim"], []).append((entry, each))
    return found


def _groups(entries: Sequence[Entry], papers: Mapping[str, str]) -> list[Group]:
    """Formulas by target, then claims by paper."""
    groups = []
    formulas = [entry for entry in entries if entry.kind == "formula"]
    for target in dict.fromkeys(entry.record["target"] for entry in formulas):
        mine = [entry for entry in formulas if entry.record["target"] == target]
        whole = [entry for entry in mine if entry.status != "partial"]
        what = _TARGETS.get(target, target.replace("grundy ==", "Grundy number"))
        about = "" if whole else "No engine found a formula that is right at all training positions."
        partial = [entry for entry in mine if entry.status == "partial"]
        groups.append(Group(f"found-{target.replace(' == ', '-')}", f"Found: {what}", about, whole, partial))
    claims = [entry for entry in entries if entry.kind == "claim"]
    for paper in dict.fromkeys(entry.paper for entry in claims):
        mine = [entry for entry in claims if entry.paper == paper]
        title = f"Claims of {papers.get(paper, paper)}" if paper else "Stated here"
        groups.append(Group(f"claims-{paper or 'own'}", title, "", mine))
    return groups
