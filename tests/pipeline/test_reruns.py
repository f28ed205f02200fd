"""Each key of config.yaml, and each ruleset, when changed, reruns exactly the jobs that depend on it.

A job is run again if its inputs, params or outputs are others than before, or if it reads what such a job makes. The
jobs are those of Snakemake's own plan; that Snakemake runs just these again is seen in tests/pipeline/test_workflow.py.
"""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.pipeline.project import ROOT, affected, checkout, planned

from grundylab.games import load_ruleset
from grundylab.pipeline.schemas import schema

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
LEARNING = ("two", "later", "pass", "given")
ROWS = {"rows two", "rows octal", "rows atlas"}
PAGES = {"report", *(f"study_report {name}" for name in STUDIES)}


def recorded(*names: str) -> set[str]:
    """Return the jobs that follow the records of these studies."""
    whole = {"catalogue", "report", "papers", "results"}
    return whole | {f"{rule} {name}" for rule in ("study_catalogue", "study_report") for name in names}


def proved(*names: str) -> set[str]:
    """Return the jobs that follow the verdicts of these studies."""
    return recorded(*names) | {f"prove {name}" for name in names}


def judged(*names: str) -> set[str]:
    """Return the jobs that follow the proposals of these studies."""
    return proved(*names) | {f"verify {name}" for name in names}


def learnt(*names: str) -> set[str]:
    """Return the jobs that follow the training data of these studies."""
    return judged(*names) | {f"fit {name}" for name in names}


def solved(*studies: str) -> set[str]:
    """Return the jobs that make the studies' datasets."""
    splits = {"pass": ("train", "validate", "test")}  # of the others nothing larger is below the test
    return {f"solve {name} {split}" for name in studies for split in splits.get(name, ("train", "test"))}


SEEN = {split: {f"solve pass {split}"} for split in ("train", "validate", "test")}

