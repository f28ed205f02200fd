"""What is known of the games of a survey: the records of its stages, and a row for each game and each thing asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from grundylab.catalogue.attempts import Attempt, Texts, beyond
from grundylab.catalogue.records import RowFound
from grundylab.catalogue.words import counterexample_text
from grundylab.check.verification import Counterexample
from grundylab.files import whole
from grundylab.games import Target, parse_target
from grundylab.language import Expr, parse_condition
from grundylab.language.layout import to_latex
from grundylab.language.syntax import conjunction, equalities

if TYPE_CHECKING:
    import pandas as pd

SurveyStatus = Literal["proved", "refuted", "undecided", "same", "nothing"]
NOTHING: SurveyStatus = "nothing"
SURVEY_STATUSES: tuple[SurveyStatus, ...] = ("proved", "undecided", "refuted", "same", NOTHING)
PERIOD = "period"  # what is asked where rows are
DISCOVERY = "discovery"  # and where formulas are looked for
SYMMETRY, TABLES = (
    "its rules, with the coordinates exchanged",
    "its tables, and where its claims are true there",
)
_NOTHING: Mapping[str, Any] = dict.fromkeys(
    ("formula", "target", "where", "latex"), ""
)  # what no statement says
_SLOT = "slot."  # before the name of a slot, in a table's columns
_METADATA = b"grundylab"


@dataclass(frozen=True, kw_only=True)
class SurveyStatement:
    """A statement as its texts, which are empty where nothing is stated."""

    formula: str
    target: str
    where: str
    latex: str


def statement_texts(formula: Expr, target: Target, where: Expr) -> dict[str, str]:
    """Return the fields of a survey's statement."""
    return {"formula": str(formula), "target": str(target), "where": str(where), "latex": to_latex(formula)}


@dataclass(frozen=True, kw_only=True)
class Tried(SurveyStatement):
    """A claim in a game's small tables.

    settings: those of the parameters that said something of it; right: those of which it is true at all positions that
    were looked at. left: whether it is left to the prover: it is not if there is no such setting.
    """

    claim: str
    checked: int
    wrong: int
    settings: Texts
    right: Texts
    left: bool
    counterexample: Counterexample | None


