"""The stage ``verify``: verdicts on formulas found and on the ruleset's claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from grundylab.check.judging import Checks
from grundylab.findings.finding import SplitName
from grundylab.findings.results import NOTHING, Results
from grundylab.findings.verdicts import (
    ClaimSeconds,
    Splits,
    verified_claims,
    verified_family_claims,
    verified_formulas,
)
from grundylab.pipeline.outside_tables import without_seen
from grundylab.pipeline.script_log import log_line
from grundylab.pipeline.stage_files import read_split, read_stage, write_results, write_stage
from grundylab.pipeline.study import Study
from grundylab.progress import BeginPart, progress, silent


def verify_stage(
    study: Study, fits: Sequence[str], splits: Mapping[SplitName, Sequence[str]], output: str, timings: str
) -> None:
    """Write the study's findings with their comparison with the tables, and those of its ruleset's claims.

    fits: the files that the stage ``fit`` wrote. splits: the folders or files of ``train``, ``validate`` and ``test``.
    timings: the file for the seconds that each claim took. Raises DatasetError for a damaged dataset.
    """
    seconds: ClaimSeconds = {}
    tables = {name: read_split(study, study.instances(name), files) for name, files in splits.items()}
    if study.given is not None:
        tables["test"] = [*without_seen(tables["test"], [*tables["train"], *tables["validate"]])]
    proposed = sum((read_stage(Results, fit) for fit in fits), NOTHING)
    with progress("verifying formulas") as done:
        found = verify(study, proposed, tables, seconds, partial(done, 0))
    for formula in found.formulas:
        log_line(f"{formula.status}: {formula.target}: {formula.formula}")
    for claim in found.claims:
        log_line(f"{claim.status}: {claim.source.claim}: {claim.source.text}")
    write_results(output, study, found)
    write_stage(timings, study, {"seconds": seconds})


def verify(
    study: Study, proposed: Results, splits: Splits, seconds: ClaimSeconds, begin: BeginPart = silent
) -> Results:
    """Return the findings with their verdicts, and the ruleset's claims; for a family of games, only the claims.

    splits: the tables of each split; those of ``test`` decide the verdicts. seconds: a dictionary that receives the
    time of each claim. begin: is called with each claim's id.
    """
    game, known = study.ruleset, Checks()
    if study.every:
        claims = verified_family_claims(game, study.test, study.every, seconds)
        return Results(runs=(), findings=tuple(claims))
    formulas = verified_formulas(
        game,
        proposed.findings,
        splits,
        study.where,
        each=study.each,
        known=known,
        targets=[run.target for run in proposed.runs],
    )
    claims = verified_claims(game, splits["test"], seconds, known, begin) if study.judges_claims else []
    return replace(proposed, findings=(*formulas, *claims))
