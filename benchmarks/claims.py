"""Benchmark of the prover: CPU seconds for all claims of the shipped rulesets, without the gate and second opinions.

    python -m benchmarks.claims [--only TEXT] [--json FILE]

Claims are proved in the order of the rulesets' files, in one process. The verdicts are counted and the slowest claims
listed; with --json, every claim's verdict and seconds are written.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from grundylab.errors import GrundylabError
from grundylab.files import write_json
from grundylab.games.load import load_ruleset, parent_of
from grundylab.prove.outcome import GateReport, Limits
from grundylab.prove.prover import ProofContext, prove_claim

RULESETS = Path(__file__).parents[1] / "rulesets"
SLOWEST = 10  # claims that are listed


def measured(only: str, timeout: float) -> list[dict[str, str | float]]:
    """Return ruleset, claim, verdict, reason and CPU seconds of each claim.

    only: a text that ruleset and claim must contain.
    """
    lines = list[dict[str, str | float]]()
    for path in sorted(RULESETS.glob("*.yaml")):
        ruleset, limits = load_ruleset(path.stem, str(RULESETS)), Limits(timeout=timeout)
        context = ProofContext(limits)
        for claim in ruleset.claims:
            if only not in f"{ruleset.name} {claim.id}":
                continue
            started = time.process_time()
            try:
                proof = prove_claim(ruleset, claim, parent=parent_of(ruleset), limits=limits, context=context)
                verdict, why = str(proof.status), str(proof.reason or "")
            except GrundylabError as error:
                verdict, why = "error", error.message
            seconds = round(time.process_time() - started, 2)
            lines.append(
                {"claim": f"{ruleset.name} {claim.id}", "verdict": verdict, "why": why, "seconds": seconds}
            )
    return lines


def main() -> None:
    """Prove the claims and print the summary."""
    parser = argparse.ArgumentParser(prog="benchmarks.claims", description=__doc__)
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="claims with this text in ruleset and claim"
    )
    parser.add_argument("--timeout", type=float, default=20.0, help="of each proof, as in `grundylab prove`")
    parser.add_argument("--json", type=Path, metavar="FILE", help="file for the verdicts and seconds")
    arguments = parser.parse_args()
    with (
        patch("grundylab.prove.prover.gate_report", return_value=GateReport(1)),
        patch("grundylab.prove.prover.opinion_on_theorem", return_value=(None, None)),
    ):
        lines = measured(arguments.only, arguments.timeout)
    if arguments.json:
        write_json(arguments.json, lines)
    for line in sorted(lines, key=lambda line: line["seconds"], reverse=True)[:SLOWEST]:
        print(f"{line['seconds']:8.2f} {line['claim']}: {line['verdict']} {line['why']}")
    counts = Counter(str(line["verdict"]) for line in lines)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.most_common()))
    print(f"{sum(float(line['seconds']) for line in lines):.1f} s of CPU for {len(lines)} claims")


if __name__ == "__main__":
    main()
