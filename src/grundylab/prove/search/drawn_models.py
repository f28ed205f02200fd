"""Counter-models that are drawn at random from the automata of a goal that does not follow."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from grundylab.automata.dfa import Dfa
from grundylab.language.syntax import Expr, Name
from grundylab.prove.core.closing import Decisions, elimination, number_name
from grundylab.prove.search.branch import Branch
from grundylab.prove.search.counter_models import CounterModel, value_in

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
    terms: dict[str, Expr] = {name: Name(name) for name in branch.sequent.names}
    terms |= {number_name(index): term for index, term in enumerate(branch.terms)}
    draw = random.Random(0)
    models = dict[tuple[int, ...], CounterModel]()
    for _ in range(MODELS):
        decisions.work.give(cells)
        at, model = dict[str, int](), dict[Expr, int]()
        for last, whole in reversed(eliminated):
            # the track that was eliminated comes last; with it, others may have left no trace
            for track in (*(name for name in whole.tracks if name != last), last):
                if track in at:
                    continue
                true = value_in(terms[track], model)
                near = [draw.randrange(1, 24) for _ in range(2)]
                wanted = near if true is None else [int(true), *near]
                lows = draw.randrange(1, 16), 1
                at[track] = model[terms[track]] = _number(track, whole, at, wanted, lows)
        model = {term: at[name] if name in at else draw.randrange(1, 16) for name, term in terms.items()}
        models[tuple(model.values())] = model
    return list(models.values())


def _number(track: str, whole: Dfa, at: Mapping[str, int], wanted: Iterable[int], lows: Iterable[int]) -> int:
    """Return a number on the track that the automaton accepts: a wanted one, or little above one of ``lows``.

    If it accepts none of these, return any that it accepts. at: the numbers on other tracks, not always on all.
    """
    others = [name for name in whole.tracks if name != track and name not in at]
    for name in others:
        whole = whole.without(name)
    near = (sorted(range(low, low + 4), key=_digits) for low in lows)
    for number in chain(wanted, *near):
        if whole.contains({**at, track: number}):
            return number
    return (whole.restriction(at).example() or {}).get(track, 0)


def _digits(number: int) -> tuple[int, str]:
    """Return a key by which few digits come first, then digits that are 0 in the lowest places."""
    return number.bit_length(), f"{number:b}"[::-1]
