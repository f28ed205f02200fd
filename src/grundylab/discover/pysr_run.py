"""``python -P pysr_run.py REQUEST ANSWER``: PySR on one problem, in a process of its own.

Importing PySR starts Julia. Whatever fails, the last line on standard error says why.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import TracebackType

import numpy as np


def main(request: str, answer: str) -> None:
    """Read the request's JSON, run PySR, and write the equations, a list of texts."""
    asked = json.loads(Path(request).read_text())
    from pysr import PySRRegressor
    from sympy import Function

    settings = asked["settings"]
    settings["operators"] = {int(arity): names for arity, names in settings["operators"].items()}
    # For SymPy they are functions without a meaning: the equations are only printed.
    mappings = {name: Function(name) for name in asked["inline"]}
    regressor = PySRRegressor(**settings, extra_sympy_mappings=mappings)
    regressor.fit(
        np.array(asked["features"], dtype=np.float64),
        np.array(asked["wanted"], dtype=np.float64),
        weights=np.array(asked["weights"]),
        variable_names=asked["names"],
    )
    Path(answer).write_text(json.dumps([str(equation) for equation in regressor.equations_["equation"]]))


def say_why(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """One line for an error: those of Julia have many, the first of which says most."""
    first = next(iter(str(error).strip().splitlines()), "")
    print(f"{kind.__name__}: {first}" if first else kind.__name__, file=sys.stderr)


if __name__ == "__main__":
    sys.excepthook = say_why
    main(*sys.argv[1:])
