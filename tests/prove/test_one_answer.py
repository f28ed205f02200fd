"""Python, the command line, the workflow and ``certify`` answer a question alike, whatever method decides it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.findings import made
from tests.findings.made import results
from tests.sizes import thinned

import grundylab as gl
from grundylab.cli.commands.prove import record_of
from grundylab.cli.main import main
from grundylab.findings.proof_records import attempts, prove_all
from grundylab.games import Ruleset
from grundylab.language import parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Expr, Logic, conjunction
from grundylab.logic.mona import MISSING, find_mona
from grundylab.records.finding import Finding

pytestmark = pytest.mark.skipif(find_mona() is None, reason=MISSING)

SHIPPED = Path(__file__).parents[2] / "rulesets"
TURNS = """parameters: {m: m >= 1}
position: {u: 0..N, k: 1..K + N - u}
measure: u
moves:
  - {name: turn k, for: {t: "1..min(u, m*k)"}, to: {u: u - t, k: k + 1}}
"""
IN_TURN = (
    "any(j + sum(m*(k + 2*i) for i in range(0, j)) <= u <= j + sum(m*(k + 1 + 2*i) for i in range(0, j)) "
    "for j in range(0, u + 1))"
)
TABLE = """  - id: t
    target: grundy
    table:
      columns: [x]
      entries: |
        0 0
        1 1
"""
RULESETS = {
    "one": """position: {x: 0..N}
moves: [{take: t, from: x}]
claims:
  - {id: below, for: {k: 0..x}, condition: k <= x}
  - {id: negative, for: {k: 60-x..99}, condition: k >= 0}
  - {id: none, for: {k: 5..3}, condition: k == 9}
"""
    + TABLE,
    "with m": """parameters: {m: m >= 1}
position: {x: 0..N}
moves: [{take: t, from: x}]
claims:
  - {id: from-4, target: p, formula: x == 0 and m >= 4}
  - {id: said, target: p, formula: x == 0 and m >= 4, where: m >= 5}
""",
    "two": """piles: 2
position: {x: 0..N}
moves: [{take: t, from: x}]
claims:
  - {id: bouton, target: p, formula: x == y}
  - {id: not-quite, target: p, formula: x == y or x + y == 1}
  - {id: ordered, target: p, formula: x == y, where: x <= y}
""",
    "three": """position: {x: 0..N, y: 0..N, z: 0..3}
moves: [{take: t, from: x}, {take: t, from: y}, {take: t, from: z}]
""",
    "to 3": "position: {x: 0..N}\nmoves: [{take: '1..min(x, 3)', from: x}]\n",
    "to m": """parameters: {m: m >= 1}
position: {x: 0..N}
moves: [{take: '1..min(x, m)', from: x}]
claims:
  - {id: runs, target: p, formula: "any(x == j*(m+1) for j in range(0, x + 1))"}
  - {id: longer-runs, target: p, formula: "any(x == j*(m+2) for j in range(0, x + 1))"}
""",
    "turns": TURNS + f'claims: [{{id: runs, target: p, formula: "{IN_TURN}"}}]\n',
    "to a*b": "parameters: {a: a >= 1, b: b >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, a*b)', from: x}]\n",
    "split": "position: {x: 0..N}\nmoves: [{for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}]\n",
    "pass": "position: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\npass: {}\n",
    "misere": "play: misere\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n",
    "no m": "parameters: {m: m >= 5 and m <= 3}\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n",
    "nowhere": "position: {x: 0..N}\nwhere: x < 0\nmoves: [{take: t, from: x}]\n",
    "no function": """position: {u: 0..N, k: 1..K + N - u}
measure: u
functions:
  f(k): {any: "f(k) >= 1 and f(k) <= 0 and (k <= 2 or f(k - 1) <= f(k))"}
moves:
  - {name: turn k, for: {t: "1..min(u, f(k))"}, to: {u: u - t, k: k + 1}}
"""
    + f'claims: [{{id: runs, target: p, formula: "{IN_TURN.replace("m*(", "f(")}"}}]\n',
    "no game at 3": """parameters: {m: m >= 0}
position: {x: 0..N}
moves:
  - {take: t, from: x}
  - {name: far, when: "m == 3 and x == 40", for: {i: 0..0}, to: {x: x + 1}}
