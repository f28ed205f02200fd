"""The sentence that a proof by induction needs, as a script for Walnut: the same as ``prove.obligations`` for MONA.

If Walnut says TRUE to every ``eval`` of the script, the statement is true at all positions, by induction on the
measure. The definitions' arguments are in the alphabetical order of their variables, as Walnut takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import cast

from grundylab.games.model import Move, Ruleset, Target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language import syntax
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Binary, Compare, Expr, Int, Name, compare, conjunction, free_names
from grundylab.logic.walnut import TRUE, Walnut, all_of, any_of, negation, variable_of
from grundylab.logic.ws1s.reader import OutsideFragment
from grundylab.prove.space import position_space, signed_choices

# Grundy numbers; names of a ruleset begin with v, values after a move end with a digit
_VALUE, _OTHER = "wg", "wh"


def walnut_script(ruleset: Ruleset, formula: Expr, target: Target, where: Expr, name: str = "game") -> str:
    """The script. Raises OutsideFragment or NotProvable for a statement that it cannot be about."""
    return _Script(ruleset, formula, target, where, name).text()


def _put(expr: Expr, values: Mapping[str, int]) -> Expr:
    return substitute(expr, {name: Int(value) for name, value in values.items()})


class _Script:
    def __init__(self, ruleset: Ruleset, formula: Expr, target: Target, where: Expr, name: str) -> None:
        if target.name not in ("p", "grundy"):
            raise OutsideFragment(f"target {target}: the script is for p and grundy")
        if ruleset.splits and target.name == "p":
            raise OutsideFragment(
                "moves split positions, so the parts' Grundy numbers are needed: export these"
            )
        if signed := sorted(signed_choices(ruleset.moves)):
            raise OutsideFragment(f"the choice {signed[0]} may be negative")
        fixed = fixed_by(where, ruleset.parameter_names)
        about = "" if where == syntax.TRUE else f" where {where}"
        self._head = [
            f"{ruleset.name}: {' '.join(ruleset.title.split())}",
            f"{target}: {formula}{about}",
            "Translated by grundylab for Walnut, and not run. If every eval is TRUE, it is true at all positions.",
        ]
        # the claim is asked in the region alone, so there the coordinates that `where` fixes are known as well
        known = fixed_by(where, ruleset.formula_names)
        ruleset = specialise(ruleset, fixed)
        self._game, self._target, self._name = ruleset, target, name
        self._formula, self._where = _put(formula, known), _put(where, fixed)
        self._walnut = Walnut(ruleset.functions)
        self._names = (*ruleset.coordinate_names, *ruleset.parameter_names)
        self._domain = self._walnut.condition(conjunction(*(p.domain for p in ruleset.parameters)))

    def text(self) -> str:
        game = self._game
        definitions = [
            self._def("space", self._walnut.condition(position_space(game))),
            self._def("region", self._walnut.condition(self._where)),
            self._claim(),
            self._def("movable", self._some_option(lambda _: TRUE, passes=False)),
            self._options(),
        ]
        questions = [self._eval("stays", self._stays()), self._eval("exact", self._exact())]
        if free_names(self._where) & {*game.coordinate_names}:
            questions.append(self._eval("closed", self._closed()))
        # Walnut 7 skips comments; to older ones they are commands, which without an end take the next one along
        head = [f"# {line};" for line in self._head]
        return "\n".join([*head, *self._walnut.library, *definitions, *questions, ""])

    # -- definitions ---------------------------------------------------------------------------------

    def _def(self, what: str, formula: str, extra: Sequence[str] = ()) -> str:
        return f'def {self._name}_{what} "?msd_2 {self._all_mentioned(formula, extra)}":'

    def _all_mentioned(self, formula: str, extra: Sequence[str]) -> str:
        """With a condition on each variable, so that each is an argument."""
        variables = [*map(variable_of, self._names), *extra]
        # not by all_of; with an empty case, since in Walnut a definition that it finds false otherwise has no arguments
        return " & ".join([*(f"{variable}>=0" for variable in variables), f"({variables[0]}<0 | {formula})"])

    def _call(self, what: str, values: Mapping[str, str], extra: Mapping[str, str] | None = None) -> str:
        """The definition at the values of the coordinates that are given; the others are as they are."""
        arguments = {variable_of(n): values.get(n, variable_of(n)) for n in self._names} | dict(extra or {})
        return f"${self._name}_{what}({','.join(arguments[variable] for variable in sorted(arguments))})"

    def _claim(self) -> str:
        if self._target.name == "p":
            return self._def("claim", self._walnut.condition(self._formula))
        return self._def("claim", self._walnut.equals(_VALUE, self._formula), [_VALUE])

    def _options(self) -> str:
        if self._target.name == "p":
            return self._def("option", self._some_option(lambda parts: self._call("claim", parts[0])))
        return self._def("option", self._some_option(self._has_value), [_VALUE])

    def _has_value(self, parts: Sequence[Mapping[str, str]]) -> str:
        """That the nim-sum of the parts' values is g."""
        if len(parts) == 1:
            return self._call("claim", parts[0], {_VALUE: _VALUE})
        values = [f"{_VALUE}{number}" for number in range(len(parts))]
        first, *others = (Name(value) for value in values)
        total = reduce(lambda a, b: Binary("^", a, b), others, cast(Expr, first))
        is_sum = self._walnut.equals(_VALUE, total, {value: value for value in values})
        each = [self._call("claim", part, {_VALUE: value}) for part, value in zip(parts, values, strict=True)]
        return f"(E {','.join(values)} {all_of(*each, is_sum)})"

    # -- moves ---------------------------------------------------------------------------------------

    def _some_option(self, truth: Callable[[Sequence[Mapping[str, str]]], str], passes: bool = True) -> str:
        moves = [move for move in self._game.moves if passes or not move.a_pass]
        return any_of(*(self._choosing(move, self._moved(move, truth)) for move in moves))

    def _moved(self, move: Move, truth: Callable[[Sequence[Mapping[str, str]]], str]) -> str:
        """That ``truth`` is so of the parts that the move leads to: for each the new variables by coordinate."""
        parts, new, equations = [], list[str](), list[str]()
        for number, part in enumerate(move.parts):
            values = {}
            for name, value in zip(self._game.coordinate_names, part, strict=True):
                if value != Name(name):
                    values[name] = f"w{name}{number}"
                    new.append(values[name])
                    equations.append(self._walnut.equals(values[name], value))
            parts.append(values)
        inner = all_of(*equations, truth(parts))
        return f"(E {','.join(new)} {inner})" if new else inner

    def _choosing(self, move: Move, inner: str) -> str:
        inner = all_of(self._walnut.condition(move.when), inner)
        for choice in reversed(move.choices):
            span = Compare(("<=", "<="), (choice.range.low, Name(choice.name), choice.range.high))
            inner = f"(E {variable_of(choice.name)} {all_of(self._walnut.condition(span), inner)})"
        return all_of(self._call("movable", {}), inner) if move.a_pass else inner

    # -- questions -----------------------------------------------------------------------------------

    def _eval(self, what: str, formula: str) -> str:
        variables = ",".join(map(variable_of, self._names))
        if self._domain != TRUE:
            formula = f"({self._domain} => {formula})"
        return f'eval {self._name}_{what} "?msd_2 A {variables} {formula}":'

    def _stays(self) -> str:
        """Every move leads into the space and to a smaller measure, which is never negative."""
        measure = self._game.measure
        parts = [self._walnut.condition(compare(">=", measure, Int(0)))]
        for move in self._game.moves:
            well = self._moved(move, lambda positions: all_of(*map(self._smaller, positions)))
            parts.append(negation(self._choosing(move, negation(well))))
        return f"({self._call('space', {})} => {all_of(*parts)})"

    def _smaller(self, position: Mapping[str, str]) -> str:
        measure = self._game.measure
        new = {name: f"_{name}" for name in position}  # no name of a ruleset begins so
        after = substitute(measure, {name: Name(renamed) for name, renamed in new.items()})
        variables = {new[name]: variable for name, variable in position.items()}
        smaller = self._walnut.condition(compare("<", after, measure), variables)
        return all_of(self._call("space", position), smaller)

    def _exact(self) -> str:
        """The claim is what the options' values make it."""
        here = all_of(self._call("space", {}), self._call("region", {}))
        if self._target.name == "p":
            good = negation(self._call("option", {}))
            if self._game.play == "misere":  # who cannot move wins
                good = all_of(good, self._call("movable", {}))
            return f"({here} => ({self._call('claim', {})} <=> {good}))"
        own = self._call("claim", {}, {_VALUE: _OTHER})
        reached = self._call("option", {}, {_VALUE: _VALUE})
        every = f"(A {_VALUE} ({_VALUE}<{_OTHER} => {reached}))"
        none = negation(self._call("option", {}, {_VALUE: _OTHER}))
        return f"({here} => (E {_OTHER} {all_of(own, every, none)}))"

    def _closed(self) -> str:
        """No move leads out of the region."""
        here = all_of(self._call("space", {}), self._call("region", {}))

        def outside(parts: Sequence[Mapping[str, str]]) -> str:
            return negation(all_of(*(self._call("region", part) for part in parts)))

        return f"({here} => {negation(self._some_option(outside))})"
