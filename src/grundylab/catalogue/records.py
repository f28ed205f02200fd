"""What is known, as records: frozen dataclasses, which JSON has as they stand, with texts for expressions and targets.

What follows from the other fields of a record (its status, above all) is a property of it; it is written, too, and not
read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from pydantic import computed_field

from grundylab.catalogue.attempts import (
    Attempt,
    Extent,
    ProofRecord,
    Texts,
    deciding,
    extents,
    shared,
)
from grundylab.catalogue.printing import claim_latex, claim_text
from grundylab.check import verification
from grundylab.check.verification import Counterexample, Exceptional
from grundylab.discover.base import Candidate, Unread
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.games.model import Claim, Ruleset
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Expr
from grundylab.logic.coqc import CoqAnswer
from grundylab.prove.comparing import By, Comparison
from grundylab.prove.outcome import Opinion

Status = Literal["proved", "holds", "refuted", "undecided", "partial"]
STATUSES: tuple[Status, ...] = get_args(Status)  # what a reader should see first
Numbers = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class StatementRecord:
    """A formula that describes the target at the positions and parameters where a condition is true."""

    formula: FormulaField
    target: TargetField
    where: ConditionField
    latex: str


@dataclass(frozen=True, kw_only=True)
class Described(StatementRecord):
    """What an engine proposes, with how many training positions it describes.

    values: by function, the ruleset whose positions' Grundy numbers it is. exact_for: the settings of the parameters
    of which it describes all, if not of all. exceptions: what was put in one by one. training: instances. equation: the
    formula in the engine's own notation, if it has one.
    """

    engine: str
    seed: int
    size: int
    correct: int
    total: int
    values: Mapping[str, str] = field(default_factory=dict)
    exact_for: tuple[Numbers, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    training: Texts = ()
    equation: str = ""

    @computed_field
    @cached_property
    def exact(self) -> bool:
        """Whether it describes every training position."""
        return self.correct == self.total

    @computed_field
    @cached_property
    def share(self) -> float:
        """The share of training positions that it describes, from 0 to 1."""
        return self.correct / self.total if self.total else 1.0


@dataclass(frozen=True, kw_only=True)
class Proposed:
    """The findings of one engine for one target.

    unread: its equations that have no formula. unavailable: why it could not be asked.
    """

    target: TargetField
    engine: str
    notes: Texts
    candidates: tuple[Described, ...] = ()
    seed: int = 0
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """An instance; ``holds`` is None if nothing was checked there, or a limit was met."""

    instance: str
    checked: int
    holds: bool | None


@dataclass(frozen=True, kw_only=True)
class Judged(StatementRecord):
    """A statement with all that is known of it.

    key: the statement's (``statement.Statement.key``), by which proofs are found. wrong: at how many of the positions
    checked; only_wrong_at: all of these, if they are few, and far from the edge.
    condition: the parameter values for which it seems to hold. reason: why nothing is decided. complete: it is a
    table of which every entry was computed.
    """

    checked: int
    instances: tuple[Checked, ...]
    counterexample: Counterexample | None
    key: str = ""
    wrong: int = 0
    only_wrong_at: tuple[Counterexample, ...] = ()
    condition: ConditionField | None = None
    reason: str | None = None
    complete: bool = False
    proofs: tuple[ProofRecord, ...] = ()

    @property
    def partial(self) -> bool:
        """Whether it is wrong at a position that it was learnt from."""
        return False

    @property
    def looked_at(self) -> Texts:
        """The instances of which a position was checked."""
        return tuple(check.instance for check in self.instances if check.checked)

    @cached_property
    def proved(self) -> tuple[ProofRecord, ...]:
        """The proofs that went through."""
        return tuple(proof for proof in self.proofs if proof.status == "proved")

    @property
    def refuting(self) -> tuple[ProofRecord, ...]:
        """The proofs that it is wrong, of which not each says where."""
        return tuple(proof for proof in self.proofs if proof.status == "refuted")

    @cached_property
    def extents(self) -> list[Extent]:
        """How far these reach, each once."""
        return extents(self.proved, self.where)

    @cached_property
    def exactly(self) -> Expr | None:
        """The values of the parameters for which it is true, and for no others, if a proof says so."""
        return next((one.exactly for one in self.extents if one.exactly is not None), None)

    @computed_field
    @cached_property
    def status(self) -> Status:
        """The one rule of it. For which parameters something is proved, ``catalogue.words.extent`` says."""
        if self.partial:
            return "partial"
        if self.counterexample is not None or self.refuting:
            return "refuted"
        if self.complete or self.proved:
            return "proved"
        return "holds" if self.reason is None else "undecided"

    @computed_field
    @cached_property
    def proof(self) -> str | None:
        """The file of the first proof, if it is proved."""
        return self.proved[0].proof if self.status == "proved" and self.proved else None

    @computed_field
    @cached_property
    def second(self) -> Opinion | None:
        """What another procedure says of that proof."""
        return self.proved[0].second if self.status == "proved" and self.proved else None

    @cached_property
    def decided_by(self) -> ProofRecord | None:
        """The proof that tells by how many procedures it is proved."""
        return deciding(self.proved, self.where)

    @computed_field
    @cached_property
    def procedures(self) -> Texts:
        """Those that independently say that it is proved; none for a table of which every entry was computed."""
        return self.decided_by.procedures if self.decided_by else ()


@dataclass(frozen=True, kw_only=True)
class Finding(Judged):
    """What is known of a statement about a game, found or published. ``study`` is known in the catalogue."""

    ruleset: str
    title: str
    study: str = ""


@dataclass(frozen=True, kw_only=True)
class Related:
    """What a formula is to one claim; by proof, with the condition ``where``, or at the instances of ``bound``."""

    relation: str
    claim: str
    by: By
    bound: Texts | None = None
    where: ConditionField = TRUE


@dataclass(frozen=True, kw_only=True)
class Relation:
    """What a formula is to the published claims; see ``catalogue.relations.relation_of``."""

    relation: str
    to: tuple[Related, ...]
    compared: int


@dataclass(frozen=True, kw_only=True)
class Formula(Finding, Described):
    """A formula found.

    repaired: exceptions of the test positions were put into it. stated: it as a statement in LaTeX. claims: those that
    say the same at the tables. engines: all that found it. open: why no formula was known.
    """

    repaired: bool = False
    stated: str | None = None
    comparison: Comparison | None = None
    claims: Texts = ()
    engines: Texts = ()
    relation: Relation | None = None
    open: str | None = None

    @property
    def finders(self) -> Texts:
        """The engines that found it; of a row's formula the one that found the row."""
        return self.engines or (self.engine,)

    @property
    def partial(self) -> bool:
        """Whether it is wrong at a position that it was learnt from."""
        return not self.exact


