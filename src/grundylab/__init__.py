"""grundylab: find formulas for impartial games from their data, check them against ground truth, prove them.

>>> import grundylab as gl
>>> nim = gl.load("nim")
>>> found = gl.discover(gl.solve(nim, N=8), "grundy")
>>> str(found[0].formula)
'x ^ y ^ z'
>>> gl.verify(found[0], gl.solve(nim, N=20)).status
'holds'
>>> gl.prove(nim, found[0]).status
'proved'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grundylab.api import Candidates, discover, load, prove, solve, verify
    from grundylab.discovery.base import Candidate
    from grundylab.errors import GrundylabError
    from grundylab.explaining import explain
    from grundylab.formula import Expr, parse, parse_condition
    from grundylab.formula.latex import to_latex
    from grundylab.proving.outcome import Limits, Proof
    from grundylab.rulesets import (
        Claim,
        Instance,
        Ruleset,
        Target,
        load_ruleset,
        make_instance,
        parse_ruleset,
        parse_target,
    )
    from grundylab.solving.dataset import read_dataset, read_p_positions, write_dataset, write_p_positions
    from grundylab.solving.sparse import solve_p_positions
    from grundylab.solving.table import Table
    from grundylab.verification import Verdict

# Where each public name lives: it is imported when it is first used, so that the command line starts quickly.
_PUBLIC = {
    "Candidate": "discovery.base",
    "Candidates": "api",
    "Claim": "rulesets",
    "Expr": "formula",
    "GrundylabError": "errors",
    "explain": "explaining",
    "Instance": "rulesets",
    "Limits": "proving.outcome",
    "Proof": "proving.outcome",
    "Ruleset": "rulesets",
    "Table": "solving.table",
    "Target": "rulesets",
    "Verdict": "verification",
    "discover": "api",
    "load": "api",
    "load_ruleset": "rulesets",
    "make_instance": "rulesets",
    "parse": "formula",
    "parse_condition": "formula",
    "parse_ruleset": "rulesets",
    "parse_target": "rulesets",
    "prove": "api",
    "read_dataset": "solving.dataset",
    "read_p_positions": "solving.dataset",
    "solve": "api",
    "solve_p_positions": "solving.sparse",
    "to_latex": "formula.latex",
    "verify": "api",
    "write_dataset": "solving.dataset",
    "write_p_positions": "solving.dataset",
}

__all__ = [
    "Candidate",
    "Candidates",
    "Claim",
    "Expr",
    "GrundylabError",
    "Instance",
    "Limits",
    "Proof",
    "Ruleset",
    "Table",
    "Target",
    "Verdict",
    "discover",
    "explain",
    "load",
    "load_ruleset",
    "make_instance",
    "parse",
    "parse_condition",
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
