"""What the engine ``automata`` learns: the growth of the automaton, its verdict at a larger bound, its proof.

    python benchmarks/automata.py [weights]

prints one line for each case: ruleset, target and condition, bound of the table, states at a quarter, a half and the
whole of it, whether it is accepted, how it does at the larger bound, how the prover judges it, the condition on the
free parameters, and the seconds for learning and for proving. ``weights``: two kinds of stones, of weights up to 4.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from grundylab.check.verification import verify
from grundylab.discover import collect
from grundylab.discover.automata import study
from grundylab.discover.conditions import proposed
from grundylab.games import load_ruleset, make_instance, parent_of, parse_target
from grundylab.language import parse_condition
from grundylab.language.syntax import TRUE, Accepts, Name
from grundylab.prove.hypothesis import asked
from grundylab.prove.outcome import Limits
from grundylab.prove.prover import prove_claim
from grundylab.solve import solve
from grundylab.solve.table import Table

RULESETS = Path(__file__).parents[1] / "rulesets"
Case = tuple[
    str, str, int, int, list[dict[str, int]], str
]  # …, bounds of learning and verifying, …, condition

GAMES: list[Case] = [
    ("nim-2", "p", 16, 500, [{}], "True"),
    ("nim", "p", 12, 64, [{}], "True"),
    ("nim", "grundy == 1", 16, 64, [{}], "True"),
    ("nim-4", "p", 7, 20, [{}], "True"),
    ("misere-nim", "p", 20, 64, [{}], "True"),
    ("nim-with-a-pass-2", "p", 20, 200, [{}], "True"),
    ("nim-with-a-pass-2", "grundy == 1", 64, 200, [{}], "True"),
    ("nim-with-a-pass-2", "grundy == 2", 128, 200, [{}], "True"),
    ("nim-with-a-pass", "p", 31, 31, [{}], "True"),
    ("nim-with-a-pass-from-m", "p", 24, 40, [{"m": m} for m in range(4, 33, 4)], "True"),
    ("nim-with-a-pass-from-m", "p", 31, 31, [{"m": m} for m in range(1, 33)], "True"),
    ("heaps-1-2", "p", 30, 200, [{}], "True"),
    ("heaps-1-2-3", "p", 30, 100, [{}], "True"),
    ("heaps-1-2-pass", "p", 30, 200, [{}], "True"),
    ("heaps-1-2-3-pass", "p", 40, 100, [{}], "True"),
    ("max-nim-floor", "p", 100, 100_000, [{}], "True"),
    ("max-nim-ceil", "p", 100, 100_000, [{}], "True"),
    ("max-nim-floor-pass", "p", 100, 100_000, [{}], "True"),
    ("max-nim-ceil-pass", "p", 100, 100_000, [{}], "True"),
    ("max-nim-floor-3", "p", 60, 100, [{}], "True"),
    ("max-nim-floor-3-pass", "p", 60, 100, [{}], "True"),
    *(("chocolate-half", "p", 32, 64, [{"k": k}], f"k == {k}") for k in (1, 2, 3)),
    *(("chocolate-half-pass", "p", 32, 64, [{"k": k}], f"k == {k}") for k in (1, 2, 3)),
    ("chocolate-log", "p", 32, 64, [{}], "True"),
    ("chocolate-log-pass", "p", 32, 64, [{}], "True"),
    ("chocolate-third", "p", 32, 64, [{}], "True"),
    ("subtraction-1-3-4", "p", 1000, 100_000, [{}], "True"),
    ("subtraction-1-to-m", "p", 200, 10_000, [{"m": 4}], "m == 4"),
    ("kayles", "grundy == 1", 2000, 4000, [{}], "True"),
    ("dawsons-kayles", "p", 2000, 4000, [{}], "True"),
    ("laskers-nim", "grundy == 3", 300, 2000, [{}], "True"),
    ("turn-limit-linear", "p", 60, 100, [{"m": 1}], "m == 1"),
    ("wythoff", "p", 128, 128, [{}], "True"),
]


def weights() -> Iterator[Case]:
    """The two kinds of stones."""
    for rounding in ("floor", "ceil"):
        for a in range(1, 5):
            for b in range(1, 5):
                yield f"two-stones-{rounding}", "p", 128, 160, [{"a": a, "b": b}], f"a == {a} and b == {b}"


def main() -> None:
    """Measure and print."""
    for case in weights() if sys.argv[1:] == ["weights"] else GAMES:
        print(*row(*case), sep=" | ", flush=True)


def row(
    name: str, target: str, bound: int, larger: int, settings: list[dict[str, int]], where: str
) -> list[str]:
    """The cells of one line."""
    ruleset, wanted = load_ruleset(name, RULESETS), parse_target(target)

    def tables(size: int) -> list[Table]:
        sizes = dict.fromkeys(ruleset.bounds, size)
        return [solve(make_instance(ruleset, values, sizes), wanted.values) for values in settings]

    samples = collect(tables(bound), wanted)
    started = time.perf_counter()
    learning = study(samples)
    learnt = f"{time.perf_counter() - started:.2f}"
    about = target if where == "True" else f"{target}, {where}"
    if len(settings) > 1:
        about += f", {len(settings)} settings"
    states = ", ".join(str(automaton.states) if automaton else "> 400" for automaton in learning.automata)
    cells = [name, about, str(bound), states]
    if learning.accepted is None:
        return [*cells, "grows", "", "", "", learnt, ""]
    settled = "stable" if learning.wrong[-2] == 0 else f"stable ({learning.wrong[-2]} wrong)"
    formula = Accepts(learning.accepted, tuple(map(Name, learning.names)))
    verdict = verify(formula, wanted, tables(larger))
    condition = parse_condition(where)
    proof = prove_claim(
        ruleset,
        asked(formula, wanted),
        condition,
        parent=parent_of(ruleset),
        question=condition == TRUE,
        limits=Limits(words=proposed),
    )
    known = "" if proof.condition is None else str(proof.condition)
    held = f"{verdict.status} to {larger}"
    return [*cells, settled, held, proof.status, known, learnt, f"{proof.seconds:.2f}"]


if __name__ == "__main__":
    main()
