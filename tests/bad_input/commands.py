"""Mistakes on the command line, and files that a command cannot use: the command and what its message must name."""

from __future__ import annotations

import json

from tests.cli.conftest import NIM

TWO = """\
title: Nim
source: {paper: a-paper}
piles: 2
position: {x: 0..N}
moves:
  - {take: t, from: x}
claims:
  - {id: equal, at: Theorem 1, target: p, formula: x == y}
  - {id: lookup, target: p, values: {G: this}, formula: "G(x, y) == 0"}
  - {id: unproved, target: p, formula: x * y == y * x and x == y}
"""
PAPER = (
    "title: A paper\nauthors: [A. Author]\nkey: Author1900\nstatements:\n  - {at: Theorem 1, about: nim}\n"
)
SMALL = "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: 1..x+1, from: x, when: x >= m and x > 8}]\n"
BOUNDED = "title: t\nparameters: PARAMETERS\nposition: {x: 0..N}\nmoves: [{take: '1..min(m, x)', from: x}]\n"
ENDLESS = "{for: {t: 1..99999999999999999999}, when: t <= x, to: {x: x - t}}"
ASKING = """\
title: Take one or two
position: {x: 0..N}
moves: [{take: "1..min(2, x)", from: x}]
claims:
  - {id: mine, target: p, formula: x % 3 == 0}
  - {id: same, target: grundy, formula: G(x), values: {G: missing}}
"""
FAMILY = (
    "title: t\nposition: {x: 0..N}\nfunctions:\n  f(n): {any: n == 0 or f(n - 1) <= f(n)}\n"
    'moves:\n  - {take: "1..min(f(x), x)", from: x}\n'
    "claims:\n  - {id: a, where: x == 0, target: grundy, formula: x}\n"
)
OLD_PROOF = {
    "certificate": "rows", "hash": "", "target": "p", "axes": ["x", "y"], "parameters": {"m": 1}, "row": {"p": 1},
    "positions": None, "formula": None, "preperiod": 0, "period": 1, "layers": [], "where": "True",
}  # fmt: skip


def moves(rules: str, position: str = "x: 0..N") -> str:
    return f"title: t\nposition: {{{position}}}\nmoves: [{rules}]\n"


FILES: dict[str, str | bytes] = {
    "rulesets/nim.yaml": NIM,
    "rulesets/two.yaml": TWO,
    "rulesets/asking.yaml": ASKING,
    "rulesets/child.yaml": "title: The same\nextends: asking\nclaims: [inherited]\n",
    "rulesets/there.yaml": "mine",
    "papers/a-paper.yaml": PAPER,
    "leaves.yaml": moves("{name: too far, for: {t: 1..3}, to: {x: x - t}}"),
    "loops.yaml": moves("{name: stay, for: {t: 0..x}, to: {x: x - t}}"),
    "nothing.yaml": moves("{take: t, from: x}", "x: 1..N"),
    "wide.yaml": moves("{take: t, from: x}", "x: 4000000000..4000000000 + N"),
    "endless.yaml": moves("{take: 1..99999999999999999999, from: x}"),
    "endless-inside.yaml": moves(ENDLESS),
    "family.yaml": FAMILY,
    "latin.yaml": b"# a ruleset\ntitle: mis\xe8re\n",
    "small.yaml": SMALL,
    "no-values.yaml": BOUNDED.replace("PARAMETERS", "{m: m >= 1, n: n < 0 and n > m}"),
    "large-values.yaml": BOUNDED.replace("PARAMETERS", "{m: m >= 5000}"),
    "bare.yaml": moves("{take: t, from: x}"),
    "mine.yaml": NIM,
    "some.json": "[1]",
    "old.json": json.dumps(OLD_PROOF),
    "bad/catalogue.json": '{"formulas": [{"ruleset": "a"}]}',
    "empty/catalogue.json": "{}",
    "parts/catalogue.json": '{"formulas": [{}], "claims": [{}], "studies": [{}]}',
    "numbers/catalogue.json": '{"studies": 3, "formulas": 3, "claims": 3}',
    "results/take/catalogue.json": "{}",
    "earlier/catalogue.json": '{"version": "0.2.0", "formulas": []}',
    "run/old/catalogue.json": '{"version": "0"}',
    "a.csv": "x,v\n1,2\n",
}

# -- the command line --------------------------------------------------------------------------------------------------

