"""The gate stops false statements, whatever a method says about them, and lets true ones pass.

Each planted statement is false at a place that no small table has, or its game does not exist there, or it is about
nothing. The prover is made to call each of them proved.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.prove.bends import INSIDE, OUTSIDE, functions
from tests.random_games import games
from tests.sizes import examples

from grundylab.errors import FormulaError
from grundylab.games import Rules, Ruleset, load_ruleset, make_instance, parse_ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.prove import prover
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.gate import gate_report, refutation_at
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits, Proof
from grundylab.statement import Statement

PILE = "position: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
UP_TO_3 = "position: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\n"
UP_TO_M = "parameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n"
NIM = "position: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"
SPLIT = "position: {x: 1..N}\nmoves: [{for: {t: 1..x-1}, to: [{x: t}, {x: x - t}]}]\n"
RISES = "position: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, %s]\n"
FROM_300 = "{for: {t: 1..y}, when: y < 300, to: {y: y - t}}, {when: y >= 300, to: {y: y + 1}}"
GAP = PILE + "functions: {h(k): 1 // (k - 3000), g(k): 'isqrt(5000 - k)'}\n"
RISING = PILE + 'functions: {"h(z)": {any: "z == 0 or h(z - 1) <= h(z)"}}\n'
UP_TO_F = (
    "position: {x: 0..N}\nfunctions: {'f(n)': {any: 'f(0) == 0 and (n == 0 or 0 <= f(n) - f(n - 1) <= 1)'}}\n"
    + ("moves: [{take: '1..f(x)', from: x}]\n")
)
NO_MOVE = "moves: [{take: t, from: x, when: 1 == 0}]\n"


@dataclass(frozen=True)
class Planted:
    """A statement about the ruleset ``text``. others: the rulesets that it looks values up in, by name."""

    text: str
    claim: Mapping[str, Any]
    others: Mapping[str, str] = field(default_factory=dict)

    def ruleset(self, folder: Path) -> Ruleset:
        claims = f"claims: {json.dumps([{'id': 'c', **self.claim}])}\n"
        for name, text in {**self.others, "game": self.text + claims}.items():
            (folder / f"{name}.yaml").write_text(f"title: t\n{text}", encoding="utf-8")
        return load_ruleset("game", folder)


def p(text: str, formula: str, **claim: Any) -> Planted:
    return Planted(text, {"target": "p", "formula": formula, **claim})


def grundy(text: str, formula: str, **claim: Any) -> Planted:
    return Planted(text, {"target": "grundy", "formula": formula, **claim})


def true(text: str, condition: str, **claim: Any) -> Planted:
    return Planted(text, {"condition": condition, **claim})


def of_values(planted: Planted, **others: str) -> Planted:
    """Return the statement with B() defined as the values of the first of the other rulesets."""
    return Planted(planted.text, {**planted.claim, "values": {"B": next(iter(others))}}, others)


FALSE_STATEMENTS = {
    # a formula that is another at one far constant
    "p": p(PILE, "x == 0 or x == 70000"),
    "p, where it is N": p(UP_TO_3, "x % 4 == 0 and x != 70000"),
    "p, of two piles": p(NIM, "x == y or x == 70000 and y == 3"),
    "p, where one pile is far": p(NIM, "x == y and x != 1000"),
    "p, misère": p("play: misere\n" + PILE, "x == 1 or x == 70000"),
    "p, misère, where it is N": p("play: misere\n" + UP_TO_3, "x % 4 == 1 and x != 70001"),
    "p, of sums": p(SPLIT, "x % 2 == 1 and x*x != 2999*2999"),
    "grundy": grundy(PILE, "x + (1 if x == 70000 else 0)"),
    "grundy, from there on": grundy(PILE, "x + (1 if x >= 70000 else 0)"),
    "grundy, of two piles": grundy(NIM, "(x ^ y) + (1 if x == 700 and y == 1 else 0)"),
    "grundy, of sums": grundy(SPLIT, "(x + 1) % 2 + (1 if x == 5000 else 0)"),
    "one value": Planted(PILE, {"target": "grundy == 2", "formula": "x == 2 or x == 70000"}),
    "true": true(PILE, "x != 70000"),
    "true, however far": true(PILE, "x != 1000000000000"),
    "true, a calculation": true(PILE, "x != 1 << 90"),
    "true, a root": true(PILE, "x*x != 70001*70001"),
    "true, a quotient": true(PILE, "x // 700 != 901"),
    "true, of two far numbers": true(NIM, "x != 70000 or y != 69999"),
    "for one parameter": p(UP_TO_M, "x % (m + 1) == 0 and m != 500"),
    "for one parameter, at one place": grundy(UP_TO_M, "x % (m + 1) + (1 if x == 70000 and m == 4 else 0)"),
    "in a function": p(PILE + "functions: {f(n): {cases: [{when: n == 70000, value: 0}, {otherwise: n}]}}\n", "f(x) == 0"),
    # ranges of claims' variables
    "a variable below 0": true(PILE, "k // (x + 1) >= 0", **{"for": {"k": "60 - x // 60..N"}}),
    "a variable below 0 by a parameter": true(UP_TO_M, "k >= 0", **{"for": {"k": "300 - m..N"}}),
    "a variable where a root ends": true(PILE, "isqrt(k) <= k", **{"for": {"k": "70 - isqrt(x)..N"}}),
    "a coordinate below 0": true("position: {x: 0..N, y: 60 - x // 100000000..N}\n" + NO_MOVE, "y // (x + 1) >= 0"),
    "a coordinate below 0, in a sum": true(
        "position: {x: 0..N, z: 0..N, y: 60 - (x + z) // 60 * ((x + z) % 2)..N}\n" + NO_MOVE, "y // (x + 1) >= 0"
    ),
    "a variable below 0, of a family": true(RISING, "h(k) >= 0", **{"for": {"k": "20 - x + 20..N"}}),
    "the same, which it rises by": true(RISING, "h(k) == h(k) and h(k) <= h(k + 1)", **{"for": {"k": "20 - x + 20..N"}}),
    "a family, at a far argument": true(RISING, "h(x) <= x or x < 3000"),
    # no value
    "a function without a value": true(GAP, "h(x) - h(x) == 0", where="x != 3"),
    "a function with none from there on": p(GAP, "g(x) >= 0 and x == 0"),
    "a divisor": grundy(PILE, "x + 0 * (x // (x - 70000))"),
    # rules
    "a measure that rises": p(RISES % FROM_300, "x == y"),
    "a measure below 0": p("position: {x: 0..N}\nmeasure: 70000 - abs(x - 70000)\nmoves: [{to: {x: x - 1}, when: 1 == 0}]\n", "True"),
    "a move out of the space": p(UP_TO_3 + "where: x != 70001\n", "x % 4 == 0"),
    "a guard without a value": p("position: {x: 0..N}\nmoves: [{take: '1..min(3, x)', from: x, when: 4 // (x - 1000000) < 99}]\n", "x % 4 == 0"),
    "a move more": p(UP_TO_3.replace("x}]", "x}, {when: x == 70000, to: {x: 0}}]"), "x % 4 == 0"),
    # other games
    "another game's function of the same name": of_values(
        true(NIM + "functions: {f(n): 700 + n}\n", "B(x) <= 700"),
        other=PILE + "functions: {f(n): {recurrence: f(n - 1), initial: {0: 0}}}\n",
    ),
    "the same, in the rules": of_values(
        grundy(PILE + "functions: {f(n): n}\n", "B(x)"),
        other="functions: {f(n): {recurrence: f(n - 1), initial: {0: 500}}}\nposition: {x: 0..N}\n"
        "moves: [{for: {t: 1..x}, when: f(0) == 0 or x < f(0), to: {x: x - t}}]\n",
    ),
    "another game, whose measure rises": of_values(grundy(PILE, "B(x, 0)"), other=RISES % FROM_300),
    "another game, without a parameter's value": of_values(
        true(UP_TO_M, "B(x) <= x"), other=UP_TO_M.replace("m >= 1", "m >= 1 and m % 977 != 500")
    ),
    "another game, misère": of_values(true(NIM, "B(x) != 0 or x == 1"), other="play: misere\n" + PILE),
    # nothing
    "no variable": true(PILE, "k == 7", **{"for": {"k": "x + 1000..x + 2"}}),
    "no variable, at few positions": true(PILE, "k*k == 7", where="x <= 3", **{"for": {"k": "x + 1000..x + 2"}}),
    "no position": p(PILE, "x == 5", where="x > 3000 and x < 2000"),
}  # fmt: skip


@pytest.mark.parametrize("what", FALSE_STATEMENTS)
def test_what_is_false_is_stopped_whatever_a_method_says(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def proved(_: object, statement: Statement, *__: Any) -> Proof:
        return prover._proof_of(statement, Theorem(statement, Induction(), ()))

    monkeypatch.setattr(prover._Prover, "_by_methods", proved)
    # MONA can read no such evidence
    monkeypatch.setattr(prover, "opinion_on_theorem", lambda *_: (None, None))
    ruleset = FALSE_STATEMENTS[what].ruleset(tmp_path)
    try:
        proof = prover.prove_claim(ruleset, ruleset.claim("c"), limits=Limits(timeout=3))
    except FormulaError:  # it is no statement
        return
    assert proof.status != "proved"
    assert proof.reason or proof.counterexample


TRUE_STATEMENTS = {
    "p": p(UP_TO_3, "x % 4 == 0 or x == 70000 or x == 70001 and x % 4 == 0"),
    "p, of two piles": p(NIM, "x == y and (x != 1000 or y == 1000)"),
    "p, misère": p("play: misere\n" + UP_TO_3, "x % 4 == 1 or x == 70001"),
    "p, of sums": p(SPLIT, "x % 2 == 1 or x == 5001"),
    "grundy": grundy(PILE, "max(x, min(x, 70000))"),
    "grundy, of two piles": grundy(NIM, "x ^ y if x != 70000 else y ^ 70000"),
    "one value": Planted(PILE, {"target": "grundy == 2", "formula": "x == 2 and x != 70000"}),
    "for one parameter": p(UP_TO_M, "x % (m + 1) == 0 if m != 500 else x % 501 == 0"),
    "a variable": true(PILE, "k // (x + 1) >= 0", **{"for": {"k": "max(60 - x // 60, 0)..N"}}),
    "a variable below 0": true(PILE, "k <= x", **{"for": {"k": "x - 300..x"}}),
    "a variable somewhere": true(PILE, "x <= 300", **{"for": {"k": "x..300"}}),
    "the values of a family": true(UP_TO_F, "G(x) <= x", values={"G": "this"}),
    "a family": true(RISING, "h(x) <= h(x + 5000)"),
    "a function without a value, elsewhere": true(GAP, "h(x) - h(x) == 0", where="x != 3000"),
    "a far position": p(PILE, "x == 70000", where="x > 69990 and x == 70001"),
    "another game": of_values(grundy(PILE, "B(x, 0)"), other=NIM),
}


@pytest.mark.parametrize("what", TRUE_STATEMENTS)
def test_what_is_true_passes(what: str, tmp_path: Path) -> None:
    ruleset = TRUE_STATEMENTS[what].ruleset(tmp_path)
    assert gate_report(ruleset, ruleset.claim("c")).good


def test_it_is_said_how_far_it_looked(tmp_path: Path) -> None:
    ruleset = p(UP_TO_3, "x % 4 == 0 or x == 70000").ruleset(tmp_path)
    seen = gate_report(ruleset, ruleset.claim("c"))
    assert seen.positions > 100
    assert seen.reach > 70000
    assert seen.beyond


def test_only_parameters_are_looked_at_that_a_proof_is_of(tmp_path: Path) -> None:
    ruleset = p(UP_TO_M, "x % 5 == 0").ruleset(tmp_path)
    assert gate_report(ruleset, ruleset.claim("c")).wrong is not None
    assert gate_report(ruleset, ruleset.claim("c"), holds=lambda parameters: parameters["m"] == 4).good


# -- a single position ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "position", "words"),
    [
        ("x == y or x == 9", (9, 3), "the same of (x=9, y=3)"),
        ("x == y and x != 7", (7, 7), "of (x=7, y=7) contradicts"),
        ("x // (y - 7) != 90 and x == y", (8, 7), "no value at (x=8, y=7)"),
        ("x == y", (5, 3), None),
        ("x == y", (4, 4), None),
    ],
)
def test_a_formula_that_contradicts_itself_is_refuted_by_one_position_and_its_options(
    formula: str, position: tuple[int, int], words: str | None
) -> None:
    game, claim = parse_ruleset(f"title: t\n{NIM}"), unpublished_claim(parse(formula), P_POSITIONS)
    seen = refutation_at(game, claim, {}, position)
    assert (seen is None) == (words is None)
    assert seen is None or words in seen.contradiction


def test_where_it_is_right_at_all_smaller_positions_the_position_is_the_smallest_counterexample() -> None:
    game, claim = (
        parse_ruleset(f"title: t\n{UP_TO_3}"),
        unpublished_claim(parse("x % 4 == 0 or x == 70002"), P_POSITIONS),
    )
    seen = refutation_at(game, claim, {}, (70002,), first=True)
    assert seen is not None
    assert seen.wrong is not None
    assert (dict(seen.wrong.position), seen.wrong.truth, seen.wrong.found) == ({"x": 70002}, 0, 1)
    assert seen.wrong.smallest


def test_of_what_takes_too_long_nothing_is_said() -> None:
    game = parse_ruleset(f"title: t\n{PILE}")
    assert refutation_at(game, unpublished_claim(parse("x == 0"), P_POSITIONS), {}, (10**12,)) is None


# -- random position spaces --------------------------------------------------------------------------------------------


@st.composite
def bent_spaces(draw: st.DrawFn) -> tuple[Ruleset, Mapping[str, int]]:
    """Draw a random game, a claim that is false where a condition is true, and a far position with this condition."""
    game = draw(games("piles", "bars", "weights", "any"))
    ruleset = parse_ruleset(game.text)
    names = ruleset.coordinate_names
    n, o = draw(st.sampled_from(names)), draw(st.sampled_from(names))
    at = {name: draw(st.integers(0, 3)) for name in names} | {n: draw(st.integers(40, 70_000))}
    rules = Rules(make_instance(ruleset, game.parameters, dict.fromkeys(ruleset.bounds, 4 * at[n])))
    assume(rules.legal(tuple(at.values())))
    condition = draw(st.sampled_from((*INSIDE, *OUTSIDE)))(n, at[n], o, at[o])
    assume("accepts" not in condition)  # of an automaton's states no number is told
    spec = yaml.load(game.text, yaml.BaseLoader)
    spec["functions"] = spec.get("functions", {}) | functions(at[n])
    spec["claims"] = [{"id": "c", "condition": f"not ({condition})"}]
    text = yaml.safe_dump(spec, sort_keys=False, width=1000).replace("$m", "$b").replace("$", "")
    return parse_ruleset(text), {**at, **game.parameters}


def test_in_most_random_spaces_a_far_position_is_found() -> None:
    """Require all positions among the examples of ``make test``, and 98 % of the more numerous others."""
    found = list[bool]()

    @settings(examples(40, 1_000), derandomize=True, suppress_health_check=list(HealthCheck))
    @given(bent_spaces())
    def each(case: tuple[Ruleset, Mapping[str, int]]) -> None:
        ruleset, at = case
        claim = ruleset.claim("c")
        assert not evaluate(claim.formula, at, ruleset.functions)
        found.append(not gate_report(ruleset, claim).good)

    each()
    assert fmean(found) > 0.85
