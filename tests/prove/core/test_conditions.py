"""Each side condition of the core's rules refuses something that would be false or meaningless without it.

Beside it stands the same evidence without the lie, which is accepted.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import yaml

from grundylab.games import parse_ruleset, parse_target
from grundylab.games.model import Claim, Range, Ranged
from grundylab.language import parse, parse_condition
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.formulas import Refused
from grundylab.prove.core.game import (
    CLOSED,
    DESCENDS,
    EXACT,
    FOLLOWS,
    MEANING,
    MEASURE,
    NATURAL,
    STAYS,
    GameSentences,
)
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.solution import question_of
from grundylab.prove.core.space import SUMS, NotProvable
from grundylab.prove.core.theorem import Theorem
from grundylab.statement import Statement, statement_about


@dataclass(frozen=True)
class Case:
    """A statement about a game, and evidence for it. The game is one heap from which 1 or 2 are taken."""

    formula: str = "x % 3 == 0"
    target: str = "p"
    where: str = "True"
    moves: tuple[str, ...] = ('{take: "1..min(x, 2)", from: x}',)
    position: str = "{x: 0..N}"
    rules: dict[str, Any] = field(default_factory=dict)
    region: str = "True"
    levels: tuple[str, ...] | None = None
    grundy: str | None = None
    variables: tuple[tuple[str, str, str], ...] = ()

    def statement(self) -> Statement:
        moves = [yaml.safe_load(move) for move in self.moves]
        text = yaml.safe_dump(
            {"title": "heap", "position": yaml.safe_load(self.position), "moves": moves, **self.rules},
            sort_keys=False,
        )
        variables = tuple(Ranged(name, Range(parse(low), parse(high))) for name, low, high in self.variables)
        claim = Claim(
            "asked",
            parse_target(self.target),
            parse(self.formula),
            parse_condition(self.where),
            variables=variables,
        )
        return statement_about(parse_ruleset(text, "heap"), claim)

    def evidence(self) -> Induction:
        statement = self.statement()
        if statement.target.name == "true" and self.levels is None:
            return Induction()
        levels, number = self.levels or (), self.grundy
        if not levels and number is None:
            number = self.formula if self.target == "grundy" else None
            levels = () if number else (self.formula,)
        named = {self.formula: statement.formula}  # in the statement its functions have unique names
        grundy = None if number is None else named.get(number, parse(number))
        conditions = tuple(named.get(level, parse(level)) for level in levels)
        return Induction(region=parse_condition(self.region), levels=conditions, grundy=grundy)

    def theorem(self) -> Theorem:
        return Kernel().check(self.statement(), self.evidence())


HEAP = Case()
MISERE = Case("x % 3 == 1", rules={"play": "misere"})
LIMITED = replace(
    HEAP,
    moves=('{take: "1..min(x, m)", from: x}',),
    rules={"parameters": {"m": "m >= 1"}},
    formula="x % 4 == 0",
)
CONDITION = Case("x % 2 == 0 or x % 2 == 1", "true")
PASSING = Case(
    "x == 0 or x != 1 and x % 2 == p",
    moves=("{when: x >= 1, to: {x: x - 1}}",),
    rules={"pass": {"when": "True"}},
)
SPLITTING = Case(
    "x != 1 and x != 2",
    moves=("{when: x == 2, to: [{x: 1}, {x: 1}]}", "{when: x == 1, to: {x: 0}}"),
    grundy="1 if x == 1 or x == 2 else 0",
)
UNEQUAL = Case(
    "x != 1",
    moves=("{when: x == 2, to: [{x: 1}, {x: 0}]}", "{when: x == 1, to: {x: 0}}"),
    grundy="1 if x == 1 else 0",
)
LOG = "1 << floor_log2(x)"  # has no value at x = 0
ONE_BY_ONE = ("{when: x >= 1, to: {x: x - 1}}",)
RECURRENT = Case(
    "x + f(3) >= x",
    "true",
    rules={"functions": {"f(n)": {"recurrence": "f(n - 1) + 1", "initial": {"0": "1"}}}},
)
ALL_OF_IT = Case("x", "grundy", moves=('{take: "1..x", from: x}',))

# what is false, the side condition that refuses it, and the same without the lie
CASES = {
    "the formula is not what the options say": (replace(HEAP, formula="x % 3 == 1"), EXACT, HEAP),
    "a value is skipped": (Case("x % 2", "grundy"), EXACT, Case("x % 3", "grundy")),
    "a value is negative": (Case("x % 3 - 3 * (x % 3 // 2)", "grundy"), EXACT, Case("x % 3", "grundy")),
    "an option that is excluded lies outside the region": (
        replace(HEAP, formula="x % 3 == 1", where="x >= 1", region="x >= 1"), CLOSED,
        replace(HEAP, where="x >= 1", levels=("x % 3 == 0",)),
    ),
    "an option that is found lies outside the region": (
        replace(HEAP, moves=ONE_BY_ONE, formula="x == 0 or x % 2 == 1", where="x != 1", region="x != 1"), EXACT,
        replace(HEAP, moves=ONE_BY_ONE, formula="x % 2 == 0", where="x != 1"),
    ),
    "Grundy values are given where options are outside the region": (
        Case("(x + 2) % 3", "grundy", where="x >= 1", region="x >= 1"), CLOSED, Case("x % 3", "grundy", where="x >= 1"),
    ),
    "a level has no option in a lower one": (
        Case("x % 3 == 0", "grundy == 1", levels=("x % 3 == 2", "x % 3 == 0")), EXACT,
        Case("x % 3 == 1", "grundy == 1", levels=("x % 3 == 0", "x % 3 == 1")),
    ),
    "the claim is about more than the region": (
        replace(HEAP, formula="x % 3 == 0 or x == 1", levels=("x % 3 == 0",)), FOLLOWS,
        replace(HEAP, formula="x % 3 == 0 or x == 1", where="x != 1", levels=("x % 3 == 0",)),
    ),
    "the claim is about another level": (
        Case("x % 3 == 0", "grundy == 1", levels=("x % 3 == 0",)), "every level up to the claim's",
        Case("x % 3 == 1", "grundy == 1", levels=("x % 3 == 0", "x % 3 == 1")),
    ),
    "outcomes for Grundy values": (
        Case("x % 3 // 2", "grundy", levels=("x % 3 == 0",)), "gives the Grundy numbers", Case("x % 3", "grundy"),
    ),
    "Grundy values and levels": (
        Case("x % 3", "grundy", grundy="x % 3", levels=("x % 3 == 1",)), "either Grundy values or levels",
        Case("x % 3", "grundy", grundy="x % 3"),
    ),
    "a number as a level": (Case(levels=("x % 3",)), "levels are conditions", HEAP),
    "a solution for a condition": (
        replace(CONDITION, formula="x % 3 == 0", levels=("x % 3 == 0",)), "about outcomes or Grundy numbers", HEAP,
    ),
    "levels of sums": (
        replace(SPLITTING, formula="x != 1", grundy=None, levels=("x != 1",)), SUMS, SPLITTING,
    ),
    "the value of a sum is not that of its parts": (
        replace(SPLITTING, formula="x != 1", grundy="1 if x == 1 else 0"), EXACT, SPLITTING,
    ),
    "the value of a sum is 0 only if its parts have equal values": (
        replace(UNEQUAL, formula="x != 1 and x != 2", grundy="1 if x == 1 or x == 2 else 0"), EXACT, UNEQUAL,
    ),
    "Grundy numbers under misère play": (
        replace(MISERE, formula="x % 3 == 0", grundy="x % 3"), "misère play there are no Grundy numbers", MISERE,
    ),
    "levels under misère play": (
        replace(MISERE, levels=("x % 3 == 1", "x % 3 == 2")), "the set of the P-positions alone", MISERE,
    ),
    "who cannot move wins under misère play": (replace(MISERE, formula="x % 3 == 0"), EXACT, MISERE),
    "a pass is no move without another one": (
        replace(PASSING, formula="x % 2 == p"), EXACT, PASSING,
    ),
    "a move that stays where it is": (
        replace(LIMITED, moves=('{when: x >= m, to: {x: x - m}}',), rules={"parameters": {"m": "m >= 0"}},
                formula="x < 0"), STAYS,
        replace(LIMITED, moves=('{when: x >= m, to: {x: x - m}}',), where="m == 2", formula="x % 4 <= 1"),
    ),
    "a move out of the positions": (
        replace(HEAP, position="{x: 2..N}", moves=("{when: x >= 3, to: {x: x - 2}}",), formula="x % 4 == 2 or x == 3"),
        STAYS,
        replace(HEAP, position="{x: 2..N}", moves=("{when: x >= 4, to: {x: x - 2}}",), formula="x % 4 == 2 or x % 4 == 3"),
    ),
    "a move below 0": (
        replace(HEAP, moves=("{to: {x: x - 1}}",), formula="x < 0"), STAYS,
        replace(HEAP, moves=ONE_BY_ONE, formula="x % 2 == 0"),
    ),
    "a measure below 0": (
        replace(HEAP, rules={"measure": "x - 1"}), MEASURE, replace(HEAP, rules={"measure": "2 * x + 1"}),
    ),
    "a coordinate from below 0": (
        replace(CONDITION, formula="x >= 0", position='{y: 0..N, x: "y - 2..N"}'), NATURAL,
        replace(CONDITION, formula="x >= 0", position='{y: 2..N, x: "y - 2..N"}'),
    ),
    "no move, as choices from below 0 are no natural numbers": (
        replace(HEAP, moves=('{for: {t: -2..-1}, when: "x + t >= 0", to: {x: x + t}}',), formula="x >= 0"), EXACT,
        replace(HEAP, moves=('{for: {t: -2..-1}, when: "x + t >= 0", to: {x: x + t}}',)),
    ),
    "a move below 0, by a choice from below 0": (
        replace(HEAP, moves=("{for: {t: -2..-1}, to: {x: x + t}}",), formula="x < 0"), STAYS,
        replace(HEAP, moves=('{for: {t: -2..-1}, when: "x + t >= 0", to: {x: x + t}}',)),
    ),
    "a variable from below 0": (
        replace(CONDITION, formula="x + k >= x", variables=(("k", "x - 2", "x"),)), NATURAL,
        replace(CONDITION, formula="x + k >= x", variables=(("k", "x // 2", "x"),)),
    ),
    "a parameter below 0": (
        replace(LIMITED, formula="x % 4 == 0", where="m == 3", rules={"parameters": {"m": "m <= 3 or m >= 1", "k": "k <= 0"}}),
        "does not plainly begin at 0", replace(LIMITED, where="m == 3"),
    ),
    "a formula without a value": (
        replace(ALL_OF_IT, formula=f"x + 0 * ({LOG})"), MEANING,
        replace(ALL_OF_IT, formula=f"0 if x == 0 else x + 0 * ({LOG})"),
    ),
    "an argument without a value that is not used": (
        replace(ALL_OF_IT, formula=f"first(x, {LOG})", rules={"functions": {"first(a, b)": "a"}}), MEANING,
        replace(ALL_OF_IT, formula="first(x, 1 << floor_log2(x + 1))", rules={"functions": {"first(a, b)": "a"}}),
    ),
    "a condition without a value": (
        replace(HEAP, where=f"({LOG}) >= 1 and x >= 1", levels=("x % 3 == 0",)), MEANING,
        replace(HEAP, where=f"x >= 1 and ({LOG}) >= 1", levels=("x % 3 == 0",)),
    ),
    "a condition without a value, of a condition": (
        replace(CONDITION, formula=f"x >= 1 or ({LOG}) >= 1"), MEANING,
        replace(CONDITION, formula=f"x == 0 or ({LOG}) >= 1"),
    ),
    "a range of a variable without a value": (
        replace(CONDITION, formula="x >= 0", where="x >= 1", variables=(("k", "0", LOG),)), MEANING,
        replace(CONDITION, formula="x >= 0", where="x >= 1", variables=(("k", "0", "1 << floor_log2(x + 1)"),)),
    ),
    "a condition without a value for another parameter than the fixed one": (
        replace(LIMITED, rules={"parameters": {"m": "m >= 0"}}, where="1 << floor_log2(m) >= 1 and m == 3"), MEANING,
        replace(LIMITED, rules={"parameters": {"m": "m >= 0"}}, where="m == 3 and 1 << floor_log2(m) >= 1"),
    ),
    "a guard without a value": (
        replace(HEAP, moves=('{for: {t: 1..2}, when: "(' + LOG + ') >= 0 and t <= x", to: {x: x - t}}',)), MEANING,
        replace(HEAP, moves=('{for: {t: 1..2}, when: "t <= x and (' + LOG + ') >= 0", to: {x: x - t}}',)),
    ),
    "an end of a choice without a value": (
        replace(HEAP, moves=('{for: {t: "1..min(2, ' + LOG + ')"}, when: "t <= x", to: {x: x - t}}',)), MEANING,
        replace(HEAP, moves=('{for: {t: "1..min(2, 1 << floor_log2(x + 2))"}, when: "t <= x", to: {x: x - t}}',)),
    ),
    "a measure without a value": (
        replace(HEAP, rules={"measure": f"x + 0 * ({LOG})"}), MEANING, replace(HEAP, rules={"measure": "x + 0 * x"}),
    ),
    "a region without a value": (
        replace(HEAP, region=f"({LOG}) >= 0 or x >= 0"), MEANING, replace(HEAP, region=f"x >= 0 or ({LOG}) >= 0"),
    ),
    "a recurrence that goes up": (
        replace(RECURRENT, rules={"functions": {"f(n)": {"recurrence": "f(n + 1) if n < 5 else 7", "initial": {"0": "1"}}}}),
        DESCENDS, RECURRENT,
    ),
    "outcomes are no condition": (
        replace(HEAP, target="true", formula="x % 3 == 0"), FOLLOWS, replace(CONDITION, formula="x % 3 <= 2"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_false_statement_is_refused_by_the_side_condition_and_the_true_one_accepted(name: str) -> None:
    wrong, why, right = CASES[name]
    right.theorem()
    with pytest.raises((Refused, NotProvable)) as error:
        wrong.theorem()
    assert why in error.value.message


@pytest.mark.parametrize(("guard", "right"), [("", False), ("m >= 4 and ", True)])
def test_a_condition_that_automata_apply_last_has_a_value_for_all_parameters(guard: str, right: bool) -> None:
    where = f"{guard}(1 << floor_log2(m - 3)) >= 1"
    case = replace(HEAP, rules={"parameters": {"m": "m >= 1"}}, where=where)
    statement = case.statement()
    evidence = case.evidence().model_copy(update={"condition": statement.where})
    if right:
        assert Kernel().check(statement, evidence)
    else:
        with pytest.raises(Refused, match=MEANING):
            Kernel().check(statement, evidence)


def test_a_condition_may_have_alternatives_that_are_read_only_with_a_number_for_a_parameter() -> None:
    where = "(x // m == 0 or x // (m + 1) >= 0) and m == 2"
    for least, accepted in ((1, True), (0, False)):  # where m is 0, x // m has no value
        case = replace(HEAP, where=where, rules={"parameters": {"m": f"m >= {least}"}})
        if accepted:
            assert case.theorem()
        else:
            with pytest.raises(Refused, match=MEANING):
                case.theorem()


NO_VALUE = f"{LOG} >= 1"
NEVER = (("k", "2", "1"),)


@pytest.mark.parametrize(
    "case",
    [
        replace(HEAP, formula="x + k >= 2", target="true", where=NO_VALUE, variables=(("k", "1", "x"),)),
        replace(HEAP, formula="x + k >= 2", target="true", rules={"where": NO_VALUE}, variables=(("k", "1", "x"),)),
        replace(HEAP, formula="x + k >= 2", target="true", where="1 << floor_log2(0 - x) >= 1", variables=NEVER),
        replace(
            HEAP, formula="x + k >= 2", target="true", where="1 << floor_log2(m) >= 1", variables=NEVER,
            rules={"parameters": {"m": "m >= 0"}},
        ),
        replace(HEAP, formula="x >= 0", target="true", rules={"where": f"{NO_VALUE} and False"}),
    ],
)  # fmt: skip
def test_a_condition_has_a_value_also_where_a_variable_has_none(case: Case) -> None:
    with pytest.raises(Refused, match=MEANING):
        case.theorem()


@pytest.mark.parametrize(
    "case",
    [
        Case("x >= 0", "true", position="{x: 0..N, y: 0..f(3)}"),
        Case("x + k >= 0", "true", variables=(("k", "0", "f(3)"),)),
        Case("x >= 0", "true", moves=("{when: x >= f(12), to: {x: x - 1}}",)),
    ],
)
def test_every_recurrence_of_a_game_and_of_ranges_has_values(case: Case) -> None:
    rising = {"functions": {"f(n)": {"recurrence": "f(n + 1) if n > 9 else 7", "initial": {"0": "1"}}}}
    with pytest.raises(Refused, match=DESCENDS):
        replace(case, rules=rising).theorem()


def test_game_sentences__are_about_natural_parameters() -> None:
    game = replace(LIMITED, rules={"parameters": {"m": "m >= 1", "k": "k >= 0"}}).statement().game
    assert not any(each.signed for each in GameSentences(game).parameters)
    game = replace(LIMITED, rules={"parameters": {"m": "m >= 1", "k": "k >= -1"}}).statement().game
    with pytest.raises(NotProvable, match="the domain of k"):
        GameSentences(game)


def test_a_statement_that_looks_values_up_is_refused() -> None:
    statement = replace(HEAP.statement(), tables=(object(),))  # type: ignore[arg-type]
    with pytest.raises(Refused, match="look values up"):
        question_of(statement, HEAP.evidence())
