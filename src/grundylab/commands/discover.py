"""``grundylab discover``: formulas from data."""

from __future__ import annotations

import argparse
import time

from grundylab.commands import Result, asked_instances
from grundylab.discovery import discover, stopped_early
from grundylab.discovery.base import Candidate
from grundylab.formula.latex import to_latex
from grundylab.formula.syntax import TRUE
from grundylab.records import candidate_record
from grundylab.relations import at_tables, relation_of, relation_text
from grundylab.rulesets import load_ruleset, parent_of, parse_target
from grundylab.solving import check_memory, solve


def run(options: argparse.Namespace) -> Result:
    """Solve the training instances and propose formulas for the target."""
    ruleset = load_ruleset(options.ruleset)
    target = parse_target(options.target)
    asked = asked_instances(ruleset, options)
    for instance in asked:
        check_memory(instance)
    tables = [solve(instance, target.values) for instance in asked]
    started = time.perf_counter()
    candidates = discover(tables, target, options.engine, options.seed, options.budget)
    stopped = stopped_early(time.perf_counter() - started, options.budget)
    best = candidates[0] if candidates else None
    status = "none" if best is None else "exact" if best.exact else "partial"
    record = {
        "target": str(target),
        "training": [instance.label for instance in asked],
        "stopped_early": stopped,
        "checked": sum(table.positions for table in tables),
        "candidates": [candidate_record(candidate) for candidate in candidates],
    }
    text = _text(candidates) or "no formula found"
    if best is not None and best.exact:
        comparison = at_tables(ruleset, parent_of(ruleset), best.formula, target, best.where, tables)
        relation = relation_of({"status": "holds", "comparison": comparison})
        record |= {"formula": str(best.formula), "latex": to_latex(best.formula), "relation": relation}
        text += f"\nbeside the published claims, at these positions: {relation_text(relation)}"
    if stopped:
        text += f"\n(stopped by the budget of {options.budget:g} s: with a larger one there may be more)"
    return Result(status, text, record)


def _text(candidates: list[Candidate]) -> str:
    lines = []
    for candidate in candidates:
        label = "exact" if candidate.exact else f"{100 * candidate.share:.4g} %"
        where = f" where {candidate.where}" if candidate.where != TRUE else ""
        lines.append(f"{label:>9}  size {candidate.size:>3}  {candidate.formula}{where}")
        if candidate.exact_for and candidate.where == TRUE:
            settings = (", ".join(f"{name}={value}" for name, value in s) for s in candidate.exact_for)
            lines.append(f"           exact for {'; '.join(settings)}, not for the others")
    return "\n".join(lines)
