"""From file to model: short forms and their meaning, inheritance, instances, the hash."""

import re

import pytest
from hypothesis import given
from tests.bad_input.rulesets import PARENT
from tests.random_games import games
from tests.sizes import examples

from grundylab.games import Rules, load_ruleset, make_instance, parse_ruleset
from grundylab.language import parse
from grundylab.language.intervals import Interval
from grundylab.solve import solve
from grundylab.solve.reference import solve_reference


def moves_of(text: str) -> list[str]:
    """Return the moves as lines: the name, the choices, the condition, and the parts."""
    shown = []
    for move in parse_ruleset(text).moves:
        choices = ", ".join(f"{choice.name} in {choice.range}" for choice in move.choices)
        parts = " + ".join(f"({', '.join(map(str, part))})" for part in move.parts)
        shown.append(f"{move.name} [{choices}] if {move.when} to {parts}")
    return shown


# -- short forms -----------------------------------------------------------------------------------

PILES = "title: a\npiles: 3\nposition: {x: 0..N, q: 0..2}\nmoves:\n"


def test_piles_are_coordinates_in_the_place_of_the_first():
    ruleset = parse_ruleset(
        "title: a\npiles: 3\nposition: {k: 1..2, x: 0..N + k, q: 0..x}\nmoves: [{take: t, from: x}]\n"
    )
    assert [(c.name, str(c.range)) for c in ruleset.coordinates] == [
        ("k", "1..2"), ("x", "0..N + k"), ("y", "0..N + k"), ("z", "0..N + k"), ("q", "0..x"),
    ]  # fmt: skip
    assert ruleset.piles == ("x", "y", "z")
    assert str(ruleset.measure) == "k + x + y + z + q"


@pytest.mark.parametrize(
    ("move", "meanings"),
    [
        ("{take: t, from: x}", [
            "take from x [t in 1..x] if True to (x - t, y, z, q)",
            "take from y [t in 1..y] if True to (x, y - t, z, q)",
            "take from z [t in 1..z] if True to (x, y, z - t, q)",
        ]),
        # ranges, guards and names are rewritten for each pile
        ("{take: [4, 1, 3], from: x}", [
            "take from x [t in 1..min(4, x)] if t != 2 to (x - t, y, z, q)",
            "take from y [t in 1..min(4, y)] if t != 2 to (x, y - t, z, q)",
            "take from z [t in 1..min(4, z)] if t != 2 to (x, y, z - t, q)",
        ]),
        ("{take: 3, from: q}", ["take from q [t in 3..min(3, q)] if True to (x, y, z, q - t)"]),
        ("{take: [2, 9], from: q}", ["take from q [t in 2..min(9, q)] if t == 2 or t == 9 to (x, y, z, q - t)"]),
        ("{name: x by half, take: 1..ceil(x/2), from: x, when: t % 2 == x % 2}", [
            "x by half [t in 1..ceil(x / 2)] if t % 2 == x % 2 to (x - t, y, z, q)",
            "y by half [t in 1..ceil(y / 2)] if t % 2 == y % 2 to (x, y - t, z, q)",
            "z by half [t in 1..ceil(z / 2)] if t % 2 == z % 2 to (x, y, z - t, q)",
        ]),
        # another coordinate, which is no pile, is taken along
        ("{for: {t: 1..x}, to: {x: x - t, q: 'min(q, x)'}}", [
            "move 1 [t in 1..x] if True to (x - t, y, z, min(q, x))",
            "move 1 [t in 1..y] if True to (x, y - t, z, min(q, y))",
            "move 1 [t in 1..z] if True to (x, y, z - t, min(q, z))",
        ]),
    ],
)  # fmt: skip
def test_a_move_of_one_pile_is_a_move_of_every_pile(move, meanings):
    assert moves_of(f"{PILES}  - {move}\n") == meanings


