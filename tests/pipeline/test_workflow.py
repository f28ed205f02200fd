"""The workflow, really run on two tiny studies: it runs, repeats nothing, and reruns only what a change affects."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from tests.findings.made import agreeing_claims
from tests.pipeline.project import ROOT, affected, finished_run, made, planned, snakemake

from grundylab.findings.catalogue import read_catalogue
from grundylab.findings.columns import row
from grundylab.games import load_ruleset
from grundylab.logic.mona import find_mona
from grundylab.version import __version__

PROVED = "proved" if find_mona() else "holds"


def jobs(output):
    """Return the number of jobs of each rule, from the table that Snakemake prints."""
    table = output[output.index("Job stats:") :].split("\n\n")[0]
    found = Counter({name: int(count) for name, count in re.findall(r"^(\w+)\s+(\d+)$", table, re.MULTILINE)})
    del found["total"]
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return a copy of the folder of the finished run; tests may edit its files and run it again."""
    return shutil.copytree(finished_run(tmp_path_factory), tmp_path_factory.mktemp("project") / "copy")


@pytest.fixture(scope="module")
def catalogue(project):
    return read_catalogue(project / "results" / "catalogue.json")


@pytest.fixture
def edited(project):
    """Yield a function that edits a file and dates it back, as with a clock that was wrong; restore it after the test."""
    before = {}

    def edit(file, old, new):
        path = project / file
        before[path] = path.read_text(), path.stat().st_mtime_ns
        assert old in before[path][0]
        path.write_text(before[path][0].replace(old, new, 1))
        os.utime(path, (1e9, 1e9))

    yield edit
    for path, (text, time) in before.items():
        path.write_text(text)
        os.utime(path, ns=(time, time))


def test_the_catalogue_has_what_was_found_with_its_verdict(catalogue):
    best = {(f.study, str(f.target), f.origin.engine): f for f in reversed(catalogue.formulas)}
    found = best["two", "grundy", "search"]
    assert (str(found.formula), found.status, found.test.checked) == ("x ^ y", PROVED, 441)
    assert agreeing_claims(found.comparison) == ("bouton-grundy",)
    (to,) = found.relation.to
    assert (to.relation, to.claim) == ("rediscovers", "bouton-grundy")
    assert to.by == "proof"  # the formula is the printed one
    assert [each.instances for each in found.origin.learnt] == [("N=8",)]
    assert (found.validate.instances, found.validate.checked) == ({"N=16": 17**2}, 17**2)
    assert [*found.test.instances] == ["N=20"]
    subtraction = best["from-m", "p", "search"]
    assert (
        subtraction.status == "proved"
    )  # a remainder by a variable: not by MONA, by a certificate about runs
    assert [Path(proof.proof).suffix for proof in subtraction.proofs] == [".json"]
    assert [*subtraction.test.instances] == ["m=4,N=60", "m=5,N=60"]
    assert all(formula.origin.seed == 3 for formula in catalogue.formulas)
    claims = {(claim.study, claim.source.claim): claim.status for claim in catalogue.claims}
    assert claims["two", "bouton"] == PROVED


def test_one_study_is_a_target_and_nothing_of_another_is_run(project):
    page, other = (f"results/{name}/report/index.html" for name in ("two", "mine"))
    done = snakemake(project, page, "--dry-run", "--forceall")
    assert done.returncode == 0, done.stderr
    asked = jobs(done.stdout)
    assert (asked["verify"], asked["fit"], asked["study_report"]) == (1, 1, 1)
    assert {"report", "catalogue", "papers", "results"}.isdisjoint(asked)
    whole = (project / "results" / "catalogue.json").read_bytes()
    done = snakemake(project, page, other)
    assert done.returncode == 0, done.stderr
    text = html.unescape((project / page).with_name("rulesets").joinpath("nim-2.html").read_text())
    assert "x ^ y" in text
    league = pd.read_parquet(project / "results" / "two" / "engines.parquet")
    assert set(league["study"]) == {"two"}
    assert (project / "results" / "catalogue.json").read_bytes() == whole
    said = done.stdout.rstrip().splitlines()
    assert [file for file in (page, other) if not any(line.endswith(file) for line in said)] == []
    text = (project / other).with_name("rulesets").joinpath("mine.html").read_text()
    assert "Take up to 2" in text
    assert "Take up to 3" not in text  # of another file of this name, which nobody studies


