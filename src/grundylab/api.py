"""The public functions load, solve, discover, verify and prove, which the command line uses as well.

Where a formula is expected, its text does; where a statement is expected, so does a candidate or a claim.
docs/python.md has an example of each.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, overload

from grundylab.catalogue.catalogue import Catalogue, read_catalogue
from grundylab.check import judging
from grundylab.check.data_frames import frame_samples, read_frame, usual_target
from grundylab.check.verification import Verdict, verify_samples
from grundylab.discover import (
    ALL,
    Candidate,
    EngineQuestion,
    engine_findings,
    engines_named,
    ranked_candidates,
    run_in_turn,
)
from grundylab.discover.repairs import alternative_conditions
from grundylab.errors import FormulaError, GrundylabError, InstanceError
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
from grundylab.prove.prover import for_which, prove_claim
from grundylab.solve import Method, Table
from grundylab.solve import solve as solve_instance

if TYPE_CHECKING:
    import pandas as pd

FormulaLike = Expr | str
ConditionLike = Expr | str
TablesLike = Table | Iterable[Table]


class Candidates(list[Candidate]):
    """A list of candidates, best first. ``notes`` are sentences of the engines: why there is nothing more."""

    def __init__(self, candidates: Iterable[Candidate], notes: Sequence[str] = ()) -> None:
        super().__init__(candidates)
        self.notes = tuple(notes)


def load(source: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """Return a ruleset by its name, from a file, or from YAML text of several lines.

    A name is looked up in ``folder``, then among the rulesets that come with grundylab. Raises RulesetError with the
    file and the line of a mistake.
    """
    if isinstance(source, str) and "\n" in source:
        return parse_ruleset(source, folder=folder)
    return load_ruleset(source, folder)


def catalogue(path: str | os.PathLike[str] = "results/catalogue.json") -> Catalogue:
    """Return what the last run found; ``catalogue().to_frame()`` has a row for each formula and claim.

    Raises GrundylabError if there is no such file, or if another version wrote it.
    """
    return read_catalogue(path)


def solve(
    game: Ruleset | Instance, kind: Values | None = None, method: Method = "auto", **numbers: int
) -> Table:
    """Return the table of all positions of an instance: ``solve(nim, N=16)``.

    game: a ruleset, with a number for each of its parameters and bounds; or an instance, which has them. kind:
    ``grundy`` for Grundy numbers, ``outcome`` for P- and N-positions only; by default Grundy numbers, under misère play
    outcomes. Raises InstanceError for a number that is missing or unknown.
    """
    if isinstance(game, Instance):
        if numbers:
            raise InstanceError(f"{game} has its numbers already: {', '.join(numbers)}")
        instance = game
    else:
        unknown = [name for name in numbers if name not in (*game.parameter_names, *game.bounds)]
        if unknown:
            known = ", ".join((*game.parameter_names, *game.bounds)) or "none"
            raise InstanceError(f"{game.name} has no parameter or bound '{unknown[0]}'; it has: {known}")
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

    data: solved tables of one game; or a data frame of whole numbers, whose column ``target`` is described by the
    others. A formula from tables of a game is tried on larger tables, which are solved for that, and counted there.
    engine: the name of one engine, or ``all``, which take turns until an answer stands. budget: seconds of processor
    time for all engines together. where: the positions to learn from; the candidates are about no others.
    """
    engines = engines_named(engine)
    there = _data(data)
    if isinstance(there, list):
        about = _condition(where, there[0].instance.ruleset if there else None)
        question = EngineQuestion.shared(_target(target), seed, budget, engines)
        with _notebook_progress("looking for formulas") as done:
            found = engine_findings(there, question, engines, where=about, begin=partial(done, 0))
    else:
        about = _condition(where, None)
        samples, kind = frame_samples(there, target, about)
        question = EngineQuestion.shared(kind, seed, budget, engines)
        until = process_time() + question.within
        with _notebook_progress("looking for formulas"):
            found = run_in_turn(engines, lambda name: question.about(name, samples), until=until)
    narrowed = (replace(each, where=conjunction(about, each.where)) for each in ranked_candidates(found))
    return Candidates(narrowed, [note for each in found for note in each.notes])


@overload
def verify(
    formula: FormulaLike, target: Target | str, tables: TablesLike | pd.DataFrame, where: ConditionLike = TRUE
) -> Verdict: ...
@overload
def verify(
    formula: FormulaLike | Candidate | Claim,
    target: TablesLike | pd.DataFrame,
    *,
    where: ConditionLike = TRUE,
) -> Verdict: ...


