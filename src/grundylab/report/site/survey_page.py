"""The page of a survey: a ruleset with slots, and the verdicts on its claims for every game that fills the slots.

It has theorems by claim and condition, matrices of verdicts with two slots as axes, and groups of games with equal
small tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from grundylab.findings.survey_rows import (
    DISCOVERY,
    NOTHING,
    PERIOD,
    SURVEY_STATUSES,
    SYMMETRY,
    TABLES,
    SurveyGame,
    SurveyPattern,
    SurveyRow,
    slots_text,
)
from grundylab.findings.wording import assignment_text, number_with_noun
from grundylab.language import Expr, parse
from grundylab.language.layout import to_mathml
from grundylab.report.output_folder import write_folder
from grundylab.report.site.build import assets, page_templates

_LISTED = 2_000  # the most rows of a list on the page; the survey's table has all
_MATRICES, _SIDE = 24, 120  # the most matrices of a page, and the most values of a slot in a matrix
_MEANINGS = {
    "proved": "For all sizes, by a proof in a file; where a condition is given, exactly for those parameters.",
    "undecided": "Right in small tables for at least some parameters, and neither proved nor refuted.",
    "refuted": "Wrong: in the small tables for every parameter tried, or by the prover for all parameters.",
    "same": "Decided by an equivalent game of the survey.",
    NOTHING: "No claim is right, and discovery found no formula that is right in larger tables.",
}
_OTHER_QUESTIONS = {  # questions other than claims
    PERIOD: "The Grundy numbers, or the outcomes of a row, have a period.",
    DISCOVERY: "Found by discovery, for games of which no claim is right.",
}
_BY = {
    SYMMETRY: "by a permutation of the coordinates",
    TABLES: "by equal small tables, and equal answers there",
}


_Groups = Sequence[Sequence[SurveyRow]]  # theorems under one heading


def write_survey_page(
    title: str,
    about: str,
    asked: Mapping[str, str],
    games: Sequence[SurveyGame],
    rows: Sequence[SurveyRow],
    patterns: Sequence[SurveyPattern],
    made: Mapping[str, Any],
    folder: Path,
) -> None:
    """Write the page of a survey into a folder that needs no other files.

    about: the text below the title. asked: the text of each claim, by name. made: the provenance as in the survey's
    JSON, with ``version`` and ``packages``.
    """
    proofs = _proofs(rows)
    templates = page_templates(
        made["version"], f"grundylab {made['version']}: {assignment_text(made['packages'])}"
    )
    templates.filters |= {"math": _math, "slots": slots_text}
    counts = Counter(row["status"] for row in rows)
    html = templates.get_template("survey.html.j2").render(
        root="",
        proofs=bool(proofs),
        files={path: place for path, (place, _) in proofs.items()},
        title=title,
        about=about,
        tally=_tally(games, rows),
        counts={status: counts[status] for status in SURVEY_STATUSES if counts[status]},
        meanings=_MEANINGS,
        patterns=patterns,
        sections=list(_sections(asked, rows)),
        matrices=list(_matrices(rows))[:_MATRICES],
        alike=_equal_games(rows),
        by=_BY,
        absent=[game for game in games if game.none is not None][:_LISTED],
        others=[row for row in rows if row["status"] in ("undecided", "refuted", NOTHING)],
        listed=_LISTED,
    )
    write_folder(folder, {**assets(), **dict(proofs.values()), "index.html": html})


def _tally(games: Sequence[SurveyGame], rows: Sequence[SurveyRow]) -> str:
    """Return the numbers of games, questions and theorems in words."""
    by = Counter({row["game"]: row["same_by"] for row in rows}.values())
    none = sum(game.none is not None for game in games)
    words = [
        number_with_noun(len(games), "game"),
        *([f"{none:,} of them with values that do not make a game"] if none else []),
        *(f"{by[reason]:,} the same as another {text}" for reason, text in _BY.items() if by[reason]),
        f"{sum(row['status'] != 'same' for row in rows):,} questions",
        f"{sum(row['status'] == 'proved' for row in rows):,} theorems",
    ]
    return ", ".join(words)


def _sections(questions: Mapping[str, str], rows: Sequence[SurveyRow]) -> Iterator[tuple[str, str, _Groups]]:
    """Yield each question with theorems: its name, its text, and its theorems in groups, the largest group first.

    A group has one condition on the parameters; if discovery found its theorems, it also has one formula.
    """
    for claim, text in {**questions, **_OTHER_QUESTIONS}.items():
        groups: dict[tuple[str, str], list[SurveyRow]] = {}
        for row in rows:
            if row["claim"] == claim and row["status"] == "proved":
                found = f"{row['target']}: {row['formula']}" if row["engine"] else ""
                groups.setdefault((found, _condition(row)), []).append(row)
        largest = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        if groups:
            yield claim, text, [alike for _, alike in largest]


def _condition(row: SurveyRow) -> str:
    """Return, in short, the condition on the parameters under which the row's statement is proved."""
    if row["period"] is not None:
        return f"period {row['period']}"
    if row["condition"] is None:
        return f"an automaton of {row['states']} states says for which parameters" if row["states"] else ""
    return "all" if row["condition"] == "True" else row["condition"]


