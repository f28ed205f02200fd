"""Each fault of a ruleset file gives one line with the file, the line, the key, and the fault."""

import numpy as np
import pytest

from grundylab.api import solve
from grundylab.errors import FormulaError, InstanceError, RulesetError
from grundylab.games import load_ruleset, make_instance, parse_ruleset, parse_target
from grundylab.games.layers import layered_game
from grundylab.games.yamlfile import parse_document
from grundylab.solve.explaining import explain

NIM = """\
title: Nim
parameters: {m: m >= 1}
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
"""


def fault(text: str) -> str:
    with pytest.raises(RulesetError) as error:
        parse_ruleset(text, "game.yaml")
    words = str(error.value)
    assert "\n" not in words
    return words


def test_nim_itself_has_no_fault():
    ruleset = parse_ruleset(NIM, "game.yaml")
    assert ruleset.formula_names == ("x", "y", "m")
    assert ruleset.bounds == ("N",)


# -- YAML ------------------------------------------------------------------------------------------

UNFIT_LINE = (
    "not YAML: this line does not fit the lines above it: indent all keys of a mapping alike, and all '-' of a list; "
    "nothing follows a closing quote"
)
YAML_FAULTS = [
    ("", "game.yaml: the file is empty"),
    ("# only a comment\n", "game.yaml: the file is empty"),
    ("- a\n- b\n", "game.yaml:1: the file must be a mapping of 'key: value' lines"),
    ("title: a\ntitle: b\n", "game.yaml:2: the key 'title' is there twice"),
    ("title: a\nposition: {x: 0..N,\n  x: 0..M}\n", "game.yaml:3: position: the key 'x' is there twice"),
    ("title: &a Nim\n", "game.yaml:1: YAML anchors and aliases ('&', '*') are not supported here"),
    ("title: a\nx: *a\n", "game.yaml:2: YAML anchors and aliases ('&', '*') are not supported here"),
    ("title:\n", "game.yaml:1: title: a value is missing after ':' or '-'"),
    ("title: a\nmoves:\n  -\n", "game.yaml:3: moves.0: a value is missing after ':' or '-'"),
    ("title: a\n? [x]\n: 1\n", "game.yaml:2: a key must be plain text"),
    ("title: 'a\n", "game.yaml:1: not YAML: the quote that begins here has no end"),
    ("title: a\nmoves: [\n", "game.yaml:3: not YAML: the file ends within a bracket: close it"),
    ("title: a\n  bad: b\n", "game.yaml:2: not YAML: a key or a colon where none can be: indent the keys of a mapping alike, and put a text with a colon in it in quotes, as in title: \"Nim: three piles\""),
    ("title: a\n\tb: c\n", "game.yaml:2: not YAML: a tab at the beginning of a line: indent with spaces"),
    ("title: a\n---\ntitle: b\n", "game.yaml:2: not YAML: '---' would begin another document: leave it out"),
    ("title: a\nposition: {x: 0..N}\n  moves: []\n", f"game.yaml:3: {UNFIT_LINE}"),
    ("title: a\nmoves:\n  - {take: 1, from: x}\n - {take: 2, from: x}\n", f"game.yaml:4: {UNFIT_LINE}"),
    ("title: a\nposition:\n    x: 0..N\n  y: 0..N\n", f"game.yaml:4: {UNFIT_LINE}"),
    ("title: a\nposition: {x: 0..N\nmoves: []\n", "game.yaml:2: not YAML: a comma is missing in the bracket that begins here, or its end"),
    ("title: a\nclaims\nplay: normal\n", "game.yaml:2: not YAML: a key and a colon are needed here, as in play: misere"),
    ("title: \x07\n", 'game.yaml: not YAML: unacceptable character #x0007: special characters are not allowed in "<unicode string>", position 7'),
    ("a: " + "[" * 60 + "]" * 60, "game.yaml:1: nested more than 40 deep"),
    ("title: a\n<<: {x: 1}\n", "game.yaml:2: <<: unknown key '<<'; known keys: "),
    (
        NIM + "  - {for: {t: 1..x}, to: {x: x - t, y: min(y, h(x))}}\n",
        'game.yaml:7: moves.2.to.y: the value \'min(y, h(x))\' was cut at its comma; quote it: y: "min(y, h(x))"',
    ),
    (
        NIM + "  - for: {t: 1..min(x,\n      max(y, 2), 3)}\n    to: {x: x - t}\n",
        "game.yaml:8: moves.2.for.t: the value '1..min(x, max(y, 2), 3)' was cut at its comma; "
        'quote it: t: "1..min(x, max(y, 2), 3)"',
    ),
]  # fmt: skip


