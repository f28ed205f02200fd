"""The step ``prove``: findings with the attempts to prove them, and with the proofs' files."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path

from grundylab.automata.dfa import Dfa, natural_tuples
from grundylab.automata.digits import MAX_ARITY
from grundylab.check.position_counts import finite_count
from grundylab.discover.plainness import plainness
from grundylab.discover.repairs import alternative_conditions
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json, write_text
from grundylab.findings.results import Results
from grundylab.findings.verdicts import ClaimSeconds
from grundylab.games import Claim, Ruleset, Target, parent_of
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.progress import BeginPart, silent
from grundylab.prove.comparing import equal_values_condition
from grundylab.prove.core.decide import true_everywhere
from grundylab.prove.core.evidence import Computed
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.other_words import with_other_words
from grundylab.prove.outcome import Disagreement, Limits, Proof, rules_of
from grundylab.prove.proof_files import check_proof_file, proof_text
from grundylab.prove.prover import ProofContext, for_which, prove_claim, proved_alike
from grundylab.records.finding import Finding
from grundylab.records.proofs import Accepting, Opinion, ProofRecord, Texts, region_of
from grundylab.statement import statement_about

LATE = "not started: the time for proofs was used up"
KeepProof = Callable[[Proof], str | None]  # writes a proof's file and returns its path


def proof_record(
    proof: Proof,
    file: str | None,
    claim: str | None = None,
    about: Expr | None = None,
    under: Expr = TRUE,
) -> ProofRecord:
    """Return the record of a proof.

    file: the path to which the proof was written, or None. claim, about, under: as in ``ProofRecord``.
    """
    second = proof.second
    if second is not None and proof.theorem is not None and file is not None:
        second = Opinion(
            second.by, second.status, second.reason, str(theorem_path(Path(file)) if proof.script else file)
        )
    where = conjunction(proof.fixed_where, proof.where if proof.condition is None else proof.condition)
    for_every_parameter = proof.condition is not None and not proof.fixed and proof.playable is None
    decides = proof.condition == TRUE or proof.exact is not None or proof.status != "proved"
    return ProofRecord(
        claim=claim,
        status=proof.status,
        about=about,
        under=under,
        assuming=proof.where,
        where=where,
        exactly=for_every_parameter and decides,
        unnamed=proof.condition is None and proof.automaton is not None,
        playable=proof.playable,
        reason=proof.reason,
        proof=file,
        used=proof.used,
        automaton=_accepting(proof.automaton) if proof.automaton else None,
        counterexample=proof.counterexample,
        second=second,
        procedures=procedures_of([proof.by] if proof.status == "proved" else [], second),
        looked=proof.looked,
        rules=rules_of(proof.theorem) if proof.theorem else (),
        reading=proof.reading,
        positions=_positions(proof),
    )


def _positions(proof: Proof) -> int | None:
    """Return the number of positions that a theorem is about; None if they are not known to be finitely many."""
    if proof.theorem is None:
        return None
    if proof.evidence == Computed() and proof.looked is not None:
        return proof.looked.positions
    statement = (proof.exact or proof.theorem).statement
    return finite_count(statement.game, statement.where)


def theorem_path(script: Path) -> Path:
    """Return the path of the file that holds the theorem to which a MONA script belongs."""
    return script.with_suffix(".json" if script.suffix != ".json" else ".proof.json")


def saved_theorem_path(kept: Path) -> Path:
    """Return the path of a saved theorem: ``kept`` itself or, if that is a MONA script, the file beside it."""
    return theorem_path(kept) if kept.suffix == ".mona" else kept


def procedures_of(first: Sequence[str], second: Opinion | None) -> Texts:
    """Return the procedures that prove a statement: ``first`` and, if its opinion agrees, the one of ``second``."""
    agrees = second is not None and first and second.status == "agrees" and second.by not in first
    return (*first, second.by) if second is not None and agrees else tuple(first)


_LONGEST_AUTOMATON = 64  # the most states of an automaton whose text is kept


def _accepting(automaton: Dfa) -> Accepting:
    short = 1 <= len(automaton.tracks) <= MAX_ARITY and automaton.states <= _LONGEST_AUTOMATON
    return Accepting(
        states=automaton.states,
        variables=automaton.tracks,
        text=str(natural_tuples(automaton)) if short else None,
    )


def attempts(
    proof: Proof, keep: KeepProof, claim: str | None, about: Expr, under: Expr = TRUE
) -> list[Finding]:
    """Return the statement of a proof with its record and, if it is refuted, its true part with the proof of this.

    claim: the id, if the statement is a claim. about: the statement's own condition. under: the condition under which
    the proof was attempted.
    """
    record = proof_record(proof, keep(proof), claim, about if claim is None else None, under)
    first = Finding(
        formula=proof.formula,
        target=proof.target,
        where=proof.where,
        key=proof.key,
        reason=proof.reason if proof.status == "undecided" else None,
        proofs=(record,),
    )
    return [first, *(attempts(proof.but, keep, None, about, under) if proof.but else ())]


def prove_all(
    ruleset: Ruleset,
    results: Results,
    wheres: Sequence[Expr],
    timeout: float,
    folder: Path,
    seconds: ClaimSeconds | None = None,
    left: Callable[[], float] = lambda: inf,
    begin: BeginPart = silent,
) -> list[Finding]:
    """Return ``attempts`` to prove the claims and the best formulas, under each condition of ``wheres``.

    The formulas, which are what is asked, are tried first, and after them the claims. No proof needs an earlier one.
    A claim that is proved for all parameters is not tried under the remaining conditions. For each target, engine and
    condition only the shortest formula that holds is tried and, if that proof fails, the plainest. The shortest refuted
    one is tried as well if ``wheres`` contains TRUE, since it may be true for some parameters. Induction hypotheses may
    contain formulas found and corrected claims. If a formula has free parameters, the prover determines the values for
    which it is true.

    results: the verified findings. timeout: in seconds, as in ``Limits``. folder: for MONA scripts and certificates.
    seconds: a dictionary that receives the time of each claim. left: returns the seconds that are left for all proofs;
    when none are, no more are begun. begin: is called before each proof, with the id of the claim or with the formula.
    Raises Disagreement if MONA finds a proof wrong.
    """
    parent, of_formulas, of_claims = parent_of(ruleset), list[Finding](), list[Finding]()
    limits = Limits(timeout, words=alternative_conditions)
    context = ProofContext(limits)
    plain = ProofContext(limits)  # without the formulas found, which may take the place of facts that help
    corrected = [claim for finding in results.claims if (claim := _corrected(ruleset, finding))]
    right_formulas = _best(results.formulas, "holds")

    def late() -> bool:
        return left() <= 0

    def within() -> Limits:
        return replace(limits, timeout=min(timeout, left()))

    def prove(claim: Claim, where: Expr, helpers: Sequence[Claim], question: bool = False) -> Proof:
        if late():
            about = conjunction(claim.where, where)
            key = statement_about(ruleset, claim).key
            return Proof("undecided", claim.formula, claim.target, about, reason=LATE, key=key)
        return prove_claim(
            ruleset, claim, where, parent=parent, helpers=helpers, question=question, limits=within(), context=context
        )  # fmt: skip

    def prove_found(claim: Claim, where: Expr, helpers: Sequence[Claim], question: bool) -> str:
        begin(str(claim.formula))
        claim = unpublished_claim(claim.formula, claim.target, claim.where)
        proof = with_other_words(ruleset, prove(claim, where, helpers, question), limits)
        of_formulas.extend(attempts(proof, keep(None), None, claim.where, where))
        return proof.status

    def keep(name: str | None) -> KeepProof:
        return lambda proof: write_script(proof, folder, name)

    earliest = _best(results.formulas, "holds", first=True)
    for least, first in dict.fromkeys(zip(right_formulas, earliest, strict=True)):
        for where in wheres:
            for claim in dict.fromkeys(replace(claim_of, id="") for claim_of in (least, first)):
                question = for_which(ruleset, claim, where)
                if prove_found(claim, where, [*right_formulas, *corrected], question) != "undecided":
                    break  # the other formulas are compared with this one
    # a refuted formula may be true for some parameters; it helps in no other proof
    if ruleset.parameters and TRUE in wheres:
        for claim in _best(results.formulas, "refuted"):
            prove_found(claim, TRUE, (), True)
    asked = {finding.source.claim for finding in results.claims}
    for claim in (*(claim for claim in ruleset.claims if claim.id in asked), *corrected):
        begin(claim.id)
        started = time.perf_counter()
        for where in wheres:
            proof = prove(claim, where, [*right_formulas, *corrected])
            if proof.status == "undecided" and claim.values and right_formulas and not late():
                proof = prove_claim(
                    ruleset, claim, where, parent=parent, helpers=corrected, limits=within(), context=plain
                )
            of_claims.extend(attempts(proof, keep(claim.id), claim.id, claim.where, where))
            if where == TRUE and (proof.status, proof.condition) == ("proved", TRUE):
                break  # proved for all parameters, and so under every condition
        if seconds is not None:
            seconds[claim.id] = time.perf_counter() - started
    return [*of_claims, *of_formulas]


def answers_about_claims(
    ruleset: Ruleset, findings: Iterable[Finding], timeout: float, folder: Path
) -> list[Finding]:
    """Return ``attempts`` for claims as questions: for which parameters is each of them true?

    No claim helps in the proof of another, and an error about one of them does not keep the others from being proved.
    timeout, folder: as in ``prove_all``. Raises Disagreement if MONA finds a proof wrong.
    """
    bare, limits = replace(ruleset, claims=()), Limits(timeout, words=alternative_conditions)
    context, answers = ProofContext(limits), list[Finding]()
    for finding in findings:
        claim = ruleset.claim(finding.source.claim)
        try:
            proof = prove_claim(bare, claim, question=for_which(bare, claim), limits=limits, context=context)
        except Disagreement:
            raise  # procedures contradict each other: the run must stop
        except GrundylabError as error:
            about = claim.formula, claim.target, claim.where
            proof = Proof("undecided", *about, reason=error.message, key=finding.key)
        keep = partial(write_script, folder=folder, name=claim.id)
        answers += attempts(proof, keep, None, claim.where)
    return answers


def _best(formulas: Iterable[Finding], status: str, first: bool = False) -> list[Claim]:
    """Return, for each target, engine and condition, a formula without lookups of this status, as a claim.

    It is the shortest one, which is the easiest to prove; the first one, which is the plainest, if ``first``.
    """
    best: dict[tuple[Target, str, Expr], list[Expr]] = {}
    for record in formulas:
        if record.status == status and not record.values:
            best.setdefault((record.target, record.origin.engine, record.where), []).append(record.formula)
    return [
        Claim(f"found-{number}", target, every[0] if first else min(every, key=plainness), where)
        for number, ((target, _, where), every) in enumerate(best.items(), start=1)
    ]


def _corrected(ruleset: Ruleset, finding: Finding) -> Claim | None:
    """Return a claim's correction as a claim; None if it has none, or if the prover cannot be asked about it."""
    better = finding.correction
    if better is None or not better.source.provable:
        return None
    claim, name = ruleset.claim(finding.source.claim), better.source.claim
    if claim.instead is not None:
        return replace(claim.instead, id=name)
    return replace(claim, id=name, formula=better.formula, where=better.where, kind="formula", printed=None)


