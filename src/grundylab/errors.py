"""Errors in a user's input, each reported in one line: the place, the fault, the remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Self

# Control characters (except tab and newline), line separators, changes of the writing direction, lone surrogates: they
# can make a terminal or a page misrepresent a text.
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""Return the text with control and other invisible characters escaped, as in ``\x1b``."""
    return UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


@dataclass(frozen=True)
class Place:
    """A place in the input: file, line (from 1), key path, column of the text there; each may be unknown."""

    file: str | None = None
    line: int | None = None
    key: str | None = None
    column: int | None = None

    def __str__(self) -> str:
        spot = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        column = f"column {self.column}" if self.column is not None else None
        return ": ".join(part for part in (spot, self.key, column) if part)


class GrundylabError(Exception):
    """A mistake in the input, or a limit that is exceeded; the command line prints it in one line and exits with 2."""

    def __init__(self, message: str, place: Place | None = None) -> None:
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
    """A text or tree that is no formula of the formula language."""


class EvaluationError(GrundylabError):
    """A formula without a value at some argument (a division by zero, a negative shift, …)."""


class LimitError(EvaluationError):
    """A formula's value that is too large, or takes too long to compute."""


class WorkError(GrundylabError):
    """An inspection before solving that exceeds its budget of steps."""


class RulesetError(GrundylabError):
    """A ruleset that describes no game: a key, name, range, move or claim in it is wrong."""


class InstanceError(GrundylabError):
    """Parameters or bounds that do not fit the ruleset, or need more memory than there is."""


class NoSweep(InstanceError):
    """An instance that no sweep solves; the message gives the reason."""


class DatasetError(GrundylabError):
    """A dataset that is damaged, or was made from something else than the caller requires."""


class PaperError(GrundylabError):
    """A paper's record with a wrong form."""


class ConfigError(GrundylabError):
    """A config.yaml or a file of results with a wrong form."""
