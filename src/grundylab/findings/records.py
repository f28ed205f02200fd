"""Records of findings and verdicts: frozen dataclasses, which are written to JSON with expressions as texts.

A value that follows from other fields, such as the status, is a property. Computed fields are written to JSON, too, but
are not read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

from pydantic import computed_field

from grundylab.check import verification
from grundylab.check.shares import NO_COUNTS, RightCounts, right_share
from grundylab.check.verification import Counterexample, Exceptional
from grundylab.discover.base import Candidate, EngineWork, HallRow, Learnt, Unread
from grundylab.findings.attempts import (
    Attempt,
    Extent,
    ProofRecord,
    Texts,
    deciding_proof,
    extent_of,
    extents,
    shared_fields,
)
from grundylab.findings.claim_layout import claim_latex, claim_text
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.games.model import Claim, Ruleset
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Bool, Expr, Int
from grundylab.logic.coqc import CoqAnswer
from grundylab.prove.comparing import By, Comparison
from grundylab.prove.outcome import Opinion

CONSTANT = "constant"  # the name that stands for the best constant where engines are compared
Status = Literal["proved", "holds", "refuted", "undecided", "partial"]
STATUSES: tuple[Status, ...] = get_args(Status)  # in the order in which readers see them
RIGHT: tuple[Status, ...] = ("proved", "holds")
RelationWord = Literal["rediscovers", "corrects", "extends", "uncompared", "differs", "new"]
Numbers = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class StatementRecord:
    """A statement: the formula gives the target's value at all positions and parameters that fulfil ``where``."""

    formula: FormulaField
    target: TargetField
    where: ConditionField
    latex: str


@dataclass(frozen=True, kw_only=True)
class LearntTables:
    """Tables that an engine learnt from: the labels of their instances, and how many of their positions it saw."""

    instances: Texts
    positions: int


