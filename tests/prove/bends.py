"""Strategies for false statements: the ways in which a true statement is bent, that is, changed at one far place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import yaml
from hypothesis import strategies as st
from tests.prove.bent import (
    BY_MONA,
    BY_RUNS,
    ONE,
    PILE,
    SOME,
    THEOREMS,
    UP_TO_M,
    Bent,
    Env,
    Theorem,
    namings,
    theorem,
    written,
)

from grundylab.errors import EvaluationError
from grundylab.games import parse_ruleset
from grundylab.language.plain import evaluate

# -- conditions that are true at a far place --------------------------------------------------------------------------

# n, v: a name and its value there; o, w: another. All but those with "outside" can be said in WS1S.
INSIDE: tuple[Callable[[str, int, str, int], str], ...] = (
    lambda n, v, o, w: f"{n} == {v}",
    lambda n, v, o, w: f"{n} >= {v}",
    lambda n, v, o, w: f"not {n} < {v}",
    lambda n, v, o, w: f"{v} <= {n} <= {v + 2}",
    lambda n, v, o, w: f"{n} == {v // 7}*7 + {v % 7}",
    lambda n, v, o, w: f"{n} // 7 == {v // 7}",
    lambda n, v, o, w: f"{n} % {v + 1} == {v}",
    lambda n, v, o, w: f"{n} % 12 == {v % 12} and {n} >= {v}",
    lambda n, v, o, w: f"min({n}, {v}) == {v}",
    lambda n, v, o, w: f"abs({n} - {v}) == 0",
    lambda n, v, o, w: f"{n} & {1 << v.bit_length() - 1} != 0",
    lambda n, v, o, w: f"{n} >> 4 == {v >> 4}",
    lambda n, v, o, w: f"any({n} == $j + {v} for $j in range(0, 3))",
    lambda n, v, o, w: f"any($j == {n} + 1 for $j in range({v}, {v + 50}))",
    lambda n, v, o, w: f"any($j == {n} + 1 for $j in range({v}, {v + 50})) and sum($i for $i in range(0, 2)) == 1",
    lambda n, v, o, w: f"not all($j != {n} for $j in range({v}, {v + 3}))",
    lambda n, v, o, w: f"any(any($i == $j for $i in range({n}, {n} + 1)) for $j in range({v}, {v + 1}))",
    lambda n, v, o, w: f"{n} + sum($j for $j in range(0, 3)) == {v + 3}",
    lambda n, v, o, w: f"$far({n}) == 1",
    lambda n, v, o, w: f"$two({n}, {o}) == {v + w} and {n} >= {v}",
    lambda n, v, o, w: f"accepts('{only(v)}', {n})",
    lambda n, v, o, w: f"{n} == {v} and {o} == {w}",
    lambda n, v, o, w: f"{o} == {w} and {n} >= {v}",
    lambda n, v, o, w: f"{n} + {o} == {v + w}",
    lambda n, v, o, w: f"{n} == 3*{o} + {v - 3 * w}",
    lambda n, v, o, w: f"{n} ^ {o} == {v ^ w}",
    lambda n, v, o, w: f"({n} % 12 == {v % 12} or {n} % 12 == {v % 12} + 12 or {n} % 12 == {v % 12} + 24) and {n} >= {v}",
)  # fmt: skip
OUTSIDE: tuple[Callable[[str, int, str, int], str], ...] = (
    lambda n, v, o, w: f"{n} * {n} == {v * v}",
    lambda n, v, o, w: f"isqrt({n} * {n}) == {v}",
    lambda n, v, o, w: f"{n} * ({o} + 1) == {v * (w + 1)} and {n} >= {v}",
    lambda n, v, o, w: f"floor_log2({n} + 1) == {(v + 1).bit_length() - 1} and {n} >= {v}",
)


def only(number: int) -> str:
    """Return the automaton that accepts one number only."""
    states = [f"-{i + 1}," if number >> i & 1 == 0 else f"-,{i + 1}" for i in range(number.bit_length())]
    return " ".join([*states, f"+{len(states)},"])


def functions(v: int) -> dict[str, Any]:
    """Return the functions that conditions call: one is 1 only at v, and one is a sum."""
    cases = [{"when": f"$n == {v}", "value": "1"}, {"otherwise": "0"}]
    return {"$far($n)": {"cases": cases}, "$two($n, $m)": "$n + $m"}


def bent_by(theorem: Theorem, condition: str, truth: int) -> str:
    """Return the formula with another value where the condition is true. truth: the right value there."""
    true = f"({theorem.formula})"
    if theorem.target == "grundy":
        return f"{true} + 1 if {condition} else {true}"
    return f"{true} and not ({condition})" if truth else f"{true} or ({condition})"


@st.composite
def places(draw: st.DrawFn, theorem: Theorem, far: str | None = None) -> dict[str, int]:
    """Draw a place of the theorem with one large number, by slots; with p if there is a pass."""
    slots = [*theorem.position, *(["M"] if "parameters" in theorem.extra else [])]
    far = far or draw(st.sampled_from(slots))
    env = {slot: draw(st.integers(1, 3)) for slot in slots}
    env[far] = draw(st.integers(40, 3_000))
    if theorem.name == "piles" and draw(st.booleans()):
        env["A"] = env["B"] = env[far]
    if theorem.name.startswith(("down", "runs", "up")) and draw(st.booleans()):
        env["A"] = 4 * env["A"] if "M" not in env else env["M"] + (far == "A") * env["A"]
    if theorem.variables:
        env["K"] = draw(st.sampled_from([0, env["A"]]))
    if "pass" in theorem.extra:
        env["p"] = draw(st.integers(0, 1))
    return env


def _placed(names: Mapping[str, str], env: Env) -> dict[str, int]:
    return {names.get(slot, slot): value for slot, value in env.items()}


@st.composite
def at_a_far_place(draw: st.DrawFn, theorems: Sequence[Theorem] = THEOREMS, tame: bool = False) -> Bent:
    """Draw a statement that is bent where a condition on a far place is true (a, b); its names are arbitrary."""
    theorem = draw(st.sampled_from(theorems))
    names, env = draw(namings()), draw(places(theorem))
    n = draw(st.sampled_from([slot for slot in env if env[slot] >= 40]))
    o = draw(st.sampled_from([slot for slot in env if slot != n] or [n]))
    make = draw(st.sampled_from(INSIDE if tame else (*INSIDE, *INSIDE, *OUTSIDE)))
    name = {slot: "p" if slot == "p" else f"${slot}" for slot in env}
    condition = make(name[n], env[n], name[o], env[o])
    truth = theorem.says(env)
    text = written(theorem, names, bent_by(theorem, condition, truth), functions=functions(env[n]))
    says = truth + 1 if theorem.target == "grundy" else 1 - truth
    return Bent(f"{theorem.name}: {condition}", text, _placed(names, env), says, truth)


@st.composite
def with_a_hidden_name(draw: st.DrawFn) -> Bent:
    """Draw a statement that is bent where a parameter is large that only a function's body mentions (b)."""
    theorem = draw(st.sampled_from(BY_MONA))
    names, env = draw(namings()), draw(places(theorem))
    q, n = draw(st.integers(40, 3_000)), draw(st.sampled_from([*theorem.position]))
    rest = env[n] % 5
    condition = draw(
        st.sampled_from([
            f"${n} % 5 == {rest} and ${n} % 5 != {rest + 5} and ${n} % 5 != {rest + 10} and $hid(0) == {q}",
            f"any($j % 5 == {rest} and $hid($j) == $j + {q} for $j in range(${n}, ${n} + 1))",
            f"any($two($j, 0) == $j + {q} for $j in range(0, 2))",
            f"$two(${n}, $hid(0)) == ${n} + {2 * q}",
            f"$far(${n}) == 1",
        ])
    )  # fmt: skip
    parameters = {**theorem.extra.get("parameters", {}), "$Q": "$Q >= 0"}
    defined = {
        "$hid($n)": "$n + $Q",
        "$two($j, $m)": "$hid($j) + sum($m for $b in range(0, 1))",
        "$far($n)": f"1 if any($n + $hid($b) == $n + {q} for $b in range(0, 1)) else 0",
    }
    truth = theorem.says(env)
    formula = bent_by(theorem, condition, truth)
    text = written(theorem, names, formula, functions=defined, parameters=parameters)
    says = truth + 1 if theorem.target == "grundy" else 1 - truth
    return Bent(f"{theorem.name}: {condition}", text, _placed(names, {**env, "Q": q}), says, truth)


