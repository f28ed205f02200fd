"""The prove stage: verdicts to proofs."""

from __future__ import annotations

from pathlib import Path

from grundylab.catalogue.files import plain
from grundylab.catalogue.proofs import prove_all, write_script
from grundylab.catalogue.records import Proofs, Verdicts
from grundylab.catalogue.relations import by_proof
from grundylab.catalogue.settling import settled
from grundylab.discover.conditions import proposed
from grundylab.games import parent_of
from grundylab.pipeline.stagefiles import read_stage, say, write_stage
from grundylab.pipeline.study import Study
from grundylab.prove.outcome import Limits

_COMPARING = 5.0  # seconds at most for MONA on one question about two formulas


def prove_stage(study: Study, verdicts: str, output: str, timings: str) -> None:
    """Proofs of the study's claims and of the best formulas that hold; their scripts are in ``proofs/`` beside."""
    judged = read_stage(Verdicts, verdicts)
    folder, seconds = Path(output).parent / "proofs", dict[str, float]()
    folder.mkdir(parents=True, exist_ok=True)
    records = prove_all(study.ruleset, judged, study.prove, study.proof_timeout, folder, seconds)
    limits = Limits(min(study.proof_timeout, _COMPARING), words=proposed)
    records += settled(
        study.ruleset, judged.formulas, records, limits, lambda proof: write_script(proof, folder, None)
    )
    for record in records:
        say(f"{record.status} where {record.where}: {record.target}: {record.formula}")
    parent = parent_of(study.ruleset)
    comparisons = by_proof(study.ruleset, parent, judged.formulas, records, study.test, limits)
    proved = Proofs(proofs=tuple(records), comparisons=tuple(comparisons))
    write_stage(output, study, {"made": study.made, **plain(proved)})
    write_stage(timings, study, {"seconds": seconds})
