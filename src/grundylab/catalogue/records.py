"""Records of findings and verdicts: frozen dataclasses, which are JSON as they stand, with expressions as texts.

Values that follow from a record's other fields, above all its status, are properties; they are written to JSON, but not
read from it.
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
    deciding_proof,
    extents,
    shared_fields,
)
from grundylab.catalogue.claim_layout import claim_latex, claim_text
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
STATUSES: tuple[Status, ...] = get_args(Status)  # in the order in which a reader should see them
Numbers = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class StatementRecord:
    """A formula that describes the target at the positions and parameters where a condition is true."""

    formula: FormulaField
    target: TargetField
    where: ConditionField
    latex: str


@dataclass(frozen=True, kw_only=True)
class CandidateFormula(StatementRecord):
    """A formula that an engine proposes, with the number of training positions that it describes.

    values: by function, the ruleset whose Grundy numbers the function looks up. exact_for: the parameter settings of
    which it describes every position, if it does not describe all. exceptions: the positions that were added one by
    one. training: the labels of the instances. equation: the formula in the engine's own notation, if it has one.
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
        """True if it describes every training position."""
        return self.correct == self.total

    @computed_field
    @cached_property
    def share(self) -> float:
        """The share of training positions that it describes, from 0 to 1."""
        return self.correct / self.total if self.total else 1.0


@dataclass(frozen=True, kw_only=True)
class EngineProposals:
    """The proposals of one engine for one target.

    unread: its equations that could not be read as formulas. unavailable: why the engine could not be asked.
    """

    target: TargetField
    engine: str
    notes: Texts
    candidates: tuple[CandidateFormula, ...] = ()
    seed: int = 0
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""


@dataclass(frozen=True, kw_only=True)
class InstanceCheck:
    """The check at an instance; ``holds`` is None if nothing was checked there, or a limit was reached."""

    instance: str
    checked: int
    holds: bool | None


@dataclass(frozen=True, kw_only=True)
class JudgedStatement(StatementRecord):
    """A statement with its verdict and its proofs.

    key: the key of the statement (``statement.Statement.key``), by which its proofs are found. wrong: the number of
    checked positions at which it is wrong; only_wrong_at: all of these, if they are few and far from the edge of the
    table. condition: the parameter values for which it seems to hold. reason: why it is undecided. complete: whether it
    is a table of which every entry was computed.
    """

    checked: int
    instances: tuple[InstanceCheck, ...]
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
        """True if it is wrong at a position that it was learnt from."""
        return False

    @property
    def looked_at(self) -> Texts:
        """The instances in which at least one position was checked."""
        return tuple(check.instance for check in self.instances if check.checked)

    @cached_property
    def proved(self) -> tuple[ProofRecord, ...]:
        """The proofs that succeeded."""
        return tuple(proof for proof in self.proofs if proof.status == "proved")

    @property
    def refuting(self) -> tuple[ProofRecord, ...]:
        """The proofs that it is wrong, not all of which have a counterexample."""
        return tuple(proof for proof in self.proofs if proof.status == "refuted")

    @cached_property
    def extents(self) -> list[Extent]:
        """The extents of the successful proofs, each once."""
        return extents(self.proved, self.where)

    @cached_property
    def exactly(self) -> Expr | None:
        """The exact condition on the parameters for which it is true, if a proof determines it; else None."""
        return next((one.exactly for one in self.extents if one.exactly is not None), None)

    @computed_field
    @cached_property
    def status(self) -> Status:
        """The status; for which parameters a proved statement is proved, see ``catalogue.words.extent``."""
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
        """The opinion of another procedure on that proof."""
        return self.proved[0].second if self.status == "proved" and self.proved else None

    @cached_property
    def decided_by(self) -> ProofRecord | None:
        """The proof whose procedures are reported; see ``catalogue.attempts.deciding``."""
        return deciding_proof(self.proved, self.where)

    @computed_field
    @cached_property
    def procedures(self) -> Texts:
        """The procedures that independently prove it; none for a table of which every entry was computed."""
        return self.decided_by.procedures if self.decided_by else ()


@dataclass(frozen=True, kw_only=True)
class Finding(JudgedStatement):
    """A statement about a game, found or published; ``study`` is filled in by the catalogue."""

    ruleset: str
    title: str
    study: str = ""


@dataclass(frozen=True, kw_only=True)
class ClaimRelation:
    """The relation of a formula to one claim: by proof, under ``where``, or at the instances in ``bound``."""

    relation: str
    claim: str
    by: By
    bound: Texts | None = None
    where: ConditionField = TRUE


@dataclass(frozen=True, kw_only=True)
class Relation:
    """The relation of a formula to the published claims; see ``catalogue.relations.relation_of``."""

    relation: str
    to: tuple[ClaimRelation, ...]
    compared: int


@dataclass(frozen=True, kw_only=True)
class Formula(Finding, CandidateFormula):
    """A formula found.

    repaired: whether exceptions at test positions were added to it. stated: the formula as a statement in LaTeX.
    claims: the claims that agree with it at the tables. engines: every engine that found it. open: why no formula was
    known before.
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
        """The engines that found it; for a row's formula, the engine that found the row."""
        return self.engines or (self.engine,)

    @property
    def partial(self) -> bool:
        """True if it is wrong at a position that it was learnt from."""
        return not self.exact


