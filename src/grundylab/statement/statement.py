"""Statements about games: claims in which every name is resolved, and their keys.

A statement binds its coordinates, parameters and variables itself. Its functions have unique names
(``qualified_names.py``), and its look-ups refer to games rather than files. So a statement keeps its meaning in any
context. Two statements are equal if all their rules and definitions are; their keys, which are digests, serve to find
proofs in files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter

from grundylab.errors import FormulaError
from grundylab.games.lookups import lookup_ruleset
from grundylab.games.model import ALWAYS, Claim, Ranged, Ruleset, Target, function_key
from grundylab.games.statements import THIS, check_lookup
from grundylab.language.functions import Declared, Functions, Tabulated
from grundylab.language.names import may_name_a_variable, qualified_name, with_plain_names
from grundylab.language.parser import check_names
from grundylab.language.syntax import TRUE, Call, Expr, Kind, conjunction, distinct_parts
from grundylab.statement.qualified_names import (
    Renaming,
    qualified_game,
    renamed,
    renamed_claim,
    renaming_of,
)


@dataclass(frozen=True)
class Lookup:
    """A function of a statement whose values are the Grundy numbers of a game's positions.

    source: the name of the looked-up game in the claim's file. game: the looked-up game; None for the statement's own.
    arity: the number of arguments with which the claim calls the function; 0 if it never does.
    """

    name: str
    source: str
    game: Ruleset | None
    arity: int


@dataclass(frozen=True, eq=False)
class Statement:
    """The statement that ``formula`` describes ``target`` wherever ``where`` is true, for all values of the variables.

    game: the game with unique names of functions; its claims, title and files are no part of the statement. variables:
    each with its range, which may depend on coordinates, parameters, bounds and earlier variables. tables: functions
    that are defined by tables of their values.
    """

    game: Ruleset
    target: Target
    formula: Expr
    where: Expr = TRUE
    variables: tuple[Ranged, ...] = ()
    lookups: tuple[Lookup, ...] = ()
    tables: tuple[Tabulated, ...] = ()

    @cached_property
    def key(self) -> str:
        """The SHA-256 of rules, definitions, parameters and claim; titles, file names and ids make no difference.

        Every free function is a part of it: if no function has its property, the family is empty.
        """
        free = sorted(function.name for function in self.game.free)
        content = (
            rules_digest(self.game), str(self.target), str(self.formula), str(self.where),
            [(v.name, str(v.range)) for v in self.variables],
            [(lookup.name, lookup.arity, rules_digest(self.game_of(lookup))) for lookup in self.lookups],
            [function_key(table) for table in self.tables],
            *([free] if free else []),
        )  # fmt: skip
        return hashlib.sha256(repr(content).encode()).hexdigest()

    @cached_property
    def whole(self) -> tuple[object, ...]:
        """All that the statement says, with the definitions of its functions, of which the key has digests only."""
        ends = (end for variable in self.variables for end in variable.ends)
        return (
            *_rules_and_functions(self.game, self.formula, self.where, *ends),
            self.target, self.formula, self.where, self.variables,
            *((lookup.name, lookup.arity, _rules_and_functions(self.game_of(lookup))) for lookup in self.lookups),
            *map(function_key, self.tables),
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Statement) and self.key == other.key and self.whole == other.whole

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def plain(self) -> bool:
        """True if the statement has no variables, look-ups or tables."""
        return not (self.variables or self.lookups or self.tables)

    def game_of(self, lookup: Lookup) -> Ruleset:
        """Return the game whose Grundy numbers are looked up."""
        return self.game if lookup.game is None else lookup.game

    @cached_property
    def functions(self) -> Functions:
        """All functions of the statement: those of the game, the look-ups and the tables."""
        declared = (
            Declared(lookup.name, tuple(f"x{n}" for n in range(lookup.arity)), "a Grundy number looked up")
            for lookup in self.lookups
        )
        return self.game.functions.given(*declared, *self.tables)

    def changed(self, change: Callable[[Expr], Expr]) -> Statement:
        """Return the statement with ``change`` applied to its formula and its condition."""
        return replace(self, formula=change(self.formula), where=change(self.where))

    def narrowed(self, condition: Expr) -> Statement:
        """Return the statement restricted to the positions and parameters that also fulfil the condition."""
        return replace(self, where=conjunction(self.where, condition))

    def claim(self, identifier: str = "statement") -> Claim:
        """Return the statement as a claim about its game."""
        values = tuple((lookup.name, lookup.source) for lookup in self.lookups)
        return Claim(
            identifier, self.target, self.formula, self.where,
            values=values, tables=self.tables, variables=self.variables,
        )  # fmt: skip

    def looking_up(self, rulesets: Sequence[str]) -> Statement:
        """Return the statement with look-ups, which it does not call, of the values of these rulesets."""
        if not rulesets:
            return self
        games = [(of, qualified_game(lookup_ruleset(of, self.game))) for of in rulesets]
        more = [Lookup(qualified_name("G", rules_digest(game)), of, game, 0) for of, game in games]
        return replace(self, lookups=(*self.lookups, *more))

    def check(self) -> None:
        """Raise FormulaError unless every name has exactly one meaning and the formula fits the target."""
        game = self.game
        named = (*game.formula_names, *game.bounds, *(v.name for v in self.variables))
        if len(set(named)) < len(named):
            raise FormulaError("one name has two meanings; rename one of them")
        if wrong := [v.name for v in self.variables if not may_name_a_variable(v.name)]:
            raise FormulaError(f"a variable cannot be called {min(wrong)!r}"[:200])
        scope = [*game.formula_names, *game.bounds]
        for variable in self.variables:
            for end in variable.ends:
                check_names(end, scope, game.functions)
            scope.append(variable.name)
        names = set(scope) - set(game.bounds)
        check_names(self.formula, names, self.functions)
        check_names(self.where, names - {v.name for v in self.variables}, self.functions)
        if self.formula.kind is not self.target.kind or self.where.kind is not Kind.CONDITION:
            raise FormulaError(f"target {self.target} needs {self.target.kind.value}")
        if game.play == "misere" and self.target.name not in ("p", "true"):
            raise FormulaError(f"under misère play there are no Grundy numbers: target p, not {self.target}")
        if self.variables and self.target != ALWAYS:
            raise FormulaError("only a condition (target true) may have variables; remove them")
        for lookup in self.lookups:
            self._check_lookup(lookup)

    def _check_lookup(self, lookup: Lookup) -> None:
        other, name = self.game_of(lookup), with_plain_names(lookup.name)
        if other.play == "misere":
            raise FormulaError(f"{name}() looks up {lookup.source}, which has no Grundy numbers: misère play")
        if other.free and lookup.game is not None:
            free = with_plain_names(other.free[0].name)
            raise FormulaError(
                f"{name}() looks up {lookup.source}, which leaves {free}() open; look up a ruleset that defines it"
            )
        if lookup.arity not in (0, len(other.coordinates)):
            names = ", ".join(other.coordinate_names)
            raise FormulaError(
                f"{name}() takes {lookup.arity} numbers; a position of {lookup.source} is ({names})"
            )
        if missing := set(other.parameter_names) - set(self.game.parameter_names):
            raise FormulaError(
                f"{name}() looks up {lookup.source}, whose parameter {min(missing)} this ruleset lacks"
            )


def statement_about(ruleset: Ruleset, claim: Claim, where: Expr = TRUE) -> Statement:
    """Return the statement of a claim about a ruleset, restricted by the further condition ``where``.

    Its game has the ruleset's functions and no others: not those of a ruleset that this one extends and that it defines
    anew. Raises FormulaError if the claim has names that the ruleset does not define, RulesetError if the ruleset of a
    look-up is not found.
    """
    game, names = qualified_game(ruleset), renaming_of(ruleset)
    lookups = tuple(_lookups(claim, ruleset))
    tables = list[Tabulated]()
    for table in claim.tables:
        digest = hashlib.sha256(repr(function_key(table)).encode()).hexdigest()
        tables.append(replace(table, name=qualified_name(table.name, digest)))
    names |= {old: lookup.name for (old, _), lookup in zip(claim.values, lookups, strict=True)}
    names |= {old.name: new.name for old, new in zip(claim.tables, tables, strict=True)}
    claim = renamed_claim(claim, names, game)
    statement = Statement(
        game, claim.target, claim.formula, conjunction(claim.where, renamed(where, names)),
        claim.variables, lookups, tuple(tables),
    )  # fmt: skip
    statement.check()
    return statement


def renaming_for(ruleset: Ruleset, claim: Claim) -> Renaming:
    """Return the unique names of the functions that the claim may call, by their names in the ruleset's file."""
    lookups = zip(claim.values, _lookups(claim, ruleset), strict=True)
    return renaming_of(ruleset) | {name: lookup.name for (name, _), lookup in lookups}


