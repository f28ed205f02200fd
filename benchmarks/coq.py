"""Benchmark of Coq: which proofs it accepts, in how many seconds; and a test that it rejects false mutants of them.

    python -m benchmarks.coq [FOLDER] [--claims] [--mutants] [--timeout SECONDS] [--only TEXT]

All inductions and certificates of periods in FOLDER (default: results, those of a run) are checked, one at a time. With
--claims, the claims of all rulesets are proved first and their inductions are stored there, so that no run is needed.
For each proof a line tells whether Coq accepts it, the CPU seconds, and the reason if it does not. Proofs of other
kinds, which are not written for Coq, are counted. With --mutants, each statement is also changed in one place (a
constant, a comparison, a move) so that it becomes false, and Coq must reject the result. Changes that no small table
refutes are counted separately: they may be true, and Coq may accept them.

Coq's answers are stored in FOLDER/coq.jsonl, so that an interrupted benchmark continues where it ended.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.mutants import mutants

from grundylab.errors import GrundylabError
from grundylab.files import write_text
from grundylab.findings.coq_checks import coq_file_of_saved_proof
from grundylab.findings.period_inductions import induction_of
from grundylab.games.load import load_ruleset, parent_of
from grundylab.games.model import Ruleset
from grundylab.logic.coqc import MISSING, compiled_development, find_coqc, run_coqc
from grundylab.prove.coq_files import induction_coq_text
from grundylab.prove.core.evidence import HeapEvidence, Induction, Rows
from grundylab.prove.core.solution import Question, question_of
from grundylab.prove.outcome import Limits
from grundylab.prove.proof_files import proof_text, read_proof, statement_of
from grundylab.prove.prover import ProofContext, prove_claim

ROOT = Path(__file__).parents[1]
INDUCTION = str(Induction.model_fields["rule"].default)
WRITTEN = tuple(kind.model_fields["rule"].default for kind in (Induction, HeapEvidence, Rows))


@cache
def ruleset_of(name: str) -> Ruleset:
    """Return the ruleset with this name."""
    return load_ruleset(name, str(ROOT / "rulesets"))


def keep_claims(folder: Path, only: str) -> None:
    """Prove the rulesets' claims that have no file in the folder yet, and write a file for each.

    The file has the proof, or else the reason why there is none. only: a text that ruleset and claim must contain.
    """
    for path in sorted((ROOT / "rulesets").glob("*.yaml")):
        ruleset, limits = ruleset_of(path.stem), Limits(timeout=20)
        context = ProofContext(limits)
        for claim in ruleset.claims:
            file = folder / ruleset.name / f"{claim.id}.json"
            if only not in f"{ruleset.name} {claim.id}" or file.exists():
                continue
            try:
                proof = prove_claim(ruleset, claim, parent=parent_of(ruleset), limits=limits, context=context)
            except GrundylabError as error:
                write_text(file, json.dumps({"undecided": error.message}))
                continue
            theorem = proof.exact or proof.theorem
            other = {proof.status: str(proof.reason)}
            write_text(file, proof_text(theorem, claim.id) if theorem else json.dumps(other))


def records(folder: Path, only: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the records of inductions and periods in the folder, each once, after a name: the ruleset and the file.

    only: a text that the name must contain.
    """
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in sorted(folder.rglob("*.json")):
        record = json.loads(path.read_text())
        if _rule(record) in WRITTEN:
            name = f"{record['statement']['ruleset']} {path.stem}"
            if only in name:
                found.setdefault(json.dumps(record), (name, record))
    return list(found.values())


def _rule(record: Any) -> str:  # noqa: ANN401 - what a JSON file has
    """Return the rule by which the statement of a proof file is proved; empty if the file is no proof."""
    is_proof = isinstance(record, dict) and "proof" in record and "evidence" in record
    return str(record["evidence"]["rule"]) if is_proof else ""


def others(folder: Path) -> Counter[str]:
    """Return the number of proofs in the folder that are not written for Coq, by their rule."""
    rules = (_rule(json.loads(path.read_text())) for path in folder.rglob("*.json"))
    return Counter(rule for rule in rules if rule and rule not in WRITTEN)


class Judged(NamedTuple):
    """Coq's verdict on a file, the reason (or empty), and the CPU seconds."""

    status: str
    why: str
    seconds: float


