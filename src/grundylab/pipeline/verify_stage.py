"""The stage ``verify``: verdicts on formulas found and on the ruleset's claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from grundylab.check.judging import Checks
from grundylab.findings.catalogue import record_to_json
from grundylab.findings.league import Splits, candidate_records
from grundylab.findings.records import (
    Engine,
    EngineProposals,
    Verdicts,
)
from grundylab.findings.verdicts import ClaimSeconds, judge_candidates, judge_claims, judge_family_claims
from grundylab.pipeline.outside_tables import without_seen
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import read_split, read_stage, write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import BeginPart, progress, silent
from grundylab.solve.table import Table


def verify_stage(
    study: Study, fits: Sequence[str], splits: Mapping[str, Sequence[str]], output: str, timings: str
) -> None:
    """Write verdicts on the study's candidates and on its ruleset's claims, from the test tables.

    fits: the files that the stage ``fit`` wrote. splits: the folders or files of ``train``, ``validate`` and ``test``;
    for each candidate and split, the number of positions at which the candidate is right is recorded. timings: the file
    for the seconds that each claim took. Raises DatasetError for a damaged dataset.
    """
    seconds: ClaimSeconds = {}
    known = {name: read_split(study, study.instances(name), files) for name, files in splits.items()}
    if study.given is not None:
        known["test"] = [*without_seen(known["test"], [*known["train"], *known["validate"]])]
    read = [read_stage(tuple[EngineProposals, ...], fit, "engines") for fit in fits]
    asked = [engine for several in read for engine in several]
    with progress("verifying formulas") as done:
        found = judge(study, asked, known["test"], seconds, known, partial(done, 0))
    for formula in found.formulas:
        log_line(f"{formula.status}: {formula.target}: {formula.formula}")
    for claim in found.claims:
        log_line(f"{claim.status}: {claim.claim}: {claim.statement}")
    write_stage(output, study, {"made": study.made, **record_to_json(found)})
    write_stage(timings, study, {"seconds": seconds})


def judge(
    study: Study,
    asked: Sequence[EngineProposals],
    tables: Sequence[Table],
    seconds: ClaimSeconds,
    splits: Splits | None = None,
    begin: BeginPart = silent,
) -> Verdicts:
    """Return verdicts on the candidates and on the ruleset's claims; for a family of games, on the claims only.

    asked: the engines' proposals. tables: those that decide the verdicts. seconds: a dictionary that receives the time
    of each claim. splits: the tables of each split, if every engine's candidates are to be recorded. begin: is called
    with each claim's id.
    """
    if study.every:
        claims = judge_family_claims(study.ruleset, study.test, study.every, seconds)
        return Verdicts(claims=tuple(claims))
    candidates = [candidate for proposal in asked for candidate in proposal.candidates]
    validation = splits["validate"] if splits else ()
    game, known = study.ruleset, Checks()
    records = (
        candidate_records(game, asked, splits, study.where, each=study.each, known=known) if splits else ()
    )
    return Verdicts(
        engines=tuple(map(Engine.of, asked)),
        formulas=tuple(judge_candidates(game, candidates, tables, study.where, known, validation)),
        claims=tuple(judge_claims(game, tables, seconds, known, begin)) if study.judges_claims else (),
        candidates=tuple(records),
    )