# -- what has no value at a far place ---------------------------------------------------------------------------------

NO_VALUE_INSIDE: tuple[Callable[[str, int], str], ...] = (
    lambda n, v: f"(1 << floor_log2(abs({n} - {v})))",
    lambda n, v: f"(1 << floor_log2(max({v} - {n}, 0)))",
    lambda n, v: f"(1 << floor_log2(({n} ^ {v})))",
)
NO_VALUE_OUTSIDE: tuple[Callable[[str, int], str], ...] = (
    lambda n, v: f"(1 // ({n} - {v}))",
    lambda n, v: f"({n} % ({n} - {v}))",
    lambda n, v: f"isqrt({v} - 1 - {n})",
    lambda n, v: f"(1 << ({v} - 1 - {n}))",
    lambda n, v: f"floor_log2(abs({n} - {v}))",
)
AROUND_A_CONDITION = (
    "{U} - {U} == 0 and ({F})",
    "{U} * 0 == 0 and ({F})",
    "$two(0, {U}) == 0 and ({F})",
    "min(0, abs({U})) == 0 and ({F})",
    "({F}) if {U} == {U} else not ({F})",
    "any({U} == {U} and ({F}) for $j in range(0, 1))",
    "all({U} != {U} + $j + 1 for $j in range(0, 2)) and ({F})",
    "({U} >= 0 or {U} < 0) and ({F})",
)
AROUND_A_NUMBER = (
    "({F}) + 0 * {U}",
    "({F}) + {U} - {U}",
    "({F}) if {U} == {U} else ({F})",
    "$two({F}, {U})",
    "({F}) + min(0, abs({U}))",
    "sum({F} for $j in range(0, 1 + 0*{U}))",
)