def _math(formula: str | Expr) -> Markup:
    """Return a formula as MathML."""
    return Markup(to_mathml(parse(formula) if isinstance(formula, str) else formula, str(formula)))


def _matrices(rows: Sequence[SurveyRow]) -> Iterator[Mapping[str, Any]]:
    """Yield the matrices of each claim: the two slots with the most values go down and across.

    There is one matrix for each combination of values of the other slots. ``cells`` has them by the two values.
    """
    if not rows:
        return
    values = {name: list(dict.fromkeys(row["slots"][name] for row in rows)) for name in rows[0]["slots"]}
    longest = sorted(values, key=lambda name: -len(values[name]))[:2]
    down, across = longest[0], longest[1] if len(longest) > 1 else ""
    first = {(row["game"], row["claim"]): row for row in rows}
    for claim in dict.fromkeys(row["claim"] for row in rows):
        tables: dict[str, dict[tuple[str, str], tuple[str, str, str]]] = {}
        for row in rows:
            if row["claim"] == claim:
                slots = row["slots"]
                others = [f"{name}: {value}" for name, value in slots.items() if name not in longest]
                cells = tables.setdefault(", ".join([claim, *others]), {})
                cells[slots[down], slots.get(across, "")] = _cell(row, first)
        for title, cells in tables.items():
            sides = {"rows": values[down][:_SIDE], "columns": values.get(across, [""])[:_SIDE]}
            yield {"title": title, "down": down, "across": across, "cells": cells, **sides}


def _cell(row: SurveyRow, first: Mapping[tuple[int, str], SurveyRow]) -> tuple[str, str, str]:
    """Return the cell of a game in a matrix: its status, its words, and more words that the pointer shows.

    A game that is equivalent to an earlier one shows the verdict on that game. first: the rows by game and claim.
    """
    own = row if row["same_as"] is None else first.get((row["same_as"], row["claim"]), row)
    words = {"proved": _condition(own), "refuted": "✗", "undecided": "?", "same": "", NOTHING: "none"}[
        own["status"]
    ]
    detail = own["formula"] if own["engine"] else own["reason"] if own["status"] == NOTHING else None
    title = ": ".join(filter(None, [slots_text(own["filled"]), own["status"], detail, own["counterexample"]]))
    if own is not row:  # the verdict is that on an equivalent game
        return f"{own['status']} taken", f"= {words}", f"as game {own['game']}: {title}"
    return own["status"], words, title


def _equal_games(rows: Iterable[SurveyRow]) -> list[list[SurveyRow]]:
    """Return groups of games whose small tables are equal, the largest groups first; each game is one of its rows."""
    games = {row["game"]: row for row in rows}
    groups: dict[int, list[SurveyRow]] = {}
    for row in games.values():
        groups.setdefault(row["game"] if row["alike"] is None else row["alike"], []).append(row)
    several = [group for group in groups.values() if len(group) > 1]
    return sorted(several, key=lambda group: (-len(group), group[0]["game"]))


def _proofs(rows: Iterable[SurveyRow]) -> dict[str, tuple[str, bytes]]:
    """Return each proof's place in the page's folder and its content, by the proof's path; missing files left out."""
    places = {}
    for path in sorted({row["proof"] for row in rows if row["proof"]}):
        file = Path(path)
        if file.is_file():
            name = file.name if file.suffix == ".json" else f"{file.name}.txt"  # browsers show text
            places[path] = (f"proofs/{file.parent.name}-{name}".replace("=", "-"), file.read_bytes())
    return places
