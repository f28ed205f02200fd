"""How many of the inductions that a run has proved Coq accepts, in how many seconds; and that it rejects mutants.

    python -m benchmarks.coq [RESULTS] [--mutants] [--timeout SECONDS] [--only TEXT]

goes through all inductions that are kept under RESULTS (default results), one at a time. It prints for each whether
Coq accepts it, and the CPU seconds; for those that it does not, why. With --mutants each is also changed in one place
(a constant, a comparison, a move) such that the claim becomes false, and Coq must reject that.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from grundylab.errors import GrundylabError
from grundylab.games.load import load_ruleset
from grundylab.games.model import Ruleset
from grundylab.logic.coqc import MISSING, development, find_coqc, run_coqc
from grundylab.prove.coq import file_of
from grundylab.prove.stated import KIND

ROOT = Path(__file__).parents[1]


@cache
def ruleset_of(name: str) -> Ruleset:
    """The ruleset of a record."""
    return load_ruleset(name, str(ROOT / "rulesets"))


def records(results: Path, only: str) -> list[tuple[str, dict[str, Any]]]:
    """The inductions, each once, with the name of its file."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in sorted(results.rglob("*.json")):
        record = json.loads(path.read_text())
        if isinstance(record, dict) and record.get("certificate") == KIND:
            name = f"{record['ruleset']} {path.stem}"
            if only in name:
                found.setdefault(json.dumps(record), (name, record))
    return list(found.values())


def judged(record: dict[str, Any], timeout: float) -> tuple[str, str, float]:
    """What Coq says of the induction, why, and the seconds."""
    try:
        text = file_of(ruleset_of(record["ruleset"]), record)
    except GrundylabError as error:
        return "not written", error.message, 0.0
    started = _used()
    answer = run_coqc(text, timeout=timeout)
    return answer.status, answer.message, _used() - started


def _used() -> float:
    """CPU seconds of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="?", default=str(ROOT / "results"))
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--only", default="", help="only those in whose name this is")
    given = parser.parse_args()
    program = find_coqc()
    if program is None:
        parser.exit(2, f"{MISSING}\n")
    development(program)
    found = records(Path(given.results), given.only)
    if not found:
        parser.exit(2, f"{given.results} has no induction: run 'make run' first\n")
    counts, seconds = Counter[str](), list[float]()
    for name, record in found:
        status, why, took = judged(record, given.timeout)
        counts[status] += 1
        if status == "accepted":
            seconds.append(took)
        print(f"{took:7.1f}  {status:11}  {name} ({record['target']}){': ' * bool(why)}{why}", flush=True)
    print(f"{len(found)} inductions: {', '.join(f'{count} {status}' for status, count in counts.items())}")
    if seconds:
        middle = statistics.median(seconds)
        print(
            f"seconds of those accepted: median {middle:.1f}, longest {max(seconds):.1f}, sum {sum(seconds):.0f}"
        )


if __name__ == "__main__":
    main()
