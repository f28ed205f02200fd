"""The prover is right: no proof of a falsehood, exact conditions, and plain words if it cannot decide."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.papers.small import ROOT, ruleset

from grundylab.cli.main import main
from grundylab.discover.repairs import search_proposals
from grundylab.errors import InstanceError, RulesetError
from grundylab.findings.proof_records import attempts
from grundylab.findings.wording import assignment_text
from grundylab.games import Ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language import parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove import inductions, prover
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import AUTOMATA, Limits, Proof
from grundylab.prove.parameter_conditions import read_condition
from grundylab.prove.prover import prove_claim
from grundylab.report.decisions import decision_text
from grundylab.solve import solve

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)


def game(*lines: str) -> Ruleset:
    return parse_ruleset("\n".join(["title: t", *lines, ""]), "game")


def ask(ruleset: Ruleset, formula: str, target: str = "p", where: str = "True", **more: Any) -> Proof:
    more.setdefault("limits", Limits(words=search_proposals))
    return prove_claim(
        ruleset,
        unpublished_claim(parse(formula, ruleset.piles), parse_target(target)),
        parse_condition(where, ruleset.piles),
        **more,
    )


def one_pile(*lines: str) -> Ruleset:
    return game("position: {x: 0..N}", "moves: [{take: t, from: x}]", *lines)


def two_piles(*lines: str) -> Ruleset:
    return game("piles: 2", "position: {x: 0..N}", "moves: [{take: t, from: x}]", *lines)


def refutation(proof: Proof) -> tuple[int, ...]:
    assert (proof.status, proof.reason) == ("refuted", None)
    assert proof.counterexample is not None
    return tuple(proof.counterexample.position.values())


# an exception beyond every table: target, formula, where it is smallest, what is true there
FAR = [
    ("nim-2", "p", "x == y and x != 70000", (70_000, 70_000), 1),
    ("nim-2", "p", "x == y or x == 5000 and y == 5001", (5000, 5001), 0),
    ("nim", "p", "x ^ y == z and x != 3000", (3000, 0, 3000), 1),
    ("nim-2", "grundy", "x ^ y ^ (1 if x == 20000 else 0)", (20_000, 0), 20_000),
]


@pytest.mark.parametrize(("name", "target", "formula", "smallest", "truth"), FAR)
def test_an_exception_far_out_is_told_and_the_smallest(name, target, formula, smallest, truth) -> None:
    proof = ask(ruleset(name), formula, target)
    assert refutation(proof) == smallest
    assert proof.counterexample is not None
    assert (proof.counterexample.truth, proof.counterexample.smallest) == (truth, True)
    assert f"refuted at ({assignment_text(proof.counterexample.position)}): " in decision_text(
        attempts(proof, lambda _: None, None, proof.where), 0.0
    )


# a move takes one stone or keeps half of the stones (Fraenkel, Aperiodic subtraction games, 2011)
MARK = game(
    "position: {x: 0..N}",
    "moves:",
    "  - {name: one, when: x >= 1, to: {x: x - 1}}",
    "  - {name: half, when: x >= 1, to: {x: x // 2}}",
)


@pytest.mark.parametrize("formula", ["x == 0 or valuation2(x) % 2 == 1", "x == 0 or 1 == valuation2(x) % 2"])
def test_a_formula_that_counts_digits_is_proved(formula):
    proof = ask(MARK, formula)
    assert (proof.status, proof.by) == ("proved", AUTOMATA)
    assert find_mona() is None or (proof.second is not None and proof.second.status == "agrees")


def test_the_parity_of_all_digits_of_two_numbers_is_proved():
    """A move takes a binary digit 1 away: two rows of coins, of which a coin that shows heads is turned over."""
    move = '{for: {b: 1..x}, when: "is_power_of_two(b) and x & b != 0", to: {x: x - b}}'
    proof = ask(
        game("piles: 2", "position: {x: 0..N}", f"moves: [{move}]"), "(popcount(x) + popcount(y)) % 2 == 0"
    )
    assert (proof.status, proof.by) == ("proved", AUTOMATA)
    assert find_mona() is None or (proof.second is not None and proof.second.status == "agrees")


def test_a_measure_that_automata_cannot_read_is_not_needed_where_the_sum_will_do():
    rules = ["piles: 2", "position: {x: 0..N}", "moves:", "  - {take: '1..min(x, 3)', from: x}"]
    squares = game(*rules, "measure: x*x + y*y")
    assert ask(squares, "x % 4 == y % 4").status == "proved"


# -- for which parameters ----------------------------------------------------------------------------------


def allowed_where(condition: str) -> Ruleset:
    """Return a game whose only move is allowed for some m; for these, x == 0 is the only P-position."""
    move = f'{{for: {{t: 1..1}}, when: "x == t and ({condition})", to: {{x: 0}}}}'
    return game("parameters: {m: m >= 1}", "position: {x: 0..1}", f"moves: [{move}]")


CONDITIONS = {
    "m >= 5": "m >= 5",
    "m < 7": "m < 7",
    "m == 3": "m == 3",
    "m != 3": "m != 3",
    "m < 300": "m < 300",
    "m % 4 == 0": "m % 4 == 0",
    "m % 3 == 1 or m % 3 == 2": "m % 3 != 0",
    "m % 6 == 1 or m == 4": "m % 6 == 1 or m == 4",
    "m >= 5 and m != 9": "m >= 5 and m != 9",
    "m % 5 == 2 and m > 12": "m % 5 == 2 and m >= 13",
    "m == 1 or m == 2 or m >= 10": "m >= 10 or m == 1 or m == 2",
    "is_power_of_two(m)": "is_power_of_two(m)",
    "is_power_of_two(m) and m > 8": "is_power_of_two(m) and m >= 9",
    "is_power_of_two(m + 1)": "is_power_of_two(m + 1)",
    "m * 3 >= m": "True",
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_parameters_are_read_back_as_the_simplest_condition(condition: str) -> None:
    proof = ask(allowed_where(condition), "x == 0", question=True)
    assert (proof.status, str(proof.condition)) == ("proved", CONDITIONS[condition])


@pytest.mark.parametrize(
    "condition", ["a < b", "a == 2*b", "a % 2 == b % 2", "a == 1 and b == 2", "a ^ b == 1"]
)
def test_conditions_on_two_parameters_are_read_back(condition: str) -> None:
    move = f'{{for: {{t: 1..1}}, when: "x == t and ({condition})", to: {{x: 0}}}}'
    pair = game("parameters: {a: a >= 1, b: b >= 1}", "position: {x: 0..1}", f"moves: [{move}]")
    proof = ask(pair, "x == 0", question=True)
    assert proof.status == "proved"
    assert proof.condition is not None
    a, b = (grid.ravel() for grid in np.mgrid[1:40, 1:40])
    found, wanted = (evaluate_arrays(expr, {"a": a, "b": b}) for expr in (proof.condition, parse(condition)))
    assert np.array_equal(found, wanted)


def test_a_set_of_parameters_without_a_name_is_left_as_an_automaton(monkeypatch) -> None:
    monkeypatch.setattr(inductions, "read_condition", lambda *_: None)
    proof = ask(allowed_where("m & (m << 1) == 0 and m >= 17"), "x == 0", question=True)
    assert (proof.status, proof.condition) == ("proved", None)
    assert proof.automaton is not None
    accepted = [m for m in range(1, 99) if proof.automaton.contains({"m": m})]
    assert accepted == [m for m in range(17, 99) if not m & m << 1]


def test_a_condition_that_is_not_exactly_the_automaton_is_not_read_back() -> None:
    """The condition that the first values suggest is returned only if it is decided to be equivalent."""
    ruleset = allowed_where("m < 100000")
    proof = ask(ruleset, "x == 0", question=True)
    assert (proof.status, proof.condition) == ("proved", None)
    assert proof.automaton is not None
    assert read_condition(proof.automaton, ruleset, lambda _: True) == TRUE
    assert read_condition(proof.automaton, ruleset, lambda _: False) is None


TAKE_UP_TO_M = ("parameters: {m: m >= 1}", "position: {x: 0..7}", 'moves: [{take: "1..min(x, m)", from: x}]')


@pytest.mark.parametrize(
    ("formula", "condition"),
    [
        ("x == 0", "m >= 7"),
        ("x % 4 == 0", "m == 3"),
        ("x % 2 == 0", "m == 1"),
        ("x % (2 if m == 1 else 3) == 0", None),
        ("x == 1", "False"),
    ],
)
def test_a_formula_is_proved_for_the_parameters_for_which_the_solver_confirms_it(
    formula: str, condition: str | None
) -> None:
    ruleset = game(*TAKE_UP_TO_M)
    if condition is None:
        assert ask(ruleset, formula, question=True).status == "undecided"
        return
    proof = ask(ruleset, formula, question=True)
    assert (proof.status, str(proof.condition)) == (
        "refuted" if condition == "False" else "proved",
        condition,
    )
    for m in range(1, 12):
        table = solve(make_instance(ruleset, {"m": m}, {}), "outcome", "reference")
        true = all((table[(x,)] == 0) == bool(evaluate(parse(formula), {"x": x, "m": m})) for x in range(8))
        assert true == bool(evaluate(parse(condition), {"m": m})), m


def test_an_assertion_is_refuted_where_a_question_is_answered() -> None:
    ruleset = game(*TAKE_UP_TO_M)
    assert ask(ruleset, "x == 0", question=True).status == "proved"
    asserted = ask(ruleset, "x == 0", where="m >= 3")
    assert refutation(asserted) == (4,)
    assert asserted.counterexample is not None
    assert dict(asserted.counterexample.parameters) == {"m": 3}
    assert str(asserted.condition) == "m >= 7"
    assert ask(ruleset, "x == 0", where="m >= 9").status == "proved"


def test_a_set_of_parameters_is_not_called_exact_if_another_claim_may_be_to_blame() -> None:
    """The claim about P-positions is false from m = 9 on; the claim about Grundy number 1 is always true."""
    ruleset = game(
        "parameters: {m: m >= 1}",
        "position: {x: 0..N}",
        'moves: [{take: "1..min(x, 2)", from: x}]',
        "claims: [{id: helper, target: p, formula: x % 3 == (0 if m < 9 else 1)}]",
    )
    proof = ask(ruleset, "x % 3 == 1", "grundy == 1", question=True)
    assert (proof.status, proof.condition, str(proof.where)) == ("proved", None, "m < 9")
    asserted = ask(ruleset, "x % 3 == 1", "grundy == 1", where="m >= 1")
    assert (asserted.status, asserted.condition) == ("proved", TRUE)  # by instances, without the other claim


# -- nothing false is proved -----------------------------------------------------------------------------------


UNCOVERED = "x == 0 and y == 0 or x != y and (x - 1) ^ (y - 1) == 1 and x >= 1 and y >= 1"
NOT_LOWER = "leaves the position space or does not lower the measure"
NEGATIVE = game(
    "position: {x: 0..N}", 'moves: [{for: {t: "-2..-1", u: "t..-1"}, when: x + u >= 0, to: {x: x + u}}]'
)
NAMED_LIKE_THE_PROOFS = game(
    "position: {g: 0..N}", "moves: [{take: t, from: g}, {for: {h: 1..g-1}, to: [{g: h}, {g: g - h}]}]"
)
STILL = game("position: {x: 0..N}", "moves: []")
MEANINGLESS = "(1 << floor_log2(x - 60000)) - (1 << floor_log2(x - 60000)) if x >= 60000 else 0"


def moving(move: str) -> Ruleset:
    return game("position: {x: 0..N}", f"moves: [{move}]")


def from_m(domain: str) -> Ruleset:
    """Return a game in which x == 0 is false for m = -1, a value that the logic cannot represent."""
    moves = "moves: [{take: t, from: x, when: 'm >= 0'}]"
    return game(f'parameters: {{k: k >= 1, m: "{domain}"}}', "position: {x: 0..N}", moves)


# What comes out of a statement: "proved", the position that refutes it, or words of why it is undecided.
OUTCOMES: list[tuple[Ruleset, str, str, str, str | tuple[int, ...]]] = [
    # 1,000 has no option in the region, and all larger ones have 1,000 for an option; but 0 is one of it
    (one_pile(), "x == 1000", "p", "x >= 1000", (1000,)),
    # too large to be confirmed
    pytest.param(
        one_pile(), "x == 100000000", "p", "x >= 100000000", "has options that no claim is about",
        marks=pytest.mark.long,
    ),
    # false only far out
    (one_pile(), "x == 0 or x == 600", "p", "True", (600,)),
    (one_pile(), "x if x < 600 else x - 1", "grundy", "True", (600,)),
    (one_pile(), "x == 2 and x < 600 or x == 700", "grundy == 2", "True", (700,)),
    # a level stands on those below it
    (two_piles(), "x ^ y == 1", "grundy == 1", "True", "; claims for target p may help"),
    (one_pile(), "x == 1", "grundy == 1", "True", "proved"),  # by the definition alone
    (one_pile(), "x == 2", "grundy == 2", "True", "proved"),
    (two_piles(), "x ^ y == 2", "grundy == 2", "True", "; claims for target p, and for the Grundy numbers up to 1 may help"),
    # nothing is said of the positions without the pass, p == 0
    (two_piles("pass: {}"), UNCOVERED, "p", "p == 1",
     "p=1) has options that no claim is about, so the statement cannot be proved"),
    (two_piles("pass: {}", "claims: [{id: nim, target: p, where: p == 0, formula: x == y}]"), UNCOVERED, "p", "p == 1",
     "proved"),
    # that P-positions end at 5,000 would make (5000, 5000) an N-position with no move to a P-position
    (two_piles("claims: [{id: far, target: p, formula: x == y and x < 5000}]"), "x ^ y == 1", "grundy == 1", "True", ""),
    # moves that are faulty far out, and a space that has no meaning there
    (moving("{for: {t: 1..1}, when: x > 50000, to: {x: x + t}}"), "True", "p", "True", NOT_LOWER),
    (moving('{for: {t: 1..1}, when: x == 50000, to: {x: "x - 50001"}}'), "True", "p", "True",
     f"a move from (x=50000) {NOT_LOWER}"),
    (moving('{for: {t: 1..1}, when: "x >= 60000 and (1 << floor_log2(x - 60000)) > x", to: {x: x - t}}'), "True", "p",
     "True", f"a move from (x=60000) {NOT_LOWER}"),
    (moving('{for: {t: "1..((1 << floor_log2(x - 60000)) if x >= 60000 else 0) - 4096"}, to: {x: x - t}}'), "True", "p",
     "True", f"a move from (x=60000) {NOT_LOWER}"),
    (game(f'position: {{x: 0..N, y: "0..{MEANINGLESS}"}}', "moves: []"), "True", "p", "True", ""),
    # a space that ends before its bound is not taken for an endless one
    (game('position: {x: "0..min(N, 5)"}', "moves: [{take: t, from: x}]"), "x == 0", "p", "True",
     "the upper end of x mentions a bound, and may not grow with it: min(N, 5)"),
    (NEGATIVE, "x % 3", "grundy", "True", "proved"),
    (NEGATIVE, "True", "p", "True", (1,)),
    (NAMED_LIKE_THE_PROOFS, "0 if g == 0 else g - 1 if g % 4 == 0 else g + 1 if g % 4 == 3 else g", "grundy", "True",
     "proved"),
    (one_pile("play: misere"), "x == 1", "p", "True", "proved"),
    (one_pile("play: misere"), "x == 0", "p", "True", (0,)),
    (one_pile(), "x == 0", "p", "True", "proved"),
    (one_pile(), "True", "p", "True", (1,)),
    (one_pile(), "False", "p", "True", (0,)),
    (STILL, "True", "p", "True", "proved"),
    (STILL, "False", "p", "True", (0,)),
    # not refuted by parameters out of their domain
    (one_pile("parameters: {a: a >= 1, b: b >= a}"), "x == 0 or a > 2", "p", "b == 2", "proved"),
    # parameters that may be negative, and domains that plainly begin at 0 or above
    *((from_m(domain), "x == 0 or m < 0", "p", "True", f"the domain of m does not plainly begin at 0 or above: {domain}")
      for domain in ("m >= -3", "m % 2 == 0", "m >= 0 - k", "m >= -1 and k >= 0")),
    *((from_m(domain), "x == 0", "p", "True", (1,)) for domain in ("m >= -3", "m % 2 == 0", "m >= 0 - k")),
    *((from_m(domain), "x == 0 or m < 0", "p", where, "proved")
      for domain, where in (("m >= -3", "m == 2"), ("m % 2 == 0", "m == 4"))),
    *((from_m(domain), "x == 0", "p", "True", "proved")
      for domain in ("m >= 0", "m > k", "1 <= m <= 9", "m == 3", "m % 2 == 0 and m >= k + 1")),
    # about no position
    *((one_pile("parameters: {m: m >= 1}"), "x == 0", "p", where,
       f"nothing is asked: no position was found that fulfils {where}")
      for where in ("x < 0", "False", "m % 4 == 7", "m == 2 and m == 3", "m == 2 and x + m < 2")),
    # a wrong count of digits
    (MARK, "x == 0 or valuation2(x) % 2 == 0", "p", "True", (1,)),
    (MARK, "x == 0 or valuation2(x) == 1 or valuation2(x) == 3", "p", "True", (32,)),
    (MARK, "popcount(x) % 2 == 0", "p", "True", (2,)),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "formula", "target", "where", "outcome"), OUTCOMES)
def test_a_statement_comes_out_so(
    ruleset: Ruleset, formula: str, target: str, where: str, outcome: str | tuple[int, ...]
) -> None:
    proof = ask(ruleset, formula, target, where)
    if isinstance(outcome, tuple):
        assert refutation(proof) == outcome
    elif outcome == "proved":
        assert (proof.status, proof.reason) == ("proved", None)
    else:
        assert proof.status == "undecided"
        assert outcome in (proof.reason or "")


HELPERS = (
    "  - {id: nim, target: p, where: p == 0, formula: x == y}",
    "  - {id: wrong, target: p, where: p == 0, formula: x == y + 1}",
    "  - {id: wrong-later, target: p, where: p == 0, formula: x == y and x < 5000}",
    "  - {id: wrong-grundy, target: grundy, formula: x + y}",
    "  - {id: nowhere, target: p, where: 1 << floor_log2(x) == 2, formula: 'False'}",
)
LEMMA_6 = "x == 0 and y == 0 or x % 2 == 1 and y == x + 1 or y % 2 == 1 and x == y + 1"


def test_false_claims_beside_it_do_not_harm_a_true_one() -> None:
    ruleset = two_piles("pass: {}", "claims:", *HELPERS)
    proof = ask(ruleset, LEMMA_6, where="p == 1")
    assert (proof.status, proof.used) == ("proved", ("nim",))


@pytest.mark.parametrize("number", range(1, len(HELPERS)))
def test_a_false_claim_alone_beside_it_proves_and_refutes_nothing(number: int, monkeypatch) -> None:
    ruleset = two_piles("pass: {}", "claims:", HELPERS[number])
    assert refutation(ask(ruleset, "x == y", where="p == 1")) == (1, 1, 1)
    monkeypatch.setattr(prover, "_period_evidence", lambda _: None)  # which needs no other claim
    assert ask(ruleset, LEMMA_6, where="p == 1").status == "undecided"


def test_a_formula_without_a_value_far_out_is_refuted() -> None:
    proof = ask(one_pile(), "x == 0 or x >= 600 and (1 << floor_log2(x - 600)) == 0")
    assert refutation(proof) == (600,)
    assert proof.counterexample is not None
    assert proof.counterexample.found is None


@pytest.mark.parametrize("move", ["{for: {t: 1..3}, to: {x: x - t}}", "{for: {t: 0..x}, to: {x: x - t}}"])
def test_a_game_with_a_faulty_move_near_by_is_refused(move: str) -> None:
    with pytest.raises(RulesetError, match=r"position space|could loop"):
        ask(game("position: {x: 0..N}", f"moves: [{move}]"), "x == 0")


# -- undecided, and why -------------------------------------------------------------------------------------


@pytest.fixture
def grundylab(tmp_path, monkeypatch, capsys):
    """Run a command in an empty folder: (exit status, the JSON object, standard error)."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, dict[str, Any], str]:
        status = main([*arguments, "--json"])
        out, err = capsys.readouterr()
        return status, json.loads(out), err

    return run


