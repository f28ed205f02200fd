"""Two catalogues, finding by finding: `python -m benchmarks.same_catalogue BEFORE.json AFTER.json`.

Compared are the verdicts, the formulas, the conditions they are proved under, and the counterexamples. Exit status 1
if anything differs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Finding = Mapping[str, Any]
KEYS = {
    "formulas": ("study", "target", "engine", "formula", "where"),
    "claims": ("ruleset", "claim"),
    "rows": ("ruleset", "target", "parameters", "row"),
}


def findings(catalogue: Mapping[str, Any]) -> dict[str, Finding]:
    """Each finding by its kind and what it is about."""
    found = {}
    for kind, names in KEYS.items():
        for record in catalogue[kind]:
            found[" | ".join([kind[:-1], *(_text(record[name]) for name in names)])] = record
    return found


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True) if isinstance(value, dict) else str(value)


def says(record: Finding) -> dict[str, Any]:
    """What a reader takes from it."""
    proofs = [proof for proof in record.get("proofs") or [] if proof["status"] == "proved"]
    kept = ("status", "formula", "where", "condition", "period", "preperiod")
    example, correction = record.get("counterexample") or {}, record.get("correction") or {}
    return {
        **{name: record[name] for name in kept if name in record},
        # that it is the smallest, which older catalogues say only of one that is not
        "counterexample": {
            name: value for name, value in example.items() if (name, value) != ("smallest", True)
        },
        "correction": {name: correction[name] for name in (*kept[:3], "changes") if name in correction},
        "proved where": sorted({f"{proof['under']} and {proof['where']}" for proof in proofs}),
    }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """A line for each finding that is not in both, and for each that says something else."""
    old, new = findings(before), findings(after)
    yield from (f"- {key}: {old[key]['status']}" for key in sorted(set(old) - set(new)))
    yield from (f"+ {key}: {new[key]['status']}" for key in sorted(set(new) - set(old)))
    for key in sorted(set(old) & set(new)):
        one, other = says(old[key]), says(new[key])
        for name in one.keys() | other.keys():
            if one.get(name) != other.get(name):
                yield f"  {key}: {name}: {one.get(name)} -> {other.get(name)}"


def main() -> int:
    """Print the differences and how many findings have each status."""
    before, after = (json.loads(Path(file).read_text(encoding="utf-8")) for file in sys.argv[1:3])
    lines = list(differences(before, after))
    print("\n".join(lines))
    for kind in KEYS:
        counts = [Counter(record["status"] for record in each[kind]) for each in (before, after)]
        print(f"{kind}: {dict(sorted(counts[0].items()))} -> {dict(sorted(counts[1].items()))}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
