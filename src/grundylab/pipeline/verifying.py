"""The verify stage: candidates and claims on test datasets to verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.catalogue.records import said
from grundylab.catalogue.verdicts import judge_candidates, judge_claims, judge_family_claims
from grundylab.pipeline.solving import load_tables
from grundylab.pipeline.stagefiles import read_stage, say, write_stage
from grundylab.pipeline.study import Study


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
        proposed = [engine for proposal in map(read_stage, proposals) for engine in proposal["engines"]]
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
