"""Every rule of the kernel, and every side condition of its rules, is needed.

Each row has evidence that the kernel refuses. It would accept the evidence if one side condition of one rule were not
checked, though the statement is false or meaningless.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from tests.papers.small import ruleset
from tests.prove.rules.shared import (
    FREE,
    GUARDED,
    HALF,
    SUBTRACTION,
    TAKE_ONE,
    completed,
    game,
    loaded,
    with_rules,
)

from grundylab.check.families import FunctionExtent, family_games
from grundylab.check.judging import judge_table
from grundylab.errors import GrundylabError
from grundylab.games import make_instance
from grundylab.games.model import ALWAYS, Ruleset, Target
from grundylab.games.statements import THIS
from grundylab.language import parse, parse_condition
from grundylab.language.syntax import conjunction
from grundylab.prove.core.claims import root_of
from grundylab.prove.core.evidence import (
    Computed,
    Consequence,
    Evidence,
    HeapEvidence,
    Induction,
    Rows,
    Runs,
)
from grundylab.prove.core.instances import ProofTree
from grundylab.prove.core.kernel import RULES, Kernel
from grundylab.prove.core.meaning import check_meaning
from grundylab.prove.core.solution import Core
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.prove.search.unreadable_terms import opaque_terms
from grundylab.solve import solve
from grundylab.solve.table import Table
from grundylab.statement import Statement, statement_about

# -- how a statement is wrong ------------------------------------------------------------------------------------------

Wrong = Callable[[Ruleset], bool]


def solved(ruleset: Ruleset, size: int, parameters: Mapping[str, int]) -> Table:
    instance = make_instance(ruleset, dict(parameters), dict.fromkeys(ruleset.bounds, size))
    return solve(instance, "outcome" if ruleset.play == "misere" else "grundy")


def false(size: int = 8, target: Target | None = None, **parameters: int) -> Wrong:
    """Return a test that the claim is wrong at a position of a table, by the solver and the plain reader.

    target: the target of the statement, if it is not the claim's own.
    """

    def wrong(ruleset: Ruleset) -> bool:
        (claim,) = ruleset.claims
        claim = replace(claim, target=target or claim.target)
        return judge_table(claim, solved(ruleset, size, parameters)).wrong > 0

    return wrong


def true(size: int = 8, **parameters: int) -> Wrong:
    """Return a test that the claim is true for parameters about which the evidence says that it is false."""
    return lambda ruleset: not judge_table(ruleset.claims[0], solved(ruleset, size, parameters)).wrong


def false_of_a_function(ruleset: Ruleset) -> bool:
    """Tell whether the claim is wrong for some function of the family."""
    extents = {free.name: FunctionExtent((range(9),), range(2)) for free in ruleset.free}
    return any(
        judge_table(ruleset.claims[0], solved(one, 8, {})).wrong > 0 for one in family_games(ruleset, extents)
    )


def meaningless(words: str, **parameters: int) -> Wrong:
    """Return a test that there is no game, or a claim has no value: the solver refuses with these words."""

    def wrong(ruleset: Ruleset) -> bool:
        extents = {free.name: FunctionExtent((range(9),), range(2)) for free in ruleset.free}
        one = next(iter(family_games(ruleset, extents))) if ruleset.free else ruleset
        with pytest.raises(GrundylabError, match=words):
            judge_table(one.claims[0], solved(one, 4, parameters))
        return True

    return wrong


# -- the table ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """Evidence that would make a theorem if one side condition of its rule were not checked.

    games: rulesets as YAML, the first with the claim. wrong: a test that the statement is false or meaningless. tries:
    evidence for the premises. change: a change of the statement that no ruleset could express.
    """

    condition: str
    games: Mapping[str, str]
    evidence: Evidence | Callable[[Statement], Evidence]
    wrong: Wrong
    tries: tuple[Evidence, ...] = ()
    change: Callable[[Statement], Statement] = field(default=lambda statement: statement)

    def statement(self, folder: Path) -> Statement:
        ruleset = self.ruleset(folder)
        return self.change(statement_about(ruleset, ruleset.claims[0]))

    def ruleset(self, folder: Path) -> Ruleset:
        return loaded(self.games, folder)

    def evidence_for(self, statement: Statement) -> Evidence:
        return self.evidence if isinstance(self.evidence, Evidence) else self.evidence(statement)


def p(formula: str, *levels: str, region: str = "True", **more: object) -> Induction:
    found = tuple(map(parse_condition, (formula, *levels)))
    return Induction(region=parse_condition(region), levels=found, **more)


def one(text: str, **others: str) -> Mapping[str, str]:
    return {"a": text, **others}


LOWER_Y = "{for: {t: 3 - x..y - 1}, to: {y: t}}"
GROW = "{to: {x: x + 1}}"
X, TRUE = parse("x"), parse_condition("True")
IS_P = "target: p, formula: "
NIM = game("target: grundy, formula: x")

ROWS = {
    "induction": [
        Row("no coordinate begins below 0",
            one(game('condition: "y >= 0 or x >= 0"', LOWER_Y, position="x: 0..N, y: 3 - x..N")),
            Induction(), meaningless("the range of y begins at -1; it must begin at 0 or more")),
        Row("every move leads into the position space and lowers the measure",
            one(game(IS_P + "x % 2 == 0", GROW)), p("x % 2 == 0"), meaningless("could loop")),
        Row("no move from a position whose value the hypothesis gives leads out of the region",
            one(game(IS_P + "x % 2 == 1, where: x >= 5", TAKE_ONE)), p("x % 2 == 1", region="x >= 5"), false()),
        Row("the hypothesis is what the options make it", one(game(IS_P + "x == 1")), p("x == 1"), false()),
        Row("the claim is what the hypothesis says", one(game(IS_P + "x == 1")), p("x == 0"), false()),
        Row("everything has a value where it is reached",
            one(game('condition: "x >= 0", where: "(1 << floor_log2(m - 1)) >= 0 and m == 5"', parameters='{m: "m >= 1"}')),
            Induction(), meaningless("floor_log2", m=1)),
        Row("it is false for all other parameters, if that is stated",
            one(game(IS_P + '"x == 0", where: m >= 3', parameters='{m: "m >= 1"}')),
            p("x == 0", condition=parse_condition("m >= 3"), exactly=True),
            true(m=2)),
    ],
    "instances": [
        Row("the instances have the statement as their consequence",
            one(game(IS_P + "x == 1")), Consequence(tree=ProofTree()), false()),
    ],
    "computed": [
        Row("there are finitely many values of every variable",
            one(game("condition: k <= 200, for: {k: 0..N}, where: x == 0")), Computed(), false(201)),
        Row("it is right at all of finitely many positions", one(game(IS_P + "x == 3, where: x <= 3")), Computed(), false()),
    ],
    "rows": [
        Row("the states of the rows recur, and the statement follows", one(game("target: grundy, formula: x + 1")),
            Rows(axes=("x",), target=Target("grundy"), layers=()), false()),
    ],
    "heap": [
        Row("the numbers have the period as far as it must be seen, and the statement follows",
            one(game("target: grundy, formula: x", TAKE_ONE)), HeapEvidence(first=0, period=2, until=3), false()),
    ],
    "runs": [
        Row("P-positions are claimed",
            one(game('target: grundy == 1, formula: "x % (m + 1) == 0"', SUBTRACTION, parameters='{m: "m >= 1"}')),
            Runs(), false(m=2)),
        Row("the ends of the runs are as they must be",
            one(game(IS_P + '"x % (m + 2) == 0"', SUBTRACTION, parameters='{m: "m >= 1"}')),
            Runs(), false(m=2)),
    ],
}  # fmt: skip
EACH = [pytest.param(rule, row, id=f"{rule}: {row.condition}") for rule, rows in ROWS.items() for row in rows]


def test_every_condition_of_every_rule_has_a_row() -> None:
    declared = sorted((name, each.name) for name, rule in RULES.items() for each in rule.conditions)
    assert sorted((rule, row.condition) for rule, rows in ROWS.items() for row in rows) == declared
    assert len(set(declared)) == len(declared)


@pytest.mark.parametrize(("rule", "row"), EACH)
def test_without_the_condition_the_kernel_would_make_a_theorem_of_what_is_none(
    rule, row, tmp_path, monkeypatch
):
    statement = row.statement(tmp_path)
    evidence = row.evidence_for(statement)
    assert evidence.kind == rule
    assert row.wrong(row.ruleset(tmp_path))
    with_rules(monkeypatch, without_condition(rule, row.condition))
    kernel = Kernel()
    whole = completed(kernel, statement, evidence, row.tries)
    assert isinstance(kernel.check(statement, whole), Theorem)
    with_rules(monkeypatch, RULES)
    with pytest.raises(GrundylabError):
        Kernel().check(statement, whole)


def without_condition(name: str, condition: str) -> Mapping[str, object]:
    rule = RULES[name]
    kept = tuple(each for each in rule.conditions if each.name != condition)
    return {**RULES, name: replace(rule, conditions=kept)}


# -- false statements of which instances are no proof ------------------------------------------------------------------

SPLIT = '{for: {a: "0..x - 1"}, to: [{x: a}, {x: x - a - 1}]}'
MISERE = {"play": "misere"}
DOES_NOT_FOLLOW, LOOPS, NO_VALUES = (
    "does not follow",
    "every move leads into the position space",
    "no Grundy values",
)
OF_NIM = 'target: grundy, formula: "B(x)", values: {B: b}'
FALSE = {  # the rulesets, how the statement is wrong, and the side condition that refuses it
    "outcomes of which nothing is known": (
        one(game(IS_P + '"x // (y + 1) <= x"', position="x: 0..N, y: 0..N")), false(), DOES_NOT_FOLLOW),
    "a parameter below 0": (one(game('condition: "m >= 0"', parameters='{m: "m >= -3"}')), false(m=-1), "0 or above"),
    "values of play without end": (one(game('condition: "G(x) != G(x + 1)", values: {G: this}', GROW)), meaningless("could loop"), LOOPS),
    "outcomes of play without end": (one(game(IS_P + '"G(x) == 0", values: {G: this}', GROW)), meaningless("could loop"), LOOPS),
    "another game's values, of play without end": (one(game(OF_NIM, TAKE_ONE, GROW), b=game("", TAKE_ONE)), meaningless("could loop"), LOOPS),
    "values of a family, of play without end": (
        one(game(OF_NIM, '{when: "x >= 1 and h(x) >= 0", to: {x: x - 1}}', GROW, functions=FREE), b=game("", TAKE_ONE)),
        meaningless("could loop"), "."),
    "a condition on outcomes": (one(game(IS_P + "x < 0", TAKE_ONE)), false(), DOES_NOT_FOLLOW),
    "a condition at one place": (one(game(IS_P + "x == 3, where: x == 3")), false(), DOES_NOT_FOLLOW),
    "an identity": (one(game(IS_P + "2 * x == x + x")), false(), DOES_NOT_FOLLOW),
    "another game's values": (one(game(IS_P + '"B(x) == 0", values: {B: b}', TAKE_ONE), b=NIM), false(), DOES_NOT_FOLLOW),
    "another level": (one(game('target: grundy == 1, formula: "G(x) == 0", values: {G: this}')), false(), DOES_NOT_FOLLOW),
    "another game's values, of sums": (one(game(OF_NIM, SPLIT), b=NIM), false(), DOES_NOT_FOLLOW),
    "all positions, under misère play": (one(game(IS_P + "True", "{when: x < 0, to: {x: x - 1}}", play="misere")), false(), NO_VALUES),
    "another game's values, under misère play": (
        one(game(IS_P + '"B(x) == 0", values: {B: b}', play="misere"), b=NIM), false(), NO_VALUES),
    "a family, under misère play": (
        one(game(IS_P + "x == 0", GUARDED, functions=FREE, play="misere")), false_of_a_function, NO_VALUES),
    "a window of another game": (
        one(game('target: grundy, formula: "B(x - x // 2 - 1)", where: x % 2 == 1, values: {B: b}', HALF), b=NIM), false(), DOES_NOT_FOLLOW),
    "a window with a gap": (
        one(game('target: grundy, formula: "G(x - max(0, x - 5) - 1)", where: x == 5, values: {G: this}',
                 '{for: {t: "1..max(0, x - 5)"}, to: {x: x - t}}', where='"x == 0 or x >= 5"')), false(), "."),
    "a window of sums": (one(game("target: grundy, formula: x // 2", HALF, SPLIT)), false(), DOES_NOT_FOLLOW),
    "a window of outcomes": (one(game(IS_P + "x >= 1", HALF)), false(), DOES_NOT_FOLLOW),
    "a remainder, of play without end": (one(game("target: grundy, formula: x % 2", GROW)), meaningless("could loop"), LOOPS),
    "a condition on a family": (one(game("condition: x == 0", GUARDED, functions=FREE)), false_of_a_function, DOES_NOT_FOLLOW),
}  # fmt: skip


@pytest.mark.parametrize("what", FALSE)
def test_a_false_statement_is_no_consequence_of_instances(what, tmp_path):
    games, wrong, why = FALSE[what]
    ruleset = loaded(games, tmp_path)
    assert wrong(ruleset)
    with pytest.raises(GrundylabError, match=why):
        check_as_consequence(ruleset)
    with suppress(GrundylabError):  # there is no game
        assert prove_claim(ruleset, ruleset.claims[0], limits=Limits(timeout=1)).status != "proved"


def check_as_consequence(ruleset: Ruleset) -> None:
    """Check the claim by a decision without facts, with numbers in place of all that automata cannot read."""
    statement = statement_about(ruleset, ruleset.claims[0])
    root = root_of(statement)
    numbers = opaque_terms(conjunction(root.claim.condition, root.claim.said))
    tree = ProofTree(using=range(len(root.sequent().hypotheses)), numbers=numbers)
    meaning = ProofTree(numbers=opaque_terms(root.defined))
    Kernel().check(statement, Consequence(meaning=meaning, tree=tree))


# -- what needs no condition: something else refuses it ----------------------------------------------------------------

PRIMES = "{for: {t: 1..x}, when: t == 1 or is_prime(t), to: {x: x - t}}"
STATED = Induction(by_premises=True)
NONE = {
    "premises, of a level": (one(game("target: grundy == 1, formula: x % 4 == 1", PRIMES)), STATED),
    "premises, of some positions": (one(game(IS_P + "x % 4 == 0, where: x >= 4", PRIMES)), STATED),
    "premises, of a look-up": (one(game(IS_P + "G(x) == 0, values: {G: this}", PRIMES)), STATED),
    "premises, of sums of outcomes": (one(game(IS_P + "x % 2 == 0", SPLIT)), STATED),
    "premises, of another formula": (one(game(IS_P + "x % 4 == 0", PRIMES)), p("x % 2 == 0", by_premises=True)),
    "premises, for some parameters": (
        one(game(IS_P + "x % 4 == 0, where: m == 2", PRIMES, parameters='{m: "m >= 1"}')),
        STATED.model_copy(update={"condition": parse_condition("m == 2")})),
    "runs, of a look-up": (one(game(IS_P + '"x % (G(x) + 1) == 0", values: {G: this}')), Runs()),
}  # fmt: skip


@pytest.mark.parametrize("name", NONE)
def test_evidence_that_does_not_fit_is_refused_in_words(name, tmp_path):
    games, evidence = NONE[name]
    ruleset = loaded(games, tmp_path)
    kernel, statement = Kernel(), statement_about(ruleset, ruleset.claims[0])
    with pytest.raises(GrundylabError) as refused:
        completed(kernel, statement, evidence, ())
    assert refused.value.message


def test_a_condition_that_looks_nothing_up_is_read_beside_look_ups():
    # the space is y <= g(z), where g has a value for each z because of its cases; only automata see that
    bar = ruleset("chocolate-two-flat-pass")
    above = parse_condition("G(v, w, 0, 0, 0) >= 0")
    claim = replace(bar.claim("theorem-4"), target=ALWAYS, formula=above, values=(("G", THIS),))
    check_meaning(statement_about(bar, claim), Core())
