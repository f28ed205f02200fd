"""LaTeX about a game for a paper: its definition, a table, a figure, and theorems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grundylab.errors import InstanceError
from grundylab.findings.papers import Paper
from grundylab.findings.winning import Winning
from grundylab.games.model import Ruleset
from grundylab.language.layout import to_latex
from grundylab.language.syntax import Name
from grundylab.records.finding import Finding
from grundylab.report.grid import Grid
from grundylab.report.rules_in_words import rules
from grundylab.report.tex import bibliography, comment, escape, sentence
from grundylab.report.theorems import notation, statements, strategy_theorem
from grundylab.solve.table import NO_POSITION
from grundylab.version import __version__

_MOST_ACROSS, _MOST_DOWN = 25, 40  # columns and rows of a table that fit on a page

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\usepackage{amsthm}
\usepackage{graphicx}
\theoremstyle{definition}
\newtheorem{definition}{Definition}
\theoremstyle{plain}
\newtheorem{theorem}[definition]{Theorem}
\newtheorem{proposition}[definition]{Proposition}
\newtheorem{conjecture}[definition]{Conjecture}
\theoremstyle{remark}
\newtheorem{remark}[definition]{Remark}
\emergencystretch=3em
\begin{document}"""


@dataclass(frozen=True)
class SliceFigure:
    """A slice of the game's table, its parameters' values, and the file of its picture (None for no picture)."""

    grid: Grid
    parameters: Mapping[str, int]
    file: str | None = None


def game_document(
    ruleset: Ruleset,
    records: Sequence[Finding],
    papers: Iterable[Paper],
    figure: SliceFigure | None = None,
    whole: bool = True,
    strategy: Winning | None = None,
) -> str:
    """Return a LaTeX document with the game's definition, the figure and table, and a statement for each record.

    papers: those that may be cited. whole: if false, return only the body, for another document.
    strategy: one for the game.
    """
    by_name = {paper.name: paper for paper in papers}
    source = ruleset.source
    paper = by_name.get(source.paper) if source and source.paper else None
    at = f"[{{{escape(', '.join(source.at))}}}]" if source and source.at else ""
    cited = rf"; \cite{at}{{{paper.key}}}" if paper else ""
    body = [
        comment(f"{ruleset.name} with hash {ruleset.hash}, by grundylab {__version__}"),
        rf"\begin{{definition}}[{{{escape(ruleset.title)}{cited}}}]",
        *map(sentence, rules(ruleset)),
        r"\end{definition}",
    ]
    if figure is not None:
        body += _floats(figure)
    if definitions := notation(records, ruleset):
        body += ["", r"\noindent In what follows these functions are used.", *definitions]
    body += statements(records, ruleset, by_name).splitlines()
    if strategy is not None and strategy.status != "partial":
        body += strategy_theorem(strategy, ruleset).splitlines()
    if not whole:
        return "\n".join([comment("needs the packages amsmath, amsthm and graphicx"), *body, ""])
    listed = [paper for paper in by_name.values() if any(f"{{{paper.key}}}" in line for line in body)]
    return "\n".join([PREAMBLE, *body, "", *bibliography(listed), r"\end{document}", ""])


def _floats(figure: SliceFigure) -> list[str]:
    parameters = dict(figure.parameters)
    lines: list[str] = []
    if figure.file is not None:
        caption = _caption(figure.grid, "P-positions (white)", parameters)
        picture = rf"\includegraphics{{{figure.file}}}"
        lines += [
            "",
            r"\begin{figure}[htbp]",
            r"\centering",
            picture,
            rf"\caption{{{caption}}}",
            r"\end{figure}",
        ]
    if figure.grid.kind == "grundy":
        caption = _caption(figure.grid, "Grundy numbers", parameters)
        grid = figure.grid
        rows, columns = grid.values.shape
        if columns > _MOST_ACROSS or rows > _MOST_DOWN:
            raise InstanceError(
                f"a table of {rows} by {columns} Grundy numbers does not fit on a page, which takes {_MOST_DOWN} by "
                f"{_MOST_ACROSS}; choose smaller bounds"
            )
        lines += ["", r"\begin{table}[htbp]", r"\centering", r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"]
        lines.append(rf"\begin{{tabular}}{{r|{'r' * columns}}}")
        names = [f"${to_latex(Name(name))}$" for name in (grid.row_name, grid.column_name) if name]
        lines.append(" & ".join([r" $\backslash$ ".join(names), *map(str, grid.columns)]) + r" \\ \hline")
        labels = [str(row) for row in grid.rows] if grid.row_name else [r"$\mathcal{G}$"]
        for label, values in zip(labels, grid.values.tolist(), strict=True):
            cells = ("" if value == NO_POSITION else str(value) for value in values)
            lines.append(" & ".join([label, *cells]) + r" \\")
        lines += [r"\end{tabular}", rf"\caption{{{caption}}}", r"\end{table}"]
    return lines


def _caption(grid: Grid, subject: str, parameters: dict[str, int]) -> str:
    """Return a caption: the subject, then the values of the parameters and of the fixed coordinates."""
    fixed = [f"${to_latex(Name(name))} = {value}$" for name, value in {**parameters, **grid.fixed}.items()]
    return escape(subject) + (" with " + ", ".join(fixed) if fixed else "")
