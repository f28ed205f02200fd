"""False statements: theorems bent (made false) at a place that no small table has.

A theorem here is a game with a closed form of its values, ``truth``, which a test compares with the definition. The
claim is bent (``bends.py``) at one far place: in its values, in which parts have a value, in the rules, or in the
domains. The names are such as code might invent. Each false statement comes with a place where it is false, and with
what it says there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import yaml
from hypothesis import strategies as st

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games import Claim, Ruleset, make_instance, parse_ruleset
from grundylab.games.model import Target, parse_target
from grundylab.games.rules import Rules
from grundylab.language import Expr, parse_condition
from grundylab.language.plain import evaluate
from grundylab.solve.reference import checked_options
from grundylab.solve.table import target_values

Env = Mapping[str, int]

# Names that a user may write and that code might make: variables of MONA's, of substitution, of tables of automata.
NAMES = (
    "x", "y", "k", "n", "r_0", "r_1", "k_0", "k_1", "x_0", "x_1", "y_0", "v_x", "v_y", "v_k", "v_x_1", "v_", "s_x",
    "s_", "b1", "b2", "b1s", "b_1", "t1", "t2", "s1", "value", "value_2", "claim", "claimed", "domain", "space",
    "region", "level0", "option0", "movable", "optionof", "after_0_x", "bound_0_k", "bound_0_x", "bound_1_x",
    "remainder_0", "remainder_1", "value_of_0", "of_game_f", "game", "unused", "v_unused", "g", "h", "empty", "pconst",
)  # fmt: skip


# -- theorems ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Theorem:
    """A game and a true statement about it; $A, $B are coordinates, $M is a parameter, $K a variable of the claim.

    truth: the Grundy number (under misère play 0 of a P-position), as a function of the names with $; 1 for a condition
    that is always true.
    """

    name: str
    position: Mapping[str, str]
    moves: Sequence[str]
    target: str
    formula: str
    truth: Callable[[Env], int]
    extra: Mapping[str, Any]
    variables: Mapping[str, str]

    def says(self, env: Env) -> int:
        """Return what a true statement says at this place."""
        number = self.truth(env)
        return number if self.target == "true" else wanted(number, parse_target(self.target))


def wanted(number: int, target: Target) -> int:
    """Return what a correct formula for the target says where the Grundy number, or the outcome, is ``number``."""
    return int(target_values(np.array([number]), target)[0])


def theorem(
    name: str,
    position: Mapping[str, str],
    moves: Sequence[str],
    target: str,
    formula: str,
    truth: Callable[[Env], int],
    variables: Mapping[str, str] | None = None,
    **extra: Any,
) -> Theorem:
    return Theorem(name, position, moves, target, formula, truth, extra, variables or {})


def _pass(env: Env) -> int:
    x = env["A"]
    return x if env["p"] == 0 or x == 0 else x + 1 if x % 2 else x - 1


ONE, TWO = {"A": "0..N"}, {"A": "0..N", "B": "0..N"}
PILE = ["{for: {$t: 1..$A}, to: {$A: $A - $t}}"]
PILES = [*PILE, "{for: {$t: 1..$B}, to: {$B: $B - $t}}"]
UP_TO_3 = ['{for: {$t: "1..min($A, 3)"}, to: {$A: $A - $t}}']
UP_TO_M = ['{for: {$t: "1..min($A, $M)"}, to: {$A: $A - $t}}']
DOWN_TO_M = ["{for: {$t: $M..$A-1}, to: {$A: $t}}"]
SPLIT = ["{for: {$t: 1..$A-1}, to: [{$A: $t}, {$A: $A - $t}]}"]
GRUNDY = {"id": "g", "target": "grundy", "formula": "$A"}  # which an induction may need
SOME = {"parameters": {"$M": "$M >= 1"}}

BY_MONA = (
    theorem("pile", ONE, PILE, "p", "$A == 0", lambda e: e["A"]),
    theorem("pile-grundy", ONE, PILE, "grundy", "$A", lambda e: e["A"]),
    theorem("pile-level", ONE, PILE, "grundy == 2", "$A == 2", lambda e: e["A"], beside=GRUNDY),
    theorem("piles", TWO, PILES, "p", "$A == $B", lambda e: e["A"] ^ e["B"]),
    theorem("piles-grundy", TWO, PILES, "grundy", "$A ^ $B", lambda e: e["A"] ^ e["B"]),
    theorem("misere", ONE, PILE, "p", "$A == 1", lambda e: int(e["A"] != 1), play="misere"),
    theorem("up-to-3", ONE, UP_TO_3, "p", "$A % 4 == 0", lambda e: e["A"] % 4),
    theorem("up-to-3-grundy", ONE, UP_TO_3, "grundy", "$A % 4", lambda e: e["A"] % 4),
    theorem("pass", ONE, PILE, "p", "$A == 0", _pass, **{"pass": {"when": "$A >= 1"}}),
    theorem(
        "pass-grundy", ONE, PILE, "grundy", "$A if p == 0 or $A == 0 else $A + 1 if $A % 2 == 1 else $A - 1",
        _pass, **{"pass": {"when": "$A >= 1"}},
    ),
    theorem("split", {"A": "1..N"}, SPLIT, "grundy", "($A + 1) % 2", lambda e: (e["A"] + 1) % 2),
    theorem("down-to-m", ONE, DOWN_TO_M, "p", "$A <= $M", lambda e: max(e["A"] - e["M"], 0), **SOME),
    theorem("down-to-m-grundy", ONE, DOWN_TO_M, "grundy", "max($A - $M, 0)", lambda e: max(e["A"] - e["M"], 0), **SOME),
    theorem("always", TWO, PILES, "true", "($A ^ $B) <= $A + $B", lambda e: 1),
    theorem("always-for", ONE, PILE, "true", "$K <= $A", lambda e: 1, {"K": "0..$A"}),
)  # fmt: skip
BY_RUNS = (
    theorem("runs", ONE, UP_TO_M, "p", "any($A == $j*($M + 1) for $j in range(0, $A + 1))",
            lambda e: e["A"] % (e["M"] + 1), **SOME),
    theorem("runs-remainder", ONE, UP_TO_M, "p", "$A % ($M + 1) == 0", lambda e: e["A"] % (e["M"] + 1), **SOME),
)  # fmt: skip
BY_PERIOD = (
    theorem("split-p", {"A": "1..N"}, SPLIT, "p", "$A % 2 == 1", lambda e: (e["A"] + 1) % 2),
    theorem("split-level", {"A": "1..N"}, SPLIT, "grundy == 1", "$A % 2 == 0", lambda e: (e["A"] + 1) % 2),
)
THEOREMS = (*BY_MONA, *BY_RUNS, *BY_PERIOD)


# -- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bent:
    """A false statement: the claim ``c`` of the ruleset ``text``.

    at: coordinates, parameters and variables where it is false; None if no place is known. says: its value there, None
    if it has none. truth: the right value there. broken: whether the rules make no game there.
    """

    what: str
    text: str
    at: Env | None
    says: int | None = None
    truth: int | None = None
    broken: bool = False
    where: str = "True"

    @cached_property
    def ruleset(self) -> Ruleset:
        return parse_ruleset(self.text)

    @property
    def claim(self) -> Claim:
        return self.ruleset.claim("c")

    @property
    def about(self) -> Expr:
        return parse_condition(self.where)

    def check(self) -> None:
        """Assert, by the plain reader, that the statement is false at its place."""
        if self.at is None:
            return
        ruleset, claim = self.ruleset, self.claim
        parameters = {name: self.at[name] for name in ruleset.parameter_names}
        instance = make_instance(
            ruleset, parameters, dict.fromkeys(ruleset.bounds, 4 * max(self.at.values()) + 4)
        )
        position, rules = tuple(self.at[name] for name in ruleset.coordinate_names), Rules(instance)
        assert rules.legal(position), self
        env = {**instance.constants, **self.at}
        assert all(evaluate(e, env, ruleset.functions) for e in (claim.where, self.about)), self
        for v in claim.variables:
            low, high = (evaluate(end, env, ruleset.functions) for end in (v.range.low, v.range.high))
            assert low <= self.at[v.name] <= high, self
        if self.broken:
            assert _faulty(rules, position), self
            return
        try:
            says: int | None = int(evaluate(claim.formula, env, ruleset.functions))
        except EvaluationError:
            says = None
        assert says == self.says != self.truth, self


def _faulty(rules: Rules, position: tuple[int, ...]) -> bool:
    env = rules.environment(position)
    ruleset = rules.instance.ruleset
    if any(evaluate(c.range.low, env, ruleset.functions) < 0 for c in ruleset.coordinates):
        return True
    try:
        checked_options(rules, position)
    except GrundylabError:
        return True
    return False


def written(theorem: Theorem, names: Mapping[str, str], formula: str, **more: Any) -> str:
    """Return the ruleset with the claim, as YAML. more: keys that are added to the theorem's or replace them."""
    extra = {**theorem.extra, **more}
    ruleset = {
        "title": "t",
        "position": {f"${name}": ends for name, ends in theorem.position.items()},
        "moves": [yaml.load(move, yaml.BaseLoader) for move in theorem.moves],
        **{key: value for key, value in extra.items() if key not in ("moves", "where_of_claim", "beside")},
    }
    ruleset["moves"] += extra.get("moves", [])
    claim = {"id": "c"}
    if theorem.variables:
        claim["for"] = {f"${name}": ends for name, ends in theorem.variables.items()}
    claim |= (
        {"condition": formula} if theorem.target == "true" else {"target": theorem.target, "formula": formula}
    )
    if "where_of_claim" in extra:
        claim["where"] = extra["where_of_claim"]
    ruleset["claims"] = [claim, *([extra["beside"]] if "beside" in extra else [])]
    text = yaml.safe_dump(ruleset, sort_keys=False, width=100_000)
    return re.sub(r"\$([A-Za-z]+)", lambda found: names[found[1]], text)


