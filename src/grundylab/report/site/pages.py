"""What stands on each ruleset's page: its rules, pictures, explorer, and its entries in groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from grundylab.catalogue.answers import AnyAnswer, best
from grundylab.catalogue.candidates import League
from grundylab.catalogue.files import Catalogue
from grundylab.catalogue.papers import Paper
from grundylab.catalogue.records import ClaimRecord, Finding, Formula, Related, Status, StudyRecord
from grundylab.catalogue.words import counted, tally
from grundylab.games import Ruleset
from grundylab.games.model import GRUNDY, P_POSITIONS, Target
from grundylab.language.syntax import free_names
from grundylab.report.grid import Window
from grundylab.report.league import engine_pictures as drawn_engines
from grundylab.report.rules_in_words import rules
from grundylab.report.site.commands import further, of_game
from grundylab.report.site.entries import AnyEntry
from grundylab.report.site.explorer import explorer
from grundylab.report.site.pictures import pictures
from grundylab.report.site.proofs import Filed
from grundylab.report.site.typeset import Typesetter, sentence_html
from grundylab.report.site.verdicts import About
from grundylab.report.templates import Part

_TARGETS = {P_POSITIONS: "P-positions", GRUNDY: "Grundy numbers"}


@dataclass(frozen=True)
class Known:
    """What all pages are made from.

    data: the catalogue, with its answers. names: of the rulesets that have a page. proofs: in which archive each proof
    of the catalogue is. windows: by ruleset, the tables that are drawn.
    """

    data: Catalogue
    answers: Sequence[AnyAnswer]
    names: Collection[str]
    papers: Sequence[Paper]
    proofs: Mapping[str, Filed]
    windows: Mapping[str, Sequence[Window]]

    @property
    def titles(self) -> dict[str, str]:
        """The papers' titles by name."""
        return {
            paper.name: f"{paper.title}{' (arXiv version)' if paper.version_of else ''}"
            for paper in self.papers
        }


@dataclass(frozen=True)
class Group:
    """Entries under one heading; ``partial``: those that describe only a part of the positions."""

    id: str
    title: str
    about: str
    entries: Sequence[AnyEntry]
    partial: Sequence[AnyEntry] = ()


@dataclass(frozen=True)
class Short:
    """What is known of one target, in short: the best entry, and unless that is of all positions what to try."""

    title: str
    entry: AnyEntry | None
    further: Sequence[str] = ()


@dataclass(frozen=True)
class RulesetPage:
    """What stands on a ruleset's page.

    short: what a reader looks for first, by target; refuted: what is stated of the game, and is false. yaml: its
    file's text by name, and those of what it extends and has no page; extends: what has one. proved: what is to be
    said of those that are, in a tally. commands: what to type, each with what it is for.
    """

    ruleset: Ruleset
    short: Sequence[Short]
    refuted: Sequence[AnyEntry]
    commands: Sequence[tuple[str, str]]
    rules: Sequence[Markup]
    source: str
    yaml: Mapping[str, str]
    extends: Sequence[str]
    pictures: Part
    explorer: Part
    groups: Sequence[Group]
    rows: Sequence[AnyEntry]
    league: Sequence[League]
    engine_pictures: Sequence[Markup]
    counts: Mapping[Status, int]
    proved: str
    about: About


