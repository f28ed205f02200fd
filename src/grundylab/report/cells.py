r"""Text, code and LaTeX as cells of a Markdown table: nothing in them ends the cell or is read as Markdown.

Markdown readers take ``\{`` or ``\\`` for an escaped sign even between dollars, so such commands are spelled out.
"""

from __future__ import annotations

import re

from grundylab.catalogue.records import ClaimRecord, Correction
from grundylab.catalogue.words import Words

_COMMANDS = {
    r"\\": r"\cr",
    r"\{": r"\lbrace",
    r"\}": r"\rbrace",
    r"\|": r"\Vert",
    r"\&": r"\And",
    r"\,": r"\thinspace",
    r"\:": r"\medspace",
    r"\;": r"\thickspace",
    r"\!": r"\negthinspace",
    "|": r"\vert",
}
_COMMAND = re.compile(r"\\\\|\\[{}|&,:;!]|\|")
_CODE = re.compile(r"((?<!`)`[^`]+`(?!`))")
_SPACE = re.compile(r"\s+")
_SIGN = re.compile(r"[\\*_$<|`\[]")  # a backtick without its fellow would make code of what follows


def text(words: str) -> str:
    """Words with Markdown's signs made harmless; what stands between backticks stays code."""
    return _harmless(words).strip()


def said(words: Words) -> str:
    """Words with the conditions among them as code."""
    return "".join(_harmless(part) if isinstance(part, str) else code(str(part)) for part in words)


def _harmless(words: str) -> str:
    parts = _CODE.split(_SPACE.sub(" ", words))
    return "".join(
        part.replace("|", r"\|") if number % 2 else _SIGN.sub(r"\\\g<0>", part)
        for number, part in enumerate(parts)
    )


def code(words: str) -> str:
    """Words as code, between more backticks than the words have in a row."""
    inside = " ".join(words.split())
    ticks = "`" * (1 + max(map(len, re.findall("`+", inside)), default=0))
    room = " " if len(ticks) > 1 else ""
    return f"{ticks}{room}{inside}{room}{ticks}".replace("|", r"\|")


def latex(formula: str) -> str:
    """LaTeX as a formula in the line."""
    spelled = _COMMAND.sub(lambda found: f"{_COMMANDS[found.group()]} ", formula)
    return f"${' '.join(spelled.split())}$"


def formula(record: ClaimRecord | Correction) -> str:
    """A record's statement: its LaTeX, or where there is none its text as code."""
    return latex(record.latex) if record.latex else code(record.statement)
