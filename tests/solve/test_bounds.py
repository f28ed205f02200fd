"""Compiled loops stay inside their arrays: Python runs them on small games, and checks every index."""

import json
import os
import shlex
import subprocess
import sys

import numpy as np
import pytest
from tests.differential.ways import assert_agree, assert_lines_agree
from tests.sizes import night

from grundylab.games import make_instance, parse_ruleset

PILES = "title: t\npiles: {}\nposition: {{x: 0..N}}\nmoves: [{{take: {}, from: x}}]\n"
UNLIKE = (
    "title: t\nposition: {x: 0..N, y: 0..M}\nmoves: [{take: t, from: x}, {take: '1..min(y, 2)', from: y}]\n"
)
LAYERS = (
    "title: t\nposition: {x: 0..N, y: 0..N, s: 0..3}\nmoves:\n  - {take: t, from: x}\n  - {take: t, from: y}\n"
    "  - {when: 's >= 1 and x % 3 != 1', to: {s: s - 1}}\n"
)
WYTHOFF = (
    "title: t\nposition: {x: 0..N, y: 0..N}\nmoves:\n  - {take: t, from: x}\n  - {take: t, from: y}\n"
    "  - {for: {t: '1..min(x, y)'}, to: {x: x - t, y: y - t}}\n"
)
KAYLES = (
    "title: t\nposition: {x: 0..N}\nmoves:\n"
    "  - {for: {t: 1..2, s: 0..x - t}, when: 2*s <= x - t, to: [{x: s}, {x: x - t - s}]}\n"
)
GAMES = {
    **{
        f"{count} piles of {size}, {take}": (PILES.format(count, take), size)
        for count, size in ((1, 0), (1, 1), (1, 80), (2, 0), (2, 9), (3, 0), (3, 4), (4, 2))
        for take in ("t", "'1..min(x, 2)'", "'1..(x + 1) // 2'")
    },
    "unlike piles": (UNLIKE, 66),
    "layers": (LAYERS, 6),
    "Wythoff": (WYTHOFF, 9),
    "splitting": (KAYLES, 80),
}
MORE = {"": "", "a pass": "pass: {}\n", "misère": "play: misere\n"}
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."]), "NUMBA_DISABLE_JIT": "1"}


def agreeing(every: bool) -> dict[str, list[str]]:
    """Return, for each game, the ways of solving that give the definition's table.

    every: whether each game is tried with all the additions to its rules, or with one of them.
    """
    applied = {}
    with np.errstate(over="ignore"):  # words of bits are multiplied modulo 2**64
        for number, (name, (text, size)) in enumerate(GAMES.items()):
            # one of the lines in turn is enough for every way of solving to be met with each sort of take
            lines = list(MORE.items()) if name != "splitting" else [("", "")] * 3
            for more, line in lines if every else [lines[(number // 3 + number + 1) % 3]]:
                ruleset = parse_ruleset(text + line, "t")
                bounds = dict(zip(ruleset.bounds, (size, 3), strict=False))
                instance = make_instance(ruleset, {}, bounds)
                applied[f"{name} {more}"] = sorted(assert_agree(instance))
                if assert_lines_agree(instance, "x % 3 == 0"):
                    applied[f"{name} {more}"].append("lines")
    return applied


def test_no_index_is_outside_its_array_in_any_way_of_solving():
    done = subprocess.run(
        [sys.executable, "-c", "import json; from tests.solve.test_bounds import agreeing; "
         f"print(json.dumps(agreeing({night()})))"],
        env=ENVIRONMENT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    applied = json.loads(done.stdout)
    ways = {way.partition(":")[0] for each in applied.values() for way in each}
    assert ways == {"kernel", "kernel by measure", "piles", "heap", "P-positions", "rows", "lines"}
    assert "piles: outcome" in applied["1 piles of 80, t "]


@pytest.mark.parametrize(
    "command",
    ["prove game.yaml --formula 'x ^ y == z'", "rows game.yaml --fix x=3 --length 600", "rows heap.yaml --target grundy"],
)  # fmt: skip
def test_nor_is_one_where_automata_and_rows_are_worked_out(tmp_path, command):
    (tmp_path / "game.yaml").write_text(PILES.format(3, "t"))
    (tmp_path / "heap.yaml").write_text(PILES.format(1, "[1, 3, 4]"))
    path = os.pathsep.join(os.path.abspath(folder) for folder in ("src", "."))
    done = subprocess.run(
        [sys.executable, "-m", "grundylab", *shlex.split(command)],
        env={**ENVIRONMENT, "PYTHONPATH": path}, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, "proved" in done.stdout) == (0, True), done.stderr[-2_000:]
