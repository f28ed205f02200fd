"""``grundylab prove``: proofs of claims and formulas for all sizes, and for which parameter values they hold."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from grundylab.catalogue.attempts import Attempt, attempts, beside_script, heard
from grundylab.catalogue.files import plain
from grundylab.catalogue.machine import ask, coq_text
from grundylab.catalogue.printing import claim_text
from grundylab.catalogue.proofs import write_proof, write_script
from grundylab.catalogue.words import proof_text
from grundylab.cli import arguments
from grundylab.cli.common import EVERY, Asked, Result, asked_claims, asked_proof, check_free, progress
from grundylab.discover.conditions import reworded
from grundylab.errors import GrundylabError
from grundylab.games import Ruleset, load_ruleset
from grundylab.prove.coq import beside_proof
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import Known
from grundylab.prove.reading import read

_TIMEOUT = "how long it may take: MONA and Coq by the clock, automata 20 million cells of tables a second (default: 60)"


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.about(
        parser,
        "Prove a formula, or a claim of the ruleset, for all sizes. Of a formula it finds for which "
        "parameter values it is true; a claim is asked about for all of them.",
        'grundylab prove nim --formula "x ^ y == z"',
        'grundylab prove nim --formula "x ^ y ^ z" --target grundy',
        "grundylab prove nim-with-a-pass --claim all",
    )
    arguments.ruleset(parser)
    arguments.formula(parser, f"; or {EVERY}: every one, in one go")
    parser.add_argument("--timeout", type=arguments.positive, default=60.0, metavar="SECONDS", help=_TIMEOUT)
    parser.add_argument(
        "--memory",
        type=arguments.positive,
        default=8192.0,
        metavar="MIB",
        help="how much memory MONA and Coq may take (default: 8192)",
    )
    parser.add_argument(
        "--coq", action="store_true", help="have the proof machine-checked by Coq, and keep the file for it"
    )
    arguments.out(parser, "where the proof is kept (default: in results/proofs/RULESET)")


def run(options: argparse.Namespace) -> Result:
    """Prove the selected claims; find the parameters for which a formula holds, unless ``--where`` mentions some."""
    ruleset = load_ruleset(options.ruleset)
    asked = asked_claims(ruleset, options)
    if options.out:
        if len(asked) > 1:
            raise GrundylabError("--out is the file of one proof; leave it out, or name one claim")
        check_free(options.force, options.out, beside_script(Path(options.out)))
    limits = Limits(options.timeout, int(options.memory * 2**20), words=reworded)
    known = Known(limits)
    results = []
    with progress(options, "proving", len(asked) if len(asked) > 1 else None) as done:
        for each in asked:
            done(0, f"proving {each.name}" if each.name else "proving")
            results.append(_prove(options, ruleset, each, limits, known))
            done(1)
    if options.claim != EVERY:
        return results[0]
    counts = Counter(result.status for result in results)
    text = "\n\n".join(f"{one.name}: {result.text}" for one, result in zip(asked, results, strict=True))
    text += f"\n\n{', '.join(f'{number} {status}' for status, number in counts.items())}"
    worst = next((status for status in ("refuted", "undecided") if status in counts), "proved")
    claims = [{"status": result.status, **result.record} for result in results]
    return Result(worst, text, {"claims": claims})


def _prove(
    options: argparse.Namespace, ruleset: Ruleset, asked: Asked, limits: Limits, known: Known
) -> Result:
    proof = read(ruleset, asked_proof(ruleset, asked, limits, known), limits)
    keep = partial(_keep_script, ruleset, asked, options.out)
    tried = attempts(proof, keep, asked.name, asked.claim.where, asked.further)
    if options.coq:
        proofs = zip(tried, _proof_chain(proof), strict=True)
        tried = [each if of.but else _check_by_coq(ruleset, each, of, limits) for each, of in proofs]
    first, but = plain(tried[0]), list(map(plain, tried[1:]))
    text = proof_text(tried, proof.seconds, claim_text(asked.claim))
    return Result(proof.status, text, {**first, "but": but[0] if but else None})


def _proof_chain(proof: Proof) -> Iterator[Proof]:
    """Yield the proof, then those of the weaker statements that are true nevertheless."""
    yield proof
    if proof.but:
        yield from _proof_chain(proof.but)


def _check_by_coq(ruleset: Ruleset, tried: Attempt, proof: Proof, limits: Limits) -> Attempt:
    """Return the attempt with Coq's verdict; the Coq file is kept beside the script."""
    path = None if tried.proof is None else beside_proof(Path(tried.proof), Path(tried.proof).parent)
    return heard(tried, ask(ruleset.name, partial(coq_text, proof, tried.claim), path, limits))


def _keep_script(ruleset: Ruleset, asked: Asked, out: str | None, proof: Proof) -> str | None:
    """Write the MONA script or certificate, if any, to ``out`` or below results/proofs, and return its path."""
    if out is None:
        return write_script(proof, Path("results") / "proofs" / ruleset.name, asked.name)
    if proof.theorem is None:
        return None
    write_proof(proof, Path(out), asked.name)
    return out
