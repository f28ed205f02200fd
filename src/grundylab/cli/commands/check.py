"""``grundylab check``: reads a ruleset, summarises it, and tries its moves on small tables."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, select_instances
from grundylab.errors import GrundylabError, NoSweep, WorkError
from grundylab.games import Instance, Ruleset, load_ruleset
from grundylab.games.instance import instance_labels
from grundylab.games.lookups import ruleset_files
from grundylab.games.model import Values
from grundylab.games.remarks import remarks
from grundylab.games.rules import Rules
from grundylab.language.plain import Evaluator, Meter, compile_plain
from grundylab.language.syntax import TRUE
from grundylab.report.ruleset_lines import ruleset_lines
from grundylab.solve.instance_choice import TRIAL_BOUNDS, Room, chosen_instances, trial_instance
from grundylab.solve.memory import REFERENCE_BYTES_A_CELL, check_memory
from grundylab.solve.reference import check_kind, each_option, measures_in_order

_TRIAL_STEPS = 3_000_000  # evaluation steps on small tables: some tenths of a second
_TRIAL_CELLS = 50_000
_VALUES = 3  # values of each parameter


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Read a ruleset, summarise it, and try every move of every position of small tables. Mistakes are "
        "reported with their lines.",
        "grundylab check nim",
        "grundylab check my-game --bound N=20 --param m=5",
    )
    arguments.ruleset(parser)
    arguments.sweep(
        parser, "the size of the tables on which the moves are tried (by default chosen automatically)"
    )


@dataclass(frozen=True)
class Trial:
    """A trial of a ruleset: the instances on which every move was tried, and what was noticed.

    positions: the number of positions in all instances. unused: the moves that no position has. empty: the ids of the
    claims whose condition no position satisfies.
    """

    instances: tuple[Instance, ...] = ()
    positions: int = 0
    unused: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()

    @property
    def labels(self) -> str:
        """The labels of the instances as text."""
        return instance_labels([instance.label for instance in self.instances])


def run(options: argparse.Namespace) -> CommandResult:
    """Read one ruleset, try its moves, and report both."""
    ruleset = load_ruleset(options.ruleset)
    ruleset_files(ruleset)  # raises an error if a claim looks up a missing ruleset
    requested = select_instances(ruleset, options) if options.bound or options.param else None
    trial = try_moves(ruleset) if requested is None else _try_instances(ruleset, requested)
    solved = solving_methods(trial.instances[0]) if trial.instances else {}
    notes = remarks(ruleset)
    if trial.instances and not trial.positions:
        notes.append(f"no position satisfies 'where': {ruleset.where}")
    else:
        notes += [f"no position of these tables has the move '{name}'" for name in trial.unused]
        if trial.empty:
            claims = f"claim{'s' * (len(trial.empty) > 1)} {', '.join(trial.empty)}"
            notes.append(f"no position of these tables satisfies 'where' of the {claims}")
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
        "checked": trial.positions,
        "trial": trial.labels or None,
        "unused": list(trial.unused),
        "remarks": notes,
    }
    return CommandResult(
        "ok", "\n".join([*ruleset_lines(ruleset), *_trial_lines(ruleset, trial, notes)]), record
    )


def try_moves(ruleset: Ruleset) -> Trial:
    """Try the moves on a few small instances, with up to ``_VALUES`` values of each parameter.

    The trial is empty if no instance is small enough. Raises RulesetError unless every move leads to a position and
    lowers the measure.
    """
    for bound in TRIAL_BOUNDS:
        if trial_instance(ruleset, [bound]) is None:
            continue
        with suppress(WorkError):
            small = chosen_instances(ruleset, {}, {}, Room(_TRIAL_CELLS, _TRIAL_STEPS, bound), _VALUES)
            if (trial := _try_instances(ruleset, small, Meter(_TRIAL_STEPS))).instances:
                return trial
    return Trial()


def _try_instances(ruleset: Ruleset, instances: Sequence[Instance], meter: Meter | None = None) -> Trial:
    """Try every move of every position of the instances.

    meter: limits the steps; the trial then has the instances that were finished within the limit.
    """
    done, positions = list[Instance](), 0
    used, fulfilled = set[str](), set[str]()
    conditions = {
        claim.id: compile_plain(claim.where, ruleset.functions, meter)
        for claim in ruleset.claims
        if claim.plain and claim.where != TRUE
    }
    with suppress(WorkError) if meter else nullcontext():
        for instance in instances:
            check_memory(instance, REFERENCE_BYTES_A_CELL)
            check_kind(instance, "outcome")
            rules = Rules(instance, meter)
            measures = measures_in_order(rules)
            for position in measures:
                used |= {ruleset.moves[number].name for number, _ in each_option(rules, position, measures)}
                if unmet := conditions.keys() - fulfilled:
                    env = rules.environment(position)
                    fulfilled |= {name for name in unmet if _holds(conditions[name], env)}
            done.append(instance)
            positions += len(measures)
    unused = tuple(move.name for move in ruleset.moves if move.name not in used)
    return Trial(tuple(done), positions, unused, tuple(name for name in conditions if name not in fulfilled))


def _holds(condition: Evaluator, env: Mapping[str, int]) -> bool:
    """Tell whether the condition is true; if it has no value, it counts as false."""
    try:
        return bool(condition(dict(env)))
    except WorkError:
        raise
    except GrundylabError:
        return False


def solving_methods(instance: Instance) -> dict[str, str]:
    """Return, for each kind of values, words on how large instances are solved: by which sweep, or why by no sweep."""
    from grundylab.solve.sweeps import describe_sweep

    methods: dict[str, str] = {}
    kinds: tuple[Values, ...] = ("outcome",) if instance.ruleset.play == "misere" else ("outcome", "grundy")
    for kind in kinds:
        try:
            methods[kind] = f"swept: {describe_sweep(instance, kind)}"
        except NoSweep as error:
            methods[kind] = f"by the compiled kernel, option by option: {error.message}"
    return methods


def _trial_lines(ruleset: Ruleset, trial: Trial, notes: Sequence[str]) -> Iterator[str]:
    """Yield the lines that report the trial."""
    yield from (f"  note        {remark}" for remark in notes)
    for free in ruleset.free:
        yield f"  every       {free.name}({', '.join(free.arguments)}) with {free.condition}"
    if ruleset.free:
        yield "  read: a family of games; verify its claims in all of them up to a size with --every"
    elif not trial.instances:
        yield "  read, but not tried: no small table with parameters in their domain was found"
    else:
        where = f" at {trial.labels}" if ruleset.bounds or ruleset.parameters else ""
        yield f"  ok: every move of all {trial.positions:,} positions{where} stays inside and lowers the measure"
        others = ["larger tables"] * bool(ruleset.bounds) + ["other parameter values"] * bool(
            ruleset.parameters
        )
        if others:
            options = [f"--bound {name}=20" for name in ruleset.bounds[:1]]
            options += [f"--param {name}=5" for name in ruleset.parameter_names[:1]]
            yield f"  {' and '.join(others)} were not tried; choose them with {' '.join(options)}"
