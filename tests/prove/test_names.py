"""A function keeps one name everywhere; otherwise, two false statements would be proved."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest

from grundylab.games import load_ruleset
from grundylab.language.syntax import Call, called_functions, distinct_parts
from grundylab.prove.outcome import GateReport, Limits
from grundylab.prove.prover import prove_claim
from grundylab.statement import Statement, statement_about

FILES = Path(__file__).with_name("faults3")
ROOMS = (
    "statement.qualified_names",
    "prove.core.claims",
)
CAPTURED = ["clasha", "imga"]  # each looks up a ruleset whose f() is another one than its own


def status(name: str, folder: Path) -> str:
    shutil.copytree(FILES, folder / "rulesets")  # none of these has been read before
    game = load_ruleset(name, folder / "rulesets")
    return prove_claim(game, game.claim("c"), limits=Limits(5)).status


@pytest.mark.parametrize("name", CAPTURED)
def test_an_expression_that_moves_into_another_game_captures_nothing(name: str, tmp_path: Path) -> None:
    assert status(name, tmp_path) != "proved"


def test_where_names_are_those_of_the_files_a_false_statement_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = importlib.import_module("grundylab.prove.prover")  # which sees it, too
    monkeypatch.setattr(gate, "gate_report", lambda *_: GateReport(1))
    for room in ROOMS:
        module = importlib.import_module(f"grundylab.{room}")
        monkeypatch.setattr(module, "with_functions", lambda game, *others: game)
    names = importlib.import_module("grundylab.statement.qualified_names")
    monkeypatch.setattr(names, "qualified_name", lambda name, digest: name)
    monkeypatch.setattr(Statement, "__eq__", lambda one, other: one.key == other.key)
    assert status("imga", tmp_path) == "proved"


GAME = """title: t
functions: {{{functions}}}
position: {{x: 0..N}}
moves: [{{take: t, from: x, when: "{guard}"}}]
claims: [{{id: c, target: grundy, formula: "{formula}"}}]
"""


def stated(
    folder: Path, name: str, functions: str, guard: str = "t >= 0", formula: str = "f(x)"
) -> Statement:
    file = folder / f"{name}.yaml"
    file.write_text(GAME.format(functions=functions, guard=guard, formula=formula))
    game = load_ruleset(file)
    return statement_about(game, game.claim("c"))


@pytest.mark.parametrize(
    ("functions", "more", "same"),
    [
        ("f(n): n + 1", {}, True),
        ("f(n): n + 2", {}, False),
        ("f(n): n + 1, g(n): n * n", {}, True),  # what nothing calls says nothing
        ("g(n): n + 1, f(n): g(n)", {}, False),
        ("f(n): n + 1", {"guard": "t >= 1"}, False),
        ("f(n): n + 1", {"formula": "f(x) + 0"}, False),
    ],
)
def test_a_key_is_of_the_rules_the_definitions_and_the_claim(
    tmp_path: Path, functions: str, more: dict[str, str], same: bool
) -> None:
    one, other = stated(tmp_path, "a", "f(n): n + 1"), stated(tmp_path, "another", functions, **more)
    assert (one.key == other.key) == (one == other) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("f(n): n + 1", "f(n): n + 2"),
        ("f(n): {any: 'f(n) <= n'}", "f(n): {any: 'f(n) >= n'}"),
        ("g(n): n + 1, f(n): g(n)", "g(n): n + 2, f(n): g(n)"),
    ],
)
def test_statements_with_one_key_are_equal_only_if_their_definitions_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: str, other: str
) -> None:
    names = importlib.import_module("grundylab.statement.qualified_names")
    monkeypatch.setattr(names, "qualified_name", lambda name, digest: name)
    first, again, second = (stated(tmp_path, "game", functions) for functions in (one, one, other))
    assert first.key == again.key == second.key
    assert first == again != second


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f(n): n + 1, g(n): f(n) * 2", "f(n): n + 3, g(n): f(n) * 2"),  # what it calls is another one
        (
            "f(n): {recurrence: 'f(n - 1)', initial: {0: 1}}",
            "f(n): {recurrence: 'f(n - 1)', initial: {0: 2}}",
        ),
        ("f(n): {any: 'f(n) <= n'}", "f(n): {any: 'f(n) >= n'}"),
    ],
)
def test_two_definitions_have_two_names(tmp_path: Path, first: str, second: str) -> None:
    def names(functions: str) -> set[str]:
        file = tmp_path / "game.yaml"
        formula = "g(x)" if "g(" in functions else "f(x)"
        file.write_text(GAME.format(functions=functions, guard="t >= 0", formula=formula))
        game = load_ruleset(file)
        statement = statement_about(game, game.claim("c"))
        return {
            node.name for node in distinct_parts(statement.formula) if isinstance(node, Call)
        } & called_functions(statement.formula)

    assert not names(first) & names(second)
