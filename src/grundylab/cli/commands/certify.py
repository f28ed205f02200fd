"""``grundylab certify``: goes through a certificate again."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.catalogue.attempts import attempt
from grundylab.catalogue.files import plain
from grundylab.catalogue.words import counterexample_line
from grundylab.cli import arguments
from grundylab.cli.common import Result
from grundylab.files import read_json
from grundylab.games import load_ruleset
from grundylab.prove.certificates import check_certificate
from grundylab.prove.outcome import CertificateError


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    arguments.about(
        parser,
        "Check a proof that was kept: everything is worked out anew from the ruleset, and the file is"
        " believed in nothing.",
        "grundylab certify nim results/proofs/nim/formula-1c01d6a9.mona",
    )
    arguments.ruleset(parser)
    parser.add_argument("certificate", metavar="FILE", help="what 'prove', 'rows' or 'study' kept")


def run(options: argparse.Namespace) -> Result:
    """Check the certificate against the ruleset, and what it proves at the gate; one that proves nothing is bad input.

    Of a MONA script it is the statement beside it, which automata decide again.
    """
    ruleset = load_ruleset(options.ruleset)
    file = Path(options.certificate)
    if file.suffix == ".mona":
        file = file.with_suffix(".json")
    record = read_json(file, CertificateError, "the command that made it makes it anew")
    proof, said = check_certificate(record, ruleset)
    text = f"{proof.status}: {said if proof.status == 'proved' else proof.reason}"
    if proof.counterexample is not None:
        text += f"\n{counterexample_line(proof.counterexample, proof.target)}"
    proved = said if proof.status == "proved" else None
    known = plain(attempt(proof, options.certificate))
    record = {
        key: known[key] for key in ("reason", "formula", "target", "assuming", "where", "counterexample")
    }
    record |= {"certificate": options.certificate, "proved": proved}
    return Result(proof.status, text, record)
