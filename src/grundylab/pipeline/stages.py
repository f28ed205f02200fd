"""The workflow's stages as functions of files, so that a Snakemake rule is a few lines."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grundylab.catalogue.large import check_agreement, holding, large_record, look, whole, with_large
from grundylab.catalogue.proofs import PROOF_FILE, prove_all, with_proofs, write_script
from grundylab.catalogue.records import candidate_record, engine_record, said
from grundylab.catalogue.relations import by_proof
from grundylab.catalogue.rows import period_text
from grundylab.catalogue.settling import settled
from grundylab.catalogue.verdicts import judge_candidates, judge_claims, judge_family_claims
from grundylab.catalogue.write import write_catalogue
from grundylab.check.slabs import Slab
from grundylab.discover import Candidate, explore, explore_each
from grundylab.discover.conditions import proposed
from grundylab.errors import ConfigError, Place
from grundylab.files import read_record, write_record
from grundylab.games import Instance, Target, parent_of
from grundylab.games.specialise import fixed_by
from grundylab.pipeline.rowstage import ROW_FILE, row_records
from grundylab.pipeline.study import Study
from grundylab.prove.outcome import Limits
from grundylab.solve.dataset import read_dataset
from grundylab.solve.made import check_made, misplaced
from grundylab.solve.table import Table

_COMPARING = 5.0  # seconds at most for MONA on one question about two formulas


def say(text: str) -> None:
    """A line in the stage's log."""
    print(text, file=sys.stderr)


def load_tables(study: Study, asked: Sequence[Instance], files: Sequence[str]) -> list[Table]:
    """The instances' tables, one file each in the same order. Raises DatasetError for one that is damaged."""
    return [
        read_dataset(Path(file), instance, study.values) for instance, file in zip(asked, files, strict=True)
    ]


def discover_stage(study: Study, target: Target, files: Sequence[str], output: str) -> None:
    """Candidates of each engine for one target, from the training datasets only."""
    tables = load_tables(study, study.train, files)
    look = explore_each if study.each else explore
    proposed = []
    for engine in study.engines[target]:
        found = look(tables, target, engine, study.seed, study.budget, study.where)
        for candidate in found.candidates:
            say(f"{engine}: {candidate.correct:,} of {candidate.total:,}: {candidate.formula}")
        for note in found.notes:
            say(f"{engine}: {note}")
        candidates = [
            {**candidate_record(candidate), "training": _learnt_from(study, candidate)}
            for candidate in found.candidates
        ]
        proposed.append({**engine_record(engine, target, found.notes), "candidates": candidates})
    write_stage(output, study, {"made": study.made, "engines": proposed})


def _made_from(file: str, study: Study) -> dict[str, Any]:
    """Another stage's record, if it was made from the same rulesets. Raises ConfigError otherwise."""
    record = _record(file, study.name)
    check_made(record, study.made, file)
    return record


def _record(file: str, study: str) -> dict[str, Any]:
    """A record of the study that is what its file is called. Raises ConfigError otherwise."""
    record = read_record(Path(file), ConfigError)
    if wrong := misplaced(record, study, Path(file)):
        raise ConfigError(f"{wrong}; run again", Place(file))
    return record


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write the record of a study, which says what it is called, so that no other is taken for it."""
    write_record(Path(file), {"study": study.name, "record": Path(file).stem, **data})


def _learnt_from(study: Study, candidate: Candidate) -> list[str]:
    """The training instances that the candidate was learnt from."""
    fixed = fixed_by(candidate.where, study.ruleset.parameter_names) if study.each else {}
    return [i.label for i in study.train if fixed.items() <= dict(i.parameters).items()]


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
        claims = judge_family_claims(study.ruleset, study.test, study.every, seconds)
    else:
        tables = load_tables(study, study.test, files)
        read = [_made_from(proposal, study) for proposal in proposals]
        proposed = [engine for proposal in read for engine in proposal["engines"]]
        found = [candidate for proposal in proposed for candidate in proposal["candidates"]]
        engines = [said(proposal) for proposal in proposed]
        formulas = judge_candidates(study.ruleset, found, tables, study.where)
        claims = judge_claims(study.ruleset, tables, seconds) if study.judges_claims else []
    for record in formulas:
        say(f"{record['status']}: {record['target']}: {record['formula']}")
    for record in claims:
        say(f"{record['status']}: {record['claim']}: {record['statement']}")
    verdicts = {"engines": engines, "formulas": formulas, "claims": claims}
    write_stage(output, study, {"made": study.made, **verdicts})
    write_stage(timings, study, {"seconds": seconds})


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Proofs of the study's claims and of the best formulas that hold, with their MONA scripts beside them."""
    judged = _made_from(verdicts, study)
    folder, seconds = Path(output).parent / "proofs", dict[str, float]()
    _remove(folder, PROOF_FILE)
    records = prove_all(study.ruleset, judged, study.prove, study.proof_timeout, folder, seconds)
    limits = Limits(min(study.proof_timeout, _COMPARING), words=proposed)
    records += settled(
        study.ruleset, judged["formulas"], records, limits, lambda proof: write_script(proof, folder, None)
    )
    for record in records:
        say(f"{record['status']} where {record['where']}: {record['target']}: {record['formula']}")
    comparisons = by_proof(study.ruleset, parent_of(study.ruleset), judged, records, study.test, limits)
    proved = {"proofs": records, "comparisons": comparisons}
    write_stage(output, study, {"made": study.made, **proved})
    write_stage(timings, study, {"seconds": seconds})


