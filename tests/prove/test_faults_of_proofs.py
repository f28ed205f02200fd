"""False statements that were once proved are not proved any more; each has a true variant that is.

(Faults of the catalogue, of reading rulesets, and of exported scripts are tested in their own modules.)
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.findings.made import formula as found
from tests.findings.made import results
from tests.prove.forging import Record, proved_by, proves, record_of

import grundylab as gl
from grundylab.cli.main import main
from grundylab.findings.proof_records import prove_all, with_proofs
from grundylab.findings.wording import extent_words, words_text
from grundylab.games import Claim, Ruleset, parse_ruleset, parse_target
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.core.evidence import Induction
from grundylab.prove.outcome import Proof
from grundylab.prove.proof_files import _from_text, read_proof
from grundylab.statement import statement_about

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

ONE_PILE = "position: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
TAKE_TO_M = "parameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n"
TURNS = """parameters: {m: m >= 1}
position: {u: 0..N, k: 1..K + N - u}
measure: u
moves:
  - name: turn k
    for: {t: "1..min(u, m*k)"}
    to: {u: u - t, k: k + 1}
"""


def game(text: str, name: str = "game") -> Ruleset:
    return parse_ruleset(f"title: t\n{text}", name)


def claims(*lines: str) -> str:
    return "claims:\n" + "".join(f"  - {{id: c{n}, {line}}}\n" for n, line in enumerate(lines))


def given(proof: Proof) -> dict[str, int]:
    """Return the counterexample's coordinates and parameters."""
    assert proof.counterexample is not None
    return {**proof.counterexample.position, **proof.counterexample.parameters}


class Checkout:
    """A folder of rulesets, and commands run in it; ``said`` is their output."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder, self._capsys, self.said = folder, capsys, ""

    def file(self, text: str, name: str = "game") -> str:
        path = self._folder / f"{name}.yaml"
        path.write_text(f"title: t\n{text}", encoding="utf-8")
        return str(path)

    def written(self, record: Any, name: str = "forged") -> str:
        path = self._folder / f"{name}.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        return str(path)

    def __call__(self, *arguments: str) -> int:
        status = main(list(arguments))
        out, err = self._capsys.readouterr()
        self.said = f"{out}{err}"
        return status

    def certificates(self) -> list[Path]:
        return sorted(self._folder.glob("results/proofs/*/*.json"))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Checkout:
    monkeypatch.chdir(tmp_path)
    return Checkout(tmp_path, capsys)


# -- 1: names that the code invents ----------------------------------------------------------------------------------

REMAINDERS = "x % 5 == 5 or x % 5 == 6 or x % 5 == 7"  # never so
HIDDEN = ONE_PILE + "parameters: {r_0: r_0 >= 0}\nfunctions: {h(n): n + r_0}\n"
DEEPER = ONE_PILE + "parameters: {r_0: r_0 >= 0}\nfunctions: {g(k): k + r_0, h(n): g(n) - n}\n"


@pytest.mark.parametrize(
    ("text", "formula", "target"),
    [
        (HIDDEN, f"h(0) <= 4 or {REMAINDERS}", "true"),
        (DEEPER, f"h(x) <= 4 or {REMAINDERS}", "true"),
        (DEEPER, f"x == 0 and (h(x) <= 4 or {REMAINDERS})", "p"),
    ],
)
def test_a_parameter_in_the_body_of_a_function_is_not_taken_for_a_remainder(
    text: str, formula: str, target: str
) -> None:
    proof = gl.prove(game(text), formula, target, question=False)
    assert proof.status == "refuted"
    assert given(proof)["x"] == 0
    assert given(proof)["r_0"] >= 5


@pytest.mark.parametrize("name", ["k_0", "k_1"])
def test_a_parameter_in_the_body_of_a_function_is_not_taken_for_a_renamed_variable(name: str) -> None:
    """Inlining f(k) renames the bound variable k of a sum in it; the new name must not be the parameter's."""
    functions = game(
        ONE_PILE
        + f"parameters: {{{name}: {name} >= 0}}\n"
        + f'functions: {{g(n): n + {name}, f(n): "sum(g(k)*n for k in range(0, 3))"}}\n'
    ).functions
    values = {"k": 10, name: 7}
    assert (
        evaluate(functions.expand(parse("f(k)")), values) == evaluate(parse("f(k)"), values, functions) == 240
    )


