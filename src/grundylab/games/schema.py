"""The form of a ruleset file: which keys there are, which text each takes. Meaning comes in ``elaborate``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from grundylab.games.yamlfile import Strict
from grundylab.language.parser import MAX_DIGITS

# How many of a sort a ruleset may have: several times what the games in the literature need, and so few that whatever
# grows with their square or with their product stays small.
MAX_COORDINATES = 16
MAX_PARAMETERS = 16
MAX_FUNCTIONS = 50
MAX_CASES = 100
MAX_INITIAL = 1_000
MAX_LISTED = 500
MAX_MOVES = 200
MAX_CHOICES = 8
MAX_PARTS = 8
MAX_CLAIMS = 500
MAX_LINE = 300  # characters of a title, a name or a place in a paper
MAX_ID = 80  # characters of a claim's id, which is part of file names


def _one_line(text: str) -> str:
    if "\n" in text:
        raise ValueError("one line of text is needed here")
    return text


def _plain_digits(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]+", value):  # Python reads 1_0, too
        raise ValueError(f"a whole number is needed here, not '{value}'")
    return value


def _few_digits(number: int) -> int:
    if abs(number) >= 10**MAX_DIGITS:
        raise ValueError(f"a number has at most {MAX_DIGITS} digits")
    return number


def _file_name(text: str) -> str:
    if not re.fullmatch(r"\w[\w.+-]*", text):
        raise ValueError(f"'{text}' cannot name a file: use letters, digits, '-', '_' and '.'")
    return text


Line = Annotated[str, Field(max_length=MAX_LINE), AfterValidator(_one_line)]
FileName = Annotated[str, Field(max_length=MAX_ID), AfterValidator(_file_name)]
Number = Annotated[int, BeforeValidator(_plain_digits), AfterValidator(_few_digits)]


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return [value] if isinstance(value, str) else value


class Source(Strict):
    """Where a game is printed: the paper's file name without ending, and one place in it or several."""

    paper: FileName
    at: Annotated[tuple[Line, ...], BeforeValidator(_several, json_schema_input_type=str | list[str])] = ()


class CaseSpec(Strict):
    """One case of a function: ``{when: z > 0, value: z - 1}`` or ``{otherwise: 0}``."""

    when: str | None = None
    value: str | None = None
    otherwise: str | None = None

    @model_validator(mode="after")
    def _one_form(self) -> CaseSpec:
        if (self.otherwise is None) == (self.when is None) or (self.when is None) != (self.value is None):
            raise ValueError("a case is {when: CONDITION, value: NUMBER} or {otherwise: NUMBER}")
        return self


class FunctionSpec(Strict):
    """A function: one of expression, cases, recurrence (with initial values), positions (1 there, else 0), any."""

    expression: str | None = None
    cases: list[CaseSpec] | None = Field(default=None, max_length=MAX_CASES)
    recurrence: str | None = None
    initial: dict[Number, Number] = Field(default_factory=dict, max_length=MAX_INITIAL)
    positions: list[str] | None = Field(default=None, max_length=MAX_LISTED)
    any: str | None = None

    @model_validator(mode="after")
    def _one_form(self) -> FunctionSpec:
        every = (self.expression, self.cases, self.recurrence, self.positions, self.any)
        if sum(form is not None for form in every) != 1 or [] in every:
            raise ValueError(
                "a function is an expression, or 'cases:', or 'recurrence:' with 'initial:', or 'positions:', or 'any:'"
            )
        if self.initial and self.recurrence is None:
            raise ValueError("'initial:' goes with 'recurrence:'")
        return self


