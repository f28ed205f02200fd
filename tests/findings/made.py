"""Records for tests. Fields that a test does not set are filled in; expressions and targets can be given as texts."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from grundylab.check.shares import RightCounts
from grundylab.check.verification import Counterexample
from grundylab.findings.attempts import Accepting, Attempt, ProofRecord, shared_fields
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.papers import Paper, PaperStatement
from grundylab.findings.records import (
    CandidateFormula,
    CandidateRecord,
    ClaimRecord,
    ClaimRelation,
    Correction,
    Engine,
    Formula,
    InstanceCheck,
    Provenance,
    Relation,
    Row,
    StudyRecord,
    Toolchain,
)
from grundylab.games import Claim, load_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.kernel.evidence import Induction
from grundylab.prove.kernel.theorem import Theorem
from grundylab.prove.outcome import Opinion
from grundylab.statement import statement_about

needs_mona = pytest.mark.skipif(find_mona() is None, reason=MISSING)

OWN, OTHER = "automata in two's complement", "MONA"
AGREES = Opinion(OTHER, "agrees")
UNSURE = Opinion(OTHER, "not checked", "a product | of two")
UNNAMED = {"unnamed": True, "automaton": Accepting(states=70, variables=("v_m",), text=None)}
KEY = "5" * 64  # of the statement
_READ = {"formula": parse, "reading": parse, "target": parse_target} | dict.fromkeys(
    ("where", "under", "assuming", "about", "playable", "condition"), parse_condition
)


def read(**fields):
    """Return the fields of a record, with texts of expressions and targets parsed."""
    return {name: _READ[name](v) if name in _READ and isinstance(v, str) else v for name, v in fields.items()}


STATEMENT = read(formula="x == y", target="p", where="True", latex="x = y")
FINDING = {
    **STATEMENT, "study": "s", "ruleset": "nim", "title": "Nim", "checked": 1_234, "counterexample": None,
    "instances": (InstanceCheck(instance="N=8", checked=1_234, holds=True),), "key": KEY,
}  # fmt: skip
WRONG = Counterexample({"x": 5, "y": 7}, {}, 12, 1, 0)
PARTIAL = {"correct": 1, "total": 2}


def theorem_by(evidence=None):
    """Return a theorem about Nim with this evidence, which nobody has checked; by default it is an induction."""
    said = statement_about(load_ruleset("nim-2"), Claim("", parse_target("p"), parse("x == y")))
    return Theorem(said, evidence or Induction(levels=(said.formula,)))


def attempted(status="proved", two=True, **changes):
    """Return an attempt at a proof. two: whether two procedures proved it, or one."""
    names = () if status != "proved" else (OWN, OTHER) if two else (OWN,)
    known = {
        **STATEMENT, "claim": None, "status": status, "under": "True", "exactly": False, "unnamed": False, "reason": None,
        "proof": "f.mona" if status == "proved" else None, "used": (), "automaton": None, "counterexample": None,
        "second": AGREES if two else UNSURE, "procedures": names, "about": "True", "playable": None, "looked": None,
        "assuming": changes.get("under", "True"), "key": KEY,
    }  # fmt: skip
    return Attempt(**read(**{**known, **changes}))


def proof(under="True", where="True", **changes):
    """Return the record that a finding keeps of such an attempt."""
    return ProofRecord(**shared_fields(ProofRecord, attempted(under=under, where=where, **changes)))


def candidate(formula="x == y", target="p", exact=True, **changes):
    known = {**STATEMENT, "engine": "search", "seed": 0, "size": 3, "correct": int(exact), "total": 1}
    return CandidateFormula(**read(**{**known, "formula": formula, "target": target, **changes}))


def formula(relation=None, **changes):
    """Return the record of a formula that holds. relation: a relation, or only the word for one."""
    known = {**FINDING, "engine": "search", "seed": 0, "size": 3, "correct": 81, "total": 81}
    known["relation"] = related(headline=relation) if isinstance(relation, str) else relation
    return Formula(**read(**{**known, **changes}))


def claim(**changes):
    """Return the record of a claim that holds."""
    known = {
        **FINDING, "claim": "lemma-1", "at": "Lemma 1", "paper": "on-nim", "kind": "formula", "note": "",
        "unpublished": False, "statement": "p: x == y",
    }  # fmt: skip
    return ClaimRecord(**read(**{**known, **changes}))


def correction(**changes):
    known = {key: FINDING[key] for key in (*STATEMENT, "checked", "instances", "counterexample")}
    return Correction(
        **read(**{**known, "statement": "p: x == y", "changes": (), "provable": True, **changes})
    )


def related(*to, headline="new", compared=1):
    """Return a formula's relation to claims. to: for each claim, the fields of a ClaimRelation."""
    return Relation(
        relation=headline, to=tuple(ClaimRelation(**read(**one)) for one in to), compared=compared
    )


