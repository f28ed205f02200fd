"""The second checker agrees with theorems, refuses what is false, and says where; it needs no part of the logic reader."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st
from tests.papers.small import ruleset
from tests.prove.test_random_games import MAX_CELLS, PARAMETERS, is_one, plausible, targets
from tests.random_games import GameFile, games

from grundylab.automata.kernel import TooLarge
from grundylab.check.verification import verify
from grundylab.games import Rules, Ruleset, Target, make_instance, parse_ruleset, parse_target
from grundylab.games.specialise import fixed_by, specialise
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, If, Int, Logic
from grundylab.logic.direct.reader import Unreadable
from grundylab.prove.direct.checker import Checker, Disagreement, Question
from grundylab.prove.direct.opinion import LIMIT, Opinions, Unfit, statement, to_text
from grundylab.prove.hypothesis import Hypothesis
from grundylab.prove.outcome import Proof
from grundylab.prove.space import NotProvable
from grundylab.solve import solve


def alone(formula: Expr, target: Target) -> Hypothesis:
    """The induction that assumes the formula and nothing else."""
    return (
        Hypothesis(TRUE, formula, (), ())
        if target.name == "grundy"
        else Hypothesis(TRUE, None, (formula,), ())
    )


def check(game: Ruleset, target: str, text: str, where: str = "True") -> None:
    fixed = fixed_by(parse_condition(where), game.parameter_names)
    put = {name: Int(value) for name, value in fixed.items()}
    formula, aim = substitute(parse(text), put), parse_target(target)
    question = Question(formula, aim, substitute(parse_condition(where), put), alone(formula, aim))
    Checker(specialise(game, fixed), LIMIT).check(question)


# ruleset, target, a true formula, a condition on the parameters, and false formulas that differ at few positions
TABLE = [
    ("nim", "p", "x ^ y ^ z == 0", "True",
     ["x + y == z", "x ^ y ^ z == 0 and z < 1000", "x ^ y ^ z == 0 or x + y + z == 4095 and x == 5", "x ^ y == 0"]),
    ("nim", "grundy", "x ^ y ^ z", "True",
     ["x + y ^ z", "(x ^ y ^ z) + (1 if x == 77 and y == 1 else 0)", "max(x, y ^ z)", "(x ^ y ^ z) - 1"]),
    ("misere-nim", "p", "x ^ y ^ z == 1 if max(x, y, z) <= 1 else x ^ y ^ z == 0", "True",
     ["x ^ y ^ z == 0", "x ^ y ^ z == 1", "x ^ y ^ z == 1 if max(x, y, z) <= 2 else x ^ y ^ z == 0"]),
    ("max-nim-floor", "p", "is_power_of_two(x + 1)", "True",
     ["is_power_of_two(x)", "is_power_of_two(x + 1) and x != 65535", "is_power_of_two(x + 1) or x == 5000"]),
    ("chocolate-half", "grundy", "x ^ y ^ z", "k == 2", ["x ^ y ^ (z + 1)", "(x | y) ^ z", "x ^ y if z < 9 else x ^ y ^ z"]),
    ("chocolate-log", "p", "x ^ y ^ z == 0", "True", ["x ^ y ^ z == 0 and x < 300", "x == y", "x ^ y ^ z <= 1"]),
    ("nim-with-a-pass-2", "grundy == 0", "x ^ y == 0 if p == 0 else (x + 1) ^ (y + 1) == 1 and x + y > 1 or x + y == 0",
     "True", ["x ^ y == 0", "x ^ y == p"]),
    ("subtraction-1-to-m", "grundy", "x % (m + 1)", "m == 3", ["x % m", "x % (m + 1) if x < 500 else x % (m + 1) ^ 1"]),
]  # fmt: skip


@pytest.mark.parametrize("body", ["a", "a if a < 3 else b", "0 if a < 3 or b > 0 else 1"])
def test_an_argument_that_has_no_value_has_none_for_a_body_that_does_not_ask_for_it(body: str) -> None:
    text = f"title: t\nposition: {{x: 0..N}}\nmoves: [{{take: t, from: x}}]\nfunctions: {{'first(a, b)': '{body}'}}\n"
    with pytest.raises(Disagreement, match=r"x=40\)"):
        check(parse_ruleset(text), "p", "first(0, 1 << floor_log2(abs(x - 40))) == 0 and x == 0")
    check(parse_ruleset(text), "p", "first(0, 1 << floor_log2(abs(x - 40) + 1)) == 0 and x == 0")


@pytest.mark.parametrize(("name", "target", "right", "where", "_"), TABLE, ids=lambda value: str(value)[:20])
def test_a_theorem_is_agreed_with(name: str, target: str, right: str, where: str, _: list[str]) -> None:
    check(ruleset(name), target, right, where)


@pytest.mark.parametrize(
    ("name", "target", "wrong", "where"),
    [(name, target, wrong, where) for name, target, _, where, false in TABLE for wrong in false],
)
def test_a_false_statement_is_refused_at_a_position_of_the_game(name, target, wrong, where) -> None:
    with pytest.raises(Disagreement, match=r"^at \(") as refused:
        check(ruleset(name), target, wrong, where)
    game, position = ruleset(name), _position(refused.value.message)
    parameters = fixed_by(parse_condition(where), game.parameter_names)
    assert _contradicts(game, parameters, parse(wrong), parse_target(target), tuple(position.values()))


def _position(message: str) -> dict[str, int]:
    return {name: int(value) for name, value in re.findall(r"(\w+)=(-?\d+)", message.split(")")[0])}


def _contradicts(
    game: Ruleset, parameters: dict[str, int], formula: Expr, target: Target, position: tuple[int, ...]
) -> bool:
    """Whether at the position the formula is not what it says of the options (of their sums: their nim-sums)."""
    large = {name: 2 * max(position) + 4 for name in game.bounds}
    rules = Rules(make_instance(game, parameters, large))
    assert rules.legal(position)

    def says(at: tuple[int, ...]) -> int:
        env = dict(zip(game.coordinate_names, at, strict=True)) | parameters
        return int(evaluate(formula, env, game.functions))

    options = [parts for _, parts in rules.options(position)]
    values = set()
    for parts in options:
        value = 0
        for part in parts:
            value ^= says(part)
        values.add(value)
    here = says(position)
    if target.name == "grundy":
        return here < 0 or here in values or not set(range(here)) <= values
    right = 1 not in values and (game.play == "normal" or bool(options))
    return bool(here) != right


@given(games(), st.data())
@settings(max_examples=60)
def test_a_random_formula_is_agreed_with_only_if_the_solver_agrees(
    file: GameFile, data: st.DataObject
) -> None:
    game = parse_ruleset(file.text, "random")
    target = data.draw(targets(game).filter(lambda target: target.name != "level"))
    checker = Checker(game, 4_000_000)
    for formula in data.draw(st.lists(plausible(game, target), min_size=2, max_size=4)):
        note(f"{file.text}{target}: {formula}")
        if not is_one(formula, game, target):
            continue
        try:
            checker.check(Question(formula, target, TRUE, alone(formula, target)))
        except (Unreadable, TooLarge, NotProvable) as error:
            event(type(error).__name__)
            continue
        except Disagreement as error:
            event("refused")
            if "has no" in error.message or "leaves" in error.message or "follow" in error.message:
                continue
            values = _position(error.message)
            parameters = {name: values.pop(name) for name in game.parameter_names}
            if all(value < 300 for value in (*values.values(), *parameters.values())):
                assert _contradicts(game, parameters, formula, target, tuple(values.values()))
            continue
        event("agreed")
        for m in PARAMETERS if game.parameters else (0,):
            instance = make_instance(game, dict.fromkeys(game.parameter_names, m), file.bounds)
            if instance.cells <= MAX_CELLS:
                table = solve(instance, target.values, "reference")
                assert verify(formula, target, [table], TRUE).counterexample is None


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("[{for: {t: 1..3}, to: {x: x - t}}]", "leaves the position space"),
        ("[{for: {t: 0..x}, to: {x: x - t}}]", "leaves the position space or does not lower"),
        ("[{take: t, from: x, when: (1 << floor_log2(x - 1)) > 0}]", "has no value"),
    ],
)
def test_a_game_that_no_induction_is_about_is_refused(moves: str, message: str) -> None:
    text = f"title: t\nposition: {{x: 0..N}}\nmoves: {moves}\n"
    with pytest.raises(Disagreement, match=message):
        check(parse_ruleset(text, "t"), "p", "x == 0")


def test_for_which_parameters_it_is_proved_is_gone_through_both_ways() -> None:
    moves = '[{take: "1..min(x, 1 if m > 5 else 2)", from: x}]'
    game = parse_ruleset(f"title: t\nparameters: {{m: m >= 1}}\nposition: {{x: 0..N}}\nmoves: {moves}\n", "t")
    formula, target = parse("x % 2 == 0"), parse_target("p")

    def asked(condition: str, exactly: bool) -> None:
        where = parse_condition(condition)
        Checker(game, LIMIT).check(Question(formula, target, TRUE, alone(formula, target), where, exactly))

    asked("m > 5", exactly=True)
    asked("m > 6", exactly=False)
    with pytest.raises(Disagreement, match=r"^at \(x=\d+, m=6\) it is true as well"):
        asked("m > 6", exactly=True)
    with pytest.raises(Disagreement, match=r"m=5\) level 0"):
        asked("m > 4", exactly=True)


def stated(
    region: str = "True", levels: tuple[str | Expr, ...] = ("x ^ y == 0",), where: str = "True"
) -> dict:
    """The statement of nim-2's theorem as a proof has it."""
    trees = tuple(parse_condition(level) if isinstance(level, str) else level for level in levels)
    hypothesis = Hypothesis(parse_condition(region), None, trees, ())
    proof = Proof("proved", parse("x == y"), parse_target("p"), parse_condition(where), hypothesis=hypothesis)
    found = statement(ruleset("nim-2"), replace(proof, condition=TRUE))
    assert found is not None
    return found


