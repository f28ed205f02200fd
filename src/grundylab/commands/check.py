"""``grundylab check``: read a ruleset, say what is in it, and try it on a small table."""

from __future__ import annotations

import argparse
from itertools import product

from grundylab.commands import Result
from grundylab.errors import InstanceError
from grundylab.rulesets import Instance, Ruleset, load_ruleset, make_instance
from grundylab.solve import solve

TRIAL_BOUND = 6
_TRIAL_PARAMETERS = range(9)


def run(options: argparse.Namespace) -> Result:
    """Check one ruleset."""
    ruleset = load_ruleset(options.ruleset)
    trial = trial_instance(ruleset)
    positions = solve(trial, "outcome", method="reference").positions
    record = {
        "ruleset": ruleset.name,
        "title": ruleset.title,
        "hash": ruleset.hash,
        "coordinates": {c.name: str(c.range) for c in ruleset.coordinates},
        "parameters": {p.name: str(p.domain) for p in ruleset.parameters},
        "bounds": list(ruleset.bounds),
        "moves": [move.name for move in ruleset.moves],
        "measure": str(ruleset.measure),
        "play": ruleset.play,
        "claims": [claim.id for claim in ruleset.claims],
        "checked": positions,
        "trial": trial.label,
    }
    return Result("ok", _text(ruleset, trial, positions), record)


def trial_instance(ruleset: Ruleset) -> Instance:
    """A small instance, with the first parameter values that are in their domain."""
    bounds = dict.fromkeys(ruleset.bounds, TRIAL_BOUND)
    for values in product(_TRIAL_PARAMETERS, repeat=len(ruleset.parameters)):
        try:
            return make_instance(ruleset, dict(zip(ruleset.parameter_names, values, strict=True)), bounds)
        except InstanceError:
            continue
    domains = ", ".join(str(parameter.domain) for parameter in ruleset.parameters)
    raise InstanceError(
        f"{ruleset.name}: no parameters up to {_TRIAL_PARAMETERS[-1]} are in their domain: {domains}"
    )


def _text(ruleset: Ruleset, trial: Instance, positions: int) -> str:
    lines = [f"{ruleset.name}: {ruleset.title}"]
    lines.append("  position    " + ", ".join(f"{c.name} in {c.range}" for c in ruleset.coordinates))
    if str(ruleset.where) != "True":
        lines.append(f"  where       {ruleset.where}")
    if ruleset.parameters:
        lines.append("  parameters  " + ", ".join(f"{p.name}: {p.domain}" for p in ruleset.parameters))
    for move in ruleset.moves:
        choices = ", ".join(f"{c.name} in {c.range}" for c in move.choices)
        when = f" when {move.when}" if str(move.when) != "True" else ""
        names = ruleset.coordinate_names
        parts = " and ".join(
            ", ".join(
                f"{name} → {value}" for name, value in zip(names, part, strict=True) if str(value) != name
            )
            for part in move.parts
        )
        lines.append(f"  move        {move.name}: " + (f"for {choices}: " if choices else "") + parts + when)
    lines.append(f"  measure     {ruleset.measure}; {ruleset.play} play")
    for claim in ruleset.claims:
        lines.append(f"  claim       {claim.id} ({claim.at}): {claim.target}: {claim.formula}")
    lines.append(
        f"  ok: every move of all {positions:,} positions at {trial.label} stays inside and lowers the measure"
    )
    return "\n".join(lines)