@dataclass(frozen=True, kw_only=True)
class Tabled:
    """A game in its small tables.

    slots: what stands for each slot, as the file has it; filled: with the slots in that, too. none: why there is no
    such game. rules, values, all: the same for two games if a permutation of coordinates makes the one's rules and
    claims, its tables, or its tables and where its claims are true, the other's. moves, swept: of its tables, counted
    where they were solved position by position, and by sweeps.
    """

    game: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
    none: str | None = None
    rules: str = ""
    values: str = ""
    all: str = ""
    moves: int = 0
    swept: int = 0
    tried: tuple[Tried, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Found(SurveyStatement):
    """A formula that discovery found: by which engine, and at how many positions of larger tables it is right."""

    engine: str
    checked: int


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the prover says of a claim of a game, or of what was found for it, or what was found of one of its rows.

    none_up_to: no formula that costs at most so much is right in the tables that were learnt from; None where
    nobody looked.
    """

    game: int
    claim: str
    found: Found | None = None
    none_up_to: int | None = None
    attempt: Attempt | None = None
    row: RowFound | None = None
    reason: str | None = None

    @property
    def survives(self) -> bool:
        """Whether it is not refuted."""
        return self.attempt is None or self.attempt.status != "refuted"


@dataclass(frozen=True, kw_only=True)
class SurveyRow(SurveyStatement):
    """A game and a thing that is asked of it.

    status: same where another game is this one, and is asked instead; nothing where discovery found nothing that is
    right in larger tables. engine: what found the formula, if discovery did. none_up_to: no formula that costs at most
    so much is right in the tables that were learnt from. condition: on the parameters, under which it is
    proved: exactly where it is true, if exactly; None where it has no name: then an automaton of so many ``states``
    says it. same_as: the first game that is the same, by what (same_by); alike: the first with equal small
    tables, whatever is asked. checked, wrong: positions of the small tables.
    """

    game: int
    slots: Mapping[str, str]
    filled: Mapping[str, str]
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
class Pattern:
    """For which numbers in slots a claim is proved, as it seems, where the other slots are ``fixed``.

    learnt, tried: from how many games the condition was found, and for how many others, which are all, it is right.
    """

    claim: str
    fixed: Mapping[str, str]
    condition: str
    learnt: int
    tried: int


# -- which games are one -----------------------------------------------------------------------------------------------


def duplicates(games: Sequence[Tabled], rows: bool = False) -> dict[int, tuple[int, str]]:
    """The games that an earlier one is the same as: which, and by what.

    rows: whether periods are looked for. They are what small tables do not show, so by these no two games are one.
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


def asked_of(games: Sequence[Tabled], rows: bool, discover: bool = False) -> list[Tabled]:
    """The games of which something is left to ask, each once, with what is left.

    rows, discover: whether periods are looked for, and formulas where no claim is left.
    """
    again = duplicates(games, rows)
    own = [game for game in games if game.none is None and game.game not in again]
    left = [replace(game, tried=tuple(tried for tried in game.tried if tried.left)) for game in own]
    return [game for game in left if game.tried or rows or discover]


# -- the rows ----------------------------------------------------------------------------------------------------------


def rows_of(games: Sequence[Tabled], answers: Iterable[Answer], rows: bool) -> list[SurveyRow]:
    """A row for each game and each thing asked, in order. rows: whether periods are among that."""
    again, told = duplicates(games, rows), dict[int, list[Answer]]()
    for answer in answers:
        told.setdefault(answer.game, []).append(answer)
    first: dict[str, int] = {}
    found = []
    for game in games:
        if game.none is not None:
            continue
        alike = first.setdefault(game.values, game.game)
        known: dict[str, Any] = {"game": game.game, "slots": game.slots, "filled": game.filled}
        known["alike"] = None if alike == game.game else alike
        if game.game in again:
            one, by = again[game.game]
            known |= {"same_as": one, "same_by": by}
        by_claim = {answer.claim: answer for answer in told.get(game.game, ()) if answer.row is None}
        found += [_row_of(tried, by_claim.get(tried.claim), known) for tried in game.tried]
        found += [
            _row_of_period(answer, known) for answer in told.get(game.game, ()) if answer.claim == PERIOD
        ]
        found += [
            _row_of_discovery(answer, known)
            for answer in told.get(game.game, ())
            if answer.claim == DISCOVERY
        ]
        if game.game in again:
            others = {answer.claim for answer in told.get(again[game.game][0], ())}
            found += [
                SurveyRow(**known, **_NOTHING, claim=claim, status="same")
                for claim, asked in ((PERIOD, rows), (DISCOVERY, DISCOVERY in others))
                if asked
            ]
    return found


def _row_of(tried: Tried, answer: Answer | None, known: Mapping[str, Any]) -> SurveyRow:
    said = {
        name: getattr(tried, name)
        for name in ("formula", "target", "where", "latex", "claim", "checked", "wrong")
    }
    if "same_as" in known:
        return SurveyRow(**known, **said, status="same")
    if answer is None or answer.attempt is None:
        many = f"wrong for each of {'; '.join(tried.settings)}" if len(tried.settings) > 1 else None
        example = _example(tried.counterexample, tried.target)
        reason = answer.reason if answer else many
        status: SurveyStatus = "undecided" if answer else "refuted"
        return SurveyRow(
            **known, **said, status=status, reason=reason, counterexample=None if answer else example
        )
    return SurveyRow(**known, **said, **_told(answer.attempt, tried, tried.counterexample))


def _told(proof: Attempt, asked: SurveyStatement, example: Counterexample | None = None) -> dict[str, Any]:
    """What a row says of a proof. example: where what was asked is wrong in small tables."""
    proved = proof.status == "proved"
    return {
        "status": proof.status,
        "condition": _condition(proof, asked.where) if proved and not proof.unnamed else None,
        "exactly": proved and proof.exactly,
        "states": proof.automaton.states if proved and proof.unnamed and proof.automaton else None,
        "reason": proof.reason,
        "counterexample": None if proved else _example(proof.counterexample or example, asked.target),
        "procedures": proof.procedures,
        "proof": proof.proof,
    }


def _row_of_discovery(answer: Answer, known: Mapping[str, Any]) -> SurveyRow:
    found = answer.found
    looked: dict[str, Any] = {"claim": DISCOVERY, "none_up_to": answer.none_up_to}
    if found is None:
        return SurveyRow(**known, **_NOTHING, **looked, status=NOTHING, reason=answer.reason)
    said: dict[str, Any] = {
        name: getattr(found, name) for name in ("formula", "target", "where", "latex", "engine", "checked")
    }
    if answer.attempt is None:
        return SurveyRow(**known, **said, **looked, status="undecided", reason=answer.reason)
    return SurveyRow(**known, **said, **looked, **_told(answer.attempt, found))


def _condition(proof: Attempt, where: str) -> str:
    """What a proof asks beyond what the statement itself does."""
    return str(beyond(parse_condition(where), proof.where))


def _row_of_period(answer: Answer, known: Mapping[str, Any]) -> SurveyRow:
    row = answer.row
    if row is None:
        return SurveyRow(**known, **_NOTHING, claim=PERIOD, status="undecided", reason=answer.reason)
    proved = row.status == "proved"
    return SurveyRow(
        **known,
        formula="" if row.formula is None else str(row.formula),
        latex=row.latex or "",
        target=str(row.target),
        where=str(conjunction(equalities({**row.parameters, **row.row}.items()), row.where)),
        claim=PERIOD,
        status="proved" if proved else "undecided",
        condition="True" if proved else None,
        preperiod=row.preperiod,
        period=row.period,
        reason=row.reason,
        checked=row.checked,
        procedures=("certificate of a period",) if proved else (),
        proof=row.proof,
    )


def _example(example: Counterexample | None, target: str) -> str | None:
    return None if example is None else counterexample_text(example, parse_target(target))


def counted(statuses: Iterable[str], no_game: int = 0) -> str:
    """Say how many rows are of each status. no_game: how many combinations of the slots' values are none."""
    found = Counter(statuses)
    told = [status for status in SURVEY_STATUSES if status != NOTHING or found[NOTHING]]
    counts = [f"{found[status]:,} {status}" for status in told]
    return ", ".join([*counts, f"{no_game:,} no game"] if no_game else counts)


def counted_in(table: Path) -> str:
    """The same of a survey's table."""
    import pyarrow.parquet as pq

    rows = pq.read_table(table, columns=["status"])
    said = json.loads(pq.read_metadata(table).metadata[_METADATA])
    return counted(rows["status"].to_pylist(), said.get("no_game", 0))


# -- as a table --------------------------------------------------------------------------------------------------------


def survey_frame(rows: Sequence[SurveyRow]) -> pd.DataFrame:
    """A row each, with a column for every slot, as it is filled, and for every other field."""
    import pandas as pd

    slots = [*rows[0].filled] if rows else []
    names = [each.name for each in fields(SurveyRow) if each.name not in ("slots", "filled")]
    cells = [
        {
            **{f"{_SLOT}{slot}": row.filled[slot] for slot in slots},
            **{name: getattr(row, name) for name in names},
            "procedures": "; ".join(row.procedures),
        }
        for row in rows
    ]
    frame = pd.DataFrame(
        cells, columns=["game", *(f"{_SLOT}{slot}" for slot in slots), *names[:4], *names[5:]]
    )
    whole_numbers = ("states", "preperiod", "period", "same_as", "alike", "none_up_to")
    return frame.astype(dict.fromkeys(whole_numbers, "Int64"))


def write_survey(rows: Sequence[SurveyRow], no_game: int, made: Mapping[str, Any], path: Path) -> None:
    """The rows as Parquet, with by what they were made in the metadata; see ``counted``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(survey_frame(rows), preserve_index=False)
    with (
        whole(path) as temporary,
        pq.ParquetWriter(temporary, table.schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        writer.write_table(table)
        writer.add_key_value_metadata({_METADATA: json.dumps({**made, "no_game": no_game})})
