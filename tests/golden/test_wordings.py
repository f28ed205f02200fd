"""How a part of an output is worded: each case, with its words below it."""

import json
from dataclasses import replace

import pytest
from tests.findings.made import UNNAMED, WRONG, counts, formula, proof, related
from tests.findings.test_digit_words import OF_TWO, WORDS

from grundylab.check.families import judge_family, parse_extent
from grundylab.check.judging import judge
from grundylab.cli.main import main
from grundylab.findings.digit_words import digits_in_words
from grundylab.findings.hand_calculation import hand_calculation
from grundylab.findings.wording import (
    extent_words,
    is_partly_proved,
    procedures_text,
    proof_words,
    proved_counts_text,
    words_text,
)
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.language import parse_condition
from grundylab.records.relation import relation_text
from grundylab.report.decisions import verdict_text
from grundylab.report.formula_lines import line_of
from grundylab.report.rules_in_words import rules
from grundylab.solve import solve
from grundylab.solve.explaining import explain


def listed(cases):
    """Return each case with its words."""
    return "".join(f"{case}\n    {words}\n" for case, words in cases)


RULES = [
    "piles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]",
    "parameters: {m: m >= 1}\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: 1..ceil(x/2), from: x}]\n"
    "pass: {when: x + ... >= m}",
    "position: {x: 0..N, y: 0..N, z: 0..N}\nplay: misere\n"
    "moves: [{take: t, from: x}, {take: '1..min(3, y)', from: y}, {take: '1..min(z, 1)', from: z}]",
    "position: {x: 0..N}\nmoves: [{take: t, from: x}, {name: split, for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}]",
    "position: {x: 0..N, q: 0..3}\nwhere: q <= x\nfunctions: {'f(n)': {recurrence: f(n-1) + 1, initial: {0: 2}}}\n"
    "moves: [{take: t, from: x, name: lower, when: x >= q + t}, {for: {s: '0..f(x)'}, when: q > 0, to: {q: q - 1}}]",
    "position: {x: 0..N}\nfunctions: {'f(n)': {cases: [{when: n > 8, value: 2}, {when: n > 4, value: 1}, {otherwise: n}]}}\n"
    "moves: [{take: '1..min(f(x), x)', from: x}]",
    "position: {x: 0..N}\nfunctions: {'f(n)': {any: f(n) >= 1}}\nmoves: [{take: '1..min(f(x), x)', from: x}]",
]


def test_rules(golden):
    told = [rules(parse_ruleset(f"title: A game\n{text}\n")) for text in RULES]
    assert (
        listed((text, " ".join(map(words_text, said))) for text, said in zip(RULES, told, strict=True))
        == golden
    )


HEAD = "title: t\npiles: 2\nposition: {x: 0..N}\n"
TAKE = "moves: [{take: t, from: x}]\n"
UNUSUAL = [
    HEAD + TAKE + "claims: [{id: guess, target: p, formula: y == x^2}]\n",
    "title: t\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: 1..x, from: x}]\n",
    "title: t\nposition: {x: 0..N}\nmoves: []\n",
    "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n",
    HEAD + "moves: [{take: t, from: x, when: x > 9 and x < 3}]\n",
    HEAD + "moves: [{take: 4..2, from: x}]\n",
    HEAD + "where: x + y < 0\n" + TAKE,
    HEAD + TAKE + "claims: [{id: guess, target: p, where: x < 0, formula: x == y}]\n",
    "title: Copied\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {name: delete, take: t, from: x}]\n",
]


def test_remark(tmp_path, capsys, golden):
    lines, file = [], tmp_path / "game.yaml"
    for text in UNUSUAL:
        file.write_text(text)
        assert main(["check", str(file), "--json"]) == 0
        lines.append((text.rstrip(), "\n    ".join(json.loads(capsys.readouterr().out)["remarks"])))
    assert listed(lines) == golden


K1, K2 = proof("k == 1", "k == 1"), proof("k == 2", "k == 2", two=False)
# The condition of a formula or claim, and what is proved of it.
PROOFS = {
    "all": ("True", [proof()]),
    "all, by one": ("True", [proof(two=False)]),
    "by one, and again by two": ("True", [proof(two=False), proof()]),
    "the same condition in another order": ("m >= 3 and x <= 2", [proof(where="x <= 2 and m >= 3")]),
    "less than its condition": ("m >= 3", [proof(where="m >= 3 and m % 2 == 0")]),
    "k == 1": ("True", [K1]),
    "k == 1, k == 2": ("True", [K1, K2]),
    "k == 1, and all": ("True", [K1, proof()]),
    "k == 1, and all by one": ("True", [K1, proof(two=False)]),
    "k == 1 by one and by two": ("True", [proof("k == 1", "k == 1", two=False), K1]),
    "k == 1 by one, and k < 9 by two": ("True", [proof("k == 1", "k == 1", two=False), proof(where="k < 9", exactly=True)]),
    "k == 1, and more is needed": ("True", [proof("k == 1", "k == 1 and s > 3")]),
    "a certificate that does not repeat m >= 5": ("True", [proof("m >= 5", "True", exactly=True)]),
    "a certificate that does not repeat x <= 3": ("True", [proof("x <= 3", "True")]),
    "exactly m % 4 == 3": ("True", [proof(where="m % 4 == 3", exactly=True)]),
    "parameters without a name": ("True", [proof(**UNNAMED)]),
    "parameters without a name, and k == 1": ("True", [proof(**UNNAMED), K1]),
    "a claim, exactly m >= 4": ("m >= 8", [proof(where="m >= 4", exactly=True, claim="c")]),
    "a claim, without a name": ("m >= 8", [proof(where="m >= 8", claim="c", **UNNAMED)]),
    "a claim, k == 1": ("m >= 8", [proof("k == 1", "k == 1", claim="c")]),
    "a period": ("True", [proof(second=None, procedures=("certificate of a period",))]),
    "machine-checked": ("True", [proof(procedures=(*proof().procedures, "Coq"))]),
}  # fmt: skip


