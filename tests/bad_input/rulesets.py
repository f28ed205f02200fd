"""Mistakes in the file of a ruleset: its text, the line and key where the mistake is, and what the message must name."""

NIM = """\
title: Nim
parameters: {m: m >= 1}
position: {x: 0..N, y: 0..N}
moves:
  - {take: t, from: x}
  - {take: t, from: y}
"""
PILES = "title: a\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"
SPLIT = "title: a\nposition: {n: 0..N}\nmoves: [{for: {a: 1..n - 1}, to: [{n: a}, {n: n - a}]}]\n"
PASS = "title: a\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {}\n"
HEAP = "title: a\nposition: {x: 0..N}\nmoves: [{take: TAKE, from: x}]\n"


def nim(*lines: str) -> str:
    """Return Nim with more lines."""
    return NIM + "".join(f"{line}\n" for line in lines)


def ranges(x: str) -> str:
    """Return Nim with another range of x."""
    return NIM.replace("x: 0..N", f"x: {x}")


def parameters(text: str) -> str:
    return NIM.replace("{m: m >= 1}", text)


def functions(*lines: str) -> str:
    return nim("functions:", *(f"  {line}" for line in lines))


def claim(formula: str, target: str = "p", where: str = "True", identifier: str = "a") -> str:
    return nim(
        "claims:",
        f"  - id: {identifier}",
        f"    target: {target}",
        f"    where: {where}",
        f"    formula: {formula}",
    )


NUMBER, CONDITION = "must be a number", "must be a condition"
TAKEN = ("already", "name")
COMMENT = ("'#'", "remove what follows", "outside")
PART = ("every coordinate in each part",)
NAMING = ("letters, digits and '_'", "m1")
INDENT = ("indent all keys of a mapping alike", "'-'", "closing quote")
BUILTINS = "abs, ceil, floor, floor_log2, is_power_of_two, is_prime, isqrt, max, min, nim_product, popcount, prime_factors, valuation2"

YAML = [
    ("", "", "empty"),
    ("# only a comment\n", "", "empty"),
    ("- a\n- b\n", "1: ", "mapping", "'key: value'"),
    ("title: a\ntitle: b\n", "2: ", "'title'", "twice"),
    ("title: a\nposition: {x: 0..N,\n  x: 0..M}\n", "3: position: ", "'x'", "twice"),
    ("title: &a Nim\n", "1: ", "anchors and aliases", "'&', '*'"),
    ("title: a\nx: *a\n", "2: ", "anchors and aliases", "'&', '*'"),
    ("title:\n", "1: title: ", "value", "after ':' or '-'"),
    ("title: a\nmoves:\n  -\n", "3: moves.0: ", "value", "after ':' or '-'"),
    ("title: a\n? [x]\n: 1\n", "2: ", "key", "plain text"),
    ("title: 'a\n", "1: not YAML", "quote", "not closed"),
    ("title: a\nmoves: [\n", "3: not YAML", "inside a bracket", "close it"),
    ("title: a\n  bad: b\n", "2: not YAML", "indent", "quote", "title: 'Nim: three piles'"),
    ("title: a\nposition: {x: 0..N}\n  moves: []\n", "3: not YAML", *INDENT),
    ("title: a\nmoves:\n  - {take: 1, from: x}\n - {take: 2, from: x}\n", "4: not YAML", *INDENT),
    ("title: a\nposition:\n    x: 0..N\n  y: 0..N\n", "4: not YAML", *INDENT),
    ("title: a\nposition: {x: 0..N\nmoves: []\n", "2: not YAML", "a comma", "bracket that begins here"),
    ("title: a\nclaims\nplay: normal\n", "2: not YAML", "a key and a colon", "play: misere"),
    ("title: a\n\tb: c\n", "2: not YAML", "a tab", "indent with spaces"),
    ("title: t\nposition: {x: 0..N}\nmoves:\n\t- {take: t, from: x}\n", "4: not YAML", "a tab", "indent with spaces"),
    ("title: a\n---\ntitle: b\n", "2: not YAML", "'---'", "remove it"),
    ("title: \x07\n", " not YAML", "#x0007", "position 7"),
    ("a: " + "[" * 60 + "]" * 60, "1: ", "nested more than 40 deep"),
    ("title: a\n<<: {x: 1}\n", "2: <<: ", "'<<'", "known keys: "),
    (nim("  - {for: {t: 1..x}, to: {x: x - t, y: min(y, h(x))}}"), "7: moves.2.to.y: ", "comma", "quote it: y: 'min(y, h(x))'"),
    (nim("  - for: {t: 1..min(x,", "      max(y, 2), 3)}", "    to: {x: x - t}"),
     "8: moves.2.for.t: ", "comma", "quote it: t: '1..min(x, max(y, 2), 3)'"),
    (b"title: a\nposition: \xff\n", "2: ", "UTF-8"),
    (b"\xff\xfet\x00i\x00", "1: ", "UTF-8"),
    (b"#" * 1_000_001, " ", "1,000,001 bytes", "limit is 1,000,000"),
]  # fmt: skip

