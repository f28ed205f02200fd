"""The workflow's stages as functions of files, so that a Snakemake rule is a few lines."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from grundylab.catalogue.files import catalogue_of, plain, typed, write_catalogue
from grundylab.catalogue.large import (
    LargeVerdicts,
    Part,
    check_agreement,
    holding,
    look,
    whole,
    with_large,
)
from grundylab.catalogue.proofs import PROOF_FILE, prove_all, with_proofs, write_script
from grundylab.catalogue.records import (
    Engine,
    Formula,
    Proofs,
    Proposed,
    RowFound,
    StudyRecord,
    Verdicts,
    described,
    judged,
)
from grundylab.catalogue.relations import by_proof
from grundylab.catalogue.settling import settled
from grundylab.catalogue.verdicts import judge_candidates, judge_claims, judge_family_claims
from grundylab.catalogue.words import numbers, row_words
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
        candidates = tuple(described(each, _learnt_from(study, each)) for each in found.candidates)
        proposed.append(Proposed(target=str(target), engine=engine, notes=found.notes, candidates=candidates))
    write_stage(output, study, {"made": study.made, "engines": list(map(plain, proposed))})


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
    engines: list[Engine] = []
    formulas: list[Formula] = []
    if study.every:
        claims = judge_family_claims(study.ruleset, study.test, study.every, seconds)
    else:
        tables = load_tables(study, study.test, files)
        read = [
            typed(tuple[Proposed, ...], _made_from(proposal, study)["engines"], proposal)
            for proposal in proposals
        ]
        proposed = [engine for proposal in read for engine in proposal]
        found = [candidate for proposal in proposed for candidate in proposal.candidates]
        engines = list(map(Engine.of, proposed))
        formulas = judge_candidates(study.ruleset, found, tables, study.where)
        claims = judge_claims(study.ruleset, tables, seconds) if study.judges_claims else []
    for formula in formulas:
        say(f"{formula.status}: {formula.target}: {formula.formula}")
    for claim in claims:
        say(f"{claim.status}: {claim.claim}: {claim.statement}")
    verdicts = Verdicts(engines=tuple(engines), formulas=tuple(formulas), claims=tuple(claims))
    write_stage(output, study, {"made": study.made, **plain(verdicts)})
    write_stage(timings, study, {"seconds": seconds})


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Proofs of the study's claims and of the best formulas that hold, with their MONA scripts beside them."""
    judged = typed(Verdicts, _made_from(verdicts, study), verdicts)
    folder, seconds = Path(output).parent / "proofs", dict[str, float]()
    _remove(folder, PROOF_FILE)
    records = prove_all(study.ruleset, judged, study.prove, study.proof_timeout, folder, seconds)
    limits = Limits(min(study.proof_timeout, _COMPARING), words=proposed)
    records += settled(
        study.ruleset, judged.formulas, records, limits, lambda proof: write_script(proof, folder, None)
    )
    for record in records:
        say(f"{record.status} where {record.where}: {record.target}: {record.formula}")
    parent = parent_of(study.ruleset)
    comparisons = by_proof(study.ruleset, parent, judged.formulas, records, study.test, limits)
    proved = Proofs(proofs=tuple(records), comparisons=tuple(comparisons))
    write_stage(output, study, {"made": study.made, **plain(proved)})
    write_stage(timings, study, {"seconds": seconds})


def _remove(folder: Path, named: re.Pattern[str]) -> None:
    """Remove what an earlier run of the stage left there, which may be of another ruleset."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if named.fullmatch(path.name):
            path.unlink()


def slab_stage(study: Study, verdicts: str, slab: Slab, output: str) -> None:
    """What one slab of each large instance says of all that holds at the test instances."""
    claims = holding(study.ruleset, typed(Verdicts, _made_from(verdicts, study), verdicts))
    found = [look(claim, study.large, slab) for claim in claims]
    for part in found:
        for check in part.checks:
            wrong = check.limit or f"wrong at {check.wrong:,} of {check.checked:,} positions"
            say(f"slab {slab} of {check.instance}: {part.formula}: {wrong}")
    write_stage(output, study, {"made": study.made, "slab": str(slab), "statements": list(map(plain, found))})


def large_stage(study: Study, parts: Sequence[str], proofs: str, output: str) -> None:
    """What the slabs say together. Raises Disagreement if a proof says something else."""
    read = [typed(tuple[Part, ...], _made_from(part, study)["statements"], part) for part in parts]
    proved = typed(Proofs, _made_from(proofs, study), proofs).proofs
    found = []
    if len(set(map(len, read))) > 1:
        raise ConfigError("these slabs are of several formulas; run again", Place(output))
    for each in zip(*read, strict=True):
        verdict = whole(study.large, each)
        check_agreement(study.ruleset, verdict, proved)
        found.append(judged(verdict))
        say(f"{verdict.status} at {verdict.checked:,} positions: {verdict.formula}")
    labels = tuple(instance.label for instance in study.large)
    told = LargeVerdicts(instances=labels, slabs=study.slabs, statements=tuple(found))
    write_stage(output, study, {"made": study.made, **plain(told)})


def rows_stage(study: Study, output: str, timings: str) -> None:
    """The periods of the study's rows, with their certificates beside them."""
    assert study.rows is not None
    started = time.process_time()
    folder = Path(output).parent / "proofs"
    _remove(folder, ROW_FILE)
    records = row_records(study.ruleset, study.rows, folder, study.seed)
    for record in records:
        say(f"{record.status}: {numbers({**record.parameters, **record.row})}: {row_words(record)}")
    write_stage(output, study, {"made": study.made, "rows": list(map(plain, records))})
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
    read = {file: _record(file, Path(file).parent.name) for file in (*verdicts, *proofs, *rows, *large)}
    made = {read[file]["study"]: read[file]["made"] for file in verdicts}
    for file in (*proofs, *rows, *large):
        check_made(read[file], made[read[file]["study"]], file)
    looked = {read[file]["study"]: typed(LargeVerdicts, read[file], file) for file in large}
    studies = []
    for file, beside in zip(verdicts, proofs, strict=True):
        name, proved = read[file]["study"], typed(Proofs, read[beside], beside)
        judged, further = typed(Verdicts, read[file], file), looked.get(name)
        about = {**asked[name]["about"], "study": name, "open": asked[name]["open"], "made": made[name]}
        if further is not None:
            about |= {"large": further.instances, "slabs": further.slabs}
        known = with_large(with_proofs(judged, proved.proofs, proved.comparisons), further)
        studies.append((typed(StudyRecord, about, file), known))
    periods = [
        replace(row, study=read[file]["study"], open=asked[read[file]["study"]]["open"])
        for file in rows
        for row in typed(tuple[RowFound, ...], read[file]["rows"], file)
    ]
    write_catalogue(catalogue_of(studies, periods), Path(folder))
