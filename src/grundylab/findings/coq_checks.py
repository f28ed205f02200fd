"""Machine-checked proofs: the Coq files of saved proofs, and Coq's answers about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json, write_text
from grundylab.findings.period_inductions import induction_of
from grundylab.findings.proof_records import saved_theorem_path
from grundylab.findings.results import Results
from grundylab.findings.rows import Row
from grundylab.games import Ruleset
from grundylab.language import Expr
from grundylab.logic.coqc import CoqAnswer, run_coqc
from grundylab.prove.coq_files import ONE_WAY, coq_file_of, coq_path, induction_coq_text, no_coq_file
from grundylab.prove.core.evidence import Evidence, HeapEvidence, Rows
from grundylab.prove.core.space import NotProvable
from grundylab.prove.outcome import Disagreement, Limits, Proof
from grundylab.prove.proof_files import read_proof, statement_of
from grundylab.records.finding import Finding
from grundylab.records.proofs import ProofRecord, with_coq_answer
from grundylab.statement import Statement


def check_by_coq(what: str, text: Callable[[], str], path: Path | None, limits: Limits) -> CoqAnswer:
    """Return Coq's answer about a file.

    text: a function that returns the file's content. If it raises GrundylabError, the answer is "not written" with the
    reason. what: the statement's name in errors. path: where the file is kept; None if it is not. Raises Disagreement
    if Coq rejects the file.
    """
    try:
        file = text()
    except Disagreement:
        raise
    except GrundylabError as error:
        return CoqAnswer("not written", error.message)
    if path is not None:
        write_text(path, file)
    answer = run_coqc(file, timeout=limits.timeout, memory=limits.memory)
    if answer.status == "rejected":
        raise Disagreement(
            f"{what}: the automata say proved, but Coq rejects it: {answer.reason}; please report this"
        )
    if answer.status == "accepted" and ONE_WAY in file:
        answer = replace(answer, reason=ONE_WAY)
    return replace(answer, file=None if path is None else str(path))


def check_proofs_by_coq(ruleset: Ruleset, results: Results, folder: Path, limits: Limits) -> Results:
    """Return the results with Coq's answers about all proofs.

    The files that Coq checks are written to ``folder``; Coq is asked once about each proof file and formula. Raises
    Disagreement if Coq rejects a proof.
    """
    answers: dict[tuple[str | None, Expr], CoqAnswer] = {}
    paths = set[Path]()

    def checked(finding: Finding, proof: ProofRecord) -> ProofRecord:
        if proof.status != "proved":
            return proof
        file, about = proof.proof, f"{ruleset.name}: {finding.target}: {finding.formula}"
        if (file, finding.formula) not in answers:
            path = coq_path(Path(file or "formula"), folder)
            if path in paths:  # it is the file of another formula with the same proof
                path = path.with_stem(f"{path.stem}_{len(paths)}")
            paths.add(path)
            text = partial(_text, ruleset, file, "".join(proof.procedures[:1]))
            answers[file, finding.formula] = check_by_coq(about, text, path, limits)
        return with_coq_answer(proof, answers[file, finding.formula])

    def all_checked(finding: Finding) -> Finding:
        better = finding.correction and all_checked(finding.correction)
        proofs = tuple(checked(finding, proof) for proof in finding.proofs)
        return replace(finding, proofs=proofs, correction=better)

    return replace(results, findings=tuple(map(all_checked, results.findings)))


def check_rows_by_coq(ruleset: Ruleset, rows: Sequence[Row], folder: Path, limits: Limits) -> list[Row]:
    """Return the rows with Coq's answers about their periods.

    The files that Coq checks are written to ``folder``. Raises Disagreement if Coq rejects one.
    """

    def checked(row: Row) -> Row:
        if row.proof is None:
            return row
        file = Path(row.proof)
        about = f"{ruleset.name}: {file.stem}"
        answer = check_by_coq(about, lambda: _text(ruleset, str(file)), coq_path(file, folder), limits)
        return replace(row, machine_checked=answer)

    return list(map(checked, rows))


def coq_file_of_saved_proof(ruleset: Ruleset, record: Any, by: str = "") -> str:  # noqa: ANN401 - what JSON has
    """Return the text of the Coq file for a saved proof. Raises GrundylabError, with the reason, if there is none.

    record: the content of the proof's JSON file. by: as in ``coq_file_of_statement``.
    """
    file = read_proof(record)
    return coq_file_of_statement(statement_of(file, ruleset), file.evidence, file.statement.claim, by)


def coq_file_of_statement(statement: Statement, evidence: Evidence, claim: str | None, by: str = "") -> str:
    """Return the text of the Coq file for a statement with its evidence.

    claim: the claim's id, or None. by: the procedures on which the proof rests; empty if not known. Raises
    GrundylabError, with the reason, if there is no Coq file for it.
    """
    if isinstance(evidence, Rows | HeapEvidence):
        game, question = induction_of(statement, evidence)
        return induction_coq_text(
            game, question, f"a period of {statement.game.name}: {statement.game.title}"
        )
    return coq_file_of(statement, evidence, claim or "a formula", by)


def coq_file_of_proof(proof: Proof, claim: str | None) -> str:
    """Return the text of the Coq file for a proof. Raises GrundylabError, with the reason, if there is none."""
    if proof.theorem is None:
        raise NotProvable(f"the statement is {proof.status}; Coq checks proved statements only")
    theorem = proof.exact or proof.theorem
    return coq_file_of_statement(theorem.statement, theorem.evidence, claim, proof.by)


def _text(ruleset: Ruleset, file: str | None, by: str = "") -> str:
    """Return the text of the Coq file for a proof saved in ``file``. Raises GrundylabError if there is none."""
    if file is None:
        raise no_coq_file("an induction for parameters that no condition describes")
    return coq_file_of_saved_proof(ruleset, read_json(saved_theorem_path(Path(file)), ConfigError), by)
