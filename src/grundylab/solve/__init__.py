"""Values of all positions of an instance, by the reference, a sweep or a compiled kernel, and datasets of them."""

from grundylab.solve.solving import Method, solve
from grundylab.solve.table import Table

__all__ = ["Method", "Table", "solve"]
