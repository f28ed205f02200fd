"""A strategy that is called right, or proved, is so by the definition."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import assume, event, given, note, reject
from tests.prove.test_random_games import LIMITS
from tests.random_games import games
from tests.random_statements import P, tables
from tests.sizes import examples
from tests.strategy.referee import failures

from grundylab.discover import discover
from grundylab.errors import GrundylabError, RulesetError
from grundylab.findings.proof_records import proof_record
from grundylab.findings.strategy_search import how_to_win
from grundylab.language.syntax import TRUE
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.prover import prove_claim
from grundylab.strategy.lines import Aim


def test_a_strategy_of_a_random_game_wins_wherever_it_is_said_to():
    """Both a strategy that holds in tables and a proved one must occur; else one of them would not be tested."""
    seen: Counter[str] = Counter()

    @examples(4, 1000)
    @given(games())
    def agree(game):
        try:
            compare(game)
        except RulesetError:  # beyond its small table it is no game
            reject()

    def compare(game):
        ruleset = game.instance().ruleset
        known = [table for table in tables(ruleset, game, P, TRUE) if table.positions]
        assume(known)
        exact = [each for each in discover(known, P, budget=1.0)[:1] if each.exact and each.plain]
        assume(exact)
        finding = exact[0]
        proof = prove_claim(ruleset, unpublished_claim(finding.formula, P), limits=LIMITS)
        finding = replace(finding, proofs=(proof_record(proof, None),))

        def prove(claim):
            return proof_record(prove_claim(ruleset, claim, limits=LIMITS), None, claim.id)

        found = how_to_win(ruleset, [finding], known, known, prove)
        winning = found[0] if found else None
        seen[winning.status if winning else "none"] += 1
        event(winning.status if winning else "none")
        if winning is None or winning.status == "partial":
            return
        note(game.report(f"study # {winning}"))
        aim = Aim(finding.formula, P, winning.where)
        lines = [move.line for move in winning.moves]
        for table in known:
            assert not failures(lines, table.instance, aim)
        if winning.status == "proved":
            for instance in larger(game):
                assert not failures(lines, instance, aim)

    agree()
    assert min(seen["proved"], seen["holds"]) >= 1, seen


def larger(game):
    """Yield instances of the game that are larger than its table, if its rules allow them."""
    for more in (1, 3):
        bounds = {name: value + more for name, value in game.bounds.items()}
        try:
            instance = replace(game, bounds=bounds).instance()
            if instance.cells < 3_000:
                failures([], instance)
                yield instance
        except GrundylabError:
            return
