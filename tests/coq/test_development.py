"""The Coq development assumes nothing, and agrees with the reference solver and the plain reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests import strategies
from tests.random_games import instances

from grundylab.errors import EvaluationError, GrundylabError
from grundylab.games import Instance, load_ruleset, make_instance
from grundylab.games.rules import Rules
from grundylab.language import parse
from grundylab.language.intervals import Bounder, Interval
from grundylab.language.plain import evaluate
from grundylab.language.substitution import lower
from grundylab.language.syntax import Bounded, Expr, Kind, free_names, walk
from grundylab.logic.coq_terms import CoqPrinter
from grundylab.logic.coqc import MISSING, find_coqc, run_coqc
from grundylab.prove.coq_files import HEAD, coq_definition
from grundylab.prove.core.space import position_space

FOLDER = Path(__file__).parents[2] / "coq"
needs_coq = pytest.mark.skipif(find_coqc() is None, reason=MISSING)


def test_the_development_has_no_axioms_and_no_gaps():
    files = sorted(FOLDER.glob("*.v"))
    assert {file.name for file in files} == set(re.findall(r"\w+\.v", (FOLDER / "_CoqProject").read_text()))
    for file in files:
        gaps = re.findall(
            r"\b(?:Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|unsafe)\b", file.read_text()
        )
        assert not gaps, file.name


MAIN = (
    "@level_from", "@P_from", "@number_from", "ordinary", "of_sums", "misere_proved", "always_proved", "P_exactly",
    "sprague_grundy",
    "cond_ok", "Decide.decide_correct", "answer_right", "P_grundy", "misere_right",
    "@runs_right_below", "@no_move_between_runs", "@move_into_run", "turn_limit", "lemma_33", "lemma_34", "theorem_35",
)  # fmt: skip


@needs_coq
def test_no_theorem_rests_on_an_axiom():
    together = f"Definition proved := ({', '.join(MAIN)})."
    text = (
        f"From Grundylab Require Import Games Language Check Runs.\n{together}\nPrint Assumptions proved.\n"
    )
    answer = run_coqc(text, timeout=300)
    assert (answer.status, answer.reason) == ("accepted", None)


# -- what it says, on small numbers -----------------------------------------------------------------------

CHECKS = f"""\
{HEAD}
Definition equal (a b : list (list N)) : bool := if list_eq_dec (list_eq_dec N.eq_dec) a b then true else false.
Definition subset l m : bool := forallb (fun a => existsb (equal a) m) l.
Definition same l m : bool := andb (subset l m) (subset m l).
"""
MOST = 40  # positions of each game, and numbers that formulas are of


def drawn(strategy: st.SearchStrategy[Any], count: int) -> list[Any]:
    found: list[Any] = []

    @settings(
        max_examples=count, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


def numbers(values: Any) -> str:
    return f"[{'; '.join(map(str, values))}]%N"


def summed(positions: Any) -> str:
    return f"[{'; '.join(map(numbers, positions))}]"


def written(things: list[Any], write: Callable[[int, Any], str | None]) -> tuple[str, int]:
    """Return the text of a Coq file about these things, and the number of things in it.

    write: returns the text about a thing, or None if there is nothing to say about it.
    """
    parts = [part for number, thing in enumerate(things) if (part := write(number, thing)) is not None]
    theorem = "Theorem proved : True. Proof. exact I. Qed.\nPrint Assumptions proved.\n"
    return "\n".join([CHECKS, *parts, theorem]), len(parts)


def options_of(number: int, instance: Instance) -> str | None:
    """Return Coq text that checks the ruleset's positions, among those of its table, and their options.

    Each option is a sum of positions. None if the ruleset cannot be expressed in Coq.
    """
    game, rules = instance.ruleset, Rules(instance)
    parameters = numbers(instance.constants[name] for name in game.parameter_names)
    try:
        text = coq_definition(game, name=f"game{number}")
        sides = [range(max(side.low, 0), side.high + 1) for side in instance.box]
        box = list(product(*sides))
        box = box[:: len(box) // MOST + 1]
        legal = [(cell, rules.legal(cell)) for cell in box]
        options = [(cell, [parts for _, parts in rules.options(cell)]) for cell, is_one in legal if is_one]
    except (GrundylabError, EvaluationError):
        return None
    # an upper end that mentions a bound is the table's, and not the game's
    inside = position_space(game)
    said = [
        (cell, is_one or evaluate(inside, rules.environment(cell), game.functions)) for cell, is_one in legal
    ]
    space = "; ".join(f"({numbers(cell)}, {str(is_one).lower()})" for cell, is_one in said)
    after = "; ".join(f"({numbers(cell)}, [{'; '.join(map(summed, found))}])" for cell, found in options)
    names = f"(coordinates game{number} ++ parameters game{number})%list"
    return f"""{text}
