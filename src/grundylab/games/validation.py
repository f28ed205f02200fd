"""Documents held against pydantic models: the first thing wrong, with its file, line and key."""

from __future__ import annotations

import difflib
from collections.abc import Sized
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from grundylab.errors import GrundylabError
from grundylab.games.yamlfile import Document

Model = TypeVar("Model", bound=BaseModel)


class Strict(BaseModel):
    """A frozen model that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)


def validate(model: type[Model], document: Document, error: type[GrundylabError]) -> Model:
    """The document as the model; raises ``error`` at the place of the first fault."""
    try:
        return model.model_validate(document.data)
    except ValidationError as problem:
        first = min(problem.errors(), key=lambda detail: detail["type"] != "extra_forbidden")
        path = tuple(first["loc"])
        raise error(_message(first, model), document.place(path)).at(key=".".join(map(str, path))) from None


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


def _message(detail: ErrorDetails, model: type[BaseModel]) -> str:
    *parents, key = detail["loc"] or ("",)
    if detail["type"] == "extra_forbidden":
        known = sorted(_fields_at(model, parents))
        close = difflib.get_close_matches(str(key), known, n=1)
        hint = f"; known keys: {', '.join(known)}" if known else ""
        if close:
            hint = f"; did you mean '{close[0]}'?"
        return f"unknown key '{key}'{hint}"
    if detail["type"] not in _WORDS:
        return detail["msg"]
    given = detail["input"]
    known_of = {"length": len(given) if isinstance(given, Sized) else 0, **detail.get("ctx", {})}
    return _WORDS[detail["type"]].format(key=key, input=given, **known_of)


def _fields_at(model: type[BaseModel], parents: list[Any]) -> set[str]:
    """The keys that the model at this key path knows (as they are spelled in the file)."""
    current: Any = model
    for part in parents:  # an index or key into a list or dict of models is no field: the model stays
        current = _model_in(_annotations(current).get(str(part), current))
    return set(_annotations(current))


def _annotations(model: Any) -> dict[str, Any]:  # noqa: ANN401 - a typing form
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        return {}
    return {info.alias or name: info.annotation for name, info in model.model_fields.items()}


def _model_in(annotation: Any) -> Any:  # noqa: ANN401 - a typing form
    """The model that an annotation such as ``list[Move] | None`` holds, or the annotation."""
    if isinstance(annotation, type) and not getattr(annotation, "__args__", None):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_in(argument)
        if isinstance(found, type) and issubclass(found, BaseModel):
            return found
    return annotation
