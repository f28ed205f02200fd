"""The search for a strategy: learnt from tables and a formula for P-positions, compared with larger tables, proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from grundylab.check.shares import SplitCounts
from grundylab.discover import Findings, ranked_candidates
from grundylab.errors import EvaluationError, GrundylabError
from grundylab.findings.answers import answer_order
from grundylab.findings.study_questions import gives_values
from grundylab.findings.winning import Winning, WinningMove
from grundylab.games.model import GRUNDY, P_POSITIONS, Claim, Ruleset
from grundylab.language.syntax import TRUE, Expr, called_functions, conjunction, disjunction, free_names
from grundylab.numeric import Array
from grundylab.records.finding import Finding
from grundylab.records.proofs import RIGHT, ProofRecord, any_condition
from grundylab.solve import solve
from grundylab.solve.table import Table
from grundylab.strategy.board import Boards, n_positions
from grundylab.strategy.learning import learn, right, sample_first, with_readable_conditions
from grundylab.strategy.lines import Aim, Line, by_rules, claim_of, left_by

PLAIN = 25  # nodes of a line of a strategy that is not complete
SOME = 2  # the part of the game that a formula is about: some positions only
AIMS = 2  # formulas with which a strategy is sought, until one is proved
ProveClaim = Callable[[Claim], ProofRecord]


def aims(ruleset: Ruleset, findings: Sequence[Finding]) -> list[Aim]:
    """Return the formulas by which P-positions are known, the best first.

    Those about all positions come before those about some, and those of outcomes before those of Grundy numbers. Claims
    are used only if no formula is about all positions, and only those that are proved, are about them, and call none of
    the ruleset's functions.
    """
    from_engines = _aims(ruleset, (finding for finding in findings if finding.found))
    if any(_part(aim.where, ruleset) < SOME for aim in from_engines):
        return from_engines
    claimed = (f for f in findings if f.claimed and f.proved and gives_values(f))
    plain = (f for f in claimed if not called_functions(f.formula) | called_functions(f.where))
    claims = _aims(ruleset, plain)
    return [*(aim for aim in claims if _part(aim.where, ruleset) < SOME), *from_engines]


def _aims(ruleset: Ruleset, findings: Iterable[Finding]) -> list[Aim]:
    right_findings = sorted((f for f in findings if f.status in RIGHT and not f.values), key=answer_order)
    described = list[Aim]()
    for target in (P_POSITIONS, GRUNDY):
        for aimed in right_findings:
            if aimed.target == target:
                regions = [
                    conjunction(aimed.where, one.condition) for one in aimed.extents if one.states is None
                ]
                where = any_condition(regions) if regions else aimed.where
                described.append(Aim(aimed.formula, target, where, bool(regions)))
    return sorted(described, key=lambda aim: _part(aim.where, ruleset))


def _part(where: Expr, ruleset: Ruleset) -> int:
    """Return 0 for a condition that is true everywhere, 1 for one on parameters alone, SOME for one on positions."""
    return 0 if where == TRUE else SOME if free_names(where) & {*ruleset.coordinate_names} else 1


def how_to_win(
    ruleset: Ruleset,
    findings: Sequence[Finding],
    train: Sequence[Table],
    test: Sequence[Table],
    prove: ProveClaim,
) -> tuple[Winning, ...]:
    """Return the strategies that are found, the best first; at most one if that is proved for all positions.

    findings: the formulas found for the game, and the claims about it. train, test: the tables to learn from, and those
    to compare with. prove: returns the record of a proof.
    """
    strategies = list[Winning]()
    candidates: list[Aim | None] = [*aims(ruleset, findings)[:AIMS]]
    for aim in candidates or [None]:
        one = _with_aim(ruleset, aim, train, test)
        if one and one.status == "holds" and aim and aim.proved:
            proof = prove(claim_of(one.lines, aim, ruleset))
            if proof.status == "refuted":  # right in the tables only: the conditions were made too short
                lines = by_rules(one.lines, aim, ruleset)
                one = replace(one, moves=tuple(_move(line, ruleset) for line in lines))
                proof = prove(claim_of(lines, aim, ruleset))
            one = replace(one, proof=proof, status="proved" if proof.status == "proved" else "holds")
        if one:
            strategies.append(one)
        if one and one.where == TRUE and one.status == "proved":
            break
    ranked = sorted(
        strategies,
        key=lambda one: (one.status == "partial", _part(one.where, ruleset), one.status != "proved"),
    )
    if not ranked or ranked[0].status == "proved":
        return tuple(ranked[:1])
    return (ranked[0], *(strategy for strategy in ranked[1:] if strategy.status == "proved"))


def strategy_of(tables: Sequence[Table], runs: Sequence[Findings], where: Expr = TRUE) -> Winning | None:
    """Return a strategy for the positions of the tables, with no attempt at a proof; None if none is found.

    runs: what engines found for the P-positions where ``where`` is true. It is compared with the larger tables on which
    their formulas were tried.
    """
    exact = (formula for formula in ranked_candidates(runs) if formula.exact and not formula.values)
    aim = next((Aim(one.formula, one.target, conjunction(where, one.where)) for one in exact), None)
    larger = [solve(instance, tables[0].kind) for instance in runs[-1].tried]
    return _with_aim(tables[0].instance.ruleset, aim, tables, larger or tables, where)


def _with_aim(
    ruleset: Ruleset, aim: Aim | None, train: Sequence[Table], test: Sequence[Table], where: Expr = TRUE
) -> Winning | None:
    """Return the strategy that leads to the P-positions of a formula, or of the tables if there is none."""
    if ruleset.splits and (ruleset.play == "misere" or any(table.kind == "outcome" for table in train)):
        return None  # the outcome of a sum does not follow from the outcomes of its parts
    where = aim.where if aim else where
    try:
        boards, beyond = n_positions(train, where), n_positions(test, where)
        if not len(boards) or not len(beyond):
            return None
        lines = with_readable_conditions(learn(boards, aim), ruleset)
        complete = _wins_everywhere(beyond, lines)
        if not complete and aim is not None:  # the conditions were made too short
            unshortened = by_rules(lines, aim, ruleset)
            if complete := _wins_everywhere(beyond, unshortened):
                lines = unshortened
        if not complete:
            lines = _without_wrong(beyond, lines)
        wins_here = len(beyond) if complete else int(np.count_nonzero(right(beyond, lines)))
    except GrundylabError:  # a formula has no value somewhere
        return None
    if not lines and aim is None:
        return None
    labels: dict[str, int] = {}
    for board in beyond.parts:
        label = board.table.instance.label
        labels[label] = labels.get(label, 0) + len(board)
    return Winning(
        ruleset=ruleset.name,
        play=ruleset.play,
        status="holds" if wins_here == len(beyond) else "partial",
        where=where,
        complete=TRUE if wins_here == len(beyond) else disjunction(*(line.when for line in lines)),
        moves=tuple(_move(line, ruleset) for line in lines),
        formula=aim.formula if aim else None,
        target=aim.target if aim else P_POSITIONS,
        test=SplitCounts(right=wins_here, checked=len(beyond), total=len(beyond), instances=labels),
    )


def _wins_everywhere(boards: Boards, lines: Sequence[Line]) -> bool:
    return all(right(positions, lines).all() for positions in sample_first(boards))


def _without_wrong(boards: Boards, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return the lines that win wherever their conditions are true, if that is so somewhere.

    A long line is left out: one that does not belong to a whole strategy is worth reading only if it is plain. So is a
    line whose condition has no value somewhere.
    """

    def results(positions: Boards, line: Line) -> Array:
        """Return for each position where the condition is true whether the line wins."""
        here = positions.each(lambda board, _: board.values(line.when).astype(bool))
        return right(positions.at(here), [line])

    few, every = sample_first(boards)
    kept = list[Line]()
    for line in lines:
        if line.when.size + sum(choice.size for choice in line.choices) > PLAIN:
            continue
        with suppress(EvaluationError):
            if results(few, line).all() and (won := results(every, line)).any() and won.all():
                kept.append(line)
    return tuple(kept)


def _move(line: Line, ruleset: Ruleset) -> WinningMove:
    move = ruleset.moves[line.number]
    names = [choice.name for choice in move.choices]
    return WinningMove(
        move=move.name,
        number=line.number,
        when=line.when,
        choices=dict(zip(names, line.choices, strict=True)),
        left=left_by(move, line.choices, ruleset.coordinate_names),
        passes=move.a_pass,
    )
