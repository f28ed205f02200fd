"""The model of a game: an immutable ruleset whose parts are expressions of the formula language."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from grundylab.errors import FormulaError
from grundylab.games.schema import SourceSpec
from grundylab.games.shapes import Fall, General, shape_of
from grundylab.language import Function, Functions, check_names
from grundylab.language.functions import AnyFunction, Declared, Tabulated
from grundylab.language.syntax import (
    TRUE,
    Compare,
    Expr,
    Kind,
    Name,
    called_functions,
    chain,
    compare,
    conjunction,
    free_names,
)

PASS_COORDINATE = "p"  # added by the modifier ``pass``: 1 while the pass is available


@dataclass(frozen=True)
class Range:
    """The integers from ``low`` to ``high``, both ends included; empty if high < low."""

    low: Expr
    high: Expr

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True)
class Ranged:
    """A named number with a range: a coordinate of a position, or a choice that the player makes in a move.

    The ends of the range may mention names that are defined before this one.
    """

    name: str
    range: Range

    @property
    def ends(self) -> tuple[Expr, Expr]:
        """The two ends of the range: (low, high)."""
        return self.range.low, self.range.high

    @property
    def inside(self) -> Expr:
        """The condition that the number is in its range."""
        return Compare(("<=", "<="), (self.range.low, Name(self.name), self.range.high))

    def within(self, bounds: tuple[str, ...]) -> Expr:
        """Return the condition ``inside`` without each end of the range that mentions one of these bounds."""
        terms = (
            compare("<=", self.range.low, Name(self.name)),
            compare("<=", Name(self.name), self.range.high),
        )
        ends = zip(self.ends, terms, strict=True)
        return conjunction(*(term for end, term in ends if not free_names(end) & set(bounds)))

    def mapped(self, change: Callable[[Expr], Expr]) -> Ranged:
        """Return a copy with ``change`` applied to both ends of the range."""
        return Ranged(self.name, Range(*map(change, self.ends)))


@dataclass(frozen=True)
class Move:
    """A move of the rules: one option for every assignment of the ``choices`` that fulfils the condition ``when``.

    parts: the positions whose sum the move leads to, in most games one. Each is a tuple with the new value of every
    coordinate, in order, as an expression of the old coordinates and the choices. a_pass: the move is a pass, which
    exists only where some other move does (no pass is available from a terminal position).
    """

    name: str
    choices: tuple[Ranged, ...]
    when: Expr
    parts: tuple[tuple[Expr, ...], ...]
    a_pass: bool = False

    def mapped(self, change: Callable[[Expr], Expr]) -> Move:
        """Return a copy with ``change`` applied to every expression of the move."""
        choices = tuple(choice.mapped(change) for choice in self.choices)
        parts = tuple(tuple(map(change, part)) for part in self.parts)
        return replace(self, choices=choices, when=change(self.when), parts=parts)

    def changes(self, names: tuple[str, ...], part: int = 0) -> dict[str, Expr]:
        """Return the new values, by name, of the coordinates that the move changes.

        names: all coordinates, in order. part: the index of the position in ``parts``.
        """
        pairs = zip(names, self.parts[part], strict=True)
        return {name: new for name, new in pairs if new != Name(name)}

    def shape(self, names: tuple[str, ...]) -> General:
        """Return the shape of the move. names: all coordinates, in order."""
        parts = [self.changes(names, number) for number in range(len(self.parts))]
        choices = [(choice.name, *choice.ends) for choice in self.choices]
        return shape_of(parts, choices, self.when, self.a_pass, names)

    @property
    def described(self) -> tuple[object, ...]:
        """Everything that determines the move's options, as texts for a digest."""
        choices = [(choice.name, str(choice.range)) for choice in self.choices]
        return choices, str(self.when), [[*map(str, part)] for part in self.parts], self.a_pass

    @property
    def expressions(self) -> Iterator[Expr]:
        """All expressions of the move."""
        yield from (end for choice in self.choices for end in choice.ends)
        yield from (self.when, *(value for part in self.parts for value in part))


