"""The parts of the documents that are made from the source: text between two comments, and the README's picture.

``python docs/generate.py`` writes them; tests/test_docs.py compares them with the source. With ``--answers``, the
command first writes the results of the last ``make open`` to studies/answers.yaml.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel
from pydantic.fields import FieldInfo

import grundylab as gl
from grundylab.cli.main import GROUPS, parser_of
from grundylab.findings.columns import COLUMNS
from grundylab.findings.strategy_columns import COLUMNS as STRATEGY_COLUMNS
from grundylab.games.schema import (
    CaseSpec,
    ClaimSpec,
    FunctionSpec,
    MoveSpec,
    PassSpec,
    RulesetSpec,
    SourceSpec,
    TableSpec,
)
from grundylab.language.builtins import BUILTINS, BuiltIn
from grundylab.language.operators import OPERATORS
from grundylab.language.syntax import COMPARISONS
from grundylab.pipeline.config import ConfigSpec
from grundylab.pipeline.study import Keys, RowsAsked, Settings, SplitSpec
from grundylab.pipeline.survey_spec import DiscoverySpec, GrammarSpec, SurveySpec
from grundylab.prove.core.kernel import RULES
from grundylab.prove.core.theorem import Rule, no_premises
from grundylab.report.drawing import PictureOptions
from grundylab.report.drawing import picture as drawn
from grundylab.report.grid import slice_table

DOCS = Path(__file__).parent
SOURCE = DOCS.parent / "src"
STUDIES = DOCS.parent / "studies"
CORE = "grundylab.prove.core"
PICTURE = DOCS / "three-piles-and-a-pass.svg"
TABLES = (
    "command-line.md",
    "config.md",
    "formulas.md",
    "open-questions.md",
    "proved.md",
    "python.md",
    "rulesets.md",
    "data.md",
    "surveys.md",
)  # the documents with generated parts
_SPOT = re.compile(r"(<!-- from the source: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
_MODELS: dict[str, type[BaseModel]] = {
    "ruleset": RulesetSpec,
    "source": SourceSpec,
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
    """Draw the P-positions of three-pile Nim with a pass while at least 12 stones are left; return the SVG text."""
    table = gl.solve(gl.load("nim-with-a-pass-from-m"), "outcome", m=12, N=24)
    return drawn(slice_table(table, {"z": 5, "p": 1}), "svg", PictureOptions(title=False)).decode()


def filled(text: str) -> str:
    """Return the document with every generated part made anew from the source."""
    return _SPOT.sub(lambda found: f"{found[1]}{_table(found[2])}{found[3]}", text)


def _table(name: str) -> str:
    if name == "operators":
        return _rows(
            ("written", "value"), ((f"`x {sign} y`", row.meaning) for sign, row in OPERATORS.items())
        )
    if name == "comparisons":
        return ", ".join(f"`{sign}`" for sign in COMPARISONS) + "\n"
    if name == "functions":
        head = ("written", "value", "in proofs")
        return _rows(head, (_function(name, row) for name, row in BUILTINS.items()))
    if name == "columns of the catalogue":
        cells = ((f"`{column}`", meaning) for column, (meaning, _) in COLUMNS.items())
        return _rows(("column", "what it is"), cells)
    if name == "columns of the strategies":
        described = ((f"`{column}`", meaning) for column, (meaning, _) in STRATEGY_COLUMNS.items())
        return _rows(("column", "what it is"), described)
    if name == "open questions":
        return _questions()
    if name == "rules of the kernel":
        return _rules()
    if name == "imports of the kernel":
        return _imports()
    if name == "command line":
        return _command_line()
    if name.startswith("python "):
        return f"```python\n{_typed(name.removeprefix('python '))}\n```\n"
    model = _MODELS[name.removeprefix("keys of a ")]
    # a survey also has the keys of a ruleset, and a study those of the whole file: these are listed elsewhere
    known = {SurveySpec: RulesetSpec, Keys: Settings}.get(model, BaseModel).model_fields
    own = (field for field in model.model_fields.items() if field[0] not in known)
    return _rows(("key", "what it says"), (_key(*field, model) for field in own))


def _function(name: str, row: BuiltIn) -> tuple[str, str, str]:
    given = "a, b, …" if row.several else "a/b" if row.rounds else "n" if row.single else "a, b"
    written = f"`{name}({given})`"
    value = row.meaning + ("" if row.least is None else f"; no value below {row.least}")
    return written, value, row.unspoken or "yes"


def _key(name: str, field: FieldInfo, model: type[BaseModel]) -> tuple[str, str]:
    words = str(field.description) + (" Required." if field.is_required() else "")
    number = model in (ConfigSpec, RowsAsked) and isinstance(field.default, int | float | str)
    return f"`{field.alias or name}`", words + (f" Default: {str(field.default).lower()}." if number else "")


# -- the kernel --------------------------------------------------------------------------------------------------------


def _rules() -> str:
    """Return a table of the kernel's rules: side conditions, and the module with the rule's proof on paper."""
    head = ("rule", "in a file", "side conditions", "module")
    return _rows(head, (_rule(kind, rule) for kind, rule in RULES.items()))


def _rule(kind: str, rule: Rule) -> tuple[str, str, str, str]:
    decides = rule.conditions[-1].holds if rule.premises is no_premises else rule.premises
    path = Path(decides.__code__.co_filename).relative_to(SOURCE)
    conditions = "; ".join(each.name for each in rule.conditions) or "none"
    return rule.name, f"`{kind}`", conditions, f"[`{path.name}`](../src/{path.as_posix()})"


def closure(start: str = f"{CORE}.kernel") -> dict[str, int]:
    """Return the modules that a module imports, directly or indirectly, each with its number of lines."""
    found = [start]
    for module in found:  # the list grows while it is read
        found += [each for each in dict.fromkeys(_imported(module)) if each not in found]
    return {module: len(_path(module).read_text("utf-8").splitlines()) for module in sorted(found)}


def _path(module: str) -> Path:
    base = SOURCE.joinpath(*module.split("."))
    return base / "__init__.py" if base.is_dir() else base.with_suffix(".py")


def _imported(module: str) -> Iterator[str]:
    """Yield the modules of grundylab that a module imports, found in its syntax tree."""
    for node in ast.walk(ast.parse(_path(module).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "grundylab":
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if _path(name).exists() else str(node.module) for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "grundylab")


def _imports() -> str:
    """Return a table of the modules that the kernel imports, by room, each with its number of lines."""
    modules, rooms = closure(), dict[str, list[str]]()
    lines = Counter[str]()
    for module, count in modules.items():
        room = "prove/core" if module.startswith(CORE) else module.split(".")[1]
        name = module.removeprefix(f"grundylab.{room.replace('/', '.')}").removeprefix(".").replace(".", "/")
        rooms.setdefault(room, []).append(f"{name or '(itself)'} {count}")
        lines[room] += count
    rows = [(f"`{room}`", f"{lines[room]:,}", ", ".join(rooms[room])) for room, _ in lines.most_common()]
    return _rows(
        ("room", "lines", "modules, each with its number of lines"),
        [*rows, ("all", f"{lines.total():,}", f"{len(modules)} modules")],
    )


# -- the command line --------------------------------------------------------------------------------------------------


def _command_line() -> str:
    """Return the text with a section for each group of commands, and a part for each command."""
    parts = []
    for group, commands in GROUPS.items():
        parts.append(f"## {group}\n")
        for name in commands:
            (parser,) = _kinds(parser_of([name]), name)
            parts += [_command(parser, name), *(_command(kind, kind.prog) for kind in _kinds(parser))]
    return "\n" + "\n".join(parts) + "\n"


def _kinds(parser: argparse.ArgumentParser, *names: str) -> list[argparse.ArgumentParser]:
    """Return the parsers of the parser's subcommands with these names, or of all subcommands."""
    found = (action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return [parser for each in found for name, parser in each.items() if name in names or not names]


def _command(parser: argparse.ArgumentParser, title: str) -> str:
    """Return the text about a command: its description, its arguments, and its examples."""
    level = "###" if title in parser.prog.split()[1:2] else "####"
    title = title.removeprefix("grundylab ")
    taken = [action for action in parser._actions if action.dest != "help"]
    rows = [(_argument(action), _meaning(action)) for action in taken if action.help]
    text = f"{level} `{title}`\n\n{' '.join((parser.description or '').split())}\n"
    if rows:
        text += "\n" + _rows(("argument", "what it is"), rows)
    if parser.epilog:
        examples = "".join(f"{line.strip()}\n" for line in parser.epilog.splitlines()[1:])
        text += f"\n```sh\n{examples}```\n"
    return text


def _argument(action: argparse.Action) -> str:
    value = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    if not action.option_strings:
        return f"`{value}`"
    return f"`{action.option_strings[-1]}{'' if action.nargs == 0 else f' {value}'}`"


def _meaning(action: argparse.Action) -> str:
    needed = " (required)" if action.required and action.option_strings else ""
    return " ".join(str(action.help).split()).replace("*", "\\*") + needed


# -- the Python interface ----------------------------------------------------------------------------------------------


def _typed(name: str) -> str:
    """Return the declaration of a public function or class of grundylab, with its types."""
    public = getattr(gl, name)
    if not inspect.isclass(public):
        return _signature(name, public)
    own = [kind for kind in reversed(public.__mro__) if kind.__module__.startswith("grundylab.")]
    # what a public class has from one that is not public is shown as its own
    own = [kind for kind in own if kind is public or kind.__name__ not in gl.__all__]
    (above,) = own[0].__bases__
    base = "" if above is object else f"({above.__name__})"
    fields = {field: kind for one in own for field, kind in inspect.get_annotations(one).items()}
    lines = [f"{field}: {kind}" for field, kind in fields.items() if not field.startswith("_")]
    for member, value in (pair for one in own for pair in vars(one).items()):
        read = value.fget if isinstance(value, property) else getattr(value, "func", None)
        if member.startswith("_") or member in fields:
            continue
        if isinstance(value, property | cached_property) and read:
            lines.append(f"{member}: {inspect.get_annotations(read)['return']}")
        elif inspect.isfunction(value):
            lines.append(_signature(member, value).replace("\n", "\n    "))
    head = f"class {public.__name__}{base}:"
    return "".join([head, *(f"\n    {line}" for line in lines)]).replace("'", '"') if lines else f"{head} ..."


def _signature(name: str, function: object) -> str:
    taken = inspect.signature(function)  # type: ignore[arg-type]
    parts, starred = [], False
    for each in taken.parameters.values():
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and not starred:
            parts.append("*")
            starred = True
        kind = "" if each.annotation is each.empty else f": {each.annotation}"
        default = "" if each.default is each.empty else f" = {_default(each.default)}"
        stars = "**" if each.kind is each.VAR_KEYWORD else ""
        parts.append(f"{stars}{each.name}{kind}{default}")
    line = f"def {name}({', '.join(parts)}) -> {taken.return_annotation}"
    if len(line) <= 76:
        return line
    return f"def {name}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {taken.return_annotation}"


def _default(value: object) -> str:
    if inspect.isclass(value):
        return f"{value.__module__.partition('.')[0]}.{value.__name__}"
    return f'"{value}"' if isinstance(value, str | Path | gl.Expr) else repr(value)


# -- open questions ----------------------------------------------------------------------------------------------------

_SHOWN = 90  # characters of a formula that the table has room for


def answers(folder: Path) -> dict[str, list[str]]:
    """Return the results of a run in words, for each study that a question names and that was run.

    folder: the folder of the results, which has a catalogue of all studies, or one for each.
    """
    found = {}
    for study in (name for question in _read("questions.yaml") for name in question["studies"]):
        own = folder / study / "catalogue.json"
        path = own if own.exists() else folder / "catalogue.json"
        if path.exists():
            catalogue = gl.catalogue(str(path))
            if any(one.study == study for one in catalogue.studies):
                found[study] = _found(catalogue, study)
    return found


def _found(catalogue: gl.Catalogue, study: str) -> list[str]:
    """Return the number of rows with a proved period; without rows, a study's claims, or else its best formulas."""
    periods = [row.status for row in catalogue.rows if row.study == study]
    if periods:
        return [f"{periods.count('proved')} of {len(periods)} rows have a proved period"]
    frame = catalogue.to_frame()
    rows = frame[frame.study == study].to_dict("records")
    claims = [row for row in rows if row["kind"] == "claim"]
    formulas = [row for row in rows if row["kind"] == "formula" and row["status"] in ("proved", "holds")]
    formulas.sort(key=lambda row: row["status"] != "proved")
    return [_statement(row) for row in claims or formulas[:2]] or ["no formula found"]


def _statement(row: dict[str, Any]) -> str:
    """Return a claim's name or a formula, with its verdict and, if proved, the number of procedures."""
    says = row["claim"] if row["kind"] == "claim" else row["formula"]
    shown = f"`{says}`" if len(says) <= _SHOWN else f"a formula of {len(says)} characters"
    words = f"{shown} for {row['target']}" if row["target"] else shown
    if row["status"] == "proved":
        return f"{words}: proved {row['extent']} ({len(row['procedures'].split('; '))})"
    return f"{words}: {row['status']}" + (
        f" at {row['counterexample']}" if row["status"] == "refuted" else ""
    )


def _read(name: str) -> Any:  # noqa: ANN401 - YAML
    return yaml.safe_load((STUDIES / name).read_text("utf-8"))


def _questions() -> str:
    """Return a table of the open questions, each with the recorded answer."""
    known = _read("answers.yaml")
    head = ("question", "source", "known there", "answer", "check it")
    return _rows(head, (_question(one, known) for one in _read("questions.yaml")))


def _question(question: dict[str, Any], known: dict[str, list[str]]) -> tuple[str, ...]:
    source = f"[{question['source']}]({question['url']})" if "url" in question else question["source"]
    studies = question["studies"]
    answer = "<br>".join(f"{study}: {'; '.join(known[study])}" for study in studies if study in known)
    named = studies[0] if len(studies) == 1 else f'"{" ".join(studies)}"'
    place = f"{source}, {question['at']}"
    return (
        question["question"],
        place,
        question["known"],
        answer or "not run yet",
        f"`make open STUDY={named}`",
    )


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = (head, ("---",) * len(head), *rows)
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def main() -> None:
    """Write the generated parts into the documents; with ``--answers``, write studies/answers.yaml first."""
    if "--answers" in sys.argv:
        text = yaml.safe_dump(answers(DOCS.parent / "results" / "open"), allow_unicode=True, width=120)
        (STUDIES / "answers.yaml").write_text(
            "# Answers of the studies in results/open, recorded by python docs/generate.py --answers.\n"
            + text,
            "utf-8",
        )
    PICTURE.write_text(picture(), "utf-8")
    for name in TABLES:
        path = DOCS / name
        path.write_text(filled(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
