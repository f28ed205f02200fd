"""The gate: a test of each statement against the game itself, before it is reported as proved.

A method of proof may misread the statement. The gate shares no code with the methods: it takes the statement as its
author wrote it, and the game by the definition of a legal move. It proves nothing: it refutes the statement, finds
nothing wrong, or finds no position that the statement is about. For a few parameter values it looks at

1. a small table, solved by the definition, in which the statement is judged as any claim is;
2. far positions, in which a coordinate is next to a constant: whether ranges begin at 0 or above, whether moves lead
   into the position space and lower the measure, and whether the value stated for a position agrees with the values
   stated for its options.

Of a family of games (a ruleset with free functions) a few games are tested.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import chain, islice, product
from math import isqrt
from operator import xor

import numpy as np

from grundylab.check.families import FunctionExtent, chosen_functions, family_games
from grundylab.check.judging import claim_functions, judge_table
from grundylab.check.samples import restricted_columns
from grundylab.check.verification import Counterexample
from grundylab.errors import EvaluationError, GrundylabError, LimitError, RulesetError, WorkError
from grundylab.games import Claim, Position, Rules, Ruleset, make_instance
from grundylab.games.lookups import lookup_ruleset
from grundylab.games.model import ALWAYS, P_POSITIONS, FreeFunction, Values
from grundylab.games.settings import Setting
from grundylab.games.specialise import fixed_values, with_variables
from grundylab.language import Expr, Function, Functions, Kind, parse
from grundylab.language.functions import Tabulated
from grundylab.language.plain import Evaluator, Meter, compile_plain, evaluate
from grundylab.language.substitution import lower
from grundylab.language.syntax import FALSE, TRUE, Binary, Int, called_functions, conjunction, distinct_parts
from grundylab.prove.ground_truth import largest_instance, parameters_within
from grundylab.prove.outcome import GateReport
from grundylab.solve.reference import checked_options, mex, position_text, solve_reference
from grundylab.solve.table import Table, unsolved_table
from grundylab.statement.conditions import split_condition

# Limits for one statement, unless marked otherwise. A step evaluates one operator or number: about a microsecond.
SETTINGS, TABLES = 10, 2  # how many parameter values; for how many of these a table is made
MOVES, TABLE_STEPS = 5_000, 500_000  # moves of a table, and steps to solve it
HALVED = 10  # tables, each with half as many moves, that are tried where functions end
LOOKED_UP_CELLS = 2_000  # cells of a table in which values are looked up
LEAST, NUMBERS, PLACES = 4, 100, 100  # greater numbers are far; how many are tried; positions for each
# choices of a move that are all tried, at first and if these do not decide
OPTIONS, ALL_OPTIONS = 24, 100_000
FAR_STEPS, NEAR_STEPS = 2_000_000, 10_000  # steps for far positions; if no constant is large
ONE_STEPS = 3_000_000  # steps for the one position that a proof asks about
MEMBERS, LISTED, MEMBER_STEPS = 4, 300, 100_000  # games of a family: tested, listed, steps to test a property

Holds = Callable[[Mapping[str, int]], bool]  # tells whether a proof covers these parameter values
NOTHING, NO_CLAIM = GateReport(), Claim("", P_POSITIONS, TRUE, FALSE)


def gate_report(
    ruleset: Ruleset, claim: Claim, where: Expr = TRUE, holds: Holds | None = None, rules_only: bool = False
) -> GateReport:
    """Test the claim at positions and parameters that also fulfil ``where``, and return the report.

    holds: tells for which parameter values the claim is proved; None if for all. rules_only: test the moves alone, for
    the parameter values that the claim is about. Of a member of a family, the report has the functions for which the
    claim is wrong.
    """
    claim = replace(claim, where=conjunction(claim.where, where))
    game, total = replace(ruleset, claims=()), NOTHING
    for member in _members(game) if game.free else (game,):
        seen = _look_at(member, claim, holds, NO_CLAIM if rules_only else claim)
        total = replace(seen, positions=total.positions + seen.positions, reach=max(total.reach, seen.reach))
        if not seen.bad:
            continue
        given = [member.functions[free.name] for free in game.free]
        if total.wrong is None or not given:
            return total
        written = [f"{f.name}() = {f.body.children[0]}" for f in given if isinstance(f, Function)]
        if written:
            return replace(total, wrong=None, contradiction=f"it is wrong where {', '.join(written)}")
        wrong = replace(total.wrong, functions=chosen_functions(member, game), smallest=False)
        return replace(total, wrong=wrong)
    return total


def refutation_at(
    ruleset: Ruleset, claim: Claim, parameters: Mapping[str, int], position: Position, first: bool = False
) -> GateReport | None:
    """Return the report if the claim is wrong at this position; None if it is not, or if the test takes too long.

    The position may be large: it is compared with its options, and no table is made. first: True if the claim is known
    to be right at all positions of smaller measure, and so at all options.
    """
    try:
        game = _Game(
            ruleset, claim, parameters, [max(position, default=0)], ruleset.functions, Meter(ONE_STEPS)
        )
        seen, _ = (
            game.compare(position, ALL_OPTIONS, first) if game.rules.legal(position) else (NOTHING, True)
        )
    except GrundylabError:  # it takes too long, or there is no such game
        return None
    return seen if seen.bad else None


def _look_at(game: Ruleset, claim: Claim, holds: Holds | None, said: Claim) -> GateReport:
    """Test what is said in one game, for parameters that the claim is about, until something is wrong."""
    others = [lookup_ruleset(of, game) for of in dict.fromkeys(of for _, of in claim.values)]
    constants, positions, reach = _constants(game, claim, others), 0, 0
    assumed, _ = split_condition(claim.where, game)
    fixed = fixed_values(assumed, game.parameter_names).values()
    # -1 and -2 are tried early: proofs read no negative parameters, so only the gate finds what is false there
    likely = list(dict.fromkeys((1, 2, -1, -2, *fixed, *_numbers_beyond(2, constants)[:12], *range(24))))
    fitting = [each for each in parameters_within(game, assumed, likely) if holds is None or holds(each)]
    settings = sorted(fitting, key=lambda each: sum(map(likely.index, each.values())))[:SETTINGS]
    stages = [_in_table(game, said, each) for each in settings[:TABLES]]
    for each in settings:
        tested = *((other, NO_CLAIM) for other in others), (game, said)  # only the rules of other games
        stages += [_far_out(*one, each, constants, len(settings)) for one in tested]
    for stage in stages:
        try:
            for seen in stage:
                positions, reach = positions + seen.positions, max(reach, seen.reach)
                if seen.bad:
                    return replace(seen, positions=positions, reach=reach)
        except GrundylabError as error:
            cause = _cause(error)
            if not isinstance(cause, LimitError | WorkError):  # else keep what was seen before the limit
                return GateReport(positions, reach, fault=error.message)
    return GateReport(positions, reach, beyond=reach > constants[-1])


# -- tables -----------------------------------------------------------------------------------------------------------


def _in_table(game: Ruleset, claim: Claim, parameters: Mapping[str, int]) -> Iterator[GateReport]:
    """Yield the report on a small table, if there is one."""
    table = _table(game, tuple(parameters.items()), None if claim.target == ALWAYS else claim.target.values)
    if table is not None:
        with suppress(EvaluationError):  # the claim's condition has no value somewhere
            check = judge_table(claim, table)
            functions, instance = claim_functions(claim, table), table.instance
            about = [restricted_columns(slab, instance, claim.where, functions)[0] for slab in table.slabs()]
            columns = [columns[name] for columns in about for name in game.coordinate_names]
            reach = max((int(column.max(initial=0)) for column in columns), default=0)
            yield GateReport(check.checked, reach, wrong=check.counterexample)


@lru_cache(maxsize=64)
def _table(game: Ruleset, setting: Setting, kind: Values | None) -> Table | None:
    """Return a small table, solved by the definition, without values if ``kind`` is None; None if there is none.

    A game whose functions end, a member of a family, may need a table with fewer moves than others.
    """
    ends = any(isinstance(function, Tabulated) for function in game.rule_functions)
    for most in (MOVES >> k for k in range(HALVED)) if ends else (MOVES,):
        try:
            instance = largest_instance(game, dict(setting), most)
            if instance is None:
                return None
            return solve_reference(instance, kind, Meter(TABLE_STEPS)) if kind else unsolved_table(instance)
        except GrundylabError as error:  # too large, or beyond the end of a tabulated function
            if isinstance(_cause(error), RulesetError):
                raise
    return None


def _cause(error: GrundylabError) -> GrundylabError:
    """Return the LimitError behind an error, if an exceeded limit made the rules look faulty; else the error itself."""
    return error.__context__ if isinstance(error.__context__, LimitError) else error


# -- far positions ----------------------------------------------------------------------------------------------------


def _far_out(
    game: Ruleset, claim: Claim, parameters: Mapping[str, int], constants: Sequence[int], games: int
) -> Iterator[GateReport]:
    """Yield reports on far positions: each is compared with some of its options, or with all if some do not decide.

    games: the number of games that share the budget of steps.
    """
    parameters = {name: parameters[name] for name in game.parameter_names if name in parameters}
    numbers, largest = _numbers_beyond(LEAST, constants, parameters.values()), constants[-1]
    functions = game.functions
    if claim.values or claim.tables:  # look-ups have values only in small tables
        coordinates = max((len(lookup_ruleset(of, game).coordinates) for _, of in claim.values), default=1)
        bounds = dict.fromkeys(game.bounds, min(largest + 2, int(LOOKED_UP_CELLS ** (1 / coordinates))))
        instance = make_instance(game, parameters, bounds)
        functions = claim_functions(claim, Table(instance, "outcome", np.zeros(0, dtype=np.int32)))
    meter = Meter(min(FAR_STEPS, NEAR_STEPS + 300 * largest + 20 * largest**2) // games)
    far = _Game(game, claim, parameters, [*numbers, *constants], functions, meter)
    waiting = far.positions(numbers)
    for most in (OPTIONS, ALL_OPTIONS):
        undecided = []
        for position in waiting:
            with suppress(LimitError):
                seen, decided = far.compare(position, most)
                yield seen if most == OPTIONS else replace(seen, positions=0)
                undecided += [] if decided else [position]
        waiting = iter(undecided)


class _Game:
    """The claim and the rules with certain parameter values, evaluated at one position at a time.

    Positions hold the values of coordinates, then of the claim's variables. likely: values that are likely to matter.
    """

    def __init__(
        self,
        game: Ruleset,
        claim: Claim,
        parameters: Mapping[str, int],
        likely: Sequence[int],
        functions: Functions,
        meter: Meter,
    ) -> None:
        # bounds beyond all coordinates; such an instance is never solved
        bounds = dict.fromkeys(game.bounds, 1 << (4 * max(likely) + 4).bit_length())
        self._space = with_variables(game, claim.variables) if claim.target == ALWAYS else game
        self._claim, self._parameters = claim, parameters
        self.rules = Rules(make_instance(self._space, parameters, bounds), meter, self._tried)
        self._where = compile_plain(claim.where, functions, meter)
        self._formula = compile_plain(claim.formula, functions, meter)
        self._natural, self._names = game.coordinate_names, self._space.coordinate_names
        self._fixed, self._likely, self._chance = (
            fixed_values(claim.where, self._names),
            likely,
            random.Random(0),
        )
        self._number, self._most, self._cut = likely[0], OPTIONS, False

    def positions(self, numbers: Sequence[int]) -> Iterator[Position]:
        """Yield different positions: one coordinate is in ``numbers``, the others small, near to it, or likely."""
        seen = set[Position]()
        for self._number in (*numbers[:9], *numbers[:9], *numbers):
            with suppress(LimitError):
                for position in islice(self.rules.positions(), PLACES):
                    if position not in seen:
                        seen.add(position)
                        yield position

    def compare(self, position: Position, most: int, first: bool = False) -> tuple[GateReport, bool]:
        """Return (report, decided): whether the value stated here agrees with those stated for the options.

        The report is empty if the claim is not about the position. most: the longest range of choices that are all
        tried. decided: False if choices that were left out may matter. first: True if the claim is known to be right at
        all options. Raises RulesetError if a move leaves the space or does not lower the measure, or if the measure is
        negative.
        """
        target, at = self._claim.target, position_text(self._names, position)
        self._most, self._cut = most, False
        options: Sequence[Sequence[Position]] = []
        if target != ALWAYS:
            if (size := self.rules.measure(position)) < 0:
                raise RulesetError(f"the measure is negative ({size}) at {at}")
            try:
                options = checked_options(self.rules, position)
            except RulesetError as error:
                raise _cause(error) from None
        if not self._value(self._where, position):
            return NOTHING, True
        here, seen = self._value(self._formula, position), GateReport(1, max(position, default=0))
        values = list(map(self._option_value, options))
        truth = 1 if target == ALWAYS else None if self._cut else self._value_by(values)
        if here is None:
            why = f"it has no value at {at}"
        elif here in values and (here or target.name == "grundy"):
            why = f"it says the same of {at} and of one of its options"
        elif truth not in (None, here):
            why = f"what it says of {at} contradicts what it says of its options"
        else:  # an N-position with a P-option is decided
            return seen, not self._cut or (target == P_POSITIONS and here == 0 and 1 in values)
        if truth is None or not (first or target == ALWAYS):
            return replace(seen, contradiction=why, contradicted=(self._parameters, position)), True
        coordinates = dict(zip(self._natural, position, strict=False))
        # where the measure has no value the rules are wrong, too
        measure = self._value(compile_plain(self._space.measure, self._space.functions), position) or 0
        example = Counterexample(coordinates, self._parameters, measure, truth, here, smallest=first)
        return replace(seen, wrong=example), True

    def _tried(self, name: str, span: range, known: Mapping[str, int]) -> Iterable[int]:
        """Return the values to try of a coordinate or a choice. known: those of the names before it."""
        first, last, number = span.start, span.stop - 1, self._number
        near, likely = (
            [known[each] for each in self._names if each in known],
            self._chance.choices(self._likely, k=2),
        )
        if name in self._names:
            if first < 0 <= last - first and name in self._natural:
                at = ", ".join(f"{each}={known[each]}" for each in self._natural if each in known)
                raise RulesetError(
                    f"the range of {name} begins at {first}, below 0" + (at and f", where {at}")
                )
            others = [
                first,
                first + self._chance.randrange(8),
                number - 1,
                min(last, number + 1),
                likely[0],
                *near,
            ]
            self._chance.shuffle(others)
            picks = {1: 8, 2: 6, 3: 4, 4: 3}.get(len(self._names), 2)
            values = [self._fixed[name]] if name in self._fixed else [number, *others]
            return [value for value in dict.fromkeys(values) if value in span][:picks]
        if last - first < self._most:
            return span
        self._cut = True
        ends = (first, first + 1, first + 2, last - 2, last - 1, last)
        values = [*ends, *near, *likely, *(last + d - each for each in (*near, *likely) for d in (0, 1))]
        return [value for value in dict.fromkeys(values) if value in span]

    def _option_value(self, option: Sequence[Position]) -> int | None:
        """Return the value stated for an option, a sum of positions; None if the statement does not give it."""
        known = [
            self._value(self._formula, part) if self._value(self._where, part) else None for part in option
        ]
        values = [value for value in known if value is not None]
        if len(values) < len(option):
            return None
        if self._claim.target.name == "grundy":
            return reduce(xor, values)
        if self._claim.target == P_POSITIONS:  # P + P is P, P + N is N, N + N may be either
            return None if values.count(0) > 1 else int(all(values))
        return values[0] if len(values) == 1 else None

    def _value_by(self, values: Sequence[int | None]) -> int | None:
        """Return the value of a position whose options have these values; None if they do not determine it."""
        known = [value for value in values if value is not None]
        if len(known) < len(values) or self._claim.target.name == "level":
            return None
        if self._claim.target.name == "grundy":
            return mex(known)
        return int(not any(known) and (bool(known) or self._space.play == "normal"))

    def _value(self, evaluator: Evaluator, position: Position) -> int | None:
        """Return a formula's value at the position; None if it has none. Raises LimitError if it is too large."""
        try:
            return int(evaluator(self.rules.environment(position)))
        except LimitError:
            raise
        except EvaluationError:
            return None