def write_script(proof: Proof, folder: Path, name: str | None) -> str | None:
    """Write the proof's files, and return the path of the MONA script or, if there is none, of the theorem.

    Return None, and write nothing, if the proof has no theorem. The files are named after the claim and the statement's
    key. name: the claim's id; None for a formula.
    """
    if proof.theorem is None:
        return None
    ending = "mona" if proof.script else "json"
    path = folder / f"{name or 'formula'}-{proof.theorem.statement.key[:12]}.{ending}"
    write_proof(proof, path, name)
    return str(path)


def write_proof(proof: Proof, path: Path, name: str | None = None) -> None:
    """Write the files of a proof; none for a proof without a theorem. name: the claim's id.

    The MONA script goes to ``path``, and the theorem to a file beside it; without a script the theorem goes to
    ``path``.
    """
    if proof.theorem is None:
        return
    if proof.script is not None:
        write_text(path, proof.script)
    write_text(theorem_path(path) if proof.script else path, proof_text(proof.theorem, name))


# -- proofs by equality -----------------------------------------------------------------------------------------------


def proofs_by_equality(
    ruleset: Ruleset,
    formulas: Iterable[Finding],
    tried: Sequence[Finding],
    limits: Limits,
    keep: KeepProof,
) -> list[Finding]:
    """Return proofs, as in ``attempts``, of formulas that hold but that the prover was not asked about.

    Each such formula is compared with the proved formulas for the same target and positions. If it equals one of them,
    it is proved. If not, the prover is asked for a counterexample; without one there is no record. tried: the attempts
    of the prover.
    """
    proofs, context = list[Finding](), ProofContext(limits)
    made = [(finding, proof) for finding in tried for proof in finding.proofs if proof.claim is None]
    done = {(finding.formula, finding.target, proof.about) for finding, proof in made}
    for formula in formulas:
        key = (formula.formula, formula.target, formula.where)
        if formula.status != "holds" or formula.values or key in done:
            continue
        done.add(key)
        for other, proof in made:
            comparable = (other.target, proof.about) == key[1:]
            if comparable and (region := region_of(proof)) is not None:
                proofs += _proof_by_equality(
                    ruleset, formula, other.formula, proof, region, context, limits, keep
                )
    return proofs


