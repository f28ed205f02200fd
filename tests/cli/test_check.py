"""``grundylab check`` shows the content of a ruleset, warns of unusual rules, and says what it did not check."""

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


def test_check__tries_few_tables_only(grundylab, folder):
    """The larger tables, of which it says that it has not tried them, have faults: tests/bad_input names them."""
    (folder / "game.yaml").write_text(FAULTY)
    said = grundylab("check game.yaml --json")[1]
    assert (said["status"], said["checked"], said["trial"]) == ("ok", 21, "m=1,N=6; m=2,N=6; m=3,N=6")
    (folder / "game.yaml").write_text(FAULTY.replace("1..3", "1..x+1"))
    assert grundylab("check game.yaml")[0] == 0