@dataclass(frozen=True)
class Parameter:
    """A number that is fixed for a whole game; the condition ``domain`` on it may mention earlier parameters, too."""

    name: str
    domain: Expr


@dataclass(frozen=True)
class Target:
    """The quantity that a formula describes.

    ``p``: the P-positions. ``grundy``: the Grundy number. ``level``: the positions with the Grundy number ``value``.
    ``true``: every position, for a claim that a condition is always true. ``condition``, ``number``: the column called
    ``column`` of a table that belongs to no game.
    """

    name: Literal["p", "grundy", "level", "true", "condition", "number"]
    value: int = 0
    column: str = ""

    def __str__(self) -> str:
        if self.column:
            return self.column
        return f"grundy == {self.value}" if self.name == "level" else self.name

    @property
    def own(self) -> bool:
        """True if the target is a column of a table that belongs to no game."""
        return self.name in ("condition", "number")

    @property
    def slug(self) -> str:
        """The target as part of file names."""
        return f"grundy-{self.value}" if self.name == "level" else self.name

    @property
    def kind(self) -> Kind:
        """The kind of expression that a formula for the target must be: a condition or a number."""
        return Kind.NUMBER if self.name in ("grundy", "number") else Kind.CONDITION

    def check_kind(self, formula: Expr) -> None:
        """Raise FormulaError if the formula is no condition, or no number, as the target needs."""
        if formula.kind is not self.kind:
            raise FormulaError(
                f"target {self} needs {self.kind.value}, but '{formula}' is {formula.kind.value}"
            )

    @property
    def values(self) -> Values:
        """The values that a table needs for the target: outcomes, or Grundy numbers."""
        return "outcome" if self.name in ("p", "true") else "grundy"


Values = Literal["grundy", "outcome"]
P_POSITIONS, GRUNDY, ALWAYS = Target("p"), Target("grundy"), Target("true")
A_CONDITION, A_NUMBER = Target("condition"), Target("number")


def parse_target(text: str) -> Target:
    """Parse ``p``, ``grundy``, ``true`` or ``grundy == 2``; also the slug ``grundy-2``, as in names of files.

    Raises FormulaError for any other text.
    """
    flat = text.strip()
    if flat == "p":
        return P_POSITIONS
    if flat == "grundy":
        return GRUNDY
    if flat == "true":
        return ALWAYS
    if level := re.fullmatch(r"grundy(?:\s*==\s*|-)(0|[1-9][0-9]{0,8})", flat):
        return Target("level", int(level[1]))
    if flat == "win":
        raise FormulaError(
            "'win' is a target of discover alone; a study with the target p or grundy finds the winning moves, too"
        )
    raise FormulaError(f"unknown target '{text}'; write p, grundy, or grundy == 2")


@dataclass(frozen=True)
class ListingMember:
    """One item of a listing: the positions ``entries`` for all values of the ``indices`` that fulfil ``where``.

    entries: the value of each coordinate, as an expression of the indices.
    """

    entries: tuple[Expr, ...]
    indices: tuple[str, ...] = ()
    where: Expr = TRUE


@dataclass(frozen=True)
class Listing:
    """A set of positions, in the form in which a paper prints it."""

    members: tuple[ListingMember, ...]


@dataclass(frozen=True)
class PrintedTable:
    """A table of values, in the form in which a paper prints it.

    coordinates: those that vary in the table. fixed: (name, value) of each coordinate that does not vary. entries: for
    each place with an entry, the values of the varying coordinates and the entry.
    """

    coordinates: tuple[str, ...]
    fixed: tuple[tuple[str, int], ...]
    entries: tuple[tuple[tuple[int, ...], int], ...]


@dataclass(frozen=True)
class OptionCondition:
    """The statement that every option, or some option, fulfils a condition on the option's coordinates."""

    quantifier: Literal["every", "some"]
    condition: Expr


ClaimKind = Literal["formula", "positions", "table", "options", "condition"]