def test_every_scalar_is_text_with_its_line():
    document = parse_document("a: 2026-01-01\nb: [yes, 1.5, null]\nc: {d: 0x10}\n", "f.yaml", RulesetError)
    assert document.data == {"a": "2026-01-01", "b": ["yes", "1.5", "null"], "c": {"d": "0x10"}}
    assert str(document.place(("c", "d"))) == "f.yaml:3: c.d"
    assert str(document.place(("b", 1))) == "f.yaml:2: b.1"
    assert str(document.place(("c", "d", "further", 3))) == "f.yaml:3: c.d"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"title: a\nposition: \xff\n", ":2: the file is not UTF-8 text; save it as UTF-8"),
        (b"\xff\xfet\x00i\x00", ":1: the file is not UTF-8 text; save it as UTF-8"),
        (b"#" * 1_000_001, ": the file has 1,000,001 bytes; at most 1,000,000 are read"),
    ],
)
def test_files_that_are_not_read(tmp_path, content, words):
    path = tmp_path / "game.yaml"
    path.write_bytes(content)
    with pytest.raises(RulesetError) as error:
        load_ruleset(path)
    assert str(error.value) == f"{path}{words}"


def test_a_byte_order_mark_is_no_fault(tmp_path):
    path = tmp_path / "game.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + NIM.encode())
    assert load_ruleset(path).title == "Nim"


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(RulesetError) as error:
        load_ruleset(tmp_path / "lost.yaml")
    assert str(error.value) == f"{tmp_path}/lost.yaml: there is no such file"


def test_a_name_is_of_the_folder_or_else_of_those_that_come_with_grundylab(tmp_path):
    assert len(load_ruleset("nim", tmp_path).coordinates) == 3
    (tmp_path / "nim.yaml").write_text(NIM)
    assert load_ruleset("nim", tmp_path).files == (str(tmp_path / "nim.yaml"),)


def test_what_is_extended_is_of_the_same_folder_or_else_of_those_that_come_with_grundylab(tmp_path):
    (tmp_path / "mine.yaml").write_text("title: Mine\nextends: nim\n")
    assert len(load_ruleset("mine", tmp_path).coordinates) == 3
    (tmp_path / "nim.yaml").write_text(NIM)
    assert load_ruleset("mine", tmp_path).files[1] == str(tmp_path / "nim.yaml")


# -- form ------------------------------------------------------------------------------------------