@dataclass(frozen=True, kw_only=True)
class Correction(Judged):
    """What is true instead of a claim, and what was changed in it. provable: whether the prover can be asked."""

    statement: str
    changes: Texts
    provable: bool


@dataclass(frozen=True, kw_only=True)
class ClaimRecord(Finding):
    """A statement of a ruleset: of a paper, or our own. games, every: of a family of games how many, and which."""

    claim: str
    at: str
    paper: str | None
    kind: str
    note: str
    unpublished: bool
    statement: str
    games: int | None = None
    every: str | None = None
    correction: Correction | None = None


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of positions with its period.

    learned, checked: places. exceptions, families: of how many single positions and families its list is. claims: those
    that its certificate proves. machine_checked: what Coq says of the period, if it was asked.
    """

    ruleset: str
    title: str
    engine: str
    seed: int
    parameters: Numbers
    row: Numbers
    axes: Texts
    target: TargetField
    where: ConditionField
    status: Status
    reason: str | None
    checked: int
    learned: int
    preperiod: int | None
    period: int | None
    saltus: int | None
    exceptions: int | None
    families: int | None
    size: int | None
    claims: Texts
    relation: Relation | None
    proof: str | None
    study: str = ""
    open: str | None = None
    machine_checked: CoqAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class RowFound(Row):
    """The same with what may be very long: a formula for it, and its positions as papers list them."""

    formula: FormulaField | None
    latex: str | None
    positions: Texts | None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """An engine's notes on its search for a target, and how many of its candidates are exact.

    unavailable: why it could not be asked.
    """

    target: TargetField
    engine: str
    notes: Texts
    exact: int
    partial: int
    study: str = ""
    seed: int = 0
    unavailable: str = ""

    @classmethod
    def of(cls, proposed: Proposed) -> Engine:
        """What an engine's proposals say."""
        exact = sum(candidate.exact for candidate in proposed.candidates)
        return cls(**shared(cls, proposed), exact=exact, partial=len(proposed.candidates) - exact)


