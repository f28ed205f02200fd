"""The sentence that induction on the measure needs, as a MONA script: from a ruleset and a hypothesis, no more.

For a hypothesis about level sets (level 0: the P-positions) the sentence says, for all positions of its region: it
is in level u exactly when no option is in u and for each smaller level some option is in it. For one about Grundy
numbers: no option has the position's value, and every smaller value is an option's. Besides: every move stays in the
position space and in the region, and lowers the measure, which is never negative. By induction on the measure the
hypothesis then is the truth throughout its region (Siegel, Combinatorial Game Theory, Section IV.1). The parameters
stay free, so MONA's answer is the automaton of exactly those for which the sentence is true.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import cast

from grundylab.games.model import ALWAYS, Claim, Move, Ruleset
from grundylab.language.names import OTHER, VALUE, after, value_of_part
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Binary, Compare, Expr, Int, Name, compare, conjunction, free_names
from grundylab.logic.ws1s.reader import Logic
from grundylab.prove.hypothesis import Hypothesis, level_of
from grundylab.prove.space import (
    NotProvable,
    at_least_zero,
    plainly_natural,
    position_space,
    signed_choices,
)

SUMS = "moves split positions, so their parts' Grundy numbers are needed: claim those first"


@dataclass(frozen=True)
class Sentence:
    """What is asked of an induction: whether the goal is so for all positions and parameters.

    goal: one of GOALS. free: the coordinates and parameters that the answer is to be an automaton of; all others are
    quantified. assuming: a condition on the parameters. equal_to: it is asked whether the goal holds, for all
    positions, for exactly the parameters that fulfil this.
    """

    goal: str
    free: tuple[str, ...] = ()
    assuming: Expr = TRUE
    equal_to: Expr | None = None


class Obligations:
    """Writes the scripts for one ruleset, hypothesis and statement; all share the same definitions."""

    def __init__(self, ruleset: Ruleset, hypothesis: Hypothesis, statement: Claim) -> None:
        self._ruleset = ruleset
        self._hypothesis = hypothesis
        self._statement = statement
        self._coordinates = ruleset.coordinate_names
        self._parameters = ruleset.parameter_names
        self._logic = Logic(ruleset.functions, signed_choices(ruleset.moves))
        if ruleset.splits and hypothesis.grundy is None and statement.target != ALWAYS:
            raise NotProvable(SUMS)
        for parameter in ruleset.parameters:
            if not at_least_zero(parameter):
                raise NotProvable(
                    f"the domain of {parameter.name} does not plainly begin at 0 or above: {parameter.domain}"
                )
        self._definitions = list(self._define())

    def script(self, title: str, asked: Sentence) -> str:
        """A whole MONA script: comments, library, definitions, and the goal for all positions and parameters."""
        free = asked.free
        domain = f"domain({self._call(self._parameters)}) & {self._logic.condition(asked.assuming)}"
        sentence = _for_all([n for n in self._coordinates if n not in free], GOALS[asked.goal](self))
        if asked.equal_to is not None:
            sentence = f"({sentence} <=> {self._logic.condition(asked.equal_to)})"
        sentence = _for_all([n for n in self._parameters if n not in free], f"(({domain}) => {sentence})")
        lines = [_comment(line) for line in title.splitlines()]
        lines += ["ws1s;", "", self._logic.prelude(), "", *self._definitions, ""]
        lines += [f"var2 {', '.join(f'v_{name}' for name in free)};"] if free else []
        return "\n".join([*lines, f"# {asked.goal}", f"{sentence};", ""])

    # -- definitions ------------------------------------------------------------------------------------------

    def _define(self) -> list[str]:
        ruleset, hypothesis = self._ruleset, self._hypothesis
        domain = conjunction(*(parameter.domain for parameter in ruleset.parameters))
        found = [self._predicate("domain", self._parameters, domain, "the parameters' domains")]
        everything = (*self._coordinates, *self._parameters)
        found.append(self._predicate("space", everything, position_space(ruleset), "the position space"))
        found.append(self._predicate("region", everything, hypothesis.region, "what the hypothesis is about"))
        for number, level in enumerate(hypothesis.levels):
            meaning = "P-position" if number == 0 else f"Grundy number {number}"
            found.append(self._predicate(f"level{number}", everything, level, f"hypothesis: {meaning}"))
        if hypothesis.grundy is not None:
            found.append(self._value("value", hypothesis.grundy, "hypothesis: the Grundy number is g"))
        found += self._options()
        found.append(self._predicate("claimed", everything, self._statement.where, "what is claimed about"))
        if self._statement.target.name == "grundy":
            found.append(self._value("claim", self._statement.formula, "claim: the Grundy number is g"))
        else:
            found.append(self._predicate("claim", everything, self._statement.formula, "what is claimed"))
        return found

    def _predicate(self, name: str, arguments: Sequence[str], condition: Expr, comment: str) -> str:
        """A predicate of the arguments (``pred`` needs one at least: the dummy is for games without parameters)."""
        body = f"{self._logic.defined(condition)} & {self._logic.condition(condition)}"
        return f"{_comment(f'{comment}: {condition}')}\npred {name}({_formal(arguments)}) = {body};"

    def _value(self, name: str, number: Expr, comment: str) -> str:
        arguments = (*self._coordinates, *self._parameters)
        body = self._logic.equals(VALUE, number)
        return (
            f"{_comment(f'{comment}: g = {number}')}\npred {name}({_formal([*arguments, VALUE])}) = {body};"
        )

    def _options(self) -> list[str]:
        """For each level (or for the value g): that some option has it; and that there is a move at all."""
        found = [self._some_option("movable", lambda _: "true", passes=False)]
        for number in range(len(self._hypothesis.levels)):
            found.append(self._some_option(f"option{number}", partial(self._first_is, f"level{number}")))
        if self._hypothesis.grundy is not None:
            found.append(self._some_option("optionof", self._sum_is_g, extra=(VALUE,)))
        return found

    def _some_option(
        self,
        name: str,
        truth: Callable[[list[list[str]]], str],
        extra: Sequence[str] = (),
        passes: bool = True,
    ) -> str:
        moves = [move for move in self._ruleset.moves if passes or not move.a_pass]
        each = [f"  # {move.name}\n  {self._moving(move, truth)}" for move in moves]
        arguments = [*self._coordinates, *self._parameters, *extra]
        body = " |\n".join(each or ["  false"])
        return f"# some move leads there\npred {name}({_formal(arguments)}) =\n{body};"

    def _first_is(self, predicate: str, parts: list[list[str]]) -> str:
        return self._is(predicate, parts[0])

    def _is(self, predicate: str, position: Sequence[str], *extra: str) -> str:
        return f"{predicate}({self._call([*position, *self._parameters, *extra])})"

    def _sum_is_g(self, parts: list[list[str]]) -> str:
        """That the nim-sum of the parts' values is g."""
        if len(parts) == 1:
            return self._is("value", parts[0], VALUE)
        values = [value_of_part(number) for number in range(len(parts))]
        first, *others = (Name(value) for value in values)
        nim_sum = reduce(lambda a, b: Binary("^", a, b), others, cast(Expr, first))
        are = " & ".join(self._is("value", part, value) for part, value in zip(parts, values, strict=True))
        return f"(ex2 {', '.join(f'v_{v}' for v in values)}: {are} & {self._logic.equals(VALUE, nim_sum)})"

    # -- moves ------------------------------------------------------------------------------------------------

    def _moving(self, move: Move, truth: Callable[[list[list[str]]], str]) -> str:
        """That for some choices the move can be made and ``truth`` is so of the positions that it leads to."""
        targets = [self._names_of(part, number) for number, part in enumerate(move.parts)]
        changes = [
            (name, value)
            for names, part in zip(targets, move.parts, strict=True)
            for name, value in zip(names, part, strict=True)
            if value != Name(name)
        ]
        quantifiers = [f"v_{name}" for name, _ in changes]
        equations = [self._logic.equals(name, value) for name, value in changes]
        inner = " & ".join([*equations, truth(targets)])
        return self._choosing(
            move, f"(ex2 {', '.join(quantifiers)}: {inner})" if quantifiers else f"({inner})"
        )

    def _names_of(self, part: Sequence[Expr], number: int) -> list[str]:
        """The names of the coordinates of a part: those that do not change keep theirs."""
        pairs = zip(self._coordinates, part, strict=True)
        return [old if value == Name(old) else after(old, number) for old, value in pairs]

    def _choosing(self, move: Move, inner: str) -> str:
        """``inner`` for some choices that the move allows."""
        inner = f"({self._logic.condition(move.when)} & {inner})"
        for choice in reversed(move.choices):
            span = Compare(("<=", "<="), (choice.range.low, Name(choice.name), choice.range.high))
            inner = f"({self._logic.condition(span)} & {inner})"
            for variable in reversed(self._logic.variables(choice.name)):  # a set, and perhaps a sign
                inner = f"(ex{'0' if variable.startswith('s_') else '2'} {variable}: {inner})"
        if move.a_pass:
            inner = f"({self._is('movable', self._coordinates)} & {inner})"
        return inner

    # -- goals ------------------------------------------------------------------------------------------------

    def _everywhere(self, inner: str) -> str:
        return f"({self._is('space', self._coordinates)} => {inner})"

    def _throughout(self, inner: str) -> str:
        here = f"{self._is('space', self._coordinates)} & {self._is('region', self._coordinates)}"
        return f"(({here}) => {inner})"

    def natural(self) -> str:
        """No coordinate begins below 0: what is said of natural numbers is then said of all positions.

        Each range begins at 0 or above wherever the coordinates before it are in theirs.
        """
        parts, before = [], list[Expr]()
        for coordinate in self._ruleset.coordinates:
            low = coordinate.range.low
            if not plainly_natural(low):
                inside = self._logic.condition(conjunction(*before))
                begins = f"{self._logic.defined(low)} & {self._logic.condition(compare('>=', low, Int(0)))}"
                parts.append(f"({inside} => ({begins}))")
            before.append(compare("<=", low, Name(coordinate.name)))
            if not free_names(coordinate.range.high) & set(self._ruleset.bounds):
                before.append(compare("<=", Name(coordinate.name), coordinate.range.high))
        return f"({' & '.join(parts)})" if parts else "true"

    def stays(self) -> str:
        """Space and moves have a meaning, and every move leads into the space and to a smaller measure."""
        ruleset, parts = self._ruleset, []
        meaning = self._logic.defined(position_space(ruleset))
        defined = self._logic.defined(compare(">=", ruleset.measure, Int(0)))
        parts.append(f"({defined} & {self._logic.condition(compare('>=', ruleset.measure, Int(0)))})")
        for move in ruleset.moves:
            parts += self._has_meaning(move)
            good = self._moving_well(move)
            parts.append(f"~{self._choosing(move, f'~{good}')}")
        inside = self._everywhere("(" + " & ".join(parts) + ")")
        return inside if meaning == "true" else f"({meaning} & {inside})"

    def _has_meaning(self, move: Move) -> Iterator[str]:
        """That ranges and guard have values: each range wherever the earlier choices are possible."""
        for number, choice in enumerate((*move.choices, None)):
            exprs = [choice.range.low, choice.range.high] if choice else [move.when]
            texts = [text for text in map(self._logic.defined, exprs) if text != "true"]
            if texts:
                earlier = Move(move.name, move.choices[:number], TRUE, move.parts)
                without = f"~({' & '.join(texts)})"
                yield f"~{self._choosing(earlier, without)}"

    def _moving_well(self, move: Move) -> str:
        """That each part is a position of smaller measure."""
        whole = []
        for number, part in enumerate(move.parts):
            names = self._names_of(part, number)
            new = {old: Name(name) for old, name in zip(self._coordinates, names, strict=True)}
            smaller = compare("<", substitute(self._ruleset.measure, new), self._ruleset.measure)
            equations = [self._logic.equals(n, v) for n, v in zip(names, part, strict=True) if v != Name(n)]
            inner = " & ".join([*equations, self._is("space", names), self._logic.condition(smaller)])
            changed = [f"v_{name}" for name, old in zip(names, self._coordinates, strict=True) if name != old]
            whole.append(f"(ex2 {', '.join(changed)}: {inner})" if changed else f"({inner})")
        return "(" + " & ".join(whole) + ")"

    def closed(self) -> str:
        """No move leads out of the region."""
        if self._hypothesis.region == TRUE:
            return "true"
        outside = [
            self._moving(
                move, lambda parts: "~(" + " & ".join(self._is("region", part) for part in parts) + ")"
            )
            for move in self._ruleset.moves
        ]
        return self._throughout("~(" + " | ".join(outside) + ")")

    def exact(self) -> str:
        """The hypothesis is what the options' values make it."""
        here = self._coordinates
        if self._hypothesis.grundy is not None:
            value, option = self._is("value", here, VALUE), self._is("optionof", here, VALUE)
            smaller = self._logic.condition(compare("<", Name(VALUE), Name(OTHER)))
            every = f"(all2 v_{VALUE}: {smaller} => {option})"
            own = self._is("value", here, OTHER)
            return self._throughout(
                f"(ex2 v_{OTHER}: {own} & {every} & ~(ex2 v_{VALUE}: {value} & {option}))"
            )
        parts = []
        for number in range(len(self._hypothesis.levels)):
            below = [self._is(f"option{lower}", here) for lower in range(number)]
            none = f"~{self._is(f'option{number}', here)}"
            if self._ruleset.play == "misere":  # who cannot move wins
                below = [self._is("movable", here)]
            parts.append(f"({self._is(f'level{number}', here)} <=> ({' & '.join([none, *below])}))")
        return self._throughout("(" + " & ".join(parts) + ")")

    def follows(self) -> str:
        """What is claimed is said by the hypothesis."""
        here, target = self._coordinates, self._statement.target
        if target == ALWAYS:
            same = self._is("claim", here)
        elif target.name == "grundy":
            same = f"(ex2 v_{VALUE}: {self._is('claim', here, VALUE)} & {self._is('value', here, VALUE)})"
        elif self._hypothesis.grundy is not None:
            level = self._logic.equals(VALUE, Int(level_of(target)))
            is_level = f"(ex2 v_{VALUE}: {level} & {self._is('value', here, VALUE)})"
            same = f"({self._is('claim', here)} <=> {is_level})"
        else:
            same = f"({self._is('claim', here)} <=> {self._is(f'level{len(self._hypothesis.levels) - 1}', here)})"
        about = f"{self._is('space', here)} & {self._is('claimed', here)}"
        meaning = self._logic.defined(self._statement.formula)
        return f"(({about}) => ({self._is('region', here)} & {meaning} & {same}))"

    def said(self) -> str:
        """What is needed of a claim that plays no game."""
        return _all([self.natural(), self.follows()])

    def playable(self) -> str:
        """What makes the rules a game."""
        return _all([self.natural(), self.stays()])

    def everything(self) -> str:
        """All of the above."""
        return _all([self.natural(), self.stays(), self.closed(), self.exact(), self.follows()])

    def _call(self, names: Sequence[str]) -> str:
        return ", ".join(f"v_{name}" for name in names) or "{}"