# -- 2: names of MONA's variables --------------------------------------------------------------------------------------

BEYOND = "any(v_x == {c} + 1 for v_x in range(3000, 3050))"
SIGNED = "any(v_x == {c} + 1 for v_x in range(3000 - {c}, 3050))"  # a variable that may be negative
NOT_ALL = "not all(all(v_x != {c} + 1 for v_x in range(3000, 3050)) for k in range(0, 2))"


@pytest.mark.parametrize(
    ("coordinate", "more", "wrong_at"),
    [
        ("x_1", BEYOND + " and sum(k for k in range(0, 2)) == 1", 2999),
        *((f"x_{n}", BEYOND, 2999) for n in (1, 2, 3)),
        ("x_2", NOT_ALL, 2999),
        ("x_1s", SIGNED, 1500),
    ],
)
def test_a_coordinate_is_not_taken_for_a_bound_variable(coordinate: str, more: str, wrong_at: int) -> None:
    move = f"{{name: a, for: {{t: 1..{coordinate}}}, to: {{{coordinate}: {coordinate} - t}}}}"
    formula = f"{coordinate} == 0 or {more.format(c=coordinate)}"
    proof = gl.prove(game(f"position: {{{coordinate}: 0..N}}\nmoves: [{move}]\n"), formula)
    assert (proof.status, given(proof)) == ("refuted", {coordinate: wrong_at})


# -- 3: values below 0 at large sizes only -----------------------------------------------------------------------------

THREE_PILES = "position: {x: 0..N, y: 0..N, z: 0..N}\nmoves: [{take: t, from: x}]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (THREE_PILES, "for: {k: 300-x..300}, condition: k >= 0"),
        (THREE_PILES, "for: {k: 300-x..300}, condition: x <= 300 + k"),
        (ONE_PILE, "for: {a: 0..x, b: 60-a..99}, condition: b >= 0"),
        (ONE_PILE + "parameters: {m: m >= 100}\n", "for: {q: m-x..m+1}, condition: q + 1 >= 1"),
    ],
)
def test_a_variable_that_gets_negative_at_large_sizes_is_no_natural_number(text: str, said: str) -> None:
    ruleset = game(text + claims(said))
    proof = gl.prove(ruleset, ruleset.claim("c0"))
    assert proof.status != "proved"
    if proof.status == "refuted":
        assert not evaluate_at(ruleset, given(proof))
    else:
        assert "may begin below 0" in (proof.reason or "")


def evaluate_at(ruleset: Ruleset, values: dict[str, int]) -> bool:
    """Return whether the claim is true, by trying all values of its variables."""
    (claim,) = ruleset.claims

    def holds(number: int, known: dict[str, int]) -> bool:
        if number == len(claim.variables):
            return bool(evaluate(claim.formula, known))
        variable = claim.variables[number]
        low, high = (evaluate(end, known) for end in (variable.range.low, variable.range.high))
        return all(holds(number + 1, {**known, variable.name: v}) for v in range(low, high + 1))

    return holds(0, values)


@pytest.mark.parametrize(("formula", "target"), [("w >= 0", "true"), ("u == 0 or w < 200 and w >= 0", "p")])
def test_a_coordinate_that_begins_below_0_at_large_sizes_makes_no_theorem(formula: str, target: str) -> None:
    move = "{name: a, for: {t: 1..u}, when: w == 200, to: {u: u - t}}"
    text = f"position: {{u: 0..N, w: 200-u..200}}\nmeasure: u\nmoves: [{move}]\n"
    proof = gl.prove(game(text), formula, target)
    assert proof.status == "undecided"
    assert re.search("a coordinate may begin below 0|it must begin at 0 or more", proof.reason or "")


# -- 4: sums within sums ---------------------------------------------------------------------------------------------

