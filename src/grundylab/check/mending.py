"""The nearest true statement to a refuted claim, for claims of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grundylab.check.edits import EditVocabulary
from grundylab.check.families import FunctionExtent, family_samples, judge_family
from grundylab.check.judging import claim_functions, judge
from grundylab.check.nearest import NearestProblem, nearest_formulas
from grundylab.check.samples import Samples, collect
from grundylab.check.verification import Verdict, exceptions_text
from grundylab.games import Claim, Instance
from grundylab.games.model import ALWAYS, Listing, OptionCondition, PrintedTable
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.functions import Tabulated
from grundylab.language.substitution import lower
from grundylab.language.syntax import Not, called_functions, conjunction, free_names
from grundylab.numeric import Array
from grundylab.solve.table import Table, target_values

_ROWS = 1_000_000  # the most combinations of positions and values of a claim's variables
_ENTRIES = 20  # a table with more wrong entries is a different table, not a misprint


@dataclass(frozen=True)
class MendedClaim:
    """A claim that is true as far as checked, the changes from the refuted claim, and its verdict.

    changes: in words; empty if the ruleset file itself gives the claim in place of the refuted one.
    """

    claim: Claim
    changes: tuple[str, ...]
    verdict: Verdict


def nearest_true_claim(claim: Claim, tables: Sequence[Table], verdict: Verdict) -> MendedClaim | None:
    """Return the claim that the ruleset file gives in place of a refuted one, or else the nearest true claim.

    verdict: refutes the claim on these tables. None if no true claim is near, or if the file gives none for a claim
    about options.
    """
    if claim.instead is not None:
        return MendedClaim(claim.instead, (), judge(claim.instead, tables))
    if isinstance(claim.printed, PrintedTable):
        return _corrected_table(claim, claim.printed, tables)
    if isinstance(claim.printed, OptionCondition):
        return None  # its formula is made from the moves, so an edited formula could not be printed
    (refuting, *_) = [
        table for table, check in zip(tables, verdict.checks, strict=True) if check.holds is False
    ]
    samples = collect([refuting] if claim.values or claim.variables else tables, claim.target)
    samples = replace(samples, functions=claim_functions(claim, refuting))
    judged = partial(judge, tables=tables)
    near = _nearest(claim, samples, samples.variables, refuting.instance, judged)
    if near is not None or not verdict.exceptions:
        return near
    where = conjunction(claim.where, *(Not(exception.where) for exception in verdict.exceptions))
    better = replace(claim, where=where, printed=None)
    change, new_verdict = f"except at {exceptions_text(verdict.exceptions)}", judged(better)
    return MendedClaim(better, (change,), new_verdict) if new_verdict.status == "holds" else None


def nearest_true_family_claim(
    claim: Claim, instances: Sequence[Instance], extents: Mapping[str, FunctionExtent]
) -> MendedClaim | None:
    """Return the true claim nearest to a refuted one about a family of games, within these extents.

    None if no true claim is near, or if the claim is of a kind that is not edited, such as a printed table.
    """

    def judged(better: Claim) -> Verdict:
        (verdict,), _ = judge_family([better], instances, extents)
        return verdict

    if claim.instead is not None:
        return MendedClaim(claim.instead, (), judged(claim.instead))
    if claim.printed is not None and not isinstance(claim.printed, Listing):
        return None
    samples, names = family_samples(claim, instances[0], extents), instances[0].ruleset.formula_names
    return _nearest(claim, samples, names, instances[0], judged)


def _nearest(
    claim: Claim,
    samples: Samples,
    names: tuple[str, ...],
    instance: Instance,
    judged: Callable[[Claim], Verdict],
) -> MendedClaim | None:
    """Return the claim with the nearest true formula, or None.

    If none is found, the search is repeated with the ruleset's functions expanded in the claim's formula. names: those
    that an edit may introduce. judged: returns a claim's verdict from all tables or games.
    """
    rows = _for_every_value(claim, samples, instance)
    if rows is None:
        return None
    names = (*names, *(variable.name for variable in claim.variables))
    gentle = claim.target == ALWAYS
    problem = NearestProblem(*rows, EditVocabulary(names, samples.functions, gentle))

    def changed(formula: Expr, where: Expr) -> Claim:
        return replace(claim, formula=formula, where=where, printed=None)

    def confirm(formula: Expr, where: Expr) -> bool:
        if free_names(where) & {variable.name for variable in claim.variables}:
            return False  # a condition restricts positions only
        return judged(changed(formula, where)).status == "holds"

    # for a condition asserted everywhere, one change: two would leave little of it
    tries = [(claim.formula, 1 if gentle else 2)]
    if called_functions(claim.formula) & {function.name for function in instance.ruleset.functions}:
        tries.append((instance.ruleset.functions.expand(lower(claim.formula)), 1))
    for formula, most in tries:
        for near in nearest_formulas(formula, claim.where, problem, confirm, most=most):
            better = changed(near.formula, near.where)
            return MendedClaim(better, near.changes, judged(better))
    return None


def _for_every_value(
    claim: Claim, samples: Samples, instance: Instance
) -> tuple[Mapping[str, Array], Array] | None:
    """Return columns and target values, with each sample repeated for every value of the claim's variables.

    If the claim has variables, the result keeps only the positions that it concerns. None if there would be too many
    rows.
    """
    columns, wanted, functions = samples.columns, samples.values, samples.functions
    if not claim.variables:
        return columns, wanted
    kept = evaluate_arrays(claim.where, columns, functions)
    columns, wanted = {name: column[kept] for name, column in columns.items()}, wanted[kept]
    for variable in claim.variables:
        numbers: dict[str, Array | int] = {**columns, **instance.constants}
        low, high = (evaluate_arrays(end, numbers, functions) for end in variable.ends)
        counts = np.maximum(np.broadcast_to(high - low + 1, wanted.shape), 0)
        if counts.sum() > _ROWS:
            return None
        again = np.repeat(np.arange(len(wanted)), counts)
        first = np.repeat(np.cumsum(counts) - counts, counts)
        columns = {name: column[again] for name, column in columns.items()}
        columns[variable.name] = np.broadcast_to(low, counts.shape)[again] + np.arange(len(again)) - first
        wanted = wanted[again]
    return columns, wanted


def _corrected_table(claim: Claim, printed: PrintedTable, tables: Sequence[Table]) -> MendedClaim | None:
    """Return the printed table with its wrong entries corrected, or None.

    None if too many entries are wrong, or if no single table is right for all parameters.
    """
    names = tables[0].instance.ruleset.coordinate_names
    fixed, right, changes = dict(printed.fixed), list(printed.entries), []
    for number, (entry, value) in enumerate(printed.entries):
        environment = {**fixed, **dict(zip(printed.coordinates, entry, strict=True))}
        position = tuple(environment[name] for name in names)
        truths = [table[position] for table in tables if position in table]
        for true in {int(v) for v in target_values(np.array(truths, dtype=np.int32), claim.target)}:
            if true != value:
                right[number] = (entry, true)
                at = ", ".join(map(str, entry))
                changes.append(f"({at}): {_value_text(value, claim)} becomes {_value_text(true, claim)}")
    if not 0 < len(changes) <= _ENTRIES:
        return None
    table, places = claim.tables
    values = table.values.copy()
    for entry, value in right:
        values[tuple(x - low for x, low in zip(entry, table.lows, strict=True))] = value
    better = replace(
        claim,
        printed=replace(printed, entries=tuple(right)),
        tables=(Tabulated(table.name, table.arguments, values, table.lows, table.what, table.hole), places),
    )
    judged = judge(better, tables)  # an entry may be different for other parameters
    return MendedClaim(better, tuple(changes), judged) if judged.status == "holds" else None


def _value_text(value: int, claim: Claim) -> str:
    return str(value) if claim.target.name == "grundy" else "NP"[value]
