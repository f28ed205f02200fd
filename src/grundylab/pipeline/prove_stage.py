"""The stages ``prove`` and ``coq``: proofs of claims and of formulas found, and Coq's answers about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from grundylab.discover.repairs import alternative_conditions
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.claim_comparisons import COMPARING, with_relations
from grundylab.findings.coq_checks import check_proofs_by_coq, check_rows_by_coq
from grundylab.findings.proof_records import proofs_by_equality, prove_all, with_proofs, write_script
from grundylab.findings.results import Results
from grundylab.findings.rows import Row
from grundylab.findings.verdicts import ClaimSeconds
from grundylab.findings.wording import assignment_text, row_words
from grundylab.games import parent_of
from grundylab.logic.coqc import CoqAnswer
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import read_stage, write_results, write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import BeginPart, progress, silent
from grundylab.prove.outcome import Limits

COQ_SECONDS = 300.0  # the time limit for one file; the slowest one known takes a minute


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Write the study's findings with the proofs of its claims and of the best formulas that hold.

    The proofs themselves go to the folder ``proofs/`` beside the output. timings: the file for each claim's seconds.
    """
    seconds: ClaimSeconds = {}
    folder = Path(output).parent / "proofs"
    with progress("proving") as done:
        found = prove(study, read_stage(Results, verdicts), folder, seconds, begin=partial(done, 0))
    for finding in (*found.formulas, *found.claims):
        for proof in finding.proofs:
            log_line(f"{proof.status} where {proof.where}: {finding.target}: {finding.formula}")
    write_results(output, study, found)
    write_stage(timings, study, {"seconds": seconds})


def coq_stage(study: Study, proofs: str, rows: Sequence[str], output: str) -> None:
    """Write the findings and the rows with Coq's answers about their proofs.

    proofs: the file of the stage ``prove``. rows: the file of the study's rows, empty if it has none. The files that
    Coq checks go to the folder ``coq/`` beside the output. Raises Disagreement if Coq rejects one.
    """
    folder, limits = Path(output).parent / "coq", Limits(COQ_SECONDS)
    folder.mkdir(parents=True, exist_ok=True)
    found = check_proofs_by_coq(study.ruleset, read_stage(Results, proofs), folder, limits)
    periods = [row for file in rows for row in read_stage(tuple[Row, ...], file, "rows")]
    periods = check_rows_by_coq(study.ruleset, periods, folder, limits)
    for finding in (*found.formulas, *found.claims):
        for proof in finding.proofs:
            _log_answer(f"{finding.target}: {finding.formula}", proof.machine_checked)
    for row in periods:
        name = assignment_text({**row.parameters, **row.row}) or "all"
        _log_answer(f"{name}: {row_words(row)}", row.machine_checked)
    write_results(output, study, found, rows=list(map(record_to_json, periods)))


def _log_answer(name: str, answer: CoqAnswer | None) -> None:
    if answer is not None:
        log_line(f"{answer.status}: {name}{': ' * bool(answer.reason)}{answer.reason or ''}")


def prove(
    study: Study,
    results: Results,
    folder: Path,
    seconds: ClaimSeconds,
    late: Callable[[], bool] = lambda: False,
    begin: BeginPart = silent,
    asked: Results | None = None,
) -> Results:
    """Return the results with the proofs of the claims and of the best formulas that hold; write these to the folder.

    seconds, late, begin: as in ``prove_all``. asked: the findings about which the prover is asked; by default all.
    """
    asked = asked or results
    folder.mkdir(parents=True, exist_ok=True)
    tried = prove_all(study.ruleset, asked, study.prove, study.proof_timeout, folder, seconds, late, begin)
    limits = Limits(min(study.proof_timeout, COMPARING), words=alternative_conditions)
    keep = partial(write_script, folder=folder, name=None)
    tried += proofs_by_equality(study.ruleset, asked.formulas, tried, limits, keep)
    proved = with_proofs(results, tried)
    statements = {formula.statement for formula in asked.formulas}
    compared = [formula for formula in proved.formulas if formula.statement in statements]
    parent = parent_of(study.ruleset)
    related = with_relations(study.ruleset, parent, proved.findings, compared, study.test, limits)
    return replace(proved, findings=tuple(related))
