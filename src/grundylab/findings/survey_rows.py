"""The table of a survey: its games, and a row for each game and each question about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from grundylab.findings.catalogue import write_table
from grundylab.findings.rows import Row
from grundylab.findings.wording import counterexample_words, extent_words
from grundylab.language import Expr
from grundylab.language.folding import fold_constants
from grundylab.language.layout import to_latex
from grundylab.language.syntax import conjunction, equalities
from grundylab.prove.outcome import PERIOD as CERTIFICATE
from grundylab.records.finding import Finding
from grundylab.records.proofs import ProofRecord, Texts, extent_of

if TYPE_CHECKING:
    import pandas as pd

SurveyStatus = Literal["proved", "undecided", "refuted", "same", "nothing"]
SURVEY_STATUSES: tuple[SurveyStatus, ...] = get_args(SurveyStatus)
NOTHING: SurveyStatus = "nothing"
PERIOD = "period"  # stands for a claim: what is the period of a row?
DISCOVERY = "discovery"  # stands for a claim: which formula is right?
SYMMETRY, TABLES = (
    "its rules, with the coordinates exchanged",
    "its tables, and where its claims are true there",
)
# A row is about a game and a question: its cells by column, the fields ``game``, ``slots``, ``filled`` of the game, and
# ``extent``, the words that say where the statement is proved.
SurveyRow = Mapping[str, Any]
_Cells = dict[str, Any]
# The columns of a row, with their values where nothing is known; docs/surveys.md says what they are.
SURVEY_COLUMNS: SurveyRow = {
    "formula": "", "target": "", "where": "", "latex": "", "claim": "", "status": "undecided", "condition": None,
    "exactly": False, "states": None, "preperiod": None, "period": None, "reason": None, "counterexample": None,
    "checked": 0, "wrong": 0, "same_as": None, "same_by": None, "alike": None, "engine": None, "none_up_to": None,
    "procedures": (), "proof": None,
}  # fmt: skip
_OF_QUESTION = ("claim", "formula", "target", "where", "latex", "checked", "wrong")  # not of the answer
_SLOT = "slot."  # a slot's column has its name after this prefix
_INTEGERS = ("states", "preperiod", "period", "same_as", "alike", "none_up_to")  # may be missing


@dataclass(frozen=True, kw_only=True)
class SurveyGame:
    """A game of a survey, with its findings and its rows.

    slots: the value of each slot as written in the file. filled: the same, with the slots that a value names replaced
    by their values. none: why the slots' values do not make a game; None if they do. rules, values, all: three keys for
    comparisons with other games. Two games have the same key if a permutation of the coordinates makes equal their
    rules and claims (``rules``), their small tables (``values``), or these tables and the truth of the claims in them
    (``all``). findings: the claims and, if formulas were searched for, the one found. left: the claims that the small
    tables leave to the prover. no_rows: why its rows could not be examined. none_up_to: no formula of at most this cost
    is right in the tables that were learnt from; None if formulas were not searched for.
    """

    game: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
    none: str | None = None
    rules: str = ""
    values: str = ""
    all: str = ""
    findings: tuple[Finding, ...] = ()
    left: Texts = ()
    rows: tuple[Row, ...] = ()
    no_rows: str | None = None
    none_up_to: int | None = None

    def answers(self) -> Iterator[_Cells]:
        """Yield the cells of each question about the game, with the answer so far."""
        yield from (_cells_of_finding(finding) for finding in self.findings if finding.claimed)
        yield from map(_cells_of_period, self.rows)
        if self.no_rows is not None:
            yield {"claim": PERIOD, "reason": self.no_rows}
        if self.none_up_to is not None:
            where = (
                f"among all formulas that cost up to {self.none_up_to}" if self.none_up_to else "was found"
            )
            nothing = {"status": NOTHING, "reason": f"nothing {where}"}
            formula_cells = next((_cells_of_finding(f) for f in self.findings if f.found), nothing)
            yield {**formula_cells, "claim": DISCOVERY, "none_up_to": self.none_up_to}


@dataclass(frozen=True, kw_only=True)
class SurveyPattern:
    """A conjecture about the games of a survey: a claim is proved for exactly the numbers that fulfil ``condition``.

    The numbers are the values of some slots; all other slots are ``fixed``. learnt: the number of games that the
    condition was learnt from. tried: the number of further games, in all of which it turned out to be right.
    """

    claim: str
    fixed: Mapping[str, str]
    condition: Expr
    learnt: int
    tried: int


# -- from results to cells --------------------------------------------------------------------------------------------


def slots_text(filled: Mapping[str, str]) -> str:
    """Return the values of the slots in words: ``A: 1, B: x + y``."""
    return ", ".join(f"{name}: {text}" for name, text in filled.items())


def _proof_of(finding: Finding) -> ProofRecord | None:
    """Return the attempt that decides about a claim or, for a formula of an engine, the first that succeeded."""
    return next(iter((finding.found and finding.proved) or finding.proofs), None)


def status_of(finding: Finding) -> SurveyStatus:
    """Return the prover's verdict; without one, a claim is refuted by the small tables, and a formula is undecided."""
    proof = _proof_of(finding)
    return ("undecided" if finding.found else "refuted") if proof is None else proof.status


