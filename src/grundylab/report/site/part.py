"""What each maker of a part of the page returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup


@dataclass(frozen=True)
class Part:
    """A part of a ruleset's page with its heading: its HTML, and the files that it needs.

    ``files`` are texts by path, relative to the page's folder (``data/nim.js``). The HTML stands in a file one folder
    below (``rulesets/nim.html``), so that it names them ``../data/nim.js``. The same path always has the same text.
    """

    id: str
    title: str
    html: Markup
    files: Mapping[str, str] = field(default_factory=dict)
