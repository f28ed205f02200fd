"""Pairs of rulesets: one looks up values of the other, and both use the same names for different things.

B is one pile, of which the generator knows all values. A has one or two piles with rules like B's. Both have functions,
coordinates and parameters of the same names. In one of them something changes ("bends") at a far number: the rules, a
function's body, the domain of a parameter, a claim or its condition. The claims are statements of A about B's values.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from operator import xor
from random import Random
from typing import Any

from tests.prove.files import Choices, Statement
from tests.prove.oracle import Env, Game, Place, Rules, evaluate, mex, over

FAR = (300, 300, 500, 500, 700, 700, 977, 977, 3_000, 20_000, 10**6)
NAMES = ("x", "x", "y", "k", "n", "m", "t")  # of coordinates, of arguments, of what is bound: the same ones
TROUBLES = (
    "misere", "family", "hole", "space", "from 1", "up to", "rises", "rises beside", "leaves", "guard", "low", "parameter",
)  # fmt: skip


@dataclass(frozen=True)
class Pile:
    """The rules of one pile.

    most: the greatest number that may be taken, or None for any number. bend: how the rules change from ``far`` on.
    far, most: texts, which may call functions and name the parameter. f: the function that the bend "least" uses.
    """

    most: str | None
    bend: str = ""
    far: str = "0"
    when: str = "True"  # the parameters with the bend
    f: str = "f"

    def move(self, pile: str, choice: str) -> dict[str, Any]:
        """Return the move of a pile with this name, as YAML data. choice: the name of the number taken."""
        few = "True" if self.most is None else f"{choice} <= {self.most}"
        bent = {
            "": "",
            "stuck": f"{few} and {pile} != {self.far}",
            "stop": f"{few} and {pile} < {self.far}",
            "free": f"{few} or {pile} >= {self.far}",
            "least": f"{few} and {pile} <= {self.f}({pile})",
        }[self.bend]
        if not bent and self.most is None:
            return {"take": choice, "from": pile}
        if not bent:
            return {"take": f"1..min({self.most}, {pile})", "from": pile}
        if self.when != "True":
            bent = f"{bent} if {self.when} else {few}"
        return {
            "for": {choice: f"1..{pile}"},
            "when": bent.removeprefix("True and "),
            "to": {pile: f"{pile} - {choice}"},
        }

    def value(self, game: Game, size: int) -> int:
        """Return the Grundy number of a pile of this size."""
        names = {**game.functions, **game.parameters}
        most = None if self.most is None else evaluate(self.most, names)
        far = evaluate(self.far, names)
        plain = size if most is None else size % (most + 1)
        if not self.bend or not evaluate(self.when, names):
            return int(plain)
        if self.bend == "least":
            return self._least(game, most, size)
        if size < far or (self.bend == "stuck" and far == 0):
            return int(plain)
        if self.bend == "stop" or (self.bend == "stuck" and size == far):
            return 0
        if self.bend == "free":  # all smaller values are there
            return int(plain) if most is None else min(most + 1, far) + size - far
        return size - 1 if most is None else _after_a_stuck(most, far, size)

    def _least(self, game: Game, most: int | None, size: int) -> int:
        """Return the Grundy number in the bend "least", where no move is possible from a size above f of this size.

        Every size from some number on is then such a size, except perhaps one.
        """

        def is_stuck(each: int) -> bool:
            return each > game.functions[self.f](each)

        first = bisect_left(range(size), True, key=is_stuck)
        if is_stuck(size):
            return 0
        if first == size:
            return size if most is None else size % (most + 1)
        if most is None:
            return max(first, 1)
        below = (each % (most + 1) if each < first else 0 for each in range(max(0, size - most), size))
        return mex(below)


@lru_cache(maxsize=10_000)
def _after_a_stuck(most: int, far: int, size: int) -> int:
    """Return the Grundy number of a pile if up to ``most`` can be taken, but nothing from the size ``far``."""
    values = [each % (most + 1) for each in range(max(0, far - most), far)] + [0]
    first = far + 1 - len(values)
    while first + len(values) <= size:
        window = values[-most - 1 :]
        if len(set(window)) == most + 1:  # from here on each value comes again after as many
            return window[(size - first - len(values)) % (most + 1)]
        values.append(mex(values[-most:] if most else ()))
    return values[size - first]


# -- functions of one name --------------------------------------------------------------------------------------------


def constant(value: int, far: int, other: int) -> list[Any]:
    """Return definitions of functions that are constant; the last ones have another value at or after ``far``."""
    return [
        f"{value} + 0*n",
        {"cases": [{"when": "n >= 0", "value": str(value)}, {"otherwise": "0"}]},
        {"recurrence": "f(n - 1)", "initial": {0: value}},
        {"recurrence": "f(n - 1)", "initial": {0: value}},
        {"recurrence": "f(n - 2)", "initial": {0: value, 1: value}},
        {"cases": [{"when": f"n >= {far}", "value": str(other)}, {"otherwise": str(value)}]},
        {"recurrence": f"f(n - 1) if n != {far} else {other}", "initial": {0: value}},
    ]


def rising(far: int, most: int) -> list[Any]:
    """Return definitions of functions that are not constant."""
    return [
        "n",
        "700 + n",
        f"n % {most + 1}",
        f"min(n, {far})",
        {"cases": [{"when": f"n < {far}", "value": "n"}, {"otherwise": "0"}]},
        {"recurrence": "f(n - 1) + 1", "initial": {0: 0}},
        {"recurrence": f"f(n - {most + 1})", "initial": {n: n for n in range(most + 1)}},
    ]


def limited(far: int) -> list[Any]:
    """Return definitions of functions that rise up to ``far`` and stay there."""
    return [
        f"min(n, {far})",
        {"cases": [{"when": f"n < {far}", "value": "n"}, {"otherwise": str(far)}]},
        {"recurrence": f"f(n - 1) + (1 if n <= {far} else 0)", "initial": {0: 0}},
        {"recurrence": f"min(f(n - 1) + 1, {far})", "initial": {0: 0}},
    ]


def called(name: str, argument: str, body: Any) -> dict[str, Any]:
    """Return the function ``f(n)`` with another name and argument."""

    def put(text: str) -> str:
        return re.sub(r"\bf\(", f"{name}(", re.sub(r"\bn\b", argument, text))

    if isinstance(body, str):
        return {f"{name}({argument})": put(body)}
    if "recurrence" in body:
        return {f"{name}({argument})": {**body, "recurrence": put(body["recurrence"])}}
    return {
        f"{name}({argument})": {
            "cases": [{key: put(text) for key, text in each.items()} for each in body["cases"]]
        }
    }


# -- pairs ------------------------------------------------------------------------------------------------------------


def pair(seed: int, far: Sequence[int] = FAR) -> Statement:
    """Return the pair with this number. far: the numbers from which the far number is chosen."""
    return _Maker(Random(seed), far).pair()


class _Maker(Choices):
    """The choices of one pair.

    plot: what may go wrong: "claim": B's claim is read with A's functions; "rules": B's rules are read so; "trouble":
    B's values do not exist; "bend": the rules bend; "wild": anything. far: the number where something bends. c: B's
    coordinate; a, b: those of A. f: the functions' name.
    """

    def __init__(self, random: Random, far: Sequence[int]) -> None:
        super().__init__(random)
        self.far = random.choice(far)
        self.plot = random.choice(["claim", "claim", "claim", "rules", "trouble", "trouble", "bend", "wild"])
        self.trouble = random.choice(TROUBLES) if self.plot == "trouble" else ""
        if (
            self.plot != "claim" and self.trouble != "hole"
        ):  # a table of all positions up to there may be solved
            self.far = min(self.far, 20_000)
        self.parameter = random.choice(
            ["m", "k"] if self.trouble in ("hole", "parameter") else [None, None, "m", "k"]
        )
        self.f = random.choice(["f", "f", "f", "B"])  # B is also what values are looked up by
        self.lookup = random.choice(["B", "G"])
        self.least = random.randint(1, 3)  # how many may be taken, where that is a number
        self.number = random.choice([self.far, self.far, self.far, 700, 700, self.least, 7])  # f(0) in A
        self.now = random.choice([0, 0, self.least])  # f(0) in B
        self.free = [each for each in NAMES if each != self.parameter]
        self.c, self.a = random.choice(self.free), random.choice(self.free)
        self.b = random.choice([each for each in self.free if each != self.a])
        self.choice = self.name("t", "n", "s", but=(self.a, self.b))  # in A's moves
        self.other_choice = self.name("t", "n", "s", "k", but=(self.c,))  # in B's
        self.bound = self.name(*NAMES, "j", but=(self.c,))  # in B's claims
        self.pile = self.rules_of_a_pile()
        self.captured = random.choice(self.readings())

    def name(self, *names: str, but: Sequence[str]) -> str:
        return self.random.choice([each for each in names if each not in (*but, self.parameter)])

    def pair(self) -> Statement:
        if self.chance(0.15) and not self.trouble:
            return self.extended()
        others = [self.other("other")]
        if self.chance(0.1):
            others.append(self.other("third"))
        return self.together(self.first(others[0]), others)

    def together(self, first: Rules, others: Sequence[Rules]) -> Statement:
        claim = {"id": "c", **self.claim(first, others)}
        first = replace(first, claims=(claim, *first.claims))
        return Statement((first, *others), claim, self.trouble)

    def extended(self) -> Statement:
        """Return a pair in which one ruleset extends the other and changes its functions."""
        self.a = self.c
        base = self.other("other")
        new = self.functions() if self.chance(0.8) else {}
        if self.chance(0.5):
            return self.together(over(base, "first", functions=new), [base])
        other = over(replace(base, name="first"), "other", base.claims, functions=new)
        return self.together(replace(base, name="first", claims=self.one(base.claims, ())), [other])

    # -- rules ----------------------------------------------------------------------------------------------

    def rules_of_a_pile(self) -> Pile:
        """Return the rules of B's pile, which sometimes are A's, too."""
        far, f = str(self.far), f"{self.f}(0)"
        few = [None, None, str(self.least)]
        if self.plot in ("claim", "trouble"):
            return Pile(None, "stuck", far) if self.trouble == "space" else Pile(self.one(*few))
        if self.plot == "rules":
            return Pile(self.one(*few), self.one("least", "least", "stop", "stuck"), f, "True", self.f)
        when = (
            f"{self.parameter} {self.one('== 1', '!= 2', f'>= {far}')}"
            if self.parameter and self.chance(0.5)
            else "True"
        )
        bend = self.one("", "stuck", "stop", "stop", "free")
        return Pile(
            self.one(*few, f, self.parameter), bend, self.one(far, far, f, f"{f} + {far}"), when, self.f
        )

    def readings(self) -> list[tuple[str, list[str], bool]]:
        """Return claims of B, each with conditions on A that follow if the claim is read with A's functions.

        The claims are true of a pile that does not bend. A and C stand for the coordinates, L for the looked-up value.
        The last part tells whether B's function depends on the pile's value.
        """
        value, number, far, now, f = self.value("C"), self.number, self.far, self.now, self.f
        return [
            (
                f"{value} if {f}(0) == {now} else min({value}, {f}(0))",
                [f"L <= {number}", f"L <= {f}(0)"],
                False,
            ),
            (
                f"min({value}, {far}) if {f}(0) != {now} else {value}",
                [f"L <= {far}", f"L < {far + 1}"],
                False,
            ),
            (
                f"{value} if C < {far} or {f}(0) == {now} else 0",
                [f"L < {far}", f"L == 0 or A < {far}"],
                False,
            ),
            (
                f"{value} if {f}(C) == {now} else max({value} - {f}(C), 0)",
                [f"L == 0 or A < {far}", "L <= A // 2"],
                False,
            ),
            (f"{f}(C)", [f"L == {f}(A)", f"L <= {f}(A)"], True),
        ]

    def functions(self) -> dict[str, Any]:
        """Return a function of any of the sorts above."""
        value = self.one(0, self.least, self.number, self.far)
        pools = [
            constant(value, self.far, self.one(0, 1, self.far)),
            rising(self.far, self.least),
            limited(self.far),
        ]
        return called(self.f, self.random.choice(self.free), self.one(*self.one(*pools)))

    def functions_of_other(self) -> dict[str, Any]:
        """Return the function that B's rules or claims use."""
        if self.plot == "claim":
            by_value = (
                rising(self.far, self.least)[6:] if self.pile.most else rising(self.far, self.least)[5:6]
            )
            body = self.one(
                *(by_value if self.captured[2] else constant(self.now, self.far, self.number)[:5])
            )
        elif self.plot == "rules":
            body = self.one(
                *(limited(self.far) if self.pile.bend == "least" else constant(self.far, 10**9, 0))
            )
        else:
            return self.functions()
        return called(self.f, self.random.choice(self.free), body)

    def other(self, name: str) -> Rules:
        """Return B, or a third ruleset like B."""
        parameters = (
            {self.parameter: self.one("{} >= 1", "{} >= 0").format(self.parameter)} if self.parameter else {}
        )
        functions, pile = self.functions_of_other(), self.pile
        rules = Rules(
            name, {self.c: "0..N"}, [pile.move(self.c, self.other_choice)], parameters, functions,
            claims=self.claims(), closed=lambda game, place: pile.value(game, place[0]),
        )  # fmt: skip
        return self.troubled(rules) if self.trouble else rules

    def troubled(self, rules: Rules) -> Rules:
        """Return B changed so that looked-up values, or a far position or parameter, do not exist."""
        c, far, t, m, pile = self.c, self.far, self.other_choice, self.parameter, self.pile
        beside = "w"
        less, two = {c: f"{c} - {t}"}, {c: "0..N", beside: "0..N"}

        def more(
            *moves: Mapping[str, Any], broken: Callable[[Env], bool] = lambda _: True, **other: Any
        ) -> Rules:
            return replace(rules, moves=[*rules.moves, *moves], broken=broken, **other)

        match self.trouble:
            case "misere":
                known = [{"id": "g", "target": "p", "formula": f"{c} == 1"}]
                return replace(rules, play="misere", claims=known if pile.most is None else rules.claims)
            case "family":
                return replace(rules, functions={**rules.functions, "h(z)": {"any": "h(z) >= 0"}})
            case "hole" if m:
                hole = self.one(
                    f"{m} != {far}", f"{m} % {far} != 4", f"{m} <= {far}", f"{m} != {far} and {m} != 2"
                )
                return replace(rules, parameters={m: f"{m} >= 1 and {hole}"})
            case "space":
                move = {"for": {t: f"1..{c}"}, "when": f"{c} - {t} != {far}", "to": less}
                return replace(rules, where=f"{c} != {far}", moves=[move])
            case "from 1":
                few = "True" if pile.most is None else f"{t} <= {pile.most}"
                known = [{"id": "g", "target": "grundy", "formula": self.value(f"({c} - 1)")}]
                return replace(
                    rules, position={c: "1..N"}, moves=[{"for": {t: f"1..{c} - 1"}, "when": few, "to": less}],
                    claims=known, closed=lambda game, place: pile.value(game, place[0] - 1),
                )  # fmt: skip
            case "up to":
                return replace(rules, position={c: f"0..{far}"})
            case "rises" if m:
                return more(
                    {"when": f"{m} >= {far}", "to": {c: f"{c} + 1"}}, broken=lambda env: env[m] >= far
                )
            case "rises":
                return more({"when": f"{c} >= {far}", "to": {c: f"{c} + 1"}})
            case "rises beside":
                fall = {
                    "for": {t: f"1..{beside}"},
                    "when": f"{beside} < {far}",
                    "to": {beside: f"{beside} - {t}"},
                }
                return more(
                    fall, {"when": f"{beside} >= {far}", "to": {beside: f"{beside} + 1"}}, position=two
                )
            case "leaves":
                return more({"when": f"{c} == {far}", "to": {c: f"{c} - {far + 1}"}})
            case "guard":
                return more({"when": f"1 // ({c} - {far}) > 5 and {c} > 0", "to": {c: f"{c} - 1"}})
            case "low":
                return more(position={c: "0..N", beside: f"min(0, {far} - {c})..0"})
        return rules

    def value(self, size: str, pile: Pile | None = None) -> str:
        """Return a formula for the values of a pile that does not bend."""
        most = (pile or self.pile).most
        return size if most is None else f"{size} % ({most} + 1)"

    def claims(self) -> list[dict[str, Any]]:
        """Return claims of B about its values; in most plots the first one is true."""
        value, far, c = self.value(self.c), self.far, self.c
        captured = re.sub(r"\bC\b", c, self.captured[0])
        formula = captured if self.plot == "claim" else self.one(value, value, value, captured)
        wheres = ["True"] * 6
        if self.plot != "claim":
            wheres += [
                f"{c} < {far}",
                f"{c} != {far}",
                *([f"{self.parameter} != {far}"] if self.parameter else []),
            ]
            formula = self.one(formula, formula, formula, f"{value} if {c} != {far} else {self.number}")
        claim = {"id": "g", "target": "grundy", "formula": formula, "where": self.one(*wheres)}
        multiple = f"any({c} == {self.bound} * {self.least + 1} for {self.bound} in range(0, {c} + 1))"
        none = f"all({self.bound} != {c} for {self.bound} in range(1, {c} + 1))"
        is_p = f"({formula}) == 0"
        if self.plot != "claim":
            is_p = self.one(is_p, none if self.pile.most is None else multiple)
        level = {"id": "p", "target": "p", "formula": is_p}
        return list(
            self.one(
                [claim], [claim], [claim], [claim, level], [level], [] if self.plot != "claim" else [claim]
            )
        )

    def first(self, other: Rules) -> Rules:
        """Return A."""
        pile, nim = self.pile, Pile(None)
        piles = self.one([nim], [pile], [nim] * 2, [pile] * 2, [nim, pile])
        if self.plot == "rules":
            piles = self.one([nim], [nim], [nim] * 2, [pile] * 2, [Pile(pile.most)])
        names, parameters = [self.a, self.b][: len(piles)], {}
        if self.trouble == "parameter":  # its name is that of a coordinate
            self.a = names[0] = self.parameter or ""
        elif self.parameter:
            domain = self.one("{0} >= 1", "{0} >= 1", "{0} >= 1", "1 <= {0} <= 2")
            parameters = {self.parameter: domain.format(self.parameter)}
        functions = self.functions() if self.chance(0.85) else dict(other.functions)
        if self.plot in ("claim", "rules") and self.chance(0.85):
            body = self.one(f"{self.number} + n", *constant(self.number, self.far, self.least)[:5])
            body = self.one(body, "n") if self.plot == "rules" else body
            if self.plot == "claim" and self.captured[2]:
                body = self.one("n", *limited(self.far))
            functions = called(self.f, self.random.choice(self.free), body)
        if self.f == self.lookup and self.chance(0.7):  # A has no such function, and looks values up by it
            functions = {}
            piles = [nim if self.f in str(each) else each for each in piles]
        moves = [each.move(name, self.choice) for each, name in zip(piles, names, strict=True)]

        def closed(game: Game, place: Place) -> int:
            return reduce(xor, (each.value(game, size) for each, size in zip(piles, place, strict=True)))

        own = " ^ ".join(self.value(name, each) for each, name in zip(piles, names, strict=True))
        claims = [{"id": "own", "target": "grundy", "formula": own}] if self.chance(0.4) else []
        return Rules(
            "first", dict.fromkeys(names, "0..N"), moves, parameters, functions, claims=claims, closed=closed
        )

    # -- the claim ------------------------------------------------------------------------------------------

    def claim(self, first: Rules, others: Sequence[Rules]) -> dict[str, Any]:
        """Return a claim of A about values of B."""
        names = list(first.position)
        a, b, far = names[0], names[-1], self.far
        taken = {*names, *first.parameters, *(head.split("(")[0] for head in first.functions)}
        of, rest = "H" if self.lookup in taken else self.lookup, "" if len(others[0].position) == 1 else ", 0"
        bound = self.name("t", "m", "k", "n", "y", "j", self.c, but=tuple(taken))

        def at(text: str) -> str:
            return f"{of}({text}{rest})"

        def value(size: str) -> str:
            return size if self.pile.most is None else f"{size} % {self.least + 1}"

        most = (
            self.one(a, self.number)
            if self.pile.most is None
            else self.one(self.least, self.least, self.number)
        )
        right = [
            f"{at(a)} <= {most}", f"{at(a)} <= {self.number}", f"{at(a)} == {value(a)}", f"{at(a)} != {at(f'{a} + 1')}",
            f"all({at(bound)} <= {most} for {bound} in range(0, {a} + 1))", f"{at(a)} == 0 or {value(a)} != 0",
            f"{at(a)} ^ {at(b)} == {value(a)} ^ {value(b)}", f"{at(a)} != 0 or {a} == 1",
        ]  # fmt: skip
        captured = [re.sub(r"\bL\b", at(a), re.sub(r"\bA\b", a, each)) for each in self.captured[1]]
        odd = [
            f"{at(a)} <= {most} or {a} < {far}", f"{at(a)} == {value(a)} or {a} == {far}", f"{at(str(far))} == {value(str(far))}",
            f"{at(str(far))} <= {most} or {a} < 2", f"{at(a)} <= {a} + {self.number}", f"{at(a)} < {far} or {a} >= {far}",
        ]  # fmt: skip
        if first.functions:
            odd += [f"{at(a)} == {self.f}({a})", f"{at(a)} <= {self.f}({a})", f"{at(a)} <= {self.f}(0)"]
        parameter = next(iter(first.parameters), None)
        wheres = [
            f"{a} >= 1",
            f"{a} != {far}",
            *([f"{parameter} <= 2", f"{parameter} == {far}"] if parameter else []),
        ]
        more: dict[str, Any] = {"values": {of: others[0].name}}
        if self.chance(0.2):
            more["where"] = self.one(*wheres)
        whole = " ^ ".join(map(at, names))
        kind = self.one(*["right"] * 3, *["odd"] * 2, *["grundy"] * 3, "p", "for", "this", "third")
        if self.plot == "claim" and self.chance(0.6):
            return {"condition": self.one(*captured), **more}
        if kind == "third" and len(others) > 1:
            more["values"]["C"] = others[1].name
            return {"condition": f"{at(a)} == C({a}{rest})", **more}
        if kind == "this":
            more["values"]["W"] = "this"
            return {"condition": f"W({', '.join(names)}) == {whole}", **more}
        if kind == "for":
            condition = self.one(
                f"{at(bound)} <= {most}", f"{at(bound)} <= {a}", f"{at(bound)} == {value(bound)}"
            )
            return {"condition": condition, "for": {bound: f"0..{a}"}, **more}
        if kind == "grundy":
            return {"target": "grundy", "formula": self.one(whole, whole, whole, at(a), value(a)), **more}
        if kind == "p":
            formula = self.one(f"({whole}) == 0", f"{at(a)} == {at(b)}" if a != b else f"{at(a)} == 0")
            return {"target": "p", "formula": formula, **more}
        return {"condition": self.one(*(right if kind == "right" else odd)), **more}