@st.composite
def without_a_value(draw: st.DrawFn, theorems: Sequence[Theorem] = THEOREMS) -> Bent:
    """Draw a statement with a part that has no value at a far place, and that cancels or is not needed (d)."""
    theorem = draw(st.sampled_from([each for each in theorems if each.name != "runs"]))
    names, env = draw(namings()), draw(places(theorem))
    n = draw(st.sampled_from([slot for slot in env if env[slot] >= 40]))
    make = draw(st.sampled_from((*NO_VALUE_INSIDE, *NO_VALUE_OUTSIDE)))
    around = draw(st.sampled_from(AROUND_A_NUMBER if theorem.target == "grundy" else AROUND_A_CONDITION))
    formula = around.replace("{U}", make(f"${n}", env[n])).replace("{F}", theorem.formula)
    text = written(theorem, names, formula, functions={"$two($n, $m)": "$n"})
    return Bent(f"{theorem.name}: {formula}", text, _placed(names, env), None, theorem.says(env))


# -- rules that are others at a far place -----------------------------------------------------------------------------

BROKEN = ("hole", "out of the space", "not smaller", "no meaning")
RULES = {  # what there is to change of each; of the others "one move more" is no change of what is true, or "no move"
    "up-to-3": ("one move more", "no move", *BROKEN),
    "up-to-3-grundy": ("one move more", "no move", *BROKEN),
    "piles": ("one move more", "no move", *BROKEN),
    "piles-grundy": ("one move more", "no move", *BROKEN),
    "runs": ("one move more", "no move", *BROKEN),
    "down-to-m": ("no move", *BROKEN),
    "misere": BROKEN,
}


