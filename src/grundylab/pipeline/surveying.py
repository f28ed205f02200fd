"""What is done for a survey, in jobs of some games each: small tables first, then proofs of what these leave open.

A stage is a function of files and of what is asked, as in ``stages``; ``alone`` does them one after another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from pathlib import Path
from typing import Any

import numpy as np

from grundylab.catalogue.files import plain, typed
from grundylab.catalogue.surveys import (
    PERIOD,
    Answer,
    Pattern,
    SurveyRow,
    Tabled,
    Tried,
    asked_of,
    rows_of,
    statement_texts,
    write_survey,
)
from grundylab.check.alike import rules_key, table_key
from grundylab.check.judging import judge
from grundylab.discover.base import Setting
from grundylab.discover.conditions import condition_on, reworded
from grundylab.discover.fingerprints import scattered
from grundylab.errors import ConfigError, GrundylabError, NoSweep, RulesetError
from grundylab.files import read_record, write_json
from grundylab.games import Claim, Instance
from grundylab.games.model import Values, parse_target
from grundylab.games.schema import ClaimSpec
from grundylab.language.folding import folded
from grundylab.language.plain import evaluate
from grundylab.pipeline.folder import sweep
from grundylab.pipeline.study import values_of
from grundylab.pipeline.survey_discovery import answered, discovered
from grundylab.pipeline.surveys import Asked, Game, NoGame, Places, Survey, asked_to_survey, survey_of
from grundylab.prove.outcome import Disagreement, Limits
from grundylab.prove.prover import Known, for_which
from grundylab.report.site.survey import write_survey_page
from grundylab.solve import Table, solve
from grundylab.solve.made import made_by
from grundylab.solve.sweeps import sweep_for
from grundylab.solve.sweeps.piles import Piles

LEFT_OUT = 3  # of so many games one is not learnt from, when the survey's own pattern is looked for


# -- small tables ------------------------------------------------------------------------------------------------------


def tables_stage(asked: Asked, job: int, output: str) -> str:
    """The games of one job in their small tables; what there was, in words."""
    survey = survey_of(asked)
    found = [tabled(survey, number) for number in survey.part(job)]
    left = sum(tried.left for game in found for tried in game.tried)
    _write(output, asked, "games", found)
    return f"{len(found):,} games, {left:,} questions left by their small tables"


def tabled(survey: Survey, number: int) -> Tabled:
    """A game in its small tables."""
    try:
        game = survey.game(number)
    except NoGame as error:
        slots = {name: str(values) for name, values in survey.slots_of(number).items()}
        return Tabled(game=number, slots=slots, filled=slots, none=error.message)
    known: dict[str, Any] = {"game": number, "slots": game.slots, "filled": game.filled}
    instances = survey.instances(game)
    try:
        solved = [_solved(instance, _values(survey, game)) for instance in instances]
    except RulesetError as error:  # a move that lowers nothing, say: with these values the rules are no game
        return Tabled(**known, none=error.message)
    tables = [table for table, _ in solved]
    # what is wrong with a ruleset that is looked up is wrong in every game, and ends the survey
    tried = tuple(_tried(claim, game, tables) for claim in game.claims)
    return Tabled(
        **known,
        rules=rules_key(game.ruleset, game.claims),
        values=table_key(tables),
        all=table_key(tables, game.claims),
        moves=sum(table.instance.moves for table, swept in solved if not swept),
        swept=sum(table.instance.moves for table, swept in solved if swept),
        tried=tried,
    )


def _values(survey: Survey, game: Game) -> Values:
    """What is solved for: what its claims and rows are about."""
    rows = survey.spec.rows
    return values_of(game.ruleset, (parse_target(rows.target),) if rows else ())


def _solved(instance: Instance, values: Values) -> tuple[Table, bool]:
    """By a sweep of piles if there is one, and whether there is: what is compiled for it serves all games."""
    try:
        swept = isinstance(sweep_for(instance, values), Piles)
    except NoSweep:
        swept = False
    return solve(instance, values, "sweep" if swept else "auto"), swept


def _tried(claim: Claim, game: Game, tables: Sequence[Table]) -> Tried:
    """The claim on the tables. Where it is asked for which parameters it is true, one of them is enough to go on."""
    verdict = judge(claim, tables)
    told = [(check.instance.label, check.holds) for check in verdict.informative]
    right = tuple(label for label, holds in told if holds)
    asks = for_which(game.ruleset, claim)
    return Tried(
        **statement_texts(folded(claim.formula), claim.target, folded(claim.where)),
        claim=claim.id,
        checked=verdict.checked,
        wrong=verdict.wrong,
        settings=tuple(label for label, _ in told),
        right=right,
        left=not told or (bool(right) if asks else len(right) == len(told)),
        counterexample=verdict.counterexample,
    )


# -- proofs ------------------------------------------------------------------------------------------------------------


def asked_stage(asked: Asked, tables: Sequence[str], folder: str) -> str:
    """What is left to ask, dealt out to as many jobs that prove: a file each in the folder; how much it is, in words.

    Which games are one is known from all together: this job alone reads all of them.
    """
    survey = survey_of(asked)
    games = asked_of(_read_all(Tabled, tables, "games"), *_asks(survey))
    for job in range(len(tables)):
        # one by one: what is hard is often side by side
        _write(_dealt(folder, job), asked, "games", games[job :: len(tables)])
    return f"{len(games):,} games of which something is left to ask"


def _asks(survey: Survey) -> tuple[bool, bool]:
    """Whether periods are looked for, and formulas where no claim is left."""
    return survey.spec.rows is not None, survey.spec.discover is not None


def _dealt(folder: str, job: int) -> str:
    return str(Path(folder) / f"{job}.json")


def proofs_stage(asked: Asked, job: int, deal: str, output: str, folder: str) -> str:
    """What is left to ask of the games that this job was dealt; in words. Proofs are written to the folder."""
    survey = survey_of(asked)
    Path(folder).mkdir(parents=True, exist_ok=True)
    games = _read_all(Tabled, [_dealt(deal, job)], "games")
    found = [answer for game in games for answer in answers(survey, game, Path(folder))]
    _write(output, asked, "answers", found)
    return "\n".join(f"{each.game}: {each.claim}: {_status(each)}" for each in found)


def _status(answer: Answer) -> str:
    proof = answer.attempt
    return (
        f"{proof.status} where {proof.where}" if proof else answer.row.status if answer.row else "undecided"
    )


def answers(survey: Survey, asked: Tabled, folder: Path) -> Iterator[Answer]:
    """What the prover says of what is left to ask of a game, the periods of its rows, and what is discovered if no
    claim is left."""
    game, left = survey.game(asked.game), False
    limits = Limits(survey.spec.proof_timeout, words=reworded)
    known = Known(limits)
    for tried in asked.tried:
        answer = answered(game, game.ruleset.claim(tried.claim), limits, known, folder)
        left = left or answer.survives
        yield answer
    yield from _periods(survey, game, folder)
    if survey.spec.discover is not None and not left:
        yield discovered(survey, game, limits, known, folder)


def _periods(survey: Survey, game: Game, folder: Path) -> Iterator[Answer]:
    rows = survey.spec.rows
    if rows is None:
        return
    from grundylab.pipeline.rows import row_records  # numba takes long to import

    own = folder / str(game.number)
    try:
        rows.check(game.bare)
        found = row_records(game.bare, rows, own, 0)
    except Disagreement:
        raise
    except GrundylabError as error:
        yield Answer(game=game.number, claim=PERIOD, reason=error.message)
        return
    for row in found:
        yield Answer(game=game.number, claim=PERIOD, row=row)


# -- the answer --------------------------------------------------------------------------------------------------------


def survey_stage(asked: Asked, tables: Sequence[str], proofs: Sequence[str], table: str, page: str) -> str:
    """The rows as Parquet, and the page; how much is proved, in words."""
    survey = survey_of(asked)
    games, answered = _read_all(Tabled, tables, "games"), _read_all(Answer, proofs, "answers")
    rows, made = rows_of(games, answered, survey.spec.rows is not None), _made(asked)
    write_survey(rows, sum(game.none is not None for game in games), made, Path(table))
    spec, folder = survey.spec, Path(page).parent
    texts = {claim.id: _text(claim) for claim in spec.claims}
    found = list(patterns(rows))
    write_survey_page(survey.name, spec.title, spec.description, texts, games, rows, found, made, folder)
    return f"{sum(row.status == 'proved' for row in rows):,} proved of {len(rows):,}"


def patterns(rows: Sequence[SurveyRow]) -> Iterator[Pattern]:
    """What the numbers in the slots have to do with it whether a claim is proved, learnt from two games of three.

    It is a conjecture about the family, told where it is right at the third as well. A game that is another one counts
    as that one; of what is undecided, or proved for some parameters only, nothing is known here.
    """
    first = {(row.game, row.claim): row for row in rows}
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], dict[Setting, bool]] = {}
    for row in rows:
        own = row if row.same_as is None else first.get((row.same_as, row.claim), row)
        numbers = tuple((name, int(text)) for name, text in row.filled.items() if text.isdecimal())
        others = tuple((name, text) for name, text in row.slots.items() if name not in dict(numbers))
        if own.status == "refuted" or (own.status == "proved" and own.condition == "True"):
            groups.setdefault((row.claim, others), {})[numbers] = own.status == "proved"
    for (claim, others), outcomes in groups.items():
        settings = list(outcomes)
        order = [settings[place] for place in scattered(np.arange(len(settings)))]
        left_out = {setting: outcomes[setting] for setting in order[: len(order) // LEFT_OUT]}
        learnt = {setting: outcome for setting, outcome in outcomes.items() if setting not in left_out}
        same = len({tuple(name for name, _ in setting) for setting in outcomes}) == 1
        found = condition_on(learnt) if learnt and same else None
        if found is not None and all(evaluate(found, dict(each)) == told for each, told in left_out.items()):
            condition, tried = str(found), len(left_out)
            yield Pattern(
                claim=claim, fixed=dict(others), condition=condition, learnt=len(learnt), tried=tried
            )


def _text(claim: ClaimSpec) -> str:
    """A claim as the survey's file has it."""
    said = claim.formula or "; ".join(claim.positions or ()) or claim.condition or claim.kind
    return f"{claim.target}: {said}" if claim.target else said


