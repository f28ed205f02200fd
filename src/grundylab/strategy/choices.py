"""Formulas for the choices of a move: terms that hit a winning choice at as many positions as possible.

Several choices may win at a position. So a term need not have one value there: it must be among those that win. The
terms are those of a bank that begins with the parts of the formula for P-positions, since the answer is often this
formula solved for one coordinate. A term may be the choice itself, or what it leaves in a coordinate.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover import sampling
from grundylab.discover.bank import LARGEST, Bank
from grundylab.discover.extra_terms import combined_terms
from grundylab.discover.rewriting import simplify, tidy
from grundylab.discover.search_budget import SearchBudget
from grundylab.errors import EvaluationError
from grundylab.games.model import Move
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.linear import linear_dependence
from grundylab.language.parser import parse
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    Binary,
    Expr,
    Int,
    Name,
    called_functions,
    free_names,
)
from grundylab.numeric import Array
from grundylab.strategy.board import Boards
from grundylab.strategy.hints import hints
from grundylab.strategy.lines import Aim

SAMPLE = 300  # winning positions of a move at which terms are tried
TERMS = 10_000  # in a bank
CONSTANTS = range(5)
KEPT = 40  # terms for a choice with the most hits, and
OF_COST = 6  # those among the terms of each cost
DIGIT = 3  # cost of a name's lowest binary digit, the dearest term that a bank begins with
FIRST = 6  # formulas for the first choice with which those for the next are sought
CELLS = 1 << 26  # of the table of winning choices
BLOCK = 1 << 20  # values of terms that are looked up together
_SHARE = 20  # a formula wins at one in so many of the positions where the move does


_ZERO = Int(0)


@dataclass(frozen=True)
class _Form:
    """A form of a term, which gives the choice ``factor * (term - rest)``.

    left: the coordinate in which the move leaves the term; empty if the term is the choice itself.
    """

    factor: int = 1
    rest: Expr = _ZERO
    left: str = ""

    def choice(self, term: Expr) -> Expr:
        """Return the choice as a formula."""
        if not self.left:
            return term
        minus = Binary("-", self.rest, term) if self.factor < 0 else Binary("-", term, self.rest)
        return term if self.rest == _ZERO and self.factor > 0 else minus


@dataclass(frozen=True)
class _Question:
    """A question: which formulas there are for the choices of a move, from the one at ``place`` on.

    rows, chosen: the winning choices at the samples, those that agree with the formulas ``before``, by the names of
    earlier choices. aim: the formula for P-positions, if there is one. seconds: of work, for each bank of terms.
    """

    samples: Samples
    rows: Array
    chosen: Array
    move: Move
    aim: Aim | None
    seconds: float
    place: int = 0
    before: Mapping[str, Expr] = field(default_factory=dict)

    def given(self, formula: Expr) -> _Question:
        """Return the question about the next choice, given a formula for this one."""
        samples = self.samples
        values = np.broadcast_to(evaluate_arrays(formula, samples.columns, samples.functions), len(samples))
        agree = self.chosen[:, self.place] == values[self.rows]
        before = {**self.before, self.move.choices[self.place].name: formula}
        rows, chosen = self.rows[agree], self.chosen[agree]
        return replace(self, rows=rows, chosen=chosen, place=self.place + 1, before=before)


_Ranked = tuple[int, int, int, _Form]  # hits, cost, number of the term in its bank, form


def choice_formulas(boards: Boards, number: int, aim: Aim | None, seconds: float) -> list[tuple[Expr, ...]]:
    """Return formulas for the choices of the move with this number that win often, the best first.

    boards: N-positions. aim: the formula for P-positions, if there is one. seconds: of work, for each bank of terms.
    """
    move = boards.ruleset.moves[number]
    if not move.choices:
        return [()]
    rows, chosen = boards.winning_choices(move)
    if not len(rows):
        return []
    where = np.unique(rows)
    samples = boards.samples.at(where)
    kept = where[sampling.draw_rows(samples, SAMPLE)]
    mask = np.isin(rows, kept)
    samples = boards.samples.at(kept)
    asked = _Question(samples, np.searchsorted(kept, rows[mask]), chosen[mask], move, aim, seconds)
    return [choices for _, choices in sorted(_formulas(asked), key=lambda ranked: ranked[0])]


def _formulas(asked: _Question) -> Iterator[tuple[tuple[int, int], tuple[Expr, ...]]]:
    """Yield ((minus hits, cost), formulas) for the choices of a question."""
    last = asked.place + 1 == len(asked.move.choices)
    for hits, paid, formula in _ranked_terms(asked, None if last else FIRST):
        if last:
            yield (-hits, paid), (formula,)
            continue
        for (better, more), others in _formulas(asked.given(formula)):
            yield (better, paid + more), (formula, *others)


def _ranked_terms(asked: _Question, most: int | None) -> list[tuple[int, int, Expr]]:
    """Return (hits, cost, formula) of terms for the next choice, those with most hits first; at most ``most``."""
    samples, rows, chosen = asked.samples, asked.rows, asked.chosen[:, asked.place]
    width = int(chosen.max(initial=0)) + 1
    if not len(rows) or len(samples) * width > CELLS or chosen.min(initial=0) < 0:
        return []
    winning = np.zeros((len(samples), width), dtype=bool)
    winning[rows, chosen] = True
    bank, work = Bank(samples, CONSTANTS, _first_terms(asked)), SearchBudget(asked.seconds)
    winners = len(np.unique(rows))
    forms = list(_forms(asked))
    best: dict[bytes, _Ranked] = {}
    begin, grown = 0, True
    while grown:
        for form in forms:
            for term, hit in _hits(bank, begin, samples, form, winning, winners // _SHARE):
                key, hits, paid = hit.tobytes(), int(np.count_nonzero(hit)), int(bank.costs[term])
                if key not in best or paid < best[key][1]:
                    best[key] = (hits, paid, term, form)
        begin, grown = len(bank), bank.most < DIGIT or not _few_suffice(best, winners)
        if grown and not bank.grow(work, TERMS):
            bank.fill(work, TERMS)
            grown = len(bank) > begin
    # the terms with the most hits, and those with the most hits among the terms of each cost
    by_cost, kept = Counter[int](), list[_Ranked]()
    for place, entry in enumerate(sorted(best.values(), key=lambda entry: (-entry[0], entry[1]))):
        by_cost[entry[1]] += 1
        if place < KEPT or by_cost[entry[1]] <= OF_COST:
            kept.append(entry)
    return [
        (hits, paid, tidy(simplify(form.choice(bank.expr(term))), samples.names))
        for hits, paid, term, form in kept[:most]
    ]


def _few_suffice(terms: Mapping[bytes, _Ranked], winners: int) -> bool:
    """Tell whether one term or two win at all positions where the move does. terms: by their masks."""
    masks = [np.frombuffer(mask, dtype=bool) for mask in sorted(terms, key=lambda mask: -terms[mask][0])]
    if not masks:
        return False
    rest = np.max([np.count_nonzero(mask & ~masks[0]) for mask in masks[:KEPT]])
    return int(np.count_nonzero(masks[0])) + int(rest) == winners


def _hits(
    bank: Bank, begin: int, samples: Samples, form: _Form, winning: Array, least: int
) -> Iterator[tuple[int, Array]]:
    """Yield (number of the term, mask of the samples where its choice wins) for terms with more than ``least`` hits.

    begin: the first term to try. winning: bool (samples, choices).
    """
    rest = evaluate_arrays(form.rest, samples.columns, samples.functions)
    everywhere, width = np.arange(len(samples)), winning.shape[1]
    step = max(1, BLOCK // len(samples))
    for start in range(begin, len(bank), step):
        values = bank.values[start : start + step].astype(np.int64)
        if form.left:
            values = form.factor * (values - rest)
        inside = (values >= 0) & (values < width)
        hit = inside & winning[everywhere, np.where(inside, values, 0)]
        for number in np.flatnonzero(hit.sum(axis=1) > least):
            yield start + int(number), hit[number]


def _forms(asked: _Question) -> Iterator[_Form]:
    """Yield the forms of a term for a choice: the choice itself, and what is left in each coordinate it changes."""
    yield _Form()
    move = asked.move
    choice = move.choices[asked.place].name
    later = {later_choice.name for later_choice in move.choices[asked.place + 1 :]}
    for part in move.parts:
        for name, new in zip(asked.samples.names, part, strict=False):
            new = substitute(new, asked.before)
            form = linear_dependence(new, choice) if choice in free_names(new) else None
            if form is not None and form[0] in (Int(1), Int(-1)) and not free_names(form[1]) & later:
                factor = 1 if form[0] == Int(1) else -1
                if new != Name(choice):
                    yield _Form(factor, form[1], name)


def _first_terms(asked: _Question) -> list[tuple[Expr, int]]:
    """Return the terms that a bank begins with, each with its cost."""
    samples, choice = asked.samples, asked.move.choices[asked.place].name
    hinted = {} if asked.aim is None else hints(asked.aim, asked.move, choice, samples.names)
    kept = list[tuple[Expr, int]]()
    given = {**hinted, **dict.fromkeys(asked.before.values(), 1)}
    given |= {parse(f"{name} & -{name}"): DIGIT for name in samples.variables}
    for term, paid in given.items():
        if called_functions(term) or not free_names(term) <= set(samples.names):
            continue  # a bank evaluates no functions of rules
        try:
            values = evaluate_arrays(term, samples.columns, samples.functions)
        except EvaluationError:
            continue
        if abs(values).max(initial=0) <= LARGEST:
            kept.append((term, paid))
    return [*kept, *combined_terms(samples)]
