"""Records of attempts at proofs: the parameters and positions covered, and the procedures used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from grundylab.check.verification import Counterexample
from grundylab.errors import GrundylabError
from grundylab.games.fields import ConditionField, FormulaField
from grundylab.games.specialise import fixed_values
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Expr, conjunction, conjuncts, disjunction, free_names
from grundylab.logic.coqc import CoqAnswer

ProofStatus = Literal["proved", "refuted", "undecided"]
Status = Literal["proved", "holds", "refuted", "undecided", "partial"]
STATUSES: tuple[Status, ...] = get_args(Status)  # in the order in which readers see them
RIGHT: tuple[Status, ...] = ("proved", "holds")
Texts = tuple[str, ...]
COQ = "Coq"  # the procedure that is independent of grundylab


@dataclass(frozen=True)
class GateSample:
    """The positions at which the gate compared a statement with the game itself.

    positions: their number. reach: the largest coordinate among them. beyond: whether the reach exceeds the largest
    constant of statement and rules.
    """

    positions: int = 0
    reach: int = 0
    beyond: bool = False


@dataclass(frozen=True)
class Opinion:
    """Another procedure's result on a proof: ``agrees``, or ``not checked`` with a reason. A disagreement is an error.

    by: the procedure. file: the file that the procedure checked, if it is kept.
    """

    by: str
    status: Literal["agrees", "not checked"]
    reason: str | None = None
    file: str | None = None


@dataclass(frozen=True, kw_only=True)
class Accepting:
    """An automaton that accepts the parameter values for which a formula is true.

    variables: the parameters that it reads. text: its transitions; None if it is too large to be read by people.
    """

    states: int
    variables: Texts
    text: str | None


@dataclass(frozen=True, kw_only=True)
class ProofRecord:
    """An attempt to prove a statement, and its result.

    claim: the claim's id; None if the statement is not a claim. about: the formula's own condition; None for a claim.
    under: the condition under which the proof was attempted. assuming: the whole condition that the proof assumes.
    where: the parameter values for which the statement is true. exactly: whether it is false for all other values in
    their domains. unnamed: whether no condition describes these values; ``where`` then covers too many, and only the
    automaton is exact. playable: the parameters for which the rules define a game; None if they do for all. proof: the
    path of the proof's file. used: the claims that the induction assumes besides the statement itself. procedures: the
    procedures that independently prove the statement. rules: the rules of the kernel by which it and its premises are
    proved. reading: for a formula that contains an automaton, a formula without one that is proved equivalent. looked:
    the gate's sample. machine_checked: Coq's answer; None if Coq was not asked. positions: the number of positions that
    the proved statement is about; None if they are not known to be finitely many.
    """

    claim: str | None = None
    status: ProofStatus
    about: ConditionField | None = None
    under: ConditionField = TRUE
    assuming: ConditionField = TRUE
    where: ConditionField = TRUE
    exactly: bool = False
    unnamed: bool = False
    playable: ConditionField | None = None
    reason: str | None = None
    proof: str | None = None
    used: Texts = ()
    automaton: Accepting | None = None
    counterexample: Counterexample | None = None
    second: Opinion | None = None
    procedures: Texts = ()
    looked: GateSample | None = None
    rules: Texts = ()
    reading: FormulaField | None = None
    machine_checked: CoqAnswer | None = None
    positions: int | None = None


def with_coq_answer(record: ProofRecord, answer: CoqAnswer | None) -> ProofRecord:
    """Return the record with Coq's answer; Coq counts as a procedure if it accepts all that the proof states."""
    accepted = answer is not None and answer.status == "accepted" and answer.reason is None
    procedures = (*record.procedures, COQ) if accepted else record.procedures
    return replace(record, machine_checked=answer, procedures=procedures)


