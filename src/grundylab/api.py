"""The public functions load, solve, discover, verify and prove, which the command line uses as well.

A formula or a condition may be given as text. Verify and prove take a candidate or a claim instead of a formula, too.
docs/python.md has an example of each function.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, overload

from grundylab.check import judging
from grundylab.check.data_frames import frame_samples, read_frame, usual_target
from grundylab.check.verification import Verdict, verify_samples
from grundylab.discover import (
    ALL,
    EngineQuestion,
    engine_findings,
    engines_named,
    ranked_candidates,
    sample_findings,
)
from grundylab.discover.repairs import alternative_conditions
from grundylab.errors import FormulaError, GrundylabError, InstanceError
from grundylab.findings.catalogue import Catalogue, read_catalogue
from grundylab.findings.strategy_search import strategy_of
from grundylab.games import (
    Claim,
    Instance,
    Ruleset,
    Target,
    load_ruleset,
    make_instance,
    parent_of,
    parse_ruleset,
    parse_target,
)
from grundylab.games.instance import check_stored
from grundylab.games.load import FOLDER
from grundylab.games.model import Values
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.syntax import TRUE, conjunction
from grundylab.progress import Advance, progress
from grundylab.prove.hypothesis import unpublished_claim
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.plain_words import prove_in_plain_words
from grundylab.prove.prover import for_which, prove_claim
from grundylab.records.finding import Finding
from grundylab.solve import Method, Table
from grundylab.solve import solve as solve_instance

if TYPE_CHECKING:
    import pandas as pd

    from grundylab.findings.winning import Winning

FormulaLike = Expr | str
ConditionLike = Expr | str
TablesLike = Table | Iterable[Table]

WIN = "win"  # the target of a strategy


class Candidates(list[Finding]):
    """A list of candidates, best first.

    notes: the engines' sentences on why they found nothing more. winning: the strategy, if it was asked for and found.
    """

    def __init__(
        self, candidates: Iterable[Finding], notes: Sequence[str] = (), winning: Winning | None = None
    ) -> None:
        super().__init__(candidates)
        self.notes = tuple(notes)
        self.winning = winning


def load(source: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """Return the ruleset with this name, in this file, or in this YAML text of several lines.

    A name is looked up in ``folder``, then among the rulesets that come with grundylab. Raises RulesetError, with the
    file and the line of the mistake, if the text describes no game.
    """
    if isinstance(source, str) and "\n" in source:
        return parse_ruleset(source, folder=folder)
    return load_ruleset(source, folder)


def catalogue(path: str | os.PathLike[str] = "results/catalogue.json") -> Catalogue:
    """Return the catalogue, in which the last run recorded its formulas and claims.

    ``catalogue().to_frame()`` has a row for each formula and claim. Raises GrundylabError if the file does not exist,
    or if another version of grundylab wrote it.
    """
    return read_catalogue(path)


def solve(
    game: Ruleset | Instance, kind: Values | None = None, method: Method = "auto", **numbers: int
) -> Table:
    """Return the table of all positions of an instance: ``solve(nim, N=16)``.

    game: a ruleset or an instance. A ruleset needs a number for each of its parameters and bounds; an instance has them
    already. kind: ``grundy`` for Grundy numbers, ``outcome`` for P- and N-positions only; by default Grundy numbers in
    normal play and outcomes in misère play. Raises InstanceError if a number is missing or has an unknown name.
    """
    if isinstance(game, Instance):
        if numbers:
            raise InstanceError(f"{game} already has its numbers: {', '.join(numbers)}")
        instance = game
    else:
        unknown = [name for name in numbers if name not in (*game.parameter_names, *game.bounds)]
        if unknown:
            own_names = ", ".join((*game.parameter_names, *game.bounds)) or "none"
            raise InstanceError(f"{game.name} has no parameter or bound '{unknown[0]}'; it has: {own_names}")
        parameters = {name: value for name, value in numbers.items() if name in game.parameter_names}
        instance = make_instance(game, parameters, {n: v for n, v in numbers.items() if n not in parameters})
    check_stored(instance)
    play = instance.ruleset.play
    with _notebook_progress("solving"):
        return solve_instance(instance, kind or ("outcome" if play == "misere" else "grundy"), method)


def discover(
    data: TablesLike | pd.DataFrame,
    target: Target | str = "p",
    engine: str = ALL,
    seed: int = 0,
    budget: float = 30.0,
    where: ConditionLike = TRUE,
) -> Candidates:
    """Return candidates for the target, best first: ``discover(solve(nim, N=12), "p")``.

    data: solved tables of one game, or a data frame of whole numbers. In a data frame, candidates describe the column
    ``target`` by the other columns. Formulas learnt from tables are tested on larger tables, which are solved for this.
    A formula that is right at no more training positions than a constant is left out. target: ``win`` gives candidates
    for P-positions and, with the best of them, the strategy ``winning``. engine: the name of one engine, or ``all``:
    the engines then take turns until one finds an exact candidate for all positions. budget: seconds of processor time
    for all engines together. where: the condition on the positions to learn from; the candidates describe only these.
    """
    engines = engines_named(engine)
    given, winning = _data(data), None
    if isinstance(given, list):
        about = _condition(where, given[0].instance.ruleset if given else None)
        wins = target == WIN
        question = EngineQuestion.shared(_target("p" if wins else target), seed, budget, engines)
        with _notebook_progress("looking for formulas") as done:
            runs = engine_findings(given, question, engines, where=about, begin=partial(done, 0))
            winning = strategy_of(given, runs, about) if wins else None
    else:
        about = _condition(where, None)
        samples, kind = frame_samples(given, target, about)
        question = EngineQuestion.shared(kind, seed, budget, engines)
        with _notebook_progress("looking for formulas"):
            runs = sample_findings(samples, question, engines)
    narrowed = (replace(c, where=conjunction(about, c.where)) for c in ranked_candidates(runs))
    return Candidates(narrowed, [note for run in runs for note in run.notes], winning)


@overload
def verify(
    formula: FormulaLike, target: Target | str, tables: TablesLike | pd.DataFrame, where: ConditionLike = TRUE
) -> Verdict: ...
@overload
def verify(
    formula: FormulaLike | Finding | Claim,
    target: TablesLike | pd.DataFrame,
    *,
    where: ConditionLike = TRUE,
) -> Verdict: ...


def verify(
    formula: FormulaLike | Finding | Claim,
    target: Target | str | TablesLike | pd.DataFrame,
    tables: TablesLike | pd.DataFrame | None = None,
    where: ConditionLike = TRUE,
) -> Verdict:
    """Return the verdict on a formula at every position of the tables: ``verify(found[0], solve(nim, N=64))``.

    tables: solved tables of one game, or a data frame, whose rows are then the positions. A formula needs a target,
    which is passed before the tables; a data frame with a column ``grundy`` or ``outcome`` supplies it. A candidate or
    a claim brings its own target. A candidate learnt from a column of a data frame needs a target if it is verified on
    tables of a game. Raises FormulaError if the formula does not fit the target or the game.
    """
    if isinstance(target, Target | str):
        given, data = target, tables
    else:
        given, data = None, target
        if tables is not None:
            raise FormulaError("give the tables once, after the formula or its target")
    given_tables = [] if data is None else _data(data)
    if not isinstance(given_tables, list):
        frame, rows_claim = given_tables, _claim_of(formula, None, None)
        if given is None:
            own = isinstance(formula, Finding | Claim)
            given = rows_claim.target if own else usual_target(frame, rows_claim.formula)
        if not rows_claim.plain:
            raise FormulaError("the formula looks up values of a game: verify it on tables of that game")
        both = conjunction(rows_claim.where, _condition(where))
        read = read_frame(frame, given, both)
        if not len(frame):
            raise FormulaError("there are no rows to verify on")
        return verify_samples(rows_claim.formula, read.target, read.samples, both)
    if (given is None or data is None) and not isinstance(formula, Finding | Claim):
        raise FormulaError("a formula needs its target and tables, as in verify('x == y', 'p', table)")
    about = _claim_of(formula, given, given_tables[0].instance.ruleset if given_tables else None)
    if not given_tables:
        raise FormulaError("there is no table to verify on")
    game = given_tables[0].instance.ruleset
    claim = replace(about, where=conjunction(about.where, _condition(where, game)))
    if claim.plain:
        game.check_formula(claim.formula, claim.target)
        game.check_condition(claim.where)
    with _notebook_progress("verifying"):
        return judging.judge(claim, given_tables)


def prove(
    ruleset: Ruleset,
    formula: FormulaLike | Finding | Claim,
    target: Target | str | None = None,
    where: ConditionLike = TRUE,
    *,
    parent: Ruleset | None = None,
    helpers: Sequence[Claim] = (),
    question: bool | None = None,
    limits: Limits | None = None,
) -> Proof:
    """Return a proof for all sizes, a refutation, or an undecided outcome with its reason: ``prove(nim, found[0])``.

    target: the target of a formula, by default ``p``. A candidate learnt from a column of a data frame needs a target,
    unless the column is called ``grundy`` or ``outcome``. question: True to ask for which parameters the formula is
    true, False to prove it for all of them; by default True for a formula or a candidate whose conditions mention no
    parameter, and False for a claim. parent: a ruleset whose claims may help; by default the one that this ruleset
    extends. helpers: further claims that may help. The proof assumes no claim without proving it as well.
    """
    given = _condition(where, ruleset)
    limits = limits or Limits()
    limits = limits if limits.words else replace(limits, words=alternative_conditions)
    parent = parent or parent_of(ruleset)
    if target is None and not isinstance(formula, Finding | Claim):
        target = "p"
    claim = _claim_of(formula, target, ruleset)
    if claim.plain:
        ruleset.check_formula(claim.formula, claim.target)
        ruleset.check_condition(claim.where)
    if question is None:
        question = not isinstance(formula, Claim) and for_which(ruleset, claim, given)

    def ask(claim: Claim) -> Proof:
        return prove_claim(
            ruleset, claim, given, parent=parent, helpers=helpers, question=question, limits=limits
        )

    with _notebook_progress("proving"):
        return ask(claim) if isinstance(formula, Claim) else prove_in_plain_words(ruleset, claim, ask)[1]


def _notebook_progress(what: str) -> AbstractContextManager[Advance]:
    """Return a context that shows progress in a notebook, and nothing elsewhere: a script prints its own progress."""
    return progress(what) if "ipykernel" in sys.modules else nullcontext(lambda *_: None)


def _data(data: object) -> list[Table] | pd.DataFrame:
    """Return the tables as a list, or the data frame. Raises GrundylabError for anything else."""
    if isinstance(data, Table):
        return [data]
    if type(data).__module__.partition(".")[0] == "pandas":
        import pandas as pd

        if isinstance(data, pd.DataFrame):
            return data
    elif isinstance(data, Iterable) and not isinstance(data, str | bytes | Mapping):
        listed = list(data)
        if all(isinstance(table, Table) for table in listed):
            return listed
    kind = type(data)
    name = (
        kind.__name__
        if kind.__module__ == "builtins"
        else f"{kind.__module__.partition('.')[0]} {kind.__name__}"
    )
    raise GrundylabError(
        f"expected solved tables or a pandas DataFrame with named columns, not a {name}; "
        "make one, as in pd.DataFrame({'x': [0, 1], 'v': [0, 1]})"
    )


def _target(target: Target | str) -> Target:
    return parse_target(target) if isinstance(target, str) else target


def _condition(where: ConditionLike, game: Ruleset | None = None) -> Expr:
    """Return the condition as a tree; in its text, ``...`` stands for all piles of the game."""
    return parse_condition(where, game.piles if game else ()) if isinstance(where, str) else where


def _claim_of(
    formula: FormulaLike | Finding | Claim, target: Target | str | None, game: Ruleset | None
) -> Claim:
    """Return the claim that the formula describes the target; a claim is returned as it is.

    In a formula's text, ``...`` stands for all piles of the game. target: by default ``p`` for a formula. Raises
    FormulaError if a target is passed for a candidate or a claim that has its own.
    """
    if isinstance(formula, Claim | Finding):
        if target is None:
            given = formula.target
        elif not formula.target.own:
            raise FormulaError("a candidate or claim has its own target; do not give another")
        else:
            given = _target(target)
        if isinstance(formula, Claim):
            return formula
        return replace(formula.claim, target=given)
    tree = parse(formula, game.piles if game else ()) if isinstance(formula, str) else formula
    return unpublished_claim(tree, _target("p" if target is None else target))
