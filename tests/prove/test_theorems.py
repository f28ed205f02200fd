"""The papers' theorems are proved, for every size; every other claim of the rulesets has its known result."""

from __future__ import annotations

from functools import cache, lru_cache

import pytest
from tests.papers.small import NAMES, ruleset
from tests.sizes import thinned

from grundylab.check.families import FunctionExtent, chosen_functions, family_games
from grundylab.check.verification import Counterexample
from grundylab.games import Claim, Ruleset, make_instance, parent_of, parse_target
from grundylab.language import parse, parse_condition
from grundylab.language.numeration import numeration_system
from grundylab.language.plain import evaluate
from grundylab.language.syntax import FALSE, TRUE, Expr, conjunction, disjunction
from grundylab.logic.mona import find_mona
from grundylab.prove.hypothesis import unpublished_claim, with_permuted_piles
from grundylab.prove.outcome import MONA, Proof
from grundylab.prove.prover import ProofContext, prove_claim
from grundylab.records.proofs import Opinion
from grundylab.solve.reference import solve_reference

Case = tuple[str, str, str]  # ruleset, claim, condition that fixes parameters

# What the issue asks for, by the paper that it is from.
THEOREMS: dict[str, list[Case]] = {
    "Bouton's theorem": [
        (game, claim, "True") for game in ("nim-2", "nim", "nim-4") for claim in ("bouton", "bouton-grundy")
    ],
    "games-of-nim-with-restriction": [
        ("max-nim-floor", "theorem-15", "True"),
        ("two-stones-ceil", "theorem-25", "True"),
        ("turn-limit-linear", "theorem-35", "True"),
    ],
    "atlas-of-nim-with-a-pass": [
        ("nim-with-a-pass-2", "theorem-1", "True"),
        *(("nim-with-a-pass", f"theorem-{n}", "True") for n in (1, 2)),
        *(("nim-with-a-pass", f"list-{s}", "True") for s in range(2, 10)),
        ("heaps-1-2-pass", "theorem-3", "True"),
        ("heaps-1-2-3-pass", "theorem-4", "True"),
    ],
    "chocolate-games-with-a-pass": [
        ("chocolate-monotone-1", "theorem-3", "True"),
        ("chocolate-half", "theorem-3", "True"),
        ("chocolate-log", "theorem-3", "True"),
        *(
            ("chocolate-half-pass", claim, k)
            for claim in ("section-2", "corollary-2", "corollary-3-proof-end")
            for k in ("k == 1", "k == 2")
        ),
        *(
            ("chocolate-log-pass", claim, "True")
            for claim in ("section-2", "corollary-2", "corollary-3-proof-end")
        ),
        *(("nim-with-a-pass-2", f"lemma-{n}", "True") for n in (6, 7, 8)),
    ],
    "restricted-nim-with-a-pass": [("nim-with-a-pass-from-m", "conjecture-1", "True")],
}
NAMED = [case for cases in THEOREMS.values() for case in cases]

# Outside WS1S, or not to be put together from claims, and proved by certificates: about runs, or of a period.
CERTIFIED = {
    ("dawsons-kayles", "p-positions"),
    ("turn-limit-linear", "lemma-33"),
    ("turn-limit-linear", "lemma-34"),
    ("turn-limit-linear", "theorem-35"),
    ("turn-limit-nondecreasing", "runs"),
}

# Without these values of the parameters the claim's own game is outside the fragment.
FIXED = {
    "turn-limit-linear": ("m == 1", "m == 2"),
}

# Claims that look values up, and that no rule reduces to what can be read: of limits that grow by steps of one, of games
# of which no claim gives a formula, of all smaller values at once.
UNREAD = {
    "chocolate-third": ["theorem-2"],
    "heaps-1-2": ["theorem-1-ii"],
    "heaps-1-2-3": ["theorem-1-ii"],
    "max-nim-ceil-3-pass": ["theorem-3-proof-22", "theorem-4-proof-44"],
}

