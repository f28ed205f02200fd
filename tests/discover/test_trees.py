"""Decision trees: the counts at their nodes, their text, and the formula of a tree, which agrees with the tree."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.discover.games import SUBTRACTION, piles
from tests.discover.made import made
from tests.sizes import examples
from tests.solved import tables

from grundylab.check.samples import Samples
from grundylab.discover import (
    BASELINES,
    ENGINES,
    FINDERS,
    EngineQuestion,
    classifier,
    engine_findings,
    engine_named,
    engines_named,
)
from grundylab.discover.classifier import Features, fit_tree
from grundylab.discover.decision_trees import Leaf, Split, count_positions, to_line, to_text, values_of
from grundylab.discover.engines.tree import propose
from grundylab.discover.ranking import error_mask, is_exact
from grundylab.games import parse_target
from grundylab.language import parse
from grundylab.language.syntax import FALSE, TRUE, Int, Name

P, GRUNDY = parse_target("p"), parse_target("grundy")


def asked(engine, game, target, each=False, **more):
    learnt = tables(game, target, N=9, **more)
    (found,) = engine_findings(learnt, EngineQuestion(parse_target(target)), [engine], each=each)
    return found


@st.composite
def random_samples(draw):
    """Draw a small table of numbers, some of them negative, with a condition or a number as the target."""
    names = ("x", "y", "m")
    count = draw(st.integers(1, 40))
    column = st.lists(st.integers(-4, 6), min_size=count, max_size=count)
    kind = st.booleans() if draw(st.booleans()) else st.integers(0, 3)
    values = draw(st.lists(kind, min_size=count, max_size=count))
    return Samples(names, {name: np.array(draw(column)) for name in names}, np.array(values), ("m",))


def random_trees(labels):
    features = st.sampled_from(
        [*map(parse, ("x", "y", "m", "x - y", "min(x, y)", "is_power_of_two(x)", "x <= m"))]
    )
    leaves = st.sampled_from(labels).map(Leaf)

    def split(children):
        return st.builds(
            lambda feature, threshold, low, high: Split(
                feature, 0 if feature.kind is TRUE.kind else threshold, low, high
            ),
            features, st.integers(-3, 5), children, children,
        )  # fmt: skip

    return st.recursive(leaves, split, max_leaves=8)


@given(random_samples(), st.data())
@examples(60)
def test_the_formula_read_off_has_the_tree_s_value_at_every_position_and_counts_add_up(samples, data):
    labels = [FALSE, TRUE] if samples.values.dtype == bool else [*map(parse, ("0", "1", "x", "max(y, 0)"))]
    root = data.draw(random_trees(labels))
    tree = count_positions(root, samples)
    values = values_of(root, samples)
    assert is_exact(tree.formula, replace(samples, values=values))
    assert tree.root.counts.positions == sum(leaf.counts.positions for leaf in tree.leaves) == len(samples)
    assert tree.root.counts.right == sum(leaf.counts.right for leaf in tree.leaves)
    assert tree.root.counts.right == int((values == samples.values).sum())
    for node in tree.nodes:
        assert node.counts.others >= 0
        if isinstance(node, Split):
            below = node.low.counts.positions + node.high.counts.positions
            assert node.counts.positions == below
    for leaf in tree.leaves:
        assert leaf.counts.by_label[tree.labels.index(leaf.label)] == leaf.counts.right


@given(random_samples(), st.sampled_from(["tree", "baseline"]))
@examples(15)
def test_an_engine_s_tree_is_counted_on_all_positions_and_its_formula_is_proposed(samples, engine):
    proposals = engine_named(engine)(samples, P if samples.values.dtype == bool else GRUNDY, 0, 10.0)
    tree = proposals.tree
    assert tree.root.counts.positions == len(samples)
    assert tree.formula in proposals.formulas
    assert is_exact(tree.formula, replace(samples, values=values_of(tree.root, samples)))
    assert proposals.equations[tree.formula] == to_line(tree.root)
    assert set(proposals.equations) == set(proposals.formulas)


def test_the_text_of_a_small_tree_has_features_counts_shares_and_the_formula():
    (tree,) = asked("tree", piles(2), "p").trees
    assert (
        to_text(tree)
        == """\
