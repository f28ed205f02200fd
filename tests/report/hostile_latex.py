"""A game, formulas and claims about it, and a paper, with texts that LaTeX would obey if they were not escaped."""

from tests.findings.made import claim, formula, paper, proof, related, statement

from grundylab.check.verification import Counterexample
from grundylab.findings.papers import Publication
from grundylab.games import make_instance, parse_ruleset
from grundylab.report.grid import slice_table
from grundylab.report.latex_document import SliceFigure, game_document
from grundylab.solve import solve

HOSTILE = r"50% of #1 & $x_1^2$ {braces} \input{/etc/passwd} ~ <a|b> “q” Łódź 中 ]] \end{definition}"
GAME = """\
title: '{title}'
source: {{paper: a-paper, at: "Definition [1] & {{2}}"}}
parameters: {{m: m >= 1}}
piles: 2
position: {{x: 0..N}}
moves: [{{take: '1..min(m, x)', from: x}}]
pass: {{}}
functions: {{big_f(a): a % (m + 1)}}
claims:
  - {{id: c, at: "Theorem 1 [a_b]", target: p, where: p == 0, formula: "(x % (m + 1)) ^ (y % (m + 1)) == 0"}}
  - {{id: d, at: Lemma 2, target: p, formula: x == y}}
  - {{id: e, at: Lemma 3, target: p, values: {{G: this}}, formula: "G(x, y, p) == 0 and big_f(x) >= 0"}}
"""
PAPER = paper(
    "a-paper", "On $_1 & 'games'", ("A. Müller", "B_C"), "Key1", [statement("x", "y")],
    published=Publication(journal="J. & K.", volume=1, year=2020, number="#2", doi="10.1/a_b"),
)  # fmt: skip
COMMON = {
    "ruleset": "game",
    "stated": "",
    "instances": {"m=2,N=9": 1234},
}
CLAIM = {**COMMON, "paper": "a-paper"}
PROOF = proof(where="m % 2 == 0", exactly=True, proof="results/a_b/x_%.mona")
EXAMPLE = Counterexample({"x": 1, "y": 1, "p": 1}, {"m": 1}, 3, 0, 1)
SAYS = {"relation": "rediscovers", "claim": "d", "by": "tables"}
RECORDS = [
    formula(**COMMON, proofs=(PROOF,), relation=related(SAYS, {"relation": "differs", "claim": "c", "by": "proof"})),
    formula(**COMMON, proofs=(PROOF,), relation=related({**SAYS, "by": "proof", "where": "m == 2"})),
    formula(**COMMON, formula="x ^ y == 0 and accepts('+1,0,, +2,,1,0 +2,,,', x, y)"),
    claim(**CLAIM, claim="c", at="Theorem 1 [a_b]", where="p == 0", formula="(x % (m + 1)) ^ (y % (m + 1)) == 0"),
    claim(**CLAIM, claim="d", at="Lemma 2", counterexample=EXAMPLE),
    claim(**{**COMMON, "paper": None, "values": {"G": "this"}}, claim="e", at="", checked=0, reason="50 % done_",
          formula="G(x, y, p) == 0 and big_f(x) >= 0"),
]  # fmt: skip


def game(title=HOSTILE):
    return parse_ruleset(GAME.format(title=title.replace("'", "''")), "game")


def drawn(ruleset, **parameters):
    table = solve(make_instance(ruleset, parameters, {"N": 9}))
    return SliceFigure(slice_table(table, {"p": 1}), parameters)


def document():
    return game_document(game(), RECORDS, [PAPER], drawn(game(), m=2))
