"""The core's rule of solutions and the kernel's induction give the same answers: claims of papers, and random games."""

from pathlib import Path

import pytest
from benchmarks.solutions import Comparison, compared, comparisons
from hypothesis import event, given, note
from hypothesis import strategies as st
from tests.prove.test_random_games import P, plausible, targets
from tests.random_games import GameFile, games
from tests.sizes import examples, thinned

from grundylab.automata.dfa import TooLarge
from grundylab.games import Ruleset, parse_ruleset
from grundylab.games.load import load_ruleset
from grundylab.language.syntax import TRUE, Expr
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.core_theorem import Refused
from grundylab.prove.core.solution import Core
from grundylab.prove.core.space import NotProvable
from grundylab.prove.kernel.evidence import Induction
from grundylab.prove.kernel.induction import question_of
from grundylab.prove.kernel.induction_automata import EXACT, NATURAL, STAYS
from grundylab.prove.kernel.kernel import Kernel
from grundylab.prove.kernel.question import Hypothesis
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game

RULESETS = sorted(path.stem for path in (Path(__file__).parents[3] / "rulesets").glob("*.yaml"))
CELLS = 300_000_000
FEW = 20_000_000  # cells, for one question about a random game


@pytest.mark.parametrize("name", thinned([(name,) for name in RULESETS], 8))
def test_both_prove_the_same_claims_for_the_same_parameters(name: str) -> None:
    for claim, both in comparisons(load_ruleset(name), CELLS):
        assert both.agree, (claim, both)


def both_answers(statement: Statement, formula: Expr, region: Expr) -> Comparison:
    number = statement.target.name == "grundy"
    hypothesis = Hypothesis(region, formula if number else None, () if number else (formula,))
    both = compared(statement, hypothesis, Kernel(FEW), Core(FEW))
    note(f"{statement.target}: {formula} where {statement.where}: {both}")
    event(both.new.split(":")[0])
    return both


def agree(both: Comparison) -> bool:
    """Tell whether both give the same answer; one of them may meet its limit."""
    return both.agree or "TooLarge" in both.old + both.new


def drawn(data: st.DataObject, file: GameFile) -> Ruleset:
    note(file.text)
    return qualified_game(parse_ruleset(file.text, "random"))


@given(games(), st.data())
@examples(20, 1_500)
def test_both_answer_alike_about_all_positions_of_random_games(file: GameFile, data: st.DataObject) -> None:
    game = drawn(data, file)
    target = data.draw(targets(game))
    formula = data.draw(plausible(game, target))
    both = both_answers(Statement(game, target, formula), formula, TRUE)
    assert agree(both)


@given(games(), st.data())
@examples(10, 1_000)
def test_both_answer_alike_about_some_positions_of_random_games(file: GameFile, data: st.DataObject) -> None:
    game = drawn(data, file)
    target = data.draw(targets(game))
    formula, region = data.draw(plausible(game, target)), data.draw(plausible(game, P))
    where = data.draw(st.sampled_from([region, region, TRUE, data.draw(plausible(game, P))]))
    assert agree(both_answers(Statement(game, target, formula, where), formula, region))


@given(games(legal=False), st.data())
@examples(10, 500)
def test_both_answer_alike_about_games_with_a_faulty_move(file: GameFile, data: st.DataObject) -> None:
    game = drawn(data, file)
    target = data.draw(targets(game))
    formula = data.draw(plausible(game, target, wild=False))
    assert agree(both_answers(Statement(game, target, formula), formula, TRUE))


@given(games(), st.data())
@examples(20, 1_500)
def test_both_find_the_same_first_position_where_a_formula_is_wrong(
    file: GameFile, data: st.DataObject
) -> None:
    game = drawn(data, file)
    target = data.draw(targets(game))
    formula = data.draw(plausible(game, target, wild=False))
    statement, kernel = Statement(game, target, formula), Kernel(FEW)
    number = target.name == "grundy"
    alone = Induction(grundy=formula if number else None, levels=() if number else (formula,))
    try:
        found = Core(FEW).local_failure(statement)
        asked, question = question_of(statement, alone)
        decider = kernel.decider(asked, question)
        assert decider.example((NATURAL, STAYS)) is None  # the rules make a game, says the core
        assert found == decider.first(EXACT)
    except (TooLarge, OutsideFragment, NotProvable, Refused) as error:
        event(type(error).__name__)
        return
    event("none" if found is None else "a position")
