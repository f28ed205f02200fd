"""The catalogue's formulas as lines of seven fields, as a table for a terminal or as plain lines for grep."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from grundylab.check.verification import exceptions_text
from grundylab.findings.wording import (
    plain_formula,
    procedure_count_text,
    share_text,
    status_details,
    words_text,
)
from grundylab.language.syntax import TRUE, Expr, conjunction
from grundylab.records.finding import Finding
from grundylab.records.proofs import Extent, any_condition

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

_STYLES = {"proved": "green", "holds": "cyan", "refuted": "red", "undecided": "magenta", "partial": "dim"}
_LINES = 3  # a longer formula is cut in a terminal
_WIDE = 100  # in a terminal with fewer columns, paragraphs stand instead of a table


class FormulaLine(NamedTuple):
    """A formula of the catalogue as seven texts.

    where: the condition on positions and parameters under which it is stated. bound: how far it is known to be true.
    engine: the names of the engines that found it.
    """

    ruleset: str
    target: str
    verdict: str
    formula: str
    where: str
    bound: str
    engine: str


COLUMNS = FormulaLine._fields


def line_of(record: Finding) -> FormulaLine:
    """Return the seven fields of a formula in the catalogue."""
    return FormulaLine(
        ruleset=record.ruleset,
        target=str(record.target),
        verdict=record.status,
        formula=str(plain_formula(record)),
        where=condition_text(record),
        bound=_bound(record),
        engine=", ".join(record.engines),
    )


def condition_text(record: Finding) -> str:
    """Return the condition under which the formula is proved.

    For a formula that is not proved, return its own condition, joined to the condition under which it seems to hold and
    followed by the few positions where it is wrong.
    """
    if record.status == "proved":
        return _proved_condition(record.where, record.extents)
    suggested = record.condition if record.condition is not None and record.exactly is None else TRUE
    text = " and ".join(str(condition) for condition in (record.where, suggested) if condition != TRUE)
    if record.test.exceptions:
        text += f"{' ' * bool(text)}except at {exceptions_text(record.test.exceptions)}"
    return text


def _proved_condition(own: Expr, extents: Sequence[Extent]) -> str:
    """Return the condition under which a formula is proved.

    own: the formula's condition. extents: the extents of its proofs; those that only an automaton describes are named
    if there are no others.
    """
    named = [one for one in extents if one.states is None]
    reach = any_condition(one.condition if one.exactly is None else one.exactly for one in named or extents)
    parts = [str(conjunction(own, reach))] if conjunction(own, reach) != TRUE else []
    unnamed = [] if named else [f"accepted by an automaton of {one.states} states" for one in extents]
    return " and ".join([*parts, *unnamed])


def _bound(record: Finding) -> str:
    if record.status == "proved":
        return f"all sizes, {procedure_count_text(record.procedures)}"
    if record.status == "partial":
        return share_text(record)
    if record.status == "refuted" and record.proved:
        return words_text(status_details(record))
    return "; ".join(record.test.instances)


def plain_text(lines: Sequence[FormulaLine]) -> str:
    """Return one line per formula, its fields separated by tabs, without a heading, for cut and grep."""
    return "\n".join("\t".join(" ".join(field.split()) for field in line) for line in lines)


def table_text(lines: Sequence[FormulaLine], width: int, cut: bool = True) -> str:
    """Return a coloured table for a terminal of ``width`` columns, or a paragraph per formula if that is too narrow.

    cut: whether long fields are cut and end with '…'.
    """
    from rich.console import Console

    most = _LINES * (width // 3 if width >= _WIDE else width)
    shown = [_shorten(line, most) if cut else line for line in lines]
    console = Console(file=io.StringIO(), width=width, force_terminal=True, highlight=False)
    with console.capture() as captured:
        console.print(_table(shown, width) if width >= _WIDE else _paragraphs(shown))
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines())


def _table(lines: Sequence[FormulaLine], width: int) -> Table:
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
        table.add_row(*(Text(cell, style if cell is line.verdict else "") for cell in line))
    return table


def _paragraphs(lines: Sequence[FormulaLine]) -> Group:
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    blocks: list[RenderableType] = []
    for line in lines:
        bound = f"  ({'; '.join(filter(None, (line.bound, line.engine)))})"
        verdict = (line.verdict, _STYLES.get(line.verdict, ""))
        head = Text.assemble(verdict, f" {line.ruleset}  {line.target}{bound}", overflow="fold")
        body = f"{line.formula}  where {line.where}" if line.where else line.formula
        blocks += [head, Padding(Text(body, overflow="fold"), (0, 0, 0, 4))]
    return Group(*blocks)


def _shorten(line: FormulaLine, most: int) -> FormulaLine:
    return FormulaLine(*(text if len(text) <= most else text[: most - 1] + "…" for text in line))
