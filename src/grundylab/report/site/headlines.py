"""What stands on top of the page: what is new, which conjectures are settled, what is false as printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grundylab.catalogue.records import ClaimRecord, Formula
from grundylab.catalogue.words import proved
from grundylab.report.site.entries import AnyEntry, Entry, R

_CONJECTURE = re.compile(r"Conjecture\b")


@dataclass(frozen=True)
class Headline:
    """An entry that stands for others which say the same of other games, or in other words."""

    entry: AnyEntry
    others: tuple[AnyEntry, ...] = ()

    @property
    def games(self) -> tuple[AnyEntry, ...]:
        """One entry for each game that it is true of."""
        found = {entry.record.ruleset: entry for entry in reversed((self.entry, *self.others))}
        return tuple(reversed(found.values()))


def headlines(
    formulas: Sequence[Entry[Formula]], claims: Sequence[Entry[ClaimRecord]]
) -> dict[str, Sequence[Headline]]:
    """The headlines. Of the formulas for one question the best is taken: proved, then the smallest.

    proved, holds: what no paper says; conjectures: what one asks; refuted: what one says, and is not so; own: what a
    ruleset states without a paper.
    """
    best = _best(entry for entry in formulas if entry.new and entry.record.status in ("proved", "holds"))
    own = [entry for entry in claims if entry.record.unpublished]
    stated = [entry for entry in claims if not entry.record.unpublished]
    printed = [entry for entry in stated if entry.paper]
    return {
        "proved": alike([*_with(own, "proved"), *_with(best, "proved")]),
        "holds": alike([*_with(own, "holds"), *_with(best, "holds")]),
        "conjectures": [Headline(entry) for entry in printed if _CONJECTURE.match(entry.record.at)],
        "refuted": _same_place(_with(printed, "refuted")),
        "own": [Headline(entry) for entry in stated if not entry.paper],
    }


def _with(entries: Iterable[Entry[R]], status: str) -> list[Entry[R]]:
    return [entry for entry in entries if entry.record.status == status]


def _best(entries: Iterable[Entry[Formula]]) -> list[Entry[Formula]]:
    """One for each question, which is a study's target (and setting of the parameters, where it says one).

    Open questions first, then what is new altogether, then what says more than a claim does; small ones first.
    """
    found: dict[tuple[str, str, str], Entry[Formula]] = {}
    for entry in entries:  # which are in order, best first
        record = entry.record
        found.setdefault((record.study, record.target, record.where), entry)
    return sorted(found.values(), key=_news)


def _news(entry: Entry[Formula]) -> tuple[bool, int, int]:
    order = ("new", "corrects", "extends")
    record = entry.record
    assert record.relation is not None
    return record.open is None, order.index(record.relation.relation), record.size


def alike(entries: Iterable[Entry[Formula] | Entry[ClaimRecord]]) -> list[Headline]:
    """Those of one formula together, of which the same is known: the first speaks for the others."""
    groups: dict[tuple[object, ...], list[AnyEntry]] = {}
    for entry in entries:
        record = entry.record
        groups.setdefault((record.target, record.formula, record.where, proved(record)), []).append(entry)
    return [Headline(first, tuple(others)) for first, *others in groups.values()]


def _same_place(entries: Sequence[Entry[ClaimRecord]]) -> list[Headline]:
    """A statement of a paper may be a claim about several games: those at one place together, the corrected first."""
    groups: dict[tuple[str, str, str], list[Entry[ClaimRecord]]] = {}
    for entry in entries:
        groups.setdefault((entry.paper, entry.record.at, entry.text), []).append(entry)
    ordered = (sorted(group, key=lambda e: e.record.correction is None) for group in groups.values())
    return [Headline(first, tuple(others)) for first, *others in ordered]
