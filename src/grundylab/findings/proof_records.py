"""Records of the prove stage: proofs of claims and of formulas found, and the verdicts that follow from them.

A formula that holds but was not proved is compared with a proved formula for the same target. If both are equal, it is
proved as well; if not, the prover looks for a counterexample.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from grundylab.discover.plainness import plainness
from grundylab.discover.repairs import alternative_conditions
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json, write_text
from grundylab.findings.attempts import (
    Attempt,
    ProofRecord,
    attempt,
    attempts,
    region_of,
    saved_theorem_path,
    shared_fields,
    theorem_path,
)
from grundylab.findings.claim_relations import relation_of
from grundylab.findings.records import (
    ClaimRecord,
    ComparisonRecord,
    Correction,
    Formula,
    JudgedStatement,
    Verdicts,
)
from grundylab.findings.verdicts import ClaimSeconds
from grundylab.games import Claim, Ruleset, Target, parent_of
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.progress import BeginPart, silent
from grundylab.prove.comparing import equal_values_condition
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.other_words import with_other_words
from grundylab.prove.outcome import Disagreement, Limits, Proof
from grundylab.prove.proof_files import check_proof_file, proof_text
from grundylab.prove.prover import ProofContext, for_which, prove_claim, proved_equal
from grundylab.statement import statement_about

_AnyRecord = TypeVar("_AnyRecord", bound=JudgedStatement)
LATE = "not begun: the time for proofs was used up"
CORRECTED = "-corrected"  # is added to a claim's id to name its correction


def prove_all(
    ruleset: Ruleset,
    judged: Verdicts,
    wheres: Sequence[Expr],
    timeout: float,
    folder: Path,
    seconds: ClaimSeconds | None = None,
    late: Callable[[], bool] = lambda: False,
    begin: BeginPart = silent,
) -> list[Attempt]:
    """Return records of proof attempts for the claims and the best formulas, under each condition of ``wheres``.

    A claim that is proved for all parameters is not tried under the remaining conditions. For each target, engine and
    condition only the shortest formula that holds is tried and, if that proof fails, the plainest. The shortest refuted
    one is tried as well if ``wheres`` contains TRUE, since it may be true for some parameters. Induction hypotheses may
    contain formulas found and corrected claims. If a formula has free parameters, the prover determines the values for
    which it is true.

    judged: the study's verdicts. timeout: in seconds, as in ``Limits``. folder: for MONA scripts and certificates.
    seconds: a dictionary that receives the time of each claim. late: returns True when no more proofs may be begun.
    begin: is called before each proof, with the id of the claim or with the formula. Raises Disagreement if MONA finds
    a proof wrong.
    """
    parent, records = parent_of(ruleset), list[Attempt]()
    limits = Limits(timeout, words=alternative_conditions)
    known = ProofContext(limits)
    plain = ProofContext(limits)  # without the formulas found, which may take the place of facts that help
    corrected = [claim for record in judged.claims if (claim := _corrected(ruleset, record))]
    found = _best(judged.formulas, "holds")

    def prove(claim: Claim, where: Expr, helpers: Sequence[Claim], question: bool = False) -> Proof:
        if late():
            about = conjunction(claim.where, where)
            key = statement_about(ruleset, claim).key
            return Proof("undecided", claim.formula, claim.target, about, reason=LATE, key=key)
        return prove_claim(
            ruleset, claim, where, parent=parent, helpers=helpers, question=question, limits=limits, known=known
        )  # fmt: skip

    def prove_found(claim: Claim, where: Expr, helpers: Sequence[Claim], question: bool) -> str:
        begin(str(claim.formula))
        claim = unpublished_claim(claim.formula, claim.target, claim.where)
        proof = with_other_words(ruleset, prove(claim, where, helpers, question), limits)
        records.extend(attempts(proof, keep(None), None, claim.where, where))
        return proof.status

    def keep(name: str | None) -> Callable[[Proof], str | None]:
        return lambda proof: write_script(proof, folder, name)

    judged_claims = {record.claim for record in judged.claims}
    for claim in (*(claim for claim in ruleset.claims if claim.id in judged_claims), *corrected):
        begin(claim.id)
        started = time.perf_counter()
        for where in wheres:
            proof = prove(claim, where, [*found, *corrected])
            if proof.status == "undecided" and claim.values and found and not late():
                proof = prove_claim(
                    ruleset, claim, where, parent=parent, helpers=corrected, limits=limits, known=plain
                )
            records.extend(attempts(proof, keep(claim.id), claim.id, claim.where, where))
            if where == TRUE and (proof.status, proof.condition) == ("proved", TRUE):
                break  # proved for all parameters, and so under every condition
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    for least, first in dict.fromkeys(zip(found, _best(judged.formulas, "holds", first=True), strict=True)):
        for where in wheres:
            for claim in dict.fromkeys(replace(each, id="") for each in (least, first)):
                question = for_which(ruleset, claim, where)
                if prove_found(claim, where, [*found, *corrected], question) != "undecided":
                    break  # the other formulas are compared with this one
    # a refuted formula may be true for some parameters; it helps in no other proof
    if ruleset.parameters and TRUE in wheres:
        for claim in _best(judged.formulas, "refuted"):
            prove_found(claim, TRUE, (), True)
    return records


def _best(formulas: Iterable[Formula], status: str, first: bool = False) -> list[Claim]:
    """Return, for each target, engine and condition, a formula without lookups of this status, as a claim.

    It is the shortest one, which is the easiest to prove; the first one, which is the plainest, if ``first``.
    """
    best: dict[tuple[Target, str, Expr], list[Expr]] = {}
    for record in formulas:
        if record.status == status and not record.values:
            best.setdefault((record.target, record.engine, record.where), []).append(record.formula)
    return [
        Claim(f"found-{number}", target, every[0] if first else min(every, key=plainness), where)
        for number, ((target, _, where), every) in enumerate(best.items(), start=1)
    ]


def _corrected(ruleset: Ruleset, record: ClaimRecord) -> Claim | None:
    """Return a claim's correction as a claim; None if it has none, or if the prover cannot be asked about it."""
    correction = record.correction
    if correction is None or not correction.provable:
        return None
    claim = ruleset.claim(record.claim)
    if claim.instead is not None:
        return replace(claim.instead, id=f"{claim.id}{CORRECTED}")
    changed = replace(claim, formula=correction.formula, where=correction.where, kind="formula", printed=None)
    return replace(changed, id=f"{claim.id}{CORRECTED}")


