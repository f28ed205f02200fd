"""One game of a survey as a ruleset's file of its own, which every command takes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import yaml

from grundylab.errors import GrundylabError
from grundylab.games.load import parse_ruleset
from grundylab.games.schema import RulesetSpec
from grundylab.language.syntax import Expr, Int, Name
from grundylab.pipeline.survey_spec import SurveySpec
from grundylab.pipeline.surveys import Game, Survey

# What is said in words or names something, and no expression.
_WORDS = frozenset(
    {"title", "source", "description", "meanings", "name", "from", "id", "at", "note", "paper", "target", "values"}
)  # fmt: skip
_OWN = frozenset(field.alias or name for name, field in SurveySpec.model_fields.items()) - frozenset(
    field.alias or name for name, field in RulesetSpec.model_fields.items()
)


def written_game(survey: Survey, game: Game) -> str:
    """The game as YAML: the survey's file with what stands for its slots written in, each in parentheses.

    Raises GrundylabError if what is read from it would be another game.
    """
    put = {name: _text(tree) for name, tree in survey.trees(game.number).items()}
    given = {"title": survey.spec.title, **survey.document.data}
    data = {key: value for key, value in given.items() if key not in _OWN}
    if kept := {name: each for name, each in data.get("parameters", {}).items() if name not in survey.fixed}:
        data["parameters"] = kept
    else:
        data.pop("parameters", None)
    told = ", ".join(f"{name}: {text}" for name, text in game.filled.items())
    text = f"# Game {game.number} of the survey {survey.name}: {told}\n" + yaml.safe_dump(
        _filled(data, put), sort_keys=False, allow_unicode=True, width=110
    )
    read = parse_ruleset(text, survey.name)
    own = [(claim.id, str(claim.formula), str(claim.where)) for claim in game.ruleset.claims]
    if read.hash != game.ruleset.hash or own != [
        (claim.id, str(claim.formula), str(claim.where)) for claim in read.claims
    ]:
        raise GrundylabError(f"{survey.name}: its game {game.number} cannot be written as a file of its own")
    return text


def _text(tree: Expr) -> str:
    return str(tree) if isinstance(tree, Name | Int) else f"({tree})"


def _filled(value: Any, put: Mapping[str, str]) -> Any:  # noqa: ANN401 - raw YAML
    """The data as plain lists and mappings of texts, with the slots' texts in every expression."""
    if isinstance(value, dict):
        return {
            str(key): _plain(inner) if key in _WORDS else _filled(inner, put) for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_filled(inner, put) for inner in value]
    return re.sub(r"[^\W\d]\w*", lambda found: put.get(found[0], found[0]), str(value))


def _plain(value: Any) -> Any:  # noqa: ANN401 - raw YAML
    return _filled(value, {})
