"""The formula language: its syntax tree, and the modules that parse, print, evaluate, bound and compile a tree.

A module that evaluates trees, or writes code that does, is called a *reader*: the plain reader (``plain.py``), which
defines what a formula means, and those of NumPy, JavaScript, compiled code and progressions, which must agree with it.
"""

import grundylab.language.printer  # noqa: F401 - its import gives trees their text, ``str``
from grundylab.language.functions import NO_FUNCTIONS, Function, Functions
from grundylab.language.parser import check_names, parse, parse_condition, parse_number
from grundylab.language.syntax import Expr, Kind

__all__ = [
    "NO_FUNCTIONS",
    "Expr",
    "Function",
    "Functions",
    "Kind",
    "check_names",
    "parse",
    "parse_condition",
    "parse_number",
]
