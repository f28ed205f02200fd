"""Large instances: what holds at the test instances, looked at line by line slab by slab, and what that makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from grundylab.catalogue.attempts import Attempt, Texts, region_of, shared
from grundylab.catalogue.records import ClaimRecord, Finding, Formula, Judged, Large, Verdicts
from grundylab.catalogue.words import counterexample_text
from grundylab.check.linewise import check_lines
from grundylab.check.slabs import Slab
from grundylab.check.verification import Check, Counterexample, Verdict, merged
from grundylab.errors import ConfigError, EvaluationError, NoSweep
from grundylab.games import Claim, Instance, Ruleset
from grundylab.games.fields import ConditionField, FormulaField, TargetField
from grundylab.games.model import P_POSITIONS, Target
from grundylab.language import Expr
from grundylab.language.plain import evaluate
from grundylab.language.syntax import conjunction
from grundylab.prove.outcome import Disagreement
from grundylab.version import __version__

_Known = TypeVar("_Known", bound=Finding)


@dataclass(frozen=True, kw_only=True)
class PartCheck:
    """What one slab of an instance says; see ``Check``. hash: of the ruleset."""

    instance: str
    hash: str
    checked: int
    wrong: int
    limit: str | None
    counterexample: Counterexample | None
    all_wrong: tuple[Counterexample, ...]


@dataclass(frozen=True, kw_only=True)
class Part:
    """What one slab of each instance says of a statement."""

    target: TargetField
    formula: FormulaField
    where: ConditionField
    slab: str
    version: str
    checks: tuple[PartCheck, ...]


@dataclass(frozen=True, kw_only=True)
class LargeVerdicts:
    """What the large instances of a study say, looked at in so many slabs."""

    instances: Texts
    slabs: int
    statements: tuple[Judged, ...]


def holding(ruleset: Ruleset, judged: Verdicts) -> list[Claim]:
    """What the verdicts say holds, about P-positions and in the game's own terms: formulas, claims, corrections."""
    found: list[Judged] = [record for record in judged.formulas if not record.values]
    for record in judged.claims:
        if ruleset.claim(record.claim).plain:
            found.append(record)
            found += [record.correction] if record.correction and record.correction.provable else []
    keys = [_key(record) for record in found if record.status == "holds" and record.target == P_POSITIONS]
    return [Claim("large", target, formula, where) for target, formula, where in dict.fromkeys(keys)]


def _key(record: Judged | Part) -> tuple[Target, Expr, Expr]:
    return record.target, record.formula, record.where


def look(claim: Claim, instances: Iterable[Instance], slab: Slab) -> Part:
    """What one slab of each instance says of the claim: a part, for ``whole``. In one thread."""
    checks = []
    for instance in instances:
        try:
            found = check_lines(claim.formula, claim.target, instance, claim.where, threads=1, slab=slab)
        except NoSweep as error:
            found = Check(instance, 0, None, limit=error.message)
        checks.append(found)
    return part_of(claim, checks, slab)


def part_of(claim: Claim, checks: Iterable[Check], slab: Slab) -> Part:
    """The checks of one slab of each instance."""
    return Part(
        target=claim.target,
        formula=claim.formula,
        where=claim.where,
        slab=str(slab),
        version=__version__,
        checks=tuple(
            PartCheck(
                **{**shared(PartCheck, check), "instance": check.instance.label},
                hash=check.game.ruleset.hash,
            )
            for check in checks
        ),
    )


def whole(instances: Sequence[Instance], parts: Sequence[Part]) -> Verdict:
    """The verdict on a statement, from all of its parts, in any order.

    Raises ConfigError unless they are the slabs of these instances, each once, and of one statement.
    """
    labels = [(instance.label, instance.ruleset.hash) for instance in instances]
    slabs = sorted((int(part.slab.partition("/")[0]), part.slab) for part in parts)
    if not parts or slabs != [(number, f"{number}/{len(parts)}") for number in range(1, len(parts) + 1)]:
        raise ConfigError(
            f"these are not all slabs of a whole: {', '.join(slab for _, slab in slabs) or 'none'}"
        )
    if any(part.version != __version__ for part in parts):
        raise ConfigError(f"these slabs are not all by this version of grundylab ({__version__})")
    if len({_key(part) for part in parts}) > 1:
        raise ConfigError("these slabs are of several formulas")
    if any([(check.instance, check.hash) for check in part.checks] != labels for part in parts):
        raise ConfigError(f"these slabs are not of {'; '.join(map(str, instances))}, by the same rules")
    target, formula, where = _key(parts[0])
    checks = tuple(
        merged([_check_of(part.checks[number], instance) for part in parts])
        for number, instance in enumerate(instances)
    )
    return Verdict(formula, target, where, checks)