FORM = [
    (nim("meassure: x + y"), "7: meassure: ", "'measure'"),
    (nim("zzz: 1"), "7: zzz: ", "claims, description, extends, functions, measure, moves, parameters, pass, piles, play, position, source, title, where"),
    (nim("meanings: {x: a pile}"), "7: meanings: ", "description:"),
    (nim("misere: true"), "7: misere: ", "play: misere"),
    (nim("pass: {wen: x > 0}"), "7: pass.wen: ", "'when'"),
    (nim("  - {take: t, form: x}"), "7: moves.2.form: ", "'for'"),
    (nim("claims:", "  - id: a", "    target: p", "    formul: x == y"), "10: claims.0.formul: ", "'formula'"),
    (functions("h(z):", "  recurence: z"), "9: functions.h(z).recurence: ", "'recurrence'"),
    ("title: a\nmoves: []\n", "1: position: ", "missing"),
    (nim("claims:", "  - id: a"), "8: claims.0: ", "'formula:', 'positions:', 'table:', 'every-option:', 'some-option:', 'condition:'"),
    (nim("claims:", "  - {id: a, formula: x == y}"), "8: claims.0: ", "target: p", "target: grundy"),
    (nim("where: [x]"), "7: where: ", "a line of text"),
    (NIM.replace("{x: 0..N, y: 0..N}", "x"), "3: position: ", "a mapping of 'key: value'"),
    (nim("claims: none"), "7: claims: ", "a list"),
    (nim("pass: yes"), "7: pass: ", "pass: {}", "pass: {when: x > 0}"),
    (nim("pass: x > 0"), "7: pass: ", "pass: {}", "pass: {when: x > 0}"),
    (nim("piles: two"), "7: piles: ", "'two'", "a whole number"),
    (nim("piles: 0"), "7: piles: ", "at least 1", "not 0"),
    (nim("piles: 7"), "7: piles: ", "at most 6", "not 7"),
    (PILES.replace("2", "0_2"), "2: piles: ", "'0_2'", "a whole number"),
    (nim("play: mis"), "7: play: ", "'mis'", "'normal' or 'misere'"),
    *((nim(f"source: {text}"), "7: source: ", "{paper: FILE, at: PLACE}", "papers", "a text")
      for text in ("{at: Section 1}", "{paper: a, text: b}", "{text: b, at: c}")),
    (nim("  - {take: t}"), "7: moves.2: ", "{take: t, from: x}"),
    (nim("  - {name: none}"), "7: moves.2: ", "'take:' and 'from:'", "'to:' (with 'for:' and 'when:')"),
    (nim("  - {take: t, from: x, to: {x: 0}}"), "7: moves.2: ", "'take:' and 'from:'", "'to:' (with 'for:' and 'when:')"),
    (nim("  - {take: t, from: x, for: {u: 1..2}}"), "7: moves.2: ", "'for:'", "'to:'", "not with 'take:'"),
    (functions("h(z): {initial: {0: 1}}"), "8: functions.h(z): ", "'cases:'", "'recurrence:' with 'initial:'", "'positions:'", "'any:'"),
    (functions("h(z): {cases: []}"), "8: functions.h(z): ", "'cases:'", "'recurrence:' with 'initial:'", "'positions:'", "'any:'"),
    (functions("h(z): {cases: [{otherwise: 1}], initial: {0: 1}}"), "8: functions.h(z): ", "'initial:'", "'recurrence:'"),
    (functions("h(z): {recurrence: h(z - 1), initial: {a: 1}}"), "8: functions.h(z).initial.a: ", "'a'", "a whole number"),
    (functions("h(z): {recurrence: h(z - 1), initial: {0: 1_0}}"), "8: functions.h(z).initial.0: ", "'1_0'", "a whole number"),
    (functions("h(z): {cases: [{when: z > 0}]}"), "8: functions.h(z).cases.0: ", "{when: CONDITION, value: NUMBER}", "{otherwise: NUMBER}"),
]  # fmt: skip