VALUES = [
    ("", "", "study", "see --help"),
    ("frobnicate", "", "'frobnicate'"),
    ("stud nim", "", "'stud'", "'study'"),
    ("check mine", "", "mine.yaml"),
    ("solve nim", "nim: ", "parameter m", "--param m="),
    ("solve nim --param m=2", "nim: ", "bound N", "--bound N="),
    *((f"{command} nim --bound n=5", "nim ", "'n'", "bounds: N") for command in ("solve --param m=2", "check")),
    ("solve nim --param m=0 --bound N=5", "nim: ", "m=0", "m >= 1"),
    ("solve nim --param m=1,k=2 --bound N=5", "nim ", "'k'", "parameters: m"),
    ("solve two --param m=1 --bound N=5", "two ", "'m'", "no parameters"),
    ("solve nim --param m=1 --bound N=4,K=4", "nim ", "'K'", "bounds: N"),
    ("solve nim --param m --bound N=5", "--param m: ", "name=value", "--param m=4,8,12"),
    ("solve nim --param m=x --bound N=5", "--param m=x: ", "'x'", "a whole number from 0 on"),
    ("solve nim --param m=2..4 --bound N=5", "--param m=2..4: ", "'2..4'", "m=2,3,4"),
    ("solve nim --param m=2 --bound N=5 --out a.csv", "--out a.csv: ", "Parquet", "'grundylab export csv'"),
    ("solve nim --param m=1,2 --bound N=5 --out o", "--out ", "one instance", "2"),
    ("solve nimm --bound N=5", "rulesets/nimm.yaml: ", "'nimm'", "in rulesets/ or in grundylab", "nim, nim-4, nim-2"),
    ("check NIM", "rulesets/NIM.yaml: ", "'NIM'", "nim, nim-4, nim-2, end-nim-3"),
    ("solve no/such.yaml --bound N=5", "no/such.yaml: ", "no such file"),
    ("check latin.yaml", "latin.yaml:2: ", "UTF-8"),
    ("verify nim --claim no --bound N=5 --param m=1", "nim ", "'no'", "equal, wrong"),
    ("verify nim --claim '' --bound N=5 --param m=1", "nim ", "''", "equal, wrong"),
    ("verify bare.yaml --claim b --bound N=5", "bare ", "'b'", "claims: none"),
    ("verify nim --formula 'x == q' --bound N=5 --param m=1", "--formula: ", "'q'", "m, p, x, y"),
    ("verify nim --formula \"__import__('os')\" --bound N=5 --param m=1", "--formula: column 1: ", "'__import__'", "letters, digits and '_'", "m1"),
    ("verify nim --formula 'x.real == y' --bound N=5 --param m=1", "--formula: column 1: ", "'x.real'", "attributes"),
    ("verify nim --formula 'x == 9**9**9' --bound N=5 --param m=1", "--formula: column 6: ", "'9**9**9'", "'^' is nim-sum", "products, or 1 << n"),
    ("verify nim --formula 'x ^ y' --bound N=5 --param m=1", "--formula: ", "target p needs a condition", "'x ^ y'"),
    ("verify nim --bound N=5", "", "--claim --formula", "'grundylab verify --help'"),
    ("verify nim --bound N=5 --param m=1 --formula 'G(x)' --lookup G", "--lookup G: ", "--lookup G=this"),
    ("verify nim --bound N=5 --param m=1 --formula 'x == y' --lookup x=this", "--formula: ", "'x'", "already"),
    ("verify nim --bound N=5 --param m=1 --claim equal --lookup G=this", "--lookup ", "--formula"),
    ("verify nim --bound N=5 --param m=3 --target grundy --formula G(x,y,p) --lookup G=missing", "--lookup G=missing: "),
    ("verify nim --claim equal --bound N=5,5 --param m=1", "--bound N=5,5: ", "5", "twice"),
    ("discover nim --bound N=5 --param m=1 --engine magic", "", "'magic'",
     "search, periods, automata, runs, tree, transfer, deeper, baseline, gplearn, pysr, or all"),
    ("discover nim --bound N=5 --param m=1 --target q", "", "'q'", "p, grundy, or grundy == 2"),
    ("verify nim --formula 'x == y' --bound N=5 --param m=1 --target win", "", "'win'", "p or grundy"),
    ("discover nim --bound N=5 --param m=1 --seed -1", "", "--seed", "'-1'", "0 to 2^32 - 1", "'grundylab discover --help'"),
    ("discover nim --bound N=5 --param m=1 --budget nan", "", "--budget", "'nan'", "greater than 0 and less than 10^9", "'grundylab discover --help'"),
    ("solve nim --bound N=5 --param m=1 --out ''", "", "--out", "''", "name of a file", "'grundylab solve --help'"),
    ("solve nim --bound N=5 --par m=1", "", "--par m=1", "'grundylab solve --help'"),
    ("check " + "x" * 300 + ".yaml", "x" * 300 + ".yaml: ", "too long"),
    ("show nothing.yaml --bound N=0", "nothing (N=0) ", "no positions"),
    ("solve wide.yaml --bound N=3", "wide (N=3): ", "x", "4,000,000,003", "2,147,483,647"),
    ("solve nim --bound N=9999999 --param m=1", "nim (m=1,N=9999999): ", "200,000,000,000,000 cells", "5,093.2 TiB"),
    ("show nim --bound N=5 --param m=1 --axes x,y,p", "", "(x, y, p)", "all but two", "--fix p=1"),
    ("show nim --bound N=5 --param m=1 --fix p=7", "--fix: ", "p=7", "0..1"),
    ("explain nim --param m=1", "", "--position"),
    ("solve family.yaml --bound N=3", "family (N=3): ", "f()", "extend"),
    ("verify family.yaml --claim a --bound N=3", "family: ", "f()", "f: 0..10 -> 0..10"),
    ("verify family.yaml --claim a --bound N=3 --every 'f: 0..3'", "", "'0..3'", "0..10 -> 0..11"),
    ("verify nim --claim equal --bound N=3 --param m=1 --every 'f: 0..3 -> 0..1'", "nim ", "'f'"),
    ("prove bare.yaml --claim all", "bare ", "no claims"),
    ("prove nim --claim all --out file.json", "--out ", "one proof"),
    ("prove nim --claim all --target p", "--target ", "--formula"),
    ("prove nim --formula 'x == y' --timeout 0", "", "--timeout", "'0'"),
    ("prove nim --formula 'x == y' --memory -1", "", "--memory", "'-1'"),
    ("prove nim --formula 'x == y' --where 'q == 1'", "--where: ", "'q'"),
    ("survey none", "", "'none'", ".yaml"),
    ("study turn-limit-nondecreasing", "", "family of games", "every f"),
    ("study no-values.yaml", "no-values: ", "n < 0 and n > m"),
    ("study large-values.yaml", "large-values", "up to 1000", "m >= 5000"),
    ("study endless-inside.yaml", "endless-inside", "N=3", "1..x"),
]  # fmt: skip