def _proof_by_equality(
    ruleset: Ruleset,
    finding: Finding,
    proved: Expr,
    proof: ProofRecord,
    region: Expr,
    context: ProofContext,
    limits: Limits,
    keep: KeepProof,
) -> list[Finding]:
    """Return the proof or refutation of a formula by comparison with a proved formula; empty if neither.

    The formula is proved if both are equal throughout ``region``; if they may differ, a counterexample is sought.
    proof: the proof of the formula ``proved``. region: the condition under which it is proved.
    """
    formula, where = finding.formula, finding.where
    try:
        claim = unpublished_claim(formula, finding.target, where)
        equal = _equal_theorem(ruleset, formula, proof, region, context, limits)
        if equal is not None:
            whole = replace(equal, key=statement_about(ruleset, claim).key)
            (attempt,) = attempts(whole, keep, None, where, proof.under)
            new = replace(
                attempt.proofs[0],
                where=proof.where,
                assuming=proof.assuming,
                positions=proof.positions,
                reason=f"equal to {proved}, which is proved",
                exactly=proof.exactly and proof.where == TRUE,
            )
            return [replace(attempt, proofs=(new,))]
        if (
            true_everywhere(ruleset, equal_values_condition(formula, proved), region, limits.cells)
            is not False
        ):
            return []
        answer = prove_claim(ruleset, claim, proof.under, parent=parent_of(ruleset), limits=limits)
    except Disagreement:
        raise  # procedures contradict each other: the run must stop
    except GrundylabError:
        return []
    if answer.status != "refuted" or answer.counterexample is None:
        return []
    return attempts(replace(answer, but=None), keep, None, where, proof.under)


