"""The second opinion: MONA goes through an induction that grundylab's automata have decided.

The two share the parser, the game, the induction's parts as sentences about positions, and nothing of how these are
decided (docs/proved.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grundylab.errors import FormulaError
from grundylab.games.model import Claim, Ruleset
from grundylab.language.syntax import conjunction
from grundylab.logic.lowered import OutsideFragment
from grundylab.logic.mona import run_mona
from grundylab.logic.ws1s.writer import written
from grundylab.prove.direct.stated import read_question, statement
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import MONA, Disagreement, Limits, Opinion, Proof
from grundylab.prove.space import NotProvable

_NO_CONDITION = "the parameters for which it is proved are known as an automaton only"

Heard = tuple[Opinion | None, str | None]  # and the script that MONA was asked


def stated_by(ruleset: Ruleset, claim: Claim, proof: Proof) -> Mapping[str, Any] | None:
    """The induction of a proof of the claim, if it is one, as a file states it."""
    published = claim.id if claim.id in {known.id for known in ruleset.claims} else None
    return statement(ruleset, proof, claim.variables, published)


def on_proof(ruleset: Ruleset, proof: Proof, limits: Limits) -> Heard:
    """MONA's opinion on a proof, which has been stated; none if it is no induction.

    Raises Disagreement where MONA finds the induction wrong.
    """
    if proof.stated is not None:
        return on_induction(ruleset, proof.stated, limits)
    if proof.status == "proved" and proof.hypothesis is not None and proof.certificate is None:
        return Opinion(MONA, "not checked", _NO_CONDITION), None
    return None, None


def on_induction(ruleset: Ruleset, stated: Mapping[str, Any], limits: Limits) -> Heard:
    """MONA's opinion on an induction. stated: as ``statement`` makes it.

    Raises Disagreement where MONA finds it wrong, Unfit if it is not one about this ruleset.
    """
    try:
        game, question = read_question(stated, ruleset)
    except FormulaError as problem:  # what is too long to be read
        return Opinion(MONA, "not checked", problem.message), None
    about = (
        f"{stated['target']}: {stated['formula']}\nwhere {conjunction(question.where, question.condition)}"
    )
    title = f"grundylab: {ruleset.name} ({ruleset.title})\ntarget {about}\nRun it with: mona FILE"
    try:
        obligations = Obligations(game, question)
    except (OutsideFragment, NotProvable) as problem:
        return Opinion(MONA, "not checked", problem.message), None
    script = written(obligations.sentence(), title)
    answer = run_mona(script, timeout=limits.timeout, memory=limits.memory)
    if answer.status == "valid":
        return Opinion(MONA, "agrees"), script
    if answer.status in ("unsatisfiable", "mixed"):
        claim = f"{stated['claim']}: " if stated["claim"] else ""
        said = " ".join(f"{claim}{about}".split())
        raise Disagreement(
            f"{ruleset.name}: {said}: the automata say proved, but MONA does not; please report this"
        )
    return Opinion(MONA, "not checked", answer.message), script
