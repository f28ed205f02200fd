"""The prove stage's records: proofs of claims and of what was found, and what they make of the verdicts.

What holds beside a formula that is proved is settled by that: if it is equal it is proved, too, else it is refuted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TypeVar

from grundylab.catalogue.attempts import (
    Attempt,
    ProofRecord,
    attempt,
    attempts,
    beside_script,
    proof_file,
    region_of,
    shared,
)
from grundylab.catalogue.records import ClaimRecord, Compared, Correction, Formula, Judged, Verdicts
from grundylab.catalogue.relations import relation_of
from grundylab.discover.conditions import reworded
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json, write_text
from grundylab.games import Claim, Ruleset, Target, parent_of
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.progress import Begin, silent
from grundylab.prove.comparing import same
from grundylab.prove.files import certified, proof_text
from grundylab.prove.hypothesis import asked
from grundylab.prove.kernel.automata import true_everywhere
from grundylab.prove.outcome import Disagreement, Limits, Proof
from grundylab.prove.prover import Known, for_which, prove_claim, proved_equal
from grundylab.prove.reading import read
from grundylab.statement import statement_about

_Known = TypeVar("_Known", bound=Judged)
Times = dict[str, float]
LATE = "not begun: the time for proofs was used up"
CORRECTED = "-corrected"  # what is added to a claim's id for what is true instead


def prove_all(
    ruleset: Ruleset,
    judged: Verdicts,
    wheres: Sequence[Expr],
    timeout: float,
    folder: Path,
    seconds: Times | None = None,
    until: float = inf,
    begin: Begin = silent,
) -> list[Attempt]:
    """Return a proof record for each claim, and for the best formulas that hold, under each where.

    If a claim is proved for all parameters, it is asked under none that comes later.

    Of the formulas of one target, engine and condition the best one is asked about.
    What was found helps in the inductions, and of a formula found with free parameters it is asked where it holds.

    judged: the study's verdicts. MONA scripts and certificates are written to the folder. seconds: takes how long each
    claim took. until: when no further proof is begun, by ``time.monotonic``. begin: is called with the name of each
    claim, or with the formula, that is asked about.
    Raises Disagreement if MONA finds a proof wrong.
    """
    parent, records = parent_of(ruleset), list[Attempt]()
    limits = Limits(timeout, words=reworded)
    known = Known(limits)
    corrected = [claim for record in judged.claims if (claim := _corrected(ruleset, record))]
    found = _best(judged.formulas, "holds")

    def prove(claim: Claim, where: Expr, helpers: Sequence[Claim], question: bool = False) -> Proof:
        if time.monotonic() > until:
            about = conjunction(claim.where, where)
            key = statement_about(ruleset, claim).key
            return Proof("undecided", claim.formula, claim.target, about, reason=LATE, key=key)
        return prove_claim(
            ruleset, claim, where, parent=parent, helpers=helpers, question=question, limits=limits, known=known
        )  # fmt: skip

    def prove_found(claim: Claim, where: Expr, helpers: Sequence[Claim], question: bool) -> None:
        begin(str(claim.formula))
        claim = asked(claim.formula, claim.target, claim.where)
        proof = read(ruleset, prove(claim, where, helpers, question), limits)
        records.extend(attempts(proof, keep(None), None, claim.where, where))

    def keep(name: str | None) -> Callable[[Proof], str | None]:
        return lambda proof: write_script(proof, folder, name)

    judged_claims = {record.claim for record in judged.claims}
    for claim in (*(claim for claim in ruleset.claims if claim.id in judged_claims), *corrected):
        begin(claim.id)
        started = time.perf_counter()
        for where in wheres:
            proof = prove(claim, where, [*found, *corrected])
            records.extend(attempts(proof, keep(claim.id), claim.id, claim.where, where))
            if where == TRUE and (proof.status, proof.condition) == ("proved", TRUE):
                break  # nor need it be asked of some parameters
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    for claim in dict.fromkeys(replace(claim, id="") for claim in found):
        for where in wheres:
            prove_found(claim, where, [*found, *corrected], for_which(ruleset, claim, where))
    # for some parameter values a refuted formula may be true: that is asked, and it helps nothing else
    if ruleset.parameters and TRUE in wheres:
        for claim in _best(judged.formulas, "refuted"):
            prove_found(claim, TRUE, (), True)
    return records


def _best(formulas: Iterable[Formula], status: str) -> list[Claim]:
    """The first formula of each target, engine and condition with this verdict, as a claim; none with lookups."""
    best: dict[tuple[Target, str, Expr], Claim] = {}
    for record in formulas:
        key = (record.target, record.engine, record.where)
        if record.status == status and key not in best and not record.values:
            best[key] = Claim(f"found-{len(best) + 1}", record.target, record.formula, record.where)
    return list(best.values())


def _corrected(ruleset: Ruleset, record: ClaimRecord) -> Claim | None:
    """What is true instead of a refuted claim, if it is in the prover's terms."""
    correction = record.correction
    if correction is None or not correction.provable:
        return None
    claim = ruleset.claim(record.claim)
    if claim.instead is not None:
        return replace(claim.instead, id=f"{claim.id}{CORRECTED}")
    changed = replace(claim, formula=correction.formula, where=correction.where, kind="formula", printed=None)
    return replace(changed, id=f"{claim.id}{CORRECTED}")


def write_script(proof: Proof, folder: Path, name: str | None) -> str | None:
    """Write the proof's file under the claim's name, if it has one, and its key; return the path of what is shown.

    That is the script for MONA, if there is one; the theorem stands beside it.
    """
    if proof.theorem is None:
        return None
    ending = "mona" if proof.script else "json"
    path = folder / f"{name or 'formula'}-{proof.theorem.statement.key[:12]}.{ending}"
    write_proof(proof, path, name)
    return str(path)


