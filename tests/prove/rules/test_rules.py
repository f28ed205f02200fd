"""Every rule of the kernel is needed: each proves a theorem that no other rule proves here."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.prove.rules.shared import (
    FREE,
    GUARDED,
    HALF,
    TAKE_ANY,
    game,
    loaded,
    with_rules,
)

from grundylab.games import load_ruleset
from grundylab.prove.core.kernel import RULES
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import Proof, prove_claim

LIMITS = Limits(timeout=20)
UNREADABLE = '{for: {t: 1..x}, when: "x * x != 2 * t * t", to: {x: x - t}}'  # outside the logic
TWO = "x: 0..N, y: 0..N"
BOTH = (TAKE_ANY, "{take: t, from: y}")
WYTHOFF = '{for: {t: "1..min(x, y)"}, to: {x: x - t, y: y - t}}'
SPLIT = '{for: {a: "0..x - 1"}, to: [{x: a}, {x: x - a - 1}]}'  # a game of Dawson's sort: one is taken
M = '{m: "m >= 1"}'
RUNS = (
    "any(j + sum(f(k + 2 * i) for i in range(0, j)) <= u <= j + sum(f(k + 2 * i + 1) for i in range(0, j)) "
    "for j in range(0, u + 1))"
)
PRIME_OR_ONE = "{for: {t: 1..x}, when: t == 1 or is_prime(t), to: {x: x - t}}"


def one(text: str, **others: str) -> Mapping[str, str]:
    return {"a": text, **others}


INSTANCES = {
    "a quotient by a variable": one(game('condition: "x // (y + 1) <= x"', position=TWO)),
    "a product by a constant": one(game('condition: "x * y * y >= x", where: y == 2', *BOTH, position=TWO)),
    "an identity": one(game('condition: "x * y == y * x"', *BOTH, position=TWO)),
    "a power": one(game('condition: "(1 << n) >= 1", for: {n: 0..N}')),
    "another game's values": one(game('target: grundy, formula: "B(x) % 4", values: {B: b}', '{take: "1..min(3, x)", from: x}'),
                            b=game("target: grundy, formula: x")),
    "the definition of outcomes": one(game('target: p, formula: "G(x) == 0", values: {G: this}', UNREADABLE)),
    "a symmetry": one(game('condition: "G(x, y) == G(y, x)", values: {G: this}', *BOTH, WYTHOFF, position=TWO)),
    "a window": one(game('target: grundy, formula: "G(x - x // 2 - 1)", where: x % 2 == 1, values: {G: this}', HALF)),
    "a square": one(game('condition: "x * x >= x"')),
    "primes": one(game("target: p, formula: x % 4 == 0", PRIME_OR_ONE)),
    "options by primes": one(game('some-option: "x % 4 == 0", where: "not (x % 4 == 0)"', PRIME_OR_ONE)),
    "a family": one(game("target: grundy, formula: x", GUARDED, functions=FREE)),
}  # fmt: skip
ROWS = {
    "induction": one(game('target: p, formula: "x ^ y ^ z == 0"', piles="3")),
    "instances": INSTANCES["an identity"],
    "computed": one(game('target: grundy, formula: "(x ^ y) + x*(x-1)*(x-2)*(x-3)*y*y*(y-1)*(y-2)", where: x <= 3 and y <= 3',
                         *BOTH, position=TWO)),
    "rows": one(game('target: p, formula: "x % 2 == 0 and y == x + 1 or x % 2 == 1 and x == y + 1", where: z == 1', piles="3")),
    "heap": one(game("target: p, formula: x % 2 == 0", SPLIT)),
    "runs": one(game(f'target: p, formula: "{RUNS}"', '{for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}',
                         position="u: 0..N, k: 1..K + N - u", measure="u", parameters=M, functions='{f(k): "m * k"}')),
}  # fmt: skip
SHIPPED = {"instance": ("chocolate-half", "theorem-3")}  # what only this rule proves


def test_every_rule_has_a_row() -> None:
    assert sorted([*ROWS, *SHIPPED]) == sorted(RULES)


def rules_of(proof: Proof | Theorem) -> set[str]:
    """Return the kinds of all evidence in a theorem."""
    theorem = proof if isinstance(proof, Theorem) else proof.theorem
    assert theorem is not None
    return {theorem.evidence.kind}.union(*map(rules_of, theorem.premises))


@pytest.mark.parametrize("rule", RULES)
def test_without_the_rule_a_theorem_is_not_proved(rule, tmp_path, monkeypatch):
    name, identifier = SHIPPED.get(rule, (None, "c"))
    ruleset = load_ruleset(name) if name else loaded(ROWS[rule], tmp_path)
    claim = ruleset.claim(identifier)
    proof = prove_claim(ruleset, claim, limits=LIMITS)
    assert proof.status == "proved", proof.reason
    assert rule in rules_of(proof)
    with_rules(monkeypatch, {name: each for name, each in RULES.items() if name != rule})
    assert prove_claim(ruleset, claim, limits=LIMITS).status == "undecided"


@pytest.mark.parametrize("what", INSTANCES)
def test_what_instances_prove(what, tmp_path):
    ruleset = loaded(INSTANCES[what], tmp_path)
    proof = prove_claim(ruleset, ruleset.claims[0], limits=LIMITS)
    assert proof.status == "proved", proof.reason
    assert "instances" in rules_of(proof)


def test_a_constant_is_put_in_beside_a_variable_of_the_claim(tmp_path):
    text = game('condition: "y * k - k == k", for: {k: 0..N}, where: y == 2', *BOTH, position=TWO)
    ruleset = loaded(one(text), tmp_path)
    proof = prove_claim(ruleset, ruleset.claims[0], limits=LIMITS)
    assert rules_of(proof) == {"instances"}
    false = loaded(one(text.replace("== k", "< k")), tmp_path)
    assert prove_claim(false, false.claims[0], limits=LIMITS).status != "proved"
