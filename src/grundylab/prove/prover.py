"""The one function that proves a statement: methods in order, then the gate, then a second opinion.

``gl.prove``, the command line, the workflow and ``certify`` all come through here. Two things are proved elsewhere, and
ask the same gate: rows of positions, by certificates that are not of one statement (``pipeline/rows.py``), and what is
equal to a proved formula (``catalogue/proofs.py``). What a method has proved passes the
gate (``gate.py``) before anyone sees it, and an independent checker says whether it agrees.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from grundylab.games.load import parent_of
from grundylab.games.model import P_POSITIONS, Claim, OfOptions, Ruleset
from grundylab.games.settings import settings
from grundylab.games.specialise import fixed_by, with_variables
from grundylab.language.syntax import (
    FALSE,
    TRUE,
    Compare,
    Expr,
    If,
    Int,
    Not,
    conjunction,
    equalities,
    free_names,
)
from grundylab.prove import reduction
from grundylab.prove.by_induction import by_induction
from grundylab.prove.certify import certificate_text
from grundylab.prove.computed import computed
from grundylab.prove.gate import look
from grundylab.prove.hypothesis import asked
from grundylab.prove.induction import Games
from grundylab.prove.outcome import COMPUTED, Limits, Look, Premise, Proof
from grundylab.prove.probes import largest_constant
from grundylab.prove.reduction import by_reduction
from grundylab.prove.second import on_proof
from grundylab.prove.stated import statement


def prove_claim(
    ruleset: Ruleset,
    claim: Claim,
    where: Expr = TRUE,
    *,
    parent: Ruleset | None = None,
    helpers: Sequence[Claim] = (),
    question: bool = False,
    limits: Limits | None = None,
    games: Games | None = None,
) -> Proof:
    """Prove or refute the claim at all positions, of every size, and all parameters, that also fulfil ``where``.

    parent: the ruleset that this one extends, whose claims may help, as may the ruleset's own and ``helpers``
    (formulas found, say): none is believed, and an induction that uses one proves it as well. question: ask "for
    which parameters?" instead of asserting it for all: then any parameter value for which it holds makes a theorem,
    with the condition; of what is asserted and refuted that is asked afterwards. games: the automata of this ruleset,
    where many claims are asked about.
    Raises FormulaError if the formula is not one for the target, InstanceError if ``where`` fixes a parameter
    outside its domain, RulesetError for a faulty move in a small table, EvaluationError where ``where`` has no value,
    Disagreement if MONA finds a proof wrong.
    """
    started = time.perf_counter()
    limits, games = limits or Limits(), games or Games()
    fixed = fixed_by(conjunction(claim.where, where), ruleset.parameter_names)
    question = question and len(fixed) < len(ruleset.parameters)

    def attempt(narrower: Expr) -> Proof:
        proof = _by_methods(
            ruleset, claim, conjunction(where, narrower), parent, helpers, question, limits, games
        )
        return conclude(ruleset, claim, proof, limits, question)

    proof = attempt(TRUE)
    if proof.status == "undecided":
        each = by_cases(ruleset, claim, conjunction(claim.where, where), proof, attempt)
        proof = proof if question and each.status == "refuted" else each
    if (
        proof.status == "refuted"
        and not question
        and proof.automaton is not None
        and proof.condition != FALSE
    ):
        rest = prove_claim(
            ruleset, claim, where, parent=parent, helpers=helpers, question=True, limits=limits, games=games
        )
        proof = replace(proof, but=rest if rest.status == "proved" else None)
    return replace(proof, seconds=time.perf_counter() - started)


def for_which(ruleset: Ruleset, claim: Claim, where: Expr = TRUE) -> bool:
    """Whether a formula asks for which parameters it is true: it does unless its condition speaks of them."""
    return not free_names(conjunction(claim.where, where)) & set(ruleset.parameter_names)


def _by_methods(
    ruleset: Ruleset,
    claim: Claim,
    where: Expr,
    parent: Ruleset | None,
    helpers: Sequence[Claim],
    question: bool,
    limits: Limits,
    games: Games,
) -> Proof:
    """What the first method says that decides it. Nobody may see this before it has passed the gate."""
    about, reason = conjunction(claim.where, where), unprovable(ruleset, claim)
    game = with_variables(ruleset, claim.variables) if claim.variables else ruleset
    if reason is None or claim.plain:
        game.check_formula(claim.formula, claim.target)
        ruleset.check_condition(about)
    if reason is not None:
        proof = Proof("undecided", claim.formula, claim.target, about, reason=reason)
        if claim.plain:
            proof = by_intervals(ruleset, proof)
        if proof.status != "undecided":
            return proof
        return by_other_statements(ruleset, claim, where, proof, helpers, limits, games)
    given = replace(game, claims=(*game.claims, *helpers))
    proof = by_induction(given, asked(claim.formula, claim.target, about), parent, question, limits, games)
    if proof.status == "undecided":
        proof = by_intervals(game, proof)
    if proof.status == "undecided":
        proof = by_period(game, proof)
    told = p_positions_told(ruleset, claim)
    if proof.status == "undecided" and told is not None:
        certified = by_intervals(ruleset, replace(proof, formula=told, target=P_POSITIONS, where=where))
        return replace(certified, formula=claim.formula, target=claim.target, where=about)
    if proof.status == "undecided" and not question:
        return by_other_statements(ruleset, claim, where, proof, helpers, limits, games)
    return proof


def by_other_statements(
    ruleset: Ruleset,
    claim: Claim,
    where: Expr,
    proof: Proof,
    helpers: Sequence[Claim],
    limits: Limits,
    games: Games,
) -> Proof:
    """The statement by computing all that it is about, or by premises that are proved; else the proof as it is."""

    def prove(premise: Premise) -> Proof:
        about = premise.ruleset
        key = about.name, about.hash, about.free, premise.claim, tuple(helpers)
        if key not in games.premises:  # several claims of a game may need the same
            games.premises[key] = proof  # undecided: what a premise rests on is not the premise itself
            parent = parent_of(about)
            others = Games(games.premises)
            games.premises[key] = prove_claim(
                about, premise.claim, parent=parent, helpers=helpers, limits=limits, games=others
            )
        return games.premises[key]

    proof = by_computing(ruleset, claim, where, proof, limits)
    if proof.status != "undecided":
        return proof
    return by_reduction(ruleset, claim, where, prove, helpers) or proof


def by_computing(ruleset: Ruleset, claim: Claim, where: Expr, proof: Proof, limits: Limits) -> Proof:
    """The statement by all positions that it is about, if they are finitely many; else the proof as it is."""
    seen = computed(ruleset, claim, where, limits)
    if seen is None or seen.wrong is not None:
        return (
            proof
            if seen is None
            else replace(proof, status="refuted", reason=None, counterexample=seen.wrong)
        )
    record = reduction.written(ruleset, claim, where, COMPUTED, {"positions": seen.positions})
    return replace(_certified(ruleset, proof, reduction.text(record)), finite=True, looked=seen)


def by_intervals(ruleset: Ruleset, proof: Proof) -> Proof:
    """The statement proved by a certificate about runs of P-positions, if there is one; else the proof as it is."""
    return _certified(ruleset, proof, certificate_text(ruleset, proof.formula, proof.target, proof.where))


def by_period(ruleset: Ruleset, proof: Proof) -> Proof:
    """The statement proved by a certificate of a period, if there is one; else the proof as it is."""
    from grundylab.prove.periodic import prove_by_period  # numba takes a second to import

    record = prove_by_period(ruleset, proof.formula, proof.target, proof.where)
    text = json.dumps(record, indent=1) + "\n" if record else None
    return replace(_certified(ruleset, proof, text), evaluated=record is not None)


def _certified(ruleset: Ruleset, proof: Proof, certificate: str | None) -> Proof:
    if certificate is None:
        return proof
    fixed = tuple(fixed_by(proof.where, ruleset.parameter_names).items())
    bare = Proof("proved", proof.formula, proof.target, proof.where, fixed=fixed)
    return replace(bare, condition=TRUE, certificate=certificate)


def conclude(ruleset: Ruleset, claim: Claim, proof: Proof, limits: Limits, question: bool = False) -> Proof:
    """What anyone is told of a proof that a method has found: after the gate, and with the second opinion.

    What no method has decided the gate may refute (but not if it is asked for which parameters the claim is true).
    """
    looked_up = claim.values or claim.tables  # of these a table is needed, and no proof is found
    if proof.status == "undecided" and settings(ruleset, proof.where) == frozenset():
        reason = "nothing is asked: no value of the parameters fulfils the conditions on them"
        return replace(proof, reason=reason)
    if proof.status == "refuted" or (proof.status == "undecided" and (question or looked_up)):
        return proof
    if proof.finite:  # there is nothing else to look at
        return proof
    condition = TRUE if proof.condition is None else proof.condition
    seen = look(ruleset, claim, conjunction(proof.where, condition), proof.holds_for)
    if proof.status == "undecided":
        if seen.wrong is None:  # a contradiction may be the rules' fault, of which the proof's reason tells
            return proof
        return replace(proof, status="refuted", reason=None, counterexample=seen.wrong)
    if not seen.good:
        return _stopped(proof, seen, claim)
    stated = replace(proof, looked=seen, stated=statement(ruleset, proof, claim))
    second, script = (proof.second, None) if proof.rule else on_proof(ruleset, stated, limits)
    told = replace(stated, second=second, script=script)
    agreed = second is not None and second.status == "agrees"
    # the premises of a rule have passed the gate each by itself
    if seen.far or agreed or proof.rule or (proof.evaluated and not seen.missed):
        return told
    seen = look(ruleset, claim, conjunction(proof.where, condition), proof.holds_for, alone=True)
    if not seen.good:
        return _stopped(proof, seen, claim)
    if seen.far:
        return replace(told, looked=seen)
    constant = largest_constant(ruleset, replace(claim, where=proof.where))
    rest = f"at {seen.missed:,} places where it turns" if seen.beyond else f"beyond the constant {constant:,}"
    reason = f"only {proof.by} proves it, and the game itself could be looked at up to {seen.reach:,} and not {rest}"
    return replace(_bare(proof, seen), reason=reason, second=second)


def _bare(proof: Proof, seen: Look) -> Proof:
    """What the proof is about, without the word."""
    return Proof("undecided", proof.formula, proof.target, proof.where, fixed=proof.fixed, looked=seen)


def _stopped(proof: Proof, seen: Look, claim: Claim) -> Proof:
    """The proof without the word: refuted if the gate saw where it is wrong."""
    bare = _bare(proof, seen)
    if seen.bad:
        why = f"a method called it proved ({proof.by}), and the gate found it wrong; please report this"
        if seen.fault is not None:
            return replace(bare, reason=f"{seen.fault}: {why}")
        reason = f"{seen.contradiction}: {why}" if seen.wrong is None else why
        return replace(bare, status="refuted", counterexample=seen.wrong, reason=reason)
    if proof.where != TRUE:
        why = f"no position that was looked at fulfils {proof.where}"
    elif claim.variables:
        names = " and ".join(variable.name for variable in claim.variables)
        why = f"{names} has no value at any position that was looked at"
    else:
        why = "the game has no position that could be looked at"
    return replace(bare, reason=f"nothing is asked: {why}")


def p_positions_told(ruleset: Ruleset, claim: Claim) -> Expr | None:
    """The S where the claim is that no move leads from S into S, or that one leads into S from everywhere else.

    It follows if the P-positions are the positions in S.
    """
    if not isinstance(claim.printed, OfOptions) or claim.variables or not claim.plain:
        return None
    here, there = (_membership(ruleset.functions.expand(e)) for e in (claim.where, claim.printed.condition))
    inside, outside = (here, there) if claim.printed.quantifier == "every" else (there, here)
    return inside if outside == Not(inside) else None


def _membership(condition: Expr) -> Expr:
    """The condition, which may be in print that a function that is 1 on a set and 0 elsewhere is 1, or is 0."""
    match condition:
        case Compare(("==",), (If(inside, Int(value=1), Int(value=0)), Int(value=0 | 1 as value))):
            return inside if value == 1 else Not(inside)
    return condition


def unprovable(ruleset: Ruleset, claim: Claim) -> str | None:
    """Why the claim cannot even be written in the logic, if so."""
    if ruleset.free:
        return f"it is about every function {ruleset.free[0].name}(), and the logic has numbers only"
    if claim.tables:
        return "a table is compared entry by entry"
    for name, of in claim.values:
        return f"{name}() is the Grundy number of a position of {of} ruleset, of which the logic knows no formula"
    return None


CASES = "cases"  # the kind of certificate
MOST_CASES = 32


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
        "certificate": CASES,
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "claim": claim.id,
        "target": str(claim.target),
        "formula": str(claim.formula),
        "where": str(where),
        "cases": [reduction.record_of(found) for found in proofs],
    }
    if None in record["cases"]:
        return proof
    return Proof(
        "proved",
        claim.formula,
        claim.target,
        where,
        certificate=json.dumps(record, indent=1, ensure_ascii=False) + "\n",
        second=reduction.second_of(proofs),
        looked=proofs[0].looked,
        cases=tuple(proofs),
    )


def cases_of(ruleset: Ruleset, where: Expr) -> list[Expr] | None:
    """A condition for each combination of parameter values that ``where`` leaves, if they are few and at least one."""
    found = settings(ruleset, where)
    fixed = fixed_by(where, ruleset.parameter_names)
    if not found or len(found) > MOST_CASES:
        return None
    open_names = [
        [(name, value) for name, value in setting if name not in fixed] for setting in sorted(found)
    ]
    return [equalities(case) for case in open_names]
