"""``grundylab certify``: re-checks a saved proof."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult
from grundylab.files import read_json
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.proof_records import proof_record, saved_theorem_path
from grundylab.findings.wording import counterexample_line
from grundylab.games import load_ruleset
from grundylab.prove.core.theorem import Refused
from grundylab.prove.proof_files import statement_line
from grundylab.prove.prover import certified_proof


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Re-check a saved proof: everything is derived again from the ruleset, and no part of the file is"
        " trusted.",
        "grundylab certify nim results/proofs/nim/formula-75c241eb.mona",
    )
    arguments.ruleset(parser)
    parser.add_argument("certificate", metavar="FILE", help="a proof that 'prove', 'rows' or 'study' saved")


def run(options: argparse.Namespace) -> CommandResult:
    """Check the proof against the ruleset with the kernel, and report the full statement that it proves.

    For a MONA script the theorem file beside it is checked. Raises Refused for a file that proves nothing.
    """
    ruleset = load_ruleset(options.ruleset)
    file = saved_theorem_path(Path(options.certificate))
    record = read_json(file, Refused, "run the command that made it again")
    proof = certified_proof(record, ruleset)
    statement = statement_line(proof.theorem.statement) if proof.theorem else None
    text = f"{proof.status}: {statement or proof.reason}"
    if proof.counterexample is not None:
        text += f"\n{counterexample_line(proof.counterexample, proof.target, proof.formula)}"
    fields = record_to_json(proof_record(proof, options.certificate))
    record = {key: fields[key] for key in ("reason", "assuming", "where", "counterexample")}
    record |= {"formula": str(proof.formula), "target": str(proof.target)}
    record |= {"certificate": options.certificate, "proved": statement, "key": proof.key}
    return CommandResult(proof.status, text, record)
