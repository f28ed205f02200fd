"""Catalogues made by hand, with what a small run does not have: each a name, and a catalogue of one or several studies.

A study is called after what it is there for.
"""

from dataclasses import replace

from tests.findings import made
from tests.findings.made import (
    UNNAMED,
    WRONG,
    catalogue,
    claim,
    correction,
    counts,
    paper,
    proof,
    row,
    statement,
)

from grundylab.check.verification import Counterexample
from grundylab.discover.base import EngineRun
from grundylab.games.model import P_POSITIONS
from grundylab.records.finding import LearntTables

LEARNT = (LearntTables(instances=("N=8",), positions=81),)
AUTOMATON = 'accepts("+0,,,0", x, y)'
PARTIAL = {"train": counts(97, 100), "relation": None}
REFUTED = {"counterexample": WRONG, "relation": None}
WITHOUT_PLACE = "what it says of (x=7, y=9) contradicts what it says of its options"


def study(name, unsolved=None, **more):
    return made.study(name, ruleset=name, open=unsolved, title=f"A game, {name}", **more)


def formula(name, text="x == y", relation="new", **more):
    known = {"formula": text, "stated": f"\\text{{{text}}}", "learnt": LEARNT}
    return made.formula(relation, **{**known, "study": name, "ruleset": name, **more})


def engine(name, by, *notes, **more):
    return EngineRun(study=name, target=P_POSITIONS, engine=by, notes=notes, **more)


# Each study with its formulas; the study is open, if a text is beside it.
STUDIES = {
    "proved exactly where": ("a paper sees none", [
        {"proofs": (proof(where="m % 4 == 3", exactly=True),), "open": "a paper sees none"},
    ]),
    "proved by a certificate": (None, [
        {"proofs": (proof("k == 1", "k == 1 and s >= 3", two=False, proof="formula-1.json"),)},
    ]),
    # what a proof needs beyond the condition that it was asked under is not lost, nor a condition that it does not repeat
    "proved under a condition": (None, [
        {"proofs": (proof("m >= 5", "True", exactly=True),)},
        {"target": "grundy == 1", "proofs": (proof("x <= 3", "True"),)},
        {"target": "grundy == 2", "where": "p == 0", "proofs": (proof("m == 1", "m == 1 and p == 0"),)},
    ]),
    "proved twice": ("none is known", [
        {"proofs": (proof("k == 1", "k == 1"), proof("k == 2", "k == 2", proof="2.mona", two=False))},
    ]),
    "proved for parameters without a name": (None, [{"proofs": (proof(**UNNAMED),)}]),
    "proved, and wrong for other parameters": (None, [
        {"proofs": (proof("m == 2", "m == 2"),), "counterexample": WRONG},
    ]),
    "proved for finitely many": (None, [
        {"text": "x == 7", "where": "m == 5", "proofs": (proof(positions=6),)},
        {"text": "x == 8", "target": "grundy == 1",
         "proofs": (proof("k == 1", "k == 1", positions=1), proof("k == 2", "k == 2", positions=2))},
        {"text": "x == 9", "where": "m >= 6", "proofs": (proof(),)},
    ]),
    "in other words": (None, [
        {"text": AUTOMATON, "proofs": (proof("m == 3", "m == 3", reading="x == y"),)},
        {"text": AUTOMATON, "where": "m == 4", "proofs": (proof("m == 4", "m == 4", reading=None),)},
    ]),
    "in several words": (None, [
        {"text": text, "engine": engine, "proofs": (proof(),)}
        for engine, text in (("search", "x == y"), ("tree", "x ^ y == 0"), ("runs", "abs(x - y) == 0"))
    ]),
    "of a row": (None, [{"text": "y == 2 * x", "engine": "rows", "where": "m == 2 and x == 5", "proofs": (proof(),)}]),
    "holds": ("none is known", [{"proofs": (proof(status="undecided", reason="x * y is outside"),)}]),
    "refuted without a place": (None, [{"proofs": (proof(status="refuted", reason=WITHOUT_PLACE),)}]),
    "refuted, with exceptions": ("none is known", [
        {**REFUTED, "only_wrong_at": (replace(WRONG, position={"x": 0, "y": 1}),), "condition": "m % 2 == 0"},
    ]),
    "not found": ("none is known", [
        {"text": "x < y", "engine": "tree", **PARTIAL}, {"text": "x <= y", **REFUTED},
    ]),
    "nothing": ("none is known", []),
    "looked up": ("why not", [{"text": "G(x, 0) ^ 1", "values": {"G": "this"}}]),
    "settings": ("why not", [
        {"text": text, "where": where, "train": counts(len(where)), "proofs": (proof(where=where),)}
        for where, text in (("m == 1", "x == 1"), ("m == 2", "x == 2"), ("m == 1 and x >= 1", "x > 1"))
    ]),
}  # fmt: skip
SETTINGS = {"each": True, "settings": tuple({"m": m} for m in (1, 2, 3, 4))}
NOTES = [
    engine("not found", "automata", "it kept growing | to 99 states"),
    engine("nothing", "search", learnt=LEARNT),
]


