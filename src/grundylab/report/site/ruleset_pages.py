"""The content of each ruleset's page: rules, pictures, explorer, and the game's formulas and claims in groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from grundylab.findings.answers import Answer, best_answer
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.joining import is_joined
from grundylab.findings.papers import Paper
from grundylab.findings.results import StudyRecord
from grundylab.findings.study_questions import answers_question
from grundylab.findings.winning import Winning, strategies_for
from grundylab.findings.wording import status_rank, target_title
from grundylab.games import Ruleset
from grundylab.language.syntax import free_names
from grundylab.records.proofs import RIGHT
from grundylab.records.relation import ClaimRelation
from grundylab.report.engine_standings import LeagueQuestion
from grundylab.report.figures import figures_of
from grundylab.report.grid import TableWindow
from grundylab.report.rules_in_words import rules
from grundylab.report.site.entries import Entry
from grundylab.report.site.explorer import explorer
from grundylab.report.site.presenter import Presenter
from grundylab.report.site.proof_archives import ArchivedProof
from grundylab.report.site.table_pictures import FigurePicture, figure_pictures, first_place, pictures
from grundylab.report.templates import PagePart
from grundylab.report.typeset import Typesetter, sentence_html


@dataclass(frozen=True)
class SiteData:
    """The data shared by all pages.

    data, answers: the catalogue and its answers. names: the rulesets that have a page. proofs: each proof's place in an
    archive, by its path. windows: the tables to draw, by ruleset. questions: those of the league table.
    """

    data: Catalogue
    answers: Sequence[Answer]
    names: Collection[str]
    papers: Sequence[Paper]
    proofs: Mapping[str, ArchivedProof]
    windows: Mapping[str, Sequence[TableWindow]]
    questions: Sequence[LeagueQuestion]

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the papers, by name."""
        return {paper.name: paper.title for paper in self.papers}


@dataclass(frozen=True)
class EntryGroup:
    """Entries under one heading.

    id: the heading's HTML id. about: a remark under the heading. aside: right formulas that are about less than a study
    asks, such as single rows; they are folded. partial: formulas that are right at only some positions. further:
    refuted formulas of engines that have a better one refuted. Both are only listed.
    """

    id: str
    title: str
    about: str
    entries: Sequence[Entry]
    aside: Sequence[Entry] = ()
    partial: Sequence[Entry] = ()
    further: Sequence[Entry] = ()


@dataclass(frozen=True)
class BestAnswer:
    """The best answer for one target; ``entry`` is None if the target has no answer."""

    title: str
    entry: Entry | None


@dataclass(frozen=True)
class RulesetPage:
    """The content of a ruleset's page, and of its card on the first page.

    notes: those of its studies. short: the best answer for each target. strategies: those of its studies, the best
    first. refuted: false claims about the game. source: the paper and places that the ruleset cites. yaml: the texts,
    by file name, of its file and of those files it extends that have no page. extends: the rulesets it extends that
    have a page. thumbnail: a small picture of its P-positions. setting: the parameters' values in it, which are also
    those of the picture and the explorer at first. figures: papers' figures, drawn again. rows: its rows of positions.
    questions: those of the league table. about: texts about the entries.
    """

    ruleset: Ruleset
    notes: Sequence[str]
    short: Sequence[BestAnswer]
    strategies: Sequence[Winning]
    refuted: Sequence[Entry]
    rules: Sequence[Markup]
    source: str
    yaml: Mapping[str, str]
    extends: Sequence[str]
    thumbnail: Markup
    setting: str
    pictures: PagePart
    figures: Sequence[FigurePicture]
    explorer: PagePart
    groups: Sequence[EntryGroup]
    rows: Sequence[Entry]
    questions: Sequence[LeagueQuestion]
    about: Presenter

    @property
    def engines(self) -> set[str]:
        """The engines that the league table names for the game's targets."""
        return {engine for question in self.questions for engine in question.rows}

    @property
    def best(self) -> BestAnswer | None:
        """The best answer with the best verdict, the first of these in the order of targets; None without answers."""
        answered = [one for one in self.short if one.entry is not None]
        return min(
            answered, key=lambda one: status_rank(one.entry.record.status) if one.entry else 0, default=None
        )


