"""The papers' records as BibTeX, and as items of a bibliography for a document without it."""

from __future__ import annotations

from collections.abc import Iterable

from grundylab.catalogue.papers import Paper
from grundylab.report.exports.tex import escape


def bibtex(papers: Iterable[Paper]) -> str:
    """An entry for each paper; what its record does not say is left out."""
    return "\n\n".join(map(_entry, papers)) + "\n"


def _entry(paper: Paper) -> str:
    where = paper.published
    fields = {
        "author": " and ".join(map(escape, paper.authors)),
        "title": f"{{{escape(paper.title)}}}",  # the inner braces keep its capitals
    }
    for name in ("journal", "year", "volume", "number", "doi"):
        if (value := getattr(where, name, None)) is not None:
            fields[name] = escape(str(value))
    lines = [f"@{'misc' if where is None else 'article'}{{{paper.key},"]
    lines += [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([*lines, "}"])


def bibliography(papers: Iterable[Paper]) -> list[str]:
    """The lines of a ``thebibliography``, empty for no papers."""
    items = [rf"\bibitem{{{paper.key}}} {_listed(paper)}" for paper in papers]
    return [r"\begin{thebibliography}{9}", *items, r"\end{thebibliography}"] if items else []


def _listed(paper: Paper) -> str:
    where = f", {escape(str(paper.published))}" if paper.published else ""
    return rf"{escape(', '.join(paper.authors))}, \emph{{{escape(paper.title)}}}{where}."
