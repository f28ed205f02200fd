"""The prove stage's records: proofs of claims and of what was found, and what they make of the verdicts."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from grundylab.catalogue.attempts import Attempt, ProofRecord, attempt, shared
from grundylab.catalogue.records import ClaimRecord, Compared, Correction, Formula, Judged, Verdicts
from grundylab.catalogue.relations import relation_of
from grundylab.discover.conditions import proposed
from grundylab.files import write_text
from grundylab.games import Claim, Ruleset, parent_of, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.prove.direct.decider import Games
from grundylab.prove.direct.stated import to_text
from grundylab.prove.outcome import beside
from grundylab.prove.prover import Limits, Proof, asked, for_which, prove_claim

_Known = TypeVar("_Known", bound=Judged)
Times = dict[str, float]
CORRECTED = "-corrected"  # what is added to a claim's id for what is true instead


def prove_all(
    ruleset: Ruleset,
    judged: Verdicts,
    wheres: Sequence[Expr],
    timeout: float,
    folder: Path,
    seconds: Times | None = None,
) -> list[Attempt]:
    """A proof record for each claim, and for the best formulas that hold, under each where.

    Of the formulas of one target, engine and condition the best one is asked about.
    What was found helps in the inductions, and of a formula found with free parameters it is asked where it holds.

    judged: the study's verdicts. MONA scripts and certificates are written to the folder. seconds: takes how long each
    claim took. Raises Disagreement if MONA finds a proof wrong.
    """
    parent, records = parent_of(ruleset), list[Attempt]()
    helpers = _best(judged.formulas, "holds")
    # for some parameter values a refuted formula may be true: that is asked, and it helps nothing else
    refuted = _best(judged.formulas, "refuted") if ruleset.parameters and TRUE in wheres else []

    games = Games()

    def keep(claim: Claim | None, where: Expr, proof: Proof, about: Expr | None = None) -> None:
        file = write_script(proof, folder, claim.id if claim else None)
        records.append(attempt(proof, file, claim.id if claim else None, about, str(where)))

    limits = Limits(timeout, words=proposed)
    corrected = [claim for record in judged.claims if (claim := _corrected(ruleset, record))]
    helpers += corrected
    judged_claims = {record.claim for record in judged.claims}
    for claim in (*(claim for claim in ruleset.claims if claim.id in judged_claims), *corrected):
        started = time.perf_counter()
        for where in wheres:
            proof = prove_claim(
                ruleset, claim, where, parent=parent, helpers=helpers, limits=limits, games=games
            )
            keep(claim, where, proof)
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    for found in dict.fromkeys(replace(helper, id="") for helper in helpers if helper not in corrected):
        for where in wheres:
            proof = prove_claim(
                ruleset, asked(found.formula, found.target), conjunction(found.where, where), parent=parent,
                helpers=helpers, question=for_which(ruleset, found, where), limits=limits, games=games,
            )  # fmt: skip
            keep(None, where, proof, found.where)
    for found in refuted:
        proof = prove_claim(
            ruleset, asked(found.formula, found.target), found.where, parent=parent, question=True, limits=limits,
            games=games,
        )  # fmt: skip
        keep(None, TRUE, proof, found.where)
    return records


def _best(formulas: Iterable[Formula], status: str) -> list[Claim]:
    """The first formula of each target, engine and condition with this verdict, as a claim; none with lookups."""
    best: dict[tuple[str, str, str], Claim] = {}
    for record in formulas:
        key = (record.target, record.engine, record.where)
        if record.status == status and key not in best and not record.values:
            formula, where = parse(record.formula), parse_condition(record.where)
            best[key] = Claim(f"found-{len(best) + 1}", parse_target(record.target), formula, where)
    return list(best.values())


def _corrected(ruleset: Ruleset, record: ClaimRecord) -> Claim | None:
    """What is true instead of a refuted claim, if it is in the prover's terms."""
    correction = record.correction
    if correction is None or not correction.provable:
        return None
    formula, where = parse(correction.formula), parse_condition(correction.where)
    claim = ruleset.claim(record.claim)
    changed = replace(claim, formula=formula, where=where, kind="formula", printed=None)
    return replace(changed, id=f"{claim.id}{CORRECTED}")


def write_script(proof: Proof, folder: Path, name: str | None) -> str | None:
    """Write the proof's MONA script or certificate, if it has one, under the claim's name or the statement's.

    Beside a script stands the induction itself.
    """
    if proof.file is None:
        return None
    statement = f"{proof.target} {proof.formula} {proof.where}"
    digest = hashlib.sha256(statement.encode()).hexdigest()[:8]
    path = folder / f"{name or 'formula'}-{digest}.{'mona' if proof.script else 'json'}"
    write_proof(proof, path)
    return str(path)


def write_proof(proof: Proof, path: Path) -> None:
    """Write the script or certificate, and beside it the induction itself."""
    if proof.file is not None:
        write_text(path, proof.file)
    if proof.stated is not None and proof.script is not None:
        write_text(beside(path), to_text(proof.stated))


def with_proofs(
    judged: Verdicts, proofs: Sequence[Attempt], comparisons: Iterable[Compared] = ()
) -> Verdicts:
    """The study's verdicts with their proofs.

    comparisons: those with the claims that the prover decided; the last word is each formula's ``relation``.
    """
    compared = {(c.formula, c.target, c.where): c.comparison for c in comparisons}

    def related(record: Formula) -> Formula:
        proof = compared.get((record.formula, record.target, record.where))
        return replace(record, relation=relation_of(record.status, record.comparison, proof))

    def corrected(record: ClaimRecord) -> ClaimRecord:
        return replace(record, correction=_proved_correction(record, proofs))

    formulas = tuple(related(_tried(record, proofs, None)) for record in judged.formulas)
    claims = tuple(corrected(_tried(record, proofs, record.claim)) for record in judged.claims)
    return replace(judged, formulas=formulas, claims=claims)


def _tried(record: _Known, proofs: Iterable[Attempt], claim: str | None) -> _Known:
    """The record with the proofs that were tried of it; the first counterexample refutes what nothing else did."""
    mine = [
        proof
        for proof in proofs
        if proof.claim == claim
        and (proof.formula, proof.target) == (record.formula, record.target)
        and proof.about in (None, record.where)
    ]
    examples = (record.counterexample, *(proof.counterexample for proof in mine if proof.status == "refuted"))
    example = next((example for example in examples if example is not None), None)
    kept = tuple(ProofRecord(**shared(ProofRecord, proof)) for proof in mine)
    return replace(record, proofs=kept, counterexample=example)


def _proved_correction(record: ClaimRecord, proofs: Iterable[Attempt]) -> Correction | None:
    """What is true instead of a claim, with the proofs of that; None if they refute that as well."""
    if record.correction is None:
        return None
    found = _tried(record.correction, proofs, f"{record.claim}{CORRECTED}")
    return None if found.status == "refuted" else found