def ruleset_page(typeset: Typesetter, entries: Sequence[Entry], site: SiteData) -> RulesetPage:
    """Return the content of the page of the typesetter's ruleset. entries: those of this ruleset."""
    ruleset, data, papers = typeset.ruleset, site.data, site.titles
    files = list(map(Path, ruleset.files))
    bases = [file.stem for file in files if file.stem in site.names and file.stem != ruleset.name]
    studies = [study for study in data.studies if study.ruleset == ruleset.name]
    ids = {entry.finding.source.claim: entry.id for entry in entries if entry.kind == "claim"}
    windows = site.windows.get(ruleset.name, ())
    short = _best_answers(ruleset, entries, studies, site)
    best = next((one.entry.finding for one in short if one.entry), None)
    shown, thumbnail = pictures(ruleset, windows, figures_of(site.papers, ruleset.name), best)
    first = windows[first_place(windows, best)] if windows else None
    strategies = strategies_for(data.winning, ruleset.name)
    return RulesetPage(
        ruleset=ruleset,
        notes=[note for study in studies for note in study.notes],
        short=short,
        strategies=strategies,
        refuted=[entry for entry in entries if entry.kind == "claim" and entry.record.status == "refuted"],
        rules=[sentence_html(sentence) for sentence in rules(ruleset)],
        source=_source(ruleset, papers),
        yaml={file.name: file.read_text(encoding="utf-8") for file in files if file.stem not in bases},
        extends=bases,
        thumbnail=thumbnail,
        setting=first.settings if first else "",
        pictures=shown,
        figures=figure_pictures(ruleset, site.papers),
        explorer=explorer(
            ruleset,
            dict(first.instance.parameters) if first else {},
            strategies[0].lines if strategies else (),
        ),
        groups=_groups(entries, studies, papers),
        rows=[entry for entry in entries if entry.kind == "row"],
        questions=[question for question in site.questions if question.ruleset == ruleset.name],
        about=Presenter(typeset, papers, site.proofs, ids, _comparisons(entries)),
    )


def _best_answers(
    ruleset: Ruleset, entries: Sequence[Entry], studies: Sequence[StudyRecord], site: SiteData
) -> list[BestAnswer]:
    """Return the best answer for each target of the studies; its title says if it answers only in part."""
    candidates = [answer for answer in site.answers if _is_plain_formula(ruleset, answer)]
    best = []
    for target in dict.fromkeys(target for study in studies for target in study.targets):
        answer = best_answer(candidates, ruleset.name, target)
        entry = None if answer is None else next(shown for shown in entries if _presents(shown, answer))
        part = answer is not None and bool(free_names(answer.record.where) & {*ruleset.coordinate_names})
        best.append(BestAnswer(target_title(target) + ", in part" * part, entry))
    return best


def _is_plain_formula(ruleset: Ruleset, answer: Answer) -> bool:
    """Tell whether the answer is a formula by itself: it looks up no other values, and is no printed table."""
    record = answer.record
    if record.found:
        return True
    plain = {claim.id for claim in ruleset.claims if claim.plain}
    return record.source.kind not in ("table", "options") and record.source.claim in plain


def _presents(entry: Entry, answer: Answer) -> bool:
    record = answer.record
    return entry.record is record or (record.claimed and entry.record is answer.claims[0])


def _source(ruleset: Ruleset, papers: Mapping[str, str]) -> str:
    source = ruleset.source
    if source is None or source.paper is None:
        return source.text if source else ""
    return ", ".join((papers.get(source.paper, source.paper), *source.at))


def _comparisons(entries: Iterable[Entry]) -> dict[str, list[tuple[Entry, ClaimRelation]]]:
    """Return, by claim, the formulas that were compared with the claim, each with its relation."""
    compared: dict[str, list[tuple[Entry, ClaimRelation]]] = {}
    for entry in entries:
        if entry.kind == "formula" and entry.record.relation:
            for related in entry.record.relation.to:
                compared.setdefault(related.claim, []).append((entry, related))
    return compared


def _groups(
    entries: Sequence[Entry], studies: Sequence[StudyRecord], papers: Mapping[str, str]
) -> list[EntryGroup]:
    """Return the groups of a page: formulas by target, then claims by paper. studies: those of the ruleset."""
    groups = []
    formulas = [entry for entry in entries if entry.kind == "formula"]
    for target in dict.fromkeys(entry.record.target for entry in formulas):
        members = [entry for entry in formulas if entry.record.target == target]
        right = [entry for entry in members if entry.record.status != "partial"]
        note = "" if right else "No engine found a formula that is right at all training positions."
        partial = [entry for entry in members if entry.record.status == "partial"]
        further = [entry for entry in right if entry.further]
        records = [entry.finding for entry in members]
        names = tuple(dict.fromkeys(name for study in studies for s in study.settings for name in s))
        aside = [
            entry
            for entry in right
            if entry.record.status in RIGHT
            and (not _is_asked(entry, studies) or is_joined(entry.finding, records, names))
        ]
        left = {entry.id for entry in (*further, *aside)}
        shown = [entry for entry in right if entry.id not in left]
        title = f"Found: {target_title(target)}"
        groups.append(EntryGroup(f"found-{target.slug}", title, note, shown, aside, partial, further))
    claims = [entry for entry in entries if entry.kind == "claim"]
    for paper in dict.fromkeys(entry.paper for entry in claims):
        members = [entry for entry in claims if entry.paper == paper]
        title = f"Claims of {papers.get(paper, paper)}" if paper else "Stated here"
        groups.append(EntryGroup(f"claims-{paper or 'own'}", title, "", members))
    return groups


def _is_asked(entry: Entry, studies: Iterable[StudyRecord]) -> bool:
    """Tell whether the formula is right on everything that one of these studies asks; see ``answers_question``."""
    return any(
        answers_question(replace(entry.finding, study=study.study), study)
        for study in studies
        if study.study in entry.studies
    )
