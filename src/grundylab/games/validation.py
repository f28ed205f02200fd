"""Documents held against pydantic models: the first thing wrong, with its file, line and key."""

from __future__ import annotations

import difflib
from collections.abc import Sized
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from grundylab.errors import GrundylabError
from grundylab.games.yamlfile import Document

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:  # noqa: ANN401 - raw YAML
        known = sorted(info.alias or name for name, info in cls.model_fields.items())
        for key in data if isinstance(data, dict) else ():
            if key not in known:
                close = difflib.get_close_matches(str(key), known, n=1)
                hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(known)}"
                raise PydanticCustomError(
                    "unknown_key", "unknown key '{key}'; {hint}", {"key": key, "hint": hint}
                )
        return data


def validate(model: type[Model], document: Document, error: type[GrundylabError]) -> Model:
    """The document as the model; raises ``error`` at the place of the first fault."""
    try:
        return model.model_validate(document.data)
    except ValidationError as problem:
        first = min(problem.errors(), key=lambda detail: detail["type"] != "unknown_key")
        path = (*first["loc"], *([first["ctx"]["key"]] if first["type"] == "unknown_key" else ()))
        raise error(_message(first), document.place(path)).at(key=".".join(map(str, path))) from None


_WORDS = {
    "missing": "the key '{key}' is missing",
    "string_type": "a line of text is needed here",
    "int_parsing": "a whole number is needed here, not '{input}'",
    "int_type": "a whole number is needed here, not '{input}'",
    "int_parsing_size": "a whole number of fewer digits is needed here",
    "dict_type": "a mapping of 'key: value' is needed here",
    "model_type": "a mapping of 'key: value' is needed here",
    "model_attributes_type": "a mapping of 'key: value' is needed here",
    "list_type": "a list is needed here",
    "tuple_type": "a list is needed here",
    "literal_error": "'{input}' is not one of {expected}",
    "greater_than_equal": "at least {ge} is needed here, not {input}",
    "less_than_equal": "at most {le} is possible here, not {input}",
    "too_long": "at most {max_length:,} are possible here, not {length:,}",
    "string_too_long": "at most {max_length:,} characters are possible here, not {length:,}",
    "value_error": "{error}",
}


def _message(detail: ErrorDetails) -> str:
    *_, key = detail["loc"] or ("",)
    if detail["type"] not in _WORDS:
        return detail["msg"]
    given = detail["input"]
    known_of = {"length": len(given) if isinstance(given, Sized) else 0, **detail.get("ctx", {})}
    return _WORDS[detail["type"]].format(key=key, input=given, **known_of)