def _function(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return {"expression": value} if isinstance(value, str) else value


def _parts(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return [value] if isinstance(value, dict) else value


class MoveSpec(Strict):
    """A move: the short form ``{take: t, from: x}``, or choices ``for``, guard ``when``, and ``to``.

    take: a name for any number, a range, or the numbers that may be taken.
    """

    name: Line | None = None
    take: str | list[str] | None = Field(default=None, min_length=1)
    from_: str | None = Field(default=None, alias="from")
    for_: dict[str, str] = Field(default_factory=dict, alias="for", max_length=MAX_CHOICES)
    when: str | None = None
    to: Annotated[
        list[dict[str, str]],
        Field(max_length=MAX_PARTS),
        BeforeValidator(_parts, json_schema_input_type=dict[str, str] | list[dict[str, str]]),
    ] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_form(self) -> MoveSpec:
        if (self.take is None) != (self.from_ is None):
            raise ValueError("'take:' and 'from:' go together, as in {take: t, from: x}")
        if (self.take is None) == (not self.to):
            raise ValueError("a move has either 'take:' and 'from:', or 'to:' (with 'for:' and 'when:')")
        if self.take is not None and self.for_:
            raise ValueError("'for:' goes with 'to:', not with 'take:'")
        return self


class PassSpec(Strict):
    """The one-time pass and the condition under which it may be made."""

    when: str = "True"


def _a_pass(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    if isinstance(value, str):
        raise ValueError("write pass: {} for a pass that is always allowed, or pass: {when: x > 0}")
    return value


class TableSpec(Strict):
    """A printed table: one coordinate numbers the rows and one the columns; or the columns name the coordinates.

    rows, columns: ``{x: 0..25}``; with a list of coordinates as columns each line ends with the value there.
    """

    rows: dict[str, str] | None = None
    columns: dict[str, str] | list[str]
    with_: dict[str, Number] = Field(default_factory=dict, alias="with")
    entries: str

    @model_validator(mode="after")
    def _one_form(self) -> TableSpec:
        grid = isinstance(self.columns, dict)
        if grid != (self.rows is not None) or (grid and {len(self.columns), len(self.rows or {})} != {1}):
            raise ValueError(
                "a table has 'rows: {y: 0..7}' and 'columns: {z: 0..15}', or 'columns: [x, y]' and a value a line"
            )
        return self


_KINDS = ("formula", "positions", "table", "every-option", "some-option", "condition")


class ClaimSpec(Strict):
    """A published statement, as printed, of one kind; ``unpublished`` if it is not from the literature but found."""

    id: Annotated[str, Field(max_length=MAX_ID)]
    at: Line = ""
    unpublished: bool = False
    paper: FileName | None = None
    where: str = "True"
    values: dict[str, FileName] = Field(default_factory=dict, max_length=MAX_CHOICES)
    target: str | None = None
    formula: str | None = None
    positions: list[str] | None = Field(default=None, max_length=MAX_LISTED)
    table: TableSpec | None = None
    every_option: str | None = Field(default=None, alias="every-option")
    some_option: str | None = Field(default=None, alias="some-option")
    condition: str | None = None
    for_: dict[str, str] = Field(default_factory=dict, alias="for", max_length=MAX_CHOICES)
    note: str = ""

    @property
    def kind(self) -> str:
        """Which of the kinds of claims it is."""
        return self._given[0]

    @property
    def _given(self) -> list[str]:
        given = (
            self.formula, self.positions, self.table, self.every_option, self.some_option, self.condition,
        )  # fmt: skip
        return [kind for kind, form in zip(_KINDS, given, strict=True) if form is not None]

    @model_validator(mode="after")
    def _one_kind(self) -> ClaimSpec:
        if len(self._given) != 1 or self.positions == []:
            raise ValueError("a claim is one of: " + ", ".join(f"'{kind}:'" for kind in _KINDS))
        if self.target is None and self.kind in _KINDS[:3]:
            raise ValueError(f"with '{self.kind}:' goes a target, as in target: p or target: grundy")
        if self.target is not None and self.kind not in _KINDS[:3]:
            raise ValueError("'target:' goes with 'formula:', 'positions:' and 'table:', and with these only")
        if self.for_ and self.kind != "condition":
            raise ValueError("'for:' goes with 'condition:'")
        return self


class RulesetSpec(Strict):
    """A whole ruleset file. meanings: what coordinates and parameters are, in a few words each."""

    _instead: ClassVar[Mapping[str, str]] = {"misere": "write play: misere", "misère": "write play: misere"}

    title: Line
    source: Source | None = None
    description: str = ""
    meanings: dict[str, Line] = Field(default_factory=dict, max_length=MAX_COORDINATES + MAX_PARAMETERS)
    extends: str | None = None
    parameters: dict[str, str] = Field(default_factory=dict, max_length=MAX_PARAMETERS)
    piles: Annotated[Number, Field(ge=1, le=6)] | None = None
    position: dict[str, str] = Field(max_length=MAX_COORDINATES)
    where: str = "True"
    functions: dict[
        str, Annotated[FunctionSpec, BeforeValidator(_function, json_schema_input_type=str | FunctionSpec)]
    ] = Field(default_factory=dict, max_length=MAX_FUNCTIONS)
    moves: list[MoveSpec] = Field(max_length=MAX_MOVES)
    pass_: Annotated[PassSpec, BeforeValidator(_a_pass)] | None = Field(default=None, alias="pass")
    play: Literal["normal", "misere"] = "normal"
    measure: str | None = None
    claims: list[ClaimSpec] = Field(default_factory=list, max_length=MAX_CLAIMS)
