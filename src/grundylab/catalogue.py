"""The catalogue: every formula found and every published claim, with verdict and evidence, one record each."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from grundylab.errors import EvaluationError
from grundylab.families import Extent, judge_family
from grundylab.files import whole, write_json, write_text
from grundylab.formula import parse
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.syntax import TRUE, Expr
from grundylab.judging import judge
from grundylab.printing import claim_latex, claim_text
from grundylab.proving.claims import prove_claim
from grundylab.proving.prover import Limits, Proof, prove
from grundylab.records import proof_record, verdict_record
from grundylab.rulesets import Claim, Instance, Ruleset, parent_of, parse_target
from grundylab.rulesets.model import PrintedTable
from grundylab.solving.table import Table
from grundylab.verification import Verdict, verify
from grundylab.version import __version__

Record = dict[str, Any]
Times = dict[str, float]


def judge_candidates(
    ruleset: Ruleset, candidates: Iterable[Mapping[str, Any]], tables: Sequence[Table]
) -> list[Record]:
    """A record for each distinct candidate: verified if it is exact on the training data, else ``partial``.

    candidates: records as the discover stage writes them. The tables are the test instances.
    """
    records: list[Record] = []
    for candidate in candidates:
        record = {"ruleset": ruleset.name, "title": ruleset.title, **candidate}
        if candidate["exact"]:
            formula, target = parse(candidate["formula"]), parse_target(candidate["target"])
            verdict = verify(formula, target, tables)
            record |= verdict_record(verdict)
            record["claims"] = [
                claim.id
                for claim in ruleset.claims
                if verdict.status == "holds"
                and claim.plain
                and claim.target == target
                and agree(formula, claim, tables)
            ]
        else:
            record |= {"status": "partial", "checked": candidate["total"], "where": str(TRUE), "claims": []}
            record |= {"instances": [], "counterexample": None, "condition": None, "reason": None}
        records.append(record)
    return records


def judge_claims(ruleset: Ruleset, tables: Sequence[Table], seconds: Times | None = None) -> list[Record]:
    """A record for each published claim, verified on the test instances. seconds: takes how long each took."""
    records = []
    for claim in ruleset.claims:
        started = time.perf_counter()
        records.append(claim_record(ruleset, claim, judge(claim, tables)))
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    return records


def judge_family_claims(
    ruleset: Ruleset, instances: Sequence[Instance], extents: Mapping[str, Extent], seconds: Times
) -> list[Record]:
    """The same for a family of games: each claim in every one of them."""
    started = time.perf_counter()
    verdicts, games = judge_family(ruleset.claims, instances, extents)
    each = (time.perf_counter() - started) / max(1, len(ruleset.claims))
    seconds.update({claim.id: each for claim in ruleset.claims})
    every = "; ".join(f"{name}: {extent}" for name, extent in extents.items())
    return [
        {**claim_record(ruleset, claim, verdict), "games": games, "every": every}
        for claim, verdict in zip(ruleset.claims, verdicts, strict=True)
    ]


def claim_record(ruleset: Ruleset, claim: Claim, verdict: Verdict) -> Record:
    """The claim with its verdict. A table of which every entry was computed is not only verified but proved."""
    record = {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "claim": claim.id,
        "at": claim.at,
        "paper": claim.paper,
        "kind": claim.kind,
        "note": claim.note,
        **verdict_record(verdict),
        "statement": claim_text(claim),
        "latex": claim_latex(claim, ruleset),
        "wrong": verdict.wrong,
        "complete": False,
        "games": None,
        "every": None,
    }
    if isinstance(claim.printed, PrintedTable) and verdict.status == "holds":
        record["complete"] = verdict.checked >= len(claim.printed.entries)
        record["status"] = "proved" if record["complete"] else "holds"
    return record


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

    judged: the study's verdicts. The MONA scripts are written to the folder. seconds: takes how long each claim took.
    """
    parent, records, best = parent_of(ruleset), list[Record](), set[tuple[str, str]]()
    helpers: list[Claim] = []
    for record in judged["formulas"]:
        key = (record["target"], record["engine"])
        if record["status"] == "holds" and key not in best:
            best.add(key)
            found = Claim(f"found-{len(best)}", parse_target(record["target"]), parse(record["formula"]))
            helpers.append(found)

    def keep(claim: str | None, where: Expr, proof: Proof) -> None:
        file = write_script(proof, folder, claim)
        records.append({"claim": claim, "under": str(where), **proof_record(proof, file)})

    limits = Limits(timeout)
    judged_claims = {record["claim"] for record in judged["claims"]}
    for claim in (claim for claim in ruleset.claims if claim.id in judged_claims):
        started = time.perf_counter()
        for where in wheres:
            keep(
                claim.id,
                where,
                prove_claim(ruleset, claim, where, parent=parent, helpers=helpers, limits=limits),
            )
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    for found in dict.fromkeys(replace(helper, id="") for helper in helpers):
        for where in wheres:
            proof = prove(
                ruleset, found.formula, found.target, where, parent=parent, helpers=helpers,
                question=where == TRUE, limits=limits,
            )  # fmt: skip
            keep(None, where, proof)
    return records


