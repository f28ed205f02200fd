"""The table of a survey: its games, and a row for each game and each question about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from grundylab.catalogue.attempts import Attempt, Texts, extent_of
from grundylab.catalogue.catalogue import write_table
from grundylab.catalogue.records import RowDetails
from grundylab.catalogue.wording import counterexample_text
from grundylab.check.verification import Counterexample
from grundylab.games import Target
from grundylab.language import Expr
from grundylab.language.layout import to_latex
from grundylab.language.syntax import conjunction, equalities
from grundylab.prove.outcome import PERIOD as CERTIFICATE

if TYPE_CHECKING:
    import pandas as pd

SurveyStatus = Literal["proved", "undecided", "refuted", "same", "nothing"]
SURVEY_STATUSES: tuple[SurveyStatus, ...] = get_args(SurveyStatus)
NOTHING: SurveyStatus = "nothing"
PERIOD = "period"  # the question about rows
DISCOVERY = "discovery"  # the question for formulas
SYMMETRY, TABLES = (
    "its rules, with the coordinates exchanged",
    "its tables, and where its claims are true there",
)
_SLOT = "slot."  # prefix of a slot's name, in a table's columns
_INTEGERS = ("states", "preperiod", "period", "same_as", "alike", "none_up_to")  # numbers that may be missing


@dataclass(frozen=True, kw_only=True)
class SurveyRow:
    """A row of the table: a game and a question about it, with statements as texts.

    slots: the value of each slot as the file has it; filled: the same with the slots inside it filled in as well.
    target, formula, where, latex: empty if nothing is stated. status: the prover's, or that of the small tables; "same"
    if another game is equivalent and answers the question instead; "nothing" if discovery found nothing that is right
    in larger tables. condition: the condition on the parameters under which the statement is proved, and under no other
    if ``exactly``; None if no condition describes it, in which case an automaton of ``states`` states does. checked,
    wrong: positions of the small tables. same_as: the first equivalent game, with the reason in same_by. alike: the
    first game with equal small tables, whatever is asked about it. engine: the engine that found the formula, if
    discovery did. none_up_to: no formula of at most this cost is right in the tables that were learnt from.
    """

    game: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
    formula: str = ""
    target: str = ""
    where: str = ""
    latex: str = ""
    claim: str
    status: SurveyStatus
    condition: str | None = None
    exactly: bool = False
    states: int | None = None
    preperiod: int | None = None
    period: int | None = None
    reason: str | None = None
    counterexample: str | None = None
    checked: int = 0
    wrong: int = 0
    same_as: int | None = None
    same_by: str | None = None
    alike: int | None = None
    engine: str | None = None
    none_up_to: int | None = None
    procedures: Texts = ()
    proof: str | None = None


@dataclass(frozen=True, kw_only=True)
class SurveyGame:
    """A game with its rows; a row that is undecided and has no proof is left to the prover by the small tables.

    none: why the slots' values do not make a game. rules, values, all: keys that two games share if a permutation of
    the coordinates maps the rules and claims, the tables, or the tables and the truth of the claims there, onto each
    other.
    """

    game: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
    none: str | None = None
    rules: str = ""
    values: str = ""
    all: str = ""
    rows: tuple[SurveyRow, ...] = ()

    def row(self, claim: str, status: SurveyStatus, **known: Any) -> SurveyRow:  # noqa: ANN401 - a row's fields
        """Return a row of the game."""
        return SurveyRow(
            game=self.game, slots=self.slots, filled=self.filled, claim=claim, status=status, **known
        )

    @property
    def left(self) -> tuple[SurveyRow, ...]:
        """The rows that are not refuted."""
        return tuple(row for row in self.rows if row.status != "refuted")


@dataclass(frozen=True, kw_only=True)
class SurveyPattern:
    """A conjectured condition on the numbers in slots under which a claim is proved; the other slots are ``fixed``.

    learnt: the number of games that the condition was learnt from. tried: the number of the other games, for all of
    which it is right.
    """

    claim: str
    fixed: Mapping[str, str]
    condition: Expr
    learnt: int
    tried: int


# -- from results to rows ---------------------------------------------------------------------------------------------


def statement_texts(formula: Expr, target: Target, where: Expr) -> dict[str, str]:
    """Return the texts of a statement, by the names of a row's fields."""
    return {"formula": str(formula), "target": str(target), "where": str(where), "latex": to_latex(formula)}


def slots_text(filled: Mapping[str, str]) -> str:
    """Return the values of the slots in words: ``A: 1, B: x + y``."""
    return ", ".join(f"{name}: {text}" for name, text in filled.items())


def example_text(example: Counterexample | None, target: Target) -> str | None:
    """Return a counterexample in words; None if there is none."""
    return None if example is None else counterexample_text(example, target)


