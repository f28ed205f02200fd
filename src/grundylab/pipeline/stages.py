"""The workflow's stages: functions of files and of what the study asks, which is all that a stage is given."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

from grundylab.catalogue.attempts import heard
from grundylab.catalogue.files import catalogue_of, plain, typed, write_catalogue
from grundylab.catalogue.proofs import with_proofs
from grundylab.catalogue.records import (
    Heard,
    Proofs,
    Proposed,
    RowFound,
    StudyRecord,
    Verdicts,
)
from grundylab.catalogue.words import numbers, row_words
from grundylab.discover.trees import to_text
from grundylab.errors import ConfigError, Place
from grundylab.files import read_record, write_json, write_text
from grundylab.games import Instance
from grundylab.logic.coqc import CoqAnswer
from grundylab.pipeline import steps
from grundylab.pipeline.job import say
from grundylab.pipeline.study import Study
from grundylab.pipeline.tables import read_tables
from grundylab.report.trees import tree_svg
from grundylab.solve.dataset import dataset_name, read_dataset
from grundylab.solve.table import Table

_T = TypeVar("_T")
PYSR = "pysr"  # the engine that is asked apart, in one process for all studies


def read_stage(kind: type[_T], file: str, part: str | None = None) -> _T:
    """Another stage's record, or a part of it. Raises ConfigError if it is damaged."""
    record = read_record(Path(file), ConfigError)
    return typed(kind, record if part is None else record.get(part), file)


def write_stage(file: str, study: Study, data: Mapping[str, Any]) -> None:
    """Write the record of a study."""
    write_json(Path(file), {"study": study.name, **data})


def fit_stage(
    study: Study, train: Sequence[str], validate: Sequence[str], output: str, trees: str, timings: str
) -> None:
    """Write the candidates of each engine for each target, and the decision trees.

    train, validate: the folders of datasets, or the files of tables made elsewhere, that are learnt from and on which
    an answer is tried; nothing else is read. trees: a folder, for ``TARGET/tree.txt``, ``tree.svg`` and the baseline's
    beside. timings: where to write how many seconds each engine took. Raises DatasetError for a damaged dataset.
    """
    tables, *above = _rungs(study, train, validate)
    found = [
        each
        for target, engines in study.engines.items()
        for each in steps.find(study, target, tables, above, [name for name in engines if name != PYSR])
    ]
    _write_proposals(study, list(map(steps.proposed, found)), output)
    seconds = {f"{each.target}: {each.engine}, seed {each.seed}": each.seconds for each in found}
    write_stage(timings, study, {"seconds": seconds})
    Path(trees).mkdir(parents=True, exist_ok=True)
    for each in found:
        for number, tree in enumerate(each.trees, start=1):
            name = each.engine if number == 1 else f"{each.engine}-{number}"
            file = Path(trees) / each.target.slug / name
            write_text(file.with_suffix(".txt"), to_text(tree))
            write_text(file.with_suffix(".svg"), tree_svg(tree, f"{study.name}: {each.target}"))


def pysr_stage(
    studies: Sequence[Study],
    fits: Sequence[str],
    train: Sequence[str],
    validate: Sequence[str],
    outputs: Sequence[str],
    unavailable: str | None = None,
) -> None:
    """Write what PySR finds for the targets of the studies, a file a study, by one process for all.

    fits: what the other engines have found for each study that asks until an answer stands: where one does, PySR is not
    asked. train, validate: as ``fit_stage`` takes them, of one study after the other. unavailable: why PySR cannot be
    asked here; then no table is read.
    """
    others, learnt, tried = map(iter, (fits, train, validate))
    for study, output in zip(studies, outputs, strict=True):
        asked = [target for target, engines in study.engines.items() if PYSR in engines]
        if study.ask != "all":
            known = read_stage(tuple[Proposed, ...], next(others), "engines")
            asked = [target for target in asked if not steps.stands(study, known, target)]
        if unavailable:
            proposals = [steps.not_available(study, target, PYSR, unavailable) for target in asked]
        else:
            tables, *above = _rungs(study, _part(study, "train", learnt), _part(study, "validate", tried))
            found = [each for target in asked for each in steps.find(study, target, tables, above, [PYSR])]
            proposals = list(map(steps.proposed, found))
        _write_proposals(study, proposals, output)


def _part(study: Study, split: Literal["train", "validate"], files: Iterator[str]) -> list[str]:
    """Return the next of the files: the folder of the study's split, or its tables made elsewhere."""
    return list(
        islice(files, len(study.given[split]) if study.given else min(1, len(study.instances(split))))
    )


def _write_proposals(study: Study, proposals: Sequence[Proposed], output: str) -> None:
    for each in proposals:
        for candidate in each.candidates:
            say(f"{each.engine}: {candidate.correct:,} of {candidate.total:,}: {candidate.formula}")
        for note in each.notes:
            say(f"{each.engine}: {note}")
    write_stage(output, study, {"made": study.made, "engines": list(map(plain, proposals))})


