"""Harmful input is refused in one line, in little time and memory, and nothing is written.

In ``make test`` every input meets one command, and every command some inputs; ``make test-long`` tries all pairs. The
time of each is printed.
"""

import re
import shlex
from pathlib import Path

import pytest
from tests.findings.made import catalogue
from tests.hostile.children import MIB, run
from tests.hostile.inputs import NIM, SORTS

from grundylab.findings.catalogue import write_catalogue

Case = tuple[str, str, str]  # the sort of input, its name, and the command
PILES = "title: t\npiles: 3\nposition: {x: 0..N}\nmoves: [{take: t, from: x}]\n"


def cases() -> list[list[Case]]:
    """Return, for each input, one case for each command."""
    return [
        [(sort, name, command) for command in each.commands]
        for sort, each in SORTS.items()
        for name in each.inputs
    ]


TRIED = [
    case for n, of in enumerate(cases()) for case in (of if SORTS[of[0][0]].whole else [of[n % len(of)]])
]


def prepared(folder: Path, case: Case) -> tuple[Path, list[str]]:
    """Write the input of a case into a folder; return the folder and the command."""
    sort, (text, _), command = SORTS[case[0]], SORTS[case[0]].inputs[case[1]], case[2]
    folder.mkdir()
    (folder / "good.yaml").write_text(NIM)
    (folder / "piles.yaml").write_text(PILES)
    if sort.file is not None:
        (folder / sort.file).parent.mkdir(exist_ok=True)
        (folder / sort.file).write_text(text)
    if case[0] == "paper":
        write_catalogue(catalogue(), folder / "results")
    return folder, shlex.split(command.replace("{}", text if command == "{}" else shlex.quote(text)))


def outcomes(folder: Path, tried: list[Case]):
    """Return by case how its command ended, and whether its folder is as before; commands of one limit run in one child."""
    found = {}
    for seconds in {SORTS[sort].seconds for sort, *_ in tried}:
        some = [case for case in tried if SORTS[case[0]].seconds == seconds]
        commands = [prepared(folder / f"{seconds}-{number}", case) for number, case in enumerate(some)]
        files = [sorted(place.rglob("*")) for place, _ in commands]
        for case, ended, (place, _), before in zip(
            some, run(*commands, seconds=seconds), commands, files, strict=True
        ):
            found[case] = ended, sorted(place.rglob("*")) == before
    return found


@pytest.fixture(scope="module")
def ended(request, tmp_path_factory):
    """Return by case how the command ended, for the cases of this run."""
    asked = [item.callspec.params["case"] for item in request.session.items if item.module is request.module]
    return outcomes(tmp_path_factory.mktemp("refused"), asked)


def check(case: Case, ended, unchanged: bool) -> None:
    sort, (_, words) = SORTS[case[0]], SORTS[case[0]].inputs[case[1]]
    assert ended.seconds < sort.seconds
    assert ended.mib < MIB or sort.seconds > 10
    assert "Traceback" not in ended.errors
    if not sort.refused:
        assert ended.status in (1, 2, 3), ended
        return
    *progress, line = ended.errors.splitlines()
    assert (ended.status, ended.output, unchanged) == (2, "", True)
    assert progress == [] or (sort.seconds > 2 and all(re.search(r" s\)$", each) for each in progress))
    assert line.startswith("grundylab: ")
    assert line.isprintable()
    assert re.search(words, line), line


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case[0]}-{case[1]}-{case[2].split()[0]}",
            marks=() if case in TRIED else pytest.mark.long,
        )
        for of in cases()
        for case in of
    ],
)
def test_each_input_is_refused(ended, case):
    took, unchanged = ended[case]
    check(case, took, unchanged)
    print(f"{case[0]} {case[1]}: {case[2][:40]}: {took.seconds:.2f} s")
