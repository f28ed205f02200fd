"""Comparison of the core's rule of solutions with the kernel's induction, on the claims of rulesets.

    python -m benchmarks.solutions [RULESET …] [--cells N] [--slowest N]

For each claim that looks no values up, both get the same formulas, which the search for inductions chooses. The answers
must be the same, and so must the parameters for which a formula for all positions is true; every difference is printed,
and then the CPU seconds of both, without the time to read rulesets and to choose the formulas. Each ruleset is measured
with a new kernel and a new core, which keep the automata of games from one claim to the next.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grundylab.automata.dfa import Dfa, TooLarge, intersection
from grundylab.errors import GrundylabError
from grundylab.games.load import load_ruleset, parent_of
from grundylab.games.model import ALWAYS, Ruleset, Values
from grundylab.games.specialise import fixed_values, specialise
from grundylab.language.substitution import with_user_names
from grundylab.language.syntax import TRUE
from grundylab.logic.fragment import OutsideFragment
from grundylab.prove.core.core_theorem import Refused
from grundylab.prove.core.evidence_types import Decided, Solution
from grundylab.prove.core.solution import Core
from grundylab.prove.core.space import NotProvable, check_provable
from grundylab.prove.ground_truth import SMALL, ground_truth
from grundylab.prove.hypothesis import choose_hypothesis
from grundylab.prove.inductions import readable
from grundylab.prove.kernel.evidence import Induction
from grundylab.prove.kernel.induction import parts_of, question_of
from grundylab.prove.kernel.kernel import Kernel
from grundylab.prove.kernel.question import Hypothesis
from grundylab.statement import Statement, statement_about
from grundylab.statement.conditions import split_condition
from grundylab.statement.qualified_names import qualified_game

ROOT = Path(__file__).parents[1]
PROVED = "proved"


@dataclass(frozen=True)
class Comparison:
    """The answers of both to one statement, with the CPU seconds.

    same: whether the parameters for which the statement is true are the same for both; None if they are not compared.
    """

    old: str
    new: str
    old_seconds: float
    new_seconds: float
    same: bool | None = None

    @property
    def agree(self) -> bool:
        """True if both prove the statement or neither does, for the same parameters."""
        return (self.old == PROVED) == (self.new == PROVED) and self.same is not False


def chosen_hypothesis(
    statement: Statement, parent: Ruleset | None, kernel: Kernel, cells: int
) -> Hypothesis | None:
    """Return the formulas that the search for inductions chooses; None if the statement is of no kind for it."""
    if statement.lookups or statement.tables:
        return None
    game, bare = question_of(statement, Induction())
    assumed, about = split_condition(bare.where, game)
    claim = statement.changed(lambda expr: expr).claim("asked")
    claim = type(claim)("what is asked", statement.target, bare.formula, about)
    fixed = fixed_values(statement.where, statement.game.parameter_names)
    above = parent and specialise(parent, {n: v for n, v in fixed.items() if n in parent.parameter_names})
    check_provable(game)
    automata = kernel.games.of(game, (statement.formula, statement.where))
    values: Values | None = "grundy" if game.play == "normal" else "outcome"
    if statement.target == ALWAYS:
        values = None
    found, _ = choose_hypothesis(
        game,
        claim,
        above,
        lambda: ground_truth(game, assumed, values, SMALL),
        lambda each: readable(automata, each, cells),
    )
    taken = {*game.formula_names, *game.bounds}
    levels = tuple(with_user_names(level, taken) for level in found.levels)
    number = found.grundy and with_user_names(found.grundy, taken)
    return Hypothesis(with_user_names(found.region, taken), number, levels)


def compared(statement: Statement, hypothesis: Hypothesis, kernel: Kernel, core: Core) -> Comparison:
    """Return what the kernel and the core answer if they get the same formulas."""
    given = {"region": hypothesis.region, "levels": hypothesis.levels, "grundy": hypothesis.grundy}
    old, old_seconds = answer(lambda: kernel.check(statement, Induction(**given)))
    decided = statement.target == ALWAYS
    evidence = Decided() if decided else Solution(**given)
    new, new_seconds = answer(lambda: core.check(statement, evidence))
    try:
        same = same_parameters(statement, hypothesis, kernel, core)
    except (OutsideFragment, TooLarge, NotProvable, Refused):
        same = None
    return Comparison(old, new, old_seconds, new_seconds, same)


def same_parameters(statement: Statement, hypothesis: Hypothesis, kernel: Kernel, core: Core) -> bool | None:
    """Tell whether both find the same parameters for which the statement is true; None if this is not asked."""
    game, question = question_of(statement, induction(hypothesis))
    _, about = split_condition(question.where, game)
    if statement.target.name not in ("p", "grundy") or about != TRUE or not game.parameters:
        return None
    if hypothesis.region != TRUE or question.formula not in (hypothesis.grundy, *hypothesis.levels):
        return None
    assumed, _ = split_condition(question.where, game)
    good = kernel.decider(game, question).good_for(parts_of(statement.target), assumed)
    mine = core.good_parameters(statement)
    work = kernel.games.of(game, (question.formula, question.where)).reader
    among = [work.true(game.domain), work.true(assumed)]
    return intersection(
        [*among, Dfa(mine.tracks, mine.next, mine.sign, good.work) ^ good], good.work
    ).is_empty


def induction(hypothesis: Hypothesis) -> Induction:
    """Return the evidence of the kernel with these formulas."""
    return Induction(region=hypothesis.region, levels=hypothesis.levels, grundy=hypothesis.grundy)


def answer(ask: Callable[[], object]) -> tuple[str, float]:
    """Return ``proved`` or the reason why there is no theorem, and the CPU seconds."""
    started, said = time.process_time(), PROVED
    try:
        ask()
    except GrundylabError as error:
        said = f"{type(error).__name__}: {error.message}"
    return said, time.process_time() - started


def comparisons(ruleset: Ruleset, cells: int) -> Iterator[tuple[str, Comparison]]:
    """Yield the comparison of each claim of the ruleset that an induction may prove, after the claim's id."""
    kernel, core = Kernel(cells), Core(cells)
    parent = parent_of(ruleset)
    for claim in ruleset.claims:
        statement = statement_about(ruleset, claim)
        try:
            chosen = chosen_hypothesis(statement, parent and qualified_game(parent), Kernel(cells), cells)
        except (OutsideFragment, NotProvable, TooLarge, GrundylabError):
            continue
        if chosen is not None:
            yield claim.id, compared(statement, chosen, kernel, core)


