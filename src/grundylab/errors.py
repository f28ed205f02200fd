"""Errors in a user's input, each reported in one line: the place, the fault, the remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

# Control characters (except tab and newline), line separators, changes of the writing direction, and lone surrogates.
# They can make a terminal or a page misrepresent a text.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_WRITTEN = 256  # bits; a message gives only the length of a longer number


def visible(text: str) -> str:
    r"""Return the text with control and other invisible characters escaped, as in ``\x1b``."""
    return UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def number_text(number: int, form: str = "") -> str:
    """Return the number as text for a message, or the number of its bits if it is very long.

    form: how it is formatted, as in ``format``. Python refuses to write a number of more than 4,300 digits.
    """
    bits = number.bit_length()
    return format(number, form) if bits <= _WRITTEN else f"a number of {bits:,} bits"


@dataclass(frozen=True)
class Place:
    """A place in the input: file, line (from 1), path of keys, and column within the value; None if unknown."""

    file: str | None = None
    line: int | None = None
    key: str | None = None
    column: int | None = None

    def __str__(self) -> str:
        spot = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        column = f"column {self.column}" if self.column is not None else None
        return ": ".join(part for part in (spot, self.key, column) if part)


class GrundylabError(Exception):
    """A mistake in the input, or an exceeded limit. The command line prints it in one line and exits with status 2."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        message = message.replace("\n", " ")  # of a user's text; a message is one line
        super().__init__(message)
        self.message = message
        self.place = place or Place()

    def at(self, file: str | None = None, line: int | None = None, key: str | None = None) -> Self:
        """Return the same error with the unknown parts of its place filled in."""
        old = self.place
        place = replace(old, file=old.file or file, line=old.line or line, key=old.key or key)
        return type(self)(self.message, place)

    def __str__(self) -> str:
        place = str(self.place)
        return f"{place}: {self.message}" if place else self.message


class FormulaError(GrundylabError):
    """A text or syntax tree that is not a formula of the formula language, or does not fit its target or game."""


class EvaluationError(GrundylabError):
    """A formula that has no value for some arguments (a division by zero, a negative shift, …)."""


class LimitError(EvaluationError):
    """A value of a formula that is too large, or takes too long to compute."""


class WorkError(GrundylabError):
    """A computation that stops because its budget of evaluation steps is used up."""


class RulesetError(GrundylabError):
    """A ruleset with a mistake: a key, name, range, move or claim in it is wrong."""


class InstanceError(GrundylabError):
    """Parameters or bounds that do not fit the ruleset, or whose table needs more memory than there is."""


class NoSweep(InstanceError):
    """An instance to which no sweep (a solver that skips most options) applies; the message gives the reason."""


class DatasetError(GrundylabError):
    """A dataset that is damaged, or was made from other inputs than the caller requires."""


class PaperError(GrundylabError):
    """A mistake in the record of a paper, or a figure of it that cannot be computed."""


class ConfigError(GrundylabError):
    """A mistake in config.yaml or in a file of results."""