@dataclass(frozen=True)
class Claim:
    """A statement printed in a paper, about the positions and parameters that fulfil ``where``.

    Whatever its kind, the claim states that ``formula`` describes ``target``. printed: the statement as the paper
    prints it, if that is no formula. values: pairs (function, ruleset); in this claim the function gives the Grundy
    number of a position of that ruleset, or of the claim's own ruleset if it is called ``this``. tables: functions that
    the claim defines by a printed table. variables: further numbers, each with a range; the condition is claimed
    for all their values. unpublished: the statement is from no paper. instead: the corrected claim, if this
    one is false and the file has one.
    """

    id: str
    target: Target
    formula: Expr
    where: Expr = TRUE
    at: str = ""
    note: str = ""
    paper: str | None = None
    kind: ClaimKind = "formula"
    values: tuple[tuple[str, str], ...] = ()
    tables: tuple[Tabulated, ...] = ()
    variables: tuple[Ranged, ...] = ()
    printed: Listing | PrintedTable | OptionCondition | None = None
    unpublished: bool = False
    instead: Claim | None = None

    @property
    def plain(self) -> bool:
        """True if the claim uses no names and functions besides those of its game."""
        return not (self.values or self.tables or self.variables)

    @property
    def called(self) -> frozenset[str]:
        """The functions of the game that the claim calls."""
        own = {name for name, _ in self.values} | {table.name for table in self.tables}
        return (called_functions(self.formula) | called_functions(self.where)) - own


@dataclass(frozen=True)
class FreeFunction:
    """A function that the rules leave open: any function that fulfils ``condition`` for all its arguments."""

    name: str
    arguments: tuple[str, ...]
    condition: Expr


