"""Candidates and verdicts as JSON records and as lines for people: the one form that all outputs share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.automata.automaton import Automaton
from grundylab.catalogue.proved import by
from grundylab.check.exceptions import exceptions_record, exceptions_text
from grundylab.check.verification import Counterexample, Verdict
from grundylab.discover.base import Candidate
from grundylab.games.model import Target, parse_target
from grundylab.language.latex import to_latex
from grundylab.language.syntax import FALSE, TRUE, Expr, Int, Name, compare, conjunction
from grundylab.prove.gate import Look
from grundylab.prove.outcome import Proof, beside

STATUSES = ("proved", "holds", "refuted", "undecided", "partial")  # what a reader should see first


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """A candidate with the share of training positions that it describes."""
    return {
        "formula": str(candidate.formula),
        "latex": to_latex(candidate.formula),
        "target": str(candidate.target),
        "engine": candidate.engine,
        "seed": candidate.seed,
        "size": candidate.size,
        "correct": candidate.correct,
        "total": candidate.total,
        "exact": candidate.exact,
        "share": candidate.share,
        "where": str(candidate.where),
        "values": dict(candidate.values),
        "exact_for": [dict(setting) for setting in candidate.exact_for],
        "exceptions": exceptions_record(candidate.exceptions),
    }


def engine_record(engine: str, target: Target, notes: Sequence[str]) -> dict[str, Any]:
    """What an engine says of its search for a target."""
    return {"target": str(target), "engine": engine, "notes": list(notes)}


def said(proposal: Mapping[str, Any]) -> dict[str, Any]:
    """The engine's record of a discover stage's file, with how many of its candidates are exact, and how many not."""
    exact = sum(candidate["exact"] for candidate in proposal["candidates"])
    record = {key: proposal[key] for key in ("target", "engine", "notes")}
    return {**record, "exact": exact, "partial": len(proposal["candidates"]) - exact}


def rank(status: str) -> int:
    """Which status a reader should see first; one that is not known comes last."""
    return STATUSES.index(status) if status in STATUSES else len(STATUSES)


def tally(statuses: Iterable[str]) -> dict[str, int]:
    """How many there are of each status, in the order in which a reader should see them."""
    return dict(sorted(Counter(statuses).items(), key=lambda item: rank(item[0])))


def many(number: int, what: str) -> str:
    """``1 claim``, ``1,234 claims``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def percent(share: float) -> str:
    """A share from 0 to 1, rounded down: less than all is never 100 %."""
    return f"{math.floor(share * 10_000) / 100:g} %"


def verdict_record(verdict: Verdict, condition: Expr | None = None) -> dict[str, Any]:
    """A verdict with its evidence; ``condition``: the parameter values for which it seems to hold."""
    example = verdict.counterexample
    return {
        "status": verdict.status,
        "reason": verdict.reason,
        "formula": str(verdict.formula),
        "latex": to_latex(verdict.formula),
        "target": str(verdict.target),
        "where": str(verdict.where),
        "checked": verdict.checked,
        "instances": [
            {"instance": check.instance.label, "checked": check.checked, "holds": check.holds}
            for check in verdict.checks
        ],
        "counterexample": counterexample_record(example) if example else None,
        "condition": str(condition) if condition is not None else None,
        "only_wrong_at": [counterexample_record(example) for example in verdict.exceptions],
    }


def proof_record(proof: Proof, file: str | None) -> dict[str, Any]:
    """A proof with its evidence.

    ``where``: the parameter values for which the formula holds; ``exactly``: and for no others in their domains;
    ``unnamed``: no condition describes them, ``where`` is too wide, and the automaton alone says which they are.
    ``procedures``: those that independently say proved.
    """
    automaton, example, second = proof.automaton, proof.counterexample, _second_record(proof, file)
    condition = conjunction(_fixed(proof), proof.where if proof.condition is None else proof.condition)
    return {
        "status": proof.status,
        "reason": proof.reason,
        "formula": str(proof.formula),
        "latex": to_latex(proof.formula),
        "target": str(proof.target),
        "assuming": str(proof.where),
        "where": str(condition),
        "exactly": proof.condition is not None and not proof.fixed and proof.playable is None,
        "counterexample": counterexample_record(example) if example else None,
        "proof": file,
        "automaton": _automaton_record(automaton) if automaton else None,
        "used": list(proof.used),
        "playable": None if proof.playable is None else str(proof.playable),
        "unnamed": proof.condition is None and automaton is not None,
        "second": second,
        "procedures": procedures_of([proof.by] if proof.status == "proved" else [], second),
        "looked": None if proof.looked is None else _looked_record(proof.looked),
    }


