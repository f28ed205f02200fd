"""Texts that are read as they are meant, and values that do not fit a ruleset; tests/bad_input has the mistakes in its file."""

import re

import numpy as np
import pytest
from tests.bad_input.rulesets import NIM

from grundylab.api import solve
from grundylab.errors import FormulaError, InstanceError, RulesetError
from grundylab.games import load_ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.layers import layered_game
from grundylab.games.yamlfile import parse_document
from grundylab.solve.explaining import explain


def test_nim_itself_has_no_fault():
    ruleset = parse_ruleset(NIM, "game.yaml")
    assert ruleset.formula_names == ("x", "y", "m")
    assert ruleset.bounds == ("N",)


def test_every_scalar_is_text_with_its_line():
    document = parse_document("a: 2026-01-01\nb: [yes, 1.5, null]\nc: {d: 0x10}\n", "f.yaml", RulesetError)
    assert document.data == {"a": "2026-01-01", "b": ["yes", "1.5", "null"], "c": {"d": "0x10"}}
    assert str(document.place(("c", "d"))) == "f.yaml:3: c.d"
    assert str(document.place(("b", 1))) == "f.yaml:2: b.1"
    assert str(document.place(("c", "d", "further", 3))) == "f.yaml:3: c.d"


def test_a_byte_order_mark_is_no_fault(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + NIM.encode())
    assert load_ruleset(path).title == "Nim"


def test_a_name_is_of_the_folder_or_else_of_those_that_come_with_grundylab(tmp_path):
    assert len(load_ruleset("nim", tmp_path).coordinates) == 3
    (tmp_path / "nim.yaml").write_text(NIM)
    assert load_ruleset("nim", tmp_path).files == (str(tmp_path / "nim.yaml"),)


def test_what_is_extended_is_of_the_same_folder_or_else_of_those_that_come_with_grundylab(tmp_path):
    (tmp_path / "mine.yaml").write_text("title: Mine\nextends: nim\n")
    assert len(load_ruleset("mine", tmp_path).coordinates) == 3
    (tmp_path / "nim.yaml").write_text(NIM)
    assert load_ruleset("mine", tmp_path).files[1] == str(tmp_path / "nim.yaml")


# -- instances, claims, targets --------------------------------------------------------------------


RECURRENCE = (
    "title: a\nposition: {x: 0..2000000, y: 0..h(x)}\nmoves: [{take: t, from: x}]\n"
    "functions: {h(z): {recurrence: h(z - 1), initial: {0: 0}}}\n"
)


@pytest.mark.parametrize(
    ("text", "parameters", "bounds", "names"),
    [
        (NIM, {"m": 1}, {"N": -1}, r"game: the bound N=-1 .* 0"),
        (NIM.replace("m >= 1", "12 // m == 3"), {"m": 0}, {"N": 2}, r"game: m=0 .*: 12 // m == 3"),
        (NIM.replace("x: 0..N", "x: 1 - m..N"), {"m": 4}, {"N": 2}, r"game \(m=4,N=2\): .* x .* -3; "),
        (RECURRENCE, {}, {}, r"game \(all\): .* y: h\(\) .* 2,000,001 arguments"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit_the_ruleset(text, parameters, bounds, names):
    with pytest.raises(InstanceError, match=names):
        _ = make_instance(parse_ruleset(text, "game"), parameters, bounds).box


@pytest.mark.parametrize(
    "value", [3.9, 3.0, True, np.bool_(True), np.float64(2), "3", None, np.array([1, 2])], ids=repr
)
def test_a_number_is_an_integer_whatever_takes_it(value):
    ruleset = parse_ruleset(NIM, "game")
    shown = repr(value) if isinstance(value, str) else str(value)
    layers = layered_game(ruleset, {"m": 1}, ("x",), parse_target("grundy"))
    for name, take in (
        ("m", lambda: make_instance(ruleset, {"m": value}, {"N": 4})),
        ("the bound N", lambda: make_instance(ruleset, {"m": 1}, {"N": value})),
        ("the bound N", lambda: solve(ruleset, m=1, N=value)),
        ("the coordinate y", lambda: explain(ruleset, {"x": 1, "y": value}, {"m": 1})),
        ("m", lambda: explain(ruleset, {"x": 1, "y": 1}, {"m": value})),
        ("y", lambda: layers.top({"y": value})),
    ):
        with pytest.raises(InstanceError, match=rf"^game: {name}={re.escape(shown)} is not an"):
            take()


def test_numbers_of_numpy_are_numbers():
    ruleset = parse_ruleset(NIM, "game")
    plain = make_instance(ruleset, {"m": 2}, {"N": 3})
    assert make_instance(ruleset, {"m": np.int64(2)}, {"N": np.uint8(3)}) == plain
    assert all(type(value) is int for _, value in plain.parameters + plain.bounds)
    assert explain(ruleset, {"x": np.int32(2), "y": 1}, {"m": np.int64(1)}).value == 3


@pytest.mark.parametrize(("text", "printed", "slug"), [
    ("p", "p", "p"), (" grundy ", "grundy", "grundy"), ("grundy==0", "grundy == 0", "grundy-0"), ("grundy-12", "grundy == 12", "grundy-12"),
])  # fmt: skip
def test_targets(text, printed, slug):
    target = parse_target(text)
    assert (str(target), target.slug) == (printed, slug)
    assert parse_target(target.slug) == parse_target(str(target)) == target


@pytest.mark.parametrize("text", ["", "P", "grundy == x", "grundy == -1", "grundy < 3", "outcome", "grundy - 2", "grundy -2",
                                  "grundy- 2", "grundy--2", "grundy-02", "grundy == ２", "grundy-２", "grundy = 2", "p - 2"])  # fmt: skip
def test_targets_that_are_none(text):
    with pytest.raises(FormulaError, match="unknown target"):
        parse_target(text)


def test_of_many_rulesets_the_nearest_are_named(tmp_path):
    for name in ["kayles", "dawsons-kayles", *(f"wythoff-{number}" for number in range(20))]:
        (tmp_path / f"{name}.yaml").write_text("")
    for name, nearest in {"kayle": "kayles, dawsons-kayles", "KAYLES": "kayles, dawsons-kayles"}.items():
        with pytest.raises(RulesetError) as found:
            load_ruleset(name, tmp_path)
        advice = str(found.value).partition(f"there is no ruleset '{name}' in {tmp_path}/ or in grundylab; ")[
            2
        ]
        assert advice == f"the nearest are {nearest}"
    with pytest.raises(RulesetError, match=r" \.yaml$"):
        load_ruleset("qqqqqqqq", tmp_path)


def test_a_message__is_one_line_whatever_the_file_says():
    text = 'title: t\nposition: {x: 0..N}\nmoves: [{take: 1, from: "\\n"}]\n'
    with pytest.raises(RulesetError) as told:
        parse_ruleset(text)
    assert "\n" not in str(told.value)
