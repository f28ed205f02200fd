"""The catalogue: every formula found, every published claim and every row, with verdict and evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.catalogue.proved import extent, procedures, proofs_of, written
from grundylab.catalogue.rows import formulas_of, without_lists
from grundylab.files import whole, write_json
from grundylab.solve.made import toolchain


def write_catalogue(
    studies: Sequence[Mapping[str, Any]], periods: Sequence[Mapping[str, Any]], folder: Path
) -> None:
    """``catalogue.json`` and ``catalogue.parquet`` (its formulas) from the studies' verdicts.

    The former also has what each engine says of its search, with or without a formula.
    periods: what the studies of rows found. A row whose formula is not too long is one of the formulas, too.
    """
    rows = [{"study": p["study"], "open": p["open"], **row} for p in periods for row in p["rows"]]
    formulas = [
        {"study": study["study"], "open": study["open"], **record}
        for study in studies
        for record in study["formulas"]
    ]
    formulas += [{"study": r["study"], "open": r["open"], **f} for r in rows for f in formulas_of([r])]
    engines = [{"study": study["study"], **record} for study in studies for record in study["engines"]]
    claims = [{"study": study["study"], **record} for study in studies for record in study["claims"]]
    asked = [
        {"study": study["study"], "open": study["open"], "made": _deciding(study), **study["about"]}
        for study in studies
    ]
    found = {"studies": asked, "engines": engines, "formulas": formulas, "claims": claims}
    found["rows"] = list(map(without_lists, rows))
    made = toolchain()
    write_json(folder / "catalogue.json", {"version": made["version"], "made": made, **found})
    made["studies"] = {study["study"]: study["made"] for study in asked}
    _write_parquet(formulas, made, folder / "catalogue.parquet")


def _deciding(study: Mapping[str, Any]) -> dict[str, Any]:
    """By which rulesets' files and seed the study's verdicts were made; the rest is the same for all studies."""
    return {key: study["made"][key] for key in ("rulesets", "seed")}


_COLUMNS = {
    "study": "string", "ruleset": "string", "title": "string", "target": "string", "status": "string",
    "formula": "string", "where": "string", "latex": "string", "size": "int64", "engine": "string", "seed": "int64",
    "training": "string", "correct": "int64", "total": "int64", "checked": "int64", "instances": "string",
    "counterexample": "string", "claims": "string", "relation": "string", "proof": "string",
    "second": "string", "extent": "string", "procedures": "string",
}  # fmt: skip


def _write_parquet(formulas: Sequence[Mapping[str, Any]], made: Mapping[str, Any], path: Path) -> None:
    """One row a formula; what is nested in JSON is JSON text here. By what it was made is in the metadata."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = [{**record, **_proved(record)} for record in formulas]
    rows = [{name: _flat(record.get(name)) for name in _COLUMNS} for record in known]
    frame = pd.DataFrame(rows, columns=list(_COLUMNS)).astype(
        {k: v for k, v in _COLUMNS.items() if v != "string"}
    )
    table = pa.Table.from_pandas(frame, preserve_index=False)
    with (
        whole(path) as temporary,
        pq.ParquetWriter(temporary, table.schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        writer.write_table(table)
        writer.add_key_value_metadata({"grundylab": json.dumps(made)})


def _proved(record: Mapping[str, Any]) -> dict[str, Any]:
    """For which parameters and by what it is proved, if it is."""
    if not proofs_of(record):
        return {"extent": None, "procedures": None}
    return {"extent": written(extent(record)), "procedures": procedures(record)}


def _flat(value: Any) -> Any:  # noqa: ANN401 - a cell
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value
