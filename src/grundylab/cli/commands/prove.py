"""``grundylab prove``: proves claims and formulas for all sizes, and finds the parameters for which they are true."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from grundylab.cli import arguments
from grundylab.cli.common import (
    EVERY,
    ClaimRequest,
    CommandResult,
    check_writable,
    progress,
    run_prover,
    select_claims,
)
from grundylab.discover.repairs import alternative_conditions
from grundylab.errors import GrundylabError
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.claim_layout import claim_text
from grundylab.findings.coq_checks import check_by_coq, coq_file_of_proof
from grundylab.findings.proof_records import attempts, theorem_path, write_proof, write_script
from grundylab.games import Claim, Ruleset, load_ruleset
from grundylab.prove.coq_files import coq_path
from grundylab.prove.other_words import with_other_words
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.plain_words import prove_in_plain_words
from grundylab.prove.prover import ProofContext
from grundylab.records.finding import Finding
from grundylab.records.proofs import with_coq_answer
from grundylab.report.decisions import decision_text

_TIMEOUT = (
    "the time limit: by the clock for MONA and Coq; for automata, 20 million table cells a second, and 8 decisions "
    "a second in a search for instances (default: 60)"
)


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Prove a formula, or a claim of the ruleset, for all sizes. A formula is proved for the parameter "
        "values for which it is true, a claim for all values.",
        'grundylab prove nim --formula "x ^ y == z"',
        'grundylab prove nim --formula "x ^ y ^ z" --target grundy',
        "grundylab prove nim-with-a-pass --claim all",
    )
    arguments.ruleset(parser)
    arguments.formula(parser, f"; or {EVERY}: all in one go")
    parser.add_argument("--timeout", type=arguments.positive, default=60.0, metavar="SECONDS", help=_TIMEOUT)
    parser.add_argument(
        "--memory",
        type=arguments.positive,
        default=8192.0,
        metavar="MIB",
        help="the memory limit of MONA and Coq (default: 8192)",
    )
    arguments.flag(parser, "--coq", "let Coq check the proof, and keep its file")
    arguments.out(parser, "the file of the proof (default: in results/proofs/RULESET)")


def run(options: argparse.Namespace) -> CommandResult:
    """Prove the selected formula or claims, and report a result for each; ``--claim all`` selects every claim."""
    ruleset = load_ruleset(options.ruleset)
    requests = select_claims(ruleset, options)
    if options.out:
        if len(requests) > 1:
            raise GrundylabError("--out is the file of one proof; leave it out, or name one claim")
        check_writable(options.force, options.out, theorem_path(Path(options.out)))
    limits = Limits(options.timeout, int(options.memory * 2**20), words=alternative_conditions)
    shared = ProofContext(limits)
    results = []
    with progress(options, "proving", len(requests) if len(requests) > 1 else None) as done:
        for request in requests:
            done(0, f"proving {request.name}" if request.name else "proving")
            results.append(_prove(options, ruleset, request, limits, shared))
            done(1)
    if options.claim != EVERY:
        return results[0]
    counts = Counter(result.status for result in results)
    text = "\n\n".join(f"{one.name}: {result.text}" for one, result in zip(requests, results, strict=True))
    text += f"\n\n{', '.join(f'{number} {status}' for status, number in counts.items())}"
    worst = next((status for status in ("refuted", "undecided") if status in counts), "proved")
    claims = [{"status": result.status, **result.record} for result in results]
    return CommandResult(worst, text, {"claims": claims})


def _prove(
    options: argparse.Namespace, ruleset: Ruleset, request: ClaimRequest, limits: Limits, shared: ProofContext
) -> CommandResult:
    def ask(claim: Claim) -> Proof:
        return run_prover(ruleset, replace(request, claim=claim), limits, shared)

    claim = request.claim
    claim, proof = (claim, ask(claim)) if request.published else prove_in_plain_words(ruleset, claim, ask)
    proof = with_other_words(ruleset, proof, limits)
    keep = partial(_keep_script, ruleset, request, options.out)
    tries = attempts(proof, keep, request.name, claim.where, request.further)
    if options.coq:
        for number, own in enumerate(_proof_chain(proof)):
            if not own.but:
                (record,) = tries[number].proofs
                saved = None if record.proof is None else Path(record.proof)
                path = None if saved is None else coq_path(saved, saved.parent)
                file = partial(coq_file_of_proof, own, record.claim)
                answer = check_by_coq(ruleset.name, file, path, limits)
                tries[number] = replace(tries[number], proofs=(with_coq_answer(record, answer),))
    first, *but = map(record_of, tries)
    text = decision_text(tries, proof.seconds, claim_text(claim))
    return CommandResult(proof.status, text, {**first, "but": but[0] if but else None})


def record_of(tried: Finding) -> dict[str, Any]:
    """Return an attempt at a proof, with its statement, as data that can be written as JSON."""
    statement = {
        "key": tried.key,
        "formula": str(tried.formula),
        "target": str(tried.target),
        "latex": tried.latex,
    }
    return {**record_to_json(tried.proofs[0]), **statement}


def _proof_chain(proof: Proof) -> Iterator[Proof]:
    """Yield the proof and, for a refuted statement, the proofs of those parts of it that are true."""
    yield proof
    if proof.but:
        yield from _proof_chain(proof.but)


def _keep_script(ruleset: Ruleset, request: ClaimRequest, out: str | None, proof: Proof) -> str | None:
    """Write the proof to ``out`` or below results/proofs, and return its path; return None if nothing is proved."""
    if out is None:
        return write_script(proof, Path("results") / "proofs" / ruleset.name, request.name)
    if proof.theorem is None:
        return None
    write_proof(proof, Path(out), request.name)
    return out
