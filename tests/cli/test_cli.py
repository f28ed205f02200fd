"""The command line keeps its contract: names, options, JSON, exit statuses, and one clear line for bad input."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.catalogue import made
from tests.cli.conftest import NIM

from grundylab.catalogue.catalogue import record_to_json, write_catalogue
from grundylab.catalogue.records import InstanceCheck
from grundylab.cli.main import COMMANDS
from grundylab.files import write_json

SCRIPT = Path(sys.executable).with_name("grundylab")
LEAVES = "title: t\nposition: {x: 0..N}\nmoves:\n  - {name: too far, for: {t: 1..3}, to: {x: x - t}}\n"
FAMILY = (
    "title: t\nposition: {x: 0..N}\nfunctions:\n  f(n): {any: n == 0 or f(n - 1) <= f(n)}\n"
    'moves:\n  - {take: "1..min(f(x), x)", from: x}\n'
    "claims:\n  - {id: a, where: x == 0, target: grundy, formula: x}\n"
)
LOOPS = "title: t\nposition: {x: 0..N}\nmoves:\n  - {name: stay, for: {t: 0..x}, to: {x: x - t}}\n"


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_check_says_what_is_in_a_ruleset_and_tries_it(grundylab):
    status, said, _ = grundylab("check nim --json")
    assert (status, said["status"]) == (0, "ok")
    assert said["coordinates"] == {"x": "0..N", "y": "0..N", "p": "0..1"}
    assert said["moves"] == ["take from x", "take from y", "pass"]
    assert (said["trial"], said["checked"]) == ("m=1,N=6; m=2,N=6; m=3,N=6", 3 * 98)


def test_solve_writes_a_dataset_under_its_instances_name(grundylab, folder):
    status, said, _ = grundylab("solve nim --bound N=5 --param m=2,3 --json")
    assert (status, said["status"], said["checked"]) == (0, "done", 144)
    assert said["files"] == ["data/nim/m=2-N=5.parquet", "data/nim/m=3-N=5.parquet"]
    assert files(folder) == [*said["files"], "rulesets/nim.yaml"]


def test_solve_takes_values_and_out(grundylab, folder):
    asked = "solve nim --bound=N=5 --param=m=2 --target outcome --out a/b.pq --json"
    status, said, _ = grundylab(asked)
    assert (status, said["files"]) == (0, ["a/b.pq"])
    assert files(folder) == ["a/b.pq", "rulesets/nim.yaml"]


def test_discover_lists_candidates_best_first(grundylab):
    status, said, _ = grundylab("discover nim --bound N=8 --param m=1000 --json --engine search --budget 1")
    assert (status, said["status"]) == (0, "exact")
    assert said["formula"] == said["candidates"][0]["formula"] == "x == y"
    assert said["latex"] == "x = y"
    assert (said["checked"], said["tried"]) == (2 * 129 * 129, ["m=1000,N=128"])
    wanted = {"engine", "seed", "size", "share", "target"}
    assert all(wanted <= set(candidate) for candidate in said["candidates"])


def test_discover_says_what_the_engine_says(grundylab):
    asked = "discover nim --bound N=8 --param m=2,4 --engine periods"
    status, said, _ = grundylab(asked, "--json")
    assert (status, said["status"], said["candidates"]) == (0, "none", [])
    assert (said["engine"], said["notes"]) == ("periods", ["a sequence belongs to one game, and m varies"])
    assert "no formula found\n(a sequence belongs to one game, and m varies)\n" in grundylab(asked)[1]


WRONG = {
    "position": {"x": 1, "y": 1, "p": 1}, "parameters": {"m": 1}, "measure": 3, "truth": 0, "found": 1, "functions": {},
    "smallest": True,
}  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "status", "known"),
    [
        ("--claim equal --param m=1,2", 0, {"status": "holds", "checked": 200, "counterexample": None,
         "formula": "x == y", "latex": "x = y", "where": "p == 0"}),
        ("--claim wrong --param m=1,2", 1, {"status": "refuted", "counterexample": WRONG}),
        ("--formula 'x == y' --where 'x > 99' --param m=1", 3,
         {"status": "undecided", "checked": 0, "reason": "no position of the instances fulfils x > 99"}),
        ("--formula 'x ^ ...' --target grundy --param m=99", 0, {"formula": "x ^ y"}),
        ("--formula 'G(x, y, p)' --lookup G=this --target grundy --param m=1", 0, {"status": "holds", "checked": 200}),
    ],
)  # fmt: skip
def test_verify_says_what_is_known_and_ends_with_its_exit_status(grundylab, asked, status, known):
    found = grundylab(f"verify nim --bound N=9 --json {asked}")
    assert found[0] == status
    assert {key: found[1][key] for key in known} == known


def test_verify_refutes_with_the_smallest_counterexample(grundylab):
    text = grundylab("verify nim --claim wrong --bound N=9 --param m=1")[1]
    assert "smallest counterexample: (x=1, y=1, p=1) with m=1: an N-position, the formula says P" in text
    asked = "verify nim --formula 'G(x, y, 0)' --lookup G=this --target grundy --where 'p == 1' --json"
    status, said, _ = grundylab(asked, "--bound", "N=5", "--param", "m=1")
    assert (status, said["counterexample"]["position"]) == (1, {"x": 0, "y": 1, "p": 1})


def test_show_draws_a_grid(grundylab, folder):
    status, text, _ = grundylab("show nim --bound N=2 --param m=1 --fix p=0 --out grid.png")
    assert status == 0
    assert text.splitlines() == [
        "nim (m=1,N=2), p=0: x ↓ y →",
        "  0 1 2",
        "0 ● · ·",
        "1 · ● ·",
        "2 · · ●",
        "● P-position, · N-position",
    ]
    assert (folder / "grid.png").read_bytes().startswith(b"\x89PNG")


def test_show_gives_grundy_numbers_as_json(grundylab):
    said = grundylab("show nim --bound N=2 --param m=9 --fix p=0 --target grundy --json")[1]
    assert said["values"] == [[0, 1, 2], [1, 0, 3], [2, 3, 0]]
    assert (said["rows"], said["columns"]) == (["x", 0, 1, 2], ["y", 0, 1, 2])


@pytest.fixture
def catalogue(folder):
    """Write a catalogue with two formulas of one game, one of another, and claims; return the formulas as JSON."""
    at = (InstanceCheck(instance="N=4", checked=5, holds=True),)
    records = [
        made.formula(formula="x < y", engine="tree", **made.PARTIAL),
        made.formula(instances=at),
        made.formula(
            ruleset="kayles", target="grundy", formula="x", size=1, counterexample=made.WRONG, instances=()
        ),
    ]
    claims = [made.claim(paper="a-paper"), made.claim(ruleset="kayles", paper=None)]
    known = made.catalogue(formulas=records, claims=claims)
    write_catalogue(known, folder / "results")
    own = {"studies": ["s"], "same": []}
    return [{**record_to_json(each), **own, "engines": [each.engine]} for each in known.formulas]


def test_formulas_lists_the_catalogue_best_first_a_line_each(grundylab, catalogue):
    assert grundylab("formulas")[1].splitlines() == [
        "kayles\tgrundy\trefuted\tx\t\t\tsearch",
        "nim\tp\tholds\tx == y\t\tN=4\tsearch",
        "nim\tp\tpartial\tx < y\t\t50 % of 2 training positions\ttree",
    ]


@pytest.mark.parametrize(
    ("options", "chosen"),
    [
        (["--ruleset", "nim"], [1, 0]),
        (["--status", "refuted"], [2]),
        (["--engine", "tree"], [0]),
        (["--paper", "a-paper"], [1, 0]),
        (["--target", "grundy"], [2]),
        (["--target", "grundy", "--engine", "tree"], []),
        (["--sort", "verdict"], [1, 2, 0]),
        (["--sort", "size"], [2, 1, 0]),
    ],
)
def test_formulas_are_filtered_and_sorted(grundylab, catalogue, options, chosen):
    assert grundylab("formulas", "--json", *options)[1]["formulas"] == [catalogue[place] for place in chosen]


def test_formulas_says_what_there_is_if_nothing_fits(grundylab, catalogue):
    text = grundylab("formulas --status proved")[1]
    assert text == "no such formulas among the 3 of the catalogue: 1 holds, 1 refuted, 1 partial\n"
    assert "has no engine 'tre'; it has search, tree" in grundylab("formulas --engine tre")[2]
    assert "has no paper 'b'; it has a-paper" in grundylab("formulas --paper b")[2]


def test_formulas_of_a_study_that_has_a_catalogue_of_its_own_are_not_said_to_be_missing(
    grundylab, folder, catalogue
):
    for study in ("a-study", "other"):
        write_catalogue(
            made.catalogue(formulas=[made.formula(ruleset=f"of-{study}")]), folder / "results" / study
        )
    (folder / "results" / "old").mkdir()
    write_json(folder / "results" / "old" / "catalogue.json", {"version": "0"})
    assert grundylab("formulas --ruleset of-other")[::2] == (
        2,
        "grundylab: results/catalogue.json: 'of-other' is in the catalogue of a single study: give --results "
        "results/other\n",
    )
    assert "has no ruleset 'of-no'; it has kayles, nim" in grundylab("formulas --ruleset of-no")[2]
    (folder / "results" / "catalogue.json").unlink()
    assert grundylab("formulas --ruleset of-other")[2] == (
        "grundylab: results/catalogue.json: there is no catalogue of all studies yet; those of single studies are in "
        "results/a-study, results/old, results/other\n"
    )


# Bad input: (command line, the line on standard error).
BAD = [
    ("solve nim", "nim: the parameter m has no value; give m=…, or --param m=… on the command line"),
    ("solve nim --param m=2", "nim: the bound N has no value; give N=…, or --bound N=… on the command line"),
    ("solve nim --param m=2 --bound n=5", "nim has no bound 'n'; its bounds: N"),
    ("check nim --bound n=5", "nim has no bound 'n'; its bounds: N"),
    ("solve nim --param m=0 --bound N=5", "nim: m=0 is out of its domain: m >= 1"),
    ("solve nim --param m=1,k=2 --bound N=5", "nim has no parameter 'k'; its parameters: m"),
    ("solve nim --param m --bound N=5",
     "--param m: write name=value, as in --param m=4,8,12"),
    ("solve nim --param m=x --bound N=5", "--param m=x: 'x' is not a whole number from 0 on"),
    ("solve nim --param m=2..4 --bound N=5", "--param m=2..4: '2..4' is not a whole number from 0 on; write several as in m=2,3,4"),
    ("solve nim --param m=2 --bound N=5 --out a.csv", "--out a.csv: a dataset is Parquet; 'grundylab export csv' writes CSV"),
    ("solve nim --param m=1,2 --bound N=5 --out o", "--out takes one instance, but the sweep has 2"),
    ("solve nimm --bound N=5",
     "rulesets/nimm.yaml: there is no ruleset 'nimm' in rulesets/ or in grundylab; the nearest are "
     "nim, nim-4, nim-2"),
    ("check NIM", "rulesets/NIM.yaml: there is no ruleset 'NIM' in rulesets/ or in grundylab; the nearest are nim, nim-4, nim-2, end-nim-3"),
    ("solve no/such.yaml --bound N=5", "no/such.yaml: there is no such file"),
    ("solve leaves.yaml --bound N=5",
     "leaves (N=5): the move 'too far' from (x=0) leaves the position space: to (x=-1); take no more than there are: "
     "1..min(3, x)"),
    ("solve loops.yaml --bound N=5",
     "loops (N=5): the game could loop: the move 'stay' from (x=0) to (x=0) does not lower the "
     "measure x (0 → 0); give a 'measure:' that every move lowers"),
    ("check loops.yaml",
     "loops (N=6): the game could loop: the move 'stay' from (x=0) to (x=0) does not lower the "
     "measure x (0 → 0); give a 'measure:' that every move lowers"),
    ("check empty.yaml", "empty.yaml: the file is empty"),
    ("check latin.yaml", "latin.yaml:2: the file is not UTF-8 text; save it as UTF-8"),
    ("check claim.yaml",
     "claim.yaml:9: claims.0.formula: unknown coordinate or parameter 'q'; known here: m, p, x, y"),
    ("check key.yaml", "key.yaml:3: pilles: unknown key 'pilles'; did you mean 'piles'?"),
    ("verify nim --claim no --bound N=5 --param m=1", "nim has no claim 'no'; its claims: equal, wrong"),
    ("verify nim --formula 'x == q' --bound N=5 --param m=1",
     "--formula: unknown coordinate or parameter 'q'; known here: m, p, x, y"),
    ("verify nim --formula \"__import__('os')\" --bound N=5 --param m=1",
     "--formula: column 1: '__import__' cannot be a name: use letters, digits and '_', as in m1"),
    ("verify nim --formula 'x.real == y' --bound N=5 --param m=1",
     "--formula: column 1: 'x.real': attributes are not in the language"),
    ("verify nim --formula 'x == 9**9**9' --bound N=5 --param m=1",
     "--formula: column 6: '9**9**9': powers are not in the language ('^' is nim-sum): write "
     "products, or 1 << n for a power of two"),
    ("verify nim --formula 'x ^ y' --bound N=5 --param m=1",
     "--formula: target p needs a condition, but 'x ^ y' is a number"),
    ("verify nim --bound N=5",
     "one of the arguments --claim --formula is required; see 'grundylab verify --help'"),
    ("verify nim --bound N=5 --param m=1 --formula 'G(x)' --lookup G",
     "--lookup G: write it as --lookup G=this"),
    ("verify nim --bound N=5 --param m=1 --formula 'x == y' --lookup x=this",
     "--formula: 'x' is already the name of something else"),
    ("verify nim --bound N=5 --param m=1 --claim equal --lookup G=this",
     "--lookup goes with --formula; a claim has its own"),
    ("discover nim --bound N=5 --param m=1 --engine magic",
     "unknown engine 'magic'; engines: search, periods, automata, runs, tree, transfer, deeper, baseline, gplearn, pysr, or all"),
    ("discover nim --bound N=5 --param m=1 --target q",
     "unknown target 'q'; write p, grundy, or grundy == 2"),
    ("verify nim --claim '' --bound N=5 --param m=1", "nim has no claim ''; its claims: equal, wrong"),
    ("verify nim --claim equal --bound N=5,5 --param m=1", "--bound N=5,5: 5 is there twice"),
    ("discover nim --bound N=5 --param m=1 --seed -1",
     "argument --seed: '-1' is not a whole number from 0 to 2^32 - 1; see 'grundylab discover --help'"),
    ("discover nim --bound N=5 --param m=1 --budget nan",
     "argument --budget: 'nan' is not a number greater than 0 and less than 10^9; see 'grundylab "
     "discover --help'"),
    ("solve nim --bound N=5 --param m=1 --out ''", "argument --out: '' is not the name of a file; see 'grundylab solve --help'"),
    ("solve nim --bound N=5 --par m=1", "unrecognized arguments: --par m=1; see 'grundylab solve --help'"),
    ("check " + "x" * 300 + ".yaml", "x" * 300 + ".yaml: File name too long"),
    ("show nothing.yaml --bound N=0", "nothing (N=0) has no positions to show"),
    ("formulas --results bad",
     "bad/catalogue.json: not a catalogue of this version (version: field required); delete it and "
     "run 'make run'"),
    ("solve wide.yaml --bound N=3", "wide (N=3): x may be 4,000,000,003; at most 2,147,483,647 can be stored"),
    ("show nim --bound N=5 --param m=1 --axes x,y,p",
     "3 free coordinates (x, y, p): hold all but two fixed, as in --fix p=1"),
    ("show nim --bound N=5 --param m=1 --fix p=7", "--fix: p=7 is outside the table: p is in 0..1"),
    ("formulas", "results/catalogue.json: there is no catalogue of all studies yet; 'make run' makes it"),
    ("papers", "results/catalogue.json: there is no catalogue of all studies yet; 'make run' makes it"),
    ("papers --results bad",
     "bad/catalogue.json: not a catalogue of this version (version: field required); delete it and "
     "run 'make run'"),
    ("solve family.yaml --bound N=3",
     "family (N=3): the rules leave f() open; to solve one game, extend the ruleset and define it"),
    ("verify family.yaml --claim a --bound N=3",
     "family: f() is a free function without an extent; give one, as in f: 0..10 -> 0..10"),
    ("verify family.yaml --claim a --bound N=3 --every 'f: 0..3'",
     "'0..3' is not an extent; write arguments -> values, as in 0..10 -> 0..11"),
    ("verify nim --claim equal --bound N=3 --param m=1 --every 'f: 0..3 -> 0..1'",
     "nim has no free function 'f'"),
    ("", f"give a command: {', '.join(list(COMMANDS)[:-1])} or {list(COMMANDS)[-1]}; see --help"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "line"), BAD, ids=[asked[:60] for asked, _ in BAD])
def test_bad_input_is_one_clear_line_exit_status_2_and_nothing_written(grundylab, folder, asked, line):
    (folder / "leaves.yaml").write_text(LEAVES)
    (folder / "loops.yaml").write_text(LOOPS)
    (folder / "family.yaml").write_text(FAMILY)
    (folder / "empty.yaml").write_text("")
    (folder / "latin.yaml").write_bytes(b"# a ruleset\ntitle: mis\xe8re\n")
    (folder / "claim.yaml").write_text(NIM.replace("p == 0, formula: x == y", "p == 0, formula: x == q"))
    (folder / "key.yaml").write_text(NIM.replace("piles", "pilles"))
    (folder / "nothing.yaml").write_text("title: t\nposition: {x: 1..N}\nmoves: [{take: t, from: x}]\n")
    (folder / "wide.yaml").write_text(
        "title: t\nposition: {x: 4000000000..4000000000 + N}\nmoves: [{take: t, from: x}]\n"
    )
    (folder / "bad").mkdir()
    write_json(folder / "bad" / "catalogue.json", {"formulas": [{"ruleset": "a"}]})
    before = files(folder)
    status, out, err = grundylab(asked)
    assert (status, out) == (2, "")
    assert err.replace('"', "'") == f"grundylab: {line}\n"
    assert files(folder) == before


def test_an_unknown_command_is_named(grundylab):
    status, out, err = grundylab("frobnicate")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("grundylab: there is no command 'frobnicate'; ")
    assert "did you mean 'study'?" in grundylab("stud nim")[2]


def test_a_file_that_is_named_without_its_ending_is_told(grundylab, folder):
    (folder / "mine.yaml").write_text(NIM)
    status, _, err = grundylab("check mine")
    assert status == 2
    assert "mine.yaml" in err.split(": ", 2)[2]


def test_too_large_a_table_says_how_much_memory_it_would_need(grundylab, folder):
    status, said, err = grundylab("solve nim --bound N=9999999 --param m=1 --json")
    assert status == 2
    assert err.startswith(
        "grundylab: nim (m=1,N=9999999): 200,000,000,000,000 cells would need 5,093.2 TiB of memory, and "
    )
    assert (said["status"], said["reason"]) == ("error", err.removeprefix("grundylab: ").rstrip())
    assert files(folder) == ["rulesets/nim.yaml"]


def test_an_interrupt_ends_with_130_and_leaves_nothing(grundylab, folder, monkeypatch):
    from grundylab.solve import dataset

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(dataset, "_rows", interrupted)
    status, _, err = grundylab("solve nim --bound N=5 --param m=1")
    assert (status, err) == (130, "grundylab: interrupted; nothing half-written is left\n")
    assert files(folder) == ["rulesets/nim.yaml"]


def test_help_needs_no_heavy_import():
    """Import heavy packages only in the commands that need them."""
    code = "from grundylab.cli.main import main; main(['--version']); import sys; print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = (
        "numba",
        "numpy",
        "pandas",
        "pyarrow",
        "sklearn",
        "matplotlib",
        "pydantic",
        "yaml",
        "rich",
        "shtab",
    )
    assert not [name for name in heavy if f"'{name}'" in loaded]


def test_the_console_script_survives_a_closed_pipe(folder):
    done = subprocess.run(
        f"{SCRIPT} check nim | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("nim: Nim with a pass")
    assert done.stderr == ""


def test_a_full_standard_output_is_one_line_and_exit_status_2(folder):
    done = subprocess.run(
        f"{SCRIPT} check nim > /dev/full", shell=True, capture_output=True, text=True, check=False
    )
    said = "grundylab: cannot write to standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_terminal_without_utf_8_gets_no_traceback(folder):
    command = [SCRIPT, "show", "nim", "--bound", "N=2", "--param", "m=1", "--fix", "p=0"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "ascii"}
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_bounds_and_parameters_need_not_be_given(grundylab):
    status, out, _ = grundylab("show subtraction-1-to-m")
    assert (status, out.splitlines()[0]) == (0, "subtraction-1-to-m (m=1,N=20): x →")
    status, found, _ = grundylab("discover nim-4 --json")
    assert (status, found["formula"], found["training"]) == (0, "x ^ y ^ z == w", ["N=12"])
    status, out, _ = grundylab("show nim-4")
    assert (status, out.splitlines()[0]) == (0, "nim-4 (N=12), z=0, w=0: x ↓ y →")


def test_without_a_catalogue_that_of_a_single_study_is_named(grundylab, folder):
    made = folder / "results" / "take" / "catalogue.json"
    made.parent.mkdir(parents=True)
    made.write_text("{}")
    status, _, err = grundylab("formulas")
    assert (status, "those of single studies are in results/take\n" in err) == (2, True)
