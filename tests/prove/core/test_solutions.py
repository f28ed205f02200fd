"""Theorems of the core about random games, and first positions where a formula is wrong, agree with the solver."""

import pytest
from hypothesis import assume, event, given, note
from hypothesis import strategies as st
from tests.random_games import MAX_CELLS, GameFile, games
from tests.random_statements import P, plausible, tables, targets
from tests.sizes import examples

from grundylab.automata.dfa import TooLarge
from grundylab.check.verification import verify
from grundylab.games import Ruleset, Target, make_instance, parse_ruleset
from grundylab.games.rules import Rules
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE, Expr
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.definedness import Definedness
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.game import EXACT
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.solution import Core, question_of
from grundylab.prove.core.space import NotProvable
from grundylab.solve import solve
from grundylab.statement import Statement
from grundylab.statement.qualified_names import qualified_game

FEW = 20_000_000  # cells, for one question
NO_THEOREM = (TooLarge, OutsideFragment, NotProvable, Refused)


def drawn(data: st.DataObject, file: GameFile) -> tuple[Ruleset, Target]:
    note(file.text)
    game = qualified_game(parse_ruleset(file.text, "random"))
    return game, data.draw(targets(game))


def evidence(target: Target, formula: Expr, region: Expr = TRUE) -> Induction:
    number = target.name == "grundy"
    return Induction(region=region, grundy=formula if number else None, levels=() if number else (formula,))


@given(games(), st.data())
@examples(20, 1_500)
def test_what_is_a_theorem_is_true_in_small_tables(file: GameFile, data: st.DataObject) -> None:
    game, target = drawn(data, file)
    formula, region = data.draw(plausible(game, target)), data.draw(st.just(TRUE) | plausible(game, P))
    note(f"{target}: {formula} where {region}")
    try:
        Kernel(FEW).check(Statement(game, target, formula, region), evidence(target, formula, region))
    except NO_THEOREM as error:
        event(type(error).__name__)
        return
    event("theorem")
    assert verify(formula, target, tables(game, file, target, region), region).counterexample is None


@given(games(legal=False), st.data())
@examples(20, 1_500)
def test_the_first_position_where_a_formula_is_wrong_is_the_smallest_counterexample(
    file: GameFile, data: st.DataObject
) -> None:
    game, target = drawn(data, file)
    formula = data.draw(plausible(game, target, wild=False))
    assume(Definedness(game.functions).of(formula) == TRUE)
    note(f"{target}: {formula}")
    try:
        Core(FEW).check_well_founded(game, TRUE)
        found = evidence(target, formula)
        first = Core(FEW).decider(*question_of(Statement(game, target, formula, TRUE), found)).first(EXACT)
    except NO_THEOREM as error:
        event(type(error).__name__)
        return
    event("none" if first is None else "a position")
    parameters = {name: (first or {}).get(name, 2) for name in game.parameter_names}
    instance = make_instance(game, parameters, file.bounds)
    if instance.cells > MAX_CELLS:
        return
    example = verify(formula, target, [solve(instance, target.values, "reference")], TRUE).counterexample
    if first is None:
        assert example is None
        return
    position = tuple(first[name] for name in game.coordinate_names)
    if Rules(instance).legal(position):
        assert example is not None
        assert tuple(example.position.values()) == position
    elif example is not None:
        assert example.measure >= evaluate(game.measure, first, game.functions)


def test_a_range_may_end_at_a_bound_and_at_a_parameter_that_the_claim_fixes() -> None:
    """For every k no proof reads ``floor(N / k)``, but where k is 2 it grows with N."""
    game = qualified_game(
        parse_ruleset(
            "title: t\nparameters: {k: k >= 1}\nposition: {x: 0..floor(N/k)}\nmoves: [{take: t, from: x}]\n"
        )
    )
    formula = parse("x == 0")
    for where in ("k == 2", "x >= 0 and k == 2"):
        Kernel(FEW).check(Statement(game, P, formula, parse(where)), evidence(P, formula))
    with pytest.raises(NotProvable):
        Kernel(FEW).check(Statement(game, P, formula, TRUE), evidence(P, formula))
