"""Every way of solving gives the definition's table, on rulesets of all shapes."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import Phase, event, given, settings
from hypothesis import strategies as st
from tests.differential import ways
from tests.differential.ways import assert_agree, assert_lines_agree, interpreted
from tests.random_games import SHAPES, instances
from tests.sizes import examples

FORMULAS = ["x == 0", "(x + m) % 3 == 1", "x ^ m == 2", "x % 2 == 1 or x > m"]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_way_gives_the_definitions_table(shape):
    applied: Counter[str] = Counter()

    @examples(20)
    @given(instances(shape))
    def agree(instance):
        with interpreted():
            found = assert_agree(instance)
        applied.update(found)
        for way in found:
            event(way)

    agree()
    assert applied["kernel: outcome"] >= 5, applied
    needed = {"piles": ("piles: outcome", "piles: grundy", "P-positions: outcome", "rows: outcome"),
              "alike": ("piles: outcome",),
              "bars": ("marking: outcome",),
              "weights": ("marking: outcome", "P-positions: outcome"),
              "any": ("marking: outcome",)}[shape]  # fmt: skip
    assert all(applied[name] >= 1 for name in needed), applied


@pytest.mark.parametrize(
    ("way", "kind", "shape"), [("kernel", "outcome", "any"), ("piles", "grundy", "piles")]
)
def test_one_wrong_value_of_one_way_is_seen_and_the_game_is_printed(way, kind, shape, monkeypatch):
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
    assert "# grundylab solve random.yaml " in "\n".join(failed.value.__notes__)


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
