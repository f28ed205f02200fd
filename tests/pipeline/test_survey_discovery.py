"""Discovery in a survey, for games without a true claim: its formulas hold beyond the tables, and failures are told."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from grundylab.check import judging
from grundylab.discover import engine_turns as asking
from grundylab.discover.cost import cost
from grundylab.findings.survey_rows import DISCOVERY
from grundylab.games import Claim, make_instance
from grundylab.games.model import P_POSITIONS
from grundylab.games.slots import enumerate_expressions
from grundylab.language import Kind, parse
from grundylab.pipeline.survey_stages import (
    estimated_work,
    game_after_proofs,
    game_after_tables,
    run_survey,
    survey_results,
)
from grundylab.pipeline.surveys import load_survey
from grundylab.solve import solve

SEEK = """\
title: One pile
slots:
  A: [2]
  B: [False, x % 3 == 0, x * x % 97 < 40]
position: {x: 0..N}
moves:
  - {take: [1, A], from: x}
  - {take: 6, from: x, when: x >= 6 and B}
small: {bounds: {N: 40}}
claims:
  - {id: multiples, target: p, formula: x % (A + 1) == 0}
  - {id: even, target: p, formula: x % 2 == 0}
discover: {budget: 0.3, engines: [search], test: {bounds: {N: 160}}}
games_a_job: 2
"""


def survey_of(folder, text):
    path = Path(folder) / "seek.yaml"
    path.write_text(text)
    return load_survey(path)


@pytest.fixture(scope="module")
def sought(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sought")
    survey = survey_of(folder, SEEK)
    list(run_survey(survey, folder / "out"))
    return survey, survey_results(survey, folder / "out")[1], folder / "out"


def test_formulas_are_looked_for_in_those_games_of_which_no_claim_is_left_and_in_no_others(sought):
    _, rows, _ = sought
    left = {row["game"] for row in rows if row["claim"] != DISCOVERY and row["status"] != "refuted"}
    assert {row["game"] for row in rows if row["claim"] == DISCOVERY} == set(range(3)) - left
    assert left


def test_what_is_discovered_is_true_beyond_the_tables_or_nothing_is_said_to_be_found(sought):
    survey, rows, _ = sought
    told = [row for row in rows if row["claim"] == DISCOVERY]
    assert {row["status"] for row in told} == {"proved", "nothing"}
    for row in told:
        assert (row["engine"] is None) is (row["status"] == "nothing")
        table = solve(make_instance(survey.game(row["game"]).ruleset, {}, {"N": 700}), "outcome", "reference")
        if row["status"] == "proved":
            assert row["proof"]
            assert row["checked"] == 161
            assert judging.judge_table(Claim("found", P_POSITIONS, parse(row["formula"])), table).holds
            assert cost(parse(row["formula"])) > row["none_up_to"]
        else:
            assert row["reason"].endswith(f"up to {row['none_up_to']}")


def test_no_formula_up_to_the_cost_that_is_told_is_right(sought):
    survey, rows, _ = sought
    told = next(row for row in rows if row["status"] == "nothing")
    table = solve(make_instance(survey.game(told["game"]).ruleset, {}, {"N": 159}), "outcome")
    for formula in enumerate_expressions(
        [parse(part) for part in ("x", "1", "2", "3")], ("%", "&", "=="), 5, Kind.CONDITION
    ):
        if cost(formula) <= told["none_up_to"]:
            assert judging.judge_table(Claim("tried", P_POSITIONS, formula), table).holds is not True


def test_what_is_learnt_from_is_below_what_is_checked_on(sought, monkeypatch, tmp_path):
    survey, rows, _ = sought
    number = next(row["game"] for row in rows if row["claim"] == DISCOVERY)
    seen = []
    original = asking.collect
    monkeypatch.setattr(
        asking, "collect", lambda tables, *more: seen.extend(tables) or original(tables, *more)
    )
    game_after_proofs(survey, replace(game_after_tables(survey, number), findings=(), left=()), tmp_path)
    assert seen
    assert all(dict(table.instance.bounds)["N"] < 160 for table in seen)


def test_the_page_the_table_and_the_work_tell_what_is_discovered(sought):
    survey, rows, folder = sought
    page, frame = (folder / "page" / "index.html").read_text(), pd.read_parquet(folder / "survey.parquet")
    for row in rows:
        if row["claim"] == DISCOVERY and row["status"] == "proved":
            assert 'id="game-{}-{}"'.format(row["game"], DISCOVERY) in page
    found = {row["formula"] for row in rows if row["engine"] is not None and row["status"] == "proved"}
    section = page.split(f"<h3>{DISCOVERY} ")[1].split("<h2")[0]
    assert section.count("<summary>") == len(found), (
        "each formula that was found is told once, with its games"
    )
    assert all("<td class=" in each for each in page.split('class="matrix"')[1:]), (
        "none where nothing was asked"
    )
    assert page.count("found by search") == sum(row["engine"] is not None for row in rows)
    assert list(frame["none_up_to"].dropna()) == [
        row["none_up_to"] for row in rows if row["claim"] == DISCOVERY
    ]
    work = estimated_work(survey)
    assert work.discoveries == sum(row["claim"] == DISCOVERY for row in rows)
    assert f"formulas for about {work.discoveries} games" in work.text
