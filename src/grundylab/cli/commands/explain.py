"""``grundylab explain``: gives a position's value, the reason for it, and the position's options."""

from __future__ import annotations

import argparse
import io
import shutil
from contextlib import suppress
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult, progress, single_values
from grundylab.errors import EvaluationError
from grundylab.findings.strategy_files import read_strategy
from grundylab.findings.winning_words import line_words
from grundylab.games import load_ruleset
from grundylab.games.instance import Position
from grundylab.language.plain import evaluate
from grundylab.language.syntax import TRUE
from grundylab.solve.explaining import Explanation, explain, sum_text
from grundylab.solve.reference import position_text

_ROWS = 40  # the most options that the text lists


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Say whether the player to move loses at a position, and give its Grundy number, its options, and the "
        "reason.",
        "grundylab explain nim --position x=3,y=5,z=6",
    )
    arguments.ruleset(parser)
    parser.add_argument(
        "--position",
        action="append",
        required=True,
        metavar="x=3,y=5",
        help="the position: a value for each coordinate",
    )
    arguments.parameters(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """Report the value of one position, with its options and the reason."""
    ruleset = load_ruleset(options.ruleset)
    position = single_values(options.position, "--position")
    parameters = single_values(options.param, "--param")
    with progress(options, "explaining"):
        explanation = explain(ruleset, position, parameters)
    strategy = read_strategy(ruleset) if explanation.value else None
    place = None  # of the first line whose condition is true here, if the strategy is about this position
    if strategy is not None:
        instance = explanation.instance
        names, functions = instance.ruleset.coordinate_names, instance.ruleset.functions
        values = {**dict(instance.parameters), **dict(zip(names, explanation.position, strict=True))}
        with suppress(EvaluationError):  # a formula may have no value here
            if evaluate(strategy.where, values, functions):
                lines = enumerate(strategy.lines)
                place = next((n for n, line in lines if evaluate(line.when, values, functions)), None)
    if not explanation.value:
        words = ""
    elif strategy is None:
        words = f"The folder results has no strategy; 'grundylab study {options.ruleset}' looks for one."
    elif place is None:
        about = "" if strategy.where == TRUE else f": it is for {strategy.where}"
        words = f"The strategy in the folder results has no line for this position{about}."
    else:
        line = "".join(map(str, line_words(strategy)[place]))
        words = f"How to win: {line} (line {place + 1} of a strategy that is {strategy.status})"
    return CommandResult("done", _text(explanation, words), _record(explanation) | {"line": place})


def _record(explanation: Explanation) -> dict[str, Any]:
    names = explanation.instance.ruleset.coordinate_names

    def named(position: Position) -> dict[str, int]:
        return dict(zip(names, position, strict=True))

    def value(number: int) -> dict[str, Any]:
        grundy = number if explanation.kind == "grundy" else None
        return {"outcome": _outcome(number), "grundy": grundy}

    return {
        "ruleset": explanation.instance.ruleset.name,
        "parameters": dict(explanation.instance.parameters),
        "position": named(explanation.position),
        **value(explanation.value),
        "options": [
            {"move": o.move, "to": [*map(named, o.parts)], **value(o.value), "wins": o.wins}
            for o in explanation.options
        ],
        "why": explanation.why,
        "checked": explanation.solved,
    }


def _outcome(value: int) -> str:
    return "N" if value else "P"


def _text(explanation: Explanation, strategy: str) -> str:
    ruleset = explanation.instance.ruleset
    fixed = ", ".join(f"{name}={value}" for name, value in explanation.instance.parameters)
    lines = [
        f"{ruleset.name}{f' with {fixed}' if fixed else ''}: {ruleset.title}",
        f"{position_text(ruleset.coordinate_names, explanation.position)} is {explanation.why}.",
    ]
    grundy = f", Grundy number {explanation.value}" if explanation.kind == "grundy" else ""
    count = f"{len(explanation.options):,} option{'s' * (len(explanation.options) != 1)}"
    winning = f"{len(explanation.winning):,} winning"
    lines.append(f"{_outcome(explanation.value)}-position{grundy}; {count}, {winning}")
    ordered = [*explanation.winning, *(option for option in explanation.options if not option.wins)]
    text = "\n".join(_wrap(Text(line)) for line in [*lines, *filter(None, [strategy])])
    if ordered:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
        for head in ("Move", "To", "Outcome"):
            table.add_column(head, overflow="fold")
        if explanation.kind == "grundy":
            table.add_column("Grundy", justify="right")
        table.add_column("")
        for option in ordered[:_ROWS]:
            cells = [option.move, sum_text(ruleset, option.parts), _outcome(option.value)]
            cells += [str(option.value)] * (explanation.kind == "grundy")
            table.add_row(*map(Text, [*cells, "wins" if option.wins else ""]))
        text += f"\n\n{_wrap(table)}"
    if len(ordered) > _ROWS:
        text += f"\n… and {len(ordered) - _ROWS:,} more; --json has all of them"
    return text


def _wrap(content: Table | Text) -> str:
    """Return the table or text in lines that fit the terminal."""
    stream = io.StringIO()
    width = shutil.get_terminal_size().columns
    Console(file=stream, width=width, color_system=None, emoji=False).print(content, soft_wrap=False)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
