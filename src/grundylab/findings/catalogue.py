"""The catalogue: every formula found, every published claim and every row, and its files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from grundylab.errors import ConfigError, Place
from grundylab.files import AGAIN, atomic_file, read_record, write_json
from grundylab.findings.attempts import ProofRecord, shared_fields, with_coq_answer
from grundylab.findings.finding_frames import frame, records_frame
from grundylab.findings.league import LeagueRow, league_rows
from grundylab.findings.records import (
    RIGHT,
    CandidateRecord,
    ClaimRecord,
    Engine,
    Finding,
    Formula,
    InstanceCheck,
    LearntTables,
    Row,
    RowDetails,
    StudyRecord,
    Toolchain,
    Verdicts,
)
from grundylab.findings.study_questions import answers_question
from grundylab.findings.wording import assignment_text, number_with_noun
from grundylab.language.syntax import TRUE, conjunction, equalities
from grundylab.prove.outcome import PERIOD
from grundylab.solve.origin import toolchain

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
_Finding = TypeVar("_Finding", bound=Finding)
_SHORT = 12  # how many hexadecimal digits of a digest are shown
_LARGEST = 400  # the most nodes of a row's formula that is listed among the formulas found
_LISTED = 4  # the most folders that a message lists
_ROWS_OWN = ("reason", "proof", "exceptions")  # fields that mean something else in a row than in a formula


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Everything that the studies found, with the versions, rulesets and seeds from which it was made."""

    version: str
    made: Toolchain
    studies: tuple[StudyRecord, ...]
    engines: tuple[Engine, ...]
    formulas: tuple[Formula, ...]
    claims: tuple[ClaimRecord, ...]
    rows: tuple[Row, ...]
    candidates: tuple[CandidateRecord, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All formulas, followed by all claims."""
        return (*self.formulas, *self.claims)

    @property
    def league(self) -> tuple[LeagueRow, ...]:
        """The league table: for each study and target, a row for each engine that the study names."""
        return league_rows(self.studies, self.engines, self.candidates, self.formulas)

    @property
    def made_line(self) -> str:
        """The provenance of the catalogue in one line, which every output that is made from it shows.

        One digest stands for all rulesets: the beginning of the SHA-256 of the sorted lines ``NAME SHA-256``. The
        digest of each ruleset is in the catalogue's studies.
        """
        rulesets = {name: digest for study in self.studies for name, digest in study.made.rulesets.items()}
        files = "".join(f"{name} {digest}\n" for name, digest in sorted(rulesets.items()))
        seeds = sorted({study.made.seed for study in self.studies})
        digest = hashlib.sha256(files.encode()).hexdigest()[:_SHORT]
        packages = ", ".join(f"{name} {number}" for name, number in self.made.packages.items())
        return (
            f"grundylab {self.made.version} from {number_with_noun(len(rulesets), 'ruleset')} ({digest}) "
            f"with seed {', '.join(map(str, seeds))}; {packages}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each formula and claim; results/README.md describes the columns."""
        return frame(self.findings)


# -- reading and writing ---------------------------------------------------------------------------------------------


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def record_to_json(record: object) -> dict[str, Any]:
    """Return a record as data that can be written as JSON."""
    data: dict[str, Any] = _adapter(type(record)).dump_python(record, mode="json", warnings="error")
    return data


def record_from_json(kind: type[_T], data: object, path: str | os.PathLike[str]) -> _T:
    """Return the record of type ``kind`` that JSON data describe.

    Raises ConfigError, with the path of the file and the first field that is wrong.
    """
    try:
        found: _T = _adapter(kind).validate_python(data)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_context=False)[0]
        key = ".".join(map(str, first["loc"]))
        message = first["msg"].lower().removeprefix("value error, ")
        raise ConfigError(
            f"not {_NAMES.get(kind, 'a record')} of this version ({key or 'all'}: {message}); {AGAIN}",
            Place(str(path)),
        ) from None
    return found


_NAMES: Mapping[type, str] = {Catalogue: "a catalogue"}


def read_catalogue(path: str | os.PathLike[str] = "results/catalogue.json") -> Catalogue:
    """Return the catalogue of a run.

    Raises ConfigError if the file does not exist, is damaged, or was written by another version.
    """
    if not Path(path).is_file():
        others = [str(file.parent) for file in catalogues_of_studies(Path(path).parent)]
        more = f" and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
        advice = (
            f"those of single studies are in {', '.join(others[:_LISTED])}{more}"
            if others
            else "'make run' makes it"
        )
        raise ConfigError(f"there is no catalogue of all studies yet; {advice}", Place(str(path)))
    return record_from_json(Catalogue, read_record(Path(path), ConfigError), path)


def catalogues_of_studies(results: Path) -> list[Path]:
    """Return the catalogues of single studies in a folder of results, by name."""
    return sorted(results.glob("*/catalogue.json"))


