"""Replacements of signs for a terminal without UTF-8.

The module registers an error handler for encodings: ``stream.reconfigure(errors=signs.HANDLER)``.
"""

from __future__ import annotations

import codecs
import unicodedata

HANDLER = "grundylab"
_REPLACEMENTS = {
    "●": "#", "·": ".", "→": ">", "↓": "v", "←": "<", "↑": "^", "…": "...", "–": "-", "—": "-", "×": "x",
    "≤": "<=", "≥": ">=", "≠": "!=", "⊕": "^", "“": '"', "”": '"', "‘": "'", "’": "'", "█": "#", "▒": "+", "░": "-",
}  # fmt: skip


def plain(text: str) -> str:
    """Return the text in ASCII: letters lose their accents, known signs are replaced, and others become ``?``."""
    signs = []
    for sign in text:
        bare = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
        signs.append(_REPLACEMENTS.get(sign) or bare or "?")
    return "".join(signs)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


codecs.register_error(HANDLER, _replace)
