"""Verdicts in words: what is known, and by what; never more than the catalogue says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from grundylab.catalogue.proved import extent, proved
from grundylab.catalogue.records import counterexample_words, percent
from grundylab.check.exceptions import exceptions_text
from grundylab.report.site.entries import Entry
from grundylab.report.site.typeset import Typesetter

Record = Mapping[str, Any]
_FEW = 4  # instances that are named one by one

MEANINGS = {
    "proved": "True for all sizes. The proof is a file that a program checks: a script for MONA, or a certificate for "
    "“grundylab certify”. Anyone can run it again; each proof says how. Where it needs a condition on the parameters, "
    "the condition is part of the verdict. By two procedures: a second checker, which shares no code with what wrote "
    "MONA’s script, says so, too.",
    "holds": "True at every position of the tables named, and not proved: a larger table may still refute it.",
    "refuted": "False: the smallest counterexample is given, with what is said and what is true there.",
    "undecided": "Neither could be decided; the reason is given.",
    "partial": "Not a formula for the game: it describes some of the positions that it was learnt from, and the share "
    "is given.",
}


def summary(entry: Entry, typeset: Typesetter) -> Markup:
    """The verdict in a few words, for a list."""
    record, status = entry.record, entry.status
    if entry.kind == "row":
        return escape(
            f"{record['checked']:,} places seen" + (f": {record['reason']}" if record["reason"] else "")
        )
    if status == "proved":
        return known(record, typeset)
    if status == "holds":
        return escape(checked(record))
    if status == "refuted":
        return Markup("{}{}").format(counterexample(record), _elsewhere(entry, typeset))
    if status == "partial":
        return escape(f"describes {percent(record['share'])} of {record['total']:,} training positions")
    return escape(record["reason"] or "")


def counterexample(record: Record) -> str:
    """Where it is wrong, what is said there and what is true."""
    words = counterexample_words(record)
    return f"at {words}" if words else ""


def _elsewhere(entry: Entry, typeset: Typesetter) -> Markup:
    if not entry.proofs:
        return Markup("")
    return Markup("; but proved {}").format(typeset.words(proved(entry.record)))


def extent_of(record: Record, proof: Record, typeset: Typesetter) -> Markup:
    """For which parameters and positions one of a record's proofs says that it is true."""
    return typeset.words(extent({**record, "proofs": [proof]}))


def known(record: Record, typeset: Typesetter) -> Markup:
    """For which parameters and by what something is proved; nothing if it is not."""
    return typeset.words(proved(record)) if record["status"] == "proved" else Markup("")


def checked(record: Record) -> str:
    """At how many positions of what."""
    games = f" of {record['games']:,} games ({record['every']})" if record.get("games") else ""
    labels = [item["instance"] for item in record["instances"] if item["checked"]]
    every = "all " if record["status"] in ("holds", "proved") else ""
    return f"at {every}{record['checked']:,} positions{games}" + (f" ({few(labels)})" if labels else "")


def few(labels: Sequence[str]) -> str:
    """The labels, or the first and the last."""
    if len(labels) <= _FEW:
        return "; ".join(labels)
    return f"{labels[0]} … {labels[-1]}, {len(labels)} instances"


def method(proof: Record) -> str:
    """By what a proof is checked."""
    file = proof["proof"] or ""
    if not file:
        return "A proof without a file of its own"
    return (
        "Induction over the positions, decided by MONA"
        if file.endswith(".mona")
        else "A certificate, which a small checker goes through"
    )


def command(ruleset: str, path: str, file: str) -> str:
    """What runs a proof again, in the page's folder. path: as the catalogue has it; file: in the page's folder."""
    return f"mona {file}" if path.endswith(".mona") else f"grundylab certify {ruleset} {file}"


def exceptions(record: Record) -> str:
    """``holds except at …``, or nothing."""
    found = record.get("only_wrong_at")
    return f"As far as it was checked, it is wrong only at {exceptions_text(found)}." if found else ""
