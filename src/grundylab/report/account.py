"""An account of one game in plain text: theorems, formulas that hold in tables, refuted ones, open questions.

A formula that several engines found is listed once. Refuted ones are left out where another one is right.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from grundylab.findings.answers import answers, closest, formula_answers, unanswered_settings
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.joining import is_joined
from grundylab.findings.results import StudyRecord
from grundylab.findings.rows import ROWS
from grundylab.findings.study_questions import answers_question, gives_values, proved_regions, terms_of
from grundylab.findings.wording import learnt_text
from grundylab.games.instance import instance_labels
from grundylab.games.model import Target
from grundylab.language.syntax import free_names
from grundylab.records.finding import Finding
from grundylab.records.proofs import Status

_MOST_ENTRIES = 12  # entries of one section; the others are counted
_CLOSE = 0.9  # a target without an answer shows its closest formula if that describes at least this share,
_READABLE = 20  # and has at most this many nodes
_HEADINGS: dict[Status, str] = {
    "holds": "Right at every position checked, but not proved",
    "refuted": "Right in small tables, but wrong in larger ones",
    "undecided": "Undecided",
}


def account(
    catalogue: Catalogue, doing: str = "", failed: Sequence[str] = (), notes: Sequence[str] = ()
) -> str:
    """Return the account, as text, of a catalogue with exactly one study.

    doing: the step during which the study was interrupted; empty if it was not. failed: the steps that failed, each
    with its reason. notes: remarks on unusual rules of the game.
    """
    from grundylab.report.templates import environment  # Jinja takes long to import

    (study,) = catalogue.studies
    every = answers(catalogue)
    from_engines = formula_answers(every)
    names = tuple(dict.fromkeys(name for setting in study.settings for name in setting))
    shown = [
        answer
        for place, answer in enumerate(from_engines)
        if not _is_covered(answer, from_engines, place) and not is_joined(answer, from_engines, names)
    ]
    proved = [answer for answer in shown if answer.proved]
    proved.sort(key=lambda answer: answer.finite is not None)  # those about finitely many positions come last
    asked = [a for a in proved if a.status == "refuted" or answers_question(a, study)]
    answered = {answer.target for answer in from_engines if answers_question(answer, study)}
    asked += _claimed_answers(every, study, {answer.target for answer in asked if answer.right})
    sections = {"Theorems": asked} | {
        head: [
            answer
            for answer in shown
            if answer.status == status
            and not answer.proved
            and not (status == "refuted" and answer.target in answered)
        ]
        for status, head in _HEADINGS.items()
    }
    targets = {run.target for run in catalogue.runs}
    text = environment("txt").get_template("account.txt.j2").render(
        study=study,
        learnt=_tables(catalogue, study) if catalogue.runs else "",
        doing=doing,
        failed=failed,
        notes=notes,
        sections=sections,
        aside=[answer for answer in proved if answer not in asked],
        most=_MOST_ENTRIES,
        rows=[row for row in catalogue.rows if row.status != "proved" or not row.size],
        questions=list(_open_questions(catalogue, from_engines, asked)),
        unasked=[target for target in study.targets if target not in targets],
        claims=catalogue.claims,
        strategies=catalogue.winning,
    )  # fmt: skip
    return text.rstrip("\n")


def _tables(catalogue: Catalogue, study: StudyRecord) -> str:
    """Return the tables from which the engines learnt, and those on which their formulas were checked, in words."""
    labels = {label for finding in catalogue.statements for label in finding.test.instances}
    tables = [label for label in study.test if label in labels]
    first = next((run.learnt[:1] for run in catalogue.runs if run.learnt), ())
    learnt = learnt_text(first) or f"trained on {instance_labels(study.training)}"
    return learnt + (f"; checked on tables with {instance_labels(tables)}" if tables else "")


def _is_covered(answer: Finding, others: Sequence[Finding], place: int) -> bool:
    """Tell whether another theorem about the same target makes this answer superfluous.

    It does if each condition under which this answer is proved implies a condition of that theorem; for an answer that
    is not proved, the positions that it is about count. place: the answer's index in ``others``. Of two theorems with
    the same condition, the first one is kept.
    """
    extent = proved_regions(answer) or [terms_of(answer.where)]
    return any(
        all(
            any(whole < part or (whole == part and number < place) for whole in proved_regions(other))
            for part in extent
        )
        for number, other in enumerate(others)
        if other.target == answer.target and other is not answer and other.engines != (ROWS,)
    )


def _claimed_answers(
    every: Sequence[Finding], study: StudyRecord, answered: Collection[Target]
) -> list[Finding]:
    """Return the proved claims that answer questions of the study, for all parameters or for some of them.

    answered: the targets for which engines found answers.
    """
    parameters = {name for setting in study.settings for name in setting}
    left = {*study.targets} - {*answered}
    claims = [claim for claim in every if claim.claimed and claim.target in left and gives_values(claim)]
    return [
        claim
        for claim in claims
        if claim.status == "proved"
        and not claim.values
        and any(all(free_names(term) <= parameters for term in region) for region in proved_regions(claim))
    ]


def _open_questions(
    catalogue: Catalogue, from_engines: Sequence[Finding], theorems: Sequence[Finding]
) -> Iterator[Mapping[str, Any]]:
    """Yield each target without a correct formula: with the closest formula, and the engines that ran."""
    (study,) = catalogue.studies
    for target in study.targets:
        engines = [run for run in catalogue.runs if run.target == target]
        answered = [theorem for theorem in theorems if theorem.target == target]
        if not engines or not unanswered_settings(study, target, from_engines):
            continue
        if any(
            record.claimed and answers_question(record, replace(study, each=False)) for record in answered
        ):
            continue
        near = closest(study, target, (answer for answer in from_engines if answer.partial))
        is_close = near is not None and near.share >= _CLOSE and near.size <= _READABLE
        names = list(dict.fromkeys(run.engine for run in engines))
        alone = unanswered_settings(replace(study, each=True), target, from_engines)
        yield {
            "target": target,
            "answered": bool(answered),
            "closest": near if is_close else None,
            "notes": engines[0].notes[:1],
            "engines": names,
            "without": alone if len(engines) > len(names) else None,
        }
