"""Signs for a terminal that has no UTF-8: each that it lacks becomes one that every terminal has.

As an error handler of encodings: ``stream.reconfigure(errors=signs.HANDLER)``.
"""

from __future__ import annotations

import codecs
import unicodedata

HANDLER = "grundylab"
_INSTEAD = {
    "●": "#", "·": ".", "→": ">", "↓": "v", "←": "<", "↑": "^", "…": "...", "–": "-", "—": "-", "×": "x",
    "≤": "<=", "≥": ">=", "≠": "!=", "⊕": "^", "“": '"', "”": '"', "‘": "'", "’": "'", "█": "#", "▒": "+", "░": "-",
}  # fmt: skip


def plain(text: str) -> str:
    """Return the text in ASCII: letters without their accents, and ``?`` for what has no such form."""
    return "".join(_plain(sign) for sign in text)


def _plain(sign: str) -> str:
    if sign.isascii():
        return sign
    bare = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return _INSTEAD.get(sign) or bare or "?"


def _handled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


codecs.register_error(HANDLER, _handled)
