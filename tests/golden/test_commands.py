"""The output and the exit status of each command: on a terminal of a hundred columns, and as JSON."""

import json
import shlex
import shutil

import pytest
from tests.files import write
from tests.findings.made import needs_mona
from tests.golden.conftest import stable

from grundylab.cli.main import main

FILES = {
    # true where a != b, and false elsewhere
    "rulesets/hole.yaml": """\
title: Nim with a hole
parameters: {a: a >= 0, b: b >= 0}
position: {x: 0..N, y: 0..N}
where: x != a or y != b
moves:
  - {for: {t: 1..x}, to: {x: x - t}, when: x - t != a or y != b}
  - {for: {t: 1..y}, to: {y: y - t}, when: x != a or y - t != b}
claims:
  - {id: guess, unpublished: true, target: p, formula: x == y}
""",
    # a game for each function f, without Grundy numbers that could be printed
    "rulesets/family.yaml": """\
title: Take at most f(x)
position: {x: 0..N}
functions:
  f(n): {any: f(n) >= 1}
moves: [{take: "1..min(f(x), x)", from: x}]
claims:
  - {id: end, unpublished: true, target: p, where: x == 0, formula: x == 0}
  - {id: all, unpublished: true, target: p, formula: x % 2 == 0}
""",
    "rulesets/split.yaml": """\
title: Take one or split
position: {x: 0..N}
moves:
  - {take: 1, from: x}
  - {name: split, for: {a: 1..x-1}, to: [{x: a}, {x: x - a}]}
""",
    "rulesets/last.yaml": """\
title: Take one or two, and the last one loses
position: {x: 0..N}
play: misere
moves: [{take: "1..min(2, x)", from: x}]
""",
    "surveys/small.yaml": """\
title: One pile and a pass
slots: {GUARD: [x >= m, x % 2 == 0]}
parameters: {m: m >= 1}
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: GUARD}
small: {bounds: {N: 8}, parameters: {m: [1, 2, 3]}}
claims:
  - {id: guess, target: p, formula: x == (1 if p == 1 and GUARD else 0)}
""",
}
COMMANDS = {
    "check": "check from-m",
    "check-json": "check from-m --json",
    "check-family": "check family",
    "solve": "solve from-m --bound N=5 --param m=2,3",
    "solve-json": "solve take --bound N=5 --out TMP/table.parquet --json",
    "show": "show from-m --bound N=4 --param m=4 --fix p=1",
    "show-grundy": "show from-m --bound N=4 --param m=4 --fix p=1 --target grundy",
    "show-row": "show take",
    "show-json": "show take --bound N=5 --json",
    "explain": "explain from-m --position x=3,y=5,p=1 --param m=8",
    "explain-json": "explain take --position x=4 --json",
    "explain-end": "explain take --position x=0",
    "explain-split": "explain split --position x=5",
    "explain-misere": "explain last --position x=0",
    "discover": "discover take --bound N=20 --engine search --budget 20",
    "discover-nothing": "discover from-m --bound N=8 --param m=2,4 --engine periods",
    "verify": "verify take --claim theorem-2 --bound N=20",
    "verify-refuted": "verify take --claim theorem-3 --bound N=20",
    "verify-refuted-json": "verify take --claim theorem-3 --bound N=20 --json",
    "verify-undecided": "verify take --formula 'x == 0' --where 'x > 99' --bound N=9",
    "verify-lookup": "verify from-m --formula 'G(x, y, p)' --lookup G=this --target grundy --bound N=5 --param m=1",
    "prove": "prove take --claim theorem-2",
    "prove-automaton": """prove take --formula 'accepts("+0,1 -2,0 -1,2", x)'""",
    "prove-parameters": "prove from-m --claim conjecture-1",
    "prove-parameters-json": "prove from-m --claim conjecture-1 --json",
    "prove-exactly": "prove hole --claim guess",
    "prove-refuted": "prove take --claim theorem-3",
    "prove-refuted-json": "prove take --claim theorem-3 --json",
    "prove-undecided": "prove take --formula 'x % 3 == 0 and x * x * x >= x'",
    "prove-family": "prove family --claim all",
    "rows": "rows take --target grundy --length 200",
    "rows-json": "rows take --target grundy --length 200 --json",
    "formulas": "formulas",
    "formulas-json": "formulas --ruleset take --json",
    "formulas-none": "formulas --status holds",
    "papers": "papers",
    "papers-json": "papers --json",
    "results": "results",
    "results-json": "results --json",
    "export-latex": "export latex take --claim all --bound N=5",
    "export-latex-parameters": "export latex from-m --claim all --fragment",
    "export-bibtex": "export bibtex",
    "export-oeis": "export oeis take --bound N=9",
    "export-oeis-count": "export oeis from-m --bound N=4 --param m=4 --fix p=0 --sequence count",
    "export-csv": "export csv take --bound N=5",
    "export-csv-outcomes": "export csv take --bound N=5 --target p",
    "export-latex-figure": "export latex take --bound N=4 --figure nim.pdf --fragment",
    "export-catalogue": "export catalogue",
    "export-proof": "export proof take --claim theorem-2",
    "export-walnut": "export proof take --claim theorem-2 --to walnut",
    "export-coq": "export coq take --claim theorem-2",
    "survey": "survey small --out TMP",
    "survey-plan": "survey small --dry-run --json",
    "survey-game": "survey small --game 1",
    "study": "study take --budget 20",
    "study-misere": "study last --budget 20",
}

SCRIPTS = ("export-proof", "export-walnut")  # of which the comments alone are compared here


@needs_mona
@pytest.mark.parametrize("name", COMMANDS)
def test_command(name, project, tmp_path, monkeypatch, capsys, golden):
    """Run it in a copy of the project, with more rulesets and a survey."""
    shutil.copytree(project, tmp_path / "project")
    write(tmp_path / "project", FILES)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("COLUMNS", "100")
    line = COMMANDS[name]
    status = main(shlex.split(line.replace("TMP", str(tmp_path))))
    out, err = capsys.readouterr()
    if "--json" in line:
        record = json.loads(out)
        record.get("made", {}).pop("packages", None)
        out = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    if name in SCRIPTS:
        out = "".join(line for line in out.splitlines(keepends=True) if line.startswith("#"))
    said = stable((out + err).replace(str(tmp_path), "TMP"))
    assert f"$ grundylab {line}\n{said}exit status {status}\n" == golden