def write_script(proof: Proof, folder: Path, name: str | None) -> str | None:
    """Write the proof's files, and return the path of the MONA script or, if there is none, of the theorem.

    Return None, and write nothing, if the proof has no theorem. The files are named after the claim and the statement's
    key. name: the claim's id; None for a formula.
    """
    if proof.theorem is None:
        return None
    ending = "mona" if proof.script else "json"
    path = folder / f"{name or 'formula'}-{proof.theorem.statement.key[:12]}.{ending}"
    write_proof(proof, path, name)
    return str(path)


def write_proof(proof: Proof, path: Path, name: str | None = None) -> None:
    """Write the files of a proof; none for a proof without a theorem. name: the claim's id.

    The MONA script goes to ``path``, and the theorem to a file beside it; without a script the theorem goes to
    ``path``.
    """
    if proof.theorem is None:
        return
    if proof.script is not None:
        write_text(path, proof.script)
    write_text(theorem_path(path) if proof.script else path, proof_text(proof.theorem, name))


# -- proofs by equality -----------------------------------------------------------------------------------------------


def proofs_by_equality(
    ruleset: Ruleset,
    formulas: Iterable[Formula],
    proofs: Sequence[Attempt],
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Attempt]:
    """Return proof records of formulas that hold but that the prover was not asked about.

    Each such formula is compared with the proved formulas for the same target and positions. If it equals one of them,
    its record says proved. If not, the prover is asked for a counterexample; without one there is no record. keep:
    writes a proof's file and returns its path.
    """
    found: list[Attempt] = []
    done = {(proof.formula, proof.target, proof.about) for proof in proofs if proof.claim is None}
    for record in formulas:
        key = (record.formula, record.target, record.where)
        if record.status != "holds" or record.values or key in done:
            continue
        done.add(key)
        for proof in proofs:
            comparable = (proof.target, proof.about) == key[1:] and proof.claim is None
            if comparable and (region := region_of(proof)) is not None:
                found += _proof_by_equality(ruleset, key, proof, region, limits, keep)
    return found


