"""Formulas for impartial games: found in data, verified on larger tables, proved for all sizes.

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
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grundylab.api import Candidates, catalogue, discover, load, prove, solve, verify
    from grundylab.check.verification import Verdict
    from grundylab.errors import GrundylabError
    from grundylab.findings.catalogue import Catalogue
    from grundylab.findings.columns import frame
    from grundylab.games import (
        Claim,
        Instance,
        Ruleset,
        Target,
        load_ruleset,
        make_instance,
        parse_ruleset,
        parse_target,
    )
    from grundylab.language import Expr, parse, parse_condition
    from grundylab.language.layout import to_latex
    from grundylab.pipeline.single_game import Account, study
    from grundylab.prove.outcome import Limits, Proof
    from grundylab.records.finding import Finding
    from grundylab.solve.dataset import read_dataset, read_p_positions, write_dataset, write_p_positions
    from grundylab.solve.explaining import explain
    from grundylab.solve.solving import solve_p_positions
    from grundylab.solve.table import Table

# The module of each public name. It is imported when the name is first used, so that the command line starts quickly.
_MODULES = {
    "api": "Candidates catalogue discover load prove solve verify",
    "findings.catalogue": "Catalogue",
    "findings.columns": "frame",
    "check.verification": "Verdict",
    "errors": "GrundylabError",
    "games": "Claim Instance Ruleset Target load_ruleset make_instance parse_ruleset parse_target",
    "language": "Expr parse parse_condition",
    "language.layout": "to_latex",
    "pipeline.single_game": "Account study",
    "prove.outcome": "Limits Proof",
    "records.finding": "Finding",
    "solve.dataset": "read_dataset read_p_positions write_dataset write_p_positions",
    "solve.explaining": "explain",
    "solve.solving": "solve_p_positions",
    "solve.table": "Table",
}
_PUBLIC = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = [
    "Account",
    "Candidates",
    "Catalogue",
    "Claim",
    "Expr",
    "Finding",
    "GrundylabError",
    "Instance",
    "Limits",
    "Proof",
    "Ruleset",
    "Table",
    "Target",
    "Verdict",
    "catalogue",
    "discover",
    "explain",
    "frame",
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
    "study",
    "to_latex",
    "verify",
    "write_dataset",
    "write_p_positions",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any public object
    if name in _PUBLIC:
        if name != "GrundylabError":
            importlib.import_module("grundylab.report.views")  # defines how a notebook displays objects
        return getattr(importlib.import_module(f"grundylab.{_PUBLIC[name]}"), name)
    if name == "__version__":
        return importlib.import_module("grundylab.version").__version__
    raise AttributeError(f"module 'grundylab' has no attribute '{name}'")


class _Package(ModuleType):
    """The module type of grundylab, which never lets a subpackage replace a public function of the same name.

    Otherwise an import of the subpackage ``grundylab.solve`` would replace the function ``gl.solve``.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _PUBLIC or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