SUMS = (
    "any(x == sum((m+1)*sum({i} for {b} in range(0, 2)) for {i} in range(0, {j})) for {j} in range(0, x + 1))"
)
OF_TURNS = (
    "any(j + sum(m*(k + 2*i) for i in range(0, j)) <= u <= j{more} + sum(m*(k + 1 + 2*i) for i in range(0, j)) "
    "for j in range(0, u + 1))"
)


@pytest.mark.parametrize(
    ("text", "formula", "example"),
    [
        (TAKE_TO_M, SUMS.format(i="a", b="b", j="j"), {"x": 2, "m": 1}),
        (TAKE_TO_M, SUMS.format(i="k", b="i", j="n"), {"x": 2, "m": 1}),
        (
            TAKE_TO_M + "functions: {s(n): 'sum(n for b in range(0, 2))'}\n",
            "any(x == sum((m+1)*s(a) for a in range(0, j)) for j in range(0, x + 1))",
            {"x": 2, "m": 1},
        ),
        (
            TAKE_TO_M,
            "any(x == j*(m+1) + sum(sum(a - c for c in range(0, 2)) for a in range(0, j)) for j in range(0, x + 1))",
            {"x": 1, "m": 1},
        ),
    ],
)
def test_the_variable_of_a_sum_within_a_sum_is_not_that_of_the_outer(
    text: str, formula: str, example: dict[str, int]
) -> None:
    proof = gl.prove(game(text), formula, question=False)
    assert (proof.status, given(proof)) == ("refuted", example)
    assert gl.prove(game(text), formula).status == "undecided"  # for which m is not known


@pytest.mark.parametrize("more", ["", " + sum(sum(a - b for b in range(0, 1)) for a in range(0, j))"])
def test_of_a_game_with_turns_only_the_formula_without_a_further_sum_is_proved(more: str) -> None:
    proof = gl.prove(game(TURNS), OF_TURNS.format(more=more))
    assert proof.status == ("undecided" if more else "proved")
    if more:
        asserted = gl.prove(game(TURNS), OF_TURNS.format(more=more), question=False)
        assert asserted.status == "refuted"


def test_a_sum_within_a_sum_that_is_as_long_as_its_variable_says_is_what_it_says() -> None:
    """Here the same sums make a true formula."""
    inner = "m*(k + sum(i for b in range(0, 2)))"
    good = OF_TURNS.format(more="").replace("m*(k + 2*i)", inner)
    proof = gl.prove(game(TURNS), good, question=False)
    assert proof.status in ("proved", "undecided")


# -- 5: functions without a value --------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["h(j) - h(j)", "0*h(j)", "sum(h(a) - h(a) for a in range(0, j + 1))"])
@pytest.mark.parametrize("hole", [3, 3000])
def test_a_function_without_a_value_does_not_cancel(more: str, hole: int) -> None:
    ruleset = game(TAKE_TO_M + f"functions: {{h(k): 1 // (k - {hole})}}\n")
    proof = gl.prove(ruleset, f"any(x == j*(m+1) + {more} for j in range(0, x + 1))")
    assert proof.status == "undecided"


def test_where_it_has_no_value_the_formula_is_wrong() -> None:
    ruleset = game(TAKE_TO_M + "functions: {h(k): 1 // (k - 3)}\n")
    proof = gl.prove(ruleset, "any(x == j*(m+1) + h(j) - h(j) for j in range(0, x + 1))", question=False)
    assert (proof.status, given(proof)) == ("refuted", {"x": 3, "m": 1})
    assert proof.counterexample is not None
    assert proof.counterexample.found is None


def test_nor_does_it_in_a_game_with_turns() -> None:
    ruleset = game(TURNS + "functions: {h(k): 1 // (k - 60)}\n")
    proof = gl.prove(ruleset, OF_TURNS.format(more="").replace("any(j", "any(j + h(j) - h(j)"))
    assert proof.status == "undecided"


# -- 6: forged certificates ---------------------------------------------------------------------------------------------

NIM = "position: {x: 0..N, y: 0..N, z: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}, {take: t, from: z}]\n"


