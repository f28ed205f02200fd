"""Each key of config.yaml, when changed, reruns exactly the jobs that depend on it (by Snakemake's dry runs)."""

import os
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from snakemake.api import SnakemakeApi
from snakemake.settings.types import (
    ConfigSettings,
    DAGSettings,
    OutputSettings,
    Quietness,
    ResourceSettings,
)
from tests.papers.small import ruleset
from tests.pipeline.project import ROOT, checkout
from tests.sizes import thinned

from grundylab.pipeline.config import read_studies
from grundylab.pipeline.schemas import schema
from grundylab.pipeline.study import Study
from grundylab.solve.dataset import dataset_name

CONFIG = """\
seed: 3
papers: true
budget: 5
proof_timeout: 5
engines: [search]
studies:
  two:
    ruleset: nim-2
    targets: [p]
    train: {bounds: {N: 6}}
    test: {bounds: {N: 12}}
    rows: {length: 200}
  later:
    ruleset: nim-2
    targets: [p]
    engines: [tree]
    train: {bounds: {N: 6}}
    test: {bounds: {N: 12}}
  pass:
    ruleset: nim-with-a-pass-from-m
    open: nobody knows
    targets: [p]
    engines: {p: [search]}
    train: {bounds: {N: 6}, parameters: {m: [3, 4]}, where: m > 2}
    validate: {bounds: {N: 7}, parameters: {m: [4, 3]}, where: m >= 3}
    test: {bounds: {N: 8}, parameters: {m: [4, 5]}, where: m > 3}
  octal:
    rows: {target: grundy, parameters: {a: [1], b: [3], c: [7, 0]}, where: c == 7, length: 50}
  atlas:
    ruleset: nim-with-a-pass
    rows: {fix: {p: 1, x: 0..2}, length: 300, target: p}
  family:
    ruleset: max-nim-regular
    test: {bounds: {N: 4}}
    every: {f: "0..4 -> 0..3"}
  given:
    targets: [p]
    engines: [search]
    train: {files: [a.csv], parameter_columns: [k]}
    validate: {files: [b.csv], parameter_columns: [k]}
    test: {files: [c.csv], parameter_columns: [k]}
"""
ROWS_GIVEN = "x,k,i,outcome\n{0},1,1,P\n1{0},1,1,N\n"  # no two files have a row in common
STUDIES = ("two", "later", "pass", "octal", "atlas", "family", "given")
TAIL = {
    "catalogue",
    "report",
    "papers",
    "results",
    "tables",
    "engines",
}  # what is made of all studies' records
PROVED = {f"prove {name}" for name in STUDIES}
ROWS = {"rows two", "rows octal", "rows atlas"}
LEARNING = ("two", "later", "pass", "given")
LEARNT = {name: {f"fit {name}"} for name in LEARNING}


def judged(*names: str) -> set[str]:
    """Return the jobs that follow the proposals of these studies."""
    found = {f"{rule} {name}" for rule in ("verify", "prove") for name in names}
    return found | TAIL


def learnt(*names: str) -> set[str]:
    """Return the jobs that follow the training data of these studies."""
    return judged(*names).union(*(LEARNT[name] for name in names))


def solved(*studies: str) -> set[str]:
    """Return the jobs that make the studies' datasets, and the job that draws all datasets."""
    splits = {"pass": ("train", "validate", "test")}  # of the others nothing larger is below the test
    found = {f"solve {name} {split}" for name in studies for split in splits.get(name, ("train", "test"))}
    return found | {"figures"}


SEEN = {split: {f"solve pass {split}", "figures"} for split in ("train", "validate", "test")}