NAMES = [
    (claim("x ^ w == 0"), "11: claims.0.formula: ", "'w'", "m, x, y"),
    (claim("x ^ mm == 0"), "11: claims.0.formula: ", "'mm'", "'m'"),
    (claim("x <= N"), "11: claims.0.formula: ", "'N'", "m, x, y"),
    (claim("x == y", where="N > 2"), "10: claims.0.where: ", "'N'", "m, x, y"),
    (claim("y + h(x) == 0"), "11: claims.0.formula: ", "function 'h'", BUILTINS),
    (claim("x == y", "q"), "9: claims.0.target: ", "'q'", "p, grundy, or grundy == 2"),
    (claim("x == y", identifier="Theorem 1"), "8: claims.0.id: ", "'Theorem 1'", "lowercase letters, digits, '-' and '.'"),
    (claim("x == y", identifier="../a"), "8: claims.0.id: ", "'../a'", "lowercase letters, digits, '-' and '.'"),
    (claim("x == y") + "  - {id: a, target: p, formula: x == y}\n", "12: claims.1.id: ", "'a'", "twice"),
    (parameters("{m: m >= k}"), "2: parameters.m: ", "'k'", "known here: m"),
    (parameters("{m: m >= 1, k: h(k)}"), "2: parameters.k: ", "function 'h'", BUILTINS),
    (parameters("{m: m >= 1, k: h(k) > 0}"), "2: parameters.k: ", "function 'h'", BUILTINS),
    (parameters("{if: True}"), "2: parameters.if: ", "'if'", "a parameter", "a word of the formula language"),
    (parameters("{min: True}"), "2: parameters.min: ", "'min'", "a parameter", "a function of the formula language"),
    (NIM.replace("{x: 0..N", "{min: 0..N"), "3: position.min: ", "'min'", "a coordinate", "a function of the formula language"),
    (NIM.replace("{x: 0..N", "{any: 0..N"), "3: position.any: ", "'any'", "a coordinate", "a function of the formula language"),
    (functions("max(z): z"), "8: functions.max(z): ", "'max'", "a function of the formula language"),
    (parameters("{_m: True}"), "2: parameters._m: ", "'_m'", *NAMING),
    (parameters("{x: x >= 1}"), "3: position.x: ", "'x'", *TAKEN),
    (ranges("0..Y, Y: 0..N"), "3: position.Y: ", "'Y'", *TAKEN),
    (functions("x(z): z"), "3: position.x: ", "'x'", *TAKEN),
    (functions("m(z): z"), "8: functions.m(z): ", "'m'", *TAKEN),
    (functions("h(m): m"), "8: functions.h(m): ", "'m'", *TAKEN),
    (functions("h(h): h"), "8: functions.h(h): ", "'h'", *TAKEN),
    (functions("h(a, a): a"), "8: functions.h(a, a): ", "'a'", *TAKEN),
    (functions("t(z): z").replace("take: t, from: x", "take: t, from: y"), "5: moves.0: ", "'t'", *TAKEN),
    (nim("  - {for: {m: 1..x}, to: {x: x - m}}"), "7: moves.2.for.m: ", "'m'", *TAKEN),
    (ranges("0..n"), "3: position.x: ", "'n'", "a capital", "0..N"),
    (ranges("n..n"), "3: position.x: ", "'n'", "a capital", "0..N"),
    (ranges("0..y"), "3: position.x: ", "'y'", "a capital", "0..N"),
    (nim("where: x < N"), "7: where: ", "N is a bound"),
    (nim("measure: x + q"), "7: measure: ", "'q'", "m, x, y"),
    (nim("  - {take: t, from: z}"), "7: moves.2: ", "'z'", "'from:'", "x, y"),
    (nim("  - {take: k + 1, from: x}"), "7: moves.2: ", "'k'", "known here: m"),
    (nim("  - {take: t, from: x, when: s > 1}"), "7: moves.2: ", "'s'", "m, t, x, y"),
    (nim("  - {for: {t: 1..u, u: 1..x}, to: {x: x - t}}"), "7: moves.2.for.t: ", "'u'", "m, x, y"),
    (nim("  - {for: {t: 1..N}, to: {x: x - t}}"), "7: moves.2.for.t: ", "N is a bound"),
    (nim("  - for: {t: 1..x}", "    to:", "      x: x - s"), "9: moves.2.to.x: ", "'s'", "m, t, x, y"),
    (nim("  - {to: {z: 0}}"), "7: moves.2.to.z: ", "'z'", "x, y"),
    (nim("  - to:", "      - {x: 0, y: y}", "      - {x: q, y: 0}"), "9: moves.2.to.1.x: ", "'q'", "m, x, y"),
    (functions("h: z"), "8: functions.h: ", "'h'", "h(z) or F(x, z)"),
    (functions("h(): 1"), "8: functions.h(): ", "'h()'", "h(z) or F(x, z)"),
    (functions("h(z): x"), "8: functions.h(z): ", "'x'", "m, z"),
    (functions("h(z): z", "h(w): w"), "9: functions.h(w): ", "h()", "twice"),
    (functions("h(z): gg(z)", "g(z): z"), "8: functions.h(z): ", "'gg'", "'g'"),
    (functions("h(z): g(z, 1)", "g(z): z"), "8: functions.h(z): ", "g()", "1 argument, not 2"),
    (functions("a(z): b(z)", "b(z): c(z)", "c(z): a(z)"), "8: functions.a(z): ", "in a cycle"),
    (functions("a(z): z", "b(z): c(z)", "c(z): b(z) + a(z)"), "9: functions.b(z): ", "in a cycle"),
    (PILES.replace("from: x", "from: z"), "4: moves.0: ", "'z'", "'from:'", "x, y"),
    (nim("pass: {when: p == 1}"), "7: pass.when: ", "'p'", "m, x, y"),
    *((text + "pass: {}\n", "7: pass: ", "'pass:'", "'p'", *TAKEN) for text in (
        NIM.replace("y: 0..N", "p: 0..1").replace("from: y", "from: p"), parameters("{p: p >= 1}"),
        NIM.replace("take: t, from: x", "take: p, from: x"))),
]  # fmt: skip