def row(**changes):
    known = {
        "ruleset": "nim", "title": "Nim", "engine": "rows", "seed": 0, "parameters": {}, "row": {"x": 10}, "axes": ("y",),
        "target": "p", "where": "True", "status": "proved", "reason": None, "checked": 5_000, "learned": 9, "period": 4,
        "preperiod": 1_000, "saltus": 4, "exceptions": 0, "families": 1, "size": None, "claims": (), "relation": None,
        "proof": None, "study": "s",
    }  # fmt: skip
    return Row(**read(**{**known, **changes}))


def statement(at, about, **more):
    return PaperStatement(at=at, about=about, **more)


def paper(name, title, authors, key, statements, **more):
    return Paper(name=name, title=title, authors=authors, key=key, statements=statements, **more)


def made_now(*files):
    """Return the provenance of a study that was made with these rulesets' files as they are now."""
    digests = {Path(file).stem: sha256(Path(file).read_bytes()).hexdigest() for file in files}
    return Provenance(rulesets=digests, seed=0)


def study(name="s", targets=("p",), engines=("search", "tree"), **changes):
    known = {
        "ruleset": "nim", "title": "Nim", "where": "True", "training": ("N=8",), "validation": ("N=16",),
        "test": ("N=20",), "ask": "until-found", "each": False,
        "settings": ({},), "open": None, "made": Provenance(rulesets={"nim": "0" * 64}, seed=0),
    }  # fmt: skip
    targets = tuple(map(parse_target, targets))
    asked = {target: tuple(engines) for target in targets}
    return StudyRecord(study=name, targets=targets, engines=asked, **read(**{**known, **changes}))


def asked(formulas):
    """Return the formulas, a candidate for each, and a record that the engines of these formulas ran."""
    formulas = [replace(each, key=f"{number:064}") for number, each in enumerate(formulas)]
    candidates = [
        CandidateRecord(
            **{**shared_fields(CandidateRecord, each), "complexity": each.size, "loss": 0.0,
               "train": RightCounts(right=each.correct, total=each.total), "equation": ""}
        )
        for each in formulas
    ]  # fmt: skip
    turns = {(each.study, each.target, each.engine) for each in formulas}
    engines = [
        Engine(study=s, target=t, engine=e, notes=(), exact=1, partial=0)
        for s, t, e in sorted(turns, key=str)
    ]
    return formulas, candidates, engines


def catalogue(studies=(), formulas=(), claims=(), rows=(), engines=()):
    formulas, candidates, turns = asked(formulas)
    parts = {
        "studies": studies, "formulas": formulas, "claims": claims, "rows": rows, "engines": [*engines, *turns],
        "candidates": candidates,
    }  # fmt: skip
    made = Toolchain(version="0.1.0", packages={"python": "3"})
    return Catalogue(version="0.1.0", made=made, **{name: tuple(part) for name, part in parts.items()})
