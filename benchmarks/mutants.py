"""Mutants of proved statements, each with one change: of a constant, a comparison or a move. Most are false."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from grundylab.check.verification import verify
from grundylab.errors import GrundylabError
from grundylab.games.model import ALWAYS, Move, Range, Ruleset
from grundylab.language.substitution import replace_part
from grundylab.language.syntax import OPPOSITE, Binary, Compare, Expr, Int, conjunction, distinct_parts
from grundylab.prove.core.solution import Question
from grundylab.prove.ground_truth import ground_truth
from grundylab.statement.conditions import split_condition

TRIED = 6  # most mutants of each kind; fewer if one is false


@dataclass(frozen=True)
class Mutant:
    """A changed statement: a question about a game.

    what: the kind of the part that was changed. false: whether a small table refutes the statement.
    """

    what: str
    game: Ruleset
    question: Question
    false: bool

    def __str__(self) -> str:
        moves = "; ".join(map(_said, self.game.moves))
        return f"another {self.what}: {moves if self.what == 'move' else self.question.formula}"


def mutants(game: Ruleset, question: Question) -> Iterator[Mutant]:
    """Yield mutants of a statement: of each kind of change some, up to the first that a small table refutes."""
    formula, about_game = question.formula, question.target != ALWAYS
    kinds = {
        "constant": ((game, wrong) for wrong in _changed(formula, Int)),
        "comparison": ((game, wrong) for wrong in _changed(formula, Compare)),
        "move": ((wrong, formula) for wrong in _with_other_moves(game) if about_game),
    }
    for what, candidates in kinds.items():
        for mutated, wrong in islice(candidates, TRIED):
            bent = _claiming(question, wrong)
            mutant = Mutant(what, mutated, bent, _is_false(mutated, bent))
            yield mutant
            if mutant.false:
                break


def _changed(formula: Expr, kind: type[Expr]) -> Iterator[Expr]:
    """Yield the formula with one node of this kind changed, at all its places; once for each such node."""
    for node in dict.fromkeys(part for part in distinct_parts(formula) if isinstance(part, kind)):
        match node:
            case Int(value=value):
                yield replace_part(formula, node, Int(value + 1))
            case Compare(ops=(op, *others), terms=terms):
                yield replace_part(formula, node, Compare((OPPOSITE[op], *others), terms))


def _with_other_moves(game: Ruleset) -> Iterator[Ruleset]:
    """Yield the game with one move changed: it cannot choose its least number any more, or is left out."""
    for place, move in enumerate(game.moves):
        for choice in move.choices:
            low = Binary("+", choice.range.low, Int(1))
            less = replace(choice, range=Range(low, choice.range.high))
            yield _with(
                game, place, replace(move, choices=tuple(less if c == choice else c for c in move.choices))
            )
    if len(game.moves) > 1:
        yield from (_with(game, place) for place in range(len(game.moves)))


def _with(game: Ruleset, place: int, *moves: Move) -> Ruleset:
    return replace(game, moves=(*game.moves[:place], *moves, *game.moves[place + 1 :]))


def _claiming(question: Question, formula: Expr) -> Question:
    """Return the question with another formula, also in those that solve the game if the old one is among them."""
    formulas = question.formulas
    if formulas.grundy == question.formula:
        formulas = replace(formulas, grundy=formula)
    levels = tuple(formula if level == question.formula else level for level in formulas.levels)
    return replace(question, formula=formula, formulas=replace(formulas, levels=levels))


def _is_false(game: Ruleset, question: Question) -> bool:
    """Tell whether a small table, for parameters that the question concerns, refutes its formula."""
    assumed, about = split_condition(conjunction(question.where, question.condition), game)
    values = None if question.target == ALWAYS else "grundy" if game.play == "normal" else "outcome"
    try:
        tables = ground_truth(game, assumed, values)
        return verify(question.formula, question.target, tables, about).status == "refuted"
    except GrundylabError:
        return False


def _said(move: Move) -> str:
    given = ", ".join(f"{choice.name} in {choice.range}" for choice in move.choices)
    return f"{move.name}: {given} when {move.when}"
