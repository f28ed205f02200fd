"""Verdicts in words: what is known, and by what; never more than the catalogue says."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup, escape

from grundylab.catalogue.attempts import ProofRecord
from grundylab.catalogue.proved import extent, proved
from grundylab.catalogue.records import Judged, Row
from grundylab.catalogue.words import counterexample_words, say
from grundylab.check.exceptions import exceptions_text
from grundylab.report.site.entries import Entry
from grundylab.report.site.typeset import Typesetter

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
    record = entry.record
    if isinstance(record, Row):
        reason = f": {record.reason}" if record.reason else ""
        return escape(f"{record.checked:,} places seen{reason}")
    return typeset.words(say(record))


def counterexample(record: Judged) -> str:
    """Where it is wrong, what is said there and what is true."""
    return f"at {counterexample_words(record)}"


def extent_of(record: Judged, proof: ProofRecord, typeset: Typesetter) -> Markup:
    """For which parameters and positions one of a record's proofs says that it is true."""
    return typeset.words(extent(replace(record, proofs=(proof,))))


def known(record: Judged, typeset: Typesetter) -> Markup:
    """For which parameters and by what something is proved; nothing if it is not."""
    return typeset.words(proved(record)) if record.status == "proved" else Markup("")


def method(proof: ProofRecord) -> str:
    """By what a proof is checked."""
    file = proof.proof
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


def exceptions(record: Judged) -> str:
    """``holds except at …``, or nothing."""
    found = record.only_wrong_at
    return f"As far as it was checked, it is wrong only at {exceptions_text(found)}." if found else ""
