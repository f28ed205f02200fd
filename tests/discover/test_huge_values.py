"""Every step after a formula is found bears values of any size, and what is written can be read again."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.sizes import examples
from tests.strategies import HUGE, numbers

import grundylab as gl
from grundylab.check.samples import Samples
from grundylab.check.verification import verify_samples
from grundylab.cli.main import main
from grundylab.discover.ranking import is_exact, rank, ties
from grundylab.discover.repairs import with_repairs
from grundylab.discover.rewriting import normal_form, reduce_while_exact
from grundylab.errors import EvaluationError, GrundylabError
from grundylab.files import read_json, write_json
from grundylab.findings.catalogue import record_from_json, record_to_json, write_table
from grundylab.findings.verdicts import finding_of_verdict
from grundylab.findings.wording import equivalent_wordings, words_text
from grundylab.games.model import GRUNDY, P_POSITIONS
from grundylab.language import Kind, parse
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.folding import fold_constants
from grundylab.language.layout import to_latex
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Binary, Compare, Int, Name
from grundylab.pipeline.catalogue_stage import catalogue_stage
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.stages import fit_stage, prove_stage, verify_stage
from grundylab.records.finding import Finding
from grundylab.report.decisions import verdict_text
from grundylab.report.views import html, text

NAMES = ("x", "m")
COLUMNS = {
    name: axis.reshape(-1)
    for name, axis in zip(NAMES, np.meshgrid(range(9), range(5), indexing="ij"), strict=True)
}
LONG = " * ".join(["(1 << (500 * x))"] * 4)  # more than 4,300 digits at x = 8, which Python refuses to write
SHIFTED = st.builds(
    lambda base, factor, name: Binary("<<", base, Binary("*", Int(factor), Name(name))),
    st.builds(Int, HUGE) | st.builds(Name, st.sampled_from(NAMES)),
    st.sampled_from([1, 9, 60, 500]),
    st.sampled_from(NAMES),
)
LARGE = st.builds(Binary, st.sampled_from("+-*^&|"), SHIFTED, SHIFTED | numbers(NAMES, 1, calls=False))


@given(
    LARGE | st.builds(lambda op, a, b: Compare((op,), (a, b)), st.sampled_from(["==", "<="]), LARGE, LARGE)
)
@example(parse("1 << x"))
@example(parse("(1 << (9 * x)) % 2 == x & 1"))
@example(parse(LONG))
@example(parse(f"x if x < 7 else {LONG}"))
@example(parse(f"({LONG}) // x == 1"))
@example(parse(f"{10**39} * ({10**39} * x)"))
@examples(15)
def test_steps_after_discovery__bear_values_of_any_size(tmp_path_factory, formula):
    assume("for x in" not in str(formula))  # no formula about x is read so
    try:
        true = evaluate_arrays(formula, COLUMNS)
    except EvaluationError:
        true = COLUMNS["x"] % 2 == 0 if formula.kind is Kind.CONDITION else COLUMNS["x"]
    fits = true.dtype != object
    values = true if fits else np.array([int(value) % 97 for value in true])
    samples = Samples(NAMES, COLUMNS, values, ("m",))
    target = P_POSITIONS if formula.kind is Kind.CONDITION else GRUNDY
    candidates = with_repairs(
        rank([formula, normal_form(formula, NAMES)], samples, target, "search", 0), samples
    )
    exact = [each.formula for each in candidates if each.exact]
    assert bool(exact) == is_exact(formula, samples)
    assert all(is_exact(each, samples) for each in exact)
    if exact:
        ties(exact, lambda each: is_exact(each, samples), samples)
        reduce_while_exact(exact[0], lambda each: is_exact(each, samples))
    for candidate in candidates:
        assert text(candidate) + html(candidate) + to_latex(candidate.formula)
        assert read_again(candidate, Finding, tmp_path_factory) == candidate

    verdict = verify_samples(formula, target, samples)
    record = finding_of_verdict(verdict)
    assert read_again(record, Finding, tmp_path_factory) == record
    assert verdict_text(verdict) + html(verdict)
    assert [words_text(words) for words in equivalent_wordings(record)] == []
    write_table(tmp_path_factory.getbasetemp() / "huge.parquet", gl.frame([verdict, *candidates]), {})


def read_again(record, kind, factory):
    """Return the record as another stage reads it from the file that one stage writes."""
    file = factory.getbasetemp() / "huge.json"
    write_json(file, record_to_json(record))
    return record_from_json(kind, read_json(file, GrundylabError), file)


@pytest.mark.parametrize("call", ["{} // y", "{} % y", "1 << {}", "1 >> -{}", "isqrt(-{})", "is_prime({})"])
def test_a_message_gives_the_length_of_a_very_long_number(call):
    formula = parse(call.format(f"({LONG})"))
    for evaluated in (evaluate, lambda *given: evaluate_arrays(*given).tolist()):
        with pytest.raises(EvaluationError, match="16,001 bits"):
            evaluated(formula, {"x": np.int64(8).item(), "y": 0})


def test_constants_that_could_not_be_read_again_are_not_multiplied_out():
    for rewritten in (normal_form, lambda formula, _: fold_constants(formula)):
        formula = parse(f"{10**39} * {10**39} + x")
        assert parse(str(rewritten(formula, NAMES))) is not None


# -- where a formula with large values comes from -----------------------------------------------------------------

SPLIT_FILES = {"train": ["train.csv"], "validate": [], "test": ["test.csv"]}
POWERS = pd.DataFrame({"n": range(4), "grundy": [1, 2, 4, 8]})  # at n = 127, 1 << n has 128 bits
GAME = """\
title: Take stones from n down to 2^k at least
parameters: {k: k >= 0}
position: {n: 0..N}
moves: [{name: take, for: {t: 1..n}, when: n - t >= 1 << k, to: {n: n - t}}]
"""


@pytest.mark.parametrize("values", [[1, 2, 4, 8], [2, 3, 5, 9], [2, 3, 5, 9, 17, 33, 65]])
def test_discover_and_its_command_find_powers_of_two(tmp_path, capsys, values):
    frame = pd.DataFrame({"n": range(len(values)), "v": values})
    best = gl.discover(frame, "v", budget=2)[0].formula
    assert evaluate(best, {"n": 80}) == 2**80 + values[0] - 1
    frame.to_csv(tmp_path / "powers.csv", index=False)
    assert main(["discover", str(tmp_path / "powers.csv"), "--budget", "2"]) == 0
    assert str(best) in capsys.readouterr().out


def test_rules_with_large_values_are_learnt_from():
    game = gl.load(GAME)
    found = gl.discover([gl.solve(game, k=k, N=64) for k in range(6)], "p", budget=3)
    assert str(found[0].formula) == "n <= 1 << k"


@pytest.mark.long
def test_a_study_of_rules_with_large_values_ends_in_its_formula(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "powers.yaml").write_text(GAME)
    assert main(["study", "powers.yaml", "--budget", "5"]) == 0
    assert "P-positions: n <= 1 << k" in capsys.readouterr().out


def test_a_run_on_tables_with_large_values_ends_in_its_formula(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    POWERS.to_csv("train.csv", index=False)
    pd.DataFrame({"n": [4, 5], "grundy": [16, 32]}).to_csv("test.csv", index=False)
    (tmp_path / "config.yaml").write_text(
        "engines: [search]\nbudget: 2\nstudies:\n  powers:\n    targets: [grundy]\n"
        "    train: {files: [train.csv]}\n    test: {files: [test.csv]}\n"
    )
    (study,) = read_studies(tmp_path / "config.yaml").values()
    fit_stage(study, ["train.csv"], [], "fits.json", "trees", "times.json")
    verify_stage(study, ["fits.json"], *SPLIT_FILES.values(), "verdicts.json", "times.json")
    files = SPLIT_FILES["train"], SPLIT_FILES["test"]
    prove_stage(study, "verdicts.json", "proofs.json", "times.json", "moves.parquet", *files)
    asked = {"powers": study.part(["about", "open"])}
    catalogue_stage(asked, ["proofs.json"], "results/catalogue.json")
    found = pd.read_parquet("results/catalogue.parquet").iloc[0]
    assert (found["formula"], found["status"]) == (
        "1 << n",
        "holds",
    )  # without rules, nothing is refuted by them
    assert json.loads((tmp_path / "results" / "catalogue.json").read_text())["findings"]
