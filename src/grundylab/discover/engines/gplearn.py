"""The engine ``gplearn``: genetic programming with the library of that name, as in Sasaki et al. 2023.

The fitness of a program is the share of positions at which it is right. Populations evolve one after the other, each
from a seed of its own, until one has an exact program or the budget is used up. The budget is counted in programs and
their nodes, so that the result does not depend on the speed of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import Proposals, Unread, out_of_time
from grundylab.discover.genetic import (
    BY_NAME,
    OPERATORS,
    SAMPLE,
    FormulaTooLarge,
    GeneticProblem,
    genetic_problem,
    shorten_formulas,
)
from grundylab.discover.ranking import is_exact
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.numeric import Array

POPULATION = 1_000  # programs
GENERATIONS = 30  # most generations of one population
PARSIMONY = 0.0001  # share of positions that a further node must gain: a tenth of a position
KEPT = 4  # most programs that become formulas, of each population
# Cost of a program, and of each of its nodes, in the budget: processor seconds on two cores of 2020. A node on 1,000
# positions takes 12 microseconds, on 100 it takes 9: most of it is overhead.
PROGRAM_SECONDS, NODE_SECONDS = 8e-4, 1e-5

ProgramNode = Any  # of a gplearn program: a function, or the number of a feature


def propose(samples: Samples, target: Target, seed: int, budget_seconds: float) -> Proposals:
    """Return the best programs of each population as formulas, up to the first exact one."""
    import gplearn.genetic  # noqa: F401 - the first import takes long and is not part of the budget

    search = _Search(samples, seed, budget_seconds)
    with _numpy_state_kept(), np.errstate(all="ignore"):
        search.run()
    found = shorten_formulas(search.formulas, samples)
    return Proposals(tuple(found), tuple(search.notes), equations=found, unread=tuple(search.unread))


class _Search:
    """One run: the remaining budget, the formulas found, and the notes."""

    def __init__(self, samples: Samples, seed: int, budget: float) -> None:
        self._samples = samples
        self._rng = np.random.default_rng(seed)
        self._budget, self._left = budget, budget
        self.formulas: dict[Expr, str] = {}
        self.unread: list[Unread] = []
        self.notes: list[str] = []

    def run(self) -> None:
        populations = 0
        while self._has_time:
            task = genetic_problem(self._samples, SAMPLE, self._rng)
            populations += 1
            for share, program in self._best_programs(task):
                text = program_text(program, task.leaves)
                try:
                    formula = task.formula(program_formula(program, task.leaves))
                except FormulaTooLarge as reason:
                    self.unread.append(Unread(text, len(program), 1 - share, str(reason)))
                    continue
                self.formulas.setdefault(formula, text)
                if is_exact(formula, self._samples):
                    return
        self.notes.append(f"{out_of_time(self._budget)} (populations: {populations})")

    @property
    def _has_time(self) -> bool:
        """True if the remaining budget has room for a generation of the smallest programs."""
        return self._left >= POPULATION * PROGRAM_SECONDS

    def _best_programs(self, task: GeneticProblem) -> list[tuple[float, Sequence[ProgramNode]]]:
        """Return pairs (share, program) from one population, best first: the share of rows where the program is right.

        A program is left out if a shorter one is right as often.
        """
        front: list[tuple[float, Sequence[ProgramNode]]] = []  # longer ones are right more often
        for fitness, program in sorted(self._generations(task), key=lambda each: (len(each[1]), -each[0])):
            if not front or fitness > front[-1][0]:
                front.append((fitness, program))
        return front[: -KEPT - 1 : -1]

    def _generations(self, task: GeneticProblem) -> Iterator[tuple[float, Sequence[ProgramNode]]]:
        """Yield (share, best program) for each generation of one population: the share of rows where it is right."""
        from gplearn.genetic import SymbolicRegressor

        regressor = SymbolicRegressor(
            population_size=POPULATION,
            function_set=gplearn_functions(),
            metric=_fitness(task),
            const_range=None,
            parsimony_coefficient=PARSIMONY,
            stopping_criteria=1.0,
            warm_start=True,
            low_memory=True,
            random_state=int(self._rng.integers(2**31)),
        )
        features, wanted = task.features.astype(np.float64), task.wanted.astype(np.float64)
        for generation in range(1, GENERATIONS + 1):
            if not self._has_time:
                return
            regressor.set_params(generations=generation)
            regressor.fit(features, wanted)
            nodes = sum(len(program.program) for program in regressor._programs[-1])
            self._left -= POPULATION * PROGRAM_SECONDS + nodes * NODE_SECONDS
            best = regressor._program
            yield best.raw_fitness_, best.program
            if best.raw_fitness_ >= 1.0:
                return


def program_formula(program: Sequence[ProgramNode], leaves: Sequence[Expr]) -> Expr:
    """Return the formula of a program. Raise FormulaTooLarge.

    program: functions and numbers of features, in prefix order. leaves: the expression of each feature.
    """
    terms: list[Expr] = []
    for node in reversed(program):
        if isinstance(node, int | np.integer):
            terms.append(leaves[int(node)])
        else:
            operator = BY_NAME[node.name]
            arguments = [terms.pop() for _ in range(operator.arity)]
            terms.append(operator.applied(arguments))
    (term,) = terms
    return term


def program_text(program: Sequence[ProgramNode], leaves: Sequence[Expr]) -> str:
    """Return the program as gplearn prints it, but with the leaves in place of ``X0``, ``X1``, …."""
    terms: list[str] = []
    for node in reversed(program):
        if isinstance(node, int | np.integer):
            terms.append(str(leaves[int(node)]))
        else:
            arguments = [terms.pop() for _ in range(node.arity)]
            terms.append(f"{node.name}({', '.join(arguments)})")
    (text,) = terms
    return text


def gplearn_functions() -> list[ProgramNode]:
    """Return the operators as functions of gplearn."""
    from gplearn.functions import make_function

    return [
        make_function(function=operator.on_arrays, name=operator.name, arity=operator.arity, wrap=False)
        for operator in OPERATORS
    ]


def _fitness(task: GeneticProblem) -> ProgramNode:
    """Return gplearn's fitness function: the weighted share of rows at which a program is right."""
    from gplearn.fitness import make_fitness

    def exactly(wanted: Array, found: Array, weights: Array) -> float:
        right = (found != 0) == (wanted != 0) if task.zero else found == wanted
        return float(np.mean(right * task.weights)) if len(right) == len(task.weights) else 0.0

    return make_fitness(function=exactly, greater_is_better=True, wrap=False)


@contextmanager
def _numpy_state_kept() -> Iterator[None]:
    """Restore, on exit, the state of NumPy's global random generator, which gplearn seeds."""
    state = np.random.get_state()
    try:
        yield
    finally:
        np.random.set_state(state)
