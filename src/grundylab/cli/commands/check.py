"""``grundylab check``: read a ruleset, say what is in it, and try it on a small table."""

from __future__ import annotations

import argparse
from contextlib import suppress

from grundylab.catalogue.printing import claim_text
from grundylab.cli import arguments
from grundylab.cli.common import Result
from grundylab.errors import NoSweep, WorkError
from grundylab.games import Instance, Ruleset, load_ruleset
from grundylab.games.model import Values
from grundylab.games.rules import Rules
from grundylab.games.settings import TRIAL_BOUNDS, trial_instance
from grundylab.language.plain import Meter
from grundylab.solve.memory import REFERENCE_BYTES_A_CELL, check_memory
from grundylab.solve.reference import solve_reference

_TRIAL_STEPS = 3_000_000  # of evaluating on the small table: some tenths of a second
_KINDS = {"outcome": "outcomes", "grundy": "Grundy"}


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.ruleset(parser)


def run(options: argparse.Namespace) -> Result:
    """Check one ruleset."""
    ruleset = load_ruleset(options.ruleset)
    trial, positions, unused = tried(ruleset)
    solved = ways(trial) if trial else {}
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
        "solved": solved,
        "checked": positions,
        "trial": trial.label if trial else None,
        "unused": unused,
    }
    return Result("ok", _text(ruleset, trial, positions, solved, unused), record)


def tried(ruleset: Ruleset) -> tuple[Instance | None, int, list[str]]:
    """A small instance of which every move was tried, how many positions it has, and the names of the moves that none
    of them has; None, 0 and none if there is no such instance.

    Raises RulesetError unless every move stays inside and lowers the measure.
    """
    for bound in TRIAL_BOUNDS:
        trial = trial_instance(ruleset, bound)
        if trial is not None:
            check_memory(trial, REFERENCE_BYTES_A_CELL)
            with suppress(WorkError):
                table = solve_reference(trial, "outcome", Meter(_TRIAL_STEPS))
                return trial, table.positions, _unused(trial)
    return None, 0, []


def _unused(instance: Instance) -> list[str]:
    """The moves that no position has. Raises WorkError where that is not quickly found."""
    rules, moves = Rules(instance, Meter(_TRIAL_STEPS)), instance.ruleset.moves
    used = {number for position in rules.positions() for number, _ in rules.options(position)}
    return [move.name for number, move in enumerate(moves) if number not in used]


def ways(instance: Instance) -> dict[str, str]:
    """How large instances are solved, for each sort of values: by which sweep, or why by the compiled kernel."""
    from grundylab.solve.sweeps import way

    found: dict[str, str] = {}
    kinds: tuple[Values, ...] = ("outcome",) if instance.ruleset.play == "misere" else ("outcome", "grundy")
    for kind in kinds:
        try:
            found[kind] = f"swept: {way(instance, kind)}"
        except NoSweep as error:
            found[kind] = f"by the compiled kernel, option by option: {error.message}"
    return found


def _text(
    ruleset: Ruleset, trial: Instance | None, positions: int, solved: dict[str, str], unused: list[str]
) -> str:
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
    for kind, how in solved.items():
        lines.append(f"  {_KINDS[kind]:<10}  {how}")
    for claim in ruleset.claims:
        at = f" ({claim.at})" if claim.at else ""
        lines.append(f"  claim       {claim.id}{at}: {claim_text(claim)}")
    if ruleset.free:
        for free in ruleset.free:
            lines.append(f"  every       {free.name}({', '.join(free.arguments)}) with {free.condition}")
        lines.append("  read: a family of games; verify its claims in all of them up to a size by --every")
    elif trial is None:
        lines.append(
            "  read, but not tried: no table with parameters in their domain that is quickly gone through was found"
        )
    else:
        tried = f"all {positions:,} positions at {trial.label}"
        lines += [f"  never       no position of this table has the move '{name}'" for name in unused]
        lines.append(f"  ok: every move of {tried} stays inside and lowers the measure")
    return "\n".join(lines)
