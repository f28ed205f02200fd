"""A failure prints a file that reproduces it: shown with faults that are put into the solvers."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from tests.differential import ways
from tests.differential.ways import assert_agree, interpreted
from tests.random_games import GameFile, instances

PRINTED = re.compile(
    r"^# grundylab solve random\.yaml (.*)\n((?:.*\n)+?)# end of random\.yaml$", re.MULTILINE
)


def wrong_at_one(way, kind, size):
    """The way with one value changed, in tables of outcomes of so many cells and more."""

    def faulty(instance, asked):
        values = way(instance, asked)
        if asked == kind and instance.cells >= size:
            values = values.copy()
            values.flat[size - 1] ^= 1
        return values

    return faulty


def failure_of(shape: str) -> str:
    """All that a failure says."""

    @settings(max_examples=40, report_multiple_bugs=False, phases=[Phase.generate, Phase.shrink])
    @given(instances(shape))
    def agree(instance):
        with interpreted():
            assert_agree(instance)

    printed = io.StringIO()
    with redirect_stdout(printed), pytest.raises(AssertionError) as failed:
        agree()
    return "\n".join([str(failed.value), *getattr(failed.value, "__notes__", []), printed.getvalue()])


@pytest.mark.parametrize(
    ("way", "kind", "shape"),
    [("kernel", "outcome", "any"), ("piles", "grundy", "piles")],
)
def test_the_printed_file_reproduces_the_failure(way, kind, shape, monkeypatch):
    right = ways.WAYS[way]
    monkeypatch.setitem(ways.WAYS, way, wrong_at_one(right, kind, 5))
    said = failure_of(shape)
    assert f"{way} ({kind}) differs from the definition at" in said
    printed = PRINTED.findall(said)
    assert printed, said
    options, text = printed[-1]
    given_values = re.findall(r"--(param|bound) (\w+)=(\d+)", options)
    parameters, bounds = (
        {name: int(value) for which, name, value in given_values if which == sort}
        for sort in ("param", "bound")
    )
    instance = GameFile(text, parameters, bounds).instance()
    with interpreted():
        with pytest.raises(AssertionError, match=re.escape(f"{way} ({kind})")):
            assert_agree(instance)
        monkeypatch.setitem(ways.WAYS, way, right)
        assert assert_agree(instance) >= {f"{way}: {kind}"}  # and it is the fault that fails


def test_a_printed_file_is_solved_by_the_command_that_stands_above_it(tmp_path, capsys):
    from grundylab.cli.main import main

    game = GameFile(
        "title: t\nparameters: {m: m >= 1}\nposition: {x: 0..N}\nmoves: [{take: '1..min(x, m)', from: x}]\n",
        {"m": 2},
        {"N": 9},
    )
    path = tmp_path / "random.yaml"
    path.write_text(game.report() + "\n")
    command = game.report().splitlines()[0].removeprefix("# grundylab ").replace("random.yaml", str(path))
    assert main([*command.split(), "--out", str(tmp_path / "t.parquet")]) == 0
    assert np.any(ways.solve_reference(game.instance(), "outcome").values == 0)