Example space{number} : forallb (fun c : list N * bool => Bool.eqb (test {names} (fst c ++ {parameters})%list (space game{number})) (snd c))
  [{space}] = true. Proof. vm_compute. reflexivity. Qed.
Example options{number} : forallb (fun c : list N * list (list (list N)) => same (sums game{number} {parameters} (fst c)) (snd c))
  [{after}] = true. Proof. vm_compute. reflexivity. Qed."""


@needs_coq
def test_rulesets_have_the_positions_and_options_of_the_reference_solver():
    text, count = written(drawn(instances(), 30), options_of)
    assert count >= 15
    answer = run_coqc(text, timeout=600)
    assert (answer.status, answer.reason) == ("accepted", None)


@needs_coq
def test_turns_have_the_options_of_the_rulesets_with_a_limit():
    """Without this, the theorems in ``Runs.v`` could be about another game."""
    checks = list[str]()
    for number, (name, parameters) in enumerate({"linear": {"m": 2}, "square": {}, "fibonacci": {}}.items()):
        instance = make_instance(load_ruleset(f"turn-limit-{name}", "rulesets"), parameters, {"N": 9, "K": 3})
        game, rules = instance.ruleset, Rules(instance)
        limits = [evaluate(parse(f"f({k})"), instance.constants, game.functions) for k in range(1, 13)]
        cells = [cell for cell in product(range(10), range(1, 4)) if rules.legal(cell)]
        listed = "; ".join(
            f"(({u}, {k}), [{'; '.join(f'({v}, {row})' for _, ((v, row),) in rules.options((u, k)))}])"
            for u, k in cells
        )
        checks.append(
            f"Example turns{number} : forallb (fun c : (nat * nat) * list (nat * nat) => if list_eq_dec both"
            f" (turns (fun k => nth k [0; {'; '.join(map(str, limits))}] 0) (fst c)) (snd c) then true else false)"
            f" [{listed}] = true. Proof. vm_compute. reflexivity. Qed."
        )
    text = "\n".join([
        "From Coq Require Import List Arith. From Grundylab Require Import Runs. Import ListNotations.",
        "Definition both (a b : nat * nat) : {a = b} + {a <> b}. decide equality; apply Nat.eq_dec. Defined.",
        *checks, "Definition proved := turn_limit.", "Print Assumptions proved.\n",
    ])  # fmt: skip
    answer = run_coqc(text, timeout=300)
    assert (answer.status, answer.reason) == ("accepted", None)


def wide(node: Bounded) -> bool:
    """Tell whether the range of a bound variable may have many values, or an unknown number."""
    bounder = Bounder(dict.fromkeys(strategies.NAMES, Interval(0, MOST)), strategies.FUNCTIONS)
    ends = [bounder.known(end) for end in (node.start, node.stop)]
    return any(end is None or max(abs(end.low), abs(end.high)) > 2 * MOST for end in ends)


def values_of(number: int, case: tuple[Expr, list[dict[str, int]]]) -> str | None:
    """Return Coq text that checks the formula's values, or None if it cannot be expressed or has no value."""
    expr, environments = case
    names = sorted(free_names(strategies.FUNCTIONS.expand(expr)))
    known = []
    if any(
        isinstance(node, Bounded) and wide(node) for node in walk(lower(strategies.FUNCTIONS.expand(expr)))
    ):
        return None  # Coq would go through a range that Python leaves early
    try:
        term = CoqPrinter(strategies.FUNCTIONS).term(expr)
    except GrundylabError:
        return None
    for environment in environments:
        at = {name: abs(value) % MOST for name, value in environment.items()}
        try:
            known.append(([at[name] for name in names], evaluate(expr, at, strategies.FUNCTIONS)))
        except GrundylabError:  # there is no value
            continue
    if not known:
        return None
    number_kind = expr.kind is Kind.NUMBER
    equal, kind, read = ("Z.eqb", "Z", "den") if number_kind else ("Bool.eqb", "bool", "test")
    values = "; ".join(
        f"({numbers(at)}, {f'({value})%Z' if number_kind else str(value).lower()})" for at, value in known
    )
    listed = "; ".join(f'"{name}"' for name in names)
    return f"""Definition e{number} := ({term} : {"expr" if number_kind else "bexp"}).
Example v{number} : forallb (fun c : list N * {kind} => {equal} ({read} [{listed}] (fst c) e{number}) (snd c))
  [{values}] = true. Proof. vm_compute. reflexivity. Qed."""


@needs_coq
def test_formulas_have_the_values_of_the_plain_reader():
    case = st.tuples(strategies.formulas(), st.lists(strategies.environments(), min_size=4, max_size=4))
    text, count = written(drawn(case, 90), values_of)
    assert count >= 35
    answer = run_coqc(text, timeout=600)
    assert (answer.status, answer.reason) == ("accepted", None)