# Names of files that no ruleset may have, since they are written into pages, scripts and results.
ODD = ["<b>", "a b", 'a"b', ".a", "a\nb", "..", "a`b", "a%b", "-a", "a" * 81]

MANY = "9" * 5_000
DIGITS = [
    (f"discover bare.yaml --bound N=3 --seed {MANY}", "", "--seed", "a whole number from 0 to"),
    (f"rows bare.yaml --length {MANY}", "", "--length", "a whole number from 1 to"),
    (f"new x --piles {MANY}", "", "--piles", "a whole number from 1 to"),
    (f"show bare.yaml --bound N=3 --width {MANY}", "", "--width", "a whole number from 20 to"),
    (f"prove bare.yaml --formula 'x == 0' --timeout {MANY}", "", "--timeout", "a number greater"),
    (f"solve bare.yaml --bound N=3 --memory {MANY}GiB", "", "--memory", "an amount of memory"),
    (f"solve bare.yaml --bound N={MANY}", "", "too large to be stored"),
    (f"rows bare.yaml --target 'grundy == {MANY}'", "", "unknown target"),
]

NEW = [
    *((f"new {name!r}", shown, "letters, digits, '-' and '_'", "64", "my-nim") for name, shown in (
        ("../a", "'../a'"), ("a/b", "'a/b'"), ("a.yaml", "'a.yaml'"), ("", "''"))),
    ("new 'a\n'", "'a '", "letters, digits, '-' and '_'", "my-nim"),
    ("new a --piles 7", "7 piles", "1 to 6"),
    ("new there", "rulesets/there.yaml: ", "already exists", "another name"),
]  # fmt: skip

