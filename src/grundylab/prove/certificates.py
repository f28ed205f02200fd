"""Certificates as files: what they state, checked again from the ruleset alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grundylab.automata.kernel import TooLarge
from grundylab.games.model import ALWAYS, P_POSITIONS, Claim, Ruleset, parse_target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.games.statements import functions_with
from grundylab.language import parse, parse_condition
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr, conjunction, conjuncts, equalities
from grundylab.logic.outside import OutsideFragment
from grundylab.prove import heap_certificate, intervals, prover, reduction, row_certificate, stated
from grundylab.prove.computed import computed
from grundylab.prove.heap_certificate import check_heap, read_heap
from grundylab.prove.hypothesis import asked, plainly_true, split_where
from grundylab.prove.induction import INDUCTION, SAID, Decider, Games
from grundylab.prove.outcome import COMPUTED, CertificateError, Limits, Premise, Proof
from grundylab.prove.prover import conclude
from grundylab.prove.row_certificate import check_row, read_row, said_of_row

MOST_PLACES = 5_000_000  # of all layers of a row's certificate; each takes microseconds
MOST_HEAPS = (
    1_000_000  # tokens of the largest heap; the work grows with the square unless few values are rare
)


def check_certificate(record: Mapping[str, Any], ruleset: Ruleset) -> tuple[Proof, str]:
    """What the certificate proves, after the gate, and the same in a line.

    Raises CertificateError, or another error, if it proves nothing.
    """
    if not isinstance(record, Mapping):
        raise CertificateError("this is no certificate")
    try:
        proof, text, claim = _checked(record, ruleset)
        return conclude(ruleset, claim, proof, Limits()), text
    # of an odd shape
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as problem:
        raise CertificateError(f"this is no certificate ({type(problem).__name__}: {problem})") from problem


Checked = tuple[Proof, str, Claim]


def _checked(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    if "natural" in record:
        return _check_runs(record, ruleset)
    check = {
        row_certificate.KIND: _check_row,
        heap_certificate.KIND: _check_heap,
        stated.KIND: _check_induction,
        prover.CASES: _check_cases,
        reduction.KIND: _check_reduction,
    }.get(record.get("certificate", ""))
    if check is None:
        raise CertificateError("this is no certificate")
    return check(record, ruleset)


def _proved(claim: Claim, where: Expr, text: str, ruleset: Ruleset, **evidence: Any) -> Checked:  # noqa: ANN401
    about = conjunction(claim.where, where)
    fixed = tuple(fixed_by(about, ruleset.parameter_names).items())
    return Proof("proved", claim.formula, claim.target, about, fixed=fixed, **evidence), text, claim


def _about_positions(text: str) -> None:
    """That it is of what a game tells of its positions: a period is of nothing else."""
    if parse_target(text) == ALWAYS:
        raise CertificateError("a period says nothing of a condition that is claimed to be true")


def _parameters(record: Mapping[str, Any], ruleset: Ruleset) -> Expr:
    """The parameter values that the certificate is about: one for each parameter, within its domain."""
    given = record["parameters"]
    missing = set(ruleset.parameter_names) - set(given)
    if missing:
        raise CertificateError(f"it does not say for which {min(missing)}")
    specialise(ruleset, given)  # refuses what is outside
    return equalities(given.items())


def _check_induction(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    target, where = parse_target(record["target"]), stated.where_of(record)
    variables = stated.variables_of(record)
    claim = replace(asked(parse(record["formula"]), target), variables=variables)
    text = f"{target}: {claim.formula} where {where}, by induction"
    game, question = stated.read_question(record, ruleset)
    assumed, about = split_where(question.where, game)
    parts = SAID if target == ALWAYS else INDUCTION
    try:
        automata = Games().of(game, (question.formula, question.where))
        decider = Decider(automata, replace(question, where=about), Limits().cells)
        wrong = decider.example(parts, conjunction(assumed, question.condition))
        exactly = not question.exactly or decider.good_exactly(parts, question.condition, assumed)
    except (OutsideFragment, TooLarge) as problem:
        return Proof("undecided", claim.formula, target, where, reason=problem.message), text, claim
    if wrong is not None:
        at = ", ".join(f"{name}={value}" for name, value in wrong.items())
        raise CertificateError(f"the induction fails at ({at})")
    if not exactly:
        raise CertificateError(f"it is true for more parameters than those where {question.condition}")
    return _proved(claim, where, text, ruleset, hypothesis=question.hypothesis)


def _check_runs(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    where = parse_condition(record["where"])
    game = specialise(ruleset, fixed_by(where, ruleset.parameter_names))
    if record["hash"] != game.hash:
        raise CertificateError("the certificate is of another game, or of another version of it")
    formula = game.check_formula(parse(record["statement"].removeprefix("p: ")), P_POSITIONS)
    intervals.check(game, formula, record)
    claim = asked(formula, P_POSITIONS)
    return _proved(claim, where, f"p: {formula} where {where}", ruleset, certificate=json.dumps(record))


def _check_row(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    fixed = _parameters(record, ruleset)
    _about_positions(record["target"])
    found = read_row(record, ruleset)
    places = sum(max(0, one.first) + max(0, one.period) for one in found.recurrences)
    if places > MOST_PLACES:
        raise CertificateError(
            f"it takes {places:,} places of rows; at most {MOST_PLACES:,} are gone through"
        )
    row = check_row(found)
    listed = f"; the {len(found.positions)} entries of its listing" if found.positions else ""
    listed += "; its formula" if found.formula is not None else ""
    numbers = ", ".join(f"{name}={value}" for name, value in found.parameters)
    text = (
        f"the row {found.game.describe(found.layer)} along {' and '.join(found.game.axes)}"
        f"{f' with {numbers}' if numbers else ''}: "
        f"period and saltus {found.period} from {found.preperiod} on{listed}"
    )
    claim = said_of_row(found, row)
    return _proved(claim, fixed, text, ruleset, certificate=json.dumps(record), evaluated=True)


def _check_heap(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    fixed = _parameters(record, ruleset)
    _about_positions(record["target"])
    found = read_heap(record, ruleset)
    if found.formula is None:
        raise CertificateError("it states no formula")
    if (largest := max(found.first, found.period, found.until + found.period)) > MOST_HEAPS:
        raise CertificateError(
            f"it takes heaps of {largest:,} tokens; at most {MOST_HEAPS:,} are gone through"
        )
    check_heap(found)
    claim, about = asked(found.formula, found.target), conjunction(found.where, fixed)
    period = f"Grundy numbers with period {found.period} from {found.first} on"
    text = f"{claim.target}: {claim.formula} where {about}; {period}"
    return _proved(claim, about, text, ruleset, certificate=json.dumps(record), evaluated=True)


def _check_cases(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    """Each parameter value that the condition leaves has its own certificate, of the same statement."""
    target, formula = parse_target(record["target"]), parse(record["formula"])
    where = ruleset.check_condition(parse_condition(record["where"]))
    needed = prover.cases_of(ruleset, where)
    if needed is None or len(needed) != len(record["cases"]):
        raise CertificateError(f"its cases are not those of {where}")
    claim, proofs = asked(formula, target), []
    for case, one in zip(needed, record["cases"], strict=True):
        proof, _, said = _checked(one, ruleset)
        if proof.status != "proved":
            return proof, "", said
        proofs.append(proof)
        wanted = fixed_by(conjunction(where, case), ruleset.parameter_names)
        same = substitute(said.formula, wanted) == substitute(formula, wanted)
        if (
            not same
            or said.target != target
            or (said.variables != claim.variables and case is not needed[0])
            or dict(proof.fixed) != wanted
            or not _as_wide(proof, where, wanted)
        ):
            raise CertificateError(f"the certificate of the case {case} is of another statement")
        claim = replace(said, formula=formula)
    text = f"{target}: {formula} where {where}, in each of {len(needed)} cases"
    return _proved(claim, where, text, ruleset, certificate=json.dumps(record), cases=tuple(proofs))


def _check_reduction(record: Mapping[str, Any], ruleset: Ruleset) -> Checked:
    """The premises that the rule asks for are made anew, and each has a certificate of its own."""
    claim, where = _claim_of(record, ruleset), parse_condition(record["under"])
    about, rule = conjunction(claim.where, where), record["rule"]
    ruleset.check_condition(where)
    text = f"{claim.target}: {claim.formula} where {about}, by {rule}"
    if record["hash"] != ruleset.hash:
        raise CertificateError("the certificate is of another game, or of another version of it")
    if rule == COMPUTED:
        seen = computed(ruleset, claim, where, Limits())
        if seen is None or seen.wrong is not None:
            raise CertificateError("it is not right at all of finitely many positions")
        return _proved(claim, where, text, ruleset, certificate=json.dumps(record), finite=True, looked=seen)
    if rule not in reduction.RULES:
        raise CertificateError(f"there is no rule '{rule}' that says so")
    known = (_read_claim(given, f"given-{number}") for number, given in enumerate(record["given"]))
    game, records = replace(ruleset, claims=(*ruleset.claims, *known)), record["premises"]
    for premises in reduction.ways(game, claim, where, rule):
        if len(premises) == len(records):
            found = [_checked_premise(premise, one) for premise, one in zip(premises, records, strict=True)]
            if None not in found:
                proofs = tuple(proof for proof in found if proof is not None)
                return _proved(
                    claim, where, text, ruleset, certificate=json.dumps(record), cases=proofs, rule=rule
                )
    raise CertificateError(f"its premises are not those of '{rule}'")


def _checked_premise(premise: Premise, record: Mapping[str, Any]) -> Proof | None:
    """The proof of the premise; None if the record is of another statement."""
    wanted, game = premise.claim, premise.ruleset
    if record["ruleset"] != game.name or not _says(record, wanted):
        return None
    proof, _, said = _checked(record, game)
    fixed = fixed_by(wanted.where, game.parameter_names)
    same = substitute(said.formula, fixed) == substitute(wanted.formula, fixed)
    whole = (
        said.target == wanted.target and said.variables == wanted.variables and said.values == wanted.values
    )
    if proof.status != "proved" or not same or not whole or not _as_wide(proof, wanted.where, fixed):
        return None
    if not set(dict(proof.fixed).items()) <= set(fixed.items()):
        return None
    return proof


def _says(record: Mapping[str, Any], claim: Claim) -> bool:
    """Whether the record may be of the claim, as far as a look at it tells."""
    formula = (
        record["statement"]["formula"]
        if record.get("certificate") == reduction.KIND
        else record.get("formula")
    )
    return formula in (None, str(claim.formula))


def _claim_of(record: Mapping[str, Any], ruleset: Ruleset) -> Claim:
    """The claim that the certificate is of: a published one with this statement, or the statement itself."""
    for known in ruleset.claims:
        if known.id == record["claim"] and reduction.statement_of(known) == record["statement"]:
            return known
    claim = _read_claim(record["statement"], record["claim"])
    functions = functions_with(claim.values, ruleset, claim.where, claim.formula)
    if not claim.variables:
        ruleset.check_formula(claim.formula, claim.target, functions)
    ruleset.check_condition(claim.where, functions)
    return claim


def _read_claim(record: Mapping[str, Any], identifier: str) -> Claim:
    variables = stated.variables_of(record)
    values = tuple((name, of) for name, of in record["values"])
    formula, where = parse(record["formula"]), parse_condition(record["where"])
    return Claim(
        identifier, parse_target(record["target"]), formula, where, values=values, variables=variables
    )


def _as_wide(proof: Proof, where: Expr, put: Mapping[str, int]) -> bool:
    """Whether the proof's condition on positions asks for no more than ``where`` does."""

    def terms(condition: Expr) -> set[Expr]:
        return {substitute(term, put) for term in conjuncts(condition)}

    return {term for term in terms(proof.where) if not plainly_true(term)} <= terms(where)
