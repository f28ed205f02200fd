"""A mutant: one small fault in a module, found again by its function and its text, whatever else is edited.

The faults are those of cosmic-ray: another operator, number or comparison, a condition negated, a loop left out. Its own
driver is not used. That edits the modules in place, and names a fault by a number, which the next edit changes.
"""

from __future__ import annotations

import ast
import contextlib
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

LISTS = Path(__file__).parent


@dataclass(frozen=True)
class Mutant:
    """A fault: the nth place in the function (from 0) with the lines ``before`` has the lines ``after`` instead.

    verdict: what kills the mutant; or, if it survives, why no test can kill it; empty if a test could, or if it is new.
    """

    module: str
    function: str
    nth: int
    before: str
    after: str
    verdict: str = ""

    def row(self) -> str:
        """Return the mutant as a line of a list."""
        cells = (self.module, self.function, str(self.nth), self.before, self.after, self.verdict)
        return "\t".join(cell.replace("\\", "\\\\").replace("\n", "\\n") for cell in cells)


def read_list(name: str) -> tuple[list[str], list[Mutant]]:
    """Return the head of a list, which says how the mutants of each module were drawn, and the mutants."""
    head, rows = _read_rows(name)
    return head, [_mutant(row[:6]) for row in rows]


def read_successors() -> list[Mutant]:
    """Return the mutants of today's code that stand in ``gone.tsv`` beside those whose code is gone."""
    return [_mutant(row[6:]) for row in _read_rows("gone")[1]]


def _read_rows(name: str) -> tuple[list[str], list[list[str]]]:
    path = LISTS / f"{name}.tsv"
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [
        [re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], cell) for cell in line.split("\t")]
        for line in lines
        if not line.startswith("#")
    ]
    return [n for n in lines if n.startswith("#")], rows


def _mutant(cells: list[str]) -> Mutant:
    return Mutant(cells[0], cells[1], int(cells[2]), *cells[3:])


def write_list(name: str, head: list[str], mutants: list[Mutant]) -> None:
    """Write a list, sorted."""
    lines = sorted(head) + sorted(mutant.row() for mutant in mutants)
    (LISTS / f"{name}.tsv").write_text("".join(f"{line}\n" for line in lines))


def functions(source: str) -> Iterator[tuple[str, int, int]]:
    """Yield the qualified name of each function and class, and where its lines begin and end; first, the module."""

    def inner(node: ast.AST, prefix: str) -> Iterator[tuple[str, int, int]]:
        for child in ast.iter_child_nodes(node):
            name = prefix
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                name = f"{prefix}.{child.name}".lstrip(".")
                first = min(part.lineno for part in (child, *child.decorator_list))
                yield name, first - 1, child.end_lineno or first
            yield from inner(child, name)

    yield "", 0, source.count("\n")
    yield from inner(ast.parse(source), "")


def places(source: str, function: str, before: str) -> list[int]:
    """Return the numbers of the lines at which the text begins in the function, however deep it is indented."""
    lines, size = source.splitlines(), before.count("\n") + 1
    return [
        number
        for name, first, end in functions(source)
        if name == function
        for number in range(first, end - size + 1)
        if dedent("\n".join(lines[number : number + size])) == before
    ]


def described(module: str, source: str, mutated: str) -> Mutant:
    """Return the difference between two sources as a mutant."""
    old, new = source.splitlines(), mutated.splitlines()
    first = next(n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    tail = 0
    while tail < min(len(old), len(new)) - first and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    before, after = (dedent("\n".join(lines[first : len(lines) - tail])) for lines in (old, new))
    function = [name for name, start, end in functions(source) if start <= first < end][-1]
    return Mutant(module, function, places(source, function, before).index(first), before, after)


def apply_mutant(source: str, mutant: Mutant) -> str | None:
    """Return the source with the mutant in it, or None if its code is gone."""
    found = places(source, mutant.function, mutant.before)
    if len(found) <= mutant.nth:
        return None
    lines, first, size = source.splitlines(), found[mutant.nth], mutant.before.count("\n") + 1
    margin = lines[first].removesuffix(mutant.before.split("\n")[0])
    lines[first : first + size] = indent(mutant.after, margin).splitlines()
    return "\n".join(lines) + "\n"


def meaning(source: str) -> str:
    """Return the syntax tree without annotations, which nothing evaluates."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in {"annotation", "returns"} & set(node._fields):
            setattr(node, field, None)
    return ast.dump(tree)


def draw(module: str, source: str, most: int, seed: int) -> tuple[int, list[Mutant]]:
    """Return how many faults cosmic-ray knows in a module, and at most so many of them, drawn at random.

    One fault of each place is drawn before a second one of any: of some ten operators in place of a ``+``, most
    are noticed alike. A fault in an annotation is none.
    """
    tree, chance = get_ast(source), random.Random(seed)
    by_place = defaultdict(list)
    for operator in [get_operator(name) for name in operator_names()]:
        if not operator.arguments():
            found = [place for node in ast_nodes(tree) for place in operator().mutation_positions(node)]
            for number, place in enumerate(found):
                by_place[place].append((operator(), number))
    order = [chance.sample(faults, len(faults)) for _, faults in sorted(by_place.items())]
    chance.shuffle(order)
    turns = [
        fault for turn in range(max(map(len, order))) for faults in order for fault in faults[turn : turn + 1]
    ]
    known, drawn = {meaning(source)}, []
    for operator, number in turns:
        if len(drawn) == most:
            break
        mutated = mutate_code(source, operator, number)
        with contextlib.suppress(SyntaxError, AttributeError):  # the latter: `except (a.Error, …)`
            if (meaning_of_mutant := meaning(mutated)) not in known:
                known.add(meaning_of_mutant)
                drawn.append(described(module, source, mutated))
    return len(turns), drawn
