"""Decisions by automata: whether a goal follows from hypotheses, with numbers in place of the terms that are named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from grundylab.automata.dfa import AutomataBudget, intersection
from grundylab.language.numeration import numeration_system
from grundylab.language.substitution import with_children
from grundylab.language.syntax import Bounded, Compare, Expr, Int, Kind, Name, compare
from grundylab.logic.reader import AutomataReader

CELLS = 100_000_000  # the most cells of transition tables for one decision


def number_name(index: int) -> str:
    """Return the name of the number in place of a term; it is neither a user's name nor a bound variable's."""
    return f"_number_{index}"


def with_numbers(exprs: Iterable[Expr], terms: Sequence[Expr]) -> list[Expr]:
    """Return the expressions with a number in place of each of the terms, wherever none of its names is bound.

    The outermost terms are replaced. A condition becomes a comparison of its number with 0.
    """
    new = {term: _as_number(term, number_name(index)) for index, term in enumerate(terms)}
    return [_replaced(expr, new, frozenset(), {}) for expr in exprs]


def _as_number(term: Expr, name: str) -> Expr:
    return compare("!=", Name(name), Int(0)) if term.kind is Kind.CONDITION else Name(name)


_Done = dict[tuple[int, frozenset[str]], Expr]


def _replaced(expr: Expr, new: Mapping[Expr, Expr], bound: frozenset[str], done: _Done) -> Expr:
    key = id(expr), bound
    if key not in done:
        if expr in new and not expr.free & bound:
            done[key] = new[expr]
        else:
            bounds = [bound] * len(expr.children)
            if isinstance(expr, Bounded):  # its children are the two ends of the range, then the body
                bounds[-1] = bound | {expr.variable}
            parts = zip(expr.children, bounds, strict=True)
            done[key] = with_children(expr, tuple(_replaced(part, new, names, done) for part, names in parts))
    return done[key]


class Decisions:
    """Decisions that share automata, in one numeration system. said: expressions that name the system."""

    def __init__(self, said: Iterable[Expr]) -> None:
        self._work = AutomataBudget(system=numeration_system(said))
        self._naturals = set[str]()
        self._reader = AutomataReader(work=self._work, natural=self._naturals)

    def counterexample(
        self, hypotheses: Sequence[Expr], goal: Expr, integers: Collection[str] = (), cells: int = CELLS
    ) -> dict[str, int] | None:
        """Return numbers for which the hypotheses are true and the goal is not; None if there are none.

        Every free name is a natural number unless it is in ``integers``, always the same names. A hypothesis that may
        have no value counts as true there, and such a goal as false, so nothing depends on the values of terms outside
        their domains. Raises OutsideFragment for a term that automata cannot read, TooLarge beyond ``cells``.
        """
        self._work.give(cells)
        free = frozenset[str]().union(goal.free, *(each.free for each in hypotheses))
        naturals = sorted(free - set(integers))
        self._naturals.update(naturals)
        parts = [~self._reader.truth(each).false for each in hypotheses]
        parts += [self._reader.true(compare(">=", Name(name), Int(0))) for name in naturals]
        found = intersection([*parts, ~self._reader.true(goal)], self._work).example()
        return None if found is None else {name: found.get(name, 0) for name in sorted(free)}


def in_range(start: Expr, number: Expr, stop: Expr) -> Expr:
    """Return the condition that the number is in a bound variable's range, from ``start`` to ``stop`` - 1."""
    return Compare(("<=", "<"), (start, number, stop))
