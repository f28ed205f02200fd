"""Data frames as samples, validated once: a column to explain, other columns as variables, whole numbers throughout."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Number
from typing import TYPE_CHECKING, Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.check.table_files import refuse_repeated
from grundylab.errors import FormulaError, GrundylabError, number_text, visible
from grundylab.games.instance import LARGEST_NUMBER
from grundylab.games.model import A_CONDITION, A_NUMBER, GRUNDY, P_POSITIONS, Target, parse_target
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.parser import MAX_NAME
from grundylab.language.syntax import RESERVED, TRUE, Expr, Kind, free_names
from grundylab.numeric import Array
from grundylab.solve.table import ATTRIBUTE, GRUNDY_COLUMN, OUTCOME_COLUMN

if TYPE_CHECKING:
    import pandas as pd

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
ANSWERS = (GRUNDY_COLUMN, OUTCOME_COLUMN)
_EXACT = 2**53  # floats up to this magnitude represent whole numbers exactly
_FRACTIONS = "multiply the column until its numbers are whole"
_NUMBERED = "give whole numbers, or leave the column out"


@dataclass(frozen=True)
class FrameSamples:
    """Samples from a data frame, and the target that they are samples of.

    rows: for each sample the number of its row in the frame, from 1.
    """

    samples: Samples
    target: Target
    rows: Array


def frame_samples(frame: pd.DataFrame, target: Target | str, where: Expr = TRUE) -> tuple[Samples, Target]:
    """Return the samples of a frame to learn from, and their target, as ``read_frame`` does.

    Also raises GrundylabError if there is nothing to learn from, or if two rows contradict each other.
    """
    read = read_frame(frame, target, where)
    if not read.samples.names or not len(frame):
        raise GrundylabError(
            "there is nothing to train on: give rows, and a column besides the one to explain"
        )
    if not len(read.samples):
        raise GrundylabError(f"there is nothing to train on: no row satisfies {where}")
    import pandas as pd

    names, answer = list(read.samples.names), ""  # no column has an empty name
    table = pd.DataFrame({**read.samples.columns, answer: read.samples.values})
    distinct = table.drop_duplicates()
    again = np.flatnonzero(distinct.duplicated(names).to_numpy())
    if again.size:
        second = distinct.index[again[0]]
        first = (table[names] == table.loc[second, names]).all(axis=1).to_numpy().argmax()
        values = (read.samples.values[place].item() for place in (first, second))
        raise GrundylabError(
            f"rows {read.rows[first]} and {read.rows[second]} contradict each other: all else is equal, but the "
            f"values are {next(values)} and {next(values)}; leave one out, or add a column that tells them apart"
        )
    return read.samples, read.target


def read_frame(frame: pd.DataFrame, target: Target | str, where: Expr = TRUE) -> FrameSamples:
    """Return a column of the frame as the target, and the others as variables, at the rows that satisfy ``where``.

    target: the name of a column; or, if no column has it, a target of a game's table such as ``p`` or ``grundy == 1``.
    A frame that ``Table.to_frame`` made, or that was read from a dataset, has an attribute that lists the columns of
    parameters and of bounds. Bounds are no variables, and if the target is a game's, neither are the columns ``grundy``
    and ``outcome``. Numbers must be whole and fit 64 bits. True and False count as 1 and 0, and a target with these
    values is a condition. The index is ignored. Raises GrundylabError, naming column and row, for an invalid frame.
    """
    check_columns(frame)
    attributes = attributes_of(frame)
    column, game_target = _column(frame, str(target), attributes)
    left_out = {column, *attributes.get("bounds", ())}
    if game_target is not None:
        left_out |= {*ANSWERS}
    names = [name for name in frame.columns if name not in left_out]
    parameters = tuple(name for name in attributes.get("parameters", ()) if name in names)
    names = [*(name for name in names if name not in parameters), *parameters]
    for name in names:
        check_name(name)
    if unknown := sorted(free_names(where) - set(names)):
        raise GrundylabError(f"{where}: there is no column '{unknown[0]}'")
    columns = {name: column_integers(frame[name], name) for name in names}
    values, kind = _values(frame, column, game_target)
    samples = Samples(tuple(names), columns, values, parameters)
    kept = np.flatnonzero(np.broadcast_to(evaluate_arrays(where, samples.columns), len(samples)))
    return FrameSamples(samples.at(kept), kind, kept + 1)


def usual_target(frame: pd.DataFrame, formula: Expr) -> Target:
    """Return the target that a formula has in the table of a game: ``grundy`` for a number, ``p`` for a condition.

    Raises FormulaError if the frame has no column for that target.
    """
    number = formula.kind is Kind.NUMBER
    if number and GRUNDY_COLUMN in frame.columns:
        return GRUNDY
    if not number and any(name in frame.columns for name in ANSWERS):
        return P_POSITIONS
    raise FormulaError("the formula needs a target: name the column, as in verify('x % 3', 'v', frame)")


# -- columns -------------------------------------------------------------------------------------------------------


def check_columns(frame: pd.DataFrame) -> None:
    """Raise GrundylabError unless the columns have different names, each one text."""
    if frame.columns.nlevels > 1:
        raise GrundylabError(
            "the columns have several levels of names; give each one word: frame.columns = ['x', 'y', 'v']"
        )
    for name in frame.columns:
        if not isinstance(name, str):
            raise GrundylabError(
                f"the name of the column {name!r} is not text; name it with letters: "
                f"frame.rename(columns={{{name!r}: 'x'}})"
            )
    refuse_repeated(frame.columns)


def attributes_of(frame: pd.DataFrame) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of columns in the frame's attribute ``grundylab``, by key, restricted to existing columns."""
    said = frame.attrs.get(ATTRIBUTE)
    if not isinstance(said, Mapping):
        return {}
    return {
        key: tuple(name for name in names if name in frame.columns)
        for key, names in said.items()
        if isinstance(names, list | tuple)
    }


