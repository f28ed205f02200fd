"""Answers to questions about games: each formula once, with every engine and study that found it, the best first.

A *question* asks for a formula for one target of a game, at the positions and parameters that fulfil a condition. Two
findings are one answer if they are the same statement, or if both are proved for the same positions and parameters:
both then equal the target there, and so each other. Every output that lists or counts findings, or picks the best one,
uses this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeGuard, TypeVar

from grundylab.discover.plainness import reading_effort
from grundylab.findings.attempts import ProofRecord
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.claim_relations import relation_word
from grundylab.findings.records import (
    RIGHT,
    ClaimRecord,
    Finding,
    Formula,
    JudgedStatement,
    RelationWord,
    Status,
    StudyRecord,
)
from grundylab.findings.study_questions import answers_settings, gives_values, is_within, terms_of
from grundylab.findings.wording import is_partly_proved, status_rank, status_tally
from grundylab.games.model import Target
from grundylab.games.specialise import fixed_values
from grundylab.language.syntax import TRUE, free_names

R = TypeVar("R", bound=Finding, covariant=True)
# If several studies judged a statement, its status is the first of these that a study gave it: a proof for some
# parameters remains true whatever is found for others, whereas a counterexample overrides ``holds``.
_DECIDING: tuple[Status, ...] = ("proved", "refuted", "partial", "holds", "undecided")


@dataclass(frozen=True, kw_only=True)
class Answer(Generic[R]):
    """A formula for a target of a game, with everything that the studies know about it.

    record: the best wording, with the proofs, counterexamples and tables of all its records and every engine that found
    it. It is a claim's record only if no engine found the formula. others: the engines' other wordings, each proved
    equivalent. claims: the rulesets' claims that are the same answer. studies: those that found or judged it. right_in:
    those whose engines found it and in which it is right.
    """

    record: R
    others: tuple[Formula, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    studies: tuple[str, ...] = ()
    right_in: tuple[str, ...] = ()

    @property
    def open(self) -> str | None:
        """The reason why no answer was known, if it answers a study's question that was open."""
        every: tuple[Finding, ...] = (self.record, *self.others, *self.claims) if self.right else ()
        return next((each.open for each in every if each.open), None)

    @property
    def relation(self) -> RelationWord | None:
        """Its relation to the statements on record; None if it has none, or is not right."""
        return relation_word(self.record)

    @property
    def right(self) -> bool:
        """True if the formula is proved, or right at every position that was checked."""
        return self.record.status in RIGHT

    @property
    def engines(self) -> tuple[str, ...]:
        """The engines that found the formula in any wording; empty for a formula that is only claimed."""
        every = (self.record, *self.others)
        return tuple(
            dict.fromkeys(name for each in every if isinstance(each, Formula) for name in each.finders)
        )


AnyAnswer = Answer[Finding]


def answers(catalogue: Catalogue) -> list[AnyAnswer]:
    """Return all answers, grouped by ruleset and target, the best of each group first.

    Right answers come before the others. Within each of these two parts, answers about all positions and parameters
    come first, then those about some parameters, then those about some positions, then those that are proved for
    finitely many positions only. ``answer_order`` breaks ties.
    """
    parameters: dict[str, set[str]] = {}
    for study in catalogue.studies:
        parameters.setdefault(study.ruleset, set()).update(*study.settings)
    found = [_answer(alike) for alike in _groups(catalogue.findings, _names)]
    places = list(dict.fromkeys(each.ruleset for each in catalogue.findings))
    targets = list(dict.fromkeys(each.target for each in catalogue.findings))

    def place(answer: AnyAnswer) -> tuple[Any, ...]:
        record = answer.record
        names = frozenset[str]().union(*map(free_names, terms_of(record.where)))
        # 0: about all positions and parameters; 1: about some parameters; 2: about some positions; 3: about few
        narrow = 2 if names - parameters.get(record.ruleset, set()) else int(bool(names))
        if names and record.finite is not None:
            narrow = 3
        question = (places.index(record.ruleset), targets.index(record.target))
        return (*question, not answer.right, narrow, answer_order(record))

    return sorted(found, key=place)


