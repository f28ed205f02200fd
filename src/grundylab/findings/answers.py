"""Answers to questions about games: each formula once, with every engine and study that found it, the best first.

A *question* asks for a formula for one target of a game, at the positions and parameters that fulfil a condition. Two
findings are one answer if they are the same statement, or if both are proved for the same positions and parameters:
both then equal the target there, and so each other. An answer is a finding: the best wording, with the proofs,
counterexamples and tables of all findings of its statement; it is a claim only if no engine found the formula. Every
output that lists or counts findings, or picks the best one, uses this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from grundylab.discover.plainness import reading_effort
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.results import StudyRecord
from grundylab.findings.rows import ROWS
from grundylab.findings.study_questions import answers_settings, gives_values, is_within, terms_of
from grundylab.findings.wording import is_new, is_partly_proved, relation_word, status_rank, status_tally
from grundylab.games.model import Target
from grundylab.games.specialise import fixed_values
from grundylab.language.syntax import TRUE, free_names
from grundylab.records.finding import Finding
from grundylab.records.proofs import ProofRecord, Status

# If several studies judged a statement, its status is the first of these that a study gave it: a proof for some
# parameters remains true whatever is found for others, whereas a counterexample overrides ``holds``.
_DECIDING: tuple[Status, ...] = ("proved", "refuted", "partial", "holds", "undecided")


def answers(catalogue: Catalogue) -> list[Finding]:
    """Return all answers, grouped by ruleset and target, the best of each group first.

    Right answers come before the others. Within each of these two parts, answers about all positions and parameters
    come first, then those about some parameters, then those about one setting of these, then those about some
    positions, then those that are proved for finitely many positions only. ``answer_order`` breaks ties.
    """
    parameters: dict[str, set[str]] = {}
    for study in catalogue.studies:
        parameters.setdefault(study.ruleset, set()).update(*study.settings)
    every = [finding for finding in catalogue.findings if not finding.is_reference]
    ordered = list[Finding]()
    for alike in _groups(every, _names):
        wordings = sorted(map(_combined, _groups(alike, attrgetter("keys"))), key=answer_order)
        best, *others = [wording for wording in wordings if wording.found] or wordings[:1]
        reasons = (f.open for f in (best, *others, *(f for f in alike if f.claimed)) if best.right and f.open)
        reason = next(reasons, None)
        ordered.append(replace(best, alike=tuple(alike), others=tuple(others), open=reason))
    places = list(dict.fromkeys(answer.ruleset for answer in every))
    targets = list(dict.fromkeys(answer.target for answer in every))

    def place(answer: Finding) -> tuple[Any, ...]:
        names = frozenset[str]().union(*map(free_names, terms_of(answer.where)))
        own = parameters.get(answer.ruleset, set())
        single = len(fixed_values(answer.where, tuple(own))) == len(own)
        # 0: about all positions and parameters; 1: about some parameters; 2: about one setting; 3: about some positions
        narrow = 3 if names - own else 0 if not names else 2 if single else 1
        if names and answer.finite is not None:
            narrow = 4
        question = (places.index(answer.ruleset), targets.index(answer.target))
        return (*question, not answer.right, narrow, answer_order(answer))

    return sorted(ordered, key=place)


def formula_answers(every: Iterable[Finding]) -> list[Finding]:
    """Return the answers that an engine found."""
    return [answer for answer in every if answer.found]


def best_answer(ranked: Iterable[Finding], ruleset: str, target: Target) -> Finding | None:
    """Return the first right answer for this target of the game; None if there is none. ranked: answers, best first."""
    mine = (answer for answer in ranked if (answer.ruleset, answer.target) == (ruleset, target))
    return next((answer for answer in mine if answer.right), None)


def answer_order(record: Finding) -> tuple[Any, ...]:
    """Return a sort key that puts the best record first.

    Records that are proved for all positions and parameters that they are about come first, then those proved for some,
    then those that hold. Among equals the order is: formulas of engines before claims, formulas without lookups before
    those with them, formulas as found before repaired ones, higher training shares, lower shares of wrong positions,
    and simpler wordings.
    """
    return (
        status_rank(record.status),
        not (record.proved or record.complete),
        is_partly_proved(record),
        not record.found,
        record.found and bool(record.values),
        record.origin.derived,
        -record.share if record.found else 0,
        record.test.wrong / record.test.checked if record.test.checked else 0,
        *reading_effort(record.formula),
    )


def tallies(catalogue: Catalogue) -> dict[str, dict[Status, int]]:
    """Return the numbers of formulas, claims and rows of each status; each formula counts once."""
    return {
        "formulas": status_tally(answer.status for answer in formula_answers(answers(catalogue))),
        "claims": status_tally(claim.status for claim in catalogue.claims),
        "rows": status_tally(row.status for row in catalogue.rows),
    }


def unanswered_settings(
    study: StudyRecord, target: Target, ranked: Iterable[Finding]
) -> list[Mapping[str, int]]:
    """Return the parameter settings for which no engine found an answer that is right at all positions of the study.

    A study that learns from all settings together has one setting, the empty one. ranked: the answers for its game.
    """
    right = [
        answer
        for answer in formula_answers(ranked)
        if answer.right and study.study in answer.right_in and answer.target == target
    ]
    if study.each:
        return [
            setting
            for setting in study.settings
            if not any(answers_settings(record, study, [setting]) for record in right)
        ]
    return [] if any(answers_settings(record, study, study.settings) for record in right) else [{}]


def best_answers(study: StudyRecord, target: Target, ranked: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the best answer of a study's engines that is right in the study, or none if none is right.

    If the study learnt from each setting of the parameters alone, yield the best one for each setting, but each once.
    ranked: the answers, the best first. Formulas of single rows are left out, unless an engine found them, too.
    """
    found = _by_engines(study, target, ranked)
    right = [answer for answer in found if answer.right and study.study in answer.right_in]
    if not study.each:
        yield from right[:1]
        return
    best = (
        next((answer for answer in right if answers_settings(answer, study, [setting])), None)
        for setting in study.settings
    )
    yield from {id(answer): answer for answer in best if answer is not None}.values()


