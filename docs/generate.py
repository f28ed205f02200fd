"""What the documents take from the source: the tables between two comments, and the README's picture.

``python docs/generate.py`` writes them anew; tests/test_docs.py holds them equal to the source.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

import grundylab as gl
from grundylab.games.schema import (
    CaseSpec,
    ClaimSpec,
    FunctionSpec,
    MoveSpec,
    PassSpec,
    RulesetSpec,
    Source,
    TableSpec,
)
from grundylab.language.builtins import BUILTINS, BuiltIn
from grundylab.language.syntax import COMPARISONS, OPERATORS
from grundylab.pipeline.config import ConfigSpec
from grundylab.pipeline.study import Keys, RowsAsked, Settings, SplitSpec
from grundylab.pipeline.survey_spec import DiscoverySpec, GrammarSpec, SurveySpec
from grundylab.prove.kernel.kernel import RULES
from grundylab.prove.kernel.theorem import Rule, no_premises
from grundylab.report.drawing import Look
from grundylab.report.drawing import picture as drawn
from grundylab.report.grid import slice_table

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src"
KERNEL = "grundylab.prove.kernel"
PICTURE = DOCS / "three-piles-and-a-pass.svg"
TABLES = (
    "config.md",
    "formulas.md",
    "proved.md",
    "rulesets.md",
    "surveys.md",
)  # the documents that have some
_SPOT = re.compile(r"(<!-- from the source: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
_MODELS: dict[str, type[BaseModel]] = {
    "ruleset": RulesetSpec,
    "source": Source,
    "move": MoveSpec,
    "function": FunctionSpec,
    "case": CaseSpec,
    "pass": PassSpec,
    "claim": ClaimSpec,
    "table": TableSpec,
    "configuration": ConfigSpec,
    "study": Keys,
    "split": SplitSpec,
    "study's rows": RowsAsked,
    "survey": SurveySpec,
    "grammar": GrammarSpec,
    "discovery": DiscoverySpec,
}


def picture() -> str:
    """Three piles and a pass that may be made while 12 stones are left: where the player to move loses."""
    table = gl.solve(gl.load("nim-with-a-pass-from-m"), "outcome", m=12, N=24)
    return drawn([slice_table(table, {"z": 5, "p": 1})], "svg", Look(title=False)).decode()


def filled(text: str) -> str:
    """The document with its tables as the source has them."""
    return _SPOT.sub(lambda found: f"{found[1]}{_table(found[2])}{found[3]}", text)


def _table(name: str) -> str:
    if name == "operators":
        return _rows(("written", "value"), ((f"`x {sign} y`", words) for sign, words in OPERATORS.items()))
    if name == "comparisons":
        return ", ".join(f"`{sign}`" for sign in COMPARISONS) + "\n"
    if name == "functions":
        head = ("written", "value", "in proofs")
        return _rows(head, (_function(name, row) for name, row in BUILTINS.items()))
    if name == "rules of the kernel":
        return _rules()
    if name == "imports of the kernel":
        return _imports()
    model = _MODELS[name.removeprefix("keys of a ")]
    # those of a ruleset a survey has, too, and those of the whole file a study
    known = {SurveySpec: RulesetSpec, Keys: Settings}.get(model, BaseModel).model_fields
    own = (field for field in model.model_fields.items() if field[0] not in known)
    return _rows(("key", "what it says"), (_key(*field, model) for field in own))


def _function(name: str, row: BuiltIn) -> tuple[str, str, str]:
    written = f"`{name}({'a, b, …' if row.several else 'a/b' if row.rounds else 'n'})`"
    value = row.meaning + ("" if row.least is None else f"; no value below {row.least}")
    return written, value, row.unspoken or "yes"


def _key(name: str, field: FieldInfo, model: type[BaseModel]) -> tuple[str, str]:
    words = str(field.description) + (" It is always needed." if field.is_required() else "")
    number = model in (ConfigSpec, RowsAsked) and isinstance(field.default, int | float | str)
    return f"`{field.alias or name}`", words + (f" Default: {str(field.default).lower()}." if number else "")


# -- the kernel --------------------------------------------------------------------------------------------------------


def _rules() -> str:
    """Return every rule of the kernel with its side conditions, and the module that has its proof on paper."""
    head = ("rule", "in a file", "side conditions", "module")
    return _rows(head, (_rule(kind, rule) for kind, rule in RULES.items()))


def _rule(kind: str, rule: Rule) -> tuple[str, str, str, str]:
    decides = rule.conditions[-1].holds if rule.premises is no_premises else rule.premises
    path = Path(decides.__code__.co_filename).relative_to(SOURCE)
    conditions = "; ".join(each.name for each in rule.conditions) or "none"
    return rule.name, f"`{kind}`", conditions, f"[`{path.name}`](../src/{path.as_posix()})"


def closure(start: str = f"{KERNEL}.kernel") -> dict[str, int]:
    """Return the modules that a module imports, and those that these import, and so on, each with its lines."""
    found = [start]
    for module in found:  # which grows
        found += [each for each in dict.fromkeys(_imported(module)) if each not in found]
    return {module: len(_path(module).read_text("utf-8").splitlines()) for module in sorted(found)}


def _path(module: str) -> Path:
    base = SOURCE.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _imported(module: str) -> Iterator[str]:
    """Yield the modules of grundylab that it imports, by its syntax tree."""
    for node in ast.walk(ast.parse(_path(module).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "grundylab":
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if _path(name).exists() else str(node.module) for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "grundylab")


def _imports() -> str:
    """Return the modules that the kernel imports, by rooms, with their lines."""
    modules, rooms = closure(), dict[str, list[str]]()
    lines = Counter[str]()
    for module, count in modules.items():
        room = "prove/kernel" if module.startswith(KERNEL) else module.split(".")[1]
        name = module.removeprefix(f"grundylab.{room.replace('/', '.')}").removeprefix(".").replace(".", "/")
        rooms.setdefault(room, []).append(f"{name or '(itself)'} {count}")
        lines[room] += count
    rows = [(f"`{room}`", f"{lines[room]:,}", ", ".join(rooms[room])) for room, _ in lines.most_common()]
    return _rows(
        ("room", "lines", "modules, each with its number of lines"),
        [*rows, ("all", f"{lines.total():,}", f"{len(modules)} modules")],
    )


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def main() -> None:
    """Write them."""
    PICTURE.write_text(picture(), "utf-8")
    for name in TABLES:
        path = DOCS / name
        path.write_text(filled(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
