"""Every way in which a statement can come to be called proved: the methods alone, the gate alone, and all together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.prove.bent import Bent

import grundylab as gl
from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS
from grundylab.games.specialise import fixed_by, specialise, with_variables
from grundylab.language.syntax import TRUE, conjunction
from grundylab.prove import certificates, prover
from grundylab.prove.induction import Games
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import by_intervals, by_period
from grundylab.prove.second import on_induction
from grundylab.prove.stated import KIND

LIMITS = Limits(timeout=3)  # seconds of MONA: what it does not refute by then is undecided


def outcome(ask: Callable[[], Any]) -> str:
    """How it came out: a status, or the name of the error that was raised (which is no proof)."""
    try:
        return str(ask().status)
    except GrundylabError as error:
        return type(error).__name__


def made_up(bent: Bent, **evidence: Any) -> Proof:
    """A proof by nobody."""
    about = conjunction(bent.claim.where, bent.about)
    return Proof("proved", bent.claim.formula, bent.claim.target, about, **evidence)


def by_methods(bent: Bent) -> str:
    """What the methods say, in their order, without the gate."""
    return outcome(
        lambda: prover._by_methods(bent.ruleset, bent.claim, bent.about, None, (), False, LIMITS, Games())
    )


def runs(bent: Bent) -> str:
    """What the method of runs says."""
    return outcome(lambda: by_intervals(bent.ruleset, replace(made_up(bent), status="undecided")))


def period(bent: Bent) -> str:
    """What the method of periods says."""
    return outcome(lambda: by_period(bent.ruleset, replace(made_up(bent), status="undecided")))


def second(bent: Bent) -> str:
    """What MONA says."""
    return outcome(lambda: on_induction(bent.ruleset, induction(bent), LIMITS)[0])


def by_each(bent: Bent) -> Iterator[tuple[str, str]]:
    """What those say that are asked only where others say nothing, or where others say proved."""
    if not bent.claim.variables:
        yield "runs", runs(bent)
        yield "period", period(bent)
    yield "certificate", outcome(lambda: certificates._checked(induction(bent), bent.ruleset)[0])
    yield "second", second(bent)


def induction(bent: Bent) -> dict[str, Any]:
    """The record of an induction that assumes no more than what is claimed."""
    ruleset, claim = bent.ruleset, bent.claim
    about = conjunction(claim.where, bent.about)
    game = with_variables(ruleset, claim.variables) if claim.variables else ruleset
    game = specialise(game, fixed_by(about, ruleset.parameter_names))
    levels = [] if claim.target == ALWAYS or claim.target.name == "grundy" else [str(claim.formula)]
    return {
        "certificate": KIND,
        "ruleset": ruleset.name,
        "hash": game.hash,
        "claim": None,
        "target": str(claim.target),
        "formula": str(claim.formula),
        "where": str(about),
        "condition": str(TRUE),
        "exactly": False,
        "variables": [[v.name, str(v.range.low), str(v.range.high)] for v in claim.variables],
        "region": str(TRUE),
        "levels": levels,
        "grundy": str(claim.formula) if claim.target.name == "grundy" else None,
    }


def by_gate(bent: Bent, **evidence: Any) -> str:
    """What becomes of a proof by nobody: the gate alone."""
    return outcome(lambda: prover.conclude(bent.ruleset, bent.claim, made_up(bent, **evidence), LIMITS))


def by_prover(bent: Bent) -> str:
    """What anyone is told."""
    return outcome(lambda: prover.prove_claim(bent.ruleset, bent.claim, bent.about, limits=LIMITS))


def by_api(bent: Bent) -> str:
    """What a notebook is told."""
    return outcome(
        lambda: gl.prove(bent.ruleset, bent.claim, where=bent.about, question=False, limits=LIMITS)
    )