def _all(parts: Sequence[str]) -> str:
    return "(" + " & ".join(part for part in parts if part != "true") + ")"


def _comment(text: str) -> str:
    """Comment lines: MONA cannot read very long ones."""
    return "\n".join(f"# {line}" for line in textwrap.wrap(text, 100))


def _for_all(names: Sequence[str], inner: str) -> str:
    return f"(all2 {', '.join(f'v_{name}' for name in names)}: {inner})" if names else inner


def _formal(names: Sequence[str]) -> str:
    return ", ".join(f"var2 v_{name}" for name in names) or "var2 v_unused"


NATURAL = "no coordinate begins below 0"
STAYS = "every move leads into the position space and lowers the measure"
CLOSED = "no move leads out of the region"
EXACT = "the hypothesis is what the options make it"
FOLLOWS = "the claim is what the hypothesis says"
INDUCTION = "induction: all of it"
PLAYABLE = "the rules make a game"
SAID = "the claim is true at all positions"
GOALS: dict[str, Callable[[Obligations], str]] = {
    NATURAL: Obligations.natural,
    STAYS: Obligations.stays,
    CLOSED: Obligations.closed,
    EXACT: Obligations.exact,
    FOLLOWS: Obligations.follows,
    INDUCTION: Obligations.everything,
    SAID: Obligations.said,
    PLAYABLE: Obligations.playable,
}
