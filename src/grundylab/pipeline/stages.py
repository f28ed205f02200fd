"""The stages of the workflow: each reads what earlier ones wrote, takes the steps of its name, and writes a file."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Literal

from grundylab.discover.decision_trees import to_text
from grundylab.files import write_text
from grundylab.findings.coq_checks import check_proofs_by_coq, check_rows_by_coq
from grundylab.findings.results import NOTHING, Results
from grundylab.findings.wording import assignment_text, row_words, training_text
from grundylab.logic.coqc import CoqAnswer
from grundylab.pipeline.outside_tables import without_seen
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import read_split, read_stage, write_results, write_stage
from grundylab.pipeline.steps import PYSR, Clock, ReadSplit, Steps, StudyState, answer_stands
from grundylab.pipeline.study import Study
from grundylab.progress import progress
from grundylab.prove.outcome import Limits
from grundylab.records.finding import SplitName
from grundylab.report.tree_drawing import tree_svg
from grundylab.solve.table import Table
from grundylab.strategy.winning_moves import write_winning_moves

COQ_SECONDS = 300.0  # the time limit for one file; the slowest one known takes a minute
Files = Mapping[SplitName, Sequence[str]]


def fit_stage(
    study: Study, train: Sequence[str], validate: Sequence[str], fits: str, trees: str, timings: str
) -> None:
    """Write the candidates of each engine for each target, and the decision trees.

    train, validate: the folders of datasets, or the files of tables made elsewhere, to learn from and to try answers
    on; nothing else is read. trees: the folder for the decision trees, ``TARGET/tree.txt`` and ``.svg``, and those of
    the baseline. timings: the file for the seconds that each engine took. Raises DatasetError for a damaged dataset.
    """
    work, state = _taken(("fit",), StudyState(study), {"train": train, "validate": validate}, fits)
    _log_proposals(state.results)
    write_results(fits, study, state.results)
    seconds = {f"{run.target}: {run.engine}, seed {run.seed}": run.seconds for run in work.asked}
    write_stage(timings, study, {"seconds": seconds})
    Path(trees).mkdir(parents=True, exist_ok=True)
    for engine_run in work.asked:
        for number, tree in enumerate(engine_run.trees, start=1):
            name = engine_run.engine if number == 1 else f"{engine_run.engine}-{number}"
            file = Path(trees) / engine_run.target.slug / name
            write_text(file.with_suffix(".txt"), to_text(tree))
            write_text(file.with_suffix(".svg"), tree_svg(tree, f"{study.name}: {engine_run.target}"))


def pysr_stage(
    studies: Sequence[Study],
    fits: Sequence[str],
    train: Sequence[str],
    validate: Sequence[str],
    answers: Sequence[str],
) -> None:
    """Write PySR's formulas, one file for each study. One process does this for all, since PySR starts slowly.

    fits: for each study that stops at the first answer, the file of the other engines' formulas. PySR is not asked for
    a target for which one of these is an answer. train, validate: as in ``fit_stage``, for one study after the other.
    Answers that are kept are used without Julia, too.
    """
    others, learnt, tried = map(iter, (fits, train, validate))
    for study, output in zip(studies, answers, strict=True):
        asked = [target for target, engines in study.engines.items() if PYSR in engines]
        if study.ask != "all":
            findings = read_stage(Results, next(others)).findings
            asked = [target for target in asked if not answer_stands(study, findings, target)]
        files: Files = {
            "train": _part(study, "train", learnt), "validate": _part(study, "validate", tried),
        }  # fmt: skip
        work = Steps(study, _reader(study, files), Path(output).parent)
        tables, *above = work.rungs
        rungs = None if study.chosen else above
        runs = (work.propose(study, target, tables, engines=[PYSR], above=rungs) for target in asked)
        proposed = sum(runs, NOTHING)
        _log_proposals(proposed)
        write_results(output, study, proposed)


def rows_stage(study: Study, rows: str, timings: str, fits: Sequence[str] = ()) -> None:
    """Write the periods of the study's rows to ``rows``, and their certificates to the folder ``rows/`` beside it.

    fits: for a study with chosen tables, the files of the formulas found.
    """
    started, state = time.process_time(), StudyState(study, results=_results(fits))
    _, state = _taken(("rows",), state, {}, rows, "rows")
    for row in state.results.rows:
        log_line(f"{row.status}: {assignment_text({**row.parameters, **row.row})}: {row_words(row)}")
    write_results(rows, study, Results(rows=state.results.rows))
    write_stage(timings, study, {"seconds": {"rows": time.process_time() - started}})


def verify_stage(
    study: Study,
    fits: Sequence[str],
    train: Sequence[str],
    validate: Sequence[str],
    test: Sequence[str],
    verdicts: str,
    timings: str,
    rows: Sequence[str] = (),
) -> None:
    """Write the study's findings with their comparison with the tables, and those of its ruleset's claims.

    fits: the files that the stage ``fit`` wrote. train, validate, test: the folders or files of these splits. timings:
    the file for the seconds that each claim took. rows: for a study with chosen tables, the file of its rows. Raises
    DatasetError for a damaged dataset.
    """
    state = StudyState(study, results=_results([*fits, *rows]))
    files: Files = {"train": train, "validate": validate, "test": test}
    work, state = _taken(("verify",), state, files, verdicts)
    for formula in state.results.formulas:
        log_line(f"{formula.status}: {formula.target}: {formula.formula}")
    for claim in state.results.claims:
        log_line(f"{claim.status}: {claim.source.claim}: {claim.source.text}")
    write_results(verdicts, study, state.results)
    write_stage(timings, study, {"seconds": work.seconds})


def prove_stage(
    study: Study,
    verdicts: str,
    proofs: str,
    timings: str,
    moves: str,
    train: Sequence[str],
    test: Sequence[str],
) -> None:
    """Write the study's findings with the proofs of its claims and of the best formulas that hold, and its strategy.

    The proofs themselves go to the folder ``proofs/`` beside that file. timings: the file for each claim's seconds.
    moves: the file for the winning moves of the training tables, from which the strategy is learnt. train, test: the
    folders or files of tables.
    """
    state = StudyState(study, results=read_stage(Results, verdicts))
    work, state = _taken(("prove", "win"), state, {"train": train, "test": test}, proofs, "proofs")
    results = state.without_unchecked
    for finding in (*results.formulas, *results.claims):
        for proof in finding.proofs:
            log_line(f"{proof.status} where {proof.where}: {finding.target}: {finding.formula}")
    tables = work.train if work.has_strategy else ()
    write_winning_moves(study.ruleset, tables, Path(moves), study.made)
    write_results(proofs, study, results)
    write_stage(timings, study, {"seconds": work.seconds})


def coq_stage(study: Study, proofs: str, rows: Sequence[str], coq: str) -> None:
    """Write the findings and the rows with Coq's answers about their proofs.

    proofs: the file of the stage ``prove``. rows: the file of the study's rows, empty if it has none. The files that
    Coq checks go to the folder ``coq/`` beside the file ``coq``. Raises Disagreement if Coq rejects one.
    """
    folder, limits = Path(coq).parent / "coq", Limits(COQ_SECONDS)
    folder.mkdir(parents=True, exist_ok=True)
    results = read_stage(Results, proofs)
    checked = check_proofs_by_coq(study.ruleset, results, folder, limits)
    its_rows = results.rows or _results(rows).rows
    checked = replace(checked, rows=tuple(check_rows_by_coq(study.ruleset, its_rows, folder, limits)))
    for finding in (*checked.formulas, *checked.claims):
        for proof in finding.proofs:
            _log_answer(f"{finding.target}: {finding.formula}", proof.machine_checked)
    for row in checked.rows:
        name = assignment_text({**row.parameters, **row.row}) or "all"
        _log_answer(f"{name}: {row_words(row)}", row.machine_checked)
    write_results(coq, study, checked)


# -- what stages read and write ----------------------------------------------------------------------------------------


def _taken(
    stages: Sequence[str], state: StudyState, files: Files, output: str, folder: str = ""
) -> tuple[Steps, StudyState]:
    """Return the work, and the state after these stages. folder: that of the proofs, beside the output."""
    study = state.study
    clock = Clock(study.seconds) if study.chosen else Clock()
    with progress(stages[0]) as done:
        work = Steps(
            study, _reader(study, files), Path(output).parent / folder, clock, begin=partial(done, 0)
        )  # fmt: skip
        if folder:
            work.folder.mkdir(parents=True, exist_ok=True)
        *_, state = work.states(state, *stages)
    for reason in state.failed:
        log_line(reason)
    return work, state


def _reader(study: Study, files: Files) -> ReadSplit:
    """Return a function that reads the tables of a split; test rows of tables made elsewhere that engines saw go."""

    def read(split: SplitName) -> Sequence[Table]:
        tables = read_split(study, study.instances(split), files[split])
        if split == "test" and study.given is not None:
            return [*without_seen(tables, [*read("train"), *read("validate")])]
        return tables

    return read


def _part(study: Study, split: Literal["train", "validate"], files: Iterator[str]) -> list[str]:
    """Take the next of ``files`` that belong to the study's split, and return them.

    They are the folder of the split's datasets or, for tables made elsewhere, the files of these.
    """
    return list(
        islice(files, len(study.given[split]) if study.given else min(1, len(study.instances(split))))
    )


def _results(files: Sequence[str]) -> Results:
    """Return the results in all files together."""
    return sum((read_stage(Results, file) for file in files), NOTHING)


def _log_proposals(proposals: Results) -> None:
    for finding in proposals.findings:
        log_line(f"{finding.origin.engine}: {finding.formula}: {training_text(finding)}")
    for run in proposals.runs:
        for note in run.notes:
            log_line(f"{run.engine}: {note}")


def _log_answer(name: str, answer: CoqAnswer | None) -> None:
    if answer is not None:
        log_line(f"{answer.status}: {name}{': ' * bool(answer.reason)}{answer.reason or ''}")
