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
from grundylab.language.syntax import TRUE, conjunction
from grundylab.records.finding import Finding
from grundylab.records.proofs import any_condition

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
    if record.status == "proved":
        bound = f"all sizes, {procedure_count_text(record.procedures)}"
    elif record.status == "partial":
        bound = share_text(record)
    elif record.status == "refuted" and record.proved:
        bound = words_text(status_details(record))
    else:
        bound = "; ".join(record.test.instances)
    return FormulaLine(
        ruleset=record.ruleset,
        target=str(record.target),
        verdict=record.status,
        formula=str(plain_formula(record)),
        where=condition_text(record),
        bound=bound,
        engine=", ".join(record.engines),
    )


def condition_text(record: Finding) -> str:
    """Return the condition under which the formula is proved.

    Extents that only an automaton describes are named if there are no others. For a formula that is not proved, return
    its own condition, joined to the condition under which it seems to hold and followed by the few positions where it
    is wrong.
    """
    if record.status == "proved":
        named = [extent for extent in record.extents if extent.states is None]
        shown = named or record.extents
        reach = any_condition(one.condition if one.exactly is None else one.exactly for one in shown)
        proved = conjunction(record.where, reach)
        unnamed = [] if named else [f"accepted by an automaton of {one.states} states" for one in shown]
        return " and ".join([*([str(proved)] if proved != TRUE else []), *unnamed])
    suggested = record.condition if record.condition is not None and record.exactly is None else TRUE
    text = " and ".join(str(condition) for condition in (record.where, suggested) if condition != TRUE)
    if record.test.exceptions:
        text += f"{' ' * bool(text)}except at {exceptions_text(record.test.exceptions)}"
    return text


def plain_text(lines: Sequence[FormulaLine]) -> str:
    """Return one line per formula, its fields separated by tabs, without a heading, for cut and grep."""
    return "\n".join("\t".join(" ".join(field.split()) for field in line) for line in lines)


def table_text(lines: Sequence[FormulaLine], width: int, cut: bool = True) -> str:
    """Return a coloured table for a terminal of ``width`` columns, or a paragraph per formula if that is too narrow.

    cut: whether long fields are cut and end with '…'.
    """
    from rich.console import Console

    shown = list(lines)
    if cut:
        most = _LINES * (width // 3 if width >= _WIDE else width)
        shown = [FormulaLine(*(f if len(f) <= most else f[: most - 1] + "…" for f in line)) for line in lines]
    console = Console(file=io.StringIO(), width=width, force_terminal=True, highlight=False)
    with console.capture() as captured:
        console.print(_layout(shown, width))
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines())


def _layout(lines: Sequence[FormulaLine], width: int) -> Table | Group:
    from rich import box
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    if width < _WIDE:
        blocks: list[RenderableType] = []
        for line in lines:
            bound = f"  ({'; '.join(filter(None, (line.bound, line.engine)))})"
            verdict = (line.verdict, _STYLES.get(line.verdict, ""))
            head = Text.assemble(verdict, f" {line.ruleset}  {line.target}{bound}", overflow="fold")
            body = f"{line.formula}  where {line.where}" if line.where else line.formula
            blocks += [head, Padding(Text(body, overflow="fold"), (0, 0, 0, 4))]
        return Group(*blocks)
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
