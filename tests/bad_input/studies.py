"""Mistakes in a configuration or a survey: the text, the line and key where the mistake is, and what must be named."""

HEAD = "engines: [search, tree]\nstudies:\n"
BASE = """  s:
    ruleset: two-stones-floor
    targets: [p, grundy]
    train: {bounds: {N: 4}, parameters: {a: 1..3, b: [2, 3]}, where: a < b}
    test: {bounds: {N: 5}, parameters: {a: 1, b: 2}}
"""
FAMILY = """  a:
    ruleset: max-nim-regular
    test: {bounds: {N: 4}}
    every: {f: "0..4 -> 0..3"}
"""
GIVEN = """  mine:
    targets: [p, grundy]
    train: {files: [small.csv], parameter_columns: [m]}
    validate: {files: [middle.csv]}
    test: {files: [large.csv]}
"""
POSITIONS = "x,m,grundy,outcome\n0,1,0,P\n1,1,1,N\n2,1,0,P\n"
TABLES = {f"{name}.csv": POSITIONS for name in ("small", "middle", "large")}
MANY = "9" * 5_000


def base(old: str, new: str) -> str:
    assert old in BASE
    return HEAD + BASE.replace(old, new)


def more(line: str) -> str:
    return f"{HEAD}{BASE}    {line}\n"


def rows(name: str, asked: str) -> str:
    return f"{HEAD}  {name}:\n    rows: {{{asked}}}\n"


