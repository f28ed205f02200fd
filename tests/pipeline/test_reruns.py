"""Every key of config.yaml, changed: just the jobs that depend on it are run again (Snakemake's own dry runs)."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from snakemake.api import SnakemakeApi
from snakemake.settings.types import (
    DAGSettings,
    OutputSettings,
    Quietness,
    ResourceSettings,
)
from tests.pipeline.project import ROOT, checkout

from grundylab.pipeline.config import ConfigSpec, read_studies

CONFIG = """\
seed: 3
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
    large: {bounds: {N: 63}, parameters: {m: [6, 7]}, where: m > 5, slabs: 2}
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
ROWS_GIVEN = "x,k,i,outcome\n0,1,1,P\n1,1,1,N\n"
STUDIES = ("two", "later", "pass", "octal", "atlas", "family", "given")
TAIL = {
    "catalogue",
    "report",
    "papers",
    "results",
    "tables",
    "engines",
}  # what is made of all studies' records
PROVED = {f"prove {name}" for name in STUDIES} | {"large pass"}
ROWS = {"rows two", "rows octal", "rows atlas"}
LEARNING = ("two", "later", "pass", "given")
LEARNT = {name: {f"fit {name}"} for name in LEARNING}
SLABS = {"slab pass 1-of-2", "slab pass 2-of-2", "large pass"}


def judged(*names: str) -> set[str]:
    """What comes after the proposals of these studies."""
    found = {f"{rule} {name}" for rule in ("verify", "prove") for name in names}
    return found | TAIL | (SLABS if "pass" in names else set())


def learnt(*names: str) -> set[str]:
    """What comes after the training data."""
    return judged(*names).union(*(LEARNT[name] for name in names))


def solved(*studies: str) -> set[str]:
    """The studies' datasets, and what shows all datasets."""
    return {f"solve_{name}{end}" for name in studies for end in ("", ".test")} | {"figures"}


SEEN, TEST = {"solve_pass", "figures"}, {"solve_pass.test", "figures"}


# The key; what it is changed from and to; and the jobs that this runs.
TABLE = [
    ("seed", "seed: 3", "seed: 4", learnt(*LEARNING) | judged(*STUDIES) | ROWS),
    ("seeds", "seed: 3", "seed: 3\nseeds: 2", learnt(*LEARNING)),
    ("ask", "seed: 3", "seed: 3\nask: all", learnt(*LEARNING)),
    ("budget", "budget: 5", "budget: 6", learnt(*LEARNING)),
    ("proof_timeout", "proof_timeout: 5", "proof_timeout: 6", PROVED | TAIL),
    ("coq", "seed: 3", "seed: 3\ncoq: true", {f"coq {name}" for name in STUDIES} | TAIL),
    ("engines", "\nengines: [search]", "\nengines: [search, tree]", learnt("two")),
    ("studies.ruleset", "ruleset: nim-2\n    targets: [p]\n    train", "ruleset: other\n    targets: [p]\n    train",
     learnt("two") | judged("later") | {"rows two"} | solved("two")),
    ("studies.open", "nobody knows", "no one knows", TAIL),
    ("studies.targets", "targets: [p]\n    train", "targets: [p, grundy]\n    train", learnt("two")),
    ("studies.where", "open: nobody knows", "open: nobody knows\n    where: x > 1", learnt("pass")),
    ("studies.ask", "open: nobody knows", "open: nobody knows\n    ask: all", learnt("pass")),
    ("studies.train.bounds", "{N: 6}, parameters", "{N: 5}, parameters", learnt("pass") | SEEN),
    ("studies.train.parameters", "m: [3, 4]", "m: [3, 9]", learnt("pass") | SEEN),
    ("studies.train.where", "m > 2", "m > 3", learnt("pass") | SEEN),
    ("studies.train.files", "a.csv", "d.csv", learnt("given") | {"figures"}),
    ("studies.train.parameter_columns", "[a.csv], parameter_columns: [k]", "[a.csv], parameter_columns: [k, i]",
     learnt("given") | {"figures"}),
    ("studies.validation.bounds", "{N: 7}", "{N: 4}", learnt("pass") | SEEN),
    ("studies.validation.parameters", "m: [4, 3]", "m: [4, 3, 6]", learnt("pass") | SEEN),
    ("studies.validation.where", "m >= 3", "m >= 4", learnt("pass") | SEEN),
    ("studies.validation.files", "b.csv", "d.csv", learnt("given") | {"figures"}),
    ("studies.validation.parameter_columns", "[b.csv], parameter_columns: [k]", "[b.csv], parameter_columns: [k, i]",
     learnt("given") | {"figures"}),
    ("studies.test.bounds", "{N: 8}", "{N: 9}", judged("pass") | TEST),
    ("studies.test.parameters", "m: [4, 5]", "m: [5]", judged("pass") | TEST),
    ("studies.test.where", "m > 3", "m > 4", judged("pass") | TEST),
    ("studies.test.files", "c.csv", "d.csv", learnt("given") | {"figures"}),
    ("studies.test.parameter_columns", "[c.csv], parameter_columns: [k]", "[c.csv], parameter_columns: [k, i]",
     learnt("given") | {"figures"}),
    ("studies.large.bounds", "{N: 63}", "{N: 64}", SLABS | TAIL),
    ("studies.large.parameters", "m: [6, 7]", "m: [6, 8]", SLABS | TAIL),
    ("studies.large.where", "m > 5", "m > 6", SLABS | TAIL),
    ("studies.large.slabs", "slabs: 2", "slabs: 3", {f"slab pass {n}-of-3" for n in (1, 2, 3)} | {"large pass"} | TAIL),
    ("studies.rows.fix", "x: 0..2", "x: 0..3", {"rows atlas"} | TAIL),
    ("studies.rows.parameters", "b: [3]", "b: [4]", {"rows octal", "figures"} | TAIL),
    ("studies.rows.where", "c == 7", "c == 0", {"rows octal", "figures"} | TAIL),
    ("studies.rows.length", "length: 50", "length: 60", {"rows octal"} | TAIL),
    ("studies.rows.target", "target: p", "target: grundy == 1", {"rows atlas"} | TAIL),
    ("studies.every", "0..4 -> 0..3", "0..4 -> 0..2", judged("family")),
    ("studies.prove", "open: nobody knows", "open: nobody knows\n    prove: [m == 4]", {"prove pass", "large pass"} | TAIL),
    ("studies.engines", "engines: {p: [search]}", "engines: {p: [tree]}", learnt("pass")),
    ("studies.each", "open: nobody knows", "open: nobody knows\n    each: true", learnt("pass")),
]  # fmt: skip


