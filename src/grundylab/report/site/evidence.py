"""Verdicts in words: what is known, and by what; never more than the catalogue says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from grundylab.records import example_text, exceptions_text, percent
from grundylab.report.site.entries import Entry
from grundylab.report.site.typeset import Typesetter

Record = Mapping[str, Any]
_FEW = 4  # instances that are named one by one

MEANINGS = {
    "proved": "True for all sizes. The proof is a file that a program checks (MONA, or a certificate), and anyone can "
    "run it again. Where it needs a condition on the parameters, the condition is part of the verdict.",
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
        if record.get("complete"):
            return escape("every entry of the table is computed")
        return Markup("for all sizes{}").format(proved_where(entry, typeset))
    if status == "holds":
        return escape(checked(record))
    if status == "refuted":
        return Markup("{}{}").format(counterexample(record), _elsewhere(entry, typeset))
    if status == "partial":
        return escape(f"describes {percent(record['share'])} of {record['total']:,} training positions")
    return escape(record["reason"] or "")


def counterexample(record: Record) -> str:
    """Where it is wrong, what is said there and what is true."""
    if not record["counterexample"]:
        return ""
    return f"at {example_text({**record['counterexample'], 'target': record['target']})}"


def _elsewhere(entry: Entry, typeset: Typesetter) -> Markup:
    if not entry.proofs:
        return Markup("")
    return Markup("; but proved for all sizes{}").format(proved_where(entry, typeset))


def proved_where(entry: Entry, typeset: Typesetter) -> Markup:
    """Under which conditions on the parameters it is proved: nothing if there are none."""
    if any(proof["under"] == "True" and proof["where"] == "True" for proof in entry.proofs):
        return Markup("")
    words = []
    for proof in entry.proofs:
        condition = proof["where"] if proof["where"] != "True" else proof["under"]
        if condition != "True":
            exactly = "exactly where " if proof["exactly"] else "where "
            words.append(Markup("{}{}").format(exactly, typeset.formula(condition)))
    found = list(dict.fromkeys(words))
    return Markup(", {}").format(Markup(", or ").join(found)) if found else Markup("")


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
    if file.endswith(".mona"):
        return "Induction over the positions, decided by MONA"
    return (
        "A certificate, which “grundylab certify” goes through again"
        if file
        else "A proof without a file of its own"
    )


def exceptions(record: Record) -> str:
    """``holds except at …``, or nothing."""
    found = record.get("only_wrong_at")
    return f"As far as it was checked, it is wrong only at {exceptions_text(found)}." if found else ""
