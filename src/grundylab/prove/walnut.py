"""The sentence that a proof by induction needs, as a script for Walnut: the same as for MONA.

If Walnut says TRUE to every ``eval`` of the script, the statement is true at all positions, by induction on the
measure.
"""

from __future__ import annotations

from grundylab.games.model import Ruleset, Target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr
from grundylab.logic.lowered import OutsideFragment
from grundylab.logic.walnut import written
from grundylab.prove.hypothesis import Hypothesis, Question
from grundylab.prove.obligations import Obligations


def walnut_script(ruleset: Ruleset, formula: Expr, target: Target, where: Expr, name: str = "game") -> str:
    """The script. Raises OutsideFragment or NotProvable for a statement that it cannot be about."""
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
    return written(questions, name, heading)