def of(name):
    """Return the catalogue of one study."""
    unsolved, found = STUDIES[name]
    formulas = [formula(name, **fields) for fields in found]
    more = SETTINGS if name == "settings" else {}
    if name == "not found":
        more = {"engines": ("search", "tree", "automata")}
    return catalogue(
        [study(name, unsolved, **more)], formulas, runs=[each for each in NOTES if each.study == name]
    )


def together():
    """Return the catalogue of all studies, with rows, of which a paper leaves one open."""
    known = [of(name) for name in STUDIES]
    parts = {name: [each for one in known for each in getattr(one, name)] for name in ("studies", "formulas")}
    rows = [row(ruleset="known"), row(ruleset="fresh", open="a paper sees none")]
    return catalogue(**parts, rows=rows, runs=NOTES)


# -- claims of papers -----------------------------------------------------------------------------------------

PAPER = paper(
    "on-nim", "On Nim*", ("A. Body",), "Body1901",
    (
        statement("Definition 1", "the game"),
        statement("Definition 2", "nim-sum", reason="the operation that `^` is | in formulas"),
        statement("Lemma 1", "heaps", arxiv="Lemma 7"),
        statement("Lemma 2", "more heaps"),
        statement("Lemma 3, proof", "a step", stands="Lemma 3 stands"),
        statement("Lemma 4, proof", "a step", kind="text uncertain", reason="floor or ceiling"),
        statement("Lemma 5", "pairs"),
    ),
)  # fmt: skip
VERSION = paper(
    "on-nim-arxiv", "On Nim, again", ("A. Body",), "Body1900",
    (statement("Lemma 7", "heaps", **{"same as": "Lemma 1"}), statement("Lemma 8", "other heaps")),
    **{"version of": "on-nim"},
)  # fmt: skip
GAMES = [
    ("nim", "on-nim", ("Definition 1", "Definition 2, first line")),
    ("kayles", None, ("Definition 2",)),
    ("sprouts", "on-nim", ("Lemma 2",)),
    ("hex", "of-hearsay", ("Section 1",)),
]
AT = Counterexample({"x": 1}, {}, 1, 1, 0)
BETTER = correction(
    text="p: x <= 1", stated=r"x \le 1", changes=("x = 0 → x <= 1",),
    proofs=(proof(exactly=True, claim="lemma-1-corrected"),),
)  # fmt: skip
ONE, OTHER = proof("k == 1", "k == 1", claim="c"), proof("k == 2", "k == 2 and s >= 3", two=False, claim="c")
SEVERAL = {f"m={m},N=8": 9 for m in range(1, 5)}
# Each claim, by what is known of it: its fields.
CLAIMS = {
    "proved": {"proofs": (proof(exactly=True, claim="c"),)},
    "proved in part": {"proofs": (ONE, OTHER)},
    "computed": {"complete": True},
    "holds": {},
    "holds at few": {"checked": 29},
    "holds in some": {"instances": SEVERAL},
    "holds in two": {"instances": {name: SEVERAL[name] for name in ("m=3,N=8", "m=4,N=8")}},
    "holds in games": {"games": 7, "every": "f: 0..3 -> 0..3"},
    "undecided": {"reason": "nothing was checked"},
    "refuted": {"counterexample": AT},
    "refuted, corrected": {
        "counterexample": AT,
        "correction": BETTER,
        "proofs": (ONE,),
        "note": "as printed",
    },
    "refuted, corrected in part": {"counterexample": AT, "correction": replace(BETTER, proofs=(ONE, OTHER))},
    "refuted, corrected so far": {"counterexample": AT, "correction": replace(BETTER, proofs=())},
    "of two games": {"counterexample": AT, "correction": BETTER, "ruleset": "wythoff", "note": "for odd x"},
}
# Corrections of one line, in two games.
CORRECTIONS = {
    "(i)": (BETTER, BETTER),
    "(ii)": (replace(BETTER, proofs=(ONE, OTHER)), BETTER),
    "(iii)": (None, BETTER),
    "(iv)": (replace(BETTER, proofs=(), stated="x = 7"), BETTER),
}
PLACES = {
    "refuted": "Lemma 3, proof", "refuted, corrected so far": "Lemma 2", "of two games": "Lemma 2", "holds": "Lemma 2",
    "undecided": "Section 9",
}  # fmt: skip


def claims():
    """Return these claims at statements of the paper, one beside them, and one of no paper."""
    found = [
        claim(**{"claim": name, "at": PLACES.get(name, f"Lemma 1 ({name})"), "stated": "x = 0", **fields})
        for name, fields in CLAIMS.items()
    ]
    found += [
        claim(
            claim=part, at=f"Lemma 5 {part}", stated="x = 0", ruleset=game, counterexample=AT, correction=each
        )
        for part, pair in CORRECTIONS.items()
        for game, each in zip(("nim", "wythoff"), pair, strict=True)
    ]
    return [*found, claim(at="Guy 1956", stated="", text="p: x | y == 0", paper=None)]