def test_the_hypothesis_of_a_proof_is_not_believed() -> None:
    opinions = Opinions(ruleset("nim-2"))
    assert opinions.of(stated()).status == "agrees"
    with pytest.raises(Disagreement, match="level 0"):
        opinions.of(stated(levels=("x == y and x < 99",)))
    with pytest.raises(Disagreement, match="leads out"):
        opinions.of(stated(region="x > 3", where="x > 3"))
    with pytest.raises(Disagreement, match="follow"):
        opinions.of(stated(region="x < 9 and y < 9"))
    with pytest.raises(Unfit, match="another game"):
        Opinions(ruleset("nim")).of(stated())
    with pytest.raises(Unfit, match="this is no induction"):
        opinions.of({"certificate": "induction"})


def test_a_statement_that_is_too_long_for_one_text_is_kept_in_parts() -> None:
    for last, agrees in (("x == y", True), ("x == y + 1", False)):
        terms = [
            *(parse_condition(f"x + {k} == y + {k}" + " + 0" * 20) for k in range(200)),
            parse_condition(last),
        ]
        choice = If(parse_condition("x < 9"), Logic("or", tuple(terms)), parse_condition("x == y"))
        found = stated(levels=(choice,))
        assert set(found["levels"][0]) == {"if"}
        kept = json.loads(to_text(found))
        if agrees:
            assert Opinions(ruleset("nim-2")).of(kept).status == "agrees"
        else:
            with pytest.raises(Disagreement, match="level 0"):
                Opinions(ruleset("nim-2")).of(kept)


def test_what_is_not_reached_is_not_agreed_with() -> None:
    opinion = Opinions(ruleset("nim-2"), limit=50).of(stated())
    assert opinion.status == "not checked"
    assert opinion.reason


def test_the_checker_shares_no_code_with_the_logic_reader() -> None:
    code = "import sys, grundylab.prove.direct.opinion; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "grundylab.prove.direct.checker" in loaded
    forbidden = (
        "grundylab.logic.ws1s.reader",
        "grundylab.prove.obligations",
        "grundylab.logic.mona",
        "grundylab.prove.prover",
    )
    assert not [name for name in loaded if name.startswith(forbidden)]
