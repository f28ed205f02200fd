"""Claims about a family of games: about every function with a property, up to a size.

A ruleset may leave a function open: ``f(n): {any: CONDITION}``. Its claims are then judged in many games, one for each
function that satisfies the condition at every argument in a box and has its values in a given range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from math import prod

import numpy as np

from grundylab.check.judging import claim_functions, judge_table
from grundylab.check.samples import Samples
from grundylab.check.verification import Check, ChosenFunction, Verdict, merge_checks
from grundylab.errors import EvaluationError, FormulaError, InstanceError, RulesetError, WorkError
from grundylab.games import Claim, Instance, Ruleset
from grundylab.games.model import FreeFunction
from grundylab.games.yamlfile import parse_span
from grundylab.language import Functions
from grundylab.language.functions import AnyFunction, Function, Tabulated
from grundylab.language.names import GAME, family_function_name
from grundylab.language.plain import Meter, compile_plain
from grundylab.language.syntax import Call, Name
from grundylab.solve import solve
from grundylab.solve.table import Table, target_values

MAX_ARGUMENTS = 10_000  # tuples of arguments; each game of the family stores the value at all of them
MAX_GAMES = 100_000  # games of a family; each takes at least half a millisecond, and its table is kept
MAX_CELLS = 100_000_000  # of the tables of all games: 400 MB
SEARCH_STEPS = 20_000_000  # steps that evaluate conditions on functions; so many take five to fifteen seconds
_HOLE = -1


@dataclass(frozen=True)
class FunctionExtent:
    """The extent to which a free function is examined: a range for each argument, and the range of its values."""

    arguments: tuple[range, ...]
    values: range

    def __str__(self) -> str:
        return f"{', '.join(map(_span, self.arguments))} -> {_span(self.values)}"

    @property
    def size(self) -> int:
        """The number of tuples of arguments."""
        return prod(map(len, self.arguments))


def _span(numbers: range) -> str:
    return f"{numbers.start}..{numbers.stop - 1}"


def parse_extent(text: str) -> FunctionExtent:
    """Parse ``0..10 -> 0..11``, or ``0..2, 0..7 -> 0..3`` for two arguments. Raises FormulaError for any other text."""
    left, arrow, right = text.partition("->")
    spans = [parse_span(part) for part in (*left.split(","), right)]
    if not arrow or not all(spans):
        raise FormulaError(
            f"'{text.strip()}' is not an extent; write arguments -> values, as in 0..10 -> 0..11"
        )
    *arguments, values = (span for span in spans if span is not None)
    return FunctionExtent(tuple(arguments), values)


def check_extents(ruleset: Ruleset, extents: Mapping[str, FunctionExtent]) -> None:
    """Raise InstanceError unless every free function has an extent, with as many arguments and of limited size."""
    for function in ruleset.free:
        if function.name not in extents:
            raise InstanceError(
                f"{ruleset.name}: {function.name}() is a free function without an extent; give one, as in "
                f"{function.name}: {', '.join('0..10' for _ in function.arguments)} -> 0..10"
            )
        given, wanted = len(extents[function.name].arguments), len(function.arguments)
        if given != wanted:
            raise InstanceError(f"{ruleset.name}: {function.name}() has {wanted} arguments, not {given}")
        if (size := extents[function.name].size) > MAX_ARGUMENTS:
            raise InstanceError(
                f"{ruleset.name}: {function.name}: {extents[function.name]} has {size:,} arguments; "
                f"choose at most {MAX_ARGUMENTS:,}"
            )
    for name in extents:
        if all(function.name != name for function in ruleset.free):
            raise InstanceError(f"{ruleset.name} has no free function '{name}'")


def family_games(ruleset: Ruleset, extents: Mapping[str, FunctionExtent]) -> Iterator[Ruleset]:
    """Yield the game for each choice of the free functions, in lexicographic order of the functions' values.

    Each game is yielded as soon as it is found. Raises InstanceError if the search takes too many steps.
    """
    meter = Meter(SEARCH_STEPS)

    def games(chosen: tuple[Tabulated, ...]) -> Iterator[Ruleset]:
        if len(chosen) == len(ruleset.free):
            yield replace(ruleset, functions=ruleset.functions.given(*chosen), free=())
            return
        free = ruleset.free[len(chosen)]
        for table in _tables(free, extents[free.name], ruleset.functions, meter):
            yield from games((*chosen, table))

    try:
        yield from games(())
    except WorkError:
        raise InstanceError(
            f"{ruleset.name}: finding all functions with {_extents_text(extents)} takes more than {SEARCH_STEPS:,} "
            "steps; choose fewer arguments or values"
        ) from None


def _extents_text(extents: Mapping[str, FunctionExtent]) -> str:
    return "; ".join(f"{name}: {extent}" for name, extent in extents.items())


def _tables(
    free: FreeFunction, extent: FunctionExtent, functions: Functions, meter: Meter
) -> Iterator[Tabulated]:
    """Yield every function with this extent that satisfies the condition on the free function, as a table.

    The condition at one tuple of arguments may depend only on the function's values there and at earlier tuples. Raises
    RulesetError if it depends on other values, WorkError if the meter runs out.
    """
    lows = tuple(span.start for span in extent.arguments)
    values = np.full([len(span) for span in extent.arguments], _HOLE, dtype=np.int64)
    what = f"{free.name}(), which has the extent {extent}"
    partial = Tabulated(free.name, free.arguments, values, lows, what, _HOLE)
    # the condition reads the array while it is being filled
    fits = compile_plain(free.condition, functions.given(partial), meter)
    cells = list(product(*extent.arguments))
    untried = [iter(extent.values)]  # for each cell up to the current one, the values that are still to try
    while untried:
        cell = cells[len(untried) - 1]
        offset = tuple(argument - low for argument, low in zip(cell, lows, strict=True))
        values[offset] = next(untried[-1], _HOLE)
        if values[offset] == _HOLE:
            untried.pop()
            continue
        environment = dict(zip(free.arguments, cell, strict=True))
        try:
            good = fits(environment)
        except EvaluationError as error:
            raise RulesetError(
                f"the condition on {free.name}() at {environment} needs values that are not chosen yet: "
                f"{error.message}"
            ) from None
        if good and len(untried) == len(cells):
            yield replace(partial, values=values.copy())
        elif good:
            untried.append(iter(extent.values))


@lru_cache(maxsize=2)  # a refuted claim and its replacement are judged in the same games
def _solved(instance: Instance, extents: tuple[tuple[str, FunctionExtent], ...]) -> tuple[Table, ...]:
    """Return the tables of all games of the family at this instance.

    Raises InstanceError, before any game is solved, if there are too many games.
    """
    most = min(MAX_GAMES, MAX_CELLS // max(1, instance.cells))
    games = list(islice(family_games(instance.ruleset, dict(extents)), most + 1))
    if len(games) > most:
        raise InstanceError(
            f"{instance}: there are more than {most:,} games with {_extents_text(dict(extents))}; "
            "choose fewer arguments or values"
        )
    return tuple(solve(Instance(game, instance.parameters, instance.bounds)) for game in games)


def judge_family(
    claims: Sequence[Claim], instances: Sequence[Instance], extents: Mapping[str, FunctionExtent]
) -> tuple[list[Verdict], int]:
    """Return the verdict of each claim over all games of the family, and the number of games.

    instances: of the ruleset with the free functions. Raises InstanceError if the extents do not fit the ruleset, or if
    there are too many games.
    """
    games, checks = 0, []
    for instance in instances:
        check_extents(instance.ruleset, extents)
        tables = _solved(instance, tuple(extents.items()))
        games += len(tables)
        merged = []
        for claim in claims:
            one_each = [Check(instance, 0, None)]
            for table in tables:
                check = judge_table(claim, table)
                functions = chosen_functions(table.instance.ruleset, instance.ruleset)
                example = check.counterexample and replace(check.counterexample, functions=functions)
                one_each.append(replace(check, counterexample=example, all_wrong=()))
            merged.append(merge_checks(one_each))
        checks.append(merged)
    verdicts = [
        Verdict(claim.formula, claim.target, claim.where, tuple(results[number] for results in checks))
        for number, claim in enumerate(claims)
    ]
    return verdicts, games


def family_samples(claim: Claim, instance: Instance, extents: Mapping[str, FunctionExtent]) -> Samples:
    """Return the positions of all games of the family at one instance as samples, for a claim.

    The samples have the functions that the claim may call, and the number of the game as a further parameter. Functions
    given by tables take this number as a further argument, so that ``f(x)`` in a formula has its value in the game of
    the row.
    """
    ruleset, slabs, numbers = instance.ruleset, [], []
    tables: dict[str, list[Tabulated]] = {}
    for number, table in enumerate(_solved(instance, tuple(extents.items()))):
        for function in claim_functions(claim, table):
            if isinstance(function, Tabulated):
                tables.setdefault(function.name, []).append(function)
        (slab,) = table.slabs(max(1, table.instance.cells))
        slabs.append(slab)
        numbers.append(np.full(len(slab), number))
    columns = {
        name: np.concatenate([slab.coordinates[place] for slab in slabs])
        for place, name in enumerate(ruleset.coordinate_names)
    }
    columns[GAME] = np.concatenate(numbers)
    columns |= {name: np.full(len(columns[GAME]), value) for name, value in instance.parameters}
    functions = list[AnyFunction]()
    # for each name, a function with the game as a further argument, and one that calls it for the row's game
    for name, of_games in tables.items():
        first, values = of_games[0], np.stack([table.values for table in of_games])
        arguments, lows = (GAME, *first.arguments), (0, *first.lows)
        whole = Tabulated(family_function_name(name), arguments, values, lows, first.what, first.hole)
        called = Call(whole.name, tuple(map(Name, arguments)))
        functions += [whole, Function(name, first.arguments, called)]
    kept = tuple(item for item in ruleset.functions if item.name not in tables)
    parameters = (*ruleset.parameter_names, GAME)
    wanted = target_values(np.concatenate([slab.values for slab in slabs]), claim.target)
    return Samples(tuple(columns), columns, wanted, parameters, Functions((*functions, *kept), parameters))


def chosen_functions(game: Ruleset, family: Ruleset) -> dict[str, ChosenFunction]:
    """Return for each free function of the family, by name, its values in this game."""
    tables = [game.functions[free.name] for free in family.free]
    return {
        table.name: ChosenFunction(table.lows, table.values.shape, tuple(map(int, table.values.flat)))
        for table in tables
        if isinstance(table, Tabulated)
    }