def check_name(name: str) -> None:
    """Raise GrundylabError unless a formula can mention a column with this name."""
    if name in RESERVED:
        raise GrundylabError(
            f"a formula cannot mention a column '{name}', which is a word of its language; rename it, as in {name}_1"
        )
    if not NAME.fullmatch(name) or len(name) > MAX_NAME:
        raise GrundylabError(
            f"a formula cannot mention a column '{name[:MAX_NAME]}': name it with letters, such as x"
        )


def _column(
    frame: pd.DataFrame, target: str, attributes: Mapping[str, tuple[str, ...]]
) -> tuple[str, Target | None]:
    """Return the column from which the target is read, and the target if it is a game's, else None.

    attributes: the lists of columns in the frame's attribute. Raises GrundylabError if there is no such column.
    """
    columns = frame.columns
    of_a_game = dict[str, Target]()  # the targets of ``grundy`` and ``outcome``, if a game has such values
    if GRUNDY_COLUMN in columns and frame[GRUNDY_COLUMN].dtype != bool:
        of_a_game[GRUNDY_COLUMN] = GRUNDY
    if OUTCOME_COLUMN in columns and any(isinstance(outcome, str) for outcome in frame[OUTCOME_COLUMN]):
        of_a_game[OUTCOME_COLUMN] = P_POSITIONS
    if target in columns:
        if target == "p" and "p" in attributes.get("coordinates", ()):
            raise GrundylabError(
                f"'p' is a coordinate here; for the P-positions take the target '{OUTCOME_COLUMN}'"
            )
        return target, of_a_game.get(target)
    try:
        game_target = parse_target(target)
    except FormulaError:
        game_target = None
    if game_target == P_POSITIONS and of_a_game:
        return (OUTCOME_COLUMN if OUTCOME_COLUMN in of_a_game else GRUNDY_COLUMN), game_target
    if game_target is not None and game_target.name in ("grundy", "level") and GRUNDY_COLUMN in of_a_game:
        return GRUNDY_COLUMN, game_target
    raise GrundylabError(f"there is no column '{target}'; the columns are: {', '.join(columns) or 'none'}")


# -- values --------------------------------------------------------------------------------------------------------


