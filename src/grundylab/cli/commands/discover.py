"""``grundylab discover``: formulas from data."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import pandas as pd

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import Proposed, described
from grundylab.catalogue.relations import at_tables, relation_of, relation_text
from grundylab.catalogue.words import percent
from grundylab.cli import arguments
from grundylab.cli.common import Result, asked_instances
from grundylab.cli.progress import measured, progress
from grundylab.discover import ENGINES, Findings, explore, learnt, of_frame
from grundylab.discover.base import Candidate
from grundylab.errors import GrundylabError, Place
from grundylab.files import said
from grundylab.games import load_ruleset, parent_of, parse_target
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE
from grundylab.solve import solve
from grundylab.solve.memory import check_memory


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.ruleset(parser)
    arguments.sweep(parser)
    parser.add_argument(
        "--target", help="p (default), grundy, or 'grundy == v'; of a CSV file a column (default: the last)"
    )
    others = ", ".join(engine for engine in ENGINES if engine != "search")
    parser.add_argument("--engine", default="search", help=f"search (default), {others}")
    parser.add_argument("--seed", type=arguments.seed, default=0, help="default: 0")
    parser.add_argument(
        "--budget", type=arguments.positive, default=30.0, metavar="SECONDS", help="default: 30"
    )


def run(options: argparse.Namespace) -> Result:
    """Solve the training instances, or read the table, and propose formulas for the target."""
    return _of_table(options) if options.ruleset.endswith(".csv") else _of_game(options)


def _of_table(options: argparse.Namespace) -> Result:
    if options.bound or options.param:
        raise GrundylabError("--bound and --param are for games, not for tables", Place(options.ruleset))
    try:
        frame = pd.read_csv(options.ruleset)
        column = options.target or str(frame.columns[-1])
        samples, target = of_frame(frame, column)
    except GrundylabError as error:
        raise error.at(file=options.ruleset) from None
    except OSError as problem:
        raise GrundylabError(f"cannot read it: {said(problem)}", Place(options.ruleset)) from None
    except ValueError as problem:  # what pandas says of what is no table
        raise GrundylabError(
            f"it is no CSV table: {problem}".splitlines()[0], Place(options.ruleset)
        ) from None
    with progress(options, f"looking for formulas, with a budget of {options.budget:g} s"):
        found = learnt(samples, target, options.engine, options.seed, options.budget)
    record = {
        **_record(found, column, options.engine),
        "training": [options.ruleset],
        "checked": len(samples),
    }
    return _result(found, record)


def _of_game(options: argparse.Namespace) -> Result:
    ruleset = load_ruleset(options.ruleset)
    target = parse_target(options.target or "p")
    asked = asked_instances(ruleset, options)
    for instance in asked:
        check_memory(instance)
    tables = []
    with progress(options, "solving", measured(asked)) as done:
        for instance in asked:
            tables.append(solve(instance, target.values))
            done(instance.cells)
    with progress(options, f"looking for formulas, with a budget of {options.budget:g} s"):
        found = explore(tables, target, options.engine, options.seed, options.budget)
    record = {
        **_record(found, str(target), options.engine),
        "training": [instance.label for instance in asked],
        "checked": sum(table.positions for table in tables),
    }
    best = found.candidates[0] if found.candidates else None
    if best is None or not best.exact or best.values:
        return _result(found, record)
    comparison = at_tables(ruleset, parent_of(ruleset), best.formula, target, best.where, tables)
    relation = relation_of("holds", comparison)
    beside = f"\nbeside the published claims, at these positions: {relation_text(relation)}"
    return _result(found, record | {"relation": relation and plain(relation)}, beside)


def _record(found: Findings, target: str, engine: str) -> dict[str, Any]:
    candidates = tuple(map(described, found.candidates))
    record = plain(Proposed(target=target, engine=engine, notes=found.notes, candidates=candidates))
    best = found.candidates[0] if found.candidates else None
    if best is not None and best.exact:
        record |= {"formula": str(best.formula), "latex": to_latex(best.formula)}
    return record


def _result(found: Findings, record: dict[str, Any], beside: str = "") -> Result:
    candidates = found.candidates
    best = candidates[0] if candidates else None
    status = "none" if best is None else "exact" if best.exact else "partial"
    text = _text(candidates)
    if best is not None and any(not candidate.exact for candidate in candidates):
        text += f"\n(a share is of the {record['checked']:,} positions that were learnt from)"
    if best is not None and not best.exact:
        text += "\nnone is exact: give more positions (--bound), more time (--budget), or another --engine or --target"
    return Result(status, "\n".join([text + beside, *(f"({note})" for note in found.notes)]), record)


def _text(candidates: Sequence[Candidate]) -> str:
    lines = [] if candidates else ["no formula found"]
    for candidate in candidates:
        label = "exact" if candidate.exact else percent(candidate.share)
        where = f" where {candidate.where}" if candidate.where != TRUE else ""
        lines.append(f"{label:>9}  size {candidate.size:>3}  {candidate.formula}{where}")
        lines += [f"           {name}: the Grundy numbers of {of} game" for name, of in candidate.values]
        if candidate.exact_for and candidate.where == TRUE:
            settings = (", ".join(f"{name}={value}" for name, value in s) for s in candidate.exact_for)
            lines.append(f"           exact for {'; '.join(settings)}, not for the others")
    return "\n".join(lines)
