"""Comparison of results with the baseline: which statements are lost, weaker, longer or won.

    python -m benchmarks.same_catalogue tests/baseline results/catalogue.json [results/papers/catalogue.json …]
    python -m benchmarks.same_catalogue --write tests/baseline/run.parquet results/catalogue.json

The files after the first are catalogues (``catalogue.json``), tables of surveys (``survey.parquet``) or tables that
``--write`` has made; several count as one. Statements are matched, never words. A claim is matched by the key of its
statement or else by its ruleset and id; a formula by its study, target and condition; a row by its parameters and
fixed coordinates; a game of a survey by the values of its slots. The baseline is about everything in its folder: what
the other files do not have is lost. A line of ``may-be-lost.txt`` names a statement whose loss is allowed. The exit
status is 1 if anything else is lost, weaker or longer.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from grundylab.findings.catalogue import Catalogue, read_catalogue
from grundylab.findings.rows import Row
from grundylab.records.finding import Finding
from grundylab.records.proofs import Extent

Statement = Mapping[str, Any]
COLUMNS = ("name", "key", "status", "extent", "size", "formula", "rules")
KNOWN = {"proved": 2, "refuted": 2, "holds": 1}  # how much a verdict says; others say nothing
WHOLE = "True"  # the extent of a proof of the whole statement
ALLOWED = "may-be-lost.txt"


# -- statements as a table -------------------------------------------------------------------------------------------


def statements(catalogue: Catalogue) -> pd.DataFrame:
    """Return a row for each claim, formula and row of a catalogue; of several with one name, the one that says most.

    name: what the statement is about, which does not depend on how the answer is worded. extent: the conditions under
    which it is proved, in the formula language.
    """
    listed = [*map(_finding, catalogue.statements), *map(_row, catalogue.rows)]
    return _best(pd.DataFrame(listed, columns=list(COLUMNS)))


def _finding(finding: Finding) -> Statement:
    found = finding.found
    about = (finding.study, finding.target, finding.where) if found else (finding.source.claim,)
    return {
        "name": " | ".join(["formula" if found else "claim", finding.ruleset, *map(str, about)]),
        "key": finding.key,
        "status": finding.status,
        "extent": "; ".join(sorted(map(_extent, finding.extents))),
        "size": finding.formula.size,
        "formula": str(finding.formula),
        "rules": "; ".join(finding.rules),
    }


def _extent(extent: Extent) -> str:
    return str(extent.condition) if extent.states is None else f"{extent.condition}, {extent.states} states"


def _row(row: Row) -> Statement:
    about = (row.ruleset, row.target, dict(row.parameters), dict(row.row))
    period = "" if row.period is None else f"{row.period} after {row.preperiod}"
    return {
        "name": " | ".join(["row", *map(str, about)]),
        "key": "",
        "status": row.status,
        "extent": WHOLE if row.status == "proved" else "",
        "size": 0,
        "formula": period,
        "rules": "; ".join(row.rules),
    }


def survey_statements(table: pd.DataFrame, survey: str) -> pd.DataFrame:
    """Return a row for each game and question of a survey's table."""
    slots = [name for name in table.columns if name.startswith("slot.")]
    period = table["period"].astype(str) + " after " + table["preperiod"].astype(str)
    names = [" | ".join(["survey", survey, *map(str, row)]) for row in table[[*slots, "claim"]].to_numpy()]
    found = pd.DataFrame(
        {
            "name": names,
            "key": "",
            "status": table["status"],
            "extent": table["condition"].fillna(""),
            "size": 0,
            "formula": table["formula"].where(table["period"].isna(), period),
            "rules": "",
        }
    )
    return _best(found)


