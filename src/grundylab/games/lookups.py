"""Rulesets whose Grundy numbers claims look up (``values: {G: nim}``), and the files that verdicts depend on."""

from __future__ import annotations

import re
from pathlib import Path

from grundylab.errors import Place, RulesetError
from grundylab.games.load import NAME, reload_ruleset
from grundylab.games.model import Ruleset
from grundylab.games.statements import THIS


def lookup_ruleset(name: str, ruleset: Ruleset) -> Ruleset:
    """Return the ruleset that a claim of ``ruleset`` names under ``values:``; the name ``this`` means ``ruleset``.

    A path is refused: otherwise the sender of a proof file would decide which files are read. Raises RulesetError if
    there is no ruleset of the name, or if it has a fault.
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
        raise RulesetError(f"a claim looks up '{name}': {error.message}", own) from None


def ruleset_files(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the files that verdicts on the ruleset's claims depend on, each once.

    These are the ruleset's own file, the files of the rulesets whose values its claims look up, and the files of all
    rulesets that one of these extends. Raises RulesetError if one of them is missing.
    """
    names = dict.fromkeys(name for claim in ruleset.claims for _, name in claim.values)
    others = (lookup_ruleset(name, ruleset) for name in names)
    return tuple(dict.fromkeys((*ruleset.files, *(file for other in others for file in other.files))))