# The key; what it is changed from and to; and the jobs that this runs.
TABLE = [
    ("seed", "seed: 3", "seed: 4", learnt(*LEARNING) | judged(*STUDIES) | ROWS),
    ("seeds", "seed: 3", "seed: 3\nseeds: 2", learnt(*LEARNING)),
    ("ask", "seed: 3", "seed: 3\nask: all", learnt(*LEARNING) | recorded(*STUDIES)),  # a record says how it was asked
    ("budget", "budget: 5", "budget: 6", learnt(*LEARNING)),
    ("budgets", "seed: 3", "seed: 3\nbudgets: {gplearn: 6}", learnt(*LEARNING)),
    ("proof_timeout", "proof_timeout: 5", "proof_timeout: 6", proved(*STUDIES)),
    ("coq", "seed: 3", "seed: 3\ncoq: true", recorded(*STUDIES) | {f"coq {name}" for name in STUDIES}),
    ("papers", "papers: true", "papers: false", {"results"}),
    ("pathvars", "seed: 3", "seed: 3\npathvars: {results: elsewhere}",
     learnt(*LEARNING) | judged(*STUDIES) | ROWS),  # all but those that solve,
    ("engines", "\nengines: [search]", "\nengines: [search, tree]", learnt("two")),
    ("studies.ruleset", "ruleset: nim-2\n    targets: [p]\n    train", "ruleset: other\n    targets: [p]\n    train",
     learnt("two") | judged("later") | {"rows two"} | solved("two")),
    *(
        (f"studies.{key}", "open: nobody knows", f"open: nobody knows\n    {key}: {value}", expected)
        for key, value, expected in (
            ("seed", 4, learnt("pass")), ("seeds", 2, learnt("pass")), ("budget", 6, learnt("pass")),
            ("budgets", "{search: 6}", learnt("pass")),
            ("proof_timeout", 6, proved("pass")), ("coq", "true", recorded("pass") | {"coq pass"}),
        )
    ),
    ("studies.open", "nobody knows", "no one knows", recorded("pass")),
    ("studies.targets", "targets: [p]\n    train", "targets: [p, grundy]\n    train", learnt("two")),
    ("studies.where", "open: nobody knows", "open: nobody knows\n    where: x > 1", learnt("pass")),
    ("studies.ask", "open: nobody knows", "open: nobody knows\n    ask: all", learnt("pass")),
    ("studies.train.bounds", "{N: 6}, parameters", "{N: 5}, parameters", learnt("pass") | SEEN["train"]),
    ("studies.train.parameters", "m: [3, 4]", "m: [3, 9]", learnt("pass") | SEEN["train"]),
    ("studies.train.where", "m > 2", "m > 3", learnt("pass") | SEEN["train"]),
    ("studies.train.files", "a.csv", "d.csv", learnt("given")),
    ("studies.train.parameter_columns", "[a.csv], parameter_columns: [k]", "[a.csv], parameter_columns: [k, i]",
     learnt("given")),
    ("studies.validate.bounds", "{N: 7}", "{N: 4}", learnt("pass") | SEEN["validate"]),
    ("studies.validate.parameters", "m: [4, 3]", "m: [4, 3, 6]", learnt("pass") | SEEN["validate"]),
    ("studies.validate.where", "m >= 3", "m >= 4", learnt("pass") | SEEN["validate"]),
    ("studies.validate.files", "b.csv", "d.csv", learnt("given")),
    ("studies.validate.parameter_columns", "[b.csv], parameter_columns: [k]", "[b.csv], parameter_columns: [k, i]",
     learnt("given")),
    ("studies.test.bounds", "{N: 8}", "{N: 9}", judged("pass") | SEEN["test"]),
    ("studies.test.parameters", "m: [4, 5]", "m: [5]", judged("pass") | SEEN["test"]),
    ("studies.test.where", "m > 3", "m > 4", judged("pass") | SEEN["test"]),
    ("studies.test.files", "c.csv", "d.csv", learnt("given")),
    ("studies.test.parameter_columns", "[c.csv], parameter_columns: [k]", "[c.csv], parameter_columns: [k, i]",
     learnt("given")),
    ("studies.rows.fix", "x: 0..2", "x: 0..3", recorded("atlas") | {"rows atlas"}),
    ("studies.rows.parameters", "b: [3]", "b: [4]", recorded("octal") | {"rows octal"}),
    ("studies.rows.where", "c == 7", "c == 0", recorded("octal") | {"rows octal"}),
    ("studies.rows.length", "length: 50", "length: 60", recorded("octal") | {"rows octal"}),
    ("studies.rows.target", "target: p", "target: grundy == 1", recorded("atlas") | {"rows atlas"}),
    ("studies.every", "0..4 -> 0..3", "0..4 -> 0..2", judged("family")),
    ("studies.prove", "open: nobody knows", "open: nobody knows\n    prove: [m == 4]", proved("pass")),
    ("studies.engines", "engines: {p: [search]}", "engines: {p: [tree]}", learnt("pass")),
    ("studies.each", "open: nobody knows", "open: nobody knows\n    each: true", learnt("pass")),
]  # fmt: skip


