"""Jinja environments; an unknown name in a template is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


class PagePart(NamedTuple):
    """A part of a page, and the script with its data; that is empty if it needs none."""

    html: Markup
    script: str


def environment(
    folder: str = "report", html: bool = True, filters: Mapping[str, Callable[..., Any]] | None = None
) -> Environment:
    """Return the environment of a folder of the package; values inserted into HTML are escaped."""
    found = Environment(
        loader=PackageLoader("grundylab", folder), autoescape=html, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=not html,
    )  # fmt: skip
    found.filters |= filters or {}
    return found


@cache
def page_environment() -> Environment:
    """Return the environment of the page's parts, shared so that each of their templates is compiled once."""
    return environment("report/site/templates")


def render_part(template: str, script: str, **values: Any) -> PagePart:  # noqa: ANN401 - whatever the template asks for
    """Render a template of the page's folder."""
    html = page_environment().get_template(template).render(**values)
    return PagePart(Markup(html), script)
