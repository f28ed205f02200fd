"""A statement about finitely many parameter values, proved for each of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from grundylab.errors import GrundylabError
from grundylab.formula.plain import evaluate
from grundylab.formula.syntax import Compare, Expr, Int, Logic, Name, compare, conjunction
from grundylab.proving.outcome import Opinion, Proof
from grundylab.proving.statement import split_where
from grundylab.rulesets.model import Claim, Ruleset
from grundylab.rulesets.specialise import fixed_by

KIND = "cases"
MOST = 32  # cases
_LISTED = 4_096  # combinations of values that are asked whether they are cases


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
    assumed, _ = split_where(where, ruleset)
    domains = [parameter.domain for parameter in ruleset.parameters]
    fixed = fixed_by(where, ruleset.parameter_names)
    names = [name for name in ruleset.parameter_names if name not in fixed]
    ends = [_end(name, _terms(conjunction(assumed, *domains))) for name in names]
    if not names or None in ends:
        return None
    ranges = [range(end + 1) for end in ends if end is not None]
    found, asked = [], conjunction(*domains, assumed)
    count = 1
    for values in ranges:
        count *= len(values)
    if count > _LISTED:
        return None
    for chosen in product(*ranges):
        parameters = {**fixed, **dict(zip(names, chosen, strict=True))}
        try:
            if evaluate(asked, parameters, ruleset.functions):
                found.append(
                    conjunction(*(compare("==", Name(n), Int(v)) for n, v in zip(names, chosen, strict=True)))
                )
        except GrundylabError:
            return None
    return found if 0 < len(found) <= MOST else None


def _terms(where: Expr) -> Sequence[Expr]:
    return where.terms if isinstance(where, Logic) and where.op == "and" else (where,)


def _end(name: str, terms: Sequence[Expr]) -> int | None:
    """The largest value that a term leaves the parameter, if one plainly says so."""
    ends = []
    for term in terms:
        for op, left, right in term.links if isinstance(term, Compare) else ():
            if left == Name(name) and isinstance(right, Int) and op in ("<", "<=", "=="):
                ends.append(right.value - (op == "<"))
            elif right == Name(name) and isinstance(left, Int) and op in (">", ">=", "=="):
                ends.append(left.value - (op == ">"))
    return max(min(ends), 0) if ends else None
