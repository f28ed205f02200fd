"""Consequence by instances: a claim follows from facts, each of which the evidence names with its terms.

The kernel searches for nothing. A tree adds facts to the hypotheses, may distinguish two cases, and ends with a
decision by automata, in which numbers stand in place of the terms that the evidence names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from grundylab.automata.dfa import Dfa
from grundylab.language.syntax import Call, Expr, conjunction, conjuncts
from grundylab.prove.core.claims import ProofRoot, root_of
from grundylab.prove.core.closing import CELLS, Decisions, example, number_name, with_numbers
from grundylab.prove.core.core_theorem import Refused
from grundylab.prove.core.definedness import negation
from grundylab.prove.core.evidence_types import EvidenceModel, FormulaText
from grundylab.prove.core.facts import VALUE_FACTS, CoreFact, TermTexts, add
from grundylab.prove.core.game import rules_alone
from grundylab.prove.core.sequent import Sequent
from grundylab.prove.core.solution import Core
from grundylab.prove.core.space import plainly_natural
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

DEEPEST, MOST_FACTS = 60, 400


class ProofTree(EvidenceModel):
    """A tree of instances: facts, then either two cases or a decision.

    case: the condition that distinguishes the cases; the goal is proved in ``yes`` where it is true, in ``no`` where it
    is not. using: without cases, the numbers of the hypotheses from which automata decide the goal. numbers: the terms
    in place of which a number is put there.
    """

    facts: Annotated[tuple[CoreFact, ...], Field(max_length=MOST_FACTS)] = ()
    case: FormulaText | None = None
    yes: ProofTree | None = None
    no: ProofTree | None = None
    using: Annotated[tuple[int, ...], Field(max_length=MOST_FACTS)] = ()
    numbers: TermTexts = ()


def check_tree(sequent: Sequent, tree: ProofTree, cells: int = CELLS, depth: int = 0) -> None:
    """Raise Refused, or another GrundylabError, unless the tree proves the sequent's goal from its hypotheses."""
    if depth > DEEPEST:
        raise Refused(f"the tree is more than {DEEPEST} deep")
    for fact in tree.facts:
        sequent = add(fact, sequent)
    if tree.case is None:
        check_decision(sequent, tree, cells)
        return
    sequent.check_terms(tree.case)
    if tree.yes is None or tree.no is None:
        raise Refused("a case is missing")
    check_tree(sequent.assuming(tree.case), tree.yes, cells, depth + 1)
    check_tree(sequent.assuming(negation(tree.case)), tree.no, cells, depth + 1)


def facts_of(tree: ProofTree) -> Iterator[CoreFact]:
    """Yield the facts of a tree."""
    yield from tree.facts
    for case in (tree.yes, tree.no):
        if case is not None:
            yield from facts_of(case)


def check_decision(sequent: Sequent, tree: ProofTree, cells: int) -> None:
    """Raise Refused unless automata decide that the goal follows, with numbers in place of the terms."""
    decisions = Decisions([*sequent.hypotheses, sequent.goal])
    found = example(failing(sequent, tree.using, tree.numbers, decisions, cells), decisions.work)
    if found is not None:
        where = ", ".join(f"{name} = {value}" for name, value in sorted(found.items()))
        raise Refused(f"it does not follow from the facts: {where}")


def failing(
    sequent: Sequent, using: Sequence[int], terms: Sequence[Expr], decisions: Decisions, cells: int = CELLS
) -> list[Dfa]:
    """Return automata for the numbers with which these hypotheses are true and the goal is false.

    using: the numbers of the hypotheses. terms: those with a number in their place, ``number_name(i)`` for term i.
    decisions: earlier ones about the same terms and names, whose automata are used again.
    """
    sequent.check_terms(*terms)
    if not all(0 <= each < len(sequent.hypotheses) for each in using):
        raise Refused("there is no such hypothesis")
    said = [*(sequent.hypotheses[each] for each in using), sequent.goal]
    *hypotheses, goal = with_numbers(said, terms)
    natural = sequent.theory.is_natural
    integers = {
        number_name(index)
        for index, term in enumerate(terms)
        if not (isinstance(term, Call) and natural(term.name))
    }
    return decisions.failing(hypotheses, goal, sequent.integers | integers, cells)


# -- theorems ---------------------------------------------------------------------------------------------------------


class InstanceEvidence(EvidenceModel):
    """Evidence by instances. meaning: a tree for the condition that the statement has a value. tree: one for itself.

    measure: the term by which the statement may be assumed at smaller places; None if it is not.
    """

    rule: Literal["instances"] = "instances"
    measure: FormulaText | None = None
    meaning: ProofTree = ProofTree()
    tree: ProofTree


def instances(core: Core, statement: Statement, evidence: InstanceEvidence) -> ProofRoot:
    """Return the root of the statement, if the evidence proves it; raise Refused, or another error, if it does not.

    The games whose values the statement names must be well founded, and the statement must have a value wherever it is
    about something: both are proved here.
    """
    statement.check()
    root = root_of(statement)
    assumed, _ = split_condition(statement.where, statement.game)
    for game in root.theory.values.values():
        parameters = conjunction(
            *(term for term in conjuncts(assumed) if term.free <= {*game.parameter_names})
        )
        core.well_founded(rules_alone(game), parameters)
    if any(not plainly_natural(variable.range.low) for variable in statement.variables):
        raise Refused("the range of every variable begins at 0 or above")
    core.check_recurrences(statement.game, (statement.formula, statement.where))
    if any(isinstance(fact, VALUE_FACTS) for fact in facts_of(evidence.meaning)):
        raise Refused("whether a statement has a value rests on no Grundy value")
    check_tree(root.meaning, evidence.meaning)
    check_tree(root.sequent(evidence.measure), evidence.tree)
    return root
