"""Large instances: what holds at the test instances, looked at line by line slab by slab, and what that makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from grundylab.catalogue.proved import region_of
from grundylab.catalogue.records import counterexample_of, counterexample_record, example_text, verdict_record
from grundylab.check.linewise import check_lines
from grundylab.check.slabs import Slab, merged
from grundylab.check.verification import Check, Counterexample, Verdict
from grundylab.errors import ConfigError, EvaluationError
from grundylab.games import Claim, Instance, Ruleset, parse_target
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import conjunction
from grundylab.prove.direct.checker import Disagreement
from grundylab.solve.sweeps import NoSweep
from grundylab.version import __version__

Record = dict[str, Any]
_STATEMENT = ("target", "formula", "where")


def holding(ruleset: Ruleset, judged: Mapping[str, Any]) -> list[Claim]:
    """What the verdicts say holds, about P-positions and in the game's own terms: formulas, claims, corrections."""
    found = [record for record in judged["formulas"] if not record.get("values")]
    for record in judged["claims"]:
        correction = record["correction"]
        if ruleset.claim(record["claim"]).plain:
            found += [record, correction] if correction and correction["provable"] else [record]
    keys = [_key(record) for record in found if record["status"] == "holds" and record["target"] == "p"]
    return [
        Claim("large", parse_target(target), parse(formula), parse_condition(where))
        for target, formula, where in dict.fromkeys(keys)
    ]