def _equal_theorem(
    ruleset: Ruleset, formula: Expr, proof: ProofRecord, region: Expr, context: ProofContext, limits: Limits
) -> Proof | None:
    """Return the proof that the formula equals the proved one throughout ``region``; None if no proof is found."""
    if proof.proof is None:
        return None
    record = read_json(saved_theorem_path(Path(proof.proof)), ConfigError)
    theorem = check_proof_file(record, ruleset, context.kernel)
    claim = unpublished_claim(formula, theorem.statement.target)
    return proved_alike(ruleset, claim, region, theorem, context, limits)


# -- with the findings ------------------------------------------------------------------------------------------------


def with_proofs(results: Results, tried: Iterable[Finding]) -> Results:
    """Return the results, in which each finding has the proofs of its statement. tried: the attempts."""
    proofs: dict[str, list[ProofRecord]] = {}
    for finding in tried:
        proofs.setdefault(finding.key, []).extend(finding.proofs)
    return replace(results, findings=tuple(_with_its_proofs(attempt, proofs) for attempt in results.findings))


def _with_its_proofs(finding: Finding, proofs: Mapping[str, Sequence[ProofRecord]]) -> Finding:
    """Return the finding with the proofs of its statement and of its correction; a refuted correction is left out.

    Of several proofs with the same status, condition and extent it has the first: there are several if a claim and a
    formula are the same statement.
    """
    first: dict[tuple[str, Expr, Expr], ProofRecord] = {}
    for proof in (*finding.proofs, *proofs.get(finding.key, ())):
        first.setdefault((proof.status, proof.under, proof.where), proof)
    proved, better = replace(finding, proofs=tuple(first.values())), finding.correction
    if better is not None:
        better = _with_its_proofs(better, proofs)
        # a condition that was only seen in tables is dropped if a proof has the exact one
        guess = (better.status, better.formula) == ("holds", finding.formula) and proved.exactly is not None
        proved = replace(proved, correction=None if better.status == "refuted" or guess else better)
    return proved
