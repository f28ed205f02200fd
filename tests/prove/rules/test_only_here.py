"""Theorems are made in one module; it imports modules that compute values, and none that search for proofs."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "grundylab"
CORE = SOURCE / "prove" / "core"
MODULES = sorted(SOURCE.rglob("*.py"))
BELOW = {"language", "games", "logic", "automata", "statement", "errors", "numeric"}
VALUES = {
    "solve",
    "solve.reference",
    "solve.table",
}  # of the solver: the function ``solve``, the definition, tables
COMPUTING = {"computed", "heap", "witness"}


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(tree: ast.AST) -> Iterator[str]:
    """Yield the modules of grundylab that a module's tree imports anywhere, without the package's own name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "an import names its module whole"
            yield from _modules(node.module or "", [alias.name for alias in node.names])
        elif isinstance(node, ast.Import):
            yield from (found for alias in node.names for found in _modules(alias.name, []))


def _modules(module: str, names: list[str]) -> Iterator[str]:
    root, _, rest = module.partition(".")
    if root == "grundylab":
        inner = [f"{rest}.{name}".strip(".") for name in names if (SOURCE / rest.replace(".", "/")).is_dir()]
        submodules = [each for each in inner if is_module(each)]
        yield from submodules or [rest]


def is_module(name: str) -> bool:
    path = SOURCE / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


class Values(ast.NodeVisitor):
    """A visitor that finds whether a name is used as a value, and not only in annotations or as a type in tests."""

    def __init__(self, name: str) -> None:
        self.name, self.found = name, False

    def visit_Name(self, node: ast.Name) -> None:
        self.found |= node.id == self.name

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.found |= node.attr == self.name
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        """Skip the argument's annotation."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for each in (node.args, *node.body, *node.decorator_list):
            self.visit(each)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """Skip the part in brackets: it contains arguments of a type, in an alias."""
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        if getattr(node.func, "id", "") != "isinstance":
            self.generic_visit(node)


def makes(tree: ast.AST, theorem: str = "Theorem") -> bool:
    """Tell whether a module may make theorems: by their type, under any name, or by changing other theorems."""
    renamed = any(
        isinstance(node, ast.alias) and node.name == theorem and node.asname for node in ast.walk(tree)
    )
    changed = any(
        isinstance(node, ast.Call)
        and ast.unparse(node.func).split(".")[-1] == "replace"
        and node.args
        and ast.unparse(node.args[0]).lower().endswith("theorem")
        for node in ast.walk(tree)
    )
    values = Values(theorem)
    values.visit(tree)
    return renamed or changed or values.found


def test_a_theorem_is_made_by_the_kernel_alone():
    makers = [str(path.relative_to(SOURCE)) for path in MODULES if makes(tree_of(path))]
    assert makers == ["prove/core/kernel.py"]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("Theorem(s, e)", True),
        ("theorem.Theorem(s, e)", True),
        ("make = Theorem", True),
        ("map(Theorem, s, e)", True),
        ("from grundylab.prove.core.theorem import Theorem as T", True),
        ("replace(proof.theorem, statement=s)", True),
        ("def f(a: Theorem) -> Theorem | None: ...", False),
        ("isinstance(a, Theorem)", False),
        ("known: dict[str, Theorem] = {}", False),
    ],
)
def test_a_module_that_makes_theorems_would_be_seen(code, found):
    assert makes(ast.parse(code)) == found


def test_only_rules_that_compute_import_the_solver_and_none_imports_what_searches():
    computing = set[str]()
    for path in sorted(CORE.rglob("*.py")):
        for module in imports_of(tree_of(path)):
            room = module.split(".")[0]
            assert room in BELOW or module in VALUES or module.startswith("prove.core"), (
                f"{path.name} imports {module}"
            )
            computing |= {path.stem} if module in VALUES else set()
    assert computing == COMPUTING


def test_the_contract_about_the_kernel_names_every_other_module_of_its_room():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    (contract,) = (each for each in project["importlinter"]["contracts"] if each["id"] == "kernel")
    others = {path.stem for path in (SOURCE / "prove").iterdir() if path.name[0] not in "._"} - {"core"}
    wanted = {f"grundylab.prove.{name}" for name in others}
    assert contract["source_modules"] == ["grundylab.prove.core"]
    assert set(contract["forbidden_modules"]) == wanted | {
        f"grundylab.{room}" for room in ("check", "discover", "findings", "records")
    }


# -- what the kernel rests on ------------------------------------------------------------------------------------------


def closure(start: str) -> dict[str, int]:
    """Return all modules that a module imports, directly or not, each with its number of lines."""
    found = [start]
    for module in found:  # which grows
        new = dict.fromkeys(imports_of(tree_of(path_of(module))))
        found += [each for each in new if each not in found]
    return {module: len(path_of(module).read_text().splitlines()) for module in found}


def path_of(module: str) -> Path:
    path = SOURCE / module.replace(".", "/")
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def documented() -> dict[str, int]:
    """Return the modules that docs/proved.md lists, each with its number of lines."""
    text = (ROOT / "docs" / "proved.md").read_text()
    table = text.partition("<!-- from the source: imports of the kernel -->\n")[2].partition("<!-- end -->")[
        0
    ]
    found = dict[str, int]()
    for room, modules in re.findall(r"(?m)^\| `(\S+)` \| [\d,]+ \| (.+) \|$", table):
        for name, lines in re.findall(r"(\S+) (\d+)(?:, |$)", modules):
            inner = "" if name == "(itself)" else f".{name}"
            found[f"{room}{inner}".replace("/", ".")] = int(lines)
    return found


def test_what_the_kernel_rests_on_is_what_the_documents_list():
    assert documented() == closure("prove.core.kernel"), "python docs/generate.py writes it anew"


def test_the_kernel_rests_on_no_module_that_may_look_for_proofs():
    rooms = {
        module.split(".")[0] for module in closure("prove.core.kernel") if not module.startswith("prove.core")
    }
    assert rooms == BELOW | {"solve", "files"}
