"""A statement about finitely many parameter values, proved for each of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grundylab.games.model import Claim, Ruleset
from grundylab.games.settings import settings
from grundylab.games.specialise import fixed_by
from grundylab.language.syntax import Expr, equalities
from grundylab.prove.outcome import Opinion, Proof

KIND = "cases"
MOST = 32  # cases


def by_cases(
    ruleset: Ruleset, claim: Claim, where: Expr, proof: Proof, prove: Callable[[Expr], Proof]
) -> Proof:
    """The proof put together from those for each parameter value, if they are few; else the proof as it is.

    where: all that the statement is about. prove: a proof under a narrower condition.
    """
    cases = cases_of(ruleset, where)
    if cases is None or len(cases) < 2:
        return proof
    proofs = []
    for case in cases:
        found = prove(case)
        if found.status != "proved":
            return found if found.status == "refuted" else proof
        proofs.append(found)
    record = {
        "certificate": KIND,
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "claim": claim.id,
        "target": str(claim.target),
        "formula": str(claim.formula),
        "where": str(where),
        "cases": [_record(found) for found in proofs],
    }
    if None in record["cases"]:
        return proof
    return Proof(
        "proved",
        claim.formula,
        claim.target,
        where,
        certificate=json.dumps(record, indent=1, ensure_ascii=False) + "\n",
        second=_second(proofs),
        looked=proofs[0].looked,
        cases=tuple(proofs),
    )


def _record(proof: Proof) -> Mapping[str, Any] | None:
    """What can be gone through again, as JSON."""
    if proof.certificate is not None:
        record: Mapping[str, Any] = json.loads(proof.certificate)
        return record
    return proof.stated


def _second(proofs: Sequence[Proof]) -> Opinion | None:
    """One opinion on all: it agrees only where it agrees with each."""
    opinions = [proof.second for proof in proofs]
    missing = [opinion for opinion in opinions if opinion is None or opinion.status != "agrees"]
    return missing[0] if missing else opinions[0]


def cases_of(ruleset: Ruleset, where: Expr) -> list[Expr] | None:
    """A condition for each combination of parameter values that ``where`` leaves, if they are few and at least one."""
    found = settings(ruleset, where)
    fixed = fixed_by(where, ruleset.parameter_names)
    if not found or len(found) > MOST:
        return None
    open_names = [
        [(name, value) for name, value in setting if name not in fixed] for setting in sorted(found)
    ]
    return [equalities(case) for case in open_names]
