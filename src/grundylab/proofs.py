"""The prove stage's records: proofs of claims and of what was found, and what they make of the verdicts."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.files import write_text
from grundylab.formula import parse, parse_condition
from grundylab.formula.syntax import TRUE, Expr, conjunction, free_names
from grundylab.proving.claims import prove_claim
from grundylab.proving.prover import Limits, Proof, prove
from grundylab.records import proof_record
from grundylab.rulesets import Claim, Ruleset, parent_of, parse_target

Record = dict[str, Any]
Times = dict[str, float]
CORRECTED = "-corrected"  # what is added to a claim's id for what is true instead


def prove_all(
    ruleset: Ruleset,
    judged: Mapping[str, Any],
    wheres: Sequence[Expr],
    timeout: float,
    folder: Path,
    seconds: Times | None = None,
) -> list[Record]:
    """A proof record for each claim, and for each target's and engine's best formula that holds, under each where.

    What was found helps in the inductions, and of a formula found with free parameters it is asked where it holds.

    judged: the study's verdicts. MONA scripts and certificates are written to the folder. seconds: takes how long each
    claim took.
    """
    parent, records, best = parent_of(ruleset), list[Record](), set[tuple[str, str]]()
    helpers: list[Claim] = []
    for record in judged["formulas"]:
        key = (record["target"], record["engine"])
        if record["status"] == "holds" and key not in best:
            best.add(key)
            target, formula = parse_target(record["target"]), parse(record["formula"])
            helpers.append(Claim(f"found-{len(best)}", target, formula, parse_condition(record["where"])))

    def keep(claim: str | None, where: Expr, proof: Proof) -> None:
        file = write_script(proof, folder, claim)
        records.append({"claim": claim, "under": str(where), **proof_record(proof, file)})

    limits = Limits(timeout)
    corrected = [
        replace(claim, id=f"{claim.id}{CORRECTED}")
        for record in judged["claims"]
        if (claim := _corrected(ruleset, record))
    ]
    helpers += corrected
    judged_claims = {record["claim"] for record in judged["claims"]}
    for claim in (*(claim for claim in ruleset.claims if claim.id in judged_claims), *corrected):
        started = time.perf_counter()
        for where in wheres:
            keep(
                claim.id,
                where,
                prove_claim(ruleset, claim, where, parent=parent, helpers=helpers, limits=limits),
            )
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    for found in dict.fromkeys(replace(helper, id="") for helper in helpers if helper not in corrected):
        free = not free_names(found.where) & set(ruleset.parameter_names)
        for where in wheres:
            proof = prove(
                ruleset, found.formula, found.target, conjunction(found.where, where), parent=parent,
                helpers=helpers, question=where == TRUE and free, limits=limits,
            )  # fmt: skip
            keep(None, where, proof)
    return records


def _corrected(ruleset: Ruleset, record: Mapping[str, Any]) -> Claim | None:
    """What is true instead of a refuted claim, if it is in the prover's terms."""
    correction = record["correction"]
    if not correction or not correction["provable"]:
        return None
    formula, where = parse(correction["formula"]), parse_condition(correction["where"])
    return replace(ruleset.claim(record["claim"]), formula=formula, where=where, kind="formula", printed=None)


def write_script(proof: Proof, folder: Path, name: str | None) -> str | None:
    """Write the proof's MONA script or certificate, if it has one, under the claim's name or the statement's."""
    if proof.file is None:
        return None
    statement = f"{proof.target} {proof.formula} {proof.where}"
    digest = hashlib.sha256(statement.encode()).hexdigest()[:8]
    path = folder / f"{name or 'formula'}-{digest}.{'mona' if proof.certificate is None else 'json'}"
    write_text(path, proof.file)
    return str(path)


def with_proofs(judged: Mapping[str, Any], proofs: Sequence[Record]) -> Record:
    """The study's verdicts with their proofs: what is proved says so, and what a proof refutes is refuted."""

    def better(record: Record) -> Record:
        mine = [
            {
                key: proof[key]
                for key in ("status", "under", "where", "exactly", "reason", "proof", "used", "automaton")
            }
            | {"counterexample": proof["counterexample"]}
            for proof in proofs
            if proof["claim"] == record.get("claim")
            and (proof["formula"], proof["target"]) == (record["formula"], record["target"])
        ]
        proved = [proof for proof in mine if proof["status"] == "proved"]
        refuted = [proof for proof in mine if proof["status"] == "refuted" and proof["counterexample"]]
        found: Record = {"proofs": mine, "proof": None}
        if refuted and record["status"] != "refuted":
            found |= {"status": "refuted", "counterexample": refuted[0]["counterexample"]}
        elif proved and record["status"] in ("holds", "undecided"):
            found |= {"status": "proved", "proof": proved[0]["proof"]}
        correction = record.get("correction")
        if correction and correction["status"] == "holds":
            name = f"{record['claim']}{CORRECTED}"
            scripts = [p["proof"] for p in proofs if p["claim"] == name and p["status"] == "proved"]
            if scripts:
                found["correction"] = {**correction, "status": "proved", "proof": scripts[0]}
        return {**record, **found}

    return {
        "study": judged["study"],
        "open": judged["open"],
        "engines": judged["engines"],
        "formulas": [better(record) for record in judged["formulas"]],
        "claims": [better(record) for record in judged["claims"]],
    }
