"""``grundylab explain`` agrees with the reference, is fast for large positions, and refuses in one line."""

import json
from pathlib import Path

import pytest

import grundylab
from grundylab.cli.main import main
from grundylab.errors import GrundylabError, InstanceError
from grundylab.games import Rules, load_ruleset, parse_ruleset
from grundylab.solve import explaining

ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "rulesets"
PASS = "nim-with-a-pass-from-m"


@pytest.fixture
def run(capsys, monkeypatch):
    """Run the command on the shipped rulesets: (exit status, standard output, standard error)."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")

    def explain(*arguments):
        status = main(["explain", *arguments])
        return status, *capsys.readouterr()

    return explain


def test_json_has_every_option(run):
    status, out, _ = run(PASS, "--position", "x=3,y=5,z=6,p=1", "--param", "m=8", "--json")
    said = json.loads(out)
    assert (status, said["status"], said["outcome"], said["grundy"]) == (0, "done", "N", 1)
    assert said["position"] == {"x": 3, "y": 5, "z": 6, "p": 1}
    assert said["parameters"] == {"m": 8}
    assert len(said["options"]) == 15
    for option in said["options"]:
        outcome = ("N", False) if option["grundy"] else ("P", True)
        assert (option["outcome"], option["wins"]) == outcome
    assert said["options"][0] == {
        "move": "take from x", "to": [{"x": 2, "y": 5, "z": 6, "p": 1}], "outcome": "P", "grundy": 0, "wins": True,
    }  # fmt: skip
    assert (
        said["checked"] == 2 * 4 * 6 * 7
    )  # all that is no larger: from the position itself a pass can be made


def test_under_misere_play_there_are_outcomes_only(run):
    said = json.loads(run("misere-nim", "--position", "x=2,y=3,z=1", "--json")[1])
    assert (said["outcome"], said["grundy"]) == ("P", None)
    assert {option["outcome"] for option in said["options"]} == {"N"}


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_text_fits_the_terminal(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run("kayles", "--position", "x=60")[1]
    assert max(map(len, out.splitlines())) <= columns
    assert "… and 79 more; --json" in out.replace("\n", " ")


def test_python_has_the_same():
    found = grundylab.explain(load_ruleset("nim", RULESETS), {"x": 3, "y": 5, "z": 6}, {})
    assert (found.value, len(found.options), len(found.winning)) == (0, 14, 0)


@pytest.mark.parametrize(
    ("name", "position", "parameters"),
    [
        (PASS, {"x": 3, "y": 9, "z": 14, "p": 1}, {"m": 8}),
        ("kayles", {"x": 60}, {}),
        ("turn-limit-fibonacci", {"u": 40, "k": 3}, {}),
        ("heaps-1-2-3", {"m1": 1, "m2": 4, "m3": 3}, {}),
    ],
)
def test_a_table_cut_to_the_position_gives_the_same(monkeypatch, name, position, parameters):
    ruleset = load_ruleset(name, RULESETS)
    expected = explaining.explain(ruleset, position, parameters)
    monkeypatch.setattr(explaining, "FEW_MOVES", 0)
    found = explaining.explain(ruleset, position, parameters)
    assert (found.value, found.options) == (expected.value, expected.options)


def test_a_coordinate_that_rises_later_is_not_cut(monkeypatch):
    rules = (
        "title: t\nposition: {x: 0..N, y: 0..5*N - 5*x}\nmeasure: 5 * x + y\nmoves:\n"
        "  - {name: down, when: x >= 1, to: {x: x - 1}}\n"
        "  - {name: turn, when: x == 2, to: {x: 1, y: y + 3}}\n"
        "  - {take: '1..min(y, 2)', from: y}\n"
    )
    ruleset = parse_ruleset(rules, "turn")
    expected = explaining.explain(ruleset, {"x": 5, "y": 1}, {})
    monkeypatch.setattr(explaining, "FEW_MOVES", 0)
    found = explaining.explain(ruleset, {"x": 5, "y": 1}, {})
    assert (found.value, found.options) == (expected.value, expected.options)


def test_piles_of_hundreds_are_swept_and_agree_with_the_formula():
    found = explaining.explain(load_ruleset("nim", RULESETS), {"x": 140, "y": 90, "z": 120}, {})
    assert found.solved == 141 * 91 * 121
    assert found.value == 140 ^ 90 ^ 120
    for option in found.options:
        x, y, z = option.parts[0]
        assert option.value == x ^ y ^ z


def test_a_move_that_leaves_the_space_is_named(tmp_path):
    ruleset = parse_ruleset(
        "title: t\nposition: {x: 0..N}\nmoves:\n  - {name: far, for: {t: 1..3}, to: {x: x - t}}\n", "far"
    )
    with pytest.raises(GrundylabError, match="'far'"):
        explaining.explain(ruleset, {"x": 7}, {})


def test_bounds_are_found_that_admit_the_position():
    ruleset = load_ruleset("turn-limit-fibonacci", RULESETS)
    instance = explaining.instance_containing(ruleset, {}, (5, 9))
    assert Rules(instance).legal((5, 9))
    with pytest.raises(InstanceError, match="k=0"):
        explaining.instance_containing(ruleset, {}, (5, 0))


PILE = 'title: t\nposition: {{x: 0..N}}\nfunctions: {{f(n): {{recurrence: 1 if n < 2 else f(n // 2) + n}}}}\nmoves: [{{take: "1..min(x, {})", from: x, when: "{}"}}]\n'


@pytest.mark.parametrize(
    ("bound", "x"), [("x", 200_001), ("f(x)", 250_001)]
)  # the second has no bounds known
def test_more_options_than_are_listed_are_refused(bound, x):
    with pytest.raises(InstanceError, match=r"200,000 options"):
        explaining.explain(parse_ruleset(PILE.format(bound, "True"), "t"), {"x": x}, {})


@pytest.mark.parametrize("few", [0, 200_000])
def test_ranges_in_conditions_have_a_limit_of_steps(monkeypatch, few):
    monkeypatch.setattr(explaining, "MOST_STEPS", 10_000)
    monkeypatch.setattr(explaining, "FEW_MOVES", few)
    text = PILE.format("x", "all(i + x >= 0 for i in range(0, 1000))")
    with pytest.raises(GrundylabError, match=r"\(x=\d+\): .*exceeded 10,000 steps"):
        explaining.explain(parse_ruleset(text, "t"), {"x": 30}, {})


def test_a_table_that_a_kernel_would_fill_for_long_is_swept(monkeypatch):
    monkeypatch.setattr(explaining, "FEW_MOVES", 100)
    monkeypatch.setattr(explaining, "MOST_MOVES", 10_000)
    ruleset = load_ruleset("nim", RULESETS)
    found = explaining.explain(ruleset, {"x": 500, "y": 2, "z": 1}, {})
    assert (found.kind, found.value, [option.parts for option in found.winning]) == (
        "grundy",
        503,
        [((3, 2, 1),)],
    )
