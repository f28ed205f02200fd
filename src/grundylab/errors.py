"""What can be wrong with a user's input, each as one line: place, what is wrong, what would be right."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

# Control characters (but for tab and newline), separators of lines, what turns the direction of writing, half pairs:
# they can make a terminal or a page show something else than is there.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    """The text with such characters written out, as in ``\\x1b``."""
    return UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


@dataclass(frozen=True)
class Place:
    """Where something is: file, line (from 1), key path, column of the text there; each may be unknown."""

    file: str | None = None
    line: int | None = None
    key: str | None = None
    column: int | None = None

    def __str__(self) -> str:
        spot = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        column = f"column {self.column}" if self.column is not None else None
        return ": ".join(part for part in (spot, self.key, column) if part)


class GrundylabError(Exception):
    """A mistake of the user's or a limit met; the command line prints it in one line and exits with 2."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place or Place()

    def at(self, file: str | None = None, line: int | None = None, key: str | None = None) -> Self:
        """The same error with the unknown parts of its place filled in."""
        known = self.place
        place = replace(known, file=known.file or file, line=known.line or line, key=known.key or key)
        return type(self)(self.message, place)

    def __str__(self) -> str:
        place = str(self.place)
        return f"{place}: {self.message}" if place else self.message


class FormulaError(GrundylabError):
    """A formula's text or tree is not one of the formula language."""


class EvaluationError(GrundylabError):
    """A formula has no value at some argument (a division by zero, a negative shift, …)."""


class LimitError(EvaluationError):
    """A value that the formula has, but that is too large or takes too long to find."""


class WorkError(GrundylabError):
    """Looking a thing over would take more steps than are spent before any solving is asked for."""


class RulesetError(GrundylabError):
    """A ruleset does not describe a game: a key, name, range, move or claim in it is wrong."""


class InstanceError(GrundylabError):
    """Parameters or bounds that do not fit the ruleset, or need more memory than there is."""


class NoSweep(InstanceError):
    """The instance is not solved by a sweep; the message says why."""


class DatasetError(GrundylabError):
    """A dataset that is damaged or was made from something else than it is asked for."""


class PaperError(GrundylabError):
    """A record of a paper is not of the form it must have."""


class ConfigError(GrundylabError):
    """config.yaml or a file of results is not of the form it must have."""
