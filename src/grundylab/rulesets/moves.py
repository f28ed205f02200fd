"""From the texts of a ruleset's moves to the model: short forms written out, and a move of one pile made for all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grundylab.errors import FormulaError
from grundylab.formula import Expr
from grundylab.formula.substitution import substitute
from grundylab.formula.syntax import TRUE, Binary, Int, Name, free_names
from grundylab.rulesets.model import Choice, Move, Range
from grundylab.rulesets.schema import MoveSpec
from grundylab.rulesets.scope import Scope


def read_moves(
    specs: Sequence[MoveSpec], coordinates: tuple[str, ...], parameters: tuple[str, ...], scope: Scope
) -> tuple[Move, ...]:
    """The moves of a position with these coordinates. Raises RulesetError at the line of what is wrong."""
    return tuple(_Reader(specs, coordinates, parameters, scope).moves())


class _Reader:
    def __init__(
        self,
        specs: Sequence[MoveSpec],
        coordinates: tuple[str, ...],
        parameters: tuple[str, ...],
        scope: Scope,
    ) -> None:
        self._specs = specs
        self._coordinates = coordinates
        self._parameters = parameters
        self._scope = scope

    def moves(self) -> Iterator[Move]:
        for number, spec in enumerate(self._specs):
            with self._scope.at("moves", number):
                move = self._taking(number, spec) if spec.take is not None else self._general(number, spec)
                yield from self._for_every_pile(move)

    def _taking(self, number: int, spec: MoveSpec) -> Move:
        """``{take: t, from: x}``: any number; ``{take: 1..f(x), from: x}``: a number in that range."""
        pile, take = spec.from_ or "", spec.take or ""
        if pile not in self._coordinates:
            raise FormulaError(
                f"unknown coordinate '{pile}' after 'from:'; coordinates: {', '.join(self._coordinates)}"
            )
        names = (*self._coordinates, *self._parameters)
        if ".." in take:
            choice, taken = self._fresh("t", names), self._scope.range(take, names)
        elif take.isdecimal():
            raise FormulaError(f"to take exactly {take}, write the range: take: {take}..{take}")
        else:
            taken_names = (*names, *(f.name for f in self._scope.functions))
            choice, taken = self._scope.new_name(take, taken_names, "choice"), Range(Int(1), Name(pile))
        when = self._guard(spec, (*names, choice))
        to = self._assigned({pile: Binary("-", Name(pile), Name(choice))})
        return Move(spec.name or f"take from {pile}", (Choice(choice, taken),), when, (to,))

    def _fresh(self, wanted: str, names: tuple[str, ...]) -> str:
        return next(name for name in (wanted, *(f"{wanted}{i}" for i in range(1, 9))) if name not in names)

    def _general(self, number: int, spec: MoveSpec) -> Move:
        names = (*self._coordinates, *self._parameters)
        choices: list[Choice] = []
        for name, text in spec.for_.items():
            with self._scope.at("moves", number, "for", name):
                self._scope.new_name(name, (*names, *(f.name for f in self._scope.functions)), "choice")
                choices.append(Choice(name, self._scope.range(text, names)))
                names = (*names, name)
        when = self._guard(spec, names)
        parts = []
        for index, part in enumerate(spec.to):
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
                    values[name] = self._scope.number(text, names)
            parts.append(self._assigned(values))
        return Move(spec.name or f"move {number + 1}", tuple(choices), when, tuple(parts))

    def _guard(self, spec: MoveSpec, names: tuple[str, ...]) -> Expr:
        return TRUE if spec.when is None else self._scope.condition(spec.when, names)

    def _assigned(self, values: dict[str, Expr]) -> tuple[Expr, ...]:
        return tuple(values.get(name, Name(name)) for name in self._coordinates)

    def _for_every_pile(self, move: Move) -> Iterator[Move]:
        """A move that mentions the first pile and no other is a move of every pile."""
        yield move
        first, *others = self._scope.piles or ("",)
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
        if not self._scope.piles or first not in mentioned or mentioned & set(others):
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
