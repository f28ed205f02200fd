"""Discovery problems, derived from the rulesets' claims: a target, a region, training instances and test instances.

No problem is listed by hand. A claim becomes a problem if it gives the P-positions or the Grundy values of a region of
one game, by a formula or as a set. For every other claim there is a reason why it is no problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from grundylab.check.judging import claim_tables, judge
from grundylab.check.mending import nearest_true_claim
from grundylab.errors import DatasetError
from grundylab.games import Claim, Instance, Ruleset, Target, make_instance
from grundylab.games.model import Values
from grundylab.games.specialise import fixed_values
from grundylab.language import Expr
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, free_names
from grundylab.pipeline.config import read_studies
from grundylab.pipeline.study import Study
from grundylab.solve import solve
from grundylab.solve.dataset import dataset_path, read_dataset, write_dataset
from grundylab.solve.instance_choice import doubled_instances
from grundylab.solve.table import Table

ROOT = Path(__file__).parents[1]

MOST_TRAINING = 1 << 21  # most cells of a training table
MOST_TEST = 1 << 24  # most cells of a test table
MOST_MOVES = 1 << 32  # most moves of a test table
SHARE = 4  # a region needs one SHARE-th of the positions of the study's training tables to learn from
FINITE = "its region is finite: larger instances have no unseen position of it"

TrueForm = Callable[[Study, Claim], Claim | str]


@dataclass(frozen=True)
class Problem:
    """The problem to find a formula for a target on a region.

    where: the condition of the region. claims: the true claims that give this target on this region, smallest formula
    first; a claim that is refuted as printed is replaced by its correction. corrected: the ids of claims so replaced.
    train: the instances to learn from. test: instances with positions that no engine saw.
    """

    ruleset: Ruleset
    target: Target
    where: Expr
    claims: tuple[Claim, ...]
    corrected: tuple[str, ...]
    train: tuple[Instance, ...]
    test: tuple[Instance, ...]

    @property
    def name(self) -> str:
        """Ruleset, target and region as text."""
        region = "" if self.where == TRUE else f" where {self.where}"
        return f"{self.ruleset.name}: {self.target}{region}"

    @property
    def printed(self) -> Expr:
        """The smallest of the claims' formulas."""
        return self.claims[0].formula

    @property
    def constant(self) -> bool:
        """True if the target has one value on the whole region, so that there is little to find."""
        return not free_names(self.printed)

    @property
    def values(self) -> Values:
        """The kind of values that tables for the problem need: outcomes or Grundy values."""
        return self.target.values

    def grown(self) -> Problem | None:
        """Return the problem with the training bounds doubled; None if a table would be too large."""
        made = _doubled(self.train, self.test)
        return made and replace(self, train=made[0], test=made[1])


@dataclass(frozen=True)
class Question:
    """A question that claims answer: the values of a target on a region of a ruleset's positions."""

    ruleset: str
    target: Target
    where: Expr


@dataclass(frozen=True)
class Answer:
    """A true claim; ``corrected`` tells whether it is a correction of the printed one."""

    claim: Claim
    corrected: bool


@dataclass(frozen=True)
class Excluded:
    """A claim that is no problem, by its ruleset and id, and the reason."""

    ruleset: str
    claim: str
    reason: str


def no_problem(ruleset: Ruleset, claim: Claim) -> str | None:
    """Return the reason why the claim cannot be a problem, whether it is true or not; None if it can."""
    match claim.kind:
        case "table":
            return "a printed table of values: there is no formula"
        case "options":
            return "is about options, not about values of positions"
        case "condition":
            return "a condition that is always true: there is no target"
    if claim.values:
        return "gives values by those of other positions or games, which a formula cannot mention"
    if ruleset.free:
        return "is about every game of a family; only a claim about a single game can be a problem"
    if set(fixed_values(claim.where, ruleset.coordinate_names)) == set(ruleset.coordinate_names):
        return "is about a single position"
    return None


def shipped_studies() -> dict[str, Study]:
    """Return the studies in the folder ``studies``, by name; the problems come from their claims."""
    files = [ROOT / "studies" / f"{name}.yaml" for name in ("papers", "open")]
    return {
        name: study for file in files for name, study in read_studies(file, str(ROOT / "rulesets")).items()
    }


def grouped(
    studies: Iterable[Study], true_form: TrueForm
) -> tuple[dict[Question, list[Answer]], dict[str, Study], list[Excluded]]:
    """Return the true claims of the studies' rulesets by question, a study for each ruleset, and the excluded claims.

    All claims about one target on one region answer one question, so they are one problem. A ruleset's study is the
    first one with training instances, if any has some. true_form: a function that returns the claim if it holds, else
    its correction, else the reason why there is none.
    """
    homes: dict[str, Study] = {}
    for study in studies:
        if study.ruleset.name not in homes or not homes[study.ruleset.name].train:
            homes[study.ruleset.name] = study
    questions: dict[Question, list[Answer]] = {}
    excluded: list[Excluded] = []
    for study in homes.values():
        for claim in study.ruleset.claims:
            found = no_problem(study.ruleset, claim) or true_form(study, claim)
            if isinstance(found, str):
                excluded.append(Excluded(study.ruleset.name, claim.id, found))
            else:
                question = Question(study.ruleset.name, found.target, found.where)
                questions.setdefault(question, []).append(Answer(found, found != claim))
    return questions, homes, excluded


