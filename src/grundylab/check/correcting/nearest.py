"""The nearest true formula: a claim that is refuted, with as few signs changed as make it true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import nsmallest

import numpy as np

from grundylab.check.correcting.edits import Edits, flat
from grundylab.check.correcting.problem import KEPT, KEPT_EACH, Bits, Correction, Problem, bits_of, sides
from grundylab.check.correcting.search import Claimed, Found, Search, total
from grundylab.language import Expr
from grundylab.language.arrays import Array, evaluate_arrays
from grundylab.language.syntax import Binary, Compare, Int, walk

BUDGET = 8_000_000  # nodes evaluated on the sample: some 20 seconds. Counted, so that every machine finds the same.
MOST = 5  # corrections of one cost that are given
_WRONG, _RIGHT = 400, 1200  # rows of each sort in the sample
_CANDIDATES = 300  # changes that are looked at on all positions, for each number of changes
_TRIES = 100  # of these the first that are tried there


def nearest(
    formula: Expr,
    where: Expr,
    problem: Problem,
    confirm: Callable[[Expr, Expr], bool],
    *,
    budget: int = BUDGET,
    most: int = 2,
) -> tuple[Correction, ...]:
    """What is nearest to the formula and right at every position; ``confirm`` has the last word on what is.

    () if it is not refuted, or if nothing near is right. One change if that does, else two, but no more than ``most``.
    Of as many the cheapest: formulas before conditions, constants by their difference, then signs, then connectives;
    then what is claimed of the most positions.
    """
    here = problem.at(evaluate_arrays(where, problem.columns, problem.functions))
    wrong = here.wrong(formula)
    if not wrong.any():
        return ()
    rows, spread = _drawn(wrong, here.wanted)
    search = Search(here.at(rows), spread, budget)
    claim = search.claim(formula, where, bits_of(wrong[rows]))
    assert claim is not None
    for looking in (search.one, search.two)[:most]:
        best = nsmallest(_CANDIDATES, looking(claim), key=lambda f: (total(f[0]), -search.kept(f[1])))
        if found := _confirmed(best, claim, problem, here, confirm):
            return found
    return ()


def _drawn(wrong: Array, wanted: Array) -> tuple[Array, Bits]:
    """Rows for a sample, and which of these are spread evenly over all."""
    order = np.random.default_rng(0).permutation(len(wrong))
    sorts = [~wrong & wanted, ~wrong & ~wanted] if wanted.dtype == bool else [~wrong]
    parts = [order[: 2 * _RIGHT // len(sorts)], order[wrong[order]][:_WRONG]]
    parts += [order[mask[order]][: 2 * _RIGHT // len(sorts)] for mask in sorts]
    rows = np.array([*dict.fromkeys(np.concatenate(parts).tolist())])
    return rows, (1 << len(parts[0])) - 1


def _confirmed(
    found: Iterable[Found],
    claim: Claimed,
    problem: Problem,
    here: Problem,
    confirm: Callable[[Expr, Expr], bool],
) -> tuple[Correction, ...]:
    """Of the candidates that are right everywhere the best, with those of the same cost."""
    ranked = []
    for edits, made in found:
        correction = _made(edits, claim)
        share = 1.0 if correction.where == claim.where else _kept(correction.where, here)
        if share:
            says = (correction.formula, made)
            ranked.append(((total(edits), -share), _simplicity(correction), says, correction))
    right: list[Correction] = []
    best, tries, said = None, 0, set[tuple[Expr, Bits]]()
    for cost, _, says, correction in sorted(ranked, key=lambda row: row[:2]):
        if (right and cost != best) or tries == _TRIES or len(right) == MOST:
            break
        if says in said:  # p < 1 after p == 0
            continue
        tries += 1
        inside = problem.values(correction.where)
        if inside is None or not _holds(correction.formula, problem.at(inside)):
            continue
        if confirm(correction.formula, correction.where):
            best = cost
            right.append(correction)
            said.add(says)
    return tuple(right)


def _holds(formula: Expr, problem: Problem) -> bool:
    found = problem.values(formula)
    return found is not None and np.array_equal(found, problem.wanted)


def _made(edits: Edits, claim: Claimed) -> Correction:
    formula, where, changes = claim.formula, claim.where, []
    for edit in edits:
        changes.append(edit.change(formula if edit.side == "formula" else where))
        formula = edit.of(formula) if edit.side == "formula" else formula
        where = edit.of(where) if edit.side == "where" else where
    return Correction(flat(formula), flat(where), tuple(changes))


def _kept(where: Expr, here: Problem) -> float:
    """The share of the positions that a new condition keeps; 0 if it keeps too few."""
    mask = here.values(where)
    if mask is None or mask.mean() < KEPT or any(mask[side].mean() < KEPT_EACH for side in sides(here)):
        return 0.0
    return float(mask.mean())


def _simplicity(correction: Correction) -> tuple[int, int, int, str]:
    """Smaller is simpler, without products with 0 or 1; of p == 0, p != 1 and p < 1 the first."""
    nodes = [*walk(correction.formula), *walk(correction.where)]
    signs = [op for node in nodes if isinstance(node, Compare) for op in node.ops]
    products = [node for node in nodes if isinstance(node, Binary) and node.op == "*"]
    idle = sum(not {Int(0), Int(1)}.isdisjoint(node.children) for node in products)
    text = f"{correction.formula} where {correction.where}"
    size = correction.formula.size + correction.where.size
    return idle, size, len(signs) - signs.count("=="), text
