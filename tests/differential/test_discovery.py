"""Formulas reported as exact are exact when counted again, and reported counterexamples are the smallest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from tests.differential.ways import kinds
from tests.random_games import instances
from tests.random_statements import plausible
from tests.sizes import examples

from grundylab.check.verification import check_table, verify
from grundylab.discover import discover
from grundylab.errors import EvaluationError
from grundylab.games import Instance, parse_target
from grundylab.games.model import Target
from grundylab.games.rules import Rules
from grundylab.language import parse
from grundylab.language.plain import evaluate
from grundylab.solve.reference import solve_reference
from grundylab.solve.table import Table

TARGETS = [parse_target(text) for text in ("p", "grundy", "grundy == 1")]


def target_of(data: st.DataObject, instance: Instance) -> Target:
    return data.draw(st.sampled_from([target for target in TARGETS if target.values in kinds(instance)]))


def truths(table: Table, target: Target) -> dict[tuple[int, ...], int]:
    """Return the target's value at each position, by the definition of the target."""
    found = {}
    for position in Rules(table.instance).positions():
        value = table[position]
        found[position] = {"p": int(value == 0), "grundy": value}.get(str(target), int(value == 1))
    return found


def value_at(formula, instance, position):
    names = dict(zip(instance.ruleset.coordinate_names, position, strict=True)) | dict(instance.parameters)
    try:
        return int(evaluate(formula, names, instance.ruleset.functions))
    except EvaluationError:
        return None


def counted_rightly(instance: Instance, target: Target, engine: str) -> Iterator[bool]:
    """Check the counts of each candidate by counting again; yield whether the candidate is exact."""
    table = solve_reference(instance, target.values)
    wanted = truths(table, target)
    if not wanted:
        return
    for candidate in discover([table], target, engine, budget=60.0)[:4]:
        if not candidate.plain:
            event("about some positions only")
            continue
        right = sum(value_at(candidate.formula, instance, at) == value for at, value in wanted.items())
        assert (right, len(wanted)) == (candidate.train.right, candidate.train.total), str(candidate.formula)
        assert parse(str(candidate.formula)) == candidate.formula
        verdict = verify(candidate.formula, target, [table])
        assert (verdict.status == "holds") == candidate.exact == (right == len(wanted))
        yield candidate.exact


# Trees are grown in hundredths of a second, and give formulas of both kinds; a search takes seconds where it fails.
# least: how many exact candidates there must have been, and how many others
@pytest.mark.parametrize(("engine", "count", "least"), [("tree", 12, (3, 3)), ("search", 4, (1, 0))])
def test_exact_candidates_are_exact_and_all_are_counted_rightly(engine, count, least):
    exact: Counter[bool] = Counter()

    @examples(count)
    @given(instances(), st.data())
    def counted(instance, data):
        exact.update(counted_rightly(instance, target_of(data, instance), engine))

    counted()
    assert exact[True] >= least[0], exact
    assert exact[False] >= least[1], exact


@examples(20, 800)
@given(instances(), st.data())
def test_the_smallest_counterexample_is_the_smallest_of_all(instance, data):
    target = target_of(data, instance)
    table = solve_reference(instance, target.values)
    formula = data.draw(plausible(instance.ruleset, target))
    where = data.draw(st.just(parse("True")) | plausible(instance.ruleset, parse_target("p"), wild=False))
    rules, found = Rules(instance), []
    wanted = {at: value for at, value in truths(table, target).items() if value_at(where, instance, at)}
    for at, value in wanted.items():
        if value_at(formula, instance, at) != value:
            found.append((rules.measure(at), at))
    said = check_table(formula, target, table, where)
    assert said.limit is None
    assert (said.checked, said.wrong) == (len(wanted), len(found))
    event("refuted" if found else "holds" if wanted else "nothing to check")
    if not found:
        assert said.counterexample is None
        return
    example = said.counterexample
    measure, position = min(found)
    assert (example.measure, tuple(example.position.values())) == (measure, position)
    assert (example.truth, example.found) == (wanted[position], value_at(formula, instance, position))