@st.composite
def in_the_rules(draw: st.DrawFn) -> Bent:
    """Draw a statement whose rules are changed at one far place (a): a move more, no move, or a wrong move."""
    name, kind = draw(st.sampled_from([(name, kind) for name, kinds in RULES.items() for kind in kinds]))
    (theorem,) = (each for each in THEOREMS if each.name == name)
    names, v = draw(namings()), 4 * draw(st.integers(10, 750))
    env = dict.fromkeys(theorem.position, v) | ({"M": 3} if "parameters" in theorem.extra else {})
    more = dict[str, Any]()
    if kind == "no move":
        env["A"] += name != "down-to-m"  # an N-position
    here = " and ".join(f"${slot} == {env[slot]}" for slot in theorem.position)
    says = theorem.says(env)
    if kind == "one move more":  # from a P-position to another
        more["moves"] = [
            {"name": "far", "when": here, "to": dict.fromkeys((f"${n}" for n in theorem.position), "0")}
        ]
        truth = 1 if theorem.target == "grundy" else 0
    elif kind == "no move":
        moves = [{**yaml.load(move, yaml.BaseLoader), "when": f"not ({here})"} for move in theorem.moves]
        theorem = replace(theorem, moves=[yaml.safe_dump(move) for move in moves])
        truth = 0 if theorem.target == "grundy" else 1
    elif kind == "hole":
        more["where"] = f"$A != {v - 1}"
    else:
        to = {"out of the space": f"$A - {v + 1}", "not smaller": "$A + 1", "no meaning": "1 // ($A - $A)"}[
            kind
        ]
        more["moves"] = [{"name": "far", "when": here, "to": {"$A": to}}]
    text, at = written(theorem, names, theorem.formula, **more), _placed(names, env)
    if kind in BROKEN:
        return Bent(f"{name}: {kind}", text, at, broken=True)
    return Bent(f"{name}: {kind}", text, at, says, truth)


# -- domains ----------------------------------------------------------------------------------------------------------


@st.composite
def below_zero(draw: st.DrawFn) -> Bent:
    """Draw a statement with a range that begins below 0 where another value is large (c)."""
    names, c = draw(namings()), draw(st.integers(40, 3_000))
    low = draw(st.sampled_from([f"{c} - $A", f"min(0, {c} - $A)", f"({c} - $A) // 2", f"0 - $A // {c + 1}"]))
    more = draw(st.sampled_from(["", " and sum($j for $j in range(0, 2)) == 1"]))
    if draw(st.booleans()):
        always = theorem("always", ONE, PILE, "true", "", lambda e: 1, {"K": f"{low}..{c}"})
        text = written(always, names, f"$K >= 0{more}")
        return Bent(f"variable from {low}", text, _placed(names, {"A": c + 1, "K": -1}), 0, 1)
    game = theorem("p", {"A": "0..N", "B": f"{low}..{c}"}, [], "p", "", lambda e: 0)
    moves = [{"for": {"$t": f"{low}..$B - 1"}, "to": {"$B": "$t"}}]
    target, formula = draw(
        st.sampled_from([("p", f"$B == {low}"), ("grundy", f"$B - ({low})"), ("true", "$B >= 0")])
    )
    text = written(replace(game, target=target), names, formula, moves=moves)
    return Bent(f"coordinate from {low}", text, _placed(names, {"A": c + 1, "B": 0}), broken=True)


# -- runs -------------------------------------------------------------------------------------------------------------

# What is added to the beginning of a run, with j: 0 as some reader might read it, and not 0, or without a value.
ADDED = (
    "sum(sum($i for $k in range(0, 2)) - 1 for $i in range(0, $j))",
    "sum(sum($k for $k in range(0, 2)) - $i for $i in range(0, $j))",
    "sum(sum($i*$k for $k in range(0, 3)) - 3 for $i in range(0, $j))",
    "sum(sum(sum($i for $t in range(0, 2)) - 1 for $k in range(0, 1)) for $i in range(0, $j))",
    "sum($two($i, 2) - 3 for $i in range(0, $j))",
    "$none($j) - $none($j)",
    "0*$none($j)",
    "$first($j, $none($j)) - $j",
    "$zero($none($j))",
    "sum($none($i) - $none($i) for $i in range(0, $j))",
    "sum($none($i) for $i in range(0, 5)) - sum($none($i) for $i in range(0, 5))",
    "$far($j)",
    "$far($j + $M) - $far($j + 1)",
    "sum($far($i) for $i in range(0, $j))",
    "sum($far(sum($i for $k in range(0, 2))) for $i in range(0, $j)) - $j*$far(1)",
    "$far($M)",
)


