"""Moves read backwards: from which positions a position is reached.

A move that takes from several coordinates is a *drop*: what it takes from each coordinate is told by its choices alone.
Put position + taken for the position it is made from, and all that the rules ask of it becomes inequalities and
conditions on the position reached and the choices. So the positions from where a move leads to a given one are found
choice by choice, each within bounds that follow from the inequalities.
"""

from __future__ import annotations

from dataclasses import dataclass

from grundylab.errors import EvaluationError, NoSweep
from grundylab.games.instance import Instance
from grundylab.games.model import Move
from grundylab.language.intervals import Interval, fits_machine, is_total
from grundylab.language.linear import Poly, Reader, constant, poly
from grundylab.language.substitution import lower, substitute
from grundylab.language.syntax import TRUE, Binary, Expr, Int, Name, compare, conjunction, free_names


@dataclass(frozen=True)
class Drop:
    """A move backwards. The names in its expressions are the coordinates of the position that the move leads to, its
    variables, parameters, and ``edges``.

    variables: what is chosen, in the order of the loops, with the interval that each lies in. taken: for each
    coordinate, by how much the position before has more. inequalities: polynomials that are all at least 0, and
    conditions: what else is true, exactly where the move leads from there to here.
    """

    move: Move
    variables: tuple[tuple[str, Interval], ...]
    taken: tuple[Poly, ...]
    inequalities: tuple[Poly, ...]
    conditions: tuple[Expr, ...]


@dataclass(frozen=True)
class Drops:
    """How an instance's moves are, backwards.

    edges: the name of each coordinate's largest value.
    """

    instance: Instance
    moves: tuple[Drop, ...]
    edges: tuple[str, ...]


def drops_for(instance: Instance) -> Drops:
    """Raises NoSweep unless all moves are drops that surely stay inside and lower the measure."""
    ruleset = instance.ruleset
    names = ruleset.coordinate_names
    if ruleset.play == "misere" or any(move.a_pass for move in ruleset.moves):
        raise NoSweep(f"{ruleset.name}: who wins depends on whether there is another move")
    if ruleset.where != TRUE:
        raise NoSweep(f"{ruleset.name}: its positions are restricted: {ruleset.where}")
    for coordinate in ruleset.coordinates:
        if any(free_names(end) & set(names) for end in coordinate.ends):
            raise NoSweep(f"{ruleset.name}: the range of {coordinate.name} depends on other coordinates")
    taken = {*names, *ruleset.parameter_names, *ruleset.bounds}
    taken |= {choice.name for move in ruleset.moves for choice in move.choices}
    edges = tuple(_fresh(f"most_{name}", taken) for name in names)
    drops = tuple(_Reading(instance, move, edges, taken | set(edges)).drop() for move in ruleset.moves)
    return Drops(instance, drops, edges)


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


