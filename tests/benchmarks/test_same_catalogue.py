"""The comparison of two catalogues names, by claim and target, each result that only one of them has."""

import pandas as pd
import pytest
from benchmarks.same_catalogue import lost
from tests.catalogue.made import WRONG, claim, formula, proof

import grundylab as gl

PROVED = {"proofs": (proof(),)}
SOME = {"proofs": (proof("k == 1", "k == 1"),)}
REFUTED = {"counterexample": WRONG}
SHORT, LONG = {"size": 3}, {"size": 9, "formula": "x ^ y == 0"}


def frame(*findings, key=True):
    found = gl.frame(findings)
    return found if key else found.drop(columns="key")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([claim(**PROVED)], [claim(**PROVED)], []),
        ([claim()], [claim(**PROVED)], []),
        ([claim()], [claim(), claim(study="t", **PROVED)], []),
        ([claim(**PROVED)], [claim()], ["lemma-1", "proved -> holds"]),
        ([claim(**PROVED)], [claim(**REFUTED)], ["proved -> refuted"]),
        ([claim(**REFUTED)], [claim(**PROVED)], ["refuted -> proved"]),
        ([claim(**PROVED)], [claim(**SOME)], ["proved for all sizes -> for all sizes with k == 1"]),
        ([claim(**SOME)], [claim(**PROVED)], []),
        ([claim(**PROVED)], [], ["lemma-1", "proved"]),
        (
            [claim(**PROVED)],
            [claim(claim="other", at="Lemma 2", **PROVED)],
            [],
        ),  # one statement of another name
        ([formula(**PROVED)], [formula(**PROVED, engine="tree")], []),
        ([formula(**PROVED)], [formula()], ["target | s", "proved -> holds"]),
        ([formula()], [formula(**REFUTED)], ["holds"]),
        ([formula(**REFUTED)], [], []),
        (
            [formula(**PROVED, **SHORT)],
            [formula(**PROVED, **LONG)],
            ["a longer formula: x == y -> x ^ y == 0"],
        ),
        ([formula(**PROVED, **LONG)], [formula(**PROVED, **SHORT)], []),
        ([formula(**PROVED, **SHORT)], [formula(**PROVED, **LONG), formula(**PROVED, **SHORT)], []),
        ([formula(**PROVED, where="x <= 3")], [formula(**PROVED)], []),
        ([formula(**PROVED)], [formula(**PROVED, where="x <= 3")], ["True", "proved"]),
    ],
)
def test_each_loss_is_named_and_nothing_else(before, after, said):
    nothing = formula(study="never", **REFUTED)
    lines = list(lost(frame(*before, nothing), frame(*after, nothing)))
    assert len(lines) == bool(said)
    assert all(text in line for line in lines for text in said)


def test_without_keys_a_claim_is_joined_by_its_name_and_condition():
    old = frame(claim(**PROVED), key=False)
    assert not [*lost(old, frame(claim(key="6" * 64, **PROVED)))]
    assert [*lost(old, frame(claim(claim="other", **PROVED)))]
    assert [*lost(old, frame(claim(where="x <= 3", **PROVED)))]
    assert isinstance(old, pd.DataFrame)
