"""The gate before every ``proved``: the statement as its author wrote it, held against the game as its rules define it.

A proof, by whatever method, is about what the method has read. So before anyone sees ``proved`` the statement itself,
untouched by any method, is evaluated by the plain reader and compared with the definition: in small tables, in larger
ones that go beyond the largest constants of statement and rules, and, where no table of these would fit, at single
positions next to the constants. What is found wrong here is wrong whatever was proved; and a statement of which no
position was looked at is not called proved.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from typing import Any

from grundylab.check.families import Extent, chosen_functions, members
from grundylab.check.judging import judge_at, written_out
from grundylab.check.verification import Check, Counterexample, affordable
from grundylab.errors import EvaluationError, GrundylabError, InstanceError, LimitError, WorkError
from grundylab.games.instance import Instance, Position, Rules, make_instance
from grundylab.games.model import ALWAYS, P_POSITIONS, Claim, Ruleset, Target
from grundylab.language.evaluation import Evaluator, Meter
from grundylab.language.functions import Function
from grundylab.language.plain import compile_plain, evaluate
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Accepts, Binary, Bounded, Expr, Int, conjunction, walk
from grundylab.prove.statement import split_where
from grundylab.solve import solve
from grundylab.solve.reference import checked_options, mex, solve_reference
from grundylab.solve.space import unsolved
from grundylab.solve.table import Table

PARAMETERS = 4  # combinations of parameter values that are looked at
MOST_VALUES = 500  # of a single parameter, from 0 on
TRIED = 20_000  # combinations that are asked whether the statement is about them
SMALL = 15_000  # moves of a table that is made by the definition itself: some hundredths of a second
FAR = 300_000  # cells of a table that goes beyond the constants
FAR_MOVES = 100_000_000  # of such a table: a sweep takes a second at the most
PLAIN = 150  # positions of one table at which the plain reader itself is asked
STEPS = 3_000_000  # of the plain reader, for one statement: a few seconds
LARGER = (32, 64, 128, 256, 512)  # bounds of tables that are looked at until one has a position that is meant
SINGLE = 200  # positions looked at one by one where no table goes beyond the constants
SCANNED = 10  # lines through them that are looked at from end to end
LONGEST = 5_000  # positions of such a line
OPTIONS = 3_000  # that are looked at for the truth about one position
SINGLE_STEPS = 500_000  # of the rules, for all single positions: a second or so
MEMBERS = 10_000  # games of a family that are listed
_FAMILY = 40  # of them that are looked at
_ORDER = 20261122  # of what is chosen at random: the same each time


@dataclass(frozen=True)
class Look:
    """What the gate saw.

    positions: at how many the statement was evaluated. reach: the largest coordinate among them. beyond: whether that
    is more than the largest constant of statement and rules. wrong: where the statement is wrong; fault: what is wrong
    in other words.
    """

    positions: int = 0
    reach: int = 0
    beyond: bool = False
    wrong: Counterexample | None = None
    fault: str | None = None

    @property
    def good(self) -> bool:
        """Whether something was looked at, and nothing was wrong."""
        return self.positions > 0 and self.wrong is None and self.fault is None


Holds = Callable[[Mapping[str, int]], bool]


def look(ruleset: Ruleset, claim: Claim, where: Expr = TRUE, holds: Holds | None = None) -> Look:
    """The claim, at positions and parameters that fulfil ``where`` as well, against the definition.

    holds: of which parameter values the statement is said to be true (all if not given).
    """
    about = replace(claim, where=conjunction(claim.where, where))
    if ruleset.free:
        return _family(ruleset, about)
    most = largest_constant(ruleset, about)
    total, meter = Look(), Meter(STEPS, LimitError)
    for parameters in _parameter_values(ruleset, about, holds):
        total = _together(total, _Game(ruleset, about, parameters, most, meter).look())
        if total.wrong or total.fault:
            break
    return total


def _together(one: Look, other: Look) -> Look:
    return Look(
        one.positions + other.positions,
        max(one.reach, other.reach),
        one.beyond or other.beyond,
        min([each for each in (one.wrong, other.wrong) if each], key=_order, default=None),
        one.fault or other.fault,
    )


def _order(example: Counterexample) -> tuple[Any, ...]:
    return example.order


def _about(claim: Claim, instance: Instance) -> Expr:
    """What the claim is about: nothing where one of its variables has no value."""
    bounds = {name: Int(value) for name, value in instance.bounds}
    some: Expr = TRUE
    for variable in reversed(claim.variables):
        low, high = (substitute(end, bounds) for end in (variable.range.low, variable.range.high))
        some = Bounded("any", variable.name, low, Binary("+", high, Int(1)), some)
    return conjunction(claim.where, some)


# -- constants and parameters -----------------------------------------------------------------------------------------


def _constants(expressions: Sequence[Expr]) -> set[int]:
    """The numbers in the expressions, and of automata how many states they have."""
    found = set[int]()
    for expr in expressions:
        for node in walk(expr):
            if isinstance(node, Int):
                found.add(abs(node.value))
            elif isinstance(node, Accepts):
                found.add(len(node.automaton.rows))
    return found


def _said(claim: Claim) -> list[Expr]:
    ends = [end for variable in claim.variables for end in (variable.range.low, variable.range.high)]
    return [claim.formula, claim.where, *ends]


def _rules(ruleset: Ruleset) -> list[Expr]:
    moves = [
        expr for move in ruleset.moves for expr in (move.when, *(v for part in move.parts for v in part))
    ]
    ranges = [c.range for c in ruleset.coordinates]
    ranges += [choice.range for move in ruleset.moves for choice in move.choices]
    bodies = [function.body for function in ruleset.functions if isinstance(function, Function)]
    return [ruleset.where, *moves, *(end for there in ranges for end in (there.low, there.high)), *bodies]


def largest_constant(ruleset: Ruleset, claim: Claim) -> int:
    """Of the claim and the rules."""
    return max(_constants([*_said(claim), *_rules(ruleset)]), default=0)


def _parameter_values(ruleset: Ruleset, claim: Claim, holds: Holds | None) -> list[dict[str, int]]:
    """Some that the claim is about: the first, the last, and some between, small ones and those next to constants."""
    names = ruleset.parameter_names
    if not names:
        return [{}]
    domains = [parameter.domain for parameter in ruleset.parameters]
    assumed, _ = split_where(claim.where, ruleset)
    constants = _constants([*_said(claim), *_rules(ruleset), *domains])
    near = {c + d for c in constants for d in (-1, 0, 1)}
    end = min(max(constants, default=0) + 13, MOST_VALUES) if len(names) == 1 else 6
    values = sorted({*range(end), *(value for value in near if value >= 0)})
    if len(names) > 1:
        values = values[: max(6, int(TRIED ** (1 / len(names))))]
    asked = conjunction(*domains, assumed)
    found = []
    for chosen in islice(product(values, repeat=len(names)), TRIED):
        parameters = dict(zip(names, chosen, strict=True))
        try:
            inside = evaluate(asked, parameters, ruleset.functions, Meter(STEPS, LimitError))
        except GrundylabError:
            continue
        if inside and (holds is None or holds(parameters)):
            found.append(parameters)
    last = len(found) - 1
    return [found[place] for place in sorted({0, min(1, last), last // 2, last})] if found else []


# -- one game ---------------------------------------------------------------------------------------------------------


class _Game:
    """The looks at a statement in the game of some parameter values. most: the largest constant."""

    def __init__(
        self, ruleset: Ruleset, claim: Claim, parameters: Mapping[str, int], most: int, meter: Meter
    ) -> None:
        self._ruleset, self._claim, self._parameters = ruleset, claim, dict(parameters)
        self._most, self._meter = most, meter

    def look(self) -> Look:
        """Small, then far."""
        try:
            small = self._instance_within(SMALL)
            if small is None:
                return Look()
            found = self._in_table(_small_table(small, self._claim.target))
            beyond = self._reach(small) > self._most or not self._ruleset.bounds
            if found.wrong or (beyond and (found.positions or not self._ruleset.bounds)):
                return replace(found, beyond=beyond)
            return _together(found, self._far())
        except LimitError:
            return Look()
        except GrundylabError as error:  # a faulty move, say: then there is no such game
            return Look(fault=error.message)

    def _instance_within(self, moves: int) -> Instance | None:
        """The instance with the largest equal bounds that has no more moves."""
        best = None
        for size in (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128):
            instance = self._of_size(size)
            if instance is None or (instance.moves > moves and best is not None):
                break
            best = instance
            if not self._ruleset.bounds:
                break
        return best

    def _of_size(self, size: int) -> Instance | None:
        """None for a table that cannot be: a range that begins below 0, coordinates that are too large."""
        instance = make_instance(self._ruleset, self._parameters, dict.fromkeys(self._ruleset.bounds, size))
        try:
            return instance if instance.cells >= 0 else None
        except InstanceError:
            return None

    def _reach(self, instance: Instance) -> int:
        return max((side.high for side in instance.box), default=0)

    # -- tables ---------------------------------------------------------------------------------------------------

    def _far(self) -> Look:
        """A table beyond the largest constant, or single positions there."""
        for size in sorted({self._most + 2, 2 * self._most + 4, *LARGER}):
            instance = self._of_size(size)
            if instance is None or instance.cells > FAR:
                break
            if self._reach(instance) > self._most:
                if self._claim.target != ALWAYS and instance.moves > FAR_MOVES:
                    break
                always = self._claim.target == ALWAYS
                table = unsolved(instance) if always else _far_table(instance, self._claim.target)
                found = replace(self._in_table(table), beyond=True)
                if found.positions:
                    return found
        return self._singly()

    def _in_table(self, table: Table) -> Look:
        """The plain reader at some positions; where the ranges of the formula are not too many, all positions."""
        reach = self._reach(table.instance)
        plain = self._plainly(table, reach)
        if plain.wrong or not self._affordable(table):
            return plain
        claim = replace(self._claim, where=_about(self._claim, table.instance))
        check: Check = judge_at(claim, table)
        if check.counterexample is not None and not self._confirmed(check.counterexample, table.instance):
            return plain
        return Look(max(check.checked, plain.positions), reach, wrong=check.counterexample)

    def _affordable(self, table: Table) -> bool:
        written = written_out(self._claim, table.instance.constants)
        return affordable((written, self._claim.where), table.instance)

    def _plainly(self, table: Table, reach: int) -> Look:
        names, target = self._ruleset.coordinate_names, self._claim.target
        chosen = _some_positions(table)
        inside, says = self._readers(table.instance)
        count = 0
        for position, value in chosen:
            environment = {**dict(zip(names, position, strict=True)), **table.instance.constants}
            wanted = _wanted(value, target)
            try:
                if not _kept(inside, environment):
                    continue
                found: int | None = int(says(environment))
            except LimitError:
                break
            except EvaluationError:
                found = None
            count += 1
            if found != wanted:
                return Look(count, reach, wrong=self._example(table.instance, position, wanted, found))
        return Look(count, reach)

    def _readers(self, instance: Instance) -> tuple[Evaluator, Evaluator]:
        functions = self._ruleset.functions
        formula = written_out(self._claim, instance.constants)
        where = compile_plain(_about(self._claim, instance), functions, self._meter)
        return where, compile_plain(formula, functions, self._meter)

    def _confirmed(self, example: Counterexample, instance: Instance) -> bool:
        """Whether the plain reader says so, too."""
        _, says = self._readers(instance)
        try:
            found: int | None = int(says({**example.position, **instance.constants}))
        except LimitError:
            return True
        except EvaluationError:
            found = None
        return found != example.truth

    def _example(
        self, instance: Instance, position: Position, wanted: int, found: int | None
    ) -> Counterexample:
        at = dict(zip(self._ruleset.coordinate_names, position, strict=True))
        measure = evaluate(self._ruleset.measure, {**at, **instance.constants}, self._ruleset.functions)
        return Counterexample(at, self._parameters, measure, wanted, found)

    # -- single positions -----------------------------------------------------------------------------------------

    def _singly(self) -> Look:
        """Positions next to constants, one by one: by what the statement says of the options, or by the definition."""
        instance = self._edgeless()
        if instance is None:
            return Look()
        rules = Rules(instance, Meter(SINGLE_STEPS, WorkError))
        inside, says = self._readers(instance)
        total = Look()
        for position, only_if_p in self._places(instance):
            try:
                if rules.legal(position) and _kept(inside, rules.environment(position)):
                    if only_if_p and not _value(says, rules.environment(position)):
                        continue
                    total = _together(total, self._at(position, rules, says))
            except (WorkError, LimitError):
                break
            except EvaluationError:
                continue
            if total.fault:
                break
        return replace(total, beyond=total.reach > self._most)

    def _edgeless(self) -> Instance | None:
        """An instance whose edge is beyond all that is looked at; it is not solved."""
        for size in (4 * self._most + 4, self._most + 2):
            instance = self._of_size(size)
            if instance is not None:
                return instance
        return None

    def _places(self, instance: Instance) -> Iterator[tuple[Position, bool]]:
        """Positions with coordinates next to constants; and with True those of lines through some of them."""
        near = {c + d for c in _constants([*_said(self._claim), *_rules(self._ruleset)]) for d in (-1, 0, 1)}
        near |= {0, 1, 2, 3, self._most + 2, 2 * self._most + 3}
        sides = [sorted(v for v in near if side.low <= v <= side.high) or [side.low] for side in instance.box]
        chance = random.Random(_ORDER)
        one_far = [  # the others small
            tuple(value if n == place else side[min(1, len(side) - 1)] for n, side in enumerate(sides))
            for place, values in enumerate(sides)
            for value in values
        ]
        anywhere = [tuple(chance.choice(side) for side in sides) for _ in range(SINGLE)]
        chosen = list(dict.fromkeys([*one_far, *anywhere]))
        chance.shuffle(chosen)
        yield from ((position, False) for position in chosen)
        for _ in range(SCANNED if self._claim.target == P_POSITIONS else 0):
            place = chance.randrange(len(sides))
            line = [chance.choice(side) for side in sides]
            low, high = instance.box[place].low, min(instance.box[place].high, self._most + 3)
            for value in range(low, min(high, low + LONGEST) + 1):
                line[place] = value
                yield tuple(line), True

    def _at(self, position: Position, rules: Rules, says: Evaluator) -> Look:
        target, reach = self._claim.target, max(position, default=0)
        here = _value(says, rules.environment(position))
        if target == ALWAYS:
            return self._compared(position, 1, here, reach, rules)
        if here is None:
            return self._compared(position, self._unsaid(position, rules), None, reach, rules)
        if rules.instance.ruleset.splits:
            return Look()
        _, about = split_where(self._claim.where, self._ruleset)
        if about != TRUE or target.name == "level":  # what it says of the options is not enough
            truth = _by_definition(rules, position, OPTIONS)
            if truth is None:
                return Look()
            return self._compared(position, _wanted(truth, target), here, reach, rules)
        options = [parts[0] for parts in checked_options(rules, position)]
        values = [_value(says, rules.environment(option)) for option in options]
        if None in values:
            return Look(1, reach, fault=f"the formula has no value at an option of {position}")
        known = [value for value in values if value is not None]
        wanted = self._wanted_by(known)
        if here != wanted:
            names = ", ".join(
                f"{n}={v}" for n, v in zip(self._ruleset.coordinate_names, position, strict=True)
            )
            return Look(1, reach, fault=f"what it says of ({names}) is not what it says of its options")
        return Look(1, reach)

    def _unsaid(self, position: Position, rules: Rules) -> int:
        """The truth where the statement has no value; 0 where that is not known."""
        truth = _by_definition(rules, position, OPTIONS) if not rules.instance.ruleset.splits else None
        return 0 if truth is None else _wanted(truth, self._claim.target)

    def _wanted_by(self, options: Sequence[int]) -> int:
        """What the formula must say, by what it says of the options."""
        if self._claim.target.name == "grundy":
            return mex(options)
        if self._ruleset.play == "misere":
            return int(bool(options) and not any(options))
        return int(not any(options))

    def _compared(self, position: Position, wanted: int, found: int | None, reach: int, rules: Rules) -> Look:
        if found == wanted:
            return Look(1, reach)
        return Look(1, reach, wrong=self._example(rules.instance, position, wanted, found))


@lru_cache(maxsize=64)  # many statements are about the same game
def _small_table(instance: Instance, target: Target) -> Table:
    return unsolved(instance) if target == ALWAYS else solve_reference(instance, target.values)


@lru_cache(maxsize=16)
def _far_table(instance: Instance, target: Target) -> Table:
    return solve(instance, target.values)


def _some_positions(table: Table) -> list[tuple[Position, int]]:
    """The first positions of the table, and some of the others, with their values."""
    found: list[tuple[Position, int]] = []
    chance = random.Random(_ORDER)
    for slab in table.slabs():
        rows = range(len(slab))
        chosen = (
            rows if len(rows) <= PLAIN else sorted({*range(PLAIN // 3), *chance.sample(rows, 2 * PLAIN // 3)})
        )
        for row in chosen:
            found.append((tuple(int(c[row]) for c in slab.coordinates), int(slab.values[row])))
    return found


def _wanted(value: int, target: Target) -> int:
    """What the formula must say where the Grundy number (or for outcomes 0 or 1) is this."""
    if target == ALWAYS:
        return 1
    if target == P_POSITIONS:
        return int(value == 0)
    return int(value == target.value) if target.name == "level" else value


def _kept(inside: Evaluator, environment: Mapping[str, int]) -> bool:
    """Whether the statement is about the position; it is about none where the condition has no value."""
    try:
        return bool(inside(environment))
    except LimitError:
        raise
    except EvaluationError:
        return False


def _value(says: Evaluator, environment: Mapping[str, int]) -> int | None:
    try:
        return int(says(environment))
    except LimitError:
        raise
    except EvaluationError:
        return None


def _by_definition(rules: Rules, position: Position, most: int) -> int | None:
    """The Grundy number (under misère play 0 for P, 1 for N) by the definition; None if that asks for too many."""
    solved: dict[Position, int] = {}
    misere, seen = rules.instance.ruleset.play == "misere", 0
    waiting: list[tuple[Position, list[Position] | None]] = [(position, None)]
    while waiting:
        here, options = waiting.pop()
        if here in solved:
            continue
        if options is None:
            options = [parts[0] for parts in islice(checked_options(rules, here), most)]
            seen += 1 + len(options)
            if seen > most:
                return None
            waiting.append((here, options))
            waiting += [(option, None) for option in options if option not in solved]
        else:
            values = [solved[option] for option in options]
            solved[here] = int(not values or 0 in values) if misere else mex(values)
    return solved[position]


# -- families ---------------------------------------------------------------------------------------------------------


def _family(ruleset: Ruleset, claim: Claim) -> Look:
    """The statement in some games of the family, with functions of few arguments and small values."""
    for first, size in product((1, 0), (3, 2, 1)):
        try:
            found = _in_members(ruleset, claim, first, size)
        except GrundylabError:  # a function is asked for a value that it was not given
            continue
        if found.positions:
            return found
    return Look()


def _in_members(ruleset: Ruleset, claim: Claim, first: int, size: int) -> Look:
    extents = {
        free.name: Extent(
            (range(first, first + (8 if len(free.arguments) == 1 else 3)),) * len(free.arguments),
            range(3 if len(free.arguments) == 1 else 2),
        )
        for free in ruleset.free
    }
    games = list(islice(members(ruleset, extents), MEMBERS))
    total, most = Look(), largest_constant(ruleset, claim)
    for parameters in _parameter_values(ruleset, claim, None):
        for game in games[:: max(1, len(games) // _FAMILY)]:
            instance = make_instance(game, parameters, dict.fromkeys(ruleset.bounds, size))
            about = replace(claim, where=_about(claim, instance))
            check = judge_at(about, solve(instance, claim.target.values))
            wrong = check.counterexample
            if wrong is not None:
                wrong = replace(wrong, functions=chosen_functions(game, ruleset))
            total = _together(total, Look(check.checked, size, size > most, wrong))
            if wrong is not None:
                return total
    return total
