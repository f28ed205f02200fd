"""``grundylab new``: writes a small ruleset, which the user changes to a game of their own."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import yaml

from grundylab.cli import arguments
from grundylab.cli.common import CommandResult
from grundylab.errors import Place, RulesetError
from grundylab.files import write_text
from grundylab.games.load import FOLDER
from grundylab.pipeline.schemas import comment, write_missing_schemas
from grundylab.report.templates import environment

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PILES = "xyzwvu"
# By number of piles, two bounds: of a table to draw and learn from, and of one to verify on, solved in a second.
_BOUNDS = {1: (40, 400), 2: (20, 100), 3: (12, 40), 4: (8, 16), 5: (5, 8), 6: (5, 8)}


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Write rulesets/NAME.yaml, a small game to adapt, with comments on every key of a ruleset.",
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
        "--pass", dest="passing", action="store_true", help="add a pass that may be used once"
    )
    arguments.as_json(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """Write the file, which must not exist yet, and print the next steps."""
    name, piles, passing = options.name, options.piles, options.passing
    if not _NAME.fullmatch(name):
        raise RulesetError(
            f"'{name}' cannot name a ruleset: use up to 64 letters, digits, '-' and '_', as in my-nim"
        )
    if piles not in _BOUNDS:
        raise RulesetError(f"{piles} piles: a new ruleset has 1 to {len(_PILES)}")
    path = Path(FOLDER) / f"{name}.yaml"
    if path.exists():
        raise RulesetError("already exists; choose another name", Place(str(path)))
    write_text(path, comment("ruleset", "../") + ruleset_text(name, piles, passing))
    write_missing_schemas()
    fix = " --fix p=1" * passing + f" --fix {','.join(f'{pile}=0' for pile in _PILES[2:piles])}" * (piles > 2)
    bound, large = _BOUNDS[piles]
    commands = [
        f"grundylab check {name}",
        f"grundylab show {name} --bound N={bound}{fix}",
        f"grundylab discover {name} --bound N={bound}",
        f"grundylab verify {name} --claim guess --bound N={large}",
        f"grundylab prove {name} --claim guess",
    ]
    study = study_line(name)
    page = f"results/{name}/report/index.html"
    lines = [
        f"written: {path}, a small game to adapt. Then:",
        "",
        *(f"    {command}" for command in commands),
        "",
        "If your game has parameters, each command needs values for them, as in --param m=4,5,6 (three games).",
        "",
        "To run every engine and get a page, add this line at the end of config.yaml, under 'studies:'.",
        "Tables, parameter values and targets are then chosen for you; docs/config.md lists the keys that set them:",
        "",
        study.rstrip(),
        "",
        f"and run 'snakemake --cores 2 {page}', which takes a few minutes at most.",
    ]
    record = {"file": str(path), "commands": commands, "study": study}
    return CommandResult("done", "\n".join(lines), record)


def ruleset_text(name: str, piles: int = 2, passing: bool = False) -> str:
    """Return the YAML text of a small game, with comments that say what may be changed."""
    data = environment("md", "project").get_template("ruleset.yaml.j2")
    return data.render(name=name, piles=_PILES[:piles], passing=passing)


def study_line(name: str) -> str:
    """Return the line for ``studies:`` in config.yaml; the name is in quotes if YAML needs them."""
    plain = name[0].isalpha() and isinstance(yaml.safe_load(name), str)
    return f"  {name}: {{}}\n" if plain else f'  "{name}": {{}}\n'
