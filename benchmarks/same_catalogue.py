"""Comparison of two catalogues: what differs, or what is lost.

    python -m benchmarks.same_catalogue BEFORE.json AFTER.json
    python -m benchmarks.same_catalogue BEFORE.parquet AFTER.parquet [AFTER.parquet …]

For JSON files each finding is compared: the verdicts, the formulas, the conditions of their proofs, and the
counterexamples. For frames (Parquet files) each loss is printed: a claim, or a target of a study, that was proved or
answered before and is no longer, or for fewer parameters, or by a longer formula. Several AFTER frames count as one,
such as results/papers/catalogue.parquet and results/open/catalogue.parquet. Claims are matched by the key of their
statement if both frames have one, else by ruleset, claim and condition; targets by study, ruleset, target and
condition. The exit status is 1 if anything differs, or is lost.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

Finding = Mapping[str, Any]
KEYS = {
    "formulas": ("study", "target", "engine", "formula", "where"),
    "claims": ("ruleset", "claim"),
    "rows": ("ruleset", "target", "parameters", "row"),
}


def findings(catalogue: Mapping[str, Any]) -> dict[str, Finding]:
    """Return the findings of a catalogue by a key, which is made of the finding's kind and of the fields in KEYS."""
    found = {}
    for kind, names in KEYS.items():
        for record in catalogue[kind]:
            found[" | ".join([kind[:-1], *(_text(record[name]) for name in names)])] = record
    return found


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else str(value)


def says(record: Finding) -> dict[str, Any]:
    """Return the parts of a finding that a reader relies on."""
    proofs = [proof for proof in record.get("proofs") or [] if proof["status"] == "proved"]
    kept = ("status", "formula", "where", "condition", "period", "preperiod")
    example, correction = record.get("counterexample") or {}, record.get("correction") or {}
    return {
        **{name: record[name] for name in kept if name in record},
        # without "smallest": true, which older catalogues do not have
        "counterexample": {
            name: value for name, value in example.items() if (name, value) != ("smallest", True)
        },
        "correction": {name: correction[name] for name in (*kept[:3], "changes") if name in correction},
        "proved where": sorted({f"{proof['under']} and {proof['where']}" for proof in proofs}),
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each finding that only one catalogue has, and for each part in which two findings differ."""
    old, new = findings(before), findings(after)
    yield from (f"- {key}: {old[key]['status']}" for key in sorted(set(old) - set(new)))
    yield from (f"+ {key}: {new[key]['status']}" for key in sorted(set(new) - set(old)))
    for key in sorted(set(old) & set(new)):
        one, other = says(old[key]), says(new[key])
        for name in one.keys() | other.keys():
            if one.get(name) != other.get(name):
                yield f"  {key}: {name}: {one.get(name)} -> {other.get(name)}"


# -- what is lost ------------------------------------------------------------------------------------------------------

Row = Mapping[str, Any]
Joined = tuple[str, ...]
ANSWERED = {
    "proved": 2,
    "refuted": 2,
    "holds": 1,
}  # how much a verdict says; others say nothing


def lost(before: pd.DataFrame, after: pd.DataFrame) -> Iterator[str]:
    """Yield a line for each claim, or target of a study, about which the new frame says less or something else."""
    by_key = all(map(_has_keys, (before, after)))
    for joined, (old, new) in _pairs(claims(before, by_key), claims(after, by_key)):
        yield from _losses(joined, old, new)
    new_answers = answers(after)
    for joined, (old, new) in _pairs(answers(before), new_answers):
        # a formula for all positions covers one for some of them
        everywhere = new_answers.get((*joined[:3], "True"))
        covered = _at_most(old, new) or everywhere is None
        found = [*_losses(joined, old, new if covered else everywhere)]
        yield from found or _longer(joined, old, new)


def _has_keys(frame: pd.DataFrame) -> bool:
    """Tell whether each claim of the frame has the key of its statement; older catalogues have none."""
    return "key" in frame.columns and bool(frame["key"][frame["kind"] == "claim"].fillna("").all())


def claims(frame: pd.DataFrame, by_key: bool) -> dict[Joined, Row]:
    """Return the best row for each claim of a ruleset; several studies may have a row for it."""
    names = ("ruleset", "key") if by_key else ("ruleset", "claim", "where")
    return _best(frame[frame["kind"] == "claim"], names)


def answers(frame: pd.DataFrame) -> dict[Joined, Row]:
    """Return the row of the best formula for each study, target and condition."""
    found = frame[(frame["kind"] == "formula") & frame["status"].isin(["proved", "holds"])]
    return _best(found, ("study", "ruleset", "target", "where"))


def _best(frame: pd.DataFrame, names: Joined) -> dict[Joined, Row]:
    found: dict[Joined, Row] = {}
    for row in frame.to_dict("records"):
        joined = tuple(str(row[name]) for name in names)
        if joined not in found or _rank(row) > _rank(found[joined]):
            found[joined] = row
    return found


def _rank(row: Row) -> tuple[int, bool, int]:
    """Return a sort key, greater for a row that says more: by the verdict, by extent, then by a smaller formula."""
    size = -int(row["size"]) if pd.notna(row["size"]) else 0
    return ANSWERED.get(row["status"], 0), row["extent"] == "for all sizes", size


def _pairs(
    before: Mapping[Joined, Row], after: Mapping[Joined, Row]
) -> Iterator[tuple[Joined, tuple[Row, Row | None]]]:
    yield from ((joined, (old, after.get(joined))) for joined, old in sorted(before.items()))


def _at_most(old: Row, new: Row | None) -> bool:
    return new is not None and _rank(old)[:2] <= _rank(new)[:2]


def _losses(joined: Joined, old: Row, new: Row | None) -> Iterator[str]:
    name = " | ".join([str(old["claim"]) if old["kind"] == "claim" else "target", *joined])
    if new is None:
        if ANSWERED.get(old["status"], 0):
            yield f"- {name}: {old['status']}: {old['formula']}"
        return
    known, now = ANSWERED.get(old["status"], 0), ANSWERED.get(new["status"], 0)
    if now < known or (known == 2 and old["status"] != new["status"]):
        yield f"- {name}: {old['status']} -> {new['status']}: {old['formula']} -> {new['formula']}; {new['reason']}"
    elif old["status"] == "proved" and old["extent"] != new["extent"] != "for all sizes":
        yield f"- {name}: proved {old['extent']} -> {new['extent']}: {old['formula']} -> {new['formula']}"


def _longer(joined: Joined, old: Row, new: Row | None) -> Iterator[str]:
    if new is not None and _rank(old)[:2] == _rank(new)[:2] and int(new["size"]) > int(old["size"]):
        yield f"- {' | '.join(joined)}: a longer formula: {old['formula']} -> {new['formula']}"


def main() -> int:
    """Print the differences and the number of findings with each status, or else the losses and their number."""
    files = [Path(file) for file in sys.argv[1:]]
    if all(file.suffix == ".parquet" for file in files):
        before, *after = map(pd.read_parquet, files)
        lines = list(lost(before, pd.concat(after, ignore_index=True)))
        print("\n".join([*lines, f"{len(lines)} lost"]))
        return 1 if lines else 0
    old, new = (json.loads(file.read_text(encoding="utf-8")) for file in files[:2])
    lines = list(differences(old, new))
    print("\n".join(lines))
    for kind in KEYS:
        counts = [Counter(record["status"] for record in each[kind]) for each in (old, new)]
        print(f"{kind}: {dict(sorted(counts[0].items()))} -> {dict(sorted(counts[1].items()))}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
