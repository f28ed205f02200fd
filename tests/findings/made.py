"""Records for tests. Fields that a test does not set are filled in; expressions and targets can be given as texts."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from grundylab.check.shares import SplitCounts
from grundylab.check.verification import Counterexample
from grundylab.discover.base import EngineRun
from grundylab.findings.catalogue import Catalogue
from grundylab.findings.papers import Paper, PaperStatement
from grundylab.findings.results import Results, StudyRecord
from grundylab.findings.rows import Row
from grundylab.games import Claim, load_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.logic.mona import MISSING, find_mona
from grundylab.prove.core.evidence import Induction
from grundylab.prove.core.theorem import Theorem
from grundylab.records.finding import EngineOrigin, Finding, Source
from grundylab.records.proofs import Accepting, Opinion, ProofRecord
from grundylab.records.relation import ClaimRelation, Relation
from grundylab.statement import statement_about
from grundylab.version import __version__

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


def counts(right, checked=None, **changes):
    """Return the comparison with the tables of a split. checked: by default, it is right at all positions."""
    checked = right if checked is None else checked
    return SplitCounts(**{"right": right, "checked": checked, "total": checked, **changes})


STATEMENT = read(formula="x == y", target="p", where="True")
FINDING = {**STATEMENT, "study": "s", "ruleset": "nim", "title": "Nim", "key": KEY}
WRONG = Counterexample({"x": 5, "y": 7}, {}, 12, 1, 0)
PARTIAL = {"train": counts(1, 2)}


def theorem_by(evidence=None):
    """Return a theorem about Nim with this evidence, which nobody has checked; by default it is an induction."""
    said = statement_about(load_ruleset("nim-2"), Claim("", parse_target("p"), parse("x == y")))
    return Theorem(said, evidence or Induction(levels=(said.formula,)))


def agreeing_claims(comparison):
    """Return the ids of this game's claims that apply only where the formula does, and agree with it there."""
    return tuple(row.claim for row in comparison.rows if row.own and row.same and row.within)


def proof(under="True", where="True", status="proved", two=True, **changes):
    """Return the record of an attempt at a proof. two: whether two procedures proved it, or one."""
    names = () if status != "proved" else (OWN, OTHER) if two else (OWN,)
    known = {
        "claim": None, "status": status, "under": under, "where": where, "exactly": False, "unnamed": False,
        "reason": None, "proof": "f.mona" if status == "proved" else None, "used": (), "automaton": None,
        "counterexample": None, "second": AGREES if two else UNSURE, "procedures": names, "about": "True",
        "playable": None, "looked": None, "assuming": under,
    }  # fmt: skip
    return ProofRecord(**read(**{**known, **changes}))


def attempted(status="proved", key=KEY, **changes):
    """Return a statement with such an attempt, as the prover returns it."""
    own = {name: changes.pop(name) for name in ("formula", "target") if name in changes}
    record = proof(status=status, **changes)
    return Finding(**read(**{**STATEMENT, "where": record.assuming, "key": key, **own}), proofs=(record,))


_ORIGIN = ("engine", "seed", "learnt", "equation", "exact_for", "exceptions", "derived")
_SOURCE = (
    "claim",
    "at",
    "paper",
    "kind",
    "note",
    "unpublished",
    "text",
    "games",
    "every",
    "changes",
    "provable",
)


def found(origin, source, tables, changes):
    """Return a finding. changes: fields of it, of its origin, of its source, or of its comparison with the test tables."""

    def taken(*names):
        return {name: changes.pop(name) for name in names if name in changes}

    splits = {**tables, **taken("train", "validate")}
    if "test" in splits:
        test = {**taken("checked", "instances", "counterexample"), "wrong": changes.pop("wrong", 0)}
        test["exceptions"] = changes.pop("only_wrong_at", ())
        checked = test.setdefault("checked", splits["test"].checked)
        test.setdefault("instances", {"N=8": checked})
        splits["test"] = counts(checked - test.pop("wrong"), **test)
    parts = {
        "origin": EngineOrigin(**{**origin, **taken(*_ORIGIN)}),
        "source": Source(**{**source, **taken(*_SOURCE)}),
    }
    return Finding(**parts, tables=splits, **changes)


TESTED = counts(1_234, instances={"N=8": 1_234})


def candidate(formula="x == y", target="p", exact=True, **changes):
    """Return what an engine proposes."""
    known = {**STATEMENT, "formula": formula, "target": target, **changes}
    return found({"engine": "search"}, {}, {"train": counts(int(exact), 1)}, read(**known))


def proposed(formula, target, engine, right, total, **changes):
    """Return what this engine proposes, right at ``right`` of ``total`` training positions."""
    known = {**STATEMENT, "formula": formula, "target": target, **changes}
    return found({"engine": engine}, {}, {"train": counts(right, total)}, read(**known))


def formula(relation=None, **changes):
    """Return a formula that an engine found, and that holds. relation: a relation, or only the word for one."""
    word = related(headline=relation) if isinstance(relation, str) else relation
    tables = {"train": counts(81), "test": TESTED}
    return found({"engine": "search"}, {}, tables, read(**{**FINDING, "relation": word, **changes}))


def claim(**changes):
    """Return a claim that holds."""
    source = {"claim": "lemma-1", "at": "Lemma 1", "paper": "on-nim", "kind": "formula", "text": "p: x == y"}
    return found({}, source, {"test": TESTED}, read(**{**FINDING, **changes}))


def correction(**changes):
    """Return the correction of a claim, which holds."""
    source = {"claim": "lemma-1-corrected", "text": "p: x == y"}
    return found({}, source, {"test": TESTED}, read(**{**STATEMENT, **changes}))


def results(formulas=(), claims=()):
    """Return the results of a study that has found these."""
    return Results(findings=(*formulas, *claims))


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
    return {"rulesets": digests, "seed": 0}


def study(name="s", targets=("p",), engines=("search", "tree"), **changes):
    known = {
        "ruleset": "nim", "title": "Nim", "where": "True", "training": ("N=8",), "validation": ("N=16",),
        "test": ("N=20",), "ask": "until-found", "each": False,
        "settings": ({},), "open": None, "rulesets": {"nim": "0" * 64}, "seed": 0,
    }  # fmt: skip
    targets = tuple(map(parse_target, targets))
    asked = {target: tuple(engines) for target in targets}
    return StudyRecord(study=name, targets=targets, engines=asked, **read(**{**known, **changes}))


def asked(formulas):
    """Return the formulas, each with a key of its own, and the runs of the engines of these formulas."""
    formulas = [replace(each, key=f"{number:064}") for number, each in enumerate(formulas)]
    turns = {(each.study, each.target, each.origin.engine) for each in formulas}
    return formulas, [EngineRun(study=s, target=t, engine=e) for s, t, e in sorted(turns, key=str)]


def catalogue(studies=(), formulas=(), claims=(), rows=(), runs=()):
    formulas, turns = asked(formulas)
    parts = {"studies": studies, "findings": [*formulas, *claims], "rows": rows, "runs": [*runs, *turns]}
    return Catalogue(
        version=__version__, packages={"python": "3"}, **{name: tuple(part) for name, part in parts.items()}
    )