def _cells_of_finding(finding: Finding) -> _Cells:
    """Return the cells of a claim or formula."""
    formula, proof = fold_constants(finding.formula), _proof_of(finding)
    cells: _Cells = {
        "status": status_of(finding),
        "claim": finding.source.claim,
        "formula": str(formula),
        "target": str(finding.target),
        "where": str(fold_constants(finding.where)),
        "latex": to_latex(formula),
        "engine": finding.origin.engine or None,
        "checked": finding.test.checked,
        "wrong": finding.test.wrong,
        "counterexample": counterexample_words(finding) or None,
    }
    if proof is None:
        return {**cells, "reason": finding.reason}
    cells |= {"reason": proof.reason, "procedures": proof.procedures, "proof": proof.proof}
    if proof.status != "proved":
        return cells
    reach = extent_of(proof, finding.where)
    condition = str(reach.condition) if reach.states is None else None
    cells |= {"condition": condition, "exactly": proof.exactly, "states": reach.states}
    return {**cells, "counterexample": None, "extent": extent_words(finding)}


def _cells_of_period(row: Row) -> _Cells:
    """Return the cells about the period of a row of positions."""
    proved = row.status == "proved"
    return {
        "claim": PERIOD,
        "status": "proved" if proved else "undecided",
        "formula": "" if row.formula is None else str(row.formula),
        "target": str(row.target),
        "where": str(conjunction(equalities({**row.parameters, **row.row}.items()), row.where)),
        "latex": "" if row.formula is None else to_latex(row.formula),
        "condition": "True" if proved else None,
        "preperiod": row.preperiod,
        "period": row.period,
        "reason": row.reason,
        "checked": row.checked,
        "procedures": (CERTIFICATE,) if proved else (),
        "proof": row.proof,
        "extent": (f"period {row.period}",) if proved else (),
    }


# -- equivalent games -------------------------------------------------------------------------------------------------


def duplicates(games: Sequence[SurveyGame], rows: bool = False) -> dict[int, tuple[int, str]]:
    """Return the numbers of the games that are equivalent to an earlier game, each with that game's number and why.

    rows: whether the survey asks for periods. Equal tables then do not count, since small tables determine no period.
    """
    first: dict[str, int] = {}
    earlier = {}
    for game in games:
        if game.none is None:
            for key, by in ((game.rules, SYMMETRY), (game.all, TABLES))[: 1 if rows else 2]:
                if key in first:
                    earlier[game.game] = (first[key], by)
                    break
            one = earlier[game.game][0] if game.game in earlier else game.game
            first.setdefault(game.rules, one)
            first.setdefault(game.all, one)
    return earlier


def survey_rows(games: Sequence[SurveyGame], rows: bool = False) -> list[SurveyRow]:
    """Return the rows of all games. A game equivalent to an earlier one has rows "same". rows: as in ``duplicates``."""
    again, by_number = duplicates(games, rows), {game.game: game for game in games}
    first: dict[str, int] = {}
    lines = list[SurveyRow]()
    for game in games:
        if game.none is not None:
            continue
        one = first.setdefault(game.values, game.game)
        shared = {"game": game.game, "slots": game.slots, "filled": game.filled}
        shared["alike"] = None if one == game.game else one
        answers = list(game.answers())
        if game.game in again:
            number, by = again[game.game]
            shared |= {"status": "same", "same_as": number, "same_by": by}
            # its own claims, and the periods and the search of the earlier game
            answers = [{name: cells[name] for name in _OF_QUESTION} for cells in answers]
            names = dict.fromkeys(cells["claim"] for cells in by_number[number].answers())
            answers += [{"claim": name} for name in names if name in (PERIOD, DISCOVERY)]
        lines += [{**SURVEY_COLUMNS, **cells, **shared} for cells in answers]
    return lines


# -- as a table --------------------------------------------------------------------------------------------------------


def status_counts(statuses: Iterable[str], no_game: int = 0) -> str:
    """Return the number of rows of each status in words. no_game: the number of slot values that make no game."""
    counted = Counter(statuses)
    shown = [status for status in SURVEY_STATUSES if status != NOTHING or counted[NOTHING]]
    counts = [f"{counted[status]:,} {status}" for status in shown]
    return ", ".join([*counts, f"{no_game:,} no game"] if no_game else counts)


def status_counts_of_table(table: Path) -> str:
    """Return ``status_counts`` of the Parquet file of a survey."""
    import pyarrow.parquet as pq

    rows = pq.read_table(table, columns=["status"])
    made = json.loads(pq.read_metadata(table).metadata[b"grundylab"])
    return status_counts(rows["status"].to_pylist(), made.get("no_game", 0))


def survey_frame(rows: Sequence[SurveyRow]) -> pd.DataFrame:
    """Return a data frame with a column for each slot (``slot.NAME``, the filled value) and ``SURVEY_COLUMNS``."""
    import pandas as pd

    slots = [f"{_SLOT}{name}" for name in (rows[0]["filled"] if rows else ())]
    cells = [[row["game"], *row["filled"].values(), *(row[name] for name in SURVEY_COLUMNS)] for row in rows]
    frame = pd.DataFrame(cells, columns=["game", *slots, *SURVEY_COLUMNS])
    frame["procedures"] = frame["procedures"].map("; ".join)
    return frame.astype(dict.fromkeys(_INTEGERS, "Int64"))


def write_survey(rows: Sequence[SurveyRow], no_game: int, made: Mapping[str, Any], path: Path) -> None:
    """Write the rows as Parquet. The metadata hold ``made``, the provenance, and ``no_game`` of ``status_counts``."""
    write_table(path, survey_frame(rows), {**made, "no_game": no_game})