def without_moves(ruleset: Ruleset, target: str, formula: str) -> Record:
    """Return the proof file of a claim with a variable, with its target replaced by one about moves."""
    proof = gl.prove(ruleset, ruleset.claim("c0"))
    record = record_of(proof.theorem)
    level = {"levels": [], "grundy": formula} if target == "grundy" else {"levels": ["True"]}
    record["statement"].update(target=target, formula=formula)
    record["evidence"].update(level)
    return record


@pytest.mark.parametrize(("target", "formula"), [("p", "True"), ("grundy", "0"), ("grundy == 0", "True")])
@pytest.mark.parametrize("text", [NIM, ONE_PILE])
def test_an_induction_with_variables_is_none_about_moves(
    checkout: Checkout, text: str, target: str, formula: str
) -> None:
    said = text + claims("for: {q: 0..0}, condition: q == 0")
    forged = without_moves(game(said), target, formula)
    assert checkout("certify", checkout.file(said), checkout.written(forged)) == 2
    assert "variables" in checkout.said
    forged["statement"]["for"] = []
    claim = Claim("asked", parse_target(target), parse(formula), parse_condition("True"))
    statement = statement_about(game(said), claim)
    forged["statement"]["key"] = statement.key
    assert checkout("certify", checkout.file(said), checkout.written(forged)) == 2
    assert "it is not so that the hypothesis is what the options make it" in checkout.said
    assert not proves(statement, Induction())


TAKES = "parameters: {m: %s}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n"
PASSES = """parameters: {m: %s}
position: {x: 0..N, y: 0..N}
moves: [{take: t, from: x}, {take: t, from: y}]
pass: {when: x + y >= m}
"""
MADE = {
    "heap": (TAKES, ["rows", "GAME", "--target", "grundy", "--param", "m=0"]),
    "heap of 2": (TAKES, ["rows", "GAME", "--target", "grundy", "--param", "m=2"]),
    "row": (PASSES, ["rows", "GAME", "--fix", "p=1", "--param", "m=0", "--length", "200"]),
    "induction": (TAKES, ["prove", "GAME", "--formula", "x % 3 == 0", "--where", "m == 2"]),
}


@pytest.mark.parametrize("kind", MADE)
def test_a_certificate_of_parameters_outside_their_domain_proves_nothing(
    checkout: Checkout, kind: str
) -> None:
    text, command = MADE[kind]
    wide = checkout.file(text % "m >= 0")
    assert checkout(*(wide if word == "GAME" else word for word in command)) == 0
    (certificate,) = checkout.certificates()
    assert checkout("certify", wide, str(certificate)) == 0
    record = json.loads(certificate.read_text())
    narrow = checkout.file(text % "m >= 5")
    assert checkout("certify", narrow, str(certificate)) == 2
    assert "is of another statement" in checkout.said
    record["statement"]["key"] = _from_text(read_proof(record).statement, game(text % "m >= 5")).key
    assert checkout("certify", narrow, checkout.written(record)) == 2
    assert "outside its domain: m >= 5" in checkout.said


@pytest.mark.parametrize("kind", ["heap of 2", "row"])
def test_a_proof_that_does_not_say_of_which_parameters_it_is_proves_nothing(
    checkout: Checkout, kind: str
) -> None:
    text, command = MADE[kind]
    file = checkout.file(text % "m >= 0")
    assert checkout(*(file if word == "GAME" else word for word in command)) == 0
    (certificate,) = checkout.certificates()
    record = json.loads(certificate.read_text())
    theorem, where = proved_by(record, game(text % "m >= 0")), record["statement"]["where"]
    value = {"heap of 2": 2, "row": 0}[kind]
    assert checkout("certify", file, str(certificate)) == 0
    assert f"m == {value}" in checkout.said
    for other in ("True", f"m == {value + 7}", f"m >= {value}", f"m == {value} and q == 1"):
        said = where.replace(f"m == {value}", other)
        assert said != where
        changed = {**record, "statement": {**record["statement"], "where": said}}
        assert checkout("certify", file, checkout.written(changed)) == 2
        wider = theorem.statement.changed(lambda expr: parse(str(expr).replace(f"m == {value}", "m >= 0")))
        assert not proves(wider, theorem.evidence)


