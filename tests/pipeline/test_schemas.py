"""The schemas for editors agree with the models: they accept every shipped file and mark wrong keys and forms."""

import json
from functools import cache
from pathlib import Path

import jsonschema
import pytest
import yaml

from grundylab.cli.main import main
from grundylab.pipeline.schemas import schema

ROOT = Path(__file__).parents[2]
GAME = {"title": "t", "position": {"x": "0..N"}, "moves": [{"take": "t", "from": "x"}]}
STUDY = {"engines": ["search"], "studies": {"nim": {"targets": ["p"], "test": {"bounds": {"N": 8}}}}}


@cache
def validator(name):
    known = schema(name)
    kind = jsonschema.validators.validator_for(known)
    kind.check_schema(known)
    return kind(known)


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


def test_the_comment_of_each_new_file_leads_to_its_schema(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["init", "games"]) == main(["new", "mine"]) == 0
    for name, file in (
        ("config", "games/config.yaml"),
        ("ruleset", "games/rulesets/my-game.yaml"),
        ("ruleset", "rulesets/mine.yaml"),
    ):
        start, _, path = Path(file).read_text().splitlines()[0].partition("=")
        assert start == "# yaml-language-server: $schema"
        assert json.loads((Path(file).parent / path).read_text()) == schema(name)


def test_a_file_that_has_the_place_of_a_schema_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "ruleset.json").write_text("mine")
    assert main(["new", "mine"]) == 0
    assert (tmp_path / "schemas" / "ruleset.json").read_text() == "mine"
