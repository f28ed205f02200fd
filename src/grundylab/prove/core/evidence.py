"""Evidence: for each rule of proof, a type that holds the choices which the kernel does not make itself.

Evidence can be stored in files. If a rule leaves nothing to choose, its evidence only names the rule.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from grundylab.prove.core.evidence_types import (
    Called,
    EvidenceModel,
    FormulaText,
    NaturalNumber,
    Solution,
    TargetText,
)
from grundylab.prove.core.instances import InstanceEvidence

MOST_PREMISES, DEEPEST = 2_000, 40  # most premises of one rule; greatest depth of premises within premises


class Evidence(EvidenceModel):
    """Evidence for a statement. premises: the evidence for each premise of the rule, in the rule's order."""

    premises: tuple[AnyEvidence, ...] = Field(default=(), max_length=MOST_PREMISES)

    @property
    def kind(self) -> str:
        """The name of the rule by which the evidence proves a statement."""
        return str(getattr(self, "rule", ""))


class Induction(Solution, Evidence):
    """Evidence by formulas that solve the game (``core/solution.py``).

    by_premises: whether premises say that the claim's own formula does, and no automata.
    """

    rule: Literal["induction"] = "induction"
    by_premises: bool = False


class Consequence(InstanceEvidence, Evidence):
    """Evidence by instances (``core/instances.py``), whose lemmas are the premises."""


class Computed(Evidence):
    """Evidence without a choice: every position is computed."""

    rule: Literal["computed"] = "computed"


class Property(EvidenceModel):
    """A property of a function of the game: ``condition`` is true for all natural values of the names ``arguments``."""

    function: Called
    arguments: tuple[str, ...]
    condition: FormulaText


class PropertyInstance(Evidence):
    """Properties of the game's functions that suffice: the statement holds for any functions that have them."""

    rule: Literal["instance"] = "instance"
    properties: tuple[Property, ...]


class Layer(EvidenceModel):
    """The claim that a layer of rows has the same state at ``first`` and at ``first + period``.

    layer: the values of the fixed coordinates. gap, beyond: the state, as in ``RecurrenceState`` (``recurrence.py``).
    """

    layer: tuple[NaturalNumber, ...]
    first: NaturalNumber
    period: NaturalNumber
    gap: Annotated[int, Field(strict=True)]
    beyond: tuple[Annotated[int, Field(strict=True)], ...] = ()


class Rows(Evidence):
    """The recurrences of a row, and of the rows to which moves lead from it.

    period: the pair (preperiod, period) if the statement is that the row is periodic; None if it is a formula. target:
    what lies in the row (P-positions, a level set or Grundy values); read only if ``period`` is given. axes: the
    coordinates that vary along the row.
    """

    rule: Literal["rows"] = "rows"
    axes: tuple[str, ...]
    target: TargetText
    layers: tuple[Layer, ...] = Field(max_length=20_000)
    period: tuple[NaturalNumber, NaturalNumber] | None = None


class HeapEvidence(Evidence):
    """The claim that G(n + period) = G(n) for all n >= first, because this is so for first <= n < until.

    G(n) is the Grundy value of a heap of n. The statement may be a formula for G, or the period itself.
    """

    rule: Literal["heap"] = "heap"
    first: NaturalNumber
    period: NaturalNumber
    until: NaturalNumber


class Runs(Evidence):
    """Evidence that P-positions form runs: the kernel reads the ends of the runs from the statement."""

    rule: Literal["runs"] = "runs"


AnyEvidence = Annotated[
    Induction | Consequence | Computed | PropertyInstance | Rows | HeapEvidence | Runs,
    Field(discriminator="rule"),
]