def _key(record: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(record[name] for name in _STATEMENT)


def look(claim: Claim, instances: Iterable[Instance], slab: Slab) -> Record:
    """What one slab of each instance says of the claim: a part, for ``whole``. In one thread."""
    checks = []
    for instance in instances:
        try:
            found = check_lines(claim.formula, claim.target, instance, claim.where, threads=1, slab=slab)
        except NoSweep as error:
            found = Check(instance, 0, None, limit=error.message)
        checks.append(found)
    statement = (str(claim.target), str(claim.formula), str(claim.where))
    return {**dict(zip(_STATEMENT, statement, strict=True)), **part_record(checks, slab)}


def part_record(checks: Sequence[Check], slab: Slab) -> Record:
    """The checks of one slab of each instance, as JSON."""
    parts = [
        {
            "instance": check.instance.label,
            "hash": check.instance.ruleset.hash,
            "checked": check.checked,
            "wrong": check.wrong,
            "limit": check.limit,
            "counterexample": counterexample_record(check.counterexample) if check.counterexample else None,
            "all_wrong": [counterexample_record(example) for example in check.all_wrong],
        }
        for check in checks
    ]
    return {"slab": str(slab), "version": __version__, "checks": parts}


def whole(instances: Sequence[Instance], parts: Sequence[Mapping[str, Any]]) -> Verdict:
    """The verdict on a statement, from all of its parts, in any order.

    Raises ConfigError unless they are the slabs of these instances, each once, and of one statement.
    """
    labels = [(instance.label, instance.ruleset.hash) for instance in instances]
    slabs = sorted((int(part["slab"].partition("/")[0]), part["slab"]) for part in parts)
    if not parts or slabs != [(number, f"{number}/{len(parts)}") for number in range(1, len(parts) + 1)]:
        raise ConfigError(
            f"these are not all slabs of a whole: {', '.join(slab for _, slab in slabs) or 'none'}"
        )
    if any(part.get("version") != __version__ for part in parts):
        raise ConfigError(f"these slabs are not all by this version of grundylab ({__version__})")
    if len({_key(part) for part in parts}) > 1:
        raise ConfigError("these slabs are of several formulas")
    if any([(check["instance"], check.get("hash")) for check in part["checks"]] != labels for part in parts):
        raise ConfigError(f"these slabs are not of {'; '.join(map(str, instances))}, by the same rules")
    target, formula, where = _key(parts[0])
    checks = tuple(
        merged([_check_of(part["checks"][number], instance) for part in parts])
        for number, instance in enumerate(instances)
    )
    return Verdict(parse(formula), parse_target(target), parse_condition(where), checks)


def _check_of(record: Mapping[str, Any], instance: Instance) -> Check:
    example = record["counterexample"]
    return Check(
        instance,
        record["checked"],
        counterexample_of(example) if example else None,
        limit=record["limit"],
        wrong=record["wrong"],
        all_wrong=tuple(map(counterexample_of, record["all_wrong"])),
    )


def check_agreement(ruleset: Ruleset, verdict: Verdict, proofs: Iterable[Mapping[str, Any]]) -> None:
    """Raise Disagreement if a proof says something else of a formula than the large instances do."""
    asked = (str(verdict.target), str(verdict.formula))
    for proof in (proof for proof in proofs if (proof["target"], proof["formula"]) == asked):
        for check in verdict.checks:
            if (example := _against(ruleset, verdict, check, proof)) is not None:
                text = example_text({**example, "target": asked[0]})
                raise Disagreement(
                    f"{ruleset.name}: {asked[0]}: {asked[1]} where {verdict.where}: {proof['status']} by the prover, "
                    f"but not so by the sweep of {check.instance.label}: {text}; please report this"
                )


def _against(ruleset: Ruleset, verdict: Verdict, check: Check, proof: Mapping[str, Any]) -> Record | None:
    """The position at which the two disagree; None if they need not."""
    if (region := region_of(proof)) is not None and check.counterexample is not None:
        inside = [example for example in check.all_wrong if _about(ruleset, region, example)]
        if (
            not check.all_wrong
        ):  # too many to be kept: look once more, where the proof says that none is wrong
            with suppress(NoSweep):
                where = conjunction(verdict.where, region)
                found = check_lines(verdict.formula, verdict.target, check.instance, where, threads=1)
                inside = [found.counterexample] if found.counterexample else []
        return counterexample_record(inside[0]) if inside else None
    example = proof["counterexample"]
    if proof["status"] == "refuted" and example and check.holds:
        box = zip(ruleset.coordinate_names, check.instance.box, strict=True)
        within = all(side.low <= example["position"][name] <= side.high for name, side in box)
        if within and example["parameters"] == dict(check.instance.parameters):
            return dict(example)
    return None


def _about(ruleset: Ruleset, region: Expr, example: Counterexample) -> bool:
    try:
        return bool(evaluate(region, {**example.position, **example.parameters}, ruleset.functions))
    except EvaluationError:  # of no position that the proof is about
        return False


def large_record(verdict: Verdict) -> Record:
    """What the large instances say of a formula, for the catalogue."""
    return {**verdict_record(verdict), "wrong": verdict.wrong, "only_wrong_at": []}


def with_large(study: Mapping[str, Any], found: Mapping[str, Any] | None) -> Record:
    """The study's records, with proofs, and what its large instances say of them; what these refute is refuted.

    found: the record of the stage; None if the study has no such instances.
    """
    about = {
        **study["about"],
        "large": found["instances"] if found else [],
        "slabs": found["slabs"] if found else 0,
    }
    said = {_key(record): record for record in found["statements"]} if found else {}
    claims = [_corrected(record, said) for record in study["claims"]]
    return {
        **study,
        "about": about,
        "formulas": [_overruled(record, said.get(_key(record))) for record in study["formulas"]],
        "claims": [_overruled(record, said.get(_key(record))) for record in claims],
    }


def _corrected(record: Record, said: Mapping[tuple[str, ...], Record]) -> Record:
    """A correction that is false, too, is none."""
    correction = record.get("correction")
    large = said.get(_key(correction)) if correction else None
    return {**record, "correction": None} if large and large["status"] == "refuted" else record


def _overruled(record: Record, large: Record | None) -> Record:
    if large is None or record["status"] == "partial":
        return {**record, "large": None}
    looked = [check for check in large["instances"] if check["holds"] is not None]
    told = {key: large[key] for key in ("status", "checked", "reason")}
    more: Record = {
        "checked": record["checked"] + sum(check["checked"] for check in looked),
        "instances": [*record["instances"], *looked],
        "large": {**told, "instances": [check["instance"] for check in looked]},
    }
    if large["status"] == "refuted":
        known = [example for example in (record["counterexample"], large["counterexample"]) if example]
        more |= {"status": "refuted", "proof": None, "counterexample": min(known, key=_order)}
        more |= {"wrong": record["wrong"] + large["wrong"]} if "wrong" in record else {}
        more |= {"relation": None, "comparison": None, "claims": []} if "relation" in record else {}
    return {**record, **more}


def _order(example: Record) -> tuple[Any, ...]:
    return counterexample_of(example).order


__all__ = ["check_agreement", "holding", "large_record", "look", "part_record", "whole", "with_large"]
