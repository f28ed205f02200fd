"""The results of a study's steps: the runs of its engines and its findings, which each step extends; its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from grundylab.discover.base import EngineRun
from grundylab.findings.rows import Row
from grundylab.findings.winning import Winning
from grundylab.games.fields import ConditionField, TargetField
from grundylab.records.finding import Finding, Numbers, distinct
from grundylab.records.proofs import Texts


@dataclass(frozen=True, kw_only=True)
class Results:
    """The results of a study so far; a step returns them with more in them, and writes them to a file.

    findings: every formula of every engine, then the claims of the ruleset. rows: rows of positions, with their
    periods. winning: the strategy, if one was found.
    """

    runs: tuple[EngineRun, ...] = ()
    findings: tuple[Finding, ...] = ()
    rows: tuple[Row, ...] = ()
    winning: tuple[Winning, ...] = ()

    @cached_property
    def formulas(self) -> list[Finding]:
        """The formulas that engines found, the first of each statement."""
        return distinct(self.findings)

    @cached_property
    def claims(self) -> list[Finding]:
        """The claims of the ruleset."""
        return [finding for finding in self.findings if finding.claimed]

    def __add__(self, other: Results) -> Results:
        """Return the results of both."""
        return Results(
            runs=(*self.runs, *other.runs),
            findings=(*self.findings, *other.findings),
            rows=(*self.rows, *other.rows),
            winning=(*self.winning, *other.winning),
        )


NOTHING = Results()


@dataclass(frozen=True, kw_only=True)
class StudyRecord:
    """The settings of a study.

    training, validation, test: the labels of the instances. ask: whether every engine is asked, or only until one has
    an answer. settings: the combinations of parameter values. each: whether the engines learnt from each combination
    alone. open: why no formula was known before. rulesets: the SHA-256 of each ruleset file that its verdicts depend
    on. notes: what readers of the results must know.
    """

    study: str
    ruleset: str
    title: str
    where: ConditionField
    targets: tuple[TargetField, ...]
    training: Texts
    validation: Texts
    test: Texts
    ask: str
    engines: Mapping[TargetField, Texts]
    each: bool
    settings: tuple[Numbers, ...]
    open: str | None
    rulesets: Mapping[str, str]
    seed: int
    notes: Texts = ()
