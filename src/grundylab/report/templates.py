"""Jinja environments for documents and pages. An unknown name in a template is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


class PagePart(NamedTuple):
    """A part of a page, and the script with the part's data; the script is empty if the part needs none."""

    html: Markup
    script: str


def environment(
    folder: str = "report", html: bool = True, filters: Mapping[str, Callable[..., Any]] | None = None
) -> Environment:
    """Return the environment for the templates in a folder of the package.

    html: whether inserted values are escaped for HTML.
    """
    found = Environment(
        loader=PackageLoader("grundylab", folder), autoescape=html, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=not html,
    )  # fmt: skip
    found.filters |= filters or {}
    return found


@cache
def page_environment() -> Environment:
    """Return the environment for parts of pages; it is shared, so that each template is compiled once."""
    return environment("report/site/templates")


def render_part(template: str, script: str, **values: Any) -> PagePart:  # noqa: ANN401 - whatever the template asks for
    """Return the part of a page that a template in report/site/templates makes of the values, with the script."""
    html = page_environment().get_template(template).render(**values)
    return PagePart(Markup(html), script)