# -- extents of proofs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Extent:
    """The extent of one proof: the positions and parameters for which it proves its statement.

    condition: what the proof requires beyond the statement's own condition; TRUE if nothing. exactly: the parameter
    values for which the statement is true, if the proof shows that it is false for all others. states: if no condition
    describes the parameters, the number of states of the automaton that accepts them.
    """

    condition: Expr
    exactly: Expr | None = None
    states: int | None = None

    @property
    def whole(self) -> bool:
        """True if the proof covers the whole statement."""
        return self.condition == TRUE and self.states is None


def further_condition(own: Expr, condition: Expr) -> Expr:
    """Return the conjunction of the terms of ``condition`` that are not terms of ``own``."""
    return conjunction(*(term for term in conjuncts(condition) if term not in conjuncts(own)))


def extent_of(proof: ProofRecord, own: Expr) -> Extent:
    """Return the extent of a proof of a statement whose condition is ``own``.

    A claim is proved as printed, so that only the condition of the attempt limits the proof. A formula's proof is also
    limited to the parameters for which it found the formula true.
    """
    under, where = proof.under, proof.where
    exactly = where if proof.exactly and under == TRUE and where != TRUE else None
    if proof.claim is not None:
        return Extent(further_condition(own, under), exactly)
    states = (proof.automaton.states if proof.automaton else 0) if proof.unnamed else None
    return Extent(further_condition(own, conjunction(under, where)), exactly, states)


def region_of(proof: ProofRecord) -> Expr | None:
    """Return the condition under which the proof proves its statement.

    None if it proves nothing, or if only an automaton describes the parameters that it covers.
    """
    if proof.status != "proved" or (proof.unnamed and proof.claim is None):
        return None
    return conjunction(proof.assuming, proof.where)


def any_condition(conditions: Iterable[Expr]) -> Expr:
    """Return the disjunction of the conditions, without those that another one covers."""
    return disjunction(*_widest(conditions))


def _widest(conditions: Iterable[Expr]) -> list[Expr]:
    """Return the conditions that no other one covers, each once."""
    kept = list(dict.fromkeys(conditions))
    for condition in tuple(kept):
        if any(_covers(other, condition) for other in kept if other != condition):
            kept.remove(condition)
    return kept


def _covers(wide: Expr, narrow: Expr) -> bool:
    """Tell whether ``narrow`` implies ``wide`` at a glance: it has its terms, or fixes values for which it is true."""
    if {*conjuncts(wide)} - {TRUE} <= {*conjuncts(narrow)}:
        return True
    names = tuple(free_names(wide))
    fixed = fixed_values(narrow, names)
    try:
        return len(fixed) == len(names) and bool(evaluate(wide, fixed))
    except GrundylabError:  # it calls a function of the ruleset, or has no value
        return False


def extents(proofs: Iterable[ProofRecord], where: Expr) -> list[Extent]:
    """Return the extents of the proofs of one statement, each once, without those that another one covers.

    where: the statement's own condition.
    """
    every = dict.fromkeys(extent_of(proof, where) for proof in proofs)
    widest = _widest(extent.condition for extent in every if extent.states is None)
    return [e for e in every if e.states is not None or e.exactly or e.condition in widest]


def deciding_proof(proofs: Iterable[ProofRecord], where: Expr) -> ProofRecord | None:
    """Return the proof whose procedures are reported; None if there are no proofs.

    This is the proof by the most procedures among those that cover the whole statement, or that determine exactly for
    which parameters it is true. Without such a proof, the statement is proved in parts, and is only as well confirmed
    as its weakest part. Then this is the proof by the fewest procedures among the best proofs of each extent.
    """
    best = dict[Extent, ProofRecord]()
    for proof in proofs:
        reach = extent_of(proof, where)
        if reach not in best or _count(proof) > _count(best[reach]):
            best[reach] = proof
    whole = [proof for reach, proof in best.items() if reach.whole or reach.exactly is not None]
    return max(whole, key=_count) if whole else min(best.values(), key=_count, default=None)


def _count(proof: ProofRecord) -> int:
    return len(proof.procedures)
