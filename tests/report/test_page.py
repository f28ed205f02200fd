"""The page says no more than the catalogue does."""

import pytest

from grundylab.files import write_record
from grundylab.records import percent
from grundylab.report.page import write_page

ROW = {
    "ruleset": "kayles", "title": "Kayles", "parameters": {}, "row": {}, "axes": ["x"], "target": "grundy", "preperiod": 71,
    "period": 12, "saltus": 0, "exceptions": 14, "families": None, "status": "proved", "reason": None, "checked": 168,
    "claims": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("more", "cells"),
    [
        ({}, "<td>71</td><td>12</td><td>0</td><td>14</td>"),
        ({"saltus": 12}, "<td>71</td><td>12</td><td>12</td><td>14</td>"),
        ({"period": None, "preperiod": None, "saltus": None}, "<td></td><td></td><td></td><td>14</td>"),
    ],
)
def test_a_row_has_its_saltus_beside_its_period(tmp_path, more, cells):
    empty = {"version": "1", "formulas": [], "claims": [], "engines": [], "studies": []}
    write_record(tmp_path / "catalogue.json", {**empty, "rows": [{**ROW, **more}]})
    write_page(tmp_path / "catalogue.json", tmp_path / "index.html")
    text = (tmp_path / "index.html").read_text().replace("\n", "")
    assert cells in text
    table = text[text.index("<h2>Rows</h2>") :].split("</table>")[0]
    heads, cells_of_the_row = table.count("<th>"), table.count("<td")
    assert heads == cells_of_the_row


@pytest.mark.parametrize(
    ("share", "text"), [(1, "100 %"), (0.99999999, "99.99 %"), (0.5, "50 %"), (0, "0 %")]
)
def test_a_share_of_less_than_all_is_less_than_100_percent(share, text):
    assert percent(share) == text
