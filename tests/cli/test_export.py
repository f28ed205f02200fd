"""``grundylab export`` writes each kind to standard output or a file; it refuses anything else in one clear line."""

import json
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.bad_input.commands import PAPER
from tests.bad_input.commands import TWO as NIM
from tests.files import write
from tests.findings import made
from tests.findings.made import proof

from grundylab.cli.main import main
from grundylab.findings.catalogue import write_catalogue

PROVED = {
    "checked": 9,
    "instances": {},
    "proofs": (proof(exactly=True, proof="results/nim/a.mona"),),
}
FOUND = made.formula(**PROVED)
CLAIM = made.claim(**PROVED, claim="equal", paper="a-paper", at="Theorem 1")


def write_results(claim=CLAIM, *others):
    """Write the catalogue of a study of nim. others: files besides the ruleset's own that its verdicts depend on."""
    study = made.study(**made.made_now("rulesets/nim.yaml", *others))
    write_catalogue(made.catalogue([study], [FOUND], [claim]), Path("results"))


@pytest.fixture
def export(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    files = {"rulesets/nim.yaml": NIM, "papers/a-paper.yaml": PAPER, "results/nim/a.mona": "ws1s;\n"}
    write(tmp_path, files)
    write_results()

    def run(*arguments):
        status = main(["export", *arguments])
        return (status, *capsys.readouterr())

    return run


GOOD = [
    ["bibtex", "--paper", "a-paper"],
    ["latex", "nim", "--claim", "equal"],
    ["latex", "nim", "--bound", "N=4", "--figure", "nim.pdf"],
    ["oeis", "nim", "--bound", "N=4", "--sequence", "count"],
    ["csv", "nim", "--bound", "N=1", "--target", "p"],
    ["catalogue"],
    ["proof", "nim", "--formula", "x == y"],
    ["proof", "nim", "--formula", 'accepts("fib: +0,,,0", x, y)', "--to", "walnut"],
    ["coq", "nim", "--claim", "equal"],
]


@pytest.mark.parametrize("arguments", GOOD, ids=" ".join)
def test_each_kind__is_the_same_printed_written_and_in_json(export, tmp_path, arguments):
    status, out, err = export(*arguments)
    assert (status, err) == (0, "")
    assert export(*arguments, "--out", "there/file")[0] == 0
    assert (tmp_path / "there" / "file").read_text() == out
    said = json.loads(export(*arguments, "--json")[1])
    assert (said["status"], said["kind"], said["text"]) == ("done", arguments[0], out)


def test_what_walnut_is_given_is_an_archive_of_its_folders_if_it_is_called_so(export, tmp_path):
    asked = ["proof", "nim", "--formula", 'accepts("2,1: +0,,,,0,,,,0", x, y)', "--to", "walnut"]
    text = export(*asked)[1]
    assert export(*asked, "--out", "equal.zip") == (0, "written to equal.zip\n", "")
    with ZipFile(tmp_path / "equal.zip") as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    names = [name.split("/")[0] for name in files]
    assert names == ["Command Files", "Custom Bases", "Custom Bases", "Automata Library"]
    script, *others = files.items()
    assert text == "\n".join([script[1], *(f"# {name}\n{content}" for name, content in others)])


def test_without_a_run_latex_has_the_definition_alone(export, tmp_path):
    (tmp_path / "results" / "catalogue.json").unlink()
    status, out, _ = export("latex", "nim")
    assert status == 0
    assert r"\begin{definition}" in out
    assert r"\begin{theorem}" not in out


@pytest.mark.parametrize("elsewhere", ["/etc/passwd", "results/../../secret", "results/link"])
def test_a_proof_that_the_catalogue_names_elsewhere_is_not_read(export, tmp_path, elsewhere):
    secret = tmp_path.parent / "secret"
    secret.write_text("secret")
    (tmp_path / "results" / "link").symlink_to(secret)
    claim = replace(CLAIM, proofs=(proof(exactly=True, proof=elsewhere),))
    write_results(claim)
    status, output, errors = export("proof", "nim", "--claim", "equal")
    assert (status, output) == (2, "")
    assert errors.startswith("grundylab: results: ")
    assert errors.count("\n") == 1


# -- results of another ruleset ------------------------------------------------------------------------------------

OF_RESULTS = (
    ["latex", "nim"],
    ["latex", "nim", "--claim", "equal", "--fragment"],
    ["latex", "nim", "--bound", "N=4"],
    ["proof", "nim", "--claim", "equal"],
    ["proof", "nim", "--formula", "x == y"],
)
OTHER = "title: Other\nextends: below\n"
BELOW = "title: Below\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"


def refused(export, arguments, file):
    """Assert that nothing is written, and that one line names the file and the remedy."""
    status, out, error = export(*arguments, "--out", "new")
    assert (status, out) == (2, "")
    assert error.startswith(f"grundylab: {file}: ")
    assert "'make run'" in error
    assert error.count("\n") == 1
    assert not Path("new").exists()


@pytest.mark.parametrize("arguments", OF_RESULTS, ids=" ".join)
@pytest.mark.parametrize(
    ("old", "new"),
    [("take: t", "take: '1..min(2, x)'"), ("title: Nim", "title: Nim of two piles"), ("", "# a word\n")],
)
def test_results_are_not_put_beside_an_edited_ruleset(export, arguments, old, new):
    assert export(*arguments)[0] == 0
    Path("rulesets/nim.yaml").write_text(NIM.replace(old, new, 1))
    refused(export, arguments, "rulesets/nim.yaml")
    Path("rulesets/nim.yaml").write_text(NIM)
    assert export(*arguments)[0] == 0


@pytest.mark.parametrize("edited", ["other", "below"])
@pytest.mark.parametrize("arguments", OF_RESULTS, ids=" ".join)
def test_nor_beside_one_that_looks_values_up_in_an_edited_one(export, arguments, edited):
    for name, text in (("nim", NIM.replace("G: this", "G: other")), ("other", OTHER), ("below", BELOW)):
        Path(f"rulesets/{name}.yaml").write_text(text)
    write_results(CLAIM, "rulesets/other.yaml", "rulesets/below.yaml")
    assert export(*arguments)[0] == 0
    with Path(f"rulesets/{edited}.yaml").open("a") as file:
        file.write("measure: 2*x + y\n")
    refused(export, arguments, f"rulesets/{edited}.yaml")


def test_nor_beside_another_ruleset_of_that_name(export):
    Path("mine").mkdir()
    Path("mine/nim.yaml").write_text(
        NIM.replace("piles: 2", "piles: 3").replace("x == y", "x == y and z == 0")
    )
    refused(export, ["latex", "mine/nim.yaml", "--claim", "equal"], "mine/nim.yaml")
    refused(export, ["proof", "mine/nim.yaml", "--claim", "equal"], "mine/nim.yaml")


def test_nor_is_a_result_whose_study_the_catalogue_does_not_have(export):
    write_catalogue(made.catalogue(claims=[CLAIM]), Path("results"))
    refused(export, ["proof", "nim", "--claim", "equal"], "rulesets/nim.yaml")


@pytest.mark.parametrize(
    "arguments",
    [
        ["oeis", "nim", "--bound", "N=4", "--fix", "y=1"],
        ["csv", "nim", "--bound", "N=1"],
        ["proof", "nim", "--claim", "equal", "--to", "walnut"],
        ["coq", "nim", "--claim", "equal"],
        ["latex", "other", "--bound", "N=4"],  # of which there are no results
    ],
    ids=" ".join,
)
def test_what_is_worked_out_anew_is_about_the_edited_ruleset(export, arguments):
    for name, text in (("other", OTHER), ("below", BELOW), ("nim", NIM.replace("Nim", "Edited"))):
        Path(f"rulesets/{name}.yaml").write_text(text)
    assert export(*arguments)[0] == 0