def verify(
    formula: FormulaLike | Candidate | Claim,
    target: Target | str | TablesLike | pd.DataFrame,
    tables: TablesLike | pd.DataFrame | None = None,
    where: ConditionLike = TRUE,
) -> Verdict:
    """Return the verdict on a formula at every position of the tables: ``verify(found[0], solve(nim, N=64))``.

    tables: solved tables of one game, or a data frame, whose rows are then the positions. A formula needs its target
    before the tables, except on a frame with a column ``grundy`` or ``outcome``. A candidate and a claim have a target;
    a candidate for a column of a frame needs one on tables of a game. Raises FormulaError if the formula does not
    fit the target or the game.
    """
    if isinstance(target, Target | str):
        given, data = target, tables
    else:
        given, data = None, target
        if tables is not None:
            raise FormulaError("give the tables once, after the formula or its target")
    there = [] if data is None else _data(data)
    if not isinstance(there, list):
        return _verify_rows(formula, given, there, where)
    if (given is None or data is None) and not isinstance(formula, Candidate | Claim):
        raise FormulaError("a formula needs its target and tables, as in verify('x == y', 'p', table)")
    about = _claim_of(formula, given, there[0].instance.ruleset if there else None)
    if not there:
        raise FormulaError("there is no table to verify on")
    game = there[0].instance.ruleset
    claim = replace(about, where=conjunction(about.where, _condition(where, game)))
    if claim.plain:
        game.check_formula(claim.formula, claim.target)
        game.check_condition(claim.where)
    with _notebook_progress("verifying"):
        return judging.judge(claim, there)


def _verify_rows(
    formula: FormulaLike | Candidate | Claim,
    target: Target | str | None,
    frame: pd.DataFrame,
    where: ConditionLike,
) -> Verdict:
    """Return the verdict on the rows of a frame."""
    claim = _claim_of(formula, None, None)
    if target is None:
        own = isinstance(formula, Candidate | Claim)
        target = claim.target if own else usual_target(frame, claim.formula)
    if not claim.plain:
        raise FormulaError("what looks up values of a game is verified on its tables, not on a data frame")
    both = conjunction(claim.where, _condition(where))
    read = read_frame(frame, target, both)
    if not len(frame):
        raise FormulaError("there is no row to verify on")
    return verify_samples(claim.formula, read.target, read.samples, both)


def prove(
    ruleset: Ruleset,
    formula: FormulaLike | Candidate | Claim,
    target: Target | str | None = None,
    where: ConditionLike = TRUE,
    *,
    parent: Ruleset | None = None,
    helpers: Sequence[Claim] = (),
    question: bool | None = None,
    limits: Limits | None = None,
) -> Proof:
    """Return a proof for all sizes, or a refutation: ``prove(nim, found[0])``.

    A formula needs its target, and so does a candidate for a column of a data frame, unless the column has the name
    ``grundy`` or ``outcome``. question: whether to find for which parameters the formula is true; by default yes for a
    formula or a candidate whose conditions mention no parameter, and no for a claim. parent: by default the ruleset
    that this one extends. helpers: claims that the induction may assume and then has to prove.
    """
    given = _condition(where, ruleset)
    limits = limits or Limits()
    limits = limits if limits.words else replace(limits, words=alternative_conditions)
    parent = parent or parent_of(ruleset)
    if target is None and not isinstance(formula, Candidate | Claim):
        target = "p"
    claim = _claim_of(formula, target, ruleset)
    if claim.plain:
        ruleset.check_formula(claim.formula, claim.target)
        ruleset.check_condition(claim.where)
    if question is None:
        question = not isinstance(formula, Claim) and for_which(ruleset, claim, given)
    with _notebook_progress("proving"):
        return prove_claim(
            ruleset, claim, given, parent=parent, helpers=helpers, question=question, limits=limits
        )


def _notebook_progress(what: str) -> AbstractContextManager[Advance]:
    """Show progress in a notebook; a script decides itself what it prints."""
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
        if all(isinstance(each, Table) for each in listed):
            return listed
    kind = type(data)
    name = (
        kind.__name__
        if kind.__module__ == "builtins"
        else f"{kind.__module__.partition('.')[0]} {kind.__name__}"
    )
    raise GrundylabError(
        f"solved tables or a pandas DataFrame with named columns are needed, not a {name}; "
        "make one, as in pd.DataFrame({'x': [0, 1], 'v': [0, 1]})"
    )


def _target(target: Target | str) -> Target:
    return parse_target(target) if isinstance(target, str) else target


def _condition(where: ConditionLike, game: Ruleset | None = None) -> Expr:
    """Return the condition as a tree, in which ``...`` stands for the piles of the game."""
    return parse_condition(where, game.piles if game else ()) if isinstance(where, str) else where


def _claim_of(
    formula: FormulaLike | Candidate | Claim, target: Target | str | None, game: Ruleset | None
) -> Claim:
    """Return the claim about a formula, in whose text ``...`` stands for the piles of the game.

    Raises FormulaError for a second target.
    """
    if isinstance(formula, Claim | Candidate):
        if target is None:
            given = formula.target
        elif not formula.target.own:
            raise FormulaError("a candidate or claim has its own target: give no other")
        else:
            given = _target(target)
        if isinstance(formula, Claim):
            return formula
        return Claim("found", given, formula.formula, formula.where, values=formula.values)
    tree = parse(formula, game.piles if game else ()) if isinstance(formula, str) else formula
    return unpublished_claim(tree, _target("p" if target is None else target))
