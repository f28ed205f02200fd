"""No claim with variables is proved if it is false, lacks a value somewhere, or is about nothing, for any ranges."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.prove import files
from tests.prove.oracle import NoValue, evaluate, functions_at
from tests.prove.ranges import FAMILIES, FAR, member, statement
from tests.sizes import night

# Claims that were once proved: a range begins below 0 far out, of a variable that is divided, that is an argument of a
# family's function, or that the condition does not need; and no variable has a value anywhere.
BELOW_0 = (33, 59, 100, 229, 326, 332, 339, 386, 433, 439, 708)
VOID = (97, 117, 120, 145, 302)
PROVED = (10, 21, 42, 76, 136, 149, 163, 222, 245, 288)  # true, and proved
SEEDS = range(1_000) if night() else (*BELOW_0, *VOID, *range(4))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_proved_of_variables_is_true(seed: int, tmp_path: Path) -> None:
    asked = statement(seed)
    proof = files.proof(tmp_path, asked.rules)
    wrong = proof and asked.wrong(proof)
    assert not wrong, f"{wrong}\n{files.texts(asked.rules)}"


@pytest.mark.parametrize("seed", PROVED)
def test_what_is_true_and_plain_is_proved(seed: int, tmp_path: Path) -> None:
    """Some of the statements must be proved, since a prover that proves nothing would pass the other tests."""
    assert files.proof(tmp_path, statement(seed).rules) is not None


@pytest.mark.parametrize("far", FAR)
def test_the_functions_of_a_family_have_its_property(far: int) -> None:
    for condition, bodies in FAMILIES.items():
        for body in bodies:
            functions = functions_at({"h(z)": member(body, far)}, {})
            for z in (*range(50), far - 1, far, far + 1, 2 * far):
                assert evaluate(condition, {**functions, "z": z}), (condition, body, z)
            with pytest.raises(NoValue):
                functions["h"](-1)