def _check_of(check: PartCheck, instance: Instance) -> Check:
    return Check(instance, check.checked, check.counterexample, check.limit, check.wrong, check.all_wrong)


def check_agreement(ruleset: Ruleset, verdict: Verdict, proofs: Iterable[Attempt]) -> None:
    """Raise Disagreement if a proof says something else of a formula than the large instances do."""
    asked = (verdict.target, verdict.formula)
    for proof in (proof for proof in proofs if (proof.target, proof.formula) == asked):
        for check in verdict.checks:
            if (example := _against(ruleset, verdict, check, proof)) is not None:
                text = counterexample_text(example, verdict.target)
                raise Disagreement(
                    f"{ruleset.name}: {asked[0]}: {asked[1]} where {verdict.where}: {proof.status} by the prover, "
                    f"but not so by the sweep of {check.instance.label}: {text}; please report this"
                )


def _against(ruleset: Ruleset, verdict: Verdict, check: Check, proof: Attempt) -> Counterexample | None:
    """The position at which the two disagree; None if they need not."""
    if (region := region_of(proof)) is not None and check.counterexample is not None:
        inside = [example for example in check.all_wrong if _about(ruleset, region, example)]
        if (
            not check.all_wrong
        ):  # too many to be kept: look once more, where the proof says that none is wrong
            with suppress(NoSweep):
                where = conjunction(verdict.where, region)
                found = check_lines(verdict.formula, verdict.target, check.game, where, threads=1)
                inside = [found.counterexample] if found.counterexample else []
        return inside[0] if inside else None
    example = proof.counterexample
    if proof.status == "refuted" and example is not None and check.holds:
        box = zip(ruleset.coordinate_names, check.game.box, strict=True)
        within = all(side.low <= example.position[name] <= side.high for name, side in box)
        if within and example.parameters == dict(check.game.parameters):
            return example
    return None


def _about(ruleset: Ruleset, region: Expr, example: Counterexample) -> bool:
    try:
        return bool(evaluate(region, {**example.position, **example.parameters}, ruleset.functions))
    except EvaluationError:  # of no position that the proof is about
        return False


def with_large(study: Verdicts, found: LargeVerdicts | None) -> Verdicts:
    """The study's records, with proofs, and what its large instances say of them; what these refute is refuted.

    found: None if the study has no such instances.
    """
    said = {_key(record): record for record in found.statements} if found else {}

    def formula(record: Formula) -> Formula:
        record = _overruled(record, said.get(_key(record)))
        if record.large is None or record.large.status != "refuted":
            return record
        return replace(record, relation=None, comparison=None, claims=())

    def claim(record: ClaimRecord) -> ClaimRecord:
        """A correction that is false, too, is none."""
        large = said.get(_key(record.correction)) if record.correction else None
        if large is not None and large.status == "refuted":
            record = replace(record, correction=None)
        return _overruled(record, said.get(_key(record)))

    return replace(
        study, formulas=tuple(map(formula, study.formulas)), claims=tuple(map(claim, study.claims))
    )


def _overruled(record: _Known, large: Judged | None) -> _Known:
    if large is None or record.partial:
        return record
    looked = tuple(check for check in large.instances if check.holds is not None)
    known = [example for example in (record.counterexample, large.counterexample) if example is not None]
    return replace(
        record,
        checked=record.checked + sum(check.checked for check in looked),
        instances=(*record.instances, *looked),
        wrong=record.wrong + large.wrong,
        counterexample=min(known, key=lambda example: example.order, default=None),
        large=Large(**{**shared(Large, large), "instances": tuple(check.instance for check in looked)}),
    )
