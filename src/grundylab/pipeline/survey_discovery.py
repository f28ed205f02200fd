"""What is looked for in a game of a survey of which no claim is left: a formula, as ``grundylab discover`` finds them.

Learnt from are the game's small tables, and larger ones below those that are kept to check on; what is right there
goes to the prover as a claim does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grundylab.catalogue.attempts import attempt
from grundylab.catalogue.proofs import write_script
from grundylab.catalogue.surveys import DISCOVERY, Answer, Found, statement_texts
from grundylab.check.judging import judge
from grundylab.discover import Findings, Question, answers, best_first
from grundylab.errors import GrundylabError
from grundylab.games import Claim
from grundylab.pipeline.config import least_bounds
from grundylab.pipeline.surveys import Game, Survey
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.prover import Known, for_which, prove_claim
from grundylab.solve import solve
from grundylab.statement.conditions import split_where

TRIED = 3  # of the formulas that are right where they were learnt, the best first


def discovered(survey: Survey, game: Game, limits: Limits, known: Known, folder: Path) -> Answer:
    """The best formula that is right in the tables to check on, with its proof; or how far there is none."""
    target, test = survey.sought, survey.larger(game)
    tables = [solve(instance, target.values) for instance in survey.instances(game)]
    question = Question(target, budget=survey.discovery.budget)
    found = answers(tables, question, survey.engines, below=least_bounds(test))
    none_up_to = max(each.none_up_to for each in found)
    best: Answer | None = None
    for claim, own in _right(survey, game, found):
        said = answered(game, claim, limits, known, folder)
        answer = replace(said, found=own, none_up_to=none_up_to)
        if answer.attempt is not None and answer.attempt.status == "proved":
            return answer
        best = best or (answer if answer.survives else None)
    if best is not None:
        return best
    among = f" among all formulas that cost up to {none_up_to}" if none_up_to else " was found"
    return Answer(game=game.number, claim=DISCOVERY, none_up_to=none_up_to, reason=f"nothing{among}")


def _right(survey: Survey, game: Game, found: Sequence[Findings]) -> Iterator[tuple[Claim, Found]]:
    """The first few formulas that are right where they were learnt, of those the ones that are in larger tables, too.

    The claim is without a condition on parameters that was learnt: it is asked for which it is right.
    """
    exact = [each for each in best_first(found) if each.exact and not each.values][:TRIED]
    tables = [solve(instance, survey.sought.values) for instance in survey.larger(game)] if exact else []
    for candidate in exact:
        verdict = judge(Claim(DISCOVERY, survey.sought, candidate.formula, candidate.where), tables)
        if verdict.status == "holds":
            where = split_where(candidate.where, game.ruleset)[1]
            said = statement_texts(candidate.formula, survey.sought, where)
            claim = Claim(DISCOVERY, survey.sought, candidate.formula, where)
            yield claim, Found(**said, engine=candidate.engine, checked=verdict.checked)


def answered(game: Game, claim: Claim, limits: Limits, known: Known, folder: Path) -> Answer:
    """What the prover says of a claim, asked for which parameters it is right. Its file is written to the folder."""
    try:
        proof = prove_claim(
            game.bare, claim, question=for_which(game.ruleset, claim), limits=limits, known=known
        )
    except Disagreement:
        raise  # of two procedures: nothing that follows could be believed
    except GrundylabError as error:
        return Answer(game=game.number, claim=claim.id, reason=error.message)
    file = write_script(proof, folder, f"{game.number}-{claim.id}")
    return Answer(game=game.number, claim=claim.id, attempt=attempt(proof, file, None, claim.where))
