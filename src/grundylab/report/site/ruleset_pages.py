"""The content of each ruleset's page: rules, pictures, explorer, and the game's formulas and claims in groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from grundylab.findings.answers import best_answer, formula_answers, further_refuted
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.joining import is_joined
from grundylab.findings.papers import Paper
from grundylab.findings.results import StudyRecord
from grundylab.findings.rows import Row
from grundylab.findings.study_questions import answers_question
from grundylab.findings.winning import Winning, strategies_for
from grundylab.findings.wording import target_title
from grundylab.games import Ruleset
from grundylab.language.syntax import free_names
from grundylab.records.finding import Finding
from grundylab.report.engine_standings import LeagueQuestion
from grundylab.report.figures import figures_of
from grundylab.report.grid import TableWindow
from grundylab.report.rules_in_words import rules
from grundylab.report.site.explorer import explorer
from grundylab.report.site.table_pictures import figure_pictures, first_place, pictures
from grundylab.report.templates import PagePart, PagePicture
from grundylab.report.typeset import Typesetter, sentence_html


@dataclass(frozen=True)
class SiteData:
    """The data shared by all pages.

    data, answers: the catalogue and its answers. names: the rulesets that have a page. windows: the tables to draw, by
    ruleset. questions: those of the league table.
    """

    data: Catalogue
    answers: Sequence[Finding]
    names: Collection[str]
    papers: Sequence[Paper]
    windows: Mapping[str, Sequence[TableWindow]]
    questions: Sequence[LeagueQuestion]

    @property
    def titles(self) -> dict[str, str]:
        """The titles of the papers, by name."""
        return {paper.name: paper.title for paper in self.papers}


@dataclass(frozen=True)
class FindingGroup:
    """Findings under one heading.

    id: the heading's HTML id. about: a remark under the heading. aside: right formulas that are about less than a study
    asks, such as single rows; they are folded. partial: formulas that are right at only some positions. further:
    refuted formulas of engines that have a better one refuted. Both are only listed.
    """

    id: str
    title: str
    about: str
    findings: Sequence[Finding]
    aside: Sequence[Finding] = ()
    partial: Sequence[Finding] = ()
    further: Sequence[Finding] = ()


@dataclass(frozen=True)
class RulesetPage:
    """The content of a ruleset's page, and of its card on the first page.

    notes: those of its studies. short: for each target its title and the best answer, None if it has none. strategies:
    those of its studies, the best first. refuted: false claims about the game. source: the paper and places that the
    ruleset cites. yaml: the texts, by file name, of its file and of those files it extends that have no page. extends:
    the rulesets it extends that have a page. thumbnail: a small picture of its P-positions. setting: the parameters'
    values in it, which are also those of the picture and the explorer at first. figures: papers' figures, drawn again.
    rows: its rows of positions. questions: those of the league table.
    """

    ruleset: Ruleset
    notes: Sequence[str]
    short: Sequence[tuple[str, Finding | None]]
    strategies: Sequence[Winning]
    refuted: Sequence[Finding]
    rules: Sequence[Markup]
    source: str
    yaml: Mapping[str, str]
    extends: Sequence[str]
    thumbnail: Markup
    setting: str
    pictures: PagePart
    figures: Sequence[PagePicture]
    explorer: PagePart
    groups: Sequence[FindingGroup]
    rows: Sequence[Row]
    questions: Sequence[LeagueQuestion]


def ruleset_page(typeset: Typesetter, site: SiteData) -> RulesetPage:
    """Return the content of the page of the typesetter's ruleset."""
    ruleset, data, papers = typeset.ruleset, site.data, site.titles
    cited = ruleset.source
    source = cited.text if cited else ""
    if cited and cited.paper is not None:
        source = ", ".join((papers.get(cited.paper, cited.paper), *cited.at))
    files = list(map(Path, ruleset.files))
    bases = [file.stem for file in files if file.stem in site.names and file.stem != ruleset.name]
    studies = [study for study in data.studies if study.ruleset == ruleset.name]
    formulas = [answer for answer in formula_answers(site.answers) if answer.ruleset == ruleset.name]
    claims = [claim for claim in data.claims if claim.ruleset == ruleset.name]
    windows = site.windows.get(ruleset.name, ())
    short = _best_answers(ruleset, studies, site.answers)
    best = next((answer for _, answer in short if answer), None)
    shown, thumbnail = pictures(ruleset, windows, figures_of(site.papers, ruleset.name), best)
    first = windows[first_place(windows, best)] if windows else None
    parameters = dict(first.instance.parameters) if first else {}
    strategies = strategies_for(data.winning, ruleset.name)
    return RulesetPage(
        ruleset=ruleset,
        notes=[note for study in studies for note in study.notes],
        short=short,
        strategies=strategies,
        refuted=[claim for claim in claims if claim.status == "refuted"],
        rules=[sentence_html(sentence) for sentence in rules(ruleset)],
        source=source,
        yaml={file.name: file.read_text(encoding="utf-8") for file in files if file.stem not in bases},
        extends=bases,
        thumbnail=thumbnail,
        setting=first.settings if first else "",
        pictures=shown,
        figures=figure_pictures(ruleset, site.papers),
        explorer=explorer(ruleset, parameters, strategies[0].lines if strategies else ()),
        groups=_groups(formulas, claims, studies, papers),
        rows=[row for row in data.rows if row.ruleset == ruleset.name],
        questions=[question for question in site.questions if question.ruleset == ruleset.name],
    )


