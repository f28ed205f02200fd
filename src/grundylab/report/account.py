"""An account of one game in plain text: theorems, formulas that hold in tables, refuted ones, open questions.

A formula that several engines found is listed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from grundylab.findings.answers import Answer, answers, formula_answers, unanswered_settings
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.finding import Finding
from grundylab.findings.joining import is_joined
from grundylab.findings.proofs import Status
from grundylab.findings.relation import relation_text
from grundylab.findings.rows import Row
from grundylab.findings.study_questions import proved_regions, terms_of
from grundylab.findings.wording import (
    assignment_text,
    checked_positions_text,
    counterexample_words,
    equivalent_wordings,
    headline,
    is_partly_proved,
    learnt_text,
    proof_words,
    row_words,
    share_text,
    status_details,
    training_text,
    words_text,
)
from grundylab.games.instance import instance_labels
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, Accepts

ROWS = "rows"  # the engine that finds formulas of single rows
TARGETS = {P_POSITIONS: "P-positions", GRUNDY: "Grundy numbers"}
_MOST_ENTRIES = 12  # entries of one section; the others are counted
_CLOSE = 0.9  # a target without an answer shows its closest formula if that describes at least this share,
_READABLE = 20  # and has at most this many nodes
_HEADINGS: dict[Status, str] = {
    "holds": "Right at every position checked, and not proved",
    "refuted": "Right in small tables, and wrong in larger ones",
    "undecided": "Undecided",
}


def account(
    catalogue: Catalogue, doing: str = "", failed: Sequence[str] = (), notes: Sequence[str] = ()
) -> str:
    """Return the account, as text, of a catalogue with exactly one study.

    doing: the step during which the study was interrupted; empty if it was not. failed: the steps that failed, each
    with its reason. notes: remarks on unusual rules of the game.
    """
    (study,) = catalogue.studies
    lines = [f"{study.ruleset}: {study.title}", *(f"note: {note}" for note in notes)]
    labels = {label for finding in catalogue.statements for label in finding.test.instances}
    tables = [label for label in study.test if label in labels]
    beyond = f"; checked on tables with {instance_labels(tables)}" if tables else ""
    if catalogue.runs:
        first = next((each.learnt[:1] for each in catalogue.runs if each.learnt), ())
        learnt = learnt_text(first) or f"trained on {instance_labels(study.training)}"
        lines.append(f"{learnt}{beyond}")
    if doing:
        lines.append(f"interrupted while {doing}: what follows is what was known then")
    found = formula_answers(answers(catalogue))
    names = tuple(dict.fromkeys(name for setting in study.settings for name in setting))
    shown = [
        each
        for place, each in enumerate(found)
        if not _is_covered(each, found, place)
        and not is_joined(each.record, (other.record for other in found), names)
    ]
    proved = [each for each in shown if each.record.proved]
    proved.sort(
        key=lambda each: each.record.finite is not None
    )  # theorems about finitely many positions come last
    lines += _section("Theorems", map(_formula, proved))
    for status, head in _HEADINGS.items():
        entries = [each for each in shown if each.record.status == status and not each.record.proved]
        lines += _section(head, map(_formula, entries))
    lines += _section(
        "Periods", [_row(row) for row in catalogue.rows if row.status != "proved" or not row.size]
    )
    lines += _section("Not found", _open_questions(catalogue, found), most=None)
    targets = {each.target for each in catalogue.runs}
    lines += _section(
        "Search not completed",
        ([TARGETS.get(each, str(each))] for each in study.targets if each not in targets),
    )
    lines += _section("Not done", ([each] for each in failed))
    lines += _section("What the ruleset states", map(_claim, catalogue.claims), most=None)
    return "\n".join(lines)


def _section(head: str, entries: Iterable[Sequence[str]], most: int | None = _MOST_ENTRIES) -> list[str]:
    """Return the lines of a section: an empty one, the heading, and the entries' lines, indented.

    Returns no lines if there are no entries. Entries beyond the first ``most`` are only counted.
    """
    every = list(entries)
    shown = every[:most]
    lines = [line for entry in shown for line in entry]
    if len(shown) < len(every):
        lines.append(f"… and {len(every) - len(shown):,} more, which the full record has")
    return ["", f"{head}:", *(f"  {line}" for line in lines)] if lines else []


def _is_covered(answer: Answer, found: Sequence[Answer], place: int) -> bool:
    """Tell whether another theorem about the same target makes this answer superfluous.

    It does if each condition under which this answer is proved implies a condition of that theorem; for an answer that
    is not proved, the positions that it is about count. place: the answer's index in ``found``. Of two theorems with
    the same condition, the first one is kept.
    """
    extent = proved_regions(answer.record) or [terms_of(answer.record.where)]
    return any(
        all(
            any(whole < part or (whole == part and number < place) for whole in proved_regions(each.record))
            for part in extent
        )
        for number, each in enumerate(found)
        if each.record.target == answer.record.target and each is not answer and each.engines != (ROWS,)
    )


def _formula(answer: Answer) -> list[str]:
    found = answer.record
    where = f" where {found.where}" if found.where != TRUE else ""
    head = headline(found)
    lines = [
        f"{TARGETS.get(found.target, str(found.target))}: {words_text(head)}{where}",
        f"    {_verdict_text(found)}",
    ]
    others = [words for words in equivalent_wordings(found) if words != head]
    lines += [f"    the same in other words: {words_text(words)}" for words in others]
    if head != (found.formula,):
        lines.append(f"    the same as {_kind(found.formula)}: {found.formula}")
    lines += [f"    also proved, hence equivalent: {each.formula}" for each in answer.others]
    if (
        found.proved
        and found.origin.engine != ROWS
        and (found.status == "refuted" or is_partly_proved(found))
    ):
        lines.append(f"    {_other_parameters(found)}")
    if found.relation is not None and (found.relation.to or found.relation.compared):
        lines.append(f"    {relation_text(found.relation)}")
    for name, game in found.values.items():
        lines.append(f"    {name}: the Grundy numbers of {game} game")
    if found.origin.learnt[1:]:
        lines.append(f"    {training_text(found)}")
    return lines + [f"    {line}" for line in _proof(found)]


def _kind(formula: Expr) -> str:
    return "an automaton" if isinstance(formula, Accepts) else "a formula"


def _other_parameters(found: Finding) -> str:
    """Return a text on the parameters that the proof does not cover: a counterexample, or how far it was checked."""
    if found.counterexample is not None:
        return f"not for all: wrong at {counterexample_words(found)}"
    return f"not proved for all parameters, and right {checked_positions_text(found)}"


def _verdict_text(found: Finding) -> str:
    """Return the verdict: for which parameters, and by which procedures, the formula is proved.

    Of a formula without a proof, return how far it holds, or what refutes it.
    """
    return (
        f"proved {words_text(proof_words(found, named=True))}"
        if found.proved
        else words_text(status_details(found))
    )


def _proof(found: Finding) -> list[str]:
    """Return a line for each file of a proof; without a proof, a line with the reason if one is known."""
    if found.proved:
        return [f"proof: {proof.proof}" for proof in found.proved if proof.proof]
    return [f"not proved: {proof.reason}" for proof in found.proofs[:1] if proof.reason]


def _row(row: Row) -> list[str]:
    where = f"{assignment_text(row.parameters)}: " if row.parameters else ""
    proof = f" ({row.proof})" if row.proof else ""
    return [f"{TARGETS[row.target]}: {where}{row.status}: {row_words(row)}{proof}"]


def _claim(claim: Finding) -> list[str]:
    lines = [f"{claim.status:<9} {claim.source.claim}: {words_text(status_details(claim))}"]
    if claim.correction is not None:
        lines.append(f"          instead: {claim.correction.source.text} ({claim.correction.status})")
    return lines


def _open_questions(catalogue: Catalogue, found: Sequence[Answer]) -> Iterator[list[str]]:
    """Yield, for each target without a correct formula, lines with the closest formula and the engines that ran."""
    (study,) = catalogue.studies
    for target in study.targets:
        engines = [each for each in catalogue.runs if each.target == target]
        if not engines or not unanswered_settings(study, target, found):
            continue
        lines = [f"{TARGETS.get(target, str(target))}: no formula that is right everywhere"]
        partial = [each.record for each in found if each.record.target == target and each.record.partial]
        closest = max(partial, key=lambda record: record.share, default=None)
        if closest is not None and closest.share >= _CLOSE and closest.size <= _READABLE:
            lines.append(f"    closest: {closest.formula} ({share_text(closest)})")
        lines += [f"    {note}" for each in engines[:1] for note in each.notes[:1]]
        names = list(dict.fromkeys(each.engine for each in engines))
        lines.append(
            f"    engines: {', '.join(names)}; a larger budget may find more, and the full record has what each says"
        )
        if len(engines) > len(names):
            without = [
                assignment_text(setting)
                for setting in unanswered_settings(replace(study, each=True), target, found)
            ]
            lines.append(
                f"    nor is one found for {', nor for '.join(without)} alone"
                if without
                else "    for each setting of the parameters alone there is one above"
            )
        yield lines
