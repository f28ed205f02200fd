"""Data frames with a row for each finding; a column has the same meaning and wording in every frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from grundylab.check.shares import RightCounts
from grundylab.check.verification import Verdict
from grundylab.discover.base import Candidate
from grundylab.findings.attempts import attempt, shared_fields
from grundylab.findings.claim_relations import finding_relation_text, relation_word
from grundylab.findings.league import LeagueRow
from grundylab.findings.records import (
    CandidateRecord,
    Finding,
    Formula,
    JudgedStatement,
    StatementRecord,
    candidate_formula,
    judged_statement,
)
from grundylab.findings.wording import counterexample_words, extent_text, tables_text
from grundylab.games import Target
from grundylab.language import Expr
from grundylab.language.layout import to_latex
from grundylab.prove.outcome import Proof

if TYPE_CHECKING:
    import pandas as pd

FrameItem = Candidate | Verdict | Proof | Finding
COLUMNS = (
    "study", "kind", "ruleset", "title", "target", "status", "formula", "where", "latex", "extent", "procedures",
    "proof", "rules", "checked", "wrong", "instances", "counterexample", "reason", "engine", "seed", "size", "training",
    "correct", "total", "learnt_again", "validation", "validation_correct", "validation_total", "relation",
    "related_to", "claim", "paper", "at", "key",
)  # fmt: skip
_LEARNT = ("correct", "total", "validation_correct", "validation_total")
_COUNTS = ("checked", "wrong", "seed", "size", *_LEARNT)
_STATEMENT = ("target", "formula", "where", "latex")
_CELLS: Mapping[str, Callable[[Any], Any]] = {
    "kind": lambda finding: "formula" if isinstance(finding, Formula) else "claim",
    "extent": extent_text,
    "procedures": lambda finding: "; ".join(finding.procedures),
    "rules": lambda finding: "; ".join(finding.rules),
    "instances": lambda finding: "; ".join(finding.looked_at),
    "counterexample": counterexample_words,
    "reason": lambda finding: finding.reason or _unproved(finding),
    "training": lambda finding: "; ".join(getattr(finding, "training", ())),
    "learnt_again": lambda finding: "; then ".join(map(tables_text, getattr(finding, "learnt", ())[1:])),
    "validation": lambda finding: "; ".join(getattr(finding, "validation", ())),
    "relation": relation_word,
    "related_to": finding_relation_text,
}


def frame(found: FrameItem | Iterable[FrameItem]) -> pd.DataFrame:
    """Return a data frame with a row for each candidate, verdict, proof, or finding of a catalogue.

    found: one object or several, of any of these types. The columns are those of the catalogue that apply to at least
    one of them; results/README.md describes them.
    """
    import pandas as pd

    rows = [_row(each) for each in (found if isinstance(found, Iterable) else [found])]
    columns = [name for name in COLUMNS if not rows or any(name in row for row in rows)]
    cells = [[row.get(name) for name in columns] for row in rows]
    counts = [name for name in _COUNTS if name in columns]
    return pd.DataFrame(cells, columns=columns).astype(dict.fromkeys(counts, "Int64"))


@singledispatch
def _row(found: object) -> dict[str, Any]:
    kind = type(found).__name__
    raise TypeError(
        f"a frame has candidates, verdicts, proofs or findings, not {kind}; for a table use to_frame()"
    )


@_row.register
def _(found: Finding) -> dict[str, Any]:
    return _cells(found, COLUMNS)


@_row.register
def _(found: Candidate) -> dict[str, Any]:
    return _cells(candidate_formula(found), (*_STATEMENT, "engine", "seed", "size", *_LEARNT))


@_row.register
def _(found: Verdict) -> dict[str, Any]:
    return _cells(
        judged_statement(found),
        (*_STATEMENT, "status", "checked", "wrong", "instances", "counterexample", "reason"),
    )


@_row.register
def _(found: Proof) -> dict[str, Any]:
    record = JudgedStatement(
        **shared_fields(StatementRecord, found),
        latex=to_latex(found.formula),
        checked=0,
        instances=(),
        counterexample=found.counterexample,
        reason=found.reason,
        proofs=(attempt(found, None),),
        key=found.key,
    )
    row = _cells(record, (*_STATEMENT, "extent", "procedures", "rules", "counterexample", "reason", "key"))
    return {**row, "status": found.status}


def _unproved(finding: JudgedStatement) -> str | None:
    """Return why the first proof attempt failed; None if some attempt succeeded, or none was made."""
    return None if finding.proved else next((proof.reason for proof in finding.proofs), None)


def _cells(record: object, columns: Iterable[str]) -> dict[str, Any]:
    found = {
        name: _CELLS[name](record) if name in _CELLS else getattr(record, name, None) for name in columns
    }
    return {name: _cell(value) for name, value in found.items()}


def _cell(value: Any) -> Any:  # noqa: ANN401 - a cell
    """Return a value as a cell; an expression or target becomes its text."""
    return str(value) if isinstance(value, Expr | Target) else value


def records_frame(rows: Sequence[CandidateRecord] | Sequence[LeagueRow], kind: type) -> pd.DataFrame:
    """Return a data frame with a row for each record of the dataclass ``kind``; integers may be missing (Int64)."""
    import pandas as pd

    kinds = {field.name: str(field.type).removesuffix(" | None") for field in fields(kind)}
    cells = [
        [cell for name, each in kinds.items() for cell in _cells_of(getattr(row, name), each)] for row in rows
    ]
    columns = {column: of for name, each in kinds.items() for column, of in _columns_of(name, each).items()}
    frame = pd.DataFrame(cells, columns=list(columns))
    return frame.astype({name: _TYPES[each] for name, each in columns.items() if each in _TYPES})


def _columns_of(name: str, kind: str) -> dict[str, str]:
    """Return the columns, with their types, of a field; counts have a column for each number and each share."""
    if kind != RightCounts.__name__:
        return {name: kind}
    numbers = dict.fromkeys((f"{name}_{each}" for each in _NUMBERS), "int")
    return {name: "float", **numbers, **dict.fromkeys((f"{name}_{each}" for each in _SHARES), "float")}


def _cells_of(value: Any, kind: str) -> list[Any]:  # noqa: ANN401 - cells
    if kind != RightCounts.__name__:
        return [_cell(value)]
    return [value.share, *(getattr(value, name) for name in (*_NUMBERS, *_SHARES))]


_NUMBERS, _SHARES = ("right", "total"), ("recall", "specificity", "balanced")
_TYPES = {"int": "Int64", "float": "float64", "bool": "bool"}