# The key; what it is changed from and to; and the jobs that this runs, None for all but those that solve.
TABLE = [
    ("seed", "seed: 3", "seed: 4", learnt(*LEARNING) | judged(*STUDIES) | ROWS),
    ("seeds", "seed: 3", "seed: 3\nseeds: 2", learnt(*LEARNING)),
    ("ask", "seed: 3", "seed: 3\nask: all", learnt(*LEARNING)),
    ("budget", "budget: 5", "budget: 6", learnt(*LEARNING)),
    ("budgets", "seed: 3", "seed: 3\nbudgets: {gplearn: 6}", learnt(*LEARNING)),
    ("proof_timeout", "proof_timeout: 5", "proof_timeout: 6", PROVED | TAIL),
    ("coq", "seed: 3", "seed: 3\ncoq: true", {f"coq {name}" for name in STUDIES} | TAIL),
    ("papers", "papers: true", "papers: false", {"results"}),
    ("pathvars", "seed: 3", "seed: 3\npathvars: {results: elsewhere}", None),
    ("engines", "\nengines: [search]", "\nengines: [search, tree]", learnt("two")),
    ("studies.ruleset", "ruleset: nim-2\n    targets: [p]\n    train", "ruleset: other\n    targets: [p]\n    train",
     learnt("two") | judged("later") | {"rows two"} | solved("two")),
    *(
        (f"studies.{key}", "open: nobody knows", f"open: nobody knows\n    {key}: {value}", expected)
        for key, value, expected in (
            ("seed", 4, learnt("pass")), ("seeds", 2, learnt("pass")), ("budget", 6, learnt("pass")),
            ("budgets", "{search: 6}", learnt("pass")),
            ("proof_timeout", 6, {"prove pass"} | TAIL), ("coq", "true", {"coq pass"} | TAIL),
        )
    ),
    ("studies.open", "nobody knows", "no one knows", TAIL),
    ("studies.targets", "targets: [p]\n    train", "targets: [p, grundy]\n    train", learnt("two")),
    ("studies.where", "open: nobody knows", "open: nobody knows\n    where: x > 1", learnt("pass")),
    ("studies.ask", "open: nobody knows", "open: nobody knows\n    ask: all", learnt("pass")),
    ("studies.train.bounds", "{N: 6}, parameters", "{N: 5}, parameters", learnt("pass") | SEEN["train"]),
    ("studies.train.parameters", "m: [3, 4]", "m: [3, 9]", learnt("pass") | SEEN["train"]),
    ("studies.train.where", "m > 2", "m > 3", learnt("pass") | SEEN["train"]),
    ("studies.train.files", "a.csv", "d.csv", learnt("given") | {"figures"}),
    ("studies.train.parameter_columns", "[a.csv], parameter_columns: [k]", "[a.csv], parameter_columns: [k, i]",
     learnt("given") | {"figures"}),
    ("studies.validate.bounds", "{N: 7}", "{N: 4}", learnt("pass") | SEEN["validate"]),
    ("studies.validate.parameters", "m: [4, 3]", "m: [4, 3, 6]", learnt("pass") | SEEN["validate"]),
    ("studies.validate.where", "m >= 3", "m >= 4", learnt("pass") | SEEN["validate"]),
    ("studies.validate.files", "b.csv", "d.csv", learnt("given") | {"figures"}),
    ("studies.validate.parameter_columns", "[b.csv], parameter_columns: [k]", "[b.csv], parameter_columns: [k, i]",
     learnt("given") | {"figures"}),
    ("studies.test.bounds", "{N: 8}", "{N: 9}", judged("pass") | SEEN["test"]),
    ("studies.test.parameters", "m: [4, 5]", "m: [5]", judged("pass") | SEEN["test"]),
    ("studies.test.where", "m > 3", "m > 4", judged("pass") | SEEN["test"]),
    ("studies.test.files", "c.csv", "d.csv", learnt("given") | {"figures"}),
    ("studies.test.parameter_columns", "[c.csv], parameter_columns: [k]", "[c.csv], parameter_columns: [k, i]",
     learnt("given") | {"figures"}),
    ("studies.rows.fix", "x: 0..2", "x: 0..3", {"rows atlas", "figures"} | TAIL),
    ("studies.rows.parameters", "b: [3]", "b: [4]", {"rows octal", "figures"} | TAIL),
    ("studies.rows.where", "c == 7", "c == 0", {"rows octal", "figures"} | TAIL),
    ("studies.rows.length", "length: 50", "length: 60", {"rows octal", "figures"} | TAIL),
    ("studies.rows.target", "target: p", "target: grundy == 1", {"rows atlas", "figures"} | TAIL),
    ("studies.every", "0..4 -> 0..3", "0..4 -> 0..2", judged("family")),
    ("studies.prove", "open: nobody knows", "open: nobody knows\n    prove: [m == 4]", {"prove pass"} | TAIL),
    ("studies.engines", "engines: {p: [search]}", "engines: {p: [tree]}", learnt("pass")),
    ("studies.each", "open: nobody knows", "open: nobody knows\n    each: true", learnt("pass")),
]  # fmt: skip