def _best(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the statement of each name that says most, sorted by name."""
    best: dict[str, Statement] = {}
    for row in table.to_dict("records"):
        if row["name"] not in best or _rank(row) > _rank(best[row["name"]]):
            best[row["name"]] = row
    return pd.DataFrame([best[name] for name in sorted(best)], columns=list(COLUMNS))


def _rank(row: Statement) -> tuple[int, bool, int]:
    """Return a sort key, greater for a row that says more: by verdict, by extent, then by a smaller formula."""
    return _known(row), WHOLE in row["extent"].split("; "), -int(row["size"])


def _known(row: Statement) -> int:
    """Return how much the verdict says; that a formula is refuted answers no question."""
    return (
        0 if row["status"] == "refuted" and row["name"].startswith("formula") else KNOWN.get(row["status"], 0)
    )


def read(path: Path) -> pd.DataFrame:
    """Return the statements in a catalogue, in a survey's table, in a table of statements, or in all of a folder."""
    if path.is_dir():
        return pd.concat(map(read, sorted(path.glob("*.parquet"))), ignore_index=True)
    if path.suffix == ".json":
        return statements(read_catalogue(path))
    table = pd.read_parquet(path)
    return table if "slot" not in "".join(table.columns) else survey_statements(table, path.parent.name)


# -- what differs ----------------------------------------------------------------------------------------------------


def changes(before: pd.DataFrame, after: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Yield (kind, line) for each statement that is ``lost``, ``weaker``, ``longer`` or ``won``."""
    named = {row["name"]: row for row in after.to_dict("records")}
    keyed = {row["key"]: row for row in named.values() if row["key"] and row["name"].startswith("claim")}
    known = {row["name"]: row for row in before.to_dict("records")}
    for name, old in known.items():
        new = keyed.get(old["key"]) if name.startswith("claim") else None
        new = new or named.get(name) or _everywhere(name, named)
        yield from _change(old, new)
    keys = {row["key"] for row in known.values()} - {""}
    for name, new in named.items():
        if name not in known and new["key"] not in keys and _known(new) == 2:
            yield "won", f"{name}: {_words(new)}"


def _everywhere(name: str, named: Mapping[str, Statement]) -> Statement | None:
    """Return the formula for all positions if this is the name of one for some of them; None if there is none."""
    parts = name.split(" | ")
    return named.get(" | ".join([*parts[:-1], "True"])) if parts[0] == "formula" else None


def _change(old: Statement, new: Statement | None) -> Iterator[tuple[str, str]]:
    was, now = _known(old), 0 if new is None else _known(new)
    line = f"{old['name']}: {_words(old)} -> {'nothing' if new is None else _words(new)}"
    if was > now or (was == 2 and new is not None and old["status"] != new["status"]):
        yield ("weaker" if now else "lost"), line
    elif new is None:
        return
    elif now > was:
        yield "won", line
    elif old["status"] == "proved" and old["extent"] != new["extent"]:
        yield ("won" if WHOLE in new["extent"].split("; ") else "weaker"), line
    elif now and old["name"].startswith("formula") and int(new["size"]) > int(old["size"]):
        yield "longer", line
    elif now and old["name"].startswith("row") and old["formula"] != new["formula"]:
        yield "weaker", line


def _words(row: Statement) -> str:
    extent = f" where {row['extent']}" if row["extent"] not in ("", WHOLE) else ""
    return f"{row['status']}{extent}: {row['formula']}"


def allowed(folder: Path) -> frozenset[str]:
    """Return the names of the statements that may be lost: the lines of may-be-lost.txt that are no comments."""
    file = folder / ALLOWED
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


def report(found: Iterable[tuple[str, str]], may_be_lost: Iterable[str] = ()) -> tuple[list[str], bool]:
    """Return the lines of a report, and whether anything is worse that may not be."""
    permitted = tuple(may_be_lost)
    lines, counts, worse = list[str](), dict.fromkeys(("lost", "weaker", "longer", "won"), 0), False
    for kind, line in found:
        excused = kind != "won" and any(line.startswith(f"{name}: ") for name in permitted)
        counts[kind] += not excused
        worse |= kind != "won" and not excused
        lines.append(f"{kind}{' (allowed)' if excused else ''}: {line}")
    return [*sorted(lines), json.dumps(counts)], worse


def main(arguments: Sequence[str]) -> int:
    """Compare or, with ``--write``, keep the statements of the results as a table."""
    if arguments[:1] == ["--write"]:
        kept, *files = map(Path, arguments[1:])
        table = pd.concat(map(read, files), ignore_index=True)
        table.to_parquet(kept, index=False, compression="zstd")
        print(f"{kept}: {len(table):,} statements, {kept.stat().st_size:,} bytes")
        return 0
    baseline, *files = map(Path, arguments)
    after = pd.concat(map(read, files), ignore_index=True)
    lines, worse = report(changes(read(baseline), _best(after)), allowed(baseline))
    print("\n".join(lines))
    return int(worse)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
