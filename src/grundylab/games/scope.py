"""The context in which the texts of a ruleset file are parsed: places in the file, piles, and functions.

The functions of a file are read here, too, and put in an order in which each comes after those that it calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from grundylab.errors import FormulaError, GrundylabError, RulesetError
from grundylab.games.linear_moves import standard_form
from grundylab.games.listing import listed_condition, read_listing
from grundylab.games.model import FreeFunction, Listing, Range, Ranged
from grundylab.games.schema import FunctionSpec
from grundylab.games.yamlfile import Document
from grundylab.language import (
    NO_FUNCTIONS,
    Expr,
    Function,
    Functions,
    Kind,
    check_names,
    parse,
    parse_condition,
    parse_number,
)
from grundylab.language.functions import Declared
from grundylab.language.names import reserved_reason
from grundylab.language.parser import MAX_NAME, require_kind
from grundylab.language.syntax import If, Int, called_functions, free_names

MAX_ARGUMENTS = 8  # of a function


@dataclass(frozen=True)
class Scope:
    """A parser of the texts of one file.

    piles: the coordinates for which ``...`` in a formula repeats an expression. functions: those that formulas may
    call. bounds: names for the sizes of tables, which no rule may mention.
    """

    document: Document
    piles: tuple[str, ...]
    functions: Functions = NO_FUNCTIONS
    bounds: tuple[str, ...] = ()

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Turn any error of grundylab that is raised inside into a RulesetError at this key of the file."""
        try:
            yield
        except GrundylabError as error:
            place = self.document.place(path)
            inner = error.place
            raise RulesetError(error.message, inner).at(
                place.file, place.line, ".".join(map(str, path))
            ) from None

    def new_name(self, name: str, taken: tuple[str, ...], what: str) -> str:
        """Return the name unchanged. Raises FormulaError if it does not have the form of a name, or is taken already.

        what: the kind of thing that is named, for the message.
        """
        if why := reserved_reason(name):
            raise FormulaError(f"'{name}' cannot be the name of a {what}: {why}")
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
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

    def parsed(self, text: str, kind: Kind | None = None) -> Expr:
        """Parse a formula, without a check of its names. Raises FormulaError if it is not of the given kind."""
        read = {None: parse, Kind.CONDITION: parse_condition, Kind.NUMBER: parse_number}[kind]
        return read(text, self.piles)

    def listing(self, texts: Sequence[str], known: Sequence[str]) -> Listing:
        """Parse a list of positions; names in it that are not ``known`` are indices."""
        return read_listing(texts, known, self.piles)

    def condition(self, text: str, names: tuple[str, ...]) -> Expr:
        """Parse the text as a condition that mentions only these names."""
        return require_kind(self.checked(self.parsed(text), names), Kind.CONDITION)

    def number(self, text: str, names: tuple[str, ...]) -> Expr:
        """Parse the text as a number that mentions only these names."""
        return require_kind(self.checked(self.parsed(text), names), Kind.NUMBER)

    def checked(self, expr: Expr, names: tuple[str, ...]) -> Expr:
        """Return the expression unchanged. Raises FormulaError if it uses other names or functions, or is too large."""
        if bounds := sorted(free_names(expr) & set(self.bounds) - set(names)):
            raise FormulaError(f"{bounds[0]} is a bound of tables, and the rules may not depend on it")
        check_names(expr, names, self.functions)
        self.functions.check_growth(expr)
        return expr

    def ends(self, text: str) -> tuple[Expr, Expr]:
        """Parse ``low..high`` and return the two ends, without a check of their names."""
        ends = text.split("..")
        if len(ends) != 2:
            raise FormulaError(f"'{text}' is not a range: write it as 0..N")
        low, high = (self.parsed(end, Kind.NUMBER) for end in ends)
        return low, high

    def range(self, text: str, names: tuple[str, ...]) -> Range:
        """Parse ``low..high``, where only these names may occur, into a range with both ends in standard form."""
        low, high = (standard_form(self.checked(end, names)) for end in self.ends(text))
        return Range(low, high)

    def choices(
        self, texts: Mapping[str, str], names: tuple[str, ...], *path: str | int
    ) -> tuple[Ranged, ...]:
        """Parse the choices under ``for:``; a range may mention ``names`` and the choices before it.

        path: the key of the file that contains ``for:``.
        """
        choices: list[Ranged] = []
        for name, text in texts.items():
            with self.at(*path, "for", name):
                self.new_name(name, (*names, *(function.name for function in self.functions)), "choice")
                choices.append(Ranged(name, self.range(text, names)))
            names = (*names, name)
        return tuple(choices)


def names_in(*texts: str) -> frozenset[str]:
    """Return all words in the texts that have the form of a name."""
    return frozenset(name for text in texts for name in re.findall(r"[^\W\d]\w*", text))