# How a claim comes out if it is not proved: the smallest counterexample, or words of the reason.
_FAMILY = "the logic has numbers only"
_SHIFT = "a shift by a variable is not expressible"
NOT_PROVED: dict[tuple[str, ...], tuple[int, ...] | str] = {
    **{
        (name, claim): outcome
        for name in ("chocolate-half-pass", "chocolate-log-pass")
        for claim, outcome in (
            ("corollary-2-proof-3", (2, 0, 1, 1)),
            ("corollary-4-b", (1, 0, 2, 1)),
            ("corollary-4-proof", (0, 0, 1, 0)),
        )
    },
    ("chocolate-monotone-1-pass", "corollary-2-proof-3"): (2, 0, 1, 1),
    ("chocolate-monotone-1-pass", "corollary-4-b"): (1, 0, 2, 1),
    ("chocolate-monotone-1-pass", "corollary-4-proof"): (0, 0, 1, 0),
    ("chocolate-monotone", "theorem-2-if"): _FAMILY,
    ("chocolate-monotone", "theorem-2-only-if"): (0, 0, 0),
    ("chocolate-log", "table-1"): (0, 2, 14),
    ("chocolate-least-power", "definition-8"): _SHIFT,
    ("chocolate-odd", "odd-k"): "the upper end of y mentions a bound, and may not grow with it",
    ("heaps-1-2-3", "table-2"): (1, 1, 1),
    ("max-nim-ceil", "lemma-2-iv-proof"): (8, 2),
    ("max-nim-ceil-3-pass", "lemma-3-ii-proof"): (5, 0, 0, 0, 3),
    ("max-nim-ceil-3-pass", "theorem-4-proof-27-arxiv"): (4, 1, 0, 0),
    ("max-nim-ceil-3-pass", "theorem-4-proof-42-arxiv"): (2, 1, 0, 0),
    ("nim-with-a-pass-2", "lemma-7-proof-assumption"): (0, 0, 1),
    ("nim-with-a-pass-2", "lemma-8-proof-assumption"): (1, 4, 1),
    ("nim-with-a-pass-2", "lemma-8-proof-nim-sum-5"): (0, 0, 0, 3),
    ("two-stones-ceil", "example-23-e-limit"): (3, 6),
    ("two-stones-ceil", "lemma-24-proof-i"): (2, 1),
}


@cache
def attempt(name: str, claim_id: str, fixed: str) -> Proof:
    game = ruleset(name)
    where, parent = parse_condition(fixed), parent_of(game)
    return prove_claim(game, game.claim(claim_id), where, parent=parent, context=known_of(name))


@lru_cache(maxsize=2)  # the claims of a ruleset are asked about one after the other
def known_of(name: str) -> ProofContext:
    """Return the context shared by all proofs about a ruleset, as in the workflow."""
    return ProofContext()


def known_outcome(name: str, claim_id: str, fixed: str) -> tuple[int, ...] | str | None:
    """Return the smallest counterexample, or words of the reason why it is undecided; None for a proved claim."""
    known = NOT_PROVED.get((name, claim_id, fixed)) or NOT_PROVED.get((name, claim_id))
    return "of which the logic knows no formula" if claim_id in UNREAD.get(name, ()) else known


_RECORDED = [
    (name, claim.id, fixed)
    for name in NAMES
    for claim in ruleset(name).claims
    for fixed in FIXED.get(name, ("True",))
]
CLAIMS = [*dict.fromkeys([*NAMED, *_RECORDED])]


SLOW = [  # together they take longer than all others
    ("max-nim-ceil-3-pass", "theorem-3-proof-9", "True"),
    ("chocolate-monotone-1-pass", "theorem-4", "True"),
]


def _always(case: Case) -> bool:
    """Tell whether the claim is known to be refuted or undecided."""
    return case in NOT_PROVED or case[:2] in NOT_PROVED


@pytest.mark.parametrize(("name", "claim", "fixed"), thinned(CLAIMS, 20, _always, SLOW))
def test_each_claim_comes_out_as_it_is_known_to(name: str, claim: str, fixed: str) -> None:
    proof, known = attempt(name, claim, fixed), known_outcome(name, claim, fixed)
    if known is None:
        assert (proof.status, proof.reason) == ("proved", None)
        assert proof.evidence is not None
        kind = proof.evidence.kind
        assert ("certificate" in proof.by) == ((name, claim) in CERTIFIED)
        if kind == "induction" and not numeration_system([proof.formula]).binary:
            assert proof.second is not None
            # MONA reads digits of some systems, and has no time for the largest; it never says the contrary
            assert proof.second.status in ("agrees", "not checked")
        elif find_mona() is not None and kind == "induction":
            assert proof.second == Opinion(MONA, "agrees")
            assert proof.script is not None
    elif isinstance(known, str):
        assert proof.status == "undecided"
        assert known in (proof.reason or "")
    else:
        assert proof.status == "refuted"
        assert proof.counterexample is not None
        assert tuple(proof.counterexample.position.values()) == known


def wrong_by_reference(
    game: Ruleset, claim: Claim, parameters: dict[str, int], size: int
) -> list[Counterexample]:
    """Return the places where the claim is wrong in a small table, by the definition and the plain reader."""
    table = solve_reference(make_instance(game, parameters, dict.fromkeys(game.bounds, size)), "grundy")
    wrong = []
    for slab in table.slabs():
        for value, *position in zip(
            slab.values.tolist(), *(c.tolist() for c in slab.coordinates), strict=True
        ):
            at = dict(zip(game.coordinate_names, position, strict=True))
            known = {**at, **parameters}
            if not evaluate(claim.where, known, game.functions):
                continue
            said = int(evaluate(claim.formula, known, game.functions))
            truth = {"true": 1, "p": int(value == 0), "grundy": value}.get(
                claim.target.name, int(value == claim.target.value)
            )
            if said != truth:
                measure = evaluate(game.measure, known, game.functions)
                functions = chosen_functions(game, FAMILIES[game.name]) if game.name in FAMILIES else {}
                wrong.append(Counterexample(at, parameters, measure, truth, said, functions))
    return wrong


