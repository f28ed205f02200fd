"""Types of the fields of stored records: expressions, conditions, targets, which files hold as text; large numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, TypeVar

from pydantic import BeforeValidator, PlainSerializer, PlainValidator

from grundylab.errors import GrundylabError
from grundylab.games.model import Target, parse_target
from grundylab.language import Expr, parse, parse_condition

_T = TypeVar("_T")
_LONG = 10_000  # bits; Python writes no longer numbers in decimal, so that files hold them in hexadecimal
_KEPT = 1 << 14  # texts whose values are kept: a catalogue repeats them often


def text_field(kind: type[_T], read: Callable[[str], _T]) -> PlainValidator:
    """Return a validator that accepts a value of the type ``kind`` and parses a text with ``read``.

    The validator raises ValueError for a text that cannot be parsed, so that pydantic reports its field.
    """
    kept = lru_cache(maxsize=_KEPT)(read)

    def validated(value: object) -> _T:
        if isinstance(value, kind):
            return value
        if not isinstance(value, str):
            raise ValueError("expected a text")
        try:
            return kept(value)
        except GrundylabError as error:
            raise ValueError(error.message) from None

    return PlainValidator(validated, json_schema_input_type=str)


def _of_any_size(value: object) -> object:
    return int(value, 16) if isinstance(value, str) else value


def _short_in_json(number: int) -> int | str:
    return number if number.bit_length() <= _LONG else hex(number)


AS_TEXT = PlainSerializer(str, return_type=str)
FormulaField = Annotated[Expr, text_field(Expr, parse), AS_TEXT]
ConditionField = Annotated[Expr, text_field(Expr, parse_condition), AS_TEXT]
NumberField = Annotated[int, BeforeValidator(_of_any_size), PlainSerializer(_short_in_json)]
TargetField = Annotated[Target, text_field(Target, parse_target), AS_TEXT]
