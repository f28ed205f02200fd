"""What an induction needs is decided by grundylab's own automata as by MONA; without MONA the same is proved."""

from __future__ import annotations

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st
from tests.papers.small import ruleset
from tests.prove.test_random_games import is_one, plausible, targets
from tests.random_games import GameFile, games
from tests.sizes import examples

from grundylab.games import parse_ruleset
from grundylab.language import parse_condition
from grundylab.logic.mona import MISSING, find_mona, run_mona
from grundylab.logic.ws1s.reader import OutsideFragment
from grundylab.prove.direct.decider import Decider
from grundylab.prove.induction import choose_hypothesis
from grundylab.prove.obligations import GOALS, Obligations, Sentence
from grundylab.prove.outcome import AUTOMATA, MONA, Limits
from grundylab.prove.prover import prove_claim
from grundylab.prove.space import NotProvable
from grundylab.prove.statement import asked

SECONDS = 5.0
PARAMETERS = range(1, 40)

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)


@needs_mona
@examples(20)
@given(games(), st.data())
def test_each_goal_is_decided_as_by_mona(file: GameFile, data: st.DataObject) -> None:
    game = parse_ruleset(file.text, "random")
    target = data.draw(targets(game).filter(lambda each: each.name != "level"))
    formula = data.draw(plausible(game, target))
    note(f"{file.text}{target}: {formula}")
    if not is_one(formula, game, target):
        return
    try:
        hypothesis = choose_hypothesis(game, asked(formula, target), None, lambda: ())
        statement = asked(formula, target)
        obligations, decider = (
            Obligations(game, hypothesis, statement),
            Decider(game, hypothesis, statement),
        )
        free = game.parameter_names
        for goal in GOALS:
            for sentence in (
                Sentence(goal),
                Sentence(goal, free),
                Sentence(goal, equal_to=parse_condition("True")),
            ):
                script = obligations.script("t", sentence)
                one = run_mona(script, timeout=SECONDS, automaton=bool(sentence.free))
                other = decider.answer(sentence, SECONDS)
                if "error" in (one.status, other.status) or "timeout" in (one.status, other.status):
                    event(f"{one.status}, {other.status}")
                    continue
                event("decided")
                if not sentence.free:
                    assert (one.status == "valid") == (other.status == "valid"), sentence
                    continue
                assert one.automaton is not None
                assert other.automaton is not None
                for m in PARAMETERS:
                    values = dict.fromkeys(one.automaton.variables, m)
                    assert one.automaton.accepts(values) == other.automaton.accepts(values), (sentence, m)
    except (OutsideFragment, NotProvable) as error:
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
        if one.by == MONA and one.status == "proved":
            assert other.by == AUTOMATA
            assert other.second is not None
            assert (other.second.by, other.second.status) == (MONA, "not checked")


@needs_mona
@pytest.mark.parametrize("condition", ["m % 4 == 0", "m % 2 == 0", "m >= 1", "m != 4"])
def test_whether_a_condition_says_for_exactly_which_parameters_is_decided_as_by_mona(condition) -> None:
    game = ruleset("nim-with-a-pass-from-m")
    (claim,) = (each for each in game.claims if each.id == "conjecture-1")
    statement = asked(claim.formula, claim.target)
    hypothesis = choose_hypothesis(game, statement, None, lambda: ())
    sentence = Sentence("induction: all of it", equal_to=parse_condition(condition))
    script = Obligations(game, hypothesis, statement).script("t", sentence)
    said = {
        run_mona(script, timeout=60).status == "valid",
        Decider(game, hypothesis, statement).answer(sentence, 60).status == "valid",
    }
    assert said == {condition == "m % 4 == 0"}