def test_between_its_steps_a_run_says_how_many_are_done_and_nothing_else(project):
    """Each job has its date and its message; Snakemake's words on the choice, the start and the end of jobs are gone."""
    lines = [line for line in (project / "err").read_text().splitlines() if line]
    first = next(place for place, line in enumerate(lines) if line.startswith("["))
    last = next(place for place, line in enumerate(lines) if "(100%)" in line)
    shapes = (r"\[.* 20\d\d\]", r"Job \d+: .+", r"\d+ of \d+ steps \(\d+%\) done")
    assert [line for line in lines[first : last + 1] if not any(re.fullmatch(s, line) for s in shapes)] == []


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("results/tow/report/index.html", ["'tow'", "'two'"]),
        ("results/xyz/fits.json", ["'xyz'", "two", "from-m", "given"]),
    ],
)
def test_a_study_that_there_is_not_is_one_line_with_one_that_there_is(project, target, words):
    done = snakemake(project, target)
    (line,) = [row for row in done.stderr.splitlines() if row.startswith("grundylab: ")]
    assert done.returncode != 0
    assert [word for word in words if word not in line] == []
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("asked", "targets"),
    [
        (["run"], []),
        (["run", "STUDY=a"], ["results/a/report/index.html"]),
        (["run", "STUDY=a b"], ["results/a/report/index.html", "results/b/report/index.html"]),
        (["run", "STUDY=a,b"], ["results/a/report/index.html", "results/b/report/index.html"]),
        (
            ["papers", "STUDY=a"],
            ["results/papers/a/report/index.html", "--configfile", "studies/papers.yaml"],
        ),
        (["open"], ["--configfile", "studies/open.yaml"]),
        (["surveys", "SURVEY=s"], ["results/surveys/s/page/index.html"]),
        (["surveys"], ["surveys"]),
    ],
)
def test_make_asks_for_targets(asked, targets):
    done = subprocess.run(
        ["make", "--dry-run", "CORES=2", *asked], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (command,) = [line for line in done.stdout.splitlines() if "bin/snakemake" in line]
    assert command.split("--cores 2")[1].split() == targets


def test_a_run_says_first_what_it_does_and_last_what_it_found(project):
    out, log = ((project / name).read_text() for name in ("out", "err"))
    start = out.index("4 studies, 7 targets for 3 engines, about ")
    assert out[start:].splitlines()[0].endswith("2 cores")
    last = out.rstrip().splitlines()[-8:]
    assert last[-1].startswith("The page: file:///")
    assert any(re.match(r"search +\d+ +\d+ +\d+$", line) for line in last)
    assert max(map(len, log.splitlines())) < 500  # no lists of files
    assert re.findall(r"^Job \d+: proving .* two$", log, re.MULTILINE)
    assert "Rule: " not in log  # a job is named by its study


def test_the_parquet_catalogue_says_the_same(project, catalogue):
    frame = pd.read_parquet(project / "results" / "catalogue.parquet").query("kind == 'formula'")
    rows = [row(formula) for formula in catalogue.formulas]
    for column in ("study", "ruleset", "target", "formula", "status", "engine", "checked", "size"):
        assert frame[column].tolist() == [each[column] for each in rows]


def test_the_rows_are_in_the_catalogue_with_their_certificate(project, catalogue):
    (row,) = catalogue.rows
    assert (row.study, row.status, row.preperiod, row.period) == ("two", "proved", 0, 1)
    assert row.claims == ("theorem-8", "theorem-8-n")
    assert json.loads((project / row.proof).read_text())["evidence"]["rule"] == "rows"
    (found,) = [formula for formula in catalogue.formulas if formula.origin.engine == "rows"]
    assert (str(found.formula), found.status, found.proof) == ("y == x", "proved", row.proof)


def test_the_page_has_every_formula_with_its_proof_and_needs_no_network(project, catalogue):
    report = project / "results" / "report"
    pages = {page.stem: html.unescape(page.read_text()) for page in report.rglob("*.html")}
    for formula in catalogue.formulas:
        assert str(formula.formula) in pages[formula.ruleset]
        assert pages["index"].count(f'href="rulesets/{formula.ruleset}.html') > 0
    assert ("decided by automata" if find_mona() else "at all 441 positions") in pages["nim-2"]
    assert (report / "data" / "nim-2.pictures.js").is_file()
    assert (report / "games" / "nim-2.js").is_file()
    for page in pages.values():
        assert not re.search(r"""(src|href)=["']?(https?:|//|/)""", page)


def test_every_result_says_by_what_it_was_made(project, catalogue):
    results = project / "results"
    for name in ("fits", "verdicts", "proofs", "rows"):
        header = json.loads((results / "two" / f"{name}.json").read_text())["made"]
        # formulas depend on the rules alone, and not on the files that these are read from
        rules = {"nim-2": load_ruleset("nim-2", project / "rulesets").hash}
        assert header["rulesets"] == rules if name == "fits" else {*header["rulesets"]} == {"nim", "nim-2"}
        assert (header["seed"], header["packages"]["numpy"]) == (3, np.__version__)
    assert catalogue.packages == header["packages"]
    assert [study.seed for study in catalogue.studies] == [3] * 4
    stored = pq.read_metadata(results / "catalogue.parquet").metadata
    assert json.loads(stored[b"grundylab"])["studies"]["two"]["rulesets"] == header["rulesets"]
    stored = pq.read_metadata(project / "data" / "two" / "test" / "N=20.parquet").metadata
    assert json.loads(stored[b"made"])["packages"] == header["packages"]
    line = read_catalogue(results / "catalogue.json").made_line
    assert line.startswith(f"grundylab {__version__} from 7 ")  # with the tables of one study
    assert line in (results / "report" / "index.html").read_text()
    assert header["rulesets"]["nim-2"] in (results / "report" / "rulesets" / "nim-2.html").read_text()


def test_no_result_has_a_path_of_the_machine_in_it(project):
    places = [os.fsencode(str(place)) for place in (project, ROOT, Path.home(), Path(sys.executable).parent)]
    for name, data in made(project).items():
        assert not [place for place in places if place in data], name


def test_snakemake_s_report_has_the_page_with_its_caption(project):
    done = snakemake(project, "--report", "report.zip")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(project / "report.zip") as archive:
        (page,) = [name for name in archive.namelist() if name.endswith("report.html")]
        text = archive.read(page).decode()
    for words in ("index.html", "how each engine answered"):
        assert words in text


def test_what_an_engine_says_is_in_the_catalogue_and_on_the_page(project, catalogue):
    said = {(run.study, str(run.target), run.engine): run for run in catalogue.runs}
    assert set(said) == {
        ("two", "p", "search"), ("two", "grundy", "search"), ("from-m", "p", "search"), ("from-m", "grundy", "periods"),
        ("mine", "p", "search"), ("given", "p", "search"), ("given", "grundy", "search"),
    }  # fmt: skip
    search, periods = said["two", "p", "search"], said["from-m", "grundy", "periods"]
    by = {(formula.study, str(formula.target), formula.origin.engine) for formula in catalogue.formulas}
    assert ("two", "p", "search") in by
    assert "no simpler one" in search.notes[0]
    assert not periods.notes  # it found a formula for each m
    assert ("from-m", "grundy", "periods") in by
    pages = project / "results" / "report" / "rulesets"
    assert f"<code>x == y</code> <small>{search.notes[0]}</small>" in (pages / "nim-2.html").read_text()
    page = (pages / "subtraction-1-to-m.html").read_text()
    assert re.search(r'<th scope="row">periods</th><td><code>x % 3</code> <small>[a-z ,]*</small>', page)


def test_a_second_run_does_nothing(project):
    done = snakemake(project)
    assert done.returncode == 0
    assert "Nothing to be" in done.stderr


def test_every_job_has_a_log_and_a_benchmark(project):
    forced = jobs(snakemake(project, "--dry-run", "--forceall").stdout)
    whole = sum(forced.values()) - forced["all"]
    logs, benchmarks = (
        {
            str(path.relative_to(project / "results" / name).with_suffix(""))
            for path in (project / "results" / name).rglob("*.*")
        }
        for name in ("logs", "benchmarks")
    )
    assert logs == benchmarks
    assert len({name for name in logs if not re.match(r"(catalogue|report)/", name)}) == whole


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [("config.yaml", "seed: 3", "seed: 4"), ("rulesets/subtraction-1-to-m.yaml", "title: ", "title: Our ")],
)
def test_snakemake_runs_again_what_its_plan_says__whatever_the_date_of_an_edited_file(
    project, edited, file, old, new
):
    before, _ = planned(project)
    edited(file, old, new)
    wanted = affected(before, planned(project)[0])
    expected = Counter(name.split()[0] for name in wanted if not name.startswith("study_"))
    found = jobs(snakemake(project, "--dry-run").stdout)
    assert expected == found - Counter(all=1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: ", "title: Our "),
        ("description: Take", "description: We take"),
        ("", "# a word\n"),
        ("formula: x % (m + 1)", "formula: x % (m + 2)"),
    ],
)
def test_an_edited_claim_title_or_remark_solves_and_learns_nothing_again(project, edited, old, new):
    edited("rulesets/subtraction-1-to-m.yaml", old, new)
    os.utime(project / "rulesets" / "subtraction-1-to-m.yaml")
    found = jobs(snakemake(project, "--dry-run").stdout)
    assert found["verify"] == found["prove"] == 1
    assert not {"solve", "fit", "pysr"} & {*found}


