"""Jinja's environment for all that is made from templates: an unknown name in one is an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


class Part(NamedTuple):
    """A part of a page, and the script of data that it needs; empty if there is none."""

    html: Markup
    script: str


def environment(
    folder: str = "report", html: bool = True, filters: Mapping[str, Callable[..., Any]] | None = None
) -> Environment:
    """Of a folder of the package; what is put into HTML is escaped."""
    found = Environment(
        loader=PackageLoader("grundylab", folder), autoescape=html, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=not html,
    )  # fmt: skip
    found.filters |= filters or {}
    return found


@cache
def of_page() -> Environment:
    """Of the page's parts, which are many: each of their templates is compiled once."""
    return environment("report/site/templates")


def part(template: str, script: str, **values: Any) -> Part:  # noqa: ANN401 - whatever the template asks for
    """A part from a template of the page's folder."""
    html = of_page().get_template(template).render(**values)
    return Part(Markup(html), script)
