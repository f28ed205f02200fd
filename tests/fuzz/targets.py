"""What must be true of any text at all: it is understood, or refused in one line."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from grundylab.errors import GrundylabError
from grundylab.games import parse_ruleset
from grundylab.games.instances import trial_instance
from grundylab.language import NO_FUNCTIONS, parse
from grundylab.language.parser import MAX_TEXT


def understood_formula(text: str) -> bool:
    """Whether it is a formula; then its own text must be the same formula."""
    try:
        formula = parse(text, ("x", "y", "z"))
    except GrundylabError:
        return False
    again = str(formula)
    if len(again) <= MAX_TEXT:
        assert parse(again) == formula, repr(text)
    try:
        NO_FUNCTIONS.check_growth(formula)
    except GrundylabError:
        return False
    return True


def understood_ruleset(text: str) -> bool:
    """Whether it is a ruleset; then what is shown and stored of it can be made."""
    try:
        ruleset = parse_ruleset(text, "fuzzed.yaml")
        assert len(ruleset.hash) == 64
        trial_instance(ruleset)
    except GrundylabError:
        return False
    return True


@contextmanager
def told_what(text: str, seconds: int = 60) -> Iterator[None]:
    """An error of any sort names the text; one that takes a hundred times too long is one, too."""

    def too_long(number: int, frame: object) -> None:
        raise AssertionError(f"{seconds} seconds have gone by")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        yield
    except BaseException as error:
        error.add_note(f"the text: {text!r}")
        raise
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
