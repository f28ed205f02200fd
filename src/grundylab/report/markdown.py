r"""Text, code and LaTeX escaped for the cells of a Markdown table.

Markdown readers take ``\{`` or ``\\`` for an escaped sign even in a formula between dollars. In LaTeX such commands are
therefore replaced by commands with names, such as ``\lbrace``.
"""

from __future__ import annotations

import re

from grundylab.findings.wording import Words, status_details
from grundylab.records.finding import Finding

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
_SIGN = re.compile(r"[\\*_$<|`\[]")  # a backtick without a partner would turn the rest into code


def text(words: str) -> str:
    """Escape Markdown's signs in a text; text between backticks stays code."""
    return _escape(words).strip()


def words_cell(words: Words) -> str:
    """Return words for a cell: text is escaped, and expressions become code."""
    return "".join(_escape(part) if isinstance(part, str) else code(str(part)) for part in words)


def _escape(words: str) -> str:
    parts = _CODE.split(_SPACE.sub(" ", words))
    return "".join(
        part.replace("|", r"\|") if number % 2 else _SIGN.sub(r"\\\g<0>", part)
        for number, part in enumerate(parts)
    )


def code(words: str) -> str:
    """Return a text as code, in one more backtick than it contains in a row."""
    inside = " ".join(words.split())
    ticks = "`" * (1 + max(map(len, re.findall("`+", inside)), default=0))
    room = " " if len(ticks) > 1 else ""
    return f"{ticks}{room}{inside}{room}{ticks}".replace("|", r"\|")


def latex(formula: str) -> str:
    """Return a LaTeX formula between dollars, for a cell."""
    spelled = _COMMAND.sub(lambda command: f"{_COMMANDS[command.group()]} ", formula)
    return f"${' '.join(spelled.split())}$"


def verdict(record: Finding) -> str:
    """Return a record's status and the details of it; for a partial formula only the details."""
    words = words_cell(status_details(record))
    if record.status == "partial":
        return words
    return f"**{record.status}**{':' * (record.complete or record.status == 'undecided')} {words}"


def formula(record: Finding) -> str:
    """Return a record's statement as a LaTeX formula, or as code if the record has no LaTeX."""
    return latex(record.stated) if record.stated else code(record.source.text)
