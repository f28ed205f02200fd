"""``grundylab prove``: a claim or formula for all sizes, and for which parameter values."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from grundylab.catalogue.attempts import attempts
from grundylab.catalogue.files import plain
from grundylab.catalogue.printing import claim_text
from grundylab.catalogue.proofs import write_proof, write_script
from grundylab.catalogue.words import proof_text
from grundylab.cli import arguments
from grundylab.cli.common import Asked, Result, asked_claim, progress
from grundylab.cli.outputs import PROOF, check_free
from grundylab.discover.conditions import proposed
from grundylab.games import Ruleset, load_ruleset, parent_of
from grundylab.language.syntax import TRUE
from grundylab.prove.outcome import Limits, Proof, beside
from grundylab.prove.prover import for_which, prove_claim
from grundylab.prove.reading import read

_TIMEOUT = (
    "how long it may take: MONA by the clock, automata 20 million cells of tables a second (default: 60)"
)


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.about(
        parser,
        "Prove a formula, or a claim of the ruleset, for all sizes. Of a formula it finds for which "
        "parameter values it is true; a claim is asked about for all of them.",
        'grundylab prove nim --formula "x ^ y == z"',
        'grundylab prove nim --formula "x ^ y ^ z" --target grundy',
    )
    arguments.ruleset(parser)
    arguments.formula(parser)
    parser.add_argument("--timeout", type=arguments.positive, default=60.0, metavar="SECONDS", help=_TIMEOUT)
    parser.add_argument(
        "--memory",
        type=arguments.positive,
        default=8192.0,
        metavar="MIB",
        help="how much memory MONA may take (default: 8192)",
    )
    arguments.out(parser, "where the proof is kept (default: in results/proofs/RULESET)")


def run(options: argparse.Namespace) -> Result:
    """Prove. A formula is a question, for which parameters it holds, unless ``--where`` speaks of parameters."""
    ruleset = load_ruleset(options.ruleset)
    asked = asked_claim(ruleset, options)
    if options.out:
        for path in (Path(options.out), beside(Path(options.out))):
            check_free(path, PROOF, options.force)
    parent = parent_of(ruleset)
    limits = Limits(options.timeout, int(options.memory * 2**20), words=proposed)
    with progress(options, "proving"):
        proof = read(ruleset, _proved(ruleset, asked, parent, limits), limits)
    keep = partial(_keep_script, ruleset, asked, options.out)
    tried = attempts(proof, keep, asked.name, asked.claim.where, str(asked.further))
    first, but = plain(tried[0]), list(map(plain, tried[1:]))
    return Result(
        proof.status,
        proof_text(tried, proof.seconds, claim_text(asked.claim)),
        {**first, "but": but[0] if but else None},
    )


def _proved(ruleset: Ruleset, asked: Asked, parent: Ruleset | None, limits: Limits) -> Proof:
    claim, where = (ruleset.claim(asked.claim.id), asked.further) if asked.published else (asked.claim, TRUE)
    question = not asked.published and for_which(ruleset, claim)
    return prove_claim(ruleset, claim, where, parent=parent, question=question, limits=limits)


def _keep_script(ruleset: Ruleset, asked: Asked, out: str | None, proof: Proof) -> str | None:
    """The MONA script or certificate, if there is one, in ``out`` or under results/proofs."""
    if out is None:
        return write_script(proof, Path("results") / "proofs" / ruleset.name, asked.name)
    if proof.file is None:
        return None
    write_proof(proof, Path(out))
    return out
