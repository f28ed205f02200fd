"""Decision trees as SVG: the root is on the left, each node is a box with its counts, each edge shows its condition.

The background is white and letters are black, so that a picture looks the same on a light and on a dark page. Lengths
are in pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from grundylab.check.shares import percent
from grundylab.discover.decision_trees import Leaf, Split, Tree, TreeNode, labels_text, to_text
from grundylab.language.syntax import FALSE, TRUE
from grundylab.report.grid import HEADER, N_POSITION, P_POSITION

_LETTER, _LINE, _PAD = 13, 18, 8  # the height of letters, the height of lines, the padding of boxes
_ADVANCE = 0.62 * _LETTER  # the greatest width of a letter in the fonts below
_FONT = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"
_GAP, _ELBOW, _MARGIN = 14, 16, 12  # spaces: between boxes, from a box to the fork of its edges, around all
_LEAST = 48  # the texts above and below the tree may be so many letters wide, even if the tree is narrower
_FRAME = "#595959"


@dataclass(frozen=True)
class _Box:
    """A node's box in the drawing.

    lines: its texts. level: the number of edges from the root. middle: the vertical place of its centre. edge: the
    condition on the edge that leads to it. below: the boxes of its children.
    """

    node: TreeNode
    lines: tuple[str, ...]
    level: int
    middle: float
    edge: str = ""
    below: tuple[_Box, ...] = ()

    @property
    def width(self) -> float:
        return max(map(_width, self.lines)) + 2 * _PAD

    @property
    def height(self) -> float:
        return len(self.lines) * _LINE + 2 * _PAD


def tree_svg(tree: Tree, title: str) -> str:
    """Return the tree as a complete SVG file; the title stands above the tree and its formula below."""
    root = _place(tree, tree.root, 0, 0.0, "")
    boxes = list(_boxes(root))
    lefts = [float(_MARGIN)]  # the horizontal place where the boxes of each level begin
    for level in range(max(box.level for box in boxes)):
        widest = max(box.width for box in boxes if box.level == level)
        edges = max(_width(box.edge) for box in boxes if box.level == level + 1)
        lefts.append(lefts[-1] + widest + _ELBOW + edges + 2 * _PAD)
    across = max(lefts[box.level] + box.width for box in boxes)
    where = [] if tree.where == TRUE else [f"where {tree.where}"]
    letters = max(int((across - _MARGIN) / _ADVANCE), _LEAST, *(map(len, [*where])), 0)
    head = [*wrap(title, letters), *where]
    foot = wrap(f"formula: {tree.formula}", letters)
    top = _MARGIN + len(head) * _LINE + _GAP
    down = max(box.middle + box.height / 2 for box in boxes)
    width = max([across, *(_MARGIN + _width(line) for line in (*head, *foot))]) + _MARGIN
    height = top + down + _GAP + len(foot) * _LINE + _MARGIN
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tree" role="img" width="{width:.0f}" '
            f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{escape(title)}</title><desc>{escape(to_text(tree))}</desc>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            f'<g font-family="{_FONT}" font-size="{_LETTER}" fill="#000">',
            *(_text(_MARGIN, _MARGIN + _LINE * number, line, bold=True) for number, line in enumerate(head)),
            f'<g transform="translate(0 {top})">',
            *_draw(boxes, lefts),
            "</g>",
            *(_text(_MARGIN, top + down + _GAP + _LINE * number, line) for number, line in enumerate(foot)),
            "</g></svg>",
        ]
    )


# -- places ------------------------------------------------------------------------------------------------------


def _place(tree: Tree, node: TreeNode, level: int, top: float, edge: str) -> _Box:
    """Return the box of a node, with those of its descendants, below the vertical place ``top``.

    A parent stands midway between its two children. level: the number of edges from the root. edge: the condition on
    the edge that leads to the node.
    """
    first = str(node.label if isinstance(node, Leaf) else node.feature)
    positions = f"{node.counts.positions:,} position{'' if node.counts.positions == 1 else 's'}"
    lines = (first, f"{positions}, {percent(node.counts.share)} right", labels_text(tree, node))
    box = _Box(node, lines, level, top, edge)
    if isinstance(node, Leaf):
        return _Box(node, lines, level, top + box.height / 2, edge)
    low = _place(tree, node.low, level + 1, top, _edge(node, high=False))
    bottom = max(inner.middle + inner.height / 2 for inner in _boxes(low))
    high = _place(tree, node.high, level + 1, bottom + _GAP, _edge(node, high=True))
    return _Box(node, lines, level, (low.middle + high.middle) / 2, edge, (low, high))


def _edge(split: Split, high: bool) -> str:
    if split.is_condition:
        return "yes" if high else "no"
    return f"{'>' if high else '<='} {split.threshold}"


def _boxes(box: _Box) -> Iterator[_Box]:
    yield box
    for child in box.below:
        yield from _boxes(child)


def _width(text: str) -> float:
    return _ADVANCE * len(text)


# -- drawing -----------------------------------------------------------------------------------------------------


def _draw(boxes: Sequence[_Box], lefts: Sequence[float]) -> Iterator[str]:
    """Yield SVG elements for all edges, which fork behind a box and show their conditions, and then for the boxes."""
    edges = [(box, child) for box in boxes for child in box.below]
    for box, child in edges:
        start, end = lefts[box.level] + box.width, lefts[child.level]
        labels = max(_width(other.edge) for other in box.below)
        elbow = end - labels - 2 * _PAD
        yield (
            f'<path d="M{start:.1f} {box.middle:.1f}H{elbow:.1f}V{child.middle:.1f}H{end:.1f}" '
            f'fill="none" stroke="{_FRAME}"/>'
        )
        yield _text(elbow + _PAD, child.middle - _LINE, child.edge)
    for box in boxes:
        left, top = lefts[box.level], box.middle - box.height / 2
        ground, corner = HEADER, 2
        if isinstance(box.node, Leaf):
            ground, corner = (N_POSITION if box.node.label == FALSE else P_POSITION), 10
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
            f'rx="{corner}" fill="{ground}" stroke="{_FRAME}"/>'
        )
        for number, line in enumerate(box.lines):
            yield _text(left + _PAD, top + _PAD + number * _LINE, line, bold=number == 0)


def _text(left: float, top: float, words: str, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{left:.1f}" y="{top + 0.75 * _LINE:.1f}"{weight}>{escape(words)}</text>'
