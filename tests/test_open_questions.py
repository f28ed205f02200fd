"""The answers to the open questions: each settled statement holds by the definition, beyond the training tables."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import yaml

from grundylab.games.instance import make_instance
from grundylab.games.load import load_ruleset
from grundylab.language.plain import compile_plain
from grundylab.pipeline.config import read_studies
from grundylab.solve.reference import mex, solve_reference
from grundylab.solve.table import NO_POSITION

ROOT = Path(__file__).parents[1]
QUESTIONS = yaml.safe_load((ROOT / "studies" / "questions.yaml").read_text())
SETTLED = [
    ("chocolate-odd", {"k": 1}, ["grundy-1"]),
    ("chocolate-odd", {"k": 3}, ["grundy-3"]),
    ("chocolate-odd", {"k": 5}, ["odd-k"]),
    ("chocolate-odd", {"k": 7}, ["odd-k"]),
    ("one-or-all-of-3", {}, ["all-sizes"]),
    ("one-or-all-of-4", {}, ["all-sizes"]),
    ("one-or-all-of-5", {}, ["all-sizes"]),
    ("take-no-more-than-last", {}, ["losing", "number-1", "number-2", "number-3"]),
]
# n: the stones at which a pass breaks the reverse-mex property of 2, 4n and 4n + 2
EXCEPTIONS = {
    1: {2, 3, 6, 7},
    2: {10, 11, 14, 15, 16, 17, 22, 23, 26, 27, 28, 29, 36, 37},
    3: {14, 15, 18, 19, 30, 31, 44, 45},
}


@cache
def studies():
    return read_studies(ROOT / "studies" / "open.yaml", str(ROOT / "rulesets"))


def twice_learnt(name):
    """Return twice the largest bound of the tables that the study's engines learn from."""
    return 2 * max(dict(instance.bounds)["N"] for instance in studies()[name].train)


@pytest.mark.parametrize(("name", "parameters", "ids"), SETTLED)
def test_a_settled_statement_is_what_the_definition_says(name, parameters, ids):
    ruleset = load_ruleset(ROOT / "rulesets" / f"{name}.yaml")
    instance = make_instance(ruleset, parameters, {"N": twice_learnt(name)})
    claims = {claim.id: claim for claim in ruleset.claims}
    target = claims[ids[0]].target
    table = solve_reference(instance, "grundy" if len(ids) > 1 else target.values).values
    for claim in map(claims.get, ids):
        formula, looked_at = compile_plain(claim.formula, ruleset.functions), 0
        for position in np.argwhere(table != NO_POSITION).tolist():
            env = {**dict(zip(ruleset.coordinate_names, position, strict=True)), **parameters}
            value, number = formula(env), table[tuple(position)]
            wanted = {"p": number == 0, "grundy": number}.get(str(claim.target), number == claim.target.value)
            assert value == wanted, (claim.id, env)
            looked_at += 1
        assert looked_at > 100


@pytest.mark.parametrize("n", EXCEPTIONS)
def test_where_the_reverse_mex_property_is_broken_by_a_pass(n):
    name, reach = f"subtraction-2-{4 * n}-{4 * n + 2}-pass", 4 * n + 2
    ruleset, stones = load_ruleset(ROOT / "rulesets" / f"{name}.yaml"), twice_learnt(name)
    numbers = solve_reference(make_instance(ruleset, {}, {"N": stones + reach}), "grundy").values
    for p, expected in ((0, set()), (1, EXCEPTIONS[n])):
        row = numbers[:, p]
        assert {
            x for x in range(stones) if row[x] != mex(row[x + take] for take in (2, 4 * n, reach))
        } == expected


def test_each_question_has_a_source_and_studies_that_ask_it():
    for question in QUESTIONS:
        assert question.keys() - {"url"} == {"question", "source", "at", "known", "studies"}
        assert set(question["studies"]) <= set(studies())
    texts = [question["question"] for question in QUESTIONS]
    assert len(set(texts)) == len(texts)
    asked = {name for question in QUESTIONS for name in question["studies"]}
    answered = yaml.safe_load((ROOT / "studies" / "answers.yaml").read_text())
    assert set(answered) <= asked
