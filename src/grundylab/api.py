"""Load, solve, discover, verify, prove: the five lines of a notebook, over the functions that the command line uses.

What takes a formula takes its text as well, a target's name, a candidate that was found, or a claim of a ruleset.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, overload

from grundylab.catalogue.files import Catalogue, read_catalogue
from grundylab.check import judging
from grundylab.check.frames import of_frame, read_frame, usual_target
from grundylab.check.verification import Verdict, verify_samples
from grundylab.discover import ALL, Candidate, Question, answers, best_first, engines_named, turns
from grundylab.discover.conditions import reworded
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
from grundylab.progress import Done, progress
from grundylab.prove.hypothesis import asked
from grundylab.prove.outcome import Limits, Proof
from grundylab.prove.prover import for_which, prove_claim
from grundylab.solve import Method, Table
from grundylab.solve import solve as solve_instance

if TYPE_CHECKING:
    import pandas as pd

Formula = Expr | str
Condition = Expr | str
Tables = Table | Iterable[Table]


class Candidates(list[Candidate]):
    """What an engine found, best first, with its ``notes``: why it has nothing more, or what it saw."""

    def __init__(self, candidates: Iterable[Candidate], notes: Sequence[str] = ()) -> None:
        super().__init__(candidates)
        self.notes = tuple(notes)


def load(source: str | os.PathLike[str], folder: str | os.PathLike[str] = FOLDER) -> Ruleset:
    """The ruleset of that name in ``folder`` or else of grundylab's own, of a file, or of a YAML text of lines."""
    if isinstance(source, str) and "\n" in source:
        return parse_ruleset(source, folder=folder)
    return load_ruleset(source, folder)


def catalogue(path: str | os.PathLike[str] = "results/catalogue.json") -> Catalogue:
    """What the last run found: ``catalogue().to_frame()`` is a row a formula or claim (docs/exports.md)."""
    return read_catalogue(path)


def solve(
    game: Ruleset | Instance, kind: Values | None = None, method: Method = "auto", **numbers: int
) -> Table:
    """Grundy numbers (under misère play outcomes) of every position: ``solve(nim, N=16)``, with parameters alike.

    game: a ruleset, with a number for each parameter and bound; or an instance, which has them. kind: ``outcome`` for
    P- and N-positions only. Raises InstanceError for a number that is missing or unknown.
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
    with _shown("solving"):
        return solve_instance(instance, kind or ("outcome" if play == "misere" else "grundy"), method)


def discover(
    data: Tables | pd.DataFrame,
    target: Target | str = "p",
    engine: str = ALL,
    seed: int = 0,
    budget: float = 30.0,
    where: Condition = TRUE,
) -> Candidates:
    """Candidates for the target from these tables, best first (see ``grundylab.discover.answers``).

    data: solved instances of a game; or a data frame of one's own, whose column ``target`` is looked for as a function
    of the others (see ``grundylab.check.frames.read_frame``). What is found in tables of a game is tried on larger
    ones, which are solved for that, and counted there. engine: one of them, or all in turn until an answer stands.
    where: the positions that are learnt from; the candidates are about no others.
    """
    engines = engines_named(engine)
    there = _data(data)
    if isinstance(there, list):
        about = _condition(where, there[0].instance.ruleset if there else None)
        question = Question(_target(target), seed, budget)
        with _shown("looking for formulas") as done:
            found = answers(there, question, engines, where=about, begin=partial(done, 0))
    else:
        about = _condition(where, None)
        samples, kind = of_frame(there, target, about)
        question = Question(kind, seed, budget)
        with _shown("looking for formulas"):
            found = turns(engines, lambda name: question.about(name, samples))
    narrowed = (replace(each, where=conjunction(about, each.where)) for each in best_first(found))
    return Candidates(narrowed, [note for each in found for note in each.notes])


@overload
def verify(
    formula: Formula, target: Target | str, tables: Tables | pd.DataFrame, where: Condition = TRUE
) -> Verdict: ...
@overload
def verify(
    formula: Formula | Candidate | Claim, target: Tables | pd.DataFrame, *, where: Condition = TRUE
) -> Verdict: ...


def verify(
    formula: Formula | Candidate | Claim,
    target: Target | str | Tables | pd.DataFrame,
    tables: Tables | pd.DataFrame | None = None,
    where: Condition = TRUE,
) -> Verdict:
    """The verdict on every position of the tables: ``verify(found[0], solve(nim, N=64))``.

    Instead of tables it takes a data frame of one's own, and is the verdict on its rows. A formula needs its target
    before them (of a frame with a column ``grundy`` or ``outcome``, its kind tells). A candidate and a claim have
    theirs; but one for a column of a frame needs it where tables of a game are given. Raises FormulaError if it is none
    for the target about the tables' game.
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
    about = _stated(formula, given, there[0].instance.ruleset if there else None)
    if not there:
        raise FormulaError("there is no table to verify on")
    game = there[0].instance.ruleset
    claim = replace(about, where=conjunction(about.where, _condition(where, game)))
    if claim.plain:
        game.check_formula(claim.formula, claim.target)
        game.check_condition(claim.where)
    with _shown("verifying"):
        return judging.judge(claim, there)


def _verify_rows(
    formula: Formula | Candidate | Claim, target: Target | str | None, frame: pd.DataFrame, where: Condition
) -> Verdict:
    """The verdict on the rows of a frame."""
    claim = _stated(formula, None, None)
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
    formula: Formula | Candidate | Claim,
    target: Target | str | None = None,
    where: Condition = TRUE,
    *,
    parent: Ruleset | None = None,
    helpers: Sequence[Claim] = (),
    question: bool | None = None,
    limits: Limits | None = None,
) -> Proof:
    """A proof, for all sizes, or a refutation: ``prove(nim, found[0])``; see ``grundylab.prove.prover.prove_claim``.

    A formula needs its target, and so does a candidate for a column of a data frame, unless the column is called
    ``grundy`` or ``outcome``. question: whether it is asked for which parameters it is true; of a formula or a
    candidate it is if no condition speaks of parameters, of a claim it is not, unless said otherwise. parent: by
    default the ruleset that this one extends.
    """
    given = _condition(where, ruleset)
    limits = limits or Limits()
    limits = limits if limits.words else replace(limits, words=reworded)
    parent = parent or parent_of(ruleset)
    if target is None and not isinstance(formula, Candidate | Claim):
        target = "p"
    claim = _stated(formula, target, ruleset)
    if claim.plain:
        ruleset.check_formula(claim.formula, claim.target)
        ruleset.check_condition(claim.where)
    if question is None:
        question = not isinstance(formula, Claim) and for_which(ruleset, claim, given)
    with _shown("proving"):
        return prove_claim(
            ruleset, claim, given, parent=parent, helpers=helpers, question=question, limits=limits
        )


def _shown(what: str) -> AbstractContextManager[Done]:
    """Show progress in a notebook; a script that calls these functions decides itself what it prints."""
    return progress(what) if "ipykernel" in sys.modules else nullcontext(lambda *_: None)


def _data(data: object) -> list[Table] | pd.DataFrame:
    """The tables, or the data frame; GrundylabError for what is neither."""
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


def _condition(where: Condition, game: Ruleset | None = None) -> Expr:
    """The tree; ``...`` goes on over the piles of the game."""
    return parse_condition(where, game.piles if game else ()) if isinstance(where, str) else where


def _stated(formula: Formula | Candidate | Claim, target: Target | str | None, game: Ruleset | None) -> Claim:
    """Return the claim that is stated; FormulaError for a second target.

    ``...`` goes on over the piles of the game.
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
    return asked(tree, _target("p" if target is None else target))
