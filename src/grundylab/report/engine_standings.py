"""A comparison of the discovery engines, for each question and over all, with a picture for each question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from grundylab.discover.base import EngineRun, HallRow
from grundylab.discover.engines import ENGINES
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.league import LeagueRow
from grundylab.games import Target
from grundylab.records.finding import CONSTANT, Finding
from grundylab.report.engine_pictures import EnginePoint, description, engines_svg, in_turn_order
from grundylab.report.templates import PagePicture


@dataclass(frozen=True)
class Standing:
    """An engine's results over all questions.

    method: the engine's method in words. asked: on how many targets it was run. exact: for how many targets its best
    formula describes all training and validation positions. right: how many of these formulas are proved, or hold in
    the tests. reason: why the engine was not available; empty if it was.
    """

    engine: str
    method: str
    asked: int
    exact: int
    right: int
    reason: str


@dataclass(frozen=True)
class LeagueQuestion:
    """A target of a study, with each engine's row of the league table.

    halls: for each engine that draws at random, the hall of fame with the seed of its best formula.
    """

    study: str
    ruleset: str
    target: Target
    rows: Mapping[str, LeagueRow]
    halls: Mapping[str, tuple[HallRow, ...]] = field(default_factory=dict)


def standings(league: Sequence[LeagueRow]) -> list[Standing]:
    """Return the results of each engine in a league table, in the order of ENGINES; the constant is no engine."""
    rows = []
    for engine in in_turn_order(row.engine for row in league if row.engine != CONSTANT):
        results = [row for row in league if row.engine == engine]
        used = [row for row in results if row.result not in ("not run", "not available")]
        reason = next((row.note for row in results if row.result == "not available"), "")
        exact = sum(row.result == "exact" for row in used)
        right = sum(row.result == "exact" and row.verdict in ("proved", "holds") for row in used)
        rows.append(Standing(engine, ENGINES[engine], len(used), exact, right, reason))
    return rows


def questions(league: Sequence[LeagueRow], runs: Iterable[EngineRun] = ()) -> list[LeagueQuestion]:
    """Return the questions of a league table, in the table's order. runs: the engines' runs, for halls of fame."""
    halls = {(run.study, run.target, run.engine, run.seed): run.hall for run in runs if run.hall}
    rows_of_question: dict[tuple[str, str, Target], dict[str, LeagueRow]] = {}
    for row in league:
        rows_of_question.setdefault((row.study, row.ruleset, row.target), {})[row.engine] = row
    return [
        LeagueQuestion(
            *key,
            rows,
            {
                engine: hall
                for engine, row in rows.items()
                if row.seed is not None and (hall := halls.get((row.study, row.target, engine, row.seed)))
            },
        )
        for key, rows in rows_of_question.items()
    ]


# -- pictures --------------------------------------------------------------------------------------------------------


def engine_pictures(catalogue: Catalogue) -> dict[tuple[str, Target], PagePicture]:
    """Return a picture of the engines' formulas for each study and target for which two engines or more have formulas.

    It shows each formula's complexity against the share of positions that it describes: of the test positions, or of
    the training positions if there are no tests. A line shows the share of the best constant.
    """
    pictures = {}
    groups: dict[tuple[str, Target], list[Finding]] = {}
    for finding in catalogue.findings:
        if finding.found and not finding.origin.derived:
            groups.setdefault((finding.study, finding.target), []).append(finding)
    for (study, target), records in groups.items():
        tested = any(record.test.total for record in records)
        words = "test positions" if tested else "positions"
        counts = [(record, record.test if tested else record.train) for record in records]
        shares = [(record, count.share) for record, count in counts if count.share is not None]
        constant = next((share for record, share in shares if record.origin.engine == CONSTANT), None)
        points = [
            EnginePoint(record.origin.engine, record.size, share, share == 1)
            for record, share in shares
            if record.origin.engine != CONSTANT
        ]
        if len({point.engine for point in points}) > 1:
            title = f"{study}: {target}: complexity and accuracy, by engine"
            svg = engines_svg(points, title, words, constant)
            about = description(points, words, constant)
            pictures[study, target] = PagePicture(f"engines/{study}-{target.slug}.svg", svg, about)
    return pictures
