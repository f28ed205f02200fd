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

from grundylab.catalogue.attempts import ProofRecord
from grundylab.catalogue.catalogue import Catalogue
from grundylab.catalogue.records import ClaimRecord, Finding, Formula, JudgedStatement, Status, StudyRecord
from grundylab.catalogue.wording import is_partly_proved, status_rank, status_tally
from grundylab.discover.plainness import reading_effort
from grundylab.games.model import ALWAYS, Target
from grundylab.language import Expr
from grundylab.language.syntax import TRUE, conjuncts, equalities, free_names

R = TypeVar("R", bound=Finding, covariant=True)
RIGHT: tuple[Status, ...] = ("proved", "holds")
# If several studies judged a statement, its status is the first of these that a study gave it: a proof for some
# parameters remains true whatever is found for others, whereas a counterexample overrides ``holds``.
_DECIDING: tuple[Status, ...] = ("proved", "refuted", "partial", "holds", "undecided")
_ABOUT_VALUES = (
    "formula",
    "positions",
)  # kinds of claims that give the target's value at every position that fulfils ``where``


@dataclass(frozen=True, kw_only=True)
class Answer(Generic[R]):
    """A formula for a target of a game, with everything that the studies know about it.

    record: the best wording, with the proofs, counterexamples and tables of all its records and every engine that found
    it. It is a claim's record only if no engine found the formula. others: the engines' other wordings, each proved
    equivalent. claims: the rulesets' claims that are the same answer. studies: those that found or judged it.
    """

    record: R
    others: tuple[Formula, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    studies: tuple[str, ...] = ()

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
    come first, then those about some parameters, then those about some positions. ``answer_order`` breaks ties.
    """
    parameters: dict[str, set[str]] = {}
    for study in catalogue.studies:
        parameters.setdefault(study.ruleset, set()).update(*study.settings)
    found = [_answer(alike) for alike in _groups(catalogue.findings, _names)]
    places = list(dict.fromkeys(each.ruleset for each in catalogue.findings))
    targets = list(dict.fromkeys(each.target for each in catalogue.findings))

    def place(answer: AnyAnswer) -> tuple[Any, ...]:
        record = answer.record
        names = frozenset[str]().union(*map(free_names, _terms(record.where)))
        # 0: about all positions and parameters; 1: about some parameters; 2: about some positions
        narrow = 2 if names - parameters.get(record.ruleset, set()) else int(bool(names))
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
    those with them, formulas as found before repaired ones, higher training shares, and simpler wordings.
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
        _terms(each.record.where)
        for each in formula_answers(found)
        if each.right and each.record.target == target
    ]
    whole = _terms(study.where)
    if whole in right:
        return []
    settings = study.settings if study.each else ({},)
    return [each for each in settings if whole | {*conjuncts(equalities(each.items()))} - {TRUE} not in right]


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
    about = finding.target != ALWAYS and getattr(finding, "kind", "formula") in _ABOUT_VALUES
    if about and finding.status == "proved" and not any(one.states is not None for one in finding.extents):
        whole = any(one.whole for one in finding.extents)
        reach = TRUE if whole else frozenset(one.condition for one in finding.extents)
        if finding.extents:
            yield finding.ruleset, finding.target, _terms(finding.where), reach


def _terms(where: Expr) -> frozenset[Expr]:
    return frozenset(conjuncts(where)) - {TRUE}


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
