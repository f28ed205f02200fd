"""What the tests of the explorer share: pages with it, and games as the scripts say them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import grundylab
from grundylab.files import write_text
from grundylab.games import Instance, Ruleset
from grundylab.report.site.explorer import explorer, game_script
from grundylab.report.site.part import Part

ASSETS = Path(grundylab.__file__).parent.resolve() / "report" / "assets"

# Every listed position's value and options, by the scripts: [value, ["MOVE:x,y+x,y", …]].
TABLE = """([name, parameters, positions]) => {
  const { games, Game, Solver } = grundylab;
  const solver = new Solver(new Game(games[name], parameters.map(BigInt)));
  return positions.map((texts) => {
    const position = texts.map(BigInt);
    if (solver.game.problem(position)) return solver.game.problem(position).message;
    for (const progress of solver.solve([position]));
    const options = [...solver.game.options(position)].filter((option) => option !== null);
    return [solver.value([position]), options.map(({ move, parts }) => `${move}:${parts.map(String).join("+")}`)];
  });
}"""


def page_with(
    folder: Path, part: Part, scripts: Sequence[str], sheet: str, html: str, style: str = ""
) -> Path:
    """A page of a ruleset with this HTML of a part and the part's files, in a folder laid out as the whole page is.

    scripts: of the assets by name, or of the part by path, in order. sheet: the asset that is its style sheet.
    """
    for name, text in part.files.items():
        write_text(folder / name, text)
    sources = [f"../{name}" if name in part.files else (ASSETS / name).as_uri() for name in scripts]
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>t</title>'
    head += f'<style>{style}</style><link rel="stylesheet" href="{(ASSETS / sheet).as_uri()}">'
    head += "".join(f'<script defer src="{source}"></script>' for source in sources)
    path = folder / "rulesets" / "page.html"
    write_text(path, f'<!doctype html><html lang="en">{head}<main><h1>t</h1><h2>t</h2>{html}</main>')
    return path


def site(folder: Path, ruleset: Ruleset, style: str = "") -> Path:
    """A page of the ruleset with nothing but the explorer."""
    part = explorer(ruleset)
    return page_with(folder, part, ["rules.js", *part.files, "explorer.js"], "explorer.css", part.html, style)


def scripts_page(folder: Path, rulesets: list[Ruleset]) -> Path:
    """A page with the scripts of these games, all in the page itself, and nothing to see."""
    scripts = [(ASSETS / "rules.js").read_text(), *map(game_script, rulesets)]
    path = folder / "scripts.html"
    body = "".join(f"<script>{script}</script>" for script in scripts)
    path.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>{body}')
    return path


def values_of(instance: Instance) -> list[str]:
    """The parameters as the scripts take them."""
    return [str(value) for _, value in instance.parameters]