def _rungs(study: Study, train: Sequence[str], validate: Sequence[str]) -> list[list[Table]]:
    """Return the tables of the study's rungs."""
    tables = [*_read(study, study.train, train), *_read(study, study.validation, validate)]
    return [[tables[place] for place in rung] for rung in study.rungs]


def _read(study: Study, instances: Sequence[Instance], files: Sequence[str]) -> list[Table]:
    """Return the tables of a split: the datasets in its folder, or tables made elsewhere."""
    if study.given is not None:
        return list(read_tables(study.ruleset, files, study.values)) if files else []
    return [
        read_dataset(Path(folder) / dataset_name(instance), instance, study.values)
        for folder in files
        for instance in instances
    ]


def verify_stage(
    study: Study, fits: Sequence[str], splits: Mapping[str, Sequence[str]], output: str, timings: str
) -> None:
    """Write verdicts on the study's candidates and on its ruleset's claims, on the test datasets.

    fits: the files of what the engines have found. splits: the folders or files of ``train``, ``validate`` and
    ``test``: of each it is recorded how much each candidate describes. timings: where to write how many seconds each
    claim took. Raises DatasetError for a damaged dataset.
    """
    seconds: steps.Times = {}
    known = {name: _read(study, study.instances(name), files) for name, files in splits.items()}
    read = [read_stage(tuple[Proposed, ...], fit, "engines") for fit in fits]
    asked = [engine for several in read for engine in several]
    found = steps.judge(study, asked, known["test"], seconds, known)
    for formula in found.formulas:
        say(f"{formula.status}: {formula.target}: {formula.formula}")
    for claim in found.claims:
        say(f"{claim.status}: {claim.claim}: {claim.statement}")
    write_stage(output, study, {"made": study.made, **plain(found)})
    write_stage(timings, study, {"seconds": seconds})


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Proofs of the study's claims and of the best formulas that hold; their scripts are in ``proofs/`` beside."""
    seconds: steps.Times = {}
    found = steps.prove(study, read_stage(Verdicts, verdicts), Path(output).parent / "proofs", seconds)
    for record in found.proofs:
        say(f"{record.status} where {record.where}: {record.target}: {record.formula}")
    write_stage(output, study, {"made": study.made, **plain(found)})
    write_stage(timings, study, {"seconds": seconds})


def coq_stage(study: Study, proofs: str, rows: Sequence[str], output: str) -> None:
    """What Coq says of the proofs and of the rows' periods; the files that it is given are in ``coq/`` beside.

    rows: the file of the rows, if the study has any. Raises Disagreement if it rejects one.
    """
    proved = read_stage(Proofs, proofs).proofs
    periods = [row for file in rows for row in read_stage(tuple[RowFound, ...], file, "rows")]
    found = steps.machine_checked(study, proved, periods, Path(output).parent / "coq")
    names = [
        *(f"{record.target}: {record.formula}" for record in proved),
        *(f"{numbers({**row.parameters, **row.row}) or 'all'}: {row_words(row)}" for row in periods),
    ]
    for name, answer in zip(names, (*found.proofs, *found.rows), strict=True):
        if answer is not None:
            say(f"{answer.status}: {name}{': ' * bool(answer.reason)}{answer.reason or ''}")
    write_stage(output, study, {"made": study.made, **plain(found)})


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
    coq: Sequence[str] = (),
) -> None:
    """Write the catalogue of these studies. asked: by study, what it is about and why it is open."""
    checked = {read_stage(str, file, "study"): file for file in coq}
    studies = []
    for file, beside in zip(verdicts, proofs, strict=True):
        name, proved = read_stage(str, file, "study"), read_stage(Proofs, beside)
        about = {**asked[name]["about"], "study": name, "open": asked[name]["open"]}
        about["made"] = read_stage(dict[str, Any], file, "made")
        tried = proved.proofs
        if name in checked:
            said = read_stage(Heard, checked[name]).proofs
            tried = tuple(heard(*each) for each in _pairs(tried, said, checked[name]))
        known = with_proofs(read_stage(Verdicts, file), tried, proved.comparisons)
        studies.append((typed(StudyRecord, about, file), known))
    periods = []
    for file in rows:
        name, found = read_stage(str, file, "study"), read_stage(tuple[RowFound, ...], file, "rows")
        if name in checked:
            pairs = _pairs(found, read_stage(Heard, checked[name]).rows, checked[name])
            found = tuple(replace(row, machine_checked=answer) for row, answer in pairs)
        periods += [replace(row, study=name, open=asked[name]["open"]) for row in found]
    write_catalogue(catalogue_of(studies, periods), Path(folder))


def _pairs(
    known: Sequence[_T], said: Sequence[CoqAnswer | None], file: str
) -> list[tuple[_T, CoqAnswer | None]]:
    """Each proof or row with what Coq says of it."""
    if len(said) != len(known):
        raise ConfigError("this is about other proofs; run again", Place(file))
    return list(zip(known, said, strict=True))
