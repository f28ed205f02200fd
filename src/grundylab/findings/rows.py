"""Rows of positions with their periods."""

from __future__ import annotations

from dataclasses import dataclass, field

from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.language.syntax import TRUE
from grundylab.logic.coqc import CoqAnswer
from grundylab.records.finding import Numbers
from grundylab.records.proofs import Status, Texts
from grundylab.records.relation import Relation

ROWS = "rows"  # the engine that finds formulas of single rows


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of positions with its period.

    row: the values of the coordinates that are fixed. axes: the others, along which the row extends. learned, checked:
    the number of places from which the period was learnt, and the number at which it was checked. exceptions, families:
    the numbers of single positions and of infinite families in the row's list of P-positions. claims: the claims that
    the certificate of the period proves. rules: the rules of the kernel by which the period is proved. machine_checked:
    Coq's answer about the period; None if Coq was not asked. formula, positions: the row's formula, and its P-positions
    as papers list them; the catalogue leaves both out, since they may be very long.
    """

    ruleset: str
    title: str
    engine: str = ROWS
    seed: int = 0
    parameters: Numbers
    row: Numbers = field(default_factory=dict)
    axes: Texts
    target: TargetField
    where: ConditionField = TRUE
    status: Status
    reason: str | None = None
    checked: int = 0
    learned: int = 0
    preperiod: int | None = None
    period: int | None = None
    saltus: int | None = None
    exceptions: int | None = None
    families: int | None = None
    size: int | None = None
    claims: Texts = ()
    relation: Relation | None = None
    proof: str | None = None
    rules: Texts = ()
    study: str = ""
    open: str | None = None
    machine_checked: CoqAnswer | None = None
    formula: FormulaField | None = None
    positions: Texts | None = None

    @property
    def kind(self) -> str:
        """The kind of the record, beside ``claim`` and ``formula``."""
        return "row"

    @property
    def engines(self) -> Texts:
        """The engine that finds it, as of a formula."""
        return (self.engine,)
