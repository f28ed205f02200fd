"""Inductions: automata prove theorems and refute false statements at a place; MONA's reader takes no part."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import event, given, note
from hypothesis import strategies as st
from tests.papers.small import ruleset
from tests.prove.forging import check_refused, forged, proved_by, record_of
from tests.random_games import MAX_CELLS, GameFile, games
from tests.random_statements import PARAMETERS, is_one, plausible, tables, targets
from tests.sizes import examples

from grundylab.automata.dfa import TooLarge
from grundylab.check.verification import verify
from grundylab.errors import EvaluationError
from grundylab.games import Claim, Rules, Ruleset, Target, make_instance, parse_ruleset, parse_target
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.plain import evaluate
from grundylab.language.substitution import substitute
from grundylab.language.syntax import TRUE, If, Int, Logic
from grundylab.logic.fragment import OutsideFragment
from grundylab.logic.mona import MISSING, find_mona, run_mona
from grundylab.logic.ws1s import mona_script
from grundylab.prove.core.decide import GameReaders
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.formulas import Formulas
from grundylab.prove.core.game import EXACT, NATURAL, STAYS
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.solution import INDUCTION, Decider, Question
from grundylab.prove.core.space import NotProvable
from grundylab.prove.core.theorem import Refused
from grundylab.prove.hypothesis import choose_hypothesis, unpublished_claim
from grundylab.prove.obligations import Obligations
from grundylab.prove.outcome import AUTOMATA, MONA, Limits
from grundylab.prove.prover import prove_claim
from grundylab.records.proofs import Opinion
from grundylab.solve import solve
from grundylab.statement import Statement, statement_about


def alone(formula: Expr, target: Target) -> Formulas:
    """Return the induction that assumes the formula and nothing else."""
    return Formulas(TRUE, formula, ()) if target.name == "grundy" else Formulas(TRUE, None, (formula,))


def decider(game: Ruleset, formula: Expr, target: Target, cells: int = 20_000_000) -> Decider:
    return Decider(
        GameReaders().of(game), Question(formula, target, TRUE, alone(formula, target), TRUE), cells
    )


def wrong(game: Ruleset, target: str, text: str, where: str = "True") -> tuple[str, dict[str, int]] | None:
    """Return the first part of the induction that fails, and where; None if all parts are true."""
    fixed = fixed_values(parse_condition(where), game.parameter_names)
    put = {name: Int(value) for name, value in fixed.items()}
    decides = decider(specialise(game, fixed), substitute(parse(text), put), parse_target(target))
    each = ((part, example) for part in INDUCTION if (example := decides.example((part,))) is not None)
    return next(each, None)


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
    failing = wrong(parse_ruleset(text), "p", "first(0, 1 << floor_log2(abs(x - 40))) == 0 and x == 0")
    assert failing is not None
    assert failing[1] == {"x": 40}
    assert (
        wrong(parse_ruleset(text), "p", "first(0, 1 << floor_log2(abs(x - 40) + 1)) == 0 and x == 0") is None
    )


@pytest.mark.parametrize(("name", "target", "right", "where", "_"), TABLE, ids=lambda value: str(value)[:20])
def test_the_induction_of_a_theorem_is_right(
    name: str, target: str, right: str, where: str, _: list[str]
) -> None:
    assert wrong(ruleset(name), target, right, where) is None


@pytest.mark.parametrize(
    ("name", "target", "false", "where"),
    [(name, target, false, where) for name, target, _, where, others in TABLE for false in others],
)
def test_a_false_statement_is_wrong_at_a_position_of_the_game(name, target, false, where) -> None:
    failing = wrong(ruleset(name), target, false, where)
    assert failing is not None
    game, (_, values) = ruleset(name), failing
    parameters = fixed_values(parse_condition(where), game.parameter_names)
    assert _contradicts(game, parameters, parse(false), parse_target(target), tuple(values.values()))


@pytest.mark.parametrize(
    ("name", "target", "false", "where"),
    [
        (name, target, false, where)
        for name, target, _, where, others in TABLE
        for false in others
        if not re.search(r"[0-9]{2}", false)  # a small table refutes it
    ],
)
def test_where_an_induction_first_fails_is_the_smallest_counterexample(name, target, false, where) -> None:
    game = ruleset(name)
    parameters = fixed_values(parse_condition(where), game.parameter_names)
    sizes = dict.fromkeys(game.bounds, 9)
    values = "outcome" if game.play == "misere" else "grundy"
    table = solve(make_instance(game, parameters, sizes), values, "reference")
    smallest = verify(parse(false), parse_target(target), [table]).counterexample
    put = {each: Int(value) for each, value in parameters.items()}
    decides = decider(specialise(game, parameters), substitute(parse(false), put), parse_target(target))
    assert smallest is not None
    assert decides.first(EXACT) == dict(smallest.position)


def _contradicts(
    game: Ruleset, parameters: dict[str, int], formula: Expr, target: Target, position: tuple[int, ...]
) -> bool:
    """Tell whether the formula's value at a position contradicts its values at the options.

    Options that are sums count by their nim-sums.
    """
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


def decides_a_value(formula: Expr, at: dict[str, int], game: Ruleset) -> bool:
    try:
        evaluate(formula, at, game.functions)
    except EvaluationError:
        return False
    return True


@given(games(), st.data())
@examples(25)
def test_the_induction_of_a_random_formula_is_right_only_if_the_solver_agrees(
    file: GameFile, data: st.DataObject
) -> None:
    game = parse_ruleset(file.text, "random")
    target = data.draw(targets(game).filter(lambda target: target.name != "level"))
    for formula in data.draw(st.lists(plausible(game, target), min_size=2, max_size=4)):
        note(f"{file.text}{target}: {formula}")
        if not is_one(formula, game, target):
            continue
        decides = decider(game, formula, target, 4_000_000)
        try:
            examples = {part: decides.example((part,)) for part in INDUCTION}
        except (OutsideFragment, TooLarge) as error:
            event(type(error).__name__)
            continue
        if any(examples.values()):
            event("wrong")
            example = examples[EXACT]
            if example is None or examples[NATURAL] or examples[STAYS]:
                continue
            parameters = {name: example[name] for name in game.parameter_names}
            position = tuple(example[name] for name in game.coordinate_names)
            if all(value < 300 for value in example.values()) and decides_a_value(formula, example, game):
                assert _contradicts(game, parameters, formula, target, position)
                _is_the_smallest(decides, file, game, formula, target)
            continue
        event("right")
        assert verify(formula, target, tables(game, file, target, TRUE), TRUE).counterexample is None


def _is_the_smallest(decides: Decider, file: GameFile, game: Ruleset, formula: Expr, target: Target) -> None:
    """Assert that the formula is wrong where the induction first fails, and at no smaller position.

    This is checked by the definition, in each of the games.
    """
    try:
        first = decides.first(EXACT)
    except TooLarge:
        return
    assert first is not None
    at = {name: first[name] for name in game.coordinate_names}
    measure = evaluate(game.measure, first, game.functions)
    for m in sorted(
        {*PARAMETERS, *(first[name] for name in game.parameter_names)} if game.parameters else {0}
    ):
        instance = make_instance(game, dict.fromkeys(game.parameter_names, m), file.bounds)
        if instance.cells > MAX_CELLS:
            continue
        example = verify(formula, target, [solve(instance, target.values, "reference")], TRUE).counterexample
        inside = Rules(instance).legal(tuple(at.values()))
        if inside and all(first[name] == m for name in game.parameter_names):
            event("the first is in the table")
            assert example is not None
            assert dict(example.position) == at
        elif example is not None:
            assert example.measure >= measure


@pytest.mark.parametrize(
    "moves",
    [
        "[{for: {t: 1..3}, to: {x: x - t}}]",  # leaves the position space
        "[{for: {t: 0..x}, to: {x: x - t}}]",  # does not lower the measure
        "[{take: t, from: x, when: (1 << floor_log2(x - 1)) > 0}]",  # has no value
    ],
)
def test_of_a_game_that_no_induction_is_about_it_is_said(moves: str) -> None:
    failing = wrong(parse_ruleset(f"title: t\nposition: {{x: 0..N}}\nmoves: {moves}\n", "t"), "p", "x == 0")
    assert failing is not None
    assert failing[0] == STAYS


@pytest.mark.parametrize(
    ("move", "faulty"),
    [
        ("{for: {t: 1..1 << floor_log2(y)}, to: {x: x - t}, when: t <= x}", {"y": 0}),
        ("{for: {t: 1..y, s: 1..1 << floor_log2(t)}, to: {y: y - t}}", None),
        ("{when: (1 << floor_log2(y)) > x, to: {y: 0}}", {"y": 0}),
        ("{for: {t: 1..x}, to: {x: x - t, y: (1 << floor_log2(y)) - 1}}", {"y": 0}),
        ("{when: x > 0, to: {x: 1 << floor_log2(x - 1), y: 0}}", {"x": 1}),
        ("{when: x > 1, to: {x: 1 << floor_log2(x - 1), y: 0}}", None),
    ],
)
def test_a_part_of_a_move_needs_a_value_where_it_is_evaluated(
    move: str, faulty: dict[str, int] | None
) -> None:
    game = parse_ruleset(f"title: t\nposition: {{x: 0..N, y: 0..N}}\nmoves: [{move}]\n", "t")
    found = decider(game, parse("x == 0"), parse_target("p")).example((STAYS,))
    assert (found and {name: found[name] for name in faulty or found}) == faulty


@pytest.mark.parametrize(
    ("where", "faulty"),
    [("(1 << floor_log2(x)) > 0", {"x": 0}), ("x > 0 and (1 << floor_log2(x)) > 0", None)],
)
def test_the_condition_on_positions_needs_a_value_in_all_ranges(
    where: str, faulty: dict[str, int] | None
) -> None:
    text = f"title: t\nposition: {{x: 0..N}}\nwhere: {where}\nmoves: [{{to: {{x: 1}}, when: x > 1}}]\n"
    assert decider(parse_ruleset(text, "t"), parse("x == 1"), parse_target("p")).example((STAYS,)) == faulty


ONE_OR_TWO = parse_ruleset(
    "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\n"
    'moves: [{take: "1..min(x, 1 if m > 5 else 2)", from: x}]\n',
    "t",
)


def test_for_which_parameters_it_is_proved_is_gone_through_both_ways() -> None:
    decides = decider(ONE_OR_TWO, parse("x % 2 == 0"), parse_target("p"))
    assert decides.example(INDUCTION, parse_condition("m > 6")) is None
    assert decides.example(INDUCTION, parse_condition("m > 4"))["m"] == 5
    exactly = {
        text: decides.good_exactly(INDUCTION, parse_condition(text)) for text in ("m > 4", "m > 5", "m > 6")
    }
    assert exactly == {"m > 4": False, "m > 5": True, "m > 6": False}
    assert decides.good_exactly(INDUCTION, parse_condition("m > 6"), parse_condition("m != 6"))
    good = decides.good_for(INDUCTION)
    assert [m for m in range(1, 10) if good.contains({"m": m})] == [6, 7, 8, 9]


def stated(where: str = "True", formula: str = "x == y", target: str = "p") -> Statement:
    """Return a statement about nim-2, whose P-positions are those with equal piles."""
    claim = Claim("asked", parse_target(target), parse(formula), parse_condition(where))
    return statement_about(ruleset("nim-2"), claim)


def assumed(*levels: str, region: str = "True") -> Induction:
    return Induction(region=parse_condition(region), levels=tuple(map(parse_condition, levels)))


NOT_BELIEVED = [
    (stated(), assumed("x == y and x < 99"), EXACT),
    (stated("x > 3"), assumed("x ^ y == 0", region="x > 3"), "of the region"),
    (stated(), assumed("x ^ y == 0", region="x < 9 and y < 9"), "the hypothesis says"),
    (stated(formula="x <= y"), assumed("x <= y"), EXACT),
    (stated(formula="x <= y"), assumed("x ^ y == 0"), "the hypothesis says"),
    (stated(), assumed(), "either Grundy values or levels"),
    (stated(formula="x <= y"), Induction(grundy=parse("x ^ y"), levels=(parse("x <= y"),)), "either Grundy values or levels"),
    (stated(target="grundy == 1"), assumed("x ^ y == 0"), "every level"),
    (stated(), Induction(levels=(parse("x ^ y"),)), "is no condition"),
    (stated(), Induction(grundy=parse("x == y")), "is no number"),
    (stated(), assumed("x ^ y == 0").model_copy(update={"condition": parse("x >= 3")}), "of the statement"),
    (stated("x >= 3"), assumed("x ^ y == 0").model_copy(update={"condition": parse("x >= 3")}), "on the parameters alone"),
]  # fmt: skip


def test_what_an_induction_assumes_is_proved_with_it() -> None:
    for statement in (stated(), stated("x > 3"), stated(formula="x ^ y == 0")):
        assert Kernel().check(statement, assumed("x ^ y == 0")).statement == statement


@pytest.mark.parametrize(("statement", "evidence", "words"), NOT_BELIEVED)
def test_what_an_induction_assumes_is_not_believed(
    statement: Statement, evidence: Induction, words: str
) -> None:
    with pytest.raises(Refused, match=re.escape(words)):
        Kernel().check(statement, evidence)


MODULO = parse_ruleset(
    "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n", "t"
)


@pytest.mark.parametrize(
    ("condition", "levels", "exact"),
    [
        ("m == 3", "x % 4 == 0", True),
        ("3 <= m <= 3", "x % 4 == 0", True),
        ("m == 3 and m < 9", "x % 4 == 0", True),
        ("m > 3", "x % 4 == 0", False),  # it is true for none of these
        ("m >= 3", "x % 4 == 0", False),
    ],
)
def test_that_a_statement_is_false_for_all_other_parameters_is_looked_at(
    condition: str, levels: str, exact: bool
) -> None:
    about = parse_condition(condition)
    claim = Claim("asked", parse_target("p"), parse("x % 4 == 0"), about)
    evidence = assumed(levels).model_copy(update={"condition": about, "exactly": True})
    try:
        found = Kernel().check(statement_about(MODULO, claim), evidence)
    except Refused:
        found = None
    assert (found is not None) == exact


def test_a_narrower_condition_is_true_and_not_exact() -> None:
    for text, exact in (("m > 5", True), ("m > 6", False)):
        about = parse_condition(text)
        statement = statement_about(ONE_OR_TWO, Claim("asked", parse_target("p"), parse("x % 2 == 0"), about))
        evidence = assumed("x % 2 == 0").model_copy(update={"condition": about})
        assert Kernel().check(statement, evidence)
        exactly = evidence.model_copy(update={"exactly": True})
        if exact:
            assert Kernel().check(statement, exactly)
        else:
            with pytest.raises(Refused, match="false for all other parameters"):
                Kernel().check(statement, exactly)


def test_where_another_hypothesis_fails_the_statement_may_be_true() -> None:
    true, about = parse("x % 2 == 0 if m > 5 else x % 3 == 0"), parse_condition("m > 5")
    statement = statement_about(ONE_OR_TWO, Claim("asked", parse_target("p"), true, about))
    evidence = assumed("x % 2 == 0").model_copy(update={"condition": about})
    assert Kernel().check(statement, evidence)
    with pytest.raises(Refused, match="false for all other parameters"):
        Kernel().check(statement, evidence.model_copy(update={"exactly": True}))


FORGERIES = {
    "no list of levels": lambda r: r["evidence"].update(levels=5),
    "no text": lambda r: r["evidence"].update(levels=[5]),
    "no formula": lambda r: r["evidence"].update(levels=["x =="]),
    "another name": lambda r: r["evidence"].update(levels=["x == q"]),
    "an unknown field": lambda r: r["evidence"].update(believed=True),
    "a premise too many": lambda r: r["evidence"].update(premises=[{"rule": "computed"}]),
    "an old file": lambda r: (r.pop("proof"), r.update(certificate="induction")),
    "a statement with variables": lambda r: r["statement"].update({"for": [["q", "0", "0"]]}),
    "no key": lambda r: r["statement"].pop("key"),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_file_proves_nothing(how: str) -> None:
    record = record_of(Kernel().check(stated(), assumed("x ^ y == 0")))
    assert proved_by(record, ruleset("nim-2")).statement == stated()
    check_refused(forged(record, FORGERIES[how]), ruleset("nim-2"))


def test_what_is_too_long_for_one_text_is_kept_in_parts() -> None:
    for last, right in (("x == y", True), ("x == y + 1", False)):
        terms = [
            *(parse_condition(f"x + {k} == y + {k}" + " + 0" * 20) for k in range(200)),
            parse_condition(last),
        ]
        choice = If(parse_condition("x < 9"), Logic("or", tuple(terms)), parse_condition("x == y"))
        record = record_of(Kernel().check(stated(), assumed("x ^ y == 0")))
        evidence = Induction(levels=(choice,)).model_dump(mode="json", exclude_none=True)
        assert set(evidence["levels"][0]) == {"if"}
        kept = forged(record, lambda r, evidence=evidence: r.update(evidence=evidence))
        if right:
            assert proved_by(kept, ruleset("nim-2")).evidence == Induction(levels=(choice,))
        else:
            check_refused(kept, ruleset("nim-2"), re.escape(EXACT))


def test_what_takes_too_much_work_is_said_to() -> None:
    with pytest.raises(TooLarge, match="more than 50 cells"):
        Kernel(50).check(stated(), assumed("x ^ y == 0"))


def test_the_automata_share_only_the_sentences_with_what_is_written_for_mona() -> None:
    code = "import sys, grundylab.prove.core.kernel; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "grundylab.prove.core.solution" in loaded
    assert "grundylab.logic.sentence" in loaded
    logic = (f"grundylab.logic.{name}" for name in ("lowering", "numbers", "ws1s", "walnut", "mona"))
    prove = (f"grundylab.prove.{name}" for name in ("obligations", "second", "prover"))
    forbidden = (*logic, *prove)
    assert not [name for name in loaded if name.startswith(forbidden)]


# -- MONA says the same ---------------------------------------------------------------------------------------------

SECONDS = 5.0

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)


def mona_says(game: Ruleset, question: Question, seconds: float = SECONDS) -> str:
    return run_mona(mona_script(Obligations(game, question).sentence(), "t"), timeout=seconds).status


@needs_mona
@examples(5, 400)
@given(games(), st.data())
def test_an_induction_is_right_by_automata_if_it_is_by_mona(file: GameFile, data: st.DataObject) -> None:
    game = parse_ruleset(file.text, "random")
    target = data.draw(targets(game).filter(lambda each: each.name != "level"))
    formula = data.draw(plausible(game, target))
    note(f"{file.text}{target}: {formula}")
    if not is_one(formula, game, target):
        return
    statement = unpublished_claim(formula, target)
    try:
        hypothesis, _ = choose_hypothesis(game, statement, None, lambda: (), lambda _: True)
        question = Question(formula, target, TRUE, hypothesis, TRUE)
        decider = Decider(GameReaders().of(game), question, Limits(SECONDS).cells)
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
    except (OutsideFragment, TooLarge, NotProvable) as error:
        event(type(error).__name__)


# a ruleset, what is asked of it, under which condition
ASKED = [
    ("nim", "bouton", "True"),
    ("nim", "bouton-grundy", "True"),
    ("misere-nim", "bouton-misere", "True"),
    ("max-nim-floor", None, "True"),
    ("chocolate-half", "theorem-3", "k == 2"),
    ("nim-with-a-pass-2", "theorem-1", "True"),
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
