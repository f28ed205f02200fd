"""The search for a witness of a statement: a position that it is about, with values of parameters and variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, product

from grundylab.errors import GrundylabError, LimitError
from grundylab.games.instance import Instance, make_instance
from grundylab.games.model import ALWAYS, Ranged, Ruleset
from grundylab.games.rules import Rules
from grundylab.games.specialise import fixed_values
from grundylab.language.functions import Function
from grundylab.language.plain import Meter, evaluate
from grundylab.language.syntax import FALSE, Binary, Expr, Int, Name, called_functions, conjunction, conjuncts
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.game import FOLLOWS
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.solution import question_of
from grundylab.prove.core.witness import Assignment, is_witness, member_statement
from grundylab.prove.ground_truth import parameters_within
from grundylab.solve.table import unsolved_table
from grundylab.statement import Statement
from grundylab.statement.conditions import split_condition

SIZES = (0, 1, 2, 3, 5, 8, 12, 20, 32, 48, 64, 100, 150)  # tried as the value of all bounds
STEPS = 300_000  # steps of evaluation, in all
VALUES = 40  # the number of values tried for a parameter
MEMBERS = 40  # the number of simple functions tried for a family


def witness_of(
    statement: Statement, kernel: Kernel, proves: Callable[[Sequence[Statement]], bool]
) -> Assignment | None:
    """Return a witness of the statement as values by name; None if none is found.

    It is looked for near 0, then at any size by automata: if the statement's formula is replaced by FALSE, they find it
    as a counterexample. For a family of games, it is a witness in one of the games. proves: tells whether all
    statements in a sequence can be proved; it is called to prove that the functions of that game have the required
    properties.
    """
    if statement.game.free:
        return _in_family(statement, kernel, proves)
    if near := next(_small(statement, kernel), None):
        return near
    try:
        asked = replace(statement, target=ALWAYS, formula=FALSE)
        game, question = question_of(asked, Induction())
        assumed, _ = split_condition(question.where, game)
        example = kernel.decider(game, question).example((FOLLOWS,), assumed)
    except GrundylabError:
        return None
    whole = example and {**fixed_values(statement.where, statement.game.parameter_names), **example}
    return whole if whole and is_witness(statement, whole, kernel) else None


def _small(statement: Statement, kernel: Kernel) -> Iterator[Assignment]:
    game, meter = statement.game, Meter(STEPS, LimitError)
    assumed, _ = split_condition(statement.where, game)
    near = {*range(VALUES), *fixed_values(assumed, game.parameter_names).values()}
    try:
        for size in SIZES:
            for parameters in islice(parameters_within(game, assumed, sorted(near)), 4):
                instance = make_instance(game, parameters, dict.fromkeys(game.bounds, size))
                for assignment in _assignments(statement, instance, meter):
                    if is_witness(statement, assignment, kernel):
                        yield assignment
    except GrundylabError:  # too many steps, or no such game
        return


def _assignments(statement: Statement, instance: Instance, meter: Meter) -> Iterator[dict[str, int]]:
    """Yield the positions of an instance, each with values of the statement's variables, as values by name.

    All fulfil the part of the statement's condition that calls no look-up or table.
    """
    names, parameters = statement.game.coordinate_names, dict(instance.parameters)
    called = {lookup.name for lookup in statement.lookups} | {table.name for table in statement.tables}
    terms = (term for term in conjuncts(statement.where) if not called_functions(term) & called)
    rules, where = Rules(instance), conjunction(*terms)
    for slab in unsolved_table(instance).slabs():
        for row in range(len(slab)):
            position = tuple(int(column[row]) for column in slab.coordinates)
            meter.spend(1)
            if not rules.legal(position):
                continue
            at = {**parameters, **dict(zip(names, position, strict=True))}
            for variables in _values(
                statement.variables, {**at, **instance.constants}, instance.ruleset, meter
            ):
                assignment = {**at, **variables}
                if _may(where, {**assignment, **instance.constants}, instance.ruleset, meter):
                    yield assignment


def _may(where: Expr, values: Mapping[str, int], game: Ruleset, meter: Meter) -> bool:
    try:
        return bool(evaluate(where, values, game.functions, meter))
    except LimitError:
        raise
    except GrundylabError:
        return False


def _values(
    variables: tuple[Ranged, ...], given: Mapping[str, int], game: Ruleset, meter: Meter
) -> Iterator[dict[str, int]]:
    """Yield combinations of the first few values of each variable, by name."""
    if not variables:
        yield {}
        return
    (first, *others) = variables
    low, high = (evaluate(end, given, game.functions, meter) for end in first.ends)
    for value in range(low, min(high, low + 8) + 1):
        meter.spend(1)
        for rest in _values(tuple(others), {**given, first.name: value}, game, meter):
            yield {first.name: value, **rest}


def _in_family(
    statement: Statement, kernel: Kernel, proves: Callable[[Sequence[Statement]], bool]
) -> Assignment | None:
    """Return a witness in a game of the family whose functions are simple and proved to have the properties."""
    free, simple = statement.game.free, list[list[Expr]]()
    for function in free:
        arguments = [Name(argument) for argument in function.arguments]
        sums = [Binary("+", argument, Int(1)) for argument in arguments]
        halves = [Binary("//", argument, Int(2)) for argument in arguments]
        simple.append([Int(0), Int(1), Int(2), *arguments, *sums, *halves])
    for bodies in islice(product(*simple), MEMBERS):
        functions = [Function(f.name, f.arguments, body) for f, body in zip(free, bodies, strict=True)]
        try:
            member, needed = member_statement(statement, functions)
        except GrundylabError:  # the properties cannot be written
            return None
        witness = next(_small(member, kernel), None)
        if witness is not None and proves(needed):
            return witness
    return None
