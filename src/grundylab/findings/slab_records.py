"""Records of ``grundylab verify --slab``, and the verdict that follows from the records of all slabs.

A slab is one of several parts of a large table; each part may be verified by a job of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grundylab.check.slabs import Slab
from grundylab.check.verification import Check, Counterexample, Verdict, merge_checks
from grundylab.errors import ConfigError
from grundylab.findings.attempts import shared_fields
from grundylab.games import Claim, Instance
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.version import __version__


@dataclass(frozen=True, kw_only=True)
class SlabCheck:
    """The check of one slab of an instance; the fields are those of ``Check``. hash: the hash of the ruleset."""

    instance: str
    hash: str
    checked: int
    wrong: int
    limit: str | None
    counterexample: Counterexample | None
    all_wrong: tuple[Counterexample, ...]


@dataclass(frozen=True, kw_only=True)
class SlabRecord:
    """The checks of a statement on one slab, such as ``2/8``, of each instance."""

    target: TargetField
    formula: FormulaField
    where: ConditionField
    slab: str
    version: str
    checks: tuple[SlabCheck, ...]


def slab_record(claim: Claim, checks: Iterable[Check], slab: Slab) -> SlabRecord:
    """Return the record of a claim's checks on one slab of each instance."""
    return SlabRecord(
        target=claim.target,
        formula=claim.formula,
        where=claim.where,
        slab=str(slab),
        version=__version__,
        checks=tuple(
            SlabCheck(
                **{**shared_fields(SlabCheck, check), "instance": check.instance.label},
                hash=check.game.ruleset.hash,
            )
            for check in checks
        ),
    )


def combined_verdict(instances: Sequence[Instance], parts: Sequence[SlabRecord]) -> Verdict:
    """Return the verdict on a statement from the records of all its slabs, in any order.

    Raises ConfigError unless ``parts`` has each slab of these instances once, all for one statement and written by this
    version of grundylab.
    """
    labels = [(instance.label, instance.ruleset.hash) for instance in instances]
    slabs = sorted((int(part.slab.partition("/")[0]), part.slab) for part in parts)
    if not parts or slabs != [(number, f"{number}/{len(parts)}") for number in range(1, len(parts) + 1)]:
        raise ConfigError(
            f"these are not all slabs of one check: {', '.join(slab for _, slab in slabs) or 'none'}"
        )
    if any(part.version != __version__ for part in parts):
        raise ConfigError(f"these slabs are not all by this version of grundylab ({__version__})")
    statements = {(part.target, part.formula, part.where) for part in parts}
    if len(statements) > 1:
        raise ConfigError("these slabs are of several formulas")
    if any([(check.instance, check.hash) for check in part.checks] != labels for part in parts):
        raise ConfigError(
            f"these slabs are not of {'; '.join(map(str, instances))}, or not by the same rules"
        )
    target, formula, where = statements.pop()
    checks = tuple(
        merge_checks([_check_of(part.checks[number], instance) for part in parts])
        for number, instance in enumerate(instances)
    )
    return Verdict(formula, target, where, checks)


def _check_of(check: SlabCheck, instance: Instance) -> Check:
    return Check(instance, check.checked, check.counterexample, check.limit, check.wrong, check.all_wrong)