# -- numbers, parameters, and games of a family -----------------------------------------------------------------------


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


def _numbers_beyond(least: int, constants: Iterable[int], parameters: Iterable[int] = ()) -> list[int]:
    """Return numbers above ``least`` near which the statement may become false, the likeliest first."""
    base = sorted({*constants, *(value + d for value in parameters for d in (0, 1))})
    several = [c for c in base if c > 1]
    more = [n for a in several[-6:] for n in (isqrt(a), a // 2)]
    for a, b in product(several[-6:], dict.fromkeys(several[:12] + several[-6:])):
        more += [a * b, (a + 1) * b, (a - 1) * b, (a + 1) * (b + 1), a + b, a - b, a // b]
    near = [n + d for n in base[:-20:-1] for d in (0, 1, -1)] + more + [n + d for n in more for d in (1, -1)]
    return list(islice(dict.fromkeys(n for n in near if n > least), NUMBERS))


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
    """Tell whether the function has its property at some arguments."""
    inside = compile_plain(free.condition, functions, Meter(MEMBER_STEPS))
    tried = product((*range(5), 9, 40), repeat=len(free.arguments))
    known = dict.fromkeys(functions.parameters, 1)
    try:
        return all(inside({**known, **dict(zip(free.arguments, each, strict=True))}) for each in tried)
    except GrundylabError:
        return False