class _Reading:
    """One move of an instance."""

    def __init__(self, instance: Instance, move: Move, edges: tuple[str, ...], taken: set[str]) -> None:
        self.instance, self.move, self.edges, self._taken = instance, move, edges, taken
        ruleset = instance.ruleset
        self.functions, self.names = ruleset.functions, ruleset.coordinate_names
        try:
            self.known = instance.spans(move)
        except EvaluationError as error:
            raise NoSweep(f"{instance}: {error.message}") from None
        for name, side in zip(edges, instance.box, strict=True):
            self.known[name] = Interval(side.high, side.high)
        self.ranges: list[Expr] = []
        for choice in move.choices:
            span, chosen = self.known[choice.name], Name(choice.name)
            self.known[choice.name] = Interval(span.low, max(span.low, span.high))
            self.ranges += [compare("<=", choice.range.low, chosen), compare("<=", chosen, choice.range.high)]

    def drop(self) -> Drop:
        """The move backwards. Raises NoSweep."""
        if len(self.move.parts) != 1:
            raise NoSweep(f"the move '{self.move.name}' leads to a sum of positions")
        self._check()
        put, taken, asked = self._inverse()
        before = {name: Binary("+", Name(name), less.expression()) for name, less in taken.items()}
        conditions = [
            substitute(condition, {**before, **put}) for condition in (*self.ranges, self.move.when)
        ]
        kept = {choice.name for choice in self.move.choices} - set(put)
        variables = tuple((name, self.known[name]) for name in self.known if name in kept | self._made)
        reader = Reader(self.known, self.functions)
        for name, edge, side in zip(self.names, self.edges, self.instance.box, strict=True):
            if name in taken:
                conditions.append(compare("<=", before[name], Name(edge)))
                if reader.least(taken[name]) < 0:  # read backwards it might begin outside the box
                    conditions.append(compare("<=", Int(side.low), before[name]))
        inequalities, others = reader.conditions(conjunction(*conditions, *asked))
        self._check_machine([*(p.expression() for p in inequalities), *others])
        return Drop(
            self.move,
            variables,
            tuple(taken.get(name, Poly()) for name in self.names),
            inequalities,
            others,
        )

    def _inverse(self) -> tuple[dict[str, Expr], dict[str, Poly], list[Expr]]:
        """Choices told by the position reached; what is taken from each coordinate; and what is asked beside."""
        put: dict[str, Expr] = {}
        taken: dict[str, Poly] = {}
        asked: list[Expr] = []
        self._made: set[str] = set()
        chosen = {choice.name for choice in self.move.choices}
        for name, new in zip(self.names, self.move.parts[0], strict=True):
            if new == Name(name):
                continue
            bare = lower(self.functions.expand(new))
            less = poly(Name(name)) - poly(bare)
            if not less.names & set(self.names):
                taken[name] = less
                continue
            if free_names(bare) & set(self.names):
                raise NoSweep(
                    f"what the move '{self.move.name}' takes from {name} depends on more than its choices"
                )
            fresh = _fresh(f"from_{name}", self._taken)
            self._taken.add(fresh)
            self._made.add(fresh)
            side = self.known[name]
            self.known[fresh] = Interval(0, max(0, side.width - 1))
            taken[name] = poly(Name(fresh))
            if isinstance(bare, Name) and bare.id in chosen - set(put):
                put[bare.id] = Name(name)
            else:
                asked.append(compare("==", Name(name), bare))
        put_polys = {name: Name(new.id) for name, new in put.items() if isinstance(new, Name)}
        taken = {name: poly(substitute(less.expression(), put_polys)) for name, less in taken.items()}
        return put, taken, [substitute(condition, put) for condition in asked]

    def _check(self) -> None:
        """That the move takes nothing less than 0, stays inside and lowers the measure, by its text."""
        constants = {name: Int(value) for name, value in self.instance.constants.items()}

        def bare(expr: Expr) -> Expr:
            return substitute(lower(self.functions.expand(expr)), constants)

        reader = Reader(self.known, self.functions)
        for expr in (*self.ranges, self.move.when, *self.move.parts[0], self.instance.ruleset.measure):
            if not is_total(bare(expr), self.functions, self.known):
                raise NoSweep(f"{self.instance}: {expr} may have no value, or is a recurrence's")
        given, _ = reader.conditions(bare(conjunction(*self.ranges, self.move.when)))
        new = {name: bare(value) for name, value in zip(self.names, self.move.parts[0], strict=True)}
        for name, side in zip(self.names, self.instance.box, strict=True):
            if new[name] == Name(name):
                continue
            if not reader.follows(poly(Name(name)) - poly(new[name]), given):
                raise NoSweep(f"the move '{self.move.name}' may raise {name}")
            if not reader.follows(poly(new[name]) - constant(side.low), given):
                raise NoSweep(f"the move '{self.move.name}' may lead to less {name} than there is")
        measure = bare(self.instance.ruleset.measure)
        fall = poly(measure) - poly(substitute(measure, new)) - constant(1)
        if reader.least(poly(measure)) < 0 or not reader.follows(fall, given):
            raise NoSweep(f"the move '{self.move.name}' may not lower the measure")

    def _check_machine(self, exprs: list[Expr]) -> None:
        """That these, which are evaluated past the edge, too, have values, and 64-bit ones."""
        for expr in exprs:
            if not is_total(expr, self.functions, self.known) or not fits_machine(
                expr, self.known, self.functions
            ):
                raise NoSweep(f"{self.instance}: {expr} may have no value in 64 bits")
