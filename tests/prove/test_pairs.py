"""No false statement about values of another ruleset is proved, whatever names both rulesets share."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from tests.prove import files, oracle
from tests.prove.pairs import pair
from tests.sizes import night

# Pairs of which something false was once proved (711 takes longer than all others together: make test-long has it): B's claim read with A's functions; B's rules read so; B is no game, or
# has no such parameter. One of the two rulesets extends the other in 53, 98 and 619; a third one is there in 140.
CLAIMS = (18, 33, 98, 140, 159, 238, 619, 711)
RULES = (53, 162, 207, 346, 604, 684)
NO_GAME = (13, 611, 742, 1280, 1730, 2340)
PROVED = (7, 24, 28, 31, 44, 68, 156, 185)  # true, and proved
SEEDS = range(1_000) if night() else (*(seed for seed in CLAIMS if seed != 711), *RULES, *NO_GAME, *range(4))
NEAR = (4, 5, 7, 11)  # where something bends, if that is to be within reach of a recursion
RECURSION = 2_000 if night() else 30


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_proved_of_another_rulesets_values_is_true(seed: int, tmp_path: Path) -> None:
    statement = pair(seed)
    proof = files.proof(tmp_path, statement.rules)
    wrong = proof and statement.wrong(proof)
    assert not wrong, f"{wrong}\n{files.texts(statement.rules)}"


@pytest.mark.parametrize("seed", PROVED)
def test_what_is_true_and_plain_is_proved(seed: int, tmp_path: Path) -> None:
    """Some of the statements must be proved, since a prover that proves nothing would pass the other tests."""
    assert files.proof(tmp_path, pair(seed).rules) is not None


def test_values_of_far_positions_are_those_of_the_recursion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "NEAR", 10**9)
    compared = 0
    for seed in range(RECURSION):
        statement = pair(seed, NEAR)
        world = oracle.World(statement.rules)
        for rules, number in product(statement.rules, (1, 2, 5)):
            try:
                game = world.game(rules.name, dict.fromkeys(rules.parameters, number))
            except oracle.NoValue:
                continue
            assert rules.closed is not None
            for place in product(range(18 if len(rules.position) == 1 else 7), repeat=len(rules.position)):
                if game.is_position(place):
                    assert rules.closed(game, place) == game.value(place), (seed, place)
                    compared += 1
    assert compared > 10 * RECURSION
