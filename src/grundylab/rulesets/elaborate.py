"""From a ruleset file's texts to the model: parse, put in the short forms, check every name and kind."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from grundylab.errors import FormulaError, GrundylabError, RulesetError
from grundylab.formula import Expr, Function, Functions, check_names, parse_condition, parse_number
from grundylab.formula.functions import Declared
from grundylab.formula.parser import MAX_NAME
from grundylab.formula.substitution import substitute
from grundylab.formula.syntax import (
    RESERVED,
    TRUE,
    Binary,
    If,
    Int,
    Name,
    called,
    compare,
    conjunction,
    free_names,
)
from grundylab.rulesets.listing import condition_of, read_listing
from grundylab.rulesets.model import (
    PASS_COORDINATE,
    Choice,
    Claim,
    Coordinate,
    FreeFunction,
    Move,
    Parameter,
    Range,
    Ruleset,
    Source,
    coordinate_sum,
)
from grundylab.rulesets.schema import ClaimSpec, FunctionSpec, MoveSpec, RulesetSpec
from grundylab.rulesets.statements import read_claim
from grundylab.yamlfile import Document

PILE_NAMES = ("x", "y", "z", "w", "v", "u")
MAX_ARGUMENTS = 8  # of a function
MAX_BOUNDS = 16  # names of bounds in the ranges of positions


def elaborate(spec: RulesetSpec, document: Document, name: str, files: tuple[str, ...]) -> Ruleset:
    """The ruleset that the file describes. Raises RulesetError at the line of what is wrong."""
    return _Elaborator(spec, document).ruleset(name, files)


class _Elaborator:
    def __init__(self, spec: RulesetSpec, document: Document) -> None:
        self._spec = spec
        self._document = document
        self._piles: tuple[str, ...] = ()
        self._bounds: list[str] = []
        self._coordinates: tuple[str, ...] = ()
        self._functions = Functions()
        self._free: list[FreeFunction] = []
        self._claims: dict[str, int] = {}

    def ruleset(self, name: str, files: tuple[str, ...]) -> Ruleset:
        spec = self._spec
        self._piles = self._pile_names()
        parameters = self._parameters()
        self._functions = self._read_functions()
        coordinates = self._position()
        self._coordinates = tuple(coordinate.name for coordinate in coordinates)
        with self._at("where"):
            where = self._condition(spec.where, (*self._coordinates, *spec.parameters))
        moves = tuple(self._moves())
        if spec.pass_ is not None:
            coordinates, moves = self._with_pass(coordinates, moves)
        measure = self._measure()
        if spec.play == "misere" and any(len(move.parts) > 1 for move in moves):
            with self._at("play"):
                raise RulesetError("misère play with moves that split has no Grundy theory: use play: normal")
        ruleset = Ruleset(
            name=name,
            title=spec.title,
            coordinates=coordinates,
            moves=moves,
            measure=measure,
            parameters=parameters,
            bounds=tuple(self._bounds),
            where=where,
            functions=self._functions,
            play=spec.play,
            piles=self._piles,
            source=Source(spec.source.paper, tuple(spec.source.at)) if spec.source else None,
            files=files,
            free=tuple(self._free),
            description=spec.description,
        )
        claims = tuple(self._claim(number, claim, ruleset) for number, claim in enumerate(spec.claims))
        return replace(ruleset, claims=claims)

    # -- places -------------------------------------------------------------------------------------------

    @contextmanager
    def _at(self, *path: str | int) -> Iterator[None]:
        """Errors raised inside become RulesetErrors at this key of the file."""
        try:
            yield
        except GrundylabError as error:
            place = self._document.place(path)
            inner = error.place
            raise RulesetError(error.message, inner).at(
                place.file, place.line, ".".join(map(str, path))
            ) from None

    def _new_name(self, name: str, taken: tuple[str, ...], what: str) -> str:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or keyword.iskeyword(name) or name in RESERVED:
            raise FormulaError(
                f"'{name}' cannot be the name of a {what}: use letters, digits and '_', as in m1"
            )
        if len(name) > MAX_NAME:
            raise FormulaError(
                f"the name of a {what} has at most {MAX_NAME} characters, this one {len(name):,}"
            )
        if name in taken:
            raise FormulaError(f"'{name}' is already the name of something else")
        return name

    def _condition(self, text: str, names: tuple[str, ...]) -> Expr:
        return self._checked(parse_condition(text, self._piles), names)

    def _number(self, text: str, names: tuple[str, ...]) -> Expr:
        return self._checked(parse_number(text, self._piles), names)

    def _checked(self, expr: Expr, names: tuple[str, ...]) -> Expr:
        check_names(expr, names, self._functions)
        self._functions.check_growth(expr)
        return expr

    # -- parameters and functions ---------------------------------------------------------------------------

    def _parameters(self) -> tuple[Parameter, ...]:
        parameters: list[Parameter] = []
        for name, text in self._spec.parameters.items():
            with self._at("parameters", name):
                known = tuple(parameter.name for parameter in parameters)
                self._new_name(name, known, "parameter")
                domain = self._condition(text, (*known, name))
                parameters.append(Parameter(name, domain))
        return tuple(parameters)

    def _read_functions(self) -> Functions:
        parameters = tuple(self._spec.parameters)
        waiting = {}
        for signature, spec in self._spec.functions.items():
            with self._at("functions", signature):
                function = self._function(signature, spec)
                if function.name in waiting:
                    raise FormulaError(f"the function {function.name}() is defined twice")
                waiting[function.name] = (signature, function)
        found = Functions(tuple(function for _, function in waiting.values()), parameters)
        for signature, function in waiting.values():
            with self._at("functions", signature):
                asked = [free.condition for free in self._free if free.name == function.name]
                for expr in [function.body] if isinstance(function, Function) else asked:
                    check_names(expr, (*parameters, *function.arguments), found)
        functions = Functions(tuple(self._ordered(dict(waiting))), parameters)
        for signature, function in waiting.values():
            with self._at("functions", signature):
                asked = [free.condition for free in self._free if free.name == function.name]
                for expr in [function.body] if isinstance(function, Function) else asked:
                    functions.check_growth(expr)
        return functions

    def _ordered(self, waiting: dict[str, tuple[str, Function | Declared]]) -> Iterator[Function | Declared]:
        """The functions, each after those that it calls."""
        done: set[str] = set()
        while waiting:
            calls = {
                name: called(function.body) - {name} if isinstance(function, Function) else frozenset()
                for name, (_, function) in waiting.items()
            }
            ready = next((name for name, needed in calls.items() if needed <= done), None)
            if ready is None:
                signature, _ = next(iter(waiting.values()))
                with self._at("functions", signature):
                    raise FormulaError("functions may call themselves, but not each other in a circle")
            yield waiting.pop(ready)[1]
            done.add(ready)

    def _function(self, signature: str, spec: FunctionSpec) -> Function | Declared:
        form = re.fullmatch(r"\s*(\w+)\s*\(\s*(\w+(?:\s*,\s*\w+)*)\s*\)\s*", signature)
        if not form:
            raise FormulaError(f"'{signature}' is not the head of a function: write it as h(z) or F(x, z)")
        if form[2].count(",") >= MAX_ARGUMENTS:
            raise FormulaError(f"a function has at most {MAX_ARGUMENTS} arguments")
        name = self._new_name(form[1], tuple(self._spec.parameters), "function")
        arguments: tuple[str, ...] = ()
        for argument in re.split(r"\s*,\s*", form[2]):
            taken = (*self._spec.parameters, *arguments, name)
            arguments = (*arguments, self._new_name(argument, taken, "argument"))
        if spec.any is not None:
            self._free.append(FreeFunction(name, arguments, parse_condition(spec.any, self._piles)))
            return Declared(name, arguments, "any function with the property that the ruleset names")
        if spec.positions is not None:
            known = (*self._spec.parameters, *arguments)
            inside = condition_of(read_listing(spec.positions, known, self._piles), arguments)
            return Function(name, arguments, If(inside, Int(1), Int(0)))
        initial = tuple(sorted(spec.initial.items()))
        return Function(name, arguments, self._body(spec), initial)

    def _body(self, spec: FunctionSpec) -> Expr:
        if spec.cases is None:
            return parse_number(spec.expression or spec.recurrence or "", self._piles)
        *conditional, last = spec.cases
        if last.otherwise is None or any(case.otherwise is not None for case in conditional):
            raise FormulaError("the last of the cases, and no other, must be {otherwise: NUMBER}")
        body = parse_number(last.otherwise, self._piles)
        for case in reversed(conditional):
            when = parse_condition(case.when or "", self._piles)
            body = If(when, parse_number(case.value or "", self._piles), body)
        return body

    # -- the position space ---------------------------------------------------------------------------------

    def _pile_names(self) -> tuple[str, ...]:
        spec = self._spec
        if spec.piles is None:
            return ()
        with self._at("position"):
            others = set(spec.position) - {PILE_NAMES[0]}
            if PILE_NAMES[0] not in spec.position:
                raise FormulaError("with 'piles:', the position must describe one pile, called x")
            names = PILE_NAMES[: spec.piles]
            if clash := sorted(others & set(names)):
                raise FormulaError(
                    f"'{clash[0]}' is the name of a pile: 'piles: {spec.piles}' makes {', '.join(names)}"
                )
        return names

    def _position(self) -> tuple[Coordinate, ...]:
        coordinates: list[Coordinate] = []
        for key, text in self._spec.position.items():
            for name in self._piles if self._piles and key == PILE_NAMES[0] else (key,):
                with self._at("position", key):
                    known = (*self._spec.parameters, *(c.name for c in coordinates))
                    taken = (*known, *self._bounds, *(f.name for f in self._functions))
                    self._new_name(name, taken, "coordinate")
                    coordinates.append(Coordinate(name, self._range(text, known, bounds=True)))
        if not coordinates:
            with self._at("position"):
                raise FormulaError("a position needs at least one coordinate, as in {x: 0..N}")
        return tuple(coordinates)

    def _range(self, text: str, names: tuple[str, ...], bounds: bool = False) -> Range:
        """``low..high``. In a position's range, unknown capitalised names are the study's bounds."""
        ends = text.split("..")
        if len(ends) != 2:
            raise FormulaError(f"'{text}' is not a range: write it as 0..N")
        low, high = (parse_number(end, self._piles) for end in ends)
        if bounds:
            for name in sorted(free_names(low) | free_names(high)):
                if name not in names and name not in self._bounds and name[0].isupper():
                    self._bounds.append(name)
            if len(self._bounds) > MAX_BOUNDS:
                raise FormulaError(f"at most {MAX_BOUNDS} bounds are possible")
            names = (*names, *self._bounds)
        return Range(self._checked(low, names), self._checked(high, names))

    # -- moves ----------------------------------------------------------------------------------------------

    def _moves(self) -> Iterator[Move]:
        for number, spec in enumerate(self._spec.moves):
            with self._at("moves", number):
                move = self._taking(number, spec) if spec.take is not None else self._general(number, spec)
                yield from self._for_every_pile(move)

    def _taking(self, number: int, spec: MoveSpec) -> Move:
        """``{take: t, from: x}``: any number; ``{take: 1..f(x), from: x}``: a number in that range."""
        pile, take = spec.from_ or "", spec.take or ""
        if pile not in self._coordinates:
            raise FormulaError(
                f"unknown coordinate '{pile}' after 'from:'; coordinates: {', '.join(self._coordinates)}"
            )
        names = (*self._coordinates, *self._spec.parameters)
        if ".." in take:
            choice, taken = self._fresh("t", names), self._range(take, names)
        elif take.isdecimal():
            raise FormulaError(f"to take exactly {take}, write the range: take: {take}..{take}")
        else:
            taken_names = (*names, *(f.name for f in self._functions))
            choice, taken = self._new_name(take, taken_names, "choice"), Range(Int(1), Name(pile))
        when = self._guard(spec, (*names, choice))
        to = self._assigned({pile: Binary("-", Name(pile), Name(choice))})
        return Move(spec.name or f"take from {pile}", (Choice(choice, taken),), when, (to,))

    def _fresh(self, wanted: str, names: tuple[str, ...]) -> str:
        return next(name for name in (wanted, *(f"{wanted}{i}" for i in range(1, 9))) if name not in names)

    def _general(self, number: int, spec: MoveSpec) -> Move:
        names = (*self._coordinates, *self._spec.parameters)
        choices: list[Choice] = []
        for name, text in spec.for_.items():
            with self._at("moves", number, "for", name):
                self._new_name(name, (*names, *(f.name for f in self._functions)), "choice")
                choices.append(Choice(name, self._range(text, names)))
                names = (*names, name)
        when = self._guard(spec, names)
        parts = []
        for index, part in enumerate(spec.to):
            values = {}
            for name, text in part.items():
                # a single part is written without the list
                path = (
                    ("to", index, name)
                    if ("moves", number, "to", 0) in self._document.places
                    else ("to", name)
                )
                with self._at("moves", number, *path):
                    if name not in self._coordinates:
                        known = ", ".join(self._coordinates)
                        raise FormulaError(f"unknown coordinate '{name}'; coordinates: {known}")
                    values[name] = self._number(text, names)
            parts.append(self._assigned(values))
        return Move(spec.name or f"move {number + 1}", tuple(choices), when, tuple(parts))

    def _guard(self, spec: MoveSpec, names: tuple[str, ...]) -> Expr:
        return TRUE if spec.when is None else self._condition(spec.when, names)

    def _assigned(self, values: dict[str, Expr]) -> tuple[Expr, ...]:
        return tuple(values.get(name, Name(name)) for name in self._coordinates)

    def _for_every_pile(self, move: Move) -> Iterator[Move]:
        """A move that mentions the first pile and no other is a move of every pile."""
        yield move
        first, *others = self._piles or ("",)
        written = [move.when, *(end for c in move.choices for end in (c.range.low, c.range.high))]
        written += [
            new
            for part in move.parts
            for old, new in zip(self._coordinates, part, strict=True)
            if new != Name(old)
        ]
        changed = {
            old
            for part in move.parts
            for old, new in zip(self._coordinates, part, strict=True)
            if new != Name(old)
        }
        mentioned = changed.union(*map(free_names, written))
        if not self._piles or first not in mentioned or mentioned & set(others):
            return
        for pile in others:
            swap = {first: Name(pile)}
            parts = tuple(self._moved(part, first, pile) for part in move.parts)
            choices = tuple(
                Choice(c.name, Range(substitute(c.range.low, swap), substitute(c.range.high, swap)))
                for c in move.choices
            )
            name = re.sub(rf"\b{first}\b", pile, move.name)
            yield Move(name, choices, substitute(move.when, swap), parts)

    def _moved(self, part: tuple[Expr, ...], first: str, pile: str) -> tuple[Expr, ...]:
        """The assignments of a part, made to ``pile`` instead of the first pile."""
        values = dict(zip(self._coordinates, part, strict=True))
        new = substitute(values[first], {first: Name(pile)})
        others = {name: substitute(value, {first: Name(pile)}) for name, value in values.items()}
        return self._assigned({**others, first: Name(first), pile: new})

    # -- pass, measure, claims ------------------------------------------------------------------------------

    def _with_pass(
        self, coordinates: tuple[Coordinate, ...], moves: tuple[Move, ...]
    ) -> tuple[tuple[Coordinate, ...], tuple[Move, ...]]:
        spec = self._spec.pass_
        assert spec is not None
        with self._at("pass"):
            if any(len(move.parts) > 1 for move in moves):
                raise RulesetError(
                    "a pass with moves that split would belong to the sum, not to a part of it"
                )
            taken = (*self._coordinates, *self._spec.parameters, *(f.name for f in self._functions))
            if PASS_COORDINATE in taken or any(c.name == PASS_COORDINATE for m in moves for c in m.choices):
                raise RulesetError(
                    f"'pass:' makes a coordinate '{PASS_COORDINATE}', but the ruleset already uses that name"
                )
        with self._at("pass", "when"):
            when = self._condition(spec.when, (*self._coordinates, *self._spec.parameters))
        available = Name(PASS_COORDINATE)
        kept = tuple(
            Move(m.name, m.choices, m.when, tuple((*part, available) for part in m.parts)) for m in moves
        )
        still = tuple(Name(name) for name in self._coordinates)
        guard = conjunction(compare("==", available, Int(1)), when)
        a_pass = Move("pass", (), guard, ((*still, Int(0)),), a_pass=True)
        self._coordinates = (*self._coordinates, PASS_COORDINATE)
        return (*coordinates, Coordinate(PASS_COORDINATE, Range(Int(0), Int(1)))), (*kept, a_pass)

    def _measure(self) -> Expr:
        if self._spec.measure is None:
            return coordinate_sum(self._coordinates)
        with self._at("measure"):
            measure = self._number(self._spec.measure, (*self._coordinates, *self._spec.parameters))
            # a pass lowers p and nothing else
            return measure if self._spec.pass_ is None else Binary("+", measure, Name(PASS_COORDINATE))

    def _claim(self, number: int, spec: ClaimSpec, ruleset: Ruleset) -> Claim:
        if self._claims.setdefault(spec.id, number) != number:
            with self._at("claims", number, "id"):
                raise RulesetError(f"the claim id '{spec.id}' is there twice")
        return read_claim(spec, ruleset, lambda *key: self._at("claims", number, *key))
