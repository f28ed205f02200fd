"""The catalogue's formulas as lines of six fields: for a terminal, for grep, and for a spreadsheet."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any

from grundylab.records import exceptions_text, percent

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

STATUSES = ("proved", "holds", "refuted", "undecided", "partial")  # what a reader should see first
_STYLES = {"proved": "green", "holds": "cyan", "refuted": "red", "undecided": "magenta", "partial": "dim"}
_LINES = 3  # of a formula in a terminal; what is longer is cut
_WIDE = 100  # columns that a table needs

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """A formula found. where: what it is about, and for which parameter values; bound: how far that is known."""

    ruleset: str
    target: str
    verdict: str
    formula: str
    where: str
    bound: str


COLUMNS = tuple(field.name for field in fields(Line))


def line_of(record: Record) -> Line:
    """The fields of a record of the catalogue."""
    return Line(
        record["ruleset"],
        record["target"],
        record["status"],
        record["formula"],
        _where(record),
        _bound(record),
    )


def _where(record: Record) -> str:
    """The conditions under which it is proved; else its own, with the one that its values suggest."""
    proved = list(dict.fromkeys(proof["where"] for proof in _proofs(record)))
    if proved:
        return "" if "True" in proved else "; ".join(proved)
    known = [record.get("where") or "True", record.get("condition") or "True"]
    said = " and ".join(condition for condition in known if condition != "True")
    if record.get("only_wrong_at"):
        said += f"{' ' * bool(said)}except at {exceptions_text(record['only_wrong_at'])}"
    return said


def _bound(record: Record) -> str:
    if _proofs(record):
        return "all sizes"
    if record["status"] == "partial":
        return f"{percent(record['share'])} of training" if "share" in record else ""
    return "; ".join(check["instance"] for check in record.get("instances", []))


def _proofs(record: Record) -> list[Record]:
    """The proofs that it is true; of a record without them, as a row's, that it is itself one."""
    proofs: list[Record] = record.get("proofs", [])
    return [proof for proof in proofs if proof["status"] == "proved"]


def plain_text(lines: Sequence[Line]) -> str:
    """One line a formula, its fields between tabs, with no heading: it stays as it is, and suits cut and grep."""
    return "\n".join("\t".join(" ".join(field.split()) for field in astuple(line)) for line in lines)


def table_text(lines: Sequence[Line], width: int, cut: bool = True) -> str:
    """A table for a terminal of that many columns, with its colours; lines that are alike in all are one.

    cut: end long formulas with '…'. Where six columns would be too narrow, each formula has a line of its own.
    """
    from rich.console import Console

    most = _LINES * (width // 3 if width >= _WIDE else width)
    once = [_cut(line, most) if cut else line for line in dict.fromkeys(lines)]
    console = Console(file=io.StringIO(), width=width, force_terminal=True, highlight=False)
    with console.capture() as captured:
        console.print(_table(once, width) if width >= _WIDE else _stacked(once))
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines())


def _table(lines: Sequence[Line], width: int) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in COLUMNS:
        if name == "formula":
            table.add_column(name, overflow="fold", ratio=1)
        else:
            table.add_column(name, overflow="fold", max_width=width // 4)
    for line in lines:
        style = _STYLES.get(line.verdict, "")
        table.add_row(*(Text(cell, style if cell is line.verdict else "") for cell in astuple(line)))
    return table


def _stacked(lines: Sequence[Line]) -> Group:
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    found: list[RenderableType] = []
    for line in lines:
        bound = f"  ({line.bound})" if line.bound else ""
        verdict = (line.verdict, _STYLES.get(line.verdict, ""))
        head = Text.assemble(verdict, f" {line.ruleset}  {line.target}{bound}", overflow="fold")
        about = f"{line.formula}  where {line.where}" if line.where else line.formula
        found += [head, Padding(Text(about, overflow="fold"), (0, 0, 0, 4))]
    return Group(*found)


def _cut(line: Line, most: int) -> Line:
    short = {
        name: text if len(text) <= most else text[: most - 1] + "…"
        for name, text in zip(COLUMNS, astuple(line), strict=True)
    }
    return Line(**short)
