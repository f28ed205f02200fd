"""The rows stage's records: each row of a study with its period, its proof, and the claims that it proves."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from grundylab.catalogue.files import plain
from grundylab.catalogue.records import Relation, RowFound
from grundylab.catalogue.relations import beside_proved, relation_of
from grundylab.catalogue.rows import about
from grundylab.catalogue.words import numbers, row_words
from grundylab.files import write_json
from grundylab.games import Claim, Ruleset, Target, parse_target
from grundylab.games.heaps import NotBounded, is_heap
from grundylab.games.instance import check_domain
from grundylab.games.model import GRUNDY
from grundylab.games.specialise import fixed_by
from grundylab.language.layout import to_latex
from grundylab.language.substitution import substitute
from grundylab.language.syntax import Int, Name, compare, conjunction
from grundylab.pipeline.heaps import study_heap
from grundylab.pipeline.rows import RowResult, study_rows
from grundylab.pipeline.rowsasked import RowsAsked
from grundylab.pipeline.stagefiles import say, write_stage
from grundylab.pipeline.study import Study
from grundylab.prove.comparing import claims_on
from grundylab.prove.gate import look
from grundylab.prove.outcome import Limits

ENGINE = "rows"
_COMPARING = 5.0  # seconds at most for MONA on one question about a row's formula and a claim


def study(
    ruleset: Ruleset, parameters: Mapping[str, int], fixed: Mapping[str, int], target: Target, length: int
) -> RowResult:
    """The row; of a game of one heap with bounded takes its Grundy numbers.

    Raises NotLayered if the game is not recognised as one with rows, InstanceError for what is no row of it.
    """
    return study_several(ruleset, parameters, [fixed], target, length)[0]


def study_several(
    ruleset: Ruleset,
    parameters: Mapping[str, int],
    several: Sequence[Mapping[str, int]],
    target: Target,
    length: int,
) -> Sequence[RowResult]:
    """The same of several rows that fix the same coordinates."""
    check_domain(ruleset, parameters)
    if target == GRUNDY and not several[0] and is_heap(ruleset, parameters):
        try:
            return [study_heap(ruleset, parameters)]
        except NotBounded:
            pass
    return study_rows(ruleset, parameters, several, target, length)


def row_records(ruleset: Ruleset, asked: RowsAsked, folder: Path, seed: int) -> list[RowFound]:
    """A record for each row. Certificates are written to the folder."""
    return [
        record_of(ruleset, result, parameters, folder, seed)
        for parameters, rows in groupby(asked.rows, key=itemgetter(0))
        for result in study_several(
            ruleset, parameters, [fixed for _, fixed in rows], parse_target(asked.target), asked.length
        )
    ]


def record_of(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], folder: Path, seed: int = 0
) -> RowFound:
    """The record of one row; its certificate, if it has one, is written to the folder."""
    period, formula = result.period, result.formula
    claims = _proved_claims(ruleset, result, parameters)
    return RowFound(
        ruleset=ruleset.name,
        title=ruleset.title,
        engine=ENGINE,
        seed=seed,
        parameters=dict(parameters),
        row=dict(result.fixed),
        axes=result.axes,
        target=str(result.target),
        where=str(result.where),
        status=result.status,
        reason=result.reason,
        checked=result.checked,
        learned=result.learned,
        preperiod=period.preperiod if period else None,
        period=period.period if period else None,
        saltus=period.saltus if period else None,
        exceptions=result.exceptions,
        families=result.families,
        size=formula.size if formula else None,
        claims=tuple(claim.id for claim in claims),
        relation=_relation(ruleset, result, parameters, claims),
        proof=_keep(result, parameters, folder),
        formula=str(formula) if formula else None,
        latex=to_latex(formula) if formula else None,
        positions=result.positions,
    )


def _relation(
    ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int], claims: Sequence[Claim]
) -> Relation | None:
    """What the row's formula is to the claims that its certificate proves; None without a formula or such claims."""
    names = {claim.id for claim in claims}
    said = [one for one in claims_on(ruleset, None, result.target) if one.claim in names]
    if result.formula is None or not said:
        return None
    where = about(parameters, str(result.where))
    return relation_of(result.status, beside_proved(ruleset, where, said, Limits(_COMPARING)))


def _keep(result: RowResult, parameters: Mapping[str, int], folder: Path) -> str | None:
    """Write the row's certificate, if it has one, and say where."""
    if result.certificate is None:
        return None
    fixed = [f"{name}={value}" for name, value in {**parameters, **result.fixed}.items()]
    path = folder / f"row-{result.target.slug}-{','.join(fixed) or 'all'}.json"
    write_json(path, result.certificate)
    return str(path)


def _proved_claims(ruleset: Ruleset, result: RowResult, parameters: Mapping[str, int]) -> list[Claim]:
    """The claims about just this row that its certificate proves."""
    fixed = {name: Int(value) for name, value in parameters.items()}
    asked = conjunction(*(compare("==", Name(name), value) for name, value in fixed.items()))
    found = []
    for claim in ruleset.claims:
        about = substitute(claim.where, fixed)
        if claim.target != result.target or not claim.plain:
            continue
        if fixed_by(about, ruleset.coordinate_names) != result.fixed:
            continue
        if result.proves(substitute(claim.formula, fixed), about) and look(ruleset, claim, asked).good:
            found.append(claim)
    return found


def rows_stage(study: Study, output: str, timings: str) -> None:
    """The periods of the study's rows, with their certificates in ``rows/`` beside."""
    assert study.rows is not None
    started = time.process_time()
    folder = Path(output).parent / "rows"
    folder.mkdir(parents=True, exist_ok=True)
    records = row_records(study.ruleset, study.rows, folder, study.seed)
    for record in records:
        say(f"{record.status}: {numbers({**record.parameters, **record.row})}: {row_words(record)}")
    write_stage(output, study, {"made": study.made, "rows": list(map(plain, records))})
    write_stage(timings, study, {"seconds": {"rows": time.process_time() - started}})
