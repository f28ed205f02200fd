"""JSON schemas of rulesets, surveys and config.yaml, made from the models that read them, for completion in editors.

    python -m grundylab.pipeline.schemas    writes the shipped schemas; a test compares them with the models

A file names its schema in a comment on its first line. A schema describes the keys and the types of their values; it
does not describe the language of formulas.
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
_TEXT = ["string", "number", "boolean"]  # YAML reads some texts as these: formula: 0, where: True
_ENDS = {"ge": "minimum", "le": "maximum"}  # pydantic's names if a number has its own validator
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str) -> dict[str, Any]:
    """Return the JSON schema called ``ruleset``, ``survey`` or ``config``."""
    found: dict[str, Any] = _of_yaml(MODELS[name].model_json_schema())
    if name == "config":  # its model leaves the studies open, since they are read one by one
        study = _of_yaml(Keys.model_json_schema())
        found["$defs"] = study.pop("$defs")
        found["properties"]["studies"]["additionalProperties"] = study
    if name in ("ruleset", "survey"):  # required keys may come from the ruleset that it extends
        claims = found["properties"]["claims"]
        claims["items"] = {"anyOf": [{"const": INHERITED}, claims["items"]]}
        found["anyOf"] = [{"required": ["extends"]}, {"required": found.pop("required")}]
        found |= {"required": ["slots"]} if name == "survey" else {}
    return {"$schema": _DIALECT, **found}


def _of_yaml(part: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the schema with numbers and truth values allowed as texts, and without titles, which repeat the keys."""
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
    """Return the first line for a file in the folder: a comment that names the shipped schema to editors."""
    return f"# yaml-language-server: $schema={os.path.relpath(package_folder(FOLDER) / f'{name}.json', folder)}\n"


def main() -> None:
    """Write the shipped schemas."""
    for name in MODELS:
        write_json(package_folder(FOLDER) / f"{name}.json", schema(name))


if __name__ == "__main__":
    main()
