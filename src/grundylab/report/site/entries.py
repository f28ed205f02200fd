"""The catalogue's formulas, claims and rows as entries of the page, each with its statement, finders and verdict.

Headlines are the entries at the top of the first page: new results, conjectures, refuted claims.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grundylab.findings.answers import Answer, further_refuted
from grundylab.findings.rows import Row
from grundylab.findings.wording import assignment_text, proof_words, relation_word, row_words
from grundylab.games.model import P_POSITIONS
from grundylab.language.syntax import TRUE
from grundylab.records.finding import NO_SOURCE, Finding
from grundylab.records.proofs import RIGHT
from grundylab.records.relation import VERBS
from grundylab.report.typeset import Typesetter

_CONJECTURE = re.compile(r"Conjecture\b")


@dataclass(frozen=True)
class Entry:
    """A formula, claim or row as the pages show it: in the list of the first page, and on its ruleset's page.

    id: the HTML id in both places. record: its record in the catalogue. stated, text, latex: the statement in MathML,
    in the formula language, and in LaTeX. found_by: the engines that found it; none for a claim. studies: the studies
    that found the formula or judged it; none for a claim or row. others: other formulas that are proved equivalent.
    open: why no answer was known, if it answers an open question. further: whether it is refuted, and only listed,
    since its engines have a better formula refuted.
    """

    id: str
    record: Finding | Row
    stated: Markup
    text: str
    latex: str = ""
    found_by: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()
    others: tuple[Finding, ...] = ()
    open: str | None = None
    further: bool = False

    @property
    def finding(self) -> Finding:
        """The record of a formula or claim; raises AssertionError for a row."""
        assert isinstance(self.record, Finding)
        return self.record

    @property
    def kind(self) -> str:
        """The kind of the entry: ``formula``, ``claim`` or ``row``."""
        if isinstance(self.record, Row):
            return "row"
        return "claim" if self.record.claimed else "formula"

    @property
    def size(self) -> int | None:
        """The size of a formula that an engine found; None for a claim."""
        return None if self.kind == "claim" else self.record.size

    @property
    def paper(self) -> str:
        """The name of the paper that makes this claim; empty for all other entries."""
        source = self.finding.source if isinstance(self.record, Finding) else NO_SOURCE
        return (source.paper or "") if not source.unpublished else ""

    @property
    def new(self) -> bool:
        """True for what is not among the statements on record."""
        return relation_word(self.record) == "new"


def formula_entries(answers_shown: Iterable[Answer], typeset: Mapping[str, Typesetter]) -> list[Entry]:
    """Return an entry for each of the formulas. typeset: a typesetter for each ruleset, by name."""
    answers = list(answers_shown)
    further = {id(answer) for answer in further_refuted(answers)}
    return [_formula(answer, typeset[answer.record.ruleset], id(answer) in further) for answer in answers]


def _formula(answer: Answer, typeset: Typesetter, further: bool) -> Entry:
    record = answer.record
    return Entry(
        id=_id("f", record.ruleset, record.study, str(record.target), str(record.formula), str(record.where)),
        record=record,
        stated=typeset.statement(record.target, record.formula, record.where),
        text=f"{record.target}: {record.formula}{_where_text(record)}",
        latex=record.latex,
        found_by=answer.engines,
        others=answer.others,
        studies=answer.studies,
        open=answer.open,
        further=further,
    )


def _where_text(record: Finding) -> str:
    return f" where {record.where}" if record.where != TRUE else ""


def claim_entries(records: Iterable[Finding], typeset: Mapping[str, Typesetter]) -> list[Entry]:
    """Return an entry for each claim, in the catalogue's order. typeset: a typesetter for each ruleset, by name."""
    return [
        Entry(
            id=_id("c", record.study, record.ruleset, record.source.claim),
            record=record,
            stated=typeset[record.ruleset].claim(record),
            text=f"{record.source.text}{_where_text(record)}",
            latex=record.latex,
            open=record.open if record.status in RIGHT else None,
        )
        for record in records
    ]


def row_entries(records: Iterable[Row]) -> list[Entry]:
    """Return an entry for each row of positions, in the order of the catalogue."""
    return [
        Entry(
            id=_id("r", row.study, str(row.target), str(row.parameters), str(row.row)),
            record=row,
            stated=Markup("{}").format(row_text(row)),
            text=row_text(row),
            found_by=("rows",),
        )
        for row in records
    ]


