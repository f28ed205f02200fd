"""Strategies of studies: which formula they aim at, what is said of them, and what is kept for ``explain``."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.findings import made
from tests.solved import solved_table
from tests.strategy.referee import failures

from grundylab.cli.main import main
from grundylab.findings.proof_records import proof_record
from grundylab.findings.strategy_columns import COLUMNS, strategies_frame
from grundylab.findings.strategy_files import write_strategy
from grundylab.findings.strategy_search import aims, how_to_win
from grundylab.findings.winning import Winning, WinningMove
from grundylab.findings.winning_words import aim_words, line_words, winning_status
from grundylab.games import make_instance, parse_ruleset
from grundylab.language import parse
from grundylab.prove.prover import prove_claim
from grundylab.report.decisions import strategy_text
from grundylab.report.theorems import strategy_theorem
from grundylab.solve import solve
from grundylab.strategy import learning

SPLIT = "title: Take one, or split a pile into two equal ones\nposition: {n: 0..N}\nmoves:\n  - {take: 1, from: n, when: n % 2 == 1 or n == 2}\n  - {when: n > 0 and n % 2 == 0, to: [{n: n // 2}, {n: n // 2}]}\n"
MISERE = "title: Misère, take 1 to 3\nposition: {x: 0..N}\nplay: misere\nmoves: [{take: '1..min(3, x)', from: x}]\n"


def words(texts):
    return "".join(map(str, texts))


def strategies(ruleset, formula, sizes, prove=True):
    tables = [solve(make_instance(ruleset, {}, {"N": size}), "outcome") for size in sizes] if not ruleset.splits else [
        solve(make_instance(ruleset, {}, {"N": size})) for size in sizes
    ]  # fmt: skip
    proofs = (made.proof(),) if prove else ()
    finding = made.formula(formula=formula, proofs=proofs)

    def proved(claim):
        return proof_record(prove_claim(ruleset, claim), None, claim.id)

    return how_to_win(ruleset, [finding], tables[:1], tables[1:], proved)


def test_a_strategy_is_proved_only_with_the_formula_that_it_aims_at():
    nim = solved_table("nim-2", N=4).instance.ruleset
    statuses = [strategies(nim, "x == y", (8, 20), prove)[0].status for prove in (True, False)]
    assert statuses == ["proved", "holds"]


def test_of_two_whole_strategies_the_one_that_is_proved_is_named():
    nim, statuses = solved_table("nim-2", N=4).instance.ruleset, iter(["undecided", "proved"])
    tables = [solve(make_instance(nim, {}, {"N": size}), "outcome") for size in (8, 20)]
    findings = [made.formula(formula=text, proofs=(made.proof(),)) for text in ("x == y", "x ^ y == 0")]

    def proved(claim):
        return replace(proof_record(prove_claim(nim, claim), None, claim.id), status=next(statuses))

    found = how_to_win(nim, findings, tables[:1], tables[1:], proved)
    assert [each.status for each in found] == ["proved"]


def test_a_theorem_about_parameters_without_a_name_makes_no_strategy_a_theorem():
    """Only an automaton says for which parameters the formula is proved: that is no condition of a strategy."""
    nim = solved_table("nim-2", N=4).instance.ruleset
    finding = made.formula(formula="x == y", proofs=(made.proof(unnamed=True),))
    assert [(aim.where, aim.proved) for aim in aims(nim, [finding])] == [(parse("True"), False)]


def test_under_misere_play_no_move_is_named_where_the_game_is_over():
    ruleset = parse_ruleset(MISERE, "misere")
    (winning,) = strategies(ruleset, "x % 4 == 1", (20, 60))
    assert winning.status == "proved"
    assert not failures(winning.lines, make_instance(ruleset, {}, {"N": 40}))
    normal = replace(winning, play="normal")
    assert strategy_text(winning) != strategy_text(normal)
    assert strategy_theorem(winning, ruleset) != strategy_theorem(normal, ruleset)


def test_a_sum_of_two_equal_positions_is_known_to_be_a_p_position():
    ruleset = parse_ruleset(SPLIT, "split")
    (winning,) = strategies(ruleset, "n == 0 or n % 2 == 1 and n > 1", (20, 60))
    assert winning.status == "proved"
    assert not failures(winning.lines, make_instance(ruleset, {}, {"N": 50}))


def test_what_is_left_is_said_where_it_is_plainer_than_what_is_taken():
    nim = solved_table("nim-2", N=4).instance.ruleset
    (winning,) = strategies(nim, "x == y", (8, 20))
    assert list(map(words, line_words(winning))) == ["if x > y, leave y in x", "if y > x, leave x in y"]
    assert "for all sizes" in words(winning_status(winning))


def test_a_strategy_that_is_right_in_a_sample_is_compared_with_all_positions(monkeypatch):
    """From at most three stones, take them all; from more, that is illegal."""
    monkeypatch.setattr(learning.sampling, "draw_rows", lambda samples, count: np.arange(3))
    ruleset = parse_ruleset(MISERE.replace("play: misere\n", ""), "take")
    (winning,) = strategies(ruleset, "x % 4 == 0", (3, 40), prove=False)
    assert (winning.status, winning.test.right, winning.test.checked) == ("partial", 0, 30)


def test_an_automaton_is_not_written_out_as_an_aim():
    """It is a theorem already, there in words; as an aim, it would be a list of states that nobody can use."""
    winning = Winning(ruleset="nim", status="partial", moves=(), formula=parse('accepts("+0,", x)'))
    assert "accepts" not in words(aim_words(winning)) != ""
    assert parse("x == y") in aim_words(replace(winning, formula=parse("x == y")))


def test_a_false_formula_is_no_aim():
    nim = solved_table("nim-2", N=4).instance.ruleset
    assert not list(aims(nim, [made.formula(formula="x == 0", counterexample=made.WRONG)]))


@pytest.mark.parametrize(("formula", "count"), [("odd(x) == 0", 0), ("x % 2 == 0", 1)])
def test_a_claim_that_calls_a_function_of_the_ruleset_is_no_aim(formula, count):
    game = parse_ruleset(
        """