def test_edited_rules_are_solved_and_learnt_from_again(project, edited):
    edited("rulesets/subtraction-1-to-m.yaml", "min(m, x)", "min(m + 1, x)")
    found = jobs(snakemake(project, "--dry-run").stdout)
    assert (found["solve"], found["fit"]) == (3, 1)


@pytest.mark.parametrize(
    ("old", "new", "line"), [("seed: 3", "sead: 3", "1: sead: "), ("    train:", "\ttrain:", "8: not YAML")]
)
def test_a_fault_in_the_configuration__is_one_line_with_its_place(project, edited, old, new, line):
    edited("config.yaml", old, new)
    done = snakemake(project, "--dry-run")
    assert done.returncode != 0
    (said,) = [row for row in done.stderr.splitlines() if row.startswith("grundylab: ")]
    assert said.startswith(f"grundylab: config.yaml:{line}")
    assert "Traceback" not in done.stderr


def test_on_a_cluster_a_sweep_is_few_jobs(project, edited):
    """There is a job for each split of several studies, one for the studies, one for catalogue and pages."""
    edited("config.yaml", "m: [4, 5]", "m: 8..1007")
    done = snakemake(project, "--dry-run", "--forceall", profile="slurm")
    assert done.returncode == 0, done.stderr
    assert jobs(done.stdout)["solve"] == 3 * 3
    assert len(re.findall(r"Group job \w+", done.stdout)) == 3
    here = re.findall(r"^(?:local)?rule (\w+):", done.stdout, re.MULTILINE)
    assert set(here) <= {"all"}  # whoever starts the run does nothing else himself


def test_every_rule_says_what_it_does_logs_and_measures():
    text = "\n".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    rules = re.split(r"^(?:use )?rule\b", text, flags=re.MULTILINE)[1:]
    assert len(rules) == 17
    for rule in rules:
        order = re.findall(r"^ {4,8}(\w+):", rule, re.MULTILINE)
        wanted = ["input", "output", "log", "benchmark", "priority", "conda", "params", "message"]
        assert [key for key in order if key in wanted] == [key for key in wanted if key in order]
        assert {"log", "benchmark", "message"} <= set(order) or "output" not in order  # a target alone
