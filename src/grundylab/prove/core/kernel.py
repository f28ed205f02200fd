"""The kernel: the rules, and the one function that makes theorems by them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from grundylab.prove.core import computed, consequence, induction
from grundylab.prove.core import property_instance as instance
from grundylab.prove.core.decide import CELLS
from grundylab.prove.core.evidence import DEEPEST, Consequence, Evidence, Induction
from grundylab.prove.core.meaning import check_meaning
from grundylab.prove.core.periods import heap
from grundylab.prove.core.periods import row_period as rows
from grundylab.prove.core.runs import run_ends as runs
from grundylab.prove.core.solution import Core
from grundylab.prove.core.theorem import Refused, Rule, Theorem
from grundylab.statement import Statement

_ALL = (
    induction.RULE, consequence.RULE, computed.RULE, instance.RULE,
    rows.RULE, heap.RULE, runs.RULE,
)  # fmt: skip
SUMS_UNDER_MISERE = "under misère play the outcome of a sum does not follow from its parts"
RULES: Mapping[str, Rule] = MappingProxyType(
    {rule.evidence.model_fields["rule"].default: rule for rule in _ALL}
)


class Kernel(Core):
    """A checker of evidence. It keeps its theorems and other results, and so checks nothing twice."""

    def __init__(self, cells: int = CELLS) -> None:
        super().__init__(cells)
        self._theorems: dict[tuple[Statement, Evidence], Theorem] = {}

    def check(self, statement: Statement, evidence: Evidence, depth: int = 0) -> Theorem:
        """Return the statement as a theorem, after checking its evidence and, in turn, that of its premises.

        depth: 0 for the statement to be proved, 1 for its premises, 2 for theirs, and so on. Raises Refused, or another
        GrundylabError, if the evidence does not prove the statement.
        """
        key = statement, evidence
        if key not in self._theorems:
            if depth > DEEPEST:
                raise Refused(f"premises are nested more than {DEEPEST} deep")
            needed = self.checked_premises(statement, evidence)
            if len(needed) != len(evidence.premises):
                raise Refused(f"{RULES[evidence.kind].name}: the rule needs {len(needed)} premises")
            pairs = zip(needed, evidence.premises, strict=True)
            premises = tuple(self.check(premise, given, depth + 1) for premise, given in pairs)
            self._theorems[key] = Theorem(statement, evidence, premises)
        return self._theorems[key]

    def checked_premises(self, statement: Statement, evidence: Evidence) -> tuple[Statement, ...]:
        """Return the premises from which the statement follows by the rule that the evidence names.

        The rule's side conditions are checked first. Raises Refused, or another GrundylabError, if one fails, or if the
        rule does not fit the statement.
        """
        # premises pass here, too: one that names a variable, look-up or table which it does not declare is refused
        statement.check()
        if statement.game.misere_sums:
            raise Refused(SUMS_UNDER_MISERE)
        if not isinstance(evidence, Consequence | Induction):  # which prove this, too
            self.kept(("meaning", statement), lambda: check_meaning(statement, self))
        if evidence.kind not in RULES:
            raise Refused("the evidence names no rule of the kernel")
        rule = RULES[evidence.kind]
        for condition in rule.conditions:
            if not condition.holds(statement, evidence, self):
                raise Refused(f"{rule.name}: it is not so that {condition.name}")
        return tuple(rule.premises(statement, evidence))