100 positions, right at 100 (100 %); False: 90, True: 10
|--- x ^ y <= 0: 10 positions, right at 10 (100 %); True: 10
|   |--- True
|--- x ^ y > 0: 90 positions, right at 90 (100 %); False: 90
|   |--- False

formula: x == y
"""
    )
    assert to_line(tree.root) == "[x ^ y <= 0: True; else: False]"


def test_conditions_are_told_by_themselves_and_their_opposites_and_values_without_a_label_are_others():
    samples = made("x % 5", x=range(1, 11))
    root = Split(parse("is_power_of_two(x)"), 0, Leaf(Int(1)), Leaf(parse("x")))
    assert (
        to_text(count_positions(root, samples))
        == """\
10 positions, right at 4 (40 %); x: 4, 1: 1, others: 5
|--- not is_power_of_two(x): 6 positions, right at 1 (16.66 %); 1: 1, x: 1, others: 4
|   |--- 1
|--- is_power_of_two(x): 4 positions, right at 3 (75 %); x: 3, others: 1
|   |--- x

formula: 1 if not is_power_of_two(x) else x
"""
    )


def test_more_positions_than_a_tree_is_grown_from_are_counted():
    samples = made("x ^ y == 3", x=range(160), y=range(160))
    for engine in ("tree", "baseline"):
        tree = engine_named(engine)(samples, P, 0, 30.0).tree
        assert tree.root.counts.by_label == (160 * 160 - 160, 160)


def test_a_tree_that_is_grown_from_a_sample_is_hardly_worse_than_a_constant():
    random = np.random.default_rng(5)
    rare = random.random(20_000) < 0.03
    samples = Samples(("x",), {"x": np.arange(20_000)}, rare, ())
    found = propose(samples, parse_target("p"), 0, 0.5)
    assert found.formulas
    for formula in found.formulas:
        assert error_mask(formula, samples).sum() < 1.25 * rare.sum()  # nothing can be learnt of these values


def test_the_first_of_features_that_part_positions_alike__is_taken():
    x = np.arange(8)
    features = Features((parse("min(x, 3)"), Name("x")), np.stack([np.minimum(x, 3), x], axis=1))
    root = fit_tree(features, (x > 1).astype(int), [FALSE, TRUE], 2)
    assert root == Split(parse("min(x, 3)"), 1, Leaf(FALSE), Leaf(TRUE))
    assert fit_tree(features, (x > 4).astype(int), [FALSE, TRUE], 2).feature == Name("x")


def test_settings_that_are_learnt_from_alone_have_a_tree_each():
    found = asked("tree", SUBTRACTION, "p", each=True, m=(2, 4))
    assert [str(tree.where) for tree in found.trees] == ["m == 2", "m == 4"]
    assert to_text(found.trees[0]).startswith("where m == 2: 10 positions")


def test_the_baseline_splits_by_names_only_and_its_numbers_are_constants():
    for target in ("p", "grundy"):
        (tree,) = asked("baseline", piles(2), target).trees
        assert len(tree.leaves) <= 16
        assert all(isinstance(node, Leaf) or isinstance(node.feature, Name) for node in tree.nodes)
        assert all(label in (FALSE, TRUE) or isinstance(label, Int) for label in tree.labels)


def test_the_baseline_is_asked_by_name_only():
    assert BASELINES == ("baseline",)
    assert set(ENGINES) - set(engines_named("all")) == set(BASELINES)
    assert engines_named("baseline") == BASELINES
    assert engines_named("all") == FINDERS


@pytest.mark.parametrize("engine", ["tree", "baseline"])
def test_a_tree_with_too_large_a_formula_is_told_as_unread(engine, monkeypatch):
    monkeypatch.setattr(classifier, "LARGEST", 9)
    proposals = engine_named(engine)(made("x * x % 7 == y % 5", x=range(9), y=range(9)), P, 0, 10.0)
    assert proposals.unread
    for unread in proposals.unread:
        assert unread.equation.startswith("[")
        assert 0 <= unread.loss < 1
        assert unread.complexity % 2 == 1
        assert unread.reason.endswith("nodes; at most 9 are proposed")
    assert all(formula.size <= 9 for formula in proposals.formulas)