KINDS = [
    (claim("x ^ y"), "11: claims.0.formula: ", "target p needs a condition", "'x ^ y'"),
    (claim("x == y", "grundy"), "11: claims.0.formula: ", "target grundy needs a number", "'x == y'"),
    (claim("x", "grundy == 2"), "11: claims.0.formula: ", "target grundy == 2 needs a condition", "'x'"),
    (claim("x == y", where="x + 1"), "10: claims.0.where: ", "'x + 1'", CONDITION),
    (claim("x", "grundy").replace("moves:", "play: misere\nmoves:"), "12: claims.0.formula: ", "misere", "target p"),
    (parameters("{m: m}"), "2: parameters.m: ", "'m'", CONDITION),
    (ranges("0..N == 1"), "3: position.x: ", "'N == 1'", NUMBER),
    (ranges("0..N/2"), "3: position.x: ", "'N / 2' is a fraction", NUMBER, "floor(a/b) or a // b"),
    (nim("where: x"), "7: where: ", "'x'", CONDITION),
    (nim("measure: x == 1"), "7: measure: ", "'x == 1'", NUMBER),
    (nim("  - {to: {x: x == 1}}"), "7: moves.2.to.x: ", "'x == 1'", NUMBER),
    (functions("h(z): z == 1"), "8: functions.h(z): ", "'z == 1'", NUMBER),
    (functions("h(z): {cases: [{when: z, value: 1}, {otherwise: 2}]}"), "8: functions.h(z): ", "'z'", CONDITION),
    (nim("pass: {when: x}"), "7: pass.when: ", "'x'", CONDITION),
]  # fmt: skip