# -- moves, in a table with N=4 ----------------------------------------------------------------------------------------

LEAVES = "leaves the position space: to"
WIDEN = ("'when:'", "widen the position's ranges")
MEASURE = ("could loop", "measure", "a 'measure:' that every move lowers")
SOLVED = [
    (moves("{take: 1..2, from: x}"), "'take from x'", "(x=0)", f"{LEAVES} (x=-1)", "1..min(2, x)"),
    (moves("{for: {t: 1..x}, to: {x: x - t, y: y + t}}", "x: 0..N, y: 0..N") + "measure: 2*x + y\n",
     "'move 1'", "(x=1, y=4)", f"{LEAVES} (x=0, y=5)", "y: 0..N - x", "'when:'"),
    (moves("{take: t, from: x}", "x: 0..N, y: 0..x"), "'take from x'", "(x=1, y=1)", f"{LEAVES} (x=0, y=1)", *WIDEN),
    (moves("{name: one, when: x > 0, to: {x: x - 1}}") + "where: x != 1\n", "'one'", "(x=2)", f"{LEAVES} (x=1)", *WIDEN),
    (moves("{name: split, when: x > 3, to: [{x: 1}, {x: 7}]}"), "'split'", "(x=4)", f"{LEAVES} (x=7)", *WIDEN),
    (moves("{name: shift, when: x > 1 and y < 4, to: {x: x - 1, y: y + 1}}", "x: 0..N, y: 0..N"),
     "'shift'", "(x=2, y=0) to (x=1, y=1)", "x + y (2 → 2)", *MEASURE),
    (moves("{take: t, from: x}") + "measure: x // 2\n", "'take from x'", "(x=1) to (x=0)", "x // 2 (0 → 0)", *MEASURE),
]  # fmt: skip
MOVES = [
    ("solve leaves.yaml --bound N=5", "leaves (N=5): ", "'too far'", "(x=0)", f"{LEAVES} (x=-1)", "1..min(3, x)"),
    *((f"{command} loops.yaml{bound}", f"loops (N={n}): ", "'stay'", "(x=0) to (x=0)", "x (0 → 0)", *MEASURE)
      for command, bound, n in (("solve", " --bound N=5", 5), ("check", "", 6))),
    ("check small.yaml --bound N=12 --param m=5", "small (", f"{LEAVES} (x=-1)"),  # `check small.yaml` alone finds nothing
    *((f"{command} endless.yaml", "endless", "'take from x'", "(x=0)", f"{LEAVES} (x=-1)") for command in ("check", "study --budget 3")),
]  # fmt: skip

# -- results, and what is exported -------------------------------------------------------------------------------------

CATALOGUES = [
    *((f"{command} --results none", "none/catalogue.json: ", "no catalogue", "'make run'")
      for command in ("formulas", "papers", "export catalogue")),
    ("formulas", "results/catalogue.json: ", "no catalogue of all", "results/take"),
    ("formulas --results run --ruleset of-other", "run/catalogue.json: ", "'of-other'", "--results run/other"),
    ("formulas --results run --ruleset of-no", "", "'of-no'", "nim, two"),
    *((f"{command} --results {folder}", f"{folder}/catalogue.json: not a catalogue of ", "delete it", "'make run'")
      for command in ("formulas", "papers", "results") for folder in ("bad", "empty", "parts", "numbers")),
    ("formulas --results earlier", "earlier/catalogue.json: ", "of grundylab 0.2.0", "'make run' again"),
    ("formulas --results bad", "bad/catalogue.json: ", "version", "required"),
    ("formulas --results run --engine tre", "", "'tre'", "search, tree"),
    ("formulas --results run --paper b", "", "'b'", "a-paper"),
]  # fmt: skip
EXPORTS = [
    ("export", "", "KIND", "'grundylab export --help'"),
    ("export bibtex --paper b", "", "'b'", "papers: a-paper"),
    ("export latex two --claim no --results run", "two ", "'no'", "equal, lookup, unproved"),
    ("export latex two --claim lookup --results run", "run: ", "'lookup'"),
    ("export latex two --bound N=4 --figure 'a}b.pdf' --results run", "--figure a}b.pdf: ", "rename it"),
    ("export latex two --figure a.pdf --results run", "--figure ", "--bound, --param and --fix"),
    ("export latex two --bound N=60 --results run", "", "61 by 61", "40 by 25", "smaller bounds"),
    ("export latex misere-nim --bound N=4 --fix z=1", "", "misère", "--figure FILE", "'grundylab show --out FILE'"),
    ("export oeis two --bound N=4,5", "", "one instance", "2"),
    ("export oeis two --bound N=4", "", "2 (x, y)", "--fix"),
    ("export oeis two --bound N=4 --fix x=9", "--fix: ", "x=9", "0..4"),
    ("export csv two --bound N=4 --fix q=1", "--fix: ", "'q'", "x, y"),
    ("export csv two --bound N=4 --out ''", "", "--out", "''", "'grundylab export csv --help'"),
    ("export proof two --claim unproved --results run", "run: ", "unproved", "'grundylab prove'"),
    ("export proof two --claim unproved --to walnut", "", "x * y", "product"),
    ("export proof two --claim lookup --to walnut", "", "lookup", "Walnut"),
    ("export proof two --formula 'accepts(\"fib: +0,,,0\", x, y) and x ^ y == 0' --to walnut", "", "x ^ y", "'^'", "fib"),
    ("export coq two --formula 'x == y + 1'", "", "refuted", "proved statements"),
]  # fmt: skip

