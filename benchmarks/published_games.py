"""Benchmark of discovery on published games that are in none of the five papers.

``python -m benchmarks.published_games`` runs the engines on each game of the folder ``published``, in turn until an
answer is exact. The answer is then verified on larger tables than any engine saw. If a formula is in print, the answer
is also compared with it at still larger positions. ``--engines gplearn`` runs other engines. The games whose name
hashes to an even number are the validation half: no engine is changed because of them.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from grundylab.check.samples import collect
from grundylab.check.verification import verify
from grundylab.discover import EngineQuestion, engine_findings, engines_named, ranked_candidates
from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games import Instance, Ruleset, Target, make_instance, parse_ruleset, parse_target
from grundylab.language import Expr, parse, parse_condition
from grundylab.language.arrays import evaluate_arrays
from grundylab.language.syntax import TRUE, conjunction
from grundylab.records.finding import Finding
from grundylab.solve import solve
from grundylab.solve.table import Table

FOLDER = Path(__file__).parent / "published"
BEYOND = 1 << 20  # number of positions at which an answer is compared with the published formula
CLASSES = ("binary", "periodic", "order", "numeration", "polynomial", "none")


@dataclass(frozen=True)
class Game:
    """A published game, with the target to describe and the instances to learn from and to test on.

    kind: one of CLASSES. where: the condition of the positions that matter. formula: the published one, which may call
    functions that the rules do not have; None if none is known.
    """

    name: str
    kind: str
    ruleset: Ruleset
    target: Target
    where: Expr
    formula: Expr | None
    train: tuple[Instance, ...]
    test: tuple[Instance, ...]

    @property
    def validation(self) -> bool:
        """True if the game belongs to the validation half, because of which no engine is changed."""
        return hashlib.sha256(self.name.encode()).digest()[0] % 2 == 0

    def tables(self, instances: Sequence[Instance]) -> list[Table]:
        """Return the solved tables of these instances."""
        return [solve(instance, self.target.values) for instance in instances]

    def agrees(self, formula: Expr) -> bool:
        """Tell whether the formula equals the published one at about BEYOND positions, for each test instance.

        True if there is no published formula; False if one of the two has no value somewhere.
        """
        if self.formula is None:
            return True
        samples = collect(self.tables(self.train[:1]), self.target, self.where)
        names = samples.coordinates
        side = int(BEYOND ** (1 / len(names)))
        ranges = (coordinate.within(self.ruleset.bounds) for coordinate in self.ruleset.coordinates)
        space = conjunction(*ranges, self.ruleset.where, self.where)
        axes = np.meshgrid(*(np.arange(samples.columns[name].min(), side) for name in names), indexing="ij")
        for instance in self.test:
            columns = {name: axis.reshape(-1) for name, axis in zip(names, axes, strict=True)}
            columns |= {name: np.full(axes[0].size, value) for name, value in instance.parameters}
            functions = self.ruleset.functions
            inside = evaluate_arrays(space, columns, functions)
            columns = {name: column[inside] for name, column in columns.items()}
            try:
                same = evaluate_arrays(formula, columns, functions) == evaluate_arrays(
                    self.formula, columns, functions
                )
            except EvaluationError:
                return False
            if not same.all():
                return False
        return True

    def right(self, formula: Expr, instances: Sequence[Instance]) -> bool:
        """Tell whether the formula gives the target at all positions of the instances that satisfy ``where``."""
        return verify(formula, self.target, self.tables(instances), self.where).status == "holds"


def entries() -> list[dict[str, Any]]:
    """Return the entries of ``games.yaml``, one for each game."""
    return list(yaml.safe_load((FOLDER / "games.yaml").read_text(encoding="utf-8"))["games"])


def games() -> Iterator[Game]:
    """Yield all games, in the order of ``games.yaml``."""
    for entry in entries():
        text = {"extends": entry["game"], "functions": entry.get("functions", {})}
        ruleset = parse_ruleset(yaml.safe_dump(text, width=10_000), entry["game"], FOLDER)
        formula = entry.get("formula")
        yield Game(
            entry["game"],
            entry["class"],
            ruleset,
            parse_target(entry["target"]),
            parse_condition(str(entry["where"])) if "where" in entry else TRUE,
            None if formula is None else parse(str(formula)),
            _instances(ruleset, entry["train"]),
            _instances(ruleset, entry["test"]),
        )


def _instances(ruleset: Ruleset, asked: Mapping[str, Any]) -> tuple[Instance, ...]:
    """Return an instance for each combination of parameter values; invalid combinations are left out.

    asked: the values of each parameter, and the bounds.
    """
    bounds = {name: value for name, value in asked.items() if name not in ruleset.parameter_names}
    lists = [asked[name] for name in ruleset.parameter_names]
    found = []
    for values in product(*lists):
        try:
            found.append(
                make_instance(ruleset, dict(zip(ruleset.parameter_names, values, strict=True)), bounds)
            )
        except GrundylabError:
            continue
    return tuple(found)


@dataclass(frozen=True)
class Result:
    """Result for one game.

    seconds: processor time, also of child processes. best: the first answer that is exact on the training tables; None
    if there is none. stands: whether it is right on the test tables and agrees with the published formula.
    """

    game: Game
    seconds: float
    best: Finding | None
    stands: bool

    @property
    def line(self) -> str:
        """The game's line of the printed table."""
        game, best = self.game, self.best
        cells = (
            game.name,
            game.kind,
            "validation" if game.validation else "",
            "right" if self.stands else "nothing" if best is None else "refuted",
            "" if best is None else str(best.size),
            "" if game.formula is None else str(game.formula.size),
            f"{self.seconds:.1f}",
            "" if best is None else f"{best.origin.engine}: {best.formula}",
        )
        return " | ".join(cells)


