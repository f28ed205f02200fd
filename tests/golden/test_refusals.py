"""The messages about what is refused, each below its input."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from tests.discover.test_pysr_equations import LEAVES
from tests.golden import refused
from tests.solve.test_sweeps import MOVES, instance_of
from tests.strategies import FUNCTIONS

from grundylab.automata.dfa import AutomataBudget
from grundylab.automata.digits import DigitAutomaton
from grundylab.discover.genetic import NoFormula
from grundylab.discover.pysr_equations import equation_formula
from grundylab.errors import GrundylabError
from grundylab.findings.papers import load_papers
from grundylab.games import load_ruleset, make_instance, parse_ruleset
from grundylab.language import Function, Functions, check_names, parse, parse_condition, parse_number
from grundylab.language.numeration import numeration_system
from grundylab.language.plain import evaluate
from grundylab.language.syntax import Name
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.lowering import Lowering
from grundylab.logic.reader import AutomataReader
from grundylab.report.figures import figure_grid
from grundylab.report.oeis import sequence_of
from grundylab.solve import solve
from grundylab.solve.sweeps import solve_sweep


def messages(inputs: Iterable, read: Callable) -> str:
    """Return each input, cut if it is long, with the message below it."""
    lines = []
    for each in inputs:
        with pytest.raises((GrundylabError, OutsideFragment, NoFormula)) as error:
            read(each)
        shown = each if isinstance(each, str) and each.isprintable() else repr(each)
        lines += [
            f"{shown if len(shown) < 100 else f'{shown[:60]}… ({len(shown)} characters)'}",
            f"    {error.value}",
        ]
        assert "\n" not in str(error.value)
    return "\n".join(lines).encode(errors="backslashreplace").decode() + "\n"


def test_formula(golden):
    assert messages(refused.FORMULAS, parse) == golden


def test_formula_with_dots(golden):
    assert messages(refused.DOTS, lambda text: parse(text, ("x", "y", "z"))) == golden


def test_formula_of_the_wrong_kind(golden):
    assert messages(["x/2", "x == 1"], parse_number) + messages(["x"], parse_condition) == golden


def test_unknown_name(golden):
    functions = Functions((Function("h", ("z",), Name("z")),))
    known = messages(refused.UNKNOWN_NAMES, lambda text: check_names(parse(text), ("x", "y", "m"), functions))
    assert known + messages(["q"], lambda text: check_names(parse(text), (), what="parameter")) == golden


def test_automaton(golden):
    assert messages(refused.AUTOMATA, DigitAutomaton.parse) == golden


def test_what_automata_cannot_express(golden):
    assert messages(refused.OUTSIDE, lambda text: Lowering(FUNCTIONS).condition(parse(text))) == golden


def test_what_automata_of_other_digits_cannot_express(golden):
    def read(text):
        expr = parse(text)
        return AutomataReader(FUNCTIONS, AutomataBudget(system=numeration_system([expr]))).truth(expr)

    assert messages(refused.OF_OTHER_DIGITS, read) == golden


def test_equation(golden):
    assert messages(refused.EQUATIONS, lambda text: equation_formula(text, LEAVES)) == golden


def test_formula_without_a_value(golden):
    assert messages(refused.WITHOUT_VALUE, lambda text: evaluate(parse(text), {"x": 0})) == golden


def test_recurrence(monkeypatch, golden):
    monkeypatch.setattr("grundylab.language.plain.MAX_RECURRENCE", 1_000)
    monkeypatch.setattr("grundylab.language.plain.MAX_WAITING", 700)

    def read(recurrence):
        body, initial, call, _ = recurrence
        evaluate(parse(call), {}, Functions((Function("f", ("n",), parse(body), initial),)))

    assert messages(refused.RECURRENCES, read) == golden


def test_moves_without_a_sweep(golden):
    def read(name):
        space, moves = MOVES[name]
        solve_sweep(instance_of(space, *moves), "grundy")

    assert messages(MOVES, read) == golden


def replaced(text, edit):
    old, new = edit
    return text.replace(old, new) if old else text + new


def test_record_of_a_paper(tmp_path, monkeypatch, golden):
    monkeypatch.chdir(tmp_path)
    Path("b.yaml").write_text(replaced(refused.PAPER, ("Body1901", "Body1902")))

    def read(edit):
        Path("a.yaml").write_text(replaced(refused.PAPER, edit))
        load_papers(".")

    assert messages(refused.PAPERS, read) == golden


def test_figure_of_a_paper(tmp_path, monkeypatch, golden):
    monkeypatch.chdir(tmp_path)

    def read(edit):
        Path("a.yaml").write_text(replaced(refused.FIGURE, edit))
        (paper,) = load_papers(".")
        figure_grid(paper.figures[0], load_ruleset("nim-2"))

    assert messages(refused.FIGURES, read) == golden


def test_sequence(golden):
    rules = "title: Nim\npiles: 2\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\npass: {}\n"
    table = solve(make_instance(parse_ruleset(rules), {}, {"N": 5}))
    assert messages(refused.SEQUENCES, lambda asked: sequence_of(table, *asked)) == golden