FAMILIES = {name: ruleset(name) for name in ("chocolate-monotone-1", "chocolate-monotone-1-pass")}
SEEN = [
    *(case[:2] for case, known in NOT_PROVED.items() if case[0] in FAMILIES and known != _FAMILY),
    ("two-stones-ceil", "lemma-24-proof-i"),
]


@pytest.mark.parametrize(("name", "claim_id"), SEEN)
def test_what_no_method_decides_and_a_look_refutes_is_false_there(name: str, claim_id: str) -> None:
    """Find the first counterexample of a single game; of a family, one among some games, not called smallest."""
    game, claim, said = (
        ruleset(name),
        ruleset(name).claim(claim_id),
        attempt(name, claim_id, "True").counterexample,
    )
    assert said is not None
    assert said.smallest is (name not in FAMILIES)
    if name in FAMILIES:
        ((free, chosen),) = said.functions.items()
        extents = {free: FunctionExtent((range(8),), range(3))}
        wrong = [
            each.position
            for one in family_games(game, extents)
            for each in wrong_by_reference(one, claim, {}, 3)
            if each.functions[free].values[: len(chosen.values)] == chosen.values
        ]
        assert said.position in wrong
    else:
        wrong_ones = wrong_by_reference(game, claim, {"a": 1, "b": 2}, 22)
        assert min(wrong_ones, key=lambda each: each.order) == said


def test_no_theorem_is_excused_from_being_proved() -> None:
    assert not any(known_outcome(*case) for case in NAMED)


def test_no_known_outcome_is_of_a_claim_that_is_not_there() -> None:
    assert set(NOT_PROVED) <= {*CLAIMS, *((name, claim) for name, claim, _ in CLAIMS)}


# -- one statement of several lists --------------------------------------------------------------------


def atlas(order: bool) -> Claim:
    """Return Theorems 1 and 2 and the Atlas's lists as one claim on positions whose smallest heap is at most 9.

    order: whether it is about heaps in ascending order only.
    """
    game = ruleset("nim-with-a-pass")
    ids = ("lemma-2-one-heap", "theorem-1", "theorem-2", *(f"list-{s}" for s in range(2, 10)))
    claims = [game.claim(identifier) for identifier in ids]
    if not order:
        claims = [turn for claim in claims for turn in with_permuted_piles(claim, game.piles)]
    empty = parse("x == y == z == 0")
    formula = disjunction(empty, *(conjunction(claim.where, claim.formula) for claim in claims))
    where = "p == 1 and x <= y <= z and x <= 9" if order else "p == 1 and min(x, y, z) <= 9"
    return Claim("smallest-heap-at-most-9", parse_target("p"), formula, parse_condition(where))


@pytest.mark.parametrize("order", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_atlas_is_one_theorem_about_smallest_heaps_of_at_most_nine(order: bool) -> None:
    game, claim = ruleset("nim-with-a-pass"), atlas(order)
    proof = prove_claim(game, claim, parent=parent_of(game))
    assert (proof.status, proof.reason, proof.counterexample) == ("proved", None, None)


# -- for which parameters --------------------------------------------------------------------------------


def conjecture(where: Expr, question: bool) -> Proof:
    game = ruleset("nim-with-a-pass-from-m")
    claim = game.claim("conjecture-1")
    return prove_claim(
        game, unpublished_claim(claim.formula, claim.target), where, parent=parent_of(game), question=question
    )


def test_conjecture_1_is_true_exactly_for_the_multiples_of_four() -> None:
    condition = parse("m % 4 == 0")
    assert attempt("nim-with-a-pass-from-m", "conjecture-1", "True").condition == condition
    found = conjecture(TRUE, question=True)
    assert (found.status, found.condition) == ("proved", condition)
    assert found.automaton is not None
    assert [m for m in range(1, 100) if found.automaton.contains({"m": m})] == [*range(4, 100, 4)]


def test_conjecture_1_asserted_for_all_m_is_false_and_says_for_which_it_is_true() -> None:
    asserted = conjecture(TRUE, question=False)
    assert (asserted.status, asserted.condition) == ("refuted", parse("m % 4 == 0"))
    assert asserted.counterexample is not None
    assert asserted.counterexample.parameters["m"] % 4


def test_nothing_of_conjecture_1_is_left_with_another_nim_sum() -> None:
    game = ruleset("nim-with-a-pass-from-m")
    formula = parse("(x ^ y ^ z) == (0 if p == 0 or x + y + z < m else 3)")
    proof = prove_claim(game, unpublished_claim(formula, parse_target("p")), question=True)
    assert (proof.status, proof.condition) == ("refuted", FALSE)
    assert proof.counterexample is not None