def ruleset_page(typeset: Typesetter, entries: Sequence[AnyEntry], known: Known) -> RulesetPage:
    """The page of the typesetter's ruleset, with these entries."""
    ruleset, data, papers = typeset.ruleset, known.data, known.titles
    files = list(map(Path, ruleset.files))
    bases = [file.stem for file in files if file.stem in known.names and file.stem != ruleset.name]
    studies = {study.study for study in data.studies if study.ruleset == ruleset.name}
    ids = {entry.record.claim: entry.id for entry in entries if isinstance(entry.record, ClaimRecord)}
    return RulesetPage(
        ruleset=ruleset,
        short=_short(
            ruleset,
            entries,
            [study for study in data.studies if study.ruleset == ruleset.name],
            known.answers,
        ),
        refuted=[entry for entry in entries if entry.kind == "claim" and entry.record.status == "refuted"],
        commands=of_game(ruleset),
        rules=[sentence_html(sentence) for sentence in rules(ruleset)],
        source=_source(ruleset, papers),
        yaml={file.name: file.read_text(encoding="utf-8") for file in files if file.stem not in bases},
        extends=bases,
        pictures=pictures(ruleset, known.windows.get(ruleset.name, ()), known.papers),
        explorer=explorer(ruleset),
        groups=_groups(entries, papers),
        rows=[entry for entry in entries if entry.kind == "row"],
        league=[row for row in data.league if row.study in studies],
        engine_pictures=[
            Markup(picture) for study, _, picture in drawn_engines(data) if study.study in studies
        ],
        proved=counted(
            entry.record
            for entry in entries
            if entry.record.status == "proved" and isinstance(entry.record, Finding)
        ),
        counts=tally(entry.record.status for entry in entries),
        about=About(typeset, papers, known.proofs, ids, _compared(entries)),
    )


def _short(
    ruleset: Ruleset,
    entries: Sequence[AnyEntry],
    studies: Sequence[StudyRecord],
    answers: Sequence[AnyAnswer],
) -> list[Short]:
    """Of each target that was asked about the best that is known."""
    found = []
    for target in dict.fromkeys(target for study in studies for target in study.targets):
        answer = best(answers, ruleset.name, target)
        entry = None if answer is None else next(e for e in entries if _is_of(e, answer))
        part = answer is not None and _part(ruleset, answer)
        more = () if answer and not part else further(ruleset, target, studies)
        found.append(Short(_titled(target) + ", in part" * part, entry, more))
    return found


def _is_of(entry: AnyEntry, answer: AnyAnswer) -> bool:
    record = answer.record
    return entry.record is record or (isinstance(record, ClaimRecord) and entry.record is answer.claims[0])


def _part(ruleset: Ruleset, answer: AnyAnswer) -> bool:
    """Whether it is about a part of the positions only."""
    return bool(free_names(answer.record.where) & {*ruleset.coordinate_names})


def _titled(target: Target) -> str:
    return _TARGETS.get(target, str(target).replace("grundy ==", "Grundy number"))


def _source(ruleset: Ruleset, papers: Mapping[str, str]) -> str:
    source = ruleset.source
    if source is None or source.paper is None:
        return source.text if source else ""
    return ", ".join((papers.get(source.paper, source.paper), *source.at))


def _compared(entries: Iterable[AnyEntry]) -> dict[str, list[tuple[AnyEntry, Related]]]:
    """By claim, the formulas that were compared with it, and how they are related."""
    found: dict[str, list[tuple[AnyEntry, Related]]] = {}
    for entry in entries:
        if isinstance(entry.record, Formula) and entry.record.relation:
            for each in entry.record.relation.to:
                found.setdefault(each.claim, []).append((entry, each))
    return found


def _groups(entries: Sequence[AnyEntry], papers: Mapping[str, str]) -> list[Group]:
    """Formulas by target, then claims by paper."""
    groups = []
    formulas = [entry for entry in entries if entry.kind == "formula"]
    for target in dict.fromkeys(entry.record.target for entry in formulas):
        mine = [entry for entry in formulas if entry.record.target == target]
        whole = [entry for entry in mine if entry.record.status != "partial"]
        about = "" if whole else "No engine found a formula that is right at all training positions."
        partial = [entry for entry in mine if entry.record.status == "partial"]
        groups.append(Group(f"found-{target.slug}", f"Found: {_titled(target)}", about, whole, partial))
    claims = [entry for entry in entries if entry.kind == "claim"]
    for paper in dict.fromkeys(entry.paper for entry in claims):
        mine = [entry for entry in claims if entry.paper == paper]
        title = f"Claims of {papers.get(paper, paper)}" if paper else "Stated here"
        groups.append(Group(f"claims-{paper or 'own'}", title, "", mine))
    return groups
