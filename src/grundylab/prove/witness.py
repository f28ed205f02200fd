"""Looking for a witness of a statement: a position, parameters and variables that it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice, product

from grundylab.check.families import Extent, members
from grundylab.errors import GrundylabError, LimitError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import ALWAYS, FreeFunction, Range, Ranged, Ruleset
from grundylab.games.rules import Rules
from grundylab.games.specialise import fixed_by
from grundylab.language.functions import Function, Functions, Tabulated
from grundylab.language.plain import Meter, evaluate
from grundylab.language.syntax import FALSE, TRUE, Binary, Expr, Int, Name
from grundylab.prove.evidence import parameters_within
from grundylab.prove.kernel.automata import FOLLOWS
from grundylab.prove.kernel.evidence import Induction
from grundylab.prove.kernel.induction import question_of
from grundylab.prove.kernel.kernel import Kernel
from grundylab.prove.kernel.witness import Assignment, is_witness
from grundylab.solve.table import unsolved
from grundylab.statement import Statement
from grundylab.statement.conditions import split_where

SIZES = (0, 1, 2, 3, 5, 8, 12, 20, 32, 48, 64, 100, 150)  # of bounds
STEPS = 300_000  # of evaluating, in all
VALUES = 40  # of a parameter
GAMES = 40  # of a family
MEMBERS = 40  # simple functions that may have the properties
SIZE = "_size"  # a bound that no ruleset names


def witness_of(statement: Statement, kernel: Kernel) -> Assignment | None:
    """Return a witness; None if none is found: near 0, or by automata however far away it is."""
    if statement.game.free:
        return _in_family(statement)
    found = next(_small(statement), None)
    return found or _by_automata(statement, kernel)


def _small(statement: Statement, functions: tuple[Tabulated, ...] = ()) -> Iterator[Assignment]:
    game, meter = statement.game, Meter(STEPS, LimitError)
    game = replace(game, functions=game.functions.given(*functions), free=())
    assumed, _ = split_where(statement.where, game)
    near = {*range(VALUES), *fixed_by(assumed, game.parameter_names).values()}
    try:
        for size in SIZES:
            for parameters in islice(parameters_within(game, assumed, sorted(near)), 4):
                instance = make_instance(game, parameters, dict.fromkeys(game.bounds, size))
                for assignment in _assignments(statement, instance, meter):
                    if is_witness(statement, assignment, functions):
                        yield assignment
    except GrundylabError:  # it takes too long, or there is no such game
        return


def _assignments(statement: Statement, instance: Instance, meter: Meter) -> Iterator[dict[str, int]]:
    """Yield positions of an instance with values of the variables; the condition is not looked at."""
    names, known = statement.game.coordinate_names, dict(instance.parameters)
    rules, plain = Rules(instance), not (statement.lookups or statement.tables)
    for slab in unsolved(instance).slabs():
        for row in range(len(slab)):
            position = tuple(int(column[row]) for column in slab.coordinates)
            meter.spend(1)
            if not rules.legal(position):
                continue
            at = {**known, **dict(zip(names, position, strict=True))}
            for variables in _values(
                statement.variables, {**at, **instance.constants}, instance.ruleset, meter
            ):
                found = {**at, **variables}
                if not plain or _may(statement, {**found, **instance.constants}, instance.ruleset, meter):
                    yield found


def _may(statement: Statement, values: Mapping[str, int], game: Ruleset, meter: Meter) -> bool:
    try:
        return bool(evaluate(statement.where, values, game.functions, meter))
    except LimitError:
        raise
    except GrundylabError:
        return False


def _values(
    variables: tuple[Ranged, ...], known: Mapping[str, int], game: Ruleset, meter: Meter
) -> Iterator[dict[str, int]]:
    """Yield values of the variables, the first few of each."""
    if not variables:
        yield {}
        return
    (first, *others) = variables
    low, high = (evaluate(end, known, game.functions, meter) for end in first.ends)
    for value in range(low, min(high, low + 8) + 1):
        meter.spend(1)
        for rest in _values(tuple(others), {**known, first.name: value}, game, meter):
            yield {first.name: value, **rest}


def _by_automata(statement: Statement, kernel: Kernel) -> Assignment | None:
    """Return where a false formula would be refuted: there the statement is about something."""
    try:
        asked = replace(statement, target=ALWAYS, formula=FALSE)
        game, question = question_of(asked, Induction())
        assumed, _ = split_where(question.where, game)
        found = kernel.decider(game, question).example((FOLLOWS,), assumed)
    except GrundylabError:
        return None
    whole = found and {**fixed_by(statement.where, statement.game.parameter_names), **found}
    return whole if whole and is_witness(statement, whole) else None


def members_of(game: Ruleset) -> Iterator[tuple[Statement, ...]]:
    """Yield what is to be proved so that some simple functions are a game of the family: the property of each."""
    choices = product(*(((free, body) for body in _bodies(free)) for free in game.free))
    for chosen in islice(choices, MEMBERS):
        given = (Function(free.name, free.arguments, body) for free, body in chosen)
        functions = game.functions.given(*given)
        yield tuple(_property(game, free, functions) for free in game.free)


def _bodies(free: FreeFunction) -> Iterator[Expr]:
    arguments = [Name(argument) for argument in free.arguments]
    yield from (Int(0), Int(1), Int(2), *arguments)
    yield from (Binary("+", argument, Int(1)) for argument in arguments)
    yield from (Binary("//", argument, Int(2)) for argument in arguments)


def _property(game: Ruleset, free: FreeFunction, functions: Functions) -> Statement:
    """Return that a function has its property at all arguments. No position is about anything else."""
    arguments = tuple(Ranged(argument, Range(Int(0), Name(SIZE))) for argument in free.arguments)
    still = replace(
        game, coordinates=arguments, moves=(), measure=Int(0), where=TRUE, bounds=(SIZE,), claims=(), free=(),
        functions=functions, play="normal",
    )  # fmt: skip
    return Statement(still, ALWAYS, functions.expand(free.condition))


def _in_family(statement: Statement) -> Assignment | None:
    game = statement.game
    for width, first in product((3, 8, 24, 70), (0, 1)):
        extents = {
            free.name: Extent((range(first, first + width),) * len(free.arguments), range(3))
            for free in game.free
        }
        try:
            for member in islice(members(game, extents), GAMES):
                tables = tuple(f for f in member.functions if isinstance(f, Tabulated) and f.name in extents)
                if found := next(_small(statement, tables), None):
                    return found
        except GrundylabError:  # a function is asked for a value that it was not given
            continue
    return None