def write_script(proof: Proof, folder: Path, name: str | None) -> str | None:
    """Write the proof's MONA script or certificate under the claim's name or one made of the statement, if it has one."""
    if (text := proof.file) is None:
        return None
    statement = f"{proof.target} {proof.formula} {proof.where}"
    digest = hashlib.sha256(statement.encode()).hexdigest()[:8]
    path = folder / f"{name or 'formula'}-{digest}.{'mona' if proof.certificate is None else 'json'}"
    write_text(path, text)
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
        return {**record, **found}

    return {
        "study": judged["study"],
        "open": judged["open"],
        "formulas": [better(record) for record in judged["formulas"]],
        "claims": [better(record) for record in judged["claims"]],
    }


def agree(formula: Expr, claim: Claim, tables: Sequence[Table]) -> bool:
    """Whether the formula and the claim say the same at every position the claim is about (and it is about some)."""
    compared = 0
    for table in tables:
        ruleset = table.instance.ruleset
        for slab in table.slabs():
            columns = dict(zip(ruleset.coordinate_names, slab.coordinates, strict=True))
            columns |= {name: np.full(len(slab), value) for name, value in table.instance.parameters}
            try:
                about = evaluate_arrays(claim.where, columns, ruleset.functions)
                there = {name: column[about] for name, column in columns.items()}
                mine = evaluate_arrays(formula, there, ruleset.functions)
                theirs = evaluate_arrays(claim.formula, there, ruleset.functions)
            except EvaluationError:
                return False
            compared += int(np.count_nonzero(about))
            if not np.array_equal(mine, theirs):
                return False
    return compared > 0


def write_catalogue(studies: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """``catalogue.json`` and ``catalogue.parquet`` (its formulas) from the studies' verdicts."""
    formulas = [
        {"study": study["study"], "open": study["open"], **record}
        for study in studies
        for record in study["formulas"]
    ]
    claims = [{"study": study["study"], **record} for study in studies for record in study["claims"]]
    write_json(folder / "catalogue.json", {"version": __version__, "formulas": formulas, "claims": claims})
    _write_parquet(formulas, folder / "catalogue.parquet")


_COLUMNS = {
    "study": "string", "ruleset": "string", "title": "string", "target": "string", "status": "string",
    "formula": "string", "latex": "string", "size": "int64", "engine": "string", "seed": "int64",
    "training": "string", "correct": "int64", "total": "int64", "checked": "int64", "instances": "string",
    "counterexample": "string", "claims": "string", "proof": "string",
}  # fmt: skip


def _write_parquet(formulas: Sequence[Mapping[str, Any]], path: Path) -> None:
    """One row a formula; what is nested in JSON is JSON text here."""
    import pandas as pd

    rows = [{name: _flat(record.get(name)) for name in _COLUMNS} for record in formulas]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(
        {k: v for k, v in _COLUMNS.items() if v != "string"}
    )
    with whole(path) as temporary:
        frame.to_parquet(temporary, compression="zstd", index=False)


def _flat(value: Any) -> Any:  # noqa: ANN401 - a cell
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