def row_text(row: Row) -> str:
    """Return a line of text about a row of positions: which row it is, and its preperiod, period and saltus."""
    where = assignment_text({**row.parameters, **row.row})
    subject = "P-positions" if row.target == P_POSITIONS else "Grundy numbers"
    head = f"{subject} along {', '.join(row.axes)}" + (f" with {where}" if where else "")
    return f"{head}: {'no period found' if row.period is None else row_words(row)}"


def _id(kind: str, *key: str) -> str:
    return f"{kind}-{hashlib.sha256(chr(0).join(key).encode()).hexdigest()[:10]}"


# -- headlines ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Headline:
    """An entry that stands for several: ``others`` make the same statement, mostly about other games."""

    entry: Entry
    others: tuple[Entry, ...] = ()

    @property
    def corrections(self) -> list[tuple[Finding, list[Entry]]]:
        """The corrections of the statement, each once, with the entries that it corrects."""
        by_statement: dict[object, tuple[Finding, list[Entry]]] = {}
        for entry in (self.entry, *self.others):
            if entry.kind == "claim" and (better := entry.finding.correction):
                key = (better.source.text, better.status, proof_words(better))
                by_statement.setdefault(key, (better, []))[1].append(entry)
        return list(by_statement.values())

    @property
    def games(self) -> tuple[Entry, ...]:
        """One entry for each game that the statement is about, the headline's own first."""
        by_game = {entry.record.ruleset: entry for entry in reversed((self.entry, *self.others))}
        return tuple(reversed(by_game.values()))


def headlines(
    news: Iterable[Answer], formulas: Sequence[Entry], claims: Sequence[Entry]
) -> dict[str, Sequence[Headline]]:
    """Return the headlines by kind. news: the answers that are not known (``findings.answers.news``).

    The kinds are: ``proved`` and ``holds``, what is not among the statements on record; ``beyond``, formulas that
    extend such a statement, correct it, or differ from it; ``conjectures``, of papers; ``refuted``, false claims of
    papers; ``own``, claims that rulesets take from elsewhere. Answers to open questions come first, then small
    formulas.
    """
    every: list[Entry] = [*claims, *formulas]
    by_record = {id(entry.record): entry for entry in every}
    ordered = sorted((by_record[id(answer.record)] for answer in news), key=_news_order)
    new, beyond = [e for e in ordered if e.new], [e for e in ordered if not e.new]
    published = [entry for entry in claims if not entry.finding.source.unpublished]
    paper_claims = [entry for entry in published if entry.paper]
    return {
        "proved": group_equal(entry for entry in new if entry.record.status == "proved"),
        "holds": group_equal(entry for entry in new if entry.record.status == "holds"),
        "beyond": group_equal(beyond),
        "conjectures": [
            Headline(entry) for entry in paper_claims if _CONJECTURE.match(entry.finding.source.at)
        ],
        "refuted": _group_by_place([e for e in paper_claims if e.record.status == "refuted"]),
        "own": [Headline(entry) for entry in published if not entry.paper],
    }


def _news_order(entry: Entry) -> tuple[bool, int, int]:
    order = ("new", *VERBS)
    return entry.open is None, order.index(relation_word(entry.record) or "new"), entry.size or 0


def group_equal(entries: Iterable[Entry]) -> list[Headline]:
    """Return a headline for each group of entries with the same target, formula, condition and extent of the proof."""
    groups: dict[tuple[object, ...], list[Entry]] = {}
    for entry in entries:
        record = entry.finding
        groups.setdefault((record.target, record.formula, record.where, proof_words(record)), []).append(
            entry
        )
    return [Headline(first, tuple(others)) for first, *others in groups.values()]


def _group_by_place(entries: Sequence[Entry]) -> list[Headline]:
    """Return a headline for each statement of a paper, which several games' claims may make.

    Claims with corrections come first in a group.
    """
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.paper, entry.finding.source.at, entry.text), []).append(entry)
    ordered = (sorted(group, key=lambda e: e.finding.correction is None) for group in groups.values())
    return [Headline(first, tuple(others)) for first, *others in ordered]