@dataclass(frozen=True, kw_only=True)
class Correction(JudgedStatement):
    """A true statement near a refuted claim, with the changes. provable: whether the prover can be asked about it."""

    statement: str
    changes: Texts
    provable: bool


@dataclass(frozen=True, kw_only=True)
class ClaimRecord(Finding):
    """A statement of a ruleset, from a paper or our own.

    games, every: for a family of games, how many were checked and which.
    """

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

    learned, checked: numbers of places. exceptions, families: the numbers of single positions and of families in its
    listing. claims: the claims that its certificate proves. machine_checked: Coq's answer about the period, if Coq was
    asked.
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
class RowDetails(Row):
    """A row together with the parts that may be very long: its formula, and its positions as papers list them."""

    formula: FormulaField | None
    latex: str | None
    positions: Texts | None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """An engine's notes on its search for a target, with the number of its candidates that are exact.

    unavailable: why the engine could not be asked.
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
    def of(cls, proposed: EngineProposals) -> Engine:
        """Return the record of an engine's proposals."""
        exact = sum(candidate.exact for candidate in proposed.candidates)
        return cls(**shared_fields(cls, proposed), exact=exact, partial=len(proposed.candidates) - exact)


@dataclass(frozen=True, kw_only=True)
class CandidateRecord:
    """A formula or equation of one engine for one target, with the positions of each split that it describes.

    complexity: the number of nodes of the formula or, for an equation that is not a formula, the engine's own count.
    loss: the share of training positions that the formula does not describe or, for an equation, the engine's own loss.
    equation: in the engine's notation. where: the positions that the formula is about; it describes no others. key: the
    key of the statement. exact: whether it is right at every position that it was learnt from and tried on. reason: why
    an equation has no formula.
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


# -- the records of a study's stages ----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Verdicts:
    """The verdicts of a study: its engines, its formulas and claims, and the candidates of all engines."""

    engines: tuple[Engine, ...] = ()
    formulas: tuple[Formula, ...] = ()
    claims: tuple[ClaimRecord, ...] = ()
    candidates: tuple[CandidateRecord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ComparisonRecord:
    """The comparison of a formula with the claims, by proof."""

    formula: FormulaField
    target: TargetField
    where: ConditionField
    comparison: Comparison


@dataclass(frozen=True, kw_only=True)
class Proofs:
    """The proofs of a study: the attempts, and the comparisons of its formulas with the claims."""

    proofs: tuple[Attempt, ...]
    comparisons: tuple[ComparisonRecord, ...]


@dataclass(frozen=True, kw_only=True)
class CoqAnswers:
    """Coq's answers for a study: about each attempt at a proof and each row, in order; None where nothing is proved."""

    proofs: tuple[CoqAnswer | None, ...]
    rows: tuple[CoqAnswer | None, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The provenance of a study's verdicts: the SHA-256 of each of the rulesets' files, and the seed."""

    rulesets: Mapping[str, str]
    seed: int


@dataclass(frozen=True, kw_only=True)
class StudyRecord:
    """The settings of a study.

    settings: the settings of the parameters. each: whether every one of them was learnt from alone.
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
    made: Provenance


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """The versions of grundylab and of the packages that the results were made with."""

    version: str
    packages: Mapping[str, str]


# -- from results to records ------------------------------------------------------------------------------------------


def candidate_formula(candidate: Candidate, training: Sequence[str] = ()) -> CandidateFormula:
    """Return the record of a candidate."""
    contents = {**shared_fields(CandidateFormula, candidate), "latex": to_latex(candidate.formula)}
    settings = {"values": dict(candidate.values), "exact_for": tuple(map(dict, candidate.exact_for))}
    return CandidateFormula(**{**contents, **settings, "training": tuple(training)})


def judged_statement(verdict: verification.Verdict, condition: Expr | None = None) -> JudgedStatement:
    """Return the record of a verdict. condition: the parameter values for which the statement seems to hold."""
    return JudgedStatement(
        **shared_fields(JudgedStatement, verdict) | {"latex": to_latex(verdict.formula)},
        instances=tuple(
            InstanceCheck(instance=check.instance.label, checked=check.checked, holds=check.holds)
            for check in verdict.checks
        ),
        only_wrong_at=verdict.exceptions,
        condition=condition,
    )


def statement_of_attempts(attempts: Sequence[Attempt]) -> JudgedStatement:
    """Return the record of a statement from its proof attempts alone; its condition is what the first one assumes."""
    first = attempts[0]
    return JudgedStatement(
        formula=first.formula,
        target=first.target,
        where=first.assuming,
        latex=first.latex,
        key=first.key,
        checked=0,
        instances=(),
        counterexample=first.counterexample if first.status == "refuted" else None,
        reason=first.reason if first.status == "undecided" else None,
        proofs=tuple(ProofRecord(**shared_fields(ProofRecord, each)) for each in attempts),
    )


def claim_texts(claim: Claim, ruleset: Ruleset) -> dict[str, str]:
    """Return the claim in the formula language and in LaTeX, by the names of the records' fields."""
    return {"statement": claim_text(claim), "latex": claim_latex(claim, ruleset)}
