"""``grundylab discover``: finds formulas from tables."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grundylab.api import WIN
from grundylab.check.table_files import NAMES, errors_with_file, is_table, read_table
from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, cell_total, progress, refuse_options, select_instances
from grundylab.discover import (
    ALL,
    BASELINES,
    ENGINES,
    EngineQuestion,
    Findings,
    engine_findings,
    engines_named,
    frame_samples,
    ranked_candidates,
    sample_findings,
)
from grundylab.errors import GrundylabError
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.claim_comparisons import comparison_at_tables
from grundylab.findings.columns import row
from grundylab.findings.strategy_search import strategy_of
from grundylab.findings.wording import assignment_text, list_text, percent, training_text
from grundylab.games import Target, load_ruleset, parent_of, parse_target
from grundylab.language.layout import to_latex
from grundylab.language.parser import parse_condition
from grundylab.language.syntax import TRUE, conjunction
from grundylab.records.finding import Finding
from grundylab.records.relation import relation_of, relation_text
from grundylab.report.decisions import strategy_text
from grundylab.solve import solve
from grundylab.solve.instance_choice import usual_choice
from grundylab.solve.memory import check_memory

MOST_PARTIAL = 5  # the most candidates that are shown although they are wrong somewhere


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Find formulas that are right at every position of small tables, and test them on larger tables "
        "without proving them. For a table of whole numbers, as CSV or Parquet, they express one column in "
        "terms of the others.",
        "grundylab discover nim --bound N=12",
        'grundylab discover nim-with-a-pass-from-m --param m=4,8,12 --where "p == 1"',
        "grundylab discover nim-2 --target win",
    )
    arguments.ruleset(parser, f", or {NAMES}")
    arguments.sweep(parser)
    parser.add_argument(
        "--target",
        help=f"{arguments.TARGET}; or {WIN}, the winning moves; for a table, a column (default: the last)",
    )
    parser.add_argument(
        "--engine",
        default=ALL,
        help=f"the engine: {ALL} (default) runs all but {', '.join(BASELINES)} in turn until one finds an answer; "
        f"or one of {', '.join(ENGINES)}",
    )
    parser.add_argument(
        "--where", metavar="COND", default="True", help="consider only positions that satisfy this condition"
    )
    parser.add_argument(
        "--seed",
        type=arguments.seed,
        default=0,
        help="the seed of engines that use random numbers (default: 0)",
    )
    parser.add_argument(
        "--budget",
        type=arguments.positive,
        default=30.0,
        metavar="SECONDS",
        help="the processor time of all engines together (default: 30); each of several has at most a third, "
        "and one whose answer is wrong on larger tables trains again on these",
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Solve the instances to learn from, or read the table in a file, and report formulas for the target."""
    if not is_table(options.ruleset):
        return _discover_in_game(options)
    refuse_options(options, "bound", "param")
    frame = read_table(options.ruleset)
    with errors_with_file(options.ruleset):
        column = options.target or str(frame.columns[-1])
        samples, target = frame_samples(frame, column, parse_condition(options.where))
    engines = engines_named(options.engine)
    question = EngineQuestion.shared(target, options.seed, options.budget, engines)
    with _search_progress(options, engines) as begin:
        runs = sample_findings(samples, question, engines, begin)
    _check_available(runs)
    return _result(options.engine, target, runs, {"training": [options.ruleset]})


def _discover_in_game(options: argparse.Namespace) -> CommandResult:
    ruleset = load_ruleset(options.ruleset)
    wins = options.target == WIN
    target = parse_target("p" if wins else options.target or "p")
    ruleset.check_target(target)
    where = ruleset.check_condition(parse_condition(options.where, ruleset.piles))
    engines = engines_named(options.engine)
    instances = select_instances(ruleset, options, *usual_choice(ruleset))
    for instance in instances:
        check_memory(instance)
    tables = []
    values = "grundy" if wins and ruleset.splits and ruleset.play == "normal" else target.values
    with progress(options, "solving", cell_total(instances)) as done:
        for instance in instances:
            tables.append(solve(instance, values))
            done(instance.cells)
    question = EngineQuestion.shared(target, options.seed, options.budget, engines)
    with _search_progress(options, engines) as begin:
        runs = engine_findings(tables, question, engines, where=where, begin=begin)
    _check_available(runs)
    record: dict[str, Any] = {
        "training": [instance.label for instance in instances],
        "tried": [instance.label for instance in runs[-1].tried],
    }
    if wins:
        winning = strategy_of(tables, runs, where)
        status = "none" if winning is None else "exact" if winning.status == "holds" else "partial"
        text = strategy_text(winning) if winning else "no strategy found"
        fields = {"target": WIN, "engine": options.engine, "winning": winning and record_to_json(winning)}
        return CommandResult(status, text, {**fields, **record})
    best = next((candidate for candidate in ranked_candidates(runs) if candidate.exact), None)
    relation_line = ""
    if best is not None and not best.values:
        about = replace(best, where=conjunction(where, best.where))
        relation = relation_of("holds", comparison_at_tables(ruleset, about, tables))
        record["relation"] = relation and record_to_json(relation)
        parent = parent_of(ruleset)
        if ruleset.claims or (parent and parent.claims):
            relation_line = f"\nrelation to the ruleset's claims: {relation_text(relation)}"
    return _result(options.engine, target, runs, record, relation_line)