""",
}

# ruleset, formula (or with @ a claim), target, where; the answer
QUESTIONS = [
    # plain ones
    ("one", "x == 0", "p", "", "proved"),
    ("one", "x == 0 or x == 700", "p", "", "refuted"),
    ("one", "x", "grundy", "", "proved"),
    ("one", "x >= 0", "true", "", "proved"),
    ("one", "x <= 900", "true", "", "refuted"),
    ("one", "x == 0", "grundy-0", "", "proved"),
    ("one", "isqrt(x) == 0", "p", "", "undecided"),
    ("one", "isqrt(x) <= 1", "p", "", "refuted"),
    ("two", "x == y", "p", "", "proved"),
    ("two", "x ^ ...", "grundy", "", "proved"),
    ("two", "@bouton", "", "", "proved"),
    ("two", "@not-quite", "", "", "refuted"),
    ("two", "@ordered", "", "", "proved"),
    ("to 3", "x % 4", "grundy", "", "proved"),
    # at some positions
    ("two", "x == y", "p", "(x + ...) >= 4", "proved"),
    ("two", "x == y + 1", "p", "x <= y", "refuted"),
    # with parameters
    ("with m", "x == 0 and m >= 4", "p", "", "proved"),
    ("with m", "x == 0 and m >= 4", "p", "x <= 9", "proved"),
    ("with m", "x == 0 and m >= 4", "p", "m >= 2", "refuted"),
    ("with m", "x == 0 and m >= 4", "p", "m >= 4", "proved"),
    ("with m", "@from-4", "", "", "refuted"),
    ("with m", "@from-4", "", "m % 4 == 0", "proved"),
    ("with m", "@said", "", "", "proved"),
    ("no game at 3", "x == 0", "p", "", "proved"),
    # by runs
    ("to m", "x % (m + 1)", "grundy", "", "undecided"),
    ("to m", "x % (m + 1) == 0", "p", "", "proved"),
    ("to m", "any(x == j*(m+1) for j in range(0, x + 1))", "p", "", "proved"),
    ("to m", "any(x == j*(m+2) for j in range(0, x + 1))", "p", "", "undecided"),
    ("to m", "@runs", "", "", "proved"),
    ("to m", "@longer-runs", "", "", "refuted"),
    ("turns", "@runs", "", "", "proved"),
    # in cases
    ("to m", "x % (m + 1)", "grundy", "m <= 3", "proved"),
    ("to m", "x % (m + 1) == 0 or x == 90 and m == 3", "p", "m <= 3", "refuted"),
    ("to a*b", "x % (a*b + 1) == 0", "p", "a <= 2 and b <= 2", "proved"),
    ("to a*b", "x % (a*b + 1) == 0", "p", "a <= 2", "proved"),
    ("to a*b", "x % (a*b + 1) == 0 and x*x*x != 7*(a*b + 1)*(a*b + 1)*(a*b + 1)", "p", "a <= 2", "undecided"),
    # by periods
    ("split", "(x + 1) % 2", "grundy", "x >= 1", "proved"),
    ("three", "y == x + 2 and x % 4 <= 1", "p", "z == 2 and x <= y", "proved"),
    ("three", "y == x + 2 and x % 4 <= 2", "p", "z == 2 and x <= y", "refuted"),
    # a pass, misère play
    ("pass", "x == y if p == 0 else x ^ y == 1 and x + y > 0", "p", "", "refuted"),
    ("misere", "x == y and x >= 2 or x + y == 1", "p", "", "proved"),
    # claims of other kinds
    ("one", "@below", "", "", "proved"),
    ("one", "@negative", "", "", "refuted"),
    ("one", "@t", "", "", "proved"),
    # about nothing
    ("one", "@none", "", "", "nothing"),
    ("one", "x == 5", "p", "x < 0", "nothing"),
    ("three", "x == y", "p", "z == 9", "nothing"),
    ("with m", "x == 0", "p", "m < 1", "nothing"),
    ("no m", "x == 5", "p", "", "nothing"),
    ("nowhere", "x == 5", "p", "", "nothing"),
    ("no function", "@runs", "", "", "nothing"),
    # of the rulesets of the catalogue
    ("nim-with-a-pass-2.yaml", "@theorem-1", "", "", "proved"),
]
_read: dict[str, Ruleset] = {}


def ruleset(name: str, folder: Path) -> tuple[str, Ruleset]:
    """Return the ruleset's file and the ruleset, which is read once."""
    path = SHIPPED / name
    if name in RULESETS:
        path = folder / f"{name.replace(' ', '-').replace('*', 'x')}.yaml"
        path.write_text(f"title: t\n{RULESETS[name]}", encoding="utf-8")
    if name not in _read:
        _read[name] = gl.load(path)
    return str(path), _read[name]


