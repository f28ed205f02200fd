"""Views of values in notebooks: rulesets, tables, candidates, verdicts and proofs in HTML; formulas, claims in LaTeX.

Formulas in HTML are in ``$…$``, which notebooks typeset; all other text is escaped for HTML and for MathJax. Importing
this module also sets how rulesets, verdicts, proofs and candidates are printed: as on the command line.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import singledispatch
from html import escape as escape_html

from grundylab.api import Candidates
from grundylab.check.verification import Verdict, where_clause
from grundylab.findings.claim_layout import claim_text
from grundylab.findings.proof_records import attempts
from grundylab.findings.wording import percent
from grundylab.games import Claim, Ruleset
from grundylab.language import Expr
from grundylab.language.layout import to_latex
from grundylab.language.syntax import TRUE
from grundylab.prove.outcome import Proof
from grundylab.records.finding import Finding
from grundylab.report.decisions import decision_text, verdict_text
from grundylab.report.drawing import PictureOptions, picture
from grundylab.report.grid import description, first_cells, slice_window, usual_view, whole_window
from grundylab.report.rules_in_words import rules
from grundylab.report.ruleset_lines import ruleset_lines
from grundylab.solve.table import Table

_PLAIN = '<span class="tex2jax_ignore mathjax_ignore">{}</span>'  # hides text from MathJax, as pandas does
_MOST = 25  # the most rows and columns of a table that are shown
_DPI = 110  # dots per inch of a table's picture
_COLOURS = {"proved": "#1a7f37", "holds": "#0b62a8", "refuted": "#b42318", "undecided": "#6b4fa0"}


@singledispatch
def html(value: object) -> str:
    """Return the HTML view of a value; raise TypeError for a type without one."""
    raise TypeError(f"no view of {value!r}")


@singledispatch
def text(value: object) -> str:
    """Return the text that ``print`` shows for a value; raise TypeError for a type without one."""
    raise TypeError(f"no text of {value!r}")


@singledispatch
def latex(value: object) -> str:
    """Return the LaTeX view of a value, in display style; raise TypeError for a type without one."""
    raise TypeError(f"no view of {value!r}")


def escape(text: str) -> str:
    """Escape a text for HTML, so that MathJax finds no formula in it: each ``$`` or backslash gets its own element."""
    return re.sub(r"[$\\]", lambda sign: _PLAIN.format(sign[0]), escape_html(text))


@latex.register
def _(value: Expr) -> str:
    return rf"$\displaystyle {to_latex(value)}$"


@latex.register
def _(value: Claim) -> str:
    condition = "" if value.where == TRUE else rf"{to_latex(value.where)} \implies "
    name = rf"\text{{{value.target}}}\colon\ "
    return rf"$\displaystyle {condition}{name}{to_latex(value.formula)}$"


@latex.register
def _(value: Finding) -> str:
    return latex(value.claim)


@html.register
def _(value: Ruleset) -> str:
    sentences = []
    for words in rules(value):
        sentences.append("".join(_math(part) if isinstance(part, Expr) else escape(part) for part in words))
    items = "".join(
        f"<li><b>{escape(claim.id)}</b> {escape(claim.at)}: <code>{escape(claim_text(claim))}</code></li>"
        for claim in value.claims[:_MOST]
    )
    claims = (
        f"<details><summary>{len(value.claims)} claims</summary><ul>{items}</ul></details>" if items else ""
    )
    return f"<p><b>{escape(value.title)}</b></p><p>{' '.join(sentences)}</p>{claims}"


def _math(expr: Expr) -> str:
    return f"${escape_html(to_latex(expr), quote=False)}$"


@html.register
def _(value: Table) -> str:
    head = f"{value.instance}: {value.positions:,} positions"
    if not value.positions:
        return f"<p>{escape(head)}</p>"
    window = whole_window(value)
    view = usual_view(window)
    grid = slice_window(window, view)
    fixed = ", ".join(f"{name} = {number}" for name, number in view.fixed.items())
    head += f"; those with {fixed}" if fixed else ""
    shown = first_cells(grid, _MOST, _MOST)
    png = b64encode(picture(shown, "png", PictureOptions(dpi=_DPI, title=False, numbered=_MOST))).decode()
    # an image, unlike an SVG element, does not change the styles of the notebook
    image = f'<img alt="{escape_html(description(shown))}" src="data:image/png;base64,{png}">'
    note = f"<p>the first {_MOST} rows and columns</p>" if max(grid.values.shape) > _MOST else ""
    return f"<p>{escape(head)}</p>{image}{note}"


@html.register
def _(value: Candidates) -> str:
    rows = ""
    for candidate in value:
        share = "all" if candidate.exact else percent(candidate.share)
        where = "" if candidate.where == TRUE else _math(candidate.where)
        cells = (share, str(candidate.size), _math(candidate.formula), where)
        rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    notes = "".join(f"<p>{escape(note)}</p>" for note in value.notes)
    if not rows:
        return notes or "<p>no formula found</p>"
    head = "<tr><th>training positions</th><th>size</th><th>formula</th><th>where</th></tr>"
    return f"<table>{head}{rows}</table>{notes}"


@html.register
def _(value: Finding) -> str:
    return html(Candidates([value]))


@html.register
def _(value: Verdict) -> str:
    return _verdict_html(value.status, value.formula, verdict_text(value))


@html.register
def _(value: Proof) -> str:
    return _verdict_html(value.status, value.formula, _proof_lines(value))


def _proof_lines(proof: Proof) -> str:
    return decision_text(attempts(proof, lambda _: None, None, proof.where), proof.seconds)


def _verdict_html(status: str, formula: Expr, text: str) -> str:
    """Return HTML with the status as a badge, the formula, and the text without its first line, which repeats both."""
    colour = _COLOURS[status]
    badge = (
        f'<span style="background:{colour};color:#fff;border-radius:.4em;padding:.1em .5em">{status}</span>'
    )
    lines = "<br>".join(map(escape, text.splitlines()[1:]))
    return f"<p>{badge} {_math(formula)}</p><p>{lines}</p>"


# -- as text -------------------------------------------------------------------------------------------------------


@text.register
def _(value: Ruleset) -> str:
    return "\n".join(ruleset_lines(value))


@text.register
def _(value: Verdict) -> str:
    return verdict_text(value)


@text.register
def _(value: Proof) -> str:
    return _proof_lines(value)


@text.register
def _(value: Candidates) -> str:
    lines = [str(candidate) for candidate in value[:_MOST]] or ["no formula found"]
    more = [f"and {len(value) - _MOST:,} more"] * (len(value) > _MOST)
    return "\n".join([*lines, *more, *(f"({note})" for note in value.notes)])


@text.register
def _(value: Finding) -> str:
    share = "exact" if value.exact else percent(value.share)
    beyond = f" and {value.validate.total:,} in larger tables" * bool(value.validate.total)
    counts = f"{share}, {value.train.total:,} positions{beyond}" if value.found else value.status
    return f"{value.target}: {value.formula}{where_clause(value.where)} ({counts})"


# Notebooks and ``print`` call these methods. The types get them here, so that their modules need not import this one.
for _view, _method in ((html, "_repr_html_"), (latex, "_repr_latex_"), (text, "__str__")):
    for _kind in _view.registry:
        if _kind is not object:
            setattr(_kind, _method, _view)
