"""Types of NumPy arrays."""

from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]  # of numbers or truth values; docstrings of its users give shape and element type