@pytest.mark.parametrize(
    ("move", "meaning"),
    [
        # it mentions a second pile
        (
            "{for: {t: '1..min(x, y)'}, to: {x: x - t, y: y - t}}",
            "[t in 1..min(x, y)] if True to (x - t, y - t, z, q)",
        ),
        ("{for: {t: 1..x}, when: y == 0, to: {x: x - t}}", "[t in 1..x] if y == 0 to (x - t, y, z, q)"),
        ("{for: {t: 1..x}, to: {x: x - t, z: 0}}", "[t in 1..x] if True to (x - t, y, 0, q)"),
        # it says what another pile becomes, if only that it stays
        ("{for: {t: 1..x}, to: {x: x - t, y: y}}", "[t in 1..x] if True to (x - t, y, z, q)"),
        (
            "{for: {a: 1..x}, to: [{x: a, y: y, z: z, q: q}, {x: x - a, y: y, z: z, q: q}]}",
            "[a in 1..x] if True to (a, y, z, q) + (x - a, y, z, q)",
        ),
        # it mentions a pile that is not the first, or none
        ("{for: {t: 1..y}, to: {y: y - t}}", "[t in 1..y] if True to (x, y - t, z, q)"),
        ("{when: q > 0, to: {q: q - 1}}", "[] if q > 0 to (x, y, z, q - 1)"),
    ],
)
def test_a_move_about_more_or_other_piles_is_not_repeated(move, meaning):
    assert moves_of(f"{PILES}  - {move}\n") == [f"move 1 {meaning}"]


def test_a_guard_over_all_piles_singles_none_out():
    # of the largest pile, whichever that is: as read, "take from x where x is the largest" is a move of every pile
    found = moves_of(PILES + "  - {take: t, from: x, when: 'x == max(x, ...)'}\n")
    assert found == [
        "take from x [t in 1..x] if x == max(x, y, z) to (x - t, y, z, q)",
        "take from y [t in 1..y] if y == max(y, x, z) to (x, y - t, z, q)",
        "take from z [t in 1..z] if z == max(z, y, x) to (x, y, z - t, q)",
    ]


def test_one_pile_is_not_repeated():
    assert len(moves_of(PILES.replace("3", "1") + "  - {take: t, from: x}\n")) == 1


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("position: {t: 0..N}\nmoves: [{take: 1..2, from: t}]\n", "t1"),
        (
            f"position: {{{', '.join(f't{number}: 0..N' for number in ['', *range(1, 13)])}}}\n"
            "moves: [{take: 1..2, from: t3}]\n",
            "t13",
        ),
        (
            "parameters: {t: t > 0}\nposition: {x: 0..N}\nfunctions: {t1(n): n}\nmoves: [{take: 1..t, from: x}]\n",
            "t2",
        ),
    ],
)
def test_a_take_in_a_range_chooses_a_name_that_is_free(text, chosen):
    assert parse_ruleset("title: a\n" + text).moves[0].choices[0].name == chosen


def test_a_split_goes_to_a_sum_of_positions():
    text = "title: a\nposition: {n: 0..N, q: 0..1}\nmoves:\n  - {for: {a: 1..n - 1}, to: [{n: a, q: q}, {n: n - a, q: 0}]}\n"
    assert moves_of(text) == ["move 1 [a in 1..n - 1] if True to (a, q) + (n - a, 0)"]
    assert parse_ruleset(text).splits


NIM = "title: Nim\nposition: {x: 0..N, y: 0..N}\nmoves: [{take: t, from: x}, {take: t, from: y}]\n"


def test_a_pass_adds_a_last_coordinate_and_a_last_move():
    text = NIM + "pass: {when: x + y > 2}\n"
    assert moves_of(text) == [
        "take from x [t in 1..x] if True to (x - t, y, p)",
        "take from y [t in 1..y] if True to (x, y - t, p)",
        "pass [] if p == 1 and x + y > 2 to (x, y, 0)",
    ]
    ruleset = parse_ruleset(text)
    assert [move.a_pass for move in ruleset.moves] == [False, False, True]
    assert ruleset.coordinate_names == ("x", "y", "p")
    assert str(ruleset.measure) == "x + y + p"
    assert str(parse_ruleset(text + "measure: 2*x + y\n").measure) == "2 * x + y + p"
    assert parse_ruleset(NIM + "pass: {}\n").moves[-1].when == parse("p == 1")


