"""Statements that are meaningless somewhere are not proved: no value, no function of a family, no name in a file.

Each has a variant that is meaningful everywhere, and is proved.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.prove.rules.shared import game, loaded

from grundylab.errors import GrundylabError
from grundylab.games.model import Ruleset
from grundylab.language import parse_condition
from grundylab.prove.core.evidence import Induction, Property, PropertyInstance
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Refused, Theorem
from grundylab.prove.outcome import Limits
from grundylab.prove.proof_files import proof_text, read_proof, statement_of
from grundylab.prove.prover import prove_claim
from grundylab.prove.search.instance_search import instance_evidence
from grundylab.prove.search.tree_search import SearchWork
from grundylab.statement import Statement, statement_about
from grundylab.statement.qualified_names import renamed

PILES = ("{take: t, from: x}", "{take: t, from: y}")
TWO = "x: 0..N, y: 0..N"
UPTO_F = '{for: {t: 1..x}, when: "t <= F(x)", to: {x: x - t}}'
LOOKED_UP = "values: {G: this}"
NEED_NOT = "G(x, y) == 0 or G(x, y) != 0"


def two_piles(claim: str, parameters: str = "{m: m >= 0}") -> str:
    return game(claim, *PILES, position=TWO, parameters=parameters)


def family(condition: str, claim: str) -> str:
    return game(claim, UPTO_F, functions=f'{{F(x): {{any: "{condition}"}}}}')


def from_a(claim: str, domain: str) -> str:
    move = '{for: {t: "a..x - 1"}, to: {x: t}}'
    more = {"position": "x: a..N, y: x..N", "parameters": f'{{a: "{domain}"}}', "measure": "x + y + 10"}
    return game(claim, move, **more)


def recurrence(claim: str) -> str:
    return game(claim, functions="{f(k): {recurrence: f(k - 1) + 1, initial: {1: 1}}}")


FAR_OUT = "x % 256 == 171 and x // 256 % 256 == 93 and x // 65536 % 256 == 201"
BELOW_0_FAR = f"0 - (1 if {FAR_OUT} else 0)"
NOT_1 = "F(0) == 0 or x < 80"


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
    "a condition, beyond every table": (
        two_piles(f'target: grundy, formula: "x ^ y", where: "popcount({2**100} - x) >= 0"'),
        two_piles(f'target: grundy, formula: "x ^ y", where: "popcount({2**100} + x) >= 0"'),
    ),
    "a condition on a number of digits": (
        two_piles('condition: "x*y == y*x", where: "1 << (100 - floor_log2(x + 1)) >= 1"'),
        two_piles('condition: "x*y == y*x", where: "1 << (100 + floor_log2(x + 1)) >= 1"'),
    ),
    "a condition on a parameter, beyond every table": (
        two_piles(f'condition: "x*y == y*x", where: "x // ({2**101} - m) >= -5"'),
        two_piles('condition: "x*y == y*x", where: "x // (m % 3 - 5) <= 5"'),
    ),
    "a shift by how many there are": (
        two_piles('condition: "x*y == y*x", where: "7 >> (100000000 - sum(1 for k in range(0, x))) >= 0"'),
        two_piles('condition: "x*y == y*x", where: "7 >> max(0, 40 - sum(1 for k in range(0, x))) >= 0"'),
    ),
    "a condition on a coordinate that begins at a parameter below 0": (
        from_a('condition: "x*y == y*x", where: "1 << y >= 1"', "a >= -3"),
        from_a('condition: "x*y == y*x", where: "1 << y >= 1"', "a >= 3"),
    ),
    "a coordinate below 0, of an identity": (
        from_a('condition: "x*y == y*x"', "a >= -3"),
        from_a('condition: "x*y == y*x"', "a >= 0"),
    ),
    "a variable that begins at a variable": (
        two_piles('for: {k: "x..N", j: "x - k..N"}, condition: "x*k == k*x"'),
        two_piles('for: {k: "x..N", j: "k - x..N"}, condition: "x*k == k*x"'),
    ),
    "a recurrence below where it begins": (
        recurrence('condition: "x == x", where: "f(5000 - x) >= 0"'),
        recurrence('condition: "x == x", where: "f(5000 + x) >= 0"'),
    ),
    "a recurrence before where the condition is true": (
        recurrence('condition: "x*x == x*x", where: "f(x - 5) >= 0 and x >= 6"'),
        recurrence('condition: "x*x == x*x", where: "x >= 6 and f(x - 5) >= 0"'),
    ),
    "the argument of a recurrence": (
        recurrence('condition: "x*x == x*x", where: "f(1 + (5 // (x - 5000))*0) >= 0"'),
        recurrence('condition: "x*x == x*x", where: "f(1 + 5 // (x + 5000)) >= 0"'),
    ),
    "a function below 0, at a number far out": (
        family("F(x) >= 0", f'condition: "any(F(k) >= 0 and k == 2 for k in range({BELOW_0_FAR}, 3))"'),
        family("F(x) >= 0", 'condition: "any(F(k) >= 0 and k == 2 for k in range(1, 3))"'),
    ),
    "a power below 0, at a number far out": (
        game(f'condition: "any(x // (1 << k) >= 0 and k == 2 for k in range({BELOW_0_FAR}, 3))"'),
        game('condition: "any(x // (1 << k) >= 0 and k == 2 for k in range(1, 3))"'),
    ),
    "a function within a range that begins below 0": (
        family("F(x) >= 0", 'condition: "any(k == x and any(F(j) >= 0 for j in range(0 - 9, 3)) for k in range(0, x + 1))"'),
        family("F(x) >= 0", 'condition: "any(k == x and F(k + 9) >= 0 for k in range(0, x + 1))"'),
    ),
    "a condition that no function of the family fulfils": (
        family(NOT_1, 'condition: "F(x) >= 0", where: "F(0) + x == 1 + x and x <= 10"'),
        family(NOT_1, 'condition: "F(x) >= 0", where: "F(0) + x == x and x <= 10"'),
    ),
    "a condition on values alone": (
        family(NOT_1, 'condition: "F(80) == F(80) + 1", where: "F(0) == 1"'),
        family(NOT_1, 'condition: "F(80) == F(80 + 0*x)", where: "F(0) == 0"'),
    ),
    "a property that asks below 0": (
        family("x < 100 or F(x - 200) >= 0", 'condition: "F(x) >= 0"'),
        family("x < 200 or F(x - 200) <= F(x)", 'condition: "F(x) >= 0"'),
    ),
    "a property that asks below 0, within a range": (
        family("all(F(k + 5) >= 0 for k in range(0 - 10, x))", 'condition: "F(x) >= 0"'),
        family("all(F(k + 5) >= 0 for k in range(0, x))", 'condition: "F(x) >= 0"'),
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
    """If the prover could not prove any such statement, the other tests would show nothing."""
    assert is_proved(WITHOUT[what][1], tmp_path)


NAMES = ["k in 0..0\nproved: p: x == 7, for k", "", ", and p: x == 7, for k", "1k", "k\n", "x y"]


def plain(folder: Path) -> Ruleset:
    return loaded({"a": two_piles('for: {k: 0..x}, condition: "x*k == k*x"')}, folder)


def theorem_by_instances(statement: Statement) -> Theorem:
    kernel = Kernel()
    evidence = instance_evidence(statement, kernel, SearchWork())
    assert evidence is not None
    return kernel.check(statement, evidence)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_a_file_is_a_name(name: str, tmp_path: Path) -> None:
    ruleset = plain(tmp_path)
    statement = statement_about(ruleset, ruleset.claim("c"))
    record = json.loads(proof_text(theorem_by_instances(statement)))
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
    record = json.loads(proof_text(theorem_by_instances(statement)))
    record["statement"]["where"] = "k >= 0"
    with pytest.raises(GrundylabError, match="'k'"):
        statement_of(read_proof(record), ruleset)


def test_one_game_is_of_a_family_only_if_the_property_asks_for_values_that_functions_have(
    tmp_path: Path,
) -> None:
    """Refuse h(z) = z: the property's text is true at z = 100, as -100 < 0, but no function has a value at -100."""
    text = game('condition: "h(100) >= 0 and h(0 - 100) >= 0 and x == x + 1"', functions='{h(z): "z"}')
    ruleset = loaded({"a": text}, tmp_path)
    statement = statement_about(ruleset, ruleset.claim("c"))
    name = next(iter(statement.game.functions)).name

    def premises(condition: str) -> list[Statement]:
        known = Property(
            function=name, arguments=("z",), condition=renamed(parse_condition(condition), {"h": name})
        )
        *needed, _ = Kernel().checked_premises(statement, PropertyInstance(properties=(known,)))
        return needed

    def are_so(needed: list[Statement]) -> bool:
        return all(Kernel().check(each, Induction()) for each in needed)

    assert are_so(premises("z < 200 or h(z - 200) <= h(z)"))
    with pytest.raises(Refused):
        are_so(premises("z != 100 or h(z - 200) < 0"))


