"""Sequents: a goal under hypotheses, the theory in which they have a meaning, and the claim that is to be proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from grundylab.games.listing import move_condition
from grundylab.games.model import FreeFunction, Move, Ruleset
from grundylab.language.builtins import BUILTINS
from grundylab.language.functions import Functions
from grundylab.language.names import NEW
from grundylab.language.parser import check_calls
from grundylab.language.substitution import lower, rewrite, substitute
from grundylab.language.syntax import Binary, Expr, Int, compare, conjunction
from grundylab.prove.core.definedness import implied
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.space import range_conditions


def at_place(said: Expr, game: Ruleset, place: Sequence[Expr]) -> Expr:
    """Return the expression with the terms of the place instead of the game's coordinates."""
    return substitute(said, dict(zip(game.coordinate_names, place, strict=True)))


def put_in(said: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return the expression with terms in place of names; n + c - d with constants c and d becomes n + (c - d)."""
    return rewrite(substitute(said, values), _with_constants_added)


def _with_constants_added(node: Expr) -> Expr:
    match node:
        case Binary(op="-", left=Binary(op="+", left=number, right=Int(value=c)), right=Int(value=d)) if (
            c >= d
        ):
            return number if c == d else Binary("+", number, Int(c - d))
    return node


@dataclass(frozen=True)
class Theory:
    """The symbols of a proof.

    values: for each function of Grundy values, its game, under normal play. functions: definitions, recurrences among
    them. free: the functions that are left open, with their properties. parameters: names that are fixed throughout a
    proof.
    """

    values: Mapping[str, Ruleset]
    functions: Functions
    free: Mapping[str, FreeFunction] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()

    @cached_property
    def arities(self) -> Mapping[str, int]:
        """The number of arguments of each function."""
        values = {name: len(game.coordinates) for name, game in self.values.items()}
        free = {name: len(function.arguments) for name, function in self.free.items()}
        return {**values, **free, **{f.name: len(f.arguments) for f in self.functions}}

    def plain(self, expr: Expr) -> Expr:
        """Return the expression with its definitions written out, and without fractions and chained comparisons."""
        return lower(self.functions.expand(expr))

    def game(self, name: str) -> Ruleset:
        """Return the game of a function of Grundy values; raise Refused if it is none."""
        if name not in self.values:
            raise Refused(f"{name}() is no function of Grundy values")
        return self.values[name]

    def legal(self, name: str, place: Sequence[Expr]) -> Expr:
        """Return the condition that the place is a position of the game, and that the parameters are in its domain."""
        game = self.game(name)
        if len(place) != len(game.coordinates):
            raise Refused(f"a position of {name}() has {len(game.coordinates)} coordinates")
        positions = conjunction(*range_conditions(game.coordinates, game.bounds), game.where)
        return self.plain(conjunction(game.domain, at_place(positions, game, place)))

    def measure(self, name: str, place: Sequence[Expr]) -> Expr:
        """Return the measure of a place."""
        return self.plain(at_place(self.game(name).measure, self.game(name), place))

    def at(
        self, name: str, expr: Expr, place: Sequence[Expr], choices: Mapping[str, Expr] = MappingProxyType({})
    ) -> Expr:
        """Return an expression of a game's rules at a place and for certain choices, all put in at once."""
        given = {**dict(zip(self.game(name).coordinate_names, place, strict=True)), **choices}
        return self.plain(substitute(expr, given))

    def move(self, name: str, number: int) -> Move:
        """Return a game's move with this number; raise Refused if there is none."""
        moves = self.game(name).moves
        if not 0 <= number < len(moves):
            raise Refused(f"the game of {name}() has no move {number}")
        return moves[number]

    def guard(self, name: str, move: Move) -> Expr:
        """Return the condition that a move can be made with choices in their ranges."""
        return conjunction(move.when, *([move_condition(self.game(name))] if move.a_pass else []))

    def is_natural(self, name: str) -> bool:
        """Tell whether the function's values are natural numbers, whatever its arguments are."""
        return name in self.values or name in self.free


@dataclass(frozen=True)
class Universal:
    """A claim for all natural numbers in place of ``names``: that ``condition`` implies ``said``.

    names: the coordinates and variables of the claim; the parameters are fixed. measure: the term by which the claim
    may be assumed at smaller places; None if it may not be.
    """

    names: tuple[str, ...]
    condition: Expr
    said: Expr
    measure: Expr | None = None

    def given(self, terms: Sequence[Expr]) -> dict[str, Expr]:
        """Return the terms by the names in whose place they stand."""
        if len(terms) != len(self.names):
            raise Refused("a term is needed for each name of the claim")
        return dict(zip(self.names, terms, strict=True))

    def instance(self, terms: Sequence[Expr]) -> Expr:
        """Return the claim with these terms in place of all its names at once."""
        values = self.given(terms)
        natural = conjunction(*(compare(">=", term, Int(0)) for term in terms))
        return implied(conjunction(natural, put_in(self.condition, values)), put_in(self.said, values))


@dataclass(frozen=True)
class Sequent:
    """A goal under hypotheses. names: the names in scope. integers: those that may be negative.

    lemmas: theorems that may be used, as claims of the same theory. founded: whether every game of the theory is well
    founded, so that facts about its values may be used.
    """

    theory: Theory
    claim: Universal
    hypotheses: tuple[Expr, ...]
    goal: Expr
    names: tuple[str, ...]
    integers: frozenset[str] = frozenset()
    lemmas: tuple[Universal, ...] = ()
    founded: bool = True
    made: int = 0

    def check_terms(self, *terms: Expr) -> None:
        """Raise Refused if a term has a name that is not in scope, or calls an unknown function.

        Raise FormulaError for a call with the wrong number of arguments.
        """
        for term in terms:
            if unknown := term.free - set(self.names):
                raise Refused(f"{min(unknown)} is not in scope")
            if strange := term.calls - BUILTINS.keys() - self.theory.arities.keys():
                raise Refused(f"{min(strange)}() is unknown")
            check_calls(term, self.theory.arities)

    def check_founded(self) -> None:
        """Raise Refused if what is proved may not rest on Grundy values."""
        if not self.founded:
            raise Refused("that rules or statements have a value rests on no Grundy value")

    def assuming(self, *conditions: Expr) -> Sequent:
        """Return the sequent with further hypotheses."""
        return replace(self, hypotheses=(*self.hypotheses, *conditions))

    def with_name(self, integer: bool = False) -> tuple[Sequent, str]:
        """Return the sequent with a new name in scope, and the name."""
        name = new_name(self.made)
        integers = self.integers | {name} if integer else self.integers
        return replace(self, names=(*self.names, name), integers=integers, made=self.made + 1), name


def new_name(number: int) -> str:
    """Return the name of the value that a fact introduces. number: how many there are before it on the branch."""
    return f"{NEW}{number}"
