"""Records of rows: for people, and as records of formulas found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grundylab.language import Expr, parse_condition
from grundylab.language.syntax import Int, Name, compare, conjunction
from grundylab.prove.outcome import PERIOD

Record = dict[str, Any]
_SHARED = (
    "ruleset", "title", "engine", "seed", "target", "status", "formula", "latex", "size", "reason", "claims",
    "relation", "proof",
)  # fmt: skip
LARGEST = 400  # nodes of a formula that is listed among the formulas found


def about(record: Mapping[str, Any]) -> Expr:
    """The parameters and positions that a row's formula is about."""
    fixed = [compare("==", Name(name), Int(value)) for name, value in record["parameters"].items()]
    return conjunction(*fixed, parse_condition(record["where"]))


def period_text(record: Mapping[str, Any]) -> str:
    """What is known of a row, for people."""
    if record["period"] is None:
        return str(record["reason"])
    text = f"preperiod {record['preperiod']:,}, period and saltus {record['period']:,}"
    if record["saltus"] == 0:
        text = f"preperiod {record['preperiod']:,}, period {record['period']:,}; {record['exceptions']:,} exceptions"
    elif record["families"] is not None:
        text += f"; {record['exceptions']:,} single positions and {record['families']:,} families"
    return text + (f" ({record['reason']})" if record["reason"] else "")


def formulas_of(rows: Sequence[Record]) -> list[Record]:
    """The rows with a formula of moderate size, as records of formulas found: what the catalogue lists."""
    return [_formula(row) for row in rows if row["formula"] is not None and row["size"] <= LARGEST]


def without_lists(row: Record) -> Record:
    """The row's record but for its formula and its list of positions, which may be very long."""
    return {key: value for key, value in row.items() if key not in ("positions", "formula", "latex")}


def _formula(row: Record) -> Record:
    where = str(about(row))
    label = ", ".join(f"{name}={value}" for name, value in {**row["parameters"], **row["row"]}.items())
    proof = {
        "claim": None, "status": "proved", "under": "True", "where": where, "exactly": False, "unnamed": False,
        "reason": None, "proof": row["proof"], "used": [], "automaton": None, "counterexample": None,
        "second": None, "procedures": [PERIOD],
    }  # fmt: skip
    return {
        **{key: row[key] for key in _SHARED},
        "where": where,
        "training": [f"{label}: {row['learned']:,} places"],
        "correct": row["learned"],
        "total": row["learned"],
        "exact": True,
        "values": {},
        "share": 1.0,
        "checked": row["checked"],
        "instances": [
            {"instance": f"{label}: {row['checked']:,} places", "checked": row["checked"], "holds": True}
        ],
        "counterexample": None,
        "condition": None,
        "proofs": [proof] if row["status"] == "proved" else [],
        "procedures": proof["procedures"] if row["status"] == "proved" else [],
    }