def dry_run(
    folder: Path, executor: str = "dryrun", forced: bool = False, config: tuple[Path, ...] = ()
) -> Iterator[Any]:
    """Yield the jobs that Snakemake would run. forced: as if it had run none. config: files as for --configfile."""
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        flow = api.workflow(
            resource_settings=ResourceSettings(cores=1),
            config_settings=ConfigSettings(configfiles=config),
            snakefile=folder / "Snakefile",
            workdir=folder,
        )
        dag = flow.dag(DAGSettings(forceall=forced))
        dag.execute_workflow(executor=executor)
        graph = flow._workflow.dag
        yield from (job for job in graph.jobs if graph.needrun(job))


def rerun(folder: Path, forced: bool = False) -> set[str]:
    """Return the names of the jobs that Snakemake would run: the rule and its wildcards."""
    return {" ".join([job.rule.name, *job.wildcards]) for job in dry_run(folder, forced=forced)} - {"all"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a project that Snakemake considers as already run: every file exists, but is empty."""
    folder, here = checkout(tmp_path_factory.mktemp("project"), CONFIG), Path.cwd()
    shutil.copy(folder / "rulesets" / "nim-2.yaml", folder / "rulesets" / "other.yaml")
    for number, name in enumerate("abcd"):
        (folder / f"{name}.csv").write_text(ROWS_GIVEN.format(number))
    for job in list(dry_run(folder)):
        for path in job.output:
            if path.is_directory:
                (folder / path).mkdir(parents=True)
            else:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).touch()
    os.chdir(folder)  # where the studies' files are
    for study in read_studies(Path("config.yaml")).values():
        for split in ("train", "validate", "test"):
            for instance in study.datasets(split):
                Path("data", study.name, split, dataset_name(instance)).touch()
    list(dry_run(folder, "touch", forced=True))
    yield folder
    os.chdir(here)


def keys(part: dict[str, Any], kinds: dict[str, Any], above: str = "") -> Iterator[str]:
    """Yield every key of the configuration file by its schema, such as ``studies.train.bounds``."""
    for name, field in part["properties"].items():
        inner = field.get("additionalProperties") if name == "studies" else None
        for each in (field, *field.get("anyOf", ())):
            inner = kinds[each["$ref"].rpartition("/")[2]] if "$ref" in each else inner
        yield from keys(inner, kinds, f"{above}{name}.") if inner else [above + name]


def test_every_key_has_its_row():
    assert sorted(row[0] for row in TABLE) == sorted(keys(schema("config"), schema("config")["$defs"]))


def test_nothing_changed_runs_nothing(project):
    assert rerun(project) == set()


@pytest.mark.parametrize(
    ("key", "old", "new", "expected"),
    thinned(TABLE, 3, lambda row: row[3] is None),
    ids=[row[0] for row in TABLE],
)
def test_a_changed_key_runs_just_what_depends_on_it(project, key, old, new, expected):
    assert old in CONFIG
    (project / "config.yaml").write_text(CONFIG.replace(old, new, 1))
    if expected is None:
        expected = {name for name in rerun(project, forced=True) if not name.startswith("solve")}
    assert rerun(project) == expected


def test_an_earlier_study_takes_the_claims_of_its_ruleset_over(project):
    """The study that judged the claims before is therefore judged again, without them."""
    study = "  first:\n    ruleset: nim-2\n    targets: [p]\n    test: {bounds: {N: 12}}\n    train: {bounds: {N: 6}}\n"
    (project / "config.yaml").write_text(CONFIG.replace("  two:\n", f"{study}  two:\n"))
    assert rerun(project) == judged("first", "two") | {"fit first"} | solved("first")
    (project / "config.yaml").write_text(CONFIG.replace("  later:\n", f"{study}  later:\n"))
    assert rerun(project) == judged("first") | {"fit first"} | solved("first")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "title: Three",
            "title: Our three",
            learnt("pass") | {"figures"},
        ),  # the title is nothing to the values
        ("pass: {when: x + ... >= m}", "pass: {when: x + ... > m}", learnt("pass") | solved("pass")),
    ],
)
def test_what_is_made_from_an_edited_ruleset_is_made_anew_whatever_its_date(project, old, new, expected):
    (project / "config.yaml").write_text(CONFIG)
    ruleset = project / "rulesets" / "nim-with-a-pass-from-m.yaml"
    text = ruleset.read_text()
    assert old in text
    ruleset.write_text(text.replace(old, new))
    os.utime(ruleset, (1e9, 1e9))  # as with a clock that was set back: long before anything was made of it
    assert rerun(project) == expected
    ruleset.write_text(text)
    os.utime(ruleset, (1e9, 1e9))


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        ("nim-with-a-pass", judged("pass") | {"rows atlas", "verify atlas", "prove atlas", "figures"}),
        (
            "kayles",
            {"figures", "report", "papers", "results"},
        ),  # which no study is about, and no claim looks up
    ],
)
def test_so_is_what_looks_up_a_ruleset_that_was_edited(project, game, expected):
    (project / "config.yaml").write_text(CONFIG)
    ruleset = project / "rulesets" / f"{game}.yaml"
    text = ruleset.read_text()
    ruleset.write_text(text + "# a word\n")
    os.utime(ruleset, (1e9, 1e9))
    assert rerun(project) == expected
    ruleset.write_text(text)
    os.utime(ruleset, (1e9, 1e9))


@cache
def shipped(name: str) -> dict[str, Study]:
    return read_studies(ROOT / name, str(ROOT / "rulesets"))


@pytest.mark.parametrize(
    "name", ["config.yaml", "studies/papers.yaml", "studies/open.yaml", ".test/config.yaml"]
)
def test_the_studies_of_each_shipped_file_are_a_dag_of_their_own(tmp_path, monkeypatch, name):
    folder = checkout(tmp_path / "one", (ROOT / "config.yaml").read_text())
    monkeypatch.chdir(folder)  # Snakemake goes there, and does not come back
    jobs = list(dry_run(folder, forced=True, config=(ROOT / name,)))
    assert sorted(job.wildcards.study for job in jobs if job.rule.name == "verify") == sorted(shipped(name))
    made = {Path(file).parts[:2] for job in jobs for file in job.output}
    apart = {"studies/papers.yaml": "papers", "studies/open.yaml": "open"}.get(name)
    if apart:  # nothing of another file's is overwritten
        assert made == {("results", apart), ("data", apart)}
    else:
        assert {place[1] for place in made}.isdisjoint({"papers", "open"})


def test_papers_and_open_have_a_study_of_each_ruleset_and_papers_judges_every_statement():
    papers, others = shipped("studies/papers.yaml"), shipped("studies/open.yaml")
    assert not set(papers) & set(others)
    rulesets = {path.stem for path in (ROOT / "rulesets").glob("*.yaml")}
    assert {study.ruleset.name for study in (*papers.values(), *others.values())} == rulesets
    for studies in (papers, others):
        homes = [study.ruleset.name for study in studies.values() if study.judges_claims]
        assert len(set(homes)) == len(homes)
    places = {
        (claim.paper, claim.at)
        for study in papers.values() if study.judges_claims
        for claim in study.ruleset.claims
    }  # fmt: skip
    known = {path.stem for path in (ROOT / "papers").glob("*.yaml")}
    for name in rulesets:
        for claim in ruleset(name).claims:
            assert claim.paper not in known or (claim.paper, claim.at) in places, (name, claim.id)
