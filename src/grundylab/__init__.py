"""grundylab: find formulas for impartial games from their data, check them against ground truth, prove them.

import grundylab as gl
nim = gl.load_ruleset("nim")
tables = [gl.solve(gl.make_instance(nim, {}, {"N": 12}))]
best, *others = gl.discover(tables, gl.parse_target("grundy"))
verdict = gl.verify(best.formula, best.target, [gl.solve(gl.make_instance(nim, {}, {"N": 40}))])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grundylab.discover import discover
    from grundylab.errors import GrundylabError
    from grundylab.formula import parse
    from grundylab.formula.latex import to_latex
    from grundylab.rulesets import load_ruleset, make_instance, parse_ruleset, parse_target
    from grundylab.solve import solve
    from grundylab.solve.dataset import read_dataset, write_dataset
    from grundylab.verify import verify

# Where each public name lives: it is imported when it is first used, so that the command line starts quickly.
_PUBLIC = {
    "GrundylabError": "errors",
    "discover": "discover",
    "load_ruleset": "rulesets",
    "make_instance": "rulesets",
    "parse": "formula",
    "parse_ruleset": "rulesets",
    "parse_target": "rulesets",
    "read_dataset": "solve.dataset",
    "solve": "solve",
    "to_latex": "formula.latex",
    "verify": "verify",
    "write_dataset": "solve.dataset",
}

__all__ = [
    "GrundylabError",
    "discover",
    "load_ruleset",
    "make_instance",
    "parse",
    "parse_ruleset",
    "parse_target",
    "read_dataset",
    "solve",
    "to_latex",
    "verify",
    "write_dataset",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public object
    if name in _PUBLIC:
        return getattr(importlib.import_module(f"grundylab.{_PUBLIC[name]}"), name)
    if name == "__version__":
        return importlib.import_module("grundylab.version").__version__
    raise AttributeError(f"module 'grundylab' has no attribute '{name}'")