def _check_available(runs: Sequence[Findings]) -> None:
    """Raise GrundylabError if no engine could run."""
    if all(engine_run.unavailable for engine_run in runs):
        raise GrundylabError(f"the engine {runs[0].engine} is not available: {runs[0].unavailable}")


@contextmanager
def _search_progress(options: argparse.Namespace, engines: Sequence[str]) -> Iterator[Callable[[str], None]]:
    """Show the engine that is searching and the time limit; yield a function to call with each engine's name."""
    limit = f"about {options.budget:g} s of processor time at most; Ctrl-C ends it"

    with progress(options, f"looking for formulas: {limit}") as done:

        def begin(name: str) -> None:
            turn = f"engine {engines.index(name) + 1} of {len(engines)} in turn, " * (len(engines) > 1)
            done(0, f"looking for formulas: {name} ({turn}{limit})")

        yield begin


def _result(
    engine: str, target: Target, runs: Sequence[Findings], record: dict[str, Any], relation_line: str = ""
) -> CommandResult:
    """Return the result with all candidates that are right everywhere, and the best few of the others."""
    every = ranked_candidates(runs)
    exact = [candidate for candidate in every if candidate.exact]
    partial = [candidate for candidate in every if not candidate.exact][:MOST_PARTIAL]
    candidates = exact + partial
    reference = next((c for findings in runs for c in findings.candidates if c.is_reference), None)
    notes = [f"{one.engine}: {note}" if len(runs) > 1 else note for one in runs for note in one.notes]
    status = "exact" if exact else "partial" if partial else "none"
    text = _text(candidates)
    if partial:
        text += "\n(training accuracy; for a formula that is exact there, its accuracy on larger tables)"
    if partial and reference is not None:
        text += f"\n(the constant {reference.formula} has {percent(reference.share)})"
    if exact and exact[0].origin.learnt:
        text += f"\n{training_text(exact[0])}"
    if reference is not None and not candidates:
        text += f" that is right at more positions than the constant {reference.formula}"
    if status == "partial":
        text += "\nnone is exact; try more positions (--bound), more time (--budget), or another --target"
    text = "\n".join([text + relation_line, *(f"({note})" for note in notes)])
    fields = {
        "target": str(target),
        "engine": engine,
        "notes": notes,
        "candidates": list(map(_record, candidates)),
        "checked": max((c.validate.total or c.train.total for c in candidates), default=0),
    }
    if exact:
        fields |= {"formula": str(exact[0].formula), "latex": to_latex(exact[0].formula)}
    return CommandResult(status, text, {**fields, **record})


def _record(finding: Finding) -> dict[str, Any]:
    more = {
        "values": dict(finding.values),
        "exact": finding.exact,
        "share": finding.share,
        "validation": list(finding.validate.instances),
    }
    return {**row(finding), **record_to_json(finding.origin), **more}


def _text(candidates: Sequence[Finding]) -> str:
    lines = [] if candidates else ["no formula found"]
    for candidate in candidates:
        label = "exact" if candidate.exact else percent(candidate.share)
        where = f" where {candidate.where}" if candidate.where != TRUE else ""
        lines.append(f"{label:>9}  size {candidate.size:>3}  {candidate.formula}{where}")
        lines += [
            f"           {name}: the Grundy numbers of {game} game" for name, game in candidate.values.items()
        ]
        if candidate.origin.exact_for and candidate.where == TRUE:
            settings = list(map(assignment_text, candidate.origin.exact_for))
            lines.append(f"           exact for {list_text(settings)}, not for the others")
    return "\n".join(lines)
