"""The document results/new-results.md: findings that are not on record here, and questions without an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grundylab.findings.answers import (
    answers,
    best_answers,
    closest,
    news,
    unanswered_settings,
)
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.columns import COLUMNS, row
from grundylab.findings.league import LeagueRow
from grundylab.findings.wording import relation_word
from grundylab.games import Target
from grundylab.games.statements import THIS
from grundylab.language import Expr
from grundylab.language.syntax import TRUE
from grundylab.records.finding import Finding
from grundylab.records.proofs import RIGHT
from grundylab.report.templates import environment

PROVED, HOLDS, OPEN, ALSO = SECTIONS = ("proved", "holds", "open", "also")


@dataclass(frozen=True, kw_only=True)
class ResultItem:
    """One part of the document: a formula that was found, a ruleset's own statement, or a target without an answer.

    section: one of SECTIONS. region: the positions that the study is about. open: the open question that it answers or,
    if there is no answer, that the study is about. record: the answer or, in the section OPEN, the closest formula;
    None if nothing was found. settings: without an answer, the parameter settings that have none. tries: the best
    formulas of all engines.
    """

    section: str
    title: str
    ruleset: str
    studies: tuple[str, ...]
    target: Target
    region: Expr = TRUE
    open: str | None = None
    record: Finding | None = None
    settings: Sequence[Mapping[str, int]] = ()
    tries: tuple[LeagueRow, ...] = ()


def items(catalogue: Catalogue) -> list[ResultItem]:
    """Return all parts in the order of their sections; in each section, those about open questions come first.

    A claim is a part if it is marked ``unpublished`` and is news, or is not right.
    """
    ranked = answers(catalogue)
    new = news(catalogue, ranked)
    news_ids = {id(answer) for answer in new}
    every = list(_formula_items(catalogue, ranked, new))
    for claim in catalogue.claims:
        if claim.source.unpublished and (id(claim) in news_ids or claim.status not in RIGHT):
            item = ResultItem(
                section=claim.status if claim.status in (PROVED, HOLDS) else OPEN,
                title=claim.title,
                ruleset=claim.ruleset,
                studies=(claim.study,),
                target=claim.target,
                open=claim.open,
                record=claim,
            )
            every.append(item)
    return sorted(every, key=lambda item: (SECTIONS.index(item.section), item.open is None))


def results_text(catalogue: Catalogue, papers: bool = True) -> str:
    """Return the document about a catalogue, as Markdown. papers: whether a papers.md exists in the same folder."""
    parts, rows = items(catalogue), [row for row in catalogue.rows if row.open]
    template = environment("md").get_template("new-results.md.j2")
    return template.render(
        {name: [item for item in parts if item.section == name] for name in SECTIONS},
        rows=rows,
        open_rows=list(dict.fromkeys(row.open for row in rows)),
        made=catalogue.made_line,
        papers=papers,
        this=THIS,
    )


def results_record(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the document's parts as dictionaries that JSON can represent, with the columns of the catalogue."""
    return [
        {
            "section": item.section,
            **dict.fromkeys(COLUMNS),
            "title": item.title,
            "ruleset": item.ruleset,
            "target": str(item.target),
            **(row(item.record) if item.record else {}),
            "open": item.open,
            "studies": item.studies,
            "engines": item.record.engines if item.record and item.section != OPEN else (),
            "same": [str(other.formula) for other in item.record.others]
            if item.record and item.section != OPEN
            else [],
            "tries": [
                {
                    "engine": one.engine,
                    "formula": str(one.formula or ""),
                    "result": one.result,
                    "note": one.note,
                }
                for one in item.tries
            ],
        }
        for item in items(catalogue)
    ]


def _formula_items(
    catalogue: Catalogue, every: Sequence[Finding], new_answers: Iterable[Finding]
) -> Iterator[ResultItem]:
    """Yield a part for each formula that is news, and for each target of a study without an answer.

    An answer to several studies is yielded once.
    """
    left = {id(answer) for answer in new_answers}
    for study in catalogue.studies:
        for target in study.targets:
            about: dict[str, Any] = {"title": study.title, "ruleset": study.ruleset, "target": target}
            about |= {"region": study.where}
            about["tries"] = tuple(
                row for row in catalogue.league if (row.study, row.target) == (study.study, target)
            )
            for best in best_answers(study, target, every):
                if id(best) in left:
                    left.remove(id(best))
                    new = best.open or relation_word(best) in ("new", "corrects")
                    about |= {"open": best.open, "studies": best.studies}
                    yield ResultItem(section=best.status if new else ALSO, record=best, **about)
            if study.engines.get(target) and (without := unanswered_settings(study, target, every)):
                about |= {"open": study.open, "studies": (study.study,)}
                # instead of a formula for one setting, the settings without an answer are named
                near = None if study.each else closest(study, target, every)
                yield ResultItem(section=OPEN, settings=without, record=near, **about)
