"""What every text of a ruleset file is read with: its place in the file, the piles, and the functions there are."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from grundylab.errors import FormulaError, GrundylabError, RulesetError
from grundylab.games.affine import plainly
from grundylab.games.model import Range, Ranged
from grundylab.games.yamlfile import Document
from grundylab.language import NO_FUNCTIONS, Expr, Functions, check_names, parse_condition, parse_number
from grundylab.language.parser import MAX_NAME
from grundylab.language.syntax import RESERVED


@dataclass(frozen=True)
class Scope:
    """Reads texts of the file. piles: the names for which ``piles`` in a formula stands."""

    document: Document
    piles: tuple[str, ...]
    functions: Functions = NO_FUNCTIONS

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Errors raised inside become RulesetErrors at this key of the file."""
        try:
            yield
        except GrundylabError as error:
            place = self.document.place(path)
            inner = error.place
            raise RulesetError(error.message, inner).at(
                place.file, place.line, ".".join(map(str, path))
            ) from None

    def new_name(self, name: str, taken: tuple[str, ...], what: str) -> str:
        """The name, if it can be one and is not taken yet; else FormulaError."""
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

    def condition(self, text: str, names: tuple[str, ...]) -> Expr:
        """The text as a condition on these names."""
        return self.checked(parse_condition(text, self.piles), names)

    def number(self, text: str, names: tuple[str, ...]) -> Expr:
        """The text as a number that depends on these names."""
        return self.checked(parse_number(text, self.piles), names)

    def checked(self, expr: Expr, names: tuple[str, ...]) -> Expr:
        """The expression; FormulaError if it uses other names or functions, or grows too large with these."""
        check_names(expr, names, self.functions)
        self.functions.check_growth(expr)
        return expr

    def ends(self, text: str) -> tuple[Expr, Expr]:
        """The two ends of ``low..high``, whose names are not looked at."""
        ends = text.split("..")
        if len(ends) != 2:
            raise FormulaError(f"'{text}' is not a range: write it as 0..N")
        low, high = (parse_number(end, self.piles) for end in ends)
        return low, high

    def range(self, text: str, names: tuple[str, ...]) -> Range:
        """``low..high`` with ends that depend on these names, written plainly."""
        low, high = (plainly(self.checked(end, names)) for end in self.ends(text))
        return Range(low, high)

    def choices(
        self, texts: Mapping[str, str], names: tuple[str, ...], *path: str | int
    ) -> tuple[Ranged, ...]:
        """What is said under ``for:``: each range may depend on these names and on the choices before it."""
        found: list[Ranged] = []
        for name, text in texts.items():
            with self.at(*path, "for", name):
                self.new_name(name, (*names, *(function.name for function in self.functions)), "choice")
                found.append(Ranged(name, self.range(text, names)))
            names = (*names, name)
        return tuple(found)