def shipped(name: str) -> str:
    return str(ROOT / "rulesets" / f"{name}.yaml")


THEOREM_4 = ("prove", shipped("heaps-1-2-3-pass"), "--claim", "theorem-4")
# Its tables take no time, and no period can be seen instead.
PAIR = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: [1, 2], from: x}]\n"
NO_ROOT = "x % (m + 1) == 0 and x * x != 2 * (m + 1) * (m + 1)"  # true, as no fraction is the root of 2
UNDECIDED = {
    "a remainder by a parameter": (
        ("prove", shipped("subtraction-1-to-m"), "--formula", NO_ROOT),
        "x % (m + 1): a remainder",
    ),
    "a limit of work": (
        ("prove", "pair.yaml", "--formula", "x % 3 == y % 3", "--timeout", "0.00005"),
        "more than 1,000 cells",
    ),
}


@pytest.mark.parametrize("why", UNDECIDED)
def test_undecided_says_why_and_exits_with_3(grundylab, why: str) -> None:
    arguments, reason = UNDECIDED[why]
    Path("pair.yaml").write_text(PAIR)
    status, said, _ = grundylab(*arguments)
    assert (status, said["status"]) == (3, "undecided")
    assert reason in said["reason"]
    assert said["counterexample"] is None


# What stands in the place of MONA (None: itself), options, and why it has no opinion.
NO_OPINION = [
    (None, ("--memory", "8"), "8 MiB"),
    ("exec sleep 600", ("--timeout", "1.5"), "1.5 seconds"),
    ("", (), MISSING),
]


