"""Counter-models that are drawn at random from the automata of a goal that does not follow."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence

from grundylab.automata.dfa import Dfa
from grundylab.language.syntax import Compare, Int, Name
from grundylab.prove.core.closing import Decisions, Elimination, elimination, number_name, possible
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import CounterModel

MODELS = 4  # counter-models that are drawn


def drawn_models(
    branch: Branch, failing: Sequence[Dfa], decisions: Decisions, cells: int
) -> list[CounterModel]:
    """Return counter-models of a branch, with the true values of arithmetic where they have any; [] if there are none.

    failing: automata whose intersection is the numbers with which the goal fails. decisions: what they come from.
    cells: the most cells of transition tables for their elimination, and for each model. Raises TooLarge beyond.
    """
    decisions.work.give(cells)
    eliminated = elimination(failing, decisions.work)
    if eliminated is None:
        return []
    draw = random.Random(0)
    models = list[CounterModel]()
    for _ in range(MODELS):
        decisions.work.give(cells)
        models.append(_model(branch, eliminated, decisions, draw))
    return list({tuple(sorted(at.items())): at for at in models}.values())


def _model(
    branch: Branch, eliminated: Elimination, decisions: Decisions, draw: random.Random
) -> CounterModel:
    at = dict[str, int]()
    terms = {number_name(index): term for index, term in enumerate(branch.terms)}
    every = ((name, whole) for track, whole in reversed(eliminated) for name in _in_turn(track, whole))
    for track, whole in every:
        if track in at:
            continue
        true = branch.value(terms[track], at) if track in terms else None
        near = [draw.randrange(1, 24) for _ in range(2)]
        wanted = near if true is None else [int(true), *near]
        at[track] = _number(track, possible(whole, at), wanted, (draw.randrange(1, 16), 1), decisions)
    names = (*branch.sequent.names, *terms)
    return {name: at[name] if name in at else draw.randrange(1, 16) for name in names}


def _in_turn(track: str, whole: Dfa) -> Iterator[str]:
    """Yield the tracks of an automaton, the one that was eliminated last; with it, others may have left no trace."""
    yield from (name for name in whole.tracks if name != track)
    yield track


def _number(
    track: str, numbers: Dfa, wanted: Iterable[int], lows: Iterable[int], decisions: Decisions
) -> int:
    """Return a number on the track that the automaton accepts: a wanted one, or little above one of ``lows``.

    If it accepts none of these, return any that it accepts.
    """
    for number in wanted:
        if not numbers.restriction({track: number}).is_empty:
            return number
    within = (Compare(("<=", "<="), (Int(low), Name(track), Int(low + 3))) for low in lows)
    nearer = (numbers & decisions.reader.true(condition) for condition in within)
    chosen = next((subset for subset in nearer if not subset.is_empty), numbers).example()
    return (chosen or {}).get(track, 0)
