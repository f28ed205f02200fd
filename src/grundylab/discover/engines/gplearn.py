"""The engine ``gplearn``: genetic programming with the library of that name, as in Sasaki et al. 2023.

The fitness of a program is the share of positions at which it is right. One population evolves through rounds of
counterexamples (``rounds.py``), for some generations in each, until it has an exact program or the budget is used up.
The budget is counted in programs and their nodes, so that the result does not depend on the speed of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from grundylab.check.samples import Samples
from grundylab.discover.base import EngineWork, Proposals
from grundylab.discover.genetic import BY_NAME, OPERATORS, GeneticProblem
from grundylab.discover.rounds import ROUNDS, SAMPLE, Equation, fit_in_rounds, round_size
from grundylab.games.model import Target
from grundylab.language import Expr
from grundylab.numeric import Array

# The library's own setting. A budget that is larger than it needs has more programs; a smaller one, fewer generations.
POPULATION, GENERATIONS = 1_000, 20
PARSIMONY = 0.1 / SAMPLE  # share of positions that a further node must gain: a tenth of a position
KEPT = 8  # most programs that become formulas, of each round
# Cost of a program, and of each of its nodes, in the budget: processor seconds on two cores of 2020. A node on 1,000
# positions takes 12 microseconds, on 100 it takes 9: most of it is overhead.
PROGRAM_SECONDS, NODE_SECONDS = 8e-4, 1e-5
NODES = 50  # of an average program: most have fewer

ProgramNode = Any  # of a gplearn program: a function, or the number of a feature


def propose(
    samples: Samples, target: Target, seed: int, budget_seconds: float, rounds: int = ROUNDS
) -> Proposals:
    """Return the best programs of each round as formulas, up to the first exact one."""
    import gplearn.genetic  # noqa: F401 - the first import takes long and is not part of the budget

    evolution = _Evolution(budget_seconds, GENERATIONS // rounds)
    state = np.random.get_state()  # of NumPy's global random generator, which gplearn seeds
    try:
        with np.errstate(all="ignore"):
            fitted = fit_in_rounds(samples, seed, evolution, round_size(rounds))
    finally:
        np.random.set_state(state)
    notes = () if fitted.exact else (evolution.used_up,)
    return fitted.proposals(notes, evolution.work)


class _Evolution:
    """A population that evolves from round to round, some generations in each, and its remaining budget."""

    def __init__(self, budget: float, generations: int) -> None:
        self._each = generations
        self._left = budget
        self._population = max(
            POPULATION, int(budget / GENERATIONS / (PROGRAM_SECONDS + NODES * NODE_SECONDS))
        )
        self._regressor: Any = None
        self._generation = self._rounds = 0

    @property
    def work(self) -> EngineWork:
        """The rounds and generations so far."""
        return EngineWork(self._rounds, self._generation, "generations")

    @property
    def used_up(self) -> str:
        """The note that the budget ended the evolution."""
        return (
            f"used up {self._generation} of {GENERATIONS} generations of {self._population:,} programs: "
            f"a larger budget has more {'programs' if self._generation == GENERATIONS else 'generations'}"
        )

    def __call__(self, problem: GeneticProblem, seed: int) -> list[Equation] | None:
        """Return the best programs of some further generations, which live on the problem's rows."""
        front, leaves = list[tuple[float, Sequence[ProgramNode]]](), problem.leaves
        for share, program in sorted(
            self._generations(problem, seed), key=lambda pair: (len(pair[1]), -pair[0])
        ):
            if not front or share > front[-1][0]:  # it is shorter than all that are right as often
                front.append((share, program))
        if not front:
            return None
        self._rounds += 1
        return [
            Equation.read(
                program_text(one, leaves), len(one), 1 - share, problem, partial(program_formula, one, leaves)
            )
            for share, one in front[-KEPT:]
        ]

    def _generations(
        self, problem: GeneticProblem, seed: int
    ) -> Iterator[tuple[float, Sequence[ProgramNode]]]:
        """Yield (share, program) for all programs of some generations: the share of rows where the program is right."""
        from gplearn.genetic import SymbolicRegressor

        if self._regressor is None:
            self._regressor = SymbolicRegressor(
                population_size=self._population,
                function_set=gplearn_functions(),
                metric=_fitness(problem.zero),
                const_range=None,
                parsimony_coefficient=PARSIMONY,
                stopping_criteria=1.0,
                warm_start=True,
                low_memory=True,
                random_state=seed,
            )
        features, wanted = problem.features.astype(np.float64), problem.wanted.astype(np.float64)
        for _ in range(self._each):
            if self._generation == GENERATIONS or self._left <= 0:
                return
            self._generation += 1
            self._regressor.set_params(generations=self._generation)
            self._regressor.fit(features, wanted, sample_weight=problem.weights)
            programs = self._regressor._programs[-1]
            nodes = sum(len(program.program) for program in programs)
            self._left -= self._population * PROGRAM_SECONDS + nodes * NODE_SECONDS
            yield from ((program.raw_fitness_, program.program) for program in programs)
            if self._regressor._program.raw_fitness_ >= 1.0:
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


def _fitness(zero: bool) -> ProgramNode:
    """Return gplearn's fitness function: the weighted share of rows at which a program is right.

    zero: only whether the program is 0 matters.
    """
    from gplearn.fitness import make_fitness

    def exactly(wanted: Array, values: Array, weights: Array) -> float:
        right = (values != 0) == (wanted != 0) if zero else values == wanted
        return float(np.average(right, weights=weights))

    return make_fitness(function=exactly, greater_is_better=True, wrap=False)
