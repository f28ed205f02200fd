"""The parameters of test tables differ in kind from those that are learnt from."""

from pathlib import Path

import pytest

import grundylab as gl
from grundylab.check.verification import verify
from grundylab.games import parse_ruleset, parse_target
from grundylab.language import parse
from grundylab.pipeline.config import read_studies
from grundylab.solve.instance_choice import TELLING, usual_tables

# PySR's answer for m = 4, 8, 12: it is right for the multiples of 4 with one or two binary ones, as 16, 20 and 64 are.
FALSE = parse("x ^ y ^ z == (1 if 2 * max(max(x, y), x ^ y) * p >= m else 0)")
PILE = 'title: t\nparameters: {{m: {domain}}}\nposition: {{x: 0..N}}\nmoves: [{{take: "1..min(x, m)", from: x}}]\n'


@pytest.mark.parametrize("file", ["config.yaml", "studies/papers.yaml"])
def test_a_false_answer_that_is_right_for_few_binary_ones_is_refuted_by_the_shipped_study(file):
    study = read_studies(Path(file))["nim-with-a-pass-from-m"]
    (telling,) = [each for each in study.test if dict(each.parameters)["m"] == 28]
    small = gl.solve(study.ruleset, m=28, N=24)  # a part of the study's table
    assert dict(telling.bounds)["N"] >= 24
    assert verify(FALSE, parse_target("p"), [small]).status == "refuted"
    # in this respect the others are like those that are learnt from
    assert all(bin(dict(each.parameters)["m"]).count("1") <= 2 for each in study.train)


@pytest.mark.parametrize(("domain", "further"), [("m >= 1", TELLING), ("1 <= m <= 16", (13, 15))])
def test_without_a_choice_tables_to_check_on_have_parameters_of_other_kinds(domain, further):
    train, test = usual_tables(parse_ruleset(PILE.format(domain=domain)), 5, "grundy")
    learnt, checked = ({dict(each.parameters)["m"] for each in tables} for tables in (train, test))
    assert not learnt & {*further}
    assert learnt < checked
    assert {*further} <= checked
    assert checked - learnt == {7, 8, *further}
