"""Assertions on sentences outside golden files: ``python tests/sentences.py [-v] [FOLDER …]`` counts them.

With -v, or if there are more than MOST, it names files and lines; ``make lint`` then fails.

An assertion is an ``assert``, a ``match`` of ``pytest.raises``, or a row of a parametrised table. It is on a sentence
if a text in it, or a constant that it names, has at least four words of prose. A reworded sentence should change golden
files only; the tables of tests/bad_input are such files, too.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
GOLDEN = ("golden", "bad_input")
MOST = 100  # assertions
_WORD = re.compile(r"[(“'\"`]*[A-Za-z][A-Za-z'’-]*[,;:.)”'\"`]*")
# Words that prose has, and a formula, a ruleset or a command line has not.
_PROSE = re.compile(
    r"\b(an|the|is|are|was|has|have|of|to|that|which|with|by|at|no|none|one|only|it|its|be|than|from|on|as|this|what)\b"
)
_PROGRAM = re.compile(
    r"^(title|position|moves|parameters|def|import|from \w+ import)\b|\bfor \w+ in |\[.* in .*\.\.|\bif .* to \(",
    re.MULTILINE,
)


def is_sentence(text: str) -> bool:
    """Tell whether the text has at least four words of prose, and fewer other things; a ruleset or a program has not."""
    parts = text.split()
    words = sum(_WORD.fullmatch(part) is not None for part in parts)
    return 4 <= words > len(parts) // 2 and bool(_PROSE.search(text)) and not _PROGRAM.search(text)


def texts(node: ast.AST) -> Iterator[str]:
    """Yield the texts of the expression, each f-string as a whole, with x for its fields."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str | bytes):
            yield node.value if isinstance(node.value, str) else node.value.decode(errors="replace")
    else:
        for child in ast.iter_child_nodes(node):
            yield from texts(child)


def constants(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Return the values of the names that the statements set to a text, a list or a dict."""
    return {
        node.targets[0].id: node.value
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant | ast.JoinedStr | ast.List | ast.Tuple | ast.Dict)
    }


def rows(table: ast.expr, known: dict[str, ast.expr]) -> Iterator[ast.expr]:
    """Yield the rows of a parametrised table, which may be a constant."""
    if isinstance(table, ast.Name) and table.id in known:
        table = known[table.id]
    if isinstance(table, ast.List | ast.Tuple):
        for each in table.elts:
            yield from rows(each.value, known) if isinstance(each, ast.Starred) else (each,)
    elif isinstance(table, ast.Dict):
        yield from table.values


def messages(function: ast.FunctionDef) -> set[str]:
    """Return the names in the messages of the function's assertions, which are for whoever reads a failure."""
    asserts = (node.msg for node in ast.walk(function) if isinstance(node, ast.Assert) and node.msg)
    return {node.id for message in asserts for node in ast.walk(message) if isinstance(node, ast.Name)}


def assertions(function: ast.FunctionDef, known: dict[str, ast.expr]) -> Iterator[ast.AST]:
    """Yield what each assertion of the function compares."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            yield node.test
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("raises"):
            yield from (each.value for each in node.keywords if each.arg == "match")
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("parametrize"):
            names = [*texts(node.args[0])]
            for row in rows(node.args[1], known):
                if isinstance(row, ast.Tuple) and len(row.elts) == len(names):
                    cells = zip(names, row.elts, strict=True)
                    parts = [cell for name, cell in cells if name not in messages(function)]
                    yield ast.copy_location(ast.Tuple(parts), row)
                else:
                    yield row


def sentences(tree: ast.Module) -> list[int]:
    """Return the line of each assertion on a sentence."""
    found = []
    known = constants([each for each in tree.body if isinstance(each, ast.Assign)])
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        named = {
            name: value
            for name, value in (known | constants(function.body)).items()
            if isinstance(value, ast.Constant | ast.JoinedStr)
        }
        for compared in assertions(function, known):
            parts = [
                compared,
                *(named[n.id] for n in ast.walk(compared) if isinstance(n, ast.Name) and n.id in named),
            ]
            if any(is_sentence(text) for part in parts for text in texts(part)):
                found.append(compared.lineno)
    return sorted(found)


def main() -> int:
    """Print how many there are, and where; return 1 if there are too many."""
    folders = [each for each in sys.argv[1:] if each != "-v"] or ["."]
    found = {
        path.relative_to(TESTS): lines
        for folder in folders
        for path in (TESTS / folder).rglob("*.py")
        if path.relative_to(TESTS).parts[0] not in GOLDEN
        and (lines := sentences(ast.parse(path.read_text(encoding="utf-8"))))
    }
    count = sum(map(len, found.values()))
    if "-v" in sys.argv or count > MOST:
        for name, lines in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
            print(f"{len(lines):4} {name}", *lines)
    print(f"{count} assertions on sentences, of at most {MOST}")
    return int(count > MOST)


if __name__ == "__main__":
    sys.exit(main())
