"""A claim about finitely many positions, each of them computed: that is a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from grundylab.check.judging import judge_at
from grundylab.check.verification import Check
from grundylab.errors import GrundylabError
from grundylab.games.instance import make_instance
from grundylab.games.model import ALWAYS, Claim, PrintedTable, Ruleset
from grundylab.games.settings import settings
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Expr, conjunction, conjuncts, equalities, free_names
from grundylab.prove.induction import true_everywhere
from grundylab.prove.lookups import Lookups
from grundylab.prove.outcome import Limits, Look, together
from grundylab.solve import solve
from grundylab.solve.table import unsolved

SIZES = (4, 8, 16, 32, 64, 128)  # of the bounds, all equal
MOVES = 20_000_000  # of a table that is computed for it
MOST_SETTINGS = 32  # of the parameters


def computed(ruleset: Ruleset, claim: Claim, where: Expr, limits: Limits) -> Look | None:
    """What was seen of the claim under ``where`` if it is about finitely many positions, and each was computed.

    Its ``wrong`` is where the claim is not right. None if they are not known to be finitely many, or are too far out.
    """
    about = conjunction(claim.where, where)
    found, total = settings(ruleset, about), Look()
    ends = (free_names(end) for variable in claim.variables for end in variable.ends)
    if ruleset.free or any(names & set(ruleset.bounds) for names in ends):
        return None
    if not found or len(found) > MOST_SETTINGS:
        return None
    asked, lookups = (
        replace(claim, where=about),
        Lookups([*dict(claim.values), *(t.name for t in claim.tables)]),
    )
    plain = conjunction(*filter(lookups.is_plain, conjuncts(about)))
    for parameters in map(dict, sorted(found)):
        if not _covers(ruleset, plain, parameters, SIZES[-1], limits):
            return None
        sizes = (size for size in SIZES if _covers(ruleset, plain, parameters, size, limits))
        checks = (_at(ruleset, asked, parameters, size) for size in sizes)
        check = next((check for check in checks if check is not None), None)
        if check is None or check.checked < _entries(claim):
            return None
        reach = max(side.high for side in check.instance.box)
        total = together(total, Look(check.checked, reach, True, wrong=check.counterexample))
    return total if total.positions else None


def _covers(ruleset: Ruleset, about: Expr, parameters: Mapping[str, int], size: int, limits: Limits) -> bool:
    """Whether every position that fulfils the condition is in the table of this size."""
    inside = (substitute(c.inside, dict.fromkeys(ruleset.bounds, size)) for c in ruleset.coordinates)
    where = conjunction(about, equalities(parameters.items()))
    return true_everywhere(ruleset, conjunction(*inside), where, limits) is True


def _at(ruleset: Ruleset, claim: Claim, parameters: Mapping[str, int], size: int) -> Check | None:
    """The check in a table of this size; None if it would be too large, or if not all that is looked up is in it."""
    try:
        instance = make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, size))
        if instance.moves > MOVES:
            return None
        looked_at = claim.plain and claim.target == ALWAYS
        check = judge_at(claim, unsolved(instance) if looked_at else solve(instance, claim.target.values))
    except GrundylabError:  # no such table
        return None
    return None if check.limit else check


def _entries(claim: Claim) -> int:
    """At how many positions it says something, if that is printed."""
    return len(claim.printed.entries) if isinstance(claim.printed, PrintedTable) else 1
