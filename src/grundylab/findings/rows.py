"""Rows of positions with their periods."""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.games.fields import ConditionField, FormulaField, TargetField
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
    engine: str
    seed: int
    parameters: Numbers
    row: Numbers
    axes: Texts
    target: TargetField
    where: ConditionField
    status: Status
    reason: str | None
    checked: int
    learned: int
    preperiod: int | None
    period: int | None
    saltus: int | None
    exceptions: int | None
    families: int | None
    size: int | None
    claims: Texts
    relation: Relation | None
    proof: str | None
    rules: Texts = ()
    study: str = ""
    open: str | None = None
    machine_checked: CoqAnswer | None = None
    formula: FormulaField | None = None
    positions: Texts | None = None