# -- 7: questions about nothing ----------------------------------------------------------------------------------------

NOWHERE = "parameters: {m: m >= 5 and m <= 3}\n"
NOTHING = [
    *((NOWHERE + ONE_PILE, formula, target, "True") for formula, target in (("x == 5", "p"), ("x + 1", "grundy"))),
    (NOWHERE + ONE_PILE, "x == 5", "true", "True"),
    (NOWHERE + "position: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\n", "x % 7", "grundy", "True"),
    (TAKE_TO_M.replace("m >= 1", "m >= 5 and m <= 3"), "any(x == j*(m+2) for j in range(0, x + 1))", "p", "True"),
    (ONE_PILE, "x == 5", "p", "x < 0"),
    (ONE_PILE, "x + 1", "grundy", "x % 2 == 3"),
    (ONE_PILE, "x == 5", "grundy == 2", "x > 3000 and x < 2000"),
    (ONE_PILE, "x == 5", "true", "1 == 2"),
    ("parameters: {m: m >= 1}\n" + ONE_PILE, "x == m", "p", "m < 1"),
    (ONE_PILE + "where: x < 0\n", "x == 5", "p", "True"),
    ("parameters: {m: m >= 0}\nposition: {x: 0..N, y: 0..N}\nwhere: x + m + y < m\nmoves: [{take: t, from: x}]\n", "x == 5",
     "p", "True"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "formula", "target", "where"), NOTHING)
def test_nothing_is_proved_where_nothing_is_asked(text: str, formula: str, target: str, where: str) -> None:
    for question in (True, False):
        proof = gl.prove(game(text), formula, target, where, question=question)
        assert proof.status == "undecided"
        assert (proof.reason or "").startswith("nothing is asked: ")


EMPTY = {
    "variables": ONE_PILE + claims("for: {k: 5..3}, condition: k == 9"),
    "variables of parameters": ONE_PILE
    + "parameters: {m: 0 <= m <= 5}\n"
    + claims("for: {b: 6..m}, condition: b == x"),
    "family": """position: {u: 0..N, k: 1..K + N - u}
measure: u
functions:
  f(k): {any: "f(k) >= 1 and f(k) <= 0 and (k <= 2 or f(k - 1) <= f(k))"}
moves:
  - {name: turn k, for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}
"""
    + claims(f'target: p, formula: "{OF_TURNS.format(more="").replace("m*(", "f(")}"'),
}


@pytest.mark.parametrize("kind", EMPTY)
def test_nor_of_claims_about_nothing(kind: str) -> None:
    ruleset = game(EMPTY[kind])
    proof = gl.prove(ruleset, ruleset.claim("c0"))
    assert proof.status == "undecided"
    assert (proof.reason or "").startswith("nothing is asked: ")


def test_nor_of_a_row_that_there_is_not(checkout: Checkout) -> None:
    ends = "position: {x: 0..N, y: 0..N, z: %s}\nmoves: [{take: t, from: x}, {take: t, from: y}, {take: t, from: z}]\n"
    for text in (
        ends % "0..3",
        ends % "'0..min(N, 3)'",
        ends.replace("x: 0..N", "x: '0..min(N, 5)'") % "0..3",
    ):
        file = checkout.file(text)
        assert checkout("rows", file, "--fix", "z=9", "--length", "200") == 2
        assert not checkout.certificates()
    good = checkout.file(ends % "0..3", "good")
    assert checkout("rows", good, "--fix", "z=3", "--length", "200") == 0
    assert checkout("rows", good, "--fix", "z=9", "--length", "200") == 2
    assert checkout.said == "grundylab: good has no positions with z=9\n"


# -- 19: no game there ---------------------------------------------------------------------------------------------------

LEAVES = """parameters: {m: m >= 0}
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
  - {name: far, when: "m == 3 and x == 300 and y == 300", for: {i: 0..0}, to: {x: x + 1}}
"""
OUT = """parameters: {k: k >= 1}
position: {a: 0..N, b: 0..7}
moves:
  - {take: t, from: a}
  - {take: t, from: b}
  - {name: out, when: "k % 3 == 0 and a >= 50", for: {i: 0..0}, to: {b: b + 8, a: a - 1}}
"""