def catalogue_of(studies: Iterable[tuple[StudyRecord, Verdicts]], rows: Sequence[RowDetails]) -> Catalogue:
    """Return the catalogue of the studies, each with its verdicts, and of all rows of positions.

    A row with a formula of moderate size is listed among the formulas as well; see ``formula_of``. Only what answers
    the question of a study has its ``open``.
    """
    pairs = list(studies)
    found: dict[str, list[Any]] = {"engines": [], "formulas": [], "claims": [], "candidates": []}
    for study, verdicts in pairs:
        found["engines"] += [replace(e, study=study.study) for e in verdicts.engines]
        found["formulas"] += [replace(f, study=study.study) for f in verdicts.formulas]
        found["claims"] += [replace(c, study=study.study) for c in verdicts.claims]
        found["candidates"] += [replace(c, study=study.study) for c in verdicts.candidates]
    open_studies = [study for study, _ in pairs if study.open]
    found["formulas"] = [_with_open(formula, open_studies) for formula in found["formulas"]]
    found["claims"] = [_with_open(c, open_studies) if c.unpublished else c for c in found["claims"]]
    for row in rows:
        if (formula := formula_of(row)) is not None:
            found["formulas"] = _with_row(found["formulas"], formula)
    made = toolchain()
    return Catalogue(
        version=made["version"],
        made=Toolchain(**made),
        studies=tuple(study for study, _ in pairs),
        rows=tuple(Row(**shared_fields(Row, row)) for row in rows),
        **{name: tuple(records) for name, records in found.items()},
    )


def _with_open(record: _Finding, studies: Iterable[StudyRecord]) -> _Finding:
    """Return the record with the reason why no answer was known, if it answers the question of one of the studies."""
    return replace(record, open=next((s.open for s in studies if answers_question(record, s)), None))


def _with_row(formulas: Sequence[Formula], found: Formula) -> list[Formula]:
    """Return the formulas with that of a row: an engine's record of the same statement gets its proof, too."""

    def same(record: Formula) -> bool:
        parts = ("study", "ruleset", "target", "formula", "where")
        return record.status in RIGHT and all(getattr(record, p) == getattr(found, p) for p in parts)

    if not any(map(same, formulas)):
        return [*formulas, found]
    engine, proofs = found.engine, found.proofs if found.proved else ()
    return [
        replace(each, engines=(*each.finders, engine), proofs=(*each.proofs, *proofs)) if same(each) else each
        for each in formulas
    ]


def formula_of(row: RowDetails) -> Formula | None:
    """Return the formula of a row as a formula found; None if the row has none, or a very large one."""
    if row.formula is None or row.size is None or row.size > _LARGEST:
        return None
    where = conjunction(equalities(row.parameters.items()), row.where)
    label = ": ".join(filter(None, [assignment_text({**row.parameters, **row.row}), "{:,} places"]))
    proof = ProofRecord(
        claim=None,
        status="proved" if row.status == "proved" else "undecided",
        under=TRUE,
        where=where,
        exactly=False,
        unnamed=False,
        reason=row.reason,
        proof=row.proof,
        used=(),
        automaton=None,
        counterexample=None,
        second=None,
        procedures=(PERIOD,) if row.status == "proved" else (),
        rules=row.rules,
    )
    proof = with_coq_answer(proof, row.machine_checked)
    learnt = LearntTables(instances=(label.format(row.learned),), positions=row.learned)
    checked = InstanceCheck(instance=label.format(row.checked), checked=row.checked, holds=True)
    contents = {
        **{key: value for key, value in shared_fields(Formula, row).items() if key not in _ROWS_OWN},
        "where": where, "correct": row.learned, "total": row.learned, "learnt": (learnt,),
        "instances": (checked,), "counterexample": None, "proofs": (proof,),
        "open": row.open if row.status in RIGHT else None,
    }  # fmt: skip
    return Formula(**contents)


def write_catalogue(catalogue: Catalogue, folder: Path) -> None:
    """Write ``catalogue.json`` and three tables as Parquet, with their provenance in the metadata.

    ``catalogue.parquet`` contains the formulas and claims, ``candidates.parquet`` the hall of fame of all engines, and
    ``engines.parquet`` their league table.
    """
    data = record_to_json(catalogue)
    write_json(folder / "catalogue.json", data)
    made = {**data["made"], "studies": {study["study"]: study["made"] for study in data["studies"]}}
    tables = {
        "catalogue": catalogue.to_frame(),
        "candidates": records_frame(catalogue.candidates, CandidateRecord),
        "engines": records_frame(catalogue.league, LeagueRow),
    }
    for name, table in tables.items():
        write_table(folder / f"{name}.parquet", table, made)


def write_table(path: Path, rows: pd.DataFrame, made: Mapping[str, Any]) -> None:
    """Write the rows as Parquet, with their provenance ``made`` in the metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(rows, preserve_index=False)
    with (
        atomic_file(path) as temporary,
        pq.ParquetWriter(temporary, table.schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        writer.write_table(table)
        writer.add_key_value_metadata({"grundylab": json.dumps(made)})
