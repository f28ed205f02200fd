"""``grundylab rows``: rows of positions that become arithmetic-periodic, with certificates."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.commands import Result
from grundylab.rows import RowResult, study_row
from grundylab.rowstage import keep
from grundylab.rulesets import load_ruleset, parse_target
from grundylab.study import combinations, parse_sweep

_SHOWN = 60  # nodes of a formula that is printed for people


def run(options: argparse.Namespace) -> Result:
    """Study each row of the sweep."""
    ruleset = load_ruleset(options.ruleset)
    target = parse_target(options.target)
    results, records, lines = [], [], []
    for parameters in combinations(parse_sweep(options.param, "--param")):
        for fixed in combinations(parse_sweep(options.fix, "--fix")):
            result = study_row(ruleset, parameters, fixed, target, options.length)
            file = keep(result, Path(options.out or Path("results") / "proofs" / ruleset.name))
            results.append(result)
            records.append({**result.record(), "parameters": parameters, "proof": file})
            lines.append(_text(result, parameters, file))
    undecided = sum(result.status != "proved" for result in results)
    status = "proved" if not undecided else "undecided"
    record = {"target": str(target), "rows": records}
    return Result(status, "\n".join(lines), record, 3 if undecided else 0)


def _text(result: RowResult, parameters: dict[str, int], file: str | None) -> str:
    given = "".join(f", {name}={value}" for name, value in parameters.items())
    head = f"{result.game.describe(result.layer)}{given}: {result.status}"
    if result.period is None:
        return f"{head}: {result.reason}"
    period = result.period
    head += f": preperiod {period.preperiod}, period and saltus {period.period}"
    if result.pattern is not None:
        singles, families = len(result.pattern.singles), len(result.pattern.families)
        head += f"; {singles} single positions and {families} families"
    lines = [f"{head} (seen in {result.learned:,} places, checked in {result.length:,})"]
    if result.formula is not None and result.formula.size <= _SHOWN:
        lines.append(f"    {result.formula}    where {result.where}")
    if result.reason:
        lines.append(f"    {result.reason}")
    if file:
        lines.append(f"    certificate: {file} (checked in {result.seconds[2]:.2f} s)")
    return "\n".join(lines)