def procedures_of(first: Sequence[str], second: Mapping[str, Any] | None) -> list[str]:
    """The procedures that independently say proved: the first, and the second if it agrees."""
    agrees = second is not None and second["status"] == "agrees" and second["by"] not in first
    return [*first, *([str(second["by"])] if second is not None and first and agrees else [])]


def _second_record(proof: Proof, file: str | None) -> dict[str, Any] | None:
    """What another procedure says of the proof, and the file that it went through."""
    if proof.second is None:
        return None
    second = {"by": proof.second.by, "status": proof.second.status, "reason": proof.second.reason}
    return second if proof.stated is None or file is None else {**second, "file": str(beside(Path(file)))}


def _looked_record(seen: Look) -> dict[str, Any]:
    """What the gate saw."""
    return {"positions": seen.positions, "reach": seen.reach, "beyond": seen.far}


_LONGEST_AUTOMATON = 64  # states; the text of a larger one says nothing to anyone


def _automaton_record(automaton: Automaton) -> dict[str, Any]:
    """Its size, the variables that it reads, and unless it is too large the text of the same set of numbers."""
    digits = automaton.digits() if automaton.states <= _LONGEST_AUTOMATON else None
    return {
        "states": automaton.states,
        "variables": list(automaton.variables),
        "text": None if digits is None else str(digits),
    }


def proof_text(proof: Proof, file: str | None, said: str | None = None) -> str:
    """A proof for people; ``said``: the statement's text, if it is not plainly that the formula is the target's."""
    where = f" where {proof.where}" if proof.where != TRUE else ""
    lines = [f"{said or f'{proof.target}: {proof.formula}'}{where}", f"{proof.status}{_proved_for(proof)}"]
    if proof.reason:
        lines[-1] += f": {proof.reason}"
    if proof.counterexample:
        lines.append(counterexample_line(proof.counterexample, proof.target))
    if proof.status == "refuted" and proof.condition is not None:
        known = "for no parameters" if proof.condition == FALSE else f"exactly where {proof.condition}"
        lines.append(f"true at all positions {known}")
    if proof.used:
        lines.append(f"by induction together with: {', '.join(proof.used)}")
    if proof.automaton is not None:
        lines.append(f"the automaton of those parameters has {proof.automaton.states} states")
    if proof.status == "proved":
        second = _second_record(proof, file)
        lines.append(f"proved {by({'procedures': procedures_of([proof.by], second), 'second': second})}")
    if file:
        kind = "MONA script" if proof.certificate is None else "certificate"
        lines.append(f"{kind}: {file} ({proof.seconds:.2f} s in all)")
    return "\n".join(lines)


def _fixed(proof: Proof) -> Expr:
    """``k == 1 and …`` for the parameters that were fixed."""
    return conjunction(*(compare("==", Name(name), Int(value)) for name, value in proof.fixed))


def _proved_for(proof: Proof) -> str:
    if proof.status != "proved":
        return ""
    sizes = " for all sizes" + (f" with {_fixed(proof)}" if proof.fixed else "")
    if proof.playable is not None:
        return f"{sizes} where {proof.condition}; the rules make a game only where {proof.playable}"
    if proof.condition is not None and proof.condition != TRUE:
        return f"{sizes}; over all parameters it is true exactly where {proof.condition}"
    if proof.condition is None and proof.automaton is not None:
        return f"{sizes}, for the parameters of an automaton that no short condition describes"
    return sizes