def test_functions_come_after_those_that_they_call():
    text = (
        NIM
        + "functions:\n  a(z): b(z) + c(z)\n  b(z): c(z) + 1\n  c(z): {recurrence: c(z - 1), initial: {0: 3}}\n"
    )
    assert [function.name for function in parse_ruleset(text).functions] == ["c", "b", "a"]


def test_cases_are_nested_conditionals():
    cases = "[{when: z > 9, value: 1}, {when: z > 4, value: z}, {otherwise: z - 1}]"
    function = parse_ruleset(NIM + f"functions:\n  f(z): {{cases: {cases}}}\n").functions["f"]
    assert function.body == parse("1 if z > 9 else z if z > 4 else z - 1")


# -- extends ---------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "parent.yaml").write_text(PARENT)

    def write(text: str, name: str = "child"):
        (tmp_path / f"{name}.yaml").write_text(text)
        return load_ruleset(name, tmp_path)

    write.path = tmp_path
    return write


@pytest.mark.parametrize("head", ["h(z)", "h(k2)", "h (z)", "h( w )"])
def test_a_child_replaces_a_function_whatever_its_argument_is_called(folder, head):
    argument = head.partition("(")[2].strip(" )")
    child = folder(f"extends: parent\nfunctions: {{{head}: {argument} + 7}}\n")
    assert [function.name for function in child.functions] == ["h"]
    assert child.functions["h"].body == parse(f"{argument} + 7")


def test_a_child_replaces_a_function_by_one_of_other_arguments_and_keeps_the_others(folder):
    (folder.path / "parent.yaml").write_text(
        PARENT.replace("h(z): z + m", "h(z): z + m\n  f(a): a\n  g(b): b")
    )
    text = 'extends: parent\nfunctions: {"f(a, b)": a + b}\n'
    assert [function.arguments for function in folder(text).functions] == [("z",), ("a", "b"), ("b",)]


def test_a_child_takes_over_what_it_does_not_say(folder):
    child = folder("extends: parent\ntitle: child\nplay: misere\n")
    parent = load_ruleset("parent", folder.path)
    assert (child.title, child.play, child.name) == ("child", "misere", "child")
    assert (child.moves, child.coordinates, child.parameters) == (
        parent.moves,
        parent.coordinates,
        parent.parameters,
    )
    assert child.files == (str(folder.path / "child.yaml"), str(folder.path / "parent.yaml"))


def test_parameters_and_functions_are_merged_other_keys_replaced(folder):
    child = folder(
        "extends: parent\nparameters: {k: k >= 5, q: q >= 0}\nfunctions: {g(z): h(z) + q}\nposition: {x: 1..M}\n"
    )
    assert {p.name: str(p.domain) for p in child.parameters} == {"m": "m >= 1", "k": "k >= 5", "q": "q >= 0"}
    assert [f.name for f in child.functions] == ["h", "g"]
    assert child.bounds == ("M",)


def test_claims_are_inherited_only_if_asked_for(folder):
    assert folder("extends: parent\n").claims == ()
    own = "  - {id: own, target: p, formula: x == 1}\n"
    assert [c.id for c in folder(f"extends: parent\nclaims:\n{own}").claims] == ["own"]
    inherited = folder(f"extends: parent\nclaims:\n{own}  - inherited\n")
    assert [c.id for c in inherited.claims] == ["first", "second", "own"]
    assert str(inherited.claim("second").formula) == "x == k"