def _proof_by_equality(
    ruleset: Ruleset,
    key: tuple[Expr, Target, Expr],
    proof: Attempt,
    region: Expr,
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Attempt]:
    """Return the record of a proof or refutation of a formula by comparison with a proved formula; empty if neither.

    The formula is proved if both are equal throughout ``region``; if they may differ, a counterexample is sought. key:
    the formula to be decided, its target and its condition. proof: the proof of the other formula. region: the
    condition under which the other formula is proved.
    """
    formula, target, where = key
    try:
        claim = unpublished_claim(formula, target, where)
        equal = equal_theorem(ruleset, formula, proof, region, limits)
        if equal is not None:
            whole = replace(equal, key=statement_about(ruleset, claim).key)
            new = attempt(whole, keep(whole), None, where, proof.under)
            reason = f"equal to {proof.formula}, which is proved"
            exactly = proof.exactly and proof.where == TRUE
            new = replace(new, where=proof.where, assuming=proof.assuming, positions=proof.positions)
            return [replace(new, reason=reason, exactly=exactly)]
        if (
            true_everywhere(ruleset, equal_values_condition(formula, proof.formula), region, limits.cells)
            is not False
        ):
            return []
        answer = prove_claim(ruleset, claim, proof.under, parent=parent_of(ruleset), limits=limits)
    except Disagreement:
        raise  # procedures contradict each other: the run must stop
    except GrundylabError:
        return []
    if answer.status != "refuted" or answer.counterexample is None:
        return []
    return [attempt(answer, keep(answer), None, where, proof.under)]


def equal_theorem(
    ruleset: Ruleset, formula: Expr, proof: Attempt, region: Expr, limits: Limits
) -> Proof | None:
    """Return the proof that the formula equals the proved one throughout ``region``; None if no proof is found."""
    if proof.proof is None:
        return None
    known = ProofContext(limits)
    record = read_json(saved_theorem_path(Path(proof.proof)), ConfigError)
    theorem = check_proof_file(record, ruleset, known.kernel)
    claim = unpublished_claim(formula, theorem.statement.target)
    return proved_equal(ruleset, claim, region, theorem, known, limits)


# -- with the verdicts -----------------------------------------------------------------------------------------------


def verdicts_with_proofs(
    judged: Verdicts, proofs: Sequence[Attempt], comparisons: Iterable[ComparisonRecord] = ()
) -> Verdicts:
    """Return the study's verdicts, each with its proofs.

    comparisons: those that the prover made with the claims; a formula's ``relation`` follows from them and from the
    tables.
    """
    compared = {(c.formula, c.target, c.where): c.comparison for c in comparisons}

    def related(record: Formula) -> Formula:
        proof = compared.get((record.formula, record.target, record.where))
        return replace(record, relation=relation_of(record.status, record.comparison, proof))

    def corrected(record: ClaimRecord) -> ClaimRecord:
        better = _proved_correction(record, proofs)
        # a condition that was only seen in tables is dropped if a proof has the exact one
        guess = better and (better.status, better.formula) == ("holds", record.formula)
        return replace(record, correction=None if guess and record.exactly is not None else better)

    formulas = tuple(related(_with_its_proofs(record, proofs)) for record in judged.formulas)
    claims = tuple(corrected(_with_its_proofs(record, proofs)) for record in judged.claims)
    return replace(judged, formulas=formulas, claims=claims)


def _with_its_proofs(record: _AnyRecord, proofs: Iterable[Attempt]) -> _AnyRecord:
    """Return the record with the proofs of its statement.

    A record without a counterexample gets the first one from the proofs that refute it.
    """
    mine = [proof for proof in proofs if proof.key == record.key]
    examples = (record.counterexample, *(proof.counterexample for proof in mine if proof.status == "refuted"))
    example = next((example for example in examples if example is not None), None)
    kept = tuple(ProofRecord(**shared_fields(ProofRecord, proof)) for proof in _distinct(mine))
    return replace(record, proofs=kept, counterexample=example)


def _distinct(proofs: Iterable[Attempt]) -> list[Attempt]:
    """Return the first proof of each status, condition and extent.

    There are several if a claim and a formula are the same statement.
    """
    first: dict[tuple[str, Expr, Expr], Attempt] = {}
    for proof in proofs:
        first.setdefault((proof.status, proof.under, proof.where), proof)
    return list(first.values())


def _proved_correction(record: ClaimRecord, proofs: Iterable[Attempt]) -> Correction | None:
    """Return the claim's correction with the proofs of it; None if there is no correction, or they refute it."""
    if record.correction is None:
        return None
    found = _with_its_proofs(record.correction, proofs)
    return None if found.status == "refuted" else found
