"""The stages ``prove`` and ``coq``: proofs of claims and of formulas found, and Coq's answers about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from grundylab.discover.repairs import alternative_conditions
from grundylab.findings.attempts import Attempt
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.claim_relations import COMPARING, comparisons_by_proof
from grundylab.findings.coq_checks import check_proofs_by_coq, check_rows_by_coq
from grundylab.findings.proof_records import proofs_by_equality, prove_all, write_script
from grundylab.findings.records import (
    CoqAnswers,
    Proofs,
    RowDetails,
    Verdicts,
)
from grundylab.findings.verdicts import ClaimSeconds
from grundylab.findings.wording import assignment_text, row_words
from grundylab.games import parent_of
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import read_stage, write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import BeginPart, progress, silent
from grundylab.prove.outcome import Limits

COQ_SECONDS = 300.0  # the time limit for one file; the slowest one known takes a minute


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Write records of the proofs of the study's claims and of the best formulas that hold.

    The proofs themselves go to the folder ``proofs/`` beside the output. timings: the file for each claim's seconds.
    """
    seconds: ClaimSeconds = {}
    folder = Path(output).parent / "proofs"
    with progress("proving") as done:
        found = prove(study, read_stage(Verdicts, verdicts), folder, seconds, begin=partial(done, 0))
    for record in found.proofs:
        log_line(f"{record.status} where {record.where}: {record.target}: {record.formula}")
    write_stage(output, study, {"made": study.made, **record_to_json(found)})
    write_stage(timings, study, {"seconds": seconds})


def coq_stage(study: Study, proofs: str, rows: Sequence[str], output: str) -> None:
    """Write Coq's answers about the proofs and the rows' periods.

    proofs: the file of the stage ``prove``. rows: the file of the study's rows, empty if it has none. The files that
    Coq checks go to the folder ``coq/`` beside the output. Raises Disagreement if Coq rejects one.
    """
    proved = read_stage(Proofs, proofs).proofs
    periods = [row for file in rows for row in read_stage(tuple[RowDetails, ...], file, "rows")]
    found = coq_answers_of_study(study, proved, periods, Path(output).parent / "coq")
    names = [
        *(f"{record.target}: {record.formula}" for record in proved),
        *(f"{assignment_text({**row.parameters, **row.row}) or 'all'}: {row_words(row)}" for row in periods),
    ]
    for name, answer in zip(names, (*found.proofs, *found.rows), strict=True):
        if answer is not None:
            log_line(f"{answer.status}: {name}{': ' * bool(answer.reason)}{answer.reason or ''}")
    write_stage(output, study, {"made": study.made, **record_to_json(found)})


def prove(
    study: Study,
    known: Verdicts,
    folder: Path,
    seconds: ClaimSeconds,
    late: Callable[[], bool] = lambda: False,
    begin: BeginPart = silent,
) -> Proofs:
    """Return records of the proofs of the claims and of the best formulas that hold; write the proofs to the folder.

    known: the verdicts on claims and formulas. seconds, late, begin: as in ``prove_all``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    records = prove_all(study.ruleset, known, study.prove, study.proof_timeout, folder, seconds, late, begin)
    limits = Limits(min(study.proof_timeout, COMPARING), words=alternative_conditions)
    records += proofs_by_equality(
        study.ruleset,
        known.formulas,
        records,
        limits,
        lambda proof: write_script(proof, folder, None),
    )
    parent = parent_of(study.ruleset)
    comparisons = comparisons_by_proof(study.ruleset, parent, known.formulas, records, study.test, limits)
    return Proofs(proofs=tuple(records), comparisons=tuple(comparisons))


def coq_answers_of_study(
    study: Study, proofs: Sequence[Attempt], rows: Sequence[RowDetails], folder: Path
) -> CoqAnswers:
    """Return Coq's answers about the proofs and the rows' periods; write the files that Coq checks to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    ruleset, limits = study.ruleset, Limits(COQ_SECONDS)
    return CoqAnswers(
        proofs=tuple(check_proofs_by_coq(ruleset, proofs, folder, limits)),
        rows=tuple(check_rows_by_coq(ruleset, rows, folder, limits)),
    )
