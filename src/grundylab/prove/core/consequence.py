"""The rule of instances (``core/instances.py``) among the rules of the kernel: its lemmas are its premises."""

from __future__ import annotations

from grundylab.prove.core.claims import root_of
from grundylab.prove.core.evidence import Consequence
from grundylab.prove.core.instances import check_instances, lemma_of
from grundylab.prove.core.solution import Core
from grundylab.prove.core.theorem import Rule, SideCondition
from grundylab.statement import Statement


def _follows(statement: Statement, evidence: Consequence, core: Core) -> bool:
    check_instances(core, statement, evidence)
    return True


def lemmas_of(statement: Statement, evidence: Consequence) -> tuple[Statement, ...]:
    """Return the lemmas that the evidence names, as statements."""
    theory = root_of(statement.looking_up(evidence.games)).theory
    return tuple(lemma_of(theory, lemma) for lemma in evidence.lemmas)


RULE = Rule(
    "consequence by instances",
    Consequence,
    (SideCondition("the instances have the statement as their consequence", _follows),),
    lemmas_of,
)
