"""The discover stage: training instances to candidates."""

from __future__ import annotations

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import Proposed, described
from grundylab.discover import Candidate, explore
from grundylab.games.specialise import fixed_by
from grundylab.pipeline.stagefiles import say, write_stage
from grundylab.pipeline.study import Study
from grundylab.solve import solve


def discover_stage(study: Study, output: str) -> None:
    """Candidates of each engine for each target, from the training instances only, which are solved here."""
    tables = [solve(instance, study.values) for instance in study.train]
    proposed = []
    for target, engines in study.engines.items():
        for engine in engines:
            found = explore(tables, target, engine, study.seed, study.budget, study.where, study.each)
            for candidate in found.candidates:
                say(f"{engine}: {candidate.correct:,} of {candidate.total:,}: {candidate.formula}")
            for note in found.notes:
                say(f"{engine}: {note}")
            candidates = tuple(described(each, _learnt_from(study, each)) for each in found.candidates)
            proposed.append(
                Proposed(target=str(target), engine=engine, notes=found.notes, candidates=candidates)
            )
    write_stage(output, study, {"made": study.made, "engines": list(map(plain, proposed))})


def _learnt_from(study: Study, candidate: Candidate) -> list[str]:
    """The training instances that the candidate was learnt from."""
    fixed = fixed_by(candidate.where, study.ruleset.parameter_names) if study.each else {}
    return [i.label for i in study.train if fixed.items() <= dict(i.parameters).items()]
