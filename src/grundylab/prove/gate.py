"""The gate: a test of each statement against the game itself, before it is reported as proved.

A method of proof may misread the statement. The gate shares no code with the methods: it takes the statement as its
author wrote it, evaluates it by the plain evaluator with Python's integers, and plays by the definition of a legal
move. It proves nothing: it refutes the statement, finds nothing wrong, or finds no position that the statement is
about. For a few parameter values it tests

1. small tables, solved by the definition: the statement at every position, for all values of its variables;
2. single positions next to the constants of statement and rules: whether ranges begin at 0 or above, whether moves
   lead into the position space and lower the measure, and whether the value stated for a position agrees with the
   values stated for its options.

A family of games (a ruleset with free functions) is tested in some of its games: the functions have small values, or
are defined by simple expressions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache, partial, reduce
from itertools import chain, islice, product
from math import isqrt
from operator import xor

import numpy as np

from grundylab.check.families import FunctionExtent, chosen_functions, family_games
from grundylab.check.judging import claim_functions
from grundylab.check.verification import Counterexample
from grundylab.errors import EvaluationError, GrundylabError, LimitError, RulesetError, WorkError
from grundylab.games import Claim, Instance, Position, Rules, Ruleset, Target, make_instance
from grundylab.games.lookups import lookup_ruleset
from grundylab.games.model import ALWAYS, P_POSITIONS, FreeFunction, Values
from grundylab.games.settings import Setting
from grundylab.games.specialise import fixed_values, with_variables
from grundylab.games.statements import THIS
from grundylab.language import Expr, Function, Functions, Kind, parse
from grundylab.language.plain import Evaluator, Meter, compile_plain, evaluate
from grundylab.language.substitution import lower
from grundylab.language.syntax import FALSE, TRUE, Binary, Int, called_functions, conjunction, distinct_parts
from grundylab.prove.outcome import GateReport
from grundylab.solve.reference import checked_options, measures_in_order, mex, position_text, solve_reference
from grundylab.solve.table import Table
from grundylab.statement.conditions import split_condition

# Limits for one statement, unless marked otherwise. A step evaluates one operator or number: about a microsecond.
SIZES = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)  # tried as the value of all bounds
TABLES, CELLS, MOVES = 2, 128, 5_000  # the number of tables; cells and moves of each
TABLE_STEPS, READ_STEPS = (
    60_000,
    200_000,
)  # steps to solve a table, once for each game; steps to evaluate the statement at all its positions
LOOKED_UP_CELLS = 2_000  # cells of a table in which values are looked up
SETTINGS, FAR_SETTINGS = 2_000, 8  # how many small parameter values are tried, and how many next to constants
# How many likely coordinates are tried; how many if these give no position; how many positions for each of them.
NUMBERS, SEARCHED, PLACES = 100, 400, 100
FAR_STEPS, NEAR_STEPS = 200_000, 10_000  # steps for all these positions; if no constant is large
# The longest range whose choices are always all tried; the longest for which this is done if some do not suffice.
OPTIONS, ALL_OPTIONS = 24, 100_000
ALL_STEPS = 2_000_000  # steps for positions with all their options
ONE_STEPS = 3_000_000  # steps for the one position that a proof asks about
DEGREES = (
    3,
    4,
    5,
)  # of roots of constants: products of so many equal factors may be compared with a constant
MEMBERS, LISTED = 4, 300  # the number of games of a family that are tested, and of those listed

Holds = Callable[[Mapping[str, int]], bool]  # tells whether a proof covers these parameter values
NOTHING, NO_VALUES = GateReport(), np.zeros(0, dtype=np.int32)


def gate_report(ruleset: Ruleset, claim: Claim, where: Expr = TRUE, holds: Holds | None = None) -> GateReport:
    """Test the claim at positions and parameters that also fulfil ``where``, and return the report.

    holds: tells for which parameter values the claim is proved; None if for all.
    """
    about = replace(claim, where=conjunction(claim.where, where))
    return _look_at_family(ruleset, about) if ruleset.free else _look_at_games(ruleset, about, holds)


def refutation_at(
    ruleset: Ruleset, claim: Claim, parameters: Mapping[str, int], position: Position, first: bool = False
) -> GateReport | None:
    """Return the report if the claim is wrong at this position; None if it is not, or if the test takes too long.

    The position may be large: it is compared with its options, and no table is made. first: True if the claim is known
    to be right at all positions of smaller measure, and so at all options.
    """
    meter = Meter(ONE_STEPS)
    try:
        instance = _instance_beyond(ruleset, parameters, max(position, default=0))
        rules = Rules(instance, meter)
        statement = _Statement(claim, instance, ruleset.functions, meter)
        if not rules.legal(position) or not statement.covers(position):
            return None
        if claim.target == ALWAYS:
            seen = statement.compare(position, 1)
        else:
            values = [statement.option_value(option) for option in checked_options(rules, position)]
            seen, truth = statement.compare_options(position, values), statement.value_by(values)
            if first and seen.bad and truth is not None:
                seen = statement.compare(position, truth, smallest=True)
    except GrundylabError:  # it takes too long, or there is no such game
        return None
    return seen if seen.bad else None


def _look_at_games(ruleset: Ruleset, claim: Claim, holds: Holds | None, far: bool = True) -> GateReport:
    """Test the claim for a few parameter values until something is wrong; return the report.

    far: also test positions beyond tables. holds: as in ``gate_report``.
    """
    others = [lookup_ruleset(of, ruleset) for of in dict.fromkeys(of for _, of in claim.values)]
    always = claim.target == ALWAYS  # then moves make no difference, and there may be variables
    claim = claim if always else replace(claim, variables=())
    space = with_variables(ruleset, claim.variables) if always else replace(ruleset, claims=())
    constants, positions, reach = _constants(ruleset, claim, others), 0, 0
    settings = _settings(ruleset, claim, constants, holds)
    games = [_Game(ruleset, space, others, claim, each, constants, len(settings)) for each in settings]
    stages = [game.in_table() for game in games[: 1 if always else TABLES]]
    stages += [game.far_out() for game in games] if far else []
    for stage in chain(stages, (game.far_out(range(1, SEARCHED)) for game in games if far and not positions)):
        try:
            for seen in stage:
                positions, reach = positions + seen.positions, max(reach, seen.reach)
                if seen.bad:
                    return replace(seen, positions=positions, reach=reach)
        except (LimitError, WorkError):  # keep what was seen before the limit
            continue
        except GrundylabError as error:
            return GateReport(positions, reach, fault=error.message)
    return GateReport(positions, reach, beyond=reach > constants[-1])


# -- a statement at one position --------------------------------------------------------------------------------------


class _Statement:
    """The claim in one instance. Its positions hold the values of coordinates, then of the claim's variables."""

    def __init__(self, claim: Claim, instance: Instance, functions: Functions, meter: Meter) -> None:
        self._target, self._ruleset, self._known = claim.target, instance.ruleset, instance.constants
        self._names, self._variables = instance.ruleset.coordinate_names, len(claim.variables)
        self._where = compile_plain(claim.where, functions, meter)
        self._formula = compile_plain(claim.formula, functions, meter)

    def covers(self, position: Position) -> bool:
        """Tell whether the claim is about the position; False if its condition has no value there."""
        return bool(self._value(self._where, position))

    def compare(self, position: Position, truth: int, smallest: bool = False) -> GateReport:
        """Report whether the value stated for the position is the true one; empty if the claim is not about it.

        smallest: True if there is no smaller counterexample.
        """
        try:
            if not self.covers(position):
                return NOTHING
            found = self._value(self._formula, position)
        except LimitError:  # past the end of a table, or too large
            return NOTHING
        seen = GateReport(1, max(position, default=0))
        if found == truth:
            return seen
        at = dict(zip(self._names[: len(self._names) - self._variables], position, strict=False))
        parameters = {name: self._known[name] for name in self._ruleset.parameter_names}
        # where the measure has no value the rules are wrong, too
        measure = self._value(compile_plain(self._ruleset.measure, self._ruleset.functions), position) or 0
        return replace(seen, wrong=Counterexample(at, parameters, measure, truth, found, smallest=smallest))

    def compare_options(
        self, position: Position, values: Sequence[int | None], complete: bool = True
    ) -> GateReport:
        """Report whether the value stated for the position agrees with the values stated for its options.

        values: those of the options, None where unknown. complete: True if ``values`` has all options of the position,
        False if it has some.
        """
        here, at = self._value(self._formula, position), position_text(self._names, position)
        seen = GateReport(1, max(position, default=0))
        if here is None:
            return replace(seen, contradiction=f"it has no value at {at}")
        there = {name: self._known[name] for name in self._ruleset.parameter_names}, tuple(position)
        if here in values and (here or self._target.name == "grundy"):
            why = f"it says the same of {at} and of one of its options"
            return replace(seen, contradiction=why, contradicted=there)
        if complete and self.value_by(values) not in (None, here):
            why = f"what it says of {at} contradicts what it says of its options"
            return replace(seen, contradiction=why, contradicted=there)
        return seen

    def option_value(self, option: Sequence[Position]) -> int | None:
        """Return the value stated for an option, a sum of positions; None if the statement does not give it."""
        values = [self._value(self._formula, part) for part in option if self.covers(part)]
        if len(values) < len(option) or None in values:
            return None
        if self._target.name == "grundy":
            return reduce(xor, (value for value in values if value is not None))
        if self._target == P_POSITIONS:  # P + P is P, P + N is N, N + N may be either
            return None if values.count(0) > 1 else int(all(values))
        return values[0] if len(values) == 1 else None

    def value_by(self, values: Sequence[int | None]) -> int | None:
        """Return the value of a position whose options have these values; None if they do not determine it."""
        known = [value for value in values if value is not None]
        if len(known) < len(values) or self._target.name == "level":
            return None
        if self._target.name == "grundy":
            return mex(known)
        return int(not any(known) and (bool(known) or self._ruleset.play == "normal"))

    def _value(self, evaluator: Evaluator, position: Position) -> int | None:
        """Return a formula's value at the position; None if it has none. Raises LimitError if it is too large."""
        try:
            return int(evaluator({**self._known, **dict(zip(self._names, position, strict=True))}))
        except LimitError:
            raise
        except EvaluationError:
            return None