@pytest.mark.parametrize(
    ("text", "formula", "target", "playable"),
    [
        (LEAVES, "x == y", "p", "m != 3"),
        (LEAVES.replace("300", "40"), "x ^ y", "grundy", "m != 3"),
        (OUT, "a == b", "p", "k % 3 != 0"),
    ],
)
def test_a_game_that_there_is_not_is_not_blamed_on_the_formula(
    checkout: Checkout, text: str, formula: str, target: str, playable: str
) -> None:
    file = checkout.file(text)
    assert checkout("prove", file, "--formula", formula, "--target", target, "--json") == 0
    assert f"\nthe rules make a game only where {playable}\n" in checkout.said
    assert "exactly where" not in checkout.said
    record = json.loads(checkout.said.splitlines()[0])
    assert (record["where"], record["playable"], record["exactly"]) == (playable, playable, False)
    asserted = gl.prove(game(text), formula, target, question=False)
    assert asserted.status == "undecided"
    name, value = next(iter(parse_of_reason(asserted.reason or "").items()))
    assert not evaluate(parse_condition(playable), {name: value})


def parse_of_reason(reason: str) -> dict[str, int]:
    """Return the parameter's value in a message such as ``a move from (x=300, y=300) with m=3 leaves …``."""
    name, _, value = reason.split(" with ")[1].split(" leaves ")[0].partition("=")
    return {name: int(value)}


def test_a_formula_that_is_wrong_in_some_of_the_games_is_said_to_be(checkout: Checkout) -> None:
    """Both cases occur: for m = 0 and 1 the formula is wrong, and for m = 3 there is no game."""
    proof = gl.prove(game(LEAVES.replace("300", "40")), "x == y and m >= 2")
    assert (str(proof.condition), str(proof.playable)) == ("m >= 2 and m != 3", "m != 3")


def test_neither_is_it_on_the_page(tmp_path: Path) -> None:
    ruleset = game(LEAVES.replace("300", "40"))
    key = statement_about(ruleset, Claim("asked", P_POSITIONS, parse("x == y"))).key
    judged = results(formulas=(found(key=key),))
    (record,) = with_proofs(
        judged, prove_all(ruleset, judged, [parse_condition("True")], 60, tmp_path)
    ).formulas
    assert record.status == "proved"
    assert words_text(extent_words(record)) == "for all sizes with m != 3"


# -- 20: finitely many parameter values ---------------------------------------------------------------------------------

PRODUCT = (
    "parameters: {a: a >= 1, b: b >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, a*b)', from: x}]\n"
)


def test_a_statement_that_is_false_for_one_of_them_is_refuted() -> None:
    proof = gl.prove(game(PRODUCT), "x % (a*b + 1 + (1 if a*b == 6 else 0)) == 0", where="a <= 2 and b <= 3")
    assert proof.status == "refuted"
    assert {name: given(proof)[name] for name in "ab"} == {"a": 2, "b": 3}


# -- 21: everything has a limit ---------------------------------------------------------------------------------------------

RANGES = {
    "any(x == j*(m+1) + sum(g(sum(a for b in range(0, 2))) for a in range(0, j)) - j*g(1) for j in range(0, x+1))",
    "any(x == j*(m+1) + sum(sum(sum(g(c) for c in range(0, b)) for b in range(0, a)) for a in range(0, j)) "
    "for j in range(0, x+1))",
}


@pytest.mark.parametrize("formula", sorted(RANGES))
def test_a_formula_with_ranges_within_ranges_gets_its_answer(formula: str) -> None:
    text = TAKE_TO_M + "functions:\n  g(k): {cases: [{when: k > 3000, value: 1}, {otherwise: 0}]}\n"
    ruleset = game(text + claims(f'target: p, formula: "{formula}"'))
    assert gl.prove(ruleset, ruleset.claim("c0")).status in ("undecided", "refuted")