# These are refused before anything is solved.
TOO_LONG = [
    ("export latex two --bound N=4000 --results run", "", "4,001 by 4,001", "2,000,000", "smaller bounds"),
    ("export oeis two --bound N=20000000 --fix y=0", "", "20,000,001 lines", "10,000,000"),
    ("export csv two --bound N=4000", "", "16,008,001 lines", "10,000,000", "--fix", "grundylab solve"),
]

# -- rows, and proofs that are checked again ---------------------------------------------------------------------------

LONG = ",".join(map(str, range(1, 5002)))
PERIODS = [
    ("rows nim --param m=1", "nim: ", "target p", "two free coordinates"),
    ("rows nim --fix q=1 --param m=1", "nim: ", "target p", "two free coordinates"),
    ("rows nim --fix p=1", "nim: ", "parameter m"),
    ("rows nim --fix p=2 --param m=1", "nim ", "p=2"),
    (
        "rows nim --fix p=1 --param m=1 --length 0",
        "",
        "--length",
        "'0'",
        "1 to 2^30 - 1",
        "'grundylab rows --help'",
    ),
    (f"rows nim --fix p=0,1 --param m={LONG}", "nim: ", "10,002 combinations", "10,000"),
    ("certify nim none.json", "none.json: "),
    ("certify nim rulesets/nim.yaml", "rulesets/nim.yaml: ", "not JSON", "again"),
    ("certify nim some.json", "", "no proof of this version", "again"),
    ("certify nim old.json", "", "no proof of this version", "again"),
    ("certify nim other.json", "", "another statement"),
    ("certify nim false.json", "", "certificate", "layer"),
]
LOOKED_UP = [
    (f"{command.format(game)}", f"rulesets/{game}.yaml: ", "'missing'")
    for command in ("check {}", "verify {} --claim same --bound N=9", "prove {} --claim same", "study {} --budget 1")
    for game in ("asking", "child")
]  # fmt: skip

# -- drawn, and explained ----------------------------------------------------------------------------------------------