def target_value(number: int, target: Target) -> int:
    """Return the value that a correct formula for the target has at a position.

    number: the position's Grundy number, or its outcome (0 for P, 1 for N) if the target is P- or N-positions.
    """
    return number if target.name == "grundy" else int(number == target.value)


# -- one game ---------------------------------------------------------------------------------------------------------


@dataclass
class _Game:
    """The statement in the game with certain parameter values.

    space: the ruleset with the claim's variables as further coordinates. others: the games that the claim looks up.
    constants: the numbers in statement and rules. games: the number of games that share the budget of steps. reach: the
    largest coordinate that tables have covered.
    """

    ruleset: Ruleset
    space: Ruleset
    others: Sequence[Ruleset]
    claim: Claim
    parameters: Mapping[str, int]
    constants: Sequence[int]
    games: int
    reach: int = SIZES[3]

    def in_table(self) -> Iterator[GateReport]:
        """Yield a report on each position of a small table."""
        values = None if self.claim.target == ALWAYS else self.claim.target.values
        table, positions = _table(
            self.space, self.ruleset.coordinate_names, tuple(self.parameters.items()), values
        )
        size = max(dict(table.instance.bounds).values(), default=0)
        statement = _Statement(self.claim, table.instance, self._functions(size), Meter(READ_STEPS // TABLES))
        for position in positions:
            self.reach = min(size, max(position, default=0))  # in case the steps run out
            truth = 1 if values is None else target_value(table[position], self.claim.target)
            yield statement.compare(position, truth, smallest=True)
        self.reach = size if self.ruleset.bounds else self.constants[-1]

    def far_out(self, numbers: Sequence[int] = ()) -> Iterator[GateReport]:
        """Yield reports on positions with one coordinate among ``numbers``, by default numbers beyond the tables.

        Each position is compared with some of its options, or with all if some do not determine its value.
        """
        for game in self.others:  # only the rules of looked-up games are tested
            known = {name: value for name, value in self.parameters.items() if name in game.parameter_names}
            nothing = Claim("", P_POSITIONS, TRUE, FALSE)
            with suppress(LimitError, WorkError):
                yield from _Game(game, game, (), nothing, known, self.constants, self.games).far_out(numbers)
        largest = self.constants[-1]
        steps = FAR_STEPS if numbers else min(FAR_STEPS, NEAR_STEPS + 20 * largest**2)
        numbers = numbers or _numbers_beyond(self.reach, self.constants, self.parameters.values())
        if not numbers:
            return
        functions, fixed = (
            self._functions(largest + 2),
            fixed_values(self.claim.where, self.space.coordinate_names),
        )
        instance = _instance_beyond(self.space, self.parameters, max(numbers))
        meter, more = Meter(steps // self.games), Meter(min(ALL_STEPS, 300 * largest) // self.games)
        statement = _Statement(self.claim, instance, functions, meter)
        far = _FarPositions(instance, numbers, self.constants, meter)
        positions = far.positions(self.ruleset.coordinate_names, fixed)
        if self.claim.target == ALWAYS:
            yield from (statement.compare(position, 1) for position in positions)
            return
        complete, rules = _Statement(self.claim, instance, functions, more), Rules(instance, more)
        for position in positions:
            with suppress(LimitError):
                options, longest = far.options(position)
                if not statement.covers(position):
                    continue
                values = list(map(statement.option_value, options))
                yield statement.compare_options(position, values, complete=longest == 0)
                # an N-position with a P-option is decided
                if 0 < longest <= ALL_OPTIONS and statement.value_by(values) != 0:
                    with suppress(WorkError):
                        values = list(map(complete.option_value, checked_options(rules, position)))
                        yield replace(complete.compare_options(position, values), positions=0)

    def _functions(self, size: int) -> Functions:
        """Return the functions that the claim may call; look-ups have values only within tables.

        size: a limit for the bounds of these tables; it has no effect if the claim looks up the game itself.
        """
        if not self.claim.values and not self.claim.tables:
            return self.ruleset.functions
        if any(of == THIS for _, of in self.claim.values):
            game, setting = replace(self.ruleset, claims=()), tuple(self.parameters.items())
            return claim_functions(self.claim, _table(game, game.coordinate_names, setting, "grundy")[0])
        coordinates = max((len(game.coordinates) for game in self.others), default=1)
        bounds = dict.fromkeys(self.ruleset.bounds, min(size, int(LOOKED_UP_CELLS ** (1 / coordinates))))
        instance = make_instance(self.ruleset, self.parameters, bounds)
        return claim_functions(self.claim, Table(instance, "outcome", NO_VALUES))


def _instance_beyond(ruleset: Ruleset, parameters: Mapping[str, int], most: int) -> Instance:
    """Return an instance with bounds beyond all coordinates of at most ``most``; such an instance is never solved."""
    return make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, 1 << (4 * most + 4).bit_length()))


@lru_cache(maxsize=64)
def _table(
    ruleset: Ruleset, natural: tuple[str, ...], setting: Setting, values: Values | None
) -> tuple[Table, Sequence[Position]]:
    """Return a small table, solved by the definition, and its positions by increasing measure.

    There are no positions if even the smallest table is too large. natural: the coordinates whose ranges must not begin
    below 0. values: the kind of values to solve; None for positions without values.
    """
    check = partial(_check_natural, natural)
    sizes = [dict.fromkeys(ruleset.bounds, size) for size in (SIZES if ruleset.bounds else (0,))]
    instances = [make_instance(ruleset, dict(setting), bounds) for bounds in sizes]
    for instance in reversed(instances):
        try:
            if instance is not instances[0] and (instance.cells > CELLS or instance.moves > MOVES):
                continue
            positions = list(measures_in_order(Rules(instance, Meter(TABLE_STEPS), check)))
            table = solve_reference(instance, values, Meter(TABLE_STEPS)) if values else None
            return table or Table(instance, "outcome", NO_VALUES), positions
        except GrundylabError as error:  # too large, or beyond the end of a tabulated function
            if isinstance(_cause(error), RulesetError):
                raise
    return Table(instances[0], "outcome", NO_VALUES), []


def _cause(error: GrundylabError) -> GrundylabError:
    """Return the LimitError behind an error, if an exceeded limit made the rules look faulty; else the error itself."""
    return error.__context__ if isinstance(error.__context__, LimitError) else error


# -- positions next to far numbers ------------------------------------------------------------------------------------


class _FarPositions:
    """Positions in which one coordinate is among given ``numbers``, and some of the options of such positions.

    more: values that are likely to matter for the other coordinates.
    """

    def __init__(self, instance: Instance, numbers: Sequence[int], more: Sequence[int], meter: Meter) -> None:
        self._instance, self._numbers, self._meter = instance, numbers, meter
        self._likely, self._number = [*numbers[:12], *more], 0
        self._names, self._chance = instance.ruleset.coordinate_names, random.Random(0)
        self._picks = {1: 8, 2: 6, 3: 4, 4: 3}.get(len(self._names), 2)
        self._rules, self._longest = Rules(instance, meter, self._choices), 0

    def positions(self, natural: Sequence[str], fixed: Mapping[str, int]) -> Iterator[Position]:
        """Yield different positions: one coordinate is in ``numbers``, the others are small, near to it, or random.

        natural: the coordinates whose ranges must not begin below 0. fixed: coordinates with a prescribed value.
        """

        def sample(name: str, span: range, known: Mapping[str, int]) -> Iterable[int]:
            _check_natural(natural, name, span, known)
            if name in fixed:
                return [fixed[name]] if fixed[name] in span else []
            if span.stop - span.start <= self._picks:
                return span
            low, chance = span.start, self._chance
            others = [low, low + chance.randrange(8), self._number - 1, chance.choice(self._likely)]
            others += [known[each] for each in self._names if each in known]
            others += [span.stop - 1] * (span.stop < 3 * max(self._numbers))
            chance.shuffle(others)
            return [n for n in dict.fromkeys([self._number, *others]) if n in span][: self._picks]

        rules, seen = Rules(self._instance, self._meter, sample), set[Position]()
        for number in (*self._numbers[:9], *self._numbers[:9], *self._numbers):
            self._number = number
            with suppress(LimitError):
                for position in islice(rules.positions(), PLACES):
                    if position not in seen:
                        seen.add(position)
                        yield position

    def options(self, position: Position) -> tuple[Sequence[Sequence[Position]], int]:
        """Return (options, longest) for the position; options are left out if a choice of a move has a long range.

        longest: the size of the longest range of which only some values were used; 0 if all options are there.

        Raises RulesetError if a move leaves the space or does not lower the measure, or if the measure is negative.
        """
        self._longest, measure = 0, self._rules.measure(position)
        if measure < 0:
            raise RulesetError(
                f"the measure is negative ({measure}) at {position_text(self._names, position)}"
            )
        try:
            return checked_options(self._rules, position), self._longest
        except RulesetError as error:
            raise _cause(error) from None

    def _choices(self, name: str, span: range, known: Mapping[str, int]) -> Iterable[int]:
        first, last = span.start, span.stop - 1
        if last - first < OPTIONS:
            return span
        self._longest = max(self._longest, last - first + 1)
        near = [*(known[each] for each in self._names), *self._chance.choices(self._numbers, k=2)]
        ends = (first, first + 1, first + 2, last - 2, last - 1, last)
        values = (*ends, *near, *(last + d - each for each in near for d in (0, 1)))
        return [value for value in dict.fromkeys(values) if value in span]


def _check_natural(names: Sequence[str], name: str, span: range, known: Mapping[str, int]) -> range:
    """Return the range ``span`` of the coordinate ``name``; raise RulesetError if it must not begin below 0 but does.

    names: the coordinates whose ranges must not. known: the values of other coordinates, for the message.
    """
    if span.start < 0 and span.stop > span.start and name in names:
        at = ", ".join(f"{each}={known[each]}" for each in names if each in known)
        raise RulesetError(f"the range of {name} begins at {span.start}, below 0" + (at and f", where {at}"))
    return span


def _constants(ruleset: Ruleset, claim: Claim, others: Sequence[Ruleset]) -> Sequence[int]:
    """Return the constants in the claim, in the rules of all games and in the functions called there, in order."""
    claimed = [claim.formula, claim.where, *(end for variable in claim.variables for end in variable.ends)]
    found = {0}
    for game in (ruleset, *others):
        about = [*game.expressions, game.domain, *(claimed if game is ruleset else ())]
        functions = [each for each in game.functions.called_by(*about) if isinstance(each, Function)]
        found |= {abs(n) for function in functions for pair in function.initial for n in pair}
        for node in chain(
            *(distinct_parts(lower(expr)) for expr in (*about, *(each.body for each in functions)))
        ):
            if node.kind is Kind.NUMBER and not node.free and not called_functions(node):
                with suppress(GrundylabError):  # no value, or too many steps
                    found.add(abs(evaluate(node, {}, meter=Meter(NEAR_STEPS))))
            elif isinstance(node, Binary) and node.op == ">>" and isinstance(node.right, Int):
                found.add(1 << min(node.right.value, 64))
    return sorted(found)


def _numbers_beyond(reach: int, constants: Iterable[int], parameters: Iterable[int] = ()) -> list[int]:
    """Return numbers above ``reach`` near which the statement may become false, the likeliest first."""
    base = sorted({*constants, *(value + d for value in parameters for d in (0, 1))})
    several = [c for c in base if c > 1]
    more = [n for a in several[-6:] for n in (isqrt(a), a // 2)]
    for a, b in product(several[-6:], dict.fromkeys(several[:12] + several[-6:])):
        more += [a * b, (a + 1) * b, (a - 1) * b, (a + 1) * (b + 1), a + b, a - b, a // b]
    more += [_root(a, degree) for a in several[-6:] for degree in DEGREES]
    near = [n + d for n in base[:-20:-1] for d in (0, 1, -1)] + more + [n + d for n in more for d in (1, -1)]
    return list(islice(dict.fromkeys(n for n in near if n > reach), NUMBERS))


def _root(number: int, degree: int) -> int:
    """Return the root of a positive number, rounded down."""
    root = 1 << -(-number.bit_length() // degree)  # not below the root; Newton's steps fall to it
    while (closer := ((degree - 1) * root + number // root ** (degree - 1)) // degree) < root:
        root = closer
    return root


def _settings(
    ruleset: Ruleset, claim: Claim, constants: Sequence[int], holds: Holds | None
) -> Sequence[Mapping[str, int]]:
    """Return a few parameter values that the claim is about: small ones, and some next to its constants."""
    names, (assumed, _) = ruleset.parameter_names, split_condition(claim.where, ruleset)
    inside = compile_plain(conjunction(ruleset.domain, assumed), ruleset.functions, Meter(READ_STEPS))
    fixed, small = fixed_values(assumed, names), range(24 if len(names) == 1 else 6)

    def fitting(tried: Iterable[Sequence[int]]) -> Iterator[Mapping[str, int]]:
        for values in dict.fromkeys(tuple(map(fixed.get, names, each)) for each in tried):
            parameters = dict(zip(names, values, strict=True))
            with suppress(GrundylabError):
                if inside(parameters) and (holds is None or holds(parameters)):
                    yield parameters

    tried = chain(((value,) * len(names) for value in small), product(small, repeat=len(names)))
    first = list(islice(fitting(islice(tried, SETTINGS)), 6))
    numbers = [n for n in _numbers_beyond(2, constants) if n > max(small) or {n - 1, n, n + 1} & {*constants}]
    each_far = product(numbers, names, (1, 2, 0))
    far = ([number if name == each else other for each in names] for number, name, other in each_far)
    return [*first[:2], *first[5:], *islice(fitting(far), FAR_SETTINGS)]


# -- families ---------------------------------------------------------------------------------------------------------


def _look_at_family(ruleset: Ruleset, claim: Claim) -> GateReport:
    """Test the claim in some games of the family until it is wrong in one; return the report."""
    positions, reach = 0, 0
    for member in _members(replace(ruleset, claims=())):
        given = [member.functions[free.name] for free in ruleset.free]
        written = [f"{f.name}() = {f.body.children[0]}" for f in given if isinstance(f, Function)]
        seen = _look_at_games(member, claim, None, far=bool(written))
        positions, reach = positions + seen.positions, max(reach, seen.reach)
        if (wrong := seen.wrong) is not None and written:
            return replace(seen, wrong=None, contradiction=f"it is wrong where {', '.join(written)}")
        if wrong is not None:
            wrong = replace(wrong, functions=chosen_functions(member, ruleset), smallest=False)
        if seen.bad:
            return replace(seen, wrong=wrong)
    return GateReport(positions, reach)


@lru_cache(maxsize=8)
def _members(ruleset: Ruleset) -> Sequence[Ruleset]:
    """Return games of the family: first with functions of few, small values, then with simple expressions."""
    found = list[Ruleset]()
    for first in (0, 1):
        extents = {}
        for free in ruleset.free:
            count = len(free.arguments)
            extents[free.name] = FunctionExtent(
                (range(first, first + 6 // count),) * count, range(4 - min(count, 2))
            )
        with suppress(GrundylabError):  # the property needs a value below the first argument
            games = list(islice(family_games(ruleset, extents), LISTED))
            found += games[:: len(games) // MEMBERS + 1]
            break
    for text in ("0", "1", "{n}", "{n} // 2", "2*{n}", "{n} + 1"):
        functions = ruleset.functions
        for free in ruleset.free:
            natural = f"isqrt(min({', '.join((*free.arguments, free.arguments[0]))}))"  # no value below 0
            body = parse(f"{text.format(n=free.arguments[-1])} + 0*{natural}")
            functions = functions.given(Function(free.name, free.arguments, body))
        if all(_is_fulfilled(free, functions) for free in ruleset.free):
            found.append(replace(ruleset, functions=functions, free=()))
    return found


def _is_fulfilled(free: FreeFunction, functions: Functions) -> bool:
    """Tell whether the function has its property at some small and large arguments; long tests are skipped."""
    for arguments in product((*range(5), 9, 40, 10**6), repeat=len(free.arguments)):
        known = dict.fromkeys(functions.parameters, 1) | dict(zip(free.arguments, arguments, strict=True))
        try:
            if not evaluate(free.condition, known, functions, Meter(NEAR_STEPS, LimitError)):
                return False
        except EvaluationError as error:
            if not isinstance(error, LimitError):
                return False
    return True
