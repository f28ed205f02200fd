"""``grundylab discover``: formulas from data."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from grundylab.commands import Result, asked_instances
from grundylab.discovery import explore
from grundylab.discovery.base import Candidate
from grundylab.formula.latex import to_latex
from grundylab.records import candidate_record, engine_record
from grundylab.rulesets import load_ruleset, parse_target
from grundylab.solving import check_memory, solve


def run(options: argparse.Namespace) -> Result:
    """Solve the training instances and propose formulas for the target."""
    ruleset = load_ruleset(options.ruleset)
    target = parse_target(options.target)
    asked = asked_instances(ruleset, options)
    for instance in asked:
        check_memory(instance)
    tables = [solve(instance, target.values) for instance in asked]
    found = explore(tables, target, options.engine, options.seed, options.budget)
    candidates = found.candidates
    best = candidates[0] if candidates else None
    status = "none" if best is None else "exact" if best.exact else "partial"
    record = {
        **engine_record(options.engine, target, found.notes),
        "training": [instance.label for instance in asked],
        "checked": sum(table.positions for table in tables),
        "candidates": [candidate_record(candidate) for candidate in candidates],
    }
    if best is not None and best.exact:
        record |= {"formula": str(best.formula), "latex": to_latex(best.formula)}
    return Result(status, _text(candidates, found.notes), record)


def _text(candidates: Sequence[Candidate], notes: Sequence[str]) -> str:
    lines = [] if candidates else ["no formula found"]
    for candidate in candidates:
        label = "exact" if candidate.exact else f"{100 * candidate.share:.4g} %"
        lines.append(f"{label:>9}  size {candidate.size:>3}  {candidate.formula}")
    return "\n".join([*lines, *(f"({note})" for note in notes)])
