"""The second opinion: MONA goes through an induction that grundylab's automata have decided.

The two share the parser, the game, the induction's parts as sentences about positions, and nothing of how these are
decided (docs/proved.md).
"""

from __future__ import annotations

from grundylab.automata.dfa import TooLarge
from grundylab.games.model import Ruleset, Target
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.names import with_plain_names
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Expr
from grundylab.logic import walnut, ws1s
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.mona import run_mona
from grundylab.prove.kernel.evidence import Induction
from grundylab.prove.kernel.induction import question_of
from grundylab.prove.kernel.question import Hypothesis, Question
from grundylab.prove.kernel.space import NotProvable
from grundylab.prove.kernel.theorem import Theorem
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import MONA, Disagreement, Limits, Opinion
from grundylab.prove.proof_files import statement_line, statement_text
from grundylab.statement import Statement

_SHARE = 1 / 12  # the fraction of the time in other numeration systems, where MONA answers soon or not at all

SecondAnswer = tuple[Opinion | None, str | None]  # and the script that MONA was asked


def opinion_on_theorem(theorem: Theorem, limits: Limits) -> SecondAnswer:
    """Return MONA's opinion on a theorem; none if it is no induction. Raises Disagreement where MONA finds it wrong."""
    evidence = theorem.evidence
    return (
        opinion_on_induction(theorem.statement, evidence, limits)
        if isinstance(evidence, Induction)
        else (None, None)
    )


def opinion_on_induction(statement: Statement, evidence: Induction, limits: Limits) -> SecondAnswer:
    """Return MONA's opinion on an induction. Raises Disagreement where MONA finds it wrong."""
    name, about = statement.game.name, statement_line(statement)
    given = statement_text(statement)
    variables = "".join(f"\nfor {each} in {low}..{high}" for each, low, high in given.variables)
    said = f"target {given.target}: {given.formula}{variables}\nwhere {given.where}"
    title = f"grundylab: {name} ({statement.game.title})\n{said}\nRun it with: mona FILE"
    try:
        game, question = question_of(statement, evidence)
        obligations = Obligations(game, question)
        script = ws1s.mona_script(obligations.sentence(), title, obligations.system)
    except (OutsideFragment, NotProvable, TooLarge) as problem:
        return Opinion(MONA, "not checked", with_plain_names(problem.message)), None
    time = limits.timeout * (1 if obligations.system.binary else _SHARE)
    answer = run_mona(script, timeout=time, memory=limits.memory)
    if answer.status == "valid":
        return Opinion(MONA, "agrees"), script
    if answer.status in ("unsatisfiable", "mixed"):
        raise Disagreement(f"{name}: {about}: the automata say proved, but MONA does not; please report this")
    return Opinion(MONA, "not checked", answer.message), script


def walnut_files(
    ruleset: Ruleset, formula: Expr, target: Target, where: Expr, name: str = "game"
) -> dict[str, str]:
    """Return the texts of the files by their paths in Walnut's folder, the script first.

    Raises OutsideFragment or NotProvable for a statement that it cannot be about, TooLarge for automata that are.
    """
    if target.name not in ("p", "grundy"):
        raise OutsideFragment(f"target {target}: the script is for p and grundy")
    fixed = fixed_values(where, ruleset.parameter_names)
    # the claim is asked in the region alone, so there the coordinates that `where` fixes are known as well
    known = fixed_values(where, ruleset.formula_names)
    about, assumed = substitute(where, fixed), substitute(formula, known)
    number = assumed if target.name == "grundy" else None
    hypothesis = Hypothesis(about, number, () if number else (assumed,))
    obligations = Obligations(specialise(ruleset, fixed), Question(assumed, target, about, hypothesis, TRUE))
    # the hypothesis is the claim, which therefore follows
    parts = {what: part for what, part in obligations.parts.items() if what != "follows"}
    heading = (
        f"{ruleset.name}: {' '.join(ruleset.title.split())}",
        f"{target}: {formula}{'' if where == TRUE else f' where {where}'}",
        "Translated by grundylab for Walnut, and not run. If every eval is TRUE, it is true at all positions.",
    )
    questions = {what: obligations.sentence(part) for what, part in parts.items()}
    return walnut.walnut_files_of(questions, name, heading, obligations.system)