CONFIG = [
    # the form of the file
    ("studies: [", ""), ("studies: &a {a: *a}", ""), ("studies: " + "[" * 1000, ""), ("- x", ""), ("studies: 7", ""),
    ("studies: {a: 7}", ""),
    (f"studies: {{a: {{ruleset: nim-2, seed: {MANY}}}}}", ""),
    (f"studies: {{a: {{ruleset: nim-2, targets: [p], train: {{bounds: {{N: {MANY}}}}}, test: {{bounds: {{N: 4}}}}}}}}", ""),
    (HEAD.replace("[search, tree]", "[]") + BASE, "1: engines: ", "at least 1"),
    (f"budget: soon\n{HEAD}{BASE}", "1: budget: ", "'soon'", "a number"),
    (f"budget: 0\n{HEAD}{BASE}", "1: budget: ", "more than 0"),
    (f"coq: maybe\n{HEAD}{BASE}", "1: coq: ", "'maybe'", "true or false"),
    (f"sead: 3\n{HEAD}{BASE}", "1: sead: ", "'seed'"),
    (base("    test", "\ttest"), "7: not YAML", "a tab"),
    (base("targets", "target"), "5: studies.s.target: ", "'targets'"),
    (more("rows: {fix: {x: 1}}\n    lenght: 9"), "9: studies.s.lenght: ", "'lenght'"),
    # names
    (base("  s:", "  ../s:"), "3: studies.../s: ", "'../s'", "letters, digits, '-' and '_'"),
    (base("  s:", "  logs:"), "3: studies.logs: ", "'logs'", "letters, digits, '-' and '_'"),
    (base("floor", "flor"), "4: studies.s.ruleset: ", "'two-stones-flor'"),
    (base("two-stones-floor", "no/such"), "4: studies.s.ruleset: ", "no such file"),
    (base("[p", "[q"), "5: studies.s.targets: ", "'q'", "p, grundy, or grundy == 2"),
    (base("p, g", "p, p, g"), "5: studies.s.targets: ", "p appears twice"),
    (more("engines: {true: [search]}"), "8: studies.s.engines: ", "true", "p, grundy"),
    (more("engines: {p: [serch]}"), "8: studies.s.engines: ", "'serch'"),
    (more("budgets: {serch: 3}"), "8: studies.s.budgets.serch: ", "'serch'"),
    (more("budgets: {search: 0}"), "8: studies.s.budgets.search: "),
    (more("engines: []"), "8: studies.s.engines: ", "at least one engine"),
    (more("engines: {p: []}"), "8: studies.s.engines: ", "at least one engine"),
    (more("engines: [tree, tree]"), "8: studies.s.engines: ", "tree appears twice"),
    (more("where: q == 3"), "8: studies.s.where: ", "'q'"),
    (more("where: x + 3"), "8: studies.s.where: "),
    # tables
    (base("1..3", "3..1"), "6: studies.s.train.parameters.a: "),
    (base("a < b", "c < b"), "6: studies.s.train: ", "'c'"),
    (base("a < b", "a > 3"), "6: studies.s.train: ", "a > 3"),
    (base("b: 2}", "b: 0}"), "7: studies.s.test: two-stones-floor: ", "b=0"),
    (base("b: 2}", "c: 2}"), "7: studies.s.test: ", "b has no value", "parameters: {b: 8}"),
    (base("{bounds: {N: 4}, p", "{bounds: {M: 4}, p"), "6: studies.s.train: ", "N has no value", "bounds: {N: 8}"),
    (base("{N: 4}", "{N: 4, M: 4}"), "6: studies.s.train: ", "'M'", "bounds are N"),
    (base("{N: 5}, parameters: {a: 1", "{N: 3}, parameters: {a: 1"), "6: studies.s.train: ", "test instance a=1,b=2,N=3"),
    (base("{N: 5}", "{N: 999999}"), "7: studies.s.test: ", "(a=1,b=2,N=999999)", "1,000,000,000,000 cells", "68,719,476,736", "smaller bounds"),
    (base("{N: 5}", f"{{N: {10**22}}}"), "7: studies.s.test: ", "x", "10,000,000,000,000,000,000,000", "2,147,483,647"),
    (base("    test: {bounds: {N: 5}, parameters: {a: 1, b: 2}}\n", ""), "3: studies.s: ", "'test'"),
    (base("a < b}", "a < b, parameter_columns: [a]}"), "6: studies.s.train: ", "parameter_columns needs files"),
    # families
    (HEAD + "  max-nim-regular: {}\n", "3: studies.max-nim-regular: ", "family of games"),
    (HEAD + FAMILY + FAMILY.replace("  a:", "  b:"), "10: studies.b.every: ", "another study", "max-nim-regular"),
    (HEAD + FAMILY.replace("0..4 ->", "0..99999 ->"), "6: studies.a.every: max-nim-regular: ", "f: 0..99999 -> 0..3", "100,000 arguments"),
    # rows
    (rows("nim", "fix: {x: 1..2}, where: x == 3"), "4: studies.nim.rows: ", "x == 3"),
    (rows("nim", "fix: {x: 1, q: 2}"), "4: studies.nim.rows: nim: ", "y and z", "x"),
    (rows("nim", f"fix: {{x: 1}}, length: {10**12}"), "4: studies.nim.rows.length: ", "2147483647", "not 1000000000000"),
    (rows("nim", "fix: {x: 1}, length: 0"), "4: studies.nim.rows.length: "),
    (rows("nim-4", "fix: {x: 1..500, y: 1..500}, length: 9"), "4: studies.nim-4.rows: nim-4: ", "250,000 combinations", "10,000"),
    (rows("nim", "fix: {x: 1}") + "    targets: [p]\n", "3: studies.nim: ", "'train'"),
    *((rows("nim-with-a-pass-from-m", asked), "4: studies.nim-with-a-pass-from-m.rows: ", *names) for asked, *names in (
        ("fix: {x: 1, p: 1}", "parameter m"), ("fix: {x: 1, p: 2}, parameters: {m: 4}", "x=1, p=2"),
        ("fix: {x: 1}, parameters: {m: 4}", "target p", "two free coordinates"),
        ("fix: {x: 1, p: 1}, parameters: {m: 4, k: 1}", "'k'"), ("fix: {x: 1, p: 1}, parameters: {m: 4}, where: y == 1", "'y'"))),
    (rows("subtraction-1-to-m", "parameters: {m: [2, 0]}, target: grundy"), "4: studies.subtraction-1-to-m.rows: ", "m=0", "m >="),
    (rows("kayles", ""), "4: studies.kayles.rows: ", "target p", "two free coordinates"),
    # tables made elsewhere
    (HEAD + GIVEN.replace("[small.csv]", "[none.csv]"), "5: studies.mine.train: ", "none.csv"),
    (HEAD + GIVEN.replace("targets:", "ruleset: nim\n    targets:"), "4: studies.mine.ruleset: "),
    (HEAD + GIVEN.replace("[large.csv]}", "[large.csv], bounds: {N: 4}}"), "7: studies.mine.test: "),
    (HEAD + GIVEN.replace("    test: {files: [large.csv]}\n", ""), "3: studies.mine: ", "another split has files"),
    (HEAD + GIVEN.replace("[large.csv]", "[negative.csv]"), "7: studies.mine.test: ", "negative.csv", "x"),
]  # fmt: skip
TABLES["negative.csv"] = POSITIONS.replace("0,1,0", "-1,1,0")

# -- surveys -----------------------------------------------------------------------------------------------------------

GUARDS = """\
title: Two piles and a pass
slots:
  E: [x, y, x + y, x ^ y]
  GUARD: [E >= m, E % 2 == 0]
parameters: {m: m >= 1}
piles: 2
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: GUARD}
small: {bounds: {N: 6}, parameters: {m: [1, 2, 3, 4]}}
claims:
  - {id: one-more, target: p, formula: "x ^ y == (1 if p == 1 and GUARD else 0)"}
  - {id: as-nim, target: p, formula: x == y}
  - {id: after, target: p, where: p == 0, formula: x == y}
games_a_job: 4
"""
SEEK = """\
title: One pile
slots: {A: [2]}
position: {x: 0..N}
moves: [{take: [1, A], from: x}]
small: {bounds: {N: 40}}
claims: [{id: even, target: p, formula: x % 2 == 0}]
discover: {budget: 0.3, engines: [search], test: {bounds: {N: 160}}}
"""


