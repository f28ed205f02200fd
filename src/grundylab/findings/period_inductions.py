"""Second proofs of periods: an induction over the moves, in place of the certificate of the period.

The values up to the end of the first period give a formula for all positions. Automata and Coq check the induction of
this formula like any other, so that the period need not rest on the checker of certificates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grundylab.automata.dfa import TooLarge
from grundylab.discover.patterns import number_formula, pattern_condition, pattern_of
from grundylab.discover.polynomials import add_constant
from grundylab.games.layers import LayeredGame
from grundylab.games.model import GRUNDY, Ruleset
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Binary, Name, conjunction, equalities
from grundylab.prove.core.decide import GameReaders
from grundylab.prove.core.evidence import HeapEvidence, Rows
from grundylab.prove.core.formulas import Formulas
from grundylab.prove.core.periods.heap import ProvedSequence, check_heap
from grundylab.prove.core.periods.recurrence import ProvedRow, check_layers
from grundylab.prove.core.periods.row_period import certificate_of
from grundylab.prove.core.solution import INDUCTION, Decider, Question
from grundylab.prove.core.space import NotProvable
from grundylab.prove.hypothesis import Piece, assemble_hypothesis
from grundylab.prove.outcome import Disagreement
from grundylab.solve.periodicity import Period, find_period
from grundylab.statement import Statement

MOST_VALUES = 2_000  # the most values from which a formula is made
MOST_CELLS = 18_000_000  # the most cells of transition tables; for so many, Coq takes up to a minute
_SEEN = 4  # a row computed this many times as far as the end of its first period shows any shorter period

GameQuestion = tuple[Ruleset, Question]


def induction_of(statement: Statement, evidence: Rows | HeapEvidence) -> GameQuestion:
    """Return a game and a question about it (a formula with an induction hypothesis) whose induction proves a period.

    The question's formula is the statement's. If the statement gives only a period, the question's formula gives the
    values of the whole row or heap. Raises NotProvable if the induction is too long for Coq, Refused if the evidence is
    wrong, Disagreement if automata refute the induction.
    """
    if isinstance(evidence, HeapEvidence):
        values = evidence.first + evidence.period
    else:
        values = sum(layer.first + layer.period for layer in evidence.layers)
    if values > MOST_VALUES:
        raise _too_long(values)
    game, question = (
        _of_heap(statement, evidence) if isinstance(evidence, HeapEvidence) else _of_row(statement, evidence)
    )
    automata = GameReaders().of(game, (question.formula, question.where))
    try:
        wrong = Decider(automata, question, MOST_CELLS).example(INDUCTION)
    except TooLarge:
        raise _too_long(values) from None
    if wrong is not None:
        at = ", ".join(f"{name}={value}" for name, value in wrong.items())
        raise Disagreement(
            f"{game.name}: the kernel proves a period, but automata refute it at ({at}); please report this"
        )
    return game, question


def _too_long(values: int) -> NotProvable:
    return NotProvable(f"too long for Coq: {values:,} values up to the end of the first period")


# -- one heap --------------------------------------------------------------------------------------------------------


def _of_heap(statement: Statement, evidence: HeapEvidence) -> GameQuestion:
    parameters = fixed_values(statement.where, statement.game.parameter_names)
    game = specialise(statement.game, parameters)
    whole = heap_question(check_heap(game, evidence))
    if statement.lookups:
        return game, whole
    formula, where = (substitute(e, parameters) for e in (statement.formula, statement.where))
    return game, Question(formula, statement.target, where, whole.formulas, TRUE)


def heap_question(sequence: ProvedSequence) -> Question:
    """Return the question whether the heap has the Grundy numbers of this sequence."""
    period = Period(sequence.first - sequence.least, sequence.period, 0, sequence.period)
    formula = number_formula(sequence.heap, sequence.least, sequence.values, period)
    return Question(formula, GRUNDY, TRUE, Formulas(TRUE, formula, ()), TRUE)


# -- rows ------------------------------------------------------------------------------------------------------------


def _of_row(statement: Statement, evidence: Rows) -> GameQuestion:
    certificate = certificate_of(statement, evidence)
    rows = check_layers(certificate.game, certificate.layer, certificate.recurrences)
    whole = row_question(certificate.game, certificate.layer, rows)
    if certificate.period is not None:
        return certificate.game.game, whole
    formula = whole.formula if certificate.formula is None else certificate.formula
    where = conjunction(whole.where, certificate.where)
    return certificate.game.game, Question(formula, certificate.game.target, where, whole.formulas, TRUE)


def row_question(
    game: LayeredGame, top: Sequence[int], rows: Mapping[tuple[int, ...], ProvedRow]
) -> Question:
    """Return the question whether the layer ``top`` and all layers below it have the rows in ``rows``.

    A layer consists of the positions with the same fixed coordinates; ``rows`` has a row for each layer. The question's
    formula describes the row of ``top``; the other rows belong to the induction hypothesis.

    A row's formula is in natural numbers only. With two axes it is the condition that a position is a P-position. With
    one axis it is the Grundy number minus the coordinate, minus the least such difference in all rows; without that the
    formula might be negative, and Coq would have to distinguish two signs in every case.
    """
    least = min(min(row.differences) for row in rows.values())
    by_level: list[list[Piece]] = [[] for _ in range(1 + top[-1])]
    for layer, row in rows.items():
        offsets = np.array([row(place) - place for place in range(_SEEN * (row.first + row.period))])
        pattern, period = pattern_of(0, offsets), find_period(offsets)
        assert pattern is not None  # the period has been seen more than twice
        assert period is not None
        if len(game.axes) == 1:
            piece = number_formula(game.axes[0], 0, (offsets - least).tolist(), period)
        else:
            piece = pattern_condition(game.axes, pattern)
        region = equalities(zip(game.names, layer, strict=False))
        by_level[layer[-1]].append(Piece(region, piece, game.describe(layer)))
    hypothesis = assemble_hypothesis(by_level, game.target)
    if hypothesis.grundy is not None:
        along = Binary("+", Name(game.axes[0]), hypothesis.grundy)
        hypothesis = replace(hypothesis, grundy=add_constant(along, least))
    formula = hypothesis.levels[-1] if hypothesis.grundy is None else hypothesis.grundy
    return Question(formula, game.target, equalities(zip(game.names, top, strict=False)), hypothesis, TRUE)