def _values(frame: pd.DataFrame, column: str, game_target: Target | None) -> tuple[Array, Target]:
    """Return the value that a formula must have at each row, and the target, whose kind is number or condition."""
    values = frame[column]
    if column == OUTCOME_COLUMN and game_target is not None:
        return p_positions(values), P_POSITIONS
    if game_target is None and values.dtype.kind == "b":
        _refuse_missing(values, column)
        return values.to_numpy().astype(bool), replace(A_CONDITION, column=column)
    if game_target is not None and len(values) and values.isna().all():
        raise GrundylabError(f"column '{column}' has no values, only outcomes are known; take the target p")
    numbers = column_integers(values, column)
    if game_target is None or (numbers < 0).any():
        return numbers, replace(A_NUMBER, column=column)
    if game_target == GRUNDY:
        return numbers, game_target
    return numbers == (0 if game_target == P_POSITIONS else game_target.value), game_target


def p_positions(outcomes: pd.Series[Any]) -> Array:
    """Return the mask of the P-positions from a column of letters, P or N, which may be small.

    Raises GrundylabError, naming the row, for any other value.
    """
    _refuse_missing(outcomes, OUTCOME_COLUMN)
    letters = [outcome.upper() if isinstance(outcome, str) else outcome for outcome in outcomes]
    for row in np.flatnonzero([letter not in ("P", "N") for letter in letters])[:1]:
        raise _not_whole(OUTCOME_COLUMN, row, outcomes.iloc[row], "P or N")
    return np.array([letter == "P" for letter in letters], dtype=bool)


def column_integers(column: pd.Series[Any], name: str) -> Array:
    """Return the numbers of a column as an int64 array.

    Raises GrundylabError, naming the row, for a value that is missing, is not a whole number, or needs more than 64
    bits.
    """
    _refuse_missing(column, name)
    values = column.to_numpy()
    kind = values.dtype.kind
    if kind in "bi":
        return values.astype(np.int64)
    if kind == "u":
        for row in np.flatnonzero(values > LARGEST_NUMBER)[:1]:
            raise _too_large(name, row, int(values[row]))
        return values.astype(np.int64)
    if kind in "fO":
        return np.array([_integer(value, name, row) for row, value in enumerate(values.tolist())], np.int64)
    raise GrundylabError(f"column '{name}' holds {column.dtype}, not whole numbers; {_NUMBERED}")


def _integer(value: object, name: str, row: int) -> int:
    """Return a number of any type as a Python integer. Raises GrundylabError if it is not a whole number of 64 bits."""
    if isinstance(value, Number) and not isinstance(value, complex):
        try:
            number: int = int(value)  # type: ignore[call-overload]
        except (ValueError, OverflowError):
            raise _not_whole(name, row, value, "a whole number", _NUMBERED) from None
        if number - value != 0:  # type: ignore[operator]
            raise _not_whole(name, row, value, "a whole number", _FRACTIONS)
        if not -LARGEST_NUMBER - 1 <= number <= LARGEST_NUMBER:
            raise _too_large(name, row, number)
        if isinstance(value, float) and abs(number) > _EXACT:
            raise GrundylabError(
                f"column '{name}' holds {value} at row {row + 1}, a float that has lost its last digits; "
                "keep such numbers as integers"
            )
        return number
    raise _not_whole(name, row, value, "a whole number", _NUMBERED)


def _refuse_missing(column: pd.Series[Any], name: str) -> None:
    for row in np.flatnonzero(column.isna().to_numpy())[:1]:
        raise GrundylabError(
            f"column '{name}' has no value at row {row + 1}; leave such rows out: frame.dropna()"
        )


def _not_whole(name: str, row: int, value: object, wanted: str, remedy: str = "") -> GrundylabError:
    shown = visible(" ".join((repr(value) if isinstance(value, str) else str(value)).split()))[:40]
    return GrundylabError(
        f"column '{name}' holds {shown} at row {row + 1}, not {wanted}" + (f"; {remedy}" if remedy else "")
    )


def _too_large(name: str, row: int, number: int) -> GrundylabError:
    return GrundylabError(
        f"column '{name}' holds {number_text(number)} at row {row + 1}, which is too large to be stored; "
        f"numbers range from {-LARGEST_NUMBER - 1} to {LARGEST_NUMBER}"
    )
