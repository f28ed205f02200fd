"""The formula language: one tree, read as text, LaTeX, Python, NumPy, compiled code and intervals."""

from grundylab.formula.functions import NO_FUNCTIONS, Function, Functions
from grundylab.formula.parser import check_names, parse, parse_condition, parse_number
from grundylab.formula.syntax import Expr, Kind

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
