"""A small project with a catalogue made by the workflow's own stages; only the engines' proposals are hand-written."""

from __future__ import annotations

import json
from contextlib import chdir
from functools import cache
from pathlib import Path

from tests.findings.made import proposed

from grundylab.discover.base import EngineRun
from grundylab.files import write_text
from grundylab.findings.catalogue import read_catalogue
from grundylab.findings.results import NOTHING, Results
from grundylab.games import parse_target
from grundylab.pipeline.catalogue_stage import catalogue_stage
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.picture_windows import study_windows
from grundylab.pipeline.stage_files import write_results
from grundylab.pipeline.stages import prove_stage, rows_stage, verify_stage
from grundylab.pipeline.study import Study
from grundylab.records.finding import LearntTables
from grundylab.report.site.build import write_site
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_name, write_dataset

HOSTILE = "<script>document.title = 'taken over'</script> & \"<b>bold</b>\""
RULESETS = {
    "from-m": """\
title: Nim with a pass from m stones on
description: Two piles; one pass in the whole game.
source: {paper: little, at: Definition 1}
parameters: {m: m >= 1}
piles: 2
position: {x: 0..N}
moves:
  - {take: t, from: x}
pass: {when: x + ... >= m}
claims:
  - {id: conjecture-1, at: Conjecture 1, where: m % 4 == 0, target: p,
     formula: x ^ y == (1 if p == 1 and x + y >= m else 0), note: printed with m = 4k}
""",
    "take": """\
title: Take one or two
source: {paper: little, at: Section 2}
position: {x: 0..N}
moves:
  - {take: "1..min(2, x)", from: x}
claims:
  - {id: theorem-2, at: Theorem 2, target: p, formula: x % 3 == 0}
  - {id: theorem-3, at: Theorem 3, target: p, formula: x % 4 == 0, note: false as printed}
""",
    "hostile": f"""\
title: {json.dumps(HOSTILE)}
description: {json.dumps(HOSTILE)}
position: {{x: 0..N}}
moves:
  - name: {json.dumps(HOSTILE)}
    for: {{t: 1..x}}
    to: {{x: x - t}}
claims:
  - {{id: mine, at: {json.dumps(HOSTILE)}, unpublished: true, target: p, formula: x == 0 and x <= 5, note: {json.dumps(HOSTILE)}}}
""",
}
PAPER = """\
title: A little paper
authors: [A. Nonymous]
key: Nonymous
statements:
  - {at: Definition 1, about: a game}
  - {at: Conjecture 1, about: its P-positions}
  - {at: Section 2, about: another game}
  - {at: Theorem 2, about: its P-positions}
  - {at: Theorem 3, about: the same}
"""
CONFIG = """\
seed: 0
engines: [search, tree]
budget: 5
studies:
  from-m:
    targets: [p]
    open: little asks for it
    train: {bounds: {N: 5}, parameters: {m: [4]}}
    test: {bounds: {N: 9}, parameters: {m: [4, 8]}}
    engines: [search, tree, automata]
  take:
    targets: [p]
    train: {bounds: {N: 9}}
    test: {bounds: {N: 30}}
    engines: [search, tree, automata]
    rows: {target: grundy, length: 200}
  hostile:
    targets: [p]
    train: {bounds: {N: 9}}
    test: {bounds: {N: 30}}
    engines: [search]
"""
# (study, engine, formula, how many of ten training positions it describes)
PROPOSED = (
    ("from-m", "search", "x ^ y == (p if x + y >= m else 0)", 10),
    ("from-m", "tree", "x == y", 8),
    ("take", "search", "x % 3 == 0", 10),
    ("take", "tree", "x % 3 == 0", 10),
    ("take", "tree", "x % 3 == 0 and x <= 24", 10),
    ("take", "tree", "x % 3 == 0 and x <= 21", 10),
    ("take", "automata", 'accepts("+0,1 -2,0 -1,2", x)', 10),
    ("hostile", "search", "x < 1", 10),
)


@cache
def shared_project(base: Path) -> Path:
    """Return a project with its page in ``results/report``, made once for all tests, which do not change it.

    base: the folder of this session of tests.
    """
    folder = base / "shared-project"
    data = read_catalogue(make_project(folder))
    studies = read_studies(folder / "config.yaml", str(folder / "rulesets"))
    windows = study_windows(list(studies.values()), folder / "data")
    write_site(data, folder, folder / "results" / "report", windows, datasets=folder / "data")
    return folder


def make_project(folder: Path) -> Path:
    """Write the project into the folder; return the file of its catalogue."""
    for name, text in RULESETS.items():
        write_text(folder / "rulesets" / f"{name}.yaml", text)
    write_text(folder / "papers" / "little.yaml", PAPER)
    write_text(folder / "config.yaml", CONFIG)
    with chdir(folder):  # the records name their files from there, as those of a run do
        studies = read_studies(Path("config.yaml"), "rulesets")
        for study in studies.values():
            _stages(study)
        catalogue_stage(
            {study.name: study.part(["about", "open"]) for study in studies.values()},
            [f"results/{name}/proofs.json" for name in studies],
            "results/catalogue.json",
            ["results/take/rows.json"],
        )
    return folder / "results" / "catalogue.json"


def _stages(study: Study) -> None:
    results, target = Path("results", study.name), parse_target("p")
    several = []
    for engine in study.engines[target]:
        mine = [
            (formula, right) for name, by, formula, right in PROPOSED if (name, by) == (study.name, engine)
        ]
        learnt = (LearntTables(instances=tuple(each.label for each in study.train), positions=10),)
        candidates = [proposed(formula, target, engine, right, 10, learnt=learnt) for formula, right in mine]
        notes = () if mine else ("it found nothing",)
        run = EngineRun(target=target, engine=engine, notes=notes)
        several.append(Results(runs=(run,), findings=tuple(candidates)))
    write_results(str(results / "candidates.json"), study, sum(several, NOTHING))
    splits = {}
    for split in ("train", "validate", "test"):
        data = Path("data", study.name, split)
        splits[split] = [str(data)] if study.datasets(split) else []
        for instance in study.datasets(split):
            write_dataset(solve(instance, study.values), data / dataset_name(instance))
    fits = [str(results / "candidates.json")]
    verify_stage(study, fits, *splits.values(), str(results / "verdicts.json"), str(results / "t.json"))
    files = (str(results / name) for name in ("verdicts.json", "proofs.json", "t.json", "moves.parquet"))
    prove_stage(study, *files, splits["train"], splits["test"])
    if study.rows:
        rows_stage(study, str(results / "rows.json"), str(results / "t.json"))
