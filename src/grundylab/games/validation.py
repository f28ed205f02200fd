"""Documents held against pydantic models: the first thing wrong, with its file, line and key."""

from __future__ import annotations

import difflib
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


def _message(detail: ErrorDetails, model: type[BaseModel]) -> str:
    *parents, key = detail["loc"] or ("",)
    match detail["type"]:
        case "extra_forbidden":
            known = sorted(_fields_at(model, parents))
            close = difflib.get_close_matches(str(key), known, n=1)
            hint = (
                f"; did you mean '{close[0]}'?"
                if close
                else f"; known keys: {', '.join(known)}"
                if known
                else ""
            )
            return f"unknown key '{key}'{hint}"
        case "missing":
            return f"the key '{key}' is missing"
        case "string_type":
            return "a line of text is needed here"
        case "int_parsing" | "int_type":
            return f"a whole number is needed here, not '{detail['input']}'"
        case "dict_type" | "model_type" | "model_attributes_type":
            return "a mapping of 'key: value' is needed here"
        case "list_type" | "tuple_type":
            return "a list is needed here"
        case "literal_error":
            return f"'{detail['input']}' is not one of {detail['ctx']['expected']}"
        case "greater_than_equal":
            return f"at least {detail['ctx']['ge']} is needed here, not {detail['input']}"
        case "less_than_equal":
            return f"at most {detail['ctx']['le']} is possible here, not {detail['input']}"
        case "too_long":
            return f"at most {detail['ctx']['max_length']:,} are possible here, not {len(detail['input']):,}"
        case "string_too_long":
            most, given = detail["ctx"]["max_length"], len(detail["input"])
            return f"at most {most:,} characters are possible here, not {given:,}"
        case "int_parsing_size":
            return "a whole number of fewer digits is needed here"
        case "value_error":
            return str(detail["ctx"]["error"])
        case _:
            return detail["msg"]


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
