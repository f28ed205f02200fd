"""The shape of catalogue.json: which keys its records have, and of which types; so that one of another shape is told
from a fault of the program's own."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

from grundylab.catalogue.records import STATUSES

_NUMBERS, _TEXTS = {"*": int}, [str]
_EXAMPLE = {
    "position": _NUMBERS, "parameters": _NUMBERS, "measure": int, "truth": int, "found": (int, NoneType),
    "functions": {},
}  # fmt: skip
_SECOND = {"by": str, "status": str, "reason": (str, NoneType)}
_PROOF = {
    "status": str, "under": str, "where": str, "exactly": bool, "reason": (str, NoneType), "proof": (str, NoneType),
    "used": _TEXTS, "counterexample": (_EXAMPLE, NoneType),
    "automaton": ({"states": int, "variables": _TEXTS}, NoneType),
    "second": (_SECOND, NoneType), "claim": (str, NoneType), "unnamed": (bool, NoneType), "procedures": _TEXTS,
}  # fmt: skip
_VERDICT = {
    "study": str, "ruleset": str, "title": str, "target": str, "status": str, "formula": str, "latex": str,
    "where": str, "checked": int, "instances": [{"instance": str, "checked": int, "holds": (bool, NoneType)}],
    "counterexample": (_EXAMPLE, NoneType), "condition": (str, NoneType), "reason": (str, NoneType),
    "only_wrong_at?": [{}], "proofs": [_PROOF], "proof": (str, NoneType), "procedures": _TEXTS,
    "second?": (_SECOND, NoneType),
}  # fmt: skip
_RELATION = {"relation": str, "to": [{"relation": str, "claim": str, "by": str, "where": str}]}
_CORRECTION = {
    "formula": str,
    "target": str,
    "where": str,
    "statement": str,
    "latex": str,
    "changes": _TEXTS,
    "status": str,
    "complete": bool,
    "proofs": [_PROOF],
    "proof": (str, NoneType),
    "procedures": _TEXTS,
}
_CATALOGUE = {
    "made": {"version": str, "packages": {"*": (str, NoneType)}},
    "studies": [{
        "study": str, "open": (str, NoneType), "ruleset": str, "title": str, "where": str, "targets": _TEXTS,
        "training": _TEXTS, "test": _TEXTS, "engines": {"*": _TEXTS}, "each": bool, "settings": [_NUMBERS],
        "made": {"rulesets": {"*": str}, "seed": int},
    }],
    "engines": [{"study": str, "target": str, "engine": str, "notes": _TEXTS}],
    "formulas": [{
        **_VERDICT, "engine": str, "seed": int, "size": int, "correct": int, "total": int, "share": (float, int),
        "exact": bool, "training": _TEXTS, "values?": {"*": str}, "relation": (_RELATION, NoneType),
        "stated?": (str, NoneType), "exact_for?": [{}], "exceptions?": [{}],
    }],
    "claims": [{
        **_VERDICT, "claim": str, "at": (str, NoneType), "paper": (str, NoneType), "kind": str, "note": (str, NoneType),
        "statement": str, "wrong": int, "games": (int, NoneType), "every": (str, NoneType),
        "correction": (_CORRECTION, NoneType), "unpublished": bool, "complete": bool,
    }],
    "rows": [{
        "study": str, "ruleset": str, "title": str, "row": {}, "axes": _TEXTS, "target": str, "status": str,
        "checked": int, "preperiod": (int, NoneType), "period": (int, NoneType), "parameters": _NUMBERS,
        "proof": (str, NoneType),
    }],
}  # fmt: skip


def shape_fault(catalogue: Mapping[str, Any]) -> str | None:
    """Where the catalogue is of another shape than this version's, and how; None if it is of this."""
    fault = _fault(catalogue, _CATALOGUE, "")
    if fault is not None:
        return fault
    for place, study in enumerate(catalogue["studies"]):
        if missing := [target for target in study["targets"] if target not in study["engines"]]:
            return f"studies[{place}].engines has no '{missing[0]}'"
    for part in ("formulas", "claims", "rows"):
        for place, record in enumerate(catalogue[part]):
            if record["status"] not in STATUSES:
                return f"{part}[{place}].status is none of {', '.join(STATUSES)}"
            for number, proof in enumerate(record.get("proofs", [])):
                second = proof.get("second")
                if second and second["status"] != "agrees" and second["reason"] is None:
                    return f"{part}[{place}].proofs[{number}].second has no reason"
    return None


def _fault(value: Any, kind: Any, at: str) -> str | None:  # noqa: ANN401 - JSON, and what it should be
    """kind: a type; several kinds; a list of one kind; what the keys have, or ``*``, each of them; with a
    question mark they may be missing."""
    if isinstance(kind, tuple):
        faults = [_fault(value, one, at) for one in kind]
        return faults[0] if all(faults) else None
    if isinstance(kind, list):
        if not isinstance(value, list):
            return f"{at or 'it'} is no list"
        parts = [(part, kind[0], f"{at}[{place}]") for place, part in enumerate(value)]
    elif isinstance(kind, dict):
        if not isinstance(value, dict):
            return f"{at or 'it'} is no mapping"
        parts = []
        for key, inner in kind.items():
            if key.endswith("?") and key[:-1] not in value:
                continue
            if key != "*" and key.rstrip("?") not in value:
                return f"{at or 'it'} has no '{key}'"
            keys = list(value) if key == "*" else [key.rstrip("?")]
            parts += [(value[name], inner, f"{at}.{name}".lstrip(".")) for name in keys]
    else:
        fits = isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
        return None if fits else f"{at} is not of the type {kind.__name__}"
    return next((fault for part in parts if (fault := _fault(*part)) is not None), None)