def formula_answers(found: Iterable[AnyAnswer]) -> list[Answer[Formula]]:
    """Return the answers that an engine found."""
    return [answer for answer in found if _is_found(answer)]


def _is_found(answer: AnyAnswer) -> TypeGuard[Answer[Formula]]:
    return isinstance(answer.record, Formula)


def best_answer(found: Iterable[AnyAnswer], ruleset: str, target: Target) -> AnyAnswer | None:
    """Return the first right answer for this target of the game; None if there is none. found: answers, best first."""
    mine = (each for each in found if (each.record.ruleset, each.record.target) == (ruleset, target))
    return next((each for each in mine if each.right), None)


def answer_order(record: JudgedStatement) -> tuple[Any, ...]:
    """Return a sort key that puts the best record first.

    Records that are proved for all positions and parameters that they are about come first, then those proved for some,
    then those that hold. Among equals the order is: formulas of engines before claims, formulas without lookups before
    those with them, formulas as found before repaired ones, higher training shares, lower shares of wrong positions,
    and simpler wordings.
    """
    found = record if isinstance(record, Formula) else None
    return (
        status_rank(record.status),
        not (record.proved or record.complete),
        is_partly_proved(record),
        found is None,
        found is not None and bool(found.values),
        found is not None and found.repaired,
        -found.share if found else 0,
        record.wrong / record.checked if record.checked else 0,
        *reading_effort(record.formula),
    )


def tallies(catalogue: Catalogue) -> dict[str, dict[Status, int]]:
    """Return the numbers of formulas, claims and rows of each status; each formula counts once."""
    return {
        "formulas": status_tally(answer.record.status for answer in formula_answers(answers(catalogue))),
        "claims": status_tally(claim.status for claim in catalogue.claims),
        "rows": status_tally(row.status for row in catalogue.rows),
    }


def unanswered_settings(
    study: StudyRecord, target: Target, found: Iterable[AnyAnswer]
) -> list[Mapping[str, int]]:
    """Return the parameter settings for which no engine found an answer that is right at all positions of the study.

    A study that learns from all settings together has one setting, the empty one. found: the answers for its game.
    """
    right = [
        answer.record
        for answer in formula_answers(found)
        if answer.right and study.study in answer.right_in and answer.record.target == target
    ]
    if study.each:
        return [
            setting
            for setting in study.settings
            if not any(answers_settings(record, study, [setting]) for record in right)
        ]
    return [] if any(answers_settings(record, study, study.settings) for record in right) else [{}]


def best_answers(study: StudyRecord, target: Target, found: Iterable[AnyAnswer]) -> Iterator[Answer[Formula]]:
    """Yield the best answer of a study's engines that is right in the study, or none if none is right.

    If the study learnt from each setting of the parameters alone, yield the best one for each setting. found: the
    answers, the best first. Formulas of single rows are left out, unless an engine found them, too.
    """
    question, engines = (study.ruleset, target), {*study.engines.get(target, ())}
    right = [
        answer
        for answer in formula_answers(found)
        if answer.right
        and study.study in answer.right_in
        and (answer.record.ruleset, answer.record.target) == question
        and engines & {*answer.engines}
    ]
    for setting in study.settings if study.each else ({},):
        of_setting = [a for a in right if fixed_values(a.record.where, tuple(setting)) == setting]
        yield from of_setting[:1]


def news(catalogue: Catalogue, found: Sequence[AnyAnswer]) -> list[AnyAnswer]:
    """Return the answers that are not known: they do not only rediscover the statements on record.

    These are the best answers to the questions of the studies, and the right claims that are marked ``unpublished``;
    not a claim of which one of these answers says everything. Every output that lists what is new takes it from here.
    found: all answers, the best first.
    """
    best = {
        id(answer): answer
        for study in catalogue.studies
        for target in study.targets
        for answer in best_answers(study, target, found)
        if answer.relation not in (None, "rediscovers")
    }
    said = {id(claim) for answer in best.values() for claim in answer.claims}
    claims = [
        Answer(record=claim, claims=(claim,), studies=(claim.study,))
        for claim in catalogue.claims
        if relation_word(claim) == "new"
        and id(claim) not in said
        and not any(is_within(claim, answer.record) for answer in best.values())
    ]
    return [*best.values(), *claims]