@dataclass(frozen=True, kw_only=True)
class CandidateRecord:
    """A formula or equation of one engine for one target, with how many positions of each split it describes.

    complexity: the nodes of the formula, or what the engine counts of an equation that has none. loss: the share of
    training positions that the formula does not describe, or the engine's own of an equation. equation: in the engine's
    notation. where: the positions that the formula is about; of the others it says nothing, and describes none. key: of
    the statement. exact: it is right wherever it was learnt from and tried. reason: why an equation has no formula.
    """

    study: str = ""
    target: TargetField
    engine: str
    seed: int
    complexity: int
    loss: float
    equation: str
    formula: FormulaField | None = None
    where: ConditionField | None = None
    key: str | None = None
    exact: bool = False
    train_right: int = 0
    train_total: int = 0
    validate_right: int = 0
    validate_total: int = 0
    test_right: int = 0
    test_total: int = 0
    reason: str | None = None

    def share(self, split: str) -> float | None:
        """Return the share of the split's positions that it describes, from 0 to 1; None if the split has none."""
        right, total = getattr(self, f"{split}_right"), getattr(self, f"{split}_total")
        return right / total if total else None


# -- what a stage of a study writes ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """Verdicts of a study: its engines, its formulas and claims, and the candidates of all engines."""

    engines: tuple[Engine, ...] = ()
    formulas: tuple[Formula, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    candidates: tuple[CandidateRecord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Compared:
    """A formula beside the claims, by proof."""

    formula: FormulaField
    target: TargetField
    where: ConditionField
    comparison: Comparison


@dataclass(frozen=True, kw_only=True)
class Proofs:
    """Of a study: the attempts at proofs, and its formulas beside the claims."""

    proofs: tuple[Attempt, ...]
    comparisons: tuple[Compared, ...]


@dataclass(frozen=True, kw_only=True)
class Heard:
    """Of a study: what Coq says of each attempt at a proof and of each row, in order; None of what is not proved."""

    proofs: tuple[CoqAnswer | None, ...]
    rows: tuple[CoqAnswer | None, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Made:
    """By which rulesets' files (SHA-256) and seed a study's verdicts were made."""

    rulesets: Mapping[str, str]
    seed: int


@dataclass(frozen=True, kw_only=True)
class StudyRecord:
    """What a study asked. settings: of the parameters; each: every one of them was learnt from alone."""

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
    made: Made


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """What else the results were made with."""

    version: str
    packages: Mapping[str, str]


# -- from what the rooms give ---------------------------------------------------------------------------------------


def described(candidate: Candidate, training: Sequence[str] = ()) -> Described:
    """A candidate."""
    known = {**shared(Described, candidate), "latex": to_latex(candidate.formula)}
    settings = {"values": dict(candidate.values), "exact_for": tuple(map(dict, candidate.exact_for))}
    return Described(**{**known, **settings, "training": tuple(training)})


def judged(verdict: verification.Verdict, condition: Expr | None = None) -> Judged:
    """A verdict; ``condition``: the parameter values for which it seems to hold."""
    return Judged(
        **shared(Judged, verdict) | {"latex": to_latex(verdict.formula)},
        instances=tuple(
            Checked(instance=check.instance.label, checked=check.checked, holds=check.holds)
            for check in verdict.checks
        ),
        only_wrong_at=verdict.exceptions,
        condition=condition,
    )


def of_attempts(tried: Sequence[Attempt]) -> Judged:
    """What is known of a statement by what was tried alone; all that a proof assumes is part of the statement."""
    first = tried[0]
    return Judged(
        formula=first.formula,
        target=first.target,
        where=first.assuming,
        latex=first.latex,
        key=first.key,
        checked=0,
        instances=(),
        counterexample=first.counterexample if first.status == "refuted" else None,
        reason=first.reason if first.status == "undecided" else None,
        proofs=tuple(ProofRecord(**shared(ProofRecord, each)) for each in tried),
    )


def stated(claim: Claim, ruleset: Ruleset) -> dict[str, str]:
    """A claim in the formula language, and as it is typeset."""
    return {"statement": claim_text(claim), "latex": claim_latex(claim, ruleset)}
