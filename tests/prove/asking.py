"""All ways to ask for a proof: by one method, by the gate alone, and by all together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.prove.bent import Bent

import grundylab as gl
from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS
from grundylab.prove import prover
from grundylab.prove.core.evidence import Evidence, Induction
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.inductions import InductionSearch, undecided_proof
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import ProofContext
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork
from grundylab.prove.second_opinion import opinion_on_induction
from grundylab.statement import Statement, statement_about

LIMITS = Limits(timeout=3)  # seconds of MONA: what it does not refute by then is undecided


def outcome(ask: Callable[[], Any]) -> str:
    """Return the status of the answer, or the name of the error that was raised (which is no proof)."""
    try:
        return str(ask().status)
    except GrundylabError as error:
        return type(error).__name__


def statement(bent: Bent) -> Statement:
    return statement_about(bent.ruleset, bent.claim, bent.about)


def by_instances(asked: Statement, kernel: Kernel, work: int = 160, lemmas: int = 3) -> Theorem | None:
    """Return the theorem by evidence by instances that is found, for the statement and for its lemmas; else None.

    work: how often automata may be asked for each. lemmas: how many may rest on each other.
    """
    try:
        evidence = instance_evidence(asked, kernel, SearchWork(work)) if lemmas else None
        if evidence is None:
            return None
        proofs = [
            by_instances(each, kernel, work, lemmas - 1) for each in kernel.checked_premises(asked, evidence)
        ]
        given = tuple(proof.evidence for proof in proofs if proof)
        return kernel.check(asked, evidence.model_copy(update={"premises": given}))
    except GrundylabError:
        return None


def by_methods(bent: Bent) -> str:
    """Return the answer of the methods in their order, without the gate."""
    known = ProofContext(LIMITS)
    looking, search = prover._Prover(known, LIMITS, ()), InductionSearch(known.kernel, LIMITS)
    return outcome(lambda: looking._by_methods(statement(bent), False, search, None))


def by_kernel(bent: Bent, evidence: Callable[[Statement], Evidence | None]) -> str:
    """Return the kernel's answer on the evidence that is found for the statement."""

    def ask() -> Any:
        found = evidence(statement(bent))
        if found is None:
            return undecided_proof(statement(bent), "no evidence is found")
        return prover._proof_of(statement(bent), ProofContext(LIMITS).kernel.check(statement(bent), found))

    return outcome(ask)


def runs(bent: Bent) -> str:
    """Return the answer of the method of runs."""
    return by_kernel(bent, prover.runs_evidence)


def period(bent: Bent) -> str:
    """Return the answer of the method of periods."""
    return by_kernel(bent, prover._period_evidence)


def second(bent: Bent) -> str:
    """Return MONA's answer."""
    return outcome(lambda: opinion_on_induction(statement(bent), induction(statement(bent)), LIMITS)[0])


def by_each(bent: Bent) -> Iterator[tuple[str, str]]:
    """Yield the name and answer of each method that is only asked if others find nothing, or find a proof."""
    if not bent.claim.variables:
        yield "runs", runs(bent)
        yield "period", period(bent)
    yield "induction", by_kernel(bent, induction)
    yield "second", second(bent)


def induction(statement: Statement) -> Induction:
    """Return the induction that assumes no more than the claim."""
    if statement.target.name == "grundy":
        return Induction(grundy=statement.formula)
    return Induction(levels=() if statement.target == ALWAYS else (statement.formula,))


def by_gate(bent: Bent) -> str:
    """Return the gate's answer on a theorem that nobody has proved."""
    return at_gate(Theorem(statement(bent), Induction()))


def at_gate(theorem: Theorem) -> str:
    """Return the gate's answer on a theorem."""
    looking = prover._Prover(ProofContext(LIMITS), LIMITS, ())
    proof = prover._proof_of(theorem.statement, theorem)
    return outcome(lambda: looking.concluded(theorem.statement, proof, opinion=False))


def by_prover(bent: Bent) -> str:
    """Return the answer of the whole prover, as every caller gets it."""
    return outcome(lambda: prover.prove_claim(bent.ruleset, bent.claim, bent.about, limits=LIMITS))


def by_api(bent: Bent) -> str:
    """Return the answer that a notebook gets."""
    return outcome(
        lambda: gl.prove(bent.ruleset, bent.claim, where=bent.about, question=False, limits=LIMITS)
    )
