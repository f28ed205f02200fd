"""What stands on top of the page: what is new, which conjectures are settled, what is false as printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grundylab.catalogue.proved import proved
from grundylab.catalogue.records import ClaimRecord, Finding, Formula
from grundylab.report.site.entries import Entry

_CONJECTURE = re.compile(r"Conjecture\b")


@dataclass(frozen=True)
class Headline:
    """An entry that stands for others which say the same of other games, or in other words."""

    entry: Entry
    others: tuple[Entry, ...] = ()

    @property
    def games(self) -> tuple[Entry, ...]:
        """One entry for each game that it is true of."""
        found = {entry.ruleset: entry for entry in reversed((self.entry, *self.others))}
        return tuple(reversed(found.values()))


@dataclass(frozen=True)
class Headlines:
    """proved, holds: what no paper says; conjectures: what one asks; refuted: what one says, and is not so.

    own: what a ruleset states without a paper.
    """

    proved: tuple[Headline, ...]
    holds: tuple[Headline, ...]
    conjectures: tuple[Headline, ...]
    refuted: tuple[Headline, ...]
    own: tuple[Headline, ...]


def headlines(formulas: Sequence[Entry], claims: Sequence[Entry]) -> Headlines:
    """The headlines. Of the formulas for one question the best is taken: proved, then the smallest."""
    best = _best(entry for entry in formulas if entry.new and entry.status in ("proved", "holds"))
    own = [entry for entry in claims if _claim(entry).unpublished]
    stated = [entry for entry in claims if not _claim(entry).unpublished]
    printed = [entry for entry in stated if entry.paper]
    return Headlines(
        proved=_alike([*_with(own, "proved"), *_with(best, "proved")]),
        holds=_alike([*_with(own, "holds"), *_with(best, "holds")]),
        conjectures=tuple(Headline(entry) for entry in printed if _CONJECTURE.match(entry.place)),
        refuted=_same_place(_with(printed, "refuted")),
        own=tuple(Headline(entry) for entry in stated if not entry.paper),
    )


def _claim(entry: Entry) -> ClaimRecord:
    assert isinstance(entry.record, ClaimRecord)
    return entry.record


def _formula(entry: Entry) -> Formula:
    assert isinstance(entry.record, Formula)
    return entry.record


def _with(entries: Iterable[Entry], status: str) -> list[Entry]:
    return [entry for entry in entries if entry.status == status]


def _best(entries: Iterable[Entry]) -> list[Entry]:
    """One for each question, which is a study's target (and setting of the parameters, where it says one).

    Open questions first, then what is new altogether, then what says more than a claim does; small ones first.
    """
    found: dict[tuple[str, str, str], Entry] = {}
    for entry in entries:  # which are in order, best first
        record = _formula(entry)
        found.setdefault((record.study, record.target, record.where), entry)
    return sorted(found.values(), key=_news)


def _news(entry: Entry) -> tuple[bool, int, int]:
    order = ("new", "corrects", "extends")
    record = _formula(entry)
    assert record.relation is not None
    return record.open is None, order.index(record.relation.relation), record.size


def _alike(entries: Sequence[Entry]) -> tuple[Headline, ...]:
    """Those of one formula together, of which the same is known: the first speaks for the others."""
    groups: dict[tuple[object, ...], list[Entry]] = {}
    for entry in entries:
        record = entry.record
        assert isinstance(record, Finding)
        groups.setdefault((record.target, record.formula, record.where, proved(record)), []).append(entry)
    return tuple(Headline(group[0], tuple(group[1:])) for group in groups.values())


def _same_place(entries: Sequence[Entry]) -> tuple[Headline, ...]:
    """A statement of a paper may be a claim about several games: those at one place together."""
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.paper, entry.place, entry.text), []).append(entry)
    ordered = (sorted(group, key=lambda e: _claim(e).correction is None) for group in groups.values())
    return tuple(Headline(group[0], tuple(group[1:])) for group in ordered)
