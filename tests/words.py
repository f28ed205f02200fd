"""Names and docstrings: checks that ruff does not make. ``python tests/words.py [ROOM …]`` lists the faults.

No two modules, and no two public types, share a name; no function, type or module is called by a participle or a
pronoun; a docstring begins with no word that leaves its sentence without a verb or a noun.
"""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "grundylab"
FIRST_WORDS = frozenset(
    [
        "And",
        "As",
        "At",
        "Beside",
        "But",
        "By",
        "For",
        "From",
        "How",
        "If",
        "In",
        "Is",
        "Of",
        "On",
        "Or",
        "Than",
        "That",
        "The",
        "Then",
        "There",
        "These",
        "They",
        "This",
        "Those",
        "To",
        "What",
        "When",
        "Where",
        "Whether",
        "Which",
        "Who",
        "Whose",
        "Why",
        "With",
        "Without",
    ]
)  # of a function's docstring; those of other things may begin with an article or a preposition
NEVER = frozenset(
    ["And", "By", "Of", "That", "What", "Where", "Whether", "Which", "Who", "Whose", "Why", "How"]
)  # of any docstring
PARTICIPLES = frozenset(
    [
        "about",
        "asked",
        "at",
        "beside",
        "called",
        "chosen",
        "counted",
        "described",
        "drawn",
        "evaluated",
        "found",
        "given",
        "granted",
        "heard",
        "joined",
        "known",
        "listed",
        "looked",
        "made",
        "marked",
        "meant",
        "mended",
        "named",
        "of",
        "placed",
        "printed",
        "proposed",
        "proved",
        "quoted",
        "read",
        "reworded",
        "said",
        "say",
        "says",
        "searched",
        "seen",
        "settled",
        "shown",
        "stated",
        "swept",
        "thinned",
        "told",
        "translated",
        "tried",
        "united",
        "used",
        "wanted",
        "whole",
        "words",
        "written",
    ]
)
COMMANDS = "cli/commands"  # whose modules are called as the commands are


def documented(tree: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    """Yield each node with a docstring, with its name and the docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield node, getattr(node, "name", "module"), text


def decorated(node: ast.AST, name: str) -> bool:
    """Tell whether a function has a decorator of this name."""
    return any(ast.unparse(each).endswith(name) for each in getattr(node, "decorator_list", []))


def faults(files: dict[str, ast.Module]) -> Iterator[str]:
    """Yield a line for each fault, with its place."""
    modules, types = defaultdict(list), defaultdict(list)
    for file, tree in files.items():
        stem = Path(file).stem
        if not stem.startswith("__") and not file.startswith(COMMANDS):
            modules[stem].append(file)
            if stem in PARTICIPLES:
                yield f"{file}: a module called '{stem}'"
        for node in tree.body:
            for name in defined_types(node):
                if not name.startswith("_"):
                    types[name].append(f"{file}:{node.lineno}")
            if (
                isinstance(node, ast.FunctionDef | ast.ClassDef)
                and node.name.strip("_").lower() in PARTICIPLES
            ):
                yield f"{file}:{node.lineno}: '{node.name}' is no noun or verb of the field"
        for node, name, text in documented(tree):
            word = text.split()[0].strip(",.:;")
            function = isinstance(node, ast.FunctionDef) and not decorated(node, "property")
            if word in (FIRST_WORDS if function else NEVER):
                yield f"{file}:{getattr(node, 'lineno', 1)}: the docstring of {name} begins with '{word}'"
    for kind, known in (("modules", modules), ("types", types)):
        for name, places in known.items():
            if len(places) > 1:
                yield f"{', '.join(places)}: {kind} that share the name '{name}'"


def defined_types(node: ast.stmt) -> Iterator[str]:
    """Yield the names of the types and aliases that the statement defines."""
    if isinstance(node, ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        if name[0].isupper() and not name.isupper():
            yield name


def main() -> int:
    """Print the faults in the named rooms or in all; return the exit status."""
    files = {
        str(path.relative_to(SOURCE)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCE.rglob("*.py"))
    }
    found = [line for line in faults(files) if not sys.argv[1:] or line.startswith(tuple(sys.argv[1:]))]
    for line in found:
        print(line)
    print(f"{len(found)} faults of names and docstrings")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
