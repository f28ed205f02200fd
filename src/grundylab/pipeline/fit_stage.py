"""The stages ``fit`` and ``pysr``: the formulas that engines learn from the training tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import inf
from pathlib import Path
from typing import Literal

from grundylab.discover import EngineQuestion, Findings, engine_findings
from grundylab.discover.decision_trees import to_text
from grundylab.files import write_text
from grundylab.findings.finding import Finding
from grundylab.findings.results import Results, results_of
from grundylab.findings.wording import training_text
from grundylab.games import Target
from grundylab.language.syntax import TRUE, equalities
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import read_split, read_stage, write_results, write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import BeginPart, progress, silent
from grundylab.report.tree_drawing import tree_svg
from grundylab.solve.table import Table

PYSR = "pysr"  # the engine that runs separately, in one process for all studies


def fit_stage(
    study: Study, train: Sequence[str], validate: Sequence[str], output: str, trees: str, timings: str
) -> None:
    """Write the candidates of each engine for each target, and the decision trees.

    train, validate: the folders of datasets, or the files of tables made elsewhere, to learn from and to try answers
    on; nothing else is read. trees: the folder for the decision trees, ``TARGET/tree.txt`` and ``.svg``, and those of
    the baseline. timings: the file for the seconds that each engine took. Raises DatasetError for a damaged dataset.
    """
    tables, *above = _rungs(study, train, validate)
    found: list[Findings] = []
    with progress("looking for formulas") as done:
        for target, engines in study.engines.items():

            def begin(name: str, target: Target = target) -> None:
                done(0, f"looking for {target}: {name}")

            asked = [name for name in engines if name != PYSR]
            found += find(study, target, tables, above, asked, begin)
    _write_proposals(study, results_of(found), output)
    seconds = {f"{each.target}: {each.engine}, seed {each.seed}": each.seconds for each in found}
    write_stage(timings, study, {"seconds": seconds})
    Path(trees).mkdir(parents=True, exist_ok=True)
    for each in found:
        for number, tree in enumerate(each.trees, start=1):
            name = each.engine if number == 1 else f"{each.engine}-{number}"
            file = Path(trees) / each.target.slug / name
            write_text(file.with_suffix(".txt"), to_text(tree))
            write_text(file.with_suffix(".svg"), tree_svg(tree, f"{study.name}: {each.target}"))


def pysr_stage(
    studies: Sequence[Study],
    fits: Sequence[str],
    train: Sequence[str],
    validate: Sequence[str],
    outputs: Sequence[str],
) -> None:
    """Write PySR's formulas, one file for each study. One process does this for all, since PySR starts slowly.

    fits: for each study that stops at the first answer, the file of the other engines' formulas. PySR is not asked for
    a target for which one of these is an answer. train, validate: as in ``fit_stage``, for one study after the other.
    Answers that are kept are used without Julia, too.
    """
    others, learnt, tried = map(iter, (fits, train, validate))
    for study, output in zip(studies, outputs, strict=True):
        asked = [target for target, engines in study.engines.items() if PYSR in engines]
        if study.ask != "all":
            known = read_stage(Results, next(others)).findings
            asked = [target for target in asked if not answer_stands(study, known, target)]
        tables, *above = _rungs(study, _part(study, "train", learnt), _part(study, "validate", tried))
        found = [each for target in asked for each in find(study, target, tables, above, [PYSR])]
        _write_proposals(study, results_of(found), output)


def _part(study: Study, split: Literal["train", "validate"], files: Iterator[str]) -> list[str]:
    """Take the next of ``files`` that belong to the study's split, and return them.

    They are the folder of the split's datasets or, for tables made elsewhere, the files of these.
    """
    return list(
        islice(files, len(study.given[split]) if study.given else min(1, len(study.instances(split))))
    )


def _write_proposals(study: Study, found: Results, output: str) -> None:
    for finding in found.findings:
        log_line(f"{finding.origin.engine}: {finding.formula}: {training_text(finding)}")
    for run in found.runs:
        for note in run.notes:
            log_line(f"{run.engine}: {note}")
    write_results(output, study, found)


def _rungs(study: Study, train: Sequence[str], validate: Sequence[str]) -> list[list[Table]]:
    """Return the tables of each rung (see ``Study.rungs``): first the training tables, then larger and larger ones."""
    tables = [*read_split(study, study.train, train), *read_split(study, study.validation, validate)]
    return [[tables[place] for place in rung] for rung in study.rungs]


def propose(study: Study, target: Target, tables: Sequence[Table], within: float = inf) -> Results:
    """Run the study's engines in turn to find formulas for the target in these tables; return what they propose.

    Unless the study asks all engines, those after the first with an answer do not run. within: seconds of processor
    time for all engines together.
    """
    return results_of(find(study, target, tables, within=within))


def find(
    study: Study,
    target: Target,
    tables: Sequence[Table],
    above: Sequence[Sequence[Table]] | None = None,
    engines: Sequence[str] | None = None,
    begin: BeginPart = silent,
    within: float = inf,
) -> tuple[Findings, ...]:
    """Run engines in turn to find formulas for the target in these tables; return the findings of those that ran.

    above: the larger tables on which answers are tested; None if they are to be solved when needed. engines: by default
    the study's. begin: is called with each engine's name before the engine runs. within: seconds of processor time for
    all engines together.
    """
    question = EngineQuestion(target, study.seed, study.budget, study.seeds, within, study.budgets)
    return engine_findings(
        tables,
        question,
        study.engines[target] if engines is None else engines,
        study.where,
        study.each,
        above=above,
        every=study.ask == "all",
        begin=begin,
    )


def answer_stands(study: Study, findings: Sequence[Finding], target: Target) -> bool:
    """Tell whether a formula for all positions, without lookups, is right in all tables that its engine has seen.

    These are the tables from which it learnt and those on which it tested the formula. If the study learns from each
    setting of the parameters alone, every setting needs such a formula.
    """
    settings = {equalities(each.parameters) for each in study.train} if study.each else {TRUE}
    right = {
        finding.where
        for finding in findings
        if finding.target == target and finding.exact and not finding.values
    }
    return settings <= right