PASS = "nim-with-a-pass-from-m"
SHOWN = [
    ("show nim-2 --bound N=2 --out a.jpg", "a.jpg: ", ".png, .svg, .pdf"),
    ("show nim-2 --bound N=2 --out a.png --width 2000 --dpi 2400", "a.png: ", "100,000,000 dots", "the dpi or the width"),
    ("show nim-2 --bound N=2 --out ''", "", "--out", "''", "'grundylab show --help'"),
    *((f"show nim-2 --bound N=2 --axes {axes}", f"--axes {axes}: ", "x, y") for axes in ("x,z", "x")),
    ("show nim-2 --bound N=15000", "", "15,001 by 15,001", "2,000,000", "smaller bounds"),
    ("show nim-4 --bound N=5000 --axes w,x", "", "5,001 by 5,001", "2,000,000", "smaller bounds"),
    ("show nim-2 --figure figure-1", "--figure figure-1: ", "nim-2", "none"),
    ("show nim-2 --bound N=2 --width 0", "", "--width", "'0'", "20 to 2000"),
]  # fmt: skip
EXPLAINED = [
    ("explain nim-4 --position x=1,y=2,w=1", "", "no z", "x=…, y=…, z=…, w=…"),
    ("explain nim-2 --position x=1,y=2,w=4", "nim-2 ", "'w'", "x, y"),
    ("explain nim-2 --position x=1,2,y=2", "--position: ", "x takes one value"),
    ("explain nim-2 --position x=1,y=three", "--position x=1,y=three: ", "'three'", "from 0 on"),
    (f"explain {PASS} --position x=1,y=2,z=3,p=1", f"{PASS}: ", "parameter m", "--param m=…"),
    (f"explain {PASS} --position x=1,y=2,z=3,p=1 --param m=0", f"{PASS}: ", "m=0", "m >= 1"),
    (f"explain {PASS} --position x=1,y=2,z=3,p=2 --param m=1", f"{PASS}: (x=1, y=2, z=3, p=2) ", "p=2 must be at most 1"),
    ("explain nim-2 --position x=1,y=3000000000", "--position: ", "3000000000", "2,147,483,647"),
    ("explain chocolate-log-pass --position x=1,y=9,z=2,p=0", "chocolate-log-pass: (x=1, y=9, z=2, p=0) ", "'y <= h(z)'"),
    ("explain turn-limit-nondecreasing --position u=3,k=1", "", "f()", "extend"),
    ("explain nim-4 --position x=3000,y=4000,z=3000,w=0", "nim-4: ", "36,033,010,001 positions", "smaller y"),
    ("explain laskers-nim --position x=1000000000", "laskers-nim: ", "200,000 options", "smaller x"),
]  # fmt: skip

ROWS = [
    *VALUES, *DIGITS, *NEW, *MOVES, *CATALOGUES, *EXPORTS, *TOO_LONG, *PERIODS, *LOOKED_UP, *SHOWN, *EXPLAINED,
]  # fmt: skip

# -- tables made elsewhere ---------------------------------------------------------------------------------------------

# The file, its text (None: there is none), and what the message must name.
TABLES = [
    ("b.csv", "x,x,v\n1,2,3\n", "2 columns", "'x'"),
    ("b.csv", "1,2\n3,4\n", "column '1'"),
    ("b.csv", "x,v\n1,\n", "column 'v'", "row 1"),
    ("b.csv", "x,v\n1,a\n", "column 'v'", "'a'"),
    ("b.csv", "not,v\n0,0\n1,1\n", "column 'not'"),  # reported: keyword.csv
    ("b.csv", f"x,v\n{2**63},0\n{2**63 + 1},1\n", "too large to be stored"),  # reported: big.csv
    ("b.csv", f"x,v\n{2**64},0\n{2**64 + 1},1\n", "too large to be stored"),
    ("b.csv", "x,outcome\n1,lose\n2,win\n", "column 'outcome'", "'lose' at row 1", "P or N"),
    ("b.csv", "x,outcome\n1,P\n2,Q\n", "column 'outcome'", "'Q' at row 2", "P or N"),
    ("b.tsv", "x\tx\tv\n1\t2\t3\n", "2 columns", "'x'"),
    ("b.tsv", "", "not a TSV table"),
    ("b.csv", "", "not a CSV table"),
    ("b.csv.gz", "x,v\n1,2\n", "pandas cannot read it"),
    ("b.csv.xz", "x,v\n1,2\n", "not a CSV table"),
    ("b.parquet", "x,v\n1,2\n", "not a Parquet table"),
    ("b.parquet", "", "not a Parquet table"),
    ("b.parquet", None, "No such file"),
    ("b.csv", None, "No such file"),
]  # fmt: skip
ABOUT_TABLES = [
    *((f"{command} a.csv --param m=2", "a.csv: ", "--param is for games") for command in ("discover", "verify --formula x")),
    *((f"verify a.csv {options}", "a.csv: ", "is for games, not for tables")
      for options in ("--claim a", "--formula x --every 'f: 0..1 -> 0..1'")),
    ("discover a.csv --bound N=3", "a.csv: ", "--bound is for games"),
    ("discover a.csv --target w", "a.csv: ", "no column 'w'"),
    ("discover papers", "papers: ", "a folder", "a file in it"),
    ("discover contradict.csv", "contradict.csv: ", "rows 1 and 2 contradict"),  # reported
    ("verify contradict.csv --formula x --target w", "contradict.csv: "),
]  # fmt: skip
FILES["contradict.csv"] = "x,v\n1,0\n1,1\n"