def edited(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


SURVEYS = [
    *((edited(GUARDS, old, new), *names) for old, new, *names in (
        ("slots:\n  E: [x, y, x + y, x ^ y]\n  GUARD: [E >= m, E % 2 == 0]\n", "", "1: slots: ", "missing"),
        ("E % 2 == 0", "E % == 0", "4: slots.GUARD.1: column 5: ", "'E % == 0'"),
        ("E >= m,", "q >= m,", "10: pass.when: ", "'q'"),
        ("E >= m,", "E + m,", "10: pass.when: ", "'x + m'", "must be a condition", "E: x, GUARD: x + m"),
        ("  E: [x,", "  x: [x,", "3: slots.x: ", "'x'", "already"),
        ("  E: [x,", "  min: [x,", "3: slots.min: ", "'min'", "a slot"),
        ("GUARD: [E", "GUARD: [F", "10: pass.when: ", "'F'"),
        ("  E: [x,", "  m: [x,", "3: slots.m.0: ", "'m' is a parameter", "not 'x'"),
        ("E: [x, y, x + y, x ^ y]", "E: {size: 3, of: [x, y], with: [plus]}", "3: slots.E: ", "'plus'"),
        ("E: [x, y, x + y, x ^ y]", "E: {size: 3, of: [x, y], with: [+], kind: set}", "3: slots.E", "number or condition", "'set'"),
        ("E: [x, y, x + y, x ^ y]", "E: []", "3: slots.E"),
        ("m: [1, 2, 3, 4]", "m: [0, 1]", "11: small: small-0: ", "m=0"),
        ("games_a_job: 4", "games_per_job: 4", "16: games_per_job: ", "'games_a_job'"),
        (GUARDS[GUARDS.index("claims:"):GUARDS.index("games_a_job")], "", "", "'claims:'"),
        ("formula: x == y}\n  - {id: after", 'formula: "all(x == y for x in range(0, E))"}\n  - {id: after',
         "14: claims.1.formula: ", "'x'", "already"))),
    *((edited(SEEK, old, new), *names) for old, new, *names in (
        ("[search]", "[guess]", "7: discover.engines: ", "'guess'"), ("budget: 0.3", "target: q", "7: discover.target: "),
        ("{N: 160}", "{M: 300}", "7: discover.test: "), (", test: {bounds: {N: 160}}", "", "7: discover", "'test'"),
        ("budget: 0.3", "budget: 0", "7: discover.budget"), ("budget: 0.3", "budget: 1e400", "7: discover.budget"),
        ("{N: 160}", "{N: 30}", "1: discover.test: ", "30", "40 in small:"))),
]  # fmt: skip

# A survey whose claim looks values up in `other`, which extends `below`.
LOOKING = """\
title: Take a few
slots: {K: [2, 3]}
position: {x: 0..N}
moves: [{take: "1..min(K, x)", from: x}]
small: {bounds: {N: 12}}
claims:
  - {id: same, target: grundy, formula: B(x), values: {B: other}}
"""
BELOW = """\
title: Below
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims:
  - {id: values, target: grundy, formula: x % 3}
"""
LOOKED_UP = {
    "surveys/small.yaml": LOOKING,
    "rulesets/other.yaml": "title: Other\nextends: below\n",
    "rulesets/below.yaml": BELOW,
    "rulesets/with-m.yaml": "title: Another\nextends: below\nparameters: {m: m >= 1}\n",
    "rulesets/above.yaml": BELOW + "  - {id: as, target: grundy, formula: C(x), values: {C: gone}}\n",
}
INHERITING = "title: Inherits\nextends: above\nslots: {E: [x]}\nclaims: [inherited]\n"
# The file that is edited, the edit, how the line begins, and names.
LOOKUPS = [
    ("surveys/small.yaml", "B: other", "B: others", "surveys/small.yaml:7: claims.0.values.B: ", "'others'"),
    ("surveys/small.yaml", "B(x)", '"B(x, 1)"', "small-0: claim same: ", "a position of other is (x)"),
    ("surveys/small.yaml", "B: other", "B: with-m", "small-0: claim same ", "m has no value"),
    ("surveys/small.yaml", LOOKING, INHERITING, "rulesets/above.yaml:", "'gone'"),
    ("rulesets/other.yaml", "below", "nothing", "rulesets/other.yaml:2: extends: ", "'nothing'"),
    ("rulesets/below.yaml", "x: 0..N", "x: 0..", "rulesets/below.yaml:2: position.x: ", "empty"),
    ("rulesets/below.yaml", '"1..min(2, x)"', "1..2", "other (N=12): "),
]
