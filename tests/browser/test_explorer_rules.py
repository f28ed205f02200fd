"""The browser's formulas, tables and play agree with those of the solvers and of the definitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page
from tests.browser.conftest import ASSETS, Watched, scripts_page
from tests.golden.refused import WITHOUT_VALUE
from tests.language.test_readers import VALUES
from tests.papers.small import NAMES as NAMES_OF_GAMES
from tests.papers.small import ruleset as shipped
from tests.random_games import instances
from tests.sizes import night
from tests.strategies import FUNCTIONS, NAMES, environments, formulas

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games import Instance, Rules, Ruleset, make_instance, parse_ruleset
from grundylab.language import NO_FUNCTIONS, Expr, Function, Functions, parse
from grundylab.language.functions import Declared
from grundylab.language.javascript import Script, javascript_variable
from grundylab.language.operators import OPERATORS
from grundylab.language.plain import evaluate
from grundylab.solve.reference import solve_reference

# Bounds by the number of coordinates but the pass.
BOUNDS = {1: 24, 2: 8, 3: 4, 4: 2, 5: 1, 6: 1}
FORMULAS, GAMES = (10_000, 60) if night() else (500, 25)

# Every listed position's value and options, by the scripts: [value, ["MOVE:x,y+x,y", …]].
TABLE = """([name, parameters, positions]) => {
  const { games, Game, Solver } = grundylab;
  const solver = new Solver(new Game(games[name], parameters.map(BigInt)));
  return positions.map((texts) => {
    const position = texts.map(BigInt);
    if (solver.game.problem(position)) return solver.game.problem(position).message;
    for (const progress of solver.solve([position]));
    const options = [...solver.game.options(position)].filter((option) => option !== null);
    return [solver.value([position]), options.map(({ move, parts }) => `${move}:${parts.map(String).join("+")}`)];
  });
}"""

EVALUATE = """(cases) => cases.map(([source, values]) => {
  grundylab.R.rest();
  try {
    return String((0, eval)(source)(grundylab.R, ...values.map(BigInt)));
  } catch (error) {
    return error instanceof grundylab.R.NoValue ? error.message : `not an error of the language: ${error}`;
  }
})"""


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    """Return ``count`` examples of a strategy, so that the browser can evaluate them all at once."""
    found: list[Any] = []

    @settings(max_examples=count, phases=[Phase.generate])
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


@pytest.fixture
def runtime(watched: Watched, tmp_path: Path) -> Page:
    """Return a page that contains only rules.js."""
    return watched.open(scripts_page(tmp_path, []))


def in_javascript(expr: Expr, names: tuple[str, ...], functions: Functions) -> str:
    script = Script(functions)
    body = script.expression(expr)
    defined = " ".join(script.definitions)
    return f"(R, {', '.join(map(javascript_variable, names))}) => {{ {defined} return {body}; }}"


def in_python(expr: Expr, env: dict[str, int], functions: Functions) -> str:
    try:
        value = evaluate(expr, env, functions)
    except EvaluationError as error:
        return error.message
    return str(value).lower() if isinstance(value, bool) else str(value)


def assert_same(page: Page, cases: list[tuple[Expr, dict[str, int]]], functions: Functions) -> None:
    asked = [
        [in_javascript(expr, tuple(env), functions), [str(value) for value in env.values()]]
        for expr, env in cases
    ]
    for (expr, env), found in zip(cases, page.evaluate(EVALUATE, asked), strict=True):
        assert found == in_python(expr, env, functions), (str(expr), env)


def test_javascript_gives_the_plain_readers_value_or_its_words(runtime: Page) -> None:
    cases = drawn(st.tuples(formulas(), environments(huge=True)), FORMULAS)
    # otherwise most of the deep formulas would be about errors
    cases += drawn(st.tuples(formulas(NAMES, 2), environments()), FORMULAS)
    for first in range(0, len(cases), 1000):
        assert_same(runtime, cases[first : first + 1000], FUNCTIONS)


@pytest.mark.parametrize("op", [op for op in OPERATORS if op != "/"])
def test_another_source_in_an_operators_row_gives_other_values(op: str, runtime: Page, monkeypatch) -> None:
    cases: list[tuple[Expr, dict[str, int]]] = [
        (parse(f"x {op} {n}"), {"x": x}) for x in (-9, 13) for n in (1, 2, 5)
    ]
    assert_same(runtime, cases, NO_FUNCTIONS)
    monkeypatch.setitem(OPERATORS, op, replace(OPERATORS[op], javascript="({b} - {a})"))
    with pytest.raises(AssertionError):
        assert_same(runtime, cases, NO_FUNCTIONS)


def test_javascript_gives_the_known_values_and_the_known_words(runtime: Page) -> None:
    cases = [(parse(text), {"x": 0}) for text in [*(text for text, _ in VALUES), *WITHOUT_VALUE]]
    assert_same(runtime, cases, NO_FUNCTIONS)


def test_roots_and_logarithms_are_exact_next_to_squares_and_powers(runtime: Page) -> None:
    bases = (0, 2**52, 2**53, 2**64, 10**40)
    numbers = [n for base in bases for n in (base, base + 1, base * base, base * base - 1, base * base + 1)]
    texts = ["isqrt(x)", "floor_log2(x)", "is_power_of_two(x)", "x // -7", "x % -7", "-x // 7", "-x >> 3"]
    assert_same(runtime, [(parse(text), {"x": n}) for text in texts for n in numbers], NO_FUNCTIONS)


def test_recurrences_that_define_nothing_say_so_in_the_same_words(runtime: Page) -> None:
    bodies = {
        "down": ("down(n - 1) + 1", ((0, 0),)), "even": ("even(n - 2)", ((1, 0),)), "self": ("self(n)", ()),
        "mirror": ("mirror(7 - n)", ()), "large": ("large(n - 1) * large(n - 1)", ((0, 3),)),
        "hops": ("hops(n + 2000000)", ()), "fib": ("fib(n - 1) + fib(n - 2)", ((0, 0), (1, 1))),
    }  # fmt: skip
    functions = Functions(
        tuple(Function(name, ("n",), parse(body), initial) for name, (body, initial) in bodies.items())
    )
    texts = ["down(-1)", "down(3)", "even(2)", "even(3)", "self(3)", "mirror(3)", "large(3)", "large(20)"]
    texts += ["hops(1)", "fib(5000) % 1000003", "fib(-1)", "fib(30)"]
    cases = [(parse(text), {"x": 0}) for text in texts]
    assert_same(runtime, cases, functions)
    assert "self(3)" in in_python(parse("self(3)"), {"x": 0}, functions)


def test_a_function_without_values_is_refused_as_by_the_plain_reader() -> None:
    functions = Functions((Declared("f", ("n",), "any function"),))
    with pytest.raises(EvaluationError, match=r"f\(\) is any function"):
        Script(functions).expression(parse("f(3)"))


def test_a_search_that_would_take_too_long_ends(runtime: Page) -> None:
    nest = "sum(sum(1 for j in range(0, 100000)) for i in range(0, 100000))"
    asked = [[in_javascript(parse(nest), (), NO_FUNCTIONS), []]]
    (said,) = runtime.evaluate(EVALUATE, asked)
    assert "5,000,000 steps" in said


# -- games ---------------------------------------------------------------------------------------------


def small_instances(ruleset: Ruleset) -> Iterator[Instance]:
    """Yield a small instance with the first values of the parameters, and one with later values."""
    bound = BOUNDS[len(set(ruleset.coordinate_names) - {"p"})]
    for skipped in (0, 3) if ruleset.parameters else (0,):
        parameters: dict[str, int] = {}
        for parameter in ruleset.parameters:
            inside = [n for n in range(40) if holds(parameter.domain, {**parameters, parameter.name: n})]
            parameters[parameter.name] = inside[min(skipped, len(inside) - 1)]
        yield make_instance(ruleset, parameters, dict.fromkeys(ruleset.bounds, bound))


def holds(condition: Expr, env: dict[str, int]) -> bool:
    try:
        return bool(evaluate(condition, env))
    except GrundylabError:
        return False


def expected_table(instance: Instance) -> list[Any]:
    """Return the instance's values and options in the form in which the script TABLE returns them."""
    misere = instance.ruleset.play == "misere"
    table, rules = solve_reference(instance, "outcome" if misere else "grundy"), Rules(instance)
    return [
        [
            table[position],
            [
                f"{number}:{'+'.join(','.join(map(str, part)) for part in parts)}"
                for number, parts in rules.options(position)
            ],
        ]
        for position in rules.positions()
    ]


