"""Games with moves to sums under misère play: solved by the definition, and never proved."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sizes import examples

import grundylab as gl
from grundylab.errors import InstanceError, NoSweep
from grundylab.games import Ruleset, parse_ruleset
from grundylab.games.model import P_POSITIONS
from grundylab.language import parse_condition
from grundylab.prove.core.evidence import Computed, Induction
from grundylab.prove.core.kernel import Kernel
from grundylab.prove.core.theorem import Refused
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.prover import prove_claim
from grundylab.solve import reference
from grundylab.statement import statement_about


def heap(*moves: str) -> Ruleset:
    return parse_ruleset(
        f"title: t\nplay: misere\nposition: {{n: 0..N}}\nmoves: [{', '.join(moves)}]\n", "heap"
    )


def take(low: int, high: int, least: int) -> str:
    """Return a move that takes some tokens of a heap and leaves two heaps of at least so many."""
    ends = f'{{t: {low}..{high}, a: "{least}..n - t - {least}"}}'
    return f"{{for: {ends}, to: [{{n: a}}, {{n: n - t - a}}]}}"


KAYLES, SPLIT = heap(take(1, 2, 0)), heap(take(0, 0, 1))


def lost(table: gl.Table) -> list[int]:
    return np.flatnonzero(table.values == 0).tolist()


def test_the_heaps_of_kayles_that_are_lost_under_misere_play_are_known():
    """Sibert and Conway, Mathematical Kayles, International Journal of Game Theory 20, 1992."""
    assert lost(gl.solve(KAYLES, N=24)) == [1, 4, 9, 12, 20]


@examples(15, 200)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=2))
def test_the_outcomes_are_those_of_play_with_all_heaps_on_the_table(rules):
    codes = [(low, max(low, high), max(least, 1 - low)) for low, high, least in rules]

    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        after = [
            tuple(sorted((*heaps[:place], *heaps[place + 1 :], a, heaps[place] - t - a)))
            for place in range(len(heaps))
            for low, high, least in codes
            for t in range(low, high + 1)
            for a in range(least, heaps[place] - t - least + 1)
        ]
        return not after or not all(map(wins, after))

    table = gl.solve(heap(*(take(*code) for code in codes)), N=8)
    assert [bool(value) for value in table.values] == [wins((n,)) for n in range(9)]


def test_too_many_sums_are_refused_and_nothing_faster_or_about_single_positions_is_offered(monkeypatch):
    monkeypatch.setattr(reference, "MOST_SUMS", 500)
    with pytest.raises(InstanceError, match="500 sums"):
        gl.solve(KAYLES, N=60)
    with pytest.raises(NoSweep, match="definition only"):
        gl.solve(KAYLES, N=8, method="kernel")
    with pytest.raises(InstanceError, match="solve the table"):
        gl.explain(KAYLES, {"n": 4}, {})


def test_nothing_is_proved_or_refuted_by_the_prover():
    """Each move of SPLIT makes one heap more, so that n - 1 moves are made in all, and each heap is as in normal play."""
    claim = unpublished_claim(parse_condition("n > 0 and n % 2 == 0"), P_POSITIONS)
    proof = prove_claim(SPLIT, claim)
    assert (proof.status, proof.counterexample) == ("undecided", None)
    assert "from its parts" in str(proof.reason)
    statement = statement_about(SPLIT, claim)
    for evidence in (Induction(levels=(claim.formula,)), Computed()):
        with pytest.raises(Refused, match="under misère play"):
            Kernel().check(statement, evidence)


def test_a_study_says_what_holds_in_the_tables(tmp_path):
    account = gl.study(SPLIT, budget=6, folder=tmp_path)
    held = [str(each.formula) for each in account.catalogue.formulas if each.status == "holds"]
    assert any(gl.verify(formula, "p", gl.solve(SPLIT, N=24)).status == "holds" for formula in held)
    assert not [each for each in account.catalogue.formulas if each.proved]