def _lookups(claim: Claim, ruleset: Ruleset) -> Iterator[Lookup]:
    for name, source in claim.values:
        check_lookup(name, ruleset)  # a proof's file may have any name
        other = ruleset if source == THIS else lookup_ruleset(source, ruleset)
        game = None if source == THIS else qualified_game(other)
        nodes = (node for expr in (claim.formula, claim.where) for node in distinct_parts(expr))
        calls = (node for node in nodes if isinstance(node, Call) and node.name == name)
        arity = next((len(call.arguments) for call in calls), 0)
        yield Lookup(qualified_name(name, rules_digest(qualified_game(other))), source, game, arity)


def _rules_and_functions(game: Ruleset, *further: Expr) -> tuple[object, ...]:
    """Return the rules of a game, its free functions, and the functions that these and further expressions call."""
    conditions = (free.condition for free in game.free)
    called = game.functions.called_by(*game.expressions, game.domain, *conditions, *further)
    by_name = attrgetter("name")
    functions = [function_key(function) for function in sorted(called, key=by_name)]
    return (*game.described, tuple(sorted(game.free, key=by_name)), functions)


def rules_digest(game: Ruleset) -> str:
    """Return the SHA-256 of everything that determines the values of a qualified game.

    A function's definition enters through its unique name.
    """
    if "_rules_digest" not in vars(game):
        free = sorted({f.name for f in game.free} & {f.name for f in game.rule_functions})
        described = (*game.described, free)
        vars(game)["_rules_digest"] = hashlib.sha256(repr(described).encode()).hexdigest()
    digest: str = vars(game)["_rules_digest"]
    return digest
