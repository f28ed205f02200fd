"""Rows as formulas found."""

from __future__ import annotations

from collections.abc import Mapping

from grundylab.catalogue.attempts import ProofRecord, shared
from grundylab.catalogue.records import Checked, Formula, RowFound
from grundylab.catalogue.words import numbers
from grundylab.language import Expr, parse_condition
from grundylab.language.syntax import Int, Name, compare, conjunction
from grundylab.prove.outcome import PERIOD

_OWN = ("reason", "proof", "exceptions")  # what a row means otherwise than a formula
LARGEST = 400  # nodes of a formula that is listed among the formulas found


def about(parameters: Mapping[str, int], where: str) -> Expr:
    """The parameters and positions that a row's formula is about."""
    fixed = [compare("==", Name(name), Int(value)) for name, value in parameters.items()]
    return conjunction(*fixed, parse_condition(where))


def formula_of(row: RowFound) -> Formula | None:
    """A row with a formula of moderate size as a formula found: what the catalogue lists."""
    if row.formula is None or row.size is None or row.size > LARGEST:
        return None
    where, label = str(about(row.parameters, row.where)), numbers({**row.parameters, **row.row})
    proof = ProofRecord(
        claim=None,
        status="proved" if row.status == "proved" else "undecided",
        under="True",
        where=where,
        exactly=False,
        unnamed=False,
        reason=row.reason,
        proof=row.proof,
        used=(),
        automaton=None,
        counterexample=None,
        second=None,
        procedures=(PERIOD,) if row.status == "proved" else (),
    )
    checked = Checked(instance=f"{label}: {row.checked:,} places", checked=row.checked, holds=True)
    known = {
        **{key: value for key, value in shared(Formula, row).items() if key not in _OWN},
        "where": where, "correct": row.learned, "total": row.learned, "training": (f"{label}: {row.learned:,} places",),
        "instances": (checked,), "counterexample": None, "proofs": (proof,),
    }  # fmt: skip
    return Formula(**known)
