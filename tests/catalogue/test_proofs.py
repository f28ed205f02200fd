"""The catalogue's last word: a proof makes a theorem, a refutation by the prover outweighs 'holds'."""

import pytest

from grundylab.catalogue.proofs import with_proofs


def judged(status):
    record = {"formula": "x == y", "target": "p", "status": status, "counterexample": None, "where": "True"}
    return {
        "study": "s",
        "open": None,
        "engines": [],
        "about": {},
        "formulas": [record],
        "claims": [{**record, "claim": "c"}],
    }


def proof(status, claim=None, counterexample=None):
    return {
        "claim": claim, "formula": "x == y", "target": "p", "status": status, "under": "True", "where": "True",
        "exactly": True, "reason": None, "proof": "f.mona", "used": [], "automaton": None,
        "counterexample": counterexample,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("before", "proved", "after"),
    [
        ("holds", "proved", "proved"),
        ("undecided", "proved", "proved"),
        ("holds", "undecided", "holds"),
        ("holds", "refuted", "refuted"),
        ("partial", "proved", "partial"),
        ("refuted", "refuted", "refuted"),
    ],
)
def test_a_proof_changes_the_verdict_of_its_own_record_only(before, proved, after):
    example = {"position": {"x": 1}} if proved == "refuted" else None
    found = with_proofs(judged(before), [proof(proved, counterexample=example)])
    assert found["formulas"][0]["status"] == after
    assert found["claims"][0]["status"] == before
    assert found["formulas"][0]["proof"] == ("f.mona" if after == "proved" else None)
    if (before, after) == ("holds", "refuted"):
        assert found["formulas"][0]["counterexample"] == example
