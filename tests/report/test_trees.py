"""Pictures of decision trees: well-formed, each node's words inside its box, and no two boxes overlap."""

from itertools import combinations
from xml.etree import ElementTree

from hypothesis import given
from tests.discover.made import made
from tests.discover.test_trees import random_samples, random_trees
from tests.sizes import examples

from grundylab.discover.decision_trees import Leaf, Split, count_positions, labels_text, to_text
from grundylab.language import parse
from grundylab.language.syntax import FALSE, TRUE, Int
from grundylab.report.tree_drawing import tree_svg

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 0.6021 * 13  # the width of a letter of DejaVu Sans Mono


def drawn(tree, title="A tree"):
    """Return the picture, the words in it, and its boxes as (left, top, right, bottom)."""
    picture = ElementTree.fromstring(tree_svg(tree, title))
    rectangles = [each for each in picture.iter(f"{SVG}rect") if each.get("rx")]
    boxes = []
    for each in rectangles:
        x, y, width, height = (float(each.get(name)) for name in ("x", "y", "width", "height"))
        boxes.append((x, y, x + width, y + height))
    return picture, [each.text for each in picture.iter(f"{SVG}text")], boxes


def trees_of(samples):
    return random_trees([FALSE, TRUE] if samples.values.dtype == bool else [Int(0), parse("max(x, y) - m")])


@given(random_samples().flatmap(lambda s: trees_of(s).map(lambda root: count_positions(root, s))))
@examples(30)
def test_every_node_has_its_words_in_a_box_of_its_own(tree):
    picture, words, boxes = drawn(tree, "a < b & c")
    assert picture.find(f"{SVG}title").text == "a < b & c"
    assert picture.find(f"{SVG}desc").text == to_text(tree)
    assert len(boxes) == len(tree.nodes)
    for node in tree.nodes:
        assert str(node.label if isinstance(node, Leaf) else node.feature) in words
        assert labels_text(tree, node) in words
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    width, height = float(picture.get("width")), float(picture.get("height"))
    for each in picture.iter(f"{SVG}text"):
        left, line = float(each.get("x")), float(each.get("y"))
        assert left >= 0
        assert left + LETTER * len(each.text) <= width
        assert 0 < line < height


def test_words_of_a_box_do_not_reach_over_its_edge():
    samples = made("x ^ y == 0", x=range(4), y=range(4))
    tree = count_positions(Split(parse("max(x, y) - min(x, y)"), 0, Leaf(TRUE), Leaf(FALSE)), samples)
    picture, _, boxes = drawn(tree)
    group = picture.find(f".//{SVG}g[@transform]")
    inside = 0
    for each in group.iter(f"{SVG}text"):
        left, line = float(each.get("x")), float(each.get("y"))
        for box in boxes:
            if box[0] < left < box[2] and box[1] < line < box[3]:
                inside += 1
                assert left + LETTER * len(each.text) < box[2]
    assert inside == 3 * len(tree.nodes)


def test_edges_have_thresholds_or_yes_and_no():
    samples = made("x == y", x=range(4), y=range(4))
    root = Split(parse("x - y"), -1, Leaf(FALSE), Split(parse("x <= y"), 0, Leaf(FALSE), Leaf(TRUE)))
    picture, words, _ = drawn(count_positions(root, samples))
    assert [word for word in words if word in ("<= -1", "> -1", "yes", "no")] == [
        "<= -1",
        "> -1",
        "no",
        "yes",
    ]
    assert words[0] == "A tree"
    assert words[-1].startswith("formula: ")
    assert picture.get("role") == "img"
