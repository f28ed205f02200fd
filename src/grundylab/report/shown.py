"""How values show themselves in a notebook: the methods that it asks for, over ``grundylab.report.views``."""

from __future__ import annotations


class Shown:
    """A value with a view in HTML."""

    def _repr_html_(self) -> str:
        from grundylab.report.views import html  # who never looks needs none of it

        return html(self)


class Typeset:
    """A value with a view in LaTeX."""

    def _repr_latex_(self) -> str:
        from grundylab.report.views import latex

        return latex(self)
