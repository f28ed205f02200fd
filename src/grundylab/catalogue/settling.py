"""Formulas that hold beside one that is proved: those that are equal to it are proved too, the others are refuted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.catalogue.proved import region_of
from grundylab.catalogue.records import procedures_of, proof_record
from grundylab.errors import ConfigError, GrundylabError
from grundylab.files import read_json
from grundylab.games import Claim, Ruleset, parent_of, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.latex import to_latex
from grundylab.language.syntax import Expr, conjunction
from grundylab.prove.comparing import same
from grundylab.prove.direct.checker import Disagreement
from grundylab.prove.direct.opinion import Opinions
from grundylab.prove.everywhere import true_everywhere
from grundylab.prove.gate import look
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import ASKED, prove

Record = dict[str, Any]


def settled(
    ruleset: Ruleset,
    formulas: Sequence[Mapping[str, Any]],
    proofs: Sequence[Record],
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Record]:
    """Proof records of formulas that hold and that no proof was attempted of, by those that are proved.

    Each is asked to be equal to a proved one for the same target and positions. What is not is given to the
    prover for a counterexample; if it finds none, nothing is said. keep: writes a proof's file and tells its name.
    """
    found: list[Record] = []
    done = {(proof["formula"], proof["target"], proof["about"]) for proof in proofs if proof["claim"] is None}
    for record in formulas:
        key = (record["formula"], record["target"], record["where"])
        if record["status"] != "holds" or record.get("values") or key in done:
            continue
        done.add(key)
        for proof in proofs:
            known = (proof["target"], proof["about"]) == key[1:] and proof["claim"] is None
            if known and (region := region_of(proof)) is not None:
                found += _beside(ruleset, key, proof, region, limits, keep)
    return found


def _beside(
    ruleset: Ruleset,
    key: tuple[str, str, str],
    proof: Record,
    region: Expr,
    limits: Limits,
    keep: Callable[[Proof], str | None],
) -> list[Record]:
    """The proof of a formula by that of another, or its refutation, or nothing. region: where that one is true."""
    formula, where = parse(key[0]), parse_condition(key[2])
    known = {"claim": None, "about": key[2], "under": proof["under"]}
    try:
        equal = true_everywhere(ruleset, same(formula, parse(proof["formula"])), region, limits)
        said = Claim(ASKED, parse_target(key[1]), formula)
        if equal and look(ruleset, said, region).good:
            reason = f"equal to {proof['formula']}, which is proved"
            second = _second(ruleset, key[0], proof)
            by = {"second": second, "procedures": procedures_of(_without_second(proof), second)}
            own = {"formula": key[0], "latex": to_latex(formula), "reason": reason, **by}
            # for which other parameter values this one holds is not known
            return [{**proof, **known, **own, "exactly": proof["exactly"] and proof["where"] == "True"}]
        if equal or equal is None:
            return []
        about = conjunction(where, parse_condition(proof["under"]))
        answer = prove(
            ruleset, formula, parse_target(key[1]), about, parent=parent_of(ruleset), limits=limits
        )
    except Disagreement:
        raise  # the run must stop
    except GrundylabError:
        return []
    if answer.status != "refuted" or answer.counterexample is None:
        return []
    return [{**known, **proof_record(answer, keep(answer))}]


def _without_second(proof: Record) -> list[str]:
    """The procedures that say that the other one is proved, but for the second checker, which is asked anew."""
    second = proof.get("second")
    return [name for name in proof.get("procedures") or () if second is None or name != second["by"]]


def _second(ruleset: Ruleset, formula: str, proof: Record) -> Record | None:
    """What the second checker says of the formula, by the induction that proves the other one."""
    second: Record | None = proof.get("second")
    if second is None or "file" not in second:
        return second
    stated = read_json(Path(second["file"]), ConfigError)
    found = Opinions(ruleset).of({**stated, "formula": formula})
    return {**second, "by": found.by, "status": found.status, "reason": found.reason}
