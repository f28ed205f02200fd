"""Neighbours differ in one part, and steps go to the cheapest that fits, until none is cheaper."""

from __future__ import annotations

from grundylab.language import parse
from grundylab.language.neighbours import cheapest, neighbours, with_part
from grundylab.language.syntax import Int, Name


def doubled(part):
    return [Int(2 * part.value)] if isinstance(part, Int) else []


def test_each_neighbour_has_one_part_changed():
    found = [str(form) for form in neighbours(parse("x + 1 if y > 3 else 5"), doubled)]
    assert found == ["x + 1 if y > 6 else 5", "x + 2 if y > 3 else 5", "x + 1 if y > 3 else 10"]


def test_a_part_is_replaced_at_its_place_alone():
    assert with_part(parse("x + x * x"), (1, 0), Name("y")) == parse("x + y * x")
    assert with_part(parse("-x"), (0,), Int(3)) == Int(-3)


def test_steps_lead_on_from_the_cheapest_that_fits_and_end_where_none_is_cheaper():
    tried = []

    def fits(expr):
        tried.append(expr.value)
        return expr.value % 2 == 0 and expr.value >= 6

    def ways(expr):
        return [Int(expr.value + step) for step in (-1, -2, 2)]

    assert cheapest(Int(10), ways, fits, lambda expr: expr.value) == Int(6)
    assert tried == [8, 6, 4, 5]  # what costs more is never tried
