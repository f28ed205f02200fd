"""JSON schemas of rulesets, surveys and config.yaml, made from the models that read them, for completion in editors.

    python -m grundylab.pipeline.schemas    writes the shipped ones; a test compares them with the models

A file names its schema in a comment on its first line. A schema describes keys and forms, not the meaning of texts.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from grundylab.files import package_folder, write_json
from grundylab.games.load import INHERITED
from grundylab.games.schema import RulesetSpec
from grundylab.pipeline.config import ConfigSpec
from grundylab.pipeline.study import Keys
from grundylab.pipeline.survey_spec import SurveySpec

FOLDER = "schemas"
MODELS: dict[str, type[BaseModel]] = {"ruleset": RulesetSpec, "survey": SurveySpec, "config": ConfigSpec}
_TEXT = ["string", "number", "boolean"]  # a text as YAML may write it, as in formula: 0, or where: True
_ENDS = {"ge": "minimum", "le": "maximum"}  # as pydantic writes them for a number with a validator of its own
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str) -> dict[str, Any]:
    """Return the schema of ``ruleset``, ``survey`` or ``config``."""
    found: dict[str, Any] = _of_yaml(MODELS[name].model_json_schema())
    if name == "config":  # whose studies are read one by one
        study = _of_yaml(Keys.model_json_schema())
        found["$defs"] = study.pop("$defs")
        found["properties"]["studies"]["additionalProperties"] = study
    if name in ("ruleset", "survey"):  # a ruleset that it extends may have the rest
        claims = found["properties"]["claims"]
        claims["items"] = {"anyOf": [{"const": INHERITED}, claims["items"]]}
        found["anyOf"] = [{"required": ["extends"]}, {"required": found.pop("required")}]
        found |= {"required": ["slots"]} if name == "survey" else {}
    return {"$schema": _DIALECT, **found}


def _of_yaml(part: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the schema with texts as YAML may write them, and without titles, which repeat the keys."""
    if isinstance(part, list):
        return [_of_yaml(each) for each in part]
    if not isinstance(part, dict):
        return part
    kept = {
        key: _of_yaml(value) for key, value in part.items() if not (key == "title" and isinstance(value, str))
    }
    for end, keyword in _ENDS.items():
        if end in kept:
            kept[keyword] = kept.pop(end)
    if kept.get("type") == "string" and "enum" not in kept:
        kept["type"] = _TEXT
    return kept


def comment(name: str, folder: Path) -> str:
    """Return the comment that names the shipped schema, for the first line of a file in the folder."""
    return f"# yaml-language-server: $schema={os.path.relpath(package_folder(FOLDER) / f'{name}.json', folder)}\n"


def main() -> None:
    """Write the shipped schemas."""
    for name in MODELS:
        write_json(package_folder(FOLDER) / f"{name}.json", schema(name))


if __name__ == "__main__":
    main()
