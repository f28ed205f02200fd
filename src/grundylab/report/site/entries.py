"""The catalogue's formulas, claims and rows as entries of the page: what is stated, by whom, with which verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from markupsafe import Markup

from grundylab.catalogue.proved import proofs_of
from grundylab.catalogue.records import rank
from grundylab.report.site.typeset import Typesetter

Record = dict[str, Any]


@dataclass(frozen=True)
class Entry:
    """One line of the list, with its place on the ruleset's page.

    id: of both places. status: one of STATUSES. found_by: the engines, or none if it is a claim. place: where it is
    printed. stated, text, latex: the statement in MathML, in the formula language and in LaTeX. also: ``proved`` if
    a formula that is refuted is proved for some parameters.
    """

    id: str
    kind: Literal["formula", "claim", "row"]
    status: str
    ruleset: str
    title: str
    record: Record
    stated: Markup
    text: str
    latex: str
    found_by: tuple[str, ...] = ()
    paper: str = ""
    place: str = ""
    size: int = 0

    @property
    def new(self) -> bool:
        """Whether it says something that no claim does."""
        relation = self.record.get("relation")
        return relation is not None and relation["relation"] in ("new", "extends", "corrects")

    @property
    def proofs(self) -> list[Mapping[str, Any]]:
        """The proofs that went through."""
        return proofs_of(self.record)


def formula_entries(records: Iterable[Record], typeset: Mapping[str, Typesetter]) -> list[Entry]:
    """The formulas; one that several engines (or seeds) found is one entry."""
    groups: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        key = tuple(str(record[name]) for name in ("ruleset", "study", "target", "formula", "where"))
        groups.setdefault(key, []).append(record)
    return sorted(
        (_formula(key, alike, typeset[key[0]]) for key, alike in groups.items()),
        key=lambda entry: (*_rank(entry), entry.size, entry.text),
    )


def _rank(entry: Entry) -> tuple[Any, ...]:
    return (rank(entry.status), not entry.new, entry.ruleset, entry.record["target"])


def _formula(key: tuple[str, ...], alike: Sequence[Record], typeset: Typesetter) -> Entry:
    best = min(alike, key=lambda record: rank(record["status"]))
    text = f"{best['target']}: {best['formula']}"
    return Entry(
        id=_id("f", *key),
        kind="formula",
        status=best["status"],
        ruleset=best["ruleset"],
        title=best["title"],
        record=best,
        stated=typeset.statement(best["target"], best["formula"], best["where"]),
        text=text + (f" where {best['where']}" if best["where"] != "True" else ""),
        latex=best.get("stated") or best["latex"],
        found_by=tuple(dict.fromkeys(record["engine"] for record in alike)),
        size=best["size"],
    )


def claim_entries(records: Iterable[Record], typeset: Mapping[str, Typesetter]) -> list[Entry]:
    """The claims, in the order of the catalogue."""
    return [
        Entry(
            id=_id("c", record["study"], record["ruleset"], record["claim"]),
            kind="claim",
            status=record["status"],
            ruleset=record["ruleset"],
            title=record["title"],
            record=record,
            stated=typeset[record["ruleset"]].claim(record),
            text=record["statement"] + (f" where {record['where']}" if record["where"] != "True" else ""),
            latex=record["latex"],
            paper=record["paper"] or "",
            place=record["at"],
        )
        for record in records
    ]


def row_entries(records: Iterable[Record]) -> list[Entry]:
    """The rows, in the order of the catalogue."""
    return [
        Entry(
            id=_id("r", record["study"], record["target"], str(record["parameters"]), str(record["row"])),
            kind="row",
            status=record["status"],
            ruleset=record["ruleset"],
            title=record["title"],
            record=record,
            stated=Markup("{}").format(row_text(record)),
            text=row_text(record),
            latex="",
            found_by=("rows",),
        )
        for record in records
    ]


def row_text(record: Mapping[str, Any]) -> str:
    """What is known of a row, in a line."""
    fixed = {**record["parameters"], **record["row"]}
    where = ", ".join(f"{name}={value}" for name, value in fixed.items())
    what = "P-positions" if record["target"] == "p" else "Grundy numbers"
    head = f"{what} along {', '.join(record['axes'])}" + (f" with {where}" if where else "")
    if record["period"] is None:
        return f"{head}: no period seen"
    saltus = f", shifted by {record['saltus']:,}" if record["saltus"] else ""
    return f"{head}: from {record['preperiod']:,} on they repeat every {record['period']:,}{saltus}"


def _id(kind: str, *key: str) -> str:
    return f"{kind}-{hashlib.sha256(chr(0).join(key).encode()).hexdigest()[:10]}"
