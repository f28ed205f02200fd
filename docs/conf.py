"""Sphinx configuration of the documentation's site, which ``make docs`` builds. Nothing in it needs a network."""

import html
import re

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from grundylab.version import __version__

project = "grundylab"
author = "The grundylab developers"
copyright = author
version = release = __version__
extensions = ["myst_nb"]
exclude_patterns = ["_build"]
nitpicky = True

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # the outputs are stored in the notebooks; tests/test_notebook.py runs them
html_math_renderer = "mathml"

html_theme = "pydata_sphinx_theme"
html_title = "grundylab"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],
    "navigation_with_keys": False,
    "show_nav_level": 2,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
}


def _mathml(translator: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write mathematics as MathML, by docutils, so that no script has to be loaded."""
    display = isinstance(node, nodes.math_block)
    translator.body.append(latex2mathml.tex2mathml(node.astext(), as_block=display))
    raise nodes.SkipNode


def _outputs(_app: Sphinx, document: nodes.document, _name: str) -> None:
    """Write the mathematics as MathML, too, that the HTML of a notebook's output has between dollars."""
    for node in document.findall(nodes.raw):
        if node.get("format") == "html":
            text = re.sub(
                r"\$([^$<>]+)\$",
                lambda found: latex2mathml.tex2mathml(html.unescape(found[1])),
                node.astext(),
            )
            node.children = [nodes.Text(text)]


def setup(app: Sphinx) -> None:
    """Register both."""
    app.add_html_math_renderer("mathml", inline_renderers=(_mathml, None), block_renderers=(_mathml, None))
    app.connect("doctree-resolved", _outputs)
