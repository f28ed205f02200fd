"""Text and references to papers for LaTeX and BibTeX, in ASCII, with TeX's special characters escaped."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from grundylab.findings.papers import Paper
from grundylab.findings.wording import Words
from grundylab.language.layout import to_latex
from grundylab.language.syntax import Expr

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''",
    "[": "{[}", "]": "{]}",  # in braces, so that a bracket does not end an optional argument
    "“": "``", "”": "''", "‘": "`", "’": "'", "–": "--", "—": "---", "…": r"\ldots{}", "§": r"\S{}", "·": r"$\cdot$",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "×": r"$\times$", "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$",
    "⊕": r"$\oplus$", "→": r"$\to$", "∞": r"$\infty$",
}  # fmt: skip
# TeX's accent commands, by the Unicode combining mark that they stand for.
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c",
}  # fmt: skip

_ONE_LINE = 110  # characters of a formula that fit on a line


def escape(text: str) -> str:
    """Escape a text for TeX's text mode, on one line; a character that LaTeX cannot typeset becomes its code U+4E00."""
    escaped = []
    for character in unicodedata.normalize("NFC", re.sub(r"\s+", " ", text)):
        parts = unicodedata.normalize("NFD", character)
        base, mark = parts[0], parts[1:]
        if character in _SPECIAL:
            escaped.append(_SPECIAL[character])
        elif character.isascii():
            escaped.append(character if character.isprintable() else " ")
        elif mark in _ACCENTS and base.isascii() and base.isalpha():
            below = mark in ("\u0323", "\u0327")
            letter = base if below else {"i": r"\i", "j": r"\j"}.get(base, base)  # i and j without their dots
            escaped.append(rf"\{_ACCENTS[mark]}{{{letter}}}")
        else:
            escaped.append(rf"\texttt{{U+{ord(character):04X}}}")
    return "".join(escaped)


def sentence(parts: Words) -> str:
    """Return the sentence for TeX: its text escaped, its expressions in math mode."""
    return "".join(f"${to_latex(part)}$" if isinstance(part, Expr) else escape(part) for part in parts)


def breakable(path: str) -> str:
    """Return a file's path in the typewriter font; TeX may break lines after its slashes."""
    return rf"\texttt{{{escape(path).replace('/', '/' + chr(92) + 'allowbreak{}')}}}"


def display(math: str) -> list[str]:
    """Return the lines of a displayed formula with a full stop; a long formula is set as a paragraph, to be broken."""
    if len(math) <= _ONE_LINE:
        return [rf"\[ {math} . \]"]
    return [r"\begin{quote}\raggedright", f"${math}$.", r"\end{quote}"]


def comment(text: str) -> str:
    """Return the text as a TeX comment on one line; a character outside ASCII becomes ``?``."""
    return "% " + "".join(c if c.isascii() and c.isprintable() else "?" for c in " ".join(text.split()))


# -- papers ---------------------------------------------------------------------------------------------------


def bibtex(papers: Iterable[Paper]) -> str:
    """Return a BibTeX file with an entry for each paper; fields that its record lacks are left out."""
    entries = []
    for paper in papers:
        fields = {
            "author": " and ".join(map(escape, paper.authors)),
            "title": f"{{{escape(paper.title)}}}",  # the inner braces keep its capitals
        }
        for name in ("journal", "year", "volume", "number", "doi"):
            if (value := getattr(paper.published, name, None)) is not None:
                fields[name] = escape(str(value))
        lines = [f"@{'misc' if paper.published is None else 'article'}{{{paper.key},"]
        lines += [f"  {name} = {{{value}}}," for name, value in fields.items()]
        entries.append("\n".join([*lines, "}"]))
    return "\n\n".join(entries) + "\n"


def bibliography(papers: Iterable[Paper]) -> list[str]:
    """Return the lines of a ``thebibliography`` environment; no lines if there are no papers."""
    items = []
    for paper in papers:
        where = f", {escape(str(paper.published))}" if paper.published else ""
        text = rf"{escape(', '.join(paper.authors))}, \emph{{{escape(paper.title)}}}{where}."
        items.append(rf"\bibitem{{{paper.key}}} {text}")
    return [r"\begin{thebibliography}{9}", *items, r"\end{thebibliography}"] if items else []
