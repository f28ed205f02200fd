"""Decisions by automata: whether a goal follows from hypotheses, with numbers in place of the terms that are named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

from grundylab.automata.dfa import AutomataBudget, Dfa, elimination_cost, intersection
from grundylab.language.names import NUMBER, with_plain_names
from grundylab.language.numeration import numeration_system
from grundylab.language.substitution import replace_part, substitute, with_children
from grundylab.language.syntax import (
    Binary,
    Bounded,
    Call,
    Compare,
    Expr,
    Int,
    Kind,
    Logic,
    Name,
    called_functions,
    compare,
    disjunction,
    distinct_parts,
)
from grundylab.logic.atoms import TruthAutomata
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.reader import AutomataReader
from grundylab.prove.core.formulas import Refused

CELLS = 100_000_000  # the most cells of transition tables for one decision


def number_name(index: int) -> str:
    """Return the name of the number in place of a term; it is neither a user's name nor a bound variable's."""
    return f"{NUMBER}{index}"


def with_numbers(exprs: Iterable[Expr], terms: Sequence[Expr]) -> list[Expr]:
    """Return the expressions with a number in place of each of the terms, wherever none of its names is bound.

    The outermost terms are replaced. A condition becomes a comparison of its number with 0.
    """
    return with_these_numbers(exprs, {term: number_name(index) for index, term in enumerate(terms)})


def with_these_numbers(exprs: Iterable[Expr], names: Mapping[Expr, str]) -> list[Expr]:
    """Return the expressions as ``with_numbers`` does. names: each term's number."""
    exprs = list(exprs)
    if any(_binds_a_number(expr) for expr in exprs):
        raise Refused("a bound variable has the name of a number")
    new: dict[Expr, Expr] = {}
    for term, name in names.items():
        new[term] = compare("!=", Name(name), Int(0)) if term.kind is Kind.CONDITION else Name(name)
    return [_replaced(expr, new, frozenset(), {}) for expr in exprs]


@lru_cache(maxsize=10_000)
def _binds_a_number(expr: Expr) -> bool:
    return any(
        isinstance(part, Bounded) and part.variable.startswith(NUMBER) for part in distinct_parts(expr)
    )


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
            log = exponent_of_power(expr)
            if log is None:
                done[key] = with_children(
                    expr, tuple(_replaced(part, new, names, done) for part, names in parts)
                )
            else:
                inner = with_children(log, tuple(_replaced(part, new, bound, done) for part in log.arguments))
                done[key] = replace_part(expr, log, inner)
    return done[key]


def exponent_of_power(expr: Expr) -> Call | None:
    """Return the logarithm in ``c << floor_log2(n)`` or ``c << (floor_log2(n) + d)``; None for any other expression.

    Automata read such a power of two as a whole, so no number is put in place of its logarithm.
    """
    match expr:
        case Binary(op="<<", left=Int(), right=Call(name="floor_log2") as log):
            return log
        case Binary(
            op="<<", left=Int(), right=Binary(op="+", left=Call(name="floor_log2") as log, right=Int())
        ):
            return log
    return None


