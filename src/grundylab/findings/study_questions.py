"""The questions of studies: where a finding is right, and whether it is right on everything that a study asks."""

from __future__ import annotations

from collections.abc import Iterable

from grundylab.errors import GrundylabError
from grundylab.findings.results import StudyRecord
from grundylab.games.model import ALWAYS
from grundylab.language import Expr
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, conjuncts, free_names
from grundylab.records.finding import Finding, Numbers
from grundylab.records.proofs import RIGHT

Terms = frozenset[Expr]
# the kinds of claims that give the target's value at every position that fulfils ``where``
_ABOUT_VALUES = ("formula", "positions")


def terms_of(where: Expr) -> Terms:
    """Return the conditions that ``where`` connects by ``and``; none for TRUE."""
    return frozenset(conjuncts(where)) - {TRUE}


def proved_regions(record: Finding) -> list[Terms]:
    """Return the conditions under which the record is proved, each as the set of its terms.

    Conditions that only an automaton describes are left out.
    """
    return [
        terms_of(record.where) | terms_of(extent.condition)
        for extent in record.extents
        if record.proved and extent.states is None
    ]


def gives_values(record: Finding) -> bool:
    """Tell whether the record gives the target's value at every position and parameter that fulfils its condition."""
    return record.target != ALWAYS and (record.found or record.source.kind in _ABOUT_VALUES)


def is_within(record: Finding, other: Finding) -> bool:
    """Tell whether the other record is proved wherever this one is, so that it says there what this one says."""
    question = (record.ruleset, record.target)
    if question != (other.ruleset, other.target) or not (gives_values(record) and gives_values(other)):
        return False
    regions, others = proved_regions(record), proved_regions(other)
    return bool(regions) and all(any(own <= region for own in others) for region in regions)


def answers_settings(record: Finding, study: StudyRecord, settings: Iterable[Numbers]) -> bool:
    """Tell whether the record is about all positions that the study asks about, for all these parameter settings."""
    return all(_covers([terms_of(record.where)], study, setting) for setting in settings)


def answers_question(record: Finding, study: StudyRecord) -> bool:
    """Tell whether the record is right on what the study asks: found or judged by the study, or proved there.

    It is about all positions that the study asks about, for each setting of the parameters; for one setting, if the
    study learnt from each of them alone. A claim need not be judged in the study, but then it must be proved for these.
    """
    if record.status not in RIGHT or record.target not in study.targets or not gives_values(record):
        return False
    if record.study == study.study:
        regions = [terms_of(record.where)]
    elif record.claimed and record.ruleset == study.ruleset:
        regions = proved_regions(record)
    else:
        return False
    answered = [_covers(regions, study, setting) for setting in study.settings]
    return any(answered) if study.each else all(answered)


def _covers(regions: Iterable[Terms], study: StudyRecord, setting: Numbers) -> bool:
    """Tell whether one of the regions contains all positions that the study asks about at this setting."""
    asked = terms_of(study.where)
    return any(all(_is_true(term, setting) for term in region - asked) for region in regions)


def is_proved_at(record: Finding, setting: Numbers) -> bool:
    """Tell whether the record is proved for these values of the parameters, at all positions that it is about."""
    return any(
        extent.states is None and all(_is_true(term, setting) for term in terms_of(extent.condition))
        for extent in record.extents
    )


def is_right_at(record: Finding, setting: Numbers) -> bool:
    """Tell whether a right record is about these values of the parameters and, if it is proved, proved for them."""
    about = (term for term in terms_of(record.where) if {*free_names(term)} <= {*setting})
    return all(_is_true(term, setting) for term in about) and (
        not record.extents or is_proved_at(record, setting)
    )


def _is_true(term: Expr, setting: Numbers) -> bool:
    """Tell whether a condition on the parameters is true at the setting; False for one on the position."""
    if not {*free_names(term)} <= {*setting}:
        return False
    try:
        return bool(evaluate(term, setting))
    except GrundylabError:  # a function of the ruleset, or no value
        return False
