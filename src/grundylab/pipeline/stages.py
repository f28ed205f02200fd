"""The workflow's stages: functions of files and of what the study asks, which is all that a stage is given."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from grundylab.catalogue.files import catalogue_of, plain, typed, write_catalogue
from grundylab.catalogue.large import LargeVerdicts, Part, check_agreement, holding, look, whole, with_large
from grundylab.catalogue.proofs import prove_all, settled, with_proofs, write_script
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
from grundylab.catalogue.relations import COMPARING, by_proof
from grundylab.catalogue.verdicts import judge_candidates, judge_claims, judge_family_claims
from grundylab.catalogue.words import numbers, row_words
from grundylab.check.slabs import Slab
from grundylab.discover import Candidate, Findings, Question, answers
from grundylab.discover.conditions import proposed
from grundylab.errors import ConfigError, Place
from grundylab.files import read_record, write_json
from grundylab.games import parent_of
from grundylab.games.specialise import fixed_by
from grundylab.pipeline.job import say
from grundylab.pipeline.study import Study
from grundylab.prove.outcome import Limits
from grundylab.solve import solve
from grundylab.solve.dataset import read_dataset

_T = TypeVar("_T")


def read_stage(kind: type[_T], file: str, part: str | None = None) -> _T:
    """Another stage's record, or a part of it. Raises ConfigError if it is damaged."""
    record = read_record(Path(file), ConfigError)
    return typed(kind, record if part is None else record.get(part), file)


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write the record of a study."""
    write_json(Path(file), {"study": study.name, **data})


def discover_stage(study: Study, output: str) -> None:
    """Candidates of each engine for each target, from the training instances only, which are solved here."""
    tables = [solve(instance, study.values) for instance in study.train]
    proposals = []
    for target, engines in study.engines.items():
        question = Question(target, study.seed, study.budget)
        found_by = answers(tables, question, engines, study.where, study.each, study.kept)
        for found in found_by:
            for candidate in found.candidates:
                say(f"{found.engine}: {candidate.correct:,} of {candidate.total:,}: {candidate.formula}")
            for note in found.notes:
                say(f"{found.engine}: {note}")
            candidates = tuple(described(each, _learnt_from(found, each)) for each in found.candidates)
            proposals.append(
                Proposed(target=str(target), engine=found.engine, notes=found.notes, candidates=candidates)
            )
    write_stage(output, study, {"made": study.made, "engines": list(map(plain, proposals))})


def _learnt_from(found: Findings, candidate: Candidate) -> list[str]:
    """The instances that the candidate was learnt from or tried on, which it is counted on."""
    known = found.tried or found.training
    fixed = fixed_by(candidate.where, known[0].ruleset.parameter_names)
    return [i.label for i in known if fixed.items() <= dict(i.parameters).items()]


def verify_stage(
    study: Study, proposals: Sequence[str], files: Sequence[str], output: str, timings: str
) -> None:
    """Verdicts on the study's candidates and on its ruleset's claims, on the test datasets.

    files: the test instances' datasets, in the same order. timings: where to write how many seconds each claim took,
    apart from what is the same every time. Raises DatasetError for a dataset that is damaged.
    """
    seconds: dict[str, float] = {}
    engines: list[Engine] = []
    formulas: list[Formula] = []
    if study.every:
        claims = judge_family_claims(study.ruleset, study.test, study.every, seconds)
    else:
        tables = [
            read_dataset(Path(file), instance, study.values)
            for instance, file in zip(study.test, files, strict=True)
        ]
        read = [read_stage(tuple[Proposed, ...], proposal, "engines") for proposal in proposals]
        asked = [engine for several in read for engine in several]
        found = [candidate for proposal in asked for candidate in proposal.candidates]
        engines = list(map(Engine.of, asked))
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
    """Proofs of the study's claims and of the best formulas that hold; their scripts are in ``proofs/`` beside."""
    known = read_stage(Verdicts, verdicts)
    folder, seconds = Path(output).parent / "proofs", dict[str, float]()
    folder.mkdir(parents=True, exist_ok=True)
    records = prove_all(study.ruleset, known, study.prove, study.proof_timeout, folder, seconds)
    limits = Limits(min(study.proof_timeout, COMPARING), words=proposed)
    records += settled(
        study.ruleset, known.formulas, records, limits, lambda proof: write_script(proof, folder, None)
    )
    for record in records:
        say(f"{record.status} where {record.where}: {record.target}: {record.formula}")
    parent = parent_of(study.ruleset)
    comparisons = by_proof(study.ruleset, parent, known.formulas, records, study.test, limits)
    proved = Proofs(proofs=tuple(records), comparisons=tuple(comparisons))
    write_stage(output, study, {"made": study.made, **plain(proved)})
    write_stage(timings, study, {"seconds": seconds})


def slab_stage(study: Study, verdicts: str, slab: Slab, output: str) -> None:
    """What one slab of each large instance says of all that holds at the test instances."""
    claims = holding(study.ruleset, read_stage(Verdicts, verdicts))
    found = [look(claim, study.large, slab) for claim in claims]
    for part in found:
        for check in part.checks:
            wrong = check.limit or f"wrong at {check.wrong:,} of {check.checked:,} positions"
            say(f"slab {slab} of {check.instance}: {part.formula}: {wrong}")
    write_stage(output, study, {"made": study.made, "slab": str(slab), "statements": list(map(plain, found))})


def large_stage(study: Study, parts: Sequence[str], proofs: str, output: str) -> None:
    """What the slabs say together. Raises Disagreement if a proof says something else."""
    read = [read_stage(tuple[Part, ...], part, "statements") for part in parts]
    proved = read_stage(Proofs, proofs).proofs
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
    """The periods of the study's rows, with their certificates in ``rows/`` beside."""
    from grundylab.pipeline.rows import row_records  # numba takes long to import

    assert study.rows is not None
    started = time.process_time()
    folder = Path(output).parent / "rows"
    folder.mkdir(parents=True, exist_ok=True)
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
    looked = {read_stage(str, file, "study"): read_stage(LargeVerdicts, file) for file in large}
    studies = []
    for file, beside in zip(verdicts, proofs, strict=True):
        name, proved = read_stage(str, file, "study"), read_stage(Proofs, beside)
        about = {**asked[name]["about"], "study": name, "open": asked[name]["open"]}
        about["made"] = read_stage(dict[str, Any], file, "made")
        further = looked.get(name)
        if further is not None:
            about |= {"large": further.instances, "slabs": further.slabs}
        known = with_proofs(read_stage(Verdicts, file), proved.proofs, proved.comparisons)
        studies.append((typed(StudyRecord, about, file), with_large(known, further)))
    periods = []
    for file in rows:
        name, found = read_stage(str, file, "study"), read_stage(tuple[RowFound, ...], file, "rows")
        periods += [replace(row, study=name, open=asked[name]["open"]) for row in found]
    write_catalogue(catalogue_of(studies, periods), Path(folder))
