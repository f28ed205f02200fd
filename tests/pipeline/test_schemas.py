"""The schemas for editors agree with the models: they accept every shipped file and mark wrong keys and forms."""

from functools import cache
from pathlib import Path

import jsonschema
import pytest
import yaml

from grundylab.files import package_folder, read_json
from grundylab.pipeline.schemas import MODELS, comment, schema

ROOT = Path(__file__).parents[2]
GAME = {"title": "t", "position": {"x": "0..N"}, "moves": [{"take": "t", "from": "x"}]}
STUDY = {"engines": ["search"], "studies": {"nim": {"targets": ["p"], "test": {"bounds": {"N": 8}}}}}


@cache
def validator(name):
    known = schema(name)
    kind = jsonschema.validators.validator_for(known)
    kind.check_schema(known)
    return kind(known)


@pytest.mark.parametrize("name", MODELS)
def test_the_shipped_schema_is_that_of_the_model(name):
    assert read_json(package_folder("schemas") / f"{name}.json", ValueError) == schema(name)


FILES = [
    ("config", ROOT / "config.yaml"),
    *(("ruleset", path) for path in sorted((ROOT / "rulesets").glob("*.yaml"))),
    *(("survey", path) for path in sorted((ROOT / "surveys").glob("*.yaml"))),
]


@pytest.mark.parametrize(("name", "path"), FILES, ids=lambda value: getattr(value, "stem", value))
def test_every_shipped_file_is_of_its_form(name, path):
    validator(name).validate(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize(
    "change",
    [
        {"move": []},
        {"misere": True},
        {"play": "Misère"},
        {"moves": {"take": "t"}},
        {"moves": [{"takes": "t", "from": "x"}]},
        {"claims": [{"target": "p", "formula": 0}]},
        {"position": ["x"]},
        {"piles": 7},
    ],
)
def test_a_ruleset_with_a_mistake_is_marked(change):
    validator("ruleset").validate(GAME)
    with pytest.raises(jsonschema.ValidationError):
        validator("ruleset").validate(GAME | change)


@pytest.mark.parametrize(
    "change", [{"engine": ["search"]}, {"studies": {"nim": {"tests": {}}}}, {"studies": {}}]
)
def test_a_configuration_with_a_mistake_is_marked(change):
    validator("config").validate(STUDY)
    with pytest.raises(jsonschema.ValidationError):
        validator("config").validate(STUDY | change)


def test_the_comment_leads_to_the_shipped_schema(tmp_path):
    for name in MODELS:
        start, _, path = comment(name, tmp_path).strip().partition("=")
        assert start == "# yaml-language-server: $schema"
        assert (tmp_path / path).resolve() == (package_folder("schemas") / f"{name}.json").resolve()