def main() -> None:
    """Compare all claims and print the differences and the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*", help="names of rulesets; by default all")
    parser.add_argument("--cells", type=int, default=300_000_000)
    parser.add_argument("--slowest", type=int, default=15)
    given = parser.parse_args()
    names = given.rulesets or sorted(path.stem for path in (ROOT / "rulesets").glob("*.yaml"))
    list(comparisons(load_ruleset("nim", str(ROOT / "rulesets")), given.cells))  # compiles what all use
    rows: list[tuple[float, float, str]] = []
    for name in names:
        for claim, each in comparisons(load_ruleset(name, str(ROOT / "rulesets")), given.cells):
            rows.append((each.new_seconds, each.old_seconds, f"{name} {claim}"))
            if not each.agree:
                print(
                    f"{name} {claim}: old {each.old[:150]}; new {each.new[:150]}; same parameters: {each.same}"
                )
    print("   core  kernel  ratio")
    for new, old, what in sorted(rows, reverse=True)[: given.slowest]:
        print(f"{new:7.2f} {old:7.2f} {new / max(old, 0.001):6.1f}  {what}")
    new, old = (sum(column) for column in list(zip(*rows, strict=True))[:2])
    print(f"{new:7.2f} {old:7.2f} {new / old:6.1f}  all {len(rows)}")


if __name__ == "__main__":
    main()
