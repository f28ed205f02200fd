"""Proved periods as inductions: what a certificate says of every position is a formula, which the moves confirm.

So nothing of a period need rest on the checker of its certificate. The formula is made of the values up to the end of
the first period, and automata and Coq go through its induction as through any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grundylab.automata.kernel import TooLarge
from grundylab.discover.patterns import condition, number_formula, pattern_of, plus
from grundylab.games.layers import Layered
from grundylab.games.model import GRUNDY, Ruleset
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Binary, Expr, Name, conjunction, equalities
from grundylab.prove.hypothesis import Piece, assemble
from grundylab.prove.kernel.automata import INDUCTION, Decider, Games
from grundylab.prove.kernel.evidence import Heap, Rows
from grundylab.prove.kernel.periods.heap import ProvedSequence, check_heap
from grundylab.prove.kernel.periods.recurrence import ProvedRow, check_layers
from grundylab.prove.kernel.periods.rows import certificate_of
from grundylab.prove.kernel.question import Hypothesis, Question
from grundylab.prove.kernel.space import NotProvable
from grundylab.prove.outcome import Disagreement
from grundylab.solve.periodicity import Period, find_period
from grundylab.statement import Statement

MOST_VALUES = 2_000  # that formulas are made of
MOST_CELLS = 18_000_000  # of tables of automata: where ours take so many, Coq takes up to a minute
_SEEN = 4  # times as far as the end of the first period: there a shorter one is told from it

Asked = tuple[Ruleset, Question]


def induction_of(statement: Statement, evidence: Rows | Heap) -> Asked:
    """Return the induction of a period, and its game.

    It claims the statement's formula or, where that is the period itself, all that the period says. Raises NotProvable
    if it is too long for Coq, Refused if the evidence is wrong, Disagreement if automata find it wrong.
    """
    values = _values(evidence)
    if values > MOST_VALUES:
        raise _too_long(values)
    game, question = (
        _of_heap(statement, evidence) if isinstance(evidence, Heap) else _of_row(statement, evidence)
    )
    automata = Games().of(game, (question.formula, question.where))
    try:
        wrong = Decider(automata, question, MOST_CELLS).example(INDUCTION)
    except TooLarge:
        raise _too_long(values) from None
    if wrong is not None:
        at = ", ".join(f"{name}={value}" for name, value in wrong.items())
        raise Disagreement(
            f"{game.name}: the kernel says proved of a period, but automata do not, see ({at}); please report this"
        )
    return game, question


def _values(evidence: Rows | Heap) -> int:
    """Return up to where the first period ends, of all rows that the evidence is about."""
    if isinstance(evidence, Heap):
        return evidence.first + evidence.period
    return sum(layer.first + layer.period for layer in evidence.layers)


def _too_long(values: int) -> NotProvable:
    return NotProvable(
        f"there are {values:,} values up to the end of the first period, and Coq would take too long"
    )


# -- one heap --------------------------------------------------------------------------------------------------------


def _of_heap(statement: Statement, evidence: Heap) -> Asked:
    parameters = fixed_by(statement.where, statement.game.parameter_names)
    game = specialise(statement.game, parameters)
    whole = heap_question(check_heap(game, evidence))
    if statement.lookups:
        return game, whole
    formula, where = (substitute(e, parameters) for e in (statement.formula, statement.where))
    return game, Question(formula, statement.target, where, whole.hypothesis, TRUE)


def heap_question(sequence: ProvedSequence) -> Question:
    """Whether these are the Grundy numbers of a heap."""
    period = Period(sequence.first - sequence.least, sequence.period, 0, sequence.period)
    formula = number_formula(sequence.heap, sequence.least, sequence.values, period)
    return Question(formula, GRUNDY, TRUE, Hypothesis(TRUE, formula, ()), TRUE)


# -- rows ------------------------------------------------------------------------------------------------------------


def _of_row(statement: Statement, evidence: Rows) -> Asked:
    found = certificate_of(statement, evidence)
    rows = check_layers(found.game, found.layer, found.recurrences)
    whole = row_question(found.game, found.layer, rows)
    if found.period is not None:
        return found.game.game, whole
    formula = whole.formula if found.formula is None else found.formula
    where = conjunction(whole.where, found.where)
    return found.game.game, Question(formula, found.game.target, where, whole.hypothesis, TRUE)


def row_question(game: Layered, top: Sequence[int], rows: Mapping[tuple[int, ...], ProvedRow]) -> Question:
    """Whether these are the rows of the layer and of all that moves lead to from it; it claims that of the layer."""
    least = min(min(row.differences) for row in rows.values())
    by_level: list[list[Piece]] = [[] for _ in range(1 + top[-1])]
    for layer, row in rows.items():
        region = equalities(zip(game.names, layer, strict=False))
        by_level[layer[-1]].append(Piece(region, _said(game, row, least), game.describe(layer)))
    hypothesis = assemble(by_level, game.target)
    if hypothesis.grundy is not None:
        along = Binary("+", Name(game.axes[0]), hypothesis.grundy)
        hypothesis = replace(hypothesis, grundy=plus(along, least))
    known = hypothesis.levels[-1] if hypothesis.grundy is None else hypothesis.grundy
    return Question(known, game.target, equalities(zip(game.names, top, strict=False)), hypothesis, TRUE)


def _said(game: Layered, row: ProvedRow, least: int) -> Expr:
    """What the row says of the positions of its layer: which are the pairs, or what the Grundy number is more than
    the axis and ``least``. In that form cases are of natural numbers: of others Coq would look at two signs in each.
    """
    offsets = np.array([row(place) - place for place in range(_SEEN * (row.first + row.period))])
    pattern, period = pattern_of(0, offsets), find_period(offsets)
    assert pattern is not None  # the period has been seen more than twice
    assert period is not None
    if len(game.axes) == 1:
        return number_formula(game.axes[0], 0, (offsets - least).tolist(), period)
    return condition(game.axes, pattern)
