"""From the texts of a ruleset's moves to the model: short forms written out, and a move of one pile made for all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count

from grundylab.errors import FormulaError
from grundylab.games.affine import plainly
from grundylab.games.model import Move, Range, Ranged
from grundylab.games.schema import MoveSpec
from grundylab.games.scope import Scope
from grundylab.language import Expr
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, Binary, Int, Name, free_names


def read_moves(
    specs: Sequence[MoveSpec], coordinates: tuple[str, ...], parameters: tuple[str, ...], scope: Scope
) -> tuple[Move, ...]:
    """The moves of a position with these coordinates. Raises RulesetError at the line of what is wrong."""
    return tuple(_Reader(specs, coordinates, parameters, scope).moves())


@dataclass(frozen=True)
class _Reader:
    _specs: Sequence[MoveSpec]
    _coordinates: tuple[str, ...]
    _parameters: tuple[str, ...]
    _scope: Scope

    def moves(self) -> Iterator[Move]:
        for number, spec in enumerate(self._specs):
            with self._scope.at("moves", number):
                move = self._taking(number, spec) if spec.take is not None else self._general(number, spec)
                named = {spec.from_ or "", *(name for part in spec.to for name in part)}
                yield from self._for_every_pile(move, named)

    def _taking(self, number: int, spec: MoveSpec) -> Move:
        """``{take: t, from: x}``: any number; ``{take: 1..f(x), from: x}``: a number in that range."""
        pile, take = spec.from_ or "", spec.take or ""
        if pile not in self._coordinates:
            raise FormulaError(
                f"unknown coordinate '{pile}' after 'from:'; coordinates: {', '.join(self._coordinates)}"
            )
        names = (*self._coordinates, *self._parameters)
        taken_names = (*names, *(f.name for f in self._scope.functions))
        if ".." in take:
            choice, taken = self._fresh("t", taken_names), self._scope.range(take, names)
        elif take.isdecimal():
            raise FormulaError(f"to take exactly {take}, write the range: take: {take}..{take}")
        else:
            choice, taken = self._scope.new_name(take, taken_names, "choice"), Range(Int(1), Name(pile))
        when = self._guard(spec, (*names, choice))
        to = self._assigned({pile: Binary("-", Name(pile), Name(choice))})
        return Move(spec.name or f"take from {pile}", (Ranged(choice, taken),), when, (to,))

    def _fresh(self, wanted: str, names: tuple[str, ...]) -> str:
        numbered = (f"{wanted}{number}" for number in count(1))
        return next(name for name in chain([wanted], numbered) if name not in names)

    def _general(self, number: int, spec: MoveSpec) -> Move:
        names = (*self._coordinates, *self._parameters)
        choices = self._scope.choices(spec.for_, names, "moves", number)
        names = (*names, *spec.for_)
        when = self._guard(spec, names)
        parts = []
        for index, part in enumerate(spec.to):
            self._check_whole(number, index, spec)
            values = {}
            for name, text in part.items():
                # a single part is written without the list
                path = (
                    ("to", index, name)
                    if ("moves", number, "to", 0) in self._scope.document.places
                    else ("to", name)
                )
                with self._scope.at("moves", number, *path):
                    if name not in self._coordinates:
                        known = ", ".join(self._coordinates)
                        raise FormulaError(f"unknown coordinate '{name}'; coordinates: {known}")
                    values[name] = plainly(self._scope.number(text, names))
            parts.append(self._assigned(values))
        return Move(spec.name or f"move {number + 1}", choices, when, tuple(parts))

    def _check_whole(self, number: int, index: int, spec: MoveSpec) -> None:
        """That one part of a sum says of every coordinate what it is there: if not named it would be in all parts."""
        missing = [name for name in self._coordinates if name not in spec.to[index]]
        if len(spec.to) > 1 and missing:
            with self._scope.at("moves", number, "to", index):
                raise FormulaError(
                    f"a part of a sum does not say what {missing[0]} is in it: name every coordinate in each part, "
                    f"as in {missing[0]}: {missing[0]} where it stays and {missing[0]}: 0 elsewhere"
                )

    def _guard(self, spec: MoveSpec, names: tuple[str, ...]) -> Expr:
        return TRUE if spec.when is None else self._scope.condition(spec.when, names)

    def _assigned(self, values: dict[str, Expr]) -> tuple[Expr, ...]:
        return tuple(values.get(name, Name(name)) for name in self._coordinates)

    def _for_every_pile(self, move: Move, named: set[str]) -> Iterator[Move]:
        """A move that mentions the first pile and no other is a move of every pile. named: to which it says what
        they become."""
        yield move
        first, *others = self._scope.piles or ("",)
        numbers = range(len(move.parts))
        changes = tuple(tuple(move.changes(self._coordinates, number).values()) for number in numbers)
        mentioned = named.union(*map(free_names, replace(move, parts=changes).expressions))
        if not self._scope.piles or first not in mentioned or mentioned & set(others):
            return
        for pile in others:
            moved = move.mapped(partial(substitute, values={first: Name(pile)}))
            parts = tuple(self._swapped(part, first, pile) for part in moved.parts)
            yield replace(moved, name=re.sub(rf"\b{first}\b", pile, move.name), parts=parts)

    def _swapped(self, part: tuple[Expr, ...], first: str, pile: str) -> tuple[Expr, ...]:
        """What the part says of the first pile, said of ``pile`` instead."""
        values = dict(zip(self._coordinates, part, strict=True))
        return self._assigned({**values, first: Name(first), pile: values[first]})