MEANING = [
    (claim("x ** 2 == y"), "11: claims.0.formula: column 1: ", "'x ** 2'", "'^' is nim-sum", "products, or 1 << n"),
    (claim("x ^ ... == 0"), "11: claims.0.formula: column 1: ", "'...'", "'piles:'"),
    (ranges("0"), "3: position.x: ", "'0'", "range", "0..N"),
    (ranges("0..N..2"), "3: position.x: ", "'0..N..2'", "range", "0..N"),
    (ranges("0...N"), "3: position.x: column 1: ", "'.N'"),
    (ranges("0.."), "3: position.x: ", "empty"),
    (NIM.replace("x: 0..N, y: 0..N", ""), "3: position: ", "at least one coordinate", "{x: 0..N}"),
    (nim("  - {take: y, from: x}"), "7: moves.2: ", "exactly y", "take: 'max(1, y)..min(y, x)'"),
    (nim("  - {take: '1, 3', from: x}"), "7: moves.2: ", "brackets", "take: [1, 2, 4]"),
    (nim("  - {take: 1, 3, from: x}"), "7: moves.2.3: ", "a value", "brackets: [1, 2, 4]"),
    *((HEAP.replace("TAKE", take), "3: moves.0", "take: t", "1..3", "m + 1", "[1, 3, m]") for take in (
        "[]", '""', "-1", "1.5", "[1, 1]", "0", "[0, m]", "all", "in", "t u", "1-3", '"?"')),  # the first and third were reported
    (nim("where: x ≤ y"), "7: where: column 3: ", "'≤' (U+2264)", "'<='"),
    (nim("where: 2x > y && y > 1"), "7: where: column 1: ", "'2x > y && y > 1'", "'and'"),
    (nim("where: x mod 2 == 0"), "7: where: column 3: ", "'x mod 2 == 0'", "a remainder is 'x % y'"),
    (functions("h(a, b): {recurrence: 'h(a - 1, b)'}"), "8: functions.h(a, b): ", "h()", "one argument"),
    (functions("h(a, b): {recurrence: a, initial: {0: 1}}"), "8: functions.h(a, b): ", "h()", "one argument"),
    (functions("h(z): {cases: [{when: z > 0, value: 1}]}"), "8: functions.h(z): ", "last", "{otherwise: NUMBER}"),
    (functions("h(z): {cases: [{otherwise: 1}, {otherwise: 2}]}"), "8: functions.h(z): ", "last", "{otherwise: NUMBER}"),
    # sums whose parts do not say where each pile is
    (PILES.replace("{take: t, from: x}", "{for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}"), "4: moves.0.to.0: ", "y: y", "y: 0", *PART),
    (nim("  - for: {a: 1..x-1}", "    to:", "      - {x: a, y: 0}", "      - {x: x - a}"), "10: moves.2.to.1: ", "y: y", "y: 0", *PART),
    (nim("  - {for: {a: 1..y-1}, to: [{y: a, x: x}, {y: y - a, x: 0}, {y: 0}]}"), "7: moves.2.to.2: ", "x: x", "x: 0", *PART),
    # '#' and what else Python's own reader would take for something else
    (claim("|\n      x == 1 # and not\n      or y == 1"), "11: claims.0.formula: column 8: ", *COMMENT),
    (claim("x == y", where='"m > 1 # not one"'), "10: claims.0.where: column 7: ", *COMMENT),
    (nim('claims: [{id: a, target: p, positions: ["1, 2", "2, k + 1 # for k >= 2"]}]'), "7: claims.0.positions: column 7: ", *COMMENT),
    (nim('claims: [{id: a, every-option: "x # y"}]'), "7: claims.0.every-option: column 3: ", *COMMENT),
    (nim('claims: [{id: a, condition: x == k, for: {k: "0..x # 9"}}]'), "7: claims.0.for.k: column 3: ", *COMMENT),
    (functions('h(z): "z # + 1"'), "8: functions.h(z): column 3: ", *COMMENT),
    (functions('h(z): {any: "h(z) >= 0 # 1"}'), "8: functions.h(z): column 11: ", *COMMENT),
    (NIM.replace("take: t, from: y", 'take: "1..y # all", from: y'), "6: moves.1: column 3: ", *COMMENT),
    (parameters('{m: "m >= 1_0"}'), "2: parameters.m: column 6: ", "'1_0'", "digits only"),
    (NIM.replace("from: y}", 'from: y, when: "ｘ >= y"}'), "6: moves.1: column 1: ", "'ｘ' (U+FF58) is not 'x'", "plain letters"),
    # piles, pass, misère
    (PILES.replace("x: 0..N", "n: 0..N"), "3: position: ", "'piles:'", "one pile", "x"),
    (PILES.replace("x: 0..N", "x: 0..N, y: 0..N"), "3: position: ", "'y'", "'piles: 2' makes x, y"),
    (SPLIT + "pass: {}\n", "4: pass: ", "split", "leave out 'pass:'"),
    (PASS + "play: misere\nclaims: [{id: a, target: grundy, formula: x}]\n", "7: claims.0.formula: ", "misere", "target p"),
    # extends, without a file
    ("extends: lost\n", "1: extends: ", "'lost'", "looked for lost.yaml"),
    ("extends: ../nim\n", "1: extends: ", "the name of a ruleset"),
    ("extends: [nim]\n", "1: extends: ", "the name of a ruleset"),
    ("title: a\nextends: game\n", "2: extends: ", "'extends: game'", "leads back"),
]  # fmt: skip


