"""What a study does, step by step, from records to records: what the stages of the workflow and ``alone`` share."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path

from grundylab.catalogue.attempts import Attempt
from grundylab.catalogue.candidates import Splits, candidate_records
from grundylab.catalogue.machine import ask_all, ask_rows
from grundylab.catalogue.proofs import prove_all, settled, write_script
from grundylab.catalogue.records import Engine, Heard, Proofs, Proposed, RowFound, Verdicts, described
from grundylab.catalogue.relations import COMPARING, by_proof
from grundylab.catalogue.verdicts import judge_candidates, judge_claims, judge_family_claims
from grundylab.check.judging import Checks
from grundylab.discover import Candidate, Findings, Question, answers
from grundylab.discover.conditions import reworded
from grundylab.games import Target, parent_of
from grundylab.games.specialise import fixed_by
from grundylab.language.syntax import TRUE, equalities
from grundylab.pipeline.study import Study
from grundylab.prove.outcome import Limits
from grundylab.solve.table import Table

COQ_SECONDS = 300.0  # for one file; the longest takes one
Times = dict[str, float]  # how many seconds each claim took, apart from what is the same every time


def propose(study: Study, target: Target, tables: Sequence[Table]) -> tuple[Proposed, ...]:
    """Return the records of what each engine that had a turn finds for the target, learnt from these tables."""
    return tuple(map(proposed, find(study, target, tables)))


def find(
    study: Study,
    target: Target,
    tables: Sequence[Table],
    above: Sequence[Sequence[Table]] | None = None,
    engines: Sequence[str] | None = None,
) -> tuple[Findings, ...]:
    """Return what each engine that had a turn finds for the target, learnt from these tables.

    above: the larger tables on which an answer is tried, if they are solved already. engines: by default the study's.
    """
    question = Question(target, study.seed, study.budget, study.seeds)
    return answers(
        tables,
        question,
        study.engines[target] if engines is None else engines,
        study.where,
        study.each,
        above=above,
        every=study.ask == "all",
    )


def proposed(found: Findings) -> Proposed:
    """Return the record of what an engine found."""
    return Proposed(
        target=found.target,
        engine=found.engine,
        seed=found.seed,
        notes=found.notes,
        candidates=tuple(described(each, _learnt_from(found, each)) for each in found.candidates),
        unread=found.unread,
        unavailable=found.unavailable,
    )


def not_available(study: Study, target: Target, engine: str, reason: str) -> Proposed:
    """Return the record of an engine that cannot be asked here."""
    return Proposed(target=target, engine=engine, seed=study.seed, notes=(), unavailable=reason)


def stands(study: Study, found: Sequence[Proposed], target: Target) -> bool:
    """Return whether a formula about all positions is right at all that it was learnt from and tried on.

    Where each setting of the parameters is learnt from alone, there must be one for each.
    """
    settings = {equalities(each.parameters) for each in study.train} if study.each else {TRUE}
    right = {
        candidate.where
        for proposed in found
        for candidate in proposed.candidates
        if proposed.target == target and candidate.exact and not candidate.values
    }
    return settings <= right


def _learnt_from(found: Findings, candidate: Candidate) -> list[str]:
    """The instances that the candidate was learnt from or tried on, which it is counted on."""
    known = found.tried or found.training
    fixed = fixed_by(candidate.where, known[0].ruleset.parameter_names)
    return [i.label for i in known if fixed.items() <= dict(i.parameters).items()]


def judge(
    study: Study,
    asked: Sequence[Proposed],
    tables: Sequence[Table],
    seconds: Times,
    splits: Splits | None = None,
) -> Verdicts:
    """Return verdicts on the candidates and on the ruleset's claims, on the tables; of a family on all its games'.

    splits: the tables of each split, where the candidates of all engines are to be recorded.
    """
    if study.every:
        claims = judge_family_claims(study.ruleset, study.test, study.every, seconds)
        return Verdicts(claims=tuple(claims))
    candidates = [candidate for proposal in asked for candidate in proposal.candidates]
    game, known = study.ruleset, Checks()
    records = (
        candidate_records(game, asked, splits, study.where, each=study.each, known=known) if splits else ()
    )
    return Verdicts(
        engines=tuple(map(Engine.of, asked)),
        formulas=tuple(judge_candidates(game, candidates, tables, study.where, known)),
        claims=tuple(judge_claims(game, tables, seconds, known)) if study.judges_claims else (),
        candidates=tuple(records),
    )


def prove(study: Study, known: Verdicts, folder: Path, seconds: Times, until: float = inf) -> Proofs:
    """Proofs of the claims and of the best formulas that hold. Their scripts are written to the folder.

    until: when no further proof is begun, by ``time.monotonic``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    records = prove_all(study.ruleset, known, study.prove, study.proof_timeout, folder, seconds, until)
    limits = Limits(min(study.proof_timeout, COMPARING), words=reworded)
    records += settled(
        study.ruleset,
        known.formulas,
        records,
        limits,
        lambda proof: write_script(proof, folder, None),
    )
    parent = parent_of(study.ruleset)
    comparisons = by_proof(study.ruleset, parent, known.formulas, records, study.test, limits)
    return Proofs(proofs=tuple(records), comparisons=tuple(comparisons))


def machine_checked(study: Study, proofs: Sequence[Attempt], rows: Sequence[RowFound], folder: Path) -> Heard:
    """What Coq says of the proofs and of the rows' periods. The files that it is given are written to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    ruleset, limits = study.ruleset, Limits(COQ_SECONDS)
    return Heard(
        proofs=tuple(ask_all(ruleset, proofs, folder, limits)),
        rows=tuple(ask_rows(ruleset, rows, folder, limits)),
    )
