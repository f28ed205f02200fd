"""What the gate looks at in one game of a ruleset, with its parameters fixed: tables, a row, single positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial

from grundylab.check.judging import functions_of, judge_at, written_out
from grundylab.check.verification import Counterexample, affordable
from grundylab.errors import GrundylabError, InstanceError, LimitError, WorkError
from grundylab.games.instance import Instance, Position, make_instance
from grundylab.games.listing import quantified
from grundylab.games.model import ALWAYS, P_POSITIONS, Claim, Ruleset, Target
from grundylab.games.rules import Rules
from grundylab.language.functions import Functions
from grundylab.language.plain import Meter, compile_plain
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, conjunction
from grundylab.prove.alongrow import along_row
from grundylab.prove.local import Local, around, example_of, kept, value, wanted
from grundylab.prove.outcome import Look, together
from grundylab.prove.probes import (
    Place,
    constants_in,
    rules,
    said,
)
from grundylab.solve import solve
from grundylab.solve.explaining import admitting, cut_to
from grundylab.solve.reference import solve_reference
from grundylab.solve.table import Table, unsolved

TABLE = 300_000  # moves of a table that is made by the definition itself, if there is no smaller one
FAR = 300_000  # cells of a table that goes beyond the constants
FAR_MOVES = 100_000_000  # of such a table: a sweep takes a second at the most
ROW = 20_000  # places of a row
ROW_STEPS = 3_000_000  # of the plain reader along it
PLAIN = 150  # positions of one table at which the plain reader itself is asked
LARGER = (32, 64, 128, 256, 512)  # bounds of tables that are looked at until one has a position that is meant
SINGLE = 200  # positions looked at one by one where no table goes beyond the constants
SCANNED = 10  # lines through them that are looked at from end to end
LONGEST = 5_000  # positions of such a line, or of a row
_ORDER = 20261122  # of what is chosen at random: the same each time


def written(claim: Claim, instance: Instance) -> Claim:
    """The claim with its variables written out, about the positions at which there are values of them."""
    variables = [v.mapped(partial(substitute, values=instance.constants)) for v in claim.variables]
    some = quantified("any", variables, TRUE)
    formula = written_out(claim, instance.constants)
    return replace(claim, formula=formula, where=conjunction(claim.where, some), variables=())


class OneGame:
    """The looks at a statement in the game of some parameter values.

    most: the largest constant. places: where a condition turns, with these parameters.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        claim: Claim,
        parameters: Mapping[str, int],
        most: int,
        places: Sequence[Place],
        meter: Meter,
    ) -> None:
        self._ruleset, self._claim, self.parameters = ruleset, claim, dict(parameters)
        self._most, self._meter, self._turning = most, meter, places
        self._enough = False  # whether a table goes beyond the constants
        self.left = list[Place]()  # of the places, those of which it could not be told

    def smallest(self, wrong: Counterexample) -> Counterexample:
        """The smallest counterexample of a table that has this one, where that can be made."""
        instance = self._of_size(max(wrong.position.values(), default=0))
        if instance is None or self._is_too_large(instance):
            return wrong
        smaller = safely(lambda: self._in_table(_table(instance, self._claim.target, False))).wrong
        return smaller if smaller is not None and smaller.smallest else wrong

    def near(self, moves: int) -> Look:
        """What is seen in a table of so many moves and at the places beyond it."""
        instance = self._instance_within(moves)
        if instance is None:
            return Look()
        # by the definition, unless it is the smallest that there is
        found = self._in_table(_table(instance, self._claim.target, instance.moves <= TABLE))
        reach, names = self._reach(instance), self._ruleset.coordinate_names
        self._enough = found.positions > 0 and (reach > self._most or not self._ruleset.bounds)
        if found.wrong:
            return found
        outside = [
            place
            for place in self._turning
            if any(place[name] > side.high for name, side in zip(names, instance.box, strict=True))
            or any(place[v.name] > reach for v in self._claim.variables)
        ]
        return replace(self._singly(outside, found), beyond=self._enough)

    def _instance_within(self, moves: int) -> Instance | None:
        """The instance with the largest equal bounds that has no more moves; or cases, where nothing moves."""
        best, variables = None, len(self._claim.variables)
        for size in (0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128):
            instance = self._of_size(size)
            if instance is None:
                break
            still = not self._ruleset.moves
            work = instance.cells * (size + 1) ** variables if still else instance.moves
            if work > moves and best is not None:
                break
            best = instance
            if not self._ruleset.bounds:
                break
        return best

    def _of_size(self, size: int) -> Instance | None:
        """None for a table that cannot be: a range that begins below 0, coordinates that are too large."""
        instance = make_instance(self._ruleset, self.parameters, dict.fromkeys(self._ruleset.bounds, size))
        try:
            return instance if instance.cells >= 0 else None
        except InstanceError:
            return None

    def _reach(self, instance: Instance) -> int:
        return max((side.high for side in instance.box), default=0)

    # -- tables ---------------------------------------------------------------------------------------------------

    def far(self) -> Look:
        """What is seen in a row or table beyond the largest constant and the places that are left, or at single
        positions there; nothing if a table has gone so far."""
        if self._enough and not self.left:
            return Look()
        found = self._in_row()
        if found.bad or (found.positions and found.beyond and not self.left):
            return found
        names = self._ruleset.coordinate_names
        most = max([self._most, *(place[name] for place in self.left for name in names)])
        for size in sorted({most + 2, 2 * most + 4, *LARGER}):
            instance = self._of_size(size)
            if instance is None or self._is_too_large(instance):
                break
            if self._reach(instance) > most:
                table = _table(instance, self._claim.target, False)
                found = replace(self._in_table(table), beyond=True)
                if found.positions:
                    self.left = []
                    return found
        return together(found, self._anywhere())

    def around_places(self, cells: int, moves: Meter) -> Look:
        """At the places that are left, the furthest first: each with those next to it in a table cut off there.

        cells: of one table. moves: of all of them.
        """
        if self._claim.variables or self._claim.target == ALWAYS:
            return Look()
        names, total, options = self._ruleset.coordinate_names, Look(), Meter(ROW_STEPS, LimitError)
        near = [place for place in self.left if max(place[name] for name in names) < cells]
        for place in sorted(near, key=lambda place: -sum(place.values())):
            if place not in self.left:
                continue
            with suppress(GrundylabError):  # what cannot be cut off there is left
                table = self._cut_off(tuple(place[name] for name in names), cells, moves, options)
                positions = {tuple(each[name] for name in names): each for each in self.left}
                known = {at: table[at] for at in positions if at in table}
                truths = ((at, wanted(found, self._claim.target)) for at, found in known.items())
                seen = self._plainly(table.instance, truths, Meter(ROW_STEPS, LimitError))
                total = together(total, seen)
                if seen.positions == len(known):
                    self.left = [each for at, each in positions.items() if at not in known]
        return total

    def _cut_off(self, position: Position, cells: int, moves: Meter, options: Meter) -> Table:
        """What can be reached from the position, and from those next to it. Raises GrundylabError if that is much.

        options: of listing those of the position.
        """
        least = admitting(self._ruleset, self.parameters, position)
        wider = {name: bound + 1 for name, bound in least.bounds}
        instance = cut_to(Rules(make_instance(self._ruleset, self.parameters, wider), options), position, 1)
        if instance.cells > cells:
            raise LimitError("the table would be too large")
        moves.spend(instance.moves)
        return solve(instance, self._claim.target.values)

    def _in_row(self) -> Look:
        """Along the row that the statement is about, if it is about one: there, and at the places that are left."""
        names, most = self._ruleset.coordinate_names, self._most
        most = max([most, *(place[name] for place in self.left for name in names)])
        row = along_row(self._ruleset, self._claim, self.parameters, min(most + 3, ROW))
        if row is None:
            return Look()

        def places() -> Iterator[tuple[Position, int]]:
            for place in list(self.left):
                position = tuple(place[name] for name in names)
                if (truth := row.truth(position)) is not None:
                    yield position, truth
                    self.left.remove(place)  # it has been looked at when the next is asked for
            yield from row.some(LONGEST)

        # whatever the places have cost
        found = self._plainly(self._local(most).instance, places(), Meter(ROW_STEPS, LimitError))
        return replace(found, beyond=found.reach > self._most)

    def _is_too_large(self, instance: Instance) -> bool:
        return instance.cells > FAR or (self._claim.target != ALWAYS and instance.moves > FAR_MOVES)

    def _in_table(self, table: Table) -> Look:
        """The plain reader at some positions; where the ranges of the formula are not too many, all positions."""
        claim, instance = written(self._claim, table.instance), table.instance
        chosen = ((position, wanted(value, claim.target)) for position, value in _some_positions(table))
        values = functions_of(claim, table) if claim.values or claim.tables else None
        plain = replace(self._plainly(instance, chosen, self._meter, values), reach=self._reach(instance))
        if not affordable((claim.formula, claim.where), instance):
            return plain
        check = judge_at(claim, table)
        if check.counterexample is not None and not self._confirmed(check.counterexample, instance, values):
            return plain
        wrong = check.counterexample or plain.wrong
        return replace(plain, positions=max(check.checked, plain.positions), wrong=wrong)

    def _plainly(
        self,
        instance: Instance,
        places: Iterable[tuple[Position, int]],
        meter: Meter,
        values: Functions | None = None,
    ) -> Look:
        """The plain reader at positions of which it is known what must be said, as far as the meter goes.

        values: the game's functions with those that the statement looks up.
        """
        functions, claim = values or self._ruleset.functions, written(self._claim, instance)
        inside, says = (compile_plain(expr, functions, meter) for expr in (claim.where, claim.formula))
        names, count, reach = self._ruleset.coordinate_names, 0, 0
        for position, truth in places:
            at = {**dict(zip(names, position, strict=True)), **instance.constants}
            try:
                if not kept(inside, at):
                    continue
                found = value(says, at)
            except LimitError:  # a long formula: what was seen was seen
                break
            count, reach = count + 1, max(reach, *position)
            if found != truth:
                return Look(count, reach, wrong=example_of(instance, position, truth, found))
        return Look(count, reach)

    def _confirmed(self, example: Counterexample, instance: Instance, values: Functions | None) -> bool:
        """Whether the plain reader says so, too, or cannot tell."""
        place = tuple(example.position[name] for name in self._ruleset.coordinate_names), example.truth
        seen = self._plainly(instance, [place], self._meter, values)
        return seen.bad or not seen.positions

    # -- single positions -----------------------------------------------------------------------------------------

    def _local(self, most: int) -> Local:
        return around(self._ruleset, self._claim, self.parameters, most, self._meter)

    def _singly(self, places: Sequence[Place], found: Look) -> Look:
        """What is seen at the places, one by one; those of which it could not be told are left.

        Raises EvaluationError where the rules have no value: they are at fault.
        """
        if not places:
            return found
        names = self._ruleset.coordinate_names
        local = self._local(max(value for place in places for value in place.values()))
        for number, place in enumerate(places):
            position = tuple(place[name] for name in names)
            try:
                seen = local.at(position, place)
            except (WorkError, LimitError):
                self.left += places[number:]
                break
            if seen is None:
                self.left.append(place)
            else:
                found = together(found, seen)
            if found.bad:
                break
        return found

    def _anywhere(self) -> Look:
        """Positions next to constants, one by one, and lines through some of them."""
        total, instance = Look(), self._of_size(4 * self._most + 4) or self._of_size(self._most + 2)
        if instance is None:
            return total
        local = Local(written(self._claim, instance), instance, self._meter)
        for position, only_if_p in self._places(instance):
            try:
                if only_if_p and not local.says_p(position):
                    continue
                seen = local.at(position, {})
            except (WorkError, LimitError):
                break
            total = together(total, seen or Look())
            if total.contradiction or total.fault:
                break
        return replace(total, beyond=total.reach > self._most)

    def _places(self, instance: Instance) -> Iterator[tuple[Position, bool]]:
        """Positions with coordinates next to constants; and with True those of lines through some of them."""
        near = {c + d for c in constants_in([*said(self._claim), *rules(self._ruleset)]) for d in (-1, 0, 1)}
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
            for number in range(low, min(high, low + LONGEST) + 1):
                line[place] = number
                yield tuple(line), True


def safely(looking: Callable[[], Look]) -> Look:
    """What is seen: nothing where that takes too long; of a faulty move, say, that there is no such game."""
    try:
        return looking()
    except LimitError:
        return Look()
    except GrundylabError as error:
        return Look(fault=error.message)


@lru_cache(maxsize=32)  # many statements are about the same game
def _table(instance: Instance, target: Target, by_definition: bool) -> Table:
    if target == ALWAYS:
        return unsolved(instance)
    return (solve_reference if by_definition else solve)(instance, target.values)


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