FORM_FAULTS = [
    (NIM + "meassure: x + y\n", "game.yaml:7: meassure: unknown key 'meassure'; did you mean 'measure'?"),
    (NIM + "zzz: 1\n", "game.yaml:7: zzz: unknown key 'zzz'; known keys: claims, description, extends, functions, measure, moves, parameters, pass, piles, play, position, source, title, where"),
    (NIM + "meanings: {x: a pile}\n", "game.yaml:7: meanings: unknown key 'meanings'; say what names mean in description:"),
    (NIM + "pass: {wen: x > 0}\n", "game.yaml:7: pass.wen: unknown key 'wen'; did you mean 'when'?"),
    (NIM + "  - {take: t, form: x}\n", "game.yaml:7: moves.2.form: unknown key 'form'; did you mean 'for'?"),
    (NIM + "claims:\n  - id: a\n    target: p\n    formul: x == y\n", "game.yaml:10: claims.0.formul: unknown key 'formul'; did you mean 'formula'?"),
    (NIM + "functions:\n  h(z):\n    recurence: z\n", "game.yaml:9: functions.h(z).recurence: unknown key 'recurence'; did you mean 'recurrence'?"),
    ("title: a\nmoves: []\n", "game.yaml:1: position: the key 'position' is missing"),
    (NIM + "claims:\n  - id: a\n", "game.yaml:8: claims.0: a claim is one of: 'formula:', 'positions:', 'table:', 'every-option:', 'some-option:', 'condition:'"),
    (NIM + "where: [x]\n", "game.yaml:7: where: a line of text is needed here"),
    (NIM.replace("{x: 0..N, y: 0..N}", "x"), "game.yaml:3: position: a mapping of 'key: value' is needed here"),
    (NIM + "claims: none\n", "game.yaml:7: claims: a list is needed here"),
    (NIM + "pass: yes\n", "game.yaml:7: pass: write pass: {} for a pass that is always allowed, or pass: {when: x > 0}"),
    (NIM + "piles: two\n", "game.yaml:7: piles: a whole number is needed here, not 'two'"),
    (NIM + "piles: 0\n", "game.yaml:7: piles: at least 1 is needed here, not 0"),
    (NIM + "piles: 7\n", "game.yaml:7: piles: at most 6 is possible here, not 7"),
    (NIM + "play: mis\n", "game.yaml:7: play: 'mis' is not one of 'normal' or 'misere'"),
    (NIM + "source: {at: Section 1}\n", "game.yaml:7: source: a source is {paper: FILE, at: PLACE} with a file in papers, or a text"),
    (NIM + "source: {paper: a, text: b}\n", "game.yaml:7: source: a source is {paper: FILE, at: PLACE} with a file in papers, or a text"),
    (NIM + "source: {text: b, at: c}\n", "game.yaml:7: source: a source is {paper: FILE, at: PLACE} with a file in papers, or a text"),
    (NIM + "  - {take: t}\n", "game.yaml:7: moves.2: 'take:' and 'from:' go together, as in {take: t, from: x}"),
    (NIM + "  - {name: none}\n", "game.yaml:7: moves.2: a move has either 'take:' and 'from:', or 'to:' (with 'for:' and 'when:'), which names what changes"),
    (NIM + "  - {take: t, from: x, to: {x: 0}}\n", "game.yaml:7: moves.2: a move has either 'take:' and 'from:', or 'to:' (with 'for:' and 'when:'), which names what changes"),
    (NIM + "  - {take: t, from: x, for: {u: 1..2}}\n", "game.yaml:7: moves.2: 'for:' goes with 'to:', not with 'take:'"),
    (NIM + "functions: {h(z): {initial: {0: 1}}}\n", "game.yaml:7: functions.h(z): a function is an expression, or 'cases:', or 'recurrence:' with 'initial:', or 'positions:', or 'any:'"),
    (NIM + "functions: {h(z): {cases: []}}\n", "game.yaml:7: functions.h(z): a function is an expression, or 'cases:', or 'recurrence:' with 'initial:', or 'positions:', or 'any:'"),
    (NIM + "functions: {h(z): {cases: [{otherwise: 1}], initial: {0: 1}}}\n", "game.yaml:7: functions.h(z): 'initial:' goes with 'recurrence:'"),
    (NIM + "functions: {h(z): {recurrence: h(z - 1), initial: {a: 1}}}\n", "game.yaml:7: functions.h(z).initial.a: a whole number is needed here, not 'a'"),
    (NIM + "functions: {h(z): {cases: [{when: z > 0}]}}\n", "game.yaml:7: functions.h(z).cases.0: a case is {when: CONDITION, value: NUMBER} or {otherwise: NUMBER}"),
]  # fmt: skip


# -- meaning ---------------------------------------------------------------------------------------

PILES = "title: a\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
SPLIT = "title: a\nposition: {n: 0..N}\nmoves: [{for: {a: 1..n - 1}, to: [{n: a}, {n: n - a}]}]\n"


def functions(*lines: str) -> str:
    return NIM + "functions:\n" + "".join(f"  {line}\n" for line in lines)


def claim(formula: str, target: str = "p", where: str = "True", identifier: str = "a") -> str:
    return (
        NIM
        + f"claims:\n  - id: {identifier}\n    target: {target}\n    where: {where}\n    formula: {formula}\n"
    )


COMMENT = (
    "'#' begins no comment in a formula: leave out what follows, or write it outside of the formula's text"
)


def part(name: str) -> str:
    return (
        f"a part of a sum gives no value of {name}; name every coordinate in each part, as in {name}: {name} "
        f"where it stays and {name}: 0 elsewhere"
    )


