"""A game for a paper: its definition, a table and a figure, and what is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grundylab.catalogue.papers import Paper
from grundylab.catalogue.records import Finding
from grundylab.games.model import Ruleset
from grundylab.report.exports.bibtex import bibliography
from grundylab.report.exports.picture import caption, numbers, squares
from grundylab.report.exports.tex import comment, escape, sentence
from grundylab.report.exports.theorems import notation, statement
from grundylab.report.grid import Grid
from grundylab.report.words import rules
from grundylab.version import __version__

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath}
\usepackage{amsthm}
\usepackage{color}
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
class Drawn:
    """What is drawn of the game: a slice, the parameters of its instance, and perhaps the file of a picture of it."""

    grid: Grid
    parameters: Mapping[str, int]
    file: str | None = None


def latex(
    ruleset: Ruleset,
    records: Sequence[Finding],
    papers: Iterable[Paper],
    drawn: Drawn | None = None,
    whole: bool = True,
) -> str:
    """A document of its own, or with ``whole`` false what goes between its beginning and its end."""
    by_name = {paper.name: paper for paper in papers}
    body = [
        comment(f"{ruleset.name} with hash {ruleset.hash}, by grundylab {__version__}"),
        *_definition(ruleset, by_name),
    ]
    if drawn is not None:
        body += _floats(drawn)
    if said := notation(records, ruleset):
        body += ["", r"\noindent In what follows these functions are used.", *said]
    for record in records:
        body += ["", *statement(record, ruleset, by_name)]
    if not whole:
        return "\n".join([comment("needs the packages amsmath, amsthm, color and graphicx"), *body, ""])
    cited = [paper for paper in by_name.values() if any(f"{{{paper.key}}}" in line for line in body)]
    return "\n".join([PREAMBLE, *body, "", *bibliography(cited), r"\end{document}", ""])


def _definition(ruleset: Ruleset, papers: Mapping[str, Paper]) -> list[str]:
    source = ruleset.source
    paper = papers.get(source.paper) if source else None
    at = f"[{{{escape(', '.join(source.at))}}}]" if source and source.at else ""
    cited = rf"; \cite{at}{{{paper.key}}}" if paper else ""
    title = escape(ruleset.title)
    return [
        rf"\begin{{definition}}[{{{title}{cited}}}]",
        *map(sentence, rules(ruleset)),
        r"\end{definition}",
    ]


def _floats(drawn: Drawn) -> list[str]:
    parameters = dict(drawn.parameters)
    said = caption(drawn.grid, "P-positions (white)", parameters)
    picture = [rf"\includegraphics{{{drawn.file}}}"] if drawn.file else squares(drawn.grid)
    lines = ["", r"\begin{figure}[htbp]", r"\centering", *picture, rf"\caption{{{said}}}", r"\end{figure}"]
    if drawn.grid.kind == "grundy":
        said = caption(drawn.grid, "Grundy numbers", parameters)
        table = numbers(drawn.grid)
        lines += ["", r"\begin{table}[htbp]", r"\centering", r"\footnotesize", r"\setlength{\tabcolsep}{3pt}"]
        lines += [*table, rf"\caption{{{said}}}", r"\end{table}"]
    return lines
