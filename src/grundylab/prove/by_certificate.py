"""What MONA leaves undecided, proved by a certificate instead: of runs of P-positions, or of a period."""

from __future__ import annotations

import json
from dataclasses import replace

from grundylab.games.model import Ruleset
from grundylab.games.specialise import fixed_by
from grundylab.language.syntax import TRUE
from grundylab.prove.certify import certificate_text
from grundylab.prove.outcome import Proof


def by_intervals(ruleset: Ruleset, proof: Proof) -> Proof:
    """The statement proved by a certificate about runs of P-positions, if there is one; else the proof as it is."""
    return _proved(ruleset, proof, certificate_text(ruleset, proof.formula, proof.target, proof.where))


def by_period(ruleset: Ruleset, proof: Proof) -> Proof:
    """The statement proved by a certificate of a period, if there is one; else the proof as it is."""
    from grundylab.prove.periodic import prove_by_period  # numba takes a second to import

    record = prove_by_period(ruleset, proof.formula, proof.target, proof.where)
    text = json.dumps(record, indent=1) + "\n" if record else None
    return replace(_proved(ruleset, proof, text), evaluated=record is not None)


def _proved(ruleset: Ruleset, proof: Proof, certificate: str | None) -> Proof:
    if certificate is None:
        return proof
    fixed = tuple(fixed_by(proof.where, ruleset.parameter_names).items())
    bare = Proof("proved", proof.formula, proof.target, proof.where, fixed=fixed)
    return replace(bare, condition=TRUE, certificate=certificate)
