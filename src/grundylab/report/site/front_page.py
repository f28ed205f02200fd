"""The first page: what the studies asked, how each engine answered, a card for each study, and what is new."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from grundylab.findings.answers import best_answers
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.results import StudyRecord
from grundylab.findings.wording import number_with_noun, status_tally
from grundylab.games import Target
from grundylab.records.finding import SPLITS, Finding, SplitName
from grundylab.records.proofs import Status
from grundylab.report.site.ruleset_pages import RulesetPage

DataFiles = Mapping[
    tuple[str, SplitName], Sequence[tuple[str, str]]
]  # names and addresses, by study and split


@dataclass(frozen=True)
class StudyCard:
    """The card of a study: the best answer to each of its questions.

    page: the page of its ruleset. answers: for each target the best answers, of several settings if the study learnt
    from each alone. claims: the numbers of the claims that it judges, by their status.
    """

    study: StudyRecord
    page: RulesetPage
    answers: Mapping[Target, Sequence[Finding]]
    claims: Mapping[Status, int]


def study_cards(
    catalogue: Catalogue, pages: Sequence[RulesetPage], answers: Sequence[Finding]
) -> list[StudyCard]:
    """Return a card for each study, in their order. answers: the best first."""
    by_name = {page.ruleset.name: page for page in pages}
    cards = []
    for study in catalogue.studies:
        best = {target: list(best_answers(study, target, answers)) for target in study.targets}
        claims = status_tally(claim.status for claim in catalogue.claims if claim.study == study.study)
        cards.append(StudyCard(study, by_name[study.ruleset], best, claims))
    return cards


def asked_text(cards: Sequence[StudyCard]) -> str:
    """Return what was asked, and how much of it was answered, in words: ``8 studies asked 11 questions: …``."""
    statuses = [right[0].status if right else "" for card in cards for right in card.answers.values()]
    counts = {
        "answered by a theorem": statuses.count("proved"),
        "by a formula that holds at every position checked": statuses.count("holds"),
        "open": statuses.count(""),
    }
    words = ", ".join(f"{number} {how}" for how, number in counts.items() if number)
    count = number_with_noun(len(statuses), "target")
    studies = "1 study" if len(cards) == 1 else f"{len(cards):,} studies"
    return f"{studies}, {count}: {words}" if statuses else ""


def data_files(studies: Sequence[StudyRecord], datasets: Path | None, page: Path) -> DataFiles:
    """Return the Parquet files of each split of each study, with their addresses as seen from the folder ``page``."""
    files: dict[tuple[str, SplitName], list[tuple[str, str]]] = {}
    if datasets is None:
        return files
    for study in studies:
        for split in SPLITS:
            if paths := sorted((datasets / study.study / split).glob("*.parquet")):
                files[study.study, split] = [(p.stem, quote(os.path.relpath(p, page), "/=")) for p in paths]
    return files
