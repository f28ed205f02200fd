"""Benchmark of ``grundylab study``, run without options on the published games, each in a process of its own.

    python -m benchmarks.studied [--only TEXT] [--json FILE] [RULESET ...]

A game is answered if a formula is proved, or holds on larger tables and also on the game's own tables to test on, which
the study has not seen. With rulesets, these are studied in place of the published games, and their answers are not
compared.
The lines of games that are in the JSON file already are not measured again.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.published_games import FOLDER, Game, games

from grundylab.check.verification import verify
from grundylab.errors import GrundylabError
from grundylab.files import write_json
from grundylab.games import parse_target
from grundylab.language import parse
from grundylab.solve import solve

RIGHT = ("proved", "holds")


@dataclass(frozen=True)
class Line:
    """Summary of one study.

    answer: the best statement about all positions, its target first; empty if there is none. verdict: its status.
    right: whether it is proved or right on the game's own tables; None if that was not tested. strategy: the status of
    the strategy; empty if there is none. seconds: processor time, compilation included.
    """

    game: str
    answer: str
    verdict: str
    right: bool | None
    strategy: str
    seconds: float


def _answers(account: dict[str, Any], game: Game | None) -> Iterator[dict[str, Any]]:
    """Yield the findings about the game's target that are right everywhere, proved ones first."""
    targets = ("p", "grundy") if game is None or str(game.target) == "p" else ("grundy",)
    for status in RIGHT:
        for finding in account.get("findings", ()):
            if finding["status"] == status and finding["target"] in targets and "where" not in finding:
                yield finding


def _is_right(finding: dict[str, Any], game: Game) -> bool:
    """Tell whether the finding is proved, or right on the game's tables to test on."""
    if finding["status"] == "proved":
        return True
    target = parse_target(finding["target"])
    try:
        tables = [solve(instance, target.values) for instance in game.test]
        return verify(parse(finding["formula"]), target, tables, game.where).status == "holds"
    except GrundylabError:
        return False


def study(path: str, game: Game | None) -> Line:
    """Run ``grundylab study`` on the ruleset, and sum up its account."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(Path(sys.executable).with_name("grundylab")), "study", path, "--json"]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    account = json.loads(process.stdout)
    name = Path(path).stem
    if account["status"] == "error":
        return Line(name, account["reason"], "error", None, "", seconds)
    answers = list(_answers(account, game))
    compared = [(_is_right(finding, game) if game else None, finding) for finding in answers]
    same, best = next((pair for pair in compared if pair[0]), compared[0] if compared else (None, None))
    answer = f"{best['target']}: {best['formula']}" if best else ""
    strategy = (account.get("winning") or {}).get("status", "")
    return Line(name, answer, best["status"] if best else "", same, strategy, round(seconds, 1))


def main() -> None:
    """Study the games, and print a line for each and the sums."""
    parser = argparse.ArgumentParser(prog="benchmarks.studied", description=__doc__)
    parser.add_argument("rulesets", nargs="*", metavar="RULESET")
    parser.add_argument("--only", default="", help="only games whose name contains this text")
    parser.add_argument("--json", type=Path, help="where to write the lines after each game")
    asked = parser.parse_args()
    lines = [Line(**line) for line in json.loads(asked.json.read_text())] if _is_file(asked.json) else []
    measured = {line.game for line in lines}
    todo: Sequence[tuple[str, Game | None]] = [(path, None) for path in asked.rulesets] or [
        (str(FOLDER / f"{game.name}.yaml"), game) for game in games()
    ]
    for path, game in todo:
        if asked.only not in Path(path).stem or Path(path).stem in measured:
            continue
        lines.append(study(path, game))
        print(" | ".join(str(value) for value in asdict(lines[-1]).values()), flush=True)
        if asked.json:
            write_json(asked.json, [asdict(line) for line in lines])
    for verdict, count in Counter((line.verdict, line.right, line.strategy) for line in lines).most_common():
        print(count, "of", len(lines), *verdict)


def _is_file(path: Path | None) -> bool:
    return path is not None and path.is_file()


if __name__ == "__main__":
    main()