def surveyed(survey: Survey, folder: Path) -> Iterator[int]:
    """Do all jobs in this process, one after another; after each, of how many games it was done.

    What such a process has left there when it was killed goes.
    """
    asked, places = asked_to_survey(survey), Places(folder, survey.jobs)
    sweep(folder, [Path(places.deal), Path(places.tables[0]).parent, Path(places.proofs[0]).parent])
    for job, output in enumerate(places.tables):
        tables_stage(asked, job, output)
        yield len(survey.part(job))
    asked_stage(asked, places.tables, places.deal)
    for job, output in enumerate(places.proofs):
        proofs_stage(asked, job, places.deal, output, output.removesuffix(".json"))
        yield len(survey.part(job))
    survey_stage(asked, places.tables, places.proofs, places.table, places.page)


def rows_in(survey: Survey, folder: Path) -> list[SurveyRow]:
    """The rows of a survey that was done in the folder."""
    places = Places(folder, survey.jobs)
    games, answered = _read_all(Tabled, places.tables, "games"), _read_all(Answer, places.proofs, "answers")
    return rows_of(games, answered, survey.spec.rows is not None)


def no_games_in(survey: Survey, folder: Path) -> list[Tabled]:
    """Return the combinations of the slots' values that are no game."""
    found = _read_all(Tabled, Places(folder, survey.jobs).tables, "games")
    return [game for game in found if game.none is not None]