@dataclass(frozen=True)
class Ruleset:
    """A game: position space, moves, parameters, and the published claims about it.

    where: the condition on the coordinates that makes a position. measure: a number that every move lowers. bounds:
    names for the sizes of tables, such as N, which are no part of the game. piles: the coordinates for which ``...`` in
    a formula repeats an expression. files: the file of the ruleset, then those of the rulesets that it extends. free:
    the functions that the rules leave open. folder: the folder with the rulesets that the claims name.
    """

    name: str
    title: str
    coordinates: tuple[Ranged, ...]
    moves: tuple[Move, ...]
    measure: Expr
    parameters: tuple[Parameter, ...] = ()
    bounds: tuple[str, ...] = ()
    where: Expr = TRUE
    functions: Functions = field(default_factory=Functions)
    play: Literal["normal", "misere"] = "normal"
    piles: tuple[str, ...] = ()
    source: SourceSpec | None = None
    claims: tuple[Claim, ...] = ()
    files: tuple[str, ...] = ()
    free: tuple[FreeFunction, ...] = ()
    description: str = ""
    folder: str = ""

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """The names of the coordinates, in order."""
        return tuple(coordinate.name for coordinate in self.coordinates)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the parameters, in order."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def formula_names(self) -> tuple[str, ...]:
        """The names that a formula about the game may mention: coordinates and parameters."""
        return self.coordinate_names + self.parameter_names

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """The names with which the position space grows: the bounds or, in a game without bounds, parameters.

        These are the parameters that the ranges of the coordinates mention, directly or in functions; if they mention
        none, all parameters.
        """
        ends = [end for coordinate in self.coordinates for end in coordinate.ends]
        called = (f.body for f in self.functions.called_by(*ends) if isinstance(f, Function))
        named = {name for expr in (*ends, *called) for name in free_names(expr)}
        return (
            self.bounds
            or tuple(name for name in self.parameter_names if name in named)
            or self.parameter_names
        )

    @property
    def domain(self) -> Expr:
        """The condition on all parameters together."""
        return conjunction(*(parameter.domain for parameter in self.parameters))

    @property
    def splits(self) -> bool:
        """True if some move leads to a sum of positions."""
        return any(len(move.parts) > 1 for move in self.moves)

    @property
    def misere_sums(self) -> bool:
        """True if moves lead to sums under misère play, whose outcomes do not follow from those of their parts."""
        return self.play == "misere" and self.splits

    @cached_property
    def shapes(self) -> tuple[General, ...]:
        """The shape of each move."""
        names = self.coordinate_names
        return tuple(move.shape(names) for move in self.moves)

    @property
    def pass_flag(self) -> str | None:
        """The coordinate that is 1 while a pass is available; None in a game without a pass."""
        return next((shape.flag for shape in self.shapes if isinstance(shape, Fall)), None)

    @property
    def own_coordinates(self) -> tuple[str, ...]:
        """The names of the coordinates but the one that a pass adds."""
        return tuple(name for name in self.coordinate_names if name != self.pass_flag)

    @property
    def expressions(self) -> Iterator[Expr]:
        """All expressions of the position space and of the moves."""
        yield from (end for c in self.coordinates for end in c.ends)
        yield from (self.where, self.measure)
        for move in self.moves:
            yield from move.expressions

    @cached_property
    def rule_functions(self) -> Functions:
        """The functions that the rules call, directly or through others, without those that only claims use."""
        used = self.functions.called_by(*self.expressions, self.domain)
        return Functions(used, self.functions.parameters)

    @property
    def described(self) -> tuple[object, ...]:
        """Everything but functions that determines outcomes and Grundy numbers, as texts for a digest."""
        coordinates = [(c.name, str(c.range)) for c in self.coordinates]
        parameters = [(p.name, str(p.domain)) for p in self.parameters]
        moves = [move.described for move in self.moves]
        return coordinates, parameters, self.bounds, str(self.where), moves, str(self.measure), self.play

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of everything that determines outcomes and Grundy numbers; title, source and claims do not."""
        *rules, measure, play = self.described
        functions = [function_key(function) for function in self.functions]
        described = (*rules, functions, measure, play)
        return hashlib.sha256(repr(described).encode()).hexdigest()

    def check_formula(self, formula: Expr, target: Target, functions: Functions | None = None) -> Expr:
        """Return the formula if it can describe the target in this game; raise FormulaError otherwise.

        functions: those that the formula may call; by default the game's.
        """
        self.check_condition(formula, functions)
        target.check_kind(formula)
        self.check_target(target)
        return formula

    def check_target(self, target: Target) -> None:
        """Raise FormulaError if the game has no values of this target."""
        if target.own:
            raise FormulaError(
                f"the meaning of the column '{target}' in {self.name} is unknown; name it, as in target='grundy'"
            )
        if self.play == "misere" and target.name not in ("p", "true"):
            raise FormulaError(f"under misere play only the outcome is solved; take target p, not {target}")

    def check_condition(self, condition: Expr, functions: Functions | None = None) -> Expr:
        """Return the expression if it uses only the game's names and is not too large; raise FormulaError otherwise.

        functions: those that the expression may call; by default the game's.
        """
        usable = functions or self.functions
        check_names(condition, self.formula_names, usable, "coordinate or parameter")
        usable.check_growth(condition)
        return condition

    def claim(self, identifier: str) -> Claim:
        """Return the claim with this id. Raises FormulaError if there is none."""
        for claim in self.claims:
            if claim.id == identifier:
                return claim
        ids = ", ".join(claim.id for claim in self.claims) or "none"
        raise FormulaError(f"{self.name} has no claim '{identifier}'; its claims: {ids}")


def function_key(function: AnyFunction) -> tuple[object, ...]:
    """Return a tuple of everything that determines the function's values."""
    match function:
        case Function(name=name, arguments=arguments, body=body, initial=initial):
            return (name, arguments, str(body), initial)
        case Tabulated(name=name, arguments=arguments, values=values, lows=lows):
            return (name, arguments, values.tolist(), lows)
        case Declared(name=name, arguments=arguments, what=what):
            return (name, arguments, what)


def coordinate_sum(names: tuple[str, ...]) -> Expr:
    """Return the default measure: the sum of the coordinates."""
    return chain("+", map(Name, names))
