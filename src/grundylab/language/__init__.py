"""The formula language: one syntax tree, read as text, LaTeX, Python, NumPy, compiled code and intervals."""

import grundylab.language.printer  # noqa: F401 - by which a tree prints as its text
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