def row_with_proof(row: SurveyRow, proof: Attempt, where: Expr) -> SurveyRow:
    """Return the row with the outcome of a proof of its statement. where: the condition of the statement."""
    found = replace(
        row, status=proof.status, reason=proof.reason, procedures=proof.procedures, proof=proof.proof
    )
    if proof.status != "proved":
        return replace(
            found, counterexample=example_text(proof.counterexample, proof.target) or row.counterexample
        )
    reach = extent_of(proof, where)
    condition = str(reach.condition) if reach.states is None else None
    return replace(
        found, condition=condition, exactly=proof.exactly, states=reach.states, counterexample=None
    )


def row_of_period(game: SurveyGame, row: RowDetails) -> SurveyRow:
    """Return the table's row for a row of positions and its period."""
    proved = row.status == "proved"
    return game.row(
        PERIOD,
        "proved" if proved else "undecided",
        formula="" if row.formula is None else str(row.formula),
        target=str(row.target),
        where=str(conjunction(equalities({**row.parameters, **row.row}.items()), row.where)),
        latex=row.latex or "",
        condition="True" if proved else None,
        preperiod=row.preperiod,
        period=row.period,
        reason=row.reason,
        checked=row.checked,
        procedures=(CERTIFICATE,) if proved else (),
        proof=row.proof,
    )


# -- equivalent games -------------------------------------------------------------------------------------------------


def duplicates(games: Sequence[SurveyGame], rows: bool = False) -> dict[int, tuple[int, str]]:
    """Return the games that are equivalent to an earlier one, each with that game and the reason.

    rows: whether periods are asked for. Small tables do not determine periods, so equal tables are then no reason.
    """
    first: dict[str, int] = {}
    found = {}
    for game in games:
        if game.none is None:
            for key, by in ((game.rules, SYMMETRY), (game.all, TABLES))[: 1 if rows else 2]:
                if key in first:
                    found[game.game] = (first[key], by)
                    break
            one = found[game.game][0] if game.game in found else game.game
            first.setdefault(game.rules, one)
            first.setdefault(game.all, one)
    return found


def survey_rows(games: Sequence[SurveyGame], rows: bool = False) -> list[SurveyRow]:
    """Return the table: the rows of all games, those of equivalent games as "same". rows: as for ``duplicates``."""
    again, by_number = duplicates(games, rows), {game.game: game for game in games}
    first: dict[str, int] = {}
    found = []
    for game in games:
        if game.none is not None:
            continue
        one = first.setdefault(game.values, game.game)
        alike = None if one == game.game else one
        if game.game not in again:
            found += [replace(row, alike=alike) for row in game.rows]
            continue
        number, by = again[game.game]
        for row in _same_rows(game, by_number[number]):
            found.append(replace(row, alike=alike, same_as=number, same_by=by))
    return found


def _same_rows(game: SurveyGame, other: SurveyGame) -> list[SurveyRow]:
    """Return the rows of a game that is equivalent to another: its claims, and the other questions about that one."""
    claims = [
        game.row(row.claim, "same", formula=row.formula, target=row.target, where=row.where, latex=row.latex,
                 checked=row.checked, wrong=row.wrong)
        for row in game.rows if row.claim not in (PERIOD, DISCOVERY)
    ]  # fmt: skip
    beside = dict.fromkeys(row.claim for row in other.rows if row.claim in (PERIOD, DISCOVERY))
    return [*claims, *(game.row(claim, "same") for claim in beside)]


# -- as a table --------------------------------------------------------------------------------------------------------


def status_counts(statuses: Iterable[str], no_game: int = 0) -> str:
    """Return the numbers of rows of each status in words. no_game: the number of combinations that are no game."""
    found = Counter(statuses)
    shown = [status for status in SURVEY_STATUSES if status != NOTHING or found[NOTHING]]
    counts = [f"{found[status]:,} {status}" for status in shown]
    return ", ".join([*counts, f"{no_game:,} no game"] if no_game else counts)


def status_counts_of_table(table: Path) -> str:
    """Return the numbers of rows of each status of a survey's table in words; see ``status_counts``."""
    import pyarrow.parquet as pq

    rows = pq.read_table(table, columns=["status"])
    made = json.loads(pq.read_metadata(table).metadata[b"grundylab"])
    return status_counts(rows["status"].to_pylist(), made.get("no_game", 0))


def survey_frame(rows: Sequence[SurveyRow]) -> pd.DataFrame:
    """Return a data frame with a row each, a column for each slot, as filled, and one for each other field."""
    import pandas as pd

    slots = [f"{_SLOT}{name}" for name in (rows[0].filled if rows else ())]
    names = [each.name for each in fields(SurveyRow) if each.name not in ("game", "slots", "filled")]
    cells = [[row.game, *row.filled.values(), *(getattr(row, name) for name in names)] for row in rows]
    frame = pd.DataFrame(cells, columns=["game", *slots, *names])
    frame["procedures"] = frame["procedures"].map("; ".join)
    return frame.astype(dict.fromkeys(_INTEGERS, "Int64"))


def write_survey(rows: Sequence[SurveyRow], no_game: int, made: Mapping[str, Any], path: Path) -> None:
    """Write the rows as Parquet, with their provenance and ``no_game`` in the metadata; see ``status_counts``."""
    write_table(path, survey_frame(rows), {**made, "no_game": no_game})
