"""Seconds for each claim of the shipped rulesets that is proved, as whole processes of the command line.

    python benchmarks/proofs.py [RUNS]

prints the median of RUNS (default 3) for every claim, slowest first, and the sum.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from grundylab.pipeline.config import read_studies

ROOT = Path(__file__).parents[1]


def seconds(arguments: list[str]) -> tuple[float, str]:
    """Wall time of one process and the status that it reports."""
    started = time.perf_counter()
    command = [str(Path(sys.executable).with_name("grundylab")), "prove", *arguments, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return time.perf_counter() - started, json.loads(done.stdout)["status"]


def main() -> None:
    """Measure and print."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    rows = []
    for study in read_studies(ROOT / "config.yaml", str(ROOT / "rulesets")).values():
        for claim in study.ruleset.claims:
            for where in map(str, study.prove):
                extra = [] if where == "True" else ["--where", where]
                found = [seconds([study.ruleset.name, "--claim", claim.id, *extra]) for _ in range(runs)]
                if found[0][1] == "proved":
                    name = f"{study.ruleset.name} {claim.id} {' '.join(extra)}"
                    rows.append((statistics.median(taken for taken, _ in found), name))
    for taken, name in sorted(rows, reverse=True):
        print(f"{taken:6.2f}  {name}")
    print(f"{sum(taken for taken, _ in rows):6.2f}  all {len(rows)}")


if __name__ == "__main__":
    main()
