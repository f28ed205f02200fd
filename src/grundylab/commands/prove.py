"""``grundylab prove``: a claim or formula for all sizes, and for which parameter values."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.catalogue import write_script
from grundylab.commands import Result
from grundylab.commands.asked import Asked, asked_formula
from grundylab.files import write_text
from grundylab.proving.prover import Limits, Proof, prove
from grundylab.records import proof_record, proof_text
from grundylab.rulesets import Ruleset, load_ruleset, parent_of

_EXIT = {"proved": 0, "refuted": 1, "undecided": 3}


def run(options: argparse.Namespace) -> Result:
    """Prove. A formula without ``--where`` is a question: for which parameters does it hold?"""
    ruleset = load_ruleset(options.ruleset)
    asked = asked_formula(ruleset, options)
    proof = prove(
        ruleset,
        asked.formula,
        asked.target,
        asked.where,
        parent=parent_of(ruleset),
        question=asked.claim is None and options.where is None,
        limits=Limits(options.timeout, int(options.memory * 2**20)),
    )
    file = _keep_script(ruleset, asked, proof, options.out)
    return Result(proof.status, proof_text(proof, file), proof_record(proof, file), _EXIT[proof.status])


def _keep_script(ruleset: Ruleset, asked: Asked, proof: Proof, out: str | None) -> str | None:
    """The MONA script, if there is one, in ``out`` or under results/proofs."""
    if out is None:
        return write_script(proof, Path("results") / "proofs" / ruleset.name, asked.claim)
    if proof.script is None:
        return None
    write_text(Path(out), proof.script)
    return out