def read_functions(
    specs: Mapping[str, FunctionSpec], parameters: tuple[str, ...], scope: Scope
) -> tuple[Functions, tuple[FreeFunction, ...]]:
    """Return all functions of a file, and separately those that the rules leave open.

    Raises RulesetError at the line of the fault.
    """
    reader = _Functions(specs, parameters, scope)
    return reader.functions(), tuple(reader.free)


class _Functions:
    """A reader of the functions of one file; ``free`` collects those that the rules leave open."""

    def __init__(self, specs: Mapping[str, FunctionSpec], parameters: tuple[str, ...], scope: Scope) -> None:
        self._specs, self._parameters, self._scope = specs, parameters, scope
        self.free: list[FreeFunction] = []

    def functions(self) -> Functions:
        waiting: dict[str, tuple[str, Function | Declared]] = {}
        for signature, spec in self._specs.items():
            with self._scope.at("functions", signature):
                function = self._function(signature, spec)
                if function.name in waiting:
                    raise FormulaError(f"the function {function.name}() is defined twice")
                waiting[function.name] = (signature, function)
        defined = Functions(tuple(function for _, function in waiting.values()), self._parameters)
        bodies = {free.name: free.condition for free in self.free}
        bodies |= {name: f.body for name, (_, f) in waiting.items() if isinstance(f, Function)}
        for name, (signature, function) in waiting.items():
            with self._scope.at("functions", signature):
                check_names(bodies[name], (*self._parameters, *function.arguments), defined)
        functions = Functions(tuple(self._ordered(dict(waiting))), self._parameters)
        for name, (signature, _) in waiting.items():
            with self._scope.at("functions", signature):
                functions.check_growth(bodies[name])
        return functions

    def _ordered(self, waiting: dict[str, tuple[str, Function | Declared]]) -> Iterator[Function | Declared]:
        """Yield the functions, each after those that it calls. Raises RulesetError if calls form a circle."""
        done: set[str] = set()
        while waiting:
            calls = {
                name: called_functions(function.body) - {name}
                if isinstance(function, Function)
                else frozenset()
                for name, (_, function) in waiting.items()
            }
            ready = next((name for name, needed in calls.items() if needed <= done), None)
            if ready is None:
                signature, _ = next(iter(waiting.values()))
                with self._scope.at("functions", signature):
                    raise FormulaError("functions may call themselves, but not one another in a cycle")
            yield waiting.pop(ready)[1]
            done.add(ready)

    def _function(self, signature: str, spec: FunctionSpec) -> Function | Declared:
        form = re.fullmatch(r"\s*(\w+)\s*\(\s*(\w+(?:\s*,\s*\w+)*)\s*\)\s*", signature)
        if not form:
            raise FormulaError(f"'{signature}' is not the head of a function: write it as h(z) or F(x, z)")
        if form[2].count(",") >= MAX_ARGUMENTS:
            raise FormulaError(f"a function has at most {MAX_ARGUMENTS} arguments")
        name = self._scope.new_name(form[1], self._parameters, "function")
        arguments: tuple[str, ...] = ()
        for argument in re.split(r"\s*,\s*", form[2]):
            taken = (*self._parameters, *arguments, name)
            arguments = (*arguments, self._scope.new_name(argument, taken, "argument"))
        if spec.any is not None:
            condition = self._scope.parsed(spec.any, Kind.CONDITION)
            if others := sorted(condition.free - set(arguments)):
                raise FormulaError(
                    f"the condition on {name}() mentions '{others[0]}', which is not one of its arguments"
                )
            self.free.append(FreeFunction(name, arguments, condition))
            return Declared(name, arguments, "any function with the property that the ruleset names")
        if spec.positions is not None:
            names = (*self._parameters, *arguments)
            inside = listed_condition(self._scope.listing(spec.positions, names), arguments)
            return Function(name, arguments, If(inside, Int(1), Int(0)))
        initial = tuple(sorted(spec.initial.items()))
        if spec.cases is None:
            body = self._scope.parsed(spec.expression or spec.recurrence or "", Kind.NUMBER)
            return Function(name, arguments, body, initial)
        *conditional, last = spec.cases
        if last.otherwise is None or any(case.otherwise is not None for case in conditional):
            raise FormulaError("the last of the cases, and no other, must be {otherwise: NUMBER}")
        body = self._scope.parsed(last.otherwise, Kind.NUMBER)
        for case in reversed(conditional):
            when = self._scope.parsed(case.when or "", Kind.CONDITION)
            body = If(when, self._scope.parsed(case.value or "", Kind.NUMBER), body)
        return Function(name, arguments, body, initial)
