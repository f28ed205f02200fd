"""The nearest true statement to a claim that is refuted, whatever its kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grundylab.correcting import Correction, Problem, nearest
from grundylab.discovery.samples import collect
from grundylab.families import Extent, Stack, judge_family, stacked
from grundylab.formula import Expr
from grundylab.formula.functions import Tabulated
from grundylab.judging import functions_of, judge, written_out
from grundylab.rulesets import Claim, Instance
from grundylab.rulesets.model import OfOptions, PrintedTable
from grundylab.solving.table import Table, truth
from grundylab.verification import Verdict

_ENTRIES = 20  # a table with more wrong entries has no misprints: it is another table


@dataclass(frozen=True)
class Mended:
    """A claim that is true as far as checked, what was changed for that, and its verdict."""

    claim: Claim
    changes: tuple[str, ...]
    verdict: Verdict


def mended(claim: Claim, tables: Sequence[Table], verdict: Verdict) -> Mended | None:
    """What is nearest to the claim, which the verdict on these tables refutes; None if nothing near is true."""
    if isinstance(claim.printed, PrintedTable):
        return _entries(claim, claim.printed, tables)
    if isinstance(claim.printed, OfOptions):
        return None  # its formula is written out from the moves: there is no near one that could be printed
    (refuting, *_) = [
        table for table, check in zip(tables, verdict.checks, strict=True) if check.holds is False
    ]
    looked_up = bool(claim.values or claim.variables)
    formula = written_out(claim, refuting.instance.constants)
    samples = collect([refuting] if looked_up else tables, claim.target)
    functions = functions_of(claim, refuting)
    problem = Problem(samples.columns, samples.values, samples.variables, functions)

    def changed(expr: Expr, where: Expr) -> Claim:
        return replace(claim, formula=expr, where=where, variables=(), **_NO_PRINT)  # type: ignore[arg-type]

    def confirm(expr: Expr, where: Expr) -> bool:
        return judge(changed(expr, where), tables).status == "holds"

    for found in nearest(formula, claim.where, problem, confirm):
        better = changed(found.formula, found.where)
        return Mended(better, _words(found), judge(better, tables))
    return None


_NO_PRINT: Mapping[str, object] = {"printed": None}


def _words(found: Correction) -> tuple[str, ...]:
    return tuple(map(str, found.changes))


def mended_family(
    claim: Claim, instances: Sequence[Instance], extents: Mapping[str, Extent]
) -> Mended | None:
    """The same for a claim about a family of games, as far as these extents."""
    stack: Stack = stacked(claim, instances[0], extents)
    wanted = truth(stack.values, claim.target)
    problem = Problem(stack.columns, wanted, claim_names(instances[0]), stack.functions)

    def changed(expr: Expr, where: Expr) -> Claim:
        return replace(claim, formula=expr, where=where, printed=None)

    def confirm(expr: Expr, where: Expr) -> bool:
        (verdict,), _ = judge_family([changed(expr, where)], instances, extents)
        return verdict.status == "holds"

    for found in nearest(claim.formula, claim.where, problem, confirm):
        better = changed(found.formula, found.where)
        (verdict,), _ = judge_family([better], instances, extents)
        return Mended(better, _words(found), verdict)
    return None


def claim_names(instance: Instance) -> tuple[str, ...]:
    """What a change may bring in."""
    return instance.ruleset.formula_names


def _entries(claim: Claim, printed: PrintedTable, tables: Sequence[Table]) -> Mended | None:
    """The table with its wrong entries put right."""
    names = tables[0].instance.ruleset.coordinate_names
    fixed, right, changes = dict(printed.fixed), list(printed.entries), []
    for number, (entry, value) in enumerate(printed.entries):
        environment = {**fixed, **dict(zip(printed.coordinates, entry, strict=True))}
        position = tuple(environment[name] for name in names)
        known = [table[position] for table in tables if _inside(table, position)]
        for true in {int(v) for v in truth(np.array(known, dtype=np.int32), claim.target)}:
            if true != value:
                right[number] = (entry, true)
                at = ", ".join(map(str, entry))
                changes.append(f"({at}): {_shown(value, claim)} becomes {_shown(true, claim)}")
    if not 0 < len(changes) <= _ENTRIES:
        return None
    table, there = claim.tables
    values = table.values.copy()
    for entry, value in right:
        values[tuple(x - low for x, low in zip(entry, table.lows, strict=True))] = value
    better = replace(
        claim,
        printed=replace(printed, entries=tuple(right)),
        tables=(Tabulated(table.name, table.arguments, values, table.lows, table.what, table.hole), there),
    )
    return Mended(better, tuple(changes), judge(better, tables))


def _shown(value: int, claim: Claim) -> str:
    return str(value) if claim.target.name == "grundy" else "NP"[value]


def _inside(table: Table, position: tuple[int, ...]) -> bool:
    try:
        table[position]
    except KeyError:
        return False
    return True
