"""Proved periods as inductions: what a certificate says of every position is a formula, which the moves confirm.

So nothing of a period need rest on the checker of its certificate. The formula is made of the values up to the end of
the first period, and automata and Coq go through its induction as through any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grundylab.automata.kernel import TooLarge
from grundylab.discover.patterns import condition, number_formula, pattern_of, plus
from grundylab.games.layers import Layered
from grundylab.games.model import GRUNDY, Ruleset
from grundylab.language.syntax import TRUE, Binary, Expr, Name, conjunction, equalities
from grundylab.prove import heap_certificate, row_certificate
from grundylab.prove.heap_certificate import ProvedSequence, check_heap, read_heap
from grundylab.prove.hypothesis import Hypothesis, Piece, Question, assemble
from grundylab.prove.induction import INDUCTION, Decider, Games
from grundylab.prove.outcome import Disagreement
from grundylab.prove.recurrence import ProvedRow, check_layers
from grundylab.prove.row_certificate import read_row
from grundylab.prove.space import NotProvable
from grundylab.solve.periodicity import Period, find_period

KINDS = (heap_certificate.KIND, row_certificate.KIND)
MOST_VALUES = 2_000  # that formulas are made of
MOST_CELLS = 18_000_000  # of tables of automata: where ours take so many, Coq takes up to a minute
_SEEN = 4  # times as far as the end of the first period: there a shorter one is told from it

Asked = tuple[Ruleset, Question]


def induction_of(record: Mapping[str, Any], ruleset: Ruleset) -> Asked:
    """The induction of a certificate about the ruleset, and its game.

    It claims the formula of the certificate or, where that has none, all that the period says. Raises NotProvable if
    it is too long for Coq, CertificateError if the certificate is wrong, Disagreement if automata find it wrong.
    """
    values = _values(record)
    if values > MOST_VALUES:
        raise _too_long(values)
    of_heap = record["certificate"] == heap_certificate.KIND
    game, question = _of_heap(record, ruleset) if of_heap else _of_row(record, ruleset)
    automata = Games().of(game, (question.formula, question.where))
    try:
        wrong = Decider(automata, question, MOST_CELLS).example(INDUCTION)
    except TooLarge:
        raise _too_long(values) from None
    if wrong is not None:
        at = ", ".join(f"{name}={value}" for name, value in wrong.items())
        raise Disagreement(
            f"{ruleset.name}: the checker says proved of a period, but automata do not, see ({at}); please report this"
        )
    return game, question


def _values(record: Mapping[str, Any]) -> int:
    """Up to the end of the first period, of all rows that the certificate is about."""
    if record["certificate"] == heap_certificate.KIND:
        return int(record["first"]) + int(record["period"])
    return sum(int(layer["again"]) for layer in record["layers"])


def _too_long(values: int) -> NotProvable:
    return NotProvable(
        f"there are {values:,} values up to the end of the first period, and Coq would take too long"
    )


# -- one heap --------------------------------------------------------------------------------------------------------


def _of_heap(record: Mapping[str, Any], ruleset: Ruleset) -> Asked:
    found = read_heap(record, ruleset)
    whole = heap_question(check_heap(found))
    if found.formula is None:
        return found.game, whole
    return found.game, Question(found.formula, found.target, found.where, whole.hypothesis)


def heap_question(sequence: ProvedSequence) -> Question:
    """Whether these are the Grundy numbers of a heap."""
    period = Period(sequence.first - sequence.least, sequence.period, 0, sequence.period)
    formula = number_formula(sequence.heap, sequence.least, sequence.values, period)
    return Question(formula, GRUNDY, TRUE, Hypothesis(TRUE, formula, (), ()))


# -- rows ------------------------------------------------------------------------------------------------------------


def _of_row(record: Mapping[str, Any], ruleset: Ruleset) -> Asked:
    found = read_row(record, ruleset)
    rows = check_layers(found.game, found.layer, found.recurrences)
    whole = row_question(found.game, found.layer, rows)
    formula = whole.formula if found.formula is None else found.formula
    where = conjunction(whole.where, found.where)
    return found.game.game, Question(formula, found.game.target, where, whole.hypothesis)


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
    return Question(known, game.target, equalities(zip(game.names, top, strict=False)), hypothesis)


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
