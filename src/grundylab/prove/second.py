"""The second opinion: MONA goes through an induction that grundylab's automata have decided.

The two share the parser, the game, the induction's parts as sentences about positions, and nothing of how these are
decided (docs/proved.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grundylab.automata.kernel import TooLarge
from grundylab.errors import FormulaError
from grundylab.games.model import Ruleset, Target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.logic import walnut, ws1s
from grundylab.logic.mona import run_mona
from grundylab.logic.outside import OutsideFragment
from grundylab.prove.hypothesis import Hypothesis, Question
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import MONA, Disagreement, Limits, Opinion, Proof
from grundylab.prove.space import NotProvable
from grundylab.prove.stated import read_question

_NO_CONDITION = "the parameters for which it is proved are known as an automaton only"
_SHARE = 1 / 12  # of the time, in other numeration systems, where MONA answers soon or not at all

Heard = tuple[Opinion | None, str | None]  # and the script that MONA was asked


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
        script = ws1s.written(obligations.sentence(), title, obligations.system)
    except (OutsideFragment, NotProvable, TooLarge) as problem:
        return Opinion(MONA, "not checked", problem.message), None
    time = limits.timeout * (1 if obligations.system.binary else _SHARE)
    answer = run_mona(script, timeout=time, memory=limits.memory)
    if answer.status == "valid":
        return Opinion(MONA, "agrees"), script
    if answer.status in ("unsatisfiable", "mixed"):
        claim = f"{stated['claim']}: " if stated["claim"] else ""
        said = " ".join(f"{claim}{about}".split())
        raise Disagreement(
            f"{ruleset.name}: {said}: the automata say proved, but MONA does not; please report this"
        )
    return Opinion(MONA, "not checked", answer.message), script


def walnut_files(
    ruleset: Ruleset, formula: Expr, target: Target, where: Expr, name: str = "game"
) -> dict[str, str]:
    """The files by their paths in Walnut's folder, the script first.

    Raises OutsideFragment or NotProvable for a statement that it cannot be about, TooLarge for automata that are.
    """
    if target.name not in ("p", "grundy"):
        raise OutsideFragment(f"target {target}: the script is for p and grundy")
    fixed = fixed_by(where, ruleset.parameter_names)
    # the claim is asked in the region alone, so there the coordinates that `where` fixes are known as well
    known = fixed_by(where, ruleset.formula_names)
    about, assumed = substitute(where, fixed), substitute(formula, known)
    number = assumed if target.name == "grundy" else None
    hypothesis = Hypothesis(about, number, () if number else (assumed,), ())
    obligations = Obligations(specialise(ruleset, fixed), Question(assumed, target, about, hypothesis))
    # the hypothesis is the claim, which therefore follows
    parts = {what: part for what, part in obligations.parts.items() if what != "follows"}
    heading = (
        f"{ruleset.name}: {' '.join(ruleset.title.split())}",
        f"{target}: {formula}{'' if where == TRUE else f' where {where}'}",
        "Translated by grundylab for Walnut, and not run. If every eval is TRUE, it is true at all positions.",
    )
    questions = {what: obligations.sentence(part) for what, part in parts.items()}
    return walnut.written(questions, name, heading, obligations.system)
