"""grundylab: find formulas for impartial games from their data, check them against ground truth, prove them.

>>> import grundylab as gl
>>> nim = gl.load_ruleset("nim")
>>> small, large = (gl.make_instance(nim, {}, {"N": size}) for size in (8, 20))
>>> best = gl.discover([gl.solve(small)], gl.parse_target("grundy"))[0]
>>> str(best.formula)
'x ^ y ^ z'
>>> gl.verify(best.formula, best.target, [gl.solve(large)]).status
'holds'
>>> gl.prove(nim, best.formula, best.target).status
'proved'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grundylab.discovery import discover
    from grundylab.errors import GrundylabError
    from grundylab.formula import parse
    from grundylab.formula.latex import to_latex
    from grundylab.proving.prover import prove
    from grundylab.rulesets import load_ruleset, make_instance, parse_ruleset, parse_target
    from grundylab.solving import solve
    from grundylab.solving.dataset import read_dataset, read_p_positions, write_dataset, write_p_positions
    from grundylab.solving.sparse import solve_p_positions
    from grundylab.verification import verify

# Where each public name lives: it is imported when it is first used, so that the command line starts quickly.
_PUBLIC = {
    "GrundylabError": "errors",
    "discover": "discovery",
    "load_ruleset": "rulesets",
    "make_instance": "rulesets",
    "parse": "formula",
    "parse_ruleset": "rulesets",
    "parse_target": "rulesets",
    "prove": "proving.prover",
    "read_dataset": "solving.dataset",
    "read_p_positions": "solving.dataset",
    "solve": "solving",
    "solve_p_positions": "solving.sparse",
    "to_latex": "formula.latex",
    "verify": "verification",
    "write_dataset": "solving.dataset",
    "write_p_positions": "solving.dataset",
}

__all__ = [
    "GrundylabError",
    "discover",
    "load_ruleset",
    "make_instance",
    "parse",
    "parse_ruleset",
    "parse_target",
    "prove",
    "read_dataset",
    "read_p_positions",
    "solve",
    "solve_p_positions",
    "to_latex",
    "verify",
    "write_dataset",
    "write_p_positions",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public object
    if name in _PUBLIC:
        return getattr(importlib.import_module(f"grundylab.{_PUBLIC[name]}"), name)
    if name == "__version__":
        return importlib.import_module("grundylab.version").__version__
    raise AttributeError(f"module 'grundylab' has no attribute '{name}'")
