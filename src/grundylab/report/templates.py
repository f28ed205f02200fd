"""Jinja environments for documents and pages. An unknown name in a template is an error.

All templates have the same filters, which put a finding into words; the filter ``words`` sets these in the format of
the template.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grundylab.check.verification import exceptions_text
from grundylab.findings import winning_words, wording
from grundylab.games.instance import instance_labels
from grundylab.records.relation import VERBS, evidence_text
from grundylab.report import markdown, tex
from grundylab.report.typeset import sentence_html

Format = Literal["html", "md", "tex", "txt"]
FOLDERS: Mapping[Format, str] = {
    "html": "report/site/templates",
    "md": "report",
    "tex": "report",
    "txt": "report",
}
Filters = Mapping[str, Callable[..., Any]]
VIEW: Filters = {
    "target": wording.target_title,
    "headline": wording.headline,
    "details": wording.status_details,
    "proof_words": wording.proof_words,
    "period": wording.row_words,
    "extent": wording.extent_words,
    "wordings": wording.equivalent_wordings,
    "proofs_alone": wording.proofs_alone,
    "by": wording.procedures_text,
    "machine_checked": wording.coq_answer_text,
    "counterexample": wording.counterexample_words,
    "wrong_line": wording.counterexample_line,
    "exceptions": exceptions_text,
    "checked": wording.checked_positions_text,
    "training": wording.training_text,
    "share": wording.share_text,
    "relation": wording.finding_relation_text,
    "verb": lambda related: VERBS[related.relation],
    "how_known": evidence_text,
    "numbers": wording.assignment_text,
    "winning_status": winning_words.winning_status,
    "winning_lines": winning_words.line_words,
    "winning_aim": winning_words.aim_words,
    "noun": wording.number_with_noun,
    "few": instance_labels,
    "percent": wording.percent,
    "count": "{:,}".format,
}
FORMATS: Mapping[Format, Filters] = {
    "html": {"words": sentence_html},
    "tex": {
        "words": tex.sentence,
        "text": tex.escape,
        "breakable": tex.breakable,
        "comment": tex.comment,
        "display": tex.display,
    },
    "txt": {"words": wording.words_text},
    "md": {
        "words": markdown.words_cell,
        "text": markdown.text,
        "code": lambda value: markdown.code(str(value)),
        "math": markdown.latex,
        "verdict": markdown.verdict,
        "stated": markdown.formula,
    },
}


class PagePart(NamedTuple):
    """A part of a page, and the script with the part's data; the script is empty if the part needs none."""

    html: Markup
    script: str


class PagePicture(NamedTuple):
    """A picture of a page: its file's path in the page's folder, and words for readers who cannot see it."""

    path: str
    content: bytes
    words: str
    caption: str = ""


def environment(form: Format, folder: str | None = None) -> Environment:
    """Return the environment for the templates of this format; inserted values are escaped for HTML only.

    folder: that of the templates, in the package; by default that of the format.
    """
    templates = Environment(
        loader=PackageLoader("grundylab", folder or FOLDERS[form]), undefined=StrictUndefined,
        autoescape=form == "html", trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=form != "html",
    )  # fmt: skip
    templates.filters |= {**VIEW, **FORMATS[form]}
    templates.tests |= {"partly_proved": wording.is_partly_proved, "new": wording.is_new}
    return templates


@cache
def page_environment() -> Environment:
    """Return the environment for parts of pages; it is shared, so that each template is compiled once."""
    return environment("html")


def render_part(template: str, script: str, **values: Any) -> PagePart:  # noqa: ANN401 - whatever the template asks for
    """Return the part of a page that a template in report/site/templates makes of the values, with the script."""
    html = page_environment().get_template(template).render(**values)
    return PagePart(Markup(html), script)