@pytest.mark.parametrize("first", ["x", "1"])
def test_functions_that_call_one_another_twice_are_refused_in_a_line(first: str, tmp_path: Path) -> None:
    """The calls are written out 2**40 times, though the result may be empty."""
    calls = ", ".join(f'f{n}(x): "f{n - 1}(f{n - 1}(x))"' for n in range(1, 41))
    text = game('condition: "x == x", where: "f40(x) >= 0"', functions=f"{{f0(x): {first}, {calls}}}")
    with pytest.raises(GrundylabError, match="functions written out"):
        loaded({"a": text}, tmp_path)
    few = game(
        'condition: "x*1 == x", where: "f3(x) >= 0"',
        functions=f"{{f0(x): {first}, {', '.join(calls.split(', ')[:3])}}}",
    )
    assert is_proved(few, tmp_path)


def test_messages_name_functions_as_their_file_does(tmp_path: Path) -> None:
    text = recurrence('target: p, formula: x == 0, where: "f(x) >= 0"')
    ruleset = loaded({"a": text}, tmp_path)
    with pytest.raises(GrundylabError, match=r"^(?!.*_[0-9a-f]{64}_).*\bf\(0\)"):
        prove_claim(ruleset, ruleset.claim("c"), limits=Limits(timeout=20))
