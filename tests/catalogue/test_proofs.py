"""The catalogue's last word: a proof makes a theorem, a refutation by the prover outweighs 'holds'."""

import pytest
from tests.catalogue.made import PARTIAL, WRONG, attempted, claim, formula

from grundylab.catalogue.proofs import with_proofs
from grundylab.catalogue.records import Verdicts
from grundylab.check.verification import Counterexample

JUDGED = {
    "holds": {},
    "undecided": {"reason": "too large"},
    "partial": PARTIAL,
    "refuted": {"counterexample": WRONG},
}


@pytest.mark.parametrize(
    ("before", "proved", "after"),
    [
        ("holds", "proved", "proved"),
        ("undecided", "proved", "proved"),
        ("holds", "undecided", "holds"),
        ("holds", "refuted", "refuted"),
        ("partial", "proved", "partial"),
        ("refuted", "refuted", "refuted"),
        ("refuted", "proved", "refuted"),
    ],
)
def test_a_proof_changes_the_verdict_of_its_own_record_only(before, proved, after):
    judged = JUDGED[before]
    of_a_claim = {key: value for key, value in judged.items() if before != "partial"}
    example = Counterexample({"x": 1}, {}, 1, 1, 0) if proved == "refuted" else None
    verdicts = Verdicts(formulas=(formula(**judged),), claims=(claim(**of_a_claim),))
    found = with_proofs(verdicts, [attempted(proved, counterexample=example)])
    (one,) = found.formulas
    assert (verdicts.formulas[0].status, one.status) == (before, after)
    assert found.claims[0].status == verdicts.claims[0].status
    assert one.proof == ("f.mona" if after == "proved" else None)
    assert one.counterexample == (judged.get("counterexample") or example)