def test_extent_of_proofs(golden):
    lines = []
    for name, (own, proofs) in PROOFS.items():
        record = formula(where=own, proofs=(*proofs, proof(status="undecided")))
        part = " (in part)" if is_partly_proved(record) else ""
        lines.append((name, f"{words_text(extent_words(record))}{part} | {words_text(proof_words(record))}"))
        lines += [("  proof:", procedures_text(each)) for each in proofs]
    records = [formula(proofs=(proof(),)), formula(proofs=(K2,)), formula(complete=True)]
    assert listed([*lines, ("counted", proved_counts_text(records))]) == golden


RECORD = {"where": "p == 0", "instances": {"m=4,N=9": 9, "m=8,N=9": 9}}
LINES = {
    "holds": {},
    "where it seems to hold": {"condition": "m == 4"},
    "proved twice": {"proofs": (proof(where="m % 4 == 0"),) * 2},
    "proved for all, and for one": {"proofs": (proof("m == 8", "m == 8", two=False), proof(where="True"))},
    "proved for some": {"proofs": (proof(where="m % 4 == 0"), proof("m == 8", "m == 8", two=False))},
    "without a name": {"proofs": (proof(where="True", **UNNAMED),)},
    "refuted, proved for one": {"counterexample": WRONG, "proofs": (proof("m == 8", "m == 8", two=False),)},
    "not proved": {"proofs": (proof(status="undecided"),)},
    "nearly": {"where": "True", "train": counts(9_999, 10_000)},
}


def test_line_of_formula(golden):
    found = {name: line_of(formula(**{**RECORD, **changed})) for name, changed in LINES.items()}
    assert listed((name, f"{line.where} | {line.bound}") for name, line in found.items()) == golden


EXTENDS = {"relation": "extends", "claim": "a", "by": "proof"}
DIFFERS = {"relation": "differs", "claim": "b", "by": "tables", "bound": ("N=9",)}
RELATIONS = {
    "none": None,
    "new": related(),
    "uncompared": related(headline="uncompared", compared=0),
    "new, nothing compared": related(compared=0),
    "new, two left out": replace(related(), left_out=2),
    "differs": related(DIFFERS, headline="differs"),
    "extends, differs": related(EXTENDS, DIFFERS, headline="extends"),
    "extends two": related({**EXTENDS, "where": "k == 1"}, {**EXTENDS, "claim": "b"}, headline="extends"),
}


def test_relation(golden):
    assert listed((name, relation_text(relation)) for name, relation in RELATIONS.items()) == golden


def test_digits(golden):
    one = [(text, digits_in_words(parse_condition(f'accepts("{text}", n)'))) for text, _ in WORDS]
    two = [(text, digits_in_words(parse_condition(f'accepts("{text}", x, y + 1)'))) for text in OF_TWO]
    assert listed((text, words_text(said) if said else said) for text, said in [*one, *two]) == golden


NIM = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\nclaims:\n"
FALSE = [
    "target: grundy, formula: x | y",
    "target: grundy == 2, formula: x + y == 2",
    "target: p, formula: x == 0",
    "target: p, formula: x == y == 0",
    "every-option: x < 2",
    "where: x >= 1, some-option: x == y",
    "condition: x ^ y == x + y",
    "condition: x == 0 or y <= x < 5",
    "condition: x == y if x > 2 else y != 1",
    "condition: (1 if x == 0 else 0) == (1 if y == 0 else 0)",
    "condition: not x == y",
    "condition: x // (y - 1) <= x",
    "for: {m: 0..N}, condition: m < 5",
    "for: {m: 1..2, n: m..2}, condition: x + m + n < 4",
    "values: {G: this}, condition: 'G(x, y) == x'",
]
FAMILY = (
    "title: maximum Nim\nposition: {x: 0..N}\nfunctions:\n  f(n): {any: f(n) <= n}\n"
    "moves: [{take: 1..f(x), from: x}]\nclaims:\n  - {id: a, target: grundy, formula: f(x)}\n"
)


def test_counterexample(golden):
    """Write the verdict, and then the calculation by hand."""
    lines = []
    for claim in FALSE:
        ruleset = parse_ruleset(f"{NIM}  - {{id: a, {claim}}}\n", "game")
        found = judge(ruleset.claims[0], [solve(make_instance(ruleset, {}, {"N": 7}))])
        by_hand = hand_calculation(ruleset, ruleset.claims[0], found.counterexample)
        lines += [(claim, verdict_text(found).replace("\n", "\n    ")), ("  by hand:", words_text(by_hand))]
    ruleset = parse_ruleset(FAMILY, "maximum")
    extents = {"f": parse_extent("0..3 -> 0..2")}
    (found,), _ = judge_family(ruleset.claims, [make_instance(ruleset, {}, {"N": 3})], extents)
    by_hand = hand_calculation(ruleset, ruleset.claims[0], found.counterexample)
    lines += [("a family", verdict_text(found).replace("\n", "\n    ")), ("  by hand:", words_text(by_hand))]
    assert listed(lines) == golden


@pytest.mark.parametrize(
    ("name", "position", "parameters"),
    [
        ("nim-with-a-pass-from-m", {"x": 3, "y": 5, "z": 6, "p": 1}, {"m": 8}),
        ("misere-nim", {"x": 1, "y": 1, "z": 1}, {}),
        ("kayles", {"x": 9}, {}),
    ],
)
def test_why(name, position, parameters, golden):
    found = explain(load_ruleset(name), position, parameters)
    assert f"{found.why}\n" == golden
