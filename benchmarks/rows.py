"""Rows of a game: what is found, how long a certificate takes to check, and what MONA says of the same.

    python benchmarks/rows.py RULESET NAME=FIRST..LAST [NAME=VALUE …] [--length PLACES] [--mona SECONDS]

prints a table, one line for each row: preperiod, period and saltus of the row; positions listed singly, and families;
whether the certificate was accepted; seconds for the row and those below, for finding, for
checking; whether each claim of the ruleset about that row follows from the certificate too; and, with --mona, MONA's
verdict on the row's formula, with the formulas of the rows before as helping claims but none of the ruleset's own.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from grundylab.discover.conditions import proposed
from grundylab.games import Ruleset, load_ruleset, parent_of
from grundylab.games.model import Claim
from grundylab.games.specialise import fixed_by
from grundylab.pipeline.rows import RowResult, study_row
from grundylab.prove.periodic import prove_by_period
from grundylab.prove.prover import Limits, prove_claim

ROOT = Path(__file__).parents[1]
HEAD = (
    "row",
    "preperiod",
    "period",
    "singles",
    "families",
    "status",
    "row s",
    "find s",
    "check s",
    "claims",
    "MONA",
)


def fixed_rows(texts: list[str]) -> list[dict[str, int]]:
    """``["x=2..4", "p=1"]`` as the coordinates of three rows."""
    rows: list[dict[str, int]] = [{}]
    for text in texts:
        name, _, values = text.partition("=")
        first, _, last = values.partition("..")
        rows = [{**row, name: value} for row in rows for value in range(int(first), int(last or first) + 1)]
    return rows


def claims_about(ruleset: Ruleset, fixed: dict[str, int]) -> str:
    """Which of the ruleset's claims are about exactly this row, and whether a certificate proves them."""
    found = []
    for claim in ruleset.claims:
        if claim.plain and fixed_by(claim.where, ruleset.coordinate_names) == fixed:
            proved = prove_by_period(ruleset, claim.formula, claim.target, claim.where)
            found.append(f"{claim.id} {'proved' if proved else 'not proved'}")
    return ", ".join(found) or "none"


def by_mona(ruleset: Ruleset, claim: Claim, helpers: list[Claim], timeout: float) -> str:
    """MONA's verdict on the row, by induction together with the rows before and the game without a pass."""
    started = time.perf_counter()
    bare = replace(ruleset, claims=())
    limits = Limits(timeout, periods=False, words=proposed)
    proof = prove_claim(bare, claim, parent=parent_of(ruleset), helpers=helpers, limits=limits)
    seconds = time.perf_counter() - started
    return f"{proof.status}, {seconds:.1f} s"


def line(result: RowResult, claims: str, mona: str) -> str:
    """One line of the table."""
    period, pattern = result.period, result.pattern
    cells = [
        result.game.describe(result.layer),
        f"{period.preperiod:,}" if period else "",
        f"{period.period:,}" if period else f"none up to {result.length - 1:,}",
        f"{len(pattern.singles):,}" if pattern else "",
        f"{len(pattern.families):,}" if pattern else "",
        result.status,
        *(f"{seconds:.2f}" for seconds in result.seconds),
        claims,
        mona,
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("ruleset")
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--length", type=int, default=100_000)
    parser.add_argument("--mona", type=float, default=0.0)
    options = parser.parse_args()
    ruleset = load_ruleset(options.ruleset, ROOT / "rulesets")
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}", flush=True)
    helpers: list[Claim] = []
    for fixed in fixed_rows(options.rows):
        result = study_row(ruleset, {}, fixed, length=options.length)
        mona = ""
        if options.mona and result.claim is not None:
            mona = by_mona(ruleset, result.claim, helpers, options.mona)
            helpers.append(result.claim)
        print(line(result, claims_about(ruleset, fixed), mona), flush=True)


if __name__ == "__main__":
    main()
