"""Benchmark of proofs: CPU seconds for each induction that a run has proved, by grundylab's automata and by MONA.

    python -m benchmarks.proofs [RESULTS] [--slowest N]

This checks all inductions in the folder RESULTS (default: results), first by automata from a JSON file, then by MONA
from the script beside this file. As in a run, parts that inductions on one game share are computed once. The time to
read rulesets is not counted. The slowest inductions, the medians and the sums are printed.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

from grundylab.games.load import load_ruleset
from grundylab.games.model import Ruleset
from grundylab.logic.mona import find_mona
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.proof_files import read_proof, statement_of

ROOT = Path(__file__).parents[1]


@cache
def ruleset_of(name: str) -> Ruleset:
    """Return the ruleset with this name."""
    return load_ruleset(name, str(ROOT / "rulesets"))


def by_automata(record: dict[str, Any], kernel: Kernel) -> float:
    """Return the CPU seconds that the kernel takes to check the induction."""
    file = read_proof(record)
    ruleset = ruleset_of(file.statement.ruleset)
    started = time.process_time()
    kernel.check(statement_of(file, ruleset), file.evidence)
    return time.process_time() - started


def by_mona(script: Path) -> float:
    """Return the CPU seconds that MONA takes for the script, as a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(find_mona()), "-q", str(script)], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure all inductions and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="?", default=str(ROOT / "results"))
    parser.add_argument("--slowest", type=int, default=10)
    given = parser.parse_args()
    rows: list[tuple[float, float, str]] = []
    kernel = Kernel()
    for script in sorted(Path(given.results).rglob("*.mona")):
        record = json.loads(script.with_suffix(".json").read_text())
        if not rows:
            by_automata(record, Kernel())  # not counted: it compiles what all inductions use
        name = f"{record['statement']['ruleset']} {script.stem}"
        rows.append((by_automata(record, kernel), by_mona(script), name))
    if not rows:
        parser.exit(2, f"{given.results} has no induction with a script for MONA: run 'make run' first\n")
    print("automata   MONA  ratio")
    for own, mona, name in sorted(rows, reverse=True)[: given.slowest]:
        print(f"{own:8.2f} {mona:6.2f} {own / max(mona, 0.001):6.1f}  {name}")
    columns = list(zip(*[(own, mona, own / max(mona, 0.001)) for own, mona, _ in rows], strict=True))
    middle = [statistics.median(column) for column in columns]
    print(f"{middle[0]:8.3f} {middle[1]:6.3f} {middle[2]:6.1f}  median of {len(rows)}")
    total, other = sum(columns[0]), sum(columns[1])
    print(f"{total:8.2f} {other:6.2f} {total / other:6.1f}  in all; the longest {max(columns[0]):.2f}")


if __name__ == "__main__":
    main()
