"""The summary of a run as text: the best statement for each target of its studies, refuted claims, and the engines."""

from __future__ import annotations

from collections.abc import Iterable

from grundylab.findings.answers import answers, best_answers, closest, tallies
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.wording import number_with_noun, status_tally
from grundylab.records.finding import CONSTANT
from grundylab.records.proofs import Status
from grundylab.report.engine_standings import standings
from grundylab.report.formula_lines import condition_text


def run_summary(catalogue: Catalogue) -> str:
    """Return a run's notes, the best statement for each target of its studies, and the table of its engines, as text.

    Between them stand the numbers of formulas, claims and rows by status, and those of the positions that engines
    learnt from and were tested on.
    """
    from grundylab.report.templates import environment  # Jinja takes long to import

    splits = []
    for row in catalogue.league:
        if row.engine == CONSTANT:
            counts = {"training": row.train, "validation": row.validate, "test": row.test}
            sizes = (number_with_noun(c.total, f"{name} position") for name, c in counts.items() if c.total)
            splits.append((row, ", ".join(sizes)))
    ranked, templates = answers(catalogue), environment("txt")
    studies = []
    for study in catalogue.studies:
        right = {target: list(best_answers(study, target, ranked)) for target in study.targets}
        claims = [claim for claim in catalogue.claims if claim.study == study.study]
        about = {
            "about": study,
            "targets": [(target, best, closest(study, target, ranked)) for target, best in right.items()],
            "winning": [w for w in catalogue.winning if w.study == study.study and w.moves],
            "rows": [row for row in catalogue.rows if row.study == study.study],
            "refuted": [claim for claim in claims if claim.status == "refuted"],
        }
        studies.append(about)
    templates.filters |= {"condition": condition_text, "tally": _tally}
    text = templates.get_template("summary.txt.j2").render(
        studies=studies,
        tallies={name: _tally(counts) for name, counts in tallies(catalogue).items()},
        splits=splits,
        standings=standings(catalogue.league),
    )
    return text.rstrip("\n")


def _tally(statuses: Iterable[Status]) -> str:
    """Return the numbers of each status in words, without ``partial``: ``38 proved, 1 holds``."""
    counts = statuses if isinstance(statuses, dict) else status_tally(statuses)
    return ", ".join(f"{count:,} {status}" for status, count in counts.items() if status != "partial")