title: one stone
position: {x: 0..N}
functions: {"odd(x)": "x % 2"}
moves: [{when: x >= 1, to: {x: x - 1}}]
"""
    )
    assert len(aims(game, [made.claim(formula=formula, proofs=(made.proof(),))])) == count


def test_a_proved_claim_about_grundy_numbers_of_a_part_of_the_positions_is_known_but_no_aim():
    """Its condition is about positions, so that a strategy made with it would leave out the others."""
    nim = solved_table("nim-2", N=4).instance.ruleset
    claim = made.claim(target="grundy", formula="x ^ y", where="x >= 1", proofs=(made.proof(),))
    assert aims(nim, [claim]) == []


@pytest.mark.parametrize("position", ["x=3,y=5", "x=5,y=3", "x=4,y=4"])
def test_explain_names_the_line_that_applies(position, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["study", "nim-2", "--json"]) == 0
    winning = json.loads(capsys.readouterr().out)["winning"]
    assert [move["choices"] for move in winning["moves"]] == [{"t": "x - y"}, {"t": "y - x"}]
    assert main(["explain", "nim-2", "--position", position, "--json"]) == 0
    expected = {"x=3,y=5": 1, "x=5,y=3": 0, "x=4,y=4": None}
    assert json.loads(capsys.readouterr().out)["line"] == expected[position]


def test_explain_says_how_to_get_a_strategy_where_there_is_none(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for position, wins in (("x=3,y=5", True), ("x=4,y=4", False)):
        assert main(["explain", "nim-2", "--position", position]) == 0
        assert ("grundylab study nim-2" in capsys.readouterr().out) == wins


@pytest.mark.parametrize(("m", "line"), [(4, 0), (5, None)])
def test_explain_names_no_line_for_parameters_that_the_strategy_is_not_about(
    m, line, tmp_path, monkeypatch, capsys
):
    game = solved_table("nim-with-a-pass-from-m", "outcome", m=4, N=2).instance.ruleset
    move = WinningMove(
        move="x", number=0, when=parse("x > 0"), choices={"t": parse("x")}, left={"x": parse("0")}
    )
    winning = Winning(ruleset=game.name, status="proved", where=parse("m % 4 == 0"), moves=(move,))
    monkeypatch.chdir(tmp_path)
    write_strategy(winning, game, Path("results/proofs/game"))
    assert main(["explain", game.name, "--param", f"m={m}", "--position", "x=3,y=5,z=1,p=1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["line"] == line


def test_the_table_of_strategies_has_a_row_for_each_line():
    nim = solved_table("nim-2", N=4).instance.ruleset
    frame = strategies_frame(strategies(nim, "x == y", (8, 20)))
    assert list(frame.columns) == list(COLUMNS)
    lines = frame[["line", "when", "choices", "left", "status"]].to_numpy().tolist()
    assert lines == [
        [1, "x > y", "t = x - y", "x = y", "proved"],
        [2, "y > x", "t = y - x", "y = x", "proved"],
    ]


def test_a_formula_about_some_parameters_comes_before_one_about_some_positions():
    """Nim with a pass has its conjecture for m = 4k, and Bouton's theorem where the pass is used."""
    game = solved_table("nim-with-a-pass-from-m", "outcome", m=4, N=2).instance.ruleset
    found = [
        made.formula(formula="x ^ y ^ z == 0", where="p == 0", proofs=(made.proof(where="p == 0"),)),
        made.formula(formula="x == y", where="m % 4 == 0", proofs=(made.proof(where="m % 4 == 0"),)),
    ]
    assert [str(aim.where) for aim in aims(game, found)] == ["m % 4 == 0", "p == 0"]