Answer = Mapping[str, Any]
SAME = ("status", "counterexample", "exactly", "playable", "unnamed")


def region(answer: Answer) -> set[Expr]:
    """Return where the formula is proved: the terms of the question's and of the answer's condition."""
    both = conjunction(parse_condition(answer["assuming"]), parse_condition(answer["where"]))
    return set(both.terms) if isinstance(both, Logic) and both.op == "and" else {both}


def small_places(game: Ruleset, answer: Answer) -> set[tuple[int, ...]]:
    """Return the small values of parameters and coordinates for which the formula is proved."""
    names, where = game.formula_names, conjunction(game.domain, *region(answer))
    every = product(range(16), repeat=len(names))
    return {at for at in every if evaluate(where, dict(zip(names, at, strict=True)))}


def in_python(game: Ruleset, formula: str, target: str, where: str) -> Answer:
    if formula.startswith("@"):
        proof = gl.prove(game, game.claim(formula[1:]), where=where or "True")
    else:
        proof = gl.prove(game, formula, target, where or "True")
    return _whole(attempts(proof, lambda _: None, None, proof.where))


def on_the_command_line(
    file: str, formula: str, target: str, where: str, capsys: pytest.CaptureFixture[str]
) -> Answer:
    asked = (
        ["--claim", formula[1:]] if formula.startswith("@") else ["--formula", formula, "--target", target]
    )
    status = main(["prove", file, *asked, *(["--where", where] if where else []), "--json"])
    answer: Answer = json.loads(capsys.readouterr().out)
    assert status == {"proved": 0, "refuted": 1, "undecided": 3}[answer["status"]]
    return answer


def in_the_workflow(game: Ruleset, formula: str, target: str, where: str, folder: Path) -> Answer:
    under = parse_condition(where or "True", game.piles)
    if formula.startswith("@"):
        judged = results(claims=(made.claim(claim=formula[1:]),))
    else:
        text = str(parse(formula, game.piles))
        judged = results(formulas=(made.formula(formula=text, target=target, where=str(under)),))
        under = TRUE
    return _whole(prove_all(game, judged, [under], 60, folder))


def _whole(tried: Sequence[Finding]) -> Answer:
    """Return the answer; if the statement is false, with the part that is still true."""
    answer, *but = map(record_of, tried)
    return {**answer, "but": but[0] if but else None}


def _for_which(answer: Answer) -> Any:
    """Return the parameters for which a refuted statement is proved; None if there are none."""
    but = answer["but"]
    return but and ({key: but[key] for key in SAME}, region(but), but["procedures"])


@pytest.mark.parametrize(("name", "formula", "target", "where", "wanted"), thinned(QUESTIONS, 4))
def test_it_is_the_same_answer_whoever_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    name: str, formula: str, target: str, where: str, wanted: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    file, game = ruleset(name, tmp_path)
    python = in_python(game, formula, target, where)
    line = on_the_command_line(file, formula, target, where, capsys)
    stage = in_the_workflow(game, formula, target, where, tmp_path / "proofs")
    assert python["status"] == ("undecided" if wanted == "nothing" else wanted)
    assert (python["reason"] or "").startswith("nothing is asked: ") == (wanted == "nothing")
    for answer in (line, stage):
        assert {key: answer[key] for key in SAME} == {key: python[key] for key in SAME}
        assert region(answer) == region(python)
        assert answer["reason"] == python["reason"] or wanted not in ("nothing", "undecided")
        assert answer["procedures"] == python["procedures"]
        assert _for_which(answer) == _for_which(python)
    if wanted == "proved":
        assert main(["certify", file, line["proof"], "--json"]) == 0
        again = json.loads(capsys.readouterr().out)
        assert again["status"] == "proved"
        # a claim for some parameters is proved for these; Python says also for which it is true at all
        assert region(again) == region(python) or (
            region(again) < region(python) and small_places(game, again) == small_places(game, python)
        )