def of_claim(text: str) -> str:
    return PASS + f"claims:\n  - {{id: a, {text}}}\n"


CLAIMS = [
    # tables
    *((of_claim(f"target: grundy, table: {table}"), "7: claims.0.table", *names) for table, *names in (
        ("{rows: {x: 0..1}, columns: {y: 0..1}, entries: '0 1'}", "no value of p", "'with:'"),
        ("{rows: {x: 0..1}, columns: {y: 0..1}, with: {p: 0}, entries: '0 1'}", "1 rows, not 2"),
        ("{rows: {x: 0..0}, columns: {y: 0..1}, with: {p: 0}, entries: '0 1 2'}", "row 0", "3 entries, not 2"),
        ("{rows: {x: 0..0}, columns: {y: 0..1}, with: {p: 0}, entries: '0 P'}", "'P'", "a number"),
        ("{columns: [x, y], with: {p: 0}, entries: '0 1'}", "'0 1'", "2 numbers and a value"),
        ("{columns: [x, q], with: {p: 0}, entries: '0 1 2'}", "'q'", "x, y, p"),
        ("{columns: [x, y], with: {p: 0}, entries: 1 1 ３}", "'３'", "a number"))),
    (nim("claims:", "  - id: a", "    target: p", "    table:", "      columns: [x, y]", "      entries: |", "        0 0 P # 1"),
     "10: claims.0.table: ", "'0 0 P # 1'", "2 numbers and a value"),
    # positions
    *((nim(f"claims: [{{id: a, target: p, positions: ['{text}']}}]"), "7: claims.0.positions: ", *names) for text, *names in (
        ("1, 2, 3", "'1, 2, 3' has 3 entries", "(x, y)"), ("n*n, 2", "'n'", "both ends", "0 <= n <= x"),
        ("k, 1 for k >= 2 for k <= 9", "cannot read"))),
    # what is true instead
    *((of_claim(f"target: p, formula: x == y, instead: {instead}"), "7: claims.0", *names) for instead, *names in (
        ("{formula: x ^}", ".instead.formula: "), ("{where: q == 1}", ".instead.where: ", "'q'"),
        ("{}", "another condition 'where:'", "one statement", "'formula:'"),
        ("{formula: x == y, condition: x == y}", "another condition"),
        ("{condition: x == y}", "remove 'target:'", "'formula:', 'positions:' and 'table:'"), ("{target: grundy}", ".instead.target: ", "'target'"))),
]  # fmt: skip

