"""What means nothing somewhere is not proved: no value, no function of a family, no name in a file.

Each statement has a neighbour that means something everywhere, and is proved.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.prove.kernel.shared import game, loaded

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.prove.files import proof_text, read_proof, statement_of
from grundylab.prove.kernel.evidence import Identities
from grundylab.prove.kernel.kernel import Kernel
from grundylab.prove.kernel.theorem import Refused
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.statement import statement_about

PILES = ("{take: t, from: x}", "{take: t, from: y}")
TWO = "x: 0..N, y: 0..N"
UPTO_F = '{for: {t: 1..x}, when: "t <= F(x)", to: {x: x - t}}'
LOOKED_UP = "values: {G: this}"
NEED_NOT = "G(x, y) == 0 or G(x, y) != 0"


def two_piles(claim: str, parameters: str = "{m: m >= 0}") -> str:
    return game(claim, *PILES, position=TWO, parameters=parameters)


def family(condition: str, claim: str) -> str:
    return game(claim, UPTO_F, functions=f'{{F(x): {{any: "{condition}"}}}}')


# a ruleset whose claim has no value somewhere, or is of no game; and one that it would be if it had or were
WITHOUT = {
    "a condition, of an identity": (
        two_piles('condition: "x*y == y*x", where: "x // (x - 100000) >= 0"'),
        two_piles('condition: "x*y == y*x", where: "x // (x + 100000) >= 0"'),
    ),
    "a condition on a parameter": (
        two_piles('target: grundy, formula: "x ^ y", where: "popcount(m - 3) >= 0"'),
        two_piles('target: grundy, formula: "x ^ y", where: "popcount(m + 3) >= 0"'),
    ),
    "a condition, of an induction": (
        two_piles('condition: "x + y >= x", where: "popcount(70000 + x - y) >= 0"'),
        two_piles('condition: "x + y >= x", where: "popcount(70000 + x + y) >= 0"'),
    ),
    "a condition, of values that are looked up": (
        two_piles(f'{LOOKED_UP}, condition: "{NEED_NOT}", where: "x // (x - 100000) >= 0"'),
        two_piles(f'{LOOKED_UP}, condition: "{NEED_NOT}", where: "x // (x + 100000) >= 0"'),
    ),
    "the range of a variable": (
        two_piles('for: {k: "0..x // (x - 100000)"}, condition: "x*k == k*x"'),
        two_piles('for: {k: "0..x // 3"}, condition: "x*k == k*x"'),
    ),
    "a range that begins below 0": (
        two_piles('for: {k: "300 - m..N"}, condition: "x*k == k*x"'),
        two_piles('for: {k: "m..N"}, condition: "x*k == k*x"'),
    ),
    "a term beside one that is always true": (
        two_piles(f'{LOOKED_UP}, condition: "x // (x - 100000) >= 0 or {NEED_NOT}"'),
        two_piles(f'{LOOKED_UP}, condition: "x // 7 >= 0 or {NEED_NOT}"'),
    ),
    "a quotient before the one that is meant": (
        game('condition: "any(x // (k - 5000000) >= 0 and k == x + 1 for k in range(0, x + 2))"'),
        game('condition: "any(x // 7 >= 0 and k == x + 1 for k in range(0, x + 2))"'),
    ),
    "a function below 0, before where it is meant": (
        family("F(x) >= 0", 'condition: "any(F(k - 500) >= 0 and k == x for k in range(0, x + 1))"'),
        family("F(x) >= 0", 'condition: "any(F(k) >= 0 and k == x for k in range(0, x + 1))"'),
    ),
    "a function below 0, in a condition": (
        family("F(x) >= 0", 'condition: "x >= 0", where: "F(min(x, 500 - x)) >= 0"'),
        family("F(x) >= 0", 'condition: "x >= 0", where: "F(min(x, 500)) >= 0"'),
    ),
    "a function that ends": (
        family("F(x) >= 0 and x < 100000", 'condition: "F(x) >= 0 and x < 100000", where: "x >= 1"'),
        family("F(x) >= 0", 'condition: "F(x) >= 0", where: "x >= 1"'),
    ),
    "a function that falls for ever": (
        family("F(x) >= 0 and (x == 0 or F(x) < F(x - 1))", 'condition: "F(x) >= 0"'),
        family("F(x) >= 0 and (x == 0 or F(x) > F(x - 1))", 'condition: "F(x) >= 0"'),
    ),
}  # fmt: skip


def is_proved(text: str, folder: Path) -> bool:
    ruleset = loaded({"a": text}, folder)
    try:
        return prove_claim(ruleset, ruleset.claim("c"), limits=Limits(timeout=20)).status == "proved"
    except GrundylabError:
        return False


@pytest.mark.parametrize("what", WITHOUT)
def test_what_means_nothing_somewhere_is_not_proved(what: str, tmp_path: Path) -> None:
    assert not is_proved(WITHOUT[what][0], tmp_path)


@pytest.mark.parametrize("what", WITHOUT)
def test_its_neighbour_is_proved(what: str, tmp_path: Path) -> None:
    """The others would not be proved either if the prover could say nothing of such statements."""
    assert is_proved(WITHOUT[what][1], tmp_path)


NAMES = ["k in 0..0\nproved: p: x == 7, for k", "", ", and p: x == 7, for k", "1k", "k\n", "x y"]


def plain(folder: Path) -> Ruleset:
    return loaded({"a": two_piles('for: {k: 0..x}, condition: "x*k == k*x"')}, folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_file_is_a_name(name: str, tmp_path: Path) -> None:
    ruleset = plain(tmp_path)
    statement = statement_about(ruleset, ruleset.claim("c"))
    record = json.loads(proof_text(Kernel().check(statement, Identities())))
    assert statement_of(read_proof(record), ruleset) == statement
    record["statement"]["for"][0][0] = name
    with pytest.raises(Refused, match="for"):
        read_proof(record)
    record["statement"]["for"] = []
    record["statement"]["values"] = {name: "this"}
    with pytest.raises(Refused, match="values"):
        read_proof(record)


def test_a_condition_names_no_variable_of_the_statement(tmp_path: Path) -> None:
    ruleset = plain(tmp_path)
    statement = statement_about(ruleset, ruleset.claim("c"))
    record = json.loads(proof_text(Kernel().check(statement, Identities())))
    record["statement"]["where"] = "k >= 0"
    with pytest.raises(GrundylabError, match="'k'"):
        statement_of(read_proof(record), ruleset)
