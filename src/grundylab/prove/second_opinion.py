"""The second opinion: MONA decides again an induction that grundylab's automata have decided.

Both get the same sentences, which the same parser makes from the game; different programs decide these sentences
(docs/proved.md).
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
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.formulas import Formulas
from grundylab.prove.core.solution import Question, question_of
from grundylab.prove.core.space import NotProvable
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import MONA, Disagreement, Limits
from grundylab.prove.proof_files import statement_line, statement_text
from grundylab.records.proofs import Opinion
from grundylab.statement import Statement

_SHARE = 1 / 12  # the part of MONA's time limit in other numeration systems: there it answers soon or never

SecondAnswer = tuple[Opinion | None, str | None]  # the opinion, and the script that MONA was given


def opinion_on_theorem(theorem: Theorem, limits: Limits) -> SecondAnswer:
    """Return MONA's opinion on a theorem and its script; (None, None) if the theorem is not by induction.

    Raises Disagreement if MONA finds the theorem wrong.
    """
    evidence = theorem.evidence
    return (
        opinion_on_induction(theorem.statement, evidence, limits)
        if isinstance(evidence, Induction) and not evidence.by_premises
        else (None, None)
    )


def opinion_on_induction(statement: Statement, evidence: Induction, limits: Limits) -> SecondAnswer:
    """Return MONA's opinion on an induction and its script; raise Disagreement if MONA finds it wrong.

    The opinion is ``not checked``, with a reason, if MONA cannot express or decide the induction in time.
    """
    name, about = statement.game.name, statement_line(statement)
    given = statement_text(statement)
    variables = "".join(f"\nfor {variable} in {low}..{high}" for variable, low, high in given.variables)
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
    """Return files for the prover Walnut that ask whether an induction proves the formula: texts by path, script first.

    The paths are relative to Walnut's folder. name: the script's name. Raises OutsideFragment or NotProvable for a
    statement that cannot be written for Walnut, and TooLarge if it needs an automaton that is too large.
    """
    if target.name not in ("p", "grundy"):
        raise OutsideFragment(f"target {target} is not written for Walnut; only p and grundy are")
    fixed = fixed_values(where, ruleset.parameter_names)
    # the claim concerns only the region, where the coordinates that `where` fixes are known, too
    constants = fixed_values(where, ruleset.formula_names)
    about, assumed = substitute(where, fixed), substitute(formula, constants)
    number = assumed if target.name == "grundy" else None
    hypothesis = Formulas(about, number, () if number else (assumed,))
    obligations = Obligations(specialise(ruleset, fixed), Question(assumed, target, about, hypothesis, TRUE))
    # the hypothesis is the claim itself, so it follows
    parts = {what: part for what, part in obligations.parts.items() if what != "follows"}
    heading = (
        f"{ruleset.name}: {' '.join(ruleset.title.split())}",
        f"{target}: {formula}{'' if where == TRUE else f' where {where}'}",
        "Translated by grundylab for Walnut, and not run. If every eval is TRUE, it is true at all positions.",
    )
    questions = {what: obligations.sentence(part) for what, part in parts.items()}
    return walnut.walnut_files_of(questions, name, heading, obligations.system)