def dry_run(folder: Path, executor: str = "dryrun", forced: bool = False) -> Iterator[Any]:
    """The jobs that Snakemake would run; forced: if it had run none of them."""
    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        flow = api.workflow(
            resource_settings=ResourceSettings(cores=1), snakefile=folder / "Snakefile", workdir=folder
        )
        dag = flow.dag(DAGSettings(forceall=forced))
        dag.execute_workflow(executor=executor)
        graph = flow._workflow.dag
        yield from (job for job in graph.jobs if graph.needrun(job))


def rerun(folder: Path) -> set[str]:
    """The same by name: the rule and its wildcards."""
    return {" ".join([job.rule.name, *job.wildcards]) for job in dry_run(folder)} - {"all"}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project that Snakemake takes for one that was run: every file is there, and empty."""
    folder, here = checkout(tmp_path_factory.mktemp("project"), CONFIG), Path.cwd()
    shutil.copy(folder / "rulesets" / "nim-2.yaml", folder / "rulesets" / "other.yaml")
    for name in "abcd":
        (folder / f"{name}.csv").write_text(ROWS_GIVEN)
    for job in list(dry_run(folder)):
        for path in job.output:
            if path.is_directory:
                (folder / path).mkdir(parents=True)
            else:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).touch()
    list(dry_run(folder, "touch", forced=True))
    yield folder
    os.chdir(here)


def keys(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """Every key of the file, as ``studies.train.bounds``."""
    for name, field in model.model_fields.items():
        models = [kind for kind in _kinds(field.annotation) if issubclass(kind, BaseModel)]
        yield from keys(models[0], f"{above}{name}.") if models else [above + name]


def _kinds(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type) and not get_args(annotation):
        yield annotation
    elif isinstance(annotation, UnionType) or get_args(annotation):
        for inner in get_args(annotation):
            yield from _kinds(inner)


def test_every_key_has_its_row():
    assert sorted(row[0] for row in TABLE) == sorted(keys(ConfigSpec))


def test_nothing_changed_runs_nothing(project):
    assert rerun(project) == set()


@pytest.mark.parametrize(("key", "old", "new", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_a_changed_key_runs_just_what_depends_on_it(project, key, old, new, expected):
    assert old in CONFIG
    (project / "config.yaml").write_text(CONFIG.replace(old, new, 1))
    assert rerun(project) == expected


def test_an_earlier_study_takes_the_claims_of_its_ruleset_over(project):
    """So the one that judged them before is judged again, without them."""
    study = "  first:\n    ruleset: nim-2\n    targets: [p]\n    test: {bounds: {N: 12}}\n    train: {bounds: {N: 6}}\n"
    (project / "config.yaml").write_text(CONFIG.replace("  two:\n", f"{study}  two:\n"))
    assert rerun(project) == judged("first", "two") | {"fit first", "figures"}
    (project / "config.yaml").write_text(CONFIG.replace("  later:\n", f"{study}  later:\n"))
    assert rerun(project) == judged("first") | {"fit first", "figures"}


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
        ("kayles", {"figures", "report", "papers"}),  # which no study is about, and no claim looks up
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


def test_the_shipped_studies_are_a_dag_of_every_shipped_ruleset(monkeypatch):
    monkeypatch.chdir(ROOT)  # Snakemake goes there, and does not come back
    verified = [job.wildcards.study for job in dry_run(ROOT, forced=True) if job.rule.name == "verify"]
    studies = read_studies(ROOT / "config.yaml", str(ROOT / "rulesets"))
    assert sorted(verified) == sorted(studies)
    rulesets = {path.stem for path in (ROOT / "rulesets").glob("*.yaml")}
    assert {study.ruleset.name for study in studies.values()} == rulesets
    # each ruleset's claims are judged, and once
    homes = [study.ruleset.name for study in studies.values() if study.judges_claims]
    assert len(set(homes)) == len(homes)
    assert {study.ruleset.name for study in studies.values() if study.ruleset.claims} <= set(homes)
