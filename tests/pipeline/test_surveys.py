"""Surveys: the games that a file describes, its faults with file and line, and the truth of all its results."""

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.bad_input.studies import GUARDS

from grundylab.check import judging
from grundylab.check.equal_games import rules_key, table_key
from grundylab.discover.fingerprints import scattered
from grundylab.errors import GrundylabError, RulesetError
from grundylab.files import package_folder
from grundylab.findings.survey_rows import SURVEY_COLUMNS, SYMMETRY, TABLES, duplicates, survey_rows
from grundylab.games import make_instance, parse_ruleset
from grundylab.language import parse_condition
from grundylab.language.plain import evaluate
from grundylab.pipeline.survey_stages import (
    estimated_work,
    game_after_proofs,
    game_after_tables,
    patterns,
    run_survey,
    survey_results,
)
from grundylab.pipeline.surveys import NoGame, load_survey
from grundylab.solve import solve

TAKE = """\
title: Take one of some numbers
slots:
  A: [1, 2]
  B: 3..4
  LIMIT: {size: 3, of: [x, 2], with: [min, "//"]}
position: {x: 0..N}
moves:
  - {take: [A, B], from: x}
  - {take: 1..LIMIT, from: x, when: x % 2 == 1}
claims:
  - {id: multiples, target: p, formula: x % (A + B) == 0}
"""


def survey_of(folder, text):
    path = Path(folder) / "small.yaml"
    path.write_text(text)
    return load_survey(path)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """Return the survey of guards, its rows, and its folder."""
    folder = tmp_path_factory.mktemp("survey")
    survey = survey_of(folder, GUARDS)
    list(run_survey(survey, folder / "out"))
    return survey, survey_results(survey, folder / "out")[1], folder / "out"


# -- which games -----------------------------------------------------------------------------------


def test_a_game_is_the_ruleset_with_what_stands_for_its_slots(tmp_path):
    survey = survey_of(tmp_path, GUARDS)
    assert survey.count == 8
    game = survey.game(4)
    assert (game.slots, game.filled) == (
        {"E": "x + y", "GUARD": "E >= m"},
        {"E": "x + y", "GUARD": "x + y >= m"},
    )
    written = re.sub(r"(?ms)^slots:.*?(?=^parameters)|^small.*?$|^games.*?$", "", GUARDS).replace(
        "GUARD", "x + y >= m"
    )
    assert game.ruleset.hash == parse_ruleset(written).hash
    assert [claim.formula for claim in game.ruleset.claims] == [
        claim.formula for claim in parse_ruleset(written).claims
    ]


def test_what_stands_for_a_slot_stands_there_in_parentheses(tmp_path):
    text = GUARDS.replace("E % 2 == 0", "2 * E == m").replace("E: [x,", "E: [x + 1,")
    assert survey_of(tmp_path, text).game(1).filled["GUARD"] == "2 * (x + 1) == m"


def test_a_coordinate_may_have_the_name_of_a_key_that_is_said_in_words(tmp_path):
    text = """\
title: At
slots: {E: [2, 3], normal: [1]}
position: {at: 0..N, id: 0..E}
moves:
  - {name: E, for: {note: 1..E}, when: note * normal <= at, to: {at: at - note * E // E}}
play: normal
claims: [{id: normal, target: p, formula: at % E == 0}]
"""
    ruleset = survey_of(tmp_path, text).game(1).ruleset
    assert [str(coordinate.range) for coordinate in ruleset.coordinates] == ["0..N", "0..3"]
    (move,) = ruleset.moves
    assert (move.name, str(move.choices[0].range), str(move.when)) == ("E", "1..3", "note * 1 <= at")
    assert "note * 3 // 3" in str(move.parts[0][0])
    assert (ruleset.play, ruleset.claims[0].id) == ("normal", "normal")


def test_a_move_with_a_slot_of_one_pile_is_a_move_of_every_pile(tmp_path):
    text = GUARDS.replace("{take: t, from: x}", "{take: 1..LIMIT, from: x}").replace(
        "  E:", "  LIMIT: [x, y + 1]\n  E:"
    )
    one, other = (survey_of(tmp_path, text).game(number).ruleset for number in (0, 8))
    assert [move.name for move in one.moves] == ["take from x", "take from y", "pass"]
    assert [move.name for move in other.moves] == [
        "take from x",
        "pass",
    ]  # it names both: as if it were written there


