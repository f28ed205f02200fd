"""The results of studies in a few lines: for each target the best statement, and each refuted claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grundylab.findings.answers import Answer, answers, best_answers
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.finding import Finding
from grundylab.findings.results import StudyRecord
from grundylab.findings.wording import (
    assignment_text,
    headline,
    number_with_noun,
    proof_words,
    row_words,
    share_text,
    status_details,
    status_tally,
    words_text,
)
from grundylab.games import Target
from grundylab.report.formula_lines import line_of

_LONGEST = 200  # letters of a statement; a longer one is cut


def study_lines(catalogue: Catalogue) -> list[str]:
    """Return, for each study, a line for each of its targets, for its rows, and for each claim that is refuted."""
    found = answers(catalogue)
    return [line for study in catalogue.studies for line in _lines(catalogue, study, found)]


def _lines(catalogue: Catalogue, study: StudyRecord, found: Sequence[Answer]) -> Iterator[str]:
    for target in study.targets:
        yield f"{study.study}, {target}: {_best(catalogue, study, target, found)}"
    rows = [row for row in catalogue.rows if row.study == study.study]
    if rows:
        counts = ", ".join(
            f"{count} {status}" for status, count in status_tally(r.status for r in rows).items()
        )
        first = next((row for row in rows if row.status == "proved"), rows[0])
        name = assignment_text({**first.parameters, **first.row})
        example = f"{name}: {row_words(first)}" if name else row_words(first)
        yield f"{study.study}, {number_with_noun(len(rows), 'row')}: {counts}; {_cut(example)}"
    for claim in catalogue.claims:
        if claim.study == study.study and claim.status == "refuted":
            yield f"{study.study}, claim {claim.source.claim}: refuted {words_text(status_details(claim))}"


def _best(catalogue: Catalogue, study: StudyRecord, target: Target, found: Sequence[Answer]) -> str:
    """Return the best statement for the target, its verdict and the engines that found it."""
    right = list(best_answers(study, target, found))
    if right:
        best, *others = right
        line, record = line_of(best), best.record
        where = f" where {line.where}" if line.where else ""
        more = f"; and {number_with_noun(len(others), 'formula')} for other settings" if others else ""
        return f"{_cut(words_text(headline(record)) + where)}: {_verdict(record)} ({', '.join(best.engines)}){more}"
    engines = study.engines.get(target, ())
    mine = [
        each
        for each in catalogue.formulas
        if (each.study, each.target) == (study.study, target) and each.origin.engine in engines
    ]
    closest = max(mine, key=lambda each: (each.share, -each.size), default=None)
    if closest is None:
        return "no formula found"
    wrong = (
        f"refuted {words_text(status_details(closest))}"
        if closest.status == "refuted"
        else share_text(closest)
    )
    text = f"no formula that is right everywhere; closest {_cut(str(closest.formula))}, {wrong}"
    return f"{text} ({closest.origin.engine})"


def _verdict(record: Finding) -> str:
    words = proof_words(record) if record.status == "proved" else status_details(record)
    return f"{record.status} {words_text(words)}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
