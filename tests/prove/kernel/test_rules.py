"""Every rule of the kernel is needed: each proves a theorem that no other rule proves here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from tests.prove.kernel.shared import (
    FREE,
    GUARDED,
    HALF,
    SUBTRACTION,
    TAKE_ANY,
    completed,
    game,
    loaded,
    with_rules,
)

from grundylab.language import parse
from grundylab.prove.kernel.evidence import Equal, Evidence, Induction
from grundylab.prove.kernel.kernel import RULES, Kernel
from grundylab.prove.kernel.theorem import Theorem
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import Proof, prove_claim
from grundylab.statement import statement_about

LIMITS = Limits(timeout=3)
UNREADABLE = '{for: {t: 1..x}, when: "x * x != 2 * t * t", to: {x: x - t}}'  # outside the logic
TWO = "x: 0..N, y: 0..N"
BOTH = (TAKE_ANY, "{take: t, from: y}")
THREE = f"{TWO}, z: 0..N"
ALL_THREE = (*BOTH, "{take: t, from: z}", '{for: {t: "1..min(x, y, z)"}, to: {x: x - t, y: y - t, z: z - t}}')
RISING = '{h(n): {any: "h(n) <= h(n + 1)"}}'
SPLIT = '{for: {a: "0..x - 1"}, to: [{x: a}, {x: x - a - 1}]}'  # a game of Dawson's sort: one is taken
M = '{m: "m >= 1"}'
RUNS = (
    "any(j + sum(f(k + 2 * i) for i in range(0, j)) <= u <= j + sum(f(k + 2 * i + 1) for i in range(0, j)) "
    "for j in range(0, u + 1))"
)
TURN = '{for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}'
IN_TURN = {
    "position": "u: 0..N, k: 1..K + N - u", "measure": "u", "parameters": M, "functions": '{f(k): "m * k"}'
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A theorem that needs a rule.

    games: rulesets as YAML, the first with the claim. evidence: None if a prover finds it.
    """

    games: Mapping[str, str]
    evidence: Evidence | None = None
    tries: tuple[Evidence, ...] = ()


def one(text: str, **others: str) -> Mapping[str, str]:
    return {"a": text, **others}


ROWS = {
    "induction": Row(one(game('target: p, formula: "x ^ y ^ z == 0"', piles="3"))),
    "computed": Row(one(game('target: grundy, formula: "x * y - x * y + (x ^ y)", where: x <= 3 and y <= 3',
                             *BOTH, position=TWO))),
    "cases": Row(one(game('target: grundy, formula: "x % (m + 1)", where: m <= 3', SUBTRACTION, parameters=M))),
    "instance": Row({
        "b": game('target: grundy, formula: x', functions='{h(n): "n // (m + 1)"}', parameters=M).replace(
            f"moves: [{TAKE_ANY}]\n", "").replace("position: {x: 0..N}\n", "extends: a\n"),
        "a": game("target: grundy, formula: x", GUARDED, functions=FREE),
    }),
    "abstraction": Row(one(game('condition: "h(x // 2) <= h(x)"', functions=RISING))),
    "equal": Row(one(game('target: grundy, formula: "max(x ^ y, (x ^ y) - x * y)"', *BOTH, position=TWO)),
                 Equal(formula=parse("x ^ y")), tries=(Induction(grundy=parse("x ^ y")),)),
    "instances": Row(one(game('target: p, formula: "G(x) == 0", values: {G: this}', UNREADABLE))),
    "substitution": Row(one(game('target: grundy, formula: "B(x) % 4", values: {B: b}', '{take: "1..min(3, x)", from: x}'),
                            b=game("target: grundy, formula: x"))),
    "options": Row(one(game(f'every-option: "not ({RUNS})", where: "{RUNS}"', TURN, **IN_TURN))),
    "images": Row(one(game('condition: "G(x,y,z)==G(z,y,x)==G(y,z,x)==G(x,z,y)", values: {G: this}', *ALL_THREE, position=THREE))),
    "window": Row(one(game('target: grundy, formula: "G(x - x // 2 - 1)", where: x % 2 == 1, values: {G: this}', HALF))),
    "between": Row(one(game("target: p, formula: x % 4 == 0", '{for: {t: 1..x}, when: t == 1 or is_prime(t), to: {x: x - t}}'))),
    "descent": Row(one(game('condition: "x * x >= x"'))),
    "family": Row(one(game('target: grundy, formula: "x ^ y"', GUARDED, GUARDED.replace("x", "y"), functions=FREE, position=TWO))),
    "rows": Row(one(game('target: p, formula: "x % 2 == 0 and y == x + 1 or x % 2 == 1 and x == y + 1", where: z == 1', piles="3"))),
    "heap": Row(one(game("target: p, formula: x % 2 == 0", SPLIT))),
    "runs": Row(one(game(f'target: p, formula: "{RUNS}"', TURN, **IN_TURN))),
}  # fmt: skip


def test_every_rule_has_a_row() -> None:
    assert sorted(ROWS) == sorted(RULES)


def rules_of(proof: Proof | Theorem) -> set[str]:
    """Return the kinds of all evidence in a theorem."""
    theorem = proof if isinstance(proof, Theorem) else proof.theorem
    assert theorem is not None
    return {theorem.evidence.kind}.union(*map(rules_of, theorem.premises))


@pytest.mark.parametrize("rule", ROWS)
def test_without_the_rule_a_theorem_is_not_proved(rule, tmp_path, monkeypatch):
    row = ROWS[rule]
    ruleset = loaded(row.games, tmp_path)
    claim = ruleset.claims[0]
    if row.evidence is None:
        proof = prove_claim(ruleset, claim, limits=LIMITS)
        assert proof.status == "proved", proof.reason
        assert rule in rules_of(proof)
    else:
        kernel, statement = Kernel(), statement_about(ruleset, claim)
        found = completed(kernel, statement, row.evidence, row.tries)
        assert rule in rules_of(kernel.check(statement, found))
    with_rules(monkeypatch, {name: each for name, each in RULES.items() if name != rule})
    assert prove_claim(ruleset, claim, limits=LIMITS).status == "undecided"


def test_a_constant_is_put_in_beside_a_variable_of_the_claim(tmp_path):
    text = game('condition: "y * k - k == k", for: {k: 0..N}, where: y == 2', *BOTH, position=TWO)
    ruleset = loaded(one(text), tmp_path)
    proof = prove_claim(ruleset, ruleset.claims[0], limits=LIMITS)
    assert rules_of(proof) == {"instances"}
    false = loaded(one(text.replace("== k", "< k")), tmp_path)
    assert prove_claim(false, false.claims[0], limits=LIMITS).status != "proved"