@st.composite
def of_runs(draw: st.DrawFn) -> Bent:
    """Draw a statement whose runs begin elsewhere (d, f): by nested sums, missing values, or far numbers."""
    names, added = draw(namings()), draw(st.sampled_from(ADDED))
    rows, v = draw(st.booleans()), 2 * draw(st.integers(20, 60))
    position = {"A": "0..N", "B": "1..K + N - $A"} if rows else ONE
    more = dict[str, Any](measure="$A") if rows else {}
    (move,) = UP_TO_M
    if rows:
        move = move.replace("$A: $A - $t", "$A: $A - $t, $B: $B + 1")
    game = theorem("runs", position, [move], "p", "", lambda e: e["A"] % (e["M"] + 1), **SOME)
    defined = {
        "$far($n)": {"cases": [{"when": f"$n == {v}", "value": "1"}, {"otherwise": "0"}]},
        "$none($n)": "1 // ($n - 3)",
        "$two($n, $m)": "sum($n for $k in range(0, $m))",
        "$first($n, $m)": "$n",
        "$zero($n)": "0",
    }
    formula = f"any($A == $j*($M + 1) + {added} for $j in range(0, $A + 1))"
    text = written(game, names, formula, functions=defined, **more)
    m = v if added == "$far($M)" else 2
    return _found(f"runs: {added}", text, names, game, [{"A": x, "B": 1, "M": m} for x in range(3 * v + 4)])


def _found(what: str, text: str, names: Mapping[str, str], game: Theorem, envs: Sequence[Env]) -> Bent:
    """Return the statement with the first of the places where it is false; fail if it is true at all of them."""
    ruleset = parse_ruleset(text)
    for env in envs:
        at = {names[slot]: env[slot] for slot in (*game.position, "M")}
        try:
            says: int | None = int(evaluate(ruleset.claim("c").formula, at, ruleset.functions))
        except EvaluationError:
            says = None
        if says != game.says(env):
            return Bent(what, text, at, says, game.says(env))
    raise AssertionError(f"{what} is true:\n{text}")


@st.composite
def by_cases(draw: st.DrawFn) -> Bent:
    """Draw a statement about finitely many values of a parameter, for one of which it is false (a, d)."""
    theorem = draw(st.sampled_from([*BY_RUNS, *(each for each in BY_MONA if each.name.startswith("down"))]))
    names, low = draw(namings()), draw(st.integers(1, 60))
    high = low + draw(st.integers(1, 3))
    env = {"M": draw(st.integers(low, high)), "A": draw(st.integers(80, 400))}
    if theorem in BY_RUNS and draw(st.booleans()):
        env["A"] -= env["A"] % (env["M"] + 1)
    make = draw(st.sampled_from((*INSIDE, *OUTSIDE)))
    condition = f"$M == {env['M']} and {make('$A', env['A'], '$M', env['M'])}"
    about = draw(
        st.sampled_from(
            ["{low} <= $M <= {high}", "$M >= {low} and $M < {high} + 1", "$M <= {high} and $M >= {low}"]
        )
    )
    truth = theorem.says(env)
    text = written(
        theorem, names, bent_by(theorem, condition, truth), functions=functions(env["A"]),
        where_of_claim=about.format(low=low, high=high),
    )  # fmt: skip
    says = truth + 1 if theorem.target == "grundy" else 1 - truth
    return Bent(f"{theorem.name} where {about}: {condition}", text, _placed(names, env), says, truth)


STRATEGIES = {
    "far": at_a_far_place(),
    "far, in the logic": at_a_far_place(BY_MONA, tame=True),
    "hidden name": with_a_hidden_name(),
    "no value": without_a_value(),
    "rules": in_the_rules(),
    "domain": below_zero(),
    "runs": of_runs(),
    "cases": by_cases(),
}