def test_numbers_that_may_be_taken_and_expressions_up_to_a_size_are_slots(tmp_path):
    survey = survey_of(tmp_path, TAKE)
    survey.check()
    made = [survey.game(number).filled["LIMIT"] for number in range(survey.count // 4)]
    assert made == ["x", "2", "min(x, x)", "min(x, 2)", "min(2, 2)", "x // x", "x // 2", "2 // x", "2 // 2"]
    assert survey.game(survey.count - 1).filled == {"A": "2", "B": "4", "LIMIT": "2 // 2"}
    assert str(survey.game(0).ruleset.claims[0].formula) == "x % (1 + 3) == 0"


def test_the_name_of_a_parameter_fixes_it_within_its_domain(tmp_path):
    survey = survey_of(
        tmp_path, GUARDS.replace("  E:", "  m: 0..2\n  E:").replace(", parameters: {m: [1, 2, 3, 4]}", "")
    )
    with pytest.raises(NoGame):
        survey.game(0)
    assert game_after_tables(survey, 0).none.endswith(": m >= 1")
    game = survey.game(2 * 8)
    assert game.ruleset.parameter_names == ()
    assert "x >= 2" in str(game.ruleset.moves[-1].when)


# -- what is wrong with a file ---------------------------------------------------------------------


def test_a_survey_that_there_is_not_is_told_with_those_that_there_are():
    with pytest.raises(RulesetError, match=r"'pass-guard' .* pass-guards"):
        load_survey("pass-guard")


@pytest.mark.parametrize("path", sorted(package_folder("surveys").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_shipped_survey_has_no_fault(path):
    load_survey(path).check()


TAKE_AT_MOST = """\
title: Take at most m
slots:
  m: [1, 2]
parameters: {m: m >= 1}
position: {x: 0..N}
moves:
  - {take: "1..min(m, x)", from: x}
claims:
  - {id: small, condition: k <= m, for: {k: 0..m}}
"""


def refuted_claims(game):
    """Return the claims of a game that its small tables refute."""
    return {finding.source.claim for finding in game.findings} - {*game.left}


# -- which games are one ---------------------------------------------------------------------------


def test_games_that_a_permutation_makes_one_are_found_and_others_are_not(tmp_path):
    survey = survey_of(tmp_path, GUARDS)
    x, y, both, nim_sum = (survey.game(number).ruleset for number in (0, 2, 4, 6))
    assert rules_key(x) == rules_key(y)
    assert len({rules_key(game) for game in (x, both, nim_sum)}) == 3
    tables = [
        [solve(instance, "outcome") for instance in survey.instances(survey.game(n))] for n in (0, 2, 4)
    ]
    assert table_key(tables[0]) == table_key(tables[1]) != table_key(tables[2])


# The rules of a survey's games are the same, or are so after an exchange of coordinates, and the claims are not: the
# first is true only of small numbers k, the second only of the game in which y is the pile of any size.
SAME_RULES = {
    "a range of a claim's variable": """\
title: Take one or two
slots:
  E: [0, 5]
position: {x: 0..N}
moves:
  - {take: [1, 2], from: x}
claims:
  - {id: small, condition: k < 3, for: {k: 0..E}}
""",
    "values that a claim looks up": """\
title: Two piles, of one of which one stone is taken
slots:
  A: [x, 1]
  B: [1, y]
position: {x: 0..N, y: 0..N}
moves:
  - {take: "1..min(A, x)", from: x}
  - {take: "1..min(B, y)", from: y}
claims:
  - {id: alone, values: {G: this}, condition: "G(x, 0) == x and G(y, 0) == y"}
""",
}


@pytest.mark.parametrize("text", SAME_RULES.values(), ids=SAME_RULES)
def test_games_of_equal_rules_whose_claims_say_something_else_are_not_one(tmp_path, text):
    survey = survey_of(tmp_path, text)
    games = [game_after_tables(survey, number) for number in range(survey.count)]
    refuted = [refuted_claims(game) for game in games]
    assert set() in refuted
    assert {*map(len, refuted)} == {0, 1}
    assert all(refuted[new] == refuted[old] for new, (old, _) in duplicates(games).items())


def test_games_whose_rows_are_asked_about_are_not_one_after_an_exchange_of_coordinates(tmp_path):
    survey = survey_of(tmp_path, GUARDS)
    x, y = (survey.game(number).ruleset for number in (0, 2))
    assert rules_key(x) == rules_key(y)
    assert rules_key(x, rows=True) != rules_key(y, rows=True)


def test_a_slot_that_fixes_a_parameter_is_put_into_the_ranges_of_claims_too(tmp_path):
    survey = survey_of(tmp_path, TAKE_AT_MOST)
    assert [[str(c.variables[0].range) for c in survey.game(n).ruleset.claims] for n in (0, 1)] == [
        ["0..1"],
        ["0..2"],
    ]


def test_a_game_that_is_an_earlier_one_is_said_to_be_it_and_not_asked(done):
    survey, rows, _ = done
    found = duplicates([game_after_tables(survey, number) for number in range(survey.count)])
    assert found == {2: (0, SYMMETRY), 3: (1, SYMMETRY), 7: (5, TABLES)}  # x ^ y is even where x + y is
    same = {row["game"]: (row["same_as"], row["same_by"]) for row in rows if row["status"] == "same"}
    assert same == found
    assert all(row["proof"] is None and row["condition"] is None for row in rows if row["status"] == "same")


# -- what is said of them --------------------------------------------------------------------------


def test_what_is_proved_is_true_beyond_the_tables_and_exactly_where_it_is_said(done):
    survey, rows, _ = done
    theorems = [row for row in rows if row["status"] == "proved"]
    assert {row["claim"] for row in theorems} == {"one-more", "as-nim", "after"}
    for row in theorems:
        game = survey.game(row["game"])
        claim = game.ruleset.claim(row["claim"])
        assert row["exactly"] or row["condition"] == "True"
        for m in (1, 2, 3, 5, 8, 12):
            table = solve(make_instance(game.ruleset, {"m": m}, {"N": 9}), "outcome", "reference")
            check = judging.judge_table(claim, table)
            assert check.holds is evaluate(parse_condition(row["condition"]), {"m": m}), (row["filled"], m)


def test_what_is_refuted_is_wrong_at_its_counterexample_and_nothing_is_dropped_that_is_right(done):
    survey, rows, _ = done
    refuted = [row for row in rows if row["status"] == "refuted"]
    assert refuted
    for row in refuted:
        game = survey.game(row["game"])
        claim = game.ruleset.claim(row["claim"])
        said = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", row["counterexample"])}
        table = solve(make_instance(game.ruleset, {"m": said.pop("m")}, {"N": 8}), "outcome", "reference")
        position = tuple(said[name] for name in game.ruleset.coordinate_names)
        found = evaluate(claim.formula, {**said, **dict(table.instance.parameters)})
        assert found is not (table[position] == 0)
        if row["reason"] and row["reason"].startswith("wrong for each of"):
            for m in (1, 2, 3, 4):
                table = solve(make_instance(game.ruleset, {"m": m}, {"N": 6}), "outcome", "reference")
                assert judging.judge_table(claim, table).holds is False


def test_a_claim_about_all_parameters_is_refuted_by_those_for_which_it_is_wrong_alone(tmp_path):
    text = GUARDS.replace("{id: one-more, target: p,", "{id: one-more, target: p, where: m >= 1,")
    row = survey_rows([game_after_tables(survey_of(tmp_path, text), 0)])[0]
    assert row["status"] == "refuted"
    assert re.findall(r"m=(\d)", row["reason"]) == ["1", "3"]


def test_every_game_and_claim_has_its_row_in_the_table_and_every_proof_its_file(done):
    survey, rows, folder = done
    frame = pd.read_parquet(folder / "survey.parquet")
    assert len(frame) == len(rows) == survey.count * 3
    assert list(zip(frame["game"], frame["claim"], strict=True)) == list(
        product(range(survey.count), ["one-more", "as-nim", "after"])
    )
    assert frame["slot.GUARD"][0] == "x >= m"
    assert all(Path(row["proof"]).is_file() for row in rows if row["status"] == "proved")


def test_the_page_names_every_theorem_and_links_its_proof(done):
    _, rows, folder = done
    page = (folder / "page" / "index.html").read_text()
    for row in rows:
        if row["status"] == "proved":
            assert 'id="game-{}-{}"'.format(row["game"], row["claim"]) in page
    links = re.findall(r'href="(proofs/[^"]+)"', page)
    assert len(links) == sum(row["status"] == "proved" for row in rows)
    assert all((folder / "page" / link).is_file() for link in links)
    assert re.search(r'<td class="refuted" title="[^"]*smallest|<td class="refuted"', page)


def test_periods_of_heaps_are_those_of_the_game(tmp_path):
    text = "\n".join(TAKE.splitlines()[:5]) + (
        "\nposition: {x: 0..N}\nmoves:\n  - {take: [A, B], from: x}\nrows: {target: grundy}\nsmall: {bounds: {N: 20}}\n"
    )
    survey = survey_of(tmp_path, text)
    list(run_survey(survey, tmp_path / "out"))
    _, rows = survey_results(survey, tmp_path / "out")
    theorems = [row for row in rows if row["status"] == "proved"]
    assert [row["game"] for row in theorems] == [
        0,
        9,
        18,
        27,
    ]  # the rules mention no LIMIT: its other values are the same
    assert {row["status"] for row in rows} == {"proved", "same"}
    for row in theorems:
        table = solve(make_instance(survey.game(row["game"]).ruleset, {}, {"N": 300}), "grundy", "reference")
        values = [table[x,] for x in range(301)]
        assert all(
            values[n] == values[n + row["period"]] for n in range(row["preperiod"], 300 - row["period"])
        )


# Of each survey that comes with grundylab a game, what is proved of it, and tables that are larger than its small ones.
THEOREMS = [
    ("pass-guards", 12, "one-more-while-it-may-be-made", {"N": 9}, [{"m": 9}, {"m": 12}]),
    ("pass-guards-of-size-3", 0, "one-more-while-it-may-be-made", {"N": 9}, [{"m": 9}, {"m": 6}]),
    ("stone-weights", 0, "weight-and-1", {"N": 20}, [{}]),
    ("turn-limits", 18, "every-turn", {"N": 40, "K": 8}, [{}]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "number", "claim", "bounds", "settings"), THEOREMS, ids=[t[0] for t in THEOREMS]
)
def test_a_theorem_of_a_shipped_survey_is_true_by_the_definition_beyond_its_tables(
    tmp_path, name, number, claim, bounds, settings
):
    survey = load_survey(name)
    found = game_after_tables(survey, number)
    assert claim in found.left
    answered = game_after_proofs(survey, replace(found, left=(claim,)), tmp_path)
    (row,) = [row for row in survey_rows([answered]) if row["claim"] == claim]
    assert row["status"] == "proved"
    assert row["procedures"]
    game = survey.game(number)
    for parameters in settings:
        holds = evaluate(parse_condition(row["condition"]), parameters)
        table = solve(make_instance(game.ruleset, parameters, bounds), "outcome", "reference")
        assert judging.judge_table(game.ruleset.claim(claim), table).holds is holds, parameters


def test_a_period_of_the_shipped_survey_is_that_of_the_definition_beyond_its_table(tmp_path):
    survey = load_survey("octal-games")
    number = int("151", 8)  # 0.151 = 0.51
    (row,) = survey_rows([game_after_proofs(survey, game_after_tables(survey, number), tmp_path)])
    assert (row["status"], row["preperiod"], row["period"]) == ("proved", 1, 1)
    table = solve(make_instance(survey.game(number).ruleset, {}, {"N": 80}), "grundy", "reference")
    assert all(table[x,] == 1 for x in range(1, 81))


def verdicts(claim, proved):
    """Return rows of the games a, b = 1..6; the claim is proved if ``proved(a, b)``, and refuted otherwise."""
    return [
        SURVEY_COLUMNS
        | {
            "game": 6 * a + b, "slots": {"a": str(a), "b": str(b)}, "filled": {"a": str(a), "b": str(b)},
            "claim": claim, "formula": "x == y", "status": "proved" if proved(a, b) else "refuted",
            "condition": "True" if proved(a, b) else None,
        }
        for a, b in product(range(1, 7), repeat=2)
    ]  # fmt: skip


def test_what_the_numbers_in_the_slots_have_to_do_with_it_is_found_if_it_is_so_of_games_left_out():
    rows = verdicts("equal", lambda a, b: a == b) + verdicts("even", lambda a, b: (a + b) % 2 == 0)
    found = {pattern.claim: pattern for pattern in patterns(rows)}
    for claim, right in (("equal", lambda a, b: a == b), ("even", lambda a, b: (a + b) % 2 == 0)):
        condition = found[claim].condition
        assert all(
            evaluate(condition, {"a": a, "b": b}) == right(a, b) for a, b in product(range(1, 20), repeat=2)
        )
        assert (found[claim].learnt, found[claim].tried) == (24, 12)


def test_no_pattern_is_told_that_a_game_left_out_is_against():
    a, b = divmod(int(scattered(np.arange(36))[0]), 6)  # one of those that are not learnt from
    assert list(patterns(verdicts("noise", lambda *at: (at[0] == at[1]) != (at == (a + 1, b + 1))))) == []


def test_the_work_is_told_before_it_is_done(tmp_path):
    work = estimated_work(survey_of(tmp_path, GUARDS))
    assert (work.games, work.jobs) == (8, 5)
    assert 0 < work.questions < 24
    assert work.text.startswith("8 games in 5 jobs; ")


def test_a_game_of_which_a_part_is_no_game_is_told(tmp_path):
    text = TAKE.replace("1..LIMIT", "0..LIMIT")  # to take nothing lowers no measure
    assert "lower" in game_after_tables(survey_of(tmp_path, text), 0).none


def test_errors_are_grundylabs():
    assert issubclass(NoGame, GrundylabError)
