"""The schema of a ruleset file: its keys, and the text that each takes.

``elaborate`` turns these texts into a ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from grundylab.games.yamlfile import Strict
from grundylab.language.parser import MAX_DIGITS

# Limits on the parts of a ruleset: several times the needs of the games in the literature, and so small that costs
# that grow with the square or the product of such numbers stay small.
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
        raise ValueError("expected one line of text")
    return text


def _plain_digits(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]+", value):  # Python reads 1_0, too
        raise ValueError(f"expected a whole number, not '{value}'")
    return value


def _few_digits(number: int) -> int:
    if abs(number) >= 10**MAX_DIGITS:
        raise ValueError(f"a number has at most {MAX_DIGITS} digits")
    return number


def _file_name(text: str) -> str:
    if not re.fullmatch(r"\w[\w.+-]*", text):
        raise ValueError(f"'{text}' cannot name a file: use letters, digits, '-', '_' and '.'")
    return text


OneLine = Annotated[str, Field(max_length=MAX_LINE), AfterValidator(_one_line)]
FileName = Annotated[str, Field(max_length=MAX_ID), AfterValidator(_file_name)]
PlainNumber = Annotated[int, BeforeValidator(_plain_digits), AfterValidator(_few_digits)]


def _several(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return [value] if isinstance(value, str | dict) else value


class SourceSpec(Strict):
    """The printed source of a game: a paper's file name without ending and places in it, or a reference in words."""

    paper: FileName | None = Field(
        default=None, description="The paper's file name in papers, without its ending."
    )
    at: Annotated[tuple[OneLine, ...], BeforeValidator(_several, json_schema_input_type=str | list[str])] = (
        Field(default=(), description="The place in the paper, such as Definition 4.1, or a list of places.")
    )
    text: OneLine = Field(
        default="",
        description="The reference in words, if there is no file of the paper. source: TEXT is short for it.",
    )

    @model_validator(mode="before")
    @classmethod
    def _in_words(cls, data: Any) -> Any:  # noqa: ANN401 - raw YAML
        return {"text": data} if isinstance(data, str) else data

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return a JSON schema that accepts the mapping, or one text in its place."""
        schema = handler(core)
        mapping = handler.resolve_ref_schema(schema)
        whole = dict(mapping)
        mapping.clear()
        mapping["anyOf"] = [{"type": "string"}, whole]
        return schema

    @model_validator(mode="after")
    def _one_form(self) -> SourceSpec:
        if (self.paper is None) == (not self.text) or (self.text and self.at):
            raise ValueError("a source is {paper: FILE, at: PLACE} with a file in papers, or a text")
        return self


class CaseSpec(Strict):
    """One case of a function: ``{when: z > 0, value: z - 1}`` or ``{otherwise: 0}``."""

    when: str | None = Field(default=None, description="The condition of this case.")
    value: str | None = Field(
        default=None, description="The value where this condition is true and no earlier one is."
    )
    otherwise: str | None = Field(default=None, description="The value in all other cases.")

    @model_validator(mode="after")
    def _one_form(self) -> CaseSpec:
        if (self.otherwise is None) == (self.when is None) or (self.when is None) != (self.value is None):
            raise ValueError("a case is {when: CONDITION, value: NUMBER} or {otherwise: NUMBER}")
        return self


class FunctionSpec(Strict):
    """A function, defined under exactly one of the keys expression, cases, recurrence, positions and any.

    The key ``initial`` goes with ``recurrence``.
    """

    expression: str | None = Field(
        default=None, description="The value as a formula; the key may be left out, as in f(x): floor(x/2)."
    )
    cases: list[CaseSpec] | None = Field(
        default=None,
        max_length=MAX_CASES,
        description="The value by cases; the first case whose condition is true counts.",
    )
    recurrence: str | None = Field(
        default=None,
        description="The value, computed from the values at smaller arguments, as in f(k-1) + f(k-2).",
    )
    initial: dict[PlainNumber, PlainNumber] = Field(
        default_factory=dict,
        max_length=MAX_INITIAL,
        description="The first values of a recurrence: {1: 1, 2: 2}.",
    )
    positions: list[str] | None = Field(
        default=None,
        max_length=MAX_LISTED,
        description="The arguments at which the value is 1; elsewhere it is 0.",
    )
    any: str | None = Field(
        default=None,
        description="A condition, if the rules leave the function open: the ruleset is then the family of "
        "games of all functions that satisfy it.",
    )

    @model_validator(mode="after")
    def _one_form(self) -> FunctionSpec:
        every = (self.expression, self.cases, self.recurrence, self.positions, self.any)
        if sum(form is not None for form in every) != 1 or [] in every:
            raise ValueError(
                "a function is an expression, or 'cases:', or 'recurrence:' with 'initial:', or 'positions:', or 'any:'"
            )
        if self.initial and self.recurrence is None:
            raise ValueError("'initial:' requires 'recurrence:'")
        return self


def _function(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return {"expression": value} if isinstance(value, str) else value


TAKES = (
    "write a letter for any number, as in take: t, a range 1..3, a number from 1 on, an expression of parameters such "
    "as m + 1, or a list, as in take: [1, 3, m]"
)


class MoveSpec(Strict):
    """A move: the short form ``{take: t, from: x}``, or choices ``for``, guard ``when``, and ``to``."""

    name: OneLine | None = Field(default=None, description="The name of the move in messages.")
    take: str | list[str] | None = Field(
        default=None,
        description="The number of stones that are taken: a letter for any number, a range such as 1..3, a number, an "
        "expression of parameters such as m + 1, or a list such as [1, 3, m].",
    )
    from_: str | None = Field(
        default=None, alias="from", description="The coordinate from which the stones are taken."
    )
    for_: dict[str, str] = Field(
        default_factory=dict,
        alias="for",
        max_length=MAX_CHOICES,
        description="Numbers that the player chooses, each with its range, which may mention earlier choices.",
    )
    when: str | None = Field(default=None, description="The condition under which the move is allowed.")
    to: Annotated[
        list[dict[str, str]],
        Field(max_length=MAX_PARTS),
        BeforeValidator(_several, json_schema_input_type=dict[str, str] | list[dict[str, str]]),
    ] = Field(
        default_factory=list,
        description="The new values of coordinates; a coordinate that is not named keeps its value. A list is the sum "
        "of several positions, each of which names every coordinate.",
    )

    @model_validator(mode="after")
    def _one_form(self) -> MoveSpec:
        if self.take is not None and not self.take:
            raise ValueError(f"'take:' is empty; {TAKES}")
        if (self.take is None) != (self.from_ is None):
            raise ValueError("'take:' and 'from:' go together, as in {take: t, from: x}")
        if (self.take is None) == (not self.to):
            raise ValueError(
                "a move has either 'take:' and 'from:', or 'to:' (with 'for:' and 'when:'), which names what changes"
            )
        if self.take is not None and self.for_:
            raise ValueError("'for:' goes with 'to:', not with 'take:'")
        return self


class PassSpec(Strict):
    """The one-time pass and the condition under which it may be made."""

    when: str = Field(default="True", description="The condition under which the pass may be made.")


def _a_pass(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    if isinstance(value, str):
        raise ValueError("write pass: {} for a pass that is always allowed, or pass: {when: x > 0}")
    return value


class TableSpec(Strict):
    """A printed table: two coordinates number the rows and the columns, or each line is a position and its entry."""

    rows: dict[str, str] | None = Field(
        default=None, description="The coordinate that numbers the rows, with its range."
    )
    columns: dict[str, str] | list[str] = Field(
        description="The coordinate that numbers the columns, with its range; or a list of coordinates: each line is "
        "then their values and the entry."
    )
    with_: dict[str, PlainNumber] = Field(
        default_factory=dict,
        alias="with",
        description="The coordinates and parameters that are the same in the whole table.",
    )
    entries: str = Field(description="The entries, line by line; a dot stands for a blank.")

    @model_validator(mode="after")
    def _one_form(self) -> TableSpec:
        grid = isinstance(self.columns, dict)
        if grid != (self.rows is not None) or (grid and {len(self.columns), len(self.rows or {})} != {1}):
            raise ValueError(
                "a table has 'rows: {y: 0..7}' and 'columns: {z: 0..15}', or 'columns: [x, y]' and a value a line"
            )
        return self


_KINDS = {
    "formula": "formula",
    "positions": "positions",
    "table": "table",
    "every_option": "every-option",
    "some_option": "some-option",
    "condition": "condition",
}
_DESCRIBING = ("formula", "positions", "table")  # kinds of claims that need a target


class PlacedSpec(Strict):
    """The id of a claim, its place in a paper, and its target."""

    id: Annotated[str, Field(max_length=MAX_ID)] = Field(
        description="The name by which commands call the claim."
    )
    at: OneLine = Field(default="", description="Its place in the paper, such as Theorem 2.")
    unpublished: bool = Field(default=False, description="true if it is not from a paper.")
    paper: FileName | None = Field(default=None, description="The paper, if it is not the ruleset's.")
    values: dict[str, FileName] = Field(
        default_factory=dict,
        max_length=MAX_CHOICES,
        description="Functions that give Grundy numbers of other positions: {G: this} of this ruleset, {G: nim} of "
        "another.",
    )
    target: str | None = Field(
        default=None,
        description="The target of a formula, of positions or of a table: p for the P-positions, grundy for the Grundy"
        " numbers, grundy == 2 for the positions with Grundy number 2.",
    )


class StatementSpec(Strict):
    """The statement of a claim, in one of its kinds, and the positions that it concerns."""

    where: str = Field(
        default="True", description="The condition on the positions and parameters that the claim is about."
    )
    formula: str | None = Field(
        default=None, description="A formula for the target: of p a condition, of grundy a number."
    )
    positions: list[str] | None = Field(
        default=None,
        max_length=MAX_LISTED,
        description='The positions with the target, as a list such as "2, 4*k + 1, 4*k + 4 for k >= 2"; names that '
        "are not coordinates are indices.",
    )
    table: TableSpec | None = Field(default=None, description="A printed table of the target.")
    every_option: str | None = Field(
        default=None,
        alias="every-option",
        description="A condition that every option of each position satisfies.",
    )
    some_option: str | None = Field(
        default=None,
        alias="some-option",
        description="A condition that some option of each position satisfies.",
    )
    condition: str | None = Field(default=None, description="A condition that is always true.")
    for_: dict[str, str] = Field(
        default_factory=dict,
        alias="for",
        max_length=MAX_CHOICES,
        description="Further variables of a condition, each with its range.",
    )

    @property
    def kinds(self) -> list[str]:
        """The kinds of statements whose keys the file gives."""
        return [kind for name, kind in _KINDS.items() if getattr(self, name) is not None]


class ClaimSpec(
    StatementSpec, PlacedSpec
):  # the order of the bases is that of the keys in the reference, reversed
    """A published statement of one kind, as printed; ``unpublished`` marks a statement that is from no paper."""

    instead: StatementSpec | None = Field(
        default=None,
        description="The correct statement, if the claim is false: only the keys that differ from the claim's.",
    )
    note: str = Field(default="", description="Further remarks on the claim.")

    @property
    def kind(self) -> str:
        """The kind of the claim."""
        return self.kinds[0]

    def corrected(self) -> ClaimSpec:
        """Return the claim with the keys of ``instead`` in place of its own.

        A kind in ``instead`` replaces the claim's kind, too.
        """
        assert self.instead is not None
        given = {name: getattr(self.instead, name) for name in self.instead.model_fields_set}
        other = dict.fromkeys(_KINDS) if self.instead.kinds else {}
        return self.model_copy(update={**other, **given, "instead": None})

    @model_validator(mode="after")
    def _one_kind(self) -> ClaimSpec:
        if len(self.kinds) != 1 or self.positions == []:
            raise ValueError("a claim is one of: " + ", ".join(f"'{kind}:'" for kind in _KINDS.values()))
        if self.target is None and self.kind in _DESCRIBING:
            raise ValueError(f"with '{self.kind}:' goes a target, as in target: p or target: grundy")
        if self.target is not None and self.kind not in _DESCRIBING:
            raise ValueError("remove 'target:': only 'formula:', 'positions:' and 'table:' have a target")
        if self.for_ and self.kind != "condition":
            raise ValueError("'for:' requires 'condition:'")
        if self.instead is not None:
            if len(self.instead.kinds) > 1 or not self.instead.model_fields_set:
                raise ValueError(
                    "'instead:' needs another condition 'where:', or one statement, such as 'formula:'"
                )
            type(self).model_validate(self.corrected().model_dump(by_alias=True, exclude_none=True))
        return self


class RulesetSpec(Strict):
    """A whole ruleset file."""

    _instead: ClassVar[Mapping[str, str]] = {
        "misere": "write play: misere",
        "misère": "write play: misere",
        "meanings": "say what names mean in description:",
    }

    title: OneLine = Field(description="The title of the game.")
    source: SourceSpec | None = Field(default=None, description="The printed source of the game.")
    description: str = Field(default="", description="Further remarks on the game.")
    extends: str | None = Field(
        default=None, description="A ruleset whose keys this one inherits and changes."
    )
    parameters: dict[str, str] = Field(
        default_factory=dict,
        max_length=MAX_PARAMETERS,
        description="Numbers that stay fixed through a game, each with the condition on it: {m: m >= 1}.",
    )
    piles: Annotated[PlainNumber, Field(ge=1, le=6)] | None = Field(
        default=None,
        description="The number of piles: x then stands for that many of x, y, z, w, v, u.",
    )
    position: dict[str, str] = Field(
        max_length=MAX_COORDINATES,
        description="The coordinates of a position, each with its range, both ends included: {x: 0..N}. A bound such "
        "as N is the edge of a table: it is given when the table is solved, and is not part of the game.",
    )
    where: str = Field(default="True", description="The condition that every position of the game satisfies.")
    functions: dict[
        str, Annotated[FunctionSpec, BeforeValidator(_function, json_schema_input_type=str | FunctionSpec)]
    ] = Field(
        default_factory=dict,
        max_length=MAX_FUNCTIONS,
        description="Functions that rules and claims may call: {h(z): floor(z/2)}.",
    )
    moves: list[MoveSpec] = Field(max_length=MAX_MOVES, description="The list of the game's moves.")
    pass_: Annotated[PassSpec, BeforeValidator(_a_pass)] | None = Field(
        default=None,
        alias="pass",
        description="A pass that may be made once in a game, wherever another move exists: {}, or {when: x >= 2} with "
        "a condition. It adds the coordinate p, which is 1 until the pass is used and then 0.",
    )
    play: Literal["normal", "misere"] = Field(
        default="normal",
        description="In normal play, the player who cannot move loses; in misere play that player wins, and only "
        "outcomes are solved.",
    )
    measure: str | None = Field(
        default=None,
        description="A number that every move lowers, so that every game ends; by default the sum of the "
        "coordinates.",
    )
    claims: list[ClaimSpec] = Field(
        default_factory=list,
        max_length=MAX_CLAIMS,
        description="Statements about the game, to be verified and proved.",
    )
