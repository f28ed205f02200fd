"""The catalogue: every formula found, every published claim and every row, and its files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from grundylab.check.shares import SplitCounts
from grundylab.errors import ConfigError, Place
from grundylab.files import AGAIN, atomic_file, read_record, write_json
from grundylab.findings.columns import candidates_frame, frame, league_frame
from grundylab.findings.league import LeagueRow, league_rows
from grundylab.findings.results import NOTHING, Results, StudyRecord
from grundylab.findings.rows import Row
from grundylab.findings.strategy_columns import strategies_frame
from grundylab.findings.study_questions import answers_question
from grundylab.findings.wording import assignment_text, number_with_noun
from grundylab.language.syntax import conjunction, equalities
from grundylab.prove.outcome import PERIOD
from grundylab.records.finding import EngineOrigin, Finding, LearntTables
from grundylab.records.proofs import RIGHT, ProofRecord, with_coq_answer
from grundylab.solve.origin import Origin, toolchain
from grundylab.version import __version__

if TYPE_CHECKING:
    import pandas as pd

_T = TypeVar("_T")
_SHORT = 12  # how many hexadecimal digits of a digest are shown
_LARGEST = 400  # the most nodes of a row's formula that is listed among the formulas found
_LISTED = 4  # the most folders that a message lists


@dataclass(frozen=True, kw_only=True)
class Catalogue(Results):
    """The results of all studies, with the versions, rulesets and seeds from which they were made.

    packages: the versions of Python, of packages and of MONA. The findings of one study come after those of another,
    and the formulas of rows come last.
    """

    version: str
    packages: Mapping[str, str]
    studies: tuple[StudyRecord, ...]

    @property
    def statements(self) -> tuple[Finding, ...]:
        """All formulas, each once, followed by all claims."""
        return (*self.formulas, *self.claims)

    @cached_property
    def league(self) -> tuple[LeagueRow, ...]:
        """The league table: for each study and target, a row for each engine that the study names."""
        return league_rows(self.studies, self.runs, self.findings)

    @property
    def made(self) -> Origin:
        """The versions of grundylab and of the packages with which the catalogue was made."""
        return {"version": self.version, "packages": dict(self.packages)}

    @property
    def made_line(self) -> str:
        """The provenance of the catalogue in one line, which every output that is made from it shows.

        One digest stands for all rulesets: the beginning of the SHA-256 of the sorted lines ``NAME SHA-256``. The
        digest of each ruleset is in the catalogue's studies.
        """
        rulesets = {name: digest for study in self.studies for name, digest in study.rulesets.items()}
        files = "".join(f"{name} {digest}\n" for name, digest in sorted(rulesets.items()))
        seeds = sorted({study.seed for study in self.studies})
        digest = hashlib.sha256(files.encode()).hexdigest()[:_SHORT]
        packages = ", ".join(f"{name} {number}" for name, number in self.packages.items())
        return (
            f"grundylab {self.version} from {number_with_noun(len(rulesets), 'ruleset')} ({digest}) "
            f"with seed {', '.join(map(str, seeds))}; {packages}"
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a data frame with a row for each formula and claim; results/README.md describes the columns."""
        return frame(self.statements)


# -- reading and writing ---------------------------------------------------------------------------------------------


_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def record_to_json(record: object, brief: bool = False) -> dict[str, Any]:
    """Return a record as data that can be written as JSON. brief: leave out fields with their default values."""
    adapter = _adapter(type(record))
    data: dict[str, Any] = adapter.dump_python(record, mode="json", exclude_defaults=brief, warnings="error")
    return data


def record_from_json(kind: type[_T], data: object, path: str | os.PathLike[str]) -> _T:
    """Return the record of type ``kind`` that JSON data describe.

    Raises ConfigError, with the path of the file and the first field that is wrong.
    """
    try:
        record: _T = _adapter(kind).validate_python(data)
    except ValidationError as problem:
        first = problem.errors(include_url=False, include_context=False)[0]
        key = ".".join(map(str, first["loc"]))
        message = first["msg"].lower().removeprefix("value error, ")
        raise ConfigError(
            f"not a {'catalogue' if kind is Catalogue else 'record'} of this version "
            f"({key or 'all'}: {message}); {AGAIN}",
            Place(str(path)),
        ) from None
    return record


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
            else "'make run' writes it"
        )
        raise ConfigError(f"there is no catalogue of all studies yet; {advice}", Place(str(path)))
    record = read_record(Path(path), ConfigError)
    made = str(record.get("version", __version__))
    if made.split(".")[:2] != __version__.split(".")[:2]:
        raise ConfigError(
            f"of grundylab {made}, and this is {__version__}; run 'make run' again", Place(str(path))
        )
    return record_from_json(Catalogue, record, path)


def catalogues_of_studies(results: Path) -> list[Path]:
    """Return the catalogues of single studies in a folder of results, by name."""
    return sorted(results.glob("*/catalogue.json"))