# -- files -------------------------------------------------------------------------------------------------------------


def _made(asked: Asked) -> dict[str, Any]:
    return made_by(asked["files"], 0, asked["version"])


def _write(output: str, asked: Asked, key: str, records: Sequence[object]) -> None:
    write_json(Path(output), {"made": _made(asked), key: [plain(record) for record in records]})


def _read_all(kind: type, files: Sequence[str], key: str) -> list[Any]:
    """The records of all files, by game."""
    found: list[Any] = []
    for file in files:
        found += typed(tuple[kind, ...], read_record(Path(file), ConfigError).get(key), file)  # type: ignore[valid-type]
    return sorted(found, key=lambda record: record.game)


# -- how long it takes -------------------------------------------------------------------------------------------------

SAMPLE = 24  # games that are looked at, evenly spread
SPREAD = 0.618  # of all games: steps of it come near each, and do not stay at one value of a slot
# Seconds for a game, for a move where it is looked at by itself and in a sweep, for a proof, and for a period: measured
# with the surveys that come with grundylab (docs/surveys.md).
A_GAME, A_MOVE, A_SWEPT, A_PROOF, A_PERIOD = 0.05, 3e-6, 2e-7, 0.4, 0.3
OF_BUDGET = 0.15  # of what the engines may do together, what they do where the first finds something