def _remove(folder: Path, named: re.Pattern[str]) -> None:
    """Remove what an earlier run of the stage left there, which may be of another ruleset."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if named.fullmatch(path.name):
            path.unlink()


def slab_stage(study: Study, verdicts: str, slab: Slab, output: str) -> None:
    """What one slab of each large instance says of all that holds at the test instances."""
    claims = holding(study.ruleset, _made_from(verdicts, study))
    found = [look(claim, study.large, slab) for claim in claims]
    for part in found:
        for check in part["checks"]:
            wrong = check["limit"] or f"wrong at {check['wrong']:,} of {check['checked']:,} positions"
            say(f"slab {slab} of {check['instance']}: {part['formula']}: {wrong}")
    write_stage(output, study, {"made": study.made, "slab": str(slab), "statements": found})


def large_stage(study: Study, parts: Sequence[str], proofs: str, output: str) -> None:
    """What the slabs say together. Raises Disagreement if a proof says something else."""
    read = [_made_from(part, study) for part in parts]
    proved = _made_from(proofs, study)["proofs"]
    found: list[dict[str, Any]] = []
    if len({len(part["statements"]) for part in read}) > 1:
        raise ConfigError("these slabs are of several formulas; run again", Place(output))
    for each in zip(*(part["statements"] for part in read), strict=True):
        verdict = whole(study.large, each)
        check_agreement(study.ruleset, verdict, proved)
        found.append(large_record(verdict))
        say(f"{verdict.status} at {verdict.checked:,} positions: {verdict.formula}")
    labels = [instance.label for instance in study.large]
    told = {"instances": labels, "slabs": study.slabs, "statements": found}
    write_stage(output, study, {"made": study.made, **told})


def rows_stage(study: Study, output: str, timings: str) -> None:
    """The periods of the study's rows, with their certificates beside them."""
    assert study.rows is not None
    started = time.process_time()
    folder = Path(output).parent / "proofs"
    _remove(folder, ROW_FILE)
    records = row_records(study.ruleset, study.rows, folder, study.seed)
    for record in records:
        row = ", ".join(
            f"{name}={value}" for name, value in {**record["parameters"], **record["row"]}.items()
        )
        say(f"{record['status']}: {row}: {period_text(record)}")
    write_stage(output, study, {"made": study.made, "rows": records})
    write_stage(timings, study, {"seconds": {"rows": time.process_time() - started}})


def catalogue_stage(
    asked: Mapping[str, Mapping[str, Any]],
    verdicts: Sequence[str],
    proofs: Sequence[str],
    folder: str,
    rows: Sequence[str] = (),
    large: Sequence[str] = (),
) -> None:
    """The catalogue of all studies. asked: by study, what it is about and why it is open."""
    judged, proved, periods = (
        [_told(_record(file, Path(file).parent.name), asked) for file in files]
        for files in (verdicts, proofs, rows)
    )
    for verdict, proof, file in zip(judged, proved, proofs, strict=True):
        check_made(proof, verdict["made"], file)
    made = {verdict["study"]: verdict["made"] for verdict in judged}
    for period, file in zip(periods, rows, strict=True):
        check_made(period, made[period["study"]], file)
    looked = {
        record["study"]: (record, file)
        for file in large
        for record in [_record(file, Path(file).parent.name)]
    }
    studies = []
    for verdict, proof in zip(judged, proved, strict=True):
        further, file = looked.get(verdict["study"], (None, ""))
        if further is not None:
            check_made(further, verdict["made"], file)
        known = with_large(with_proofs(verdict, proof["proofs"], proof["comparisons"]), further)
        studies.append({"made": verdict["made"], **known})
    write_catalogue(studies, periods, Path(folder))


def _told(record: dict[str, Any], asked: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The record with what its study asks."""
    study = asked[record["study"]]
    return {**record, "open": study["open"], "about": study["about"]}
