"""Rulesets whose values claims look up (``values: {G: nim}``), and all files that a game's verdicts depend on."""

from __future__ import annotations

import re
from pathlib import Path

from grundylab.errors import Place, RulesetError
from grundylab.games.load import NAME, reload_ruleset
from grundylab.games.model import Ruleset
from grundylab.games.statements import THIS


def lookup_ruleset(name: str, ruleset: Ruleset) -> Ruleset:
    """Return the ruleset that ``values:`` of a claim of this one name.

    A path is refused: otherwise the sender of a proof file would decide which files are read. Raises RulesetError, at
    this one's file, if there is none.
    """
    if name == THIS:
        return ruleset
    if not re.fullmatch(NAME, name) or Path(name).suffix in (".yaml", ".yml"):
        raise RulesetError(f"'values:' takes the name of a ruleset, not a path: '{name}'")
    try:
        return reload_ruleset(name, ruleset.folder)
    except RulesetError as error:
        if error.place.line is not None:  # the ruleset exists, and the fault is in it
            raise
        own = Place(ruleset.files[0]) if ruleset.files else None
        raise RulesetError(f"its claims look up '{name}': {error.message}", own) from None


def ruleset_files(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the files that verdicts on the ruleset's claims depend on, each once.

    These are its own file, those of the rulesets that it extends, and those of the rulesets that its claims look up,
    with the ones that these extend. Raises RulesetError if one of them is missing.
    """
    names = dict.fromkeys(name for claim in ruleset.claims for _, name in claim.values)
    others = (lookup_ruleset(name, ruleset) for name in names)
    return tuple(dict.fromkeys((*ruleset.files, *(file for other in others for file in other.files))))
