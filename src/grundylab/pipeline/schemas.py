"""JSON schemas of rulesets, surveys and config.yaml, made from the models that read them, for completion in editors.

    python -m grundylab.pipeline.schemas    writes them into the folder ``schemas``

``grundylab init`` and ``new`` write them, too. A file names its schema in a comment on its first line. It describes the
keys and the types of their values, and not the language of formulas.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from grundylab.files import write_text
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
    keys: dict[str, Any] = _of_yaml(MODELS[name].model_json_schema())
    if name == "config":  # its model leaves the studies open, since they are read one by one
        study = _of_yaml(Keys.model_json_schema())
        keys["$defs"] = study.pop("$defs")
        keys["properties"]["studies"]["additionalProperties"] = study
    if name in ("ruleset", "survey"):  # required keys may come from the ruleset that it extends
        claims = keys["properties"]["claims"]
        claims["items"] = {"anyOf": [{"const": INHERITED}, claims["items"]]}
        keys["anyOf"] = [{"required": ["extends"]}, {"required": keys.pop("required")}]
        keys |= {"required": ["slots"]} if name == "survey" else {}
    return {"$schema": _DIALECT, **keys}


def _of_yaml(part: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the schema with numbers and truth values allowed as texts, and without titles, which repeat the keys."""
    if isinstance(part, list):
        return [_of_yaml(item) for item in part]
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


def schema_files() -> dict[str, str]:
    """Return the texts of the schemas' files, by their paths in a project."""
    return {f"{FOLDER}/{name}.json": json.dumps(schema(name), indent=1) + "\n" for name in MODELS}


def comment(name: str, folder: str = "") -> str:
    """Return the first line of a file: a comment that names its schema to editors.

    folder: the way from the file's folder to the project's, such as ``../``.
    """
    return f"# yaml-language-server: $schema={folder}{FOLDER}/{name}.json\n"


def write_missing_schemas() -> None:
    """Write the schemas that a project does not have yet."""
    for name, text in schema_files().items():
        if not Path(name).exists():
            write_text(Path(name), text)


if __name__ == "__main__":
    write_missing_schemas()