def ask(game: Game, engines: Sequence[str], budget: float) -> Result:
    """Run the engines in turn on the training tables, and test their best answer on the test tables."""
    tables = game.tables(game.train)
    start = sum(os.times()[:4])
    below = {name: min(dict(each.bounds)[name] for each in game.test) for name, _ in game.test[0].bounds}
    each = engine_findings(
        tables, EngineQuestion(game.target, 0, budget), engines, where=game.where, below=below
    )
    seconds = sum(os.times()[:4]) - start
    best = next((found for found in ranked_candidates(each) if found.exact and found.plain), None)
    stands = best is not None and game.right(best.formula, game.test) and game.agrees(best.formula)
    return Result(game, seconds, best, stands)


def _summary(results: Sequence[Result]) -> Iterator[str]:
    for kind in (*CLASSES, ""):
        row = [kind or "all"]
        for half in (False, True):
            of = [r for r in results if r.game.kind in (kind or CLASSES) and r.game.validation == half]
            said = [r for r in of if r.game.formula is not None]
            row.append(
                f"{sum(r.stands for r in of)} of {len(of)}; with a formula {sum(r.stands for r in said)} of {len(said)}"
            )
        yield " | ".join(row)


def main() -> None:
    """Run the engines on the games, and print a line for each and a summary."""
    parser = argparse.ArgumentParser(prog="benchmarks.published_games", description=__doc__)
    parser.add_argument("--engines", type=lambda text: tuple(text.split(",")), default=())
    parser.add_argument("--budget", type=float, default=10.0, help="seconds for one engine")
    parser.add_argument("--only", default="", help="only games whose name contains this text")
    asked = parser.parse_args()
    engines = asked.engines or tuple(name for name in engines_named("all") if name not in ("gplearn", "pysr"))
    results = []
    for game in games():
        if asked.only in game.name:
            results.append(ask(game, engines, asked.budget))
            print(results[-1].line, flush=True)
    print("class | training half | with a formula in print | validation half | with a formula in print")
    for line in _summary(results):
        print(line)


if __name__ == "__main__":
    main()
