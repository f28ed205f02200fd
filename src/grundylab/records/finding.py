"""Findings: statements about a game, each with its origin, its comparison with tables, its proofs and its relation.

An engine proposes a finding, the step ``verify`` adds its comparison with the test tables, ``prove`` adds its proofs. A
claim of a paper is a finding, too. What follows from these parts, such as the status, is a property.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, zip_longest
from typing import Literal, get_args

from pydantic import computed_field

from grundylab.check.shares import NO_COUNTS, SplitCounts, right_share
from grundylab.check.verification import Counterexample, Exceptional, where_clause
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.games.model import Claim
from grundylab.games.specialise import plainly_apart
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE, Bool, Expr, Int
from grundylab.records.proofs import (
    RIGHT,
    Extent,
    ProofRecord,
    Status,
    Texts,
    deciding_proof,
    extent_of,
    extents,
)
from grundylab.records.relation import Comparison, Relation

CONSTANT = "constant"  # the name that stands for the best constant where engines are compared
SplitName = Literal["train", "validate", "test"]
SPLITS: tuple[SplitName, ...] = get_args(SplitName)
Numbers = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class LearntTables:
    """Tables that an engine learnt from: the labels of their instances, and how many of their positions it saw."""

    instances: tuple[str, ...]
    positions: int


def joint_tables(searches: Iterable[Sequence[LearntTables]]) -> tuple[LearntTables, ...]:
    """Return the tables that several searches learnt from, as those of one search: the first of each, and so on."""
    joint = []
    for rung in zip_longest(*searches):
        tables = [table for table in rung if table is not None]
        labels = dict.fromkeys(label for table in tables for label in table.instances)
        joint.append(LearntTables(instances=tuple(labels), positions=sum(t.positions for t in tables)))
    return tuple(joint)


@dataclass(frozen=True, kw_only=True)
class EngineOrigin:
    """The engine that proposes a formula, and what it learnt it from; ``engine`` is empty for a claim.

    learnt: the training tables, and then the larger tables from which it was learnt again, in order. equation: the
    formula in the engine's own notation; empty if it has none. exact_for: if the formula is wrong somewhere, the
    parameter settings for which it is right at every position. exceptions: positions whose true values were added to it
    one by one. derived: whether it is not as the engine proposed it: these are test positions, or it joins formulas for
    single settings.
    """

    engine: str = ""
    seed: int = 0
    learnt: tuple[LearntTables, ...] = ()
    equation: str = ""
    exact_for: tuple[Numbers, ...] = ()
    exceptions: tuple[Exceptional, ...] = ()
    derived: bool = False

    @property
    def training(self) -> Texts:
        """The labels of the training instances; empty if it was not learnt from tables of a game."""
        return self.learnt[0].instances if self.learnt else ()


@dataclass(frozen=True, kw_only=True)
class Source:
    """The source of a claim: a paper or, if ``unpublished``, its ruleset; ``claim`` is empty for an engine's formula.

    claim: its id. at: its place in the paper. text: the claim in the formula language. games, every: for a family of
    games, the number of games checked, and which ones, in words. changes: for the correction of a claim, what differs
    from the claim, in words. provable: whether the prover can be asked about it.
    """

    claim: str = ""
    at: str = ""
    paper: str | None = None
    kind: str = ""
    note: str = ""
    unpublished: bool = False
    text: str = ""
    games: int | None = None
    every: str | None = None
    changes: Texts = ()
    provable: bool = True

    @property
    def published(self) -> str:
        """The paper that makes the claim; empty if no paper does."""
        return (self.paper or "") if not self.unpublished else ""


NO_ENGINE, NO_SOURCE = EngineOrigin(), Source()


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A statement: the formula gives the target's value at all positions and parameters that fulfil ``where``.

    key: the key of the statement (``statement.Statement.key``), by which its proofs are found. values: for each
    function that looks up Grundy numbers, the name of the ruleset. stated: the whole statement in LaTeX. origin or
    source: where it is from; the other one is empty. tables: by split, its comparison with the tables of this split.
    condition: the parameter values for which it seems to hold. reason: why the tables leave it undecided. complete:
    whether it is a printed table of which every entry was computed. comparison: with the published claims, at the
    tables. correction: a true statement near a refuted claim. open: if it answers a study's question that was open, why
    no formula was known before. alike, others: of an answer (``findings.answers``), all findings of the catalogue that
    are the same answer, and the other wordings by engines, each proved equivalent; empty in a catalogue.
    """

    formula: FormulaField
    target: TargetField
    where: ConditionField = TRUE
    values: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    stated: str = ""
    ruleset: str = ""
    title: str = ""
    study: str = ""
    origin: EngineOrigin = NO_ENGINE
    source: Source = NO_SOURCE
    tables: Mapping[SplitName, SplitCounts] = field(default_factory=dict)
    condition: ConditionField | None = None
    reason: str | None = None
    complete: bool = False
    proofs: tuple[ProofRecord, ...] = ()
    comparison: Comparison | None = None
    relation: Relation | None = None
    correction: Finding | None = None
    open: str | None = None
    alike: tuple[Finding, ...] = ()
    others: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return f"<Finding {self.target}: {self.formula}{where_clause(self.where)}>"

    def compared(self, split: SplitName, counts: SplitCounts) -> Finding:
        """Return the finding with these numbers for the tables of the split."""
        return replace(self, tables={**self.tables, split: counts})

    @property
    def found(self) -> bool:
        """True if an engine proposed it, False for a claim."""
        return bool(self.origin.engine)

    @property
    def claimed(self) -> bool:
        """True for a claim, and for the correction of one."""
        return bool(self.source.claim)

    @property
    def kind(self) -> str:
        """The kind of the record: ``claim`` or ``formula``."""
        return "claim" if self.claimed else "formula"

    @property
    def text(self) -> str:
        """The whole statement in the formula language, a claim as its ruleset states it."""
        return (self.source.text or f"{self.target}: {self.formula}") + where_clause(self.where)

    @property
    def claim(self) -> Claim:
        """The statement as a claim, which can be judged and proved."""
        return Claim("found", self.target, self.formula, self.where, values=tuple(self.values.items()))

    @property
    def plain(self) -> bool:
        """True if it is about all positions and looks up no values."""
        return self.where == TRUE and not self.values

    @property
    def size(self) -> int:
        """The number of nodes of the formula."""
        return self.formula.size

    @cached_property
    def latex(self) -> str:
        """The whole statement in LaTeX or, if it was not typeset, its formula."""
        return self.stated or to_latex(self.formula)

    # -- the tables ----------------------------------------------------------------------------------------------------

    @property
    def train(self) -> SplitCounts:
        """The comparison with the training tables."""
        return self.tables.get("train", NO_COUNTS)

    @property
    def validate(self) -> SplitCounts:
        """The comparison with the validation tables."""
        return self.tables.get("validate", NO_COUNTS)

    @property
    def test(self) -> SplitCounts:
        """The comparison with the test tables."""
        return self.tables.get("test", NO_COUNTS)

    @property
    def exact(self) -> bool:
        """True if it is right at every training position and every validation position."""
        return not self.train.wrong and not self.validate.wrong

    @property
    def partial(self) -> bool:
        """True for a formula of an engine that is wrong at a training or validation position."""
        return self.found and not self.exact

    @cached_property
    def share(self) -> float:
        """The share of positions at which the formula is right, from 0 to 1; see ``right_share``."""
        train, validate = self.train, self.validate
        return right_share(train.right, train.checked, validate.right, validate.checked)

    @property
    def is_reference(self) -> bool:
        """True for the best constant, and for another one that is wrong somewhere: it is no answer itself."""
        constant = isinstance(self.formula, Bool | Int) and not self.exact
        return self.origin.engine == CONSTANT or (self.found and constant)

    @cached_property
    def counterexample(self) -> Counterexample | None:
        """A position where it is wrong: the smallest in the tables or, if these have none, that of a proof."""
        examples = [self.test.counterexample, *(proof.counterexample for proof in self.refuting)]
        return next((example for example in examples if example is not None), None)

    # -- the proofs ----------------------------------------------------------------------------------------------------

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
        """The number of positions that it is proved for; None if they are not known to be finitely many.

        Of several proofs the positions are added only if no position can be counted twice.
        """
        counts: dict[Extent, int | None] = {}
        for proof in self.proved:
            reach = extent_of(proof, self.where)
            counts[reach] = counts.get(reach) or proof.positions
        counts = {reach: count for reach, count in counts.items() if reach.whole} or counts
        numbers = [count for count in counts.values() if count is not None]
        apart = all(plainly_apart(a.condition, b.condition) for a, b in combinations(counts, 2))
        return sum(numbers) if apart and numbers and len(numbers) == len(counts) else None

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

    @property
    def proof(self) -> str | None:
        """The path of the first proof; None if the statement is not proved."""
        return self.proved[0].proof if self.status == "proved" and self.proved else None

    @cached_property
    def decided_by(self) -> ProofRecord | None:
        """The proof whose procedures are reported; see ``findings.proofs.deciding_proof``."""
        return deciding_proof(self.proved, self.where)

    @property
    def procedures(self) -> Texts:
        """The procedures that independently prove it; empty for a table of which every entry was computed."""
        return self.decided_by.procedures if self.decided_by else ()

    @property
    def rules(self) -> Texts:
        """The rules of the kernel in all of its proofs, each once, sorted."""
        return tuple(sorted({rule for proof in self.proved for rule in proof.rules}))

    @property
    def right(self) -> bool:
        """True if it is proved, or right at every position that was checked."""
        return self.status in RIGHT

    # -- the same statement --------------------------------------------------------------------------------------------

    @property
    def statement(self) -> object:
        """A key that is equal for findings with the same formula, target, condition and lookups."""
        return self.target, self.formula, self.where, tuple(self.values.items())

    @cached_property
    def keys(self) -> frozenset[object]:
        """Keys of the statement and its game: two findings that share a key state the same."""
        keys = {(self.ruleset, self.key)} if self.key else set[object]()
        # the formula that the period of a row gives has no key
        return frozenset(keys | {(self.ruleset, self.statement)} if self.found else keys)

    @cached_property
    def engines(self) -> Texts:
        """The engines that found it in any wording, those of the best wording first; none for a claim."""
        found = [finding for finding in self.alike or (self,) if finding.found]
        wordings = (self, *self.others)
        return tuple(dict.fromkeys(f.origin.engine for w in wordings for f in found if f.keys & w.keys))

    @cached_property
    def studies(self) -> Texts:
        """The studies that found or judged it."""
        return tuple(dict.fromkeys(finding.study for finding in self.alike or (self,)))

    @cached_property
    def right_in(self) -> Texts:
        """The studies whose engines found it and in which it is right."""
        right = (finding for finding in self.alike or (self,) if finding.found and finding.right)
        return tuple(dict.fromkeys(finding.study for finding in right))


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Return the formulas that engines found, the first of each study's statement, without constants for comparison."""
    first: dict[object, Finding] = {}
    for finding in findings:
        if finding.found and not finding.is_reference:
            first.setdefault((finding.study, finding.statement), finding)
    return list(first.values())