def write_proof(proof: Proof, path: Path, name: str | None = None) -> None:
    """Write the theorem, and beside it the script for MONA, if there is one. name: of the claim."""
    if proof.theorem is None:
        return
    if proof.script is not None:
        write_text(path, proof.script)
    write_text(beside_script(path) if proof.script else path, proof_text(proof.theorem, name))


# -- beside what is proved --------------------------------------------------------------------------------------------


def settled(
    ruleset: Ruleset,
    formulas: Iterable[Formula],
    proofs: Sequence[Attempt],
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Attempt]:
    """Proof records of formulas that hold and that no proof was attempted of, by those that are proved.

    Each is asked to be equal to a proved one for the same target and positions. What is not is given to the
    prover for a counterexample; if it finds none, nothing is said. keep: writes a proof's file and tells its name.
    """
    found: list[Attempt] = []
    done = {(proof.formula, proof.target, proof.about) for proof in proofs if proof.claim is None}
    for record in formulas:
        key = (record.formula, record.target, record.where)
        if record.status != "holds" or record.values or key in done:
            continue
        done.add(key)
        for proof in proofs:
            known = (proof.target, proof.about) == key[1:] and proof.claim is None
            if known and (region := region_of(proof)) is not None:
                found += _beside(ruleset, key, proof, region, limits, keep)
    return found


def _beside(
    ruleset: Ruleset,
    key: tuple[Expr, Target, Expr],
    proof: Attempt,
    region: Expr,
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Attempt]:
    """Return the proof of a formula by that of another, or its refutation, or nothing. region: where that is true."""
    formula, target, where = key
    try:
        claim = asked(formula, target, where)
        equal = equal_theorem(ruleset, formula, proof, region, limits)
        if equal is not None:
            whole = replace(equal, key=statement_about(ruleset, claim).key)
            new = attempt(whole, keep(whole), None, where, proof.under)
            reason = f"equal to {proof.formula}, which is proved"
            exactly = proof.exactly and proof.where == TRUE
            return [replace(new, where=proof.where, assuming=proof.assuming, reason=reason, exactly=exactly)]
        if true_everywhere(ruleset, same(formula, proof.formula), region, limits.cells) is not False:
            return []
        answer = prove_claim(ruleset, claim, proof.under, parent=parent_of(ruleset), limits=limits)
    except Disagreement:
        raise  # the run must stop
    except GrundylabError:
        return []
    if answer.status != "refuted" or answer.counterexample is None:
        return []
    return [attempt(answer, keep(answer), None, where, proof.under)]


def equal_theorem(
    ruleset: Ruleset, formula: Expr, proof: Attempt, region: Expr, limits: Limits
) -> Proof | None:
    """Return the proof of a formula that is equal to a proved one wherever that is true; None if it is not."""
    if proof.proof is None:
        return None
    known = Known(limits)
    record = read_json(proof_file(Path(proof.proof)), ConfigError)
    theorem = certified(record, ruleset, known.kernel)
    claim = asked(formula, theorem.statement.target)
    return proved_equal(ruleset, claim, region, theorem, known, limits)


# -- with the verdicts -----------------------------------------------------------------------------------------------


def with_proofs(
    judged: Verdicts, proofs: Sequence[Attempt], comparisons: Iterable[Compared] = ()
) -> Verdicts:
    """The study's verdicts with their proofs.

    comparisons: those with the claims that the prover decided; the last word is each formula's ``relation``.
    """
    compared = {(c.formula, c.target, c.where): c.comparison for c in comparisons}

    def related(record: Formula) -> Formula:
        proof = compared.get((record.formula, record.target, record.where))
        return replace(record, relation=relation_of(record.status, record.comparison, proof))

    def corrected(record: ClaimRecord) -> ClaimRecord:
        better = _proved_correction(record, proofs)
        # where it is known exactly for which parameters it is true, a condition that held in tables says too much
        guess = better and (better.status, better.formula) == ("holds", record.formula)
        return replace(record, correction=None if guess and record.exactly is not None else better)

    formulas = tuple(related(_tried(record, proofs)) for record in judged.formulas)
    claims = tuple(corrected(_tried(record, proofs)) for record in judged.claims)
    return replace(judged, formulas=formulas, claims=claims)


def _tried(record: _Known, proofs: Iterable[Attempt]) -> _Known:
    """Return the record with the proofs of its statement; the first counterexample refutes what nothing else did."""
    mine = [proof for proof in proofs if proof.key == record.key]
    examples = (record.counterexample, *(proof.counterexample for proof in mine if proof.status == "refuted"))
    example = next((example for example in examples if example is not None), None)
    kept = tuple(ProofRecord(**shared(ProofRecord, proof)) for proof in _once(mine))
    return replace(record, proofs=kept, counterexample=example)


def _once(proofs: Iterable[Attempt]) -> list[Attempt]:
    """Return the first of those that say the same: a claim and a formula that was found may be one statement."""
    first: dict[tuple[str, Expr, Expr], Attempt] = {}
    for proof in proofs:
        first.setdefault((proof.status, proof.under, proof.where), proof)
    return list(first.values())


def _proved_correction(record: ClaimRecord, proofs: Iterable[Attempt]) -> Correction | None:
    """What is true instead of a claim, with the proofs of that; None if they refute that as well."""
    if record.correction is None:
        return None
    found = _tried(record.correction, proofs)
    return None if found.status == "refuted" else found