def test_a_grandchild_takes_over_through_its_parent(folder):
    folder("extends: parent\nparameters: {q: q >= 0}\nclaims: [inherited]\n")
    grandchild = folder("extends: child\nclaims: [inherited]\n", "grandchild")
    assert grandchild.parameter_names == ("m", "k", "q")
    assert [c.id for c in grandchild.claims] == ["first", "second"]
    assert [re.sub(r".*/", "", file) for file in grandchild.files] == [
        "grandchild.yaml",
        "child.yaml",
        "parent.yaml",
    ]


# -- hash ------------------------------------------------------------------------------------------

GAME = """\
title: a game
parameters: {m: m >= 1}
functions: {h(a): floor(a/m)}
position: {x: 0..N, y: 0..h(x)}
where: x != y + 9
measure: 2*x + y
play: normal
moves:
  - name: first
    for: {t: 1..x}
    when: t <= 3
    to: {x: x - t, y: "min(y, h(x - t))"}
  - {take: u, from: y}
pass: {when: x > m}
"""

SAME_GAME = [
    ("title: a game", "title: the same game"),
    ("play: normal\n", "play: normal\nsource: {paper: some-paper, at: Definition 1}\n"),
    ("play: normal\n", "play: normal\ndescription: in words\n"),
    ("play: normal\n", "play: normal\nclaims: [{id: a, target: p, formula: x == y}]\n"),
    ("name: first", "name: another name"),
    ("floor(a/m)", "floor( a / m )"),
    ("play: normal\n", ""),
    ("{take: u, from: y}", "{for: {u: 1..y}, to: {y: y - u}}"),
    # a sum of one part is that part
    ('to: {x: x - t, y: "min(y, h(x - t))"}', 'to: [{x: x - t, y: "min(y, h(x - t))"}]'),
]
OTHER_GAME = [
    ("m >= 1", "m >= 2"),
    ("floor(a/m)", "ceil(a/m)"),
    ("x: 0..N", "x: 1..N"),
    ("x: 0..N", "x: 0..M"),
    ("y: 0..h(x)", "y: 0..x"),
    ("y + 9", "y + 8"),
    ("2*x + y", "3*x + y"),
    ("play: normal", "play: misere"),
    ("t: 1..x", "t: 2..x"),
    ("t <= 3", "t <= 2"),
    ("x: x - t", "x: t - 1"),
    ("  - {take: u, from: y}\n", ""),
    ("x > m", "x >= m"),
    ("pass: {when: x > m}\n", ""),
]  # fmt: skip


CHANGES = [(*change, True) for change in SAME_GAME] + [(*change, False) for change in OTHER_GAME]


@pytest.mark.parametrize(("old", "new", "same"), CHANGES)
def test_the_hash_is_that_of_the_rules_and_changes_with_every_rule(old, new, same):
    assert old in GAME
    assert (parse_ruleset(GAME.replace(old, new)).hash == parse_ruleset(GAME).hash) is same


def test_the_hash_tells_a_sum_from_two_moves_and_recurrences_with_other_initial_values_apart():
    head = "title: a\nposition: {n: 0..N}\nmoves:\n"
    sum_ = head + "  - {when: n > 1, to: [{n: 0}, {n: 1}]}\n"
    two = head + "  - {when: n > 1, to: {n: 0}}\n  - {when: n > 1, to: {n: 1}}\n"
    recurrences = [
        f"{two}functions:\n  f(n): {{recurrence: f(n - 1) + 1, initial: {{0: {start}}}}}\n"
        for start in (0, 1)
    ]
    assert len({parse_ruleset(text).hash for text in (sum_, two, *recurrences)}) == 4


# -- instances -------------------------------------------------------------------------------------


