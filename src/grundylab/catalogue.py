"""The catalogue: every formula found and every published claim, with verdict and evidence, one record each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grundylab.errors import EvaluationError
from grundylab.files import whole, write_json
from grundylab.formula import parse
from grundylab.formula.arrays import evaluate_arrays
from grundylab.formula.syntax import TRUE, Expr
from grundylab.records import verdict_record
from grundylab.rulesets import Claim, Ruleset, parse_target
from grundylab.solve.table import Table
from grundylab.verify import verify
from grundylab.version import __version__

Record = dict[str, Any]


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
                if verdict.status == "holds" and claim.target == target and agree(formula, claim, tables)
            ]
        else:
            record |= {"status": "partial", "checked": candidate["total"], "where": str(TRUE), "claims": []}
            record |= {"instances": [], "counterexample": None, "condition": None, "reason": None}
        records.append(record)
    return records


def judge_claims(ruleset: Ruleset, tables: Sequence[Table]) -> list[Record]:
    """A record for each published claim, verified on the test instances."""
    return [
        {
            "ruleset": ruleset.name,
            "title": ruleset.title,
            "claim": claim.id,
            "at": claim.at,
            "paper": ruleset.source.paper if ruleset.source else None,
            "note": claim.note,
            **verdict_record(verify(claim.formula, claim.target, tables, claim.where)),
        }
        for claim in ruleset.claims
    ]


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
    formulas = [{"study": study["study"], **record} for study in studies for record in study["formulas"]]
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