ROWS = [*YAML, *FORM, *NAMES, *KINDS, *MEANING, *CLAIMS]

# -- files that extend another -----------------------------------------------------------------------------------------

PARENT = """\
title: parent
parameters:
  m: m >= 1
  k: k >= 2
functions:
  h(z): z + m
position: {x: 0..N}
moves:
  - {take: 1..h(x), from: x, when: t <= x}
claims:
  - id: first
    target: p
    formula: x == 0
  - id: second
    target: p
    formula: x == k
"""
OWN = "  - {id: own, target: p, formula: w == 1}\n"
UNKNOWN = ("coordinate or parameter 'w'", "k, m, x")

# The files besides rulesets/parent.yaml, or another text of it; the place where the mistake is in `check child`; names.
EXTENDING = [
    ({"child": f"extends: parent\nclaims:\n  - inherited\n{OWN}"}, "child.yaml:4: claims.2.formula: ", *UNKNOWN),
    ({"child": f"extends: parent\nclaims:\n{OWN}  - inherited\n"}, "child.yaml:3: claims.2.formula: ", *UNKNOWN),
    ({"child": "extends: parent\nposition: {y: 0..N}\n"}, "parent.yaml:9: moves.0: ", "'x'", "'from:'", "coordinates: y"),
    ({"child": "extends: parent\nclaims: [inherited]\nposition: {x: 0..N, p: 0..1}\npass: {}\n"}, "child.yaml:4: pass: ", "'p'", *TAKEN),
    ({"child": "extends: parent\nfunctions:\n  h(z): z == 1\n"}, "child.yaml:3: functions.h(z): ", "'z == 1'", NUMBER),
    ({"child": "extends: parent\nfunctions:\n  h(a): a\n  h(b): b\n"}, "child.yaml:4: functions.h(b): ", "h()", "twice"),
    ({"child": "extends: parent\nmesure: x\n"}, "child.yaml:2: mesure: ", "'measure'"),
    ({"child": "extends: parent\nclaims: [inherited]\n", "parent": PARENT.replace("x == k", "x == y")},
     "parent.yaml:16: claims.1.formula: ", "'y'", "k, m, x"),
    ({"child": "extends: child\n"}, "child.yaml:1: extends: ", "'extends: child'", "leads back"),
    ({"child": "# b\nextends: a\n", "a": "title: a\nextends: child\n"}, "a.yaml:2: extends: ", "'extends: child'", "leads back"),
    ({"child": "extends: lost\n"}, "child.yaml:1: extends: ", "'lost'", "looked for rulesets/lost.yaml"),
]  # fmt: skip
