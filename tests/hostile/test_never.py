"""Moves that no position of a small table has cause no endless work, and ``check`` mentions them."""

import json
from time import process_time

import pytest

from grundylab.cli.main import main
from grundylab.errors import InstanceError
from grundylab.games import make_instance, parse_ruleset, parse_target
from grundylab.games.layers import NotLayered, layered_game
from grundylab.solve import solve
from grundylab.solve.reference import solve_reference

GUARD = "x >= 10 and x < 3"
# What the move does to z, another coordinate than the pile x that is taken from.
MOVES = {
    "one more": "to: {z: z + 1}",
    "its square": "to: {z: z * z + 2}",
    "a power of two": "to: {z: 1 << z}",
    "a choice": "for: {t: 0..z}, to: {z: z + t + 1}",
    "choices of choices": "for: {a: 0..z, b: 0..a + 2}, to: {z: z + a + b + 1}",
    "less than nothing": "to: {z: z - 10}",
    "no value": "to: {z: 1 // (z - z)}",
    "two of them": "to: {z: 2*z + 1, w: w + z}",
}


def text(guard, move):
    head = "title: never\nposition: {x: 0..N, y: 0..N, z: 0..N, w: 0..1}\nmoves:\n"
    takes = "  - {take: t, from: x}\n  - {take: t, from: y}\n"
    return f'{head}{takes}  - {{name: grow, when: "{guard}", {move}}}\n'


PASS = "title: a\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {when: x > 9 and x < 9}\n"
CASES = [
    *((text(GUARD, move), ["grow"]) for move in MOVES.values()),
    (text("x + y == 3 and x + y > 4", MOVES["one more"]), ["grow"]),
    (text("x % 2 == 1 and x % 4 == 2", MOVES["its square"]), ["grow"]),
    (text("z > 7 and x < z", MOVES["one more"]), ["grow"]),
    (text("any(n > x + 3 for n in range(0, x))", MOVES["a choice"]), ["grow"]),
    (text("z >= 1", "to: {z: z - 1}"), []),
    (PASS, ["pass"]),
]


@pytest.mark.parametrize(("rules", "unused"), CASES)
def test_check__ends_and_names_the_moves_that_no_position_has(tmp_path, capsys, rules, unused):
    file = tmp_path / "never.yaml"
    file.write_text(rules)
    began = process_time()
    assert main(["check", str(file), "--json"]) == 0
    assert process_time() - began < 30
    assert json.loads(capsys.readouterr().out)["unused"] == unused
    assert main(["check", str(file)]) == 0
    said = capsys.readouterr()
    named = [f"no position of these tables has the move '{move}'" for move in unused]
    assert [
        line.removeprefix("  note        ") for line in said.out.splitlines() if "has the move" in line
    ] == named
    assert not said.err


@pytest.mark.parametrize("move", MOVES.values(), ids=MOVES)
def test_such_games_are_solved_all_the_same(move):
    instance = make_instance(parse_ruleset(text(GUARD, move), "never"), {}, {"N": 3})
    assert (solve(instance, "grundy", "auto").values == solve_reference(instance, "grundy").values).all()


@pytest.mark.parametrize(
    "move", ["to: {z: z * z + 2}", "to: {z: 1 << z}", "for: {t: 0..1 << 40}, to: {z: t}"]
)
def test_rows_of_such_games_are_refused(move):
    ruleset = parse_ruleset(text(GUARD, move), "never")
    game = layered_game(ruleset, {}, ("x", "y"), parse_target("p"))
    with pytest.raises(NotLayered) as refusal:
        game.below(game.top({"z": 3, "w": 0}))
    assert isinstance(refusal.value, InstanceError)
    assert "\n" not in str(refusal.value)
