"""The table of a survey: its games, and a row for each game and each question about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from grundylab.check.verification import Counterexample
from grundylab.findings.catalogue import write_table
from grundylab.findings.finding import Finding
from grundylab.findings.proofs import Texts, extent_of
from grundylab.findings.rows import Row
from grundylab.findings.wording import counterexample_text
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
PERIOD = "period"  # stands for a claim: what is the period of a row?
DISCOVERY = "discovery"  # stands for a claim: which formula is right?
SYMMETRY, TABLES = (
    "its rules, with the coordinates exchanged",
    "its tables, and where its claims are true there",
)
_SLOT = "slot."  # a slot's column has its name after this prefix
_INTEGERS = ("states", "preperiod", "period", "same_as", "alike", "none_up_to")  # may be missing


@dataclass(frozen=True, kw_only=True)
class SurveyRow:
    """A row of the table: a game and a question about it, with statements as texts.

    slots: the value of each slot as written in the file. filled: the same, with the slots that a value names replaced
    by their values. target, formula, where, latex: empty if nothing is stated. claim: the id of the claim, or "period"
    or "discovery". status: that of the prover or of the small tables; "same" if an equivalent game has the answer;
    "nothing" if the search found no formula that is right in larger tables. condition: under which the statement is
    proved; None if only an automaton with ``states`` states describes the parameters. exactly: whether the statement is
    false for all other parameters. checked, wrong: numbers of positions of the small tables. same_as: the number of the
    first equivalent game. same_by: why it is equivalent. alike: the first game with the same values in the small
    tables. engine: the one that found the formula, if none was claimed. none_up_to: no formula of at most this cost is
    right in the tables that were learnt from.
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
    """A game of a survey with its rows. Rows that the small tables do not refute are left to the prover.

    none: why the slots' values do not make a game; None if they do. rules, values, all: three keys for comparisons with
    other games. Two games have the same key if a permutation of the coordinates makes equal their rules and claims
    (``rules``), their small tables (``values``), or these tables and the truth of the claims in them (``all``).
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
        """Return a row of the game for a claim. known: the row's other fields."""
        return SurveyRow(
            game=self.game, slots=self.slots, filled=self.filled, claim=claim, status=status, **known
        )

    @property
    def left(self) -> tuple[SurveyRow, ...]:
        """The rows that are not refuted."""
        return tuple(row for row in self.rows if row.status != "refuted")


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


# -- from results to rows ---------------------------------------------------------------------------------------------


def statement_texts(formula: Expr, target: Target, where: Expr) -> dict[str, str]:
    """Return the texts of a statement: the values of the fields formula, target, where and latex of a row."""
    return {"formula": str(formula), "target": str(target), "where": str(where), "latex": to_latex(formula)}


def slots_text(filled: Mapping[str, str]) -> str:
    """Return the values of the slots in words: ``A: 1, B: x + y``."""
    return ", ".join(f"{name}: {text}" for name, text in filled.items())


def example_text(example: Counterexample | None, target: Target, formula: Expr) -> str | None:
    """Return a counterexample in words; None if there is none."""
    return None if example is None else counterexample_text(example, target, formula)


def row_with_proof(row: SurveyRow, tried: Finding, where: Expr) -> SurveyRow:
    """Return the row with the outcome of an attempt to prove its statement. where: the statement's own condition."""
    proof = tried.proofs[0]
    found = replace(
        row, status=proof.status, reason=proof.reason, procedures=proof.procedures, proof=proof.proof
    )
    if proof.status != "proved":
        example = example_text(proof.counterexample, tried.target, tried.formula)
        return replace(found, counterexample=example or row.counterexample)
    reach = extent_of(proof, where)
    condition = str(reach.condition) if reach.states is None else None
    return replace(
        found, condition=condition, exactly=proof.exactly, states=reach.states, counterexample=None
    )


def row_of_period(game: SurveyGame, row: Row) -> SurveyRow:
    """Return the survey's row about the period of a row of positions of the game."""
    proved = row.status == "proved"
    return game.row(
        PERIOD,
        "proved" if proved else "undecided",
        formula="" if row.formula is None else str(row.formula),
        target=str(row.target),
        where=str(conjunction(equalities({**row.parameters, **row.row}.items()), row.where)),
        latex="" if row.formula is None else to_latex(row.formula),
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
    """Return the numbers of the games that are equivalent to an earlier game, each with that game's number and why.

    rows: whether the survey asks for periods. Equal tables then do not count, since small tables determine no period.
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
    """Return the rows of all games. A game equivalent to an earlier one has rows "same". rows: as in ``duplicates``."""
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
    """Return rows "same" for a game: one for each of its claims, and for each period or search of the other game."""
    claims = [
        game.row(row.claim, "same", formula=row.formula, target=row.target, where=row.where, latex=row.latex,
                 checked=row.checked, wrong=row.wrong)
        for row in game.rows if row.claim not in (PERIOD, DISCOVERY)
    ]  # fmt: skip
    beside = dict.fromkeys(row.claim for row in other.rows if row.claim in (PERIOD, DISCOVERY))
    return [*claims, *(game.row(claim, "same") for claim in beside)]


# -- as a table --------------------------------------------------------------------------------------------------------


def status_counts(statuses: Iterable[str], no_game: int = 0) -> str:
    """Return the number of rows of each status in words. no_game: the number of slot values that make no game."""
    found = Counter(statuses)
    shown = [status for status in SURVEY_STATUSES if status != NOTHING or found[NOTHING]]
    counts = [f"{found[status]:,} {status}" for status in shown]
    return ", ".join([*counts, f"{no_game:,} no game"] if no_game else counts)


def status_counts_of_table(table: Path) -> str:
    """Return ``status_counts`` of the Parquet file of a survey."""
    import pyarrow.parquet as pq

    rows = pq.read_table(table, columns=["status"])
    made = json.loads(pq.read_metadata(table).metadata[b"grundylab"])
    return status_counts(rows["status"].to_pylist(), made.get("no_game", 0))


def survey_frame(rows: Sequence[SurveyRow]) -> pd.DataFrame:
    """Return a data frame with a column for each slot (``slot.NAME``, the filled value) and each other field."""
    import pandas as pd

    slots = [f"{_SLOT}{name}" for name in (rows[0].filled if rows else ())]
    names = [each.name for each in fields(SurveyRow) if each.name not in ("game", "slots", "filled")]
    cells = [[row.game, *row.filled.values(), *(getattr(row, name) for name in names)] for row in rows]
    frame = pd.DataFrame(cells, columns=["game", *slots, *names])
    frame["procedures"] = frame["procedures"].map("; ".join)
    return frame.astype(dict.fromkeys(_INTEGERS, "Int64"))


def write_survey(rows: Sequence[SurveyRow], no_game: int, made: Mapping[str, Any], path: Path) -> None:
    """Write the rows as Parquet. The metadata hold ``made``, the provenance, and ``no_game`` of ``status_counts``."""
    write_table(path, survey_frame(rows), {**made, "no_game": no_game})