NAMING = "use letters, digits and '_', as in m1"
MEANING_FAULTS = [
    # formulas of claims
    (claim("x ^ w == 0"), "game.yaml:11: claims.0.formula: unknown coordinate or parameter 'w'; known here: m, x, y"),
    (claim("x ^ mm == 0"), "game.yaml:11: claims.0.formula: unknown coordinate or parameter 'mm'; did you mean 'm'?"),
    (claim("x <= N"), "game.yaml:11: claims.0.formula: unknown coordinate or parameter 'N'; known here: m, x, y"),
    (claim("x ^ y"), "game.yaml:11: claims.0.formula: target p needs a condition, but 'x ^ y' is a number"),
    (claim("x == y", "grundy"), "game.yaml:11: claims.0.formula: target grundy needs a number, but 'x == y' is a condition"),
    (claim("x", "grundy == 2"), "game.yaml:11: claims.0.formula: target grundy == 2 needs a condition, but 'x' is a number"),
    (claim("x ** 2 == y"), "game.yaml:11: claims.0.formula: column 1: 'x ** 2': powers are not in the language ('^' is nim-sum): write products, or 1 << n for a power of two"),
    (claim("y + h(x) == 0"), "game.yaml:11: claims.0.formula: unknown function 'h'; known here: abs, ceil, floor, floor_log2, is_power_of_two, is_prime, isqrt, max, min, popcount, prime_factors, valuation2"),
    (claim("x ^ ... == 0"), "game.yaml:11: claims.0.formula: column 1: 'x': '...' needs a ruleset with 'piles:'"),
    (claim("x == y", "q"), "game.yaml:9: claims.0.target: unknown target 'q'; write p, grundy, or grundy == 2"),
    (claim("x == y", where="x + 1"), "game.yaml:10: claims.0.where: 'x + 1' is a number, but a condition is needed here"),
    (claim("x == y", where="N > 2"), "game.yaml:10: claims.0.where: unknown coordinate or parameter 'N'; known here: m, x, y"),
    (claim("x == y", identifier="Theorem 1"), "game.yaml:8: claims.0.id: 'Theorem 1' cannot be a claim's id: use small letters, digits, '-' and '.'"),
    (claim("x == y", identifier="../a"), "game.yaml:8: claims.0.id: '../a' cannot be a claim's id: use small letters, digits, '-' and '.'"),
    (claim("x == y") + "  - {id: a, target: p, formula: x == y}\n", "game.yaml:12: claims.1.id: the claim id 'a' is there twice"),
    (claim("x", "grundy").replace("moves:", "play: misere\nmoves:"), "game.yaml:12: claims.0.formula: under misere play only the outcome is solved; take target p, not grundy"),
    # parameters and names
    (NIM.replace("m >= 1", "m"), "game.yaml:2: parameters.m: 'm' is a number, but a condition is needed here"),
    (NIM.replace("m >= 1", "m >= k"), "game.yaml:2: parameters.m: unknown name 'k'; known here: m"),
    (NIM.replace("{m: m >= 1}", "{m: m >= 1, k: h(k)}"), "game.yaml:2: parameters.k: unknown function 'h'; known here: abs, ceil, floor, floor_log2, is_power_of_two, is_prime, isqrt, max, min, popcount, prime_factors, valuation2"),
    (NIM.replace("{m: m >= 1}", "{m: m >= 1, k: h(k) > 0}"), "game.yaml:2: parameters.k: unknown function 'h'; known here: abs, ceil, floor, floor_log2, is_power_of_two, is_prime, isqrt, max, min, popcount, prime_factors, valuation2"),
    (NIM.replace("{m: m >= 1}", "{if: True}"), "game.yaml:2: parameters.if: 'if' cannot be the name of a parameter: it is a word of the formula language"),
    (NIM.replace("{m: m >= 1}", "{min: True}"), "game.yaml:2: parameters.min: 'min' cannot be the name of a parameter: it is a function of the formula language"),
    (NIM.replace("{x: 0..N", "{min: 0..N"), "game.yaml:3: position.min: 'min' cannot be the name of a coordinate: it is a function of the formula language"),
    (NIM.replace("{x: 0..N", "{any: 0..N"), "game.yaml:3: position.any: 'any' cannot be the name of a coordinate: it is a function of the formula language"),
    (functions("max(z): z"), "game.yaml:8: functions.max(z): 'max' cannot be the name of a function: it is a function of the formula language"),
    (NIM.replace("{m: m >= 1}", "{_m: True}"), f"game.yaml:2: parameters._m: '_m' cannot be the name of a parameter: {NAMING}"),
    (NIM.replace("{m: m >= 1}", "{x: x >= 1}"), "game.yaml:3: position.x: 'x' is already the name of something else"),
    (functions("x(z): z"), "game.yaml:3: position.x: 'x' is already the name of something else"),
    (functions("m(z): z"), "game.yaml:8: functions.m(z): 'm' is already the name of something else"),
    (functions("h(m): m"), "game.yaml:8: functions.h(m): 'm' is already the name of something else"),
    (functions("h(h): h"), "game.yaml:8: functions.h(h): 'h' is already the name of something else"),
    (functions("h(a, a): a"), "game.yaml:8: functions.h(a, a): 'a' is already the name of something else"),
    # the position space
    (NIM.replace("x: 0..N", "x: 0"), "game.yaml:3: position.x: '0' is not a range: write it as 0..N"),
    (NIM.replace("x: 0..N", "x: 0..N..2"), "game.yaml:3: position.x: '0..N..2' is not a range: write it as 0..N"),
    (NIM.replace("x: 0..N", "x: 0...N"), "game.yaml:3: position.x: column 1: cannot read '.N': invalid syntax"),
    (NIM.replace("x: 0..N", "x: 0.."), "game.yaml:3: position.x: the formula is empty"),
    (NIM.replace("x: 0..N", "x: 0..n"), "game.yaml:3: position.x: unknown name 'n'; the name of a table's bound begins with a capital, as in 0..N"),
    (NIM.replace("x: 0..N", "x: 0..y"), "game.yaml:3: position.x: unknown name 'y'; the name of a table's bound begins with a capital, as in 0..N"),
    (NIM.replace("x: 0..N", "x: 0..N == 1"), "game.yaml:3: position.x: 'N == 1' is a condition, but a number is needed here"),
    (NIM.replace("x: 0..N", "x: 0..N/2"), "game.yaml:3: position.x: 'N / 2' is a fraction, but a number is needed here; write floor(a/b) or a // b"),
    (NIM.replace("x: 0..N, y", "x: 0..Y, Y"), "game.yaml:3: position.Y: 'Y' is already the name of something else"),
    (NIM.replace("x: 0..N, y: 0..N", ""), "game.yaml:3: position: a position needs at least one coordinate, as in {x: 0..N}"),
    (NIM + "where: x\n", "game.yaml:7: where: 'x' is a number, but a condition is needed here"),
    (NIM + "where: x < N\n", "game.yaml:7: where: N is a bound of tables, and the rules may not depend on it"),
    (NIM + "measure: x == 1\n", "game.yaml:7: measure: 'x == 1' is a condition, but a number is needed here"),
    (NIM + "measure: x + q\n", "game.yaml:7: measure: unknown name 'q'; known here: m, x, y"),
    # moves
    (NIM + "  - {take: t, from: z}\n", "game.yaml:7: moves.2: unknown coordinate 'z' after 'from:'; coordinates: x, y"),
    (NIM + "  - {take: k + 1, from: x}\n", "game.yaml:7: moves.2: unknown name 'k'; known here: m"),
    (NIM + "  - {take: y, from: x}\n", "game.yaml:7: moves.2: to take exactly y, where the pile has that many, write a range: take: \"max(1, y)..min(y, x)\""),
    (NIM + "  - {take: '1, 3', from: x}\n",
     "game.yaml:7: moves.2: the numbers that may be taken stand in brackets, as in take: [1, 2, 4]"),
    (NIM + "  - {take: 1, 3, from: x}\n",
     "game.yaml:7: moves.2.3: a value is missing after ':' or '-'; a list stands in brackets: [1, 2, 4]"),
    (NIM + "where: x ≤ y\n", "game.yaml:7: where: column 3: cannot read 'x ≤ y': invalid character '≤' (U+2264) ('≤' is '<=' here)"),
    (NIM + "where: 2x > y && y > 1\n", "game.yaml:7: where: column 1: cannot read '2x > y && y > 1': invalid decimal literal (write 'and')"),
    (NIM + "where: x mod 2 == 0\n", "game.yaml:7: where: column 3: cannot read 'x mod 2 == 0': invalid syntax (a remainder is 'x % y' here)"),
    (NIM + "misere: true\n", "game.yaml:7: misere: unknown key 'misere'; write play: misere"),
    (NIM + "pass: x > 0\n", "game.yaml:7: pass: write pass: {} for a pass that is always allowed, or pass: {when: x > 0}"),
    (NIM + "claims:\n  - {id: a, formula: x == y}\n", "game.yaml:8: claims.0: with 'formula:' goes a target, as in target: p or target: grundy"),
    ("title: t\nposition: {x: 0..N}\nmoves:\n\t- {take: t, from: x}\n",
     "game.yaml:4: not YAML: a tab at the beginning of a line: indent with spaces"),
    (NIM + "  - {take: t, from: x, when: s > 1}\n", "game.yaml:7: moves.2: unknown name 's'; known here: m, t, x, y"),
    (NIM + "  - {for: {m: 1..x}, to: {x: x - m}}\n", "game.yaml:7: moves.2.for.m: 'm' is already the name of something else"),
    (NIM + "  - {for: {t: 1..u, u: 1..x}, to: {x: x - t}}\n", "game.yaml:7: moves.2.for.t: unknown name 'u'; known here: m, x, y"),
    (NIM + "  - {for: {t: 1..N}, to: {x: x - t}}\n", "game.yaml:7: moves.2.for.t: N is a bound of tables, and the rules may not depend on it"),
    (NIM + "  - for: {t: 1..x}\n    to:\n      x: x - s\n", "game.yaml:9: moves.2.to.x: unknown name 's'; known here: m, t, x, y"),
    (NIM + "  - {to: {z: 0}}\n", "game.yaml:7: moves.2.to.z: unknown coordinate 'z'; coordinates: x, y"),
    (NIM + "  - {to: {x: x == 1}}\n", "game.yaml:7: moves.2.to.x: 'x == 1' is a condition, but a number is needed here"),
    (NIM + "  - to:\n      - {x: 0, y: y}\n      - {x: q, y: 0}\n", "game.yaml:9: moves.2.to.1.x: unknown name 'q'; known here: m, x, y"),
    (functions("t(z): z").replace("take: t, from: x", "take: t, from: y"), "game.yaml:5: moves.0: 't' is already the name of something else"),
    # functions
    (functions("h: z"), "game.yaml:8: functions.h: 'h' is not the head of a function: write it as h(z) or F(x, z)"),
    (functions("h(): 1"), "game.yaml:8: functions.h(): 'h()' is not the head of a function: write it as h(z) or F(x, z)"),
    (functions("h(z): x"), "game.yaml:8: functions.h(z): unknown name 'x'; known here: m, z"),
    (functions("h(z): z == 1"), "game.yaml:8: functions.h(z): 'z == 1' is a condition, but a number is needed here"),
    (functions("h(z): z", "h(w): w"), "game.yaml:9: functions.h(w): the function h() is defined twice"),
    (functions("h(z): gg(z)", "g(z): z"), "game.yaml:8: functions.h(z): unknown function 'gg'; did you mean 'g'?"),
    (functions("h(z): g(z, 1)", "g(z): z"), "game.yaml:8: functions.h(z): g() takes 1 argument, not 2"),
    (functions("a(z): b(z)", "b(z): c(z)", "c(z): a(z)"), "game.yaml:8: functions.a(z): functions may call themselves, but not each other in a circle"),
    (functions("a(z): z", "b(z): c(z)", "c(z): b(z) + a(z)"), "game.yaml:9: functions.b(z): functions may call themselves, but not each other in a circle"),
    (functions("h(a, b): {recurrence: 'h(a - 1, b)'}"), "game.yaml:8: functions.h(a, b): the recurrence h() must have one argument"),
    (functions("h(a, b): {recurrence: a, initial: {0: 1}}"), "game.yaml:8: functions.h(a, b): the recurrence h() must have one argument"),
    (functions("h(z): {cases: [{when: z > 0, value: 1}]}"), "game.yaml:8: functions.h(z): the last of the cases, and no other, must be {otherwise: NUMBER}"),
    (functions("h(z): {cases: [{otherwise: 1}, {otherwise: 2}]}"), "game.yaml:8: functions.h(z): the last of the cases, and no other, must be {otherwise: NUMBER}"),
    (functions("h(z): {cases: [{when: z, value: 1}, {otherwise: 2}]}"), "game.yaml:8: functions.h(z): 'z' is a number, but a condition is needed here"),
    # sums whose parts do not say where each pile is
    (PILES.replace("{take: t, from: x}", "{for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}"), f"game.yaml:4: moves.0.to.0: {part('y')}"),
    (NIM + "  - for: {a: 1..x-1}\n    to:\n      - {x: a, y: 0}\n      - {x: x - a}\n", f"game.yaml:10: moves.2.to.1: {part('y')}"),
    (NIM + "  - {for: {a: 1..y-1}, to: [{y: a, x: x}, {y: y - a, x: 0}, {y: 0}]}\n", f"game.yaml:7: moves.2.to.2: {part('x')}"),
    # '#' and what else Python's own reader would take for something else
    (claim("|\n      x == 1 # and not\n      or y == 1"), f"game.yaml:11: claims.0.formula: column 8: {COMMENT}"),
    (claim("x == y", where='"m > 1 # not one"'), f"game.yaml:10: claims.0.where: column 7: {COMMENT}"),
    (NIM + 'claims: [{id: a, target: p, positions: ["1, 2", "2, k + 1 # for k >= 2"]}]\n', f"game.yaml:7: claims.0.positions: column 7: {COMMENT}"),
    (NIM + 'claims: [{id: a, every-option: "x # y"}]\n', f"game.yaml:7: claims.0.every-option: column 3: {COMMENT}"),
    (NIM + 'claims: [{id: a, condition: x == k, for: {k: "0..x # 9"}}]\n', f"game.yaml:7: claims.0.for.k: column 3: {COMMENT}"),
    (NIM + 'claims:\n  - id: a\n    target: p\n    table:\n      columns: [x, y]\n      entries: |\n        0 0 P # 1\n', "game.yaml:10: claims.0.table: '0 0 P # 1' is not 2 numbers and a value"),
    (functions('h(z): "z # + 1"'), f"game.yaml:8: functions.h(z): column 3: {COMMENT}"),
    (functions('h(z): {any: "h(z) >= 0 # 1"}'), f"game.yaml:8: functions.h(z): column 11: {COMMENT}"),
    (NIM.replace("take: t, from: y", 'take: "1..y # all", from: y'), f"game.yaml:6: moves.1: column 3: {COMMENT}"),
    (NIM.replace("m >= 1", '"m >= 1_0"'), "game.yaml:2: parameters.m: column 6: '1_0': write a number with its digits alone, and a space after it"),
    (NIM.replace("from: y}", 'from: y, when: "ｘ >= y"}'), "game.yaml:6: moves.1: column 1: 'ｘ' (U+FF58) is not 'x': write plain letters, digits and signs"),
    (PILES.replace("2", "0_2"), "game.yaml:2: piles: a whole number is needed here, not '0_2'"),
    (functions("h(z): {recurrence: h(z - 1), initial: {0: 1_0}}"), "game.yaml:8: functions.h(z).initial.0: a whole number is needed here, not '1_0'"),
    (NIM + "claims: [{id: a, target: grundy, table: {columns: [x, y], entries: 1 1 ３}}]\n", "game.yaml:7: claims.0.table: '３' is not an entry: write a number"),
    # piles, pass, misère
    (PILES.replace("x: 0..N", "n: 0..N"), "game.yaml:3: position: with 'piles:', the position must describe one pile, called x"),
    (PILES.replace("x: 0..N", "x: 0..N, y: 0..N"), "game.yaml:3: position: 'y' is the name of a pile: 'piles: 2' makes x, y"),
    (PILES.replace("from: x", "from: z"), "game.yaml:4: moves.0: unknown coordinate 'z' after 'from:'; coordinates: x, y"),
    (SPLIT + "pass: {}\n", "game.yaml:4: pass: a game with moves that split cannot have a pass; leave out 'pass:'"),
    (SPLIT + "play: misere\n", "game.yaml:4: play: a move that splits leads to a sum, whose outcome under misère play does not follow from its parts; use play: normal"),
    (NIM.replace("y: 0..N", "p: 0..1").replace("from: y", "from: p") + "pass: {}\n", "game.yaml:7: pass: 'pass:' makes a coordinate 'p', but the ruleset already uses that name"),
    (NIM.replace("{m: m >= 1}", "{p: p >= 1}") + "pass: {}\n", "game.yaml:7: pass: 'pass:' makes a coordinate 'p', but the ruleset already uses that name"),
    (NIM.replace("take: t, from: x", "take: p, from: x") + "pass: {}\n", "game.yaml:7: pass: 'pass:' makes a coordinate 'p', but the ruleset already uses that name"),
    (NIM + "pass: {when: x}\n", "game.yaml:7: pass.when: 'x' is a number, but a condition is needed here"),
    (NIM + "pass: {when: p == 1}\n", "game.yaml:7: pass.when: unknown name 'p'; known here: m, x, y"),
    # extends, without a file
    ("extends: lost\n", "game.yaml:1: extends: there is no ruleset 'lost' to extend (looked for rulesets/lost.yaml)"),
    ("extends: ../nim\n", "game.yaml:1: extends: 'extends:' takes the name of a ruleset"),
    ("extends: [nim]\n", "game.yaml:1: extends: 'extends:' takes the name of a ruleset"),
]  # fmt: skip


