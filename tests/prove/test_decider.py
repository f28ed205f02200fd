"""What an induction needs is decided by grundylab's own automata as by MONA; without MONA the same is proved."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st
from tests.papers.small import ruleset
from tests.prove.test_random_games import is_one, plausible, targets
from tests.random_games import GameFile, games
from tests.sizes import examples

from grundylab.automata.kernel import TooLarge
from grundylab.games import Ruleset, parse_ruleset
from grundylab.language import parse_condition
from grundylab.language.syntax import TRUE
from grundylab.logic.lowered import OutsideFragment
from grundylab.logic.mona import MISSING, find_mona, run_mona
from grundylab.logic.reader import Unreadable
from grundylab.logic.ws1s import written
from grundylab.prove.hypothesis import Question, asked, choose_hypothesis
from grundylab.prove.induction import INDUCTION, Decider, Games
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import AUTOMATA, MONA, Limits, Opinion
from grundylab.prove.prover import prove_claim
from grundylab.prove.space import NotProvable

SECONDS = 5.0

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)


def mona_says(game: Ruleset, question: Question, seconds: float = SECONDS) -> str:
    return run_mona(written(Obligations(game, question).sentence(), "t"), timeout=seconds).status


@needs_mona
@examples(20)
@given(games(), st.data())
def test_an_induction_is_right_by_automata_if_it_is_by_mona(file: GameFile, data: st.DataObject) -> None:
    game = parse_ruleset(file.text, "random")
    target = data.draw(targets(game).filter(lambda each: each.name != "level"))
    formula = data.draw(plausible(game, target))
    note(f"{file.text}{target}: {formula}")
    if not is_one(formula, game, target):
        return
    statement = asked(formula, target)
    try:
        hypothesis = choose_hypothesis(game, statement, None, lambda: (), lambda _: True)
        question = Question(formula, target, TRUE, hypothesis)
        decider = Decider(Games().of(game), question, Limits(SECONDS).cells)
        for condition in map(parse_condition, ("True", "m >= 3" if game.parameters else "False")):
            for exactly in (False, True):
                asked_of = replace(question, condition=condition, exactly=exactly)
                one = mona_says(game, asked_of)
                if exactly:
                    other = decider.good_exactly(INDUCTION, condition)
                else:
                    other = decider.example(INDUCTION, condition) is None
                event(one)
                if one in ("valid", "mixed", "unsatisfiable"):
                    assert (one == "valid") == other, (condition, exactly)
    except (OutsideFragment, Unreadable, TooLarge, NotProvable) as error:
        event(type(error).__name__)


# a ruleset, what is asked of it, under which condition
ASKED = [
    ("nim", "bouton", "True"),
    ("nim", "bouton-grundy", "True"),
    ("misere-nim", "bouton-misere", "True"),
    ("max-nim-floor", None, "True"),
    ("chocolate-half", None, "k == 2"),
    ("nim-with-a-pass-2", None, "True"),
    ("subtraction-1-to-m", None, "m == 3"),
]


@needs_mona
@pytest.mark.parametrize(("name", "claim", "where"), ASKED)
def test_without_mona_claims_come_out_as_with_it(name, claim, where, monkeypatch) -> None:
    game = ruleset(name)
    claims = [each for each in game.claims if claim in (None, each.id) and each.plain]
    about = parse_condition(where)
    with_it = [prove_claim(game, each, about, limits=Limits(timeout=20)) for each in claims]
    monkeypatch.setenv("GRUNDYLAB_MONA", "/nonexistent")
    without = [prove_claim(game, each, about, limits=Limits(timeout=20)) for each in claims]
    for one, other in zip(with_it, without, strict=True):
        assert (one.status, one.condition, one.used) == (other.status, other.condition, other.used)
        assert other.by == one.by
        if one.by == AUTOMATA and one.status == "proved":
            assert other.second == Opinion(MONA, "not checked", MISSING)
            assert one.second == Opinion(MONA, "agrees")
            assert other.script == one.script


@needs_mona
@pytest.mark.parametrize("condition", ["m % 4 == 0", "m % 2 == 0", "m >= 1", "m != 4"])
def test_whether_a_condition_says_for_exactly_which_parameters_is_decided_as_by_mona(condition) -> None:
    game = ruleset("nim-with-a-pass-from-m")
    claim = game.claim("conjecture-1")
    hypothesis = choose_hypothesis(game, asked(claim.formula, claim.target), None, lambda: (), lambda _: True)
    exactly = parse_condition(condition)
    question = Question(claim.formula, claim.target, TRUE, hypothesis, exactly, exactly=True)
    decider = Decider(Games().of(game), question, Limits(60).cells)
    said = {mona_says(game, question, 60) == "valid", decider.good_exactly(INDUCTION, exactly)}
    assert said == {condition == "m % 4 == 0"}