@dataclass(frozen=True, kw_only=True)
class CandidateFormula(StatementRecord):
    """A formula that an engine proposes.

    size: the number of nodes. learnt: the training tables, and then the larger tables from which it was learnt again,
    in order. correct, total: the number of training positions at which the formula is right, and the number of those
    that it is about. validation: the labels of the validation instances, with the same two numbers. values: for each
    function that looks up Grundy numbers, the name of the ruleset. exact_for: if the formula is wrong somewhere, the
    parameter settings for which it is right at every position. exceptions: positions whose true values were added to it
    one by one. equation: the formula in the engine's own notation; empty if it has none.
    """

    engine: str
    seed: int
    size: int
    correct: int
    total: int
    values: Mapping[str, str] = field(default_factory=dict)
    exact_for: tuple[Numbers, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    learnt: tuple[LearntTables, ...] = ()
    validation: Texts = ()
    validation_correct: int = 0
    validation_total: int = 0
    equation: str = ""

    @property
    def training(self) -> Texts:
        """The labels of the training instances; empty if it was not learnt from tables of a game."""
        return self.learnt[0].instances if self.learnt else ()

    @computed_field
    @cached_property
    def exact(self) -> bool:
        """True if the formula is right at every training position and every validation position."""
        return self.correct == self.total and self.validation_correct == self.validation_total

    @computed_field
    @cached_property
    def share(self) -> float:
        """The share of positions at which the formula is right, from 0 to 1; see ``right_share``."""
        return right_share(self.correct, self.total, self.validation_correct, self.validation_total)

    @property
    def is_reference(self) -> bool:
        """True for a constant that is wrong somewhere: formulas are compared with it, and it is no answer itself."""
        return isinstance(self.formula, Bool | Int) and not self.exact


@dataclass(frozen=True, kw_only=True)
class EngineProposals:
    """The proposals of one engine for one target.

    notes: the engine's remarks on its search. learnt: the tables that it learnt from, in order. unread: equations that
    could not be read as formulas. unavailable: why the engine could not be asked; empty if it was. hall, work: of an
    engine that draws at random, its hall of fame and what it did.
    """

    target: TargetField
    engine: str
    notes: Texts
    candidates: tuple[CandidateFormula, ...] = ()
    seed: int = 0
    learnt: tuple[LearntTables, ...] = ()
    unread: tuple[Unread, ...] = ()
    unavailable: str = ""
    hall: tuple[HallRow, ...] = ()
    work: EngineWork | None = None


@dataclass(frozen=True, kw_only=True)
class InstanceCheck:
    """The check of a statement at one instance; ``holds`` is None if nothing was checked, or a limit stopped it."""

    instance: str
    checked: int
    holds: bool | None


@dataclass(frozen=True, kw_only=True)
class JudgedStatement(StatementRecord):
    """A statement with its verdict and its proofs.

    key: the key of the statement (``statement.Statement.key``), by which its proofs are found. checked: the number of
    positions checked. wrong: the number of these at which the statement is wrong. only_wrong_at: these positions, if
    they are few and far from the edge of the table. condition: the parameter values for which the statement seems to
    hold. reason: why it is undecided. complete: whether it is a printed table of which every entry was computed.
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
        """True for a formula that is wrong at a training position; False for other statements."""
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
        """The proofs that the statement is wrong; some of them have no counterexample."""
        return tuple(proof for proof in self.proofs if proof.status == "refuted")

    @cached_property
    def extents(self) -> list[Extent]:
        """The extents of the successful proofs, each once."""
        return extents(self.proved, self.where)

    @cached_property
    def finite(self) -> int | None:
        """The number of positions that it is proved for; None if they are not known to be finitely many."""
        counts: dict[Extent, int | None] = {}
        for proof in self.proved:
            reach = extent_of(proof, self.where)
            counts[reach] = counts.get(reach) or proof.positions
        counts = {reach: count for reach, count in counts.items() if reach.whole} or counts
        known = [count for count in counts.values() if count is not None]
        return sum(known) if known and len(known) == len(counts) else None

    @cached_property
    def exactly(self) -> Expr | None:
        """The condition on the parameters that is true exactly where the statement is; None if no proof gives it."""
        return next((one.exactly for one in self.extents if one.exactly is not None), None)

    @computed_field
    @cached_property
    def status(self) -> Status:
        """The status. A proved statement may be proved for some parameters only: ``findings.wording.extent_words``."""
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
        """The path of the first proof; None if the statement is not proved."""
        return self.proved[0].proof if self.status == "proved" and self.proved else None

    @computed_field
    @cached_property
    def second(self) -> Opinion | None:
        """The opinion of a second procedure on the first proof; None if there is none."""
        return self.proved[0].second if self.status == "proved" and self.proved else None

    @cached_property
    def decided_by(self) -> ProofRecord | None:
        """The proof whose procedures are reported; see ``findings.attempts.deciding_proof``."""
        return deciding_proof(self.proved, self.where)

    @computed_field
    @cached_property
    def procedures(self) -> Texts:
        """The procedures that independently prove it; empty for a table of which every entry was computed."""
        return self.decided_by.procedures if self.decided_by else ()

    @property
    def rules(self) -> Texts:
        """The rules of the kernel in all of its proofs, each once, sorted."""
        return tuple(sorted({rule for proof in self.proved for rule in proof.rules}))


@dataclass(frozen=True, kw_only=True)
class Finding(JudgedStatement):
    """A statement about a game, found by an engine or made in a ruleset; the catalogue fills in the last two fields.

    open: if it answers a study's question that was open, why no formula was known before.
    """

    ruleset: str
    title: str
    study: str = ""
    open: str | None = None


@dataclass(frozen=True, kw_only=True)
class ClaimRelation:
    """The relation of a formula to one claim, such as ``rediscovers``.

    by: whether the relation is proved, or was seen at tables. bound: the instances of these tables. where: for a proof,
    its condition beyond the formula's own.
    """

    relation: RelationWord
    claim: str
    by: By
    bound: Texts | None = None
    where: ConditionField = TRUE


@dataclass(frozen=True, kw_only=True)
class Relation:
    """The relation of a formula to the published claims; see ``findings.claim_relations.relation_of``."""

    relation: RelationWord
    to: tuple[ClaimRelation, ...]
    compared: int


@dataclass(frozen=True, kw_only=True)
class Formula(Finding, CandidateFormula):
    """A formula that an engine found.

    repaired: whether exceptions at test positions were added to the engine's formula. stated: the whole statement in
    LaTeX. comparison: with the published claims, at the tables. claims: the ids of the claims that agree with it there.
    engines: every engine that found it.
    """

    repaired: bool = False
    stated: str | None = None
    comparison: Comparison | None = None
    claims: Texts = ()
    engines: Texts = ()
    relation: Relation | None = None

    @property
    def finders(self) -> Texts:
        """The engines that found the formula; for the formula of a row of positions, the engine that found the row."""
        return self.engines or (self.engine,)

    @property
    def partial(self) -> bool:
        """True if the formula is wrong at a training position."""
        return not self.exact


@dataclass(frozen=True, kw_only=True)
class Correction(JudgedStatement):
    """A true statement near a refuted claim.

    statement: in the formula language. changes: in words. provable: whether the prover can be asked about it.
    """

    statement: str
    changes: Texts
    provable: bool


@dataclass(frozen=True, kw_only=True)
class ClaimRecord(Finding):
    """A claim of a ruleset: a paper's statement or, if ``unpublished``, our own.

    at: its place in the paper. statement: the claim in the formula language. games, every: for a family of games, the
    number of games checked, and which ones, in words.
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

    row: the values of the coordinates that are fixed. axes: the others, along which the row extends. learned, checked:
    the number of places from which the period was learnt, and the number at which it was checked. exceptions, families:
    the numbers of single positions and of infinite families in the row's list of P-positions. claims: the claims that
    the certificate of the period proves. rules: the rules of the kernel by which the period is proved. machine_checked:
    Coq's answer about the period; None if Coq was not asked.
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
    rules: Texts = ()
    study: str = ""
    open: str | None = None
    machine_checked: CoqAnswer | None = None


@dataclass(frozen=True, kw_only=True)
class RowDetails(Row):
    """A row together with what may be very long: its formula, and its P-positions as papers list them."""

    formula: FormulaField | None
    latex: str | None
    positions: Texts | None


@dataclass(frozen=True, kw_only=True)
class Engine:
    """An engine's search for a target: its notes, and the numbers of its candidates that are exact and partial.

    learnt: the tables that it learnt from, in order. unavailable: why the engine could not be asked; empty if it was.
    hall, work: of an engine that draws at random, its hall of fame and what it did.
    """

    target: TargetField
    engine: str
    notes: Texts
    exact: int
    partial: int
    study: str = ""
    seed: int = 0
    learnt: tuple[LearntTables, ...] = ()
    unavailable: str = ""
    hall: tuple[HallRow, ...] = ()
    work: EngineWork | None = None

    @classmethod
    def of(cls, proposed: EngineProposals) -> Engine:
        """Return the record of an engine's proposals; constants that are only references do not count."""
        exact = sum(candidate.exact for candidate in proposed.candidates)
        partial = sum(not candidate.exact and not candidate.is_reference for candidate in proposed.candidates)
        return cls(**shared_fields(cls, proposed), exact=exact, partial=partial)


@dataclass(frozen=True, kw_only=True)
class CandidateRecord:
    """A formula or equation that one engine proposes for one target, or the best constant, as a reference.

    engine: CONSTANT for the reference. complexity: the number of nodes of the formula or, for an equation that is not a
    formula, the engine's own count. loss: the share of training positions at which the formula is wrong; None for an
    equation that is not a formula. equation: in the engine's notation. where: the positions that the formula is about;
    elsewhere it never counts as right. key: the key of the statement. exact: whether it is right at all training and
    validation positions. train, validate, test: the numbers of positions of each split. reason: why an equation could
    not be read as a formula, and its loss as the engine counts it.
    """

    study: str = ""
    target: TargetField
    engine: str
    seed: int
    complexity: int
    loss: float | None = None
    equation: str
    formula: FormulaField | None = None
    where: ConditionField | None = None
    key: str | None = None
    exact: bool = False
    train: RightCounts = NO_COUNTS
    validate: RightCounts = NO_COUNTS
    test: RightCounts = NO_COUNTS
    reason: str | None = None


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
    """A formula, and its comparison with the published claims by proof."""

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
    """Coq's answers about each attempt at a proof and each row of a study, in order; None if nothing is proved."""

    proofs: tuple[CoqAnswer | None, ...]
    rows: tuple[CoqAnswer | None, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The provenance of a study's verdicts: the SHA-256 of each ruleset file that they depend on, and the seed."""

    rulesets: Mapping[str, str]
    seed: int


@dataclass(frozen=True, kw_only=True)
class StudyRecord:
    """The settings of a study.

    training, validation, test: the labels of the instances. ask: whether every engine is asked, or only until one has
    an answer. settings: the combinations of parameter values. each: whether the engines learnt from each combination
    alone. open: why no formula was known before. notes: what readers of the results must know.
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
    notes: Texts = ()


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """The versions of grundylab and of the packages with which the results were made."""

    version: str
    packages: Mapping[str, str]


# -- from results to records ------------------------------------------------------------------------------------------


def learnt_tables(learnt: Iterable[Learnt]) -> tuple[LearntTables, ...]:
    """Return the records of tables that an engine learnt from."""
    return tuple(
        LearntTables(instances=tuple(each.label for each in tables.instances), positions=tables.positions)
        for tables in learnt
    )


def candidate_formula(candidate: Candidate) -> CandidateFormula:
    """Return the record of a candidate."""
    contents = {**shared_fields(CandidateFormula, candidate), "latex": to_latex(candidate.formula)}
    settings = {"values": dict(candidate.values), "exact_for": tuple(map(dict, candidate.exact_for))}
    tables = {
        "learnt": learnt_tables(candidate.learnt),
        "validation": tuple(each.label for each in candidate.tried),
    }
    return CandidateFormula(**{**contents, **settings, **tables})


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
    """Return the record of a statement of which only proof attempts are known; the first gives its condition."""
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
    """Return the claim in the formula language (key ``statement``) and in LaTeX (key ``latex``)."""
    return {"statement": claim_text(claim), "latex": claim_latex(claim, ruleset)}