def derive(studies: Iterable[Study], true_form: TrueForm) -> tuple[list[Problem], list[Excluded]]:
    """Return the problems of the studies, and every claim that is no problem, with the reason."""
    questions, homes, excluded = grouped(studies, true_form)
    problems = []
    for question, answers in questions.items():
        problem = _problem(homes[question.ruleset], question, answers)
        if unseen(problem):
            problems.append(problem)
        else:
            excluded += [Excluded(question.ruleset, answer.claim.id, FINITE) for answer in answers]
    return problems, excluded


def _problem(study: Study, question: Question, answers: Sequence[Answer]) -> Problem:
    ordered = sorted((answer.claim for answer in answers), key=lambda claim: (claim.formula.size, claim.id))
    corrected = tuple(answer.claim.id for answer in answers if answer.corrected)
    train, test = _instances(study, question.target, question.where)
    return Problem(study.ruleset, question.target, question.where, tuple(ordered), corrected, train, test)


def true_form(study: Study, claim: Claim) -> Claim | str:
    """Return the claim if it holds on the study's test instances, else its correction, or the reason without one."""
    kind = claim.target.values
    tables = claim_tables(claim, [solved(instance, kind) for instance in study.test])
    verdict = judge(claim, tables)
    if verdict.status == "undecided":
        return f"undecided: {verdict.reason}"
    if verdict.status == "holds":
        return claim
    better = nearest_true_claim(claim, tables, verdict)
    return better.claim if better else "refuted, and no correction of it is known"


# -- instances ----------------------------------------------------------------------------------------------


def _instances(
    study: Study, target: Target, where: Expr
) -> tuple[tuple[Instance, ...], tuple[Instance, ...]]:
    """Return the training and the test instances of the study, enlarged if the region has few of their positions.

    The training bounds are doubled until the region has a SHARE-th as many positions as the study's training tables,
    or until a table would be too large, or the region is seen to be finite. The test bounds are then at least twice the
    training bounds.
    """
    fixed = fixed_values(where, study.ruleset.parameter_names)
    train, test = (_with(instances, fixed) for instances in (study.train, study.test))
    wanted = sum(solved(instance, target.values).positions for instance in train) // SHARE
    have = 0 if where == TRUE else sum(region_size(i, target.values, where) for i in train)
    while where != TRUE and have < wanted:
        larger = _doubled(train, test)
        if larger is None:
            break
        more = sum(region_size(i, target.values, where) for i in larger[0])
        if more == have:
            break  # the region is finite
        (train, test), have = larger, more
    return train, test


def _doubled(
    train: Sequence[Instance], test: Sequence[Instance]
) -> tuple[tuple[Instance, ...], tuple[Instance, ...]] | None:
    """Return training instances with doubled bounds, and test instances with bounds at least twice those.

    None if a table would be too large.
    """
    larger = doubled_instances(train, cells=MOST_TRAINING)
    if not larger:
        return None
    least = {name: 2 * max(dict(i.bounds)[name] for i in larger) for name, _ in larger[0].bounds}
    beyond = tuple(
        make_instance(i.ruleset, dict(i.parameters), {name: max(v, least[name]) for name, v in i.bounds})
        for i in test
    )
    feasible = all(i.cells <= MOST_TEST and i.moves <= MOST_MOVES for i in beyond)
    return (larger, beyond) if feasible else None


def _with(instances: Sequence[Instance], fixed: dict[str, int]) -> tuple[Instance, ...]:
    """Return the instances that have the parameter values fixed by the region; if none has, the first, so changed."""
    agreeing = tuple(i for i in instances if fixed.items() <= dict(i.parameters).items())
    first = instances[0]
    return agreeing or (
        make_instance(first.ruleset, {**dict(first.parameters), **fixed}, dict(first.bounds)),
    )


def solved(instance: Instance, kind: Values) -> Table:
    """Return the solved table of the instance, which is stored in the data folder, like the tables of studies.

    If there is a file already, the table has Grundy values, which serve for outcomes, too, except under misère play.
    """
    known = instance.ruleset.play == "normal" and dataset_path(instance, "grundy").exists()
    return _solved(instance, "grundy" if known else kind)


@lru_cache(maxsize=6)
def _solved(instance: Instance, kind: Values) -> Table:
    path = dataset_path(instance, kind)
    try:
        return read_dataset(path, instance, kind)
    except DatasetError:
        table = solve(instance, kind)
        write_dataset(table, path)
        return table


def region_size(instance: Instance, kind: Values, where: Expr) -> int:
    """Return the number of the instance's positions that fulfil the condition."""
    return sum(int(np.count_nonzero(mask)) for mask in _masks(instance, kind, where))


def unseen(problem: Problem) -> bool:
    """Tell whether, for some parameter setting, the test instances have more positions of the region than training."""
    known = {i.parameters: region_size(i, problem.values, problem.where) for i in problem.train}
    return any(
        region_size(i, problem.values, problem.where) > known.get(i.parameters, 0) for i in problem.test
    )


def _masks(instance: Instance, kind: Values, where: Expr) -> Iterator[np.ndarray]:
    ruleset = instance.ruleset
    for slab in solved(instance, kind).slabs():
        columns = dict(zip(ruleset.coordinate_names, slab.coordinates, strict=True))
        columns |= {name: np.full(len(slab), value) for name, value in instance.parameters}
        yield np.broadcast_to(evaluate_arrays(where, columns, ruleset.functions), (len(slab),))
