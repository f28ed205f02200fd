"""``python -P pysr_run.py``: PySR as a process that answers one question after another.

A question is a line of JSON on standard input, its answer a line on standard output. Importing PySR starts Julia, and
the first fit compiles for most of a minute; so one process answers all questions. Any failure ends the process, and the
last line on standard error gives the reason.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from itertools import takewhile
from types import TracebackType
from typing import Any, TextIO

import numpy as np


def main() -> None:
    """Answer the questions on standard input until it ends."""
    questions, answers = channel()
    from pysr import PySRRegressor

    defined: set[str] = set()
    for number, line in enumerate(questions):
        print(json.dumps(answer(PySRRegressor, json.loads(line), number, defined)), file=answers, flush=True)


def channel() -> tuple[TextIO, TextIO]:
    """Return streams for the questions and the answers, taken from standard input and output.

    Afterwards Julia reads nothing from standard input, and what it prints goes to standard error.
    """
    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return questions, answers


def answer(
    regression: type[Any], asked: Mapping[str, Any], number: int, defined: set[str]
) -> dict[str, object]:
    """Return PySR's ``equations``, each ``[complexity, loss, equation]``, and the processor ``seconds`` of the fit.

    regression: the class ``PySRRegressor``. asked: the question. number: its number, for the name of the run. defined:
    the functions already defined in Julia; those of this question are added. No function is defined twice, since Julia
    would compile everything that uses it again.
    """
    from sympy import Function

    def name(text: str) -> str:
        """Return the definition of a function, or only its name if Julia knows the function already."""
        short = text.split("(")[0]
        is_defined = short in defined
        defined.add(short)
        return short if is_defined else text

    started = time.process_time()
    settings = dict(asked["settings"])
    settings["operators"] = {int(n): list(map(name, texts)) for n, texts in settings["operators"].items()}
    settings |= {which: name(settings[which]) for which in ("elementwise_loss", "early_stop_condition")}
    regressor = regression(
        **settings,
        # The equations are only printed, so SymPy needs no more than the names of our operators.
        extra_sympy_mappings={name: Function(name) for name in asked["inline"]},
        output_directory=asked["folder"],
        run_id=f"run-{number}",
    )
    regressor.fit(
        np.array(asked["features"], dtype=np.float64),
        np.array(asked["wanted"], dtype=np.float64),
        weights=np.array(asked["weights"], dtype=np.float64),
        variable_names=asked["names"],
    )
    equations = regressor.equations_
    rows = zip(equations["complexity"], equations["loss"], equations["equation"], strict=True)
    return {
        "equations": [[int(size), float(loss), str(equation)] for size, loss, equation in rows],
        "seconds": time.process_time() - started,
    }


def say_why(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write an error as one line to standard error: its first line, or for a parse error of Julia all lines, joined."""
    lines = takewhile(lambda line: line != "Stacktrace:", str(error).strip().splitlines())
    cause = " ".join(line.strip("# └╙─┴│") for line in lines)
    first = next(iter(str(error).strip().splitlines()), "")
    text = cause if "ParseError" in first else first
    print(f"{kind.__name__}: {text}" if text else kind.__name__, file=sys.stderr)


if __name__ == "__main__":
    sys.excepthook = say_why
    main()
