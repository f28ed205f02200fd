"""Formulas that hold beside one that is proved: those that are equal to it are proved too, the others are refuted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grundylab.catalogue.attempts import Attempt, attempt, procedures_of, region_of
from grundylab.catalogue.records import Formula
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json
from grundylab.games import Ruleset, parent_of, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.layout import to_latex
from grundylab.language.syntax import Expr, conjunction
from grundylab.prove.comparing import same
from grundylab.prove.everywhere import true_everywhere
from grundylab.prove.gate import look
from grundylab.prove.outcome import Disagreement, Limits, Opinion, Proof
from grundylab.prove.prover import asked, prove_claim
from grundylab.prove.second import on_induction


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
    key: tuple[str, str, str],
    proof: Attempt,
    region: Expr,
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Attempt]:
    """The proof of a formula by that of another, or its refutation, or nothing. region: where that one is true."""
    formula, target, where = parse(key[0]), parse_target(key[1]), parse_condition(key[2])
    try:
        equal = true_everywhere(ruleset, same(formula, parse(proof.formula)), region, limits)
        if equal and look(ruleset, asked(formula, target), region).good:
            second = _second(ruleset, key[0], proof, limits)
            return [
                replace(
                    proof,
                    formula=key[0],
                    latex=to_latex(formula),
                    reason=f"equal to {proof.formula}, which is proved",
                    second=second,
                    procedures=procedures_of(_without_second(proof), second),
                    # for which other parameter values this one holds is not known
                    exactly=proof.exactly and proof.where == "True",
                )
            ]
        if equal or equal is None:
            return []
        about = conjunction(where, parse_condition(proof.under))
        claim = asked(formula, target)
        answer = prove_claim(ruleset, claim, about, parent=parent_of(ruleset), limits=limits)
    except Disagreement:
        raise  # the run must stop
    except GrundylabError:
        return []
    if answer.status != "refuted" or answer.counterexample is None:
        return []
    return [attempt(answer, keep(answer), None, where, proof.under)]


def _without_second(proof: Attempt) -> list[str]:
    """The procedures that say that the other one is proved, but for the second, which is asked anew."""
    return [name for name in proof.procedures if proof.second is None or name != proof.second.by]


def _second(ruleset: Ruleset, formula: str, proof: Attempt, limits: Limits) -> Opinion | None:
    """The second opinion on the formula, by the induction that proves the other one."""
    if proof.second is None or proof.second.file is None:
        return proof.second
    stated = read_json(Path(proof.second.file), ConfigError)
    found, _ = on_induction(ruleset, {**stated, "formula": formula}, limits)
    return found and replace(found, file=proof.second.file)
