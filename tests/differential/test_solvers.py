"""All ways of solving give the definition's table, on rulesets of all shapes; explanations and files agree with it."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from functools import reduce
from operator import xor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, assume, event, given, note, settings
from hypothesis import strategies as st
from tests.differential import ways
from tests.differential.ways import assert_agree, assert_lines_agree, interpreted, kinds
from tests.random_games import SHAPES, instances
from tests.sizes import examples

from grundylab.cli.main import main
from grundylab.errors import RulesetError
from grundylab.games.rules import Rules
from grundylab.solve import explaining
from grundylab.solve.dataset import read_dataset, read_p_positions, write_dataset, write_p_positions
from grundylab.solve.reference import solve_reference
from grundylab.solve.solving import solve_p_positions

FORMULAS = ["x == 0", "(x + m) % 3 == 1", "x ^ m == 2", "x % 2 == 1 or x > m"]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_way_gives_the_definitions_table(shape):
    applied: Counter[str] = Counter()

    @examples(20, 800)
    @given(instances(shape))
    def agree(instance):
        with interpreted():
            found = assert_agree(instance)
        applied.update(found)
        for way in found:
            event(way)

    agree()
    assert applied["kernel: outcome"] >= 5, applied
    needed = {
        "piles": ("piles: outcome", "piles: grundy", "P-positions: outcome", "rows: outcome"),
        "alike": ("piles: outcome",),
    }.get(shape, ())
    assert all(applied[name] >= 1 for name in needed), applied


@pytest.mark.parametrize(
    ("way", "kind", "shape"), [("kernel", "outcome", "any"), ("piles", "grundy", "piles")]
)
def test_one_wrong_value_of_one_way_is_seen_and_the_game_is_printed(way, kind, shape, tmp_path, monkeypatch):
    right = ways.WAYS[way]

    def wrong_at_one(instance, asked):
        values = right(instance, asked)
        if asked == kind and instance.cells >= 5:
            values = values.copy()
            values.flat[4] ^= 1
        return values

    @settings(max_examples=40, report_multiple_bugs=False, phases=[Phase.generate])
    @given(instances(shape))
    def agree(instance):
        with interpreted():
            assert_agree(instance)

    monkeypatch.setitem(ways.WAYS, way, wrong_at_one)
    with pytest.raises(
        AssertionError, match=re.escape(f"{way} ({kind}) differs from the definition at")
    ) as failed:
        agree()
    # what is printed can be saved as it stands, and solved by the command in its first line
    said = "\n".join(failed.value.__notes__)
    options, text = re.findall(r"^# grundylab solve random\.yaml (.*)\n([\s\S]*?)# end", said, re.M)[-1]
    (tmp_path / "random.yaml").write_text(text)
    out = str(tmp_path / "table.parquet")
    assert main(["solve", str(tmp_path / "random.yaml"), *options.split(), "--out", out]) == 0


@examples(1)
@given(instances())
def test_so_does_every_way_compiled(instance):
    assert_agree(instance)


@examples(10, 400)
@given(instances("piles", "alike"), st.sampled_from(FORMULAS))
def test_line_by_line_a_formula_has_the_verdict_of_the_table(instance, formula):
    names = instance.ruleset.formula_names
    with interpreted():
        assert_lines_agree(instance, formula.replace("m", "m" if "m" in names else "2"))


@examples(15)
@given(instances(), st.data())
def test_an_explanation_says_what_the_table_says(instance, data):
    rules = Rules(instance)
    positions = list(rules.positions())
    assume(positions)
    table = solve_reference(instance, kinds(instance)[-1])
    position = data.draw(st.sampled_from(positions))
    asked = dict(zip(instance.ruleset.coordinate_names, position, strict=True))
    note(f"explained: {asked}")
    wanted = [
        (instance.ruleset.moves[number].name, parts, reduce(xor, (table[part] for part in parts), 0))
        for number, parts in rules.options(position)
    ]
    try:
        with interpreted():
            found = explaining.explain(instance.ruleset, asked, dict(instance.parameters))
    except RulesetError:  # legal with this bound only: a move goes where a smaller table has an edge
        event("legal at one bound only")
        return
    assert found.value == table[position]
    assert [(option.move, option.parts, option.value) for option in found.options] == wanted
    assert [option.wins for option in found.options] == [value == 0 for _, _, value in wanted]


@examples(10)
@given(instances())
def test_what_is_written_is_read_back(instance):
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds(instance):
            table, path = solve_reference(instance, kind), Path(folder) / f"{kind}.parquet"
            write_dataset(table, path)
            again = read_dataset(path, instance, kind)
            assert again.values.dtype == table.values.dtype
            assert np.array_equal(again.values, table.values)
            if kind == "grundy":
                outcomes = read_dataset(path, instance, "outcome").values
                assert np.array_equal(outcomes, solve_reference(instance, "outcome").values)


@examples(10)
@given(instances())
def test_p_positions_written_alone_are_the_table(instance):
    if instance.ruleset.splits:
        return
    with interpreted():
        found = solve_p_positions(instance)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "p.parquet"
        write_p_positions(found, path)
        again = read_p_positions(path, instance)
        assert np.array_equal(again.cells, found.cells)
        assert again.positions == found.positions
        expected = solve_reference(instance, "outcome").values
        assert np.array_equal(read_dataset(path, instance, "outcome").values, expected)
