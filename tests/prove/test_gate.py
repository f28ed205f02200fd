"""The gate looks at places far away, also of statements that say nothing of a position's options."""

from __future__ import annotations

import pytest

from grundylab.games import load_ruleset, parse_ruleset, parse_target
from grundylab.language import parse
from grundylab.prove.gate import look
from grundylab.prove.hypothesis import asked
from grundylab.prove.outcome import Look
from grundylab.prove.probes import largest_constant

NIM_3 = load_ruleset("nim")


def seen(formula: str, alone: bool = False) -> Look:
    return look(NIM_3, asked(parse(formula), parse_target("grundy == 1")), alone=alone)


@pytest.mark.parametrize(("x", "y", "z", "alone"), [(100, 20, 113, False), (300, 20, 313, True)])
def test_a_place_beyond_all_tables_is_looked_at_in_a_table_of_what_can_be_reached_from_it(x, y, z, alone):
    found = seen(f"x ^ y ^ z == 1 and (x != {x} or y != {y} or z != {z})", alone)
    assert found.wrong is not None
    assert found.wrong.position == {"x": x, "y": y, "z": z}


def test_what_is_too_large_for_such_a_table_is_counted_as_missed():
    found = seen("x ^ y ^ z == 1 and (x != 300 or y != 20 or z != 313)")
    assert found.wrong is None
    assert found.missed > 0
    assert not found.far


@pytest.mark.parametrize("written", ["1099511627776", "1 << 40", "2*(1 << 39)", "max(3, 1 << 40)"])
def test_a_constant_counts_whatever_it_is_written_as(written):
    assert largest_constant(NIM_3, asked(parse(f"x == {written}"), parse_target("p"))) == 2**40


def test_rules_that_have_no_value_at_a_place_far_away_are_at_fault():
    text = """
title: a guard without a value
position: {x: 0..N}
moves: [{take: "1..min(3, x)", from: x, when: "4 // (x - 1000000) < 99"}]
"""
    found = look(parse_ruleset(text, "guard"), asked(parse("x % 4 == 0"), parse_target("p")))
    assert found.fault is not None
    assert "division by zero" in found.fault
