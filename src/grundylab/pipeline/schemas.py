"""JSON schemas of rulesets, surveys and config.yaml, made of the models that read them: for editors, which complete.

    python -m grundylab.pipeline.schemas    writes those that are shipped; a test holds them equal to the models

A file names its schema in a comment on its first line. A schema knows keys and forms; what a text means, it does not.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from grundylab.files import shipped, write_json
from grundylab.games.load import INHERITED
from grundylab.games.schema import RulesetSpec
from grundylab.pipeline.config import ConfigSpec
from grundylab.pipeline.study import Keys
from grundylab.pipeline.survey_spec import SurveySpec

FOLDER = "schemas"
MODELS: dict[str, type[BaseModel]] = {"ruleset": RulesetSpec, "survey": SurveySpec, "config": ConfigSpec}
_TEXT = ["string", "number", "boolean"]  # what stands for a text in YAML, as in formula: 0, or where: True
_ENDS = {"ge": "minimum", "le": "maximum"}  # as pydantic writes them where a number has a reader of its own
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str) -> dict[str, Any]:
    """The schema of ``ruleset``, ``survey`` or ``config``."""
    found: dict[str, Any] = _of_yaml(MODELS[name].model_json_schema())
    if name == "config":  # of which a study is read by itself
        study = _of_yaml(Keys.model_json_schema())
        found["$defs"] = study.pop("$defs")
        found["properties"]["studies"]["additionalProperties"] = study
    if name in ("ruleset", "survey"):  # what one extends may have the rest
        claims = found["properties"]["claims"]
        claims["items"] = {"anyOf": [{"const": INHERITED}, claims["items"]]}
        found["anyOf"] = [{"required": ["extends"]}, {"required": found.pop("required")}]
        found |= {"required": ["slots"]} if name == "survey" else {}
    return {"$schema": _DIALECT, **found}


def _of_yaml(part: Any) -> Any:  # noqa: ANN401 - JSON
    """With every text as YAML may have it, and without titles, which repeat the keys."""
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
    """The line that names the shipped schema, for a file in the folder."""
    return f"# yaml-language-server: $schema={os.path.relpath(shipped(FOLDER) / f'{name}.json', folder)}\n"


def main() -> None:
    """Write the shipped ones."""
    for name in MODELS:
        write_json(shipped(FOLDER) / f"{name}.json", schema(name))


if __name__ == "__main__":
    main()
