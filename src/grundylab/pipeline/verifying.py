"""The verify stage: candidates and claims on test datasets to verdicts."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import Engine, Formula, Proposed, Verdicts
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
    engines: list[Engine] = []
    formulas: list[Formula] = []
    if study.every:
        claims = judge_family_claims(study.ruleset, study.test, study.every, seconds)
    else:
        tables = load_tables(study, study.test, files)
        read = [read_stage(tuple[Proposed, ...], proposal, "engines") for proposal in proposals]
        proposed = [engine for several in read for engine in several]
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
