"""The catalogue: every formula found, every published claim and every row, with verdict and evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.files import whole, write_json
from grundylab.rowstage import formulas_of, without_lists
from grundylab.version import __version__


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
    asked = [{"study": study["study"], "open": study["open"], **study["about"]} for study in studies]
    found = {"studies": asked, "engines": engines, "formulas": formulas, "claims": claims}
    found["rows"] = list(map(without_lists, rows))
    write_json(folder / "catalogue.json", {"version": __version__, **found})
    _write_parquet(formulas, folder / "catalogue.parquet")


_COLUMNS = {
    "study": "string", "ruleset": "string", "title": "string", "target": "string", "status": "string",
    "formula": "string", "where": "string", "latex": "string", "size": "int64", "engine": "string", "seed": "int64",
    "training": "string", "correct": "int64", "total": "int64", "checked": "int64", "instances": "string",
    "counterexample": "string", "claims": "string", "relation": "string", "proof": "string",
    "second": "string",
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
