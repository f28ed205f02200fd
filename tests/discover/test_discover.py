"""The guarantees of discovery for any game: exactness as counted, determinism, ranking, errors."""

import time
from functools import partial

import numpy as np
import pytest
from tests.discover.made import made
from tests.sizes import thinned
from tests.solved import tables

from grundylab.discover import (
    EngineQuestion,
    Samples,
    collect,
    discover,
    engine_findings,
    engine_named,
)
from grundylab.discover.ranking import rank
from grundylab.errors import GrundylabError
from grundylab.games import parse_target
from grundylab.language import parse
from grundylab.language.arrays import evaluate_arrays

NIM_PASS = "title: t\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {when: True}\n"
P, GRUNDY = parse_target("p"), parse_target("grundy")


synthetic = partial(made, parameters=("m",), x=range(13), y=range(13), m=[3, 5, 6])


ONE, TWO, THREE = {"x": range(120)}, {"x": range(26), "y": range(26)}, {n: range(10) for n in "xyz"}
BINARY = {"x": range(65), "y": range(65)}, {"x": range(0, 500, 7), "y": range(0, 500, 3)}
FORMULAS = {  # engine: (formula, names of parameters, ranges to learn from, ranges beyond where it must be right)
    "search": [
        *((formula, ("m",), {"x": range(13), "y": range(13), "m": (3, 5, 6)}, None) for formula in (
            "True", "x % 3 == 1 and y % 2 == 0", "x + 2 * y >= 3 * m", "is_power_of_two(x + y + 1) and x >= y",
            "x == y if x + y < m else x ^ y == 1", "max(x, y) % (m + 1) == 0", "4", "min(x, y) + m",
            "x ^ y if x < m else 0", "max(x, y) // 2 - m", "floor_log2(x + 1)",
        )),
        ("(isqrt(8 * x + 1) - 1) // 2", (), ONE, {"x": range(240)}),
        ("x % 12 == 0 or x % 12 == 3 or x % 12 == 7", (), ONE, {"x": range(240)}),
        ("x * x + y * y <= 400", (), TWO, {"x": range(52), "y": range(52)}),
        ("n % (k + 1) % 3 == 0 and n % (k + 1) != k", ("k",), {"n": range(90), "k": (3, 6, 9, 12)}, {"n": range(90), "k": (14,)}),
        ("max(x, y, z) == 2 * min(x, y, z)", (), THREE, {n: range(20) for n in "xyz"}),
        ("min(x, y) % (k + 1) == 0", ("k",), {**TWO, "k": (2, 3, 5)}, {**TWO, "k": (7,)}),
        ("(n - 1) % (p + q) < p", ("p", "q"), {"n": range(1, 90), "p": (1, 2, 4), "q": (3, 5)}, {"n": range(1, 90), "p": (6,), "q": (3, 7)}),
    ],
    "automata": [
        (condition, (), *BINARY) for condition in (
            "x ^ y == 1", "x + 2*y == 8 or x == y", "x < y", "x % 4 == y % 2", "is_power_of_two(x + y)", "x & y == 0",
        )
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("engine", "number"), thinned(((e, n) for e, rows in FORMULAS.items() for n in range(len(rows))), 2)
)
def test_a_formula__is_found_again_by_search_no_larger_than_twice(engine, number):
    formula, parameters, ranges, beyond = FORMULAS[engine][number]
    samples = made(formula, parameters, **ranges)
    target = P if samples.values.dtype == bool else GRUNDY
    best = rank(engine_named(engine)(samples, target, 0, 30.0).formulas, samples, target, engine, 0)[0]
    assert best.exact
    assert engine != "search" or best.size <= 2 * parse(formula).size, str(best.formula)
    if beyond:
        larger = made(formula, parameters, **beyond)
        assert np.array_equal(evaluate_arrays(best.formula, larger.columns), larger.values), best.formula


def test_formulas_call_the_functions_of_the_rules():
    game = (
        "title: t\nposition: {x: 0..N, y: 0..N}\nfunctions: {f(k): k*k*k - 5*k*k + 7*k}\n"
        "measure: y + f(x) - f(x)\nmoves: [{take: t, from: y}]\n"
    )
    samples = collect(tables(game, "p", N=12), P)
    wanted = evaluate_arrays(parse("f(x) % 5 == y"), samples.columns, samples.functions)
    known = Samples(samples.names, samples.columns, wanted, (), samples.functions)
    best = rank(engine_named("search")(known, P, 0, 10.0).formulas, known, P, "search", 0)[0]
    assert (best.exact, best.size) == (True, 6)


def test_ties_are_told_with_the_constants_that_fit_as_well():
    samples = made("x % 2 == 0 and m % 4 == 0", ("m",), x=range(12), m=[2, 4, 6])
    formulas = engine_named("search")(samples, P, 0, 10.0).formulas
    found = [c for c in rank(formulas, samples, P, "search", 0) if c.exact]
    least = {str(c.formula) for c in found if c.size == found[0].size}
    assert len(least) > 1
    assert len({made(text, x=range(40), m=range(20)).values.tobytes() for text in least}) > 1


def test_a_parameter_that_never_varies_is_not_mentioned():
    game = (
        'title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: "1..min(x, m)", from: x}]\n'
    )
    training = tables(game, "p", m=3, N=40)
    assert collect(training, P).variables == ("x",)
    assert str(discover(training, P)[0].formula) == "x % 4 == 0"


def test_exact_candidates_come_first_and_then_the_smallest():
    samples = synthetic("x == y")
    formulas = [parse(text) for text in ("x <= y", "y - x == 0", "x == y", "x // y == 1", "x")]
    ranked = rank(formulas, samples, P, "search", 0)
    assert [str(candidate.formula) for candidate in ranked] == ["x == y", "y - x == 0", "x <= y"]
    assert [candidate.exact for candidate in ranked] == [True, True, False]


def test_samples_cannot_be_changed():
    samples = synthetic("x == y")
    with pytest.raises(ValueError, match="read-only"):
        samples.values[0] = False
    with pytest.raises(TypeError):
        samples.columns["x"] = samples.columns["y"]


def test_an_unknown_engine_is_refused_with_the_known_ones():
    with pytest.raises(GrundylabError, match="unknown engine 'magic'; engines: search, periods, automata"):
        discover(tables(NIM_PASS, "p", N=8), P, "magic")


@pytest.mark.parametrize(
    ("tables", "target", "words"),
    [(tables(NIM_PASS, "p", N=8), GRUNDY, "needs Grundy numbers"), ([], P, "nothing to train on")],
)
def test_tables_that_cannot_be_learnt_from__are_refused(tables, target, words):
    with pytest.raises(GrundylabError, match=words):
        collect(tables, target)


def test_engines_are_given_the_functions_of_the_rules_and_not_those_of_claims():
    game = """title: t
position: {x: 0..N}
functions:
  g(x): x // 2
  f(x): g(x) + 1
  answer(x): {positions: ["(1 << n) - 1 for n >= 0"]}
moves: [{take: "1..min(x, f(x))", from: x}]
claims: [{id: a, target: p, formula: answer(x) == 1}]
"""
    samples = collect(tables(game, "p", N=40), P)
    assert [function.name for function in samples.functions] == ["g", "f"]
    said = [parse("answer(x) == 1"), parse("f(x) == 1")]
    assert [candidate.formula for candidate in rank(said, samples, P, "search", 0)] == said[1:]


@pytest.mark.parametrize(("engines", "most"), [(("periods", "tree"), 5.0), (("periods",), 10.0)])
def test_an_engine_that_shares_a_budget_leaves_the_others_half(engines, most, monkeypatch):
    allowed = []
    beyond = EngineQuestion.beyond

    def recorded(self, engine, rung, until):
        allowed.append(until - time.process_time())
        return beyond(self, engine, rung, until)

    monkeypatch.setattr(EngineQuestion, "beyond", recorded)
    engine_findings(tables("nim-2", "p", N=8), EngineQuestion.shared(P, 0, 10.0, engines), engines)
    assert most - 1 < allowed[0] <= most