def test_an_instance_is_a_box_and_its_positions_are_in_it():
    instance = make_instance(parse_ruleset(GAME, "game"), {"m": 2}, {"N": 5})
    assert str(instance) == "game (m=2,N=5)"
    assert (instance.shape, instance.cells) == ((6, 3, 2), 36)
    assert instance.box == (Interval(0, 5), Interval(0, 2), Interval(0, 1))
    wanted = [(x, y, p) for x in range(6) for y in range(x // 2 + 1) for p in (0, 1) if x != y + 9]
    assert list(Rules(instance).positions()) == wanted


def test_a_range_with_nothing_in_it_has_no_positions():
    instance = make_instance(parse_ruleset(NIM.replace("x: 0..N", "x: 3..N")), {}, {"N": 1})
    assert instance.shape == (0, 2)
    assert list(Rules(instance).positions()) == []


@examples(40, 5_000)
@given(games(legal=False))
def test_positions_are_legal_lie_in_the_box_and_come_in_order(file):
    instance = file.instance()
    rules = Rules(instance)
    positions = list(rules.positions())
    assert positions == sorted(set(positions))
    for position in positions:
        assert rules.legal(position)
        assert all(value in side for value, side in zip(position, instance.box, strict=True))
    for side, axis in zip(instance.box, range(len(instance.box)), strict=True):
        outside = [side.low - 1, side.high + 1]
        for position in positions[:1]:
            assert not any(rules.legal((*position[:axis], v, *position[axis + 1 :])) for v in outside)


@examples(40, 5_000)
@given(games(legal=False))
def test_the_same_file_gives_the_same_ruleset(file):
    first, second = file.instance().ruleset, file.instance().ruleset
    assert first == second
    assert first.hash == second.hash


@pytest.mark.parametrize(
    "take",
    [
        "m", "[m]", "[1, m]", "[m, 1]", "[2, m, 5]",
        # reported: the first was refused, the second taken for the name of a choice
        "[1, m, m + 1]", "m + 1", "2*m - 3", "[m, 2*m - 1]", '"max(m, 2)"', "5 - m", "1 + 2", "-m",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("domain", "values"), [("m >= 1", (3, 4)), ("m >= -2", (-2, 0, 4)), ("m != 1", (0, 3))]
)
def test_an_expression_of_parameters_may_be_what_is_taken_as_far_as_the_pile_goes(take, domain, values):
    text = (
        f"title: t\nparameters: {{m: {domain}}}\nposition: {{x: 0..N}}\nmoves: [{{take: {take}, from: x}}]\n"
    )
    for m in values:
        words = take.strip("[]").split(", ") if take.startswith("[") else [take.strip('"')]
        allowed = {eval(word, {"m": m, "max": max}) for word in words}  # noqa: S307 - the table's own
        grundy = []
        for x in range(30):
            below = {grundy[x - t] for t in allowed if 1 <= t <= x}
            grundy.append(next(g for g in range(9) if g not in below))
        instance = make_instance(parse_ruleset(text), {"m": m}, {"N": 29})
        assert solve(instance, "grundy").values.tolist() == grundy
        assert solve(instance, "grundy", "kernel").values.tolist() == grundy
        assert solve_reference(instance, "grundy").values.tolist() == grundy


@pytest.mark.parametrize(
    ("domain", "take", "range", "meaning"),
    [
        ("m >= 1", "m", "m..min(m, x)", "True"),
        ("2 <= m <= 9", "m", "m..min(m, x)", "True"),
        ("m >= 0", "m", "m..min(m, x)", "m >= 1"),
        ("m % 2 == 1", "m", "m..min(m, x)", "m >= 1"),
        ("m >= 0", "m + 1", "m + 1..min(m + 1, x)", "True"),
        ("m >= 1", "m - 1", "m - 1..min(m - 1, x)", "m - 1 >= 1"),
        ("m >= 1", "h(m)", "h(m)..min(h(m), x)", "h(m) >= 1"),
        ("2 <= m <= 9", "10 - m", "10 - m..min(10 - m, x)", "True"),
    ],
)
def test_that_something_is_taken_is_asked_where_the_domain_does_not_say_it(domain, take, range, meaning):
    text = (
        f"title: t\nparameters: {{m: {domain}}}\nposition: {{x: 0..N}}\nmoves: [{{take: {take}, from: x}}]\n"
    )
    text += "functions: {h(z): z + 1}\n"
    assert moves_of(text) == [f"take from x [t in {range}] if {meaning} to (x - t)"]
