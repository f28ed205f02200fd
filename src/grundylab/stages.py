"""The workflow's stages as functions of files, so that a Snakemake rule is a few lines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from grundylab.catalogue import write_catalogue
from grundylab.config import Study
from grundylab.discovery import explore
from grundylab.errors import ConfigError
from grundylab.files import read_json, write_json
from grundylab.proofs import prove_all, with_proofs
from grundylab.records import candidate_record, engine_record, said
from grundylab.rulesets import Instance, Target
from grundylab.solving.dataset import load_or_solve
from grundylab.solving.table import Table
from grundylab.verdicts import judge_candidates, judge_claims, judge_family_claims


def say(text: str) -> None:
    """A line in the stage's log."""
    print(text, file=sys.stderr)


def load_tables(study: Study, asked: Sequence[Instance], files: Sequence[str]) -> list[Table]:
    """The instances' tables, one file each in the same order."""
    return [
        load_or_solve(Path(file), instance, study.values, say)
        for instance, file in zip(asked, files, strict=True)
    ]


def discover_stage(study: Study, target: Target, engine: str, files: Sequence[str], output: str) -> None:
    """Candidates of one engine for one target, from the training datasets only."""
    tables = load_tables(study, study.train, files)
    found = explore(tables, target, engine, study.seed, study.budget, study.where)
    for candidate in found.candidates:
        say(f"{candidate.correct:,} of {candidate.total:,}: {candidate.formula}")
    for note in found.notes:
        say(f"{engine}: {note}")
    training = [instance.label for instance in study.train]
    record = engine_record(engine, target, found.notes)
    candidates = [{**candidate_record(candidate), "training": training} for candidate in found.candidates]
    write_json(Path(output), {"study": study.name, **record, "candidates": candidates})


def verify_stage(
    study: Study, proposals: Sequence[str], files: Sequence[str], output: str, timings: str
) -> None:
    """Verdicts on the study's candidates and on its ruleset's claims, on the test datasets.

    timings: where to write how many seconds each claim took, apart from what is the same every time.
    """
    seconds: dict[str, float] = {}
    engines = []
    if study.every:
        formulas = []
        claims = judge_family_claims(study.ruleset, study.test, dict(study.every), seconds)
    else:
        tables = load_tables(study, study.test, files)
        proposed = [read_json(Path(proposal), ConfigError) for proposal in proposals]
        found = [candidate for proposal in proposed for candidate in proposal["candidates"]]
        engines = [said(proposal) for proposal in proposed]
        formulas = judge_candidates(study.ruleset, found, tables, study.where)
        claims = judge_claims(study.ruleset, tables, seconds) if study.judges_claims else []
    for record in formulas:
        say(f"{record['status']}: {record['target']}: {record['formula']}")
    for record in claims:
        say(f"{record['status']}: {record['claim']}: {record['statement']}")
    verdicts = {"open": study.open, "engines": engines, "formulas": formulas, "claims": claims}
    write_json(Path(output), {"study": study.name, **verdicts})
    write_json(Path(timings), {"study": study.name, "seconds": seconds})


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Proofs of the study's claims and of the best formulas that hold, with their MONA scripts beside them."""
    judged = read_json(Path(verdicts), ConfigError)
    folder, seconds = Path(output).parent / "proofs", dict[str, float]()
    records = prove_all(study.ruleset, judged, study.prove, study.proof_timeout, folder, seconds)
    for record in records:
        say(f"{record['status']} where {record['where']}: {record['target']}: {record['formula']}")
    write_json(Path(output), {"study": study.name, "proofs": records})
    write_json(Path(timings), {"study": study.name, "seconds": seconds})


def catalogue_stage(verdicts: Sequence[str], proofs: Sequence[str], folder: str) -> None:
    """The catalogue of all studies."""
    judged = [read_json(Path(file), ConfigError) for file in verdicts]
    proved = [read_json(Path(file), ConfigError) for file in proofs]
    write_catalogue([with_proofs(j, p["proofs"]) for j, p in zip(judged, proved, strict=True)], Path(folder))
