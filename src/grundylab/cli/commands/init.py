"""``grundylab init``: writes a project for the user's own games, which needs no checkout of grundylab."""

from __future__ import annotations

import argparse
from pathlib import Path

from grundylab.cli import arguments
from grundylab.cli.commands.new import ruleset_text, study_line
from grundylab.cli.common import CommandResult
from grundylab.errors import GrundylabError, Place
from grundylab.files import package_folder, write_text
from grundylab.games.load import FOLDER
from grundylab.pipeline.schemas import comment, schema_files

GAME = "my-game"
_PROFILES = ("default", "slurm")


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    arguments.describe(
        parser,
        "Write a folder for your own games, with a small example and a workflow that studies all of them and "
        "writes a page. It needs no checkout of grundylab.",
        "grundylab init my-games",
    )
    parser.add_argument("folder", metavar="FOLDER", help="the folder to write; '.' is the current one")
    arguments.as_json(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """Write the project's files, none of which may exist yet, and print the next steps."""
    folder = Path(options.folder)
    project = package_folder("project")
    profiles = {f"profiles/{name}/config.yaml": f"workflow/profiles/{name}/config.yaml" for name in _PROFILES}
    config = (project / "config.yaml").read_text("utf-8") + f"\n  # Your own\n{study_line(GAME)}"
    files = {
        "README.md": (project / "README.md").read_text("utf-8"),
        "Snakefile": (project / "Snakefile").read_text("utf-8"),
        "config.yaml": comment("config") + config,
        ".gitignore": (project / "gitignore").read_text("utf-8"),
        f"{FOLDER}/{GAME}.yaml": comment("ruleset", "../") + ruleset_text(GAME),
        **schema_files(),
        **{path: package_folder(source).read_text("utf-8") for path, source in profiles.items()},
    }
    for name in files:
        if (folder / name).exists():
            raise GrundylabError("already exists; choose another folder", Place(str(folder / name)))
    for name, text in files.items():
        write_text(folder / name, text)
    lines = [
        f"written: {folder}, a project with one small game to adapt, {FOLDER}/{GAME}.yaml. In that folder:",
        "",
        f"    grundylab study {GAME}",
        f"    snakemake --cores 2 results/{GAME}/report/index.html",
        "",
        "The first reports everything grundylab can derive about the game; the second runs every engine and "
        "writes a page.",
        "'snakemake --cores 2' does the second for all studies in config.yaml, in a few minutes.",
    ]
    return CommandResult("done", "\n".join(lines), {"folder": str(folder), "files": list(files)})
