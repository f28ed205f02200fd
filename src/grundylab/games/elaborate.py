"""Elaboration of a ruleset file: its texts become a ruleset, part by part, and each part may mention earlier ones.

Short forms of moves are expanded here, and a move that mentions one pile is repeated for every pile.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from grundylab.errors import FormulaError, RulesetError
from grundylab.games.linear_moves import standard_form
from grundylab.games.model import (
    PASS_COORDINATE,
    Claim,
    Move,
    Parameter,
    Range,
    Ranged,
    Ruleset,
    coordinate_sum,
)
from grundylab.games.schema import TAKES, ClaimSpec, MoveSpec, RulesetSpec
from grundylab.games.scope import Scope, names_in, read_functions
from grundylab.games.settings import ends_within
from grundylab.games.statements import read_claim
from grundylab.games.yamlfile import Document
from grundylab.language import NO_FUNCTIONS, Expr, Kind
from grundylab.language.intervals import Interval, known_bounds
from grundylab.language.names import unused_name
from grundylab.language.substitution import substitute
from grundylab.language.syntax import (
    RESERVED,
    TRUE,
    Binary,
    Call,
    Int,
    Name,
    called_functions,
    compare,
    conjunction,
    disjunction,
    free_names,
)

PILE_NAMES = ("x", "y", "z", "w", "v", "u")
MAX_BOUNDS = 16  # in the ranges of positions


def elaborate(
    spec: RulesetSpec,
    document: Document,
    name: str,
    files: tuple[str, ...],
    folder: str,
) -> Ruleset:
    """Return the ruleset that the file describes. Raises RulesetError at the line of the fault.

    spec: the file's texts. document: the places of these texts. files: the file, then the files that it extends.
    folder: the folder with the rulesets that the claims name.
    """
    return _Elaborator(spec, document).ruleset(name, files, folder)


class _Elaborator:
    """An elaborator of one file. It keeps the names that are defined so far."""

    def __init__(self, spec: RulesetSpec, document: Document) -> None:
        self._spec = spec
        self._scope = Scope(document, ())
        self._bounds: list[str] = []
        self._coordinates: tuple[str, ...] = ()

    def ruleset(self, name: str, files: tuple[str, ...], folder: str) -> Ruleset:
        spec = self._spec
        self._scope = replace(self._scope, piles=self._pile_names())
        parameters = self._parameters()
        functions, free = read_functions(spec.functions, tuple(spec.parameters), self._scope)
        self._scope = replace(self._scope, functions=functions)
        coordinates = self._position()
        self._scope = replace(self._scope, bounds=tuple(self._bounds))
        self._coordinates = tuple(coordinate.name for coordinate in coordinates)
        with self._scope.at("where"):
            where = self._scope.condition(spec.where, (*self._coordinates, *spec.parameters))
        domains = {parameter.name: parameter.domain for parameter in parameters}
        moves = tuple(_Moves(spec.moves, self._coordinates, domains, self._scope).moves())
        if spec.pass_ is not None:
            coordinates, moves = self._with_pass(coordinates, moves)
        measure = self._measure()
        ruleset = Ruleset(
            name=name,
            title=spec.title,
            coordinates=coordinates,
            moves=moves,
            measure=measure,
            parameters=parameters,
            bounds=tuple(self._bounds),
            where=where,
            functions=functions,
            play=spec.play,
            piles=self._scope.piles,
            source=spec.source,
            files=files,
            free=free,
            description=spec.description,
            folder=folder,
        )
        claims = tuple(self._claim(number, claim, ruleset) for number, claim in enumerate(spec.claims))
        return replace(ruleset, claims=claims)

    # -- parameters -----------------------------------------------------------------------------------------

    def _parameters(self) -> tuple[Parameter, ...]:
        parameters: list[Parameter] = []
        for name, text in self._spec.parameters.items():
            with self._scope.at("parameters", name):
                earlier = tuple(parameter.name for parameter in parameters)
                self._scope.new_name(name, earlier, "parameter")
                domain = self._scope.condition(text, (*earlier, name))
                parameters.append(Parameter(name, domain))
        return tuple(parameters)

    # -- the position space ---------------------------------------------------------------------------------

    def _pile_names(self) -> tuple[str, ...]:
        spec = self._spec
        if spec.piles is None:
            return ()
        with self._scope.at("position"):
            others = set(spec.position) - {PILE_NAMES[0]}
            if PILE_NAMES[0] not in spec.position:
                raise FormulaError("with 'piles:', the position must describe one pile, called x")
            names = PILE_NAMES[: spec.piles]
            if clash := sorted(others & set(names)):
                raise FormulaError(
                    f"'{clash[0]}' is the name of a pile: 'piles: {spec.piles}' makes {', '.join(names)}"
                )
        return names

    def _position(self) -> tuple[Ranged, ...]:
        coordinates: list[Ranged] = []
        for key, text in self._spec.position.items():
            for name in self._scope.piles if self._scope.piles and key == PILE_NAMES[0] else (key,):
                with self._scope.at("position", key):
                    earlier = (*self._spec.parameters, *(c.name for c in coordinates))
                    taken = (*earlier, *self._bounds, *(f.name for f in self._scope.functions))
                    self._scope.new_name(name, taken, "coordinate")
                    coordinates.append(Ranged(name, self._within_bounds(text, earlier)))
        if not coordinates:
            with self._scope.at("position"):
                raise FormulaError("a position needs at least one coordinate, as in {x: 0..N}")
        return tuple(coordinates)

    def _within_bounds(self, text: str, names: tuple[str, ...]) -> Range:
        """Return the range ``low..high``.

        An unknown name in it that begins with a capital becomes a bound of tables.
        """
        low, high = self._scope.ends(text)
        for name in sorted(free_names(low) | free_names(high)):
            if name not in names and name not in self._bounds and name[0].isupper():
                self._bounds.append(name)
        if len(self._bounds) > MAX_BOUNDS:
            raise FormulaError(f"at most {MAX_BOUNDS} bounds are allowed")
        names = (*names, *self._bounds)
        if unknown := sorted((free_names(low) | free_names(high)) - set(names)):
            raise FormulaError(
                f"unknown name '{unknown[0]}'; the name of a table's bound begins with a capital, as in 0..N"
            )
        return Range(self._scope.checked(low, names), self._scope.checked(high, names))

    # -- pass, measure, claims ------------------------------------------------------------------------------

    def _with_pass(
        self, coordinates: tuple[Ranged, ...], moves: tuple[Move, ...]
    ) -> tuple[tuple[Ranged, ...], tuple[Move, ...]]:
        spec = self._spec.pass_
        assert spec is not None
        with self._scope.at("pass"):
            if any(len(move.parts) > 1 for move in moves):
                raise RulesetError("a game with moves that split cannot have a pass; leave out 'pass:'")
            taken = (*self._coordinates, *self._spec.parameters, *(f.name for f in self._scope.functions))
            if PASS_COORDINATE in taken or any(c.name == PASS_COORDINATE for m in moves for c in m.choices):
                raise RulesetError(
                    f"'pass:' makes a coordinate '{PASS_COORDINATE}', but the ruleset already uses that name"
                )
        with self._scope.at("pass", "when"):
            when = self._scope.condition(spec.when, (*self._coordinates, *self._spec.parameters))
        available = Name(PASS_COORDINATE)
        kept = tuple(
            Move(m.name, m.choices, m.when, tuple((*part, available) for part in m.parts)) for m in moves
        )
        still = tuple(Name(name) for name in self._coordinates)
        guard = conjunction(compare("==", available, Int(1)), when)
        a_pass = Move("pass", (), guard, ((*still, Int(0)),), a_pass=True)
        self._coordinates = (*self._coordinates, PASS_COORDINATE)
        return (*coordinates, Ranged(PASS_COORDINATE, Range(Int(0), Int(1)))), (*kept, a_pass)

    def _measure(self) -> Expr:
        """Return the measure that the file gives, or else the sum of the coordinates.

        In a game with a pass, the coordinate of the pass is added to the file's measure.
        """
        if self._spec.measure is None:
            return coordinate_sum(self._coordinates)
        with self._scope.at("measure"):
            measure = self._scope.number(self._spec.measure, (*self._coordinates, *self._spec.parameters))
            # a pass lowers p alone
            return measure if self._spec.pass_ is None else Binary("+", measure, Name(PASS_COORDINATE))

    def _claim(self, number: int, spec: ClaimSpec, ruleset: Ruleset) -> Claim:
        if any(spec.id == earlier.id for earlier in self._spec.claims[:number]):
            with self._scope.at("claims", number, "id"):
                raise RulesetError(f"the claim id '{spec.id}' appears twice")
        return read_claim(number, spec, ruleset, self._scope)


def _one_of(
    numbers: Sequence[Expr], parameters: Mapping[str, Expr], pile: Name, choice: Name
) -> tuple[Range, Expr]:
    """Return a range and a condition that together limit a choice to these numbers, and to at most the pile's size.

    numbers: distinct constants from 1 on, or expressions of parameters; an expression is ignored where its value is
    less than 1. parameters: the domain of each.
    """
    values = sorted(number.value for number in numbers if isinstance(number, Int))
    if len(values) < len(numbers):
        if len(numbers) > 1:
            return Range(Int(1), pile), disjunction(*(compare("==", choice, number) for number in numbers))
        (only,) = numbers
        positive = TRUE if _is_positive(only, parameters) else compare(">=", only, Int(1))
        return Range(only, Call("min", (only, pile))), positive
    taken = Range(Int(values[0]), Call("min", (Int(values[-1]), pile)))
    missing = set(range(values[0], values[-1])) - set(values)
    if len(missing) <= len(values):
        return taken, conjunction(*(compare("!=", choice, Int(value)) for value in sorted(missing)))
    return taken, disjunction(*(compare("==", choice, Int(value)) for value in values))


def _is_positive(number: Expr, parameters: Mapping[str, Expr]) -> bool:
    """Tell whether the domains of the parameters show that the number is at least 1."""
    if called_functions(number):
        return False
    bounds = {name: Interval(*ends_within(domain, name)) for name, domain in parameters.items()}
    known = known_bounds(number, bounds, NO_FUNCTIONS)
    return known is not None and known.low >= 1


@dataclass(frozen=True)
class _Moves:
    """The reader of the moves that a file describes for positions with these coordinates."""

    _specs: Sequence[MoveSpec]
    _coordinates: tuple[str, ...]
    _parameters: Mapping[str, Expr]  # each with its domain
    _scope: Scope

    def moves(self) -> Iterator[Move]:
        for number, spec in enumerate(self._specs):
            with self._scope.at("moves", number):
                move = self._take(number, spec) if spec.take is not None else self._general_move(number, spec)
                takes = spec.take if isinstance(spec.take, list) else [spec.take or ""]
                ends = (text for pair in spec.for_.items() for text in pair)
                parts = (text for part in spec.to for pair in part.items() for text in pair)
                names = names_in(spec.from_ or "", spec.when or "", *takes, *ends, *parts)
                yield from self._for_every_pile(move, names)

    def _take(self, number: int, spec: MoveSpec) -> Move:
        """Return the move of a short form.

        ``{take: t, from: x}`` takes any number of tokens from the pile x, ``{take: 1..f(x), from: x}`` a number in the
        range, and ``{take: [1, m], from: x}`` a number in the list.
        """
        pile, take = spec.from_ or "", spec.take or ""
        if pile not in self._coordinates:
            raise FormulaError(
                f"unknown coordinate '{pile}' after 'from:'; coordinates: {', '.join(self._coordinates)}"
            )
        names = (*self._coordinates, *self._parameters)
        taken_names = (*names, *(f.name for f in self._scope.functions))
        choice = unused_name("t", taken_names)
        among: Expr = TRUE
        if isinstance(take, str) and ".." in take:
            taken = self._scope.range(take, names)
        elif isinstance(take, str) and take not in (*RESERVED, *names) and re.fullmatch(r"[A-Za-z]\w*", take):
            # a new name stands for any number of tokens
            choice, taken = self._scope.new_name(take, taken_names, "choice"), Range(Int(1), Name(pile))
        elif isinstance(take, str) and "," in take and "(" not in take:
            raise FormulaError("write the numbers that may be taken in brackets, as in take: [1, 2, 4]")
        else:
            numbers = [self._amount(amount, pile) for amount in ([take] if isinstance(take, str) else take)]
            if len(set(numbers)) < len(numbers):
                raise FormulaError(f"take: a number appears twice; {TAKES}")
            taken, among = _one_of(numbers, self._parameters, Name(pile), Name(choice))
        when = conjunction(among, self._guard(spec, (*names, choice)))
        to = self._assigned({pile: Binary("-", Name(pile), Name(choice))})
        return Move(spec.name or f"take from {pile}", (Ranged(choice, taken),), when, (to,))

    def _amount(self, text: str, pile: str) -> Expr:
        """Parse the number of tokens that a move takes: a constant from 1 on, or an expression of parameters."""
        try:
            number = standard_form(self._scope.parsed(text, Kind.NUMBER))
        except FormulaError as error:
            raise FormulaError(f"take: {error.message}; {TAKES}") from None
        if isinstance(number, Int) and number.value < 1:
            raise FormulaError(f"take: '{text}' is less than 1; {TAKES}")
        if free_names(number) & set(self._coordinates):  # a coordinate may be 0
            high = pile if number == Name(pile) else f"min({text}, {pile})"
            raise FormulaError(
                f'to take exactly {text}, where the pile has that many, write a range: take: "max(1, {text})..{high}"'
            )
        return self._scope.checked(number, tuple(self._parameters))

    def _general_move(self, number: int, spec: MoveSpec) -> Move:
        names = (*self._coordinates, *self._parameters)
        choices = self._scope.choices(spec.for_, names, "moves", number)
        names = (*names, *spec.for_)
        when = self._guard(spec, names)
        parts = []
        for index, part in enumerate(spec.to):
            missing = [name for name in self._coordinates if name not in part]
            if len(spec.to) > 1 and missing:
                # a coordinate without a new value keeps its old one; in a sum it would do so in every part
                with self._scope.at("moves", number, "to", index):
                    raise FormulaError(
                        f"a part of a sum gives no value of {missing[0]}; name every coordinate in each part, "
                        f"as in {missing[0]}: {missing[0]} where it stays and {missing[0]}: 0 elsewhere"
                    )
            values = {}
            for name, text in part.items():
                # a single part may stand in the file without a list
                listed = isinstance(self._scope.document.data["moves"][number]["to"], list)
                path = ("to", index, name) if listed else ("to", name)
                with self._scope.at("moves", number, *path):
                    if name not in self._coordinates:
                        coordinates = ", ".join(self._coordinates)
                        raise FormulaError(f"unknown coordinate '{name}'; coordinates: {coordinates}")
                    values[name] = standard_form(self._scope.number(text, names))
            parts.append(self._assigned(values))
        return Move(spec.name or f"move {number + 1}", choices, when, tuple(parts))

    def _guard(self, spec: MoveSpec, names: tuple[str, ...]) -> Expr:
        return TRUE if spec.when is None else self._scope.condition(spec.when, names)

    def _assigned(self, values: dict[str, Expr]) -> tuple[Expr, ...]:
        return tuple(values.get(name, Name(name)) for name in self._coordinates)

    def _for_every_pile(self, move: Move, mentioned: Set[str]) -> Iterator[Move]:
        """Yield the move, and a copy for each other pile if the move mentions the first pile and no other.

        mentioned: the names written in the text of the move. The sign ``...``, which stands for all piles, does not
        count as a mention of any pile.
        """
        yield move
        first, *others = self._scope.piles or ("",)
        if first not in mentioned or mentioned & set(others):
            return
        for pile in others:
            exchanged = {first: Name(pile), pile: Name(first)}
            moved = move.mapped(partial(substitute, values=exchanged))
            parts = []
            for part in moved.parts:
                values = dict(zip(self._coordinates, part, strict=True))
                parts.append(self._assigned({**values, first: values[pile], pile: values[first]}))
            yield replace(moved, name=re.sub(rf"\b{first}\b", pile, move.name), parts=tuple(parts))
