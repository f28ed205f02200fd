"""``grundylab new``: a small ruleset to change to one's own game."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.common import Result
from grundylab.errors import Place, RulesetError
from grundylab.files import write_text
from grundylab.games.load import FOLDER
from grundylab.games.template import check_name, first_steps, study_lines, template
from grundylab.pipeline.schemas import comment


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.about(
        parser,
        "Write rulesets/NAME.yaml, a small game to change to yours, with comments on every key of a ruleset.",
        "grundylab new my-game --piles 2",
    )
    parser.add_argument("name", metavar="NAME", help="the name of the game; the file is rulesets/NAME.yaml")
    parser.add_argument(
        "--piles",
        type=arguments.count,
        default=2,
        metavar="PILES",
        help="the number of piles, from 1 to 6 (default: 2)",
    )
    parser.add_argument(
        "--pass", dest="passing", action="store_true", help="add a pass that may be made once"
    )
    arguments.as_json(parser)


def run(options: argparse.Namespace) -> Result:
    """Write the file, which must not exist yet, and print the next steps."""
    name, piles, passing = options.name, options.piles, options.passing
    path = Path(FOLDER) / f"{check_name(name)}.yaml"
    text = template(name, piles, passing)
    if path.exists():
        raise RulesetError("is there already; choose another name", Place(str(path)))
    write_text(path, comment("ruleset", path.parent) + text)
    commands, study = first_steps(name, piles, passing), study_lines(name)
    page = f"results/{name}/report/index.html"
    lines = [
        f"written: {path}, a small game to change to yours. Then:",
        "",
        *(f"    {command}" for command in commands),
        "",
        "A game with parameters needs their values in each, as in --param m=4,5,6 (three games).",
        "",
        "To have every engine look for formulas, and a page of it, put this line at the end of config.yaml, under "
        "'studies:' (tables,",
        "parameters and targets are chosen; docs/config.md has the keys that choose others):",
        "",
        study.rstrip(),
        "",
        f"and run 'snakemake --cores 2 {page}', for some minutes at most.",
    ]
    record = {"file": str(path), "commands": list(commands), "study": study}
    return Result("done", "\n".join(lines), record)