FAULTS = YAML_FAULTS + FORM_FAULTS + MEANING_FAULTS


@pytest.mark.parametrize(("text", "words"), FAULTS, ids=range(len(FAULTS)))
def test_each_fault_is_said_at_its_line(text, words):
    assert fault(text) == words or (words.endswith("known keys: ") and fault(text).startswith(words))


# -- instances, claims, targets --------------------------------------------------------------------


RECURRENCE = (
    "title: a\nposition: {x: 0..2000000, y: 0..h(x)}\nmoves: [{take: t, from: x}]\n"
    "functions: {h(z): {recurrence: h(z - 1), initial: {0: 0}}}\n"
)
UNFIT = [
    (NIM, {}, {"N": 4}, "game: the parameter m has no value; give m=…, or --param m=… on the command line"),
    (NIM, {"m": 1}, {}, "game: the bound N has no value; give N=…, or --bound N=… on the command line"),
    (NIM, {"m": 0}, {"N": 4}, "game: m=0 is out of its domain: m >= 1"),
    (NIM, {"m": 1, "k": 2}, {"N": 4}, "game has no parameter 'k'; its parameters: m"),
    (NIM, {"m": 1}, {"N": 4, "K": 4}, "game has no bound 'K'; its bounds: N"),
    (NIM, {"m": 1}, {"N": -1}, "game: the bound N=-1 must be at least 0"),
    (NIM, {"m": 3.9}, {"N": 4}, "game: m=3.9 is no integer: give one, such as m=3"),
    (NIM, {"m": 3.0}, {"N": 4}, "game: m=3.0 is no integer: give one, such as m=3"),
    (NIM, {"m": True}, {"N": 4}, "game: m=True is no integer: give one, such as m=3"),
    (NIM, {"m": np.bool_(True)}, {"N": 4}, "game: m=True is no integer: give one, such as m=3"),
    (NIM, {"m": np.float64(2)}, {"N": 4}, "game: m=2.0 is no integer: give one, such as m=3"),
    (NIM, {"m": "3"}, {"N": 4}, "game: m='3' is no integer: give one, such as m=3"),
    (NIM, {"m": None}, {"N": 4}, "game: m=None is no integer: give one, such as m=3"),
    (NIM, {"m": 1}, {"N": 4.5}, "game: the bound N=4.5 is no integer: give one, such as N=3"),
    (NIM, {"m": 1}, {"N": np.array([1, 2])}, "game: the bound N=[1 2] is no integer: give one, such as N=3"),
    (SPLIT, {"m": 1}, {"N": 3}, "game has no parameter 'm'; it has no parameters"),
    (NIM.replace("m >= 1", "12 // m == 3"), {"m": 0}, {"N": 2}, "game: m=0 is out of its domain: 12 // m == 3"),
    (NIM.replace("x: 0..N", "x: 1 - m..N"), {"m": 4}, {"N": 2}, "game (m=4,N=2): the range of x begins at -3; at least 0 is needed"),
    (RECURRENCE, {}, {}, "game (all): the range of y: h() would be needed at 2,000,001 arguments"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parameters", "bounds", "words"), UNFIT)
def test_values_that_do_not_fit_the_ruleset(text, parameters, bounds, words):
    with pytest.raises(InstanceError) as error:
        _ = make_instance(parse_ruleset(text, "game"), parameters, bounds).box
    assert str(error.value) == words


def test_an_unknown_claim_names_those_there_are():
    with pytest.raises(FormulaError, match=r"^game has no claim 'b'; its claims: a$"):
        parse_ruleset(claim("x == y"), "game").claim("b")
    with pytest.raises(FormulaError, match=r"^game has no claim 'b'; its claims: none$"):
        parse_ruleset(NIM, "game").claim("b")


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


def test_numbers_of_numpy_are_numbers():
    ruleset = parse_ruleset(NIM, "game")
    plain = make_instance(ruleset, {"m": 2}, {"N": 3})
    assert make_instance(ruleset, {"m": np.int64(2)}, {"N": np.uint8(3)}) == plain
    assert all(type(value) is int for _, value in plain.parameters + plain.bounds)


def test_a_position_that_is_explained_has_integers():
    ruleset = parse_ruleset(NIM, "game")
    with pytest.raises(InstanceError, match=r"^game: the coordinate y=1.5 is no integer"):
        explain(ruleset, {"x": 1, "y": 1.5}, {"m": 1})
    with pytest.raises(InstanceError, match=r"^game: m=1.5 is no integer"):
        explain(ruleset, {"x": 1, "y": 1}, {"m": 1.5})
    with pytest.raises(InstanceError, match=r"^game: the bound N=True is no integer"):
        solve(ruleset, m=1, N=True)
    assert explain(ruleset, {"x": np.int32(2), "y": 1}, {"m": np.int64(1)}).value == 3


def test_a_row_is_along_layers_of_integers():
    ruleset = parse_ruleset(NIM, "game")
    game = layered_game(ruleset, {"m": 1}, ("x",), parse_target("grundy"))
    with pytest.raises(InstanceError, match=r"^game: y=1.5 is no integer"):
        game.top({"y": 1.5})


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
    with pytest.raises(RulesetError, match=r"in grundylab; name a file of your own with its ending, \.yaml$"):
        load_ruleset("qqqqqqqq", tmp_path)
