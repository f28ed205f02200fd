"""The rows stage's records: each row of a study with its period, its proof, and the claims that it proves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from grundylab.errors import GrundylabError, InstanceError
from grundylab.files import write_json
from grundylab.formula import parse_condition
from grundylab.formula.latex import to_latex
from grundylab.formula.syntax import Int, Name, compare, conjunction
from grundylab.proving.recurrence import CertificateError
from grundylab.proving.row_certificate import check_row
from grundylab.rows import RowResult, study_row
from grundylab.rulesets import Ruleset, Target
from grundylab.rulesets.layers import axes_of, layered
from grundylab.rulesets.model import P_POSITIONS
from grundylab.rulesets.specialise import fixed_by
from grundylab.study import Sweep, combinations

Record = dict[str, Any]
_SHARED = (
    "ruleset", "title", "engine", "seed", "target", "status", "formula", "latex", "size", "reason", "claims", "proof",
)  # fmt: skip
ENGINE = "rows"
LARGEST = 400  # nodes of a formula that is listed among the formulas found


@dataclass(frozen=True)
class RowsAsked:
    """The rows of a study: every combination of the parameters' values and of those of the fixed coordinates.

    length: places of each row that are looked at.
    """

    fix: Mapping[str, Sequence[int]]
    parameters: Sweep
    length: int
    target: Target = P_POSITIONS

    @property
    def rows(self) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
        """The parameters' values and the fixed coordinates of each row."""
        return product(combinations(self.parameters), combinations(self.fix))

    def check(self, ruleset: Ruleset) -> None:
        """Raises InstanceError unless these are rows of the game."""
        for name in self.parameters:
            if name not in ruleset.parameter_names:
                raise InstanceError(f"{ruleset.name} has no parameter '{name}'")
        for parameters, fixed in self.rows:
            layered(ruleset, parameters, axes_of(ruleset, fixed), self.target).top(fixed)


def row_records(ruleset: Ruleset, asked: RowsAsked, folder: Path, seed: int) -> list[Record]:
    """A record for each row. Certificates are written to the folder."""
    return [
        _record(
            ruleset,
            study_row(ruleset, parameters, fixed, asked.target, asked.length),
            parameters,
            folder,
            seed,
        )
        for parameters, fixed in asked.rows
    ]


def keep(result: RowResult, folder: Path) -> str | None:
    """Write the row's certificate, if it has one, and say where."""
    if result.certificate is None:
        return None
    parameters = "".join(f"{name}={value}," for name, value in result.certificate.parameters)
    row = result.game.describe(result.layer).replace(", ", ",")
    path = folder / f"row-{result.game.target.slug}-{parameters}{row}.json"
    write_json(path, result.certificate.record())
    return str(path)


def _record(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], folder: Path, seed: int
) -> Record:
    return {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "engine": ENGINE,
        "seed": seed,
        **result.record(),
        "size": result.formula and result.formula.size,
        "latex": result.formula and to_latex(result.formula),
        "parameters": dict(parameters),
        "claims": proved_claims(ruleset, result, parameters),
        "proof": keep(result, folder),
    }


def proved_claims(ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int]) -> list[str]:
    """The claims about just this row that its certificate proves."""
    if result.certificate is None:
        return []
    row = dict(zip(result.game.names, result.layer, strict=False))
    found = []
    for claim in result.game.game.claims:
        if claim.target != result.game.target or not claim.plain:
            continue
        if fixed_by(claim.where, ruleset.coordinate_names) != row:
            continue
        try:
            check_row(replace(result.certificate, formula=claim.formula, where=claim.where, positions=None))
        except (CertificateError, GrundylabError):
            continue
        found.append(claim.id)
    return found


def period_text(record: Mapping[str, Any]) -> str:
    """What is known of a row, for people."""
    if record["period"] is None:
        return str(record["reason"])
    text = f"preperiod {record['preperiod']:,}, period and saltus {record['period']:,}"
    if record["families"] is not None:
        text += f"; {record['exceptions']:,} single positions and {record['families']:,} families"
    return text + (f" ({record['reason']})" if record["reason"] else "")


def formulas_of(rows: Sequence[Record]) -> list[Record]:
    """The rows with a formula of moderate size, as records of formulas found: what the catalogue lists."""
    return [_formula(row) for row in rows if row["formula"] is not None and row["size"] <= LARGEST]


def without_lists(row: Record) -> Record:
    """The row's record but for its formula and its list of positions, which may be very long."""
    return {key: value for key, value in row.items() if key not in ("positions", "formula", "latex")}


def _formula(row: Record) -> Record:
    fixed = [compare("==", Name(name), Int(value)) for name, value in row["parameters"].items()]
    where = str(conjunction(*fixed, parse_condition(row["where"])))
    label = ", ".join(f"{name}={value}" for name, value in {**row["parameters"], **row["row"]}.items())
    proof = {
        "status": "proved", "under": "True", "where": where, "exactly": False, "reason": None,
        "proof": row["proof"], "used": [], "automaton": None, "counterexample": None,
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
    }