@needs_mona
@pytest.mark.parametrize(("program", "options", "reason"), NO_OPINION)
def test_without_a_second_opinion_it_is_proved_by_one_procedure_and_says_why(
    grundylab, tmp_path, monkeypatch, program, options, reason
) -> None:
    if program is not None:
        monkeypatch.setenv("GRUNDYLAB_MONA", str(tmp_path / "mona"))
    if program:
        (tmp_path / "mona").write_text(f"#!/bin/sh\n{program}\n")
        (tmp_path / "mona").chmod(0o755)
    status, said, _ = grundylab(*THEOREM_4, *options)
    assert (status, said["status"], said["procedures"]) == (0, "proved", [AUTOMATA])
    assert said["second"]["status"] == "not checked"
    assert reason in said["second"]["reason"]


def test_a_falsehood_is_refuted_without_mona(grundylab, monkeypatch) -> None:
    monkeypatch.setenv("GRUNDYLAB_MONA", "/nonexistent")
    status, said, _ = grundylab("prove", shipped("nim"), "--formula", "x + y == z", "--where", "True")
    assert (status, said["status"]) == (1, "refuted")
    assert said["counterexample"] is not None


# -- the command --------------------------------------------------------------------------------------------


def test_a_proof_has_all_that_was_promised(grundylab, tmp_path) -> None:
    status, said, _ = grundylab("prove", shipped("nim-with-a-pass-from-m"), "--claim", "conjecture-1")
    assert (status, said["status"], said["reason"], said["counterexample"]) == (0, "proved", None, None)
    assert said["seconds"] > 0
    assert said["where"] == "m % 4 == 0"
    assert parse(said["formula"]) == ruleset("nim-with-a-pass-from-m").claim("conjecture-1").formula
    assert "\\oplus" in said["latex"]
    assert said["automaton"]["states"] > 1
    assert (tmp_path / said["proof"]).is_file()


