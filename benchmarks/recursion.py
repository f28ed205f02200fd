"""Memoised recursion in Python for any ruleset, in the form of the programs printed in the papers.

Those programs (for instance in Games of Nim with restriction, Section 4) have a function ``move`` that lists the
options of a position, and ``Gr[pos] = Mex[Map[Gr, move[pos]]]``, where each value is stored once it is found.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from math import isqrt
from time import process_time
from typing import Any

import numpy as np

from grundylab.games.instance import Instance
from grundylab.games.model import Move, Ruleset
from grundylab.games.rules import Rules
from grundylab.language.functions import Function
from grundylab.language.substitution import lower
from grundylab.language.syntax import TRUE, Expr
from grundylab.solve.table import NO_POSITION, Table

_KNOWN = {
    "lru_cache": lru_cache,
    "isqrt": isqrt,
    "floor_log2": lambda n: n.bit_length() - 1,
    "is_power_of_two": lambda n: n > 0 and n & (n - 1) == 0,
}


def source(ruleset: Ruleset) -> str:
    """Return the program of a ruleset as text.

    Parameters and bounds are global names. A position is a tuple of coordinates. An option is a position, or a pair of
    positions (their sum) if moves of the ruleset split.
    """
    lines = []
    for function in ruleset.functions:
        assert isinstance(function, Function)
        lines += ["@lru_cache(None)", f"def {function.name}({', '.join(function.arguments)}):"]
        lines += [f"    if {function.arguments[0]} == {n}: return {value}" for n, value in function.initial]
        lines.append(f"    return {_text(function.body)}")
    lines += [
        "def move(position):",
        f"    {', '.join(ruleset.coordinate_names)}, = position",
        "    options = []",
    ]
    for move in sorted(ruleset.moves, key=lambda move: move.a_pass):
        lines += _move(move, ruleset.splits)
    lines += ["    return options", "def mex(values):", "    values, least = set(values), 0"]
    lines += ["    while least in values:", "        least += 1", "    return least"]
    lines += ["@lru_cache(None)", "def grundy(position):", f"    return mex({_VALUES[ruleset.splits]})"]
    return "\n".join(lines) + "\n"


_VALUES = {
    False: "map(grundy, move(position))",
    True: "grundy(one) ^ grundy(other) for one, other in move(position)",
}


def _move(move: Move, sums: bool) -> list[str]:
    indent, lines = "    ", []
    if move.a_pass:
        lines.append(f"{indent}if options:")
        indent += "    "
    for choice in move.choices:
        low, high = _text(choice.range.low), _text(choice.range.high)
        lines.append(f"{indent}for {choice.name} in range({low}, {high} + 1):")
        indent += "    "
    if move.when != TRUE:
        lines.append(f"{indent}if {_text(move.when)}:")
        indent += "    "
    parts = [f"({', '.join(map(_text, part))},)" for part in move.parts]
    if sums:  # the sum with a game that is over is the game itself
        parts += [_OVER] * (2 - len(parts))
    return [
        *lines,
        f"{indent}options.append({', '.join(parts) if not sums else '(' + ', '.join(parts) + ')'})",
    ]


_OVER = "(0,)"  # of a game with splits, each of which has one coordinate


def _text(expr: Expr) -> str:
    return f"({lower(expr)})"


def seconds_a_position(instance: Instance, most: float) -> tuple[float, int, Callable[..., int]]:
    """Return the processor seconds for a position, the number of positions solved, and the recursion's function.

    Positions are solved from the smallest on, for at most ``most`` seconds. Small positions have few moves, so the time
    for a position is too short if the recursion is ended early.
    """
    space = _program(instance)
    grundy = space["grundy"]
    sys.setrecursionlimit(1_000_000)
    positions = list(Rules(instance).positions())
    start = process_time()
    for number, position in enumerate(positions):
        grundy(position)
        if number % 64 == 0 and process_time() - start > most:
            break
    spent, solved = process_time() - start, grundy.cache_info().currsize
    return spent / solved, solved, grundy


def sampled(table: Table, count: int, seed: int = 1) -> float:
    """Return the processor seconds for a position of the table, measured at so many positions drawn at random.

    The values of the position's options are stored before. So only their look-up and the computation of the position's
    own value are timed, with a small store, which makes the time rather too short. An assertion fails unless the values
    are the table's Grundy numbers.
    """
    space = _program(table.instance)
    cells = np.flatnonzero(table.values.reshape(-1) != NO_POSITION)
    drawn = np.random.default_rng(seed).choice(cells, min(count, len(cells)), replace=False)
    lows = [side.low for side in table.instance.box]
    spent, value_of = 0.0, space["grundy"].__wrapped__
    for cell in drawn.tolist():
        offsets = np.unravel_index(cell, table.instance.shape)
        position = tuple(int(offset) + low for offset, low in zip(offsets, lows, strict=True))
        space["grundy"] = known = lru_cache(None)(table.__getitem__)
        value_of(position)  # stores the values of the options
        before = known.cache_info().misses
        start = process_time()
        value = value_of(position)
        spent += process_time() - start
        assert value == table[position]
        assert known.cache_info().misses == before
    return spent / len(drawn)


def _program(instance: Instance) -> dict[str, Any]:
    """Run the program of the instance's ruleset and return the names that it defines, with their values."""
    space: dict[str, Any] = {**_KNOWN, **instance.constants}
    exec(source(instance.ruleset), space)  # noqa: S102 - our own text
    return space