def keys(part: dict[str, Any], kinds: dict[str, Any], above: str = "") -> Iterator[str]:
    """Yield every key of the configuration file by its schema, such as ``studies.train.bounds``."""
    for name, field in part["properties"].items():
        inner = field.get("additionalProperties") if name == "studies" else None
        for each in (field, *field.get("anyOf", ())):
            inner = kinds[each["$ref"].rpartition("/")[2]] if "$ref" in each else inner
        yield from keys(inner, kinds, f"{above}{name}.") if inner else [above + name]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return the folder of a project, and the jobs of its configuration."""
    folder = checkout(tmp_path_factory.mktemp("project"), CONFIG)
    shutil.copy(folder / "rulesets" / "nim-2.yaml", folder / "rulesets" / "other.yaml")
    for number, name in enumerate("abcd"):
        (folder / f"{name}.csv").write_text(ROWS_GIVEN.format(number))
    return folder, planned(folder)[0]


READ = cache(load_ruleset)  # half of the time, if each were read again for each key


def rerun(project, old: str, new: str, file: str = "config.yaml") -> set[str]:
    """Return the jobs that are run again after an edit of a file of the project; the edit is taken back."""
    folder, before = project
    text = (folder / file).read_text()
    assert old in text
    with pytest.MonkeyPatch.context() as patch:
        if file == "config.yaml":
            patch.setattr("grundylab.pipeline.config.load_ruleset", READ)
        try:
            (folder / file).write_text(text.replace(old, new, 1))
            return affected(before, planned(folder)[0])
        finally:
            (folder / file).write_text(text)


def test_every_key__has_its_row():
    assert sorted(row[0] for row in TABLE) == sorted(keys(schema("config"), schema("config")["$defs"]))


def test_nothing_changed__runs_nothing(project):
    assert rerun(project, "", "") == set()


@pytest.mark.parametrize(("key", "old", "new", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_a_changed_key__runs_just_what_depends_on_it(project, key, old, new, expected):
    assert rerun(project, old, new) == expected


FIRST = "  first:\n    ruleset: nim-2\n    targets: [p]\n    test: {bounds: {N: 12}}\n    train: {bounds: {N: 6}}\n"


def test_an_earlier_study__takes_the_claims_of_its_ruleset_over(project):
    """The study that judged the claims before is therefore judged again, without them."""
    expected = judged("first") | {"fit first"} | solved("first")
    assert rerun(project, "  two:\n", f"{FIRST}  two:\n") == expected | judged("two")
    assert rerun(project, "  later:\n", f"{FIRST}  later:\n") == expected


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        # the title is nothing to the values
        ("nim-with-a-pass-from-m", "title: Three", "title: Our three", judged("pass") | PAGES),
        ("nim-with-a-pass-from-m", "when: x + ... >= m", "when: x + ... > m", learnt("pass") | PAGES | solved("pass")),
        # a claim of another study's ruleset looks it up
        ("nim-with-a-pass", "", "# a word\n",
         judged("pass", "atlas") | PAGES | {"rows atlas"}),
        # no study is about it, and no claim looks it up
        ("kayles", "", "# a word\n", PAGES | {"papers", "results"}),
    ],
)  # fmt: skip
def test_an_edited_ruleset__runs_just_what_is_made_from_it_or_looks_it_up(project, name, old, new, expected):
    assert rerun(project, old, new, f"rulesets/{name}.yaml") == expected


# -- the files that come with grundylab --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """Return the jobs and the studies of each shipped configuration."""
    folder = checkout(tmp_path_factory.mktemp("shipped"), (ROOT / "config.yaml").read_text())
    names = ("config.yaml", "studies/papers.yaml", "studies/open.yaml", ".test/config.yaml")
    return {name: planned(folder, ROOT / name) for name in names}


def test_the_studies_of_each_shipped_file__are_a_dag_of_their_own(shipped):
    places = {}
    for name, (jobs, studies) in shipped.items():
        assert {job.removeprefix("verify ") for job in jobs if job.startswith("verify ")} == set(studies)
        places[name] = {Path(file).parts[:2] for job in jobs.values() for file in job.outputs}
    for name, apart in {"studies/papers.yaml": "papers", "studies/open.yaml": "open"}.items():
        assert places.pop(name) == {("results", apart), ("data", apart)}
    for others in places.values():
        assert {place[1] for place in others}.isdisjoint({"papers", "open"})


def test_papers_and_open__have_a_study_of_each_ruleset_and_papers_judges_every_statement(shipped):
    papers, others = shipped["studies/papers.yaml"][1], shipped["studies/open.yaml"][1]
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
    for study in (*papers.values(), *others.values()):
        for claim in study.ruleset.claims:
            assert claim.paper not in known or (claim.paper, claim.at) in places, (study.name, claim.id)