# What has a name.
SLOTS = (
    "A", "B", "M", "K", "Q", "t", "j", "i", "k", "b", "far", "hid", "two", "none", "first", "zero", "n", "m",
)  # fmt: skip


# Names that once met others: a parameter and a remainder's, or a renamed variable's; a coordinate's and a variable's of
# MONA's.
MEETING: tuple[Mapping[str, str], ...] = (
    {}, {"Q": "r_0"}, {"Q": "k_0", "j": "k"}, {"Q": "k_0", "A": "k", "b": "k"}, {"A": "x_1", "j": "v_x"},
    {"B": "x_1", "j": "v_x"},
)  # fmt: skip


@st.composite
def namings(draw: st.DrawFn) -> dict[str, str]:
    """Draw a name for each slot."""
    meeting = draw(st.sampled_from(MEETING))
    others = [name for name in NAMES if name not in meeting.values()]
    open_slots = [slot for slot in SLOTS if slot not in meeting]
    found = draw(
        st.lists(st.sampled_from(others), min_size=len(open_slots), max_size=len(open_slots), unique=True)
    )
    return {**dict(zip(open_slots, found, strict=True)), **meeting}


PLAIN = dict(zip(SLOTS, (
    "x", "y", "m", "u", "q", "t", "j", "i", "k", "b", "far", "hid", "two", "none", "first", "zero", "n", "s",
), strict=True))  # fmt: skip