@dataclass(frozen=True)
class Work:
    """What a survey has to do, as far as some of its games tell.

    moves, swept: of the small tables. asked: questions that these leave to the prover. periods: that are looked for.
    discoveries: games of which small tables leave no claim, and for which formulas are looked for; budget: the seconds
    of work for each of them, all engines together.
    """

    games: int
    jobs: int
    moves: int
    swept: int
    asked: int
    periods: int
    discoveries: int
    budget: float

    @property
    def seconds(self) -> float:
        """Of one core, about."""
        parts = ((A_GAME, self.games), (A_MOVE, self.moves), (A_SWEPT, self.swept), (A_PROOF, self.asked))
        more = ((A_PERIOD, self.periods), (OF_BUDGET * self.budget, self.discoveries))
        return sum(each * count for each, count in (*parts, *more))

    @property
    def text(self) -> str:
        """The same in words."""
        seek = f", formulas for about {self.discoveries:,} games" * bool(self.discoveries)
        return (
            f"{self.games:,} games in {self.jobs:,} jobs; small tables of about {self.moves + self.swept:,} moves, "
            f"which leave at most about {self.asked + self.periods:,} questions{seek}; "
            f"about {self.seconds:,.0f} core-seconds"
        )


def _spread(count: int) -> list[int]:
    """Numbers of some games of so many."""
    step = next(step for step in range(max(1, round(SPREAD * count)), 2 * count + 1) if gcd(step, count) == 1)
    return sorted(place * step % count for place in range(min(SAMPLE, count)))


def estimated(survey: Survey) -> Work:
    """How much there is to do: of some games the small tables are solved, and the others are taken to be like them."""
    sample = [tabled(survey, number) for number in _spread(survey.count)]
    rows, discover = _asks(survey)
    left = asked_of(sample, rows, discover)
    counts = (
        sum(game.moves for game in sample),
        sum(game.swept for game in sample),
        sum(tried.left for game in left for tried in game.tried),
        sum(rows and game.none is None for game in sample),
        sum(discover and not game.tried for game in left),
    )
    budget = survey.discovery.budget * len(survey.engines) if discover else 0.0
    moves, swept, questions, periods, sought = (round(survey.count / len(sample) * count) for count in counts)
    return Work(survey.count, 2 * survey.jobs + 2, moves, swept, questions, periods, sought, budget)
