"""``grundylab check`` shows the content of a ruleset, warns of unusual rules, and says what it did not check."""

import pytest
from tests.papers.small import NAMES, ruleset

from grundylab.games.remarks import remarks

HEAD = "title: t\npiles: 2\nposition: {x: 0..N}\n"
TAKE = "moves: [{take: t, from: x}]\n"


def notes(grundylab, folder, text, *options):
    (folder / "game.yaml").write_text(text)
    status, said, _ = grundylab("check game.yaml --json", *options)
    assert status == 0
    assert [line.removeprefix("  note        ") for line in grundylab("check game.yaml", *options)[1].splitlines()
            if line.startswith("  note")] == said["remarks"]  # fmt: skip
    return said["remarks"]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            HEAD + TAKE + "claims: [{id: guess, target: p, formula: y == x^2}]\n",
            "x ^ 2 is the nim-sum of x and 2; its power is x * x",
        ),
        (
            "title: t\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: 1..x, from: x}]\n",
            "no move changes y",
        ),
        ("title: t\nposition: {x: 0..N}\nmoves: []\n", "there are no moves: every position is terminal"),
        (
            "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n",
            "the parameter m is in no rule and in no claim",
        ),
        (HEAD + "moves: [{take: t, from: x, when: x > 9 and x < 3}]\n", "no position of these tables has the move 'take from x'"),
        (HEAD + "moves: [{take: 4..2, from: x}]\n", "no position of these tables has the move 'take from y'"),
        (HEAD + "where: x + y < 0\n" + TAKE, "no position fulfils 'where': x + y < 0"),
        (
            HEAD + TAKE + "claims: [{id: guess, target: p, where: x < 0, formula: x == y}]\n",
            "no position of these tables fulfils 'where' of the claim guess",
        ),
    ],
)  # fmt: skip
def test_what_is_seldom_meant_is_said(grundylab, folder, text, note):
    assert note in notes(grundylab, folder, text)


def test_that_not_all_settings_of_many_parameters_are_tried_is_said(grundylab, folder):
    letters = "abcdefghijklmnoq"
    many = HEAD + TAKE + f"parameters: {{{', '.join(f'{c}: {c} >= 0' for c in letters)}}}\n"
    sums = f"claims: [{{id: c, target: grundy, formula: {' + '.join(letters)}}}]\n"
    (note,) = notes(grundylab, folder, many + sums)
    assert "16 parameters" in note
    assert "256" in note
    assert "--param" in note


def test_of_a_plain_game_nothing_is_remarked(grundylab, folder):
    assert notes(grundylab, folder, HEAD + TAKE) == []


def test_of_the_shipped_rulesets_nothing_is_remarked():
    found = {name: remarks(ruleset(name)) for name in NAMES}
    assert {name: said for name, said in found.items() if said} == {}


FAULTY = "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: 1..3, from: x, when: x >= m and x > 8}, {take: 1..x, from: x}]\n"


def test_it_tries_several_parameter_values_and_says_what_it_has_not_tried(grundylab, folder):
    (folder / "game.yaml").write_text(FAULTY)
    text = grundylab("check game.yaml")[1]
    assert "ok: every move of all 21 positions at m=1,N=6; m=2,N=6; m=3,N=6 stays inside" in text
    assert (
        "larger tables and other parameter values were not tried; name them by --bound N=20 --param m=5"
        in text
    )
    (folder / "game.yaml").write_text(FAULTY.replace("1..3", "1..x+1"))  # tests/bad_input names larger tables
    assert grundylab("check game.yaml")[0] == 0