def asked_table(instance: Instance) -> list[Any]:
    positions = [[*map(str, position)] for position in Rules(instance).positions()]
    return [instance.ruleset.name, [str(value) for _, value in instance.parameters], positions]


def assert_same_tables(page: Page, instances: list[Instance]) -> None:
    for instance in instances:
        assert page.evaluate(TABLE, asked_table(instance)) == expected_table(instance), str(instance)


def test_every_shipped_game_has_the_references_options_and_values(watched: Watched, tmp_path: Path) -> None:
    rulesets = [ruleset for name in NAMES_OF_GAMES if not (ruleset := shipped(name)).free]
    page = watched.open(scripts_page(tmp_path, rulesets))
    assert_same_tables(page, [instance for ruleset in rulesets for instance in small_instances(ruleset)])


def test_random_games_have_the_references_options_and_values(watched: Watched, tmp_path: Path) -> None:
    found = [
        replace(instance, ruleset=replace(instance.ruleset, name=f"game {number}"))
        for number, instance in enumerate(drawn(instances(), GAMES))
    ]
    page = watched.open(scripts_page(tmp_path, [instance.ruleset for instance in found]))
    assert_same_tables(page, found)


def test_a_game_that_loops_or_leaves_its_space_is_a_fault_not_an_answer(
    watched: Watched, tmp_path: Path
) -> None:
    loops = "title: t\nposition: {x: 0..N}\nmoves:\n  - {name: stay, for: {t: 0..x}, to: {x: x - t}}\n"
    leaves = "title: t\nposition: {x: 0..N}\nmoves:\n  - {name: far, for: {t: 1..3}, to: {x: x - t}}\n"
    rulesets = [parse_ruleset(loops, "loops"), parse_ruleset(leaves, "leaves")]
    page = watched.open(scripts_page(tmp_path, rulesets))
    ask = f"(asked) => {{ try {{ return ({TABLE})(asked); }} catch (error) {{ return error.message; }} }}"
    assert page.evaluate(ask, ["loops", [], [["3"]]]).startswith("the game could ")
    said = page.evaluate(ask, ["leaves", [], [["1"]]])
    assert "(x=-1)" in said


def test_the_assets_name_no_network() -> None:
    for path in ASSETS.glob("*.js"):
        text = path.read_text().replace(
            '"http://www.w3.org/2000/svg"', ""
        )  # the name of a namespace, not a place
        assert "http" not in text, path