def catalogue_of_folder(folder: Path) -> Catalogue:
    """Return the results of every study in a folder of results, also of those that were run by themselves.

    Of a study that was run in both ways, the newer results count. Catalogues of other configurations, and those of
    another version, are left out. Raises ConfigError if nothing is left.
    """
    catalogues = list[tuple[int, Catalogue]]()
    whole = folder / "catalogue.json"
    for file in [*catalogues_of_studies(folder), *([whole] if whole.is_file() else [])]:
        try:
            catalogue = read_catalogue(file)
        except ConfigError:
            if file == whole:
                raise
            continue
        if file == whole or [study.study for study in catalogue.studies] == [file.parent.name]:
            catalogues.append((file.stat().st_mtime_ns, catalogue))
    if not catalogues:
        return read_catalogue(whole)  # its error says where there are other catalogues
    (_, joined), *others = sorted(catalogues, key=itemgetter(0), reverse=True)
    for _, older in others:
        studied = {study.study for study in joined.studies}
        parts: dict[str, Any] = {
            part: (*getattr(joined, part), *(one for one in getattr(older, part) if one.study not in studied))
            for part in ("studies", "runs", "findings", "rows", "winning")
        }
        joined = replace(joined, **parts)
    return joined


def catalogue_of(studies: Iterable[tuple[StudyRecord, Results]]) -> Catalogue:
    """Return the catalogue of the studies, each with its results.

    A row with a formula of moderate size is listed among the formulas as well; see ``formula_of``. Only what answers
    the question of a study has its ``open``.
    """
    pairs = list(studies)
    results = NOTHING
    for study, its in pairs:
        name = study.study
        results += Results(
            runs=tuple(replace(run, study=name) for run in its.runs),
            findings=tuple(replace(finding, study=name) for finding in its.findings),
            rows=tuple(replace(row, study=name, open=study.open) for row in its.rows),
            winning=tuple(replace(winning, study=name) for winning in its.winning),
        )
    open_studies = [study for study, _ in pairs if study.open]
    findings = list[Finding]()
    for finding in results.findings:
        if finding.found or finding.source.unpublished:
            answered = (study for study in open_studies if answers_question(finding, study))
            finding = replace(finding, open=next((study.open for study in answered), None))
        findings.append(finding)
    return Catalogue(
        **toolchain(),
        studies=tuple(study for study, _ in pairs),
        runs=results.runs,
        findings=tuple(findings_with_rows(findings, results.rows)),
        rows=tuple(replace(row, formula=None, positions=None) for row in results.rows),
        winning=results.winning,
    )


def findings_with_rows(findings: Sequence[Finding], rows: Iterable[Row]) -> list[Finding]:
    """Return the findings and the formulas of rows.

    A right formula of an engine that is the statement of a row of the same study has the row's proofs, too.
    """
    joined = list(findings)
    for row in rows:
        formula = formula_of(row)
        if formula is None:
            continue
        same = (formula.study, formula.ruleset, formula.statement)
        for number, finding in enumerate(joined):
            right = finding.found and finding.status in RIGHT
            if right and (finding.study, finding.ruleset, finding.statement) == same:
                joined[number] = replace(finding, proofs=(*finding.proofs, *formula.proved))
        joined.append(formula)
    return joined


def formula_of(row: Row) -> Finding | None:
    """Return the formula of a row as a finding; None if the row has none, or a very large one."""
    if row.formula is None or row.formula.size > _LARGEST:
        return None
    where = conjunction(equalities(row.parameters.items()), row.where)
    label = ": ".join(filter(None, [assignment_text({**row.parameters, **row.row}), "{:,} places"]))
    proof = ProofRecord(
        status="proved" if row.status == "proved" else "undecided",
        about=row.where,
        assuming=where,
        where=where,
        reason=row.reason,
        proof=row.proof,
        procedures=(PERIOD,) if row.status == "proved" else (),
        rules=row.rules,
    )
    learnt = LearntTables(instances=(label.format(row.learned),), positions=row.learned)
    checked = {label.format(row.checked): row.checked}
    return Finding(
        formula=row.formula,
        target=row.target,
        where=where,
        ruleset=row.ruleset,
        title=row.title,
        study=row.study,
        origin=EngineOrigin(engine=row.engine, seed=row.seed, learnt=(learnt,)),
        tables={
            "train": SplitCounts(right=row.learned, checked=row.learned, total=row.learned),
            "test": SplitCounts(right=row.checked, checked=row.checked, total=row.checked, instances=checked),
        },
        proofs=(with_coq_answer(proof, row.machine_checked),),
        relation=row.relation,
        open=row.open if row.status in RIGHT else None,
    )


def write_catalogue(catalogue: Catalogue, folder: Path) -> None:
    """Write ``catalogue.json`` and four tables as Parquet, with their provenance in the metadata.

    ``catalogue.parquet`` contains the formulas and claims, ``candidates.parquet`` the hall of fame of all engines,
    ``engines.parquet`` their league table, and ``strategies.parquet`` the lines of the strategies.
    """
    data = record_to_json(catalogue, brief=True)
    write_json(folder / "catalogue.json", {**catalogue.made, **data})  # with the versions first
    studies = {s.study: {"rulesets": dict(s.rulesets), "seed": s.seed} for s in catalogue.studies}
    made = {**catalogue.made, "studies": studies}
    tables = {
        "catalogue": catalogue.to_frame(),
        "candidates": candidates_frame(catalogue.runs, catalogue.findings),
        "engines": league_frame(catalogue.league),
        "strategies": strategies_frame(catalogue.winning),
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
