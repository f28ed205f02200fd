"""How many of the inductions that a run has proved Coq accepts, in how many seconds; and that it rejects mutants.

    python -m benchmarks.coq [RESULTS] [--mutants] [--timeout SECONDS] [--only TEXT]

goes through all inductions that are kept under RESULTS (default results), one at a time. It prints for each whether
Coq accepts it, and the CPU seconds; for those that it does not, why; and how many proofs there are of other kinds,
which are not written for Coq. With --mutants each is also changed in one place (a constant, a comparison, a move) such
that the claim becomes false, and Coq must reject that.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from grundylab.check.verification import verify
from grundylab.errors import GrundylabError
from grundylab.games.load import load_ruleset
from grundylab.games.model import ALWAYS, Ruleset
from grundylab.language.substitution import replaced
from grundylab.language.syntax import OPPOSITE, Compare, Expr, Int, conjunction, parts
from grundylab.logic.coqc import MISSING, development, find_coqc, run_coqc
from grundylab.prove.coq import file_of, written
from grundylab.prove.evidence import ground_truth
from grundylab.prove.hypothesis import Question, split_where
from grundylab.prove.stated import KIND, read_question

ROOT = Path(__file__).parents[1]


@cache
def ruleset_of(name: str) -> Ruleset:
    """The ruleset of a record."""
    return load_ruleset(name, str(ROOT / "rulesets"))


def records(results: Path, only: str) -> list[tuple[str, dict[str, Any]]]:
    """The inductions, each once, with the name of its file."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for path in sorted(results.rglob("*.json")):
        record = json.loads(path.read_text())
        if isinstance(record, dict) and record.get("certificate") == KIND:
            name = f"{record['ruleset']} {path.stem}"
            if only in name:
                found.setdefault(json.dumps(record), (name, record))
    return list(found.values())


def others(results: Path) -> Counter[str]:
    """How many proofs are no single inductions, by what they are."""
    found = Counter[str]()
    for path in results.glob("*/proofs.json"):
        for proof in json.loads(path.read_text())["proofs"]:
            if proof["status"] == "proved" and (proof["proof"] or "").endswith(".json"):
                record = json.loads((results.parent / proof["proof"]).read_text())
                kind = record.get("certificate", "runs")
                found.update([] if kind == KIND else [record.get("rule", kind)])
    return found


def mutants(game: Ruleset, question: Question) -> Iterator[tuple[str, Ruleset, Question]]:
    """Those that are false, by what is another in them: a constant, a comparison, a move."""
    formula = question.formula
    changed = {
        "constant": (game, _first(formula, Int, lambda node: Int(node.value + 1))),
        "comparison": (game, _first(formula, Compare, _turned)),
        "move": (replace(game, moves=game.moves[1:]), formula),
    }
    for what, (mutated, wrong) in changed.items():
        hypothesis = question.hypothesis
        if formula == hypothesis.grundy:
            hypothesis = replace(hypothesis, grundy=wrong)
        levels = tuple(wrong if level == formula else level for level in hypothesis.levels)
        bent = replace(question, formula=wrong, hypothesis=replace(hypothesis, levels=levels))
        if (mutated, wrong) != (game, formula) and _is_false(mutated, bent):
            yield what, mutated, bent


def _first(expr: Expr, kind: type[Expr], change: Callable[[Any], Expr]) -> Expr:
    """With the first node of the kind changed, wherever it stands."""
    node = next((node for node in parts(expr) if isinstance(node, kind)), None)
    return expr if node is None else replaced(expr, node, change(node))


def _turned(node: Compare) -> Expr:
    return Compare((OPPOSITE[node.ops[0]], *node.ops[1:]), node.terms)


def _is_false(game: Ruleset, question: Question) -> bool:
    """Whether a small table refutes it, for parameters of which it is claimed."""
    assumed, about = split_where(conjunction(question.where, question.condition), game)
    values = None if question.target == ALWAYS else "grundy" if game.play == "normal" else "outcome"
    try:
        tables = ground_truth(game, assumed, values)
        return verify(question.formula, question.target, tables, about).status == "refuted"
    except GrundylabError:
        return False


def judged(text: Callable[[], str], timeout: float) -> tuple[str, str, float]:
    """What Coq says of a file, why, and the seconds."""
    try:
        file = text()
    except GrundylabError as error:
        return "not written", error.message, 0.0
    started = _used()
    answer = run_coqc(file, timeout=timeout)
    return answer.status, answer.reason or "", _used() - started


def _used() -> float:
    """CPU seconds of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", nargs="?", default=str(ROOT / "results"))
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--only", default="", help="only those in whose name this is")
    parser.add_argument("--mutants", action="store_true", help="see that false mutants are rejected, too")
    given = parser.parse_args()
    program = find_coqc()
    if program is None:
        parser.exit(2, f"{MISSING}\n")
    development(program)
    found = records(Path(given.results), given.only)
    if not found:
        parser.exit(2, f"{given.results} has no induction: run 'make run' first\n")
    counts, bent, seconds = Counter[str](), Counter[str](), list[float]()
    for name, record in found:
        ruleset = ruleset_of(record["ruleset"])
        status, why, took = judged(lambda: file_of(ruleset, record), given.timeout)  # noqa: B023 - called at once
        counts[status] += 1
        if status == "accepted":
            seconds.append(took)
        print(f"{took:7.1f}  {status:11}  {name} ({record['target']}){': ' * bool(why)}{why}", flush=True)
        if given.mutants and status == "accepted":
            for what, game, question in mutants(*read_question(record, ruleset)):
                status, _, took = judged(lambda: written(game, question, "a mutant"), given.timeout)  # noqa: B023
                bent[status] += 1
                print(f"{took:7.1f}  {status:11}    with another {what}", flush=True)
    print(f"{len(found)} inductions: {', '.join(f'{count} {status}' for status, count in counts.items())}")
    for kind, count in others(Path(given.results)).most_common():
        print(f"{count} other proofs, not written: {kind}")
    if seconds:
        middle = statistics.median(seconds)
        print(
            f"seconds of those accepted: median {middle:.1f}, longest {max(seconds):.1f}, sum {sum(seconds):.0f}"
        )
    if given.mutants:
        print(
            f"{sum(bent.values())} false mutants: {', '.join(f'{count} {status}' for status, count in bent.items())}"
        )


if __name__ == "__main__":
    main()
