"""The catalogue: every formula found and every published claim, with verdict and evidence, one record each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.files import whole, write_json
from grundylab.version import __version__


def write_catalogue(studies: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """``catalogue.json`` and ``catalogue.parquet`` (its formulas) from the studies' verdicts.

    The former also has what each engine says of its search, with or without a formula.
    """
    formulas = [
        {"study": study["study"], "open": study["open"], **record}
        for study in studies
        for record in study["formulas"]
    ]
    engines = [{"study": study["study"], **record} for study in studies for record in study["engines"]]
    claims = [{"study": study["study"], **record} for study in studies for record in study["claims"]]
    catalogue = {"version": __version__, "engines": engines, "formulas": formulas, "claims": claims}
    write_json(folder / "catalogue.json", catalogue)
    _write_parquet(formulas, folder / "catalogue.parquet")


_COLUMNS = {
    "study": "string", "ruleset": "string", "title": "string", "target": "string", "status": "string",
    "formula": "string", "where": "string", "latex": "string", "size": "int64", "engine": "string", "seed": "int64",
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
