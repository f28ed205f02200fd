"""Bad input is one line that names the place and the mistake, with exit status 2; and nothing is written.

The tables beside this file have a row for each mistake: the command, or the file that it reads; how the line begins; and
what it must name.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.bad_input import commands, rulesets, studies
from tests.files import write
from tests.findings import made

from grundylab.cli.main import main
from grundylab.errors import GrundylabError
from grundylab.files import package_folder
from grundylab.findings.catalogue import write_catalogue
from grundylab.games import Claim, load_ruleset, parse_target
from grundylab.language import parse, parse_condition
from grundylab.pipeline.config import read_studies
from grundylab.prove.core.evidence import Rows
from grundylab.prove.core.theorem import Theorem
from grundylab.prove.proof_files import proof_text
from grundylab.statement import statement_about

READ = "read config.yaml"  # no command: the workflow reads it
RULESETS = str(package_folder("rulesets"))
Row = tuple[
    str, dict[str, str | bytes], str, tuple[str, ...]
]  # the command, its files, the line's beginning, names


def rows() -> Iterator[Row]:
    for command, place, *names in (*commands.ROWS, *commands.ABOUT_TABLES):
        yield command, {}, place, (*names,)
    for text, place, *names in rulesets.ROWS:
        yield "check game.yaml", {"game.yaml": text}, f"game.yaml:{place}", (*names,)
    for files, place, *names in rulesets.EXTENDING:
        texts = {"parent": rulesets.PARENT} | files
        yield (
            "check child",
            {f"rulesets/{name}.yaml": text for name, text in texts.items()},
            f"rulesets/{place}",
            (*names,),
        )
    for name in commands.ODD:
        yield (
            f"check {shlex.quote(f'./{name}.yaml')}",
            {f"{name}.yaml": rulesets.NIM},
            "",
            ("may have only letters",),
        )
    for text, *names in commands.SOLVED:
        for values in ("grundy", "outcome"):
            yield (
                f"solve game.yaml --bound N=4 --target {values}",
                {"game.yaml": text},
                "game (N=4): ",
                (*names,),
            )
    for file, text, *names in commands.TABLES:
        for command in (f"discover {file}", f"verify {file} --formula x"):
            yield command, {} if text is None else {file: text}, f"{file}: ", (*names,)
    for text, place, *names in studies.CONFIG:
        yield READ, {"config.yaml": text} | studies.TABLES, f"config.yaml:{place}", (*names,)
    for text, place, *names in studies.SURVEYS:
        yield "survey small", {"surveys/small.yaml": text}, f"surveys/small.yaml:{place}", (*names,)
    for file, old, new, place, *names in studies.LOOKUPS:
        files = studies.LOOKED_UP | {file: studies.edited(studies.LOOKED_UP[file], old, new)}
        yield "survey small", files, place, (*names,)


ROWS = list(rows())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the files of ``commands.FILES``, results in ``run``, and two proofs that prove nothing."""
    folder = tmp_path_factory.mktemp("bad")
    write(folder, commands.FILES)
    claims = [made.claim(claim="equal", paper="a-paper", ruleset="two")]
    studies = [made.study(ruleset="two", **made.made_now(str(folder / "rulesets/two.yaml")))]
    write_catalogue(
        made.catalogue(studies, [made.formula(ruleset="two"), made.formula(engine="tree")], claims),
        folder / "run",
    )
    write_catalogue(made.catalogue(formulas=[made.formula(ruleset="of-other")]), folder / "run" / "other")
    said = Claim("", parse_target("p"), parse("x == y"), parse_condition("m == 1 and p == 1"))
    statement = statement_about(load_ruleset("nim", folder / "rulesets"), said)
    proof = proof_text(Theorem(statement, Rows(axes=("x", "y"), target=said.target, layers=())))
    write(folder, {"false.json": proof, "other.json": proof.replace("x == y", "x <= y")})
    return folder


def content(folder):
    return {str(path): path.is_file() and path.read_bytes() for path in folder.rglob("*")}


@pytest.mark.parametrize(
    ("command", "files", "place", "names"), ROWS, ids=[f"{row[0][:40]} {row[2]}" for row in ROWS]
)
def test_bad_input__is_one_line_that_names_it(folder, monkeypatch, capsys, command, files, place, names):
    monkeypatch.chdir(folder)
    if command in {row[0] for row in commands.TOO_LONG}:
        monkeypatch.setattr("grundylab.cli.common.solve", None)
    write(folder, files)
    before = content(folder)
    if command == READ:
        with pytest.raises(GrundylabError) as refused:
            read_studies(Path("config.yaml"), RULESETS)
        out, error = "", f"grundylab: {refused.value}\n"
    else:
        assert main(shlex.split(command)) == 2
        out, error = capsys.readouterr()
    line = error.replace('"', "'")
    assert (out, line[:-1].isprintable(), line[-1]) == ("", True, "\n")
    assert line.startswith(f"grundylab: {place}")
    assert [name for name in names if name not in line] == [], line
    assert "should be" not in line  # the words of pydantic, which name no remedy
    assert content(folder) == before
    for name in files:
        (folder / name).unlink()


def test_a_claim_that_looks_nothing_up__is_judged_beside_one_whose_ruleset_is_missing(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["verify", "asking", "--claim", "mine", "--bound", "N=9"]) == 0