def closest(study: StudyRecord, target: Target, ranked: Iterable[Finding]) -> Finding | None:
    """Return the best of the formulas of a study's engines that are not right; None if they found none.

    It is about all positions that the study asks about or, if the study learnt from each setting of the parameters
    alone, about one setting. ranked: the answers, the best first.
    """
    wrong = (
        answer
        for answer in _by_engines(study, target, ranked)
        if not answer.right and study.study in answer.studies and (study.each or answer.where == study.where)
    )
    return next(wrong, None)


def _by_engines(study: StudyRecord, target: Target, ranked: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the answers that the study's engines found for this target of its game, in this or in another study."""
    question, engines = (study.ruleset, target), {*study.engines.get(target, ())}
    for answer in formula_answers(ranked):
        if (answer.ruleset, answer.target) == question and engines & {*answer.engines}:
            yield answer


def news(catalogue: Catalogue, ranked: Sequence[Finding]) -> list[Finding]:
    """Return the answers that are not known: they do not only rediscover the statements on record.

    These are the best answers to the questions of the studies, and the right claims that are marked ``unpublished``;
    not a claim of which one of these answers says everything. Every output that lists what is new takes it from here.
    ranked: all answers, the best first.
    """
    best = {
        id(answer): answer
        for study in catalogue.studies
        for target in study.targets
        for answer in best_answers(study, target, ranked)
        if relation_word(answer) not in (None, "rediscovers")
    }
    said = {id(finding) for answer in best.values() for finding in answer.alike}
    claims = [
        claim
        for claim in catalogue.claims
        if is_new(claim)
        and id(claim) not in said
        and not any(is_within(claim, answer) for answer in best.values())
    ]
    return [*best.values(), *claims]


def further_refuted(ranked: Iterable[Finding]) -> list[Finding]:
    """Return the refuted answers of which a list need not show the details: their engines have a better one refuted.

    A better one is about the same question. A formula that is proved for some parameters is never left out. ranked: the
    answers, the best first.
    """
    shown, further = set[object](), list[Finding]()
    for answer in ranked:
        if answer.status != "refuted" or answer.proved:
            continue
        finders = {(answer.ruleset, answer.target, answer.where, engine) for engine in answer.engines}
        if finders <= shown:
            further.append(answer)
        shown |= finders
    return further


# -- grouping of findings ---------------------------------------------------------------------------------------------


def _names(finding: Finding) -> Iterator[object]:
    """Yield keys of the answer that a finding is; two findings that share a key are one answer.

    These are the keys of its statement. A finding that is proved to give the target's value has one key more: the
    ruleset, the target, and the condition and extent under which it is proved.
    """
    yield from finding.keys
    named = finding.extents and not any(one.states is not None for one in finding.extents)
    if named and finding.status == "proved" and gives_values(finding):
        whole = any(one.whole for one in finding.extents)
        reach = TRUE if whole else frozenset(one.condition for one in finding.extents)
        yield finding.ruleset, finding.target, terms_of(finding.where), reach


def _groups(findings: Iterable[Finding], names: Callable[[Finding], Iterable[object]]) -> list[list[Finding]]:
    """Return the findings in groups, each in order; the groups in the order of their last findings.

    names: returns the keys of a finding. Two findings are in one group if they share a key, or if a chain of findings
    links them, each sharing a key with the next.
    """
    groups: dict[int, tuple[dict[object, None], list[Finding]]] = {}
    group_of: dict[object, int] = {}
    for number, finding in enumerate(findings):
        keys, alike = dict.fromkeys(names(finding)), list[Finding]()
        for group in sorted({group_of[key] for key in keys if key in group_of}):
            its_keys, members = groups.pop(group)
            keys, alike = keys | its_keys, [*alike, *members]
        group_of |= dict.fromkeys(keys, number)
        groups[number] = keys, [*alike, finding]
    return [alike for _, alike in groups.values()]


def _combined(findings: Sequence[Finding]) -> Finding:
    """Return one finding with the evidence of all findings of a statement; an engine's if an engine found it."""
    by_engines = [finding for finding in findings if finding.found]
    first = min(by_engines or findings, key=lambda f: (_DECIDING.index(f.status), answer_order(f)))
    if len(findings) == 1:
        return first
    every = [first, *(finding for finding in findings if finding is not first)]
    proofs: list[ProofRecord] = []
    proofs += (proof for finding in every for proof in finding.proofs if proof not in proofs)
    # another study may ask about other parameters, for which the statement is wrong
    right = [finding for finding in every if finding is first or not finding.test.wrong]
    # the places of a row are positions of tables, too: no position counts twice
    by_rows: dict[bool, dict[str, int]] = {False: {}, True: {}}
    for wording in reversed(right):
        by_rows[wording.origin.engine == ROWS] |= wording.test.instances
    instances = max(by_rows.values(), key=lambda counts: sum(counts.values()))
    part = first.status == "proved" and not any(one.whole for one in first.extents)
    checked = sum(instances.values()) if first.test.instances else first.test.checked
    test = replace(
        first.test,
        right=checked - first.test.wrong,
        checked=checked,
        instances=instances,
        counterexample=None if part else next((e.counterexample for e in every if e.counterexample), None),
    )
    return replace(
        first,
        tables={**first.tables, "test": test},
        proofs=tuple(proofs),
        open=next((f.open for f in by_engines if f.open), None) if first.found else first.open,
        relation=next((finding.relation for finding in (first, *by_engines) if finding.relation), None),
    )