class Decisions:
    """Decisions that share automata, in one numeration system. said: expressions that name the system."""

    def __init__(self, said: Iterable[Expr]) -> None:
        self.work = AutomataBudget(system=numeration_system(said))
        self._naturals = set[str]()
        self.reader = AutomataReader(work=self.work, natural=self._naturals)

    def failing(
        self, hypotheses: Sequence[Expr], goal: Expr, integers: Collection[str] = (), cells: int = CELLS
    ) -> list[Dfa]:
        """Return automata whose intersection is the numbers for which the hypotheses are true and the goal is not.

        Every free name is a natural number unless it is in ``integers``, always the same names. A hypothesis that may
        have no value counts as true there, and such a goal as false, so nothing depends on the values of terms outside
        their domains. Raises OutsideFragment for a term that automata cannot read, TooLarge beyond ``cells``.
        """
        self.work.give(cells)
        for name in frozenset[str]().union(*map(called_functions, (*hypotheses, goal))):
            raise Refused(f"no number stands in place of {with_plain_names(name)}()")
        free = frozenset[str]().union(goal.free, *(term.free for term in hypotheses))
        if not self.work.system.binary and free & set(integers):
            raise Refused("a number may be negative, and the digits of this numeration system have no sign")
        naturals = sorted(free - set(integers))
        self._naturals.update(naturals)
        read = [clause for term in hypotheses for clause in clauses(term)]
        # an inequality as the goal is false only where its two sides are equal
        equal = [compare("==", *goal.terms)] if isinstance(goal, Compare) and goal.ops == ("!=",) else []
        numbers = dict[str, Int]()
        for condition in (*read, *equal):
            match condition:
                case Compare(ops=("==",), terms=(Name(id=name), Int() as number)):
                    numbers.setdefault(name, number)
        parts = [~self._truth(clause, numbers).false for clause in read]
        parts += [self.reader.true(compare(">=", Name(name), Int(0))) for name in naturals]
        return [*parts, ~self._truth(goal, numbers).true]

    def _truth(self, condition: Expr, numbers: Mapping[str, Int]) -> TruthAutomata:
        """Return the automata of a condition, read with known numbers in place of names unless it gives one itself."""
        given = {name: number for name, number in numbers.items() if name in condition.free}
        gives = [compare(op, Name(name), number) for name, number in given.items() for op in ("==", "!=")]
        if given and condition not in gives:
            with suppress(OutsideFragment):  # such as the logarithm of a known 0
                return self.reader.truth(substitute(condition, given))
        return self.reader.truth(condition)


@lru_cache(maxsize=20_000)
def clauses(expr: Expr) -> tuple[Expr, ...]:
    """Return conditions, all of which are true if the condition is, and false somewhere if it is.

    They are its parts if it is a conjunction. A disjunction whose last part is a conjunction is distributed over it.
    """
    if isinstance(expr, Logic) and expr.op == "and":
        return tuple(clause for term in expr.terms for clause in clauses(term))
    if isinstance(expr, Logic) and expr.op == "or":
        *before, last = expr.terms
        return tuple(disjunction(*before, clause) for clause in clauses(last))
    return (expr,)


Elimination = list[tuple[str, Dfa]]  # each track, with what its number depends on: numbers of later tracks


def elimination(parts: Sequence[Dfa], work: AutomataBudget) -> Elimination | None:
    """Return the tracks in an order in which they can be eliminated; None if no numbers are accepted by all automata.

    The cheapest track is eliminated first, so that no automaton reads all of them. In the opposite order, each track
    has a number, whatever numbers the tracks before it were given. A track is not listed if the numbers on it made no
    difference once another was eliminated.
    """
    left, eliminated = list[Dfa](), Elimination()
    for part in sorted(parts, key=lambda dfa: -len(dfa.tracks)):
        # one that reads few tracks becomes part of one that reads more
        more = next((n for n, dfa in enumerate(left) if {*part.tracks} <= {*dfa.tracks}), None)
        if more is None:
            left.append(part)
        else:
            left[more] = left[more] & part
    while tracks := sorted({track for part in left for track in part.tracks}):
        about = {track: [part for part in left if track in part.tracks] for track in tracks}
        track = min(tracks, key=lambda name: (elimination_cost(about[name]), name))
        whole = intersection(about[track], work)
        eliminated.append((track, whole))
        left = [*(part for part in left if track not in part.tracks), whole.without(track)]
    return None if intersection(left, work).is_empty else eliminated


def example(parts: Sequence[Dfa], work: AutomataBudget) -> dict[str, int] | None:
    """Return numbers that all the automata accept, by track; None if there are none."""
    eliminated = elimination(parts, work)
    if eliminated is None:
        return None
    values = dict[str, int]()
    for _, whole in reversed(eliminated):
        numbers = whole.restriction(values).example()
        assert numbers is not None
        values |= {track: numbers.get(track, 0) for track in whole.tracks if track not in values}
    return values


def in_range(start: Expr, number: Expr, stop: Expr) -> Expr:
    """Return the condition that the number is in a bound variable's range, from ``start`` to ``stop`` - 1."""
    return Compare(("<=", "<"), (start, number, stop))
