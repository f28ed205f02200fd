"""What the tests of the explorer share: pages with it, and games as the scripts say them."""

from __future__ import annotations

import shutil
from pathlib import Path

import grundylab
from grundylab.games import Instance, Ruleset
from grundylab.report.site.explorer import explorer, game_script

ASSETS = Path(grundylab.__file__).parent / "report" / "assets"

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


def site(folder: Path, ruleset: Ruleset, style: str = "") -> Path:
    """A page of the ruleset with nothing but the explorer, in a folder laid out as the whole page is."""
    shutil.copytree(ASSETS, folder / "assets", dirs_exist_ok=True)
    part = explorer(ruleset)
    for name, text in part.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    sources = ["../assets/rules.js", *(f"../{name}" for name in part.files), "../assets/explorer.js"]
    scripts = "".join(f'<script defer src="{source}"></script>' for source in sources)
    sheet = '<link rel="stylesheet" href="../assets/explorer.css">'
    path = folder / "rulesets" / "page.html"
    path.parent.mkdir(exist_ok=True)
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    path.write_text(
        f"{head}<title>t</title><style>{style}</style>{sheet}{scripts}<h1>t</h1><h2>t</h2>{part.html}"
    )
    return path


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
