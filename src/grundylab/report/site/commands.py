"""What to type at a terminal: to see a verdict come about again, to look at a game, and to look further."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from grundylab.catalogue.records import ClaimRecord, Finding, Formula, StudyRecord
from grundylab.discover import FINDERS
from grundylab.games import Ruleset
from grundylab.games.load import FOLDER
from grundylab.games.model import P_POSITIONS, Target
from grundylab.language.syntax import TRUE, Expr
from grundylab.report.site.explorer import start_of

LONGEST = 400  # characters of a formula that anyone would paste into a command
ROWS = "rows"  # of these formulas the certificate is what can be gone through again
_MORE = 10  # times the seconds that an engine has by itself
_SECONDS = 30


def named(ruleset: Ruleset) -> str:
    """The ruleset as commands take it: its name, or its file's if that is in no folder of rulesets."""
    file = Path(ruleset.files[-1]) if ruleset.files else None
    return ruleset.name if file is None or file.parent.name == FOLDER else file.name


def of_entry(ruleset: Ruleset, record: Finding) -> list[str]:
    """What repeats the verdict on a formula or claim; nothing where no short line does."""
    about = _about(record)
    if ruleset.free or about is None or (isinstance(record, Formula) and record.engine == ROWS):
        return []
    found = []
    if record.proved:
        under = dict.fromkeys(proof.under for proof in record.proved)
        found += [_line("prove", ruleset, [*about, *_where(record, each)]) for each in under]
    label = next((check.instance for check in record.instances if check.holds is False), None)
    label = label or next((check.instance for check in reversed(record.instances) if check.checked), None)
    at = None if label is None else _at(ruleset, label)
    if at is not None and not (record.proved and record.counterexample is None):
        lookups = record.values.items() if isinstance(record, Formula) else ()
        extra = [word for name, of in lookups for word in ("--lookup", f"{name}={of}")]
        found.append(_line("verify", ruleset, [*about, *_where(record, TRUE), *extra, *at]))
    return found


def _about(record: Finding) -> list[str] | None:
    if isinstance(record, ClaimRecord):
        return ["--claim", record.claim]
    if len(str(record.formula)) > LONGEST:
        return None
    target = ["--target", str(record.target)] if record.target != P_POSITIONS else []
    return [*target, "--formula", str(record.formula)]


def _where(record: Finding, under: Expr) -> list[str]:
    """A claim brings its own condition."""
    own = TRUE if isinstance(record, ClaimRecord) else record.where
    both = [
        f"({each})" if " or " in str(each) or " if " in str(each) else str(each)
        for each in (own, under)
        if each != TRUE
    ]
    return ["--where", " and ".join(both)] if both else []


def _at(ruleset: Ruleset, label: str) -> list[str] | None:
    """The options that name an instance; None of a row, whose label says more."""
    if ":" in label:
        return None
    words = []
    for name, value in re.findall(r"(\w+)=(\d+)", label):
        words += ["--param" if name in ruleset.parameter_names else "--bound", f"{name}={value}"]
    return words


def _line(command: str, ruleset: Ruleset, words: Sequence[str]) -> str:
    return shlex.join(["grundylab", command, named(ruleset), *words])


def of_game(ruleset: Ruleset) -> list[tuple[str, str]]:
    """Commands about the game, each with what it is for."""
    if ruleset.free:
        return [(_line("check", ruleset, []), "reads the rules, and says what is in them")]
    found = [
        (_line("show", ruleset, []), "draws its P-positions"),
        (_line("study", ruleset, []), "all that can be said of it, from its rules alone"),
        (_line("prove", ruleset, ["--formula", "…"]), "whether a formula of your own is true for all sizes"),
    ]
    if start := start_of(ruleset):
        position = ",".join(map("=".join, zip(ruleset.coordinate_names, start["position"], strict=True)))
        given = zip(ruleset.parameter_names, start["parameters"], strict=True)
        values = [word for name, value in given for word in ("--param", f"{name}={value}")]
        why = _line("explain", ruleset, ["--position", position, *values])
        return [(why, "who wins from a position, and by which move"), *found]
    return found


def further(ruleset: Ruleset, target: Target, studies: Sequence[StudyRecord]) -> list[str]:
    """What to try where no formula was found: engines that were not asked, or more time for all of them."""
    asked = {engine for study in studies for engine in study.engines.get(target, ())}
    others = [engine for engine in FINDERS if engine not in asked]
    words = ["--target", str(target)] if target != P_POSITIONS else []
    lines = [_line("discover", ruleset, [*words, "--engine", engine]) for engine in others]
    return [*lines, _line("discover", ruleset, [*words, "--budget", str(_MORE * _SECONDS)])]
