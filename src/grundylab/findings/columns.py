"""Findings as rows of a table: every column with its meaning, the same in frames, Parquet, CSV, ``--json`` and docs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from grundylab.check.verification import Verdict
from grundylab.discover.base import EngineRun
from grundylab.findings.league import LeagueRow, answers_question
from grundylab.findings.proof_records import attempts
from grundylab.findings.verdicts import finding_of_verdict
from grundylab.findings.wording import (
    counterexample_words,
    extent_text,
    finding_relation_text,
    relation_word,
    tables_text,
)
from grundylab.language.layout import to_latex
from grundylab.prove.outcome import Proof
from grundylab.records.finding import SPLITS, Finding

if TYPE_CHECKING:
    import pandas as pd

FrameItem = Verdict | Proof | Finding
Cell = Callable[[Finding], Any]
CatalogueColumns = Mapping[
    str, tuple[str, Cell]
]  # by name: the meaning, and a function that returns the cell of a finding


def _if(applies: Callable[[Finding], object]) -> Callable[[Cell], Cell]:
    """Return a function that turns a cell into that of a column which only some findings have."""
    return lambda cell: lambda finding: cell(finding) if applies(finding) else None


_of_engines = _if(lambda finding: finding.found)
_of_claims = _if(lambda finding: finding.claimed)
_of_tests = _if(lambda finding: "test" in finding.tables)
_of_catalogues = _if(lambda finding: finding.study)
_of_verdicts = _if(lambda finding: "test" in finding.tables or finding.proofs)
# once the prover was asked, or in a catalogue
_of_proofs = _if(lambda finding: finding.proofs or finding.study)


def _reason(finding: Finding) -> str:
    """Return why the finding is undecided or, if no attempt at a proof succeeded, why the first one failed."""
    unproved = None if finding.proved else next((proof.reason for proof in finding.proofs), None)
    return finding.reason or unproved or ""


COLUMNS: CatalogueColumns = {
    "study": ("the study in `config.yaml`", _of_catalogues(lambda f: f.study)),
    "kind": ("`formula` (found by an engine) or `claim` (of a ruleset)",
             _of_catalogues(lambda f: f.kind)),
    "ruleset": ("the game", _of_catalogues(lambda f: f.ruleset)),
    "title": ("the game's title", _of_catalogues(lambda f: f.title)),
    "target": ("what the formula describes: `p`, `grundy`, `grundy == v`", lambda f: str(f.target)),
    "status": ("`proved`, `holds`, `refuted`, `undecided`, or `partial`: wrong at a training or validation position",
               _of_verdicts(lambda f: f.status)),
    "formula": ("the formula", lambda f: str(f.formula)),
    "where": ("the condition on positions and parameters under which it is stated", lambda f: str(f.where)),
    "latex": ("the formula, or the whole claim, in LaTeX", lambda f: f.latex if f.claimed else to_latex(f.formula)),
    "extent": ("if it is proved: for which parameters and positions", _of_proofs(extent_text)),
    "procedures": ("if it is proved: by which procedures", _of_proofs(lambda f: "; ".join(f.procedures))),
    "proof": ("if it is proved: the file of its first proof", lambda f: f.proof),
    "rules": ("if it is proved: the rules of the kernel in all of its proofs, premises included",
              _of_proofs(lambda f: "; ".join(f.rules))),
    "checked": ("the number of test positions checked", _of_tests(lambda f: f.test.checked)),
    "wrong": ("the number of these at which it is wrong", _of_tests(lambda f: f.test.wrong)),
    "instances": ("the test tables", _of_tests(lambda f: "; ".join(f.test.instances))),
    "counterexample": ("a position where it is wrong, and what is true there", _of_verdicts(counterexample_words)),
    "reason": ("why it is undecided, or why it holds but is not proved", _of_verdicts(_reason)),
    "engine": ("the engine that found the formula", _of_engines(lambda f: f.origin.engine)),
    "seed": ("the engine's seed", _of_engines(lambda f: f.origin.seed)),
    "size": ("the number of nodes of the formula", _of_engines(lambda f: f.size)),
    "training": ("the training tables", _of_engines(lambda f: "; ".join(f.origin.training) or None)),
    "correct": ("the number of their positions at which it is right", _of_engines(lambda f: f.train.right)),
    "total": ("the number of their positions that it covers", _of_engines(lambda f: f.train.checked)),
    "learnt_again": ("the larger tables on which it was trained after that, in order, with the numbers of their "
                     "positions",
                     _of_engines(lambda f: "; then ".join(map(tables_text, f.origin.learnt[1:])) or None)),
    "validation": ("the validation tables", _of_engines(lambda f: "; ".join(f.validate.instances) or None)),
    "validation_correct": ("the number of their positions at which it is right",
                           _of_engines(lambda f: f.validate.right)),
    "validation_total": ("the number of their positions that it covers", _of_engines(lambda f: f.validate.checked)),
    "relation": ("[its relation to the statements on record](results-page.md#formulas-and-published-claims) in one "
                 "word, such as `new`", relation_word),
    "related_to": ("the same as a text, with the claims and the evidence", _of_catalogues(finding_relation_text)),
    "claim": ("the id of a claim", _of_claims(lambda f: f.source.claim)),
    "paper": ("the paper of a claim", _of_claims(lambda f: f.source.paper)),
    "at": ("the claim's place in the paper", _of_claims(lambda f: f.source.at)),
    "key": ("the digest of rules, definitions and claim; empty if the formula comes from the period of a row",
            _of_proofs(lambda f: f.key)),
}  # fmt: skip
_COUNTS = (
    "checked", "wrong", "seed", "size", "correct", "total", "validation_correct", "validation_total",
)  # fmt: skip


def row(finding: Finding) -> dict[str, Any]:
    """Return the cells of a finding, by column, without the columns that do not apply to it."""
    cells = {name: cell(finding) for name, (_, cell) in COLUMNS.items()}
    return {name: value for name, value in cells.items() if value is not None}


def frame(found: FrameItem | Iterable[FrameItem]) -> pd.DataFrame:
    """Return a data frame with a row for each candidate, verdict, proof, or finding of a catalogue.

    found: one object or several, of any of these types. The columns are those of the catalogue that apply to at least
    one of them; for findings of a catalogue, and for no object at all, all columns.
    """
    import pandas as pd

    findings = list[Finding]()
    for item in found if isinstance(found, Iterable) else [found]:
        match item:
            case Finding():
                findings.append(item)
            case Verdict():
                findings.append(finding_of_verdict(item))
            case Proof():
                findings.append(attempts(item, lambda _: None, None, item.where)[0])
            case _:
                kind = type(item).__name__
                raise TypeError(
                    f"a frame has candidates, verdicts, proofs or findings, not {kind}; for a table use to_frame()"
                )
    rows = list(map(row, findings))
    every = any(finding.study for finding in findings) or not findings
    columns = [name for name in COLUMNS if every or any(name in cells for cells in rows)]
    counts = [name for name in _COUNTS if name in columns]
    cells = [[each.get(name) for name in columns] for each in rows]
    return pd.DataFrame(cells, columns=columns).astype(dict.fromkeys(counts, "Int64"))


# -- engines ----------------------------------------------------------------------------------------------------------

_SHARES = ("recall", "specificity", "balanced")
_OF_SPLITS: Mapping[str, Callable[[Any], Any]] = {
    f"{split}{'_' * bool(name)}{name}": attrgetter(f"{split}.{name or 'share'}")
    for split in SPLITS
    for name in ("", "right", "total", *_SHARES)
}


CANDIDATES: Mapping[str, Cell] = {
    "study": lambda f: f.study,
    "target": lambda f: str(f.target),
    "engine": lambda f: f.origin.engine,
    "seed": lambda f: f.origin.seed,
    "complexity": lambda f: f.size,
    "loss": lambda f: 1 - (f.train.share or 0.0) if f.train.total else 0.0,
    "equation": lambda f: f.origin.equation,
    "formula": lambda f: str(f.formula),
    "where": lambda f: str(f.where),
    "key": lambda f: f.key,
    "exact": answers_question,
    **_OF_SPLITS,
    "reason": lambda _: None,
}
_NUMBERS = {f"{split}_{name}": "Int64" for split in SPLITS for name in ("right", "total")}
_PARTS = {f"{split}_{name}": "float64" for split in SPLITS for name in _SHARES}
_TYPES: dict[str, str] = {**_NUMBERS, **_PARTS, **dict.fromkeys(map(str, SPLITS), "float64")}


def candidates_frame(runs: Iterable[EngineRun], findings: Sequence[Finding]) -> pd.DataFrame:
    """Return the hall of fame: a row for each formula of each engine, then one for each equation that is no formula.

    The best constants follow the formulas of their study.
    """
    import pandas as pd

    unread_counts: dict[str, Any] = dict.fromkeys(_NUMBERS, 0)
    proposed = (f for f in findings if f.found and not f.origin.derived and "validate" in f.tables)
    rows: list[dict[str, Any]] = [
        {name: cell(finding) for name, cell in CANDIDATES.items()} for finding in proposed
    ]
    for run in runs:
        rows += [
            {
                "study": run.study,
                "target": str(run.target),
                "engine": run.engine,
                "seed": run.seed,
                "complexity": unread.complexity,
                "equation": unread.equation,
                "exact": False,
                "reason": f"{unread.reason}; by its engine's own count its loss is {unread.loss:.6g}",
                **unread_counts,
            }
            for unread in run.unread
        ]
    halls = pd.DataFrame([[cells.get(n) for n in CANDIDATES] for cells in rows], columns=list(CANDIDATES))
    types = {"seed": "Int64", "complexity": "Int64", "loss": "float64", "exact": "bool", **_TYPES}
    return halls.astype(types)


def _of_best(cell: Cell) -> Callable[[LeagueRow], Any]:
    return lambda row: None if row.best is None else cell(row.best)


LEAGUE: Mapping[str, Callable[[LeagueRow], Any]] = {
    **{name: attrgetter(name) for name in ("study", "ruleset")},
    "target": lambda row: str(row.target),
    **{name: attrgetter(name) for name in ("engine", "result")},
    "formula": _of_best(lambda f: str(f.formula)),
    "where": _of_best(lambda f: str(f.where)),
    "key": _of_best(lambda f: f.key),
    "complexity": _of_best(lambda f: f.size),
    "equation": _of_best(lambda f: f.origin.equation or None),
    **_OF_SPLITS,
    **{
        name: attrgetter(name)
        for name in ("verdict", "learnt", "seed", "seeds", "exact_seeds", "rounds", "work", "unit", "note")
    },
}


def league_frame(league: Sequence[LeagueRow]) -> pd.DataFrame:
    """Return the league table as a data frame; integers may be missing (Int64)."""
    import pandas as pd

    rows = [[cell(row) for cell in LEAGUE.values()] for row in league]
    ints = ("complexity", "seed", "seeds", "exact_seeds", "rounds", "work")
    return pd.DataFrame(rows, columns=list(LEAGUE)).astype({**dict.fromkeys(ints, "Int64"), **_TYPES})