def _best_answers(
    ruleset: Ruleset, studies: Sequence[StudyRecord], answers: Iterable[Finding]
) -> list[tuple[str, Finding | None]]:
    """Return the best answer for each target of the studies; its title says if it answers only in part."""
    plain = {claim.id for claim in ruleset.claims if claim.plain}
    # formulas by themselves: they look up no other values, and are no printed tables
    candidates = [
        answer
        for answer in answers
        if answer.found or (answer.source.claim in plain and answer.source.kind not in ("table", "options"))
    ]
    best = []
    for target in dict.fromkeys(target for study in studies for target in study.targets):
        answer = best_answer(candidates, ruleset.name, target)
        part = answer is not None and bool(free_names(answer.where) & {*ruleset.coordinate_names})
        # the page has each claim of a ruleset alone
        shown = answer if answer is None or answer.found else next(f for f in answer.alike if f.claimed)
        best.append((target_title(target) + ", in part" * part, shown))
    return best


def _groups(
    formulas: Sequence[Finding],
    claims: Sequence[Finding],
    studies: Sequence[StudyRecord],
    papers: Mapping[str, str],
) -> list[FindingGroup]:
    """Return the groups of a page: formulas by target, then claims by paper. studies: those of the ruleset."""
    groups = []
    names = tuple(dict.fromkeys(name for study in studies for s in study.settings for name in s))
    worse = {id(formula) for formula in further_refuted(formulas)}
    asked = {
        id(formula)
        for formula in formulas
        for study in studies
        if study.study in formula.studies and answers_question(replace(formula, study=study.study), study)
    }
    for target in dict.fromkeys(formula.target for formula in formulas):
        members = [formula for formula in formulas if formula.target == target]
        partial = [formula for formula in members if formula.status == "partial"]
        right = [formula for formula in members if formula.status != "partial"]
        note = "" if right else "No engine found a formula that is right at all training positions."
        further = [formula for formula in right if id(formula) in worse]
        aside = [
            formula
            for formula in right
            if formula.right and (id(formula) not in asked or is_joined(formula, members, names))
        ]
        left = {*map(id, (*further, *aside))}
        shown = [formula for formula in right if id(formula) not in left]
        title = f"Found: {target_title(target)}"
        groups.append(FindingGroup(f"found-{target.slug}", title, note, shown, aside, partial, further))
    for paper in dict.fromkeys(claim.source.published for claim in claims):
        printed = [claim for claim in claims if claim.source.published == paper]
        title = f"Claims of {papers.get(paper, paper)}" if paper else "Stated here"
        groups.append(FindingGroup(f"claims-{paper or 'own'}", title, "", printed))
    return groups
