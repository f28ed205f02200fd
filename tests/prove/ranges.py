"""Claims with variables of all sorts of ranges, on quotients, powers, sums, and values of a family's functions.

A range may begin below 0 far out, be empty in some places or everywhere, and depend on coordinates, parameters and
earlier variables. Most conditions are true of numbers from 0 on; some are false at a far number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.prove.files import Choices, Statement
from tests.prove.oracle import Game, Place, Rules

FAR = (40, 60, 60, 300, 300, 977, 5_000, 10**6, 3 * 10**9)
STEP = (1, 1, 1, 2, 7, 60, 60, 300, 1_000)

# X, Y, M: a coordinate, another one or the same, a parameter; J: an earlier variable, or a coordinate; F, C: numbers
NATURAL = (
    "0..N", "0..X", "X..N", "0..M", "M..N", "1..X + 1", "0..F", "F..N", "0..J", "J..N", "J..X", "J + 1..J + 3",
    "X // C..X", "max(0, F - X)..N", "X ^ J..N",
)  # fmt: skip
SOMETIMES_EMPTY = ("F..X", "X..F", "0..F - X", "X % 2..0", "0..M - 2", "J + 1..X", "X..min(X, F)", "F..J")
BELOW_0 = (
    "F - X..N", "F - X // C..N", "F - X // C..F", "C - X // C..N", "F - M..N", "F - J..N", "F - (X + M) // C..N",
    "min(0, F - X)..N", "F*F - X..N", "F - X*X..N", "J - X // C..N", "F - X..X + F", "-(X // C)..X",
)  # fmt: skip
VOID = ("X + F..X + 2", "F..2", "X + 1..X", "J + F..J", "M + F..M", "X + Y + 1..Y", "F + X..F - 1")

# K: a variable; J: another one, or a coordinate
QUOTIENTS = (
    "K // (X + 1) >= 0", "K // (X + 1) >= 0", "K // (X + 1) <= K", "K // (X + 1) // 2 == K // (2*X + 2)", "K // M >= 0",
    "K // (X + 1) // (J + 1) >= 0", "K // (X + 1) // (J + 1) <= K", "(K + 1) // (X + 1) >= K // (X + 1)",
    "X // (K + 1) <= X", "X // (K + 1) >= 0", "K // X >= 0", "K // (X - F) <= K", "(K + J) // (X + 1) >= K // (X + 1)",
    "J // (K + 1) <= J", "K // (J + 1) + X >= X", "K // (K + 1) == 0", "(X + K) // (X + 1) >= 0",
)  # fmt: skip
POWERS = (
    "(1 << K) >= 1", "X // (1 << K) <= X", "X // (1 << K) // 2 == X // (1 << (K + 1))", "(1 << K) + X > X",
    "X // (1 << K) == (X + 1) // (1 << K) or X < F", "(1 << K) // (1 << K) == 1", "(K >> 1) <= K", "(1 << (K - 1)) >= 1",
)  # fmt: skip
SUMS = (
    "sum(i for i in range(0, 3)) + K >= 3", "sum(K // (i + 1) for i in range(0, 2)) >= K", "all(i <= K for i in range(0, K))",
    "sum(i for i in range(0, K)) >= 0", "any(i == K for i in range(0, K + 1))",
)  # fmt: skip
PLAIN = (
    "K >= 0", "K + X >= X", "K * X == X * K", "K * K >= K", "X ^ K >= 0", "K <= X", "K >= X", "K < F", "K >= J",
    "(K + X) * (K + X) == K*K + 2*K*X + X*X", "K * X >= 0", "K * J >= J or K == 0", "isqrt(K) <= K", "(X & K) <= K",
)  # fmt: skip
ABSURD = ("K == 7", "K * K == isqrt(K * X) + 7", "G(K, Y) == 77", "K < 0", "G(X, Y) == K + 1", "K != K")
VALUES = (
    "h(K) >= 0", "h(K) >= 0", "h(K) == h(K)", "h(K) <= h(K + 1)", "h(J) <= h(K)", "h(K) <= 1", "h(K) <= K", "h(K) >= K",
    "h(X) <= h(X + K)", "h(K - 1) <= h(K)", "h(X - K) >= 0", "h(K) // (X + 1) <= h(K)", "h(h(K)) >= 0", "h(K) + X >= X",
    "sum(h(i) for i in range(0, 2)) + K >= 0", "all(h(i) >= 0 for i in range(0, K))", "h(K) ^ h(X) >= 0", "h(X) == h(X) + 0*K",
)  # fmt: skip
STEPS = {"cases": [{"when": "z >= F", "value": "1"}, {"otherwise": "0"}]}
FAMILIES: Mapping[str, Sequence[Any]] = {
    "h(z) >= 0": ("z", "0*z", "5 + z % 3", "max(0, F - z)", STEPS),
    "z == 0 or h(z - 1) <= h(z)": ("z", "0*z", "z // 2", "min(z, F)", STEPS),
    "h(z) <= 1": ("0*z", "z % 2", "1 + 0*z", STEPS),
    "h(z) <= z": ("0*z", "z", "z // 2", "min(z, F)"),
    "h(z) >= z": ("z", "2*z", "z + F"),
    "h(z) == z": ("z",),
}


def member(body: Any, far: int) -> dict[str, Any]:
    """Return a function of a family that has values only from 0 on. far: the number that F stands for."""
    cases = [{"when": "z >= 0", "value": body}]
    if not isinstance(body, str):
        first, last = body["cases"]
        cases = [first, {"when": "z >= 0", "value": last["otherwise"]}]
    return {"cases": [{key: text.replace("F", str(far)) for key, text in each.items()} for each in cases]}


def statement(seed: int) -> Statement:
    """Return the statement with this number."""
    return _Maker(Random(seed)).statement()


class _Maker(Choices):
    """The choices of one statement."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.far, self.step = random.choice(FAR), random.choice(STEP)
        self.coordinates = random.choice([["x"], ["x"], ["x", "y"], ["k", "x"]])
        self.parameter = "m" if random.random() < 0.3 else None
        self.variables = random.choice([["v"], ["v"], ["v", "w"]])
        self.family = random.choice(list(FAMILIES)) if random.random() < 0.3 else None
        self.void = False

    def put(
        self, text: str, variable: str = "", earlier: Sequence[str] = (), only: Sequence[str] = ()
    ) -> str:
        """Return the template with names and numbers filled in.

        only: the coordinates that it may name; by default all.
        """
        coordinates = list(only) or self.coordinates
        others = list(earlier) or coordinates
        names = {
            "X": self.random.choice(coordinates), "Y": coordinates[-1], "M": self.parameter or str(self.step),
            "J": self.random.choice(others), "K": variable, "F": str(self.far), "C": str(self.step),
        }  # fmt: skip
        return "".join(names.get(each, each) for each in text)

    def statement(self) -> Statement:
        rules = self.rules()
        ranges = dict[str, str]()
        if self.chance(0.9) or len(self.coordinates) == 1:
            for name in self.variables:
                ranges[name] = self.range(name, list(ranges))
        names = [*ranges] or [self.coordinates[-1]]
        condition = self.condition(names)
        claim: dict[str, Any] = {"id": "c", "condition": condition}
        if "G(" in condition:
            claim["condition"] = (
                condition if len(self.coordinates) == 2 else re.sub(r", \w+\)", ")", condition)
            )
            claim["values"] = {"G": "this"}
        if ranges:
            claim["for"] = ranges
        wheres = ["X <= 3", "X < F", "X >= F", "X != F", "X >= 1", "X < 0"]
        if self.chance(0.8 if self.void else 0.3):
            claim["where"] = self.put(self.random.choice(["X <= 3"] * 6 if self.void else wheres))
            self.void = self.void or claim["where"].endswith("< 0")
        members = [member(body, self.far) for body in FAMILIES[self.family]] if self.family else ()
        whole = (replace(rules, claims=(claim,)),)
        return Statement(whole, claim, "void" if self.void else "", members, multiplied=True)

    def rules(self) -> Rules:
        """Return a ruleset in which stones are taken from one pile, or nothing moves."""
        x, *more = self.coordinates
        position = {x: "0..N"} | dict.fromkeys(more, "0..N")
        still = self.chance(0.5)
        if more and self.chance(0.4):
            position[more[0]] = self.put(self.random.choice([*BELOW_0, *NATURAL]), only=[x])
            still = True
        move = {"take": "t", "from": x} | ({"when": "1 == 0"} if still else {})
        parameters = (
            {"m": self.random.choice(["m >= 1", "m >= 1", "1 <= m <= 3", "m >= 0"])} if self.parameter else {}
        )
        functions = {"h(z)": {"any": self.family}} if self.family else {}

        def closed(game: Game, place: Place) -> int:
            return 0 if still else place[0]

        return Rules("first", position, [move], parameters, functions, closed=closed)

    def range(self, name: str, earlier: list[str]) -> str:
        """Return the range of a variable."""
        pool = self.random.choice([NATURAL, NATURAL, SOMETIMES_EMPTY, BELOW_0, BELOW_0, VOID])
        text = self.random.choice(pool)
        self.void = self.void or pool is VOID
        return self.put(text, name, earlier)

    def condition(self, names: Sequence[str]) -> str:
        """Return a condition on the variables, or on a coordinate if there are none."""
        pools = (
            [VALUES, VALUES, SUMS]
            if self.family
            else [QUOTIENTS, QUOTIENTS, QUOTIENTS, POWERS, SUMS, PLAIN, ABSURD]
        )
        text = self.random.choice(
            ABSURD if self.void and not self.family and self.chance(0.7) else self.random.choice(pools)
        )
        variable, *more = self.random.sample(list(names), len(names))
        found = self.put(text, variable, more)
        if self.chance(0.2):
            bend = self.random.choice(
                ["({}) and X != F", "({}) and K != F", "({}) or X < F", "({}) if K < F else K <= F"]
            )
            found = self.put(bend, variable).format(found)
        return found