def counterexample_record(example: Counterexample) -> dict[str, Any]:
    """Where a formula is wrong, what is true there, and what it says."""
    return {
        "position": dict(example.position),
        "parameters": dict(example.parameters),
        "measure": example.measure,
        "truth": example.truth,
        "found": example.found,
        "functions": {name: list(values) for name, values in example.functions.items()},
        **({} if example.smallest else {"smallest": False}),
    }


def counterexample_of(record: Mapping[str, Any]) -> Counterexample:
    """What ``counterexample_record`` has made a record of."""
    functions = {name: tuple(values) for name, values in record["functions"].items()}
    return Counterexample(**{**record, "functions": functions})


def verdict_text(verdict: Verdict, condition: Expr | None = None, said: str | None = None) -> str:
    """The verdict for people: status, what was checked, the counterexample; ``said`` as in ``proof_text``."""
    labels = "; ".join(check.instance.label for check in verdict.informative)
    where = f" where {verdict.where}" if verdict.where != TRUE else ""
    lines = [
        f"{said or f'{verdict.target}: {verdict.formula}'}{where}",
        f"{verdict.status}: {verdict.checked:,} positions" + (f" ({labels})" if labels else ""),
    ]
    if verdict.reason:
        lines.append(verdict.reason)
    if example := verdict.counterexample:
        lines.append(counterexample_line(example, verdict.target))
    if found := [counterexample_record(example) for example in verdict.exceptions]:
        lines.append(f"holds except at {exceptions_text(found)}, as far as these tables go")
    failing = [check.instance.label for check in verdict.informative if not check.holds]
    kept = len(verdict.informative) - len(failing)
    if failing and kept:
        lines.append(f"holds in {kept} of {len(verdict.informative)} instances, not in {'; '.join(failing)}")
    if empty := [check.instance.label for check in verdict.checks if check.holds is None]:
        lines.append(f"nothing was checked in {'; '.join(empty)}")
    if condition is not None:
        lines.append(f"these values suggest that it holds exactly where {condition}")
    return "\n".join(lines)


def counterexample_line(example: Counterexample, target: Target) -> str:
    """The same with a word before it."""
    which = "smallest counterexample" if example.smallest else "counterexample"
    return f"{which}: {counterexample_text(example, target)}"


def counterexample_text(example: Counterexample, target: Target) -> str:
    """``(x=1, y=2, p=1) with m=3: a P-position, the formula says N``."""
    return example_text({**counterexample_record(example), "target": str(target)})


def counterexample_words(record: Mapping[str, Any]) -> str:
    """The same of what has a verdict, from its record; nothing if it has no counterexample."""
    example = record.get("counterexample")
    return example_text({**example, "target": record["target"]}) if example else ""


def example_text(record: dict[str, Any]) -> str:
    """The same from a counterexample's record (with its target)."""
    target, truth, found = parse_target(record["target"]), record["truth"], record["found"]
    where = ", ".join(f"{name}={value}" for name, value in record["position"].items())
    chosen = [f"{name}={value}" for name, value in record["parameters"].items()]
    chosen += [f"{name}: {' '.join(map(str, values))}" for name, values in record["functions"].items()]
    fixed = ", ".join(chosen)
    said = "has no value there"
    if target.name == "grundy":
        true = f"the Grundy number is {truth}"
        said = said if found is None else f"says {found}"
    elif target.name == "true":
        return (
            f"({where})"
            + (f" with {fixed}" if fixed else "")
            + (": not so" if found is not None else f": it {said}")
        )
    elif target.name == "p":
        true = "a P-position" if truth else "an N-position"
        said = said if found is None else f"says {'P' if found else 'N'}"
    else:
        true = f"the Grundy number is {'' if truth else 'not '}{target.value}"
        said = said if found is None else f"says it is {'' if found else 'not '}{target.value}"
    return f"({where})" + (f" with {fixed}" if fixed else "") + f": {true}, the formula {said}"
