"""A claim is proved by other statements, which speak of no values: rules, each with its premises.

What each rule takes for granted is argued where it stands, and in docs/proved.md: what P-positions are
(``unfolding``), formulas that are proved (``substituted``), the values of sums and of games with the same moves
(``images``), the window of a pile (``window``), numbers that the condition gives (``constants``), powers instead of
exponents (``powers``), and equations of polynomials (``identities``). The premises are statements as any other, proved
and looked at by the gate each by itself. The certificate has the proofs of the premises; whoever goes through it makes
the premises anew from ruleset and claim.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from grundylab.errors import GrundylabError
from grundylab.games.model import Claim, Ruleset
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.prove.constants import at_constants
from grundylab.prove.every import for_every_function, makes_game
from grundylab.prove.fresh import of_numbers, said_of_numbers
from grundylab.prove.identities import identities
from grundylab.prove.images import images
from grundylab.prove.lookups import NotSaid
from grundylab.prove.outcome import IDENTITIES, Disagreement, Opinion, Premise, Proof
from grundylab.prove.playable import check_playable
from grundylab.prove.powers import of_powers
from grundylab.prove.substituted import substituted
from grundylab.prove.unfolding import unfolded
from grundylab.prove.window import window

KIND = "reduction"  # of certificate
Rule = Callable[[Ruleset, Claim, Expr], Iterator[tuple[Premise, ...]]]
CONSTANTS, POWERS = "constants of the condition put in", "powers of two in place of exponents"
WINDOW = "values of a pile, by the window of its options"
NUMBERS = "numbers in place of the values of every function"
EVERY = "induction for every function"
OF_POSITIONS = (
    IDENTITIES,
    CONSTANTS,
    POWERS,
    NUMBERS,
    EVERY,
)  # rules about single positions, whatever the moves are
RULES: Mapping[str, Rule] = {
    NUMBERS: of_numbers,
    EVERY: for_every_function,
    IDENTITIES: identities,
    CONSTANTS: at_constants,
    POWERS: of_powers,
    "P-positions by their definition": unfolded,
    "values of other positions, by the moves": images,
    "proved formulas put in": substituted,
    WINDOW: window,
}
MOST = 24  # ways of one rule that are tried


def ways(ruleset: Ruleset, claim: Claim, where: Expr, rule: str) -> Iterator[tuple[Premise, ...]]:
    """The premises, of each way that the rule has, from which the claim under ``where`` follows.

    None where the rules are not shown to make a game, unless the rule is about single positions.
    """
    if ruleset.free and rule in (IDENTITIES, CONSTANTS, POWERS):  # once there are numbers alone
        return
    try:
        also: tuple[Premise, ...] = ()
        if rule not in OF_POSITIONS:
            if not (claim.values or rule == WINDOW):
                return
            also = _is_game(ruleset, conjunction(claim.where, where))
        for premises in islice(RULES[rule](ruleset, claim, where), MOST):
            yield tuple(dict.fromkeys((*also, *premises)))
    except (NotSaid, GrundylabError):  # it does not fit, or gets too large
        return


def _is_game(ruleset: Ruleset, where: Expr) -> tuple[Premise, ...]:
    """What it follows from that the rules make a game, for the parameters that ``where`` fixes and all others.

    Nothing, if that is shown; raises CertificateError if it is not, and NotSaid of a family of which it cannot be said.
    """
    if ruleset.free:
        return next(said_of_numbers(ruleset, list(makes_game(ruleset))))
    check_playable(specialise(ruleset, fixed_by(where, ruleset.parameter_names)))
    return ()


def by_reduction(
    ruleset: Ruleset,
    claim: Claim,
    where: Expr,
    prove: Callable[[Premise], Proof],
    helpers: Sequence[Claim] = (),
) -> Proof | None:
    """The claim under ``where`` by the first way in which all premises are proved; None if there is none.

    helpers: formulas that may be known of the ruleset's values, beside its own claims.
    """
    about, given = conjunction(claim.where, where), replace(ruleset, claims=(*ruleset.claims, *helpers))
    for rule in RULES:
        for premises in ways(given, claim, where, rule):
            proofs = _all_proved(premises, prove)
            records = None if proofs is None else [record_of(proof) for proof in proofs]
            if proofs is None or records is None or None in records:
                continue
            used = [helper for helper in helpers if any(premise.claim == helper for premise in premises)]
            more = {"given": list(map(statement_of, used)), "premises": records}
            certificate = text(written(ruleset, claim, where, rule, more))
            fixed = tuple(fixed_by(about, ruleset.parameter_names).items())
            return Proof(
                "proved", claim.formula, claim.target, about, fixed=fixed, condition=TRUE, rule=rule,
                certificate=certificate, cases=tuple(proofs), second=second_of(proofs),
            )  # fmt: skip
    return None


def _all_proved(premises: Sequence[Premise], prove: Callable[[Premise], Proof]) -> list[Proof] | None:
    """Their proofs; None as soon as one is missing, or is not of all parameters."""
    found = []
    for premise in premises:
        try:
            proof = prove(premise)
        except Disagreement:
            raise  # the run must stop
        except GrundylabError:  # it gets too large to be said
            return None
        if proof.status != "proved" or proof.playable is not None:
            return None
        found.append(proof)
    return found


def record_of(proof: Proof) -> Mapping[str, Any] | None:
    """What can be gone through again, as JSON."""
    if proof.certificate is not None:
        record: Mapping[str, Any] = json.loads(proof.certificate)
        return record
    return proof.stated


def statement_of(claim: Claim) -> dict[str, Any]:
    """A claim as JSON."""
    return {
        "target": str(claim.target),
        "formula": str(claim.formula),
        "where": str(claim.where),
        "values": [list(pair) for pair in claim.values],
        "variables": [[v.name, *map(str, v.ends)] for v in claim.variables],
    }


def written(
    ruleset: Ruleset, claim: Claim, where: Expr, rule: str, more: Mapping[str, Any]
) -> dict[str, Any]:
    """A certificate that the claim is true under ``where``, by a rule and what else that needs."""
    return {
        "certificate": KIND,
        "ruleset": ruleset.name,
        "hash": ruleset.hash,
        "claim": claim.id,
        "statement": statement_of(claim),
        "under": str(where),
        "rule": rule,
        **more,
    }


def text(record: Mapping[str, Any]) -> str:
    """The file."""
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def second_of(proofs: Sequence[Proof]) -> Opinion | None:
    """One opinion on all: it agrees only where it agrees with each."""
    opinions = [proof.second for proof in proofs]
    missing = [opinion for opinion in opinions if opinion is None or opinion.status != "agrees"]
    return missing[0] if missing else next(iter(opinions), None)
