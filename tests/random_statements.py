"""Random statements about games, what tables say of them, and all formulas that differ from one by one change."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from hypothesis import assume, event, note
from hypothesis import strategies as st
from tests.random_games import MAX_CELLS, GameFile
from tests.strategies import conditions, numbers

from grundylab.check.verification import target_values, verify
from grundylab.errors import EvaluationError, FormulaError
from grundylab.games import Ruleset, Target, make_instance, parse_target
from grundylab.language import Expr
from grundylab.language.plain import evaluate
from grundylab.language.substitution import rebuild
from grundylab.language.syntax import Binary, Call, Compare, Int, Kind, Logic, Name, compare, free_names
from grundylab.prove.outcome import Proof
from grundylab.solve import solve
from grundylab.solve.table import Table

PARAMETERS = range(1, 6)  # values of m that are looked at
P, GRUNDY, ONE = map(parse_target, ("p", "grundy", "grundy == 1"))
COMPARISONS = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPERATORS = {"+": "-", "-": "+", "^": "+", "&": "|", "|": "&", "//": "%", "%": "//", "*": "+"}
CONNECTIVES = {"and": "or", "or": "and"}


# -- formulas that are worth a try ---------------------------------------------------------------------


@st.composite
def plausible(draw: st.DrawFn, ruleset: Ruleset, target: Target, wild: bool = True) -> Expr:
    """Draw a formula of a kind that is sometimes true: nim-sums, residues, comparisons; or any formula if ``wild``."""
    names = ruleset.formula_names
    if wild and draw(st.integers(1, 5)) == 5:
        anything = numbers if target.kind is Kind.NUMBER else conditions
        return draw(anything(names, 2, False).filter(lambda formula: is_one(formula, ruleset, target)))
    some = st.lists(st.sampled_from(ruleset.coordinate_names), min_size=1, max_size=3, unique=True)
    operator = draw(st.sampled_from("^^+"))
    number: Expr = Name((chosen := draw(some))[0])
    for name in chosen[1:]:
        number = Binary(operator, number, Name(name))
    if draw(st.booleans()):
        divisor = st.integers(2, 5).map(Int)
        number = Binary(draw(st.sampled_from(["%", "//"])), number, draw(divisor))
    if target.kind is Kind.NUMBER:
        return number
    constants = [*map(Int, range(4)), *map(Name, ruleset.parameter_names)]
    condition: Expr = compare(
        draw(st.sampled_from(["==", "==", "!=", ">="])), number, draw(st.sampled_from(constants))
    )
    if draw(st.integers(1, 4)) == 4:
        condition = Call("is_power_of_two", (Binary("+", number, Int(1)),))
    if draw(st.integers(1, 3)) == 3:
        other = Compare(("<",), (Name(draw(st.sampled_from(names))), Int(draw(st.integers(1, 4)))))
        condition = Logic(draw(st.sampled_from(["and", "or"])), (condition, other))
    return condition


def is_one(formula: Expr, ruleset: Ruleset, target: Target) -> bool:
    """Tell whether this is a formula for the target: a bound variable may have the name of a coordinate."""
    try:
        return bool(ruleset.check_formula(formula, target))
    except FormulaError:
        return False


def targets(ruleset: Ruleset) -> st.SearchStrategy[Target]:
    """Return a strategy for targets; under misère play there are no Grundy numbers."""
    if ruleset.play == "misere":
        return st.just(P)
    return st.sampled_from([P, P, GRUNDY]) if not ruleset.splits else st.just(GRUNDY)


# -- the solver's word -------------------------------------------------------------------------------------


def tables(ruleset: Ruleset, file: GameFile, target: Target, where: Expr) -> Iterator[Table]:
    """Yield small tables for each parameter value that satisfies ``where``, if ``where`` depends on nothing else."""
    for m in PARAMETERS if ruleset.parameters else (0,):
        parameters = dict.fromkeys(ruleset.parameter_names, m)
        if free_names(where) <= set(parameters) and not evaluate(where, parameters, ruleset.functions):
            continue
        instance = make_instance(ruleset, parameters, file.bounds)
        if instance.cells <= MAX_CELLS:
            yield solve(instance, target.values, "reference")


def check(proof: Proof, ruleset: Ruleset, file: GameFile) -> None:
    """Assert that the solver does not contradict the verdict."""
    note(f"{file.text}{proof.target}: {proof.formula} where {proof.where}: {proof}")
    event(proof.status)
    if proof.status == "proved":
        where = proof.where if proof.condition is None else proof.condition
        known = tables(ruleset, file, proof.target, where)
        assert verify(proof.formula, proof.target, known, proof.where).counterexample is None
    elif proof.status == "undecided":
        assert proof.reason
        assert "report" not in proof.reason
    elif proof.counterexample is None:
        assert proof.reason
    else:
        confirm(proof, ruleset)


def confirm(proof: Proof, ruleset: Ruleset) -> None:
    """Assert that the counterexample is a position of the game with the stated value, and the formula's is another."""
    example = proof.counterexample
    assert example is not None
    position = tuple(example.position.values())
    bounds = dict.fromkeys(ruleset.bounds, 2 * max(position) + 2)
    instance = make_instance(ruleset, example.parameters, bounds)
    assume(instance.cells <= 20_000)
    value = np.array([solve(instance, proof.target.values, "reference")[position]])
    assert int(target_values(value, proof.target)[0]) == example.truth
    try:
        found: int | None = int(
            evaluate(proof.formula, {**example.position, **example.parameters}, ruleset.functions)
        )
    except EvaluationError:
        found = None
    assert found == example.found != example.truth


# -- one change ----------------------------------------------------------------------------------------


def mutants(expr: Expr) -> Iterator[Expr]:
    """Yield every formula that differs from this one by one change."""
    yield from _changes(expr)
    children = expr.children
    for place, child in enumerate(children):
        for changed in mutants(child):
            try:
                yield rebuild(expr, (*children[:place], changed, *children[place + 1 :]))
            except FormulaError:
                continue


def _changes(expr: Expr) -> Iterator[Expr]:
    match expr:
        case Int(value=value):
            yield from (Int(value - 1), Int(value + 1))
        case Compare(ops=ops, terms=terms):
            for place, op in enumerate(ops):
                yield Compare((*ops[:place], COMPARISONS[op], *ops[place + 1 :]), terms)
        case Binary(op=op, left=left, right=right) if op in OPERATORS:
            yield Binary(OPERATORS[op], left, right)
        case Logic(op=op, terms=terms):
            yield Logic(CONNECTIVES[op], terms)