@needs_mona
def test_the_proof_file_is_commented_self_contained_and_valid(grundylab, tmp_path) -> None:
    """State in the file of a question that the induction succeeds for exactly the parameters found."""
    (tmp_path / "take.yaml").write_text("\n".join(["title: t", *TAKE_UP_TO_M, ""]))
    status, question, _ = grundylab("prove", "./take.yaml", "--formula", "x == 0")
    assert (status, question["status"], question["where"]) == (0, "proved", "m >= 7")
    _, said, _ = grundylab("prove", shipped("nim-2"), "--claim", "theorem-8", "--out", "here.mona")
    assert said["proof"] == "here.mona"
    text = (tmp_path / "here.mona").read_text(encoding="utf-8")
    assert text.startswith("# grundylab: nim-2 (")
    assert "include" not in text
    assert max(map(len, (line for line in text.splitlines() if line.startswith("#")))) < 200
    for file in (said["proof"], question["proof"]):
        ran = subprocess.run(["mona", file], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert "Formula is valid" in ran.stdout


def test_a_refutation_has_the_counterexample_and_exits_with_1(grundylab) -> None:
    status, said, err = grundylab("prove", shipped("chocolate-log-pass"), "--claim", "corollary-4-b")
    assert (status, said["status"]) == (1, "refuted")
    assert said["counterexample"]["position"] == {"x": 1, "y": 0, "z": 2, "p": 1}
    assert (said["counterexample"]["truth"], said["counterexample"]["found"]) == (0, 1)
    assert "(x=1, y=0, z=2, p=1): " in err


# -- fixed parameters ---------------------------------------------------------------------------------------

SPECIALISED = [
    ("nim-with-a-pass-from-m", {"m": 3}, 5),
    ("chocolate-half-pass", {"k": 2}, 7),
    ("two-stones-ceil", {"a": 1, "b": 2}, 9),
    ("turn-limit-linear", {"m": 2}, 9),
    ("subtraction-1-to-m", {"m": 4}, 40),
]


@pytest.mark.parametrize(("name", "values", "bound"), SPECIALISED)
def test_a_game_with_its_parameters_put_in_is_the_same_game(
    name: str, values: dict[str, int], bound: int
) -> None:
    game = ruleset(name)
    bounds = dict.fromkeys(game.bounds, bound)
    special = specialise(game, values)
    assert (special.parameters, special.functions.parameters) == ((), ())
    whole = solve(make_instance(game, values, bounds), "grundy", "reference")
    fixed = solve(make_instance(special, {}, bounds), "grundy", "reference")
    assert np.array_equal(whole.values, fixed.values)


def test_fixing_one_parameter_keeps_what_its_domain_asks_of_the_others() -> None:
    ruleset = one_pile("parameters: {a: a >= 1, b: b >= a}")
    special = specialise(ruleset, {"b": 2})
    assert [str(parameter.domain) for parameter in special.parameters] == ["a >= 1 and 2 >= a"]
    make_instance(special, {"a": 2}, {"N": 3})
    with pytest.raises(InstanceError):
        make_instance(special, {"a": 3}, {"N": 3})


def test_only_equations_fix_a_parameter() -> None:
    assert fixed_values(parse_condition("m == 4 and x > 2"), ("m",)) == {"m": 4}
    assert fixed_values(parse_condition("m >= 4 or m == 3"), ("m",)) == {}


def test_a_parameter_out_of_its_domain_is_refused() -> None:
    with pytest.raises(InstanceError, match="m=0"):
        ask(game(*TAKE_UP_TO_M), "x == 0", where="m == 0")


def test_a_parameter_that_was_fixed_is_said_and_is_not_called_exact(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    command = ["prove", "chocolate-half", "--claim", "theorem-3", "--where", "k == 1", "--json"]
    assert main([*command, "--out", str(tmp_path / "proof.mona")]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["status"], said["where"], said["exactly"]) == ("proved", "k == 1", False)


@pytest.mark.parametrize("name", ["asked", "statement", "what-is-asked"])
def test_a_claim_that_helps_is_told_from_what_is_asked_whatever_it_is_called(name: str) -> None:
    """If they were confused, a failure of the other claim would count as the statement's own."""
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
        f"claims: [{{id: {name}, target: grundy, formula: x}}]\n"
    )
    proof = prove_claim(ruleset, unpublished_claim(parse("x == 2"), parse_target("grundy == 2")))
    assert (proof.status, proof.used) == ("proved", (name,))