class Judge:
    """Coq, with its stored answers, which are not asked for again.

    kept: the file of the answers. timeout: seconds for one answer. version: the name of the compiled development.
    """

    def __init__(self, kept: Path, timeout: float, version: str) -> None:
        self._kept, self._timeout, self._version = kept, timeout, version
        lines = kept.read_text().splitlines() if kept.exists() else []
        self._known = {key: Judged(*said) for key, said in map(json.loads, lines)}

    def __call__(self, text: Callable[[], str]) -> Judged:
        """Return Coq's verdict on a text; ``not written`` if ``text`` raises GrundylabError."""
        try:
            file = text()
        except GrundylabError as error:
            return Judged("not written", error.message, 0.0)
        key = hashlib.sha256(f"{self._version} {self._timeout:g} {file}".encode()).hexdigest()
        if key not in self._known:
            started = _used()
            answer = run_coqc(file, timeout=self._timeout)
            self._known[key] = Judged(answer.status, answer.reason or "", _used() - started)
            with self._kept.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps([key, self._known[key]]) + "\n")
        return self._known[key]


def _used() -> float:
    """Return the CPU seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _question(record: dict[str, Any], ruleset: Ruleset) -> tuple[Ruleset, Question]:
    """Return the game and the question of the induction that a proof record holds."""
    file = read_proof(record)
    statement, evidence = statement_of(file, ruleset), file.evidence
    return (
        induction_of(statement, evidence)
        if isinstance(evidence, HeapEvidence | Rows)
        else question_of(statement, evidence)
    )


def judged_mutants(judge: Judge, record: dict[str, Any], ruleset: Ruleset) -> Iterator[str]:
    """Print Coq's verdict on each mutant of a proof; yield texts such as ``false: rejected`` for the counts."""
    for mutant in mutants(*_question(record, ruleset)):
        said = judge(lambda: induction_coq_text(mutant.game, mutant.question, "a mutant"))  # noqa: B023 - called at once
        known = "false" if mutant.false else "not refuted by small tables"
        print(f"{said.seconds:7.1f}  {said.status:11}    {known}: {mutant}", flush=True)
        yield f"{known}: {said.status}"


def main() -> None:
    """Check all proofs with Coq and print the verdicts and times."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "results")
    parser.add_argument("--claims", action="store_true", help="prove the rulesets' claims first")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--only", default="", help="only proofs whose name contains this text")
    parser.add_argument("--mutants", action="store_true", help="also check that false mutants are rejected")
    given = parser.parse_args()
    program = find_coqc()
    if program is None:
        parser.exit(2, f"{MISSING}\n")
    judge = Judge(given.folder / "coq.jsonl", given.timeout, compiled_development(program).name)
    if given.claims:
        keep_claims(given.folder, given.only)
    found = records(given.folder, given.only)
    if not found:
        parser.exit(2, f"{given.folder} has no such proof: add --claims, or run 'make run' first\n")
    counts, bent, seconds, inductions = Counter[str](), Counter[str](), list[float](), Counter[str]()
    for name, record in found:
        ruleset = ruleset_of(record["statement"]["ruleset"])
        said = judge(lambda: coq_file_of_saved_proof(ruleset, record))  # noqa: B023 - called at once
        counts[said.status] += 1
        if _rule(record) == INDUCTION:
            inductions[said.status] += 1
        if said.status == "accepted":
            seconds.append(said.seconds)
        why = f": {said.why}" if said.why else ""
        print(
            f"{said.seconds:7.1f}  {said.status:11}  {name} ({record['statement']['target']}){why}",
            flush=True,
        )
        if given.mutants and said.status == "accepted":
            bent.update(judged_mutants(judge, record, ruleset))
    print(f"{len(found)} proofs: {', '.join(f'{count} {status}' for status, count in counts.items())}")
    if inductions:
        total, accepted = inductions.total(), inductions["accepted"]
        print(f"of the {total} inductions, {accepted} are accepted: {accepted / total:.0%}")
    for kind, count in others(given.folder).most_common():
        print(f"{count} other proofs, not written: {kind}")
    if seconds:
        middle = statistics.median(seconds)
        print(
            f"seconds of those accepted: median {middle:.1f}, longest {max(seconds):.1f}, sum {sum(seconds):.0f}"
        )
    if given.mutants:
        print(f"{sum(bent.values())} mutants: {', '.join(f'{count} {said}' for said, count in bent.items())}")


if __name__ == "__main__":
    main()