def further_refuted(found: Iterable[Answer[Formula]]) -> list[Answer[Formula]]:
    """Return the refuted answers of which a list need not show the details: their engines have a better one refuted.

    A better one is about the same question. A formula that is proved for some parameters is never left out. found: the
    answers, the best first.
    """
    shown, further = set[object](), list[Answer[Formula]]()
    for answer in found:
        record = answer.record
        if record.status != "refuted" or record.proved:
            continue
        finders = {(record.ruleset, record.target, record.where, engine) for engine in answer.engines}
        if finders <= shown:
            further.append(answer)
        shown |= finders
    return further


# -- grouping of findings ---------------------------------------------------------------------------------------------


def _statements(finding: Finding) -> Iterator[object]:
    """Yield keys of a finding's statement; two findings that share a key state the same."""
    if finding.key:
        yield finding.ruleset, finding.key
    if isinstance(finding, Formula):  # the formula that the period of a row gives has no key
        yield finding.ruleset, finding.target, finding.formula, finding.where, tuple(finding.values.items())


def _names(finding: Finding) -> Iterator[object]:
    """Yield keys of the answer that a finding is; two findings that share a key are one answer.

    These are the keys of its statement. A finding that is proved to give the target's value has one key more: the
    ruleset, the target, and the condition and extent under which it is proved.
    """
    yield from _statements(finding)
    named = finding.extents and not any(one.states is not None for one in finding.extents)
    if named and finding.status == "proved" and gives_values(finding):
        whole = any(one.whole for one in finding.extents)
        reach = TRUE if whole else frozenset(one.condition for one in finding.extents)
        yield finding.ruleset, finding.target, terms_of(finding.where), reach


def _groups(records: Iterable[Finding], names: Callable[[Finding], Iterable[object]]) -> list[list[Finding]]:
    """Return the records in groups. names: returns the keys of a record.

    Two records are in one group if they share a key, or if a chain of records links them, each sharing a key with the
    next.
    """
    found: list[tuple[set[object], list[Finding]]] = []
    for record in records:
        known, alike, others = {*names(record)}, list[Finding](), []
        own = frozenset(known)
        for group in found:
            if own.isdisjoint(group[0]):
                others.append(group)
            else:
                known |= group[0]
                alike += group[1]
        found = [*others, (known, [*alike, record])]
    return [alike for _, alike in found]


def _answer(alike: Sequence[Finding]) -> AnyAnswer:
    wordings = sorted(map(_combined, _groups(alike, _statements)), key=answer_order)
    found = [each for each in wordings if isinstance(each, Formula)]
    return Answer(
        record=found[0] if found else wordings[0],
        others=tuple(found[1:]),
        claims=tuple(each for each in alike if isinstance(each, ClaimRecord)),
        studies=tuple(dict.fromkeys(each.study for each in alike)),
        right_in=tuple(dict.fromkeys(e.study for e in alike if isinstance(e, Formula) and e.status in RIGHT)),
    )


def _combined(records: Sequence[Finding]) -> Finding:
    """Return one record with the evidence of all records of a statement; it is a Formula if an engine found it."""
    found = [each for each in records if isinstance(each, Formula)]
    first = min(found or records, key=lambda each: (_DECIDING.index(each.status), answer_order(each)))
    if len(records) == 1:
        return first
    every = [first, *(each for each in records if each is not first)]
    proofs: list[ProofRecord] = []
    proofs += (proof for each in every for proof in each.proofs if proof not in proofs)
    tables = {check.instance: check for each in reversed(every) for check in each.instances}
    part = first.status == "proved" and not any(one.whole for one in first.extents)
    known: dict[str, Any] = {
        "proofs": tuple(proofs),
        "counterexample": None if part else next((e.counterexample for e in every if e.counterexample), None),
        "instances": tuple(tables.values()),
        "checked": sum(check.checked for check in tables.values()) if first.instances else first.checked,
    }
    if isinstance(first, Formula):
        known["engines"] = tuple(dict.fromkeys(name for each in found for name in each.finders))
        known["open"] = next((each.open for each in found if each.open), None)
        known["relation"] = next((each.relation for each in (first, *found) if each.relation), None)
    return replace(first, **known)
