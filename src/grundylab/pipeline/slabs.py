"""The stages of large instances: what holds is looked at slab by slab, and put together."""

from __future__ import annotations

from collections.abc import Sequence

from grundylab.catalogue.files import plain
from grundylab.catalogue.large import LargeVerdicts, Part, check_agreement, holding, look, whole
from grundylab.catalogue.records import Proofs, Verdicts, judged
from grundylab.check.slabs import Slab
from grundylab.errors import ConfigError, Place
from grundylab.pipeline.stagefiles import read_stage, say, write_stage
from grundylab.pipeline.study import Study


def slab_stage(study: Study, verdicts: str, slab: Slab, output: str) -> None:
    """What one slab of each large instance says of all that holds at the test instances."""
    claims = holding(study.ruleset, read_stage(Verdicts, verdicts))
    found = [look(claim, study.large, slab) for claim in claims]
    for part in found:
        for check in part.checks:
            wrong = check.limit or f"wrong at {check.wrong:,} of {check.checked:,} positions"
            say(f"slab {slab} of {check.instance}: {part.formula}: {wrong}")
    write_stage(output, study, {"made": study.made, "slab": str(slab), "statements": list(map(plain, found))})


def large_stage(study: Study, parts: Sequence[str], proofs: str, output: str) -> None:
    """What the slabs say together. Raises Disagreement if a proof says something else."""
    read = [read_stage(tuple[Part, ...], part, "statements") for part in parts]
    proved = read_stage(Proofs, proofs).proofs
    found = []
    if len(set(map(len, read))) > 1:
        raise ConfigError("these slabs are of several formulas; run again", Place(output))
    for each in zip(*read, strict=True):
        verdict = whole(study.large, each)
        check_agreement(study.ruleset, verdict, proved)
        found.append(judged(verdict))
        say(f"{verdict.status} at {verdict.checked:,} positions: {verdict.formula}")
    labels = tuple(instance.label for instance in study.large)
    told = LargeVerdicts(instances=labels, slabs=study.slabs, statements=tuple(found))
    write_stage(output, study, {"made": study.made, **plain(told)})
