"""A statement at one position, held against what it says of the position's options, or against the definition.

No table is needed for it, so the position may be anywhere. Where the statement is about every position it decides: a
statement that is right at all options of a position is right there exactly if it says what they make it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import islice
from operator import xor

from grundylab.check.verification import Counterexample
from grundylab.errors import EvaluationError, LimitError, WorkError
from grundylab.games.instance import Instance, Position, make_instance
from grundylab.games.model import ALWAYS, P_POSITIONS, Claim, Ruleset, Target
from grundylab.games.rules import Rules
from grundylab.language.plain import Evaluator, Meter, compile_plain, evaluate
from grundylab.language.syntax import TRUE
from grundylab.prove.hypothesis import split_where
from grundylab.prove.outcome import Look
from grundylab.solve.reference import checked_options, mex, show

OPTIONS = 3_000  # that are looked at for the truth about one position
KEPT = 5_000  # positions whose options are kept, and options of each
IN_ALL = 8_000  # for that about all positions of one game
RULE_STEPS = 3_000_000  # of the rules, for all positions of one game: two or three seconds


@dataclass(frozen=True)
class Known:
    """Options of positions of one instance, and values by the definition."""

    options: dict[Position, Sequence[tuple[Position, ...]]]
    solved: dict[Position, int]


@lru_cache(maxsize=8)  # many statements are about the same game
def _known(_: Instance) -> Known:
    return Known({}, {})


def around(ruleset: Ruleset, claim: Claim, parameters: Mapping[str, int], most: int, meter: Meter) -> Local:
    """Judges single positions with coordinates of at most so much; its table is not made, and need not fit."""
    bounds = dict.fromkeys(ruleset.bounds, 1 << (4 * most + 4).bit_length())  # few different ones
    return Local(claim, make_instance(ruleset, parameters, bounds), meter)


def example_of(instance: Instance, position: Position, truth: int, found: int | None) -> Counterexample:
    """The position as a counterexample, perhaps not the smallest."""
    ruleset, parameters = instance.ruleset, dict(instance.parameters)
    at = dict(zip(ruleset.coordinate_names, position, strict=True))
    try:
        measure = evaluate(ruleset.measure, {**at, **instance.constants}, ruleset.functions)
    except EvaluationError:  # the rules are at fault, too
        measure = 0
    return Counterexample(at, parameters, measure, truth, found, smallest=False)


class Local:
    """Judges the statement in one instance, which is so large that its edge is beyond every position asked about."""

    def __init__(self, claim: Claim, instance: Instance, meter: Meter) -> None:
        functions = instance.ruleset.functions
        self.instance = instance
        self._claim, self._ruleset = claim, instance.ruleset
        self._rules = Rules(instance, Meter(RULE_STEPS, WorkError))
        self._inside = compile_plain(claim.where, functions, meter)
        self._says = compile_plain(claim.formula, functions, meter)
        self._ranges = [compile_plain(v.inside, functions, meter) for v in claim.variables]
        self._lows = [
            (c.name, compile_plain(c.range.low, functions, meter)) for c in self._ruleset.coordinates
        ]
        self._known = _known(instance)
        self._spare = IN_ALL
        _, about = split_where(claim.where, self._ruleset)
        self._everywhere = about == TRUE

    def at(self, position: Position, variables: Mapping[str, int]) -> Look | None:
        """What is seen of the statement there: nothing if it is not about the position with these values of its
        variables; None if it is, and cannot be told to be right or wrong.

        Raises WorkError or LimitError when nothing may be spent any more, and EvaluationError where the rules have
        no value.
        """
        if not self._rules.legal(position):
            return Look()
        environment = {**self._rules.environment(position), **variables}
        if not all(kept(inside, environment) for inside in (self._inside, *self._ranges)):
            return Look()
        seen = Look(1, max(position, default=0))
        for name, low in self._lows:
            if low(environment) < 0:
                at = show(self._ruleset.coordinate_names, position)
                return replace(seen, fault=f"the range of {name} begins below 0: see {at}")
        here, truth = value(self._says, environment), None
        if self._claim.target == ALWAYS:
            truth = 1
        elif here is None:
            truth = self._truth(position) or 0
        elif told := self._by_options(here, position, self._options(position), seen):
            return told
        else:
            truth = self._truth(position)
        if truth is None or truth == here:
            return None if truth is None else seen
        return replace(seen, wrong=example_of(self.instance, position, truth, here))

    def _options(self, position: Position) -> Sequence[tuple[Position, ...]]:
        known = self._known.options
        if position not in known:
            options = checked_options(self._rules, position)
            if len(known) >= KEPT or len(options) > KEPT:
                return options
            known[position] = options
        return known[position]

    def wrong_first(self, position: Position) -> Counterexample | None:
        """The position as a counterexample, if the statement is about every one and right at all that are smaller."""
        target, values = self._claim.target.name, self._by_sums(self._options(position))
        known = [one for one in values if one is not None]
        if target == "level" or not self._tells or len(known) < len(values):
            return None
        here, truth = value(self._says, self._rules.environment(position)), self._wanted_by(known)
        found = example_of(self.instance, position, truth, here)
        return None if truth == here else replace(found, smallest=True)

    def says_p(self, position: Position) -> bool:
        """Whether the statement says that it is a P-position."""
        return bool(value(self._says, self._rules.environment(position)))

    # -- by the options -------------------------------------------------------------------------------------------

    def _by_options(
        self, here: int, position: Position, options: Sequence[tuple[Position, ...]], seen: Look
    ) -> Look | None:
        """What is seen of it if what it says of the options tells; else None."""
        target = self._claim.target
        if not self._tells:
            return None
        values = self._by_sums(options)
        known = [one for one in values if one is not None]
        at = show(self._ruleset.coordinate_names, position)
        clash = here in known if target.name == "grundy" else bool(here and any(known))
        if clash:
            return replace(seen, contradiction=f"it says the same of {at} and of an option of it")
        if len(known) < len(values):
            return (
                replace(seen, contradiction=f"it has no value at an option of {at}")
                if self._everywhere
                else None
            )
        if target.name == "level":
            return None
        if here != self._wanted_by(known):
            return replace(seen, contradiction=f"what it says of {at} is not what it says of its options")
        return seen

    @property
    def _tells(self) -> bool:
        """Whether what is said of the options says what is to be said: the outcome of a sum needs Grundy numbers."""
        return not self._ruleset.splits or self._claim.target.name == "grundy"

    def _by_sums(self, options: Sequence[tuple[Position, ...]]) -> list[int | None]:
        """What the statement says of each option, a sum of positions; None where it does not say it of each of them."""
        found: list[int | None] = []
        for parts in options:
            each = [self._said(part) for part in parts]
            found.append(None if None in each else reduce(xor, (one for one in each if one is not None), 0))
        return found

    def _said(self, option: Position) -> int | None:
        """What the statement says of the option; None if it is not about it, or has no value."""
        environment = self._rules.environment(option)
        if not self._everywhere and not kept(self._inside, environment):
            return None
        return value(self._says, environment)

    def _wanted_by(self, options: Sequence[int]) -> int:
        """What the formula must say, by what it says of the options."""
        if self._claim.target.name == "grundy":
            return mex(options)
        if self._ruleset.play == "misere":
            return int(bool(options) and not any(options))
        return int(not any(options))

    # -- by the definition ----------------------------------------------------------------------------------------

    def _truth(self, position: Position) -> int | None:
        """What the statement must say by the definition; None if that asks for too many options."""
        found = self._by_definition(position)
        return None if found is None else wanted(found, self._claim.target)

    def _by_definition(self, position: Position) -> int | None:
        """The Grundy number (under misère play 0 for P, 1 for N); None if that asks for too many options."""
        misere, most = self._ruleset.play == "misere", min(OPTIONS, self._spare)
        solved, seen = self._known.solved, 0
        waiting: list[tuple[Position, list[tuple[Position, ...]] | None]] = [(position, None)]
        while waiting:
            here, options = waiting.pop()
            if here in solved:
                continue
            if options is None:
                options = list(islice(self._options(here), most))
                seen += 1 + len(options)
                if seen > most:
                    self._spare -= most
                    return None
                waiting.append((here, options))
                waiting += [(part, None) for parts in options for part in parts if part not in solved]
            else:
                values = [reduce(xor, (solved[part] for part in parts)) for parts in options]
                solved[here] = int(not values or 0 in values) if misere else mex(values)
        self._spare -= seen
        return solved[position]


def wanted(number: int, target: Target) -> int:
    """What the formula must say where the Grundy number (or for outcomes 0 or 1) is this."""
    if target == ALWAYS:
        return 1
    if target == P_POSITIONS:
        return int(number == 0)
    return int(number == target.value) if target.name == "level" else number


def kept(inside: Evaluator, environment: Mapping[str, int]) -> bool:
    """Whether the statement is about the position; it is about none where the condition has no value."""
    return bool(value(inside, environment))


def value(says: Evaluator, environment: Mapping[str, int]) -> int | None:
    """What the formula says, None where it has no value."""
    try:
        return int(says(environment))
    except LimitError:
        raise
    except EvaluationError:
        return None
