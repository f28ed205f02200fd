"""The discover stage: training instances to candidates."""

from __future__ import annotations

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import Proposed, described
from grundylab.discover import Candidate, Findings, Question, answers
from grundylab.games.specialise import fixed_by
from grundylab.pipeline.stagefiles import say, write_stage
from grundylab.pipeline.study import Study
from grundylab.solve import solve


def discover_stage(study: Study, output: str) -> None:
    """Candidates of each engine for each target, from the training instances only, which are solved here."""
    tables = [solve(instance, study.values) for instance in study.train]
    proposed = []
    for target, engines in study.engines.items():
        question, in_turn = Question(target, study.seed, study.budget), target in study.in_turn
        found_by = answers(tables, question, engines, in_turn, study.where, study.each, study.kept)
        for found in found_by:
            for candidate in found.candidates:
                say(f"{found.engine}: {candidate.correct:,} of {candidate.total:,}: {candidate.formula}")
            for note in found.notes:
                say(f"{found.engine}: {note}")
            candidates = tuple(described(each, _learnt_from(found, each)) for each in found.candidates)
            proposed.append(
                Proposed(target=str(target), engine=found.engine, notes=found.notes, candidates=candidates)
            )
    write_stage(output, study, {"made": study.made, "engines": list(map(plain, proposed))})


def _learnt_from(found: Findings, candidate: Candidate) -> list[str]:
    """The instances that the candidate was learnt from or tried on, which it is counted on."""
    known = found.tried or found.training
    fixed = fixed_by(candidate.where, known[0].ruleset.parameter_names)
    return [i.label for i in known if fixed.items() <= dict(i.parameters).items()]
